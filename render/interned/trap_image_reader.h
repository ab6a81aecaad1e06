/* Background reader of trap images: has its own thread, for callers that must not wait (the
 * window). Reads one image at a time, the last requested. */
#ifndef FATHOM_RENDER_INTERNED_TRAP_IMAGE_READER_H
#define FATHOM_RENDER_INTERNED_TRAP_IMAGE_READER_H

#include "render/interned/trap_image.h"

struct trap_image_reader;

/* Creates a reader; its thread starts with the first image. Returns NULL on failure, which is
 * logged. */
struct trap_image_reader *trap_image_reader_create(void);
/* Destroys the reader and stops reading, which takes no longer than a row. NULL is allowed. */
void trap_image_reader_destroy(struct trap_image_reader *reader);

/* Requests the image at an absolute path, for trap_image_get; never waits. Returns a reference to
 * the image if it has been read, or NULL if it cannot be read, which is logged. Each result is
 * returned once. Sets *later, and returns NULL, while the image is being read. */
const struct trap_image *trap_image_reader_ask(struct trap_image_reader *reader, const char *path,
                                               bool *later);
/* Returns true if an image is being read; sets *done to the share that is read, 0 .. 1. */
bool trap_image_reader_busy(struct trap_image_reader *reader, double *done);
/* Stops reading, and drops a result that was not requested again. */
void trap_image_reader_stop(struct trap_image_reader *reader);

#endif
