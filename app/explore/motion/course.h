/* Course: a given way of the screen, such as that of a path. Part of the explorer. */
#ifndef FATHOM_APP_EXPLORE_MOTION_COURSE_H
#define FATHOM_APP_EXPLORE_MOTION_COURSE_H

#include "render/view.h"

struct explorer;

struct course {
    /* Stores the screen's view after that time in an initialised view. */
    void (*view_after)(const void *user, double ms, struct view *view);
    const void *user;
};

/* Lets the screen follow a course, which must live until then, until a hand takes over. The target
 * is ahead of the screen, as in a held zoom, and rests where the course does. All of it, with
 * changes of the scene meanwhile, belongs to the present undo step. */
void course_follow(struct explorer *explorer, const struct course *course);
/* Ends the course where the screen is, if there is one. */
void course_leave(struct explorer *explorer);

#endif
