/* Which of a machine's devices is asked for. */
#ifndef FATHOM_GPU_DEVICE_CHOICE_H
#define FATHOM_GPU_DEVICE_CHOICE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DEVICE_NOT_THERE "there is no such device; 'fathom info' lists them"

/* Whether `wanted` (struct backend_options; NULL: any) may be device `ordinal` of `count`: a number below that is an
 * ordinal, all else a part of a name, in letters of either case. */
bool device_is_wanted(const char *wanted, int ordinal, int count, const char *name);

#ifdef __cplusplus
}
#endif

#endif
