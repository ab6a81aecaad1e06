/* Helpers for tests of backends' pictures: pictures with their samples, locations, and drawing. */
#ifndef FATHOM_TESTS_SHARED_PICTURES_H
#define FATHOM_TESTS_SHARED_PICTURES_H

#include "tests/shared/each_backend.h"

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

/* Returns true if a marked target has not changed. */
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

/* Draws the expected picture: tile by tile, with every step of every point executed. */
static inline bool judge_draw(struct backend *judge, const struct frame_req *req,
                              struct picture *picture) {
    struct frame_req straight = *req;
    straight.method = METHOD_TILES;
    straight.shortcuts = SHORTCUTS_NONE;
    straight.reuse = false;
    return draw(judge, &straight, picture);
}

static inline int picture_ascending(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Returns the most frequent count of escaped pixels, or 0 if none escaped. */
static inline uint32_t picture_common_count(const struct picture *picture) {
    uint32_t *counts = malloc(picture->pixels * sizeof *counts), common = 0;
    size_t most = 0, run = 0;
    if (!counts)
        abort();
    memcpy(counts, picture->target.planes.count, picture->pixels * sizeof *counts);
    qsort(counts, picture->pixels, sizeof *counts, picture_ascending);
    for (size_t i = 0; i < picture->pixels && !(counts[i] & SAMPLE_INTERIOR); i++) {
        run = i > 0 && counts[i] == counts[i - 1] ? run + 1 : 1;
        if (run > most) {
            most = run;
            common = counts[i];
        }
    }
    free(counts);
    return common;
}

#endif
