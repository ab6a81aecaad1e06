/* Pictures in motion: plans the next picture while the camera zooms or slides, so that the picture
 * is complete when the motion needs it. A picture in motion consists of lines
 * (render/grid/lines.h): useful lines of the previous picture, and as many new lines as time
 * permits. At rest its samples are reused for the picture of the view's own grid. */
#ifndef FATHOM_APP_PICTURE_MOVING_H
#define FATHOM_APP_PICTURE_MOVING_H

#include "app/explore/explorer.h"
#include "render/backend.h"

/* Samples of the last pictures and the time that they took; recent pictures have more weight. */
struct pace {
    double samples, ms;
};

struct moving {
    /* [ms] display interval; time since the explorer's time was advanced */
    double frame_ms, since_ms;
    bool late;            /* the last frame exceeded its interval */
    bool in_motion;       /* the last request was a picture in motion */
    int seen;             /* number of frames that have shown it since it was complete */
    bool whole;           /* all its samples are new, for one frame */
    double frame_time_ms; /* [ms, explorer's time] time of that frame */
    int given_up;         /* number of consecutive requests that were given up */
    double new_samples;   /* new samples of the last request */
    double took_ms;       /* [ms] mean time until completion of recent pictures */
    double overhead_ms;   /* [ms] part of took_ms that does not depend on new samples */
    double pause_ms;      /* [ms] mean time between a completion and the next request */
    struct pace pace;     /* new samples, and the time of kernels */
    double per_ms;        /* mean of these speeds [samples/ms]; 0: unknown */
    /* The same mean for pictures without kept samples; per_ms right after the last such picture. */
    double whole_per_ms, per_ms_then;
    /* Cost of a pixel of the last whole picture at rest and its raised limits: [ms] time of
     * kernels, and number of steps; 0: unknown. The limit so far. */
    double pixel_ms, pixel_steps;
    uint32_t pixel_limit;
    /* Number of pictures of lines since the last whole picture; number after which a whole one
     * is tried again in any case, 0: none was drawn in this motion. */
    int since_whole, until_whole;
    /* [ms, explorer's time] start of the last picture; [ms] its duration, 0: not complete. */
    double planned_ms, last_ms;
};

/* Returns true if pictures in motion are wanted: something moves on the screen, or the target
 * has moved to where it shares no samples. Earlier samples must be usable, or pictures quick
 * enough for a new one in each frame. */
bool moving_wanted(const struct moving *moving, const struct explorer *explorer,
                   const struct backend_info *info);
/* Gives `req`, a request for the explorer's target, the lines that should follow `before`;
 * `in_motion`: for motion. Returns false if there is no memory. */
bool moving_plan(struct moving *moving, const struct explorer *explorer,
                 const struct frame_req *before, bool in_motion, struct frame_req *req);
/* Returns true if the next picture should wait: the last one is complete and belongs to a later
 * frame; or frames are late and few have shown it. Another picture would only slow down the
 * frames. */
bool moving_early(const struct moving *moving, const struct explorer *explorer);
/* Returns after what time a picture is given up [ms]; longer after each one that was. */
double moving_time_limit_ms(const struct moving *moving);
/* Learns from a picture that was given up after `ms` with the share `part` drawn: the next one
 * has fewer new samples. */
void moving_learn_given_up(struct moving *moving, double part, double ms);
/* Learns from a complete picture in motion how long pictures take. */
void moving_learn(struct moving *moving, const struct backend_report *report);
/* Learns from an ordinary picture of `samples` samples and its limit. Returns the speed that this
 * predicts for pictures in motion, as moving_samples_per_ms; 0: unknown. */
double moving_learn_rest(struct moving *moving, double samples, uint32_t limit,
                         const struct backend_report *report);
/* Returns the new samples that pictures in motion deliver, or could deliver, per millisecond of
 * the motion; 0: unknown. */
double moving_samples_per_ms(const struct moving *moving, const struct explorer *explorer);

#endif
