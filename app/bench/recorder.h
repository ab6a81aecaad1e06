/* Recorder: observes a motion in the window. Measures the times of its frames, and keeps some
 * frames with the view that they should have shown, to be judged afterwards (judge.h). */
#ifndef FATHOM_APP_BENCH_RECORDER_H
#define FATHOM_APP_BENCH_RECORDER_H

#include "app/picture/present.h"
#include "app/stats.h"
#include "app/window/loop.h"

#define RECORDER_KEPT_MAX 24 /* number of kept frames, spread over the motion */
#define RECORDER_BANDS    16 /* number of zoom ranges; the last includes everything deeper */

struct kept_frame {
    struct scene scene; /* the scene that the screen should show */
    uint32_t *rgba;     /* the pixels that it shows */
};

/* Measurements at one range of zooms. */
struct recorder_band {
    unsigned long long frames, late, lean_late;
    double exact, near; /* sums of shares */
    double worst_ms;    /* [ms] longest interval between frames */
};

struct recorder {
    struct loop_watch watch; /* watches the loop */
    int width_px, height_px;
    double frame_ms; /* display interval */
    bool sparing;    /* only kept frames are painted */

    enum recorder_phase { RECORDER_BEFORE, RECORDER_MOVING, RECORDER_STOPPED } phase;
    double stopped_ms, shown_ms;  /* times of the stop and of the last frame, by clock_ms */
    double keep_ms, next_keep_ms; /* interval of keeping frames, and time of the next one */
    bool keeping, kept_before;    /* the next frame is kept; the last one was */
    bool still_before; /* the last frame showed nothing moving, so that no frame had to follow */
    bool failed;       /* there was no memory; logged */

    unsigned long long frames; /* number of frames during the motion */
    double moved_ms;           /* their total time */
    struct stats interval; /* [ms] intervals between frames, except before and after kept ones */
    struct stats lean;     /* [ms] the same without drawing and swapping */
    struct stats part[FRAME_PARTS];
    struct stats exact, near;  /* shares of each frame's pixels (struct presenter_accuracy) */
    struct stats latency;      /* [ms] latency of input */
    unsigned long long inputs; /* number of inputs that the loop has followed */
    unsigned long long late, lean_late; /* display intervals without a new frame */
    double lean_ms;            /* total time that the frames would have taken without OpenGL */
    double fresh_px, drawn_px; /* pixels drawn during the motion; ever */
    double exact_ms; /* time from the stop to the exact picture on the screen; NAN: not seen */
    struct kept_frame kept[RECORDER_KEPT_MAX];
    size_t kept_count;
    double band_decades; /* width of a band in decades of the zoom; 0: no bands */
    struct recorder_band band[RECORDER_BANDS];
};

/* Prepares for a motion of `seconds`; `frame_ms` is the display interval. Returns false if there
 * is no memory; that is logged. */
bool recorder_init(struct recorder *recorder, double frame_ms, double seconds, bool sparing);
void recorder_finish(struct recorder *recorder);
/* Returns the number of the band of a view; bands must be in use. */
size_t recorder_band_of(const struct recorder *recorder, const struct view *view);

#endif
