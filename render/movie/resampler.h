/* Resampler: makes the frames of a movie on a backend's device, or else on the processor. One
 * frame may be in flight while the next one is begun. One thread at a time. */
#ifndef FATHOM_RENDER_MOVIE_RESAMPLER_H
#define FATHOM_RENDER_MOVIE_RESAMPLER_H

#include "render/movie/resample.h"

#define RESAMPLER_SLOTS 2 /* maximum number of frames in flight */

struct backend;
struct device_resampler; /* the backend's */

/* Resampling on a device, which a backend may offer. Light is uploaded once for each set, ring and
 * level. Calls come from one thread, which need not be that of the device's other handles. After a
 * failure, which is logged, only destroy is left. */
struct backend_resampler {
    /* Waits for the device's start. The handle `impl` must outlive the resampler, and draw nothing
     * meanwhile. Returns NULL on failure; the reason is logged. */
    struct device_resampler *(*create)(void *impl, const struct resample_format *format);
    /* Queues a frame after resample_begin, in a slot that is free. `light`: without the format's
     * curve. The frame's memory may be reused at once. */
    bool (*begin)(struct device_resampler *resampler, int slot, const struct resample *frame,
                  bool light);
    /* Waits for the frame in a slot. Returns its values, valid until the slot is used again; NULL
     * on failure. */
    const void *(*take)(struct device_resampler *resampler, int slot);
    void (*destroy)(struct device_resampler *resampler); /* NULL is allowed */
};

/* Creates a resampler for frames with 8 bits, or 16 if `deep`, on the processor. Returns NULL
 * without memory; the reason is logged. */
struct resampler *resampler_create(int width_px, int height_px, bool deep);
void resampler_destroy(struct resampler *resampler); /* NULL is allowed */
/* Returns true until the first call of resampler_use. */
bool resampler_wants_device(const struct resampler *resampler);
/* Takes over a handle (NULL is allowed), whose device resamples if it can. No frame is in
 * flight. */
void resampler_use(struct resampler *resampler, struct backend *backend);
/* Returns the number of a new set of rings (struct resample). */
uint64_t resampler_new_set(struct resampler *resampler);

/* Begins a frame, which is copied except for the light of its rings: this must not change before
 * the frame is taken. Returns false without memory; the reason is logged. */
bool resampler_begin(struct resampler *resampler, const struct resample *frame);
/* Stores the light of a frame: R, G, B of each pixel. Returns false as resampler_begin does. */
bool resampler_light(struct resampler *resampler, const struct resample *frame, uint16_t *light);
/* Adds a frame of this light to the frames in flight. */
void resampler_put(struct resampler *resampler, const uint16_t *light);
/* Returns the number of frames that were begun or put, but not taken. */
int resampler_in_flight(const struct resampler *resampler);
/* Returns the pixels of the oldest frame in flight, which is now complete: R, G, B of each pixel in
 * sRGB, rows from the top down, valid until the next call. Returns NULL without memory; the reason
 * is logged. */
const void *resampler_take(struct resampler *resampler);
/* Returns the time that the calls above have taken [ms]. */
double resampler_ms(const struct resampler *resampler);

#endif
