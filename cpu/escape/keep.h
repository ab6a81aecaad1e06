/* Which samples of a tile the job before has, and taking them over. */
#ifndef FATHOM_CPU_ESCAPE_KEEP_H
#define FATHOM_CPU_ESCAPE_KEEP_H

#include "cpu/escape/cpu_job.h"

/* Positions on an axis, and where they are in the previous job: all in one of its tiles. */
struct span {
    int first, end, step;
    int from, from_step;
};

/* Of one tile. */
struct overlap {
    struct span columns[JOB_TILE_WIDTH_MAX], rows[JOB_TILE_PX];
    int column_spans, row_spans;
};

/* Which columns and rows of a tile the previous picture has. False: nothing of both, or `previous`
 * is NULL. */
bool keep_find(const struct job *job, const struct job *previous, uint32_t tile,
               struct overlap *overlap);
/* Marks every sample of a tile missing, or takes it over. `overlap` may be NULL: there are none. */
void keep_tile(struct job *job, struct job *previous, uint32_t tile, const struct overlap *overlap);
/* Marks every sample of a tile missing. */
void keep_nothing(struct job *job, uint32_t tile);

#endif
