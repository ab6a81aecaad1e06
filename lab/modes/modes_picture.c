/* Coordinates: the backends' own in float and double, and the doubles rounded to fixed point. */
#include "lab/modes/modes_picture.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIXED_LARGEST 2.5 /* what mfunc.h promises for */

static bool to_fixed(int32_t *out, const double *in, int count) {
    for (int i = 0; i < count; i++) {
        if (!(fabs(in[i]) <= FIXED_LARGEST)) {
            log_error("a coordinate of %g is too large for fixed point", in[i]);
            return false;
        }
        out[i] = (int32_t)lrint(ldexp(in[i], MFUNC_FIXED_BITS));
    }
    return true;
}

static void *make_table(void *const from[TYPE_NATIVE_COUNT], enum mfunc_number number, int count) {
    const size_t size = mfunc_number_size(number);
    char *table = calloc((size_t)count + MODES_PADDING, size);
    if (!table)
        log_error("no memory for the coordinates of a picture");
    if (table && number != MFUNC_FIXED)
        memcpy(table, from[number], (size_t)count * size);
    if (table && number == MFUNC_FIXED && !to_fixed((int32_t *)table, from[TYPE_DOUBLE], count)) {
        free(table);
        return NULL;
    }
    for (int i = count; table && i < count + MODES_PADDING; i++)
        memcpy(table + (size_t)i * size, table + (size_t)(count - 1) * size, size);
    return table;
}

bool modes_view_init(struct modes_view *v, const struct bench_setup *setup,
                     const struct bench_view *view) {
    struct modes_picture *picture = &v->picture;
    *v = (struct modes_view){.name = view->name};
    subject_init(&v->subject);
    if (!subject_load(&v->subject, setup, view))
        return false;
    picture->width_px = v->subject.req.width_px;
    picture->height_px = v->subject.req.height_px;
    picture->limit = v->subject.req.limit;
    const size_t bytes = modes_picture_pixels(picture) * sizeof *v->count;
    v->count = memory_alloc(bytes, "the counts of a picture");
    if (!v->count)
        return false;
    for (int number = 0; number < MFUNC_NUMBERS; number++) {
        void **tables = v->tables[number];
        tables[0] = make_table(v->subject.re, (enum mfunc_number)number, picture->width_px);
        tables[1] = make_table(v->subject.im, (enum mfunc_number)number, picture->height_px);
        v->expected[number] = memory_alloc(bytes, "the counts of a picture");
        if (!tables[0] || !tables[1] || !v->expected[number])
            return false;
        picture->re[number] = tables[0];
        picture->im[number] = tables[1];
    }
    return true;
}

void modes_view_finish(struct modes_view *v) {
    for (int number = 0; number < MFUNC_NUMBERS; number++) {
        free(v->tables[number][0]);
        free(v->tables[number][1]);
        free(v->expected[number]);
    }
    free(v->count);
    subject_finish(&v->subject);
}

struct modes_picture modes_picture_rows(const struct modes_picture *picture, int y0, int rows) {
    struct modes_picture part = *picture;
    part.height_px = rows;
    for (int number = 0; number < MFUNC_NUMBERS; number++)
        part.im[number] = (const char *)picture->im[number] +
                          (size_t)y0 * mfunc_number_size((enum mfunc_number)number);
    return part;
}

uint64_t modes_picture_differing(const struct modes_picture *picture, const uint32_t *a,
                                 const uint32_t *b) {
    uint64_t differing = 0;
    for (size_t i = 0; i < modes_picture_pixels(picture); i++)
        differing += a[i] != b[i];
    return differing;
}
