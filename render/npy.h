/* Sample planes as .npy files for NumPy: shape (H, W), C order, row 0 on top. */
#ifndef FATHOM_RENDER_NPY_H
#define FATHOM_RENDER_NPY_H

#include <stdbool.h>
#include <stdint.h>

/* Counts as <u4; interior = limit. Atomic; false: logged why. */
bool npy_write_counts(const char *path, const uint32_t *count, int width_px, int height_px);
/* Smooth values, count + fraction, as <f8; interior = NaN. */
bool npy_write_smooth(const char *path, const uint32_t *count, const float *fraction, int width_px,
                      int height_px);

/* A 2-D array of either kind, widened to double (exact for both). */
struct npy {
    int width_px, height_px;
    double *values;
    bool integers; /* it was <u4 */
};
/* Format versions 1 to 3, '<u4' and '<f8', C order, two dimensions up to FRAME_SIZE_MAX. False:
 * logged why; *npy is zeroed. */
bool npy_read(const char *path, struct npy *npy);
void npy_finish(struct npy *npy);

#endif
