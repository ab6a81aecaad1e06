/* Checks recolouring in the window, on real backends whose calls are counted. A setting that
 * changes only colours must neither submit nor iterate. The pixels must equal those of a new
 * picture in these colours, for complete pictures and for pictures in flight. */
#include "render/backends.h"
#include "render/density/density_cells.h"
#include "tests/gpu/host_device.h"

#define WIDTH        160
#define HEIGHT       120
#define PIXELS       ((size_t)WIDTH * HEIGHT)
#define SHOWN_PIXELS PIXELS
#include "tests/shared/one_picture.h"

/* --- a backend that is counted --- */

static const struct backend_impl *real;
static struct { int submits, recolours; } asked;

static bool submit(void *impl, const struct frame_req *req, const struct target *target) {
    asked.submits++;
    return real->submit(impl, req, target);
}

static bool recolour(void *impl, uint64_t from, uint64_t generation, const struct look *look) {
    asked.recolours++;
    return real->recolour(impl, from, generation, look);
}

static bool count(void *impl, const struct density_req *req, const struct target *target) {
    asked.submits++;
    return real->density->submit(impl, req, target);
}

/* --- */

static struct messages messages;
static struct active_backend *active;
static struct explorer explorer;
static struct picture picture;

static void learn(bool ok, const struct findings *found) {
    CHECK(ok);
    explorer_learn(&explorer, found);
}

/* Does a turn of the loop. */
static void turn(void) {
    struct findings found;
    learn(picture_poll(&picture, 5, &found), &found);
    if (explorer.changed && picture_ready(&picture)) {
        explorer_begin_request(&explorer);
        learn(picture_submit(&picture, true, &found), &found);
    } else if (!explorer.changed && explorer.tone_changed) {
        learn(picture_change_tone(&picture, &found), &found);
    }
}

static void finish(void) {
    while (explorer.changed || explorer.tone_changed || !picture_complete(&picture))
        turn();
}

static void step(enum setting_id id, double steps) {
    explorer_apply(&explorer,
                   &(struct action){.kind = ACTION_STEP, .setting = id, .amount = steps});
}

/* Checks that the shown pixels are those of a new picture. */
static void check_pixels(const char *what) {
    static uint32_t want[PIXELS];
    struct backend *backend =
        backend_open(host_backends, "scalar", &(struct backend_options){.cpumask = ~0u});
    struct backend_report report;
    const struct target target = {.rgba = want};
    CHECK(backend);
    SCOPED_COPY(frame_req, req, &picture.req);
    req.reuse = false;
    if (!explorer.scene.orbit_density) {
        CHECK(backend_draw(backend, &req, &target, NULL, NULL, &report));
    } else {
        picture.density.samples = picture.report.samples;
        CHECK(backend_density_submit(backend, &picture.density, &target));
        while ((report = backend_poll(backend, 50)).state == BACKEND_BUSY)
            continue;
    }
    if (memcmp(want, shown.pixels, sizeof want) != 0) {
        printf("%s: not the pixels of a new picture after %s\n", real->name, what);
        failures++;
    }
    backend_close(backend);
}

/* Tests every setting that changes only colours, for both kinds of pictures. */
static void check_settings(bool flight) {
    const bool density = explorer.scene.orbit_density;
    for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
        const struct setting *setting = &setting_table[id];
        if (setting->invalidates != SETTING_COLOURS ||
            (setting->use == SETTING_OF_DENSITY) != density)
            continue;
        if (flight && explorer.scene.limit > 10000) {
            step(SETTING_LIMIT, -6);
            finish();
        }
        if (flight) { /* so that a picture is in flight */
            step(SETTING_LIMIT, 1);
            turn();
        }
        const int submits = asked.submits, recolours = asked.recolours, began = shown.starts;
        const uint64_t generation = picture.report.generation;
        step(id, 1);
        turn();
        step(id, 1);
        finish();
        CHECK(picture.report.generation == generation + (density ? 0 : 2));
        CHECK(asked.submits == submits && shown.starts == began &&
              asked.recolours == recolours + 2);
        CHECK(flight || density || picture.report.iterations == 0);
        check_pixels(setting->key);
    }
}

/* Checks that anti-aliasing at rest keeps the picture. */
static void check_samples(void) {
    struct findings found;
    const int submits = asked.submits;
    explorer.scene.pixel_samples = 4;
    picture.backdrop_maker.generation = picture.req.generation; /* there is no backdrop to make */
    while (picture_pixel_samples(&picture) != 4)
        learn(picture_refine(&picture, &found), &found);
    CHECK(asked.submits == submits + 3);
    const int recolours = shown.recoloured, begun = asked.submits;
    step(SETTING_PALETTE, 1);
    finish();
    CHECK(shown.recoloured == recolours + 1 && asked.submits == begun);
    CHECK(picture.report.iterations == 0);
    check_pixels("more samples");
    explorer.scene.pixel_samples = 1;
}

static void check_backend(const struct backend_impl *impl) {
    real = impl;
    struct backend_impl counted = *impl;
    struct backend_density density = *impl->density;
    const struct backend_impl *const list[] = {&counted, NULL};
    struct scene scene;
    scene_init(&scene);
    scene.pixel_samples = 1;
    counted.submit = submit;
    counted.recolour = recolour;
    density.submit = count;
    counted.density = &density;
    memset(&asked, 0, sizeof asked);
    active = active_backend_create(list, impl->name,
                                   &(struct backend_options){.cpumask = ~0u, .low_priority = true},
                                   &messages);
    CHECK(active);
    explorer_init(&explorer, &scene, WIDTH, HEIGHT);
    picture_init(&picture, NULL, active, &explorer);
    finish();
    check_settings(false);
    check_settings(true);
    step(SETTING_LAYER, 1); /* slopes in a light */
    step(SETTING_LAYER2, 2);
    finish();
    check_pixels("layers");
    CHECK(picture.req.planes & SAMPLE_SLOPE);
    check_settings(false);
    check_settings(true);
    check_samples();
    step(SETTING_ORBIT_DENSITY, 1);
    while (picture_samples(&picture) == 0)
        turn();
    struct findings found;
    step(SETTING_CURVE, 1); /* a picture that never completes */
    turn();
    CHECK(picture_busy(&picture));
    learn(picture_hold(&picture, true, &found), &found);
    finish();
    check_pixels("a curve in flight");
    check_settings(false);
    picture_finish(&picture);
    explorer_finish(&explorer);
    active_backend_destroy(active);
}

int main(void) {
    static const struct backend_options options = {.cpumask = ~0u};
    const char *why;
    check_backend(&backend_host);
    for (const struct backend_impl *const *impl = backends_all; *impl; impl++)
        if ((*impl)->automatic && (*impl)->usable(&options, &why))
            check_backend(*impl);
    return failures > 0;
}
