/* Looks for stale and torn pixels in the frames of a window whose pictures are tagged
 * (app/tags.h): where a frame shows one complete picture and nothing else, all that is
 * tagged must be of that picture's generation. */
#ifndef FATHOM_APP_BENCH_FRAME_CHECK_H
#define FATHOM_APP_BENCH_FRAME_CHECK_H

#include "app/window/loop_watch.h"
#include <stddef.h>
#include <stdint.h>

struct frame_check {
    struct loop_watch watch; /* the loop's */
    uint32_t *rgba;
    size_t room;                              /* pixels */
    unsigned long long frames, checked, torn; /* torn: some pixel was of another one */
    bool failed;                              /* there was no memory; logged */
};

void frame_check_init(struct frame_check *check);
void frame_check_finish(struct frame_check *check);
/* Says on standard error what was found. False: a frame was torn, or none could be checked. */
bool frame_check_passed(const struct frame_check *check);

#endif
