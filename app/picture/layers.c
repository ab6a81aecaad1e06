/* Layers: compiles the shader programs and draws textures with them. */
#include "app/picture/layers.h"
#include "app/picture/lattice_fill.h"
#include <math.h>

#define SHRUNK     0.7  /* scale below which pixels are averaged */
#define ALIGNED_PX 1e-3 /* [px] rounding error of a shift by whole pixels */
#define SHARPER    0.5  /* mipmap levels by which averages are taken from a larger level */
#define BLURRED    5.0  /* lowest mipmap level for the surroundings of a picture */
#define SMALLER    3.0  /* further levels, added to the level that fits the output */

static const float background[3] = {0.055f, 0.06f, 0.07f};

static bool make_program(struct layers_program *program, const char *vertex, const char *fragment,
                         const char *defines) {
    const GLuint name = gl_program(vertex, fragment, defines);
    program->name = name;
    if (!name)
        return false;
    program->corners = glGetUniformLocation(name, "corners");
    program->fineness = glGetUniformLocation(name, "fineness");
    program->sides = glGetUniformLocation(name, "sides");
    program->current_corners = glGetUniformLocation(name, "current_corners");
    program->old_corners = glGetUniformLocation(name, "old_corners");
    program->current_coarser = glGetUniformLocation(name, "current_coarser");
    program->old_coarser = glGetUniformLocation(name, "old_coarser");
    program->first_stride = glGetUniformLocation(name, "first_stride");
    program->stored = glGetUniformLocation(name, "stored");
    glUseProgram(name);
    glUniform1i(glGetUniformLocation(name, "current"), 0);
    glUniform1i(glGetUniformLocation(name, "old"), 1);
    glUniform1i(glGetUniformLocation(name, "table"), 1);
    return true;
}

static GLuint make_sampler(GLint filter) {
    GLuint sampler;
    glGenSamplers(1, &sampler);
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, filter);
    glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, filter);
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return sampler;
}

bool layers_init(struct drawn_layers *layers) {
    *layers = (struct drawn_layers){0};
    glGenVertexArrays(1, &layers->vertices);
    glGenFramebuffers(1, &layers->framebuffer);
    layers->exact = make_sampler(GL_NEAREST);
    layers->smooth = make_sampler(GL_LINEAR);
    layers->levels = make_sampler(GL_LINEAR);
    glSamplerParameteri(layers->levels, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glSamplerParameterf(layers->levels, GL_TEXTURE_LOD_BIAS, -SHARPER);
    layers->any_level = make_sampler(GL_LINEAR);
    glSamplerParameteri(layers->any_level, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    return make_program(&layers->one, "picture.vert", "picture_one.frag", "") &&
           make_program(&layers->within, "picture_inside.vert", "picture_one.frag", "") &&
           make_program(&layers->lines, "picture.vert", "picture_lines.frag", "") &&
           make_program(&layers->lines_within, "picture_inside.vert", "picture_lines.frag", "") &&
           make_program(&layers->around, "picture.vert", "picture_around.frag", "") &&
           make_program(&layers->two, "picture.vert", "picture_two.frag", "") &&
           make_program(&layers->gaps, "picture.vert", "picture_two.frag", "#define GAPS\n");
}

void layers_finish(struct drawn_layers *layers) {
    glDeleteProgram(layers->one.name);
    glDeleteProgram(layers->within.name);
    glDeleteProgram(layers->lines.name);
    glDeleteProgram(layers->lines_within.name);
    glDeleteProgram(layers->around.name);
    glDeleteProgram(layers->two.name);
    glDeleteProgram(layers->gaps.name);
    glDeleteSamplers(1, &layers->exact);
    glDeleteSamplers(1, &layers->smooth);
    glDeleteSamplers(1, &layers->levels);
    glDeleteSamplers(1, &layers->any_level);
    glDeleteVertexArrays(1, &layers->vertices);
    glDeleteFramebuffers(1, &layers->framebuffer);
}

static void clear(void) {
    glDisable(GL_SCISSOR_TEST);
    glClearColor(background[0], background[1], background[2], 0);
    glClear(GL_COLOR_BUFFER_BIT);
}

void layers_clear(const struct drawn_layers *layers, const struct gl_texture *texture) {
    gl_draw_into(layers->framebuffer, texture);
    clear();
}

void layers_clear_output(const struct output *output) {
    (void)output;
    clear();
}

double complex layers_whole_pixels(double complex offset, const struct gl_texture *texture,
                                   const struct output *output) {
    const double x = (texture->width_px - output->width_px) / 2.0;
    const double y = (texture->height_px - output->height_px) / 2.0;
    return round(creal(offset) + x) - x + I * (round(cimag(offset) + y) - y);
}

static bool aligned(const struct drawn_layer *layer, const struct output *output) {
    const double complex offset = layer->place.offset;
    return layer->place.factor == 1 &&
           cabs(offset - layers_whole_pixels(offset, layer->texture, output)) < ALIGNED_PX;
}

/* --- places of layers, in pixels from the middle of their picture --- */

struct box {
    double x0, y0, x1, y1;
};

/* Returns the extent of a layer. */
static struct box box_of(const struct drawn_layer *layer) {
    const double right = layer->texture->width_px / 2.0, down = layer->texture->height_px / 2.0;
    const struct line_picture *lines = layer->lines;
    return lines ? (struct box){lines->columns.from, lines->rows.from, lines->columns.to,
                                lines->rows.to}
                 : (struct box){-right, -down, right, down};
}

/* Returns the box in which the texture coordinates go from 0 to 1. */
static struct box unit_of(const struct drawn_layer *layer) {
    struct box unit = box_of(layer);
    if (layer->lines) {
        const int entries = layer->lines->table.width_px;
        unit.x1 = unit.x0 + entries * layer->lines->columns.per_entry;
        unit.y1 = unit.y0 + entries * layer->lines->rows.per_entry;
    }
    return unit;
}

bool layers_cover(const struct drawn_layer *layer, const struct output *output) {
    const struct similarity inverse = similarity_inverse(layer->place);
    const struct box box = box_of(layer);
    for (int corner = 0; corner < 4; corner++) {
        const double x = (corner & 1 ? 0.5 : -0.5) * output->width_px;
        const double y = (corner & 2 ? 0.5 : -0.5) * output->height_px;
        const double complex at = similarity_apply(inverse, x + I * y);
        if (creal(at) < box.x0 - ALIGNED_PX || creal(at) > box.x1 + ALIGNED_PX ||
            cimag(at) < box.y0 - ALIGNED_PX || cimag(at) > box.y1 + ALIGNED_PX)
            return false;
    }
    return true;
}

bool layers_want_mipmaps(const struct output *output) {
    return output->screen || output->stored;
}

void layers_prepare_levels(struct gl_texture *texture, const struct drawn_layer *layer,
                           const struct output *output) {
    if (layers_want_mipmaps(output) && texture == layer->texture && layer->whole &&
        cabs(layer->place.factor) < SHRUNK)
        gl_texture_make_levels(texture);
}

struct rect layers_inside(const struct drawn_layer *layer, const struct output *output) {
    const double complex factor = layer->place.factor;
    const double x = output->width_px / 2.0 + creal(layer->place.offset);
    const double y = output->height_px / 2.0 + cimag(layer->place.offset);
    const struct box box = box_of(layer);
    if (fabs(cimag(factor)) > 1e-9 * creal(factor))
        return (struct rect){0};
    const struct rect r = {
        (int)fmin(fmax(ceil(x + creal(factor) * box.x0) + 1, 0), output->width_px),
        (int)fmin(fmax(ceil(y + creal(factor) * box.y0) + 1, 0), output->height_px),
        (int)fmax(fmin(floor(x + creal(factor) * box.x1) - 1, output->width_px), 0),
        (int)fmax(fmin(floor(y + creal(factor) * box.y1) - 1, output->height_px), 0),
    };
    return r.x0 < r.x1 && r.y0 < r.y1 ? r : (struct rect){0};
}

/* Sets the texture coordinates at the corners of the large triangle in picture.vert. */
static void set_corners(GLint at, const struct drawn_layer *layer, const struct output *output) {
    const struct similarity inverse = similarity_inverse(layer->place);
    const struct box unit = unit_of(layer);
    const double down = output->screen ? -0.5 : 0.5;
    float corners[6];
    for (int i = 0; i < 3; i++) {
        const double x = (i == 1 ? 3 : -1) * 0.5 * output->width_px;
        const double y = (i == 2 ? 3 : -1) * down * output->height_px;
        const double complex position = similarity_apply(inverse, x + I * y);
        corners[2 * i] = (float)((creal(position) - unit.x0) / (unit.x1 - unit.x0));
        corners[2 * i + 1] = (float)((cimag(position) - unit.y0) / (unit.y1 - unit.y0));
    }
    glUniform2fv(at, 3, corners);
}

/* Returns the sampler for a layer: nearest if its pixels have nearly the output's size, else
 * linear. */
static GLuint sampler_for(const struct drawn_layers *layers, const struct drawn_layer *layer,
                          const struct output *output) {
    const double factor = cabs(layer->place.factor);
    const bool sharp = factor < LAYERS_SHARP && factor > 1 / LAYERS_SHARP;
    if (layer->lines ? !layer->lines->blends : layer->uneven || sharp || aligned(layer, output))
        return layers->exact;
    return layer->texture->levels ? layers->levels : layers->smooth;
}

static void bind_layer(const struct drawn_layers *layers, GLuint unit,
                       const struct drawn_layer *layer, const struct output *output) {
    if (layer->lines) {
        glActiveTexture(GL_TEXTURE0 + unit + 1);
        glBindTexture(GL_TEXTURE_2D, layer->lines->table.name);
        glBindSampler(unit + 1, layer->lines->blends ? layers->smooth : layers->exact);
    }
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, layer->texture->name);
    glBindSampler(unit, sampler_for(layers, layer, output));
}

/* Lets the share `transparency` of the background shine through the next drawing; its alpha then
 * stays. */
static void set_transparency(double transparency) {
    if (transparency > 0)
        glEnable(GL_BLEND);
    else
        glDisable(GL_BLEND);
    glBlendColor(0, 0, 0, (float)(1 - transparency));
    glBlendFuncSeparate(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA, GL_ZERO, GL_ONE);
}

/* Draws a triangle that covers everything (3 vertices) or a quadrilateral (4). */
static void draw_vertices(const struct drawn_layers *layers, int count) {
    glDisable(GL_SCISSOR_TEST);
    glBindVertexArray(layers->vertices);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, count);
    /* The samplers must not affect later drawing. */
    glBindSampler(0, 0);
    glBindSampler(1, 0);
    glActiveTexture(GL_TEXTURE0);
}

/* Copies a picture that has the screen's pixels: the cheapest way, above all in software. */
static void copy(const struct drawn_layers *layers, const struct drawn_layer *layer,
                 const struct output *output) {
    const int width = layer->texture->width_px, height = layer->texture->height_px;
    const double complex offset = layer->place.offset;
    const int x = (int)lround(creal(offset) + (output->width_px - width) / 2.0);
    const int y = (int)lround(cimag(offset) + (output->height_px - height) / 2.0);
    gl_texture_show(layer->texture, layers->framebuffer, (struct rect){x, y, x + width, y + height},
                    output->height_px);
}

static void draw_part(const struct output *output, int count, int x0, int y0, int x1, int y1) {
    if (x0 >= x1 || y0 >= y1)
        return;
    glEnable(GL_SCISSOR_TEST);
    glScissor(x0, output->screen ? output->height_px - y1 : y0, x1 - x0, y1 - y0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, count);
}

/* Draws as draw_vertices without the known part, in pieces above, below, left and right of it. */
static void draw_unknown(const struct drawn_layers *layers, const struct output *output,
                         int count) {
    const struct rect r = output->known;
    const int width = output->width_px, height = output->height_px;
    if (r.x0 >= r.x1) {
        draw_vertices(layers, count);
        return;
    }
    glBindVertexArray(layers->vertices);
    draw_part(output, count, 0, 0, width, r.y0);
    draw_part(output, count, 0, r.y1, width, height);
    draw_part(output, count, 0, r.y0, r.x0, r.y1);
    draw_part(output, count, r.x1, r.y0, width, r.y1);
    glDisable(GL_SCISSOR_TEST);
    glBindSampler(0, 0);
    glBindSampler(1, 0);
}

/* Returns how much less fine a layer is because of its size, as alpha. */
static float coarser(const struct drawn_layer *layer) {
    const struct line_picture *lines = layer->lines;
    if (layer->behind)
        return 1;
    const double gap = lines ? fmax(lines->columns.mean, lines->rows.mean) : 1;
    return (float)(log2(cabs(layer->place.factor) * gap) * LATTICE_FILL_OCTAVE / 255);
}

/* Returns the fineness to store: the least for a backdrop, which is coarser than everything. */
float layers_fineness(const struct drawn_layer *layer, const struct output *output) {
    const float least = 1 / 255.0f;
    if (!output->stored)
        return 1;
    return layer->lines ? fminf(fmaxf(1 - coarser(layer), least), 1) : least;
}

void layers_draw_everywhere(const struct drawn_layers *layers, const struct drawn_layer *layer,
                            const struct output *output) {
    const struct layers_program *program = layer->lines ? &layers->lines : &layers->one;
    glUseProgram(program->name);
    bind_layer(layers, 0, layer, output);
    set_corners(program->current_corners, layer, output);
    glUniform1f(program->fineness, layers_fineness(layer, output));
    set_transparency(0);
    draw_unknown(layers, output, 3);
}

void layers_fill_around(const struct drawn_layers *layers, const struct drawn_layer *layer,
                        double complex used, const struct output *output) {
    const GLuint name = layers->around.name;
    const double level = fmax(SMALLER - log2(cabs(layer->place.factor)), BLURRED);
    glUseProgram(name);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, layer->texture->name);
    glBindSampler(0, layers->any_level);
    set_corners(layers->around.current_corners, layer, output);
    glUniform1f(layers->around.fineness, layers_fineness(layer, output));
    glUniform1f(glGetUniformLocation(name, "level"), (float)level);
    glUniform3fv(glGetUniformLocation(name, "holes"), 1, background);
    glUniform1i(glGetUniformLocation(name, "whole"), layer->whole);
    glUniform2f(glGetUniformLocation(name, "used"), (float)creal(used), (float)cimag(used));
    set_transparency(0);
    draw_unknown(layers, output, 3);
}

void layers_draw_inside(const struct drawn_layers *layers, const struct drawn_layer *layer,
                        const struct output *output) {
    const struct layers_program *program = layer->lines ? &layers->lines_within : &layers->within;
    const struct box box = box_of(layer), unit = unit_of(layer);
    const double up = output->screen ? -2 : 2;
    float corners[8];
    for (int i = 0; i < 4; i++) {
        const double complex at = similarity_apply(
            layer->place, (i & 1 ? box.x1 : box.x0) + I * (i >> 1 ? box.y1 : box.y0));
        corners[2 * i] = (float)(2 * creal(at) / output->width_px);
        corners[2 * i + 1] = (float)(up * cimag(at) / output->height_px);
    }
    glUseProgram(program->name);
    bind_layer(layers, 0, layer, output);
    glUniform2fv(program->corners, 4, corners);
    glUniform2f(program->sides, (float)((box.x1 - box.x0) / (unit.x1 - unit.x0)),
                (float)((box.y1 - box.y0) / (unit.y1 - unit.y0)));
    glUniform1f(program->fineness, layers_fineness(layer, output));
    set_transparency(layer->transparency);
    draw_unknown(layers, output, 4);
}

void layers_draw_one(const struct drawn_layers *layers, const struct drawn_layer *layer,
                     const struct output *output) {
    if (!layer->lines && aligned(layer, output))
        copy(layers, layer, output);
    else
        layers_draw_everywhere(layers, layer, output);
}

void layers_draw_two(const struct drawn_layers *layers, const struct drawn_layer *current,
                     const struct drawn_layer *old, const struct output *output) {
    const struct layers_program *program = current->gap_stride > 1 ? &layers->gaps : &layers->two;
    glUseProgram(program->name);
    bind_layer(layers, 1, old, output);
    bind_layer(layers, 0, current, output);
    set_corners(program->current_corners, current, output);
    set_corners(program->old_corners, old, output);
    glUniform1f(program->current_coarser, coarser(current));
    glUniform1f(program->old_coarser, coarser(old));
    glUniform1i(program->first_stride, current->gap_stride);
    glUniform1i(program->stored, output->stored);
    set_transparency(0);
    draw_vertices(layers, 3);
}
