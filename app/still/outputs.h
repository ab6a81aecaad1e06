/* Outputs: the files of a picture, written together from the top down. Incomplete files are
 * never left. One thread at a time may use them. */
#ifndef FATHOM_APP_STILL_OUTPUTS_H
#define FATHOM_APP_STILL_OUTPUTS_H

#include "app/options/options.h"
#include "render/backend.h"
#include "render/files/exr/exr.h"
#include "render/files/image.h"
#include "render/files/npy.h"
#include "render/files/poster/poster.h"

struct deep_zoom;
struct shared_blocks;

/* Returns the path for an option such as -o: "-" is standard output. NULL stays NULL. */
const char *outputs_path(const char *option);
bool outputs_is_stdout(const char *option);
/* Returns true if the picture is an EXR, which --format does not name. */
bool outputs_is_exr(const struct options *options);
/* Returns true if the picture is a poster: a .tif, unless --format names another format, or a
 * .dzi. (posters.c) */
bool outputs_is_poster(const struct options *options);
/* Returns true if colours have 16 bits (--bits), which only PNG has. */
bool outputs_is_deep(const struct options *options);
/* Returns the image format of `path`: --format, or else by the ending of its name. */
enum image_format outputs_image_format(const struct options *options, const char *path);

/* Unused outputs are NULL. */
struct outputs {
    struct image_writer *image;
    bool deep;              /* the image has 16 bits a channel */
    struct exr_writer *exr; /* instead of an image */
    /* Instead of an image, too. Its blocks are written by poster_write, in any order. */
    struct poster *poster;
    struct shared_blocks *shared; /* until a poster is complete that several processes draw */
    struct poster_shape shape;    /* of either; owns its text */
    struct deep_zoom *zoom;       /* becomes a Deep Zoom picture; NULL: stays a poster */
    struct npy_writer *data, *smooth;
    /* Callback for samples without a file: gets the next rows on the writing thread. May be
     * NULL. */
    void (*take)(void *user, const struct sample_planes *samples, int rows);
    void *user;
};

/* Opens the files that the options name for the picture of a request; it contains `text`. Returns
 * false on failure, which is logged; nothing then stays open. */
bool outputs_open(struct outputs *outputs, const struct options *options,
                  const struct frame_req *req, const char *text);
/* Returns the planes that the files need. */
unsigned outputs_planes(const struct outputs *outputs, const struct frame_req *req);
/* Write the next rows of the picture, whose pixels are uint32_t or, if `deep`, uint64_t, and of the
 * arrays; unused outputs are skipped. Return false on failure, which is logged; the outputs can
 * then only be abandoned. */
bool outputs_pixels(struct outputs *outputs, const void *rgba, int rows);
bool outputs_samples(struct outputs *outputs, const struct sample_planes *samples, int rows);
/* Completes the files after the last row, and frees the outputs in any case. Returns false on
 * failure, which is logged. */
bool outputs_commit(struct outputs *outputs);
/* Frees the outputs without leaving incomplete files. Zeroed outputs are allowed. */
void outputs_abandon(struct outputs *outputs);

#endif
