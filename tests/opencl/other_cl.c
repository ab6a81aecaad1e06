/* An OpenCL library that passes everything on to another one, whose file REAL_CL names, but for what OTHER_CL says:
 * `doubles` and `denormals` hide that devices have them, with `relaxed` kernels round as they like. With `sharing`
 * OpenGL's buffers are memory of their own, whose contents are copied when they are taken and given back; with `ordered`
 * it says that it waits for OpenGL, too, with `unseen` OpenGL never sees them, with `stuck` it never gets them back, with `refused`
 * there are no contexts for that. How often it got any is said at the end. */
#define _GNU_SOURCE
#include "gpu/gl/gl_context.h"
#include "opencl/cl.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTER(result, name, arguments)                                                           \
    static __attribute__((used)) result(*other_##name) arguments;
CL_FUNCTIONS(POINTER)

/* Jumps, so that nothing need be known of arguments. */
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

/* --- sharing OpenGL's buffers --- */

#define PIXEL_UNPACK_BUFFER 0x88ec
#define BUFFER_SIZE         0x8764
#define SHARED_MOST         64

static struct shared {
    cl_mem memory;
    uint32_t buffer;
    int32_t bytes;
} shared[SHARED_MOST];

static struct {
    void (*BindBuffer)(uint32_t, uint32_t);
    void (*GetBufferParameteriv)(uint32_t, uint32_t, int32_t *);
    void (*GetBufferSubData)(uint32_t, ptrdiff_t, ptrdiff_t, void *);
    void (*BufferSubData)(uint32_t, ptrdiff_t, ptrdiff_t, const void *);
} gl;

static cl_context (*real_context)(const intptr_t *, uint32_t, const cl_device_id *,
                                  void (*)(const char *, const void *, size_t, void *), void *,
                                  int32_t *);

static cl_event (*real_event)(cl_context, int32_t *); /* one that its user ends */
static cl_context used_context;

static int shares(void) {
    return is("sharing") || is("ordered") || is("unseen") || is("stuck") || is("refused");
}

/* Only the thread that OpenGL's context is current in may come here. */
static void use_gl(void) {
    const struct gl_context context = gl_context_current();
    if (!context.context)
        abort();
#define FIND(name) *(void **)&gl.name = gl_context_function(&context, "gl" #name);
    FIND(BindBuffer)
    FIND(GetBufferParameteriv)
    FIND(GetBufferSubData)
    FIND(BufferSubData)
}

/* Also when it is given numbers that mean nothing to the other library. */
static cl_context own_context(const intptr_t *properties, uint32_t count, const cl_device_id *ids,
                              void (*notify)(const char *, const void *, size_t, void *),
                              void *user, int32_t *error) {
    const int for_gl = properties && properties[0] == CL_GL_CONTEXT_KHR && shares();
    if (for_gl && (properties[1] == 0 || properties[3] == 0 || properties[5] == 0))
        abort();
    if (for_gl && is("refused")) {
        *error = -1000;
        return NULL;
    }
    return real_context(for_gl ? NULL : properties, count, ids, notify, user, error);
}

__attribute__((visibility("default"))) cl_mem
clCreateFromGLBuffer(cl_context context, uint64_t flags, uint32_t buffer, int32_t *error);
__attribute__((visibility("default"))) int32_t
clEnqueueAcquireGLObjects(cl_command_queue queue, uint32_t count, const cl_mem *memory,
                          uint32_t events, const cl_event *event, cl_event *done);
__attribute__((visibility("default"))) int32_t
clEnqueueReleaseGLObjects(cl_command_queue queue, uint32_t count, const cl_mem *memory,
                          uint32_t events, const cl_event *event, cl_event *done);

cl_mem clCreateFromGLBuffer(cl_context context, uint64_t flags, uint32_t buffer, int32_t *error) {
    static int next;
    struct shared *one = &shared[next++ % SHARED_MOST];
    used_context = context;
    use_gl();
    *one = (struct shared){.buffer = buffer};
    gl.BindBuffer(PIXEL_UNPACK_BUFFER, buffer);
    gl.GetBufferParameteriv(PIXEL_UNPACK_BUFFER, BUFFER_SIZE, &one->bytes);
    gl.BindBuffer(PIXEL_UNPACK_BUFFER, 0);
    const cl_mem memory = other_CreateBuffer(context, flags, (size_t)one->bytes, NULL, error);
    for (int i = 0; i < SHARED_MOST; i++)
        if (shared[i].memory == memory)
            shared[i].memory = NULL; /* it has been released */
    return one->memory = memory;
}

/* Copies one way or the other. */
static int32_t copy(cl_command_queue queue, const cl_mem *memory, int to_gl) {
    const struct shared *one = shared;
    while (one->memory != *memory)
        one++;
    char *bytes = malloc((size_t)one->bytes);
    int32_t error = CL_OUT_OF_HOST_MEMORY;
    use_gl();
    gl.BindBuffer(PIXEL_UNPACK_BUFFER, one->buffer);
    if (bytes && to_gl) {
        error = other_EnqueueReadBuffer(queue, one->memory, 1, 0, (size_t)one->bytes, bytes, 0,
                                        NULL, NULL);
        if (!is("unseen"))
            gl.BufferSubData(PIXEL_UNPACK_BUFFER, 0, one->bytes, bytes);
    } else if (bytes) {
        gl.GetBufferSubData(PIXEL_UNPACK_BUFFER, 0, one->bytes, bytes);
        error = other_EnqueueWriteBuffer(queue, one->memory, 1, 0, (size_t)one->bytes, bytes, 0,
                                         NULL, NULL);
    }
    gl.BindBuffer(PIXEL_UNPACK_BUFFER, 0);
    free(bytes);
    return error;
}

int32_t clEnqueueAcquireGLObjects(cl_command_queue queue, uint32_t count, const cl_mem *memory,
                                  uint32_t events, const cl_event *event, cl_event *done) {
    const int32_t error = count == 1 ? copy(queue, memory, 0) : CL_INVALID_BUFFER_SIZE;
    return error == CL_SUCCESS ? other_EnqueueBarrierWithWaitList(queue, events, event, done)
                               : error;
}

static int given_back;

static __attribute__((destructor)) void tell(void) {
    if (shares())
        fprintf(stderr, "OpenGL got its buffers back %d times\n", given_back);
}

int32_t clEnqueueReleaseGLObjects(cl_command_queue queue, uint32_t count, const cl_mem *memory,
                                  uint32_t events, const cl_event *event, cl_event *done) {
    if (is("stuck")) {
        static cl_event never;
        never = never ? never : real_event(used_context, NULL);
        return other_EnqueueBarrierWithWaitList(queue, 1, &never, done);
    }
    given_back++;
    const int32_t error = count == 1 ? copy(queue, memory, 1) : CL_INVALID_BUFFER_SIZE;
    return error == CL_SUCCESS ? other_EnqueueBarrierWithWaitList(queue, events, event, done)
                               : error;
}

/* --- what devices say, and how kernels are built --- */

static int32_t own_info(cl_device_id device, uint32_t what, size_t size, void *value, size_t *got) {
    const int32_t error = real_info(device, what, size, value, got);
    const int doubles = what == CL_DEVICE_DOUBLE_FP_CONFIG;
    if (error == CL_SUCCESS && doubles && is("doubles"))
        memset(value, 0, size);
    if (error == CL_SUCCESS && (doubles || what == CL_DEVICE_SINGLE_FP_CONFIG) && is("denormals"))
        *(uint64_t *)value &= ~(uint64_t)CL_FP_DENORM;
    if (error == CL_SUCCESS && what == CL_DEVICE_EXTENSIONS && value && shares())
        strncat(value, is("ordered") ? " cl_khr_gl_sharing cl_khr_gl_event" : " cl_khr_gl_sharing",
                size - strlen(value) - 1);
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
    real_context = other_CreateContext;
    *(void **)&real_event = dlsym(library, "clCreateUserEvent");
    other_GetDeviceInfo = own_info;
    other_BuildProgram = own_build;
    other_CreateContext = own_context;
}
