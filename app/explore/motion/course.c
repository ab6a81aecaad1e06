/* Courses: their beginning and end. motion.c moves target and camera. */
#include "app/explore/motion/course.h"
#include "app/explore/explorer.h"

void course_follow(struct explorer *explorer, const struct course *course) {
    motion_end(explorer);
    explorer->motion.course = course;
    explorer->motion.course_left_ms = 0;
}

void course_leave(struct explorer *explorer) {
    struct view shown;
    if (!explorer->motion.course)
        return;
    explorer->motion.course = NULL;
    explorer->motion.kind = MOTION_NONE;
    if (similarity_is_identity(explorer->camera))
        return;
    view_init(&shown);
    explorer_screen_view(explorer, &shown);
    view_assign(&explorer->scene.view, &shown);
    explorer->camera = similarity_identity;
    motion_target_changed(explorer);
    view_finish(&shown);
}
