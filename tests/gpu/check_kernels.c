/* Tests launches and copies on the host device: pictures wait for programs that are not ready, can
 * be cancelled at once, and do not delay others; a reference's index is made lazily; the first rows
 * of a picture replace the target's old contents; and pixels that are sent again are sent
 * completely.
 *
 * usage: check_kernels */
#define PICTURES_BACKENDS host_backends
#include "gpu/pixel_buffer.h"
#include "gpu/readback.h"
#include "render/density/density_cells.h"
#include "render/density/density_counts.h"
#include "tests/gpu/host_device.h"
#include "tests/shared/pictures.h"
#include <math.h>

#define WIDTH    61
#define HEIGHT   47
#define SOON_MS  30
#define LATE_MS  2000
#define QUICK_MS 500 /* limit that also holds on slow and shared processors */

/* Sets the delay of programs, after a reset. */
static void set_late(double kernel_ms, bool at_once) {
    host_behave((struct host_behaviour){0});
    host_behave((struct host_behaviour){.at_once = at_once, .kernel_ms = kernel_ms});
}

static void set_request(struct frame_req *req) {
    frame_req_init(req, WIDTH, HEIGHT);
    set_place(req, &(struct place){"-0.7453", "0.1127", "1300", 0, 700});
    req->shortcuts = SHORTCUTS_NONE;
    req->first_stride = 4;
}

/* A picture, and a picture that keeps its samples, waits for each program; the wait does not count
 * as device time. */
static bool check_pictures(void) {
    struct frame_req req;
    struct picture want, got;
    struct backend *judge = open_judge();
    set_request(&req);
    picture_init(&want, WIDTH, HEIGHT);
    picture_init(&got, WIDTH, HEIGHT);
    for (int at_once = 0; at_once < 2; at_once++) {
        set_late(SOON_MS, at_once);
        struct backend *backend = open_ready("host", plain);
        for (int turn = 0; turn < 2; turn++) {
            CHECK(judge && backend && judge_draw(judge, &req, &want));
            CHECK(draw(backend, &req, &got) && same(&want, &got, "kernels that were not ready"));
            CHECK(turn > 0 || got.report.elapsed_ms > 2 * SOON_MS);
            CHECK(turn > 0 || got.report.device_ms < got.report.elapsed_ms - SOON_MS);
            req.generation++;
            view_pan(&req.view, 9, -4, HEIGHT);
        }
        backend_close(backend);
    }
    backend_close(judge);
    picture_finish(&want);
    picture_finish(&got);
    frame_req_finish(&req);
    return true;
}

static bool count(double kernel_ms, const struct density_req *req, struct density_counts *counts) {
    struct backend_report report;
    set_late(kernel_ms, false);
    struct backend *backend = open_ready("host", plain);
    CHECK(backend && density_counts_init(counts, req));
    CHECK(backend_density_submit(backend, req, NULL));
    while ((report = backend_poll(backend, 20)).state == BACKEND_BUSY)
        continue;
    CHECK(report.state == BACKEND_DONE && backend_density_read(backend, counts));
    backend_close(backend);
    return true;
}

static bool check_density(void) {
    struct density_req req;
    struct density_counts want, got;
    density_req_init(&req, 40, 30);
    req.samples = 1 << 16;
    req.density.limit[0] = 300; /* includes long orbits */
    req.cells = density_cells_create(&req.density);
    CHECK(req.cells && count(0, &req, &want) && count(SOON_MS, &req, &got));
    CHECK(!memcmp(want.count, got.count, density_counters(&req) * sizeof *got.count));
    density_counts_finish(&want);
    density_counts_finish(&got);
    density_req_finish(&req);
    return true;
}

static bool cancel_quickly(struct backend *backend) {
    const double start = clock_ms();
    backend_cancel(backend);
    CHECK(clock_ms() - start < QUICK_MS);
    return true;
}

/* Tests a picture that waits for a program, and another picture whose programs are ready. */
static bool check_others(void) {
    struct frame_req req, layered;
    struct picture want, pictures[2];
    struct backend *judge = open_judge();
    set_request(&req);
    set_request(&layered);
    layered.planes |= SAMPLE_SLOPE;
    picture_init(&want, WIDTH, HEIGHT);
    picture_init(&pictures[0], WIDTH, HEIGHT);
    picture_init(&pictures[1], WIDTH, HEIGHT);
    set_late(LATE_MS, false);
    struct backend *urgent = open_ready("host", plain);
    CHECK(judge && judge_draw(judge, &req, &want));
    CHECK(urgent && backend_submit(urgent, &req, &pictures[0].target));
    CHECK(backend_poll(urgent, 50).state == BACKEND_BUSY && cancel_quickly(urgent));
    backend_close(urgent);
    host_behave((struct host_behaviour){0});
    urgent = open_ready("host", plain);
    struct backend *other = urgent ? backend_another(urgent, BACKEND_REST) : NULL;
    CHECK(other && draw(other, &req, &pictures[1]));
    host_behave((struct host_behaviour){.kernel_ms = LATE_MS});
    CHECK(backend_submit(urgent, &layered, &pictures[0].target));
    for (const double until = clock_ms() + 200; clock_ms() < until;)
        backend_poll(urgent, 20);
    req.generation++;
    req.reuse = false;
    const double start = clock_ms();
    CHECK(draw(other, &req, &pictures[1]) && same(&want, &pictures[1], "beside one that waits"));
    CHECK(clock_ms() - start < LATE_MS / 2);
    CHECK(backend_poll(urgent, 0).state == BACKEND_BUSY && cancel_quickly(urgent));
    backend_close(other);
    backend_close(urgent);
    backend_close(judge);
    for (int i = 0; i < 2; i++)
        picture_finish(&pictures[i]);
    picture_finish(&want);
    frame_req_finish(&req);
    frame_req_finish(&layered);
    return true;
}

/* Returns the number of launches of a deep picture with that width. */
static unsigned count_launches(struct backend *backend, int width_px) {
    struct frame_req req;
    struct picture picture;
    frame_req_init(&req, width_px, HEIGHT);
    set_place(&req, &(struct place){"-0.743643887037158704752191506114774",
                                    "0.131825904205311970493132056385139", "1e20", 0, 3000});
    req.route = ROUTE_PERTURBED;
    req.reuse = false;
    picture_init(&picture, width_px, HEIGHT);
    host_facts();
    CHECK(draw(backend, &req, &picture));
    picture_finish(&picture);
    frame_req_finish(&req);
    return host_facts().launches;
}

/* A view's index is made once, and again after a view that extends less far from the reference. */
static bool check_index(void) {
    host_behave((struct host_behaviour){.at_once = true, .steps_per_ms = 1e6});
    struct backend *backend = open_ready("host", plain);
    const unsigned first = count_launches(backend, 4 * WIDTH);
    const unsigned repeats = count_launches(backend, 4 * WIDTH);
    count_launches(backend, WIDTH);
    const unsigned anew = count_launches(backend, 4 * WIDTH);
    CHECK(repeats < first && anew == first);
    backend_close(backend);
    return true;
}

#define LARGE_WIDTH  3072
#define LARGE_HEIGHT 1024

/* When the first rows of a large picture arrive, the old contents of the other rows are gone. */
static bool check_cleared(void) {
    struct frame_req req;
    struct picture picture;
    struct backend_report report = {.dirty = {0, 0, 0, 0}};
    host_behave((struct host_behaviour){0});
    struct backend *backend = open_ready("host", plain);
    frame_req_init(&req, LARGE_WIDTH, LARGE_HEIGHT);
    set_place(&req, &(struct place){"-0.7", "0", "0.2", 0, 20000});
    picture_init(&picture, LARGE_WIDTH, LARGE_HEIGHT);
    mark(&picture);
    CHECK(backend_submit(backend, &req, &picture.target));
    while (report.dirty.y0 >= report.dirty.y1)
        report = backend_poll(backend, 0);
    size_t kept = 0;
    for (size_t i = 0; report.state == BACKEND_BUSY && i < picture.pixels; i++)
        kept += picture.target.rgba[i] == 0x12345678;
    printf("the first rows are %d to %d\n", report.dirty.y0, report.dirty.y1);
    CHECK(kept == 0);
    backend_cancel(backend);
    picture_finish(&picture);
    frame_req_finish(&req);
    backend_close(backend);
    return true;
}

/* A growing picture is sent at intervals that double up to 250 ms. */
static bool check_intervals(struct readback *readback, struct device_pointer rgba) {
    static const double intervals_ms[] = {24, 48, 96, 192, 250, 250};
    struct slices slices = {.impl = &host_device};
    struct pixel_buffer buffer;
    bool repaint;
    pixel_buffer_init(&buffer, readback->handoff, readback, &slices);
    CHECK(pixel_buffer_start(&buffer, false, rgba));
    for (int i = 0; i < 6; i++) {
        const double now = buffer.due_ms;
        CHECK(pixel_buffer_tick(&buffer, now - 1, &repaint) && buffer.due_ms == now);
        CHECK(pixel_buffer_tick(&buffer, now, &repaint));
        CHECK(fabs(buffer.due_ms - now - intervals_ms[i]) < 0.1);
    }
    return readback_drop(readback) == DEVICE_OK;
}

/* Pixels that are sent again are sent completely, from the first row, whatever part is already in
 * flight. */
static bool check_sent_again(void) {
    const int width = 4096,
              height = 8 * 256; /* eight chunks, of which four are in flight at a time */
    const size_t bytes = (size_t)width * (size_t)height * sizeof(uint32_t);
    struct device device = {.impl = &host_device};
    struct handoff handoff = {.change = {.pending = false}};
    struct target target = {.rgba = malloc(bytes)};
    struct readback readback;
    struct device_pointer rgba;
    struct device_queue *queue;
    struct rect dirty = {0};
    pthread_mutex_init(&handoff.lock, NULL);
    pthread_cond_init(&handoff.wake_driver, NULL);
    pthread_cond_init(&handoff.wake_owner, NULL);
    host_behave((struct host_behaviour){.at_once = true});
    CHECK(target.rgba && host_device.start(&device) == DEVICE_OK &&
          host_device.alloc(&device, bytes, &rgba) == DEVICE_OK &&
          host_device.queue_create(&device, &queue) == DEVICE_OK &&
          readback_init(&readback, &device, &handoff) == DEVICE_OK);
    readback_start(&readback, width, height);
    for (int turn = 1; turn <= 2; turn++) {
        CHECK(host_device.fill(queue, rgba, turn, bytes) == DEVICE_OK);
        readback_send(&readback, READBACK_RGBA, rgba);
        CHECK(readback_pump(&readback) == DEVICE_OK && readback_is_sending(&readback));
    }
    while (readback_is_sending(&readback)) {
        readback_take(&readback, &target, 0, &dirty);
        CHECK(readback_pump(&readback) == DEVICE_OK);
    }
    size_t old = 0;
    for (size_t i = 0; i < bytes / sizeof(uint32_t); i++)
        old += target.rgba[i] != 0x02020202;
    CHECK(old == 0 && dirty.y0 == 0 && dirty.y1 == height);
    CHECK(check_intervals(&readback, rgba));
    readback_finish(&readback);
    host_device.queue_destroy(queue);
    host_device.free(&device, rgba);
    free(target.rgba);
    pthread_cond_destroy(&handoff.wake_owner);
    pthread_cond_destroy(&handoff.wake_driver);
    pthread_mutex_destroy(&handoff.lock);
    return true;
}

int main(void) {
    subject = "host";
    const bool ok = check_pictures() && check_density() && check_others() && check_index() &&
                    check_cleared() && check_sent_again();
    const struct host_facts facts = host_facts();
    if (ok && facts.objects == 0 && facts.bytes == 0)
        puts("all passed");
    return !ok || facts.objects > 0 || facts.bytes > 0;
}
