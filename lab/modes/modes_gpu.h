/* Seed 002's programs and ours on the GPU, as rows of the tables. */
#ifndef FATHOM_LAB_MODES_MODES_GPU_H
#define FATHOM_LAB_MODES_MODES_GPU_H

#include "lab/modes/modes_rows.h"

/* The mfunc modes on the GPU under the names of the drawing modes that they are, and our counts
 * alone. Without a GPU nothing is added. */
void modes_gpu_add(struct modes_rows *rows, struct modes_run *run, struct modes_view *view);
/* The dispatch experiments. */
void modes_gpu_add_dispatch(struct modes_rows *rows, struct modes_run *run,
                            struct modes_view *view);

#endif
