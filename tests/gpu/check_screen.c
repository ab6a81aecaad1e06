/* Screening: the estimate of rounding errors in doubles that needs no derivative. Points that it
 * accepts have the counts of exact tables, with and without the tail, for z^2 + c, folds, hybrids
 * and Julia sets, below a double's range and beside minibrots; it agrees with the estimate that has a
 * derivative; and it does not depend on how often an orbit stops.
 * usage: check_screen TABLE ... */
#define PERTURBED_SCREEN
#define PERTURBED_ERROR
#include "render/deep/perturbation.h"
#include "render/grid/coords.h"
#include "tests/deep/around.h"
#include "tests/deep/truth.h"
#include "tests/shared/check.h"
#include <math.h>

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#include "render/deep/perturbed_round.h"

/* Bounds of the mean difference of the estimates' log2, and of its deviation, at places with enough
 * estimates */
#define LEAST_LOG2     (-0.25)
#define MOST_LOG2      1.5
#define DEVIATION_LOG2 0.8
#define FEW_ESTIMATES  100

#define FEW_STEPS 37

/* An orbit at its end. */
struct end {
    enum perturbed_end end;
    struct perturbed_point point;
    double error; /* estimated with a derivative */
};

/* Iterates a point, `most` steps at a time. */
static struct end iterate(const struct perturbed_tables *t, const bool folded, double cr, double ci,
                          uint32_t limit, uint32_t most) {
    struct end at = {.point = {.cr = cr, .ci = ci}};
    struct perturbed_cycle cycle = {.next = PERTURBED_CYCLE_FIRST};
    struct perturbed_slope d;
    perturbed_begin_with(t, &at.point, &d);
    do {
        uint32_t steps = most;
        at.end =
            perturbed_run_with(t, folded, &at.point, &d, limit, most > FEW_STEPS, &cycle, &steps);
    } while (at.end == PERTURBED_GOES_ON && at.point.n < limit);
    at.error = perturbed_error_end(t, folded, &d);
    return at;
}

static struct end iterate_any(const struct perturbed_tables *t, double cr, double ci,
                              uint32_t limit, uint32_t most) {
    return step_list_is_square(&t->steps) ? iterate(t, false, cr, ci, limit, most)
                                          : iterate(t, true, cr, ci, limit, most);
}

struct sums {
    size_t points, accepted, wrong, compared;
    double apart, apart2; /* of log2 of the estimates */
};

static void compare(const struct end *at, struct sums *sums) {
    const double apart = log2(screen_error(&at->point.screen)) - log2(at->error);
    if (at->end != PERTURBED_ESCAPED || !(at->error > 0x1p-40 && at->error < 0x1p20))
        return;
    sums->compared++;
    sums->apart += apart;
    sums->apart2 += apart * apart;
}

static void check_point(const struct perturbed_tables *t, double cr, double ci, uint32_t limit,
                        const struct truth_point *truth, struct sums *sums) {
    const struct end at = iterate_any(t, cr, ci, limit, UINT32_MAX);
    const enum screen screen =
        perturbed_screen_judge(t, !step_list_is_square(&t->steps), &at.point, at.end, limit);
    const bool escaped = at.end == PERTURBED_ESCAPED && at.point.n <= limit;
    sums->points++;
    if (screen != SCREEN_DOUBTFUL) {
        sums->accepted++;
        sums->wrong += (escaped ? at.point.n : limit) != truth->count;
        CHECK(screen == SCREEN_OPEN ? !escaped : escaped || at.end == PERTURBED_RETURNS);
    }
    compare(&at, sums);
    if (sums->points % 20 == 0 && at.end == PERTURBED_ESCAPED) {
        const struct end slow = iterate_any(t, cr, ci, limit, FEW_STEPS);
        CHECK(slow.end == PERTURBED_ESCAPED && slow.point.n == at.point.n &&
              slow.point.screen.ratio == at.point.screen.ratio &&
              slow.point.screen.error == at.point.screen.error);
    }
}

/* Checks the points of a place. `limit`: that of the place, or a lower one. */
static void check_points(struct truth *truth, uint32_t limit, bool tailless, struct sums *sums) {
    struct frame_req *req = &truth->req;
    req->tailless = tailless;
    const struct perturbed_place place = frame_req_place(req, req->perturbation);
    const struct perturbed_tables doubles = perturbed_tables(req->screen, &place, limit);
    SCOPED_MADE(coords, coords, req);
    for (int i = 0; i < truth->points; i++) {
        struct truth_point point = truth->point[i];
        double re[2], im[2];
        coords_point_wide(coords.wide, COORDS_UPRIGHT, (uint32_t)req->width_px,
                          (uint32_t)point.x_px, (uint32_t)point.y_px, &re[0], &re[1], &im[0],
                          &im[1]);
        point.count = point.count > limit ? limit : point.count;
        check_point(&doubles, re[0], im[0], limit, &point, sums);
    }
}

/* Prints the sums of a place, and checks that no accepted point is wrong, and that the estimate is
 * that with a derivative, or a little larger. */
static void judge(const struct truth *truth, const struct sums *all, const struct sums *low) {
    const double compared = (double)all->compared, mean = all->apart / compared;
    const double deviation = sqrt(all->apart2 / compared - mean * mean);
    printf("%s: %zu of %zu points accepted, %zu and %zu with a wrong count; log2 of %zu estimates "
           "differs by %.2f +- %.2f\n",
           truth->name, all->accepted, all->points, all->wrong, low->wrong, all->compared, mean,
           deviation);
    CHECK(all->wrong == 0 && low->wrong == 0);
    CHECK(all->accepted > all->points / 2);
    CHECK(all->compared < FEW_ESTIMATES ||
          (mean > LEAST_LOG2 && mean < MOST_LOG2 && deviation < DEVIATION_LOG2));
}

/* Places whose reference passes |Z| = 2 by less than doubles show are not screened. */
static void check_place(const char *table, int number) {
    static struct truth truth;
    CHECK(truth_load(&truth, table, number));
    struct frame_req *req = &truth.req;
    req->route = ROUTE_PERTURBED;
    req->type = TYPE_WIDE;
    CHECK((req->perturbation = make_perturbation(req, true)) &&
          (req->screen = make_perturbation(req, false)));
    if (!req->screen->reference->moved) {
        struct sums all = {0}, low = {0};
        check_points(&truth, req->limit, false, &all);
        check_points(&truth, req->limit, true, &all);
        check_points(&truth, truth.point[0].count, false, &low);
        judge(&truth, &all, &low);
    }
    frame_req_finish(req);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const int places = truth_places(argv[i]);
        for (int number = 0; number < (places > 0 ? places : 1); number++)
            check_place(argv[i], number);
    }
    return argc > 1 && failures == 0 ? 0 : 1;
}
