/* Orbit density: initialises, copies and checks requests. */
#include "render/density/density.h"
#include "render/density/density_cells.h"
#include <string.h>

#define LEAST_USUAL 20
#define PLACE_BITS  4 /* bits of a pixel that float must resolve */

const char *const density_orbits_names[] = {DENSITY_ORBITS_LIST(CHOICE_NAME) NULL};

void density_init(struct density *density) {
    *density = (struct density){.channels = 1, .limit = {FRAME_LIMIT_DEFAULT}};
}

uint32_t density_least(const struct density *density) {
    uint32_t least = LEAST_USUAL;
    if (density->least > 0)
        return density->least;
    for (int i = 0; i < density->channels; i++)
        least = density->limit[i] / 5 * 2 < least ? density->limit[i] / 5 * 2 : least;
    return least > 0 ? least : 1;
}

const char *density_problem(const struct density *density) {
    if ((unsigned)density->orbits >= DENSITY_ORBITS_COUNT)
        return "unknown orbits";
    if (density->channels != 1 && density->channels != DENSITY_PLANES_MAX)
        return "there are one or three channels";
    for (int i = 0; i < density->channels; i++)
        if (density->limit[i] < 1 || density->limit[i] > FRAME_LIMIT_MAX)
            return "orbits are limited to 1 .. 2147483647 steps";
    if (density->orbits == DENSITY_BOUNDED && density->channels > 1)
        return "bounded orbits have one channel";
    return NULL;
}

bool density_equal(const struct density *a, const struct density *b) {
    if (a->orbits != b->orbits || a->channels != b->channels || a->least != b->least ||
        a->random != b->random)
        return false;
    for (int i = 0; i < a->channels; i++)
        if (a->limit[i] != b->limit[i])
            return false;
    return true;
}

struct density_planes density_planes(const struct density *density) {
    struct density_planes planes = {0};
    for (int i = 0; i < density->channels; i++) {
        int at = 0;
        while (at < planes.count && planes.top[at] < density->limit[i])
            at++;
        if (at < planes.count && planes.top[at] == density->limit[i])
            continue;
        memmove(planes.top + at + 1, planes.top + at,
                (size_t)(planes.count - at) * sizeof *planes.top);
        planes.top[at] = density->limit[i];
        planes.count++;
    }
    for (int i = 0; i < density->channels; i++)
        while (planes.top[planes.last[i]] < density->limit[i])
            planes.last[i]++;
    return planes;
}

void density_req_init(struct density_req *req, int width_px, int height_px) {
    *req = (struct density_req){
        .width_px = width_px, .height_px = height_px, .type = TYPE_DOUBLE, .samples = UINT64_MAX};
    view_init(&req->view);
    density_init(&req->density);
    tone_init(&req->tone);
}

void density_req_init_copy(struct density_req *req, const struct density_req *from) {
    *req = *from;
    view_init_copy(&req->view, &from->view);
    req->cells = from->cells ? density_cells_ref(from->cells) : NULL;
    req->start = NULL;
}

void density_req_finish(struct density_req *req) {
    view_finish(&req->view);
    density_cells_unref(req->cells);
    req->cells = NULL;
}

const char *density_req_problem(const struct density_req *req) {
    if (req->width_px < 1 || req->height_px < 1 || req->width_px > FRAME_SIZE_MAX ||
        req->height_px > FRAME_SIZE_MAX)
        return "the size is not within 1x1 .. 65536x65536";
    if ((uint64_t)req->width_px * (uint64_t)req->height_px > DENSITY_PIXELS_MAX)
        return "a density picture has at most 2^30 pixels";
    if ((unsigned)req->type >= TYPE_NATIVE_COUNT)
        return "unknown precision";
    const char *problem = density_problem(&req->density);
    if (!problem && (!req->cells || !density_cells_match(req->cells, &req->density)))
        problem = "the cells were made for something else";
    return problem ? problem : tone_problem(&req->tone);
}

/* A point is up to 2 from the origin, where its place is rounded by half a unit. */
enum number_type density_type(const struct view *view, int width_px, int height_px,
                              enum precision precision) {
    const double step = view_step_log2(view, height_px);
    if (precision == PRECISION_AUTO)
        return step >= 1 - 24 + PLACE_BITS &&
                       plan_resolves(TYPE_FLOAT, NULL, view, width_px, height_px)
                   ? TYPE_FLOAT
                   : TYPE_DOUBLE;
    return precision == PRECISION_FLOAT ? TYPE_FLOAT : TYPE_DOUBLE;
}
