/* Line pictures on the screen: every pixel has the colour of the nearest lines, under any camera.
 * They replace the shown picture all at once, and do not affect the picture at rest. Skipped
 * without OpenGL. */
#include "app/picture/gl.h"
#include "app/picture/lines/line_picture.h"
#include "app/picture/present.h"
#include "app/picture/targets.h"
#include "app/window/window.h"
#include "render/base/log.h"
#include "tests/shared/check.h"
#include <math.h>

#define WIDTH   320
#define HEIGHT  200
#define COLUMNS 450
#define ROWS    300
#define NEAR_PX (1 / 16.0 + 1e-3) /* half an entry of the tables, and rounding of floats */

static struct window *window;
static struct presenter *presenter;
static uint32_t state = 12345;

static double random_part(void) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / 16777216.0;
}

/* --- pictures --- */

static uint32_t colour_at(int column, int row) {
    return COLOUR_ALPHA | (uint32_t)(column & 255) | (uint32_t)(row & 255) << 8 |
           (uint32_t)(column >> 8 | row >> 8 << 4) << 16;
}

/* Places lines with gaps of 0.5 to 1.1 px; their middle is about the picture's. */
static void scatter(struct grid_line *line, int count) {
    double at = -0.4 * count;
    for (int i = 0; i < count; i++, at += 0.5 + 0.6 * random_part())
        line[i].at = at;
}

static struct frame_req *make_request(bool lines, int columns, int rows) {
    struct frame_req *req = malloc(sizeof *req);
    frame_req_init(req, lines ? columns : WIDTH, lines ? rows : HEIGHT);
    if (!lines)
        return req;
    req->whole_width_px = WIDTH;
    req->whole_height_px = HEIGHT;
    req->lines = lines_create(columns, rows);
    scatter(req->lines->line, columns);
    scatter(req->lines->line + columns, rows);
    CHECK(!frame_req_problem(req));
    return req;
}

static void drop(struct frame_req *req) {
    frame_req_finish(req);
    free(req);
}

static struct target start_at(const struct frame_req *req, bool gl, struct similarity camera,
                              bool ends) {
    const struct look look = {.colouring = req->colouring};
    struct target target = {0};
    CHECK(presenter_start(presenter, req, &look, camera, ends, gl, &target));
    CHECK(target.at_once == (req->lines && !target.gl_buffer));
    return target;
}

static struct target start(const struct frame_req *req, bool gl) {
    return start_at(req, gl, similarity_identity, false);
}

/* Fills the first `rows` rows, with the colours of lines that are `shift` further. */
static void fill(const struct frame_req *req, const struct target *target, int rows, int shift) {
    const size_t size = (size_t)req->width_px * (size_t)req->height_px;
    uint32_t *rgba = calloc(size, sizeof *rgba);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < req->width_px; x++)
            rgba[y * req->width_px + x] = colour_at(x + shift, y + shift);
    if (target->gl_buffer) {
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, target->gl_buffer);
        glBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, (GLsizeiptr)(size * sizeof *rgba), rgba);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    } else {
        memcpy(target->rgba, rgba, size * sizeof *rgba);
    }
    free(rgba);
    CHECK(presenter_upload(presenter, (struct rect){0, 0, req->width_px, rows}, 1e9));
}

static void show(const struct frame_req *req, bool gl, int shift) {
    const struct target target = start(req, gl);
    fill(req, &target, req->height_px, shift);
    presenter_complete(presenter);
    CHECK(presenter_shows_lines(presenter) == (req->lines != NULL));
}

/* --- looking at the screen --- */

static const uint32_t *shot(const struct frame_req *req, struct similarity camera) {
    static uint32_t rgba[2][WIDTH * HEIGHT];
    static int which;
    const struct presenter_camera place = {&req->view, HEIGHT, camera};
    which = !which;
    CHECK(window_begin(window));
    presenter_draw(presenter, &place, WIDTH, HEIGHT);
    gl_read_screen(WIDTH, HEIGHT, rgba[which]);
    window_present(window);
    return rgba[which];
}

static bool same(const uint32_t *a, const uint32_t *b) {
    return memcmp(a, b, sizeof *a * WIDTH * HEIGHT) == 0;
}

/* Returns true if no line is nearer. */
static bool nearest(const struct grid_line *line, int count, int index, double at) {
    return index < count &&
           fabs(line[index].at - at) < line_picture_distance(line, count, at) + 2 * NEAR_PX;
}

/* Returns true between the outermost lines; outside, another picture may be shown. */
static bool between(const struct grid_line *line, int count, double at) {
    return at > line[0].at && at < line[count - 1].at;
}

static void check_pixels(const char *what, const struct frame_req *req, struct similarity camera,
                         int shift) {
    const struct lines *lines = req->lines;
    const uint32_t *rgba = shot(req, camera);
    int wrong = 0, seen = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const double complex on_screen = x + 0.5 - WIDTH / 2.0 + I * (y + 0.5 - HEIGHT / 2.0);
            const double complex at = (on_screen - camera.offset) / camera.factor;
            const uint32_t c = rgba[y * WIDTH + x];
            if (!between(lines->line, lines->columns, creal(at)) ||
                !between(lines->line + lines->columns, lines->rows, cimag(at)))
                continue;
            seen++;
            const int column = (int)((c & 255) | (c >> 16 & 15) << 8) - shift;
            const int row = (int)((c >> 8 & 255) | (c >> 20 & 15) << 8) - shift;
            if ((!nearest(lines->line, lines->columns, column, creal(at)) ||
                 !nearest(lines->line + lines->columns, lines->rows, row, cimag(at))) &&
                wrong++ == 0)
                printf("%s: pixel %d,%d shows column %d, row %d at %f,%f\n", what, x, y, column,
                       row, creal(at), cimag(at));
        }
    if (wrong)
        printf("%s: %d pixels are wrong\n", what, wrong);
    failures += wrong > 0 || seen < WIDTH * HEIGHT / 8;
}

/* --- checks --- */

static void check_cameras(bool gl) {
    struct frame_req *req = make_request(true, COLUMNS, ROWS);
    show(req, gl, 0);
    check_pixels("as it is", req, similarity_identity, 0);
    check_pixels("shifted", req, (struct similarity){1, 3.3 - 1.7 * I}, 0);
    check_pixels("larger", req, (struct similarity){1.3, 11 + 5 * I}, 0);
    check_pixels("smaller", req, (struct similarity){0.97, 0.25}, 0);
    check_pixels("a part of the screen", req, (struct similarity){1, WIDTH / 3 - I * HEIGHT / 4},
                 0);
    check_pixels("another part", req, (struct similarity){0.8, -WIDTH / 3 + I * HEIGHT / 4}, 0);
    check_pixels("turned", req, (struct similarity){1.2 * cexp(0.15 * I), 1}, 0);
    check_pixels("turned far", req, (struct similarity){1.35 * cexp(3 * I), 1}, 0);
    drop(req);
}

/* Checks that the shown picture stays until the lines are complete. */
static void check_swap(void) {
    struct frame_req *plain = make_request(false, 0, 0);
    struct frame_req *a = make_request(true, COLUMNS, ROWS);
    struct frame_req *b = make_request(true, COLUMNS + 9, ROWS - 5);
    show(plain, false, 0);
    static uint32_t before[WIDTH * HEIGHT];
    memcpy(before, shot(plain, similarity_identity), sizeof before);
    struct target target = start(a, false);
    CHECK(same(shot(plain, similarity_identity), before));
    fill(a, &target, 100, 0);
    CHECK(same(shot(plain, similarity_identity), before) && !presenter_shows_lines(presenter));
    target = start(b, false); /* the other one was cancelled */
    fill(b, &target, b->height_px, 3);
    CHECK(same(shot(plain, similarity_identity), before));
    presenter_complete(presenter);
    check_pixels("the first lines", b, similarity_identity, 3);
    /* The same over lines, and over lines that never arrived. */
    memcpy(before, shot(b, similarity_identity), sizeof before);
    const struct target first = start(a, false);
    fill(a, &first, 50, 0);
    const struct target second = start(a, true);
    const struct target third = start(b, false);
    CHECK(first.rgba && second.gl_buffer && third.rgba && target.rgba != first.rgba);
    CHECK(same(shot(b, similarity_identity), before));
    show(a, true, 7);
    check_pixels("lines after lines", a, similarity_identity, 7);
    drop(plain);
    drop(a);
    drop(b);
}

/* Checks the transition to rest: drawn pixels appear as they are, all others stay. */
static void check_rest(void) {
    struct frame_req *plain = make_request(false, 0, 0);
    struct frame_req *lines = make_request(true, COLUMNS, ROWS);
    static uint32_t before[WIDTH * HEIGHT], resting[WIDTH * HEIGHT];
    plain->first_stride = 1;
    show(plain, false, 50);
    memcpy(resting, shot(plain, similarity_identity), sizeof resting);
    show(lines, false, 0);
    memcpy(before, shot(plain, similarity_identity), sizeof before);
    CHECK(!same(before, resting));
    const struct target target = start(plain, false);
    CHECK(same(shot(plain, similarity_identity), before));
    fill(plain, &target, 60, 50);
    const uint32_t *amid = shot(plain, similarity_identity);
    CHECK(memcmp(amid, resting, sizeof *amid * WIDTH * 60) == 0);
    CHECK(memcmp(amid + WIDTH * 60, before + WIDTH * 60, sizeof *amid * WIDTH * (HEIGHT - 60)) ==
          0);
    fill(plain, &target, HEIGHT, 50);
    presenter_complete(presenter);
    CHECK(same(shot(plain, similarity_identity), resting) && !presenter_shows_lines(presenter));
    drop(plain);
    drop(lines);
}

/* Checks the end of a motion: lines stay until the next picture is complete, whatever part of it
 * they cover, or until the camera rests. */
static void check_ending(void) {
    const struct similarity camera = {1, 7};
    struct frame_req *plain = make_request(false, 0, 0);
    struct frame_req *lines = make_request(true, COLUMNS, ROWS);
    static uint32_t before[WIDTH * HEIGHT], resting[WIDTH * HEIGHT], left[WIDTH * HEIGHT];
    plain->first_stride = 1;
    view_pan(&plain->view, 4, 0, HEIGHT);
    show(plain, false, 50);
    memcpy(resting, shot(plain, similarity_identity), sizeof resting);
    for (int rests = 0; rests < 3; rests++) { /* the third time in a frame that is not painted */
        show(lines, rests > 0, 0);
        memcpy(before, shot(plain, camera), sizeof before);
        const struct target target = start_at(plain, false, camera, true);
        CHECK(same(shot(plain, camera), before));
        fill(plain, &target, 60, 50);
        CHECK(same(shot(plain, camera), before) && presenter_shows_lines(presenter));
        CHECK(presenter_shows_one(presenter));
        if (rests == 2) {
            glEnable(GL_RASTERIZER_DISCARD);
            shot(plain, similarity_identity);
            CHECK(glIsEnabled(GL_RASTERIZER_DISCARD));
            glDisable(GL_RASTERIZER_DISCARD);
        }
        if (rests) {
            const uint32_t *amid = shot(plain, similarity_identity);
            CHECK(memcmp(amid, resting, sizeof *amid * WIDTH * 60) == 0);
            CHECK(memcmp(amid + WIDTH * 60, resting + WIDTH * 60, sizeof *amid * WIDTH) != 0);
            CHECK(!presenter_shows_lines(presenter));
            CHECK(rests == 1 || same(amid, left));
            memcpy(left, amid, sizeof left);
        }
        fill(plain, &target, HEIGHT, 50);
        presenter_complete(presenter);
        CHECK(!presenter_shows_lines(presenter) && !same(shot(plain, camera), before));
        CHECK(same(shot(plain, similarity_identity), resting));
    }
    drop(plain);
    drop(lines);
}

/* Checks a motion that continues: lines do not stay when another picture is drawn. */
static void check_going_on(void) {
    const struct similarity camera = {1, 7};
    struct frame_req *plain = make_request(false, 0, 0), *lines = make_request(true, COLUMNS, ROWS);
    static uint32_t before[WIDTH * HEIGHT];
    plain->first_stride = 1;
    show(lines, false, 0);
    memcpy(before, shot(plain, camera), sizeof before);
    const struct target target = start_at(plain, false, camera, false);
    CHECK(same(shot(plain, camera), before) && !presenter_shows_lines(presenter));
    fill(plain, &target, 60, 50);
    const uint32_t *amid = shot(plain, camera);
    CHECK(memcmp(amid, before, sizeof *amid * WIDTH * 60) != 0);
    CHECK(memcmp(amid + WIDTH * 60, before + WIDTH * 60, sizeof *amid * WIDTH * (HEIGHT - 60)) ==
          0);
    drop(plain);
    drop(lines);
}

/* Checks lines that arrive far from the shown picture if no frame is drawn before the next picture
 * is complete. Around the next picture, the lines must look as if they had been shown. */
static void check_unseen(void) {
    const struct similarity there = {1, 200}, camera = {1, 150};
    struct frame_req *before = make_request(false, 0, 0), *plain = make_request(false, 0, 0);
    struct frame_req *lines = make_request(true, 2 * COLUMNS, ROWS);
    static uint32_t shown[WIDTH * HEIGHT];
    view_pan(&plain->view, 200, 0, HEIGHT);
    view_assign(&lines->view, &plain->view);
    plain->first_stride = 1;
    show(lines, false, 0);
    memcpy(shown, shot(plain, camera), sizeof shown);
    show(before, false, 50);
    shot(before, similarity_identity);
    show(lines, false, 0);
    const struct target target = start_at(plain, false, there, true);
    fill(plain, &target, HEIGHT, 50);
    presenter_complete(presenter);
    const uint32_t *rgba = shot(plain, camera);
    for (int y = 0; y < HEIGHT; y += HEIGHT / 8)
        CHECK(memcmp(rgba + y * WIDTH, shown + y * WIDTH, sizeof *rgba * 140) == 0);
    CHECK(!same(rgba, shown));
    drop(before);
    drop(plain);
    drop(lines);
}

/* Expected picture of each row of the screen, and a picture in flight. */
struct shown {
    uint32_t row[HEIGHT];
    struct frame_req *req;
    struct target target;
    uint32_t colour;
    int filled;
};

/* Adds rows of the picture in flight, in its only colour. */
static void add_rows(struct shown *shown, int rows) {
    const int width = shown->req->width_px, height = shown->req->height_px;
    const int from = shown->filled, to = from + rows < height ? from + rows : height;
    const size_t size = (size_t)width * (size_t)(to - from);
    uint32_t *rgba = malloc(size * sizeof *rgba + 1);
    for (size_t i = 0; i < size; i++)
        rgba[i] = shown->colour;
    if (shown->target.gl_buffer) {
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, shown->target.gl_buffer);
        glBufferSubData(GL_PIXEL_UNPACK_BUFFER, (GLintptr)(4 * (size_t)width * (size_t)from),
                        (GLsizeiptr)(size * sizeof *rgba), rgba);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    } else {
        memcpy(shown->target.rgba + (size_t)width * (size_t)from, rgba, size * sizeof *rgba);
    }
    free(rgba);
    CHECK(presenter_upload(presenter, (struct rect){0, from, width, to}, 1e9));
    shown->filled = to;
    for (int y = from; y < to && !shown->req->lines; y++)
        shown->row[y] = shown->colour;
    if (to < height)
        return;
    presenter_complete(presenter);
    for (int y = 0; y < HEIGHT; y++)
        shown->row[y] = shown->colour;
}

/* Starts, continues, completes and cancels pictures of both kinds in any order, each in its own
 * colour. The screen must never have a pixel of another picture than expected. */
static void check_sequences(void) {
    static struct shown shown;
    struct frame_req *plain = make_request(false, 0, 0);
    struct frame_req *lines[2] = {make_request(true, COLUMNS, ROWS),
                                  make_request(true, COLUMNS + 12, ROWS - 7)};
    plain->first_stride = 1;
    shown = (struct shown){.req = plain, .target = start(plain, false), .colour = COLOUR_ALPHA};
    add_rows(&shown, HEIGHT);
    int wrong = 0;
    for (int i = 0; i < 400 && !wrong; i++) {
        const int what = (int)(4 * random_part());
        if (what < 2 && shown.filled < shown.req->height_px) {
            add_rows(&shown, (int)(random_part() * 2 * shown.req->height_px));
        } else {
            shown.req = what & 1 ? plain : lines[i / 7 % 2];
            shown.target = start(shown.req, random_part() < 0.4);
            shown.colour = COLOUR_ALPHA | (uint32_t)i * 7919;
            shown.filled = 0;
            if (shown.target.rgba) /* parts of it must not become visible */
                memset(shown.target.rgba, 0,
                       4 * (size_t)shown.req->width_px * (size_t)shown.req->height_px);
        }
        const uint32_t *rgba = shot(plain, similarity_identity);
        for (int k = 0; k < WIDTH * HEIGHT; k++)
            wrong += rgba[k] != shown.row[k / WIDTH];
        if (wrong)
            printf("step %d: %d pixels of another picture\n", i, wrong);
    }
    CHECK(wrong == 0);
    drop(plain);
    drop(lines[0]);
    drop(lines[1]);
}

/* Checks the shares of pixels whose nearest sample is exactly at their place, and not more than
 * half a pixel away. */
static void check_accuracy(void) {
    struct frame_req *plain = make_request(false, 0, 0), *lines = make_request(true, 400, 300);
    for (int i = 0; i < 400 + 300; i++) /* every second row and column is on the grid */
        lines->lines->line[i].at =
            i < 400 ? i - 199.5 + 0.25 * (i & 1) : i - 549.5 + 0.75 * (i & 1);
    show(plain, false, 0);
    const struct {
        const struct frame_req *req;
        struct similarity camera;
        double exact, near, more_or_less;
    } cases[] = {
        {plain, similarity_identity, 1, 1, 0},
        {plain, {1, 0.25}, 0, 1, 0},
        {plain, {0.5, 0}, 0, 0.25, 0}, /* three quarters show the background */
        {plain, {2 * cexp(0.3 * I), 0}, 0, 0.25, 0.03},
        {lines, similarity_identity, 0.25, 0.5, 0},
        {lines, {1, 0.1}, 0, 0.5, 0},
        {lines, {1, 0.3}, 0, 0.25, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (i > 0 && cases[i].req != cases[i - 1].req)
            show(cases[i].req, false, 0);
        shot(cases[i].req, cases[i].camera);
        const struct presenter_accuracy a = presenter_accuracy(presenter);
        if (fabs(a.exact - cases[i].exact) > 1e-9 ||
            fabs(a.near - cases[i].near) > 1e-9 + cases[i].more_or_less) {
            printf("case %zu: %g exact, %g near\n", i, a.exact, a.near);
            failures++;
        }
    }
    start(plain, false);
    CHECK(presenter_accuracy(presenter).near == 0);
    drop(plain);
    drop(lines);
}

/* Checks few lines, far apart: no blocks of one colour, but every value in between. */
static void check_starved(void) {
    struct frame_req *req = make_request(true, 41, 31);
    for (int i = 0; i < 41 + 31; i++)
        req->lines->line[i].at = i < 41 ? 9.0 * (i - 20) : 9.0 * (i - 41 - 15);
    const struct target target = start(req, false);
    for (int i = 0; i < 41 * 31; i++)
        target.rgba[i] = COLOUR_ALPHA | (uint32_t)(i % 41) * 6;
    presenter_complete(presenter);
    const uint32_t *rgba = shot(req, similarity_identity);
    int wrong = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const double expected = ((i % WIDTH + 0.5 - WIDTH / 2.0) / 9 + 20) * 6;
        wrong += fabs((rgba[i] & 255) - expected) > 1.5;
    }
    CHECK(wrong == 0);
    drop(req);
}

/* Returns the standard deviation of red around the middle of the screen. */
static double contrast(const struct frame_req *req, struct similarity camera) {
    const uint32_t *rgba = shot(req, camera);
    double sum = 0, squares = 0;
    int count = 0;
    for (int y = HEIGHT / 2 - 20; y < HEIGHT / 2 + 20; y++)
        for (int x = WIDTH / 2 - 20; x < WIDTH / 2 + 20; x++, count++) {
            const double red = rgba[y * WIDTH + x] & 255;
            sum += red;
            squares += red * red;
        }
    return sqrt(squares / count - sum / count * (sum / count));
}

/* Returns the largest difference of neighbouring pixels on the screen. */
static int steepest(const struct frame_req *req, struct similarity camera) {
    const uint32_t *rgba = shot(req, camera);
    int most = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int step = abs((int)(rgba[i] & 255) - (int)(rgba[i % WIDTH ? i - 1 : i] & 255));
        most = step > most ? step : most;
    }
    return most;
}

/* Checks random black and white: as sharp as that at nearly its size, grey from far away, and
 * without blocks from close up. */
static void check_filters(bool lines) {
    struct frame_req *req = make_request(lines, COLUMNS, ROWS);
    const struct target target = start(req, false);
    for (int i = 0; i < req->width_px * req->height_px; i++)
        target.rgba[i] = random_part() < 0.5 ? 0xff000000 : 0xffffffff;
    CHECK(presenter_upload(presenter, (struct rect){0, 0, req->width_px, req->height_px}, 1e9));
    presenter_complete(presenter);
    const double sharp = contrast(req, similarity_identity);
    CHECK(sharp > 120);
    for (int i = 0; i < 10; i++) {
        CHECK(contrast(req, (struct similarity){1 + 0.009 * i, 0.37 * i}) > 120);
        CHECK(contrast(req, (struct similarity){(1 + 0.009 * i) * cexp(0.1 * I * i), 0}) > 120);
        CHECK(contrast(req, (struct similarity){0.25 - 0.01 * i, 0.1 * i}) < 50);
        CHECK(contrast(req, (struct similarity){(0.25 - 0.01 * i) * cexp(0.1 * I * i), 0}) < 50);
    }
    CHECK(contrast(req, (struct similarity){1.3, 0.2}) > 120);
    CHECK(contrast(req, (struct similarity){0.5, 0.2}) < 90);
    const double step = 255 / (lines ? 8 : 16); /* lines are at least half a pixel apart */
    CHECK(steepest(req, (struct similarity){16, 0.2}) < step * 1.2);
    CHECK(steepest(req, (struct similarity){16 * cexp(0.2 * I), 0.2}) < step * 1.6);
    /* Another picture comes, with mipmap levels of its own. */
    const struct target black = start(req, false);
    for (int i = 0; i < req->width_px * req->height_px; i++)
        black.rgba[i] = 0xff000000;
    CHECK(presenter_upload(presenter, (struct rect){0, 0, req->width_px, req->height_px}, 1e9));
    presenter_complete(presenter);
    CHECK(contrast(req, (struct similarity){0.25, 0}) < 1);
    drop(req);
}

/* --- no graphics memory for buffers --- */

static PFNGLBUFFERDATAPROC buffer_data;

static void GLAPIENTRY refuse_data(GLenum kind, GLsizeiptr size, const void *data, GLenum usage) {
    (void)size;
    buffer_data(kind, -1, data, usage);
}

/* Checks refused buffers: pictures then use host memory, and the previous picture is kept. */
static void check_refused(void) {
    struct frame_req *plain = make_request(false, 0, 0), *lines = make_request(true, COLUMNS, ROWS);
    struct targets targets = {0};
    struct target first, target;
    buffer_data = __glewBufferData;
    CHECK(targets_make(&targets, 1000, 1000, true, false, &first) && first.gl_buffer);
    __glewBufferData = refuse_data;
    CHECK(targets_make(&targets, 5000, 5000, true, false, &target) && target.rgba);
    CHECK(targets_make(&targets, 1000, 1000, true, false, &target) &&
          target.gl_buffer == first.gl_buffer);
    presenter_destroy(presenter);
    presenter = presenter_create();
    show(plain, true, 50);
    const uint32_t *rgba = shot(plain, similarity_identity);
    CHECK((rgba[0] & 0xffffff) == (colour_at(50, 50) & 0xffffff));
    show(lines, true, 3);
    check_pixels("without a buffer", lines, similarity_identity, 3);
    __glewBufferData = buffer_data;
    CHECK(targets_make(&targets, 6000, 6000, true, false, &target) && target.rgba);
    CHECK(targets_make(&targets, 4000, 4000, true, false, &target) && target.gl_buffer);
    targets_finish(&targets);
    CHECK(glGetError() == GL_NO_ERROR);
    drop(plain);
    drop(lines);
}

/* Checks a window that is wider and higher than any texture: the visible part of lines is drawn,
 * without errors. */
static void check_vast(void) {
    struct frame_req *plain = make_request(false, 0, 0), *lines = make_request(true, COLUMNS, ROWS);
    const struct similarity large = {HEIGHT / 9.0, 0};
    const struct presenter_camera place = {&lines->view, HEIGHT, large};
    const struct presenter_camera rest = {&plain->view, HEIGHT, similarity_identity};
    char text[200];
    unsigned said = 0;
    GLint most;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    log_listen_to_warnings(text, sizeof text, &said);
    show(lines, false, 0);
    CHECK(window_begin(window));
    presenter_draw(presenter, &place, most + 9, 9);
    start_at(plain, false, large, true);
    CHECK(presenter_shows_lines(presenter));
    presenter_draw(presenter, &rest, most + 9, 9);
    CHECK(!presenter_shows_lines(presenter));
    presenter_complete(presenter);
    window_present(window);
    log_listen(NULL, 0);
    CHECK(said == 0 && glGetError() == GL_NO_ERROR);
    drop(plain);
    drop(lines);
}

int main(void) {
    window = window_create(WIDTH, HEIGHT, true, NULL);
    if (!window) {
        puts("skipped: there is no OpenGL here");
        return 77;
    }
    presenter = presenter_create();
    CHECK(presenter);
    if (presenter) {
        check_cameras(false);
        check_cameras(true);
        check_swap();
        check_rest();
        check_ending();
        check_going_on();
        check_unseen();
        check_sequences();
        check_starved();
        check_accuracy();
        check_filters(false);
        check_filters(true);
        CHECK(glGetError() == GL_NO_ERROR);
        check_refused();
        check_vast();
    }
    presenter_destroy(presenter);
    window_destroy(window);
    if (failures == 0)
        puts("all passed");
    return failures > 0;
}
