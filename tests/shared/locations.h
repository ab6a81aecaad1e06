/* Helpers for tests of imported locations. */
#ifndef FATHOM_TESTS_SHARED_LOCATIONS_H
#define FATHOM_TESTS_SHARED_LOCATIONS_H

#include "render/files/location.h"
#include "tests/shared/check.h"
#include <stdio.h>
#include <string.h>

static inline bool parse(struct scene *scene, const char *text) {
    return scene_parse_any(scene, "T", text, strlen(text));
}

/* Returns true if the scene's view equals the view that fathom's own text describes. */
static inline bool is_view(const struct scene *scene, const char *re, const char *im,
                           const char *zoom, double degrees) {
    struct view view;
    const char *why;
    view_init(&view);
    const bool same = view_set_centre(&view, re, im, 0, &why) && view_set_zoom(&view, zoom, &why) &&
                      view_set_angle_degrees(&view, degrees, &why) &&
                      view_equal(&view, &scene->view);
    view_finish(&view);
    return same;
}

static inline void check_taken(const char *text, const char *re, const char *im, const char *zoom,
                               double degrees, uint32_t limit) {
    struct scene scene;
    scene_init(&scene);
    scene.limit = 77;
    scene.frequency = 3;
    log_start();
    const bool ok = parse(&scene, text) && is_view(&scene, re, im, zoom, degrees) &&
                    scene.limit == limit && scene.frequency == 3;
    CHECK(ok);
    if (!ok)
        printf("in: %s\n", text);
    scene_finish(&scene);
}

#endif
