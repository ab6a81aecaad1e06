/* Small pictures of what the screen shows, drawn beside the main one for the autopilot to steer by and for colours to
 * adapt to: asked for and polled once a turn, and waited for only where time stands still. */
#ifndef FATHOM_APP_WINDOW_SURVEY_H
#define FATHOM_APP_WINDOW_SURVEY_H

#include "app/explore/autopilot.h"
#include "app/explore/explorer.h"
#include "app/picture/active_backend.h"

/* Zero-initialised; pairs with survey_finish. */
struct survey {
    bool busy;   /* a picture is in flight, of this request, */
    bool done;   /* or the target has it; */
    bool failed; /* or none could be drawn */
    struct frame_req req;
    struct target target;
    size_t room;    /* samples that the target has memory for; 0: there is no request either */
    double next_ms; /* when the next one is due */
    uint64_t count;
    double steps, took_ms; /* iterations of the last ones, and their time in kernels */
};

/* Takes what has been drawn, and asks for the next one when it is due. `patience_ms`: 0, or how long
 * it waits for what is in flight, where the next one is due at once. True: the field tells of one;
 * its counts hold until the next call. */
bool survey_poll(struct survey *survey, struct active_backend *active,
                 const struct explorer *explorer, double patience_ms,
                 struct autopilot_field *field);
/* Whether the last look is there, and at the explorer's target. */
bool survey_knows(const struct survey *survey, const struct explorer *explorer);
/* What that look saw. */
struct glimpse survey_glimpse(const struct survey *survey);
/* Gives up what is in flight. */
void survey_stop(struct survey *survey, struct active_backend *active);
/* The backend is still there. */
void survey_finish(struct survey *survey, struct active_backend *active);

#endif
