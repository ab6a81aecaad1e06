/* Compares the counts of points with those of points beside them. */
#include "render/number/doubt.h"
#include <math.h>

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#include "render/deep/perturbed_round.h"

#define POINTS   2048
#define DOUBTFUL 100     /* more than one in so many */
#define APART    0x1p-36 /* of c: about as many counts change by that as by what rounding does */
#define INNER_LOG2                                                                                 \
    3 /* they are within 2^-3 of the bound of all |c|, about as far as a picture reaches */
/* Rounds of one orbit, beyond which it counts as the same, and of all: a second or so. Where that ends
 * it, those that were looked at decide. */
#define ROUNDS_MOST (1u << 22)
#define ROUNDS_ALL  (1u << 26)
#define STOP_ROUNDS 65536u

/* The numbers of pcg32 (O'Neill, 2014). */
static uint32_t next_random(uint64_t *state) {
    const uint64_t old = *state;
    *state = old * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const uint32_t mixed = (uint32_t)(((old >> 18) ^ old) >> 27), turn = (uint32_t)(old >> 59);
    return mixed >> turn | mixed << (-turn & 31);
}

/* -1 .. 1 */
static double next_part(uint64_t *state) {
    return (double)next_random(state) * 0x1p-31 - 1;
}

struct search {
    const struct perturbed_tables *t;
    uint32_t limit;
    const atomic_bool *stop;
    uint32_t rounds; /* so far */
};

static bool stopped(const struct search *search) {
    return atomic_load_explicit(search->stop, memory_order_relaxed);
}

/* The count of a point; 0: it has none within the limit, or within so many rounds. */
static uint32_t count_of(struct search *search, double cr, double ci) {
    struct perturbed_point p = {.cr = cr, .ci = ci};
    struct perturbed_cycle cycle = {0, 0, 0, PERTURBED_CYCLE_FIRST};
    enum perturbed_end end = PERTURBED_GOES_ON;
    uint32_t rounds = 0;
    perturbed_begin(search->t, &p);
    while (rounds < ROUNDS_MOST && end == PERTURBED_GOES_ON && p.n < search->limit) {
        end = p.m == PERTURBED_TAIL ? perturbed_tail_block(search->t, &p, true, &cycle)
                                    : perturbed_round(search->t, &p, true, &cycle);
        if (++rounds % STOP_ROUNDS == 0 && stopped(search))
            break;
    }
    search->rounds += rounds;
    return end == PERTURBED_ESCAPED ? p.n : 0;
}

/* One word for a place, a limit and what was found. */
static unsigned long long word_of(const struct perturbed_place *place, uint32_t limit,
                                  bool doubted) {
    return (unsigned long long)limit << 33 | (unsigned long long)(uint32_t)place->c_most_log2 << 1 |
           doubted;
}

enum doubt doubt_known(const struct perturbation *perturbation, const struct perturbed_place *place,
                       uint32_t limit) {
    if (place->c_log2 != 0 || limit == 0)
        return DOUBT_NONE; /* there are no wide numbers, or no steps */
    for (int i = 0; i < PERTURBATION_FINDINGS; i++) {
        const unsigned long long finding = atomic_load(&perturbation->finding[i]);
        if ((finding & ~1ull) == word_of(place, limit, false))
            return finding & 1 ? DOUBT_FOUND : DOUBT_NONE;
    }
    return DOUBT_UNKNOWN;
}

/* Whether enough points have another count than the ones beside them. */
static bool differ(struct search *search, int32_t c_most_log2) {
    uint64_t state = 1;
    int other = 0, points = 0;
    const double most = ldexp(1, c_most_log2 - INNER_LOG2);
    for (; points < POINTS && search->rounds < ROUNDS_ALL && !stopped(search); points++) {
        const double cr = most * next_part(&state), ci = most * next_part(&state);
        other += count_of(search, cr, ci) != count_of(search, cr * (1 + APART), ci * (1 + APART));
    }
    return DOUBTFUL * other > points;
}

bool doubt_find(struct perturbation *perturbation, const struct perturbed_place *place,
                uint32_t limit, const atomic_bool *stop) {
    struct perturbed_view view;
    struct search search = {&view.tables, limit, stop, 0};
    bool doubted = false;
    if (doubt_known(perturbation, place, limit) != DOUBT_UNKNOWN)
        return true;
    if (perturbed_view_init(&view, perturbation, place, limit)) { /* else no memory: as it is */
        doubted = differ(&search, place->c_most_log2);
        perturbed_view_finish(&view);
    }
    if (stopped(&search))
        return false;
    const unsigned next = atomic_fetch_add(&perturbation->findings, 1) % PERTURBATION_FINDINGS;
    atomic_store(&perturbation->finding[next], word_of(place, limit, doubted));
    return true;
}
