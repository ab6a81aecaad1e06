/* Tables of exact counts for tests: places, their requests, and the true counts of some pixels.
 * tests/deep/truth/NAME.txt has lines "x y count" for tests/data/locations/NAME.fathom in a picture
 * of 640x360. Tables of many places have a line "view ..." before the points of each: own.txt
 * (own_truth.py) and the tables of hard_truth.c, which describes the line. */
#ifndef FATHOM_TESTS_DEEP_TRUTH_H
#define FATHOM_TESTS_DEEP_TRUTH_H

#include "app/still/still.h"
#include "tests/shared/scoped.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRUTH_POINTS_MAX 200
#define TRUTH_LINE_MAX   10000

struct truth_point {
    int x_px, y_px;
    uint32_t count; /* the limit means interior */
};

struct truth {
    char name[64];
    struct frame_req req; /* planned by `auto` */
    struct truth_point point[TRUTH_POINTS_MAX];
    int points;
};

static inline FILE *truth_open(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/tests/deep/truth/%s.txt", getenv("FATHOM_SOURCE"), name);
    return fopen(path, "r");
}

/* Returns the number of places of a table of many places; 0 if the table is of one location. */
static inline int truth_places(const char *name) {
    static char line[TRUTH_LINE_MAX];
    FILE *file = truth_open(name);
    int places = 0;
    while (file && fgets(line, sizeof line, file))
        places += strncmp(line, "view ", 5) == 0;
    if (file)
        fclose(file);
    return places;
}

/* Sets the scene from a line "view WIDTH HEIGHT RE IM ZOOM LIMIT [STEPS [C_RE C_IM]]". */
static inline bool truth_parse_view(struct scene *scene, const char *line) {
    static char re[2048], im[2048], c_re[2048], c_im[2048], text[TRUTH_LINE_MAX];
    char zoom[128], steps[256] = "mandelbrot^2", *then, *power;
    unsigned limit;
    int width, height, length;
    const int found = sscanf(line, "view %d %d %2047s %2047s %127s %u %255s %2047s %2047s", &width,
                             &height, re, im, zoom, &limit, steps, c_re, c_im);
    for (char *at = steps; (at = strchr(at, '^'));)
        *at = ' ';
    if ((then = strchr(steps, ',')))
        *then++ = '\0';
    if (found < 6 || !(power = strchr(steps, ' ')))
        return false;
    *power++ = '\0';
    length = snprintf(text, sizeof text,
                      "[view]\nzoom = %s\nre = %s\nim = %s\n[fractal]\niterations = %u\n"
                      "formula = %s\npower = %s\n",
                      zoom, re, im, limit, steps, power);
    if (then)
        length += sprintf(text + length, "then = %s\n", then);
    if (found == 9)
        length += sprintf(text + length, "julia = yes\njulia_re = %s\njulia_im = %s\n", c_re, c_im);
    const bool ok = scene_parse(scene, "a table", text, (size_t)length);
    scene->width_px = width, scene->height_px = height;
    return ok;
}

static inline bool truth_read_view(struct scene *scene, FILE *file, int number) {
    static char line[TRUTH_LINE_MAX];
    while (fgets(line, sizeof line, file))
        if (strncmp(line, "view ", 5) == 0 && number-- == 0)
            return truth_parse_view(scene, line);
    return false;
}

static inline bool truth_read_location(struct scene *scene, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/tests/data/locations/%s.fathom", getenv("FATHOM_SOURCE"), name);
    const bool ok = scene_load(scene, path);
    scene->width_px = 640, scene->height_px = 360;
    return ok;
}

/* Loads a place's points and request: place `number` of a table of many places, or the location of
 * a table of one. Returns false if there is no table or view. The request must be finished in any
 * case. */
static inline bool truth_load(struct truth *truth, const char *name, int number) {
    static char line[TRUTH_LINE_MAX];
    const bool many = truth_places(name) > 0;
    struct truth_point at;
    snprintf(truth->name, sizeof truth->name, many ? "%s %d" : "%s", name, number);
    truth->points = 0;
    frame_req_init(&truth->req, 1, 1);
    SCOPED(scene, scene);
    FILE *file = truth_open(name);
    const bool ok =
        file && (many ? truth_read_view(&scene, file, number) : truth_read_location(&scene, name));
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
