/* Contract of backends, on every backend that can run here: the same request gives the same counts,
 * fractions and pixels for parts as for the whole. Samples are kept across pans and palettes, and
 * pictures may be replaced half-way. (check_requests compares random requests, check_pictures
 * cancels and loses them.)
 * usage: check_backends [NAME [SEED]]   (77: NAME cannot run on this machine) */
#include "render/base/clock.h"
#include "render/palette.h"
#include "tests/shared/pictures.h"
#include "tests/shared/random.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed; /* from the command line */

/* --- requests --- */

static const struct place places[] = {
    {"-0.5", "0", "1.5", 0, 500},
    {"-0.743643887037151", "0.131825904205330", "1e6", 0, 2000},
    {"-0.743643887037151", "0.131825904205330", "3e5", 37.5, 700},
};

/* Sets a view that no backend finishes soon. */
static void set_endless(struct frame_req *req) {
    set_place(req, &(struct place){"-0.1", "0", "100", 0, FRAME_LIMIT_MAX});
    req->shortcuts = SHORTCUTS_NONE;
}

/* Draws with a backend opened for this request only, so that no samples are kept. */
static bool draw_fresh(const char *name, const struct frame_req *req, struct picture *picture) {
    struct backend *backend = open_ready(name, plain);
    const bool drawn = backend && draw(backend, req, picture);
    backend_close(backend);
    return drawn;
}

/* --- parts --- */

static void cut_out(const struct frame_req *part, const struct picture *whole,
                    struct picture *picture) {
    for (int y = 0; y < part->height_px; y++) {
        const size_t to = (size_t)y * (size_t)part->width_px;
        const size_t from =
            (size_t)(y + part->part_y_px) * (size_t)part->whole_width_px + (size_t)part->part_x_px;
        const size_t count = (size_t)part->width_px;
        memcpy(picture->target.rgba + to, whole->target.rgba + from, count * sizeof(uint32_t));
        memcpy(picture->target.planes.count + to, whole->target.planes.count + from,
               count * sizeof(uint32_t));
        memcpy(picture->target.planes.fraction + to, whole->target.planes.fraction + from,
               count * sizeof(float));
    }
}

/* Checks that parts are cut out of their whole, bit for bit, also with offsets and turned. */
static bool check_part(struct backend *judge, struct backend *backend) {
    SCOPED(frame_req, whole, 300, 200);
    SCOPED(frame_req, part, 70, 90);
    SCOPED(picture, all, 300, 200);
    SCOPED(picture, want, 70, 90);
    SCOPED(picture, got, 70, 90);
    bool ok = true;
    for (int i = 0; ok && i < 6; i++) {
        struct place place = places[i % 3];
        set_place(&whole, &place);
        set_place(&part, &place);
        whole.type = part.type = (enum number_type)(i % TYPE_COUNT);
        part.whole_width_px = 300;
        part.whole_height_px = 200;
        part.part_x_px = 37 * i;
        part.part_y_px = 110 - 20 * i;
        whole.offset_x = part.offset_x = i < 3 ? 0 : 4321 * i;
        whole.offset_y = part.offset_y = i < 3 ? 0 : -32768;
        part.generation++;
        ok = judge_draw(judge, &whole, &all) && draw(backend, &part, &got);
        cut_out(&part, &all, &want);
        ok = ok && same(&want, &got, "a part of a picture");
    }
    return ok;
}

/* --- kept samples --- */

/* Checks that a pan and its reverse restore the same bytes, and that samples still in view are not
 * iterated again. */
static bool check_pan(const char *name, struct backend *backend, const char *zoom) {
    SCOPED(frame_req, req, 150, 110);
    set_place(&req, &(struct place){"-0.743643887037151", "0.131825904205330", zoom, 0, 400});
    SCOPED(picture, first, 150, 110);
    SCOPED(picture, moved, 150, 110);
    SCOPED(picture, fresh, 150, 110);
    SCOPED(picture, back, 150, 110);
    bool ok = draw(backend, &req, &first);
    view_pan(&req.view, 31, -17, req.height_px);
    req.first_stride = 8;
    ok = ok && draw(backend, &req, &moved) && draw_fresh(name, &req, &fresh) &&
         same(&fresh, &moved, "panned against fresh");
    if (ok && moved.report.kept != (150 - 31) * (110 - 17)) {
        printf("%s: a pan kept %" PRIu64 " samples\n", subject, moved.report.kept);
        ok = false;
    }
    view_pan(&req.view, -31, 17, req.height_px);
    ok = ok && draw(backend, &req, &back) && same(&first, &back, "panned and back");
    view_pan(&req.view, 0, 9, req.height_px);
    return ok && draw(backend, &req, &moved) && draw_fresh(name, &req, &fresh) &&
           same(&fresh, &moved, "panned straight down");
}

static bool check_recolour(const char *name, struct backend *backend) {
    SCOPED(frame_req, req, 130, 70);
    SCOPED(picture, first, 130, 70);
    SCOPED(picture, again, 130, 70);
    SCOPED(picture, fresh, 130, 70);
    bool ok = draw(backend, &req, &first);
    colouring_set(&req.colouring, palette_builtin(1), 2.5, 0.5);
    ok = ok && draw(backend, &req, &again) && draw_fresh(name, &req, &fresh) &&
         same(&fresh, &again, "recoloured against fresh");
    if (ok && (again.report.iterations != 0 || again.report.kept != again.pixels)) {
        printf("%s: a new palette cost %" PRIu64 " iterations\n", subject, again.report.iterations);
        ok = false;
    }
    req.reuse = false;
    ok = ok && draw(backend, &req, &again) && same(&fresh, &again, "not reused against fresh");
    if (ok && (again.report.iterations == 0 || again.report.kept != 0)) {
        printf("%s: reuse = false was ignored\n", subject);
        ok = false;
    }
    return ok;
}

/* Checks the function `recolour`, several times in a row, on whole and on moved pictures, complete
 * and in flight. */
static bool check_recolour_entry(const char *name, struct backend *backend) {
    struct statistics before, after;
    SCOPED(frame_req, req, 230, 170);
    set_place(&req, &places[1]);
    req.shortcuts = SHORTCUTS_NONE;
    SCOPED(picture, shown, 230, 170);
    SCOPED(picture, fresh, 230, 170);
    bool ok = true;
    CHECK(!backend_recolour(backend, 12345, 12346, &(struct look){.colouring = req.colouring}));
    for (int i = 0; ok && i < 12; i++) {
        const bool flight = i & 1;
        req.generation++;
        req.limit += 100;
        if (i % 3 > 0)
            view_pan(&req.view, 11 * i, -7, req.height_px);
        req.first_stride = i & 2 ? 8 : 1;
        ok = flight ? backend_submit(backend, &req, &shown.target) : draw(backend, &req, &shown);
        if (flight)
            backend_poll(backend, i / 2);
        ok = ok && (flight || backend_statistics(backend, &before));
        for (int turn = 0; ok && turn < 1 + i / 2; turn++) {
            colouring_set(&req.colouring, palette_builtin((size_t)(i + turn) % 5), 1 + 0.3 * turn,
                          0.08 * i);
            req.colouring.smooth = (i + turn) % 3 > 0;
            req.colouring.mapping = (enum colour_mapping)((i + turn) % MAPPING_COUNT);
            ok = backend_recolour(backend, req.generation, req.generation + 1,
                                  &(struct look){.colouring = req.colouring});
            req.generation++;
            if (turn % 2)
                backend_poll(backend, 0);
        }
        while (ok && (shown.report = backend_poll(backend, 50)).state == BACKEND_BUSY)
            continue;
        ok = ok && shown.report.state == BACKEND_DONE &&
             shown.report.generation == req.generation && backend_statistics(backend, &after) &&
             draw_fresh(name, &req, &fresh) &&
             shown.report.iterations <= (flight ? fresh.report.iterations : 0) &&
             same(&fresh, &shown, "recoloured in place against fresh") &&
             (flight || memcmp(&before, &after, sizeof after) == 0);
    }
    if (!ok)
        printf("%s: recolour failed\n", subject);
    return ok;
}

/* Checks two pans in quick succession: samples that the first pan had no time to take over are
 * kept. */
static bool check_quick_pans(struct backend *backend) {
    SCOPED(frame_req, req, 400, 300);
    SCOPED(picture, picture, 400, 300);
    bool ok = draw(backend, &req, &picture);
    for (int i = 0; ok && i < 2; i++) {
        view_pan(&req.view, 5, 0, req.height_px);
        req.generation++;
        ok = backend_submit(backend, &req, &picture.target);
    }
    while (ok && (picture.report = backend_poll(backend, 50)).state == BACKEND_BUSY)
        continue;
    if (ok && picture.report.kept < 300 * 300) {
        printf("%s: two quick pans kept %" PRIu64 " samples\n", subject, picture.report.kept);
        ok = false;
    }
    return ok;
}

/* --- interruption --- */

/* Checks a second submit, at another size, while the first request is in flight. */
static bool check_replace(struct backend *judge, struct backend *backend) {
    SCOPED(frame_req, endless, 500, 300);
    set_endless(&endless);
    endless.generation = 7;
    SCOPED(frame_req, req, 201, 99);
    req.generation = 8;
    SCOPED(picture, old, 500, 300);
    SCOPED(picture, got, 201, 99);
    SCOPED(picture, want, 201, 99);
    bool ok = judge_draw(judge, &req, &want) && backend_submit(backend, &endless, &old.target);
    backend_poll(backend, 5);
    ok = ok && backend_submit(backend, &req, &got.target);
    mark(&old);
    do
        got.report = backend_poll(backend, 20);
    while (ok && got.report.generation == 8 && got.report.state == BACKEND_BUSY);
    return ok && got.report.state == BACKEND_DONE && got.report.generation == 8 &&
           same(&want, &got, "replaced in flight") && untouched(&old, "replace");
}

/* Checks colours that change several times within a pass, with more threads than processors: every
 * picture must be complete in the last colours. */
static bool check_recolour_storm(const char *name) {
#ifdef TEST_SANITIZED
    const int most = 40;
#else
    const int most = 100;
#endif
    const int pictures = on_gpu() ? 10 : most; /* orbits iterate slowly in host memory */
    struct backend_options options = plain;
    options.threads = 8;
    struct backend *backend = open_ready(name, options);
    SCOPED(frame_req, req, 200, 200);
    set_place(&req, &places[1]);
    req.shortcuts = SHORTCUTS_NONE;
    req.first_stride = 8;
    SCOPED(picture, picture, 200, 200);
    bool ok = backend;
    for (int i = 0; ok && i < pictures; i++) {
        req.generation++;
        view_pan(&req.view, 400, 0, req.height_px);
        ok = backend_submit(backend, &req, &picture.target);
        for (uint32_t turn = 0; ok && turn < 40; turn++) {
            if (random_bits() % 4 == 0)
                backend_poll(backend, 0.1);
            req.colouring.offset += 12345;
            ok = backend_recolour(backend, req.generation, req.generation + 1,
                                  &(struct look){.colouring = req.colouring});
            req.generation++;
        }
        const double since = clock_ms();
        while (ok && (picture.report = backend_poll(backend, 50)).state == BACKEND_BUSY)
            ok = clock_ms() - since < 20000;
    }
    if (!ok)
        printf("%s: not complete after other colours\n", subject);
    backend_close(backend);
    return ok;
}

/* Checks that sample planes are optional. */
static bool check_without_planes(struct backend *backend) {
    SCOPED(frame_req, req, 99, 77);
    req.reuse = false;
    SCOPED(picture, with, 99, 77);
    SCOPED(picture, without, 99, 77);
    const struct target bare = {.rgba = without.target.rgba};
    CHECK(draw(backend, &req, &with));
    CHECK(backend_draw(backend, &req, &bare, NULL, NULL, &without.report));
    CHECK(memcmp(with.target.rgba, without.target.rgba, with.pixels * sizeof(uint32_t)) == 0);
    return true;
}

static bool check_backend(struct backend *backend, struct backend *judge) {
    random_seed(seed);
    const bool ok = check_part(judge, backend) && check_pan(subject, backend, "1") &&
                    check_pan(subject, backend, "1e6") && check_pan(subject, backend, "1e13") &&
                    check_pan(subject, backend, "1e200") && check_recolour(subject, backend) &&
                    check_recolour_entry(subject, backend) && check_recolour_storm(subject) &&
                    check_quick_pans(backend) && check_replace(judge, backend) &&
                    check_without_planes(backend);
    if (ok)
        printf("%s: as the contract says (%s)\n", subject, backend_info(backend).device);
    else
        printf("%s failed with seed %" PRIu64 "\n", subject, seed);
    return ok;
}

int main(int argc, char **argv) {
    seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    return check_each_pair(argc > 1 ? argv[1] : NULL, check_backend, "agree and keep the contract");
}
