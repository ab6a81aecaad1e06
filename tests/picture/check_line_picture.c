/* Textures of line pictures: they have spare room, and are created again only when it is exceeded.
 * Also tests textures of pictures that are still being copied, mapped memory, the first levels of
 * the backdrop, the filling of coarse pictures' gaps, and shifts by whole pixels. Skipped without
 * OpenGL. */
#include "app/picture/backdrop/backdrop.h"
#include "app/picture/backdrop/backdrop_maker.h"
#include "app/picture/lattice_fill.h"
#include "app/picture/layers.h"
#include "app/picture/lines/line_picture.h"
#include "app/picture/present.h"
#include "app/picture/targets.h"
#include "app/window/window.h"
#include "render/backends.h"
#include "tests/shared/check.h"
#include <math.h>

#define WIDTH   320
#define HEIGHT  200
#define COLUMNS 450
#define ROWS    300

static void take(struct line_picture *picture, int columns, int rows) {
    static uint32_t rgba[(COLUMNS + 16) * (ROWS + 16)];
    struct lines *lines = lines_create(columns, rows);
    CHECK(lines);
    for (int i = 0; lines && i < columns; i++)
        lines->line[i].at = 0.7 * (i - columns / 2);
    for (int i = 0; lines && i < rows; i++)
        lines->line[columns + i].at = 0.7 * (i - rows / 2);
    CHECK(line_picture_take(picture, lines) && line_picture_copy(picture, rgba));
    lines_unref(lines);
}

/* Checks that pictures with slightly different numbers of lines use the same textures. */
static void check_room(void) {
    struct line_picture picture = {0};
    int width = 0, height = 0, entries = 0;
    for (int i = 0; i < 12; i++) {
        take(&picture, COLUMNS + 5 * i % 16, ROWS + 3 * i % 16);
        line_picture_prepare(&picture, 1);
        if (i > 0)
            CHECK(picture.texture.width_px == width && picture.texture.height_px == height &&
                  picture.table.width_px == entries);
        width = picture.texture.width_px;
        height = picture.texture.height_px;
        entries = picture.table.width_px;
    }
    CHECK(width > COLUMNS + 16 && height > ROWS + 16);
    const GLuint name = picture.texture.name;
    CHECK(line_picture_even(&picture, WIDTH, HEIGHT) && !glIsTexture(name));
    take(&picture, WIDTH / 2, HEIGHT / 2);
    CHECK(glIsTexture(picture.texture.name));
    line_picture_finish(&picture);
}

/* Checks that a partly copied large picture shows nothing of the previous one in its texture. */
static void check_part(void) {
    enum { SIDE = 1024 };
    static uint32_t copy[SIDE * SIDE];
    const struct look kind = {.orbit_density = false};
    struct presenter *presenter = presenter_create();
    CHECK(presenter);
    SCOPED(frame_req, req, SIDE, SIDE);
    for (uint32_t turn = 1; turn <= 3; turn++) {
        struct target target;
        CHECK(presenter_start(presenter, &req, &kind, similarity_identity, false, TARGET_HOST,
                              &target));
        for (int i = 0; i < SIDE * SIDE; i++)
            target.rgba[i] = turn | COLOUR_ALPHA;
        const bool whole =
            presenter_upload(presenter, (struct rect){0, 0, SIDE, SIDE}, turn == 3 ? 0 : 1e9);
        presenter_read(presenter, copy);
        for (int i = 0; i < SIDE * SIDE; i += 997)
            CHECK(copy[i] >> 24 ? (copy[i] & 0xff) == turn : !whole);
        if (whole)
            presenter_complete(presenter);
    }
    presenter_destroy(presenter);
}

/* Checks that mapped memory is a buffer object's, that written pixels are visible at once, and that
 * a larger target gets another buffer. */
static void check_mapped(void) {
    struct targets targets = {0};
    struct target target;
    for (size_t pixels = 1000; pixels < 100000; pixels *= 3) {
        uint32_t seen[2] = {0, 0};
        CHECK(targets_make(&targets, pixels, pixels, TARGET_HOST, false, &target) && target.rgba);
        CHECK(targets_make(&targets, pixels, pixels, TARGET_MAPPED, false, &target) && target.rgba);
        target.rgba[0] = 1;
        target.rgba[pixels - 1] = (uint32_t)pixels;
        CHECK(targets_host(&targets) == target.rgba);
        if (GLEW_ARB_buffer_storage) {
            CHECK(targets_bind(&targets, pixels - 1) == (void *)(4 * (pixels - 1)));
            glGetBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, 4, &seen[0]);
            glGetBufferSubData(GL_PIXEL_UNPACK_BUFFER, (GLintptr)(4 * (pixels - 1)), 4, &seen[1]);
            targets_unbind(&targets);
            CHECK(seen[0] == 1 && seen[1] == pixels);
        }
        targets_await(&targets);
    }
    targets_finish(&targets);
    CHECK(glGetError() == GL_NO_ERROR);
}

/* Checks that pictures have the window's size, unless it exceeds the texture limit. */
static void check_fit(void) {
    struct presenter *presenter = presenter_create();
    int width = WIDTH, height = HEIGHT, most;
    CHECK(presenter);
    presenter_fit(presenter, &width, &height);
    CHECK(width == WIDTH && height == HEIGHT);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    most = most < FRAME_SIZE_MAX ? most : FRAME_SIZE_MAX;
    width = 2 * most;
    height = most / 2;
    presenter_fit(presenter, &width, &height);
    CHECK(width == most && height == most / 4);
    presenter_destroy(presenter);
}

/* Makes all levels that are wanted. Returns how many of them have these planes. */
static int make_levels(struct backdrop *backdrop, const struct frame_req *req, unsigned set) {
    struct frame_req level;
    int made = 0;
    for (int i = 0; i < 99 && backdrop_wanted(backdrop, req, &level); i++) {
        const size_t pixels = (size_t)level.width_px * (size_t)level.height_px;
        struct sample_planes planes;
        CHECK(sample_planes_init(&planes, level.planes, pixels, "a level"));
        made += level.planes == set;
        backdrop_add_level(backdrop, &level, &planes);
        frame_req_finish(&level);
    }
    return made;
}

/* Checks that the whole set and its surroundings are complete before anything is shown, without
 * the planes of layers. The nearest three levels get these planes afterwards, the others never. */
static void check_first_levels(void) {
    const struct backend_options options = {.threads = 1, .cpumask = ~0u};
    struct backend *backend = backend_open(backends_cpu, "scalar", &options);
    struct presenter *presenter = presenter_create();
    struct backdrop *backdrop = presenter_backdrop(presenter);
    struct backdrop_maker maker = {.busy = false};
    const char *why;
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    CHECK(backend && presenter);
    req.limit = 100;
    req.planes |= SAMPLE_SLOPE;
    backdrop_maker_begin(&maker, backend, backdrop, &req);
    req.planes = SAMPLE_BASIC;
    CHECK(make_levels(backdrop, &req, SAMPLE_BASIC) == 0 && !maker.busy);
    req.planes |= SAMPLE_SLOPE;
    CHECK(make_levels(backdrop, &req, req.planes) == 2);
    CHECK(view_set_zoom(&req.view, "1024", &why));
    req.planes = SAMPLE_BASIC;
    CHECK(make_levels(backdrop, &req, SAMPLE_BASIC) == 4);
    req.planes |= SAMPLE_SLOPE;
    CHECK(make_levels(backdrop, &req, req.planes) == 3);
    presenter_destroy(presenter);
    backend_close(backend);
}

/* Checks a shift by whole pixels: the picture's pixels lie on the output's. If one size is odd and
 * the other is not, they lie halfway between, as seen from the middle. They are never more than
 * half a pixel away. */
static void check_whole_pixels(void) {
    for (int more = 0; more < 4; more++)
        for (double x = -2; x <= 2; x += 0.375) {
            const struct gl_texture texture = {.width_px = 8 + more / 2, .height_px = 6 + more % 2};
            const struct output output = {.width_px = 8, .height_px = 6};
            const double complex at = layers_whole_pixels(x - I * x, &texture, &output);
            const double complex off = at + (more / 2 + I * (more % 2)) / 2;
            CHECK(creal(off) == rint(creal(off)) && cimag(off) == rint(cimag(off)));
            CHECK(fabs(creal(at) - x) <= 0.5 && fabs(cimag(at) + x) <= 0.5);
        }
}

/* Checks that a change on a lattice of 8 dirties all pixels that its last samples stand for. */
static void check_gaps(void) {
    static uint32_t pixels[WIDTH * HEIGHT], filled[WIDTH * HEIGHT];
    const struct rect dirty = {8, 16, 17, 33}, edge = {0, 0, WIDTH - 5, HEIGHT - 7};
    struct rect r = lattice_fill_touched(edge, 8, WIDTH, HEIGHT - 3);
    CHECK(r.x0 == 0 && r.y0 == 0 && r.x1 == WIDTH && r.y1 == HEIGHT - 3);
    r = lattice_fill_touched(dirty, 8, WIDTH, HEIGHT);
    CHECK(r.x0 == 8 && r.y0 == 16 && r.x1 == 24 && r.y1 == 40);
    for (int y = 16; y < 40; y += 8)
        for (int x = 8; x < 24; x += 8)
            pixels[y * WIDTH + x] = COLOUR_ALPHA | (uint32_t)(100 * y + x);
    lattice_fill_run(pixels, WIDTH, r, 8, filled);
    for (int y = 0; y < 24; y++)
        for (int x = 0; x < 16; x++)
            CHECK((filled[y * 16 + x] & 0xffffff) ==
                  (uint32_t)(100 * (16 + y / 8 * 8) + 8 + x / 8 * 8));
}

int main(void) {
    check_gaps();
    check_whole_pixels();
    struct window *window = window_create(WIDTH, HEIGHT, true, NULL);
    if (!window) {
        puts("skipped: there is no OpenGL here");
        return 77;
    }
    check_room();
    check_part();
    check_mapped();
    check_first_levels();
    check_fit();
    CHECK(glGetError() == GL_NO_ERROR);
    window_destroy(window);
    if (failures == 0)
        puts("all passed");
    return failures > 0;
}
