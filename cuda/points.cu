/* Counting points: a warp draws a clump's 32 samples, whose orbits stay together for a while and end alike;
 * those that do not are listed, and go on a thread each. */
#include "cuda/orbit.cuh"

#define SAMPLE_AT_FN ORBIT_FN
#define PHILOX_FN    ORBIT_FN
#define TONE_FN      ORBIT_FN
#define LATTICE_FN   ORBIT_FN
#include "cuda/points.h"

#define SAMPLE_AT_REAL    float
#define SAMPLE_AT_NAME(f) f##_float
#include "render/density_sample.h"
#undef SAMPLE_AT_REAL
#undef SAMPLE_AT_NAME
#define SAMPLE_AT_REAL    double
#define SAMPLE_AT_NAME(f) f##_double
#include "render/density_sample.h"

#define BLOCK_THREADS 256
#define BLOCK_WARPS   (BLOCK_THREADS / 32)
#define DEEP_BLOCKS   4  /* of a multiprocessor; fewer leave more room in lists */
#define CLAIM         4u /* pairs that a warp takes at a time; of long orbits one */
#define SEARCH_BLOCK  16 /* steps without a test */
#define FIRST_SPAN    128u

enum place_kind { PLACE_ROWS, PLACE_COLUMNS, PLACE_ANY }; /* folded rows, folded columns, neither */

/* The job in the kernels' numbers. */
template <typename real> struct points_args {
    real scale_re, offset_re, scale_im, offset_im;
    real column_re, column_im, column_0, row_re, row_im, row_0;
    real bailout2;
    uint32_t width, height, plane_size;
    uint32_t first, last, least, limit, young;
    bool bounded, seed_skips, both;
    int planes;
    uint32_t top[DENSITY_PLANES_MAX];
    uint64_t random;
    uint32_t cells;
    uint32_t *counts;
    struct tally *tally;
    struct points_state *state;
    const uint32_t *abort;
    uint32_t serial;
};

template <typename real> static struct points_args<real> args_of(const struct points_job *job) {
    struct points_args<real> a = {};
    const struct density_place *place = &job->place;
    const struct density_rule *rule = &job->rule;
    a.scale_re = (real)job->domain.scale_re;
    a.offset_re = (real)job->domain.offset_re;
    a.scale_im = (real)job->domain.scale_im;
    a.offset_im = (real)job->domain.offset_im;
    a.column_re = (real)place->column_re;
    a.column_im = (real)place->column_im;
    a.column_0 = (real)place->column_0;
    a.row_re = (real)place->row_re;
    a.row_im = (real)place->row_im;
    a.row_0 = (real)place->row_0;
    a.bailout2 = (real)rule->bailout2;
    a.width = (uint32_t)place->width;
    a.height = (uint32_t)place->height;
    a.plane_size = a.width * a.height;
    a.first = rule->first;
    a.last = rule->last;
    a.least = rule->least;
    a.limit = rule->limit;
    a.young = job->young;
    a.bounded = rule->bounded;
    a.seed_skips = rule->seed_skips;
    a.both = place->both;
    a.planes = rule->planes.count;
    for (int i = 0; i < a.planes; i++)
        a.top[i] = rule->planes.top[i];
    a.random = job->random;
    a.cells = job->cells;
    a.counts = job->counts;
    a.tally = job->tally;
    a.state = job->state;
    a.abort = job->abort;
    a.serial = job->serial;
    return a;
}

/* --- where a point is counted --- */

ORBIT_FN float
absolute(float x) {
    return fabsf(x);
}
ORBIT_FN double absolute(double x) {
    return fabs(x);
}
/* Saturated; below 0 for all x < 0. */
ORBIT_FN uint32_t down(float x) {
    return (uint32_t)__float2int_rd(x);
}
ORBIT_FN uint32_t down(double x) {
    return (uint32_t)__double2int_rd(x);
}

/* Whether z is in the picture, and in which pixel. Coefficients that a kind leaves out are zeros, whose
 * products change nothing. None is infinite: no cell would have a plan. */
template <int kind, typename real>
ORBIT_FN bool locate(const struct points_args<real> *a, real zr, real zi, uint32_t *pixel) {
    real column, row;
    if (kind == PLACE_ROWS) {
        column = real_fma(zr, a->column_re, a->column_0);
        row = real_fma(absolute(zi), a->row_im, a->row_0);
    } else if (kind == PLACE_COLUMNS) {
        column = real_fma(absolute(zi), a->column_im, a->column_0);
        row = real_fma(zr, a->row_re, a->row_0);
    } else {
        column = real_fma(zi, a->column_im, real_fma(zr, a->column_re, a->column_0));
        row = real_fma(zi, a->row_im, real_fma(zr, a->row_re, a->row_0));
    }
    const uint32_t x = down(column), y = down(row);
    *pixel = y * a->width + x;
    return x < a->width && y < a->height;
}

/* All threads of a warp come here. Counts of one pixel are added up first. */
ORBIT_FN void add_together(uint32_t *counts, uint32_t pixel, bool in) {
    const unsigned mask = __ballot_sync(~0u, in);
    if (!in)
        return;
    const unsigned same = __match_any_sync(mask, pixel);
    if ((same & ((1u << threadIdx.x % 32) - 1)) == 0)
        atomicAdd(&counts[pixel], (uint32_t)__popc(same));
}

template <int kind, bool together, typename real>
ORBIT_FN uint32_t plot_one(const struct points_args<real> *a, real zr, real zi, bool on,
                           uint32_t plane) {
    uint32_t pixel;
    const bool in = locate<kind>(a, zr, zi, &pixel) && on;
    if (together)
        add_together(a->counts, plane + pixel, in);
    else if (in)
        atomicAdd(&a->counts[plane + pixel], 1u);
    return in;
}

/* Returns how many increments it made. `plane` is the first index of it. */
template <int kind, bool together, typename real>
ORBIT_FN uint32_t plot_point(const struct points_args<real> *a, real zr, real zi, bool on,
                             uint32_t plane) {
    uint32_t points = plot_one<kind, together>(a, zr, zi, on, plane);
    if (kind == PLACE_ANY && a->both)
        points += plot_one<kind, together>(a, zr, -zi, on, plane);
    return points;
}

/* The first index of the plane for orbits of n steps. */
template <typename real> ORBIT_FN uint32_t plane_of(const struct points_args<real> *a, uint32_t n) {
    uint32_t plane = 0;
    for (int i = 0; i + 1 < DENSITY_PLANES_MAX; i++)
        if (i + 1 < a->planes && n > a->top[i])
            plane += a->plane_size;
    return plane;
}

/* --- tallies and lists --- */

ORBIT_FN unsigned long long warp_sum64(unsigned long long x) {
    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_xor_sync(~0u, x, distance);
    return x;
}

ORBIT_FN void count_work(struct tally *tally, unsigned long long steps, unsigned long long points) {
    steps = warp_sum64(steps);
    points = warp_sum64(points);
    if (threadIdx.x % 32 != 0)
        return;
    tally += (blockIdx.x + threadIdx.x / 32) % TALLY_SHARES;
    atomicAdd(&tally->steps, steps);
    atomicAdd(&tally->points, points);
}

template <typename real> ORBIT_FN bool aborted(const struct points_args<real> *a) {
    return __any_sync(~0u, *(const volatile uint32_t *)a->abort == a->serial);
}

/* An entry of a list of its own for each thread with `wanted`; all of a warp come here. */
ORBIT_FN uint32_t append(uint32_t *size, bool wanted) {
    const unsigned mask = __ballot_sync(~0u, wanted);
    const uint32_t lane = threadIdx.x % 32;
    uint32_t entry = 0;
    if (lane == 0 && mask)
        entry = atomicAdd(size, (uint32_t)__popc(mask));
    return __shfl_sync(~0u, entry, 0) + (uint32_t)__popc(mask & ((1u << lane) - 1));
}

template <typename real>
ORBIT_FN void load(const struct points_list *list, uint32_t i, struct orbit<real> *o) {
    o->cr = ((const real *)list->cr)[i];
    o->ci = ((const real *)list->ci)[i];
    o->zr = ((const real *)list->zr)[i];
    o->zi = ((const real *)list->zi)[i];
}

template <typename real>
ORBIT_FN void save(const struct points_list *list, uint32_t i, const struct orbit<real> *o,
                   uint32_t done) {
    ((real *)list->cr)[i] = o->cr;
    ((real *)list->ci)[i] = o->ci;
    ((real *)list->zr)[i] = o->zr;
    ((real *)list->zi)[i] = o->zi;
    list->done[i] = done;
}

/* --- drawing --- */

template <typename real> ORBIT_FN void step(struct orbit<real> *o) {
    formula_step(FORMULA_mandelbrot, true, &o->zr, &o->zi, o->cr, o->ci);
}

ORBIT_FN void sample_c(const struct points_args<float> *a, const struct sample_clump *clump,
                       uint32_t octave, uint32_t lane, const uint32_t *words,
                       struct orbit<float> *o) {
    const int32_t x = sample_x(clump->x, octave, lane, words[0]);
    const int32_t y = sample_y(clump->y, octave, lane, words[1]);
    o->cr = fmaf((float)x, a->scale_re, a->offset_re);
    o->ci = fmaf((float)y, a->scale_im, a->offset_im);
}

ORBIT_FN void sample_c(const struct points_args<double> *a, const struct sample_clump *clump,
                       uint32_t octave, uint32_t lane, const uint32_t *words,
                       struct orbit<double> *o) {
    const double x = sample_x(clump->x, octave, lane, words[0]);
    const double y = sample_y(clump->y, octave, lane, words[1]);
    o->cr = fma(x + sample_x_low(octave, words[0]) * 0x1p-31, a->scale_re, a->offset_re);
    o->ci = fma(y + sample_y_low(octave, words[1]) * 0x1p-31, a->scale_im, a->offset_im);
}

ORBIT_FN bool seed_skips(float re, float im) {
    return sample_seed_skips_float(re, im);
}
ORBIT_FN bool seed_skips(double re, double im) {
    return sample_seed_skips_double(re, im);
}

/* Follows an orbit from c: returns the step n at which it is found to have escaped, up to a->young; or
 * a->young + 1, z being z_n then. None escapes within `sure` steps. */
template <typename real>
ORBIT_FN uint32_t follow(const struct points_args<real> *a, struct orbit<real> *o, uint32_t sure) {
    uint32_t n = 1;
#pragma unroll 4
    for (; n <= sure; n++)
        step(o);
#pragma unroll 2
    while (n <= a->young && norm2(true, o->zr, o->zi) < a->bailout2) {
        step(o);
        n++;
    }
    return n;
}

/* The last point's step of an orbit that escaped after n steps, or has not within a->limit; 0: it is
 * not counted. */
template <typename real> ORBIT_FN uint32_t end_of(const struct points_args<real> *a, uint32_t n) {
    if (a->bounded)
        return n > a->limit ? a->limit : 0;
    return n >= a->least && n <= a->limit ? n - 1 + a->last : 0;
}

/* Lists an orbit that outlives the beginning, unless it surely never escapes. */
template <typename real>
ORBIT_FN void list_old(const struct points_args<real> *a, const struct points_list *to, bool old,
                       uint32_t cell, const struct orbit<real> *o, uint32_t n) {
    if (!__any_sync(~0u, old))
        return;
    if (cell & CELLS_TEST && !a->bounded && !a->seed_skips && old)
        old = !interior_surely(double(o->cr), double(o->ci), orbit_margin(real(0)));
    const uint32_t entry = append(&a->state->searched, old);
    if (old)
        save(to, entry, o, n);
}

struct work {
    unsigned long long steps, points;
};

template <int kind, bool deep, typename real>
ORBIT_FN void draw_clump(const struct points_args<real> *a, const struct sample_round *round,
                         const struct points_list *to, uint32_t cell, uint32_t plan,
                         const uint32_t *words, struct work *work) {
    const uint32_t lane = threadIdx.x % 32;
    const struct sample_clump clump = sample_clump(round, cell);
    const uint32_t first = plan & 255u;
    uint32_t last = plan >> 8 & 255u, plane = plane_of(a, plan >> 24), k = 1;
    struct orbit<real> o;
    sample_c(a, &clump, round->octave, lane, words, &o);
    const bool live = !(a->seed_skips && cell & CELLS_TEST && seed_skips(o.cr, o.ci));
    uint32_t end = live ? last : 0;
    o.zr = o.cr;
    o.zi = o.ci;
    if (last == PLAN_OPEN) {
        const uint32_t n = live ? follow(a, &o, plan >> 16 & 255u) : 0;
        const bool old = deep && n > a->young;
        if (deep)
            list_old(a, to, old, cell, &o, n);
        end = live && !old ? end_of(a, n) : 0;
        plane = plane_of(a, n);
        last = __reduce_max_sync(~0u, end);
        work->steps += n;
        o.zr = o.cr;
        o.zi = o.ci;
    }
    work->steps += last;
#pragma unroll 2
    for (; k < first; k++)
        step(&o);
#pragma unroll 1
    for (; k <= last; k++) {
        work->points += plot_point<kind, true>(a, o.zr, o.zi, k <= end, plane);
        step(&o);
    }
}

/* The next pairs of a warp, counted on from the launch's first; false: none, or no room in the list. */
template <bool deep, typename real>
ORBIT_FN bool claim(const struct points_args<real> *a, const struct points_draw *d,
                    uint32_t *begin) {
    uint32_t taken = ~0u;
    const bool full = deep && *(volatile uint32_t *)&a->state->searched > d->room;
    if (threadIdx.x % 32 == 0 && !full)
        taken = atomicAdd(&a->state->claimed[d->turn], deep ? 1 : CLAIM);
    taken = __shfl_sync(~0u, taken, 0);
    *begin = d->begin + taken;
    return taken < d->end - d->begin && !aborted(a);
}

/* The plan of a pair's clump, 0 when it is not among those asked for. */
ORBIT_FN uint32_t plan_within(const struct points_draw *d, uint32_t plan, uint64_t clump) {
    return clump >= d->first_clump && clump < d->end_clump ? plan : 0;
}

template <int kind, bool deep, typename real>
static __global__ void __launch_bounds__(BLOCK_THREADS)
    draw(const __grid_constant__ struct points_args<real> a,
         const __grid_constant__ struct points_draw d) {
    struct work work = {0, 0};
    uint32_t begin;
    while (claim<deep>(&a, &d, &begin))
        for (uint32_t v = begin; v < begin + (deep ? 1 : CLAIM) && v < d.end; v++) {
            const uint32_t turn = v / d.live, entry = v - turn * d.live;
            const struct sample_round *round = &d.rounds[turn];
            const struct points_pair pair = d.pairs[entry];
            const uint32_t number = d.numbers[entry];
            const uint64_t clump = (uint64_t)turn * a.cells + 2 * number;
            const uint32_t plans[2] = {plan_within(&d, pair.plan[0], clump),
                                       plan_within(&d, pair.plan[1], clump + 1)};
            const struct philox words =
                sample_words(round->number, number, threadIdx.x % 32, a.random);
            if (plans[0])
                draw_clump<kind, deep>(&a, round, &d.to, pair.cell[0], plans[0], words.word, &work);
            if (plans[1])
                draw_clump<kind, deep>(&a, round, &d.to, pair.cell[1], plans[1], words.word + 2,
                                       &work);
        }
    count_work(a.tally, work.steps, work.points);
}

/* --- long orbits --- */

/* Where an orbit was found to be. */
enum found { FOUND_NOTHING, FOUND_ESCAPE, FOUND_CYCLE };

/* Blocks of steps, up to z_until, as long as the orbit does not escape in them. */
template <typename real>
ORBIT_FN enum found search_blocks(const struct points_args<real> *a, struct orbit<real> *o,
                                  uint32_t *n, uint32_t until) {
    struct orbit<real> then = *o;
    uint32_t span = *n > FIRST_SPAN ? *n : FIRST_SPAN, turn = *n + span;
#pragma unroll 1
    while (*n + SEARCH_BLOCK <= until) {
        const real zr = o->zr, zi = o->zi;
#pragma unroll
        for (int k = 0; k < SEARCH_BLOCK; k++)
            step(o);
        if (!(norm2(true, o->zr, o->zi) < a->bailout2)) {
            o->zr = zr;
            o->zi = zi;
            break;
        }
        *n += SEARCH_BLOCK;
        if (orbit_word(o->zr) == orbit_word(then.zr) && orbit_same(o->zr, then.zr) &&
            orbit_same(o->zi, then.zi))
            return FOUND_CYCLE;
        if (*n >= turn) {
            then = *o;
            span *= 2;
            turn = *n + span;
        }
    }
    return FOUND_NOTHING;
}

/* Looks for the escape from z_n on, up to z_(until - 1); n is then the step of what was found, or
 * until. */
template <typename real>
ORBIT_FN enum found search_orbit(const struct points_args<real> *a, struct orbit<real> *o,
                                 uint32_t *n, uint32_t until) {
    const bool safe = norm2(true, o->cr, o->ci) < real(FORMULA_SAFE_NORM2) || a->seed_skips;
    if (!(norm2(true, o->zr, o->zi) < a->bailout2))
        return FOUND_ESCAPE;
    if (safe && search_blocks(a, o, n, until) == FOUND_CYCLE)
        return FOUND_CYCLE;
#pragma unroll 1
    while (*n < until && norm2(true, o->zr, o->zi) < a->bailout2) {
        step(o);
        ++*n;
    }
    return *n < until ? FOUND_ESCAPE : FOUND_NOTHING;
}

/* Lists an orbit to be plotted; all of a warp come here. */
template <typename real>
ORBIT_FN void list_plot(const struct points_args<real> *a, const struct points_list *to,
                        struct orbit<real> *o, uint32_t end, uint32_t n) {
    const uint32_t entry = append(&a->state->plotted, end > 0);
    if (end == 0)
        return;
    o->zr = o->cr;
    o->zi = o->ci;
    for (uint32_t k = 1; k < a->first; k++)
        step(o);
    save(to, entry, o, a->first);
    to->end[entry] = end;
    to->plane[entry] = (uint8_t)(plane_of(a, n) / a->plane_size);
}

template <typename real>
static __global__ void __launch_bounds__(BLOCK_THREADS)
    search(const __grid_constant__ struct points_args<real> a,
           const __grid_constant__ struct points_slice s) {
    const uint32_t i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    struct orbit<real> o = {};
    uint32_t n = 0, before = 0, end = 0;
    bool goes_on = false;
    if (aborted(&a))
        return;
    if (i < s.size) {
        load(&s.from, s.begin + i, &o);
        n = before = s.from.done[s.begin + i];
        const uint32_t left = a.limit + 1 - n;
        const enum found found = search_orbit(&a, &o, &n, n + (s.steps < left ? s.steps : left));
        goes_on = found == FOUND_NOTHING && n <= a.limit;
        end = goes_on ? 0 : end_of(&a, found == FOUND_ESCAPE ? n : a.limit + 1);
    }
    const uint32_t entry = append(&a.state->searched, goes_on);
    if (goes_on)
        save(&s.to, entry, &o, n);
    list_plot(&a, &s.plot, &o, end, n);
    count_work(a.tally, n - before, 0);
}

template <int kind, typename real>
static __global__ void __launch_bounds__(BLOCK_THREADS)
    plot(const __grid_constant__ struct points_args<real> a,
         const __grid_constant__ struct points_slice s) {
    const uint32_t i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    struct orbit<real> o = {};
    uint32_t k = 1, before = 1, end = 0, plane = 0;
    unsigned long long points = 0;
    if (aborted(&a))
        return;
    if (i < s.size) {
        load(&s.from, s.begin + i, &o);
        k = before = s.from.done[s.begin + i];
        end = s.from.end[s.begin + i];
        plane = s.from.plane[s.begin + i];
        const uint32_t left = end + 1 - k, until = k + (s.steps < left ? s.steps : left);
#pragma unroll 2
        for (; k < until; k++) {
            points += plot_point<kind, false>(&a, o.zr, o.zi, true, plane * a.plane_size);
            step(&o);
        }
    }
    const bool goes_on = k <= end;
    const uint32_t entry = append(&a.state->plotted, goes_on);
    if (goes_on) {
        save(&s.to, entry, &o, k);
        s.to.end[entry] = end;
        s.to.plane[entry] = (uint8_t)plane;
    }
    count_work(a.tally, k - before, points);
}

/* --- plans --- */

/* What the plan of a cell is made from: all its orbits, followed as a disc. */
struct disc {
    double re, im, radius; /* of c */
    double zr, zi, r;
};

/* Rounding in float, in the worst case: of c, and of a step from |z| = size. */
#define C_ROUNDING          0x1p-20
#define STEP_ROUNDING(size) (0x1p-20 * (1 + (size) * (size)))

ORBIT_FN struct disc disc_of(const struct points_job *job, uint32_t cell) {
    const double side = (double)(1u << SAMPLE_FRAME);
    const double x = (cell % CELLS_X + 0.5) * side - 0x1p31;
    const double y = ((cell & CELLS_NUMBER) / CELLS_X + 0.5) * side;
    const double wide = side * job->domain.scale_re, high = side * job->domain.scale_im;
    struct disc disc;
    disc.re = x * job->domain.scale_re + job->domain.offset_re;
    disc.im = y * job->domain.scale_im + job->domain.offset_im;
    disc.radius = 0.5001 * sqrt(wide * wide + high * high) + C_ROUNDING;
    disc.zr = disc.re;
    disc.zi = disc.im;
    disc.r = disc.radius;
    return disc;
}

ORBIT_FN void disc_step(struct disc *disc, double size) {
    const double next = disc->zr * disc->zr - disc->zi * disc->zi + disc->re;
    disc->zi = 2 * disc->zr * disc->zi + disc->im;
    disc->zr = next;
    disc->r = disc->r * (2 * size + disc->r) + disc->radius + STEP_ROUNDING(size + disc->r);
}

/* Whether a coordinate of some point of the disc may be within 0 .. size. */
ORBIT_FN bool may_be_within(const struct disc *disc, double zi, double by_re, double by_im,
                            double from, uint32_t size) {
    const double re = disc->zr * by_re, im = zi * by_im, at = im + re + from;
    const double error = disc->r * sqrt(by_re * by_re + by_im * by_im) * 1.001 + 0.01 +
                         0x1p-20 * (fabs(re) + fabs(im) + fabs(from));
    return at + error >= 0 && at - error <= size;
}

ORBIT_FN bool may_be_seen_at(const struct points_job *job, const struct disc *disc, double zi) {
    const struct density_place *p = &job->place;
    return may_be_within(disc, zi, p->column_re, p->column_im, p->column_0, (uint32_t)p->width) &&
           may_be_within(disc, zi, p->row_re, p->row_im, p->row_0, (uint32_t)p->height);
}

ORBIT_FN bool may_be_seen(const struct points_job *job, const struct disc *disc) {
    if (job->place.fold != DENSITY_FOLD_NONE)
        return may_be_seen_at(job, disc, fabs(disc->zi));
    return may_be_seen_at(job, disc, disc->zi) ||
           (job->place.both && may_be_seen_at(job, disc, -disc->zi));
}

/* Where a cell is with regard to the seed's five discs: -1 in one of them, 1 outside of all, 0 not known.
 * That of the cardioid is f < 0, whose slope near here is at most `slope`. */
ORBIT_FN int beside_seed_discs(const struct disc *disc) {
    const double centres[4][3] = {
        {-1, 0, 0.0625}, {-1.309, 0, 0.00345}, {-0.125, 0.744, 0.0088}, {-0.125, -0.744, 0.0088}};
    const double x = disc->re - 0.25, im2 = disc->im * disc->im, q = x * x + im2;
    const double f = q * (q + x) - 0.25 * im2;
    const double slope = 1.5 * ((2 * q + fabs(x)) * 2 * sqrt(q) + q + 0.5 * fabs(disc->im));
    const double unsure = slope * disc->radius + 1e-4;
    bool outside = f > unsure;
    if (f < -unsure)
        return -1;
    for (int i = 0; i < 4; i++) {
        const double re = disc->re - centres[i][0], im = disc->im - centres[i][1];
        const double from = sqrt(re * re + im * im) - sqrt(centres[i][2]);
        if (from < -disc->radius - 1e-4)
            return -1;
        outside = outside && from > disc->radius + 1e-4;
    }
    return outside;
}

/* The steps of a cell's orbits. */
struct course {
    uint32_t first, last; /* whose points may be seen; 0: none */
    uint32_t sure;        /* none escapes within so many */
    uint32_t all;         /* all have escaped after so many; 0: not known */
    uint32_t looked;      /* steps that this is about */
};

ORBIT_FN struct course course_of(const struct points_job *job, struct disc disc) {
    const struct density_rule *rule = &job->rule;
    const double bailout = sqrt(rule->bailout2);
    const uint32_t most = rule->limit < PLAN_STEPS ? rule->limit : PLAN_STEPS;
    struct course course = {0, 0, 0, 0, 0};
    for (uint32_t n = 1; n <= most && disc.r < 10; n++) {
        const double size = sqrt(disc.zr * disc.zr + disc.zi * disc.zi);
        const bool out = size - disc.r > bailout;
        if (n >= rule->first && (!out || rule->last) && may_be_seen(job, &disc)) {
            course.first = course.first ? course.first : n;
            course.last = n;
        }
        course.looked = n;
        if (out) {
            course.all = n;
            break;
        }
        if (course.sure == n - 1 && size + disc.r < bailout)
            course.sure = n;
        disc_step(&disc, size);
    }
    return course;
}

ORBIT_FN uint32_t plan_open(const struct points_job *job, const struct course *course) {
    const uint32_t first = course->first ? course->first : course->looked + 1;
    const uint32_t least = first > job->rule.first ? first : job->rule.first;
    const uint32_t sure = course->sure < job->young ? course->sure : job->young - 1;
    return least | PLAN_OPEN << 8 | sure << 16;
}

ORBIT_FN uint32_t plan_known(const struct course *course, uint32_t n) {
    return course->first ? course->first | course->last << 8 | course->sure << 16 | n << 24 : 0;
}

ORBIT_FN uint32_t plan_of(const struct points_job *job, const struct course *course) {
    const struct density_rule *rule = &job->rule;
    const bool bounded = course->sure >= rule->limit;
    if (rule->bounded)
        return course->all ? 0 : bounded ? plan_known(course, 0) : plan_open(job, course);
    if (bounded || (course->all && (!course->first || course->all < rule->least)))
        return 0;
    if (course->all && course->sure == course->all - 1)
        return plan_known(course, course->all);
    return plan_open(job, course);
}

static __global__ void __launch_bounds__(BLOCK_THREADS)
    plan_cells(const __grid_constant__ struct points_job job, const uint32_t *order, uint2 *plans) {
    const uint32_t k = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (k >= job.cells)
        return;
    const struct disc disc = disc_of(&job, order[k]);
    uint32_t cell = order[k];
    int beside = 1;
    if (job.rule.seed_skips && cell & CELLS_TEST) {
        beside = beside_seed_discs(&disc);
        cell = beside > 0 ? cell & ~CELLS_TEST : cell;
    }
    const struct course course = course_of(&job, disc);
    plans[k] = make_uint2(cell, beside < 0 ? 0 : plan_of(&job, &course));
}

ORBIT_FN bool is_open(uint32_t plan) {
    return (plan >> 8 & 255u) == PLAN_OPEN;
}

ORBIT_FN uint32_t known_plots(uint32_t plan) {
    return plan && !is_open(plan) ? (plan >> 8 & 255u) - (plan & 255u) + 1 : 0;
}

#define LIST_THREADS 1024

/* One block: pairs with a plan, in order. */
static __global__ void __launch_bounds__(LIST_THREADS)
    list_pairs(uint32_t cells, const uint2 *plans, struct points_pair *pairs, uint32_t *numbers,
               struct points_plans *result) {
    __shared__ uint32_t sums[LIST_THREADS / 32];
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, all = (cells + 1) / 2;
    uint32_t size = 0, open = 0, known = 0, plots = 0;
    for (uint32_t begin = 0; begin < all; begin += LIST_THREADS) {
        const uint32_t m = begin + threadIdx.x;
        const uint2 none = make_uint2(0, 0);
        const uint2 a = m < all ? plans[2 * m] : none,
                    b = 2 * m + 1 < cells ? plans[2 * m + 1] : none;
        const bool live = a.y || b.y;
        const unsigned mask = __ballot_sync(~0u, live);
        if (lane == 0)
            sums[warp] = (uint32_t)__popc(mask);
        __syncthreads();
        uint32_t before = size + (uint32_t)__popc(mask & ((1u << lane) - 1));
        for (uint32_t i = 0; i < LIST_THREADS / 32; i++) {
            before += i < warp ? sums[i] : 0;
            size += sums[i];
        }
        __syncthreads();
        open += is_open(a.y) + is_open(b.y);
        known += (a.y && !is_open(a.y)) + (b.y && !is_open(b.y));
        plots += known_plots(a.y) + known_plots(b.y);
        if (!live)
            continue;
        pairs[before] = {{a.x, b.x}, {a.y, b.y}};
        numbers[before] = m;
    }
    atomicAdd(&result->open, open);
    atomicAdd(&result->known, known);
    atomicAdd(&result->plots, plots);
    if (threadIdx.x == 0)
        result->live = size;
}

/* --- launching --- */

static int kind_of(const struct density_place *place) {
    return place->fold == DENSITY_FOLD_ROWS      ? PLACE_ROWS
           : place->fold == DENSITY_FOLD_COLUMNS ? PLACE_COLUMNS
                                                 : PLACE_ANY;
}

template <typename real> static const void *choose_draw(int kind, bool deep) {
    typedef void kernel(struct points_args<real>, struct points_draw);
    static kernel *const kernels[][2] = {
        {draw<PLACE_ROWS, false, real>, draw<PLACE_ROWS, true, real>},
        {draw<PLACE_COLUMNS, false, real>, draw<PLACE_COLUMNS, true, real>},
        {draw<PLACE_ANY, false, real>, draw<PLACE_ANY, true, real>}};
    return (const void *)kernels[kind][deep];
}

template <typename real> static const void *choose_plot(int kind) {
    typedef void kernel(struct points_args<real>, struct points_slice);
    static kernel *const kernels[] = {plot<PLACE_ROWS, real>, plot<PLACE_COLUMNS, real>,
                                      plot<PLACE_ANY, real>};
    return (const void *)kernels[kind];
}

template <typename real> static const void *choose_search(void) {
    typedef void kernel(struct points_args<real>, struct points_slice);
    kernel *const chosen = search<real>;
    return (const void *)chosen;
}

/* `own` is the kernel's second argument. */
static cudaError_t launch(const void *kernel, uint32_t blocks, const struct points_job *job,
                          const void *own, cudaStream_t stream) {
    struct points_args<float> narrow = args_of<float>(job);
    struct points_args<double> wide = args_of<double>(job);
    void *arguments[] = {job->type == TYPE_FLOAT ? (void *)&narrow : (void *)&wide, (void *)own};
    return cudaLaunchKernel(kernel, dim3(blocks), dim3(BLOCK_THREADS), arguments, 0, stream);
}

cudaError_t points_plan(const struct points_job *job, const uint32_t *order, void *plans,
                        struct points_pair *pairs, uint32_t *numbers, struct points_plans *result,
                        cudaStream_t stream) {
    const cudaError_t error = cudaMemsetAsync(result, 0, sizeof *result, stream);
    if (error != cudaSuccess || job->cells == 0)
        return error;
    plan_cells<<<(job->cells - 1) / BLOCK_THREADS + 1, BLOCK_THREADS, 0, stream>>>(*job, order,
                                                                                   (uint2 *)plans);
    list_pairs<<<1, LIST_THREADS, 0, stream>>>(job->cells, (const uint2 *)plans, pairs, numbers,
                                               result);
    return cudaGetLastError();
}

static bool is_deep(const struct points_job *job) {
    return job->young < job->rule.limit;
}

/* As many blocks as run at a time. */
static cudaError_t blocks_of(const void *kernel, bool deep, uint32_t *blocks) {
    int device, processors, each;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, BLOCK_THREADS, 0);
    if (error == cudaSuccess)
        *blocks = (uint32_t)(processors * (deep && each > DEEP_BLOCKS ? DEEP_BLOCKS : each));
    return error;
}

static const void *draw_kernel(const struct points_job *job) {
    const int kind = kind_of(&job->place);
    return job->type == TYPE_FLOAT ? choose_draw<float>(kind, is_deep(job))
                                   : choose_draw<double>(kind, is_deep(job));
}

/* What the warps under way may add when each has just seen that there is room. */
static uint32_t under_way(uint32_t blocks) {
    return blocks * BLOCK_WARPS * DENSITY_CHUNK;
}

cudaError_t points_room_least(const struct points_job *job, uint32_t *room) {
    uint32_t blocks = 0;
    const cudaError_t error = blocks_of(draw_kernel(job), true, &blocks);
    *room = under_way(blocks);
    return error;
}

cudaError_t points_draw(const struct points_job *job, const struct points_draw *args,
                        cudaStream_t stream) {
    const void *kernel = draw_kernel(job);
    const uint32_t claims = (args->end - args->begin - 1) / (is_deep(job) ? 1 : CLAIM) + 1;
    const uint32_t useful = (claims - 1) / BLOCK_WARPS + 1;
    struct points_draw own = *args;
    uint32_t blocks;
    const cudaError_t error = blocks_of(kernel, is_deep(job), &blocks);
    if (error != cudaSuccess)
        return error;
    own.room = is_deep(job) ? args->room - under_way(blocks) : 0;
    return launch(kernel, blocks < useful ? blocks : useful, job, &own, stream);
}

cudaError_t points_search(const struct points_job *job, const struct points_slice *slice,
                          cudaStream_t stream) {
    const void *kernel = job->type == TYPE_FLOAT ? choose_search<float>() : choose_search<double>();
    return launch(kernel, (slice->size - 1) / BLOCK_THREADS + 1, job, slice, stream);
}

cudaError_t points_plot(const struct points_job *job, const struct points_slice *slice,
                        cudaStream_t stream) {
    const int kind = kind_of(&job->place);
    const void *kernel =
        job->type == TYPE_FLOAT ? choose_plot<float>(kind) : choose_plot<double>(kind);
    return launch(kernel, (slice->size - 1) / BLOCK_THREADS + 1, job, slice, stream);
}

static cudaError_t load_kernel(const void *kernel) {
    cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, kernel);
}

template <typename real> static cudaError_t load_type(void) {
    cudaError_t error = load_kernel(choose_search<real>());
    for (int kind = PLACE_ROWS; kind <= PLACE_ANY && error == cudaSuccess; kind++) {
        error = load_kernel(choose_plot<real>(kind));
        for (int deep = 0; deep < 2 && error == cudaSuccess; deep++)
            error = load_kernel(choose_draw<real>(kind, deep));
    }
    return error;
}

cudaError_t points_load(void) {
    cudaError_t error = load_type<float>();
    if (error == cudaSuccess)
        error = load_type<double>();
    if (error == cudaSuccess)
        error = load_kernel((const void *)plan_cells);
    return error == cudaSuccess ? load_kernel((const void *)list_pairs) : error;
}
