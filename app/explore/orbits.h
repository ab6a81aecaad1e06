/* Orbits and tone of a density picture: steps for the explorer's keys. Pure functions of a scene,
 * whose results can always be drawn. */
#ifndef FATHOM_APP_EXPLORE_ORBITS_H
#define FATHOM_APP_EXPLORE_ORBITS_H

#include "render/files/scene.h"

/* Returns "Buddhabrot", "anti-Buddhabrot" or "Nebulabrot". Static text. */
const char *orbits_name(const struct density *orbits);

/* Makes the scene's limit at least 1, and sets that of a single channel. */
void orbits_fit(struct scene *scene);
/* Steps through Buddhabrot, anti-Buddhabrot and Nebulabrot, whose green and blue have a fifth and a
 * twenty-fifth of the limit. */
void orbits_next_variant(struct scene *scene);
/* Returns the highest limit of all channels. */
uint32_t orbits_limit(const struct scene *scene);
/* Sets the limit; three channels keep the ratio of orbits_next_variant. */
void orbits_set_limit(struct scene *scene, uint32_t limit);
/* Sets the minimum orbit length, at least 1. Bounded orbits have none. */
void orbits_set_least(struct scene *scene, uint32_t least);

/* Resets everything except the ramp. */
void orbits_reset_tone(struct tone *tone);

#endif
