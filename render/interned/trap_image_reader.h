/* Reads images on a thread of its own, for a thread that must not wait: the window's. One image at a time: the one that was
 * asked for last. */
#ifndef FATHOM_RENDER_INTERNED_TRAP_IMAGE_READER_H
#define FATHOM_RENDER_INTERNED_TRAP_IMAGE_READER_H

#include "render/interned/trap_image.h"

struct trap_image_reader;

/* NULL: logged. The thread starts with the first image. */
struct trap_image_reader *trap_image_reader_create(void);
/* Gives up what is being read, which takes no longer than a row. NULL is allowed. */
void trap_image_reader_destroy(struct trap_image_reader *reader);

/* For trap_image_get: what reading a path, from the root, has led to: the caller's share, or NULL, logged; that is told
 * once. With *later it is not known yet: it is being read from now on. Never waits. */
const struct trap_image *trap_image_reader_ask(struct trap_image_reader *reader, const char *path,
                                               bool *later);
/* Whether something is being read; *done gets how much of it was, 0 .. 1. */
bool trap_image_reader_busy(struct trap_image_reader *reader, double *done);
/* Gives up what is being read, or was read and not asked for again. */
void trap_image_reader_stop(struct trap_image_reader *reader);

#endif
