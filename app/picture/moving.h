/* Pictures in motion: what the next one is made of while the camera zooms or slides, so that it is
 * there when the motion needs it. It has lines (render/grid/lines.h): those of the picture before
 * that still serve, and as many new ones as there is time for. At rest they are what the view's own
 * grid begins with. */
#ifndef FATHOM_APP_PICTURE_MOVING_H
#define FATHOM_APP_PICTURE_MOVING_H

#include "app/explore/explorer.h"
#include "render/backend.h"

/* Samples of the last pictures and the time that they took, the latest counting most. */
struct pace {
    double samples, ms;
};

struct moving {
    double frame_ms, since_ms; /* how long the display shows a frame; since the explorer's time */
    bool late;                 /* the last frame came later than that */
    bool loose;                /* the last request was a picture in motion, */
    int seen;                  /* so many frames have shown it since it was done; */
    bool whole;                /* all of it new, for the frame at: */
    double frame_time_ms;      /* of the explorer's time */
    int given_up;              /* so many of the last requests were */
    double new_samples;        /* of the last request, */
    double took_ms;            /* how long the last ones took until they were seen, */
    double overhead_ms;        /* of that, whatever was new, */
    double pause_ms;           /* from then on until the next one was begun, */
    struct pace pace;          /* and new samples in the rest of what they took, */
    double per_ms;             /* and the mean of those speeds; 0: not known */
    /* The same mean of pictures with nothing kept, and what per_ms was after the last one of those. */
    double whole_per_ms, per_ms_then;
    /* Pictures of lines since the last whole one, and until one is tried again, whatever is known;
     * 0: none was drawn in this motion. */
    int since_whole, until_whole;
    /* When the last one was planned, in the explorer's time, and what it took; 0: it is not done. */
    double planned_ms, last_ms;
};

/* Whether such pictures are wanted now: something moves on the screen, or the target has moved to
 * where it shares no samples, and what was drawn before can serve, or each frame can have a new
 * picture. */
bool moving_wanted(const struct moving *moving, const struct explorer *explorer,
                   const struct backend_info *info);
/* Gives a request for the explorer's target the lines that it should have after `before`; `loose`:
 * for motion. False: no memory, logged. */
bool moving_plan(struct moving *moving, const struct explorer *explorer,
                 const struct frame_req *before, bool loose, struct frame_req *req);
/* Whether the last picture, which is done, is for a frame that has not come yet, or few have shown it
 * and frames are late: another one would only take time from them. */
bool moving_early(const struct moving *moving, const struct explorer *explorer);
/* How long one may take until it is given up, which is longer after one that was. */
double moving_patience_ms(const struct moving *moving);
/* It was given up after so long, with a part of it drawn: the next one has less to draw. */
void moving_learn_given_up(struct moving *moving, double part, double ms);
/* A picture in motion is done: learns how long that takes. */
void moving_learn(struct moving *moving, const struct backend_report *report);
/* The same of one for itself, of so many samples. Returns what moving_samples_per_ms would be by that; 0: it says
 * nothing. */
double moving_learn_rest(struct moving *moving, double samples,
                         const struct backend_report *report);
/* How many new samples pictures in motion deliver in a millisecond of the motion, or could if it needed as many;
 * 0: not known. */
double moving_samples_per_ms(const struct moving *moving, const struct explorer *explorer);

#endif
