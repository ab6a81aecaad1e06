/* Orbits and tone of a density picture: steps for the explorer's keys. */
#include "app/explore/orbits.h"

#define CHANNELS_APART 5 /* ratio of a channel's limit to the next one's */

const char *orbits_name(const struct density *orbits) {
    if (orbits->orbits == DENSITY_BOUNDED)
        return "anti-Buddhabrot";
    return orbits->channels == 3 ? "Nebulabrot" : "Buddhabrot";
}

static uint32_t at_least_1(uint32_t limit) {
    return limit > 0 ? limit : 1;
}

void orbits_fit(struct scene *scene) {
    struct density *orbits = &scene->orbits;
    scene->limit = at_least_1(scene->limit);
    if (orbits->channels == 1)
        orbits->limit[0] = scene->limit;
}

uint32_t orbits_limit(const struct scene *scene) {
    const struct density *orbits = &scene->orbits;
    uint32_t limit = orbits->channels == 1 ? scene->limit : 0;
    for (int i = 0; orbits->channels > 1 && i < orbits->channels; i++)
        limit = orbits->limit[i] > limit ? orbits->limit[i] : limit;
    return limit;
}

void orbits_set_limit(struct scene *scene, uint32_t limit) {
    struct density *orbits = &scene->orbits;
    scene->limit = orbits->limit[0] = at_least_1(limit);
    for (int i = 1; i < orbits->channels; i++)
        orbits->limit[i] = at_least_1(orbits->limit[i - 1] / CHANNELS_APART);
    orbits->least = orbits->least < limit ? orbits->least : at_least_1(limit);
}

void orbits_next_variant(struct scene *scene) {
    struct density *orbits = &scene->orbits;
    const uint32_t limit = orbits_limit(scene);
    if (orbits->orbits == DENSITY_BOUNDED) {
        orbits->orbits = DENSITY_ESCAPING;
        orbits->channels = 3;
    } else {
        orbits->orbits = orbits->channels == 1 ? DENSITY_BOUNDED : DENSITY_ESCAPING;
        orbits->channels = 1;
    }
    orbits_set_limit(scene, limit);
}

void orbits_set_least(struct scene *scene, uint32_t least) {
    const uint32_t limit = orbits_limit(scene);
    scene->orbits.least = least < limit ? at_least_1(least) : limit;
}

void orbits_reset_tone(struct tone *tone) {
    const enum tone_ramp ramp = tone->ramp;
    tone_init(tone);
    tone->ramp = ramp;
}
