/* Doubt about doubles: compares the counts of random points with those of points next to them. */
#include "render/number/doubt.h"
#include "render/deep/tables/parallel.h"
#include "render/number/screen.h"
#include <math.h>

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#include "render/deep/perturbed_round.h"

#define POINTS   2048
#define DOUBTFUL 150 /* doubtful: more than one in so many points has another count */
#define PART     32  /* points that a thread takes at a time */
/* The answer is known after the first points of a stage, except for views close to the border, if
 * at most `none` or at least `enough` of them differ. */
#define STAGES 3
static const struct {
    uint32_t points;
    int none, enough;
} stages[STAGES] = {{512, 0, 12}, {1024, 2, 17}, {POINTS, 0, 0}};
/* log2: points lie within half of the bound of all |c|, about as far as pictures of a home reach */
#define INNER_LOG2 1
/* [steps] of one orbit, beyond which counts are taken as equal; and of all orbits of a part, beyond
 * which its other points are left out. */
#define STEPS_MOST (1u << 22)
#define STEPS_PART (1u << 20)
#define STOP_STEPS 65536u

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

struct search {
    const struct perturbed_tables *t;
    uint32_t limit;
    const atomic_bool *stop;
    double point[POINTS][2];
    uint32_t first;           /* number of points done in earlier stages */
    atomic_int other, points; /* points with another count; points compared */
};

static bool stopped(const struct search *search) {
    return atomic_load_explicit(search->stop, memory_order_relaxed);
}

/* Returns the count of a point, or 0 if it has none within the limit, or within STEPS_MOST; adds
 * the steps executed to *steps_all. */
static uint32_t count_of(const struct search *search, double cr, double ci, uint32_t *steps_all) {
    struct perturbed_point p = {.cr = cr, .ci = ci};
    struct perturbed_cycle cycle = {.next = PERTURBED_CYCLE_FIRST};
    enum perturbed_end end = PERTURBED_GOES_ON;
    uint32_t done = 0;
    perturbed_begin(search->t, &p);
    while (done < STEPS_MOST && end == PERTURBED_GOES_ON && p.n < search->limit &&
           !stopped(search)) {
        uint32_t steps = STOP_STEPS;
        end = perturbed_run(search->t, false, &p, search->limit, true, &cycle, &steps);
        done += steps;
    }
    *steps_all += done;
    return end == PERTURBED_ESCAPED ? p.n : 0;
}

/* Compares points with their neighbours. */
static void compare(void *user, uint32_t begin, uint32_t end) {
    struct search *search = user;
    uint32_t steps = 0;
    int other = 0, points = 0;
    for (uint32_t i = begin; i < end && steps < STEPS_PART && !stopped(search); i++) {
        const double cr = search->point[search->first + i][0],
                     ci = search->point[search->first + i][1];
        other += count_of(search, cr, ci, &steps) !=
                 count_of(search, cr * SCREEN_NEIGHBOUR, ci * SCREEN_NEIGHBOUR, &steps);
        points++;
    }
    atomic_fetch_add(&search->other, other);
    atomic_fetch_add(&search->points, points);
}

/* Returns true if enough points have another count than their neighbours. */
static bool differ(struct search *search, int32_t c_most_log2) {
    uint64_t state = 1;
    const double most = ldexp(1, c_most_log2 - INNER_LOG2);
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < 2; k++)
            search->point[i][k] = most * next_part(&state);
    for (int stage = 0; stage < STAGES; stage++) {
        parallel_for(stages[stage].points - search->first, PART, compare, search);
        search->first = stages[stage].points;
        const int other = atomic_load(&search->other);
        if (other <= stages[stage].none || other >= stages[stage].enough)
            break;
    }
    return DOUBTFUL * atomic_load(&search->other) > atomic_load(&search->points);
}

/* Packs a place, a limit and a finding into a word. */
static unsigned long long word_of(const struct perturbed_place *place, uint32_t limit,
                                  bool doubted) {
    return (unsigned long long)limit << 33 | (unsigned long long)(uint32_t)place->c_most_log2 << 1 |
           doubted;
}

enum doubt doubt_find_known(const struct perturbation *perturbation,
                            const struct perturbed_place *place, uint32_t limit) {
    if (place->c_log2 != 0 || limit == 0)
        return DOUBT_NONE; /* there are no wide numbers, or no steps */
    for (int i = 0; i < PERTURBATION_FINDINGS; i++) {
        const unsigned long long finding = atomic_load(&perturbation->finding[i]);
        if ((finding & ~1ull) == word_of(place, limit, false))
            return finding & 1 ? DOUBT_FOUND : DOUBT_NONE;
    }
    return DOUBT_UNKNOWN;
}

bool doubt_find(struct perturbation *perturbation, const struct perturbed_place *place,
                uint32_t limit, const atomic_bool *stop) {
    if (doubt_find_known(perturbation, place, limit) != DOUBT_UNKNOWN)
        return true;
    const struct perturbed_tables tables = perturbed_tables(perturbation, place, limit);
    struct search search = {.t = &tables, .limit = limit, .stop = stop};
    const bool doubted = differ(&search, place->c_most_log2);
    if (stopped(&search))
        return false;
    const unsigned next = atomic_fetch_add(&perturbation->findings, 1) % PERTURBATION_FINDINGS;
    atomic_store(&perturbation->finding[next], word_of(place, limit, doubted));
    return true;
}
