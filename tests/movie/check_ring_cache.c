/* Ring cache: after a frame, rings that a zoom has passed are dropped in both directions, and above
 * the limit of memory the levels below those that the frame needed. */
#include "app/movie/ring_cache.h"
#include "render/base/log.h"

#include "tests/shared/check.h"

#define RINGS 8

/* Fills a cache, trims it after a frame of the rings 3 .. 5 at level 1, and checks that level 0 of
 * exactly the rings first .. end - 1 is left. */
static void check_trim(uint64_t most, bool outwards, int first, int end) {
    const struct rings rings = {.count = RINGS,
                                .first = {-4, -4, 4, 4},
                                .outer = {-4, -4, 4, 4},
                                .last = {-4, -4, 4, 4},
                                .hole = {-2, -2, 2, 2}};
    const struct ring_source source = {.rings = &rings};
    struct ring_ahead ahead = {.alone = true};
    struct ring_cache cache = {.source = &source, .ahead = &ahead, .most = UINT64_MAX};
    CHECK(ring_cache_init(&cache));
    for (int k = 0; k < RINGS; k++)
        CHECK(ring_cache_begin(&cache, k));
    cache.most = most;
    ring_cache_trim(&cache, 0, 0, NULL, outwards);
    CHECK(cache.levels[0][0].light && cache.levels[RINGS - 1][0].light);
    ring_cache_trim(&cache, 3, 3, (int[]){1, 1, 1}, outwards);
    for (int k = 0; k < RINGS; k++)
        CHECK(!cache.levels[k][0].light == (k < first || k >= end));
    ring_cache_finish(&cache);
    CHECK(cache.bytes == 0);
}

int main(void) {
    log_start();
    check_trim(UINT64_MAX, false, 3, RINGS);
    check_trim(UINT64_MAX, true, 0, 6);
    check_trim(0, false, 0, 0);
    check_trim(0, true, 0, 0);
    return failures > 0;
}
