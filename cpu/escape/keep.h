/* Sample reuse: finds the samples of a tile that the previous job has, and takes them over. */
#ifndef FATHOM_CPU_ESCAPE_KEEP_H
#define FATHOM_CPU_ESCAPE_KEEP_H

#include "cpu/escape/cpu_job.h"

/* Positions on an axis, and their positions in the previous job, all within one of its tiles. */
struct span {
    int first, end, step;
    int from, from_step;
};

/* Columns and rows of one tile that the previous job has. */
struct overlap {
    struct span columns[JOB_TILE_WIDTH_MAX], rows[JOB_TILE_PX];
    int column_spans, row_spans;
};

/* Finds the columns and rows of a tile that the previous picture has. Returns false if there are
 * none, or if `previous` is NULL. */
bool keep_find(const struct job *job, const struct job *previous, uint32_t tile,
               struct overlap *overlap);
/* Marks every sample of a tile missing, then takes over the samples of `overlap`. NULL: none. */
void keep_tile(struct job *job, struct job *previous, uint32_t tile, const struct overlap *overlap);
/* Marks every sample of a tile missing. */
void keep_nothing(struct job *job, uint32_t tile);

#endif
