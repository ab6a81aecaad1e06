/* Verification at rest: its text for right and wrong pictures, and that it stops at once. */
#include "app/still/still.h"
#include "app/still/verification.h"
#include "render/base/clock.h"
#include "render/palette.h"
#include "tests/shared/scoped.h"
#include <string.h>
#include <time.h>

#include "tests/shared/check.h"

#define PATIENCE_MS 120000

static void request(struct frame_req *req, const char *re, const char *im, const char *zoom,
                    uint32_t limit, enum precision precision) {
    const char *why;
    SCOPED(scene, scene);
    CHECK(view_set_zoom(&scene.view, zoom, &why));
    CHECK(view_set_centre(&scene.view, re, im, 0, &why));
    scene.limit = limit;
    scene.precision = precision;
    scene.width_px = 320;
    scene.height_px = 180;
    frame_req_init(req, 1, 1);
    still_request(&scene, SHORTCUTS_ALL, req);
}

/* Follows a picture at rest until the work is over, or until it has begun. */
static void follow(struct verification *verification, const struct frame_req *req, bool begun) {
    const double start = clock_ms();
    do {
        verification_follow(verification, req);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    } while (verification_busy(verification) && !(begun && *verification->text) &&
             clock_ms() < start + PATIENCE_MS);
    CHECK(clock_ms() < start + PATIENCE_MS);
}

static void check_right(void) {
    struct verification verification = {.options.cpumask = ~0u};
    struct frame_req req;
    request(&req, "-0.5", "0", "1", 200, PRECISION_AUTO);
    CHECK(!verification_busy(&verification));
    follow(&verification, &req, false);
    if (strcmp(verification.text, "verified 600 of 600") != 0)
        printf("the whole set: '%s'\n", verification.text);
    CHECK(strcmp(verification.text, "verified 600 of 600") == 0);
    CHECK(!verification_follow(&verification, &req)); /* it does not begin again */
    CHECK(!verification_busy(&verification));
    CHECK(verification_follow(&verification, NULL) && !*verification.text);
    verification_finish(&verification);
    frame_req_finish(&req);
}

static void check_wrong(void) {
    struct verification verification = {.options.cpumask = ~0u};
    struct frame_req req;
    request(&req, "-0.0236411685377", "0.7836606508052", "1e6", 10000, PRECISION_DOUBLE);
    follow(&verification, &req, false);
    if (!strstr(verification.text, " % uncertain: needs "))
        printf("a wrong picture: '%s'\n", verification.text);
    CHECK(strstr(verification.text, " % uncertain: needs ") != NULL);
    CHECK(strstr(verification.text, " bits; Shift+P draws it exactly") != NULL);
    verification_finish(&verification);
    frame_req_finish(&req);
}

/* Checks that endless work ends at once when the picture changes, and begins with the next one. */
static void check_stop(void) {
    struct verification verification = {.options.cpumask = ~0u};
    struct frame_req endless, other;
    request(&endless, "-1.7548776662466927600495", "0.01", "1e3", FRAME_LIMIT_MAX,
            PRECISION_DOUBLE);
    endless.fractal.formula = FORMULA_tricorn; /* has no proofs of the interior */
    request(&other, "-0.5", "0", "1", 100, PRECISION_AUTO);
    follow(&verification, &endless, true);
    CHECK(strncmp(verification.text, "verifying, ", 11) == 0);
    double start = clock_ms();
    while (verification_busy(&verification) && clock_ms() < start + PATIENCE_MS) {
        verification_follow(&verification, NULL);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    CHECK(clock_ms() < start + 3000); /* 50 ms on an idle machine */
    CHECK(!*verification.text);
    follow(&verification, &other, false);
    CHECK(strcmp(verification.text, "verified 600 of 600") == 0);
    verification_follow(&verification, NULL);
    follow(&verification, &endless, true);
    start = clock_ms();
    verification_finish(&verification);
    CHECK(clock_ms() < start + 3000);
    frame_req_finish(&endless);
    frame_req_finish(&other);
}

int main(void) {
    CHECK(palette_ready());
    check_right();
    check_wrong();
    check_stop();
    return failures > 0;
}
