/* Fake OpenCL library with a faulty driver, by FAKE_CL: `hang` and `crash` when platforms are
 * queried; `cpu` has no GPU; `context` hangs and `gpu` fails when a context is created; `interrupt`
 * fails there as well, after sending the program a signal that must not reach the driver. */
#define _GNU_SOURCE
#include "opencl/cl.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAKE_FAILS = -59, FAKE_CPU = 1 << 1 };

#define EXPORT __attribute__((visibility("default")))

static int is(const char *what) {
    const char *mode = getenv("FAKE_CL");
    return mode && strcmp(mode, what) == 0;
}

static void hang(void) {
    for (;;)
        pause();
}

/* Sends the signal; returns once another thread has handled it. */
static void interrupt(void) {
    sigset_t held;
    pthread_sigmask(SIG_SETMASK, NULL, &held);
    if (!sigismember(&held, SIGTERM))
        fprintf(stderr, "a signal would interrupt the driver\n");
    kill(getpid(), SIGTERM);
    do
        usleep(50000); /* until its handler has returned */
    while (sigpending(&held) == 0 && sigismember(&held, SIGTERM));
}

int32_t clGetPlatformIDs(uint32_t size, cl_platform_id *platforms, uint32_t *count);
int32_t clGetDeviceIDs(cl_platform_id platform, uint64_t type, uint32_t size, cl_device_id *devices,
                       uint32_t *count);
int32_t clGetDeviceInfo(cl_device_id device, uint32_t what, size_t size, void *value, size_t *got);
cl_context clCreateContext(const intptr_t *properties, uint32_t count, const cl_device_id *devices,
                           void (*notify)(const char *, const void *, size_t, void *), void *user,
                           int32_t *error);

EXPORT int32_t clGetPlatformIDs(uint32_t size, cl_platform_id *platforms, uint32_t *count) {
    if (is("hang"))
        hang();
    if (is("crash"))
        abort();
    *count = size > 0;
    platforms[0] = (cl_platform_id)(intptr_t)16;
    return CL_SUCCESS;
}

EXPORT int32_t clGetDeviceIDs(cl_platform_id platform, uint64_t type, uint32_t size,
                              cl_device_id *devices, uint32_t *count) {
    (void)platform;
    (void)type;
    *count = size > 0;
    devices[0] = (cl_device_id)(intptr_t)16;
    return CL_SUCCESS;
}

EXPORT int32_t clGetDeviceInfo(cl_device_id device, uint32_t what, size_t size, void *value,
                               size_t *got) {
    const char *name = what == CL_DEVICE_NAME ? "Fake" : "";
    const uint64_t number = what == CL_DEVICE_TYPE ? is("cpu") ? FAKE_CPU : CL_DEVICE_TYPE_GPU
                            : what == CL_DEVICE_MAX_WORK_GROUP_SIZE ? 1024
                                                                    : CL_FP_DENORM | CL_FP_FMA;
    (void)device;
    (void)got;
    memset(value, 0, size);
    if (what == CL_DEVICE_NAME || what == CL_DEVICE_EXTENSIONS)
        memcpy(value, name, strlen(name));
    else
        memcpy(value, &number, sizeof number);
    return CL_SUCCESS;
}

EXPORT cl_context clCreateContext(const intptr_t *properties, uint32_t count,
                                  const cl_device_id *devices,
                                  void (*notify)(const char *, const void *, size_t, void *),
                                  void *user, int32_t *error) {
    (void)properties;
    (void)count;
    (void)devices;
    (void)notify;
    (void)user;
    if (is("context"))
        hang();
    if (is("interrupt"))
        interrupt();
    *error = FAKE_FAILS;
    return NULL;
}

/* The other functions exist, and are never called. */
#define FAKE(name)                                                                                 \
    int32_t cl##name(void);                                                                        \
    EXPORT int32_t cl##name(void) {                                                                \
        abort();                                                                                   \
    }
FAKE(ReleaseContext)
FAKE(CreateCommandQueue)
FAKE(ReleaseCommandQueue)
FAKE(Flush)
FAKE(Finish)
FAKE(CreateBuffer)
FAKE(ReleaseMemObject)
FAKE(CreateProgramWithSource)
FAKE(BuildProgram)
FAKE(GetProgramBuildInfo)
FAKE(ReleaseProgram)
FAKE(CreateKernel)
FAKE(ReleaseKernel)
FAKE(SetKernelArg)
FAKE(EnqueueNDRangeKernel)
FAKE(EnqueueFillBuffer)
FAKE(EnqueueWriteBuffer)
FAKE(EnqueueReadBuffer)
FAKE(EnqueueMapBuffer)
FAKE(EnqueueUnmapMemObject)
FAKE(EnqueueMigrateMemObjects)
FAKE(EnqueueBarrierWithWaitList)
FAKE(GetEventInfo)
FAKE(GetEventProfilingInfo)
FAKE(RetainEvent)
FAKE(ReleaseEvent)
