/* Thumbnails without a window: which are drawn, in which order and quality; the log shows which
 * view was started, and when. Also the variety of the gallery's examples. */
#include "app/gallery/gallery.h"
#include "app/gallery/thumbnail_draw.h"
#include "app/gallery/thumbnails.h"
#include "render/backends.h"
#include "tests/shared/check.h"
#include <SDL.h>
#include <mpfr.h>
#include <unistd.h>

/* Maximum characters of an example's caption, which must fit below its picture. */
#define CAPTION_MAX 40
#define PATIENCE    12000 /* polls of the log, 10 ms apart */

static const struct backend_options one_thread = {.threads = 1, .cpumask = ~0u};

static size_t count_lines(void) {
    size_t count = 0;
    fflush(stderr);
    FILE *file = fopen(LOG_FILE, "r");
    for (int c; file && (c = fgetc(file)) != EOF;)
        count += c == '\n';
    if (file)
        fclose(file);
    return count;
}

static void wait_for_lines(size_t lines) {
    for (int i = 0; i < PATIENCE && count_lines() < lines; i++)
        SDL_Delay(10);
    CHECK(count_lines() >= lines);
}

static void ask_for(struct thumbnails *thumbnails, const char *path) {
    const struct thumbnail_source source = {.path = path, .id = path};
    CHECK(thumbnails_texture(thumbnails, &source) == 0);
}

/* Checks that all are drawn roughly before the first is drawn well; that is when a missing cache
 * folder is noticed. */
static void check_rough_first(void) {
    static const char view[] = "[view]\nzoom = 3\n";
    struct thumbnails *thumbnails = thumbnails_create(&one_thread);
    char first[256] = "";
    CHECK(system("rm -rf cache && touch cache") == 0);
    file_put("there.fathom", view, sizeof view - 1);
    log_start();
    thumbnails_wait(thumbnails, true);
    thumbnails_begin_frame(thumbnails);
    ask_for(thumbnails, "there.fathom");
    ask_for(thumbnails, "gone.fathom");
    thumbnails_wait(thumbnails, false);
    wait_for_lines(2);
    thumbnails_destroy(thumbnails);
    FILE *file = fopen(LOG_FILE, "r");
    CHECK(file && fgets(first, sizeof first, file) && strstr(first, "gone.fathom"));
    fclose(file);
    CHECK(unlink("cache") == 0);
}

/* Checks that the least recently requested thumbnail makes room, and that others are not drawn
 * again. */
static void check_room(void) {
    struct thumbnails *thumbnails = thumbnails_create(&one_thread);
    char path[32];
    log_start();
    for (int frame = 0; frame < 2; frame++) {
        thumbnails_begin_frame(thumbnails);
        for (int i = frame; i < THUMBNAILS_MAX; i++) {
            snprintf(path, sizeof path, "gone-%d", i);
            ask_for(thumbnails, path);
        }
        wait_for_lines(THUMBNAILS_MAX);
    }
    thumbnails_begin_frame(thumbnails);
    ask_for(thumbnails, "new");
    wait_for_lines(THUMBNAILS_MAX + 1);
    for (int i = 1; i < THUMBNAILS_MAX; i++) {
        snprintf(path, sizeof path, "gone-%d", i);
        ask_for(thumbnails, path);
    }
    ask_for(thumbnails, "gone-0"); /* there is no room in this frame */
    thumbnails_begin_frame(thumbnails);
    ask_for(thumbnails, "gone-1");
    SDL_Delay(100);
    CHECK(count_lines() == THUMBNAILS_MAX + 1);
    thumbnails_destroy(thumbnails);
}

#ifndef TEST_SANITIZED
/* Checks that a thumbnail that took too long is tried again later and completed, if there is
 * nothing else to do. In a Siegel disc no cycle shortens an orbit. */
static void check_slow(void) {
    static const char view[] =
        "[view]\nre = 0.02\nim = 0.01\nzoom = 20\nnote = each time that it is read\n[fractal]\n"
        "julia = yes\njulia_re = -0.3905407802\njulia_im = -0.5867879073\niterations = 9000\n";
    struct thumbnails *thumbnails = thumbnails_create(&one_thread);
    file_put("slow.fathom", view, sizeof view - 1);
    log_start();
    thumbnails_begin_frame(thumbnails);
    ask_for(thumbnails, "slow.fathom");
    wait_for_lines(3); /* given up, roughly, and well */
    SDL_Delay(100);
    CHECK(count_lines() == 3);
    thumbnails_destroy(thumbnails);
}

static bool goes_on(void *user, double work_ms) {
    (void)user;
    (void)work_ms;
    return true;
}

/* Checks that an orbit density also gets more samples when it is drawn well. */
static void check_density(void) {
    static uint32_t rough[THUMBNAIL_PIXELS], well[THUMBNAIL_PIXELS];
    struct thumbnail_drawing drawing = {.go_on = goes_on,
                                        .width_px = THUMBNAIL_WIDTH_PX,
                                        .height_px = THUMBNAIL_HEIGHT_PX,
                                        .density_ms = 60000};
    SCOPED(scene, scene);
    scene.orbit_density = true;
    drawing.backend = backend_open(backends_cpu, NULL, &one_thread);
    CHECK(thumbnail_draw_roughly(&drawing, &scene, rough) &&
          thumbnail_draw(&drawing, &scene, well));
    CHECK(memcmp(rough, well, sizeof rough) != 0);
    backend_close(drawing.backend);
}
#endif

/* --- variety of the examples --- */

/* Number of examples of each kind. */
struct tally {
    int all, looks, deep, density, others;
};

static void check_example(const struct gallery_item *item, struct tally *tally) {
    SCOPED(scene, scene);
    const size_t length = strlen(item->note);
    const bool ok = scene_load(&scene, item->path) && !scene_problem(&scene) && length > 1 &&
                    length <= CAPTION_MAX && item->note[length - 1] == '.' &&
                    /* Tuned views have the same colours everywhere. */
                    (scene.tuned || scene.orbit_density);
    if (!ok)
        printf("%s: '%s'\n", item->name, item->note);
    CHECK(ok);
    tally->all++;
    tally->looks += scene_has_layers(&scene) || scene_has_inside(&scene) || scene.by != BY_COUNT ||
                    scene.mapping != MAPPING_LINEAR;
    tally->deep += mpfr_cmp_d(scene.view.zoom, 1e20) >= 0;
    tally->density += scene.orbit_density && view_angle_degrees(&scene.view) == 90;
    tally->others += scene.fractal.julia || scene.fractal.formula != FORMULA_mandelbrot;
}

/* Checks that every example has a caption that is never cut, and that the examples cover all
 * features. */
static void check_variety(void) {
    struct gallery gallery = {0};
    struct tally tally = {0};
    log_start();
    CHECK(gallery_open(&gallery, NULL));
    for (size_t i = 0; i < gallery.count; i++)
        if (gallery.items[i].kind == GALLERY_EXAMPLE)
            check_example(&gallery.items[i], &tally);
    gallery_close(&gallery);
    CHECK(count_lines() == 0);
    CHECK(tally.all >= 48 && 2 * tally.looks >= tally.all);
    CHECK(tally.deep >= 6 && tally.density >= 4 && tally.others >= 8);
}

int main(void) {
    if (system("rm -rf cache") != 0)
        return 77;
    check_rough_first();
    check_room();
#ifndef TEST_SANITIZED /* sanitizers make long computations too slow */
    check_slow();
    check_density();
#endif
    check_variety();
    mpfr_free_cache();
    return failures != 0;
}
