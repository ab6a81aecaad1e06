/* Tests a device that does not start, on the host device. The device is given up, and a still
 * continues with the next device. No thread waits for the hanging thread, which cleans up if the
 * device returns.
 *
 * usage: check_hang */
#include "tests/shared/check.h"
#undef CHECK
#define PICTURES_BACKENDS host_backends
#include "tests/gpu/host_device.h"
#include "tests/shared/pictures.h"

#define HANG_MS   13000 /* longer than the time limit of a start */
#define CLOSED_MS 3000  /* limit for closing a backend */

static bool close_quickly(struct backend *backend) {
    const double start = clock_ms();
    backend_close(backend);
    CHECK(clock_ms() - start < CLOSED_MS);
    return true;
}

/* Waits until the abandoned threads have ended too. */
static bool becomes_clean(void) {
    const double start = clock_ms();
    struct host_facts facts = host_facts();
    while (facts.objects > 0 && clock_ms() - start < 2 * HANG_MS) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        facts = host_facts();
    }
    CHECK(facts.objects == 0 && facts.bytes == 0);
    return true;
}

static bool check_close(void) {
    host_behave((struct host_behaviour){.start_ms = HANG_MS});
    struct backend *backend = backend_open(host_backends, "host", &plain);
    struct backend *other = backend ? backend_another(backend, BACKEND_REST) : NULL;
    CHECK(other && close_quickly(other) && close_quickly(backend));
    return true;
}

static bool check_given_up(void) {
    struct frame_req req;
    struct picture picture;
    frame_req_init(&req, 32, 24);
    picture_init(&picture, 32, 24);
    log_start();
    struct backend *backend = backend_open(host_backends, "host", &plain);
    struct backend *other = backend ? backend_another(backend, BACKEND_REST) : NULL;
    CHECK(other && backend_submit(backend, &req, &picture.target));
    do
        picture.report = backend_poll(backend, 50);
    while (picture.report.state == BACKEND_BUSY);
    CHECK(picture.report.state == BACKEND_LOST && backend_poll(other, 0).state == BACKEND_LOST);
    CHECK(log_is_one_line("the GPU does not answer: it has not started within 10 seconds"));
    CHECK(close_quickly(backend) && close_quickly(other));
    picture_finish(&picture);
    frame_req_finish(&req);
    return true;
}

static bool check_next(void) {
    struct backend *backend = backend_open_started(host_backends, NULL, &plain);
    CHECK(backend && strcmp(backend_info(backend).name, "host") != 0);
    backend_close(backend);
    return true;
}

int main(void) {
    subject = "host";
    const bool ok = check_close() && check_given_up() && check_next() && becomes_clean();
    if (ok)
        puts("a device that does not start is given up, and not waited for");
    return !ok || failures > 0;
}
