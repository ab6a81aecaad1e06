/* Tables of exact counts for tests: places, their requests, and the true counts of some pixels.
 * tests/deep/truth/NAME.txt has lines "x y count" for tests/data/locations/NAME.fathom in a picture
 * of 640x360; own.txt has many places (own_truth.py). */
#ifndef FATHOM_TESTS_DEEP_TRUTH_H
#define FATHOM_TESTS_DEEP_TRUTH_H

#include "app/still/still.h"
#include "tests/shared/scoped.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRUTH_POINTS_MAX 200
#define TRUTH_OWN        33 /* number of places in own.txt */

struct truth_point {
    int x_px, y_px;
    uint32_t count; /* the limit means interior */
};

struct truth {
    char name[32];
    struct frame_req req; /* planned by `auto` */
    struct truth_point point[TRUTH_POINTS_MAX];
    int points;
};

static inline FILE *truth_open(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/tests/deep/truth/%s.txt", getenv("FATHOM_SOURCE"), name);
    return fopen(path, "r");
}

static inline bool truth_read_own(struct scene *scene, FILE *file, int number) {
    static char line[2048], re[512], im[512], zoom[128];
    const char *why;
    while (fgets(line, sizeof line, file))
        if (strncmp(line, "view ", 5) == 0 && number-- == 0)
            return sscanf(line, "view %d %d %511s %511s %127s %u", &scene->width_px,
                          &scene->height_px, re, im, zoom, &scene->limit) == 6 &&
                   view_set_centre(&scene->view, re, im, 0, &why) &&
                   view_set_zoom(&scene->view, zoom, &why);
    return false;
}

static inline bool truth_read_location(struct scene *scene, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/tests/data/locations/%s.fathom", getenv("FATHOM_SOURCE"), name);
    const bool ok = scene_load(scene, path);
    scene->width_px = 640;
    scene->height_px = 360;
    return ok;
}

/* Loads a table; the name "own" means place `number` of own.txt. Returns false if there is no table
 * or view. The request must be finished in any case. */
static inline bool truth_load(struct truth *truth, const char *name, int number) {
    const bool own = strcmp(name, "own") == 0;
    char line[128];
    struct truth_point at;
    snprintf(truth->name, sizeof truth->name, own ? "%s %d" : "%s", name, number);
    truth->points = 0;
    frame_req_init(&truth->req, 1, 1);
    SCOPED(scene, scene);
    FILE *file = truth_open(name);
    const bool ok =
        file && (own ? truth_read_own(&scene, file, number) : truth_read_location(&scene, name));
    if (ok)
        still_request(&scene, SHORTCUTS_ALL, &truth->req);
    while (ok && truth->points < TRUTH_POINTS_MAX && fgets(line, sizeof line, file)) {
        if (strncmp(line, "view ", 5) == 0)
            break;
        if (sscanf(line, "%d %d %u", &at.x_px, &at.y_px, &at.count) == 3)
            truth->point[truth->points++] = at;
    }
    if (file)
        fclose(file);
    if (truth->points == 0)
        printf("%s: no table, or no view\n", truth->name);
    return truth->points > 0;
}

#endif
