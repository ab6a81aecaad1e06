/* Reference for orbit density: counts by definition, one step at a time. Compiled twice, with and
 * without fma instructions, since the C library's fma is slow.
 *
 * It shares nothing with the tested code except the request, the list of cells and the shape of
 * counts. The places of samples, the orbits that count and the pixels of points are written again
 * here, from the headers' text, a bit or a number at a time. */
#include "tests/density/plain_density.h"
#include "render/density/density_cells.h"
#include "tests/shared/fma_target.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LANES   32
#define OCTAVES 8
#define PASSES  24

/* Rule and place. Pixel of a point: column = re across[0] + im across[1] + across[2]; rows use
 * `down` in the same way. */
struct plain {
    bool both, folded, bounded;
    uint64_t least, limit; /* [steps] */
    int planes;
    uint32_t top[DENSITY_PLANES_MAX];
    int width, height; /* size of the stored counts */
    double across[3], down[3];
    struct density_counts *counts;
};

/* --- orbits that count --- */

/* Sets the planes' limits: the channels' limits, ascending, without duplicates. */
static void set_planes(struct plain *p, const struct density *density) {
    uint32_t above = 0;
    for (;;) {
        uint32_t next = UINT32_MAX;
        for (int i = 0; i < density->channels; i++)
            if (density->limit[i] > above && density->limit[i] < next)
                next = density->limit[i];
        if (next == UINT32_MAX)
            return;
        p->top[p->planes++] = above = next;
    }
}

static void set_lengths(struct plain *p, const struct density *density) {
    const uint64_t fifths = (uint64_t)p->top[0] * 2 / 5; /* two fifths of the smallest limit */
    p->limit = p->top[p->planes - 1];
    p->least = density->least ? density->least : fifths < 20 ? fifths : 20;
    if (p->least < 2)
        p->least = 2;
}

/* Returns the plane of an orbit of n steps, or -1 if it does not count. */
static inline int plain_plane(const struct plain *p, bool escaped, uint64_t n) {
    if (p->bounded)
        return escaped ? -1 : 0;
    for (int plane = 0; escaped && n >= p->least && plane < p->planes; plane++)
        if (n <= p->top[plane])
            return plane;
    return -1;
}

/* --- pixels of points --- */

/* Returns middle - (a re + b im) for the view's centre. */
static double constant(const struct view *view, double a, double b, double middle) {
    mpfr_t sum, term;
    mpfr_inits2(400, sum, term, (mpfr_ptr)0);
    mpfr_set_d(sum, middle, MPFR_RNDN);
    mpfr_mul_d(term, view->re, -a, MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
    mpfr_mul_d(term, view->im, -b, MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
    const double value = mpfr_get_d(sum, MPFR_RNDN);
    mpfr_clears(sum, term, (mpfr_ptr)0);
    return value;
}

/* Sets the place: zoom * height / 4 pixels are a unit of the plane; the picture is turned by the
 * view's angle, and rows go down. */
static void set_place(struct plain *p, const struct density_req *req) {
    const struct view *view = &req->view;
    const double degrees = view->angle * 180 / M_PI, quarters = round(degrees / 90);
    const bool straight = fabs(degrees / 90 - quarters) < 1e-9;
    const int quarter = (int)quarters & 3;
    const double cosine = straight ? (quarter == 0) - (quarter == 2) : cos(view->angle);
    const double sine = straight ? (quarter == 1) - (quarter == 3) : sin(view->angle);
    mpfr_t product;
    mpfr_init2(product, 400);
    mpfr_mul_ui(product, view->zoom, (unsigned long)req->height_px, MPFR_RNDN);
    mpfr_div_ui(product, product, 4, MPFR_RNDN);
    const double scale = mpfr_get_d(product, MPFR_RNDN);
    mpfr_clear(product);
    p->width = req->width_px;
    p->height = req->height_px;
    p->across[0] = cosine * scale;
    p->across[1] = sine * scale;
    p->down[0] = sine * scale;
    p->down[1] = -cosine * scale;
    p->across[2] = constant(view, p->across[0], p->across[1], req->width_px / 2.0);
    p->down[2] = constant(view, p->down[0], p->down[1], req->height_px / 2.0);
    p->folded = straight && mpfr_zero_p(view->im);
    p->both = !p->folded;
    double *const mirrored = quarter % 2 ? p->across : p->down;
    int *const size = quarter % 2 ? &p->width : &p->height;
    if (p->folded) { /* counted from the axis; an odd size has its middle row there */
        mirrored[1] = fabs(mirrored[1]);
        mirrored[2] = *size % 2 ? 0.5 : 0;
        *size = (*size + 1) / 2;
    }
}

#define PLAIN(real, fma_)                                                                          \
    INLINE void step_##real(real cr, real ci, real *zr, real *zi) {                                \
        const real t = fma_(*zr, *zr, cr), i = fma_(*zr + *zr, *zi, ci);                           \
        *zr = fma_(-*zi, *zi, t);                                                                  \
        *zi = i;                                                                                   \
    }                                                                                              \
    INLINE void point_##real(const struct plain *p, real re, real im, size_t plane) {              \
        const double *a = p->across, *d = p->down;                                                 \
        const real column = fma_(im, (real)a[1], fma_(re, (real)a[0], (real)a[2]));                \
        const real row = fma_(im, (real)d[1], fma_(re, (real)d[0], (real)d[2]));                   \
        if (!(column >= 0 && column < (real)p->width && row >= 0 && row < (real)p->height))        \
            return;                                                                                \
        const size_t line = plane * (size_t)p->height + (size_t)row;                               \
        p->counts->count[line * (size_t)p->width + (size_t)column]++;                              \
        p->counts->points++;                                                                       \
    }                                                                                              \
    INLINE void orbit_##real(const struct plain *p, real cr, real ci) {                            \
        real zr = cr, zi = ci;                                                                     \
        uint64_t n = 1;                                                                            \
        bool escaped;                                                                              \
        while (!(escaped = !(fma_(zr, zr, zi * zi) < 4)) && n < p->limit) {                        \
            step_##real(cr, ci, &zr, &zi);                                                         \
            n++;                                                                                   \
        }                                                                                          \
        const int plane = plain_plane(p, escaped, n);                                              \
        if (plane < 0)                                                                             \
            return;                                                                                \
        zr = cr;                                                                                   \
        zi = ci;                                                                                   \
        for (uint64_t i = 1; i <= n; i++) {                                                        \
            const real im = p->folded && zi < 0 ? -zi : zi;                                        \
            point_##real(p, zr, im, (size_t)plane);                                                \
            if (p->both)                                                                           \
                point_##real(p, zr, -im, (size_t)plane);                                           \
            step_##real(cr, ci, &zr, &zi);                                                         \
        }                                                                                          \
    }
PLAIN(float, __builtin_fmaf)
PLAIN(double, __builtin_fma)

/* --- places of samples --- */

static uint32_t mixed(uint32_t x) {
    x = (x ^ x >> 16) * 2246822507u;
    x = (x ^ x >> 13) * 3266489909u;
    return x ^ x >> 16;
}

/* Computes Philox4x32 with ten rounds. */
static void random_words(uint64_t round, uint32_t pair, uint32_t lane, uint64_t key,
                         uint32_t word[4]) {
    uint32_t x[4] = {(uint32_t)round, (uint32_t)(round >> 32), pair, lane};
    uint32_t k[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
    for (int i = 0; i < 10; i++) {
        const uint64_t a = x[0] * 3528531795ull, b = x[2] * 3449720151ull;
        const uint32_t next[4] = {(uint32_t)(b >> 32) ^ x[1] ^ k[0], (uint32_t)b,
                                  (uint32_t)(a >> 32) ^ x[3] ^ k[1], (uint32_t)a};
        memcpy(x, next, sizeof x);
        k[0] += 2654435769u;
        k[1] += 3144134277u;
    }
    memcpy(word, x, sizeof x);
}

/* Visits of a round to a cell. */
struct visits {
    int octave;
    uint32_t position, key;
};

static struct visits visits_of(uint64_t round, uint64_t random) {
    struct visits v = {0, 0, mixed(mixed((uint32_t)random) ^ (uint32_t)(random >> 32))};
    uint64_t squares = 1;
    for (; v.octave < OCTAVES && round >= PASSES * squares; v.octave++) {
        round -= PASSES * squares;
        squares *= 4;
    }
    const uint64_t pass = round / squares;
    v.position = (uint32_t)(round % squares);
    v.key = mixed(v.key ^ (uint32_t)pass);
    v.key = mixed(v.key ^ (uint32_t)(pass >> 32) ^ (uint32_t)v.octave * 16777216u);
    return v;
}

/* Finds the square of a cell: its column and row. */
static void find_square(const struct visits *v, uint32_t cell, uint32_t square[2]) {
    const uint32_t key = mixed(cell ^ v->key);
    uint32_t path = v->position + key;
    path ^= path * ((key >> 15) - (key >> 15) % 2);
    path += (path * path * 2) ^ (key / 128);
    path ^= path * (key - key % 2);
    square[0] = square[1] = 0;
    for (int level = 0; level < v->octave; level++) {
        square[0] = 2 * square[0] + (path >> 2 * level) % 2;
        square[1] = 2 * square[1] + (path >> (2 * level + 1)) % 2;
    }
}

/* Returns a coordinate in cells: strata of a square, and a random number below 2^32 in a stratum.
 * The sum is rounded to double once. */
static double in_cells(int cell, uint32_t square, int octave, uint32_t stratum, double strata,
                       double word, const bool narrow) {
    /* truncated at 32 bits for the whole domain, or 31 bits below them */
    const double side = ldexp(1, -octave) / strata, end = narrow ? 0x1p22 : 0x1p53;
    return (cell + (square * strata + stratum) * side) + trunc(word * 0x1p-32 * side * end) / end;
}

/* Iterates a sample. A cell is 2^-8 wide and high, from re = -2 on. */
INLINE void sample(const struct plain *p, const struct visits *v, uint32_t cell,
                   const uint32_t square[2], uint32_t lane, const uint32_t word[2],
                   const bool narrow) {
    const int column = (int)(cell % 1024) - 512, row = (int)(cell / 1024);
    const double x = in_cells(column, square[0], v->octave, lane % 8, 8, word[0], narrow);
    const double y = in_cells(row, square[1], v->octave, lane / 8, 4, word[1], narrow);
    if (narrow)
        orbit_float(p, (float)(x * 0x1p22) * 0x1p-30f, (float)(y * 0x1p22) * 0x1p-30f);
    else
        orbit_double(p, x * 0x1p-8, y * 0x1p-8);
}

INLINE void run(const struct density_req *req, const struct plain *p, uint64_t from, uint64_t end,
                const bool narrow) {
    const uint64_t cells = req->cells->count, random = req->density.random;
    uint32_t words[LANES][4], square[2];
    bool made = false; /* words exist for the clump before, which belongs to the same pair */
    for (uint64_t clump = from; clump < end; clump++) {
        const struct visits visits = visits_of(clump / cells, random);
        const uint32_t k = (uint32_t)(clump % cells), cell = req->cells->order[k] & 0x7ffffu;
        find_square(&visits, cell, square);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            if (k % 2 == 0 || !made)
                random_words(clump / cells, k / 2, lane, random, words[lane]);
            sample(p, &visits, cell, square, lane, words[lane] + k % 2 * 2, narrow);
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
RUN(run_fma, FMA_TARGET)
#endif

void plain_density_count(const struct density_req *req, uint64_t from, uint64_t end,
                         struct density_counts *counts) {
    const struct density *density = &req->density;
    struct plain p = {.bounded = density->orbits == DENSITY_BOUNDED, .counts = counts};
    set_planes(&p, density);
    set_lengths(&p, density);
    set_place(&p, req);
    if (p.width != counts->width || p.height != counts->height || p.planes != counts->planes) {
        printf("counts of %dx%dx%d, not %dx%dx%d\n", counts->width, counts->height, counts->planes,
               p.width, p.height, p.planes);
        return;
    }
#ifdef __x86_64__
    if (__builtin_cpu_supports("fma")) {
        run_fma(req, &p, from, end);
        return;
    }
#endif
    run_base(req, &p, from, end);
}
