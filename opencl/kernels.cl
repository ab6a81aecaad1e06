/* The text that OpenCL's drivers compile: the kernels of all devices, and the probe. */
#include "gpu/kernels/program.h"
#ifdef PROBE
#include "opencl/probe.cl"
#endif
