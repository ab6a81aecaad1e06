/* Doubt about doubles: findings at places where rounding errors are known, and that pictures keep
 * their findings apart. */
#include "render/frame.h"
#include "render/number/doubt.h"
#include "tests/shared/check.h"

#define SIZE 128

/* Places and the true shares of wrong counts in doubles there, from exact arithmetic: directly,
 * around a reference, and without the tail. Of 512x512 pixels 82
 * with at most `doubles_limit` steps have another count in doubles than in wide numbers. */
static const struct known {
    const char *re, *im, *zoom;
    uint32_t limit;
    enum doubt direct, around;
    uint32_t doubles_limit; /* at most, directly */
} known[] = {
    /* seahorse valley: none where orbits are short, 0.9 %, 0.7 % and 0.1 % where they are not */
    {"-0.743643887037151", "0.13182590420533", "100", 1000, DOUBT_NONE, DOUBT_NONE, 0},
    {"-0.743643887037151", "0.13182590420533", "1e6", 1000, DOUBT_FOUND, DOUBT_TAIL, 465},
    {"-0.743643887037151", "0.13182590420533", "1e12", 2000, DOUBT_FOUND, DOUBT_NONE, 1982},
    /* elephant valley: 4 %, 4 % and 0.1 % */
    {"0.2500023535030335912", "5.6936367426e-9", "7.5e9", 100000, DOUBT_FOUND, DOUBT_TAIL, 14335},
    /* the limit of a tripling: 12 %, 11 % and 3 % */
    {"-0.0236411685377", "0.7836606508052", "1e6", 30000, DOUBT_FOUND, DOUBT_BOTH, 1676},
    /* the limit of the period doublings: 3 to 16 % directly */
    {"-1.401155189093314712", "0", "1e6", 10000, DOUBT_FOUND, DOUBT_TAIL, 1396},
};

static void open_known(struct frame_req *req, const struct known *at, enum route route) {
    const char *why;
    frame_req_init(req, SIZE, SIZE);
    CHECK(view_set_zoom(&req->view, at->zoom, &why) &&
          view_set_centre(&req->view, at->re, at->im, 0, &why));
    req->limit = at->limit;
    req->route = route;
}

static struct perturbation *around(const struct frame_req *req, uint32_t limit) {
    mpfr_t re, im;
    mpfr_inits2(64, re, im, (mpfr_ptr)NULL);
    const double step_log2 = perturbed_home(&req->view, SIZE, false, re, im);
    const struct reference_want want = {.re = re,
                                        .im = im,
                                        .steps = fractal_steps(&req->fractal),
                                        .step_log2 = step_log2,
                                        .limit = limit,
                                        .radius_log2 = frame_req_place_of(req, re, im).c_most_log2,
                                        .threads = 1};
    atomic_uint progress;
    const struct reference *reference = reference_make(&want, NULL, NULL, &progress);
    struct perturbation *made = perturbation_create(reference, NULL);
    reference_unref(reference);
    mpfr_clears(re, im, (mpfr_ptr)NULL);
    return made;
}

/* Returns the finding, which is unknown before. */
static enum doubt find(const struct frame_req *req, struct perturbation *made) {
    const atomic_bool stop = false, stopped = true;
    const struct doubt_about about = doubt_about(req, made->reference->re, made->reference->im);
    struct doubt_about other = about;
    CHECK(doubt_find_known(made, &about, NULL) == DOUBT_UNKNOWN);
    CHECK(!doubt_find(made, &about, &stopped) &&
          doubt_find_known(made, &about, NULL) == DOUBT_UNKNOWN);
    CHECK(doubt_find(made, &about, &stop));
    CHECK(doubt_is_same(&about, &other));
    other.limit++;
    CHECK(!doubt_is_same(&about, &other) && doubt_find_known(made, &other, NULL) == DOUBT_UNKNOWN);
    other = about;
    other.middle[1] += other.right[0];
    CHECK(!doubt_is_same(&about, &other) && doubt_find_known(made, &other, NULL) == DOUBT_UNKNOWN);
    other.limit = 0;
    CHECK(doubt_find_known(made, &other, NULL) == DOUBT_NONE);
    return doubt_find_known(made, &about, NULL);
}

/* Checks both routes; a part of a picture has the finding of the whole. */
static void check_known(const struct known *at) {
    SCOPED_BY(open_known, frame_req, direct, at, ROUTE_DIRECT);
    SCOPED_BY(open_known, frame_req, req, at, ROUTE_PERTURBED);
    struct perturbation *first = around(&direct, 1), *made = around(&req, at->limit);
    const enum doubt found = find(&direct, first), deep = find(&req, made);
    uint32_t direct_steps = 0, steps = 0;
    const struct doubt_about directly =
        doubt_about(&direct, first->reference->re, first->reference->im);
    doubt_find_known(first, &directly, &direct_steps);
    if (direct_steps > at->doubles_limit) {
        printf("%s at %s: doubles do up to %u steps\n", at->re, at->zoom, direct_steps);
        failures++;
    }
    if (found != at->direct || deep != at->around) {
        printf("%s at %s: %d directly, %d around a reference\n", at->re, at->zoom, found, deep);
        failures++;
    }
    const struct doubt_about whole = doubt_about(&req, made->reference->re, made->reference->im);
    doubt_find_known(made, &whole, &steps);
    CHECK(steps == 0); /* has a reference */
    req.whole_width_px = req.whole_height_px = SIZE;
    req.part_x_px = SIZE / 2;
    req.width_px = SIZE / 4;
    const struct doubt_about part = doubt_about(&req, made->reference->re, made->reference->im);
    CHECK(doubt_is_same(&whole, &part));
    perturbation_unref(first);
    perturbation_unref(made);
}

int main(void) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        check_known(&known[i]);
    printf("%d failures\n", failures);
    return failures != 0;
}
