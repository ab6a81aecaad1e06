/* Paths: text, hostile files, and the camera of tours. */
#include "app/movie/path/tour.h"
#include "app/movie/path/vary.h"
#include "tests/shared/check.h"
#include <math.h>
#include <unistd.h>

#define FILE_NAME "p.fathom-path"
#define ASPECT    (16.0 / 9)

static void write_file(const char *text) {
    FILE *file = fopen(FILE_NAME, "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void add(struct path *path, const char *re, const char *im, const char *zoom, double angle,
                double seconds) {
    struct scene scene;
    struct setting_problem problem;
    scene_init(&scene);
    CHECK(setting_parse(SETTING_ZOOM, &scene, zoom, &problem));
    CHECK(setting_parse(SETTING_RE, &scene, re, &problem));
    CHECK(setting_parse(SETTING_IM, &scene, im, &problem));
    scene.view.angle = angle;
    struct path_stop *stop = path_add(path, &scene);
    CHECK(stop);
    if (stop)
        stop->seconds = seconds;
    scene_finish(&scene);
}

static const struct tour_options options = {.aspect = ASPECT, .ease_s = 1, .speed = 1.5};

/* Returns how far two views are apart, in frame heights of the first one and octaves. */
static double distance(const struct view *a, const struct view *b) {
    mpfr_t re, im;
    mpfr_inits2(64, re, im, (mpfr_ptr)NULL);
    mpfr_sub(re, a->re, b->re, MPFR_RNDN);
    mpfr_sub(im, a->im, b->im, MPFR_RNDN);
    mpfr_hypot(re, re, im, MPFR_RNDN);
    mpfr_mul(re, re, a->zoom, MPFR_RNDN);
    mpfr_div(im, a->zoom, b->zoom, MPFR_RNDN);
    mpfr_log2(im, im, MPFR_RNDN);
    const double result = mpfr_get_d(re, MPFR_RNDN) / 4 + fabs(mpfr_get_d(im, MPFR_RNDN)) +
                          fabs(remainder(a->angle - b->angle, 2 * M_PI));
    mpfr_clears(re, im, (mpfr_ptr)NULL);
    return result;
}

static double distance_at(const struct shot *shot, double time, const struct view *view) {
    struct scene scene;
    scene_init(&scene);
    shot_scene(shot, time, &scene);
    const double result = distance(&scene.view, view);
    scene_finish(&scene);
    return result;
}

/* Checks that the camera passes every stop, does not jump, and that shots follow each other. */
static void check_camera(const struct path *path, size_t shots) {
    struct tour tour;
    struct scene end;
    CHECK(tour_init(&tour, path, &options));
    CHECK(tour.count == shots);
    double second = 0;
    scene_init(&end);
    for (size_t i = 0; i < tour.count; i++) {
        const struct shot *shot = &tour.shots[i];
        CHECK(shot->start_s == second && shot->seconds > 0);
        CHECK(tour_shot(&tour, second + shot->seconds / 2) == shot);
        second += shot->seconds;
        if (shot->from_share == 0)
            CHECK(distance_at(shot, 0, &shot->from->scene.view) < 1e-9);
        if (shot->to_share == 1)
            CHECK(distance_at(shot, 1, &shot->to->scene.view) < 1e-9);
        if (i > 0)
            CHECK(distance_at(shot, 0, &end.view) < 1e-9);
        shot_scene(shot, 1, &end);
    }
    CHECK(second == tour.seconds);
    scene_finish(&end);
    tour_finish(&tour);
}

static void check_tours(void) {
    struct path path = {0};
    add(&path, "-0.5", "0", "1.5", 0, 0);
    add(&path, "-0.743643887", "0.131825904", "1e12", 0.5, 7);   /* a zoom */
    add(&path, "-0.7436438870001", "0.131825904", "1e12", 1, 2); /* a pan of 0.025 heights */
    path.stops[2].hold = 1.5;                                    /* a rest */
    add(&path, "-0.1592", "1.0317", "1e20", 0, 9);               /* out and in */
    add(&path, "-0.1592", "1.0317", "3", 0, 0);                  /* out */
    check_camera(&path, 6);
    path_reverse(&path);
    check_camera(&path, 6);
    CHECK(path.stops[1].seconds == 0 && path.stops[2].seconds == 9 && path.stops[4].seconds == 7);
    path_finish(&path);
    char deep[1100] = "-1.";
    memset(deep + 3, '7', 1050);
    add(&path, deep, "0.1", "1e1000", 0, 0);
    add(&path, "0.3", "0.1", "1e1000", 0, 0);
    check_camera(&path, 2); /* places that differ by far more than a double counts frames */
    path_finish(&path);
    struct tour tour;
    CHECK(!tour_init(&tour, &path, &options));
    tour_finish(&tour);
}

/* Checks that a path whose camera rotates has no jumps, and that the way back has the frames of the
 * way. Ways of other lengths would begin and end with other speeds. */
static void check_turns(void) {
    struct path path = {0};
    add(&path, "-0.743643887", "0.131825904", "2", 0, 0);
    add(&path, "-0.743643887", "0.131825904", "1e6", 0.5, 4);
    add(&path, "-0.74", "0.13", "30", 0, 4);
    add(&path, "-0.743643887", "0.131825904", "1e3", -2, 4);
    path.stops[1].turns = 0.3;
    path.stops[2].turns = -1.45;
    path.stops[3].turns = 2.25;
    path.stops[3].hold = 1;
    struct tour way, back, both;
    struct view view, again;
    CHECK(tour_init(&way, &path, &options) && way.count == 4);
    path_reverse(&path);
    CHECK(tour_init(&back, &path, &options) && back.count == 4 && back.seconds == 13);
    path_reverse(&path);
    CHECK(path_return(&path) && path.count == 7);
    CHECK(tour_init(&both, &path, &options) && both.count == 7 && tour_join(&both, true));
    CHECK(both.count == 6);
    view_init(&view);
    view_init(&again);
    double angle = 0;
    for (int i = 0; i <= 1200; i++) {
        const struct shot *shot = tour_shot(&way, i * 0.01);
        const double time = shot_time(shot, i * 0.01);
        const double now = leg_angle(&shot->leg, timeline_at(&shot->timeline, time));
        CHECK(i == 0 || fabs(now - angle) < 0.1);
        angle = now;
        tour_view(&way, i * 0.01, &view);
        tour_view(&back, 13 - i * 0.01, &again);
        CHECK(distance(&view, &again) < 1e-6);
        tour_view(&both, i * 0.01, &again);
        CHECK(distance(&view, &again) < 1e-6);
        tour_view(&both, 25 - i * 0.01, &again);
        CHECK(distance(&view, &again) < 1e-6);
    }
    for (size_t i = 0; i < both.count; i++)
        CHECK(both.shots[i].files == (i < 3 ? i : 5 - i) && both.shots[i].shared);
    view_finish(&view);
    view_finish(&again);
    tour_finish(&way);
    tour_finish(&back);
    tour_finish(&both);
    path_finish(&path);
}

/* Checks where the camera comes to rest between ways at one depth: where it turns back, but not at
 * a stop on the way. */
static void check_level(bool density) {
    struct path path = {0};
    struct tour tour;
    add(&path, "-0.70", "0.1", "30", 0, 3);
    add(&path, "-0.71", "0.1", "30", 0, 3);
    add(&path, "-0.72", "0.1", "30", 0, 3);
    for (size_t i = 0; density && i < path.count; i++)
        path.stops[i].scene.orbit_density = true;
    CHECK(path_return(&path) && tour_init(&tour, &path, &options) && tour.count == 4);
    for (size_t i = 0; i < tour.count; i++)
        CHECK((tour.shots[i].timeline.ease_out > 0) == (i % 2 == 1));
    tour_finish(&tour);
    path_finish(&path);
    add(&path, "-0.5", "0", "1.5", 0, 0); /* the same view, and two looks */
    add(&path, "-0.5", "0", "1.5", 0, 0);
    path.stops[1].scene.light_angle += 10;
    CHECK(path_return(&path) && tour_init(&tour, &path, &options) && tour.count == 2);
    CHECK(tour.shots[0].timeline.ease_out > 0 && tour.shots[1].timeline.ease_in > 0);
    tour_finish(&tour);
    path_finish(&path);
}

static void check_text(void) {
    struct path path = {0}, again = {0};
    add(&path, "-0.5", "0.125", "1.5", 0, 0);
    add(&path, "-0.743643887037158704752191506114774", "0.131825904205311970493132056385139",
        "1e30", 0.25, 3.5);
    path.stops[1].hold = 0.1;
    path.stops[1].turns = -2.25;
    path.stops[1].cycles = 3;
    path.stops[1].speed = 0.7;
    unlink(FILE_NAME);
    CHECK(path_save(&path, FILE_NAME) && path_load(&again, FILE_NAME));
    CHECK(again.count == 2 && view_equal(&again.stops[1].scene.view, &path.stops[1].scene.view));
    char *text = path_text(&path), *copy = path_text(&again);
    CHECK(text && copy && strcmp(text, copy) == 0);
    CHECK(!path_save(&path, FILE_NAME)); /* an older file stays */
    free(text);
    free(copy);
    path_finish(&path);
    path_finish(&again);
    CHECK(path_has_ending("a.fathom-path") && !path_has_ending(".fathom-path") &&
          !path_has_ending("a.fathom"));
}

static void check_hostile(void) {
    static const char *const texts[] = {
        "",
        "\n\n",
        "[view]\nre = 1\n[stop]\n",
        "[stop]\n",
        "[stop]\nseconds = -1\n[view]\nre = 0\n",
        "[stop]\nseconds = nan\n[view]\nre = 0\n",
        "[stop]\nhold = 1e300\n[view]\nre = 0\n",
        "[stop]\ncolour = red\n[view]\nre = 0\n",
        "[stop]\nview = nowhere.fathom\n",
        "[stop]\nview = p.fathom-path\n",
        "[stop]\nstyle = nothing at all\n[view]\nre = 0\n",
        "[stop]\n[view]\nre = zero\n",
        "[stop\n[view]\nre = 0\n",
        "[stop]\n\001\n[view]\nre = 0\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct path path = {0};
        write_file(texts[i]);
        if (path_load(&path, FILE_NAME))
            printf("text %zu is accepted\n", i);
        CHECK(path.count == 0 && !path.stops);
    }
    unlink(FILE_NAME);
}

static void check_vary(void) {
    static const char *const wrong[] = {"",
                                        "offset",
                                        "offset=1",
                                        "offset=..",
                                        "palette=ember..ice",
                                        "offset=0..x",
                                        "offset=0..1,",
                                        "zoom=1..2",
                                        "samples=0..5"};
    struct path path = {0};
    struct tour tour;
    struct scene scene;
    add(&path, "0", "0", "1", 0, 0);
    add(&path, "0", "0", "1", 0, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!vary_path(&path, wrong[i]));
    CHECK(vary_path(&path, "offset=0.25..2.75,julia-re=-0.5..0.5,light-angle=10..20,angle=0..720"));
    CHECK(tour_init(&tour, &path, &options) && tour.count == 1 && shot_morphs(tour.shots));
    scene_init(&scene);
    shot_scene(tour.shots, 0.5, &scene);
    CHECK(fabs(scene.offset - 0.5) < 1e-12 && fabs(scene.light_angle - 15) < 1e-12);
    CHECK(mpfr_zero_p(scene.fractal.re) && scene.fractal.julia);
    CHECK(fabs(remainder(scene.view.angle, 2 * M_PI)) < 1e-9);
    shot_scene(tour.shots, 0.3, &scene);
    const double share = shot_share(tour.shots, 0.3);
    CHECK(fabs(remainder(0.25 + 2.5 * share - scene.offset, 1)) < 1e-9);
    CHECK(fabs(remainder(4 * M_PI * share - scene.view.angle, 2 * M_PI)) < 1e-9);
    scene_finish(&scene);
    tour_finish(&tour);
    path_finish(&path);
}

int main(void) {
    log_start();
    check_tours();
    check_turns();
    check_level(false);
    check_level(true);
    check_text();
    check_hostile();
    check_vary();
    return failures > 0;
}
