/* The files that a picture goes into, all written together from the top down, and none that is not
 * whole. One thread at a time. */
#ifndef FATHOM_APP_OUTPUTS_H
#define FATHOM_APP_OUTPUTS_H

#include "app/options.h"
#include "render/backend.h"
#include "render/image.h"
#include "render/npy.h"

/* Those that are not wanted are NULL. */
struct outputs {
    struct image_writer *image;
    struct npy_writer *data, *smooth;
};

/* Opens what the options name; `text` is what the picture carries. False: logged why; nothing is left
 * open. */
bool outputs_open(struct outputs *outputs, const struct options *options, int width_px,
                  int height_px, const char *text);
/* The next rows: pixels of `rgba`, and of `target` the sample planes, which may be NULL where no arrays
 * are wanted. False: logged why; they can only be abandoned. */
bool outputs_rows(struct outputs *outputs, const uint32_t *rgba, const struct target *target,
                  int rows);
/* After the last row. Frees in any case. False: logged why. */
bool outputs_commit(struct outputs *outputs);
/* Leaves no file that is not whole; zeroed ones are allowed. */
void outputs_abandon(struct outputs *outputs);

#endif
