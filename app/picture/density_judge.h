/* Density judge: estimates how much is visible of a density picture while it is counted. */
#ifndef FATHOM_APP_PICTURE_DENSITY_JUDGE_H
#define FATHOM_APP_PICTURE_DENSITY_JUDGE_H

#include "render/backend.h"

/* Zero-initialised. */
struct density_judge {
    /* Share of the background that shines through the picture, 0 .. 1; set by the owner. */
    double transparency;
    /* Samples, and share of pixels that they hit, when the samples last doubled. */
    uint64_t marked_samples;
    double marked_hit;
    bool settled; /* no pixels will be hit except those that already are */
    bool told; /* the user was told, for this picture or the ones before it, that few orbits pass */
};

/* Resets the judge for another picture. A picture of another kind also resets `told`. */
void density_judge_begin(struct density_judge *judge, bool orbit_density);
/* Returns true if hardly anything of the picture is visible. */
bool density_judge_is_faint(const struct density_judge *judge);
/* Returns which share of the pixels that will ever show a point shows one: a lower bound, the
 * report's share, or 1 once no more are hit. `pixels` is the size of the picture. */
double density_judge_share(struct density_judge *judge, const struct backend_report *report,
                           double pixels);
/* Returns true if so few orbits pass that hardly anything is visible after a second; `points`:
 * mean number per pixel. */
bool density_judge_is_sparse(const struct density_judge *judge, const struct backend_report *report,
                             double points);

#endif
