/* Posters: drawn in blocks, they have the pixels of a picture that is drawn at once, for styles,
 * samples, angles and depths; existing tiles are kept; and parts of other pictures are refused. */
#include "app/still/bands.h"
#include "app/still/posters.h"
#include "app/still/still.h"
#include "render/backends.h"
#include "render/base/atomic_file.h"
#include "render/colour.h"
#include "render/palette.h"
#include "render/style/style.h"
#include "tests/shared/mutate.h"
#include <sys/stat.h>
#include <unistd.h>

#define WIDTH  1101    /* 3 columns of tiles */
#define HEIGHT 521     /* 2 rows */
#define SMALL  1000000 /* [bytes] memory for blocks of one tile */
#define MARK   (COLOUR_ALPHA | 0x123456u)

static struct backend *backend;
static uint32_t once[WIDTH * HEIGHT], found[WIDTH * HEIGHT];

static void set_up(struct scene *scene, const char *view, const char *style, uint32_t samples) {
    CHECK(scene_parse(scene, "a view", view, strlen(view)));
    CHECK(!style || style_apply(scene, style));
    scene->width_px = WIDTH;
    scene->height_px = HEIGHT;
    scene->pixel_samples = samples;
}

static bool draw(const struct frame_req *req, struct outputs *outputs, uint32_t samples,
                 uint64_t memory_bytes, int *count) {
    struct bands bands = {.backend = backend,
                          .req = req,
                          .outputs = outputs,
                          .memory_bytes = memory_bytes,
                          .samples = samples};
    const bool ok = bands_draw(&bands);
    *count = bands.count;
    return ok;
}

static void draw_once(const struct frame_req *req, uint32_t samples) {
    const struct options options = {.output = "once.ppm", .format = -1};
    struct outputs outputs;
    struct image image;
    int count;
    CHECK(outputs_open(&outputs, &options, req, NULL));
    CHECK(draw(req, &outputs, samples, 1u << 30, &count) && count == 1 && outputs_commit(&outputs));
    CHECK(image_read("once.ppm", &image) && image.rgba);
    memcpy(once, image.rgba, sizeof once);
    image_finish(&image);
}

static bool open_poster(struct outputs *outputs, const struct frame_req *req, const char *text) {
    const struct options options = {
        .command = COMMAND_RENDER, .output = "poster.tif", .format = -1, .pyramid = true};
    return outputs_open(outputs, &options, req, text);
}

static bool go_on(void *user, double done) {
    (void)user;
    CHECK(done >= 0 && done <= 1);
    return true;
}

/* Reads the finished blocks, and completes the file. */
static void read_poster(struct outputs *outputs) {
    CHECK(poster_build(outputs->poster, go_on, NULL));
    CHECK(poster_read(outputs->poster, 0, 0, 0, WIDTH, HEIGHT, found));
    CHECK(outputs_commit(outputs));
    CHECK(access("poster.tif", F_OK) == 0 && access("poster.tif.part", F_OK) != 0);
}

static void check_poster(const char *view, const char *style, uint32_t samples) {
    SCOPED(scene, scene);
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    struct outputs outputs;
    double ms;
    int count;
    set_up(&scene, view, style, samples);
    still_request(&scene, SHORTCUTS_ALL, &req);
    CHECK(still_decide(backend, &req, &ms));
    draw_once(&req, samples);
    CHECK(open_poster(&outputs, &req, "a view"));
    CHECK(draw(&req, &outputs, samples, SMALL, &count) && count == 6);
    read_poster(&outputs);
    CHECK(memcmp(once, found, sizeof once) == 0);
}

/* Checks that a block that an earlier process has drawn is not drawn again. */
static void check_kept(void) {
    static uint32_t mark[POSTER_TILE * POSTER_TILE];
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    struct outputs outputs;
    int count, others = 0;
    for (size_t i = 0; i < POSTER_TILE * POSTER_TILE; i++)
        mark[i] = MARK;
    draw_once(&req, 3);
    CHECK(open_poster(&outputs, &req, "a view"));
    CHECK(poster_write(outputs.poster, 512, 0, 512, 512, mark, POSTER_TILE));
    outputs_abandon(&outputs);
    CHECK_REFUSED(open_poster(&outputs, &req, "another view"),
                  "'poster.tif.part' is a part of another");
    log_start(); /* a warning says how many tiles there are */
    CHECK(open_poster(&outputs, &req, "a view"));
    CHECK(log_is_one_line("has 1 of 6 tiles"));
    struct outputs second;
    CHECK_REFUSED(open_poster(&second, &req, "a view"), "being drawn by another process");
    CHECK(draw(&req, &outputs, 3, SMALL, &count) && count == 5);
    read_poster(&outputs);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const bool kept = x >= 512 && x < 1024 && y < 512;
            const size_t at = (size_t)y * WIDTH + (size_t)x;
            others += found[at] != (kept ? MARK : once[at]);
        }
    CHECK(others == 0);
}

/* Checks that no poster is refused because of an estimate that is too high. */
static void check_least(void) {
    enum { SIDE = 8 * POSTER_TILE };
    static uint32_t flat[SIDE * SIDE];
    for (int i = 0; poster_compression_names[i]; i++) {
        const struct poster_shape shape = {.width_px = SIDE,
                                           .height_px = SIDE,
                                           .levels = 1,
                                           .compression = (enum poster_compression)i,
                                           .text = "flat"};
        struct stat file = {0};
        CHECK(poster_save("flat.tif", &shape, flat, SIDE));
        CHECK(stat("flat.tif", &file) == 0);
        CHECK((uint64_t)file.st_size >= poster_bytes_least(&shape));
    }
}

/* Checks that the middle of the largest picture is the picture of its middle. */
static void check_largest(void) {
    enum { SIDE = 64, TIMES = POSTER_SIDE_MAX / SIDE };
    static uint32_t rgba[2][SIDE * SIDE];
    const char *why;
    for (int i = 0; i < 2; i++) {
        SCOPED(frame_req, req, SIDE, SIDE);
        struct target target = {.rgba = rgba[i], .at_once = true};
        struct backend_report report;
        char zoom[20];
        snprintf(zoom, sizeof zoom, "%d", i ? 2 : 2 * TIMES);
        CHECK(view_set_centre(&req.view, "-0.7463", "0.1102", 0, &why));
        CHECK(view_set_zoom(&req.view, zoom, &why));
        if (i) {
            req.whole_width_px = req.whole_height_px = POSTER_SIDE_MAX;
            req.part_x_px = req.part_y_px = (POSTER_SIDE_MAX - SIDE) / 2;
        }
        CHECK(backend_draw(backend, &req, &target, NULL, NULL, &report));
    }
    CHECK(memcmp(rgba[0], rgba[1], sizeof rgba[0]) == 0);
}

int main(void) {
    const struct backend_options options = {.cpumask = ~0u};
    static const char shallow[] = "[view]\nre = -0.7463\nim = 0.1102\nzoom = 40\nangle = 12.5\n"
                                  "[fractal]\niterations = 400\n";
    static const char deep[] =
        "[view]\nre = -1.74999841099374081749002483162428393452822172335808534"
        "6159999999999999999999992\nim = -0.0016584664610049950010400000000000"
        "00000000000000000000000000000000000000000008\nbits = 256\n"
        "zoom = 2.5e40\nangle = -33\n[fractal]\niterations = 3000\n";
    if (poster_missing()) {
        puts("left out: the build has no posters");
        return 77;
    }
    backend = backend_open(backends_all, NULL, &options);
    CHECK(backend);
    if (!backend)
        return 1;
    check_poster(shallow, NULL, 1);
    check_poster(shallow, "sculpture", 1);
    check_poster(shallow, "pearls", 3);
    check_poster(deep, NULL, 2);
    check_kept();
    check_least();
    check_largest();
    backend_close(backend);
    if (failures == 0)
        puts("all passed");
    return failures != 0;
}
