/* Wide tables that are made by a processor's fma have the same bytes as those made by the C
 * library's, which every processor has. */
#include "tests/shared/check.h"
#include "tests/shared/quad.h"

#define SEGMENTS_WIDE 1
#define SEGMENTS_NAME segments_init_portable
#include "render/deep/tables/tables.h"
segments_fn segments_init_portable;
#include "render/deep/tables/segments_tmpl.c"

#define LENGTH 20000

static double orbit[2 * LENGTH + 2], low[2 * LENGTH + 2];

/* Makes an orbit around a Siegel disc, which does not escape. */
static void make_orbit(void) {
    quad re = 0, im = 0;
    for (size_t m = 0; m <= LENGTH; m++) {
        orbit[2 * m] = (double)re;
        orbit[2 * m + 1] = (double)im;
        low[2 * m] = (double)(re - orbit[2 * m]);
        low[2 * m + 1] = (double)(im - orbit[2 * m + 1]);
        const quad next = re * re - im * im - 0.390540870218;
        im = 2 * re * im - 0.586787907346;
        re = next;
    }
}

int main(void) {
    const struct segment_orbits orbits = {.z = orbit, .low = low, .length = LENGTH};
    struct segments a, b;
    make_orbit();
    CHECK(fabs(orbit[2 * LENGTH]) < 2);
    if (!segments_init_wide(&a, &orbits, true, NULL) ||
        !segments_init_portable(&b, &orbits, true, NULL))
        return 1;
    CHECK(a.size == b.size && a.size > LENGTH / 16);
    CHECK(memcmp(a.segment, b.segment, a.size * sizeof *a.segment) == 0);
    CHECK(memcmp(a.low, b.low, a.size * sizeof *a.low) == 0);
    CHECK(memcmp(a.cross, b.cross, a.size * sizeof *a.cross) == 0);
    segments_finish(&a);
    segments_finish(&b);
    return failures != 0;
}
