/* Automatic limit: the limits that it chooses for pictures must be sufficient, and not much more
 * than that. Also its behaviour from view to view. */
#include "app/explore/auto_limit.h"
#include "app/still/still.h"
#include "lab/bench/bench.h"
#include "tests/shared/pictures.h"
#include <inttypes.h>
#include <math.h>

#define PIXELS_MOST 120000 /* pixels of a view here */
#define DIFFERENT   0.001  /* share of pixels that 16 times the limit may change */
/* Work with the chosen limit, as a multiple of the work with the least sufficient limit; number of
 * raises. */
#define WASTE_MOST    2.5
#define WASTE_MEAN    1.5
#define RAISES_MOST   30
#define FLIGHT_WIDTH  96
#define FLIGHT_HEIGHT 64
/* Share of pixels that may be black in motion although they are not at rest. */
#define BLACK 0.05

#ifdef TEST_SANITIZED
#define MOST 2u /* number of views that are flown to and searched from far away */
#else
#define MOST (sizeof more_views / sizeof *more_views - 1)
#endif

/* --- pictures --- */

/* Views in addition to the measured ones: deep views, and views that are nearly all interior. */
static const struct bench_view more_views[] = {
    {"home", "-0.5", "0", 4, 480, 320, 0, 0, NULL},
    {"cusp", "0.2501", "0", 1e-3, 400, 320, 0, 0, NULL},
    {"elephants", "0.2925755", "-0.0149977", 4e-4, 400, 400, 0, 0, NULL},
    {"spiral", "-0.7436438870371587", "0.1318259042053120", 1e-10, 400, 300, 0, 0, NULL},
    {"period-3", "-1.7548776662466927", "0", 4e-2, 400, 300, 0, 0, NULL},
    {"minibrot", "-1.7857337360000000", "0", 2e-4, 400, 300, 0, 0, NULL},
    {"misiurewicz", "-0.10109636384562", "0.95628651080914", 1e-9, 400, 300, 0, 0, NULL},
    {"disc", "-1", "0", 0.1, 100, 100, 0, 0, NULL},
    {"outside", "2", "2", 1, 100, 100, 0, 0, NULL},
    {0},
};

static double depth_of(const struct frame_req *req) {
    return 2 - view_step_log2(&req->view, 1);
}

static void set_view(struct frame_req *req, const struct bench_view *view, uint32_t limit) {
    bench_view_request(view, req);
    const double shrink = fmin(sqrt(PIXELS_MOST / ((double)req->width_px * req->height_px)), 1);
    req->width_px = (int)(req->width_px * shrink);
    req->height_px = (int)(req->height_px * shrink);
    req->limit = limit;
}

/* Raises the limit until it is sufficient, as the explorer does at rest. */
static bool settle(struct backend *backend, struct frame_req *req, struct picture *picture,
                   struct auto_limit *automatic, int *raises) {
    struct statistics s;
    uint64_t escaped = 0;
    req->limit = auto_limit_follow(automatic, req->limit, depth_of(req));
    for (*raises = 0; *raises < RAISES_MOST; ++*raises) {
        req->generation++;
        CHECK(draw(backend, req, picture));
        CHECK(backend_statistics(backend, &s));
        CHECK(picture->report.kept >= escaped);
        escaped = s.pixels - s.interior;
        const uint32_t limit = auto_limit_judge(automatic, &s, req->limit, depth_of(req), 0, false);
        CHECK(limit >= req->limit);
        if (limit == req->limit)
            return true;
        req->limit = limit;
    }
    printf("%s: never content, at %u\n", subject, req->limit);
    return false;
}

/* Returns the number of pixels that escape after `from` and up to `to` steps. */
static size_t between(const struct picture *picture, uint32_t from, uint32_t to) {
    size_t found = 0;
    for (size_t i = 0; i < picture->pixels; i++) {
        const uint32_t count = picture->target.planes.count[i];
        found += !(count & SAMPLE_INTERIOR) && count > from && count <= to;
    }
    return found;
}

static double iterations(const struct picture *picture, uint32_t limit) {
    double sum = 0;
    for (size_t i = 0; i < picture->pixels; i++) {
        const uint32_t count = picture->target.planes.count[i] & SAMPLE_COUNT_MASK;
        sum += count < limit ? count : limit;
    }
    return sum;
}

static uint32_t least_limit(const struct picture *picture, uint32_t enough) {
    uint32_t least = enough;
    for (double limit = enough; limit >= 1; limit /= 1.1) {
        const uint32_t to = (uint32_t)fmin(16 * limit, FRAME_LIMIT_MAX);
        if ((double)between(picture, (uint32_t)limit, to) >= DIFFERENT * (double)picture->pixels)
            break;
        least = (uint32_t)limit;
    }
    return least;
}

static bool check_view(struct backend *backend, const struct bench_view *view, uint32_t limit,
                       double *sum, int *views) {
    struct auto_limit automatic = {.on = true};
    int raises;
    subject = view->name;
    SCOPED(frame_req, req, 1, 1);
    set_view(&req, view, limit);
    SCOPED(picture, picture, req.width_px, req.height_px);
    CHECK(settle(backend, &req, &picture, &automatic, &raises));
    const uint32_t chosen = req.limit;
    req.limit = chosen * 16;
    CHECK(draw(backend, &req, &picture));
    const double differ = (double)between(&picture, chosen, req.limit) / (double)picture.pixels;
    printf("%-14s %5u to %6u in %d raises; 16 times that changes %.3f %%", view->name, limit,
           chosen, raises, 100 * differ);
    CHECK(differ < DIFFERENT);
    if (automatic.choice.need > 0 && chosen > limit) {
        const uint32_t least = least_limit(&picture, chosen);
        const double waste = iterations(&picture, chosen) / iterations(&picture, least);
        printf("; %u would do, in 1/%.2f of the iterations", least, waste);
        CHECK(waste < WASTE_MOST);
        *sum += log(waste);
        ++*views;
    }
    puts("");
    return true;
}

static bool check_views(struct backend *backend, const struct bench_view *view) {
    static const uint32_t limits[] = {50, 1000};
    double sum = 0;
    int views = 0;
    for (; view->name; view++)
        for (size_t i = 0; i < 2 && !(view->flags & BENCH_DEEP); i++)
            if (!check_view(backend, view, limits[i], &sum, &views))
                return false;
    subject = "all views";
    CHECK(views > 4 && exp(sum / views) < WASTE_MEAN);
    return true;
}

/* --- in motion --- */

/* Flies there and back, one notch of the wheel at a time; each picture is drawn as the explorer
 * draws it in motion. Checks the largest share of pixels that are black only because of the
 * limit. */
static bool check_flight(struct backend *backend, const struct bench_view *view) {
    struct statistics s;
    struct auto_limit automatic = {.on = true};
    subject = view->name;
    SCOPED(frame_req, req, FLIGHT_WIDTH, FLIGHT_HEIGHT);
    set_view(&req, view, 1000);
    req.width_px = FLIGHT_WIDTH;
    req.height_px = FLIGHT_HEIGHT;
    SCOPED(picture, picture, req.width_px, req.height_px);
    const double depth = depth_of(&req);
    const int notches = (int)(depth / log2(1.5));
    double worst = 0;
    for (int i = 0; i <= 2 * notches; i++) {
        const int notch = i <= notches ? i : 2 * notches - i;
        const double factor = exp2(notch * log2(1.5) - depth_of(&req));
        view_zoom_at(&req.view, factor, FLIGHT_WIDTH / 2.0, FLIGHT_HEIGHT / 2.0, FLIGHT_WIDTH,
                     FLIGHT_HEIGHT);
        const uint32_t limit = auto_limit_follow(&automatic, req.limit, depth_of(&req));
        req.limit = 16 * limit;
        CHECK(draw(backend, &req, &picture));
        worst = fmax(worst, (double)between(&picture, limit, req.limit) / (double)picture.pixels);
        req.limit = limit;
        CHECK(draw(backend, &req, &picture) && backend_statistics(backend, &s));
        req.limit = auto_limit_judge(&automatic, &s, limit, depth_of(&req), 0, true);
    }
    printf("%-14s %d notches there and back: %.2f %% too black, at most\n", view->name, notches,
           100 * worst);
    CHECK(worst < BLACK);
    return true;
}

static bool check_flights(struct backend *backend) {
    for (const struct bench_view *view = more_views; view->name && view < more_views + MOST; view++)
        if (!check_flight(backend, view))
            return false;
    return true;
}

/* --- from view to view --- */

/* Makes statistics that halve from octave to octave, as usual; `interior` of a million pixels are
 * left. */
static struct statistics falling(uint32_t limit, uint64_t interior) {
    struct statistics s;
    statistics_init(&s);
    s.pixels = 1000000;
    s.interior = interior;
    s.least = 8;
    s.most = limit - limit / 20;
    for (unsigned b = statistics_bucket(8); b <= statistics_bucket(s.most); b++)
        s.histogram[b] = (uint64_t)(1.2e5 / statistics_bucket_least(b));
    return s;
}

static bool check_round(void) {
    subject = "round numbers";
    CHECK(auto_limit_round(0) == 1 && auto_limit_round(1) == 1 && auto_limit_round(1000) == 1000);
    CHECK(auto_limit_round(1101) == 1200 && auto_limit_round(1050) == 1000);
    CHECK(auto_limit_round(9500) == 10000 && auto_limit_round(1e30) == AUTO_LIMIT_MOST);
    return true;
}

/* Checks the steps of a picture at rest and in motion, cheap or not. */
static bool check_choices(void) {
    subject = "choices";
    struct statistics s = falling(200, 400000), none = {.pixels = 1000000, .interior = 1000000};
    none.least = UINT32_MAX;
    struct auto_limit_choice c = auto_limit_choose(&s, 200, 5, 0, false);
    CHECK(c.why == AUTO_LIMIT_MORE && c.limit > 300 && c.limit <= 1000 && c.late > 0.001);
    c = auto_limit_choose(&s, 200, 5, 1e3, false);
    CHECK(c.why == AUTO_LIMIT_SLOW && c.limit == 200);
    c = auto_limit_choose(&s, 200, 5, 1e9, false);
    CHECK(c.why == AUTO_LIMIT_MORE);
    c = auto_limit_choose(&s, 200, 5, 0, true);
    CHECK(c.why == AUTO_LIMIT_ENOUGH && c.limit == 200);
    /* A raise costs only the steps between the limits: here 3e10, in 10 s. */
    c = auto_limit_choose(&none, 10000, 40, 3.1e6, false);
    CHECK(c.why == AUTO_LIMIT_MORE && c.limit == 40000);
    c = auto_limit_choose(&none, 10000, 40, 2.9e6, false);
    CHECK(c.why == AUTO_LIMIT_SLOW && c.limit == 10000);
    s = falling(20000, 400000);
    c = auto_limit_choose(&s, 20000, 5, 0, false);
    CHECK(c.why == AUTO_LIMIT_ENOUGH && c.limit == 20000 && c.need > 300 && c.need < 5000);
    s.interior = 0;
    CHECK(auto_limit_choose(&s, 20000, 5, 0, false).why == AUTO_LIMIT_ENOUGH);
    uint32_t limit = 50;
    for (int i = 0; i < 20 && c.why != AUTO_LIMIT_NOTHING; i++) {
        c = auto_limit_choose(&none, limit, 10, 0, false);
        CHECK(c.need == 0 && (c.limit > limit) == (c.why == AUTO_LIMIT_MORE));
        limit = c.limit;
    }
    CHECK(c.why == AUTO_LIMIT_NOTHING && limit > 10000);
    /* Deeper down it continues. */
    CHECK(auto_limit_choose(&none, limit, 40, 0, false).limit > limit);
    s = falling(AUTO_LIMIT_MOST, 900000);
    for (unsigned b = 90; b < 104; b++)
        s.histogram[b] = 20000;
    CHECK(auto_limit_choose(&s, AUTO_LIMIT_MOST, 40, 0, false).why == AUTO_LIMIT_END);
    return true;
}

static bool check_following(void) {
    subject = "following";
    struct auto_limit a = {0};
    char text[200];
    struct statistics s = falling(20000, 400000), enough = falling(2000, 400000);
    /* Switched off it does nothing. */
    CHECK(auto_limit_follow(&a, 700, 3) == 700 &&
          auto_limit_judge(&a, &s, 700, 3, 0, false) == 700);
    CHECK(!auto_limit_message(&a, text, sizeof text));
    /* Without statistics it does not guess. */
    auto_limit_switch(&a, true);
    CHECK(auto_limit_follow(&a, 700, 3) == 700 && auto_limit_follow(&a, 700, 13) == 700);
    CHECK(!auto_limit_message(&a, text, sizeof text));
    /* Settled: one message. */
    CHECK(auto_limit_follow(&a, 2000, 10) == 2000);
    CHECK(auto_limit_judge(&a, &enough, 2000, 10, 0, false) == 2000);
    CHECK(auto_limit_message(&a, text, sizeof text) && strstr(text, "limit 2000 (auto): 0.0"));
    CHECK(!auto_limit_message(&a, text, sizeof text));
    CHECK(auto_limit_judge(&a, &enough, 2000, 10, 0, false) == 2000);
    CHECK(!auto_limit_message(&a, text, sizeof text));
    /* A pan changes nothing, a zoom in raises, a zoom out lowers, and the way back restores. */
    CHECK(auto_limit_follow(&a, 2000, 10) == 2000);
    CHECK(auto_limit_follow(&a, 2000, 24) == 4000);
    CHECK(auto_limit_follow(&a, 4000, 10) == 2000);
    CHECK(auto_limit_follow(&a, 2000, 3) == 1000);
    /* A limit that is far too high stays until the zoom changes; then it does not oscillate. */
    CHECK(auto_limit_judge(&a, &s, 20000, 3, 0, false) == 20000);
    uint32_t limit = auto_limit_follow(&a, 20000, 2.9);
    CHECK(limit >= 1000 && limit < 5000);
    for (int i = 0; i < 4; i++) {
        CHECK(auto_limit_judge(&a, &enough, limit, i % 2 ? 3 : 2.9, 0, false) == limit);
        CHECK(auto_limit_follow(&a, limit, i % 2 ? 2.9 : 3) == limit);
    }
    /* Three times the needed limit is not far too high. */
    struct auto_limit spare = {
        .on = true, .limit = 1000, .depth = 10, .from = 1000, .from_depth = 10};
    spare.choice = (struct auto_limit_choice){.limit = 1000, .need = 333};
    CHECK(auto_limit_follow(&spare, 1000, 10.01) == 1000);
    spare.choice.need = 100;
    CHECK(auto_limit_follow(&spare, 1000, 10.02) == 200);
    /* A limit that was set elsewhere counts. */
    CHECK(auto_limit_follow(&a, 123, 9) == 123 && auto_limit_follow(&a, 123, 9.5) == 123);
    /* Never below the least limit, and not a limit that only a black picture caused. */
    struct statistics none = {.pixels = 100, .interior = 100, .least = UINT32_MAX};
    CHECK(auto_limit_judge(&a, &none, 50000, 12, 0, false) == 50000);
    CHECK(auto_limit_message(&a, text, sizeof text) && strstr(text, "nothing escapes"));
    CHECK(auto_limit_follow(&a, 50000, 11) < 10000);
    CHECK(auto_limit_judge(&a, &enough, 2000, 30, 0, false) == 2000);
    CHECK(auto_limit_follow(&a, 2000, 0) >= AUTO_LIMIT_LEAST);
    /* After auto_limit_reset, a limit that was set elsewhere is not lowered, even if it is the
     * same number. */
    CHECK(auto_limit_judge(&a, &s, 20000, 3, 0, false) == 20000);
    auto_limit_reset(&a);
    CHECK(auto_limit_follow(&a, 20000, 2) == 20000);
    return true;
}

/* Checks the messages. After it was switched on by hand, the automatic limit reports the limit on
 * which it settles. Otherwise only failures to adapt are reported, once for each limit. */
static bool check_telling(void) {
    subject = "telling";
    struct auto_limit a = {.on = true};
    char text[200];
    struct statistics enough = falling(20000, 400000), low = falling(200, 400000);
    CHECK(auto_limit_judge(&a, &enough, 20000, 5, 0, false) == 20000);
    CHECK(!auto_limit_message(&a, text, sizeof text));
    /* A higher limit changes less than a hundredth of the pixels, or more. */
    struct statistics much = low;
    much.pixels /= 10;
    much.interior /= 10;
    const struct auto_limit_choice few = auto_limit_choose(&low, 200, 5, 1e3, false);
    CHECK(few.why == AUTO_LIMIT_SLOW && few.missed > 0.001 && few.missed < 0.01);
    CHECK(auto_limit_judge(&a, &low, 200, 5, 1e3, false) == 200);
    CHECK(!auto_limit_message(&a, text, sizeof text));
    CHECK(auto_limit_judge(&a, &much, 200, 5, 1e2, false) == 200);
    CHECK(auto_limit_message(&a, text, sizeof text) &&
          strstr(text, "limit held at 200 to stay fast"));
    CHECK(auto_limit_judge(&a, &much, 200, 5, 1e2, false) == 200);
    CHECK(!auto_limit_message(&a, text, sizeof text));
    CHECK(auto_limit_judge(&a, &much, 201, 5.5, 1e2, false) == 201);
    CHECK(auto_limit_message(&a, text, sizeof text) &&
          strstr(text, "limit held at 201 to stay fast"));
    auto_limit_switch(&a, true);
    CHECK(auto_limit_judge(&a, &low, 200, 5, 1e3, false) == 200);
    CHECK(auto_limit_message(&a, text, sizeof text) &&
          strstr(text, "limit held at 200 to stay fast"));
    auto_limit_switch(&a, true);
    CHECK(auto_limit_judge(&a, &enough, 20000, 5, 0, false) == 20000);
    CHECK(auto_limit_message(&a, text, sizeof text) && strstr(text, "limit 20000 (auto)"));
    CHECK(auto_limit_judge(&a, &enough, 21000, 5.5, 0, false) == 21000);
    CHECK(!auto_limit_message(&a, text, sizeof text));
    return true;
}

/* Checks the switched-off limit: it reports once that much is undecided, and again after a picture
 * that was decided. */
static bool check_undecided(void) {
    subject = "undecided";
    struct auto_limit a = {0};
    char text[200];
    struct statistics enough = falling(20000, 400000);
    struct statistics none = {.pixels = 1000000, .interior = 1000000, .least = UINT32_MAX};
    CHECK(auto_limit_judge(&a, &enough, 20000, 5, 0, false) == 20000);
    CHECK(!auto_limit_message(&a, text, sizeof text));
    for (int i = 0; i < 2; i++) {
        CHECK(auto_limit_judge(&a, &none, 100, 20, 0, true) == 100);
        CHECK(!auto_limit_message(&a, text, sizeof text)); /* no message in motion */
        CHECK(auto_limit_judge(&a, &none, 100, 20, 0, false) == 100);
        CHECK(auto_limit_message(&a, text, sizeof text) && strstr(text, "after 100 iterations"));
        CHECK(auto_limit_judge(&a, &none, 101, 20, 0, false) == 101);
        CHECK(!auto_limit_message(&a, text, sizeof text));
        CHECK(auto_limit_judge(&a, &enough, 20000, 5, 0, false) == 20000);
    }
    return true;
}

/* Checks that a large picture gets the limit of one with 160000 pixels. */
static bool search_for(struct backend *backend, const struct bench_view *view, int width_px,
                       int height_px, uint32_t *limit) {
    SCOPED(frame_req, req, 1, 1);
    bench_view_request(view, &req);
    req.width_px = width_px;
    req.height_px = height_px;
    req.limit = 1000;
    const bool ok = still_find_limit(backend, &req);
    *limit = req.limit;
    return ok;
}

static bool check_search(struct backend *backend) {
    for (const struct bench_view *view = more_views; view->name && view < more_views + MOST;
         view++) {
        uint32_t large, small;
        CHECK(search_for(backend, view, 1600, 1000, &large));
        CHECK(search_for(backend, view, 506, 316, &small));
        if (large != small)
            printf("%s: the limit of a large picture is %" PRIu32 ", not %" PRIu32 "\n", view->name,
                   large, small);
        CHECK(large == small);
    }
    return true;
}

int main(void) {
    struct backend *backend = open_ready(NULL, plain);
    const bool ok = check_round() && check_choices() && check_following() && check_telling() &&
                    check_undecided() && backend && check_views(backend, bench_views) &&
                    check_views(backend, more_views) && check_flights(backend) &&
                    check_search(backend);
    backend_close(backend);
    return ok ? 0 : 1;
}
