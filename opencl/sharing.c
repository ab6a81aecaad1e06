/* Lends OpenGL's buffers to kernels. No driver is believed that it can: a buffer is tried first. */
#include "opencl/sharing.h"
#include "gpu/gl/gl_buffers.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATIENCE_MS 1000.0
#define LOOK_NS     25000

/* OpenGL's names, numbers and functions, as far as they are used. */
#define PIXEL_UNPACK_BUFFER 0x88ec
#define DYNAMIC_DRAW        0x88e8
#define BUFFER_SIZE         0x8764
#define GL_FUNCTIONS(X)                                                                            \
    X(void, Finish, (void))                                                                        \
    X(void, GenBuffers, (int, uint32_t *))                                                         \
    X(void, DeleteBuffers, (int, const uint32_t *))                                                \
    X(void, BindBuffer, (uint32_t, uint32_t))                                                      \
    X(void, BufferData, (uint32_t, ptrdiff_t, const void *, uint32_t))                             \
    X(void, GetBufferSubData, (uint32_t, ptrdiff_t, ptrdiff_t, void *))                            \
    X(void, GetBufferParameteriv, (uint32_t, uint32_t, int32_t *))

/* The extension's, likewise. */
#define SHARING_FUNCTIONS(X)                                                                       \
    X(cl_mem, CreateFromGLBuffer, (cl_context, uint64_t, uint32_t, int32_t *))                     \
    X(int32_t, EnqueueAcquireGLObjects,                                                            \
      (cl_command_queue, uint32_t, const cl_mem *, uint32_t, const cl_event *, cl_event *))        \
    X(int32_t, EnqueueReleaseGLObjects,                                                            \
      (cl_command_queue, uint32_t, const cl_mem *, uint32_t, const cl_event *, cl_event *))

struct functions {
#define MEMBER(result, name, arguments) result(*name) arguments;
    GL_FUNCTIONS(MEMBER)
    SHARING_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* Of a device that shares: device->gl. */
struct sharing {
    struct device *device;
    struct functions of;
    struct device_queue *queue; /* that takes buffers from OpenGL and gives them back */
    struct device_event *taken, *over;
    struct gl_buffers buffers; /* resources are words of device pointers */
    bool mapped;               /* the first */
    bool stuck;                /* the queue does not get on */
};

cl_context sharing_context(struct opencl *own, const struct gl_context *gl) {
    intptr_t platform = 0;
    int32_t error;
    if (!gl->context || !own->device.shares ||
        own->cl.GetDeviceInfo(own->device.id, CL_DEVICE_PLATFORM, sizeof platform, &platform,
                              NULL) != CL_SUCCESS)
        return NULL;
    const intptr_t properties[] = {CL_GL_CONTEXT_KHR,
                                   (intptr_t)gl->context,
                                   gl->egl ? CL_EGL_DISPLAY_KHR : CL_GLX_DISPLAY_KHR,
                                   (intptr_t)gl->display,
                                   CL_CONTEXT_PLATFORM,
                                   platform,
                                   0};
    return own->cl.CreateContext(properties, 1, &own->device.id, NULL, NULL, &error);
}

static bool load(struct functions *of, const struct gl_context *context, void *library) {
    bool all = true;
#define LOAD_GL(result, name, arguments)                                                           \
    *(void **)&of->name = gl_context_function(context, "gl" #name);                                \
    all = all && of->name;
#define LOAD(result, name, arguments)                                                              \
    *(void **)&of->name = dlsym(library, "cl" #name);                                              \
    all = all && of->name;
    GL_FUNCTIONS(LOAD_GL)
    SHARING_FUNCTIONS(LOAD)
#undef LOAD
#undef LOAD_GL
    return all;
}

static void forget(void *user, void *resource) {
    struct sharing *sharing = user;
    opencl_device.free(sharing->device, (struct device_pointer){(uintptr_t)resource});
}

static struct device_pointer first_of(const struct sharing *sharing) {
    return (struct device_pointer){(uintptr_t)sharing->buffers.known[0].resource};
}

static cl_mem memory_of(struct sharing *sharing) {
    return opencl_memory(sharing->device->own, first_of(sharing), &(size_t){0});
}

static size_t size_of(const struct sharing *sharing, uint32_t buffer) {
    int32_t bytes = 0;
    sharing->of.BindBuffer(PIXEL_UNPACK_BUFFER, buffer);
    sharing->of.GetBufferParameteriv(PIXEL_UNPACK_BUFFER, BUFFER_SIZE, &bytes);
    sharing->of.BindBuffer(PIXEL_UNPACK_BUFFER, 0);
    return bytes > 0 ? (size_t)bytes : 0;
}

static enum device_error use_buffer(struct sharing *sharing, uint32_t buffer, size_t bytes) {
    struct opencl *own = sharing->device->own;
    int32_t error = CL_SUCCESS;
    if (gl_buffers_use(&sharing->buffers, buffer, bytes))
        return DEVICE_OK;
    const size_t has = size_of(sharing, buffer);
    if (has < bytes)
        return (enum device_error)(-CL_INVALID_BUFFER_SIZE);
    const cl_mem memory =
        sharing->of.CreateFromGLBuffer(own->context, CL_MEM_READ_WRITE, buffer, &error);
    const struct device_pointer place =
        memory ? opencl_adopt(own, memory) : (struct device_pointer){0};
    sharing->buffers.known[0] = (struct gl_buffer){(void *)(uintptr_t)place.word, buffer, has};
    return memory && place.word == 0 ? DEVICE_NO_MEMORY : opencl_error(error);
}

/* Nothing comes before what OpenGL has been told to do with the buffer. */
static enum device_error take(struct sharing *sharing) {
    const struct opencl *own = sharing->device->own;
    const cl_mem memory = memory_of(sharing);
    cl_event done = NULL;
    if (!own->device.orders)
        sharing->of.Finish();
    const enum device_error error = opencl_queued(
        sharing->queue,
        sharing->of.EnqueueAcquireGLObjects(sharing->queue->queue, 1, &memory, 0, NULL, &done),
        &done);
    sharing->mapped = error == DEVICE_OK;
    return sharing->mapped ? opencl_device.event_record(sharing->taken, sharing->queue) : error;
}

/* Waits until that queue is empty, but not for ever. */
static enum device_error settle(struct sharing *sharing, struct device_queue *queue) {
    const double start = clock_ms();
    enum device_error error = opencl_device.event_record(sharing->over, queue);
    if (error != DEVICE_OK)
        return error;
    while ((error = opencl_device.event_ready(sharing->over)) == DEVICE_NOT_READY &&
           clock_ms() - start < PATIENCE_MS)
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    sharing->stuck |= error == DEVICE_NOT_READY;
    return error;
}

static enum device_error give_back(struct sharing *sharing) {
    const struct opencl *own = sharing->device->own;
    const cl_mem memory = memory_of(sharing);
    cl_event done = NULL;
    if (!sharing->mapped)
        return DEVICE_OK;
    sharing->mapped = false;
    const enum device_error error = opencl_queued(
        sharing->queue,
        sharing->of.EnqueueReleaseGLObjects(sharing->queue->queue, 1, &memory, 0, NULL, &done),
        &done);
    if (error != DEVICE_OK)
        return error;
    return own->device.orders ? opencl_error(own->cl.Flush(sharing->queue->queue))
                              : settle(sharing, sharing->queue);
}

void sharing_unmap(struct device *device) {
    give_back(device->gl);
}

static enum device_error map(struct sharing *sharing, uint32_t buffer, size_t bytes,
                             struct device_pointer *rgba) {
    enum device_error error = use_buffer(sharing, buffer, bytes);
    if (error == DEVICE_OK)
        error = take(sharing);
    *rgba = first_of(sharing);
    return error;
}

bool sharing_map(struct device *device, uint32_t buffer, size_t bytes, struct device_pointer *rgba,
                 struct device_event **mapped) {
    struct sharing *sharing = device->gl;
    const enum device_error error = map(sharing, buffer, bytes, rgba);
    *mapped = sharing->taken;
    if (error == DEVICE_OK)
        return true;
    give_back(sharing);
    gl_buffers_forget(&sharing->buffers, 0);
    log_error("OpenCL cannot draw to an OpenGL buffer of %zu bytes: %s; use another --backend",
              bytes, opencl_device.error_text(error));
    return false;
}

/* --- trying --- */

#define TRIED_BYTES 65536

/* Has a queue of its own write into the buffer, as pictures are. */
static enum device_error fill_buffer(struct sharing *sharing, struct device_queue *queue,
                                     uint32_t buffer, int byte) {
    struct device_pointer rgba;
    enum device_error error = map(sharing, buffer, TRIED_BYTES, &rgba);
    if (error == DEVICE_OK)
        error = opencl_device.queue_wait(queue, sharing->taken);
    if (error == DEVICE_OK)
        error = opencl_device.fill(queue, rgba, byte, TRIED_BYTES);
    if (error == DEVICE_OK)
        error = settle(sharing, queue);
    const enum device_error given = give_back(sharing);
    return error == DEVICE_OK ? given : error;
}

/* Whether OpenGL sees what was written, and again after it had the buffer. */
static bool try_buffer(struct sharing *sharing, struct device_queue *queue, uint32_t buffer) {
    static const int bytes[] = {0x5a, 0xc3};
    unsigned char *seen = calloc(2, TRIED_BYTES), *want = seen ? seen + TRIED_BYTES : NULL;
    bool right = seen;
    for (int i = 0; i < 2 && right; i++) {
        right = fill_buffer(sharing, queue, buffer, bytes[i]) == DEVICE_OK;
        memset(want, bytes[i], TRIED_BYTES);
        sharing->of.BindBuffer(PIXEL_UNPACK_BUFFER, buffer);
        if (right)
            sharing->of.GetBufferSubData(PIXEL_UNPACK_BUFFER, 0, TRIED_BYTES, seen);
        sharing->of.BindBuffer(PIXEL_UNPACK_BUFFER, 0);
        right = right && memcmp(seen, want, TRIED_BYTES) == 0;
    }
    free(seen);
    return right;
}

static bool works(struct sharing *sharing) {
    uint32_t buffer = 0;
    struct device_queue *queue;
    if (opencl_device.queue_create(sharing->device, &queue) != DEVICE_OK)
        return false;
    sharing->of.GenBuffers(1, &buffer);
    sharing->of.BindBuffer(PIXEL_UNPACK_BUFFER, buffer);
    sharing->of.BufferData(PIXEL_UNPACK_BUFFER, TRIED_BYTES, NULL, DYNAMIC_DRAW);
    sharing->of.BindBuffer(PIXEL_UNPACK_BUFFER, 0);
    const bool right = try_buffer(sharing, queue, buffer);
    if (sharing->stuck)
        return false; /* and all of it stays where it is */
    gl_buffers_forget(&sharing->buffers, 0);
    sharing->of.DeleteBuffers(1, &buffer);
    opencl_device.queue_destroy(queue);
    return right;
}

static bool make(struct sharing *sharing) {
    struct device *device = sharing->device;
    const struct opencl *own = device->own;
    return load(&sharing->of, &device->opengl, own->cl.library) &&
           opencl_device.queue_create(device, &sharing->queue) == DEVICE_OK &&
           opencl_device.event_create(device, DEVICE_EVENT_SLEEP, &sharing->over) == DEVICE_OK &&
           opencl_device.event_create(device, DEVICE_EVENT_ORDER, &sharing->taken) == DEVICE_OK;
}

bool sharing_open(struct device *device) {
    struct opencl *own = device->own;
    const enum opencl_sharing known = atomic_load(&own->sharing);
    struct sharing *sharing = device->gl = known != SHARES_NONE ? calloc(1, sizeof *sharing) : NULL;
    if (!sharing)
        return false;
    sharing->device = device;
    sharing->buffers.forget = forget;
    sharing->buffers.user = sharing;
    const bool ok = make(sharing) && (known == SHARES || works(sharing));
    if (known == SHARES_MAYBE)
        log_info(ok ? "OpenCL draws into OpenGL's buffers"
                    : "OpenCL lists that it shares OpenGL's buffers, but it does not");
    atomic_store(&own->sharing, ok ? SHARES : SHARES_NONE);
    if (!ok)
        sharing_close(device);
    return ok;
}

void sharing_close(struct device *device) {
    struct sharing *sharing = device->gl;
    device->gl = NULL;
    if (sharing && !sharing->stuck)
        give_back(sharing);
    if (!sharing || sharing->stuck)
        return; /* what it has would be waited for */
    for (int i = 0; i < 2; i++)
        gl_buffers_forget(&sharing->buffers, i);
    opencl_device.event_destroy(sharing->taken);
    opencl_device.event_destroy(sharing->over);
    opencl_device.queue_destroy(sharing->queue);
    free(sharing);
}
