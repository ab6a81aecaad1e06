/* The pictures that all modes draw: coordinates in each type of number, as fathom has them. */
#ifndef FATHOM_LAB_MODES_MODES_PICTURE_H
#define FATHOM_LAB_MODES_MODES_PICTURE_H

#include "lab/bench/subject.h"
#include "lab/hybridizer/mfunc.h"

#define MODES_PADDING 16 /* numbers past the last column that may be read; they repeat the last */

struct modes_picture {
    int width_px, height_px;
    uint32_t limit;
    const void *re[MFUNC_NUMBERS], *im[MFUNC_NUMBERS]; /* columns and rows, top down */
};

/* One with its memory. */
struct modes_view {
    const char *name;
    struct subject subject; /* for fathom's backends */
    struct modes_picture picture;
    void *tables[MFUNC_NUMBERS][2];
    /* Counts as in lab/report/grid.h: of plain loops, by type, and where modes draw. */
    uint32_t *expected[MFUNC_NUMBERS], *count;
};

/* Pairs with modes_view_finish, also when it fails. `setup` and `view` as subject_load takes them.
 * False: no memory, or the view is too wide for fixed numbers; logged. */
bool modes_view_init(struct modes_view *v, const struct bench_setup *setup,
                     const struct bench_view *view);
void modes_view_finish(struct modes_view *v);

/* Its rows y0 and following, in the same memory. */
struct modes_picture modes_picture_rows(const struct modes_picture *picture, int y0, int rows);
uint64_t modes_picture_differing(const struct modes_picture *picture, const uint32_t *a,
                                 const uint32_t *b);
static inline size_t modes_picture_pixels(const struct modes_picture *picture) {
    return (size_t)picture->width_px * (size_t)picture->height_px;
}

#endif
