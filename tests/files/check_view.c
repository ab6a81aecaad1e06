/* View arithmetic: exact pans, zooms that keep their point, text round trips, and tables of
 * coordinates compared with exact sums. */
#include "render/grid/coords.h"
#include "render/grid/sharing.h"
#include "render/palette.h"
#include "render/plan.h"
#include "tests/shared/check.h"
#include <math.h>

static const char *why;

static void set(struct view *view, const char *re, const char *im, const char *zoom) {
    CHECK(view_set_centre(view, re, im, 0, &why));
    CHECK(view_set_zoom(view, zoom, &why));
}

static const char *const zooms[] = {"1.5", "1e6", "3.7e13", "1e120", "1e300", "1e3000"};
#define ZOOMS (sizeof zooms / sizeof *zooms)

static void check_pan(void) {
    for (size_t i = 0; i < ZOOMS; i++) {
        SCOPED(view, home);
        set(&home, "-1.7598171308048478136", "0.0125933107997498", zooms[i]);
        SCOPED_COPY(view, view, &home);
        struct grid_map map;
        view_pan(&view, 417, -1031, 720);
        CHECK(!view_equal(&view, &home));
        CHECK(view_grid_map(&home, &view, 1280, 720, &map) && map.dx == 417 && map.dy == -1031);
        CHECK(map.scale_log2 == 0);
        view_pan(&view, 0.5, 0, 720);
        CHECK(!view_grid_map(&home, &view, 1280, 720, &map));
        view_pan(&view, -417.5, 1031, 720);
        CHECK(view_equal(&view, &home));
        mpfr_mul_2ui(view.zoom, home.zoom, 39, MPFR_RNDN);
        CHECK(!view_grid_map(&home, &view, 1280, 720, &map) && map.scale_log2 == 0);
    }
}

/* Checks that a sum that is one binary digit longer than its terms keeps its last digit. */
static void check_carry(void) {
    mpfr_t expected;
    SCOPED(view, view);
    set(&view, "0", "0", "1");
    mpfr_set_ui_2exp(view.zoom, 1, 100, MPFR_RNDN);
    view_pan(&view, 0x1p53 - 1, 0, 4); /* to 2^-47 - 2^-100 */
    mpfr_mul_2ui(view.zoom, view.zoom, 11, MPFR_RNDN);
    view_pan(&view, 2049, 0, 4); /* by 2^-100 + 2^-111 */
    mpfr_init2(expected, 65);
    mpfr_set_ui_2exp(expected, 1, 64, MPFR_RNDN);
    mpfr_add_ui(expected, expected, 1, MPFR_RNDN);
    mpfr_div_2ui(expected, expected, 111, MPFR_RNDN);
    CHECK(mpfr_equal_p(view.re, expected));
    mpfr_clear(expected);
}

/* Sets offset = step (a x + b y). */
static void turned_offset(mpfr_t offset, mpfr_t step, mpfr_t a, double x, mpfr_t b, double y) {
    mpfr_t other;
    mpfr_init2(other, mpfr_get_prec(offset));
    mpfr_mul_d(offset, a, x, MPFR_RNDN);
    mpfr_mul_d(other, b, y, MPFR_RNDN);
    mpfr_add(offset, offset, other, MPFR_RNDN);
    mpfr_mul(offset, offset, step, MPFR_RNDN);
    mpfr_clear(other);
}

/* Computes the point under a pixel, with more than sufficient precision. */
static void point_at(const struct view *view, double x, double y, int w, int h, mpfr_t re,
                     mpfr_t im) {
    mpfr_t step, c, s, d;
    mpfr_init2(step, VIEW_ZOOM_BITS);
    mpfr_inits2(256, c, s, d, (mpfr_ptr)NULL);
    view_step(view, h, step);
    mpfr_set_d(d, view->angle, MPFR_RNDN);
    mpfr_sin_cos(s, c, d, MPFR_RNDN);
    const double right = x - w / 2.0, up = h / 2.0 - y;
    turned_offset(d, step, c, right, s, -up);
    mpfr_add(re, view->re, d, MPFR_RNDN);
    turned_offset(d, step, s, right, c, up);
    mpfr_add(im, view->im, d, MPFR_RNDN);
    mpfr_clears(step, c, s, d, (mpfr_ptr)NULL);
}

/* Returns a distance in pixels of the view. */
static double distance_px(const struct view *view, int h, mpfr_t a, mpfr_t b) {
    mpfr_t step, d;
    mpfr_init2(step, VIEW_ZOOM_BITS);
    mpfr_init2(d, mpfr_get_prec(a));
    view_step(view, h, step);
    mpfr_sub(d, a, b, MPFR_RNDN);
    mpfr_div(d, d, step, MPFR_RNDN);
    const double px = fabs(mpfr_get_d(d, MPFR_RNDN));
    mpfr_clears(step, d, (mpfr_ptr)NULL);
    return px;
}

static void check_zoom_at(void) {
    for (size_t i = 0; i < 2 * ZOOMS; i++) {
        SCOPED(view, view);
        set(&view, "-1.7598171308048478136", "0.0125933107997498", zooms[i / 2]);
        CHECK(view_set_angle_degrees(&view, i % 2 ? 33 : 0, &why));
        mpfr_t re, im, re2, im2;
        mpfr_inits2(12000, re, im, re2, im2, (mpfr_ptr)NULL);
        const double x = 1111.25, y = 33.5;
        point_at(&view, x, y, 1280, 720, re, im);
        for (int k = 0; k < 60; k++)
            view_zoom_at(&view, k % 3 ? 1.7 : 0.4, x, y, 1280, 720);
        point_at(&view, x, y, 1280, 720, re2, im2);
        CHECK(distance_px(&view, 720, re, re2) < 1e-6);
        CHECK(distance_px(&view, 720, im, im2) < 1e-6);
        mpfr_clears(re, im, re2, im2, (mpfr_ptr)NULL);
    }
}

/* Zooms from home to 1e300 at one pixel, notch by notch: the point stays where it was at the
 * start. */
static void check_fall(void) {
    SCOPED(view, view);
    mpfr_t re, im, re2, im2;
    mpfr_inits2(4000, re, im, re2, im2, (mpfr_ptr)NULL);
    int notches = 0;
    for (; mpfr_cmp_d(view.zoom, 1e300) < 0; notches++) {
        if (notches == 1500)
            point_at(&view, 200.5, 640.5, 1280, 720, re, im);
        view_zoom_at(&view, 1.4142135623730951, 200.5, 640.5, 1280, 720);
        if (notches >= 1500) {
            point_at(&view, 200.5, 640.5, 1280, 720, re2, im2);
            CHECK(distance_px(&view, 720, re, re2) < 1e-3);
        }
    }
    CHECK(notches > 1900);
    CHECK(view_bits(&view) > 1000 && view_bits(&view) < 2500);
    mpfr_clears(re, im, re2, im2, (mpfr_ptr)NULL);
}

static void check_clamp(void) {
    SCOPED(view, view);
    set(&view, "0", "0", "9e99999");
    for (int i = 0; i < 20; i++)
        view_zoom_at(&view, 2, 0, 0, 64, 64);
    char *text = view_number_text(view.zoom, 6);
    CHECK(text && strcmp(text, "1e100000") == 0);
    free(text);
}

static void check_text(void) {
    SCOPED(view, view);
    SCOPED(view, again);
    for (size_t i = 0; i < ZOOMS; i++) {
        set(&view, "-0.743643887037158704752191506114774", "1.31825904205311970493132056385139e-1",
            zooms[i]);
        view_zoom_at(&view, 1.37, 3, 777, 801, 603);
        view_pan(&view, 12, 3.25, 603);
        char *re = view_number_text(view.re, 0), *im = view_number_text(view.im, 0);
        char *zoom = view_number_text(view.zoom, 0);
        /* A coordinate's text determines it at its own precision. At the larger precision it does
         * so only after both were written at that precision. */
        mpfr_prec_round(view.re, view_bits(&view), MPFR_RNDN);
        mpfr_prec_round(view.im, view_bits(&view), MPFR_RNDN);
        free(re);
        free(im);
        re = view_number_text(view.re, 0);
        im = view_number_text(view.im, 0);
        CHECK(view_set_centre(&again, re, im, view_bits(&view), &why));
        CHECK(view_set_zoom(&again, zoom, &why));
        CHECK(view_equal(&view, &again));
        free(re);
        free(im);
        free(zoom);
    }
}

/* Checks that a decimal of few digits is read exactly enough for the zoom. */
static void check_decimals(void) {
    for (size_t i = 0; i < ZOOMS; i++) {
        SCOPED(view, view);
        CHECK(view_set_zoom(&view, zooms[i], &why));
        CHECK(view_set_centre(&view, "0.1", "-1.9", 0, &why));
        mpfr_t exact, step;
        mpfr_inits2(20000, exact, step, (mpfr_ptr)NULL);
        view_step(&view, 1 << 14, step);
        mpfr_div_2ui(step, step, 60, MPFR_RNDN);
        mpfr_set_str(exact, "0.1", 10, MPFR_RNDN);
        mpfr_sub(exact, exact, view.re, MPFR_RNDN);
        CHECK(mpfr_cmpabs(exact, step) < 0);
        mpfr_set_str(exact, "-1.9", 10, MPFR_RNDN);
        mpfr_sub(exact, exact, view.im, MPFR_RNDN);
        CHECK(mpfr_cmpabs(exact, step) < 0);
        mpfr_clears(exact, step, (mpfr_ptr)NULL);
    }
}

/* Checks that either coordinate may be the more precise one: read at view_bits, neither loses a
 * digit. */
static void check_bits(void) {
    static const long bits[][2] = {{64, 64}, {64, 192}, {320, 128}, {256, 257}};
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        SCOPED(view, view);
        mpfr_set_prec(view.re, bits[i][0]);
        mpfr_set_prec(view.im, bits[i][1]);
        mpfr_set_d(view.re, -0.7, MPFR_RNDN);
        mpfr_set_d(view.im, 0.1, MPFR_RNDN);
        const long larger = bits[i][0] > bits[i][1] ? bits[i][0] : bits[i][1];
        CHECK(view_bits(&view) == larger);
    }
}

static double degrees_of(double degrees) {
    SCOPED(view, view);
    CHECK(view_set_angle_degrees(&view, degrees, &why));
    return view_angle_degrees(&view);
}

/* Checks that half a turn has one representation only. */
static void check_half_turn(void) {
    CHECK(degrees_of(180) == 180 && degrees_of(-180) == 180);
    CHECK(degrees_of(540) == 180 && degrees_of(-540) == 180);
    CHECK(degrees_of(-179.5) == -179.5 && degrees_of(179.5) == 179.5 && degrees_of(181) == -179);
}

static void check_angle(void) {
    SCOPED(view, view);
    SCOPED(view, again);
    for (int i = -2000; i < 2000; i++) {
        CHECK(view_set_angle_degrees(&view, i * 0.3717, &why));
        CHECK(view_set_angle_degrees(&again, view_angle_degrees(&view), &why));
        CHECK(view.angle == again.angle && fabs(view.angle) <= 3.1415926535897936);
    }
    CHECK(!view_set_angle_degrees(&view, NAN, &why) &&
          !view_set_angle_degrees(&view, INFINITY, &why));
}

/* Checks that any rotation gives an angle that files restore, within half a turn each way; nothing
 * else changes. */
static void check_rotate(void) {
    SCOPED(view, view);
    set(&view, "-0.743643887037158704752191506114774", "0.1318", "1e40");
    SCOPED_COPY(view, home, &view);
    SCOPED_COPY(view, again, &view);
    double sum = 0;
    for (int i = 0; i < 3000; i++) {
        const double radians = (i % 7 - 2.5) * 0.7317 + (i % 100 == 0 ? 1e3 : 0);
        sum += radians;
        view_rotate(&view, radians);
        CHECK(view.angle > -3.1415926535897936 && view.angle <= 3.1415926535897936);
        CHECK(fabs(remainder(view.angle - sum, 2 * acos(-1))) < 1e-7);
        CHECK(view_set_angle_degrees(&again, view_angle_degrees(&view), &why));
        CHECK(view_equal(&again, &view));
    }
    view.angle = 0;
    CHECK(view_equal(&home, &view));
}

/* Checks the smallest possible centres, deeper than the deepest zoom. */
static void check_small_centres(void) {
    SCOPED(view, view);
    CHECK(view_set_centre(&view, "1e-100000", "-1e-109000", 0, &why));
    CHECK(view_set_centre(&view, "0", "1e-20000", 0, &why));
}

static void check_refusals(void) {
    static const char *const bad[] = {
        "",     "0",           "-1",           "nan",
        "inf",  "1e999999999", "1e-999999999", "1e100001",
        "0x10", "1 2",         "--1",          "1e99999999999999999999"};
    SCOPED(view, view);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!view_set_zoom(&view, bad[i], &why));
    CHECK(!view_set_centre(&view, "1e400", "0", 0, &why));
    CHECK(!view_set_centre(&view, "0", "@inf@", 0, &why));
    CHECK(!view_set_centre(&view, "1e-120000", "0", 0, &why));
    CHECK(!view_set_centre(&view, "0", "-1e-111000", 0, &why));
    CHECK(!view_set_centre(&view, "0", "1", 1 << 30, &why));
    CHECK(!view_set_centre(&view, "0", "1", -5, &why));
    SCOPED(view, home);
    CHECK(view_equal(&view, &home));
}

/* Returns true if a turned coordinate is near: it is the sum of two double-doubles, rounded once,
 * and their lower halves once before. */
static bool is_near(double got, double want, double degrees, double a, double b) {
    const double bound = 0x1p-52 * fabs(want) + 0x1p-104 * (fabs(a) + fabs(b));
    return degrees == 0 ? got == want : fabs(got - want) <= bound;
}

/* Returns true if the high part is the nearest double, and the low part the nearest to the rest;
 * approximately for turned coordinates. */
static bool is_near_wide(const double got[2], mpfr_srcptr want, double degrees) {
    const double high = mpfr_get_d(want, MPFR_RNDN);
    mpfr_t rest;
    mpfr_init2(rest, 8000);
    mpfr_sub_d(rest, want, got[0], MPFR_RNDN);
    const double low = mpfr_get_d(rest, MPFR_RNDN);
    mpfr_clear(rest);
    return degrees == 0 ? got[0] == high && got[1] == low
                        : fabs(got[1] - low) <= 0x1p-52 * fabs(low) + 0x1p-150 &&
                              fabs(low) <= 0x1p-53 * fabs(high) + 0x1p-150;
}

/* Checks the tables for wide numbers. */
static void check_wide_coords(struct frame_req *req, double right, double down, double degrees) {
    int width, height;
    frame_req_whole(req, &width, &height);
    req->type = TYPE_WIDE;
    SCOPED_MADE(coords, coords, req);
    mpfr_t re, im;
    mpfr_inits2(8000, re, im, (mpfr_ptr)NULL);
    for (uint32_t y = 0; y < 60; y += 7)
        for (uint32_t x = 0; x < 97; x += 3) {
            double cr[2], ci[2];
            coords_point_wide(coords.wide, coords.layout, 97, x, y, cr, cr + 1, ci, ci + 1);
            point_at(&req->view, x + right, y + down, width, height, re, im);
            CHECK(is_near_wide(cr, re, degrees) && is_near_wide(ci, im, degrees));
        }
    mpfr_clears(re, im, (mpfr_ptr)NULL);
}

/* Checks that column x and row y give the exact coordinate rounded once, also for an offset part of
 * a larger picture. */
static void check_coords(const char *re_text, const char *im_text, const char *zoom, double degrees,
                         bool part) {
    SCOPED(frame_req, req, 97, 60);
    if (part) {
        req.whole_width_px = 1000;
        req.whole_height_px = 777;
        req.part_x_px = 903;
        req.part_y_px = 211;
        req.offset_x = -32768;
        req.offset_y = 12345;
    }
    CHECK(!frame_req_problem(&req));
    int width, height;
    frame_req_whole(&req, &width, &height);
    const double right = req.part_x_px + 0.5 + (double)req.offset_x / FRAME_OFFSETS;
    const double down = req.part_y_px + 0.5 + (double)req.offset_y / FRAME_OFFSETS;
    set(&req.view, re_text, im_text, zoom);
    CHECK(view_set_angle_degrees(&req.view, degrees, &why));
    SCOPED_MADE(coords, coords, &req);
    mpfr_t re, im;
    mpfr_inits2(8000, re, im, (mpfr_ptr)NULL);
    for (int y = 0; y < 60; y += 7)
        for (int x = 0; x < 97; x += 3) {
            const struct coords_double *a = &coords.f64[x], *b = &coords.f64[97 + y];
            const double cr = coords_sum_double(a->re, a->re_low, b->re, b->re_low);
            const double ci = coords_sum_double(a->im, a->im_low, b->im, b->im_low);
            point_at(&req.view, x + right, y + down, width, height, re, im);
            const double want_r = mpfr_get_d(re, MPFR_RNDN), want_i = mpfr_get_d(im, MPFR_RNDN);
            CHECK(is_near(cr, want_r, degrees, a->re, b->re));
            CHECK(is_near(ci, want_i, degrees, a->im, b->im));
        }
    mpfr_clears(re, im, (mpfr_ptr)NULL);
    check_wide_coords(&req, right, down, degrees);
}

/* Checks a number just above the middle of two floats, by less than a double resolves: it must be
 * rounded up, not to the even float. */
static void check_float_once(void) {
    SCOPED(frame_req, req, 3, 4);
    req.type = TYPE_FLOAT;
    set(&req.view, "1.000000059604644776257986737988403547205962240695953369140625", "0", "1");
    SCOPED_MADE(coords, coords, &req);
    if (coords.f32[1].re != 1 + 0x1p-23f)
        printf("the middle column is %a\n", (double)coords.f32[1].re);
    CHECK(coords.f32[1].re == 1 + 0x1p-23f);
}

static void check_parts(void) {
    struct grid_map map;
    SCOPED(frame_req, req, 64, 48);
    req.whole_width_px = req.whole_height_px = 64;
    req.part_y_px = 16;
    CHECK(!frame_req_problem(&req));
    SCOPED_COPY(frame_req, other, &req);
    CHECK(sharing_by_map(&req, &other, &map));
    other.part_y_px = 15;
    CHECK(!sharing_by_map(&req, &other, &map));
    other.part_y_px = 16;
    other.offset_x = 1;
    CHECK(!sharing_by_map(&req, &other, &map));
    other.offset_x = 0;
    CHECK(sharing_by_map(&req, &other, &map));
    other.offset_y = 1;
    CHECK(!sharing_by_map(&req, &other, &map));
    other.offset_x = FRAME_OFFSETS / 2 + 1;
    CHECK(frame_req_problem(&other));
    req.part_y_px = 17;
    CHECK(frame_req_problem(&req));
    req.part_y_px = -1;
    CHECK(frame_req_problem(&req));
}

/* Checks routes: routes without a kernel are refused, samples are shared only along one route, and
 * a request with the route's precision gives the same route. */
static void check_routes(void) {
    struct grid_map map;
    SCOPED(frame_req, req, 8, 8);
    SCOPED_COPY(frame_req, other, &req);
    CHECK(req.route == ROUTE_DIRECT && sharing_by_map(&req, &other, &map));
    other.route = ROUTE_COUNT;
    CHECK(frame_req_problem(&other) && !sharing_by_map(&req, &other, &map));
    for (int route = 0; route < ROUTE_COUNT; route++)
        for (int type = 0; type < TYPE_COUNT; type++) {
            req.route = (enum route)route;
            req.type = (enum number_type)type;
            if (frame_req_problem(&req))
                continue; /* there is no such kernel */
            struct plan_input in = {.view = &req.view, .width_px = 8, .height_px = 8};
            in.precision = plan_precision(req.route, req.type);
            const struct plan plan = plan_frame(&in);
            CHECK(in.precision != PRECISION_AUTO);
            CHECK(plan.route == req.route && plan.type == req.type);
            CHECK(!frame_req_problem(&req));
            const size_t size = frame_req_state_size(&req);
            CHECK(size > 0 && size % 8 == 0 && size <= FRAME_STATE_MAX);
        }
}

static void check_mirror(void) {
    SCOPED(frame_req, req, 10, 301);
    req.type = TYPE_FLOAT;
    SCOPED_MADE(coords, coords, &req);
    for (int y = 0; y < 301; y++)
        CHECK(coords.f32[10 + y].im == -coords.f32[10 + 300 - y].im);
}

static void check_map(void) {
    SCOPED(view, view);
    set(&view, "-1.7598171308048478136", "0.0125933107997498", "1e250");
    SCOPED_COPY(view, from, &view);
    view_zoom_at(&view, 2, 100, 50, 640, 480);
    const struct view_map map = view_map_from(&view, &from, 480);
    /* The pixel (100, 50) stays, so 2 (100 - 320) + dx = 100 - 320. */
    CHECK(map.scale == 2 && fabs(map.dx_px - 220) < 1e-6 && fabs(map.dy_px - 190) < 1e-6);
}

int main(void) {
    check_decimals();
    check_bits();
    check_half_turn();
    check_small_centres();
    check_pan();
    check_carry();
    check_zoom_at();
    check_fall();
    check_clamp();
    check_text();
    check_angle();
    check_rotate();
    check_refusals();
    for (size_t i = 0; i < 2 * ZOOMS; i++) {
        const char *zoom = zooms[i / 2];
        check_coords("-0.743643887037158704752191506114774", "0.131825904205311970493132056385139",
                     zoom, 0, i % 2);
        check_coords("-0.743643887037158704752191506114774", "0.131825904205311970493132056385139",
                     zoom, 29.5, i % 2);
        check_coords("-0.5", "0", zoom, 0, i % 2); /* sums that fit into 128 bits */
        check_coords("0.3750001", "-1.25", zoom, 0, i % 2);
    }
    check_float_once();
    check_parts();
    check_routes();
    check_mirror();
    check_map();
    printf("check_view: %d failures\n", failures);
    mpfr_free_cache();
    return failures != 0;
}
