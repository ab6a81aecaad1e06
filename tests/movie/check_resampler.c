/* Frames of movies that a device resamples have the bytes of the processor's: with and without
 * rotation, at the edges of rings, in all sizes, with one frame in flight while the next begins.
 * usage: check_resampler [NAME]   (77: NAME cannot run on this machine) */
#include "render/light/light.h"
#include "tests/movie/lights.h"
#include "tests/shared/each_backend.h"
#include <math.h>

#define FRAMES 9

/* Size of frames, density and octaves of a leg, and its rotation [radians/octave]. */
struct film {
    int width_px, height_px;
    double density, octaves, turn;
    bool deep;
};

static const struct film films[] = {
    {96, 54, 2, 5, 0, false},   {96, 54, 2, 5, 0.3, false}, {96, 54, 2, 5, -7, true},
    {131, 67, 4, 3, 0, true},   {54, 96, 1, 4, 2, false},   {1, 1, 2, 3, 0, false},
    {1, 1, 1, 3, 1.1, true},    {2, 300, 1.5, 2, 0, false}, {300, 2, 3, 2, 0.01, false},
    {640, 360, 2, 1, 0, false}, {67, 45, 2, 20, 1, false},
};

static uint16_t curves[2][LIGHT_MAX + 1];

/* Returns the depth of a frame: both ends, three edges of rings, and random places. */
static double depth_of(const struct lights *lights, int number) {
    const struct leg *leg = &lights->leg;
    if (number < 2)
        return number == 0 ? leg->from : leg->to;
    if (number < 5)
        return fmin(leg->to, fmax(leg->from, rings_depth(&lights->rings, number)));
    return random_between(leg->from, leg->to);
}

/* Returns true if only the light of a frame is made. */
static bool is_light(int number) {
    return number % 3 == 2;
}

/* Begins a frame on the device and makes its values on the processor. */
static bool begin(const struct backend_resampler *table, struct device_resampler *device,
                  const struct resample_format *format, struct resample *frame, int number,
                  void *wanted) {
    const struct resample_format light = {format->width_px, format->height_px, true, NULL};
    CHECK(resample_begin(frame));
    const bool ok = table->begin(device, number % RESAMPLER_SLOTS, frame, is_light(number)) &&
                    resample_frame(frame, is_light(number) ? &light : format, wanted);
    resample_end(frame);
    return ok;
}

static bool check_film(struct backend *backend, const struct film *film) {
    const size_t values = 3 * (size_t)film->width_px * (size_t)film->height_px;
    const struct resample_format format = {film->width_px, film->height_px, film->deep,
                                           curves[film->deep]};
    void *impl, *wanted[RESAMPLER_SLOTS];
    struct resample frame;
    struct lights *lights = malloc(sizeof *lights);
    const struct backend_resampler *table = backend_resampler(backend, &impl);
    CHECK(lights && table);
    CHECK(lights_init(lights, film->width_px, film->height_px, film->density, film->octaves,
                      film->turn));
    struct device_resampler *device = table->create(impl, &format);
    CHECK(device);
    for (int i = 0; i < RESAMPLER_SLOTS; i++)
        CHECK((wanted[i] = malloc(2 * values)));
    for (int number = 0; number <= FRAMES; number++) {
        if (number < FRAMES) {
            if (number == FRAMES / 2)
                lights_forget(lights);
            lights_frame(lights, depth_of(lights, number), &frame);
            frame.set = number < FRAMES / 2;
            CHECK(begin(table, device, &format, &frame, number, wanted[number % RESAMPLER_SLOTS]));
        }
        if (number == 0)
            continue;
        const int slot = (number - 1) % RESAMPLER_SLOTS;
        const void *made = table->take(device, slot);
        CHECK(made);
        const size_t bytes = film->deep || is_light(number - 1) ? 2 * values : values;
        if (memcmp(made, wanted[slot], bytes) != 0) {
            printf("%s: %dx%d, density %g, turn %g: frame %d differs\n", subject, film->width_px,
                   film->height_px, film->density, film->turn, number - 1);
            return false;
        }
    }
    table->destroy(device);
    for (int i = 0; i < RESAMPLER_SLOTS; i++)
        free(wanted[i]);
    lights_forget(lights);
    free(lights);
    return true;
}

static bool check_films(const char *name) {
    struct backend *backend = open_ready(name, plain);
    bool ok = backend;
    for (size_t i = 0; ok && i < sizeof films / sizeof *films; i++) {
        random_seed(i + 1);
        ok = check_film(backend, &films[i]);
    }
    backend_close(backend);
    return ok;
}

int main(int argc, char **argv) {
    for (unsigned i = 0; i <= LIGHT_MAX; i++) {
        curves[0][i] = (uint16_t)(i >> 8);
        curves[1][i] = (uint16_t)i;
    }
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_films, "resample as the processor");
}
