/* Device resampler: keeps the light of rings in device memory, and queues a frame: the places of
 * its rings, a launch, and the copy of its values. All work is in one queue, so memory may be
 * filled again while earlier work that reads it is in flight. */
#include "gpu/movie/device_resampler.h"
#include "gpu/device_memory.h"
#include "gpu/launch/launch.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/require.h"
#include "render/light/light.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LEVELS_MOST 160    /* levels in device memory; a frame shows about 30 rings */
#define LIGHT_BYTES 6      /* of a pixel with 16 bits */
#define RETRY_NS    500000 /* [ns] interval between two tries of a launch */

/* Level of a ring in device memory. */
struct held_level {
    uint64_t set;
    int k, m;
    size_t bytes;
    struct device_pointer light;
    uint64_t frame; /* number of the last frame that shows it */
};

/* Frame in flight. */
struct flight {
    void *values;                  /* pinned */
    struct resample_place *places; /* pinned; the words of the frame follow */
    size_t bytes;                  /* of `places` and the words */
    struct device_event *done;
};

struct device_resampler {
    struct slices *slices;
    const struct device_impl *impl;
    struct device *device;
    size_t pixels;
    bool deep;
    struct device_pointer curve, values, places;
    size_t places_bytes;
    struct flight flights[RESAMPLER_SLOTS];
    struct held_level levels[LEVELS_MOST];
    int levels_count;
    uint64_t frames;
    enum device_error error; /* the first */
};

/* Returns true if no error has occurred so far. */
static bool ok(struct device_resampler *resampler, enum device_error error) {
    if (resampler->error == DEVICE_OK)
        resampler->error = error;
    return resampler->error == DEVICE_OK;
}

/* Returns true if no error has occurred, and logs the first one otherwise. */
static bool succeeded(struct device_resampler *resampler) {
    if (resampler->error == DEVICE_OK)
        return true;
    /* An interrupt may itself cause the failure. */
    log_message(interrupt_requested() ? LOG_INFO : LOG_WARN,
                "the GPU cannot resample frames (%s); the processor does",
                resampler->impl->error_text(resampler->error));
    return false;
}

static void allocate(struct device_resampler *resampler, struct device_pointer *memory,
                     size_t bytes) {
    device_memory_allocate(resampler->device, memory, bytes, &resampler->error);
}

struct device_resampler *device_resampler_create(struct slices *slices,
                                                 const struct resample_format *format) {
    struct device_resampler *resampler = calloc(1, sizeof *resampler);
    const size_t curve_bytes = (LIGHT_MAX + 1) * sizeof *format->curve;
    if (!resampler || slices->device->floats) {
        log_info("the processor resamples frames: %s has no doubles, or memory is short",
                 slices->device->name);
        free(resampler);
        return NULL;
    }
    const struct device_impl *impl = resampler->impl = slices->impl;
    resampler->slices = slices;
    resampler->device = slices->device;
    resampler->deep = format->deep;
    resampler->pixels = (size_t)format->width_px * (size_t)format->height_px;
    allocate(resampler, &resampler->curve, curve_bytes);
    allocate(resampler, &resampler->values, resampler->pixels * LIGHT_BYTES);
    for (int i = 0; i < RESAMPLER_SLOTS && ok(resampler, DEVICE_OK); i++) {
        struct flight *flight = &resampler->flights[i];
        if (ok(resampler, impl->alloc_host(resampler->device, resampler->pixels * LIGHT_BYTES,
                                           &flight->values)))
            ok(resampler, impl->event_create(resampler->device, DEVICE_EVENT_SLEEP, &flight->done));
    }
    if (ok(resampler, DEVICE_OK))
        ok(resampler, impl->upload(slices->queue, resampler->curve, format->curve, curve_bytes));
    if (!succeeded(resampler)) {
        device_resampler_destroy(resampler);
        return NULL;
    }
    log_info("%s resamples frames", resampler->device->name);
    return resampler;
}

void device_resampler_destroy(struct device_resampler *resampler) {
    if (!resampler)
        return;
    const struct device_impl *impl = resampler->impl;
    struct device *device = resampler->device;
    impl->attach(device);
    impl->queue_drain(resampler->slices->queue);
    for (int i = 0; i < resampler->levels_count; i++)
        impl->free(device, resampler->levels[i].light);
    for (int i = 0; i < RESAMPLER_SLOTS; i++) {
        impl->free_host(device, resampler->flights[i].values);
        impl->free_host(device, resampler->flights[i].places);
        impl->event_destroy(resampler->flights[i].done);
    }
    impl->free(device, resampler->curve);
    impl->free(device, resampler->values);
    impl->free(device, resampler->places);
    free(resampler);
}

/* --- levels --- */

static struct held_level *find(struct device_resampler *resampler, uint64_t set,
                               const struct resample_ring *ring) {
    for (int i = 0; i < resampler->levels_count; i++) {
        struct held_level *level = &resampler->levels[i];
        if (level->set == set && level->k == ring->k && level->m == ring->m)
            return level;
    }
    return NULL;
}

/* Returns the smallest memory of at least `bytes` bytes whose level the current frame does not
 * show, or NULL. */
static struct held_level *find_spare(struct device_resampler *resampler, size_t bytes) {
    struct held_level *best = NULL;
    for (int i = 0; i < resampler->levels_count; i++) {
        struct held_level *level = &resampler->levels[i];
        if (level->frame < resampler->frames && level->bytes >= bytes &&
            (!best || level->bytes < best->bytes))
            best = level;
    }
    return best;
}

/* Frees all memory whose level the current frame does not show. */
static void free_spares(struct device_resampler *resampler) {
    int left = 0;
    for (int i = 0; i < resampler->levels_count; i++)
        if (resampler->levels[i].frame < resampler->frames)
            resampler->impl->free(resampler->device, resampler->levels[i].light);
        else
            resampler->levels[left++] = resampler->levels[i];
    resampler->levels_count = left;
}

/* Returns memory for a level; NULL on failure. */
static struct held_level *make_room(struct device_resampler *resampler, size_t bytes) {
    struct held_level *level = find_spare(resampler, bytes);
    if (level && level->bytes / 2 <= bytes)
        return level;
    if (resampler->levels_count == LEVELS_MOST)
        free_spares(resampler);
    if (resampler->levels_count == LEVELS_MOST) {
        ok(resampler, DEVICE_NO_MEMORY);
        return NULL;
    }
    struct device_pointer light = {0};
    enum device_error error = resampler->impl->alloc(resampler->device, bytes, &light);
    if (error == DEVICE_NO_MEMORY) {
        free_spares(resampler);
        error = resampler->impl->alloc(resampler->device, bytes, &light);
    }
    if (!ok(resampler, error))
        return NULL;
    level = &resampler->levels[resampler->levels_count++];
    *level = (struct held_level){.bytes = bytes, .light = light};
    return level;
}

/* Returns the light of a ring, which is uploaded if it is not there. */
static struct device_pointer hold(struct device_resampler *resampler, uint64_t set,
                                  const struct resample_ring *ring) {
    struct held_level *level = find(resampler, set, ring);
    const size_t bytes = 3 * sizeof *ring->level->light * ring_level_size(ring->level);
    if (!level && bytes > 0 && (level = make_room(resampler, bytes))) {
        level->set = set;
        level->k = ring->k;
        level->m = ring->m;
        ok(resampler, resampler->impl->upload(resampler->slices->queue, level->light,
                                              ring->level->light, bytes));
    }
    if (level)
        level->frame = resampler->frames;
    return level ? level->light : (struct device_pointer){0};
}

/* --- a frame --- */

/* Returns the pixels that a rotated ring may touch: the rectangle around its corners. */
static struct cells turned_pixels(const struct resample *frame, const struct resample_turn *turn,
                                  const struct cells *level) {
    double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
    for (int corner = 0; corner < 4; corner++) {
        double px, py;
        resample_turn_cell(turn, corner & 1 ? level->x1 : level->x0 - 1,
                           corner & 2 ? level->y1 : level->y0 - 1, &px, &py);
        x0 = fmin(x0, px);
        x1 = fmax(x1, px);
        y0 = fmin(y0, py);
        y1 = fmax(y1, py);
    }
    return (struct cells){(int)fmax(x0 - 1, 0), (int)fmax(y0 - 1, 0),
                          (int)fmax(fmin(x1 + 2, frame->width_px), 0),
                          (int)fmax(fmin(y1 + 2, frame->height_px), 0)};
}

static struct resample_span span_of(const struct resample_direction *direction) {
    return (struct resample_span){direction->begin, direction->most, direction->taps,
                                  direction->weights};
}

static struct resample_place place_of(const struct resample *frame, int i) {
    const struct resample_ring *ring = &frame->rings[i];
    const struct resample_direction *across = &frame->taps[i].across, *down = &frame->taps[i].down;
    struct resample_place place = {.level = ring->level->outer,
                                   .level_hole = ring->level->hole,
                                   .outer = ring->outer,
                                   .hole = ring->hole,
                                   .m = ring->m,
                                   .turned = ring->angle != 0};
    if (place.turned) {
        place.turn = resample_turn(frame, ring);
        place.pixels = turned_pixels(frame, &place.turn, &place.level);
    } else {
        place.across = span_of(across);
        place.down = span_of(down);
        place.pixels = (struct cells){across->begin, down->begin, across->end, down->end};
    }
    return place;
}

/* Uploads the places of the rings and the words. */
static void send_places(struct device_resampler *resampler, struct flight *flight,
                        const struct resample *frame) {
    const struct device_impl *impl = resampler->impl;
    const size_t words_bytes = frame->size * sizeof *frame->words;
    const size_t rings = (size_t)frame->ring_count;
    const size_t bytes = rings * sizeof *flight->places + words_bytes;
    if (bytes > flight->bytes && ok(resampler, DEVICE_OK)) {
        impl->free_host(resampler->device, flight->places);
        flight->places = NULL;
        flight->bytes = 2 * bytes;
        ok(resampler, impl->alloc_host(resampler->device, flight->bytes, (void **)&flight->places));
    }
    if (bytes > resampler->places_bytes) {
        resampler->places_bytes = 2 * bytes;
        allocate(resampler, &resampler->places, resampler->places_bytes);
    }
    if (!ok(resampler, DEVICE_OK))
        return;
    for (size_t i = 0; i < rings; i++)
        flight->places[i] = place_of(frame, (int)i);
    memcpy(flight->places + rings, frame->words, words_bytes);
    ok(resampler, impl->upload(resampler->slices->queue, resampler->places, flight->places, bytes));
}

/* Launches until the program is made. */
static void launch(struct device_resampler *resampler, const struct resample_args *args) {
    enum device_error error;
    while ((error = launch_resample(resampler->slices, args)) == DEVICE_NOT_READY)
        nanosleep(&(struct timespec){.tv_nsec = RETRY_NS}, NULL);
    ok(resampler, error);
}

bool device_resampler_begin(struct device_resampler *resampler, int slot,
                            const struct resample *frame, bool light) {
    const struct device_impl *impl = resampler->impl;
    struct flight *flight = &resampler->flights[slot];
    struct device_queue *queue = resampler->slices->queue;
    const bool deep = light || resampler->deep;
    const size_t bytes = resampler->pixels * (deep ? LIGHT_BYTES : 3);
    struct resample_args args = {.task = {.width = (uint32_t)frame->width_px,
                                          .rings = (uint32_t)frame->ring_count,
                                          .deep = deep,
                                          .light = light},
                                 .curve = resampler->curve,
                                 .values = resampler->values};
    require(frame->ring_count <= RESAMPLE_RINGS, false);
    impl->attach(resampler->device);
    resampler->frames++;
    for (int i = 0; i < frame->ring_count; i++) {
        struct held_level *level = find(resampler, frame->set, &frame->rings[i]);
        if (level)
            level->frame = resampler->frames;
    }
    for (int i = 0; ok(resampler, DEVICE_OK) && i < frame->ring_count; i++)
        args.lights.ring[i] = hold(resampler, frame->set, &frame->rings[i]);
    send_places(resampler, flight, frame);
    args.places = resampler->places;
    while (ok(resampler, DEVICE_OK) &&
           pixels_next(resampler->pixels, &args.task.begin, &args.task.size))
        launch(resampler, &args);
    if (ok(resampler, DEVICE_OK))
        ok(resampler, impl->download(queue, flight->values, resampler->values, bytes));
    if (ok(resampler, DEVICE_OK))
        ok(resampler, impl->event_record(flight->done, queue));
    return succeeded(resampler);
}

const void *device_resampler_take(struct device_resampler *resampler, int slot) {
    const struct flight *flight = &resampler->flights[slot];
    resampler->impl->attach(resampler->device);
    ok(resampler, resampler->impl->event_sleep(flight->done));
    return succeeded(resampler) ? flight->values : NULL;
}
