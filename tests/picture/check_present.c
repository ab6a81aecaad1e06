/* Pictures in motion, by the real presenter into a real framebuffer. During zooms, pans and turns
 * every pixel must show its point, from whichever picture, and there must be no holes. The pictures
 * show a plane whose colour grows evenly along a direction, so the expected pixels do not need the
 * tested arithmetic. Skipped without OpenGL. */
#include "app/picture/backdrop/backdrop.h"
#include "app/picture/gl.h"
#include "app/picture/present.h"
#include "app/window/window.h"
#include "tests/picture/plane.h"

#define TOLERANCE 4 /* of 255; a shade is about six pixels wide */

static struct window *window;
static struct presenter *presenter;
static enum target_kind memory; /* kind of memory for pictures */
static struct look kind;        /* look of started pictures */

/* Uploads the picture up to row `rows`, as a lattice of that stride. */
static void fill(const struct frame_req *req, const struct target *target, int rows, int stride) {
    memset(target->rgba, 0, sizeof *target->rgba * WIDTH * HEIGHT);
    for (int y = 0; y < rows; y += stride)
        for (int x = 0; x < WIDTH; x += stride) {
            uint32_t count;
            float fraction;
            split(value(plane_at(&req->view, HEIGHT, pixel_at(x, y, WIDTH, HEIGHT))), &count,
                  &fraction);
            target->rgba[y * WIDTH + x] =
                colour_of(&req->colouring, req->colouring.table, count, fraction);
        }
    if (rows > 0)
        CHECK(presenter_upload(presenter, (struct rect){0, 0, WIDTH, rows}, 1e9));
    if (rows == HEIGHT && stride == 1)
        presenter_complete(presenter);
}

/* Starts the picture with that many rows; `camera`: place of the screen. */
static void start(struct frame_req *req, struct similarity camera, int rows, int stride) {
    struct target target;
    req->generation++;
    req->first_stride = 8;
    kind.colouring = req->colouring;
    CHECK(presenter_start(presenter, req, &kind, camera, false, memory, &target));
    if (kind.orbit_density && rows > 0)
        presenter_set_hit(presenter, 1);
    fill(req, &target, rows, stride);
}

/* Makes all levels that the backdrop needs around a picture. */
static void make_levels(const struct frame_req *req) {
    struct frame_req level;
    int made = 0;
    for (; made < 100 && backdrop_wanted(presenter_backdrop(presenter), req, &level); made++) {
        const size_t pixels = (size_t)level.width_px * (size_t)level.height_px;
        struct sample_planes planes;
        CHECK(sample_planes_init(&planes, SAMPLE_BASIC, pixels, "a level"));
        for (int y = 0; y < level.height_px; y++)
            for (int x = 0; x < level.width_px; x++) {
                const size_t at = (size_t)y * (size_t)level.width_px + (size_t)x;
                split(value(plane_at(&level.view, level.height_px,
                                     pixel_at(x, y, level.width_px, level.height_px))),
                      &planes.count[at], &planes.fraction[at]);
            }
        backdrop_add_level(presenter_backdrop(presenter), &level, &planes);
        frame_req_finish(&level);
    }
    CHECK(made < 100);
}

/* --- looking at the screen --- */

/* Returns the place of a picture of `from` in one of `to`, computed from the plane alone. */
static struct similarity between(const struct view *to, const struct view *from) {
    const double complex o = plane_at(from, HEIGHT, 0), x = plane_at(from, HEIGHT, 1);
    const double complex origin = plane_at(to, HEIGHT, 0), unit = plane_at(to, HEIGHT, 1) - origin;
    const double complex offset = conj((o - origin) / unit), right = conj((x - origin) / unit);
    return (struct similarity){right - offset, offset};
}

/* Compares the drawn screen with the plane, and prints the largest difference. */
static void look(const char *what, const struct frame_req *req, struct similarity camera,
                 bool negative) {
    static unsigned rgba[WIDTH * HEIGHT];
    const struct presenter_camera place = {&req->view, HEIGHT, camera};
    int wrong = 0, holes = 0;
    CHECK(window_begin(window));
    presenter_draw(presenter, &place, WIDTH, HEIGHT);
    gl_read_screen(WIDTH, HEIGHT, rgba);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const double complex at =
                (pixel_at(x, y, WIDTH, HEIGHT) - camera.offset) / camera.factor;
            const double expected = shade_of(plane_at(&req->view, HEIGHT, at), negative);
            const unsigned pixel = rgba[y * WIDTH + x];
            const bool hole = (pixel & 0xff) != (pixel >> 8 & 0xff);
            if (fabs((pixel & 0xff) - expected) > TOLERANCE && wrong++ == 0)
                printf("%s: pixel %d,%d is %u, not %.0f\n", what, x, y, pixel & 0xff, expected);
            holes += hole;
        }
    if (wrong || holes)
        printf("%s: %d pixels are wrong, %d of them holes\n", what, wrong, holes);
    failures += wrong > 0 || holes > 0;
    window_present(window);
}

static struct similarity about(double complex p, double complex factor) {
    return (struct similarity){factor, p - factor * p};
}

/* --- motion --- */

static struct similarity after(struct similarity outer, struct similarity inner) {
    return (struct similarity){outer.factor * inner.factor,
                               outer.factor * inner.offset + outer.offset};
}

/* Goes to another view while the screen stays; none or some rows of the new picture arrive. */
static struct similarity go(struct frame_req *req, struct similarity camera, double complex centre,
                            double zoom, double degrees, int rows, int stride) {
    SCOPED_COPY(view, before, &req->view);
    set_view(req, centre, zoom, degrees);
    camera = after(camera, between(&before, &req->view));
    start(req, camera, rows, stride);
    return camera;
}

static void rest(struct frame_req *req, double complex centre, double zoom, double degrees) {
    set_view(req, centre, zoom, degrees);
    start(req, similarity_identity, HEIGHT, 1);
    make_levels(req);
}

/* Checks a zoom after a pan, and another zoom during it: copies of copies must fit. */
static void check_zoom_after_pan(struct frame_req *req) {
    rest(req, MIDDLE, ZOOM, 0);
    look("at rest", req, similarity_identity, false);
    struct similarity camera = go(req, similarity_identity, MIDDLE + 0.01, ZOOM, 0, 60, 8);
    look("a pan begins", req, camera, false);
    camera = after(about(0, 1.2), camera);
    look("amid a pan", req, camera, false);
    camera = go(req, camera, MIDDLE + 0.012 - 0.004 * I, ZOOM * 1.5, 0, 120, 1);
    look("a zoom begins", req, camera, false);
    camera = after(about(50 - 20 * I, 1.1), camera);
    look("amid a zoom", req, camera, false);
    camera = go(req, camera, MIDDLE + 0.015 - 0.006 * I, ZOOM * 2.25, 0, 100, 4);
    look("amid the next zoom", req, after(about(50 - 20 * I, 1.1), camera), false);
}

/* Checks views that follow each other before any of their pixels arrive. */
static void check_unseen(struct frame_req *req) {
    rest(req, MIDDLE, ZOOM, 0);
    struct similarity camera = go(req, similarity_identity, MIDDLE + 0.03, ZOOM, 0, 0, 1);
    camera = go(req, camera, MIDDLE + 0.03 - 0.015 * I, ZOOM * 2, 0, 0, 1);
    look("pan and zoom, unseen", req, camera, false);
    camera = go(req, camera, MIDDLE + 0.015, ZOOM * 2, 40, 0, 1);
    camera = go(req, camera, MIDDLE + 0.035 * I, ZOOM, 70, 0, 1);
    look("then a turn and a zoom", req, after(about(10, 1.2), camera), false);
}

static void check_turn(struct frame_req *req) {
    rest(req, MIDDLE, ZOOM, 0);
    struct similarity camera = go(req, similarity_identity, MIDDLE, ZOOM, 30, 0, 1);
    look("a turn begins", req, camera, false);
    camera = after(about(0, cexp(0.3 * I)), camera);
    look("amid a turn", req, camera, false);
    camera = go(req, camera, MIDDLE + 0.003 * I, ZOOM, 50, 90, 8);
    look("amid the next turn", req, after(about(20, cexp(0.2 * I)), camera), false);
}

static void check_zoom_out(struct frame_req *req) {
    rest(req, MIDDLE, ZOOM, 0);
    struct similarity camera = similarity_identity;
    double zoom = ZOOM;
    for (int i = 0; i < 5; i++) {
        zoom /= 1.5;
        camera = go(req, camera, MIDDLE, zoom, 0, i % 2 ? 70 : 0, 2);
        look("zoom out", req, camera, false);
        camera = after(about(10 + 10 * I, 1 / 1.4), camera);
        look("amid a zoom out", req, camera, false);
    }
    camera = go(req, camera, MIDDLE, ZOOM / 3, 20, 0, 1);
    look("out, and turned", req, camera, false);
}

/* Shows a picture of the view with that many lines, a little less than `apart` px apart. */
static void draw_lines(struct frame_req *req, int columns, int rows, double apart) {
    struct target target;
    SCOPED_COPY(frame_req, of, req);
    of.width_px = columns;
    of.height_px = rows;
    of.whole_width_px = WIDTH;
    of.whole_height_px = HEIGHT;
    of.lines = lines_create(columns, rows);
    struct grid_line *line = of.lines->line;
    for (int i = 0; i < columns + rows; i++) {
        const int at = i < columns ? i - columns / 2 : i - columns - rows / 2;
        line[i].at = apart * (at - 0.3 * (i % 3));
    }
    of.generation = ++req->generation;
    kind.colouring = of.colouring;
    CHECK(presenter_start(presenter, &of, &kind, similarity_identity, false, memory, &target));
    for (int i = 0; i < columns * rows; i++) {
        const double complex p = line[i % columns].at + I * line[columns + i / columns].at;
        uint32_t count;
        float fraction;
        split(value(plane_at(&of.view, HEIGHT, p)), &count, &fraction);
        target.rgba[i] = colour_of(&of.colouring, of.colouring.table, count, fraction);
    }
    CHECK(presenter_upload(presenter, (struct rect){0, 0, columns, rows}, 1e9));
    presenter_complete(presenter);
}

/* Checks lines, including the area that they do not reach, then a picture at rest over them, and
 * lines over an unfinished picture. */
static void check_lines(struct frame_req *req) {
    rest(req, MIDDLE, ZOOM, 0);
    struct similarity camera = similarity_identity;
    for (int i = 0; i < 4; i++) {
        set_view(req, MIDDLE + 0.003 * i, ZOOM * pow(1.2, i), 5 * i);
        draw_lines(req, 360 + i, 230 - i, 1);
        look("lines", req, camera, false);
        look("lines, nearer and turned", req, about(30, 1.7 * cexp(0.1 * I)), false);
        look("lines, far nearer", req, about(20 * I, 6), false);
        look("lines that do not reach", req, about(40 - 20 * I, 0.8), false);
        look("lines, far away and turned", req, about(0, 0.2 * cexp(0.5 * I)), false);
    }
    draw_lines(req, 130, 90, 3);
    look("few lines", req, camera, false);
    camera = go(req, camera, MIDDLE + 0.02, ZOOM * 1.5, 20, 100, 4);
    look("rest begins", req, camera, false);
    draw_lines(req, 360, 230, 1);
    look("lines again", req, similarity_identity, false);
    camera = go(req, about(20, 0.7), MIDDLE, ZOOM, 0, 0, 1);
    look("rest begins over lines that do not reach", req, camera, false);
    rest(req, MIDDLE, ZOOM, 0);
    look("at rest after lines", req, similarity_identity, false);
}

static void check_jump(struct frame_req *req) {
    rest(req, MIDDLE, ZOOM * 4, 0);
    go(req, similarity_identity, MIDDLE + 0.03 * I, ZOOM, 0, 0, 1);
    look("a jump out", req, similarity_identity, false);
    go(req, similarity_identity, MIDDLE - 0.02, ZOOM / 2, 0, 0, 1);
    look("another jump", req, similarity_identity, false);
}

/* Checks that a recolouring is visible at once, also in the backdrop. */
static void check_colours(struct frame_req *req) {
    rest(req, MIDDLE, ZOOM, 0);
    struct similarity camera = go(req, similarity_identity, MIDDLE, ZOOM / 3, 0, 0, 1);
    look("before other colours", req, camera, false);
    set_colours(&req->colouring, true);
    set_view(req, MIDDLE, ZOOM, 0);
    start(req, similarity_identity, HEIGHT, 1);
    look("other colours", req, similarity_identity, true);
    camera = go(req, similarity_identity, MIDDLE, ZOOM / 3, 0, 0, 1);
    look("out in other colours", req, after(about(0, 1 / 2.5), camera), true);
    set_colours(&req->colouring, false);
}

/* Checks a recolouring that changes only the offset. */
static void check_offset(struct frame_req *req) {
    rest(req, MIDDLE, ZOOM, 0);
    struct similarity camera = go(req, similarity_identity, MIDDLE, ZOOM / 3, 0, 0, 1);
    look("before another offset", req, camera, false);
    brighter = 40;
    req->colouring.offset = (uint64_t)(8 * brighter) << 32; /* entries of the table */
    set_view(req, MIDDLE, ZOOM, 0);
    start(req, similarity_identity, HEIGHT, 1);
    look("another offset", req, similarity_identity, false);
    camera = go(req, similarity_identity, MIDDLE, ZOOM / 3, 0, 0, 1);
    look("out with another offset", req, after(about(0, 1 / 2.5), camera), false);
    req->colouring.offset = 0;
    brighter = 0;
}

/* Checks that counts up to the limit itself, which the outer parts of the plane have, are not
 * interior. */
static void check_limit(struct frame_req *req) {
    const uint32_t before = req->limit;
    req->limit = 1080;
    rest(req, MIDDLE, ZOOM / 4, 0);
    const struct similarity camera = go(req, similarity_identity, MIDDLE, ZOOM / 8, 0, 0, 1);
    look("counts at the limit", req, after(about(0, 1 / 2.0), camera), false);
    req->limit = before;
}

/* Checks that parts seen on the way in are still there on the way out, without being drawn for
 * that; also for density pictures, which have no levels. */
static void check_kept(struct frame_req *req) {
    struct similarity camera = similarity_identity;
    struct tone tone;
    double zoom = ZOOM * 3;
    tone_init(&tone);
    kind = (struct look){.orbit_density = true, .tone = tone};
    rest(req, MIDDLE, zoom, 0);
    for (int i = 0; i < 24; i++) {
        zoom *= 1.5;
        camera = go(req, camera, MIDDLE, zoom, 0, HEIGHT, 1);
        camera = similarity_identity;
    }
    camera = go(req, camera, MIDDLE, ZOOM * 3, 0, 0, 1);
    for (int i = 0; i < 8; i++) {
        look("out again", req, camera, false);
        camera = after(about(0, 1 / 3.0), camera);
    }
    kind.orbit_density = false;
}

static int shade_at(const struct frame_req *req, struct similarity camera, int x, int y) {
    static unsigned rgba[WIDTH * HEIGHT];
    const struct presenter_camera place = {&req->view, HEIGHT, camera};
    CHECK(window_begin(window));
    presenter_draw(presenter, &place, WIDTH, HEIGHT);
    gl_read_screen(WIDTH, HEIGHT, rgba);
    window_present(window);
    return (int)(rgba[y * WIDTH + x] & 0xff);
}

/* Returns true if a pixel of the screen has the expected shade. */
static bool shows(const struct frame_req *req, struct similarity camera, int x, int y,
                  bool negative) {
    const double complex at = (pixel_at(x, y, WIDTH, HEIGHT) - camera.offset) / camera.factor;
    const double expected = shade_of(plane_at(&req->view, HEIGHT, at), negative);
    return fabs(shade_at(req, camera, x, y) - expected) <= TOLERANCE;
}

/* Checks that the surroundings of a picture smaller than the screen keep the old picture, also when
 * the next one starts. */
static void check_around(struct frame_req *req) {
    set_colours(&req->colouring, true);
    rest(req, MIDDLE, ZOOM / 2, 0);
    set_colours(&req->colouring, false);
    struct similarity camera = go(req, similarity_identity, MIDDLE, ZOOM, 0, HEIGHT, 1);
    CHECK(shows(req, camera, WIDTH / 2, HEIGHT / 2 + 9, false) && shows(req, camera, 30, 20, true));
    camera = go(req, camera, MIDDLE, 1.25 * ZOOM, 0, 0, 1);
    CHECK(shows(req, camera, WIDTH / 2, HEIGHT / 2 + 9, false) && shows(req, camera, 30, 20, true));
}

/* Returns the number of pixels that are not grey. */
static int count_holes(const struct frame_req *req, struct similarity camera) {
    static unsigned rgba[WIDTH * HEIGHT];
    const struct presenter_camera place = {&req->view, HEIGHT, camera};
    int holes = 0;
    CHECK(window_begin(window));
    presenter_draw(presenter, &place, WIDTH, HEIGHT);
    gl_read_screen(WIDTH, HEIGHT, rgba);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        holes += (rgba[i] & 0xff) != (rgba[i] >> 8 & 0xff);
    window_present(window);
    return holes;
}

/* Checks that levels of another fractal are not shown. Without levels, the picture's own colours
 * continue around it, also in a frame that is kept. */
static void check_other_fractal(struct frame_req *req) {
    rest(req, MIDDLE, ZOOM, 0);
    CHECK(count_holes(req, about(0, 0.2)) == 0);
    req->fractal.julia = 1;
    start(req, similarity_identity, HEIGHT, 1);
    CHECK(count_holes(req, about(0, 0.2)) == 0);
    CHECK(!shows(req, about(0, 0.2), 5, 5, false) ||
          !shows(req, about(0, 0.2), WIDTH - 6, 5, false));
    start(req, about(0, 0.2), 0, 1);
    CHECK(count_holes(req, about(0, 0.1)) == 0);
    /* Levels also go if the limit rises by much. */
    const uint32_t before = req->limit;
    struct frame_req level;
    req->limit = 1000;
    make_levels(req);
    req->limit = 3000;
    if (backdrop_wanted(presenter_backdrop(presenter), req, &level))
        frame_req_finish(&level);
    else
        failures++;
    req->limit = before;
    req->fractal.julia = 0;
}

/* Checks another fractal: the previous picture stays at its place until the new one has its coarse
 * lattice, and then only in its holes. The same holds for other colours of the same fractal. */
static void check_other_kind(struct frame_req *req) {
    const struct similarity here = similarity_identity;
    const int x = WIDTH / 2, y = HEIGHT - 9;
    for (int i = 0; i < 2; i++) {
        rest(req, MIDDLE, ZOOM, 0);
        const int below = shade_at(req, here, x, y), edge = shade_at(req, here, 3, 3);
        set_colours(&req->colouring, true);
        req->fractal.julia = i;
        set_view(req, MIDDLE, i ? ZOOM / 3 : ZOOM, 0);
        start(req, here, HEIGHT / 2, 1);
        presenter_set_drawn(presenter, WIDTH * HEIGHT / 65);
        CHECK(shade_at(req, here, 3, 3) == edge && shade_at(req, here, x, y) == below);
        presenter_set_drawn(presenter, WIDTH * HEIGHT / 64);
        CHECK(shade_at(req, here, x, y) == below && shows(req, here, 3, 3, true));
        start(req, here, HEIGHT, 1);
        CHECK(shows(req, here, x, y, true) && shows(req, here, 3, 3, true));
        req->fractal.julia = 0;
        set_colours(&req->colouring, false);
    }
    rest(req, MIDDLE, ZOOM, 0);
}

/* Counts the backdrop of such density pictures: equal points in each pixel, or in pixels `apart`
 * from each other. */
static void take_counts(const struct density_req *like, int apart) {
    struct backdrop *backdrop = presenter_backdrop(presenter);
    struct density_counts counts;
    struct density_req level;
    CHECK(backdrop_wants_counts(backdrop, like, &level));
    CHECK(density_counts_init(&counts, &level));
    for (int i = 0; i < counts.planes * counts.width * counts.height; i++)
        counts.count[i] = i % apart == 0 && i / counts.width % apart == 0 ? 100 : 0;
    backdrop_take_counts(backdrop, &level, &counts);
    CHECK(!counts.count && !backdrop_wants_counts(backdrop, like, &level));
    density_req_finish(&level);
}

/* Checks the first motion of the first density picture, which has only the counted backdrop, in any
 * tone. */
static void check_counted(struct frame_req *req) {
    SCOPED(density_req, like, WIDTH, HEIGHT);
    tone_init(&like.tone);
    kind = (struct look){.orbit_density = true, .tone = like.tone};
    set_view(req, MIDDLE, ZOOM, 0);
    start(req, similarity_identity, HEIGHT, 1);
    take_counts(&like, 1);
    for (int i = 0; i < 4; i++) {
        CHECK(count_holes(req, about(70 * I, pow(10, -i))) == 0);
        CHECK(count_holes(req, about(20, cexp(0.3 * I) * pow(0.3, i))) == 0);
        CHECK(count_holes(req, (struct similarity){1, 100 * i - 80 * I * i}) == 0);
    }
    like.tone.exposure += 1;
    kind.tone = like.tone;
    presenter_recolour(presenter, &kind);
    CHECK(count_holes(req, about(0, 0.1)) == 0);
    like.density.orbits = kind.orbits = DENSITY_BOUNDED;
    take_counts(&like, 1);
    CHECK(count_holes(req, about(0, 0.1)) == 0);
    kind = (struct look){.orbit_density = false};
}

static bool is_near(int shade, double wanted) {
    const bool near = fabs(shade - wanted) < 3;
    if (!near)
        printf("a shade of %d, not of %.1f\n", shade, wanted);
    return near;
}

/* Checks a density picture with few points: its counted backdrop shines through, evenly grey at
 * every depth, and no picture of another kind. */
static void check_thin(struct frame_req *req) {
    static const double zooms[] = {1, 500, 1e9, 1e200};
    const struct similarity here = similarity_identity;
    const int x = WIDTH / 3, y = HEIGHT / 3;
    SCOPED(density_req, like, WIDTH, HEIGHT);
    take_counts(&like, 1);
    for (size_t i = 0; i < sizeof zooms / sizeof *zooms; i++) {
        kind = (struct look){.orbit_density = false};
        rest(req, MIDDLE, ZOOM, 0);
        const int before = shade_at(req, here, x, y);
        kind = (struct look){.orbit_density = true, .tone = like.tone};
        start(req, here, 0, 1);
        CHECK(shade_at(req, here, x, y) == before); /* nothing is known yet */
        set_view(req, 0, zooms[i], 0);
        start(req, here, 0, 1);
        CHECK(presenter_set_hit(presenter, 0) == 1);
        const int grey = shade_at(req, here, x, y);
        CHECK(grey > 60 && grey < 200);
        CHECK(is_near(shade_at(req, here, WIDTH - 5, HEIGHT - 5), grey));
        start(req, here, HEIGHT, 1); /* with its points */
        CHECK(presenter_set_hit(presenter, 0) == 1 && !presenter_shows_one(presenter));
        CHECK(is_near(shade_at(req, here, x, y), grey));
        const double transparency = presenter_set_hit(presenter, 0.5);
        CHECK(transparency > 0.4 && transparency < 0.6);
        const int both = shade_at(req, here, x, y);
        CHECK(presenter_set_hit(presenter, 0.99) == 0);
        const int own = shade_at(req, here, x, y);
        CHECK(abs(own - grey) > 10 &&
              is_near(both, transparency * grey + (1 - transparency) * own));
        /* A picture with many points is worth keeping; a thin one is not. */
        start(req, here, 0, 1);
        presenter_set_hit(presenter, 0);
        CHECK(is_near(shade_at(req, here, x, y), own));
    }
    /* Far from the set no points are expected: nothing to wait for, nothing to show earlier. */
    set_view(req, 1000, 500, 0);
    kind = (struct look){.orbit_density = false};
    start(req, here, HEIGHT, 1);
    const int before = shade_at(req, here, x, y);
    kind = (struct look){.orbit_density = true, .tone = like.tone};
    start(req, here, 0, 1);
    CHECK(presenter_set_hit(presenter, 0) == 0 && shade_at(req, here, x, y) == before);
    start(req, here, HEIGHT, 1);
    CHECK(presenter_set_hit(presenter, 0) == 0);
    /* Once the backdrop of other orbits is counted, nothing of the earlier orbits is shown. */
    set_view(req, 0, 500, 0);
    start(req, here, HEIGHT, 1);
    presenter_set_hit(presenter, 1);
    const int own = shade_at(req, here, x, y);
    kind.channels = like.density.channels = 3;
    for (int i = 0; i < 3; i++)
        like.density.limit[i] = 1000;
    start(req, here, 0, 1);
    CHECK(shade_at(req, here, x, y) == own);
    take_counts(&like, 1);
    presenter_set_hit(presenter, 0);
    CHECK(abs(shade_at(req, here, x, y) - own) > 10);
    /* Pixels between a few points will be hit as well. */
    like.density.limit[0] = 2000;
    take_counts(&like, 3);
    set_view(req, 0, 8, 0);
    start(req, here, 0, 1);
    CHECK(presenter_set_hit(presenter, 0.3) > 0.6);
    kind = (struct look){.orbit_density = false};
    rest(req, MIDDLE, ZOOM, 0);
}

/* Checks copies of the drawn picture, whatever has replaced it, from all kinds of targets. */
static void check_copy(struct frame_req *req) {
    static uint32_t drawn[WIDTH * HEIGHT], other[WIDTH * HEIGHT], copy[WIDTH * HEIGHT];
    static const enum target_kind kinds[] = {TARGET_HOST, TARGET_BUFFER, TARGET_MAPPED};
    for (int turn = 0; turn < 12; turn++) {
        struct target target;
        CHECK(presenter_start(presenter, req, &kind, similarity_identity, false, kinds[turn % 3],
                              &target));
        CHECK((target.gl_buffer != 0) == (turn % 3 == 1));
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            drawn[i] = (uint32_t)(i + turn) | COLOUR_ALPHA;
        if (target.gl_buffer) {
            glBindBuffer(GL_PIXEL_UNPACK_BUFFER, target.gl_buffer);
            glBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, sizeof drawn, drawn);
            glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        } else {
            memcpy(target.rgba, drawn, sizeof drawn);
        }
        CHECK(presenter_upload(presenter, (struct rect){0, 0, WIDTH, HEIGHT}, 1e9));
        presenter_complete(presenter);
        presenter_read(presenter, copy);
        CHECK(memcmp(copy, drawn, sizeof drawn) == 0);
        presenter_replace(presenter, 0, HEIGHT, other);
        presenter_copy(presenter, copy);
        CHECK(memcmp(copy, drawn, sizeof drawn) == 0);
        presenter_read(presenter, copy);
        CHECK(memcmp(copy, other, sizeof other) == 0);
    }
}

static void check_all(void) {
    struct frame_req *req = malloc(sizeof *req);
    frame_req_init(req, WIDTH, HEIGHT);
    req->limit = 100000;
    set_colours(&req->colouring, false);
    check_counted(req);
    check_thin(req);
    check_zoom_after_pan(req);
    check_unseen(req);
    check_turn(req);
    check_zoom_out(req);
    check_lines(req);
    check_jump(req);
    check_colours(req);
    check_offset(req);
    check_around(req);
    check_other_fractal(req);
    check_other_kind(req);
    check_limit(req);
    check_kept(req);
    check_copy(req);
    frame_req_finish(req);
    free(req);
}

int main(void) {
    window = window_create(WIDTH, HEIGHT, true, NULL);
    if (!window) {
        puts("skipped: there is no OpenGL here");
        return 77;
    }
    for (int i = 0; i < 2; i++) {
        direction = i ? cexp(2 * I) : 1;
        memory = i ? TARGET_MAPPED : TARGET_HOST;
        presenter = presenter_create();
        CHECK(presenter);
        if (presenter)
            check_all();
        presenter_destroy(presenter);
    }
    window_destroy(window);
    if (failures == 0)
        puts("all passed");
    return failures > 0;
}
