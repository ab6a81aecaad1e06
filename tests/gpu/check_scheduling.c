/* Tests gpu/ on the host device if a device fails, lacks memory, is slow, or passes its pixels to
 * OpenGL. Each failure is logged once, leaves no objects behind, and never causes a wrong pixel.
 *
 * usage: check_scheduling */
#include "tests/shared/check.h"
#undef CHECK
#define PICTURES_BACKENDS host_backends
#include "gpu/slices.h"
#include "render/density/density_cells.h"
#include "render/density/density_counts.h"
#include "render/palette.h"
#include "tests/gpu/host_device.h"
#include "tests/shared/pictures.h"
#include <math.h>

#define WIDTH  61
#define HEIGHT 47

static const struct host_behaviour at_once = {.at_once = true};

/* Three pictures: the second keeps samples of the first and is shown twice; the third continues
 * their orbits. */
#define STORY 3

static void set_request(struct frame_req *req, int number) {
    frame_req_init(req, WIDTH, HEIGHT);
    set_place(req, &(struct place){"-0.7453", "0.1127", "1300", 0, number == 2 ? 900 : 300});
    req->shortcuts = SHORTCUTS_NONE;
    req->method = number == 0 ? METHOD_DEEPEN : METHOD_TILES;
    req->first_stride = 4;
    req->generation = (uint64_t)number + 1;
    if (number > 0)
        view_pan(&req->view, 9, -4, HEIGHT);
}

/* Outcome of a requested picture. */
enum outcome { DRAWN, REFUSED, LOST };

static enum outcome ask(struct backend *backend, int number, struct picture *picture) {
    struct frame_req req;
    if (backend_is_lost(backend))
        return REFUSED;
    set_request(&req, number);
    const bool submitted = backend_submit(backend, &req, &picture->target);
    picture->report.state = BACKEND_BUSY;
    while (submitted && picture->report.state == BACKEND_BUSY)
        picture->report = backend_poll(backend, 20);
    const struct look look = {.colouring = req.colouring};
    const bool repeats = number == 1 && picture->report.state == BACKEND_DONE &&
                         backend_recolour(backend, req.generation, req.generation, &look);
    for (bool busy = repeats; busy; busy = picture->report.state == BACKEND_BUSY)
        picture->report = backend_poll(backend, 20);
    frame_req_finish(&req);
    return !submitted ? REFUSED : picture->report.state == BACKEND_DONE ? DRAWN : LOST;
}

static struct picture wanted[STORY];

static bool draw_wanted(void) {
    struct backend *judge = open_judge();
    bool ok = judge != NULL;
    for (int i = 0; ok && i < STORY; i++) {
        struct frame_req req;
        set_request(&req, i);
        picture_init(&wanted[i], WIDTH, HEIGHT);
        ok = judge_draw(judge, &req, &wanted[i]);
        frame_req_finish(&req);
    }
    backend_close(judge);
    return ok;
}

/* Returns true if no object of a device is left. */
static bool is_clean(void) {
    const struct host_facts facts = host_facts();
    return facts.objects == 0 && facts.bytes == 0;
}

/* --- failures --- */

/* After a failure the picture is lost, and the device refuses requests. With DEVICE_NO_MEMORY a
 * picture may be refused, or drawn without optional memory; if the device has started, the next
 * picture is drawn. */
static bool tell_story(struct backend *backend, struct picture *picture, bool memory) {
    bool lost = false, refused = false;
    for (int i = 0; i < STORY; i++) {
        const enum outcome outcome = ask(backend, i, picture);
        CHECK(!lost || outcome != DRAWN);
        CHECK(memory || outcome == DRAWN || host_facts().failed);
        CHECK(!refused || !memory || lost || !backend_info(backend).ready || outcome == DRAWN);
        CHECK(outcome != DRAWN || same(&wanted[i], picture, "a device that fails"));
        lost = lost || outcome == LOST;
        refused = outcome == REFUSED;
        CHECK(!lost || backend_is_lost(backend) || refused);
    }
    return true;
}

/* Draws orbit density once, and compares the counts. */
static bool tell_orbits(struct backend *backend, const struct density_req *req,
                        const struct density_counts *want, struct density_counts *got) {
    struct picture picture;
    picture_init(&picture, req->width_px, req->height_px);
    const struct target target = {.rgba = picture.target.rgba};
    struct backend_report report = {.state = BACKEND_BUSY};
    bool ok = !backend_is_lost(backend) && backend_density_submit(backend, req, &target);
    while (ok && report.state == BACKEND_BUSY)
        report = backend_poll(backend, 20);
    ok = ok && report.state == BACKEND_DONE && backend_density_read(backend, got);
    if (ok && memcmp(want->count, got->count, density_counters(req) * sizeof *got->count) != 0) {
        puts("wrong counts");
        return false;
    }
    picture_finish(&picture);
    return ok || host_facts().failed;
}

/* Returns true if a failure was logged, but not repeatedly, and nothing else was. */
static bool said(bool failed) {
    char line[4096];
    int errors = 0;
    fflush(stderr);
    FILE *file = fopen(LOG_FILE, "r");
    while (file && fgets(line, sizeof line, file))
        errors += strncmp(line, "fathom: error: ", 15) == 0;
    if (file)
        fclose(file);
    return failed ? errors > 0 && errors <= STORY + 1 : errors == 0;
}

static bool check_failure(struct host_behaviour behaviour, uint64_t call, enum device_error error,
                          bool ready, bool *failed) {
    struct picture picture;
    picture_init(&picture, WIDTH, HEIGHT);
    host_behave(behaviour);
    log_start();
    host_fail(call, error);
    struct backend *backend = backend_open(host_backends, "host", &plain);
    const double start = clock_ms();
    while (ready && backend && !backend_info(backend).ready && !host_facts().failed &&
           clock_ms() - start < 60000)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    CHECK(backend && tell_story(backend, &picture, error == DEVICE_NO_MEMORY));
    *failed = host_facts().failed; /* later failures are irrelevant */
    backend_close(backend);
    host_fail(0, DEVICE_OK);
    picture_finish(&picture);
    CHECK(is_clean());
    CHECK(error == DEVICE_NO_MEMORY || said(*failed));
    return true;
}

/* Makes each call of the story fail once; `step` skips calls. */
static bool check_failures(struct host_behaviour behaviour, enum device_error error, bool ready,
                           uint64_t step) {
    bool failed = true;
    uint64_t call = 1;
    for (; failed; call += step)
        if (!check_failure(behaviour, call, error, ready, &failed)) {
            printf("when call %llu fails\n", (unsigned long long)call);
            return false;
        }
    CHECK(call > 10 * step);
    return true;
}

/* Limits the memory for lists of long orbits: the request is counted correctly or refused. */
static bool check_lists(const struct density_req *req, const struct density_counts *want,
                        struct density_counts *got, size_t memory) {
    host_behave((struct host_behaviour){.at_once = true, .memory = memory});
    struct backend *backend = open_ready("host", plain);
    const bool ok = tell_orbits(backend, req, want, got) || backend_is_lost(backend);
    backend_close(backend);
    return ok && is_clean();
}

/* Makes some calls of a density picture fail. */
static bool check_orbits(enum device_error error, uint64_t step) {
    struct density_req req;
    struct density_counts want, got;
    bool ok = true, failed = true;
    size_t bytes = 0;
    host_behave(at_once);
    density_req_init(&req, 40, 30);
    req.samples = 1 << 16;
    req.density.limit[0] = 300;
    req.cells = density_cells_create(&req.density);
    if (!req.cells || !density_counts_init(&want, &req) || !density_counts_init(&got, &req))
        abort();
    for (uint64_t call = 0; ok && failed; call += call ? step : 1) {
        log_start();
        host_fail(call, error);
        struct backend *backend = backend_open(host_backends, "host", &plain);
        ok = backend && tell_orbits(backend, &req, &want, call ? &got : &want);
        failed = call == 0 || host_facts().failed;
        bytes = call == 0 ? host_facts().bytes : bytes;
        backend_close(backend);
        host_fail(0, DEVICE_OK);
        ok = ok && is_clean();
        if (!ok)
            printf("orbit density, when call %llu fails\n", (unsigned long long)call);
    }
    for (size_t less = 0; ok && less < 970000; less += 60000)
        ok = check_lists(&req, &want, &got, bytes - less);
    density_counts_finish(&want);
    density_counts_finish(&got);
    density_req_finish(&req);
    return ok;
}

/* --- memory --- */

/* A picture that does not fit into memory is refused, and the message states its size. A smaller
 * picture is drawn. */
static bool check_room(void) {
    struct frame_req large, small;
    struct picture picture;
    host_behave((struct host_behaviour){.at_once = true, .memory = 4 << 20});
    struct backend *backend = open_ready("host", plain);
    frame_req_init(&large, 1000, 1000);
    set_request(&small, 0);
    picture_init(&picture, 1000, 1000);
    CHECK(backend);
    log_start();
    CHECK(!backend_submit(backend, &large, &picture.target));
    CHECK(log_is_one_line("a picture of 1000x1000 needs 65 MiB on the GPU, where 4 are free"));
    picture.pixels = WIDTH * HEIGHT;
    CHECK(draw(backend, &small, &picture) && same(&wanted[0], &picture, "after one too large"));
    backend_close(backend);
    picture_finish(&picture);
    frame_req_finish(&large);
    frame_req_finish(&small);
    CHECK(is_clean());
    return true;
}

/* --- time --- */

/* On a device of that speed, no launch takes more than 2 ms once the speed is known. */
static bool check_budget(double steps_per_ms, bool known) {
    struct frame_req req;
    struct picture picture;
    host_behave((struct host_behaviour){.at_once = true, .steps_per_ms = steps_per_ms});
    struct backend *backend = open_ready("host", plain);
    frame_req_init(&req, 160, 120);
    picture_init(&picture, 160, 120);
    set_place(&req, &(struct place){"-0.1", "0", "1e4", 0, 3000});
    req.shortcuts = SHORTCUTS_NONE;
    req.reuse = false;
    host_facts();
    for (int i = 0; i < 2; i++) {
        struct backend_report report = {.state = BACKEND_BUSY};
        req.generation++;
        CHECK(backend && backend_submit(backend, &req, &picture.target));
        while (report.state == BACKEND_BUSY)
            report = backend_poll(backend, 20);
        CHECK(report.state == BACKEND_DONE);
        const double longest = host_facts().longest_ms, all = report.device_ms;
        const double needed = 3000.0 * 160 * 120 / steps_per_ms;
        if ((known || i > 0) && longest > 2)
            printf("%.0f steps a millisecond: a launch takes %.2f ms\n", steps_per_ms, longest);
        CHECK((!known && i == 0) || longest <= 2);
        CHECK(fabs(all - needed) <= 0.01 * needed);
    }
    backend_close(backend);
    picture_finish(&picture);
    frame_req_finish(&req);
    return true;
}

/* Launches in flight end at once when their picture is cancelled, even if they would take seconds,
 * as on this device, which pretends to be fast. */
static bool check_abort(void) {
    struct frame_req req;
    struct picture picture;
    host_behave((struct host_behaviour){.steps_per_ms = 1e9});
    struct backend *backend = open_ready("host", plain);
    frame_req_init(&req, 600, 450);
    picture_init(&picture, 600, 450);
    set_place(&req, &(struct place){"-0.1", "0", "1e4", 0, FRAME_LIMIT_MAX});
    req.shortcuts = SHORTCUTS_NONE;
    CHECK(backend && backend_submit(backend, &req, &picture.target));
    while (backend_poll(backend, 5).iterations < 50000000)
        continue;
    const double start = clock_ms();
    backend_cancel(backend);
    CHECK(clock_ms() - start < 300);
    backend_close(backend);
    picture_finish(&picture);
    frame_req_finish(&req);
    return true;
}

/* A device starts slowly or fails to start; meanwhile a picture is submitted, cancelled or lost. */
static bool check_start(void) {
    struct frame_req req;
    struct picture picture;
    struct backend_report report;
    set_request(&req, 0);
    picture_init(&picture, WIDTH, HEIGHT);
    host_behave((struct host_behaviour){.start_ms = 40});
    for (int i = 0; i < 3; i++) {
        struct backend *backend = backend_open(host_backends, "host", &plain);
        CHECK(backend && !backend_info(backend).ready);
        CHECK(backend_submit(backend, &req, &picture.target));
        CHECK(backend_poll(backend, 1).state == BACKEND_BUSY);
        if (i == 1)
            backend_cancel(backend);
        if (i < 2)
            CHECK(draw(backend, &req, &picture) &&
                  same(&wanted[0], &picture, "asked for before the device was there"));
        backend_close(backend);
    }
    host_behave((struct host_behaviour){.start_ms = 20, .no_start = true});
    log_start();
    struct backend *backend = backend_open(host_backends, "host", &plain);
    CHECK(backend && backend_submit(backend, &req, &picture.target));
    do
        report = backend_poll(backend, 20);
    while (report.state == BACKEND_BUSY);
    CHECK(report.state == BACKEND_LOST);
    CHECK(log_is_one_line("the GPU does not start: as asked for; use another --backend"));
    backend_close(backend);
    picture_finish(&picture);
    frame_req_finish(&req);
    CHECK(is_clean());
    return true;
}

/* --- OpenGL --- */

/* Checks what the window may show between two polls: final, correct pixels and empty pixels. */
static bool seen_right(const uint32_t *seen, const struct picture *want, size_t *done) {
    *done = 0;
    for (size_t i = 0; i < want->pixels; i++) {
        CHECK(seen[i] >> 24 == 0 || seen[i] == want->target.rgba[i]);
        *done += seen[i] >> 24 != 0;
    }
    return true;
}

/* A long picture in a GL buffer is seen as it grows. A cancelled picture never writes again (the
 * host device aborts if a buffer is written that is not mapped). */
static bool check_gl(void) {
    struct backend_options options = plain;
    struct frame_req req;
    struct picture want;
    size_t done = 0, before = 0;
    unsigned sights = 0;
    const uint32_t buffer = host_gl_create(300 * 200 * sizeof(uint32_t));
    const struct target target = {.gl_buffer = buffer};
    host_behave((struct host_behaviour){.gl = true});
    options.gl = true;
    struct backend *judge = open_judge(), *backend = open_ready("host", options);
    frame_req_init(&req, 300, 200);
    picture_init(&want, 300, 200);
    set_place(&req, &(struct place){"-0.7453", "0.1127", "1300", 0, 10000});
    req.shortcuts = SHORTCUTS_NONE;
    req.first_stride = 16;
    CHECK(judge && backend && judge_draw(judge, &req, &want));
    CHECK(backend_info(backend).caps & BACKEND_CAP_GL_TARGET);
    host_facts();
    for (int turn = 0; turn < 4; turn++) {
        struct backend_report report = {.state = BACKEND_BUSY};
        req.generation++;
        req.reuse = turn == 3;
        CHECK(backend_submit(backend, &req, &target));
        for (before = done = 0; report.state == BACKEND_BUSY; before = done) {
            report = backend_poll(backend, 20);
            if (report.dirty.x0 < report.dirty.x1) {
                CHECK(seen_right(host_gl_contents(buffer), &want, &done));
                CHECK(done >= before);
                sights += done < want.pixels;
            }
            if (turn == 1 && host_gl_shown(buffer) > 5)
                break;
        }
        backend_cancel(backend);
        CHECK(turn == 1 || (report.state == BACKEND_DONE && done == want.pixels));
    }
    CHECK(sights > 0);
    CHECK(host_facts().most_in_flight == SLICES_IN_FLIGHT);
    backend_close(backend);
    backend_close(judge);
    host_gl_destroy(buffer);
    picture_finish(&want);
    frame_req_finish(&req);
    CHECK(is_clean());
    return true;
}

/* Polls to the end. Meanwhile each pixel in the buffer belongs to one of the pictures. */
static bool finish_recoloured(struct backend *backend, uint32_t buffer, const struct picture *a,
                              const struct picture *b, struct backend_report *report) {
    do {
        *report = backend_poll(backend, 20);
        const uint32_t *seen = host_gl_contents(buffer);
        for (size_t i = 0; report->dirty.x0 < report->dirty.x1 && i < a->pixels; i++)
            CHECK(seen[i] >> 24 == 0 || seen[i] == a->target.rgba[i] ||
                  seen[i] == b->target.rgba[i]);
    } while (report->state == BACKEND_BUSY);
    CHECK(report->state == BACKEND_DONE);
    CHECK(memcmp(host_gl_contents(buffer), b->target.rgba, b->pixels * sizeof(uint32_t)) == 0);
    return true;
}

/* Recolours a picture in a GL buffer. A picture in flight continues. A complete picture needs one
 * launch and no memory. */
static bool check_recolour(void) {
    struct backend_options options = plain;
    struct frame_req req;
    struct picture want[2];
    struct look looks[2];
    struct backend_report report;
    const uint32_t buffer = host_gl_create(200 * 150 * sizeof(uint32_t));
    const struct target target = {.gl_buffer = buffer};
    options.gl = true;
    frame_req_init(&req, 200, 150);
    set_place(&req, &(struct place){"-0.7453", "0.1127", "1300", 0, 2000});
    req.shortcuts = SHORTCUTS_NONE;
    req.first_stride = 16;
    struct backend *judge = open_judge();
    for (int i = 0; i < 2; i++) {
        looks[i] = (struct look){.colouring = req.colouring};
        picture_init(&want[i], 200, 150);
        CHECK(judge && judge_draw(judge, &req, &want[i]));
        colouring_set(&req.colouring, palette_builtin(3), 2, 0.3);
        req.colouring.smooth = false;
    }
    for (int i = 0; i < 12; i++) {
        host_behave((struct host_behaviour){.gl = true, .start_ms = i % 3 == 1 ? 30 : 0});
        struct backend *backend = backend_open(host_backends, "host", &options);
        while (i % 3 != 1 && backend && !backend_info(backend).ready)
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        req.colouring = looks[0].colouring;
        req.generation = 1;
        if (i % 3 == 1) { /* a device that is starting supports host memory only */
            CHECK(backend && backend_submit(backend, &req, &want[0].target));
            CHECK(backend_recolour(backend, 1, 2, &looks[1]));
            while ((report = backend_poll(backend, 20)).state == BACKEND_BUSY)
                continue;
            CHECK(report.generation == 2 && same(&want[1], &want[0], "of a starting device"));
            CHECK(judge_draw(judge, &req, &want[0]));
        } else {
            CHECK(backend && backend_submit(backend, &req, &target));
            for (int polls = 0; polls < i; polls++) /* the buffer is mapped or not */
                backend_poll(backend, polls);
            CHECK(backend_recolour(backend, 1, 2, &looks[1]));
            CHECK(finish_recoloured(backend, buffer, &want[0], &want[1], &report));
            CHECK(report.generation == 2);
            for (int turn = 0; turn < 4; turn++) {
                host_facts();
                CHECK(backend_recolour(backend, report.generation, report.generation + 1,
                                       &looks[turn % 2]));
                CHECK(finish_recoloured(backend, buffer, &want[1 - turn % 2], &want[turn % 2],
                                        &report));
                const struct host_facts facts = host_facts();
                CHECK(facts.launches == 1 && facts.allocations == 0);
                CHECK(report.iterations == 0 && report.kept == want[0].pixels);
            }
        }
        backend_cancel(backend);
        CHECK(i % 2 || backend_recolour(backend, report.generation, 9, &looks[0]));
        backend_close(backend);
    }
    backend_close(judge);
    host_gl_destroy(buffer);
    picture_finish(&want[0]);
    picture_finish(&want[1]);
    frame_req_finish(&req);
    CHECK(is_clean());
    return true;
}

/* --- several handles --- */

/* All handles wait for a device that is starting; a failed start is logged once. */
static bool check_start_beside(void) {
    struct picture pictures[2];
    struct backend_report report;
    struct frame_req req;
    set_request(&req, 0);
    for (int fails = 0; fails < 2; fails++) {
        host_behave((struct host_behaviour){.start_ms = 30, .no_start = fails});
        log_start();
        struct backend *first = backend_open(host_backends, "host", &plain);
        struct backend *handles[2] = {first, backend_another(first, BACKEND_REST)};
        for (int i = 0; i < 2; i++) {
            picture_init(&pictures[i], WIDTH, HEIGHT);
            CHECK(handles[i] && backend_submit(handles[i], &req, &pictures[i].target));
        }
        for (int i = 1; i >= 0; i--) {
            while ((report = backend_poll(handles[i], 20)).state == BACKEND_BUSY)
                continue;
            CHECK(report.state == (fails ? BACKEND_LOST : BACKEND_DONE));
            CHECK(fails || same(&wanted[0], &pictures[i], "of a device that was starting"));
            picture_finish(&pictures[i]);
        }
        backend_close(handles[fails]);
        backend_close(handles[!fails]);
        CHECK(!fails || log_is_one_line("the GPU does not start"));
        CHECK(is_clean());
    }
    frame_req_finish(&req);
    return true;
}

/* A handle that lacks memory ends alone. */
static bool check_room_beside(bool ready) {
    struct picture picture, large;
    struct frame_req req;
    host_behave((struct host_behaviour){.at_once = true, .memory = 4 << 20});
    struct backend *backend = open_ready("host", plain);
    picture_init(&picture, WIDTH, HEIGHT);
    picture_init(&large, 1000, 1000);
    frame_req_init(&req, 1000, 1000);
    CHECK(backend && ask(backend, 0, &picture) == DRAWN);
    log_start();
    struct backend *beside = backend_another(backend, BACKEND_REST);
    while (ready && !backend_info(beside).ready)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    if (backend_submit(beside, &req, &large.target))
        while ((large.report = backend_poll(beside, 20)).state == BACKEND_BUSY)
            continue;
    CHECK(log_is_one_line("a picture of 1000x1000 needs 65 MiB on the GPU"));
    for (int i = 0; i < STORY; i++)
        CHECK(ask(backend, i, &picture) == DRAWN && same(&wanted[i], &picture, "beside no room"));
    backend_close(beside);
    backend_close(backend);
    picture_finish(&picture);
    picture_finish(&large);
    frame_req_finish(&req);
    CHECK(is_clean());
    return true;
}

/* Draws pictures in two GL buffers. The more urgent one waits for its owner; neither delays the
 * other. */
static bool check_gl_beside(void) {
    struct backend_options options = plain;
    struct frame_req req;
    struct picture want;
    const size_t bytes = WIDTH * HEIGHT * sizeof(uint32_t);
    const uint32_t buffers[2] = {host_gl_create(bytes), host_gl_create(bytes)};
    host_behave((struct host_behaviour){.gl = true});
    options.gl = true;
    struct backend *judge = open_judge(), *first = open_ready("host", options);
    struct backend *handles[2] = {first, backend_another(first, BACKEND_INSET)};
    while (!backend_info(handles[1]).ready)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    set_request(&req, 0);
    req.limit = 30000;
    picture_init(&want, WIDTH, HEIGHT);
    CHECK(judge && judge_draw(judge, &req, &want));
    for (int turn = 0; turn < 4; turn++) {
        req.generation++;
        req.reuse = false;
        for (int i = 0; i < 2; i++)
            CHECK(backend_submit(handles[i ^ (turn / 2)], &req,
                                 &(struct target){.gl_buffer = buffers[i ^ (turn / 2)]}));
        for (int i = 0; i < 2; i++) {
            struct backend_report report;
            while ((report = backend_poll(handles[i ^ (turn % 2)], 5)).state == BACKEND_BUSY)
                continue;
            CHECK(report.state == BACKEND_DONE);
            CHECK(!memcmp(host_gl_contents(buffers[i ^ (turn % 2)]), want.target.rgba, bytes));
        }
    }
    for (int i = 0; i < 2; i++) {
        backend_close(handles[i]);
        host_gl_destroy(buffers[i]);
    }
    backend_close(judge);
    picture_finish(&want);
    frame_req_finish(&req);
    CHECK(is_clean());
    return true;
}

int main(void) {
    const enum device_error broken = (enum device_error)7;
    subject = "host";
    const bool ok = draw_wanted() && check_failures(at_once, broken, false, 1) &&
                    check_failures(at_once, DEVICE_NO_MEMORY, false, 1) &&
                    check_failures(at_once, DEVICE_NO_MEMORY, true, 1) &&
                    check_failures((struct host_behaviour){0}, broken, true, 17) &&
                    check_orbits(broken, 11) && check_orbits(DEVICE_NO_MEMORY, 3) && check_room() &&
                    check_budget(1e7, true) && check_budget(3e6, true) &&
                    check_budget(2e5, false) && check_abort() && check_start() && check_gl() &&
                    check_recolour() && check_start_beside() && check_room_beside(false) &&
                    check_room_beside(true) && check_gl_beside();
    for (int i = 0; i < STORY; i++)
        picture_finish(&wanted[i]);
    if (ok)
        puts("failures, memory, time and OpenGL are dealt with as the contract says");
    return !ok || failures > 0;
}
