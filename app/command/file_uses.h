/* What a command reads and what it writes. */
#ifndef FATHOM_APP_COMMAND_FILE_USES_H
#define FATHOM_APP_COMMAND_FILE_USES_H

#include "app/options/options.h"

/* Before any work: no file that the command writes may be one that it reads (views, pictures,
 * scripts, the settings, recent locations, the user's palettes) or another one that it writes,
 * whatever they are called (same_file.h). --resume continues the file that it reads. False: they
 * are, logged. */
bool file_uses_apart(const struct options *options);

#endif
