/* Another name for a file that cannot have its own: picture.new.ppm beside picture.ppm. */
#ifndef FATHOM_RENDER_BASE_SPARE_NAME_H
#define FATHOM_RENDER_BASE_SPARE_NAME_H

#include "render/base/temporary.h"

/* Gives the file a free name, in the folder of `target`, and returns it; the caller
 * frees it. NULL: it gets none, errno says why. */
char *spare_name_link(struct temporary *file, const char *target);

#endif
