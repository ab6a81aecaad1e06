/* Whether two views show the same location, more or less: so that lists have each location once. */
#ifndef FATHOM_APP_EXPLORE_NEARNESS_H
#define FATHOM_APP_EXPLORE_NEARNESS_H

#include "render/view.h"

/* What of a scene matters here. Zero-initialised: near nothing. */
struct nearness {
    bool known;         /* the rest is there */
    bool orbit_density; /* an orbit density */
    struct view view;
};

/* Takes it from a scene's text (scene.h), which may be broken: then nothing is known, and nothing
 * is logged. Pairs with nearness_finish. */
void nearness_read(struct nearness *nearness, const char *text);
void nearness_finish(struct nearness *nearness);
/* Both are of one kind, their zooms differ by less than a fifth, and their centres by an eighth of
 * the first one's height at most. Colours, iteration limits and angles do not matter. */
bool nearness_same(const struct nearness *a, const struct nearness *b);

#endif
