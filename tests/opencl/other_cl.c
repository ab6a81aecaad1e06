/* OpenCL library that forwards to the library in the file REAL_CL, except for the faults in
 * OTHER_CL. `doubles` and `denormals` hide these features of devices; `relaxed` lets kernels round
 * as they like. */
#define _GNU_SOURCE
#include "opencl/cl.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTER(result, name, arguments)                                                           \
    static __attribute__((used)) result(*other_##name) arguments;
CL_FUNCTIONS(POINTER)

/* Jumps to the real function, so arguments need not be known. */
#define FORWARD(result, name, arguments)                                                           \
    __asm__(".globl cl" #name "\n.type cl" #name ", @function\n"                                   \
            "cl" #name ": jmp *other_" #name "(%rip)\n");
CL_FUNCTIONS(FORWARD)

static int32_t (*real_info)(cl_device_id, uint32_t, size_t, void *, size_t *);
static int32_t (*real_build)(cl_program, uint32_t, const cl_device_id *, const char *,
                             void (*)(cl_program, void *), void *);

static int is(const char *what) {
    const char *other = getenv("OTHER_CL");
    return other && strcmp(other, what) == 0;
}

static int32_t own_info(cl_device_id device, uint32_t what, size_t size, void *value, size_t *got) {
    const int32_t error = real_info(device, what, size, value, got);
    const int doubles = what == CL_DEVICE_DOUBLE_FP_CONFIG;
    if (error == CL_SUCCESS && doubles && is("doubles"))
        memset(value, 0, size);
    if (error == CL_SUCCESS && (doubles || what == CL_DEVICE_SINGLE_FP_CONFIG) && is("denormals"))
        *(uint64_t *)value &= ~(uint64_t)CL_FP_DENORM;
    return error;
}

static int32_t own_build(cl_program program, uint32_t count, const cl_device_id *devices,
                         const char *options, void (*done)(cl_program, void *), void *user) {
    char all[1000];
    snprintf(all, sizeof all, "%s%s", options,
             is("relaxed") ? " -cl-denorms-are-zero -cl-fast-relaxed-math" : "");
    return real_build(program, count, devices, all, done, user);
}

static __attribute__((constructor)) void load(void) {
    const char *file = getenv("REAL_CL");
    void *library = file ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library)
        abort();
#define LOAD(result, name, arguments) *(void **)&other_##name = dlsym(library, "cl" #name);
    CL_FUNCTIONS(LOAD)
    real_info = other_GetDeviceInfo;
    real_build = other_BuildProgram;
    other_GetDeviceInfo = own_info;
    other_BuildProgram = own_build;
}
