/* Orbit density (the Buddhabrot): how often orbits of random c visit each pixel. What is asked for,
 * and what is counted.
 *
 * A sample is a c of the sampling domain; its orbit is z_1 = c, z_2 = f(z_1), ... in canonical
 * arithmetic. It escapes after n steps when |z_n|^2 >= 4 first holds; one that does not
 * within `limit` is bounded. Counted are the points z_1 .. z_n of orbits that escape with least <=
 * n <= limit, n = 1 never; the escaped point is among them so that the picture has no edge at |z| =
 * 2. The anti-Buddhabrot counts z_1 .. z_limit of the bounded ones. The domain is |re c| < 2, |im
 * c| < 2.
 *
 * Only c with im c >= 0 are sampled, since conjugate ones have conjugate orbits. Where the
 * picture's pixels are symmetric about the real axis, its histogram is folded there: a stored pixel
 * counts the points of two, and showing it mirrors it. Otherwise every point is counted with its
 * conjugate. */
#ifndef FATHOM_RENDER_DENSITY_DENSITY_H
#define FATHOM_RENDER_DENSITY_DENSITY_H

#include "render/density/density_rule.h"
#include "render/density/tone.h"
#include "render/plan.h"

#define DENSITY_PIXELS_MAX (1u << 30)
/* Goes up whenever another c becomes sample s, or another point is counted: saved runs cannot go on
 * then, and screenshots get other noise. 2: the order of a cell's squares is scrambled. */
#define DENSITY_SAMPLING 2
#define DENSITY_CHUNK    64u /* samples come in multiples of this: two clumps (density_sample.h) */

enum density_orbits {
    DENSITY_ESCAPING, /* the Buddhabrot */
    DENSITY_BOUNDED,  /* the anti-Buddhabrot */
    DENSITY_ORBITS_COUNT
};

/* In the order of their enums, NULL-terminated. */
extern const char *const density_orbits_names[]; /* "escaping", "bounded" */

/* Everything that decides the counts but the view, the size and the number type. */
struct density {
    enum density_orbits orbits;
    int channels; /* 1, or 3: red, green and blue (the Nebulabrot) */
    /* The shortest orbit counted. 0: 20, the shorter ones being but fog, or two fifths of the
     * smallest limit if that is less. Bounded orbits have none. */
    uint32_t least;
    uint32_t limit[DENSITY_PLANES_MAX]; /* of each channel, 1 .. FRAME_LIMIT_MAX */
    uint64_t random;                    /* the generator's key */
};

/* One channel, escaping, least 0, FRAME_LIMIT_DEFAULT, random 0. */
void density_init(struct density *density);
/* `least`, or what its 0 means; from 1. */
uint32_t density_least(const struct density *density);
/* Says why it cannot be, NULL when it can. Static text. */
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
    uint64_t samples; /* when it is done; rounded up to DENSITY_CHUNK; UINT64_MAX: never */
    /* Made for `density` (density_cells.h). A backend takes a reference of its own. */
    struct density_cells *cells;
    /* What to go on from: the counts of an equal request (but for tone, samples, generation); lent
     * until submit returns. NULL: from nothing. */
    const struct density_counts *start;
};

/* What gives a picture its colours. */
struct look {
    bool orbit_density; /* the tone does, otherwise the colouring */
    struct tone tone;
    struct colouring colouring;
    /* Of a density picture: what it is of. Backends know that from its request. */
    enum density_orbits orbits;
    int channels;
};

/* The home view, double, no cells. */
void density_req_init(struct density_req *req, int width_px, int height_px);
/* Takes a reference of the cells; `start` is not copied. */
void density_req_init_copy(struct density_req *req, const struct density_req *from);
/* Gives the reference of the cells back. */
void density_req_finish(struct density_req *req);
/* Says why a request cannot be drawn, NULL when it can. Static text. */
const char *density_req_problem(const struct density_req *req);

/* The number type for a view: float while that places points to a sixteenth of a pixel or better,
 * unless a type is asked for. (Rounding makes an orbit that of a neighbouring c; the density is the
 * same.) */
enum number_type density_type(const struct view *view, int width_px, int height_px,
                              enum precision precision);

#endif
