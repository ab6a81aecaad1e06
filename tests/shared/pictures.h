/* What the tests of backends share: pictures with their samples, places to draw, and how to. */
#ifndef FATHOM_TESTS_SHARED_PICTURES_H
#define FATHOM_TESTS_SHARED_PICTURES_H

#include "render/backends.h"
#include "render/base/clock.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, subject, #condition);                    \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

/* The backends there are: the program's, unless the build of a test says otherwise. */
#ifndef PICTURES_BACKENDS
#define PICTURES_BACKENDS backends_all
#endif
extern const struct backend_impl *const PICTURES_BACKENDS[];

static const char *subject; /* the backend under test, for messages */

/* Whether that is one of gpu/: it iterates in launches, and keeps the samples of one picture. */
static inline bool on_gpu(void) {
    return strcmp(subject, "cuda") == 0 || strcmp(subject, "host") == 0;
}

struct picture {
    struct target target;
    size_t pixels;
    struct backend_report report;
};

static inline void picture_init(struct picture *picture, int width_px, int height_px) {
    picture->pixels = (size_t)width_px * (size_t)height_px;
    picture->target = (struct target){.rgba = malloc(picture->pixels * sizeof(uint32_t))};
    if (!picture->target.rgba ||
        !sample_planes_init(&picture->target.planes, SAMPLE_BASIC, picture->pixels, "a test"))
        abort();
}

static inline void picture_finish(struct picture *picture) {
    free(picture->target.rgba);
    sample_planes_finish(&picture->target.planes);
}

static inline bool same(const struct picture *a, const struct picture *b, const char *what) {
    size_t counts = 0, fractions = 0, colours = 0;
    for (size_t i = 0; i < a->pixels; i++) {
        counts += a->target.planes.count[i] != b->target.planes.count[i];
        fractions += memcmp(&a->target.planes.fraction[i], &b->target.planes.fraction[i],
                            sizeof(float)) != 0;
        colours += a->target.rgba[i] != b->target.rgba[i];
    }
    if (counts + fractions + colours == 0)
        return true;
    printf("%s: %s: of %zu pixels %zu counts, %zu fractions, %zu colours differ\n", subject, what,
           a->pixels, counts, fractions, colours);
    return false;
}

/* Whether a marked target is as it was. */
static inline bool untouched(const struct picture *picture, const char *what) {
    for (size_t i = 0; i < picture->pixels; i++)
        if (picture->target.rgba[i] != 0x12345678) {
            printf("%s: %s: a target was written after it was given back\n", subject, what);
            return false;
        }
    return true;
}

static inline void mark(struct picture *picture) {
    for (size_t i = 0; i < picture->pixels; i++)
        picture->target.rgba[i] = 0x12345678;
}

static inline struct backend *open_ready(const char *name, struct backend_options options) {
    struct backend *backend = backend_open(PICTURES_BACKENDS, name, &options);
    const double start = clock_ms();
    while (backend && !backend_info(backend).ready && clock_ms() - start < 60000)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return backend;
}

static const struct backend_options plain = {.cpumask = ~0u, .device = -1};

/* The processor time of all threads: what others take of the machine is not in it. */
static inline double worked_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

struct place {
    const char *re, *im, *zoom;
    double angle;
    uint32_t limit;
};

static inline void set_place(struct frame_req *req, const struct place *place) {
    const char *why;
    if (!view_set_centre(&req->view, place->re, place->im, 0, &why) ||
        !view_set_zoom(&req->view, place->zoom, &why) ||
        !view_set_angle_degrees(&req->view, place->angle, &why))
        abort();
    req->limit = place->limit;
}

/* Kernels have not run for longer than their request has been there. */
static inline bool in_time(const struct backend_report *report) {
    if (report->device_ms <= 1.01 * report->elapsed_ms + 0.5)
        return true;
    printf("%s: %.2f ms in kernels within %.2f ms\n", subject, report->device_ms,
           report->elapsed_ms);
    return false;
}

static inline bool draw(struct backend *backend, const struct frame_req *req,
                        struct picture *picture) {
    memset(picture->target.rgba, 0x5a, picture->pixels * sizeof(uint32_t));
    CHECK(backend_draw(backend, req, &picture->target, NULL, NULL, &picture->report));
    CHECK(picture->report.generation == req->generation);
    CHECK(picture->report.progress == 1);
    CHECK(in_time(&picture->report));
    for (size_t i = 0; i < picture->pixels; i++)
        CHECK(picture->target.rgba[i] >> 24 == 255);
    return true;
}

/* The plainest backend: without any vector or fma instruction. */
static inline struct backend *open_judge(void) {
    struct backend_options masked = plain;
    masked.cpumask = 0;
    return open_ready("scalar", masked);
}

/* What a request must give: tile by tile, every step of every point taken. */
static inline bool judge_draw(struct backend *judge, const struct frame_req *req,
                              struct picture *picture) {
    struct frame_req straight = *req;
    straight.method = METHOD_TILES;
    straight.shortcuts = SHORTCUTS_NONE;
    straight.reuse = false;
    return draw(judge, &straight, picture);
}

/* Calls `check` for every automatic backend that can run here, or only for the one of that name.
 * The program's exit status: 77 when the named one cannot run, failure when none can; on success
 * `text` is printed with how many there were. */
static inline int check_each_backend(const char *only, bool (*check)(const char *name),
                                     const char *text) {
    int checked = 0;
    for (const struct backend_impl *const *impl = PICTURES_BACKENDS; *impl; impl++) {
        const char *why = NULL;
        if (!(*impl)->automatic || (only && strcmp(only, (*impl)->name) != 0))
            continue;
        if (!(*impl)->usable(&plain, &why)) {
            printf("%s: skipped, %s\n", (*impl)->name, why);
            continue;
        }
        if (!check((*impl)->name))
            return 1;
        checked++;
    }
    if (checked == 0) {
        printf("no backend %s\n", text);
        return only ? 77 : 1;
    }
    printf("%d backends %s\n", checked, text);
    return 0;
}

#endif
