/* The files that a picture goes into, written together from the top down; a file that is not whole
 * is never left. One thread at a time. */
#ifndef FATHOM_APP_STILL_OUTPUTS_H
#define FATHOM_APP_STILL_OUTPUTS_H

#include "app/options/options.h"
#include "render/backend.h"
#include "render/files/image.h"
#include "render/files/npy.h"

/* Where -o and the like write: "-" is standard output. NULL for NULL. */
const char *outputs_path(const char *option);
bool outputs_is_stdout(const char *option);
/* Of the picture that goes to `path`: --format, else by the name's ending. */
enum image_format outputs_image_format(const struct options *options, const char *path);

/* Those that are not wanted are NULL. */
struct outputs {
    struct image_writer *image;
    struct npy_writer *data, *smooth;
    /* Set by who wants samples, and no file of them: gets the next rows, on the thread that
     * writes. */
    void (*take)(void *user, const struct sample_planes *samples, int rows);
    void *user;
};

/* Opens what the options name; `text` is what the picture carries. False: logged why; nothing is
 * left open. */
bool outputs_open(struct outputs *outputs, const struct options *options, int width_px,
                  int height_px, const char *text);
/* The next rows, of the picture and of the arrays, in calls of their own; outputs that are not
 * wanted are skipped. False: logged why; they can only be abandoned. */
bool outputs_pixels(struct outputs *outputs, const uint32_t *rgba, int rows);
bool outputs_samples(struct outputs *outputs, const struct sample_planes *samples, int rows);
/* After the last row. Frees in any case. False: logged why. */
bool outputs_commit(struct outputs *outputs);
/* Leaves no file that is not whole; zeroed ones are allowed. */
void outputs_abandon(struct outputs *outputs);

#endif
