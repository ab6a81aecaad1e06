/* Simulated OpenGL buffers, which the host device maps. */
#include "tests/gpu/host_device.h"
#include <stdlib.h>

#define GL_BUFFERS 4

struct gl_buffer {
    uint32_t *memory;
    size_t bytes;
    unsigned shown;
};

static struct gl_buffer gl_buffers[GL_BUFFERS];

uint32_t host_gl_create(size_t bytes) {
    for (uint32_t i = 0; i < GL_BUFFERS; i++)
        if (!gl_buffers[i].memory) {
            gl_buffers[i] = (struct gl_buffer){calloc(1, bytes), bytes, 0};
            return i + 1;
        }
    abort();
}

const uint32_t *host_gl_contents(uint32_t buffer) {
    return gl_buffers[buffer - 1].memory;
}

unsigned host_gl_shown(uint32_t buffer) {
    return gl_buffers[buffer - 1].shown;
}

void host_gl_destroy(uint32_t buffer) {
    free(gl_buffers[buffer - 1].memory);
    gl_buffers[buffer - 1] = (struct gl_buffer){0};
}

/* Mapped buffer of a device. */
struct mapping {
    uint32_t buffer;
    struct device_pointer rgba;
    struct device_event *event;
};

bool host_gl_open(struct device *device) {
    struct mapping *mapping = device->gl = host_has_gl() ? calloc(1, sizeof *mapping) : NULL;
    if (mapping &&
        device->impl->event_create(device, DEVICE_EVENT_ORDER, &mapping->event) == DEVICE_OK)
        return true;
    free(mapping);
    return false;
}

bool host_gl_map(struct device *device, uint32_t buffer, size_t bytes, struct device_pointer *rgba,
                 struct device_event **mapped) {
    struct mapping *mapping = device->gl;
    if (buffer == 0 || buffer > GL_BUFFERS || gl_buffers[buffer - 1].bytes < bytes ||
        mapping->buffer)
        return false;
    mapping->rgba = host_lend(gl_buffers[buffer - 1].memory, bytes);
    mapping->buffer = buffer;
    *rgba = mapping->rgba;
    *mapped = mapping->event;
    return true;
}

void host_gl_unmap(struct device *device) {
    struct mapping *mapping = device->gl;
    if (!mapping->buffer)
        return;
    gl_buffers[mapping->buffer - 1].shown++;
    mapping->buffer = 0;
    host_take_back(mapping->rgba);
}

void host_gl_close(struct device *device) {
    struct mapping *mapping = device->gl;
    host_gl_unmap(device);
    device->impl->event_destroy(mapping->event);
    free(mapping);
    device->gl = NULL;
}
