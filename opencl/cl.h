/* OpenCL 1.2 declarations: the part of the standard that is used. The library is loaded at run
 * time, and its headers may be missing. Names, types and numbers are the standard's. */
#ifndef FATHOM_OPENCL_CL_H
#define FATHOM_OPENCL_CL_H

#include <stddef.h>
#include <stdint.h>

typedef struct cl_platform *cl_platform_id;
typedef struct cl_device *cl_device_id;
typedef struct cl_context_object *cl_context;
typedef struct cl_queue_object *cl_command_queue;
typedef struct cl_mem_object *cl_mem;
typedef struct cl_program_object *cl_program;
typedef struct cl_kernel_object *cl_kernel;
typedef struct cl_event_object *cl_event;

enum {
    CL_SUCCESS = 0,
    CL_DEVICE_NOT_AVAILABLE = -2,
    CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
    CL_OUT_OF_RESOURCES = -5,
    CL_OUT_OF_HOST_MEMORY = -6,
    CL_PROFILING_INFO_NOT_AVAILABLE = -7,
    CL_BUILD_PROGRAM_FAILURE = -11,
    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST = -14,
    CL_INVALID_BUFFER_SIZE = -61,
    CL_PLATFORM_NOT_FOUND_KHR = -1001,

    CL_PLATFORM_VERSION = 0x0901,
    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    CL_DEVICE_SINGLE_FP_CONFIG = 0x101b,
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101f,
    CL_DEVICE_ENDIAN_LITTLE = 0x1026,
    CL_DEVICE_AVAILABLE = 0x1027,
    CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
    CL_DEVICE_NAME = 0x102b,
    CL_DEVICE_EXTENSIONS = 0x1030,
    CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
    CL_DEVICE_TYPE_GPU = 1 << 2,
    CL_FP_DENORM = 1 << 0,
    CL_FP_FMA = 1 << 5,
    CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT = 1 << 7,

    CL_CONTEXT_PLATFORM = 0x1084,
    CL_QUEUE_PROFILING_ENABLE = 1 << 1,
    CL_MEM_READ_WRITE = 1 << 0,
    CL_MEM_ALLOC_HOST_PTR = 1 << 4,
    CL_MAP_READ_WRITE = 3,
    CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED = 1 << 1,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11d3,
    CL_COMPLETE = 0,
    CL_PROFILING_COMMAND_START = 0x1282,
    CL_PROFILING_COMMAND_END = 0x1283,
};

/* Functions of the library: result, name without cl, parameters. */
/* clang-format off */
#define CL_FUNCTIONS(X)                                                                            \
    X(int32_t, GetPlatformIDs, (uint32_t, cl_platform_id *, uint32_t *))                           \
    X(int32_t, GetDeviceIDs, (cl_platform_id, uint64_t, uint32_t, cl_device_id *, uint32_t *))     \
    X(int32_t, GetDeviceInfo, (cl_device_id, uint32_t, size_t, void *, size_t *))                  \
    X(cl_context, CreateContext, (const intptr_t *, uint32_t, const cl_device_id *,                \
                                  void (*)(const char *, const void *, size_t, void *), void *,    \
                                  int32_t *))                                                      \
    X(int32_t, ReleaseContext, (cl_context))                                                       \
    X(cl_command_queue, CreateCommandQueue, (cl_context, cl_device_id, uint64_t, int32_t *))       \
    X(int32_t, ReleaseCommandQueue, (cl_command_queue))                                            \
    X(int32_t, Flush, (cl_command_queue))                                                          \
    X(int32_t, Finish, (cl_command_queue))                                                         \
    X(cl_mem, CreateBuffer, (cl_context, uint64_t, size_t, void *, int32_t *))                     \
    X(int32_t, ReleaseMemObject, (cl_mem))                                                         \
    X(cl_program, CreateProgramWithSource, (cl_context, uint32_t, const char **, const size_t *,   \
                                            int32_t *))                                            \
    X(int32_t, BuildProgram, (cl_program, uint32_t, const cl_device_id *, const char *,            \
                              void (*)(cl_program, void *), void *))                               \
    X(int32_t, GetProgramBuildInfo, (cl_program, cl_device_id, uint32_t, size_t, void *, size_t *))\
    X(int32_t, ReleaseProgram, (cl_program))                                                       \
    X(cl_kernel, CreateKernel, (cl_program, const char *, int32_t *))                              \
    X(int32_t, ReleaseKernel, (cl_kernel))                                                         \
    X(int32_t, SetKernelArg, (cl_kernel, uint32_t, size_t, const void *))                          \
    X(int32_t, EnqueueNDRangeKernel, (cl_command_queue, cl_kernel, uint32_t, const size_t *,       \
                                      const size_t *, const size_t *, uint32_t, const cl_event *,  \
                                      cl_event *))                                                 \
    X(int32_t, EnqueueFillBuffer, (cl_command_queue, cl_mem, const void *, size_t, size_t, size_t, \
                                   uint32_t, const cl_event *, cl_event *))                        \
    X(int32_t, EnqueueWriteBuffer, (cl_command_queue, cl_mem, uint32_t, size_t, size_t,            \
                                    const void *, uint32_t, const cl_event *, cl_event *))         \
    X(int32_t, EnqueueReadBuffer, (cl_command_queue, cl_mem, uint32_t, size_t, size_t, void *,     \
                                   uint32_t, const cl_event *, cl_event *))                        \
    X(void *, EnqueueMapBuffer, (cl_command_queue, cl_mem, uint32_t, uint64_t, size_t, size_t,     \
                                 uint32_t, const cl_event *, cl_event *, int32_t *))               \
    X(int32_t, EnqueueUnmapMemObject, (cl_command_queue, cl_mem, void *, uint32_t,                 \
                                       const cl_event *, cl_event *))                              \
    X(int32_t, EnqueueMigrateMemObjects, (cl_command_queue, uint32_t, const cl_mem *, uint64_t,    \
                                          uint32_t, const cl_event *, cl_event *))                 \
    X(int32_t, EnqueueBarrierWithWaitList, (cl_command_queue, uint32_t, const cl_event *,          \
                                            cl_event *))                                           \
    X(int32_t, GetEventInfo, (cl_event, uint32_t, size_t, void *, size_t *))                       \
    X(int32_t, GetEventProfilingInfo, (cl_event, uint32_t, size_t, void *, size_t *))              \
    X(int32_t, RetainEvent, (cl_event))                                                            \
    X(int32_t, ReleaseEvent, (cl_event))
/* clang-format on */

#define CL_MEMBER(result, name, arguments) result(*name) arguments;
struct cl {
    void *library;
    CL_FUNCTIONS(CL_MEMBER)
};
#undef CL_MEMBER

#endif
