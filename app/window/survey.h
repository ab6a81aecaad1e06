/* Surveys: small pictures of the screen's view, drawn next to the main picture. The autopilot
 * steers by them, and colours adapt to them. They are requested and polled once a turn. */
#ifndef FATHOM_APP_WINDOW_SURVEY_H
#define FATHOM_APP_WINDOW_SURVEY_H

#include "app/explore/autopilot.h"
#include "app/explore/explorer.h"
#include "app/picture/active_backend.h"

/* Zero-initialised; pairs with survey_finish. */
struct survey {
    bool busy;   /* the request is in flight */
    bool done;   /* the target contains the request's picture */
    bool failed; /* it could not be drawn */
    struct frame_req req;
    struct target target;
    size_t room;    /* [samples] capacity of the target; 0: neither target nor request exist */
    double next_ms; /* clock_ms at which the next survey is due */
    uint64_t count; /* number of surveys */
    double steps, took_ms; /* faded sums of the iterations and of their time */
};

/* Collects a finished survey, and requests the next one when it is due. `patience_ms` is the time
 * to wait for a survey in flight; if not 0, the next survey is due at once. Returns true if *field
 * has a new survey. Its counts are valid until the next call. */
bool survey_poll(struct survey *survey, struct active_backend *active,
                 const struct explorer *explorer, double patience_ms,
                 struct autopilot_field *field);
/* Returns true if the last survey shows the explorer's target. */
bool survey_is_current(const struct survey *survey, const struct explorer *explorer);
/* Returns the counts of the last survey. */
struct glimpse survey_glimpse(const struct survey *survey);
/* Cancels the survey in flight. */
void survey_stop(struct survey *survey, struct active_backend *active);
/* Call it before the backend is destroyed. */
void survey_finish(struct survey *survey, struct active_backend *active);

#endif
