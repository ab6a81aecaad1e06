/* Device tables: the reference and the tables of perturbed pictures in device memory, kept from
 * picture to picture. Only changed parts are sent again. */
#ifndef FATHOM_GPU_ESCAPE_DEVICE_TABLES_H
#define FATHOM_GPU_ESCAPE_DEVICE_TABLES_H

#include "gpu/kernel_args.h"
#include "gpu/slices.h"
#include "render/deep/perturbation.h"

#define DEVICE_TABLES_PARTS 13 /* pointers in struct device_tables and device_traces */

/* Parts in device memory; empty if zero-initialised except `device`. */
struct device_tables_store {
    struct device *device;
    struct perturbation *perturbation; /* owner of the tables (a reference is held); NULL: none */
    struct device_pointer part[DEVICE_TABLES_PARTS];
    uint32_t last; /* `last` and c_most_log2 of the index's view */
    int32_t c_most_log2;
};

/* Uploads the tables that a request needs around `perturbation`, before all later launches. Returns
 * false on failure (slices->error). */
bool device_tables_upload(struct device_tables_store *store, struct slices *slices,
                          const struct frame_req *req, struct perturbation *perturbation,
                          struct device_tables *tables);
/* Uploads the traces of a request. Called after device_tables_upload. */
bool device_traces_upload(struct device_tables_store *store, struct slices *slices,
                          const struct frame_req *req, struct perturbation *perturbation,
                          struct device_traces *traces);
void device_tables_finish(struct device_tables_store *store);

#endif
