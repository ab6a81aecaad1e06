/* Measures the resampling of movie frames: N frames in a row, 60 frames an octave, on the processor
 * and on a device, whose frames are copied to the host. Rings have random light.
 * usage: measure_resample BACKEND WIDTH HEIGHT SAMPLES FRAMES [TURN]   (TURN: radians an octave) */
#include "tests/movie/lights.h"
#include "tests/shared/each_backend.h"
#include <math.h>

#define FRAMES_OCTAVE 60
#define OCTAVES       10

static int compare(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* Prints times of a frame, and the processor time of all threads. If `waits`, each frame is
 * complete before the next one begins. */
static bool measure(const char *name, struct lights *lights, struct backend *handle, int frames,
                    bool waits) {
    const struct rings *rings = &lights->rings;
    struct resampler *resampler = resampler_create(rings->width_px, rings->height_px, false);
    double *ms = malloc((size_t)frames * sizeof *ms), sum = 0, longest = 0;
    double worked = 0;
    struct resample frame;
    if (!resampler || !ms)
        return false;
    resampler_use(resampler, handle);
    for (int i = 0; i < frames; i++) {
        lights_frame(lights, lights->leg.from + (double)i / FRAMES_OCTAVE, &frame);
        const double start = clock_ms(), before = worked_ms();
        const bool ok =
            resampler_begin(resampler, &frame) && ((i == 0 && !waits) || resampler_take(resampler));
        if (!ok)
            return false;
        ms[i] = clock_ms() - start;
        worked += i > 0 ? worked_ms() - before : 0; /* programs are made for the first frame */
        sum += ms[i];
        longest = fmax(longest, i > 0 ? ms[i] : 0);
    }
    sum -= ms[0];
    qsort(ms + 1, (size_t)frames - 1, sizeof *ms, compare);
    printf("%s, %s: median %.2f ms, mean %.2f ms, longest %.2f ms, processor time %.2f ms; %d "
           "rings in sight\n",
           name, waits ? "one by one" : "one in flight", ms[1 + (frames - 1) / 2],
           sum / (frames - 1), longest, worked / (frames - 1), frame.ring_count);
    resampler_destroy(resampler);
    free(ms);
    return true;
}

int main(int argc, char **argv) {
    static struct lights lights;
    if (argc < 6 || atoi(argv[5]) < 2)
        return 2;
    const int frames = atoi(argv[5]);
    if (!lights_init(&lights, atoi(argv[2]), atoi(argv[3]), sqrt(atof(argv[4])), OCTAVES,
                     argc > 6 ? atof(argv[6]) : 0))
        return 2;
    random_seed(1);
    struct backend *backend = open_ready(argv[1], plain);
    void *impl;
    if (!backend || !backend_resampler(backend, &impl)) {
        printf("%s resamples no frames\n", argv[1]);
        backend_close(backend);
        return 77;
    }
    const bool ok =
        measure("processor", &lights, NULL, frames, true) &&
        measure(argv[1], &lights, backend_another(backend, BACKEND_FIRST), frames, true) &&
        measure(argv[1], &lights, backend_another(backend, BACKEND_FIRST), frames, false);
    backend_close(backend);
    lights_forget(&lights);
    return ok ? 0 : 1;
}
