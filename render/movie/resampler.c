/* Resampler: passes frames to the device, and makes frames on the processor if there is none or if
 * it fails. */
#include "render/movie/resampler.h"
#include "render/backend.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/light/light.h"
#include "render/parallel.h"
#include <stdlib.h>
#include <string.h>

#define BAND_ROWS 8 /* rows that a thread converts at a time */

/* Frame in flight. */
struct slot {
    struct resample frame;
    struct resample_ring *rings;
    bool on_device;
    bool ready;   /* `pixels` are complete */
    void *pixels; /* by the processor */
};

struct resampler {
    struct backend *backend;
    const struct backend_resampler *table; /* NULL: none */
    struct device_resampler *device;       /* NULL: the processor resamples */
    bool used;                             /* resampler_use was called */
    struct resample_format format;
    uint16_t *curve;
    struct slot slots[RESAMPLER_SLOTS];
    unsigned begun, taken; /* numbers of frames */
    uint64_t sets;
    double ms;
};

struct resampler *resampler_create(int width_px, int height_px, bool deep) {
    const uint64_t values = 3 * (uint64_t)width_px * (uint64_t)height_px;
    struct resampler *resampler = calloc(1, sizeof *resampler);
    if (!resampler) {
        log_error("not enough memory for a movie");
        return NULL;
    }
    resampler->curve = memory_alloc((LIGHT_MAX + 1) * sizeof *resampler->curve, "a movie");
    if (resampler->curve)
        light_fill_curve(resampler->curve, deep ? 65535 : 255);
    resampler->format = (struct resample_format){width_px, height_px, deep, resampler->curve};
    bool ok = resampler->curve;
    for (int i = 0; ok && i < RESAMPLER_SLOTS; i++)
        ok = (resampler->slots[i].pixels = memory_alloc((deep ? 2 : 1) * values, "a frame"));
    if (ok)
        return resampler;
    resampler_destroy(resampler);
    return NULL;
}

bool resampler_wants_device(const struct resampler *resampler) {
    return !resampler->used;
}

void resampler_use(struct resampler *resampler, struct backend *backend) {
    void *impl = NULL;
    resampler->used = true;
    resampler->backend = backend;
    resampler->table = backend ? backend_resampler(backend, &impl) : NULL;
    if (resampler->table)
        resampler->device = resampler->table->create(impl, &resampler->format);
}

/* Gives the device up. */
static void drop_device(struct resampler *resampler) {
    if (resampler->device)
        resampler->table->destroy(resampler->device);
    resampler->device = NULL;
}

void resampler_destroy(struct resampler *resampler) {
    if (!resampler)
        return;
    drop_device(resampler);
    backend_close(resampler->backend);
    for (int i = 0; i < RESAMPLER_SLOTS; i++) {
        resample_end(&resampler->slots[i].frame);
        free(resampler->slots[i].rings);
        free(resampler->slots[i].pixels);
    }
    free(resampler->curve);
    free(resampler);
}

uint64_t resampler_new_set(struct resampler *resampler) {
    return ++resampler->sets;
}

/* Starts a frame in the slot for the next one. */
static bool start(struct resampler *resampler, const struct resample *frame, bool light) {
    const int number = (int)(resampler->begun % RESAMPLER_SLOTS);
    struct slot *slot = &resampler->slots[number];
    const size_t bytes = ((size_t)frame->ring_count + 1) * sizeof *slot->rings;
    resample_end(&slot->frame);
    free(slot->rings);
    slot->ready = slot->on_device = false;
    slot->frame = *frame;
    slot->frame.taps = NULL;
    slot->frame.words = NULL;
    slot->frame.rings = slot->rings = memory_alloc(bytes, "a frame");
    if (!slot->rings)
        return false;
    memcpy(slot->rings, frame->rings, (size_t)frame->ring_count * sizeof *slot->rings);
    if (!resample_begin(&slot->frame))
        return false;
    slot->on_device = resampler->device &&
                      resampler->table->begin(resampler->device, number, &slot->frame, light);
    if (!slot->on_device)
        drop_device(resampler);
    return true;
}

/* Completes the frame of a slot. Returns its values, in `memory` if the processor makes them. */
static const void *finish(struct resampler *resampler, int number,
                          const struct resample_format *format, void *memory) {
    const struct slot *slot = &resampler->slots[number];
    const void *values = slot->on_device && resampler->device
                             ? resampler->table->take(resampler->device, number)
                             : NULL;
    if (values)
        return values;
    drop_device(resampler);
    return resample_frame(&slot->frame, format, memory) ? memory : NULL;
}

bool resampler_begin(struct resampler *resampler, const struct resample *frame) {
    const double since = clock_ms();
    const bool ok = start(resampler, frame, false);
    resampler->begun += ok;
    resampler->ms += clock_ms() - since;
    return ok;
}

bool resampler_light(struct resampler *resampler, const struct resample *frame, uint16_t *light) {
    const double since = clock_ms();
    struct resample_format format = resampler->format;
    const size_t values = 3 * (size_t)format.width_px * (size_t)format.height_px;
    format.deep = true;
    format.curve = NULL;
    const void *made =
        start(resampler, frame, true)
            ? finish(resampler, (int)(resampler->begun % RESAMPLER_SLOTS), &format, light)
            : NULL;
    if (made && made != light)
        memcpy(light, made, values * sizeof *light);
    resampler->ms += clock_ms() - since;
    return made;
}

/* Light of a frame that several threads convert. */
struct conversion {
    const struct resample_format *format;
    const uint16_t *light;
    void *pixels;
};

static void convert_rows(void *user, uint32_t begin, uint32_t end) {
    const struct conversion *conversion = user;
    const struct resample_format *format = conversion->format;
    const size_t width = 3 * (size_t)format->width_px, first = begin * width;
    resample_convert(format, conversion->light + first, (end - begin) * width,
                     (char *)conversion->pixels + (format->deep ? 2 : 1) * first);
}

void resampler_put(struct resampler *resampler, const uint16_t *light) {
    const double since = clock_ms();
    struct slot *slot = &resampler->slots[resampler->begun++ % RESAMPLER_SLOTS];
    struct conversion conversion = {&resampler->format, light, slot->pixels};
    parallel_for((uint32_t)resampler->format.height_px, BAND_ROWS, convert_rows, &conversion);
    slot->ready = true;
    resampler->ms += clock_ms() - since;
}

int resampler_in_flight(const struct resampler *resampler) {
    return (int)(resampler->begun - resampler->taken);
}

const void *resampler_take(struct resampler *resampler) {
    const double since = clock_ms();
    const int number = (int)(resampler->taken++ % RESAMPLER_SLOTS);
    const struct slot *slot = &resampler->slots[number];
    const void *pixels =
        slot->ready ? slot->pixels : finish(resampler, number, &resampler->format, slot->pixels);
    resampler->ms += clock_ms() - since;
    return pixels;
}

double resampler_ms(const struct resampler *resampler) {
    return resampler->ms;
}
