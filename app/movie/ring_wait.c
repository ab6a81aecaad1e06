/* Ring wait: draws other rings, or sleeps, while somebody else draws one. */
#include "app/movie/ring_wait.h"
#include "render/base/clock.h"
#include <math.h>

#define NEXT_MOST 8 /* rings behind one of somebody else that may be drawn before it */

/* Returns true if a ring of somebody else has taken longer than this process would need. */
static bool is_late(const struct ring_drawing *drawing, double waited_ms) {
    const double own_ms = drawing->drawn > 0 ? drawing->draw_ms / drawing->drawn : INFINITY;
    return work_list_is_late(waited_ms, own_ms);
}

/* Makes one of the next rings that no process draws. Returns RING_TAKEN if there is none. */
static enum ring_making make_next(const struct ring_source *source, int k, int step,
                                  bool (*go_on)(void *user), void *user) {
    for (int i = 1; step != 0 && i <= NEXT_MOST; i++) {
        const int next = k + i * step;
        if (next < 0 || next >= source->rings->count)
            break;
        const enum ring_making made =
            ring_source_make(source, next, false, go_on, user, NULL, NULL);
        if (made == RING_MADE || made == RING_FAILED)
            return made;
    }
    return RING_TAKEN;
}

bool ring_wait(const struct ring_source *source, int k, int step, bool (*go_on)(void *user),
               void *user, ring_take *take, void *taker) {
    const double start = clock_ms();
    enum ring_making made = RING_TAKEN, next = RING_TAKEN;
    for (double pause = 0; go_on(user) && next != RING_FAILED;) {
        const bool late = is_late(source->drawing, clock_ms() - start);
        made = ring_source_make(source, k, late, go_on, user, take, taker);
        if (made != RING_TAKEN)
            break;
        next = make_next(source, k, step, go_on, user);
        pause = next == RING_MADE ? 0 : work_list_pause(pause);
    }
    return made == RING_MADE || made == RING_WAS_THERE;
}
