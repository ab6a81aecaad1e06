/* Nearness: compares the locations of two views, so that lists contain each location once. */
#ifndef FATHOM_APP_EXPLORE_NEARNESS_H
#define FATHOM_APP_EXPLORE_NEARNESS_H

#include "render/view.h"

/* Location of a scene. Zero-initialised: near nothing. */
struct nearness {
    bool known; /* the other members are valid */
    bool orbit_density;
    struct view view;
};

/* Reads the location from a scene's text (scene.h). It stays unknown, without a message, if the
 * text is broken. Pairs with nearness_finish. */
void nearness_read(struct nearness *nearness, const char *text);
void nearness_finish(struct nearness *nearness);
/* Returns true if both are of one kind, their zooms differ by less than a fifth, and their centres
 * by at most an eighth of the first view's height. Colours, limits and angles are ignored. */
bool nearness_same(const struct nearness *a, const struct nearness *b);

#endif
