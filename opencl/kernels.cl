/* Text that OpenCL drivers compile: the kernels of all devices, and the probe. */
#include "gpu/kernels/program.h"
#ifdef PROBE
#include "opencl/probe.cl"
#endif
