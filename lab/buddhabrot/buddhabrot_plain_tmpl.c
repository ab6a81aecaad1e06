/* Plain orbit density, the baseline: one sample and one step after another. Compiled with and
 * without FMA, for float and double. */
#if defined(PLAIN_TYPE_FLOAT)
#define REAL     float
#define FMA      fmaf
#define NAME_(f) f##_float
#define MARGIN   INTERIOR_MARGIN_FLOAT
#else
#define REAL     double
#define FMA      fma
#define NAME_(f) f##_double
#define MARGIN   INTERIOR_MARGIN_DOUBLE
#endif
#if defined(PLAIN_ISA_FMA)
#define LOOP NAME_(plain_fma)
#else
#define LOOP NAME_(plain_base)
#endif
#include "lab/buddhabrot/buddhabrot_plain.h"
#include "render/interior.h"
#include <math.h>

struct point {
    REAL re, im;
};

static inline struct point step(struct point z, struct point c) {
    const REAL t = FMA(z.re, z.re, c.re);
    const struct point next = {FMA(-z.im, z.im, t), FMA(z.re + z.re, z.im, c.im)};
    return next;
}

/* Returns the first n from 1 with |z_n|^2 >= 4, or 0 if there is none up to the limit. */
static inline uint32_t escape(const struct plain_work *work, struct point c) {
    const uint32_t limit = work->planes.top[work->planes.count - 1];
    struct point z = c;
    for (uint32_t n = 1; n <= limit; n++) {
        if (!(FMA(z.re, z.re, z.im * z.im) < 4))
            return n;
        z = step(z, c);
    }
    return 0;
}

static inline uint32_t bin(const struct density_place *place, REAL re, REAL im,
                           uint32_t *histogram) {
    const REAL column =
        FMA(im, (REAL)place->column_im, FMA(re, (REAL)place->column_re, (REAL)place->column_0));
    const REAL row = FMA(im, (REAL)place->row_im, FMA(re, (REAL)place->row_re, (REAL)place->row_0));
    if (!(column >= 0 && column < (REAL)place->width && row >= 0 && row < (REAL)place->height))
        return 0;
    histogram[(size_t)row * (size_t)place->width + (size_t)column]++;
    return 1;
}

static inline uint64_t plot(const struct plain_work *work, struct point c, uint32_t n,
                            uint32_t *histogram) {
    const struct density_place *place = &work->place;
    uint64_t points = 0;
    struct point z = c;
    for (uint32_t i = 1; i <= n; i++) {
        points += bin(place, z.re, place->both ? z.im : (REAL)fabs((double)z.im), histogram);
        if (place->both)
            points += bin(place, z.re, -z.im, histogram);
        z = step(z, c);
    }
    return points;
}

static uint64_t sample(const struct plain_work *work, struct point c, bool test,
                       uint32_t *histogram) {
    if (test && interior_surely((double)c.re, (double)c.im, MARGIN))
        return 0;
    const uint32_t n = escape(work, c);
    if (n < work->least || n < 2)
        return 0;
    int plane = 0;
    while (n > work->planes.top[plane])
        plane++;
    const size_t pixels = (size_t)work->place.width * (size_t)work->place.height;
    return plot(work, c, n, histogram + (size_t)plane * pixels);
}

static struct point point_of(const struct sample_clump *clump, uint32_t octave, uint32_t lane,
                             const uint32_t word[2]) {
    const int32_t x = sample_x(clump->x, octave, lane, word[0]);
    const int32_t y = sample_y(clump->y, octave, lane, word[1]);
#if defined(PLAIN_TYPE_FLOAT)
    const float at_x = (float)x, at_y = (float)y;
#else
    const double at_x = (double)x + (double)sample_x_low(octave, word[0]) * 0x1p-31;
    const double at_y = (double)y + (double)sample_y_low(octave, word[1]) * 0x1p-31;
#endif
    const struct point c = {at_x * (REAL)SAMPLE_SCALE, at_y * (REAL)SAMPLE_SCALE};
    return c;
}

uint64_t LOOP(const struct plain_work *work, const struct sample_round *round, uint32_t begin,
              uint32_t end, uint32_t *histogram) {
    uint64_t points = 0;
    for (uint32_t pair = begin / 2; 2 * pair < end; pair++)
        for (uint32_t lane = 0; lane < CLUMP_SAMPLES; lane++) {
            const struct philox words = sample_words(round->number, pair, lane, work->random);
            for (uint32_t i = 0; i < 2; i++) {
                const uint32_t k = 2 * pair + i;
                if (k < begin || k >= end)
                    continue;
                const uint32_t cell = work->cells->order[k];
                const struct sample_clump clump = sample_clump(round, cell);
                const struct point c = point_of(&clump, round->octave, lane, &words.word[2 * i]);
                points += sample(work, c, cell & CELLS_TEST, histogram);
            }
        }
    return points;
}
