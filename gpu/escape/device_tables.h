/* The reference and the tables of perturbed pictures in device memory: kept from picture to picture,
 * and sent again as far as they differ. */
#ifndef FATHOM_GPU_ESCAPE_DEVICE_TABLES_H
#define FATHOM_GPU_ESCAPE_DEVICE_TABLES_H

#include "gpu/kernels.h"
#include "gpu/slices.h"
#include "render/deep/perturbation.h"

#define DEVICE_TABLES_PARTS                                                                        \
    11 /* as the pointers of struct device_tables and struct device_traces */

/* Zero-initialised but for the device: nothing is there. */
struct device_tables_store {
    struct device *device;
    struct perturbation *of; /* whose they are, a share; NULL: nobody's */
    struct device_pointer part[DEVICE_TABLES_PARTS];
    uint32_t last; /* the view that the index is of */
    int32_t c_most_log2;
};

/* Brings the tables there that a request goes by about `of`, before what is launched from now on. False:
 * failed, which slices->error says. */
bool device_tables_send(struct device_tables_store *store, struct slices *slices,
                        const struct frame_req *req, struct perturbation *of,
                        struct device_tables *tables);
/* The same for its traces, after that. */
bool device_traces_send(struct device_tables_store *store, struct slices *slices,
                        const struct frame_req *req, struct perturbation *of,
                        struct device_traces *traces);
void device_tables_finish(struct device_tables_store *store);

#endif
