/* How much there is to be seen of a density picture while it is counted. */
#ifndef FATHOM_APP_PICTURE_DENSITY_JUDGE_H
#define FATHOM_APP_PICTURE_DENSITY_JUDGE_H

#include "render/backend.h"

/* Zero-initialised. */
struct density_judge {
    double
        through; /* how much of what lies behind it shines through it, 0 .. 1: 0, nothing; the owner sets it */
    /* How many samples hit which share of its pixels, when those had last become twice as many. */
    uint64_t marked_samples;
    double marked_hit;
    bool settled; /* no more pixels are hit than are already */
    bool told;    /* that few orbits pass, in this picture or those before it */
};

/* Another picture begins, of which nothing is there. One that is no density picture ends what was told. */
void density_judge_begin(struct density_judge *judge, bool orbit_density);
/* Whether hardly anything is to be seen of it. */
bool density_judge_thin(const struct density_judge *judge);
/* Which share of the pixels that will ever show a point shows one, at least, of a picture of so many: the report's, or 1. */
double density_judge_hit(struct density_judge *judge, const struct backend_report *report,
                         double pixels);
/* Whether so few orbits pass there that hardly anything is to be seen of it after a second; `points`: of a pixel. */
bool density_judge_few(const struct density_judge *judge, const struct backend_report *report,
                       double points);

#endif
