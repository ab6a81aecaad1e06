/* Picture requests: initialises, copies and checks them. */
#include "render/frame.h"
#include "render/deep/perturbation.h"
#include "render/files/poster/poster.h"
#include "render/palette.h"
#include <stdlib.h>

void frame_req_init(struct frame_req *req, int width_px, int height_px) {
    *req = (struct frame_req){
        .width_px = width_px,
        .height_px = height_px,
        .route = ROUTE_DIRECT,
        .type = TYPE_DOUBLE,
        .limit = 1000,
        .method = METHOD_TILES,
        .shortcuts = SHORTCUTS_ALL,
        .planes = SAMPLE_BASIC,
        .first_stride = 1,
        .focus_x_px = width_px / 2,
        .focus_y_px = height_px / 2,
        .reuse = true,
    };
    view_init(&req->view);
    fractal_init(&req->fractal);
    colouring_set(&req->colouring, palette_builtin(0), 1, 0);
}

void frame_req_init_copy(struct frame_req *req, const struct frame_req *from) {
    *req = *from;
    view_init_copy(&req->view, &from->view);
    fractal_init_copy(&req->fractal, &from->fractal);
    lines_ref(req->lines);
    perturbation_ref(req->perturbation);
    perturbation_ref(req->screen);
}

void frame_req_finish(struct frame_req *req) {
    view_finish(&req->view);
    fractal_finish(&req->fractal);
    lines_unref(req->lines);
    perturbation_unref(req->perturbation);
    perturbation_unref(req->screen);
    req->lines = NULL;
    req->perturbation = req->screen = NULL;
}

void frame_req_whole(const struct frame_req *req, int *width_px, int *height_px) {
    const bool part = req->whole_width_px > 0;
    *width_px = part ? req->whole_width_px : req->width_px;
    *height_px = part ? req->whole_height_px : req->height_px;
}

static bool size_ok(int width_px, int height_px) {
    return width_px >= 1 && height_px >= 1 && width_px <= POSTER_SIDE_MAX &&
           height_px <= POSTER_SIDE_MAX;
}

static bool part_ok(const struct frame_req *req) {
    int width, height;
    frame_req_whole(req, &width, &height);
    if (req->lines && !req->lines->even)
        return size_ok(width, height) && req->part_x_px == 0 && req->part_y_px == 0;
    return size_ok(width, height) && req->part_x_px >= 0 && req->part_y_px >= 0 &&
           req->part_x_px <= width - req->width_px && req->part_y_px <= height - req->height_px;
}

static const char *lines_of_problem(const struct frame_req *req) {
    int width, height;
    frame_req_whole(req, &width, &height);
    const struct lines *lines = req->lines;
    if (lines->columns != req->width_px || lines->rows != req->height_px ||
        (lines->even && (width != req->width_px || height != req->height_px)))
        return "the lines are not as many as the picture has";
    if (req->offset_x != 0 || req->offset_y != 0)
        return "a picture of lines is drawn without offsets";
    if (req->projection != PROJECTION_FLAT)
        return "an exponential map has no lines";
    return lines_problem(lines);
}

/* Returns true if orbits of the formula can be iterated at the picture's depth. */
static bool has_orbits_at_depth(const struct frame_req *req) {
    int width, height;
    frame_req_whole(req, &width, &height);
    return view_step_log2(&req->view, height) > fractal_finest_log2(&req->fractal);
}

const char *frame_req_problem(const struct frame_req *req) {
    if (!size_ok(req->width_px, req->height_px))
        return "the size is not within 1x1 .. 1000000x1000000";
    if (!part_ok(req))
        return "the part is not inside the whole";
    if (abs(req->offset_x) > FRAME_OFFSETS / 2 || abs(req->offset_y) > FRAME_OFFSETS / 2)
        return "the offset is more than half a step";
    if (req->limit > FRAME_LIMIT_MAX)
        return "the iteration limit is above 2147483647";
    if ((unsigned)req->route >= ROUTE_COUNT || (unsigned)req->type >= TYPE_COUNT ||
        (unsigned)req->method >= METHOD_COUNT || req->shortcuts > SHORTCUTS_ALL ||
        (unsigned)req->projection >= PROJECTION_COUNT)
        return "unknown route, precision, method, interior test or projection";
    if (!fractal_is_valid(&req->fractal))
        return "unknown formula, or a power or parameter that is none";
    if ((req->planes & SAMPLE_BASIC) != SAMPLE_BASIC || req->planes & ~SAMPLE_ALL)
        return "unknown sample planes, or some that every picture has are missing";
    const unsigned slope = req->planes & SAMPLE_SLOPE;
    if (slope != 0 && slope != SAMPLE_SLOPE &&
        (slope != SAMPLE_PLANE_BIT(angle) || fractal_has_slopes(&req->fractal)))
        return "the planes of slopes come together";
    if (req->planes & SAMPLE_TRACE && ~req->planes & SAMPLE_SLOPE)
        return "what orbits pass is known of those that have slopes";
    if (req->planes & SAMPLE_INSIDE && (~req->planes & SAMPLE_INSIDE || req->route != ROUTE_DIRECT))
        return "the planes of the interior come together, and not of perturbed orbits";
    const int s = req->first_stride;
    if (s < 1 || s > FRAME_STRIDE_MAX || (s & (s - 1)) != 0)
        return "the first stride is not a power of two up to 16";
    if (req->route == ROUTE_PERTURBED &&
        (req->type == TYPE_FLOAT || !fractal_has_perturbed(&req->fractal)))
        return "this formula or number type has no perturbed route";
    if (req->route == ROUTE_PERTURBED && !has_orbits_at_depth(req))
        return "this formula does not reach as deep as this";
    if (req->screen && (req->route != ROUTE_PERTURBED || req->type != TYPE_WIDE || req->limit == 0))
        return "doubles decide about perturbed pictures in wide numbers alone";
    if (req->doubles_limit > 0 &&
        (req->route != ROUTE_DIRECT || req->type != TYPE_WIDE || req->doubles_limit >= req->limit))
        return "short orbits in doubles belong to direct pictures in wide numbers";
    const char *problem = req->lines ? lines_of_problem(req) : NULL;
    return problem ? problem : fractal_type_problem(&req->fractal, req->type);
}

struct perturbed_place frame_req_place_of(const struct frame_req *req, mpfr_srcptr re,
                                          mpfr_srcptr im) {
    int width, height;
    frame_req_whole(req, &width, &height);
    struct perturbed_place place = perturbed_place(re, im, &req->view, width, height);
    /* Distances that come near 0 are squared, and no c is added. */
    if (req->fractal.julia && fractal_is_quadratic(&req->fractal) &&
        view_step_log2(&req->view, height) <= PERTURBED_PLAIN_STEP_LOG2 / 2)
        place.c_log2 = place.c_most_log2;
    place.tailless = req->tailless;
    return place;
}

struct perturbed_place frame_req_place(const struct frame_req *req,
                                       const struct perturbation *around) {
    return frame_req_place_of(req, around->reference->re, around->reference->im);
}

void frame_req_exact_step(const struct frame_req *req, mpfr_t step) {
    int width, height;
    frame_req_whole(req, &width, &height);
    view_step(&req->view, height, step);
}

double frame_req_step(const struct frame_req *req) {
    mpfr_t step;
    mpfr_init2(step, VIEW_ZOOM_BITS);
    frame_req_exact_step(req, step);
    const double rounded = mpfr_get_d(step, MPFR_RNDN);
    mpfr_clear(step);
    return rounded;
}

/* On the direct route the numbers are z, for any formula. On the other route they are also
 * positions. */
long frame_req_step_bits(const struct frame_req *req) {
    return req->route == ROUTE_PERTURBED && req->type == TYPE_WIDE ? 3 * VIEW_ZOOM_BITS
                                                                   : VIEW_ZOOM_BITS;
}

size_t frame_req_state_size(const struct frame_req *req) {
    if (req->route == ROUTE_PERTURBED)
        return req->type == TYPE_WIDE ? 48 : 32;
    return (fractal_is_map(&req->fractal) ? 4 : 2) * number_type_size(req->type);
}

const char *const route_names[] = {"direct", "perturbed", NULL};
const char *const method_names[] = {METHOD_LIST(CHOICE_NAME) NULL};
const char *const projection_names[] = {PROJECTION_LIST(CHOICE_NAME) NULL};
