/* Doubt about doubles: iterates random points of a picture with their rounding errors, and sums the
 * probabilities that these change the counts. */
#include "render/number/doubt.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/parallel.h"
#include <math.h>
#include <stdlib.h>

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#define PERTURBED_ERROR
#include "render/deep/perturbed_round.h"

#define POINTS      2048
#define DOUBTFUL    (1.0 / 400) /* doubtful: a larger expected share of wrong counts */
#define SHORT_LEAST 8           /* points stay in doubles if at least one in so many does */
#define EVEN        2.5         /* error of |W| at the escape of which half the counts are wrong */
#define PART        8           /* points that a thread takes at a time */
#define NONE        (-1.0f)     /* probability of points that have no count */
/* Bits of a finding at the end of a word: steps and a doubt, and the doubt alone. */
#define WORD_FINDING_BITS 15
#define WORD_DOUBT_BITS   3
#define WORD_FINDING      ((1u << WORD_FINDING_BITS) - 1)
#define WORD_DOUBT        ((1u << WORD_DOUBT_BITS) - 1)
/* The answer is known after the first points of a stage in three cases: the share is at most
 * `none`, or at least `enough`, or above DOUBTFUL by so many times its own deviation. The last two
 * take at least POINTS_FEW points in direct pictures, whose short orbits are looked for, too. */
#define CERTAINLY 3
#define STAGES    6
static const struct {
    uint32_t points;
    double none, enough;
} stages[STAGES] = {{64, -1, 1},
                    {128, -1, 1},
                    {256, DOUBTFUL / 100, 0.1},
                    {512, DOUBTFUL / 8, DOUBTFUL * 4},
                    {1024, DOUBTFUL / 4, DOUBTFUL * 2},
                    {POINTS, DOUBTFUL, DOUBTFUL}};
/* log2 of the largest |c| of pictures whose orbits are nearer to a 2 than its last bit */
#define BLIND_LOG2 (-44)
/* [steps] An orbit is left out when it has made STEPS_MOST. The rest of a part is left out when its
 * orbits have made STEPS_PART together. */
#define STEPS_MOST (1u << 22)
#define STEPS_PART (1u << 18)
/* [steps] After so many, POINTS_FEW points decide, or those of the stage that is done. A step takes
 * thirty times as long as in a vector, so that all points would take as long as a picture. */
#define STEPS_ALL  (1u << 21)
#define POINTS_FEW 512
#define STOP_STEPS 65536u

/* A pixel is certain if its estimated error of |W| at the escape is below CLEAR. Of 6,600 such
 * points none had a wrong count. */
#define CLEAR 0x1p-8
#define LOST  1.0 /* error beyond which doubles follow another orbit */
/* A pixel of the interior is certain if the error was always below CLEAR_INSIDE, for as many steps
 * at most: roundings can make a cycle of an orbit that would escape. */
#define CLEAR_INSIDE   0x1p-20
#define INTERIOR_STEPS (1u << 19)
#define LOOK_STEPS     128u /* between two looks at the error */

/* Returns the next number of pcg32 (O'Neill, 2014). */
static uint32_t next_random(uint64_t *state) {
    const uint64_t old = *state;
    *state = old * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const uint32_t mixed = (uint32_t)(((old >> 18) ^ old) >> 27), turn = (uint32_t)(old >> 59);
    return mixed >> turn | mixed << (-turn & 31);
}

/* Returns a number of -1 .. 1. */
static double next_part(uint64_t *state) {
    return (double)next_random(state) * 0x1p-31 - 1;
}

/* --- pictures --- */

/* Returns a - b in units of 2^log2. */
static double distance(mpfr_srcptr a, mpfr_srcptr b, int32_t log2) {
    mpfr_t rest;
    mpfr_init2(rest, 64);
    mpfr_sub(rest, a, b, MPFR_RNDN);
    mpfr_mul_2si(rest, rest, -log2, MPFR_RNDN);
    const double in_units = mpfr_get_d(rest, MPFR_RNDN);
    mpfr_clear(rest);
    return in_units;
}

struct doubt_about doubt_about(const struct frame_req *req, mpfr_srcptr re, mpfr_srcptr im) {
    int width, height;
    frame_req_whole(req, &width, &height);
    const struct perturbed_place place = frame_req_place_of(req, re, im);
    const double half = ldexp(place.step, (int)place.step_log2 - place.c_log2) / 2;
    const double cosine = half * cos(req->view.angle), sine = half * sin(req->view.angle);
    const bool exponential = req->projection == PROJECTION_EXPONENTIAL;
    const double across = exponential ? hypot(width, height) : width,
                 along = exponential ? 0 : height;
    return (struct doubt_about){
        .place = place,
        .exponential = exponential,
        .middle = {distance(req->view.re, re, place.c_log2),
                   distance(req->view.im, im, place.c_log2)},
        .right = {across * cosine, across * sine},
        .up = {-along * sine, along * cosine},
        .limit = req->limit,
        .direct = req->route == ROUTE_DIRECT,
    };
}

/* --- points --- */

struct search {
    struct perturbed_tables t;
    bool folded;
    const struct doubt_about *about;
    const atomic_bool *stop;
    uint32_t first;      /* number of points done in earlier stages */
    atomic_ullong steps; /* executed for all of these */
    float wrong[POINTS]; /* probabilities of a wrong count */
    uint32_t count[POINTS];
};

static struct search search_of(struct perturbation *perturbation, const struct doubt_about *about,
                               const atomic_bool *stop) {
    struct search search = {.t = perturbed_tables(perturbation, &about->place, about->limit),
                            .folded = !step_list_is_square(&perturbation->reference->steps),
                            .about = about,
                            .stop = stop};
    if (about->direct)
        search.t.tail_from = 0; /* no orbit comes back to the reference */
    return search;
}

static bool stopped(const struct search *search) {
    return atomic_load_explicit(search->stop, memory_order_relaxed);
}

/* Begins an orbit that is iterated without a reference. */
static void begin_direct(const struct perturbed_tables *t, struct perturbed_point *p,
                         struct perturbed_slope *d) {
    p->m = PERTURBED_TAIL;
    p->zr = t->julia ? t->from_re + p->cr : 0.0;
    p->zi = t->julia ? t->from_im + p->ci : 0.0;
    perturbed_slope_start(t, true, 0.0, 0.0, d);
    d->error = 0;
    d->drift[0] = d->drift[1] = 0;
    if (t->julia) /* its start is rounded */
        perturbed_error_add(t, false, ERROR_OF_SUM * extended_most(p->zr, p->zi), d);
}

static void begin(const struct search *search, struct perturbed_point *p,
                  struct perturbed_slope *d) {
    if (search->about->direct)
        begin_direct(&search->t, p, d);
    else
        perturbed_begin_with(&search->t, p, d);
}

/* Returns the probability that the point has a wrong count, or NONE if it has none within the
 * limit, or within STEPS_MOST; sets *count, and adds the steps executed to *steps_all. */
static float iterate(const struct search *search, const bool folded, struct perturbed_point p,
                     uint32_t *count, uint32_t *steps_all) {
    const struct perturbed_tables *t = &search->t;
    struct perturbed_slope d;
    struct perturbed_cycle cycle = {.next = PERTURBED_CYCLE_FIRST};
    enum perturbed_end end = PERTURBED_GOES_ON;
    const uint32_t limit = search->about->limit;
    uint32_t done = 0;
    begin(search, &p, &d);
    while (done < STEPS_MOST && end == PERTURBED_GOES_ON && p.n < limit && !stopped(search)) {
        uint32_t steps = STOP_STEPS;
        end = perturbed_run_with(t, folded, &p, &d, limit, true, &cycle, &steps);
        done += steps;
    }
    *steps_all += done;
    *count = p.n;
    if (end != PERTURBED_ESCAPED)
        return NONE;
    const double error = perturbed_error_end(t, folded, &d);
    return error < INFINITY ? (float)(error / (error + EVEN)) : 1;
}

/* Returns a point of the picture, from its place on the axes (struct doubt_about). */
static struct perturbed_point point_at(const struct doubt_about *about, double a, double b) {
    if (about->exponential) {
        const double scale = exp2((b - 1) / 2), angle = -M_PI * (a + 1);
        a = scale * cos(angle);
        b = scale * sin(angle);
        return (struct perturbed_point){
            .cr = about->middle[0] + a * about->right[0] - b * about->right[1],
            .ci = about->middle[1] + a * about->right[1] + b * about->right[0]};
    }
    return (struct perturbed_point){.cr = about->middle[0] + a * about->right[0] + b * about->up[0],
                                    .ci =
                                        about->middle[1] + a * about->right[1] + b * about->up[1]};
}

static void judge(void *user, uint32_t begin, uint32_t end) {
    struct search *search = user;
    const struct doubt_about *about = search->about;
    uint32_t steps = 0;
    for (uint32_t n = begin; n < end && steps < STEPS_PART && !stopped(search); n++) {
        const uint32_t i = search->first + n;
        uint64_t state = i + 1;
        next_part(&state);
        const double a = next_part(&state), b = next_part(&state);
        const struct perturbed_point p = point_at(about, a, b);
        search->wrong[i] = search->folded ? iterate(search, true, p, &search->count[i], &steps)
                                          : iterate(search, false, p, &search->count[i], &steps);
    }
    atomic_fetch_add(&search->steps, steps);
}

/* Returns the mean probability of the first points that escape, and its standard deviation. */
static double mean(const struct search *search, uint32_t points, double *deviation) {
    double sum = 0, squares = 0;
    int escaped = 0;
    for (uint32_t i = 0; i < points; i++) {
        const double wrong = search->wrong[i] != NONE ? (double)search->wrong[i] : 0;
        sum += wrong;
        squares += wrong * wrong;
        escaped += search->wrong[i] != NONE;
    }
    const double share = escaped > 0 ? sum / escaped : 0;
    *deviation =
        escaped > 1 ? sqrt(fmax(squares - share * sum, 0) / ((double)escaped * (escaped - 1))) : 1;
    return share;
}

/* Returns the expected share of wrong counts, with those tables. */
static double share_wrong(struct search *search) {
    double share = 0;
    for (int i = 0; i < POINTS; i++)
        search->wrong[i] = NONE;
    search->first = 0;
    atomic_store(&search->steps, 0);
    for (int stage = 0; stage < STAGES; stage++) {
        parallel_for(stages[stage].points - search->first, PART, judge, search);
        search->first = stages[stage].points;
        double deviation;
        share = mean(search, search->first, &deviation);
        const bool wrong =
            share >= stages[stage].enough || share - CERTAINLY * deviation > DOUBTFUL;
        const bool few = search->first < POINTS_FEW;
        if (share <= stages[stage].none || (wrong && !(few && search->about->direct)) ||
            (!few && atomic_load(&search->steps) >= STEPS_ALL))
            break;
    }
    return share;
}

/* Returns true if orbits pass |W| = 2 by less than doubles show. */
static bool is_blind(const struct perturbation *perturbation, const struct doubt_about *about) {
    return perturbation->reference->moved && about->place.c_most_log2 < BLIND_LOG2;
}

static enum doubt find(struct search *search) {
    const bool direct = search->about->direct;
    double share = share_wrong(search);
    const double first = share;
    enum doubt doubt = DOUBT_NONE;
    if (share > DOUBTFUL && !direct) {
        doubt = DOUBT_TAIL;
        search->t.tail_from = INFINITY;
        share = share_wrong(search);
    }
    if (share > DOUBTFUL)
        doubt = share < first / 2 ? DOUBT_BOTH : DOUBT_FOUND;
    log_info("expected share of wrong counts in doubles: %.2g %s, %.2g at best", first,
             direct ? "directly" : "around the reference", share);
    return doubt;
}

/* A packed number of steps is that number rounded down to 7 digits, in 12 bits. */
static unsigned pack_steps(uint32_t steps) {
    unsigned shift = 0;
    while (steps >> shift >= 128)
        shift++;
    return (steps >> shift) << 5 | shift;
}

static uint32_t unpack_steps(unsigned packed) {
    return (packed >> 5) << (packed & 31);
}

/* Returns the largest power of 2 that is at most x, which is not 0. */
static uint32_t power_below(uint32_t x) {
    return UINT32_C(1) << (31 - __builtin_clz(x));
}

/* Returns the number of steps up to which escapes in doubles are certain: three quarters of the way
 * from the shortest judged orbit to the shortest one with an error of CLEAR, rounded so that
 * neighbouring pictures mostly have the same number. Returns 0 if the picture is not a direct one,
 * or if few orbits are that short. */
static uint32_t certain_steps(const struct search *search) {
    const float clear = (float)(CLEAR / (CLEAR + EVEN));
    uint32_t first = UINT32_MAX, least = UINT32_MAX, escaped = 0, certain = 0;
    for (uint32_t i = 0; search->about->direct && i < search->first; i++) {
        if (search->wrong[i] != NONE && search->count[i] < first)
            first = search->count[i];
        if (search->wrong[i] >= clear && search->count[i] < least)
            least = search->count[i];
    }
    if (least == UINT32_MAX || least - first < 4)
        return 0;
    const uint32_t unit = power_below((least - first) / 4);
    const uint32_t steps = unpack_steps(pack_steps((least - (least - first) / 4) / unit * unit));
    for (uint32_t i = 0; i < search->first; i++) {
        escaped += search->wrong[i] != NONE;
        certain += search->wrong[i] != NONE && search->count[i] <= steps;
    }
    return certain * SHORT_LEAST < escaped ? 0 : steps;
}

/* --- findings --- */

/* Packs a picture and a finding into a word: an FNV-1a hash of the picture, steps, and the doubt. */
static unsigned long long word_of(const struct doubt_about *about, enum doubt doubt,
                                  uint32_t steps) {
    const double numbers[] = {about->middle[0],
                              about->middle[1],
                              about->right[0],
                              about->right[1],
                              about->up[0],
                              about->up[1],
                              about->limit,
                              about->direct,
                              about->exponential,
                              about->place.c_log2,
                              about->place.c_most_log2};
    const unsigned char *bytes = (const unsigned char *)numbers;
    unsigned long long hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < sizeof numbers; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash << WORD_FINDING_BITS | pack_steps(steps) << WORD_DOUBT_BITS | (unsigned)doubt;
}

bool doubt_is_same(const struct doubt_about *a, const struct doubt_about *b) {
    return word_of(a, DOUBT_UNKNOWN, 0) == word_of(b, DOUBT_UNKNOWN, 0);
}

enum doubt doubt_find_known(const struct perturbation *perturbation,
                            const struct doubt_about *about, uint32_t *doubles_limit) {
    if (about->limit == 0)
        return DOUBT_NONE; /* there are no steps */
    const unsigned long long sought = word_of(about, DOUBT_UNKNOWN, 0);
    for (int i = 0; i < PERTURBATION_FINDINGS; i++) {
        const unsigned long long finding = atomic_load(&perturbation->finding[i]);
        if ((finding & ~(unsigned long long)WORD_FINDING) == sought &&
            (finding & WORD_DOUBT) != 0) {
            if (about->direct && doubles_limit)
                *doubles_limit =
                    unpack_steps((unsigned)(finding & WORD_FINDING) >> WORD_DOUBT_BITS);
            return (enum doubt)(finding & WORD_DOUBT);
        }
    }
    return DOUBT_UNKNOWN;
}

bool doubt_find(struct perturbation *perturbation, const struct doubt_about *about,
                const atomic_bool *stop) {
    if (doubt_find_known(perturbation, about, NULL) != DOUBT_UNKNOWN)
        return true;
    struct search search = search_of(perturbation, about, stop);
    const enum doubt doubt = is_blind(perturbation, about) ? DOUBT_FOUND : find(&search);
    if (stopped(&search))
        return false;
    const unsigned next = atomic_fetch_add(&perturbation->findings, 1) % PERTURBATION_FINDINGS;
    atomic_store(&perturbation->finding[next],
                 word_of(about, doubt, doubt == DOUBT_FOUND ? certain_steps(&search) : 0));
    return true;
}

/* --- pixels --- */

struct doubtful {
    struct search search;
    struct doubt_about about;
};

struct doubtful *doubtful_create(struct perturbation *around, const struct frame_req *req) {
    struct doubtful *doubtful = memory_alloc(sizeof *doubtful, "the points");
    if (!doubtful)
        return NULL;
    doubtful->about = doubt_about(req, around->reference->re, around->reference->im);
    /* Past a double's range a reference in doubles may lose the side of an axis. */
    const bool loses_sides =
        around->reference->steps.folds != FOLD_NONE && doubtful->about.place.c_log2 != 0;
    if (loses_sides || is_blind(around, &doubtful->about)) {
        free(doubtful);
        return NULL;
    }
    doubtful->search = search_of(around, &doubtful->about, NULL);
    return doubtful;
}

void doubtful_destroy(struct doubtful *doubtful) {
    free(doubtful);
}

/* Pixels of a part of a picture. */
struct pixels {
    const struct doubtful *doubtful;
    const struct frame_req *part;
    const uint32_t *counts;
    size_t first;
    bool *found;
    const atomic_bool *stop;
};

/* Returns false if doubles certainly have the right sample for a point, which is `drawn`. */
static bool is_doubtful(const struct pixels *pixels, const bool folded, struct perturbed_point p,
                        uint32_t drawn) {
    const struct search *search = &pixels->doubtful->search;
    const struct perturbed_tables *t = &search->t;
    const uint32_t limit = search->about->limit;
    const bool interior = drawn & SAMPLE_INTERIOR;
    const uint32_t most = interior ? INTERIOR_STEPS : STEPS_MOST;
    struct perturbed_slope d;
    struct perturbed_cycle cycle = {.next = PERTURBED_CYCLE_FIRST};
    enum perturbed_end end = PERTURBED_GOES_ON;
    double error = 0, worst = 0;
    begin(search, &p, &d);
    for (uint32_t done = 0; done < most && end == PERTURBED_GOES_ON && p.n < limit && error < LOST;
         done += LOOK_STEPS) {
        uint32_t steps = LOOK_STEPS;
        if (atomic_load_explicit(pixels->stop, memory_order_relaxed))
            break;
        end = perturbed_run_with(t, folded, &p, &d, limit, true, &cycle, &steps);
        error = perturbed_error_end(t, folded, &d);
        worst = error < worst ? worst : error;
    }
    if (!(interior ? worst < CLEAR_INSIDE : error < CLEAR))
        return true;
    return interior ? end == PERTURBED_ESCAPED && p.n <= limit
                    : end != PERTURBED_ESCAPED || p.n != drawn;
}

/* Returns where a pixel's sample lies on an axis of the whole picture, -1 .. 1. */
static double place_on(int pixel, int offset, int whole) {
    return (2 * (pixel + (double)offset / FRAME_OFFSETS) + 1) / whole - 1;
}

static void find_pixels(void *user, uint32_t begin, uint32_t end) {
    const struct pixels *pixels = user;
    const struct doubt_about *about = &pixels->doubtful->about;
    const struct frame_req *part = pixels->part;
    int width, height;
    frame_req_whole(part, &width, &height);
    for (uint32_t i = begin; i < end; i++) {
        const size_t at = pixels->first + i, row = at / (size_t)part->width_px;
        const int x = (int)(at - row * (size_t)part->width_px) + part->part_x_px;
        const double a = place_on(x, part->offset_x, width);
        const double b = -place_on((int)row + part->part_y_px, part->offset_y, height);
        const struct perturbed_point p = point_at(about, a, b);
        pixels->found[i] = pixels->doubtful->search.folded
                               ? is_doubtful(pixels, true, p, pixels->counts[at])
                               : is_doubtful(pixels, false, p, pixels->counts[at]);
    }
}

void doubtful_find(const struct doubtful *doubtful, const struct frame_req *part,
                   const uint32_t *counts, size_t first, size_t count, bool *found,
                   const atomic_bool *stop) {
    struct pixels pixels = {doubtful, part, counts, first, found, stop};
    parallel_for((uint32_t)count, PART, find_pixels, &pixels);
}
