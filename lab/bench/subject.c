/* From a view to a request, memory and coordinates. */
#include "lab/bench/subject.h"
#include "lab/bench/loops.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/grid/coords.h"
#include <stdlib.h>
#include <string.h>

/* The real or imaginary parts (`part` 0 or 2) of a table whose entries are four numbers: re and im,
 * each with its low part, which is 0 at angle 0. The last one is repeated as padding. */
static void *copy_parts(const void *entries, int count, size_t number, size_t part) {
    char *copy = calloc((size_t)count + LOOP_PADDING, number);
    for (int i = 0; copy && i < count + LOOP_PADDING; i++) {
        const size_t entry = (size_t)(i < count ? i : count - 1);
        memcpy(copy + (size_t)i * number, (const char *)entries + (4 * entry + part) * number,
               number);
    }
    return copy;
}

static bool copy_coords(struct subject *subject, enum number_type type) {
    struct coords coords;
    const int width = subject->req.width_px, height = subject->req.height_px;
    subject->req.type = type;
    if (!coords_init(&coords, &subject->req))
        return false;
    const size_t number = type == TYPE_FLOAT ? sizeof(float) : sizeof(double);
    const char *table = coords.table;
    subject->re[type] = copy_parts(table, width, number, 0);
    subject->im[type] = copy_parts(table + (size_t)width * 4 * number, height, number, 2);
    coords_finish(&coords);
    return subject->re[type] && subject->im[type];
}

static void set_request(struct frame_req *req, const struct bench_setup *setup,
                        const struct bench_view *view) {
    struct bench_view changed = *view;
    if (setup->width_px > 0) {
        changed.width_px = setup->width_px;
        changed.height_px = setup->height_px;
    }
    if (setup->limit >= 0)
        changed.limit = (uint32_t)setup->limit;
    bench_view_request(&changed, req);
    req->arithmetic = setup->arithmetic;
    req->method = setup->method;
    req->reuse = false;
}

void subject_init(struct subject *subject) {
    *subject = (struct subject){0};
    frame_req_init(&subject->req, 1, 1);
}

bool subject_load(struct subject *subject, const struct bench_setup *setup,
                  const struct bench_view *view) {
    set_request(&subject->req, setup, view);
    const uint64_t pixels = (uint64_t)subject->req.width_px * (uint64_t)subject->req.height_px;
    subject->rgba = memory_alloc(pixels * sizeof *subject->rgba, "a picture to measure");
    subject->count = memory_alloc(pixels * sizeof *subject->count, "its counts");
    if (!subject->rgba || !subject->count)
        return false;
    for (int type = 0; type < TYPE_NATIVE_COUNT && !(view->flags & BENCH_DEEP); type++)
        if (!copy_coords(subject, (enum number_type)type)) {
            log_error("no memory for coordinates");
            return false;
        }
    return true;
}

void subject_finish(struct subject *subject) {
    for (int type = 0; type < TYPE_NATIVE_COUNT; type++) {
        free(subject->re[type]);
        free(subject->im[type]);
    }
    free(subject->rgba);
    free(subject->count);
    frame_req_finish(&subject->req);
}
