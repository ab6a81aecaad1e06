/* Kernel program compiled as C; HOST_PROGRAM is the name of its table of kernels. */
/* Functions and types of the text have short names, which other functions use for variables. */
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "tests/gpu/host_program.h"
#include "gpu/kernels/program.h"
#include <stddef.h>

#define ROW(name) {#name, name},
extern const struct host_kernel HOST_PROGRAM[];
const struct host_kernel HOST_PROGRAM[] = {KERNELS(ROW){NULL, NULL}};
