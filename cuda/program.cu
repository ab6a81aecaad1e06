/* Text that nvcc compiles, once for each program of cmake/kernel_programs.cmake. */
#include "gpu/kernels/program.h"
