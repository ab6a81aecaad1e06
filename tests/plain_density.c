/* The plain loop. Compiled twice, with and without fma instructions, since libm's are slow. */
#include "tests/plain_density.h"
#include "render/density_sample.h"
#include <math.h>

struct plain {
    bool ours, both, folded, bounded;
    uint64_t least, limit; /* in steps */
    struct density_planes planes;
    struct density_place place;
    struct sample_domain domain;
    struct density_counts *counts;
};

/* The plane of an orbit of n steps, -1: not counted. */
static inline int plain_plane(const struct plain *p, bool escaped, uint64_t n) {
    if (p->bounded)
        return escaped ? -1 : 0;
    for (int plane = 0; escaped && n >= p->least && plane < p->planes.count; plane++)
        if (n <= p->planes.top[plane] + (uint64_t)!p->ours)
            return plane;
    return -1;
}

#define SAMPLE_AT_REAL         float
#define SAMPLE_AT_NAME(f)      f##_float
#define sample_at_fma(a, b, c) __builtin_fmaf(a, b, c)
#include "render/density_sample.h"
#undef SAMPLE_AT_REAL
#undef SAMPLE_AT_NAME
#undef sample_at_fma
#define SAMPLE_AT_REAL         double
#define SAMPLE_AT_NAME(f)      f##_double
#define sample_at_fma(a, b, c) __builtin_fma(a, b, c)
#include "render/density_sample.h"

#define INLINE static inline __attribute__((always_inline))

#define PLAIN(real, fma_)                                                                          \
    INLINE void step_##real(real cr, real ci, real *zr, real *zi) {                                \
        const real t = fma_(*zr, *zr, cr), i = fma_(*zr + *zr, *zi, ci);                           \
        *zr = fma_(-*zi, *zi, t);                                                                  \
        *zi = i;                                                                                   \
    }                                                                                              \
    INLINE void point_##real(const struct plain *p, real re, real im, size_t plane) {              \
        const struct density_place *at = &p->place;                                                \
        const real column =                                                                        \
            fma_(im, (real)at->column_im, fma_(re, (real)at->column_re, (real)at->column_0));      \
        const real row = fma_(im, (real)at->row_im, fma_(re, (real)at->row_re, (real)at->row_0));  \
        if (!(column >= 0 && column < (real)at->width && row >= 0 && row < (real)at->height))      \
            return;                                                                                \
        const size_t line = plane * (size_t)at->height + (size_t)row;                              \
        p->counts->count[line * (size_t)at->width + (size_t)column]++;                             \
        p->counts->points++;                                                                       \
    }                                                                                              \
    INLINE void orbit_##real(const struct plain *p, real cr, real ci) {                            \
        const real bailout2 = p->ours ? 4 : 25;                                                    \
        real zr = cr, zi = ci;                                                                     \
        uint64_t n = 1;                                                                            \
        bool escaped;                                                                              \
        while (!(escaped = !(fma_(zr, zr, zi * zi) < bailout2)) && n < p->limit) {                 \
            step_##real(cr, ci, &zr, &zi);                                                         \
            n++;                                                                                   \
        }                                                                                          \
        const int plane = plain_plane(p, escaped, n);                                              \
        if (plane < 0)                                                                             \
            return;                                                                                \
        zr = cr;                                                                                   \
        zi = ci;                                                                                   \
        for (uint64_t i = 1; i <= n; i++) {                                                        \
            if (p->ours || i > 1) {                                                                \
                const real im = p->folded && zi < 0 ? -zi : zi;                                    \
                point_##real(p, zr, im, (size_t)plane);                                            \
                if (p->both)                                                                       \
                    point_##real(p, zr, -im, (size_t)plane);                                       \
            }                                                                                      \
            step_##real(cr, ci, &zr, &zi);                                                         \
        }                                                                                          \
    }
PLAIN(float, __builtin_fmaf)
PLAIN(double, __builtin_fma)

INLINE void sample(const struct plain *p, const struct sample_round *round, struct sample_clump at,
                   uint32_t lane, const uint32_t word[2], const bool narrow) {
    const struct sample_domain *domain = &p->domain;
    const int32_t x = sample_x(at.x, round->octave, lane, word[0]);
    const int32_t y = sample_y(at.y, round->octave, lane, word[1]);
    if (narrow) {
        const float re =
            __builtin_fmaf((float)x, (float)domain->scale_re, (float)domain->offset_re);
        const float im =
            __builtin_fmaf((float)y, (float)domain->scale_im, (float)domain->offset_im);
        if (p->ours || !sample_seed_skips_float(re, im))
            orbit_float(p, re, im);
    } else {
        const double low_x = sample_x_low(round->octave, word[0]) * 0x1p-31;
        const double low_y = sample_y_low(round->octave, word[1]) * 0x1p-31;
        const double re = __builtin_fma(x + low_x, domain->scale_re, domain->offset_re);
        const double im = __builtin_fma(y + low_y, domain->scale_im, domain->offset_im);
        if (p->ours || !sample_seed_skips_double(re, im))
            orbit_double(p, re, im);
    }
}

INLINE void run(const struct density_req *req, const struct plain *p, uint64_t from, uint64_t end,
                const bool narrow) {
    const uint64_t cells = req->cells->count;
    struct philox words[CLUMP_SAMPLES];
    bool made = false; /* for the clump before, which is of the same pair */
    for (uint64_t clump = from; clump < end; clump++) {
        const struct sample_round round = sample_round(clump / cells, req->density.random);
        const uint32_t k = (uint32_t)(clump % cells);
        const struct sample_clump at = sample_clump(&round, req->cells->order[k]);
        for (uint32_t lane = 0; lane < CLUMP_SAMPLES; lane++) {
            if (k % 2 == 0 || !made)
                words[lane] = sample_words(round.number, k / 2, lane, req->density.random);
            sample(p, &round, at, lane, words[lane].word + k % 2 * 2, narrow);
        }
        made = true;
    }
}

#define RUN(name, ...)                                                                             \
    __VA_ARGS__ static void name(const struct density_req *req, const struct plain *p,             \
                                 uint64_t from, uint64_t end) {                                    \
        if (req->type == TYPE_FLOAT)                                                               \
            run(req, p, from, end, true);                                                          \
        else                                                                                       \
            run(req, p, from, end, false);                                                         \
    }
RUN(run_base)
#ifdef __x86_64__
RUN(run_fma, __attribute__((target("avx,fma"))))
#endif

void plain_density_count(const struct density_req *req, uint64_t from, uint64_t end,
                         struct density_counts *counts) {
    const struct density *density = &req->density;
    struct plain p = {.ours = density->rules == DENSITY_OURS,
                      .bounded = density->orbits == DENSITY_BOUNDED,
                      .least = density_least(density),
                      .planes = density_planes(density),
                      .place = density_place(req),
                      .domain = sample_domain(density),
                      .counts = counts};
    p.both = p.place.both;
    p.folded = p.place.fold != DENSITY_FOLD_NONE;
    p.least = p.ours && p.least < 2 ? 2 : p.least;
    p.limit = p.planes.top[p.planes.count - 1] + (uint64_t)!p.ours;
#ifdef __x86_64__
    if (__builtin_cpu_supports("fma")) {
        run_fma(req, &p, from, end);
        return;
    }
#endif
    run_base(req, &p, from, end);
}
