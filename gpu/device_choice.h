/* Device selection: compares devices with the user's --device. */
#ifndef FATHOM_GPU_DEVICE_CHOICE_H
#define FATHOM_GPU_DEVICE_CHOICE_H

#include <stdbool.h>

#define DEVICE_UNKNOWN "there is no such device; 'fathom info' lists them"

/* Returns true if `wanted` (struct backend_options; may be NULL: any device) matches device
 * `ordinal` of `count`. A number below `count` is an ordinal, and #N always is; any other text is a
 * part of a name, in either case. */
bool device_is_wanted(const char *wanted, int ordinal, int count, const char *name);

#endif
