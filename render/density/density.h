/* Orbit density (the Buddhabrot): counts how often orbits of random c visit each pixel. Requests,
 * and the definition of the counts.
 *
 * A sample is a c of the sampling domain; its orbit is z_1 = c, z_2 = f(z_1), ... in the arithmetic
 * that all devices share. It escapes after n steps if |z_n|^2 >= 4 first holds for n. An orbit that
 * does not escape within `limit` is bounded. The points z_1 .. z_n of orbits that escape with least
 * <= n <= limit are counted, except n = 1. The escaped point is counted so that the picture has no
 * edge at |z| = 2. The anti-Buddhabrot counts z_1 .. z_limit of bounded orbits. The domain is |re
 * c| < 2, |im c| < 2.
 *
 * Only c with im c >= 0 are sampled, because conjugate c have conjugate orbits. If the pixels are
 * symmetric about the real axis, the histogram is folded there: a stored pixel counts the points of
 * two pixels, and the display mirrors it. Otherwise every point is counted together with its
 * conjugate. */
#ifndef FATHOM_RENDER_DENSITY_DENSITY_H
#define FATHOM_RENDER_DENSITY_DENSITY_H

#include "render/density/density_rule.h"
#include "render/density/tone.h"
#include "render/plan.h"

#define DENSITY_PIXELS_MAX (1u << 30)
/* Version of the sampling. It increases if another c becomes sample s, or if another point is
 * counted: saved runs then cannot continue, and screenshots have different noise. 2: the order of a
 * cell's squares is scrambled. */
#define DENSITY_SAMPLING 2
#define DENSITY_CHUNK    64u /* divides all numbers of samples: two clumps (density_sample.h) */

#define DENSITY_ORBITS_LIST(X)                                                                     \
    X(DENSITY_ESCAPING, "escaping") /* Buddhabrot */                                               \
    X(DENSITY_BOUNDED, "bounded")   /* anti-Buddhabrot */
enum density_orbits { DENSITY_ORBITS_LIST(CHOICE_ID) DENSITY_ORBITS_COUNT };

/* Names in the order of the enum, NULL-terminated. */
extern const char *const density_orbits_names[]; /* "escaping", "bounded" */

/* Everything that decides the counts except the view, the size and the number type. */
struct density {
    enum density_orbits orbits;
    int channels; /* 1, or 3: red, green and blue (the Nebulabrot) */
    /* Length of the shortest counted orbit; ignored for bounded orbits. 0: 20, because shorter
     * orbits only add fog, or two fifths of the smallest limit if that is less. */
    uint32_t least;
    uint32_t limit[DENSITY_PLANES_MAX]; /* limit of each channel, 1 .. FRAME_LIMIT_MAX */
    uint64_t random;                    /* key of the random generator */
};

/* Initialises to one channel of escaping orbits, least 0, FRAME_LIMIT_DEFAULT, random 0. */
void density_init(struct density *density);
/* Returns `least`, or the meaning of 0; at least 1. */
uint32_t density_least(const struct density *density);
/* Returns the reason why a density is not valid, or NULL if it is. Static text. */
const char *density_problem(const struct density *density);
bool density_equal(const struct density *a, const struct density *b);

struct density_planes density_planes(const struct density *density);

struct density_cells;

struct density_req {
    uint64_t generation;
    struct view view;
    int width_px, height_px; /* 1 .. FRAME_SIZE_MAX */
    enum number_type type;
    struct density density;
    struct tone tone;
    /* Number after which it is complete, rounded up to DENSITY_CHUNK; UINT64_MAX: never. */
    uint64_t samples;
    /* Cells for `density` (density_cells.h). A backend adds a reference of its own. */
    struct density_cells *cells;
    /* May be NULL: counts of an equal request (except tone, samples and generation) to continue
     * from; they must live until submit returns. */
    const struct density_counts *start;
};

/* Settings that decide the colours of a picture. */
struct look {
    bool orbit_density; /* true: `tone` decides the colours; false: `colouring` */
    struct tone tone;
    struct colouring colouring;
    /* Density pictures: the counted orbits and channels. Backends have them in their request. */
    enum density_orbits orbits;
    int channels;
};

/* Initialises to the home view, double, without cells. */
void density_req_init(struct density_req *req, int width_px, int height_px);
/* Copies a request with a reference to the cells, without `start`. */
void density_req_init_copy(struct density_req *req, const struct density_req *from);
/* Removes the reference to the cells. */
void density_req_finish(struct density_req *req);
/* Returns the reason why a request cannot be drawn, or NULL if it can. Static text. */
const char *density_req_problem(const struct density_req *req);

/* Returns the number type for a view: the given one, or automatically float while its points are
 * within a sixteenth of a pixel. (Rounding turns an orbit into that of a neighbouring c; the
 * density is the same.) */
enum number_type density_type(const struct view *view, int width_px, int height_px,
                              enum precision precision);

#endif
