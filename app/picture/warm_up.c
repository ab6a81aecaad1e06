/* Presenter creation and warm-up: draws once with every program and state that frames use,
 * before the first frame. */
#include "app/picture/gl.h"
#include "app/picture/present_parts.h"
#include <math.h>
#include <stdlib.h>

struct presenter *presenter_create(void) {
    struct presenter *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    view_init(&p->view);
    view_init(&p->next.view);
    p->lines_place = similarity_identity;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &p->size_max);
    p->software = gl_in_software();
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glDisable(GL_DITHER);
    p->backdrop = backdrop_create();
    if (!p->backdrop || !layers_init(&p->layers) || !gl_texture_resize(&p->empty, 3, 3)) {
        presenter_destroy(p);
        return NULL;
    }
    layers_clear(&p->layers, &p->empty);
    return p;
}

void presenter_destroy(struct presenter *p) {
    if (!p)
        return;
    backdrop_destroy(p->backdrop);
    layers_finish(&p->layers);
    upload_finish(&p->upload);
    targets_finish(&p->targets);
    line_picture_finish(&p->lines);
    line_picture_finish(&p->even);
    line_compose_finish(&p->composed);
    lines_unref(p->next.lines);
    gl_texture_finish(&p->current);
    gl_texture_finish(&p->old);
    gl_texture_finish(&p->spare);
    gl_texture_finish(&p->empty);
    view_finish(&p->view);
    view_finish(&p->next.view);
    free(p);
}

void presenter_fit(const struct presenter *p, int *width_px, int *height_px) {
    const double most = p->size_max < FRAME_SIZE_MAX ? p->size_max : FRAME_SIZE_MAX;
    const double shrink = fmin(fmin(most / *width_px, most / *height_px), 1);
    *width_px = (int)fmax(floor(*width_px * shrink), 1);
    *height_px = (int)fmax(floor(*height_px * shrink), 1);
}

/* --- the first frame --- */

/* Draws a pixel with every program and state that frames use. */
static void try_drawing(struct presenter *p, bool screen) {
    const struct drawn_layer exact = {
        .texture = &p->empty, .place = similarity_identity, .gap_stride = 1, .whole = true};
    const struct drawn_layer scaled = {
        .texture = &p->empty, .place = {1.5, 0}, .gap_stride = 1, .whole = true};
    const struct output output = {
        .width_px = 1, .height_px = 1, .screen = screen, .stored = !screen};
    glViewport(0, 0, 1, 1);
    layers_draw_two(&p->layers, &exact, &exact, &output);
    layers_draw_two(&p->layers, &exact, &scaled, &output);
    layers_draw_everywhere(&p->layers, &scaled, &output);
    layers_draw_inside(&p->layers, &scaled, &output);
    gl_texture_make_levels(&p->empty);
    layers_draw_two(&p->layers, &exact, &scaled, &output);
    layers_draw_two(&p->layers, &scaled, &scaled, &output);
    layers_draw_inside(&p->layers, &scaled, &output);
    p->empty.levels = false;
    if (screen)
        layers_draw_one(&p->layers, &exact, &output);
    for (int i = 0; i < 6 && p->shows_lines; i++)
        present_draw(p, (struct similarity){pow(10, i % 3 - 1), i < 3 ? 0 : 100}, &output);
}

/* Makes a picture of two columns and two rows. */
static void make_lines(struct presenter *p) {
    static const uint32_t rgba[4];
    struct lines *lines = lines_create(2, 2);
    for (int i = 0; lines && i < 4; i++)
        lines->line[i].at = i & 1;
    if (lines)
        p->shows_lines = line_picture_take(&p->lines, lines) && line_picture_copy(&p->lines, rgba);
    lines_unref(lines);
}

void presenter_warm_up(struct presenter *p) {
    make_lines(p);
    try_drawing(p, true);
    GLint screen;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &screen);
    if (gl_texture_resize(&p->spare, 1, 1)) {
        gl_draw_into(p->layers.framebuffer, &p->spare);
        try_drawing(p, false);
    }
    p->shows_lines = false;
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)screen);
    glFinish();
}
