/* What is seen of a motion in the window: times of its frames, and every so many frames one of them
 * with the view that it should have shown, to be judged afterwards (judge.h). */
#ifndef FATHOM_APP_BENCH_RECORDER_H
#define FATHOM_APP_BENCH_RECORDER_H

#include "app/picture/present.h"
#include "app/stats.h"
#include "app/window/loop.h"

#define RECORDER_KEPT_MAX 24 /* frames, spread over the motion */
#define RECORDER_BANDS    16 /* the last has whatever is deeper */

struct kept_frame {
    struct scene scene; /* whose exact picture the screen should show */
    uint32_t *rgba;     /* what it shows */
};

/* What was seen at one range of zooms. */
struct recorder_band {
    unsigned long long frames, late, lean_late;
    double exact, near; /* sums of shares */
    double worst_ms;    /* from frame to frame */
};

struct recorder {
    struct loop_watch watch; /* the loop's */
    int width_px, height_px;
    double frame_ms; /* of the display */
    bool sparing;    /* only frames that are kept are painted */

    enum recorder_phase { RECORDER_BEFORE, RECORDER_MOVING, RECORDER_STOPPED } phase;
    double stopped_ms, shown_ms;  /* the last frame was; by clock_ms */
    double keep_ms, next_keep_ms; /* how often a frame is kept, and when next */
    bool keeping, kept_before;    /* the frame that is shown next is kept; the last one was */
    bool still_before;            /* and nothing moved on it, so that none had to follow */
    bool failed;                  /* logged */

    unsigned long long frames; /* shown while it moved */
    double moved_ms;           /* in so long */
    struct stats interval;     /* ms from frame to frame, but to and from kept ones */
    struct stats lean;         /* the same without what drawing and swapping took */
    struct stats part[FRAME_PARTS];
    struct stats exact, near;  /* shares of each frame's pixels (struct presenter_accuracy) */
    struct stats latency;      /* of input, ms */
    unsigned long long inputs; /* that the loop has followed so far */
    unsigned long long late, lean_late; /* intervals of the display without a new frame */
    double lean_ms;                     /* what those frames would have taken */
    double fresh_px, drawn_px;          /* drawn while it moved; ever, as the picture has it */
    double exact_ms; /* from stopping to the exact picture on the screen; NAN: not seen */
    struct kept_frame kept[RECORDER_KEPT_MAX];
    size_t kept_count;
    double band_decades; /* of the zoom, that a band has; 0: bands are not asked for */
    struct recorder_band band[RECORDER_BANDS];
};

/* `frame_ms`: of the display; `seconds`: how long the motion is. False: no memory, logged. */
bool recorder_init(struct recorder *recorder, double frame_ms, double seconds, bool sparing);
void recorder_finish(struct recorder *recorder);
/* The number of the band that a view belongs to, where bands are asked for. */
size_t recorder_band_of(const struct recorder *recorder, const struct view *view);

#endif
