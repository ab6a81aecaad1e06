/* Explorer without a window: how actions change it, its requests, and the motion of pictures. Also
 * its title, the filling of coarse passes, and formatted times. */
#include "app/explore/orbits.h"
#include "app/picture/lattice_fill.h"
#include "app/stats.h"
#include "app/title.h"
#include "render/density/density_cells.h"
#include "render/density/density_counts.h"
#include "tests/shared/explorers.h"

#define SIDE 37

/* --- the title --- */

static bool titled(const struct title *title, const struct view *view, const char *expected) {
    char text[300];
    SCOPED(fractal, fractal);
    title_text(title, view, explorer_at_home(view, &fractal, 480, 1200), text, sizeof text);
    if (strcmp(text, expected) != 0)
        printf("the title is '%s', not '%s'\n", text, expected);
    return strcmp(text, expected) == 0;
}

static void check_title(void) {
    struct title title;
    const char *why;
    title_init(&title);
    SCOPED(view, view);
    CHECK(titled(&title, &view, "fathom"));
    CHECK(view_set_zoom(&view, "2500", &why) && titled(&title, &view, "zoom 2500 - fathom"));
    title_name(&title, "/some/where/sea horse.fathom", &view);
    CHECK(titled(&title, &view, "sea horse - fathom"));
    title_name(&title, "shot\033[2J.png", &view);
    CHECK(titled(&title, &view, "shot?[2J.png - fathom"));
    CHECK(view_set_zoom(&view, "1.27e14", &why) && titled(&title, &view, "zoom 1.3e14 - fathom"));
    CHECK(view_set_zoom(&view, "99000", &why) && titled(&title, &view, "zoom 99000 - fathom"));
    CHECK(view_set_zoom(&view, "110000", &why) && titled(&title, &view, "zoom 1.1e5 - fathom"));
    CHECK(view_set_zoom(&view, "3e900", &why) && titled(&title, &view, "zoom 3.0e900 - fathom"));
    view_home(&view);
    CHECK(titled(&title, &view, "fathom"));
    home_at(&view, 480, 1200);
    CHECK(titled(&title, &view, "fathom"));
    home_at(&view, 480, 1201);
    CHECK(titled(&title, &view, "zoom 0.52 - fathom"));
    title_name(&title,
               "Gr\xc3\xb6\xc3\x9f"
               "e.fathom",
               &view);
    CHECK(titled(&title, &view, "Gr??e - fathom"));
    char name[1000];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    title_name(&title, name, &view);
    CHECK(strlen(title.name) == TITLE_MAX - 1);
    title_finish(&title);
    title_finish(&title);
}

/* --- similarities --- */

static void check_similarities(void) {
    const struct similarity s = {cexp(0.3 + 0.7 * I), 5 - 2 * I}, t = {2, 1 + I};
    const double complex p = 3 + 4 * I;
    CHECK(near(similarity_apply(similarity_compose(s, t), p),
               similarity_apply(s, similarity_apply(t, p)), 1e-12));
    CHECK(near(similarity_apply(similarity_inverse(s), similarity_apply(s, p)), p, 1e-12));
    /* Settling keeps the fixed point, and two half steps equal a whole one. */
    const double complex fixed = s.offset / (1 - s.factor);
    struct similarity once = similarity_towards_identity(s, 0.25);
    const struct similarity twice =
        similarity_towards_identity(similarity_towards_identity(s, 0.5), 0.5);
    CHECK(near(similarity_apply(once, fixed), fixed, 1e-12));
    CHECK(near(once.factor, twice.factor, 1e-12) && near(once.offset, twice.offset, 1e-12));
    once = similarity_towards_identity((struct similarity){1, 8 - 6 * I}, 0.5);
    CHECK(once.factor == 1 && near(once.offset, 4 - 3 * I, 1e-12));
    once = similarity_towards_identity(similarity_identity, 0.5);
    CHECK(once.factor == 1 && once.offset == 0);
    const double way = similarity_way(s, 10, 10);
    CHECK(fabs(similarity_way(similarity_towards_identity(s, 0.25), 10, 10) - way / 4) < 1e-9);
    CHECK(way > 0 && similarity_way(similarity_identity, 9, 9) == 0);
    CHECK(similarity_displacement((struct similarity){1, 3 + 4 * I}, 10, 10) == 5);
}

/* Checks that a turned view shows the picture turned the other way, by points of the plane. */
static void check_between(void) {
    const char *why;
    SCOPED(view, a);
    SCOPED(view, b);
    CHECK(view_set_centre(&b, "-0.45", "0.03", 0, &why) && view_set_zoom(&b, "2.25", &why) &&
          view_set_angle_degrees(&b, 30, &why));
    const struct similarity s = similarity_between(&a, HEIGHT, &b, 2 * HEIGHT);
    const double step_a = 4 / (1.5 * HEIGHT), step_b = 4 / (2.25 * 2 * HEIGHT);
    const double complex p = 70 - 40 * I; /* in b: right and up in the plane, then turned */
    const double complex c = -0.45 + 0.03 * I + conj(p) * step_b * cexp(I * b.angle);
    CHECK(near(similarity_apply(s, p), conj((c + 0.5) / step_a), 1e-9));
}

/* --- the explorer --- */

static void check_zoom(const char *depth) {
    EXPLORER(explorer, depth);
    SCOPED_COPY(view, before, &explorer.scene.view);
    const double complex p = 123.5 - WIDTH / 2 + I * (77.25 - HEIGHT / 2);
    /* Notches during each other's animation: the point stays throughout. */
    for (int i = 0; i < 12; i++) {
        apply(&explorer, ACTION_ZOOM, 123.5, 77.25, i % 4 == 3 ? -1 : 1);
        CHECK(explorer.changed && explorer_animating(&explorer) && explorer_moving(&explorer));
        CHECK(near(shown_at(&explorer, &before, p), p, 1e-6));
        explorer_advance(&explorer, 16);
        CHECK(near(shown_at(&explorer, &before, p), p, 1e-6));
    }
    for (int i = 0; i < 60; i++)
        explorer_advance(&explorer, 16);
    CHECK(!explorer_animating(&explorer) && !explorer_moving(&explorer));
    CHECK(near(shown_at(&explorer, &before, p), p, 1e-6));
    /* A zoom elsewhere before the first has settled: the point that is then under the pointer stays
     * from then on. */
    apply(&explorer, ACTION_ZOOM, 10, 10, 3);
    explorer_advance(&explorer, 30);
    const struct similarity back = similarity_inverse(explorer.camera);
    SCOPED_COPY(view, target, &explorer.scene.view);
    const double complex here = 600 - WIDTH / 2 + I * (300 - HEIGHT / 2);
    const double complex there = similarity_apply(back, here);
    apply(&explorer, ACTION_ZOOM, 600, 300, 2);
    for (int i = 0; i < 60; i++) {
        CHECK(near(shown_at(&explorer, &target, there), here, 1e-6));
        explorer_advance(&explorer, 16);
    }
}

static void check_pan(void) {
    EXPLORER(explorer, "1e300");
    SCOPED_COPY(view, before, &explorer.scene.view);
    struct grid_map map;
    apply(&explorer, ACTION_DRAG, 31, -17, 0);
    CHECK(!explorer_animating(&explorer) && explorer_moving(&explorer));
    CHECK(view_grid_map(&before, &explorer.scene.view, WIDTH, HEIGHT, &map) && map.dx == -31 &&
          map.dy == 17);
    apply(&explorer, ACTION_DRAG, -31, 17, 0);
    apply(&explorer, ACTION_DRAG_END, 0, 0, 0);
    CHECK(view_equal(&before, &explorer.scene.view));
    apply(&explorer, ACTION_SLIDE, 1, -2, 0);
    CHECK(view_grid_map(&before, &explorer.scene.view, WIDTH, HEIGHT, &map) && map.dx == 45 &&
          map.dy == -90);
    CHECK(near(shown_at(&explorer, &before, 0), 0, 1e-9));
    explorer_advance(&explorer, 5000);
    CHECK(explorer_animating(&explorer)); /* a jump of the clock does not skip the animation */
}

/* Checks that the picture of the screen's view lies where the camera shows the target's: zoomed,
 * moved and turned. */
static void check_screen_view(void) {
    EXPLORER(explorer, "1e30");
    SCOPED(view, seen);
    apply(&explorer, ACTION_ZOOM, 100, 50, 2);
    apply(&explorer, ACTION_TURN, 0, 0, 30);
    apply(&explorer, ACTION_SLIDE, 1, -2, 0);
    explorer_advance(&explorer, 20);
    explorer_screen_view(&explorer, &seen);
    const struct similarity place = similarity_between(&seen, HEIGHT, &explorer.scene.view, HEIGHT);
    CHECK(cabs(explorer.camera.factor) < 0.9 && fabs(carg(explorer.camera.factor)) > 0.1);
    CHECK(near(place.factor, explorer.camera.factor, 1e-9));
    CHECK(near(place.offset, explorer.camera.offset, 1e-6));
    explorer.camera = similarity_identity;
    explorer_screen_view(&explorer, &seen);
    CHECK(view_equal(&seen, &explorer.scene.view));
}

static void check_far_jump(void) {
    EXPLORER(explorer, "1e5000");
    apply(&explorer, ACTION_HOME, 0, 0, 0);
    CHECK(!explorer_animating(&explorer) && explorer.changed);
    struct scene scene;
    scene_init(&scene);
    scene.limit = 77;
    explorer_set_scene(&explorer, &scene);
    CHECK(explorer.scene.limit == 77 && !explorer_animating(&explorer));
}

static void check_ladder(void) {
    EXPLORER(explorer, "1");
    static const uint32_t up[] = {2000, 5000, 10000, 20000};
    for (size_t i = 0; i < sizeof up / sizeof *up; i++) {
        step(&explorer, SETTING_LIMIT, 1);
        CHECK(explorer.scene.limit == up[i]);
    }
    explorer.scene.limit = 1500;
    step(&explorer, SETTING_LIMIT, -1);
    CHECK(explorer.scene.limit == 1000);
    step(&explorer, SETTING_LIMIT, -100);
    CHECK(explorer.scene.limit == 1);
    step(&explorer, SETTING_LIMIT, 100);
    CHECK(explorer.scene.limit == FRAME_LIMIT_MAX);
    step(&explorer, SETTING_LIMIT, -1);
    CHECK(explorer.scene.limit == 2000000000u);
    explorer.scene.limit = 0;
    step(&explorer, SETTING_LIMIT, 1);
    CHECK(explorer.scene.limit == 1);
}

static void check_cycles(void) {
    EXPLORER(explorer, "1");
    const struct palette *palette = explorer.scene.palette;
    const enum precision precision = explorer.scene.precision;
    for (size_t i = 0; i < palette_builtin_count(); i++) {
        step(&explorer, SETTING_PALETTE, 1);
        CHECK((explorer.scene.palette == palette) == (i + 1 == palette_builtin_count()));
    }
    for (int i = 0; i < PRECISION_COUNT; i++) {
        step(&explorer, SETTING_PRECISION, 1);
        CHECK((explorer.scene.precision == precision) == (i + 1 == PRECISION_COUNT));
    }
}

/* Checks the focus: pixels at the pointer on the screen are drawn first, even if it moved during a
 * zoom. */
static void check_focus(void) {
    EXPLORER(explorer, "100");
    SCOPED(frame_req, req, 1, 1);
    apply(&explorer, ACTION_ZOOM, 100, 50, 2);
    apply(&explorer, ACTION_POINT, 200, 120, 0);
    request(&explorer, &req);
    const double complex middle = WIDTH / 2 + I * (HEIGHT / 2);
    const double complex focus = req.focus_x_px + I * req.focus_y_px - middle;
    const double complex seen = similarity_apply(explorer.camera, focus) + middle;
    if (!near(seen, 200 + 120 * I, 2))
        printf("the focus is seen at %.0f, %.0f\n", creal(seen), cimag(seen));
    CHECK(cabs(explorer.camera.factor) < 0.8 && near(seen, 200 + 120 * I, 2));
}

/* Checks that a quick float picture of a moving view is drawn again at rest, and that generations
 * grow. */
static void check_requests(void) {
    EXPLORER(explorer, "100");
    SCOPED(frame_req, req, 1, 1);
    explorer.speed.per_ms[ROUTE_DIRECT][TYPE_DOUBLE] = 1e5;
    explorer.speed.per_ms[ROUTE_DIRECT][TYPE_FLOAT] = 4e5;
    apply(&explorer, ACTION_ZOOM, 639, 0, 1);
    request(&explorer, &req);
    CHECK(!explorer.changed && req.generation == 1 && req.reuse && req.type == TYPE_FLOAT);
    CHECK(req.width_px == WIDTH && req.height_px == HEIGHT && req.focus_x_px > WIDTH - 3 &&
          req.focus_y_px < 3);
    for (int i = 0; i < 60 && !explorer.changed; i++)
        explorer_advance(&explorer, 16);
    CHECK(explorer.changed && !explorer_moving(&explorer));
    request(&explorer, &req);
    CHECK(req.generation == 2 && req.type == TYPE_DOUBLE && !frame_req_problem(&req));
    explorer_learn(&explorer, &(struct findings){
                                  .report = &(struct backend_report){
                                      .generation = 2, .iterations = 5000000, .elapsed_ms = 10}});
    CHECK(explorer.speed.per_ms[ROUTE_DIRECT][TYPE_DOUBLE] == 5e5);
    explorer_learn(&explorer,
                   &(struct findings){.report = &(struct backend_report){
                                          .generation = 1, .iterations = 1, .elapsed_ms = 10}});
    CHECK(explorer.speed.per_ms[ROUTE_DIRECT][TYPE_DOUBLE] == 5e5);
    explorer_learn(&explorer,
                   &(struct findings){.report = &(struct backend_report){.generation = 2,
                                                                         .iterations = 1000000,
                                                                         .skipped = 8000000,
                                                                         .elapsed_ms = 10}});
    CHECK(explorer.speed.per_ms[ROUTE_DIRECT][TYPE_DOUBLE] ==
          9e5); /* skipped steps count as fast */
    explorer_resize(&explorer, 1, 1);
    request(&explorer, &req);
    CHECK(req.focus_x_px == 0 && req.focus_y_px == 0 && !frame_req_problem(&req));
}

/* --- density --- */

static bool refuses(const struct explorer *explorer, enum setting_id id) {
    return explorer_refusal(explorer, &(struct action){ACTION_STEP, .setting = id}) != NULL;
}

static void check_variants(void) {
    EXPLORER(explorer, "1");
    struct density *orbits = &explorer.scene.orbits;
    apply(&explorer, ACTION_VARIANT, 0, 0, 0);
    CHECK(orbits->orbits == DENSITY_ESCAPING && orbits->channels == 1);
    CHECK(explorer_refusal(&explorer, &(struct action){.kind = ACTION_VARIANT}) != NULL);
    CHECK(!refuses(&explorer, SETTING_METHOD));
    explorer.scene.limit = 0;
    step(&explorer, SETTING_ORBIT_DENSITY, 1);
    CHECK(explorer.scene.orbit_density && explorer.changed && explorer.scene.limit == 1);
    step(&explorer, SETTING_LIMIT, 11);
    CHECK(explorer.scene.limit == 5000 && strcmp(orbits_name(orbits), "Buddhabrot") == 0);
    CHECK(orbits->least == 0 && density_least(orbits) == 20);
    step(&explorer, SETTING_LEAST, 1);
    CHECK(orbits->least == 50);
    step(&explorer, SETTING_LEAST, 100);
    CHECK(orbits->least == 5000);
    step(&explorer, SETTING_LEAST, -2);
    CHECK(orbits->least == 1000);
    step(&explorer, SETTING_LIMIT, -4);
    CHECK(explorer.scene.limit == 200 && orbits->least == 200);
    step(&explorer, SETTING_LEAST, -100);
    CHECK(orbits->least == 1);
    step(&explorer, SETTING_LEAST, 2);
    apply(&explorer, ACTION_VARIANT, 0, 0, 0);
    CHECK(orbits->orbits == DENSITY_BOUNDED && orbits->least == 5 && orbits->limit[0] == 200);
    explorer.changed = false;
    step(&explorer, SETTING_LEAST, 1); /* there is nothing to choose */
    CHECK(refuses(&explorer, SETTING_LEAST) && refuses(&explorer, SETTING_METHOD) &&
          refuses(&explorer, SETTING_BY) && refuses(&explorer, SETTING_MAPPING) &&
          refuses(&explorer, SETTING_LAYER) && !refuses(&explorer, SETTING_PALETTE) &&
          !refuses(&explorer, SETTING_CURVE));
    CHECK(orbits->least == 5 && !explorer.changed && !density_problem(orbits));
    apply(&explorer, ACTION_VARIANT, 0, 0, 0);
    CHECK(orbits->orbits == DENSITY_ESCAPING && orbits->channels == 3 && explorer.changed);
    CHECK(orbits->limit[0] == 200 && orbits->limit[1] == 40 && orbits->limit[2] == 8);
    step(&explorer, SETTING_LIMIT, -3);
    CHECK(orbits->limit[0] == 20 && orbits->limit[1] == 4 && orbits->limit[2] == 1);
    step(&explorer, SETTING_LIMIT, -100);
    CHECK(orbits->limit[0] == 1 && orbits->limit[2] == 1 && orbits->least == 1);
    /* A limit that is changed in between applies as well. */
    step(&explorer, SETTING_ORBIT_DENSITY, 1);
    step(&explorer, SETTING_LIMIT, 9);
    step(&explorer, SETTING_ORBIT_DENSITY, 1);
    CHECK(orbits->limit[0] == 1000 && orbits->limit[1] == 200 && orbits->limit[2] == 40);
    apply(&explorer, ACTION_VARIANT, 0, 0, 0);
    CHECK(orbits->channels == 1 && orbits->limit[0] == 1000 && explorer.scene.limit == 1000);
}

/* Checks that a new tone does not request new counts. */
static void check_tones(void) {
    EXPLORER(explorer, "1");
    const struct tone *tone = &explorer.scene.tone;
    struct tone first = *tone;
    step(&explorer, SETTING_EXPOSURE, 1);
    CHECK(tone_equal(tone, &first));
    step(&explorer, SETTING_ORBIT_DENSITY, 1);
    explorer.changed = false;
    step(&explorer, SETTING_EXPOSURE, 3);
    CHECK(tone->exposure == 0.75 && explorer.tone_changed);
    step(&explorer, SETTING_EXPOSURE, -1000);
    CHECK(tone->exposure == -TONE_STOPS_MAX && !tone_problem(tone));
    step(&explorer, SETTING_GAMMA, 1);
    CHECK(tone->gamma == 1.1);
    step(&explorer, SETTING_GAMMA, -1000);
    CHECK(tone->gamma == TONE_GAMMA_MIN && !tone_problem(tone));
    first = *tone;
    for (int i = 0; i < TONE_CURVE_COUNT; i++) {
        step(&explorer, SETTING_CURVE, 1);
        CHECK(tone_equal(tone, &first) == (i + 1 == TONE_CURVE_COUNT));
    }
    const struct palette *palette = explorer.scene.palette;
    for (int i = 0; i < TONE_RAMP_COUNT; i++) {
        step(&explorer, SETTING_PALETTE, 1);
        CHECK(tone_equal(tone, &first) == (i + 1 == TONE_RAMP_COUNT));
    }
    step(&explorer, SETTING_METHOD, 1);
    CHECK(!explorer.changed && explorer.scene.palette == palette);
    CHECK(explorer.scene.method == METHOD_TILES);
}

/* Checks that the request for a density picture follows the scene, and does not change at rest. */
static void check_density_requests(void) {
    EXPLORER(explorer, "100");
    SCOPED(frame_req, req, 1, 1);
    SCOPED(density_req, density, 1, 1);
    step(&explorer, SETTING_ORBIT_DENSITY, 1);
    explorer.speed.per_ms[ROUTE_DIRECT][TYPE_DOUBLE] = 1e5;
    explorer.speed.per_ms[ROUTE_DIRECT][TYPE_FLOAT] = 4e5;
    apply(&explorer, ACTION_ZOOM, 639, 0, 1);
    explorer_begin_request(&explorer);
    explorer_density_request(&explorer, &req, &density);
    CHECK(!explorer.changed && density.generation == 1 && req.generation == 1);
    CHECK(density.width_px == WIDTH && density.height_px == HEIGHT && req.width_px == WIDTH);
    CHECK(density.type == TYPE_FLOAT && req.type == TYPE_FLOAT && req.first_stride == 1);
    CHECK(view_equal(&density.view, &explorer.scene.view) && view_equal(&req.view, &density.view));
    for (int i = 0; i < 60; i++)
        explorer_advance(&explorer, 16);
    CHECK(!explorer.changed && !explorer_moving(&explorer));
    step(&explorer, SETTING_PRECISION, 1);
    step(&explorer, SETTING_PRECISION, 1);
    explorer_begin_request(&explorer);
    explorer_density_request(&explorer, &req, &density);
    CHECK(density.generation == 2 && density.type == TYPE_DOUBLE && req.type == TYPE_DOUBLE);
}

/* Checks that the backend that counts nothing keeps the contract. */
static void check_null(void) {
    static uint32_t pixels[SIDE * SIDE];
    const struct backend_impl *const impls[] = {&backend_null, NULL};
    const struct backend_options options = {.threads = 0};
    struct backend *backend = backend_open(impls, "null", &options);
    const struct target target = {.rgba = pixels};
    struct tone tone;
    tone_init(&tone);
    SCOPED(density_req, req, SIDE, SIDE);
    req.generation = 7;
    req.samples = 1000;
    req.cells = density_cells_create(&req.density);
    CHECK(backend && backend_has_density(backend) &&
          backend_density_submit(backend, &req, &target));
    struct backend_report report = backend_poll(backend, 0);
    CHECK(report.state == BACKEND_DONE && report.generation == 7 && report.samples == 1024);
    CHECK(report.dirty.x1 == SIDE && report.dirty.y1 == SIDE && report.points == 0);
    CHECK(pixels[0] == COLOUR_ALPHA && pixels[SIDE * SIDE - 1] == COLOUR_ALPHA);
    CHECK(backend_poll(backend, 0).dirty.x1 == 0);
    SCOPED_MADE(density_counts, counts, &req);
    counts.count[3] = 5;
    CHECK(backend_density_read(backend, &counts) && counts.count[3] == 0 && counts.samples == 1024);
    const struct look look = {.orbit_density = true, .tone = tone};
    CHECK(!backend_recolour(backend, 6, 8, &look));
    CHECK(backend_density_submit(backend, &req, &target));
    backend_poll(backend, 0);
    CHECK(backend_recolour(backend, 7, 8, &look));
    CHECK(backend_poll(backend, 0).generation == 8);
    CHECK(backend_density_set_samples(backend, 0));
    report = backend_poll(backend, 0);
    CHECK(report.state == BACKEND_DONE && report.samples == 1024 && report.dirty.x1 == SIDE);
    CHECK(backend_density_set_samples(backend, 2000));
    CHECK(backend_poll(backend, 0).samples == 2048);
    backend_close(backend);
}

/* --- gaps and statistics --- */

static uint32_t expected_fill(const uint32_t *pixels, int x, int y, int first_stride) {
    for (int stride = 1, octave = 0; stride <= first_stride; stride *= 2, octave++) {
        const uint32_t pixel = pixels[(y & -stride) * SIDE + (x & -stride)];
        if (pixel >> 24)
            return (pixel & 0xffffff) | (uint32_t)(255 - LATTICE_FILL_OCTAVE * octave) << 24;
    }
    return 0;
}

static void check_gaps(void) {
    static uint32_t pixels[SIDE * SIDE], filled[SIDE * SIDE];
    unsigned long long random = 12345;
    for (int round = 0; round < 300; round++) {
        const int first_stride = 1 << random_next(&random) % 5;
        const unsigned density = (unsigned)(random_next(&random) % 9);
        for (int i = 0; i < SIDE * SIDE; i++)
            pixels[i] = random_next(&random) % 8 < density
                            ? (uint32_t)random_next(&random) | COLOUR_ALPHA
                            : 0;
        struct rect r = {(int)(random_next(&random) % SIDE), (int)(random_next(&random) % SIDE), 0,
                         0};
        r.x1 = r.x0 + 1 + (int)(random_next(&random) % (unsigned)(SIDE - r.x0));
        r.y1 = r.y0 + 1 + (int)(random_next(&random) % (unsigned)(SIDE - r.y0));
        lattice_fill_run(pixels, SIDE, r, first_stride, filled);
        int wrong = 0;
        for (int y = r.y0; y < r.y1; y++)
            for (int x = r.x0; x < r.x1; x++)
                wrong += filled[(y - r.y0) * (r.x1 - r.x0) + x - r.x0] !=
                         expected_fill(pixels, x, y, first_stride);
        CHECK(wrong == 0);
    }
    const struct rect touched = lattice_fill_touched((struct rect){3, 16, 5, 17}, 8, SIDE, 20);
    CHECK(touched.x0 == 3 && touched.y0 == 16 && touched.x1 == 8 && touched.y1 == 20);
}

static void check_stats(void) {
    SCOPED_MADE(stats, stats, 100);
    CHECK(stats_percentile(&stats, 0.99) == 0);
    for (int i = 1000; i >= 1; i--)
        stats_add(&stats, i);
    CHECK(stats.count == 100 && stats.seen == 1000 && stats.largest == 1000);
    CHECK(stats_percentile(&stats, 0.99) == 99 && stats_percentile(&stats, 0.5) == 50);
    CHECK(stats_percentile(&stats, 1) == 100 && stats_percentile(&stats, 0.001) == 1);
}

/* --- the view ahead --- */

/* Checks the view ahead in a held zoom, for which a reference will be needed soon: the point under
 * the pointer is in its middle, however far ahead it is. */
static void check_ahead(const char *zoom, double direction, bool deep) {
    const double complex place = 100.0 - 50 * I;
    EXPLORER(explorer, zoom);
    const struct backend_info info = {.types = {~0u, ~0u}, .ready = true};
    explorer_set_backend(&explorer, &info);
    SCOPED(frame_req, req, 1, 1);
    SCOPED(view, soon);
    SCOPED(view, screen);
    CHECK(!explorer_request_ahead(&explorer, &req, &soon)); /* no key is held */
    apply(&explorer, ACTION_POINT, WIDTH / 2.0 + creal(place), HEIGHT / 2.0 + cimag(place), 0);
    apply(&explorer, ACTION_GLIDE_ZOOM, 0, 0, direction);
    explorer_advance(&explorer, 90);
    CHECK(explorer_request_ahead(&explorer, &req, &soon) == deep);
    if (deep) {
        explorer_screen_view(&explorer, &screen);
        CHECK(near(similarity_apply(similarity_between(&screen, HEIGHT, &soon, HEIGHT), 0), place,
                   1e-6));
        CHECK(mpfr_equal_p(soon.re, req.view.re) && mpfr_equal_p(soon.im, req.view.im));
        CHECK(view_step_log2(&soon, 1) < view_step_log2(&screen, 1) - 2);
        CHECK(view_step_log2(&req.view, 1) < view_step_log2(&soon, 1) - 10);
        CHECK(req.route == ROUTE_PERTURBED && req.width_px == WIDTH && !req.lines);
        CHECK(req.limit == explorer.scene.limit);
        explorer_configure(&explorer, SHORTCUTS_ALL, true, true, true, 1);
        CHECK(explorer_request_ahead(&explorer, &req, &soon));
        CHECK(req.limit > explorer.scene.limit); /* the limit will rise */
    }
}

/* Checks how much deeper the zoom can go, which depends on what the backend draws. */
static void check_room(const char *zoom, bool perturbed, enum precision precision, double least,
                       double most) {
    EXPLORER(explorer, zoom);
    const struct backend_info info = {
        .types = {1u << TYPE_FLOAT | 1u << TYPE_DOUBLE, perturbed ? 1u << TYPE_DOUBLE : 0},
        .ready = true};
    explorer_set_backend(&explorer, &info);
    explorer.scene.precision = precision;
    const double room = explorer_room(&explorer) / log(10);
    CHECK(room >= least && room <= most);
}

int main(void) {
    check_title();
    check_similarities();
    check_between();
    check_zoom("1.5");
    check_zoom("1e300");
    check_zoom("1e4000");
    check_pan();
    check_screen_view();
    check_far_jump();
    check_ladder();
    check_cycles();
    check_focus();
    check_requests();
    check_variants();
    check_tones();
    check_density_requests();
    check_null();
    check_gaps();
    check_stats();
    check_room("1e5", true, PRECISION_AUTO, 99994, 99996);
    check_room("1e99999", true, PRECISION_AUTO, 0.9, 1.1);
    check_room("1e5", true, PRECISION_DOUBLE, 7, 9);
    check_room("1e5", false, PRECISION_AUTO, 7, 9);
    check_room("1e3", true, PRECISION_FLOAT, 0, 2);
    check_room("1e40", false, PRECISION_AUTO, -40, 0);
    check_ahead("1e40", 1, true);
    check_ahead("1e12", 1, true); /* doubles are still sufficient here */
    check_ahead("1e5", 1, false);
    check_ahead("1e40", -1, false);
    return failures > 0;
}
