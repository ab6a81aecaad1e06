/* Nearness: reads only the lines of a scene's text that contain its location, and compares two
 * locations. */
#include "app/explore/nearness.h"
#include <stdlib.h>
#include <string.h>

#define ZOOM_RATIO   1.2
#define HEIGHT_PARTS 8 /* centres nearer than this part of the height are the same */
#define VIEW_HEIGHT  4 /* height of a view at zoom 1 */

/* Returns the value of a line "KEY = VALUE". The caller frees it. NULL: there is no such line. */
static char *find_value(const char *text, const char *key) {
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += strspn(line, " \t\n");
        if (strncmp(line, key, strlen(key)) != 0)
            continue;
        const char *at = line + strlen(key);
        at += strspn(at, " \t");
        if (*at++ != '=')
            continue;
        at += strspn(at, " \t");
        return strndup(at, strcspn(at, " \t\r\n"));
    }
    return NULL;
}

static bool read_view(struct view *view, const char *re, const char *im, const char *zoom) {
    const char *why;
    return (!zoom || view_set_zoom(view, zoom, &why)) &&
           (!re || !im || view_set_centre(view, re, im, 0, &why));
}

void nearness_read(struct nearness *nearness, const char *text) {
    char *re = find_value(text, "re"), *im = find_value(text, "im");
    char *zoom = find_value(text, "zoom"), *kind = find_value(text, "kind");
    *nearness = (struct nearness){.orbit_density = kind && strcmp(kind, "density") == 0};
    if ((re && im) || zoom) {
        view_init(&nearness->view);
        nearness->known = read_view(&nearness->view, re, im, zoom);
        if (!nearness->known)
            view_finish(&nearness->view);
    }
    free(re);
    free(im);
    free(zoom);
    free(kind);
}

void nearness_finish(struct nearness *nearness) {
    if (nearness->known)
        view_finish(&nearness->view);
    *nearness = (struct nearness){0};
}

static bool within(mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr most) {
    mpfr_t difference;
    mpfr_init2(difference, VIEW_ZOOM_BITS);
    mpfr_sub(difference, a, b, MPFR_RNDN);
    const bool ok = mpfr_cmpabs(difference, most) <= 0;
    mpfr_clear(difference);
    return ok;
}

static bool zooms_alike(mpfr_srcptr a, mpfr_srcptr b) {
    mpfr_t ratio;
    mpfr_init2(ratio, VIEW_ZOOM_BITS);
    mpfr_div(ratio, a, b, MPFR_RNDN);
    const bool ok = mpfr_cmp_d(ratio, ZOOM_RATIO) < 0 && mpfr_cmp_d(ratio, 1 / ZOOM_RATIO) > 0;
    mpfr_clear(ratio);
    return ok;
}

bool nearness_same(const struct nearness *a, const struct nearness *b) {
    if (!a->known || !b->known || a->orbit_density != b->orbit_density ||
        !zooms_alike(a->view.zoom, b->view.zoom))
        return false;
    mpfr_t most;
    mpfr_init2(most, VIEW_ZOOM_BITS);
    mpfr_ui_div(most, VIEW_HEIGHT, a->view.zoom, MPFR_RNDN);
    mpfr_div_ui(most, most, HEIGHT_PARTS, MPFR_RNDN);
    const bool same = within(a->view.re, b->view.re, most) && within(a->view.im, b->view.im, most);
    mpfr_clear(most);
    return same;
}
