/* Frame check: finds stale and torn pixels in the frames of a window whose pictures are tagged
 * (app/tags.h). If a frame shows one complete picture and nothing else, all tags must be of that
 * picture's generation. */
#ifndef FATHOM_APP_BENCH_FRAME_CHECK_H
#define FATHOM_APP_BENCH_FRAME_CHECK_H

#include "app/window/loop_watch.h"
#include <stddef.h>
#include <stdint.h>

struct frame_check {
    struct loop_watch watch; /* watches the loop */
    uint32_t *rgba;
    size_t room;                              /* size of rgba [pixels] */
    unsigned long long frames, checked, torn; /* torn: frames with pixels of another generation */
    bool failed;                              /* there was no memory; logged */
};

void frame_check_init(struct frame_check *check);
void frame_check_finish(struct frame_check *check);
/* Prints the result on standard error. Returns false if a frame was torn, or none could be
 * checked. */
bool frame_check_passed(const struct frame_check *check);

#endif
