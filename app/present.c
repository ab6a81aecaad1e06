/* Two pictures, one shader, and the way of pixels into textures. */
#include "app/present.h"
#include "app/gaps.h"
#include "app/gl.h"
#include "render/log.h"
#include <math.h>
#include <stdlib.h>

#define FAR_PX     1e6  /* an old picture farther away or more magnified than that is not drawn */
#define ALIGNED_PX 1e-3 /* what rounding may do to a shift by whole pixels */

static const float background[3] = {0.055f, 0.06f, 0.07f};

/* A linked pair of shaders and its uniforms; -1 stands for what it has not. */
struct program {
    GLuint name;
    GLint current_corners, old_corners, current_coarser, old_coarser, first_stride, stored;
};

struct presenter {
    struct program one, two, gaps; /* gaps: two, filling them */
    GLuint vertices, framebuffer;
    GLuint exact, smooth; /* samplers: nearest and linear, nothing outside */
    int size_max;

    struct gl_texture current, old, spare, empty;
    struct view view; /* of the current picture */
    int first_stride;
    bool any, complete; /* pixels have arrived; all have */
    bool has_old;
    struct similarity old_place; /* of the old picture in the current one */

    GLuint upload; /* host target: the buffer that pixels pass through */
    uint32_t *host;
    size_t host_pixels;
    GLuint target, retired; /* GL target: a buffer of exactly the picture's bytes */
    size_t target_bytes;
    bool gl_target; /* which of both the current picture has */
};

static bool make_program(struct program *program, const char *fragment, const char *defines) {
    const GLuint name = gl_program("picture.vert", fragment, defines);
    program->name = name;
    if (!name)
        return false;
    program->current_corners = glGetUniformLocation(name, "current_corners");
    program->old_corners = glGetUniformLocation(name, "old_corners");
    program->current_coarser = glGetUniformLocation(name, "current_coarser");
    program->old_coarser = glGetUniformLocation(name, "old_coarser");
    program->first_stride = glGetUniformLocation(name, "first_stride");
    program->stored = glGetUniformLocation(name, "stored");
    glUseProgram(name);
    glUniform1i(glGetUniformLocation(name, "current"), 0);
    glUniform1i(glGetUniformLocation(name, "old"), 1);
    glUniform3fv(glGetUniformLocation(name, "background"), 1, background);
    return true;
}

static GLuint make_sampler(GLint filter) {
    GLuint sampler;
    glGenSamplers(1, &sampler);
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, filter);
    glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, filter);
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    return sampler;
}

static void clear(struct presenter *p, const struct gl_texture *texture) {
    gl_draw_into(p->framebuffer, texture);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(background[0], background[1], background[2], 0);
    glClear(GL_COLOR_BUFFER_BIT);
}

struct presenter *presenter_create(void) {
    struct presenter *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    view_init(&p->view);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &p->size_max);
    glGenVertexArrays(1, &p->vertices);
    glGenFramebuffers(1, &p->framebuffer);
    glGenBuffers(1, &p->upload);
    p->exact = make_sampler(GL_NEAREST);
    p->smooth = make_sampler(GL_LINEAR);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glDisable(GL_DITHER);
    if (!make_program(&p->one, "picture_one.frag", "") ||
        !make_program(&p->two, "picture_two.frag", "") ||
        !make_program(&p->gaps, "picture_two.frag", "#define GAPS\n") ||
        !gl_texture_resize(&p->empty, 3, 3)) {
        presenter_destroy(p);
        return NULL;
    }
    clear(p, &p->empty);
    return p;
}

void presenter_destroy(struct presenter *p) {
    if (!p)
        return;
    glDeleteProgram(p->one.name);
    glDeleteProgram(p->two.name);
    glDeleteProgram(p->gaps.name);
    glDeleteSamplers(1, &p->exact);
    glDeleteSamplers(1, &p->smooth);
    glDeleteVertexArrays(1, &p->vertices);
    glDeleteFramebuffers(1, &p->framebuffer);
    glDeleteBuffers(1, &p->upload);
    glDeleteBuffers(1, &p->target);
    glDeleteBuffers(1, &p->retired);
    gl_texture_finish(&p->current);
    gl_texture_finish(&p->old);
    gl_texture_finish(&p->spare);
    gl_texture_finish(&p->empty);
    view_finish(&p->view);
    free(p->host);
    free(p);
}

int presenter_size_max(const struct presenter *p) {
    return p->size_max < FRAME_SIZE_MAX ? p->size_max : FRAME_SIZE_MAX;
}

/* --- drawing --- */

/* What is drawn to, and where the current picture lies on it. */
struct output {
    int width_px, height_px;
    struct similarity current;
    bool screen; /* rows bottom up, on a background; otherwise a texture with fineness as alpha */
};

/* A picture lying on an output. */
struct layer {
    const struct gl_texture *texture;
    struct similarity place;
};

static bool is_identity(struct similarity s) {
    return s.factor == 1 && s.offset == 0;
}

static bool drawable(struct similarity s) {
    const double factor = cabs(s.factor);
    return factor > 1 / FAR_PX && factor < FAR_PX && cabs(s.offset) < FAR_PX;
}

/* The shift nearest to `offset` that puts the pixels of two pictures onto each other. */
static double complex whole_pixels(double complex offset, const struct gl_texture *a, int width_px,
                                   int height_px) {
    const double x = (a->width_px - width_px) / 2.0, y = (a->height_px - height_px) / 2.0;
    return round(creal(offset) + x) - x + I * (round(cimag(offset) + y) - y);
}

static bool aligned(const struct layer *layer, const struct output *output) {
    const double complex offset = layer->place.offset;
    return layer->place.factor == 1 &&
           cabs(offset - whole_pixels(offset, layer->texture, output->width_px,
                                      output->height_px)) < ALIGNED_PX;
}

/* Whether no pixel of the output lies outside the picture. */
static bool covers(const struct layer *layer, const struct output *output) {
    const struct similarity inverse = similarity_inverse(layer->place);
    const double right = layer->texture->width_px / 2.0 + ALIGNED_PX;
    const double down = layer->texture->height_px / 2.0 + ALIGNED_PX;
    for (int corner = 0; corner < 4; corner++) {
        const double x = (corner & 1 ? 0.5 : -0.5) * output->width_px;
        const double y = (corner & 2 ? 0.5 : -0.5) * output->height_px;
        const double complex at = similarity_apply(inverse, x + I * y);
        if (fabs(creal(at)) > right || fabs(cimag(at)) > down)
            return false;
    }
    return true;
}

/* Where the corners of the big triangle in picture.vert lie in the picture. */
static void set_corners(GLint at, const struct layer *layer, const struct output *output) {
    const struct similarity inverse = similarity_inverse(layer->place);
    const double down = output->screen ? -0.5 : 0.5;
    float corners[6];
    for (int i = 0; i < 3; i++) {
        const double x = (i == 1 ? 3 : -1) * 0.5 * output->width_px;
        const double y = (i == 2 ? 3 : -1) * down * output->height_px;
        const double complex position = similarity_apply(inverse, x + I * y);
        corners[2 * i] = (float)(creal(position) / layer->texture->width_px + 0.5);
        corners[2 * i + 1] = (float)(cimag(position) / layer->texture->height_px + 0.5);
    }
    glUniform2fv(at, 3, corners);
}

static void bind_layer(GLuint unit, const struct layer *layer, GLuint sampler) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, layer->texture->name);
    glBindSampler(unit, sampler);
}

static float coarser(const struct layer *layer) {
    return (float)(log2(cabs(layer->place.factor)) * GAPS_OCTAVE / 255);
}

static void draw_triangle(const struct presenter *p) {
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glBindVertexArray(p->vertices);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    /* Samplers would hold for whoever draws next. */
    glBindSampler(0, 0);
    glBindSampler(1, 0);
    glActiveTexture(GL_TEXTURE0);
}

/* Copies a picture whose pixels are the screen's: the cheapest way, most of all in software. */
static void copy_one(const struct presenter *p, const struct layer *layer,
                     const struct output *output) {
    GLint screen;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &screen);
    gl_draw_into(p->framebuffer, layer->texture);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)screen);
    glDisable(GL_SCISSOR_TEST);
    if (!covers(layer, output)) {
        glClearColor(background[0], background[1], background[2], 1);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    const int width = layer->texture->width_px, height = layer->texture->height_px;
    const double complex offset = layer->place.offset;
    const int x = (int)lround(creal(offset) + (output->width_px - width) / 2.0);
    const int y = (int)lround(cimag(offset) + (output->height_px - height) / 2.0);
    const int bottom = output->height_px - y;
    glBlitFramebuffer(0, 0, width, height, x, bottom, x + width, bottom - height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)screen);
    glViewport(0, 0, output->width_px, output->height_px);
}

static void draw_one(const struct presenter *p, const struct layer *layer,
                     const struct output *output) {
    if (aligned(layer, output)) {
        copy_one(p, layer, output);
        return;
    }
    glUseProgram(p->one.name);
    bind_layer(0, layer, p->smooth);
    set_corners(p->one.current_corners, layer, output);
    draw_triangle(p);
}

/* Host pictures come with their gaps filled, which leaves less to do to a software renderer. Filled
 * gaps are not smoothed: only of a complete picture are all neighbours equally fine. */
static void draw_two(const struct presenter *p, const struct layer *current,
                     const struct layer *old, const struct output *output) {
    const bool smooth = p->complete && !aligned(current, output);
    const bool gaps = p->gl_target && !p->complete && p->first_stride > 1;
    const struct program *program = gaps ? &p->gaps : &p->two;
    glUseProgram(program->name);
    bind_layer(1, old, aligned(old, output) ? p->exact : p->smooth);
    bind_layer(0, current, smooth ? p->smooth : p->exact);
    set_corners(program->current_corners, current, output);
    set_corners(program->old_corners, old, output);
    glUniform1f(program->current_coarser, coarser(current));
    glUniform1f(program->old_coarser, coarser(old));
    glUniform1i(program->first_stride, p->first_stride);
    glUniform1i(program->stored, !output->screen);
    draw_triangle(p);
}

/* Draws what is known, with as few look-ups a pixel as will do. */
static void draw(const struct presenter *p, const struct output *output) {
    struct layer current = {&p->current, output->current};
    struct layer old = {&p->old, similarity_compose(output->current, p->old_place)};
    if (!p->has_old || !drawable(old.place))
        old = (struct layer){&p->empty, similarity_identity};
    const bool gaps = p->gl_target && !p->complete && p->first_stride > 1;
    const bool alone = p->complete ? covers(&current, output) : old.texture == &p->empty && !gaps;
    if (output->screen && !p->any)
        draw_one(p, &old, output);
    else if (output->screen && alone)
        draw_one(p, &current, output);
    else
        draw_two(p, &current, &old, output);
}

void presenter_draw(struct presenter *p, struct similarity camera, int width_px, int height_px) {
    const struct similarity scale = {(double)height_px / p->current.height_px, 0};
    const struct output output = {width_px, height_px, similarity_compose(scale, camera), true};
    glViewport(0, 0, width_px, height_px);
    draw(p, &output);
}

/* Draws a pixel with the program of two pictures, for every pair of samplers that matters. */
static void try_two(struct presenter *p, bool screen) {
    const struct layer exact = {&p->empty, similarity_identity};
    const struct layer scaled = {&p->empty, {1.5, 0}};
    const struct output output = {1, 1, similarity_identity, screen};
    glViewport(0, 0, 1, 1);
    draw_two(p, &exact, &exact, &output);
    draw_two(p, &exact, &scaled, &output);
}

void presenter_warm_up(struct presenter *p) {
    try_two(p, true);
    GLint screen;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &screen);
    if (gl_texture_resize(&p->spare, 1, 1)) {
        gl_draw_into(p->framebuffer, &p->spare);
        try_two(p, false);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)screen);
    glFinish();
}

/* --- keeping what was shown --- */

/* Draws both pictures into one, in a frame that loses nothing the screen shows: the screen's own
 * when the current picture is smaller there, otherwise the current picture's. */
static bool merge(struct presenter *p, const struct output *screen) {
    struct output output = *screen;
    output.screen = false;
    if (cabs(screen->current.factor) > 1 + 1e-9)
        output =
            (struct output){p->current.width_px, p->current.height_px, similarity_identity, false};
    else if (screen->current.factor == 1)
        output.current.offset =
            whole_pixels(screen->current.offset, &p->current, screen->width_px, screen->height_px);
    if (!gl_texture_resize(&p->spare, output.width_px, output.height_px))
        return false;
    gl_draw_into(p->framebuffer, &p->spare);
    draw(p, &output);
    const struct gl_texture old = p->old;
    p->old = p->spare;
    p->spare = old;
    p->old_place = similarity_inverse(output.current);
    p->has_old = true;
    return true;
}

/* Whether a merge would only copy the current picture: it is complete, and nothing else is on the
 * screen, or only what a pan has just uncovered. */
static bool shown_alone(const struct presenter *p, struct similarity camera,
                        const struct output *screen) {
    const struct layer current = {&p->current, screen->current};
    return p->complete && (is_identity(camera) ||
                           (cabs(screen->current.factor) <= 1 + 1e-9 && covers(&current, screen)));
}

/* The current picture becomes the old one as it is. */
static void keep_current(struct presenter *p) {
    const struct gl_texture old = p->old;
    p->old = p->current;
    p->current = old;
    p->old_place = similarity_identity;
    p->has_old = true;
}

static bool keep_shown(struct presenter *p, const struct frame_req *req, struct similarity camera) {
    if (!p->current.name)
        return true;
    const struct similarity moved =
        similarity_between(&req->view, req->height_px, &p->view, p->current.height_px);
    const struct output screen = {req->width_px, req->height_px, similarity_compose(camera, moved),
                                  true};
    if (shown_alone(p, camera, &screen))
        keep_current(p);
    else if (p->any && drawable(screen.current) && !merge(p, &screen))
        return false;
    p->old_place = similarity_compose(moved, p->old_place);
    p->has_old = p->has_old && drawable(p->old_place);
    return true;
}

/* --- the target --- */

static bool make_host_target(struct presenter *p, size_t pixels, struct target *target) {
    if (pixels != p->host_pixels) {
        free(p->host);
        p->host = malloc(pixels * sizeof *p->host);
        p->host_pixels = p->host ? pixels : 0;
    }
    if (!p->host) {
        log_error("no memory for a picture of %zu pixels", pixels);
        return false;
    }
    *target = (struct target){.rgba = p->host};
    return true;
}

/* A new size gets a buffer with a new name, because a device may still know the old one. */
static bool make_gl_target(struct presenter *p, size_t pixels, struct target *target) {
    const size_t bytes = pixels * sizeof(uint32_t);
    if (!p->target || p->target_bytes != bytes) {
        glDeleteBuffers(1, &p->retired);
        p->retired = p->target;
        glGenBuffers(1, &p->target);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, p->target);
        glBufferData(GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr)bytes, NULL, GL_DYNAMIC_DRAW);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        p->target_bytes = bytes;
    }
    *target = (struct target){.gl_buffer = p->target};
    return true;
}

void presenter_started(struct presenter *p) {
    glDeleteBuffers(1, &p->retired);
    p->retired = 0;
}

bool presenter_start(struct presenter *p, const struct frame_req *req, struct similarity camera,
                     bool gl, struct target *target) {
    if (!keep_shown(p, req, camera) ||
        !gl_texture_resize(&p->current, req->width_px, req->height_px))
        return false;
    if (!gl) /* a GL buffer is uploaded whole at first */
        clear(p, &p->current);
    view_assign(&p->view, &req->view);
    p->first_stride = req->first_stride;
    p->any = p->complete = false;
    p->gl_target = gl;
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px;
    return gl ? make_gl_target(p, pixels, target) : make_host_target(p, pixels, target);
}

/* Host memory passes through a buffer object, so that the driver need not wait for the texture. */
static bool fill_upload(const struct presenter *p, struct rect r) {
    const size_t bytes = (size_t)(r.x1 - r.x0) * (size_t)(r.y1 - r.y0) * sizeof(uint32_t);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_DRAW);
    uint32_t *to = glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, (GLsizeiptr)bytes,
                                    GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    if (to)
        gaps_fill(p->host, p->current.width_px, r, p->first_stride, to);
    return to && glUnmapBuffer(GL_PIXEL_UNPACK_BUFFER);
}

static void copy_to_texture(const struct presenter *p, struct rect r, int row_px, size_t offset) {
    glBindTexture(GL_TEXTURE_2D, p->current.name);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, row_px);
    glTexSubImage2D(GL_TEXTURE_2D, 0, r.x0, r.y0, r.x1 - r.x0, r.y1 - r.y0, GL_RGBA,
                    GL_UNSIGNED_BYTE, (const void *)(uintptr_t)offset);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

void presenter_upload(struct presenter *p, struct rect dirty) {
    if (dirty.x0 >= dirty.x1 || dirty.y0 >= dirty.y1)
        return;
    const int width = p->current.width_px;
    if (p->gl_target && !p->any)
        dirty = (struct rect){0, 0, width, p->current.height_px};
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, p->gl_target ? p->target : p->upload);
    if (p->gl_target) {
        const size_t first = (size_t)dirty.y0 * (size_t)width + (size_t)dirty.x0;
        copy_to_texture(p, dirty, width, first * sizeof(uint32_t));
    } else {
        const struct rect r = gaps_touched(dirty, p->first_stride, width, p->current.height_px);
        if (fill_upload(p, r))
            copy_to_texture(p, r, r.x1 - r.x0, 0);
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    p->any = true;
}

void presenter_complete(struct presenter *p) {
    p->complete = true;
}

void presenter_read(struct presenter *p, uint32_t *rgba) {
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glBindTexture(GL_TEXTURE_2D, p->current.name);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
}
