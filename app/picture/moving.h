/* Pictures in motion: what the next one is made of while the camera zooms or slides, so that it is
 * there when the motion needs it. It has lines (render/grid/lines.h): those of the picture before
 * that still serve, and as many new ones as there is time for. At rest they are what the view's own
 * grid begins with. */
#ifndef FATHOM_APP_PICTURE_MOVING_H
#define FATHOM_APP_PICTURE_MOVING_H

#include "app/explore/explorer.h"
#include "render/backend.h"

struct moving {
    double frame_ms;     /* of the display; 0: not known */
    bool loose;          /* the last request was a picture in motion */
    double new_samples;  /* of the last request, */
    double submitted_ms; /* when it was submitted, */
    double took_ms;      /* how long the last ones took until they were seen, */
    double overhead_ms;  /* of that, whatever was new, */
    double per_ms;       /* and new samples in the rest of it; 0: not known */
};

/* Whether such pictures are wanted now: something moves on the screen that is not turned, and what
 * was drawn `before` can serve. */
bool moving_wanted(const struct explorer *explorer, const struct frame_req *before,
                   const struct backend_info *info);
/* Gives a request for the explorer's target the lines that it should have after `before`; `loose`:
 * for motion. False: no memory, logged. */
bool moving_plan(struct moving *moving, const struct explorer *explorer,
                 const struct frame_req *before, bool loose, struct frame_req *req);
/* The picture has been seen: learns how long that takes. */
void moving_learn(struct moving *moving, const struct backend_report *report);

#endif
