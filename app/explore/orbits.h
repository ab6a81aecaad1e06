/* What the explorer's keys do to the orbits and the tone of a density picture. Pure functions of a
 * scene; whatever they do, the result can be drawn. */
#ifndef FATHOM_APP_EXPLORE_ORBITS_H
#define FATHOM_APP_EXPLORE_ORBITS_H

#include "render/files/scene.h"

/* "Buddhabrot", "anti-Buddhabrot", "Nebulabrot". Static text. */
const char *orbits_name(const struct density *orbits);

/* Makes the scene's limit one that can be counted, and the one channel's. */
void orbits_fit(struct scene *scene);
/* Buddhabrot, anti-Buddhabrot, Nebulabrot, whose green and blue have a fifth and a twenty-fifth of
 * the limit. */
void orbits_next_variant(struct scene *scene);
/* The longest limit of all channels. */
uint32_t orbits_limit(const struct scene *scene);
/* Three channels keep their ratio as it is after orbits_next_variant. */
void orbits_set_limit(struct scene *scene, uint32_t limit);
/* The shortest orbit that is counted, from 1; not of bounded ones, which have none. */
void orbits_set_least(struct scene *scene, uint32_t least);

/* Sets all but the ramp to a new scene's. */
void orbits_reset_tone(struct tone *tone);

#endif
