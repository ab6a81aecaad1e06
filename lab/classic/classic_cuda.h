/* Pictures whose bytes a table gives for counts, drawn on a CUDA device band by band: doubles, RGB,
 * copied to the host. All calls from one thread. */
#ifndef FATHOM_LAB_CLASSIC_CLASSIC_CUDA_H
#define FATHOM_LAB_CLASSIC_CLASSIC_CUDA_H

#include "render/frame.h"
#include <stdbool.h>
#include <stdint.h>

struct classic_cuda;

/* Whether create would find a device; without side effects. On false *why is a static sentence
 * fragment. `wanted` as in struct backend_options. */
bool classic_cuda_usable(const char *wanted, const char **why);
/* Takes a device, and memory on it for as many rows as a launch should draw. Some hundred
 * milliseconds. NULL: logged why. */
struct classic_cuda *classic_cuda_create(const char *wanted, int width_px, int height_px);
void classic_cuda_destroy(struct classic_cuda *classic);           /* NULL is allowed */
const char *classic_cuda_name(const struct classic_cuda *classic); /* of the device */
int classic_cuda_rows(const struct classic_cuda *classic);         /* that draw takes at most */
/* Page-locked memory for so many rows, to be passed to copy: that takes a third of the time then.
 * It is made at the first call, 0.4 ms for every megabyte, and belongs to `classic`. NULL: logged
 * why. */
uint8_t *classic_cuda_band(struct classic_cuda *classic, int rows);

struct classic_cuda_job {
    const double *re,
        *im;  /* of the columns, and of `rows` rows; each 0 or at least 1e-250 in size */
    int rows; /* 1 .. classic_cuda_rows */
    uint32_t limit;
    enum arithmetic arithmetic;
    unsigned shortcuts;
    /* 256 colours by count, 0xBBGGRR; 0 is the interior's, and that of counts above 255. */
    const uint32_t *table;
};

/* Draws rows into the device's memory. *kernel_ms is the kernel's own time, by events. False:
 * logged why. */
bool classic_cuda_draw(struct classic_cuda *classic, const struct classic_cuda_job *job,
                       double *kernel_ms);
/* Copies some of the rows drawn last, 3 * width * rows bytes. False: logged why. */
bool classic_cuda_copy(struct classic_cuda *classic, int first, int rows, uint8_t *rgb);

#endif
