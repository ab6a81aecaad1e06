/* Presenter: keeps the current and the old picture, uploads finished pixels to their textures,
 * and draws them. */
#include "app/picture/backdrop/backdrop.h"
#include "app/picture/lattice_fill.h"
#include "app/picture/present_parts.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/palette.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FAR_PX      1e6       /* an old picture farther away [px] or more magnified is not drawn */
#define BAND_PIXELS (1 << 18) /* pixels uploaded to a texture at a time */
#define ENOUGH                                                                                     \
    0.95 /* share of the expected points at which a density picture hides everything behind it */
#define GRAINS_PX                                                                                  \
    4 /* [px] an old density picture's pixels of this size are noise; the backdrop is smoother */
#define LINES_ROOM 8 /* a picture of lines gets 1/8 more memory, for later ones with more lines */

/* --- drawing --- */

static bool drawable(struct similarity s) {
    const double factor = cabs(s.factor);
    return factor > 1 / FAR_PX && factor < FAR_PX && cabs(s.offset) < FAR_PX;
}

/* Returns the current picture as a layer. Pictures in host memory arrive with filled gaps, which
 * spares software renderers work. Filled gaps are not smoothed: all neighbours are equally fine
 * only in a complete picture. */
static struct drawn_layer current_layer(const struct presenter *p, struct similarity place) {
    return (struct drawn_layer){
        .texture = &p->current,
        .place = place,
        .gap_stride = p->gl_target && !p->complete ? p->first_stride : 1,
        .uneven = !p->complete,
        .whole = p->complete,
    };
}

/* Returns true if the current picture is visible. */
static bool visible(const struct presenter *p) {
    return p->any && !p->waits_for_lattice;
}

/* Returns true if the current picture hides everything behind it. */
static bool opaque(const struct presenter *p) {
    return visible(p) && p->transparency == 0;
}

/* Returns the old picture's layer (empty: not drawn); `current` is the current picture's place. */
static struct drawn_layer old_layer(const struct presenter *p, struct similarity current) {
    const struct similarity place = similarity_compose(current, p->old_place);
    const bool grains =
        p->look.look.orbit_density && !p->waits_for_lattice && cabs(place.factor) > GRAINS_PX;
    if (!p->has_old || !drawable(place) || grains)
        return (struct drawn_layer){
            .texture = &p->empty, .place = similarity_identity, .gap_stride = 1};
    return (struct drawn_layer){.texture = &p->old,
                                .place = place,
                                .gap_stride = 1,
                                .whole = p->old_whole,
                                .behind = p->old_behind};
}

static bool covers(const struct drawn_layer *layer, const struct output *output) {
    return layer->whole && layers_cover(layer, output);
}

/* Selects the picture whose colours continue outside of it: the current picture, unless only the
 * old one is complete. Returns false if neither can be used. */
static bool find_around(struct presenter *p, const struct drawn_layer *current,
                        const struct drawn_layer *old, struct drawn_layer *around) {
    struct gl_texture *texture = NULL;
    if (opaque(p) && (current->whole || !old->whole))
        texture = &p->current;
    else if (old->whole)
        texture = &p->old;
    if (!texture)
        return false;
    gl_texture_make_levels(texture);
    *around = (struct drawn_layer){.texture = texture,
                                   .place = texture == &p->current ? current->place : old->place,
                                   .gap_stride = 1,
                                   .whole = texture != &p->current || current->whole || p->covers};
    return true;
}

/* Draws the backdrop, except where pictures will hide it. If the backdrop is empty there, the
 * pictures' colours continue. Returns false if neither is possible. */
static bool draw_backdrop(struct presenter *p, struct similarity place,
                          const struct drawn_layer *current, const struct drawn_layer *old,
                          const struct output *output) {
    struct output around = *output;
    if (opaque(p) && current->whole)
        around.known = layers_inside(current, output);
    else if (old->whole)
        around.known = layers_inside(old, output);
    struct drawn_layer blurred;
    if (backdrop_draw(p->backdrop, &p->layers, place, &around))
        return true;
    if (!find_around(p, current, old, &blurred))
        return false;
    layers_fill_around(&p->layers, &blurred, 1 + I, &around);
    return true;
}

/* Returns the lines as a layer; `current` is the place of the current picture. */
static struct drawn_layer lines_layer(const struct presenter *p, struct similarity current) {
    return (struct drawn_layer){.texture = &p->lines.texture,
                                .lines = &p->lines,
                                .place = similarity_compose(current, p->lines_place),
                                .gap_stride = 1,
                                .whole = true};
}

/* Copies the lines into their texture, before the texture is needed or their memory changes. */
static void copy_lines(struct presenter *p) {
    if (p->not_uploaded && !line_picture_copy(&p->lines, p->not_uploaded))
        p->any = p->complete = p->shows_lines = false;
    p->not_uploaded = NULL;
}

/* Draws the surroundings of lines, as draw_backdrop. */
static void draw_around_lines(struct presenter *p, const struct drawn_layer *lines,
                              struct similarity place, const struct output *output) {
    if (backdrop_draw(p->backdrop, &p->layers, place, output))
        return;
    copy_lines(p);
    if (!p->shows_lines)
        return;
    struct gl_texture part;
    struct similarity even;
    const double complex used = line_picture_as_even(lines->lines, &part, &even);
    const struct drawn_layer blurred = {.texture = &part,
                                        .place = similarity_compose(lines->place, even),
                                        .gap_stride = 1,
                                        .whole = true};
    gl_texture_make_levels(&p->lines.texture);
    layers_fill_around(&p->layers, &blurred, used, output);
}

/* Draws lines, which hide everything behind them. Returns as present_draw. */
static bool draw_lines(struct presenter *p, struct similarity place, const struct output *output) {
    const struct drawn_layer layer = lines_layer(p, place);
    const bool cover = layers_cover(&layer, output);
    struct output around = *output;
    around.known = layers_inside(&layer, output);
    if (!cover)
        draw_around_lines(p, &layer, place, &around);
    if (p->not_uploaded && line_compose_draw(&p->composed, &layer, p->not_uploaded, output))
        return true;
    copy_lines(p);
    if (!p->shows_lines)
        return backdrop_draw(p->backdrop, &p->layers, place, output);
    line_picture_prepare(&p->lines, cabs(layer.place.factor));
    if (p->lines.dense && layers_want_mipmaps(output))
        gl_texture_make_levels(&p->lines.texture);
    if (cover)
        layers_draw_everywhere(&p->layers, &layer, output);
    else
        layers_draw_inside(&p->layers, &layer, output);
    return true;
}

/* Draws a layer that covers the screen. Magnified pixels have sharp borders at first and blend
 * into each other only at larger sizes. */
static void draw_alone(struct presenter *p, const struct drawn_layer *layer,
                       const struct output *output) {
    struct drawn_layer magnified = *layer;
    const int width = layer->texture->width_px, height = layer->texture->height_px;
    const double factor = cabs(layer->place.factor);
    if (factor > LAYERS_SHARP && line_picture_even(&p->even, width, height)) {
        line_picture_prepare(&p->even, factor);
        magnified.lines = &p->even;
    }
    layers_draw_one(&p->layers, &magnified, output);
}

/* Draws a thin current picture over the background that shines through it. */
static void draw_blended(struct presenter *p, const struct drawn_layer *current,
                         const struct output *output) {
    struct drawn_layer thin = *current;
    thin.transparency = p->transparency;
    if (visible(p) && !opaque(p) && p->transparency < 1)
        layers_draw_inside(&p->layers, &thin, output);
}

bool present_draw(struct presenter *p, struct similarity place, const struct output *output) {
    if (p->shows_lines)
        return draw_lines(p, place, output);
    const struct drawn_layer current = current_layer(p, place), old = old_layer(p, place);
    const bool by_current = opaque(p) && covers(&current, output), by_old = covers(&old, output);
    layers_prepare_levels(&p->current, &current, output);
    layers_prepare_levels(&p->old, &old, output);
    const struct drawn_layer *alone = by_current ? &current : by_old && !opaque(p) ? &old : NULL;
    if (alone && output->screen) {
        draw_alone(p, alone, output);
        draw_blended(p, &current, output);
        return true;
    }
    const bool all = by_current || by_old || draw_backdrop(p, place, &current, &old, output);
    const struct drawn_layer none = {
        .texture = &p->empty, .place = similarity_identity, .gap_stride = 1};
    layers_draw_two(&p->layers, opaque(p) ? &current : &none, &old, output);
    draw_blended(p, &current, output);
    return all;
}

bool presenter_shows_one(const struct presenter *p) {
    const struct similarity place = p->drawn_place;
    const struct drawn_layer layer =
        p->shows_lines ? lines_layer(p, place) : current_layer(p, place);
    return (p->complete || p->shows_lines) && p->transparency == 0 && drawable(place) &&
           layers_cover(&layer, &p->drawn);
}

/* --- accuracy of a frame --- */

struct presenter_accuracy presenter_accuracy(const struct presenter *p) {
    struct presenter_accuracy accuracy = {0};
    const struct similarity place =
        p->shows_lines ? lines_layer(p, p->drawn_place).place : p->drawn_place;
    if ((p->complete || p->shows_lines) && p->drawn.width_px > 0)
        line_picture_judge(p->shows_lines ? p->lines.lines : NULL, p->current.width_px,
                           p->current.height_px, place, p->drawn.width_px, p->drawn.height_px,
                           &accuracy.exact, &accuracy.near);
    return accuracy;
}

/* --- the old picture --- */

/* Draws both pictures into one, the new old picture, without losing anything visible. It has the
 * screen's size and position if the current picture is smaller there, otherwise those of the
 * current picture. `place` is the place of the current picture on the screen. */
static bool merge(struct presenter *p, struct similarity place, int width_px, int height_px) {
    struct output output = {.stored = true};
    /* the middle of the screen if textures cannot be so large */
    output.width_px = width_px < p->size_max ? width_px : p->size_max;
    output.height_px = height_px < p->size_max ? height_px : p->size_max;
    if (cabs(place.factor) > 1 + 1e-9 && !p->shows_lines) {
        output.width_px = p->current.width_px;
        output.height_px = p->current.height_px;
        place = similarity_identity;
    } else if (place.factor == 1 && !p->shows_lines) {
        place.offset = layers_whole_pixels(place.offset, &p->current, &output);
    }
    if (!gl_texture_resize(&p->spare, output.width_px, output.height_px))
        return false;
    gl_draw_into(p->layers.framebuffer, &p->spare);
    p->old_whole = present_draw(p, place, &output);
    p->spare.levels = false;
    const struct gl_texture old = p->old;
    p->old = p->spare;
    p->spare = old;
    p->old_place = similarity_inverse(place);
    p->has_old = true;
    p->old_behind = false;
    return true;
}

static void end_lines(struct presenter *p) {
    p->shows_lines = false;
    p->not_uploaded = targets_show(&p->targets, false);
}

/* Stops showing lines. Their last frame becomes the old picture, over which the unfinished
 * current picture appears. */
static void leave_lines(struct presenter *p) {
    GLint screen;
    const bool unpainted = glIsEnabled(GL_RASTERIZER_DISCARD); /* the merge must be rasterised */
    glDisable(GL_RASTERIZER_DISCARD);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &screen);
    if (p->drawn.width_px > 0 && drawable(p->drawn_place))
        merge(p, p->drawn_place, p->drawn.width_px, p->drawn.height_px);
    end_lines(p);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)screen);
    if (unpainted)
        glEnable(GL_RASTERIZER_DISCARD);
}

/* Returns true if a merge would only copy the current picture: it is complete, and nothing else
 * is on the screen, or only areas that a pan has just uncovered. */
static bool shown_alone(const struct presenter *p, struct similarity camera,
                        struct similarity place, int width_px, int height_px) {
    const struct drawn_layer current = current_layer(p, place);
    const struct output screen = {.width_px = width_px, .height_px = height_px, .screen = true};
    return p->complete && p->transparency == 0 && !p->shows_lines &&
           (similarity_is_identity(camera) ||
            (cabs(place.factor) <= 1 + 1e-9 && layers_cover(&current, &screen)));
}

/* Makes the current picture the old one, unchanged. */
static void keep_current(struct presenter *p) {
    const struct gl_texture old = p->old;
    p->old = p->current;
    p->current = old;
    p->old_place = similarity_identity;
    p->has_old = p->old_whole = true;
    p->old_behind = false;
}

/* Stores the visible current picture in the backdrop if that lacks a level of its kind. */
static void keep_level(struct presenter *p) {
    const struct gl_texture *level = NULL;
    if (opaque(p) || p->shows_lines)
        level = backdrop_begin_snapshot(p->backdrop, p->width_px, p->height_px);
    if (!level)
        return;
    const struct output output = {.width_px = level->width_px, .height_px = level->height_px};
    const struct similarity smaller = {(double)level->height_px / p->height_px, 0};
    gl_draw_into(p->layers.framebuffer, level);
    present_draw(p, smaller, &output);
    backdrop_end_snapshot(p->backdrop);
}

/* Returns true if pictures of both looks must not be visible side by side. Pictures that differ
 * only in frequency, offset or ranks may be. */
static bool other_kind(const struct backdrop_look *a, const struct backdrop_look *b) {
    struct colouring x = a->look.colouring;
    const struct colouring *y = &b->look.colouring;
    x.frequency = y->frequency;
    x.offset = y->offset;
    x.ranks = y->ranks;
    return a->fractal != b->fractal || a->look.orbit_density != b->look.orbit_density ||
           (a->look.orbit_density
                ? a->look.orbits != b->look.orbits || a->look.channels != b->look.channels
                : !colouring_equal(&x, y));
}

/* Keeps the content of the screen as the old picture. If it shows another fractal (`other`), it
 * stays where it is on the screen, because places in the two planes are unrelated. */
static bool keep_shown(struct presenter *p, const struct frame_req *req, struct similarity camera,
                       bool ends, bool other, bool waits) {
    if (p->height_px == 0)
        return true;
    const struct similarity moved =
        other ? similarity_compose(similarity_inverse(camera), p->drawn_place)
              : similarity_between(&req->view, req->height_px, &p->view, p->height_px);
    const struct similarity place = similarity_compose(camera, moved);
    keep_level(p);
    if (p->shows_lines && ends) { /* lines are better than an incomplete picture */
        p->lines_place = similarity_compose(moved, p->lines_place);
        return true;
    }
    if (shown_alone(p, camera, place, req->width_px, req->height_px))
        keep_current(p);
    else if (((visible(p) && (opaque(p) || waits)) || p->shows_lines) && drawable(place) &&
             !merge(p, place, req->width_px, req->height_px))
        return false;
    p->old_place = similarity_compose(moved, p->old_place);
    p->has_old = p->has_old && drawable(p->old_place);
    return true;
}

/* Draws a frame. The current picture may belong to an earlier view, while the picture of the
 * camera's view has not been started. */
void presenter_draw(struct presenter *p, const struct presenter_camera *shown, int width_px,
                    int height_px) {
    const struct output output = {.width_px = width_px, .height_px = height_px, .screen = true};
    const struct similarity scale = {(double)height_px / shown->height_px, 0};
    struct similarity camera = similarity_compose(scale, shown->camera);
    if (p->height_px > 0 &&
        (shown->height_px != p->height_px || !view_equal(shown->view, &p->view))) {
        const struct similarity way = similarity_compose(
            camera, similarity_between(shown->view, shown->height_px, &p->view, p->height_px));
        camera = drawable(way) ? way : camera;
    }
    p->drawn = output;
    p->drawn_place = camera;
    if (p->shows_lines && !p->complete && !p->next.lines && similarity_is_identity(shown->camera))
        leave_lines(p);
    glViewport(0, 0, width_px, height_px);
    present_draw(p, camera, &output);
}

/* --- starting --- */

static void take_view(struct presenter *p, const struct view *view, int width_px, int height_px,
                      const struct backdrop_look *look) {
    if (p->height_px > 0)
        p->drawn_place = similarity_compose(
            p->drawn_place, similarity_between(&p->view, p->height_px, view, height_px));
    view_assign(&p->view, view);
    p->width_px = width_px;
    p->height_px = height_px;
    p->look = *look;
    backdrop_set_view(p->backdrop, view, width_px, height_px);
}

/* Stores a picture of lines as pending; the screen keeps its content until they are complete. */
static void await_lines(struct presenter *p, const struct frame_req *req, const struct look *look) {
    struct pending_lines *pending = &p->next;
    pending->lines = lines_ref(req->lines);
    view_assign(&pending->view, &req->view);
    frame_req_whole(req, &pending->width_px, &pending->height_px);
    pending->look = (struct backdrop_look){fractal_digest(&req->fractal), req->limit, *look};
    pending->uploaded = false;
    if (p->height_px > 0)
        return;
    take_view(p, &req->view, pending->width_px, pending->height_px, &pending->look);
    backdrop_set_look(p->backdrop, &p->look);
}

static bool start_plain(struct presenter *p, const struct frame_req *req, const struct look *look,
                        struct similarity camera, bool ends) {
    const struct backdrop_look its = {fractal_digest(&req->fractal), req->limit, *look};
    const bool other = p->drawn.width_px > 0 && its.fractal != p->look.fractal;
    const bool waits = p->drawn.width_px > 0 && other_kind(&its, &p->look);
    ends = ends && !waits;
    if (!keep_shown(p, req, camera, ends, other, waits))
        return false;
    if (!p->waits_for_lattice)
        p->old_fractal = p->look.fractal;
    p->any = p->complete = p->covers = false;
    p->waits_for_lattice = (p->waits_for_lattice || waits) && p->has_old;
    p->transparency = look->orbit_density ? 1 : 0;
    if (!ends)
        end_lines(p);
    if (!gl_texture_resize(&p->current, req->width_px, req->height_px))
        return false;
    line_picture_even(&p->even, req->width_px, req->height_px);
    take_view(p, &req->view, req->width_px, req->height_px, &its);
    if (other)
        p->drawn_place = camera;
    if (!p->has_old)
        backdrop_set_look(p->backdrop, &p->look);
    p->first_stride = req->first_stride;
    return true;
}

bool presenter_start(struct presenter *p, const struct frame_req *req, const struct look *look,
                     struct similarity camera, bool ends, enum target_kind kind,
                     struct target *target) {
    const bool lines = req->lines && !req->lines->even, other = lines || p->next.lines;
    lines_unref(p->next.lines);
    p->next.lines = NULL;
    p->pending = (struct rect){0};
    if (lines)
        await_lines(p, req, look);
    else if (!start_plain(p, req, look, camera, ends))
        return false;
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px;
    if (!targets_make(&p->targets, pixels, pixels + (lines ? pixels / LINES_ROOM : 0), kind, other,
                      target))
        return false;
    target->at_once = lines && !target->gl_buffer;
    p->gl_target = lines ? p->gl_target : targets_in_gl(&p->targets);
    return true;
}

static void copy_target(struct presenter *p, struct rect r) {
    const size_t first = (size_t)r.y0 * (size_t)p->current.width_px + (size_t)r.x0;
    upload_rect(&p->current, r, p->current.width_px, targets_bind(&p->targets, first));
    targets_unbind(&p->targets);
}

static void copy_host(struct presenter *p, struct rect r) {
    if (p->first_stride == 1) /* there are no gaps to fill */
        copy_target(p, r);
    else
        upload_filled(&p->upload, &p->current, r, targets_host(&p->targets), p->first_stride);
}

void presenter_replace(struct presenter *p, int first, int rows, const uint32_t *rgba) {
    const struct rect r = {0, first, p->current.width_px, first + rows};
    upload_rect(&p->current, r, r.x1, rgba);
}

/* Takes the first pending rows, few enough for about a millisecond. */
static struct rect take_band(struct presenter *p) {
    struct rect band = p->pending;
    const int rows = BAND_PIXELS / (band.x1 - band.x0) + 1;
    if (band.y1 - band.y0 > rows)
        band.y1 = band.y0 + rows;
    p->pending.y0 = band.y1;
    return band;
}

/* Clears the picture before its first pixels arrive, unless they cover all of it. */
static void prepare(struct presenter *p, struct rect dirty) {
    const bool whole = dirty.x0 == 0 && dirty.y0 == 0 && dirty.x1 == p->current.width_px &&
                       dirty.y1 == p->current.height_px;
    if (!p->any && !(whole && p->gl_target))
        layers_clear(&p->layers, &p->current);
    if (!p->any && !p->waits_for_lattice)
        backdrop_set_look(p->backdrop, &p->look);
    p->any = true;
}

static void show_current(struct presenter *p) {
    if (!p->waits_for_lattice)
        return;
    p->waits_for_lattice = false;
    p->has_old = p->has_old && !p->look.look.orbit_density;
    p->old_behind = true;
    backdrop_set_look(p->backdrop, &p->look);
}

double presenter_set_hit(struct presenter *p, double hit) {
    const double expected = ENOUGH * backdrop_expected_hit(p->backdrop);
    if (expected > 0)
        show_current(p);
    p->transparency = hit < expected ? 1 - hit / expected : 0;
    return p->transparency;
}

void presenter_set_drawn(struct presenter *p, double pixels) {
    const double lattice = (double)p->first_stride * p->first_stride;
    const double all = (double)p->current.width_px * p->current.height_px;
    if (!p->next.lines && lattice > 1 && pixels * lattice >= all &&
        lattice_fill_empty(p->pending)) {
        p->covers = !p->gl_target;
        show_current(p);
    }
}

static void take_dirty(struct presenter *p, struct rect dirty) {
    prepare(p, dirty);
    if (p->gl_target)
        copy_target(p, dirty);
    else
        p->pending = lattice_fill_join(p->pending, lattice_fill_touched(dirty, p->first_stride,
                                                                        p->current.width_px,
                                                                        p->current.height_px));
}

bool presenter_upload(struct presenter *p, struct rect dirty, double budget_ms) {
    const double start = clock_ms();
    if (p->next.lines) {
        p->next.uploaded = p->next.uploaded && lattice_fill_empty(dirty);
        return true;
    }
    if (!lattice_fill_empty(dirty))
        take_dirty(p, dirty);
    while (!lattice_fill_empty(p->pending) && clock_ms() - start <= budget_ms)
        copy_host(p, take_band(p));
    return lattice_fill_empty(p->pending);
}

void presenter_copy(const struct presenter *p, uint32_t *rgba) {
    targets_copy(&p->targets, (size_t)p->current.width_px * (size_t)p->current.height_px, rgba);
}

/* Replaces everything shown by the lines that have arrived. */
static void show_lines(struct presenter *p) {
    struct pending_lines *pending = &p->next;
    keep_level(p);
    p->shows_lines = line_picture_take(&p->lines, pending->lines);
    p->not_uploaded = targets_show(&p->targets, p->shows_lines && p->software);
    if (p->shows_lines && !p->not_uploaded) {
        p->shows_lines = line_picture_copy(&p->lines, targets_bind(&p->targets, 0));
        targets_unbind(&p->targets);
    }
    p->lines_place = similarity_identity;
    p->any = p->complete = p->shows_lines;
    p->has_old = p->waits_for_lattice = p->old_behind = false;
    p->transparency = 0;
    take_view(p, &pending->view, pending->width_px, pending->height_px, &pending->look);
    backdrop_set_look(p->backdrop, &p->look);
    pending->uploaded = true;
}

void presenter_complete(struct presenter *p) {
    if (!p->next.lines) {
        show_current(p);
        if (p->shows_lines)
            leave_lines(p);
        p->has_old = p->has_old && p->old_fractal == p->look.fractal;
        p->complete = true;
    } else if (!p->next.uploaded)
        show_lines(p);
}

bool presenter_shows_lines(const struct presenter *p) {
    return p->shows_lines;
}

void presenter_await_target(struct presenter *p) {
    copy_lines(p);
    targets_await(&p->targets);
}

void presenter_recolour(struct presenter *p, const struct look *look) {
    struct backdrop_look *its = p->next.lines ? &p->next.look : &p->look;
    its->look = *look;
    if ((visible(p) || (look->orbit_density && !p->waits_for_lattice)) && !p->next.lines)
        backdrop_set_look(p->backdrop, its);
}

struct backdrop *presenter_backdrop(struct presenter *p) {
    return p->backdrop;
}

void presenter_read(struct presenter *p, uint32_t *rgba) {
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glBindTexture(GL_TEXTURE_2D, p->current.name);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
}
