/* Films go on, with the same bytes, if the device that resamples their frames fails or lacks
 * memory, whichever call fails, and also on other threads than the one that opened the device. No
 * object is left behind.
 *
 * usage: check_resampler_faults */
#include "tests/gpu/host_device.h"
#define PICTURES_BACKENDS host_backends
#include "render/base/log.h"
#include "tests/movie/lights.h"
#include "tests/shared/each_backend.h"
#include <mpfr.h>
#include <pthread.h>

#define WIDTH  33
#define HEIGHT 21
#define FRAMES 5
#define BYTES  (3 * WIDTH * HEIGHT)

static uint8_t wanted[FRAMES][BYTES];

/* Makes a film on a handle (NULL: the processor), and compares it or stores what is wanted. Each third
 * frame is made as light. */
static bool make_film(struct lights *lights, struct backend *handle, bool compare) {
    static uint16_t light[BYTES];
    struct resampler *resampler = resampler_create(WIDTH, HEIGHT, false);
    CHECK(resampler && resampler_wants_device(resampler));
    resampler_use(resampler, handle);
    CHECK(!resampler_wants_device(resampler));
    const uint64_t set = resampler_new_set(resampler);
    for (int number = 0, taken = 0; number < FRAMES; number++) {
        struct resample frame;
        lights_frame(lights, lights->leg.from + 0.35 * number, &frame);
        frame.set = set;
        if (number % 3 == 2) {
            CHECK(resampler_light(resampler, &frame, light));
            resampler_put(resampler, light);
        } else {
            CHECK(resampler_begin(resampler, &frame));
        }
        while (resampler_in_flight(resampler) > (number + 1 < FRAMES)) {
            const void *pixels = resampler_take(resampler);
            CHECK(pixels);
            if (!compare)
                memcpy(wanted[taken], pixels, BYTES);
            CHECK(memcmp(pixels, wanted[taken++], BYTES) == 0);
        }
    }
    resampler_destroy(resampler);
    return true;
}

/* Makes films until no call fails, each with a failure at a later call. */
static bool check_failures(struct lights *lights, enum device_error error) {
    uint64_t call = 0;
    bool failed = true;
    while (failed) {
        struct backend *backend = open_ready("host", plain);
        CHECK(backend);
        struct backend *handle = backend_another(backend, BACKEND_FIRST);
        while (handle && !backend_info(handle).ready)
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        host_fail(++call, error);
        CHECK(make_film(lights, handle, true));
        failed = host_facts().failed;
        host_fail(0, DEVICE_OK);
        backend_close(backend);
        CHECK(host_facts().objects == 0 && host_facts().bytes == 0);
    }
    printf("%d films with failures\n", (int)call - 1);
    CHECK(call > (error == DEVICE_NO_MEMORY ? 10 : 40));
    return true;
}

/* A handle whose film another thread makes. */
struct elsewhere {
    struct lights *lights;
    struct backend *handle;
    bool ok;
};

static void *make_elsewhere(void *user) {
    struct elsewhere *elsewhere = user;
    elsewhere->ok = make_film(elsewhere->lights, elsewhere->handle, true);
    mpfr_free_cache(); /* of this thread */
    return NULL;
}

static bool check_thread(struct lights *lights) {
    struct backend *backend = open_ready("host", plain);
    struct elsewhere elsewhere = {lights, backend_another(backend, BACKEND_FIRST), false};
    pthread_t thread;
    CHECK(elsewhere.handle);
    while (!backend_info(elsewhere.handle).ready)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    CHECK(pthread_create(&thread, NULL, make_elsewhere, &elsewhere) == 0);
    pthread_join(thread, NULL);
    CHECK(elsewhere.ok && host_facts().launches > 0);
    backend_close(backend);
    return true;
}

int main(void) {
    static struct lights lights;
    const char *why;
    subject = "host";
    log_set_level(LOG_ERROR);
    if (!backend_host.usable(&plain, &why)) {
        printf("skipped: %s\n", why);
        return 77;
    }
    random_seed(5);
    host_behave((struct host_behaviour){.at_once = true});
    const bool ok = lights_init(&lights, WIDTH, HEIGHT, 2, 3, 0.4) &&
                    make_film(&lights, NULL, false) && check_thread(&lights) &&
                    check_failures(&lights, DEVICE_LOST) &&
                    check_failures(&lights, DEVICE_NO_MEMORY);
    lights_forget(&lights);
    return ok ? 0 : 1;
}
