/* Density pictures on their way to the screen, with backends and a presenter that only record
 * calls: when one is requested, held, shown and complete, and what happens if a device fails. */
#include "app/hud/hud_text.h"
#include "app/hud/insets/minimap.h"
#include "app/picture/inset/inset.h"
#include "render/base/clock.h"
#include "render/palette.h"

#define WIDTH        64
#define HEIGHT       48
#define SHOWN_PIXELS (WIDTH * HEIGHT)
#include "tests/picture/noting_backends.h"
#include "tests/shared/one_picture.h"

#define PATIENCE 30000            /* [ms] for work that takes a while */
#define ENOUGH   (WIDTH * HEIGHT) /* points that make a picture visible at once */

FAKE(0, "one", &fake_density)
FAKE(1, "two", &fake_density)
FAKE(2, "three", NULL)

struct parts {
    struct messages messages;
    struct active_backend *active;
    struct explorer explorer;
    struct picture picture;
};

static void start(struct parts *parts, const char *backend) {
    static const struct backend_impl *const impls[] = {&fake_0, &fake_1, &fake_2, NULL};
    const struct backend_options options = {.threads = 0};
    struct scene scene;
    scene_init(&scene);
    memset(&done, 0, sizeof done);
    memset(&shown, 0, sizeof shown);
    *parts = (struct parts){0};
    parts->active = active_backend_create(impls, backend, &options, &parts->messages);
    CHECK(parts->active);
    explorer_init(&parts->explorer, &scene, WIDTH, HEIGHT);
    picture_init(&parts->picture, NULL, parts->active, &parts->explorer);
}

static void finish(struct parts *parts) {
    picture_finish(&parts->picture);
    explorer_finish(&parts->explorer);
    active_backend_destroy(parts->active);
}

static void press(struct parts *parts, enum action_kind kind, double amount) {
    explorer_apply(&parts->explorer, &(struct action){.kind = kind, .amount = amount});
}

static void step(struct parts *parts, enum setting_id id, double steps) {
    explorer_apply(&parts->explorer,
                   &(struct action){.kind = ACTION_STEP, .setting = id, .amount = steps});
}

/* Submits as the loop does, but waits as long as necessary. The picture must not change the
 * explorer. */
static void submit(struct parts *parts) {
    for (int i = 0; i < PATIENCE && !picture_ready(&parts->picture); i++)
        SDL_Delay(1);
    CHECK(picture_ready(&parts->picture));
    struct findings found;
    do {
        explorer_begin_request(&parts->explorer);
        const struct explorer before = parts->explorer;
        CHECK(picture_submit(&parts->picture, true, &found));
        CHECK(memcmp(&before, &parts->explorer, sizeof before) == 0);
        explorer_learn(&parts->explorer, &found);
    } while (found.no_density);
}

static bool poll(struct parts *parts, bool *news) {
    struct findings found;
    const struct explorer before = parts->explorer;
    const bool ok = picture_poll(&parts->picture, 0, &found);
    CHECK(memcmp(&before, &parts->explorer, sizeof before) == 0);
    explorer_learn(&parts->explorer, &found);
    *news = found.news;
    return ok;
}

static bool retone(struct parts *parts) {
    struct findings found;
    const bool ok = picture_change_tone(&parts->picture, &found);
    explorer_learn(&parts->explorer, &found);
    return ok;
}

static bool hold(struct parts *parts, bool on) {
    struct findings found;
    const bool ok = picture_hold(&parts->picture, on, &found);
    explorer_learn(&parts->explorer, &found);
    return ok;
}

/* Sends a backend report; its effect on the picture is expected to be good. */
static void report(struct parts *parts, uint64_t samples, uint64_t points,
                   enum backend_state state) {
    bool news;
    done.report.dirty = (struct rect){0, 0, WIDTH, HEIGHT};
    done.report.samples = samples;
    done.report.points = points;
    done.report.state = state;
    CHECK(poll(parts, &news) && news);
}

static void check_showing(void) {
    struct parts parts;
    bool news;
    start(&parts, "one");
    submit(&parts);
    CHECK(done.frames == 1 && done.counts == 0 && picture_samples(&parts.picture) == 0);
    CHECK(shown.counted == 0);
    step(&parts, SETTING_ORBIT_DENSITY, 1);
    submit(&parts);
    CHECK(done.counts == 1 && done.samples == PICTURE_SAMPLES_MAX && done.limit == 1000);
    CHECK(shown.counted == 1);
    CHECK(shown.starts == 2 && shown.uploads == 0 && parts.picture.req.type == TYPE_FLOAT);
    /* The screen stays empty until there are points. */
    CHECK(poll(&parts, &news) && !news && picture_busy(&parts.picture));
    CHECK(shown.uploads == 0 && !shown.complete && picture_samples(&parts.picture) == 0);
    report(&parts, 6400, 3 * WIDTH * HEIGHT / 2, BACKEND_BUSY);
    CHECK(shown.uploads == 1 && shown.complete && picture_samples(&parts.picture) == 6400);
    CHECK(picture_points(&parts.picture) == 3); /* points of one of two halves count */
    CHECK(picture_busy(&parts.picture) && !picture_complete(&parts.picture));
    report(&parts, 12800, 4 * WIDTH * HEIGHT, BACKEND_BUSY);
    CHECK(shown.uploads == 2 && shown.complete);
    /* After a change of the scene the shown picture is not the target's. */
    press(&parts, ACTION_VARIANT, 0);
    CHECK(picture_samples(&parts.picture) == 0);
    const uint32_t cells = done.cells;
    submit(&parts);
    CHECK(done.counts == 2 && done.cells != cells && done.cells > 0 && !shown.complete);
    finish(&parts);
}

/* Checks that cells are made again only for other orbits. */
static void check_cells(void) {
    struct parts parts;
    start(&parts, "one");
    step(&parts, SETTING_ORBIT_DENSITY, 1);
    submit(&parts);
    const struct density_cells *cells = parts.picture.density.cells;
    report(&parts, 64, ENOUGH, BACKEND_BUSY);
    explorer_apply(&parts.explorer, &(struct action){.kind = ACTION_DRAG, .x = 5, .y = 3});
    CHECK(picture_ready(&parts.picture));
    submit(&parts);
    report(&parts, 64, ENOUGH, BACKEND_BUSY);
    step(&parts, SETTING_LIMIT, 1);
    CHECK(picture_ready(&parts.picture));
    submit(&parts);
    CHECK(done.counts == 3 && done.limit == 2000 && parts.picture.density.cells == cells);
    report(&parts, 64, ENOUGH, BACKEND_BUSY);
    step(&parts, SETTING_LEAST, 5);
    /* A change that arrives while cells are being made is not lost. */
    picture_ready(&parts.picture);
    step(&parts, SETTING_LEAST, 1);
    submit(&parts);
    CHECK(done.counts == 4 && parts.picture.density.density.least == 2000);
    CHECK(density_cells_match(parts.picture.density.cells, &parts.picture.density.density));
    finish(&parts);
}

static void check_changes(void) {
    struct parts parts;
    bool news;
    start(&parts, "one");
    step(&parts, SETTING_ORBIT_DENSITY, 1);
    submit(&parts);
    report(&parts, 640, ENOUGH, BACKEND_BUSY);
    step(&parts, SETTING_EXPOSURE, 2);
    CHECK(!parts.explorer.changed && parts.explorer.tone_changed && retone(&parts));
    CHECK(done.tones == 1 && done.exposure == 0.5 && done.samples == PICTURE_SAMPLES_MAX);
    CHECK(!parts.explorer.tone_changed);
    /* A held picture ends with the samples that were started, also in another tone, until it
     * continues. */
    CHECK(hold(&parts, true) && done.samples == 0 && !picture_complete(&parts.picture));
    report(&parts, 704, 704, BACKEND_DONE);
    CHECK(picture_complete(&parts.picture) && picture_samples(&parts.picture) == 704);
    step(&parts, SETTING_EXPOSURE, -1);
    CHECK(retone(&parts) && done.samples == 0 && done.exposure == 0.25);
    CHECK(!picture_complete(&parts.picture));
    report(&parts, 704, 704, BACKEND_DONE);
    CHECK(hold(&parts, false) && done.samples == PICTURE_SAMPLES_MAX);
    CHECK(picture_busy(&parts.picture) && done.counts == 1);
    /* Without visible differences it is complete, and stays so. */
    report(&parts, 9984, (uint64_t)(PICTURE_POINTS_MAX * WIDTH * HEIGHT / 2), BACKEND_BUSY);
    CHECK(done.samples == 0 && parts.picture.full);
    const int changes = done.changes;
    report(&parts, 9984, (uint64_t)(PICTURE_POINTS_MAX * WIDTH * HEIGHT / 2), BACKEND_DONE);
    CHECK(picture_complete(&parts.picture) && done.changes == changes);
    CHECK(poll(&parts, &news) && !news && !picture_busy(&parts.picture));
    CHECK(hold(&parts, true) && hold(&parts, false) && done.samples == 0);
    finish(&parts);
}

/* Checks that the backdrop of a density picture is counted first, and that changes meanwhile are
 * applied afterwards. */
static void check_behind(void) {
    struct parts parts;
    bool news;
    start(&parts, "one");
    shown.behind = true;
    step(&parts, SETTING_ORBIT_DENSITY, 1);
    submit(&parts);
    CHECK(poll(&parts, &news) && !news && picture_busy(&parts.picture) && done.counts == 0);
    step(&parts, SETTING_EXPOSURE, 2);
    CHECK(retone(&parts) && !parts.explorer.tone_changed && hold(&parts, true));
    CHECK(done.tones == 0 && done.changes == 0 && shown.recoloured == 1);
    shown.behind = false;
    CHECK(poll(&parts, &news) && news && done.counts == 1 && done.exposure == 0.5);
    CHECK(done.samples == 0 && picture_samples(&parts.picture) == 0);
    CHECK(hold(&parts, false) && done.samples == PICTURE_SAMPLES_MAX);
    /* Another view meanwhile starts with its own backdrop. */
    shown.behind = true;
    step(&parts, SETTING_LIMIT, 1);
    submit(&parts);
    step(&parts, SETTING_LIMIT, 1);
    submit(&parts);
    CHECK(done.counts == 1 && shown.counted == 3 && shown.starts == 3);
    shown.behind = false;
    CHECK(poll(&parts, &news) && done.counts == 2 && done.limit == 5000);
    finish(&parts);
}

static void show_numbers(const struct parts *parts, struct readout *readout,
                         const struct stats *frames, struct hud_model *model) {
    hud_text_fill(readout,
                  &(struct hud_text_input){
                      .frames = frames, .messages = &parts->messages, .picture = &parts->picture},
                  model);
}

/* Reports that many samples, and that share of hit pixels. Returns whether the message about few
 * orbits appeared; `numbers`: expected text. */
static bool tells_few(struct parts *parts, uint64_t samples, double hit, const char *numbers) {
    static struct hud_model model;
    struct readout readout = {0};
    struct findings found;
    struct stats frames;
    done.report.dirty = (struct rect){0, 0, WIDTH, HEIGHT};
    done.report.samples = done.report.counted = samples;
    done.report.hit = hit;
    CHECK(picture_poll(&parts->picture, 0, &found) && stats_init(&frames, 10));
    show_numbers(parts, &readout, &frames, &model);
    if (strcmp(model.text[LINE_STATUS], numbers) != 0)
        printf("'%s', not '%s'\n", model.text[LINE_STATUS], numbers);
    CHECK(strcmp(model.text[LINE_STATUS], numbers) == 0);
    stats_finish(&frames);
    return picture_tell_few_orbits(&parts->picture) != NULL;
}

/* Checks the message about few orbits: it appears once, after a while, and the numbers mention it
 * as long as it is true. */
static void check_few(void) {
    struct parts parts;
    start(&parts, "one");
    step(&parts, SETTING_ORBIT_DENSITY, 1);
    submit(&parts);
    shown.transparency = 0.99;
    done.report.points = 10 * ENOUGH;
    CHECK(!tells_few(&parts, 0, 0, "") && !tells_few(&parts, 64, 0.01, "64 samples"));
    CHECK(shown.hit == 0.01);
    done.report.elapsed_ms = 1000;
    CHECK(tells_few(&parts, 128, 0.01, "128 samples, few orbits here"));
    CHECK(!tells_few(&parts, 192, 0.01, "192 samples, few orbits here"));
    shown.transparency = 0.4;
    CHECK(!tells_few(&parts, 192, 0.02, "192 samples"));
    /* Without a backdrop the points alone decide. */
    shown.transparency = 0;
    CHECK(!tells_few(&parts, 192, 0.02, "192 samples"));
    done.report.points = ENOUGH / 100;
    CHECK(!tells_few(&parts, 192, 0.02, "192 samples, few orbits here"));
    /* Another view does not repeat the message, another visit does. */
    for (int i = 0; i < 3; i++) {
        step(&parts, i == 0 ? SETTING_LIMIT : SETTING_ORBIT_DENSITY, 1);
        submit(&parts);
    }
    done.report.elapsed_ms = 1000;
    CHECK(tells_few(&parts, 64, 0.02, "64 samples, few orbits here"));
    finish(&parts);
}

/* Checks that a picture that has to wait for its turn in motion gets it. */
static void check_motion(void) {
    struct parts parts;
    start(&parts, "one");
    step(&parts, SETTING_ORBIT_DENSITY, 1);
    submit(&parts);
    for (int i = 0; i < 3; i++) {
        explorer_apply(&parts.explorer, &(struct action){.kind = ACTION_DRAG, .x = 1});
        submit(&parts);
    }
    CHECK(done.counts == 4 && !parts.explorer.changed);
    finish(&parts);
}

/* Checks the automatic limit of a picture that was complete before its view came to rest. */
static void check_judging(void) {
    struct parts parts;
    bool news;
    start(&parts, "one");
    press(&parts, ACTION_AUTO_LIMIT, 0);
    press(&parts, ACTION_SLIDE, 0);
    parts.explorer.scene.limit = 1000;
    submit(&parts);
    report(&parts, 0, 0, BACKEND_DONE);
    CHECK(picture_statistics(&parts.picture) && explorer_moving(&parts.explorer));
    CHECK(!parts.explorer.changed && parts.explorer.scene.limit == 1000);
    for (int i = 0; i < 1000 && explorer_moving(&parts.explorer); i++)
        explorer_advance(&parts.explorer, 10);
    CHECK(!parts.explorer.changed);
    CHECK(poll(&parts, &news) && !news);
    CHECK(parts.explorer.changed && parts.explorer.scene.limit > 1000);
    finish(&parts);
}

static void check_losses(void) {
    struct parts parts;
    bool news;
    start(&parts, "one");
    step(&parts, SETTING_ORBIT_DENSITY, 1);
    submit(&parts);
    done.report.state = BACKEND_LOST;
    CHECK(poll(&parts, &news) && parts.explorer.changed);
    CHECK(strcmp(active_backend_info(parts.active).name, "two") == 0);
    submit(&parts);
    CHECK(done.counts == 2 && picture_busy(&parts.picture));
    report(&parts, 64, ENOUGH, BACKEND_BUSY);
    /* The loss may also show in a change; the last backend cannot count. */
    done.refuses = true;
    CHECK(hold(&parts, true) && parts.explorer.changed);
    CHECK(picture_samples(&parts.picture) == 0 && !picture_busy(&parts.picture));
    submit(&parts);
    CHECK(done.counts == 2 && done.frames == 1 && !parts.explorer.scene.orbit_density);
    CHECK(parts.messages.count > 0 && strstr(parts.messages.list[parts.messages.count - 1].text,
                                             "three cannot draw Buddhabrots"));
    finish(&parts);
    start(&parts, "three");
    step(&parts, SETTING_ORBIT_DENSITY, 1);
    submit(&parts);
    CHECK(done.counts == 0 && done.frames == 1 && !parts.picture.orbit_density);
    finish(&parts);
}

/* Checks that settings that are off are listed. */
static void check_off(void) {
    static struct hud_model model;
    static const char *const texts[] = {"", "off: anti-aliasing (T)", "off: automatic limit (I)",
                                        "off: anti-aliasing (T), automatic limit (I)"};
    struct readout readout = {0};
    struct parts parts;
    start(&parts, "one");
    submit(&parts);
    SCOPED_MADE(stats, frames, 10);
    for (int off = 0; off < 4; off++) {
        parts.explorer.scene.pixel_samples = off & 1 ? 1 : 16;
        parts.explorer.auto_limit.on = !(off & 2);
        show_numbers(&parts, &readout, &frames, &model);
        CHECK(strcmp(model.text[LINE_OFF], texts[off]) == 0);
    }
    finish(&parts);
}

static void check_zoom_of(struct parts *parts, const char *zoom, double shown_factor,
                          const char *expected) {
    static struct hud_model model;
    struct readout readout = {0};
    const char *why;
    SCOPED_MADE(stats, frames, 10);
    CHECK(view_set_zoom(&parts->explorer.scene.view, zoom, &why));
    parts->explorer.camera.factor = shown_factor;
    show_numbers(parts, &readout, &frames, &model);
    if (strcmp(model.text[LINE_ZOOM], expected) != 0)
        printf("zoom %s: '%s', not '%s'\n", zoom, model.text[LINE_ZOOM], expected);
    CHECK(strcmp(model.text[LINE_ZOOM], expected) == 0);
}

/* Checks that the zoom is that of the screen, which follows the target, and its digits. */
static void check_zoom(void) {
    static const char *const texts[][2] = {
        {"400", "400"},        {"12345.6", "12345.6"}, {"999999.4", "999999"},
        {"999999.8", "1e6"},   {"1e6", "1e6"},         {"1.234e15", "1.234e15"},
        {"9.9999e22", "1e23"}, {"1e23", "1e23"},       {"9.994e299", "9.994e299"},
        {"5e2000", "5e2000"},  {"0.25", "0.25"},
    };
    struct parts parts;
    start(&parts, "one");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_zoom_of(&parts, texts[i][0], 1, texts[i][1]);
    check_zoom_of(&parts, "800", 0.5, "400");
    check_zoom_of(&parts, "5e2000", 0.25, "1.25e2000");
    finish(&parts);
}

/* Checks that a picture is not reported complete too early. */
static void check_progress(void) {
    static struct hud_model model;
    struct readout readout = {0};
    struct parts parts;
    start(&parts, "one");
    submit(&parts);
    SCOPED_MADE(stats, frames, 10);
    for (int i = 0; i < 1000 && explorer_moving(&parts.explorer); i++)
        explorer_advance(&parts.explorer, 10);
    parts.picture.report =
        (struct backend_report){.state = BACKEND_BUSY, .elapsed_ms = 1000, .progress = 0.998};
    show_numbers(&parts, &readout, &frames, &model);
    if (strcmp(model.text[LINE_STATUS], "99 %") != 0)
        printf("99.8 %% are shown as '%s'\n", model.text[LINE_STATUS]);
    CHECK(strcmp(model.text[LINE_STATUS], "99 %") == 0);
    CHECK(*model.text[LINE_REFERENCE] == '\0');
    struct reference_facts *facts = &parts.picture.report.reference;
    *facts = (struct reference_facts){.making = true, .progress = 0.348, .made_ms = 1000};
    show_numbers(&parts, &readout, &frames, &model);
    CHECK(strcmp(model.text[LINE_STATUS], "finding the reference, 34 %") == 0);
    CHECK(strcmp(model.text[LINE_REFERENCE], "searching, 34 %") == 0);
    *facts =
        (struct reference_facts){.made_ms = 12.34, .length = 5000, .period = 412, .bytes = 345678};
    parts.picture.report.iterations = 9;
    parts.picture.report.skipped = 991;
    show_numbers(&parts, &readout, &frames, &model);
    CHECK(strcmp(model.text[LINE_REFERENCE],
                 "5000 steps, period 412, 0.346 MB, found in 12.3 ms, 99.1 % skipped") == 0);
    finish(&parts);
}

/* Checks that a picture that no backend can count does not make backends count as failed. */
static void check_problem(void) {
    struct parts parts;
    bool news;
    start(&parts, "one");
    step(&parts, SETTING_ORBIT_DENSITY, 1);
    explorer_resize(&parts.explorer, FRAME_SIZE_MAX, FRAME_SIZE_MAX);
    submit(&parts);
    CHECK(parts.picture.problem && done.counts == 0 && shown.starts == 0);
    CHECK(picture_complete(&parts.picture) && !picture_busy(&parts.picture));
    CHECK(poll(&parts, &news) && !news);
    CHECK(retone(&parts) && hold(&parts, true));
    CHECK(done.changes + done.tones == 0 && parts.messages.count == 0);
    explorer_resize(&parts.explorer, WIDTH, HEIGHT);
    submit(&parts);
    CHECK(!parts.picture.problem && done.counts == 1);
    finish(&parts);
}

/* Checks a request that no backend draws: no backend counts as failed. The target returns to the
 * step before, or else to the Mandelbrot set. */
static void check_refused(void) {
    struct parts parts;
    struct findings found;
    start(&parts, "one");
    submit(&parts);
    const int frames = done.frames;
    struct fractal *fractal = &parts.explorer.scene.fractal;
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            press(&parts, ACTION_ZOOM, 4); /* a step to return to */
        fractal->julia = 1;
        /* More than any set may have. */
        mpfr_set_d(fractal->re, 2.0 * FRACTAL_PARAMETER_MAX, MPFR_RNDN);
        explorer_redraw(&parts.explorer, false);
        explorer_begin_request(&parts.explorer);
        CHECK(picture_submit(&parts.picture, true, &found) && found.refused);
        CHECK(done.frames == frames && parts.messages.count == 0);
        for (int back = 0; back < 3 && !fractal_is_mandelbrot(fractal); back++) {
            parts.explorer.changed = false;
            explorer_learn(&parts.explorer, &found);
            CHECK(parts.explorer.changed);
        }
        CHECK(fractal_is_mandelbrot(fractal));
    }
    submit(&parts);
    CHECK(done.frames == frames + 1 && strcmp(active_backend_info(parts.active).name, "one") == 0);
    CHECK(!parts.explorer.changed);
    explorer_learn(&parts.explorer, &found);
    CHECK(!parts.explorer.changed);
    finish(&parts);
}

/* Checks that there is more to do if the wanted number of samples is not the shown one, more or
 * fewer. */
static void check_samples(void) {
    struct parts parts;
    start(&parts, "one");
    submit(&parts);
    /* There is no backdrop to make. */
    parts.picture.backdrop_maker.generation = parts.picture.req.generation;
    for (uint32_t samples = 1; samples <= 64; samples *= 4) {
        parts.explorer.scene.pixel_samples = samples;
        parts.picture.antialias.shown = 16;
        CHECK(picture_refining(&parts.picture) == (samples > 1 && samples != 16));
    }
    finish(&parts);
}

/* Checks that the wanted inset replaces the inset in flight, unless nothing new was shown for some
 * time. The inset in flight may then finish, unless it takes too long. */
static void check_inset(void) {
    struct parts parts;
    struct inset inset = {.number = 0};
    start(&parts, "one");
    SCOPED(frame_req, req, 8, 8);
    for (int turn = 0; turn < 4; turn++) {
        static const int submitted[] = {1, 2, 2, 3};
        req.limit++;
        inset_request(&inset, &req);
        inset.shown_ms = clock_ms() + (turn < 2 ? 1e6 : -1e3);
        inset.begun_ms = clock_ms() + (turn < 3 ? 1e6 : -1e4);
        done.frames = turn > 0 ? done.frames : 0;
        CHECK(!inset_poll(&inset, parts.active) && done.frames == submitted[turn]);
    }
    frame_req_finish(&inset.wanted);
    frame_req_finish(&inset.drawn);
    free(inset.rgba);
    finish(&parts);
}

/* Checks that the minimap requests a picture only if it has changed, and leaves the scene its
 * palette. */
static void check_map(void) {
    struct parts parts;
    struct minimap map = {.on = true};
    start(&parts, "one");
    palette_replace(&parts.explorer.scene.palette, palette_get("random-7"));
    for (int turn = 0; turn < 4; turn++) {
        parts.explorer.scene.frequency = 1 + turn / 2;
        minimap_update(&map, &parts.explorer, parts.active, 800, 600, 13);
        CHECK(map.inset.count == (uint64_t)(1 + turn / 2) && palette_made_count() == 1);
    }
    frame_req_finish(&map.inset.wanted);
    frame_req_finish(&map.inset.drawn);
    free(map.inset.rgba);
    finish(&parts);
}

int main(void) {
    check_inset();
    check_map();
    check_samples();
    check_refused();
    check_showing();
    check_cells();
    check_changes();
    check_behind();
    check_few();
    check_motion();
    check_judging();
    check_losses();
    check_off();
    check_zoom();
    check_progress();
    check_problem();
    return failures > 0;
}
