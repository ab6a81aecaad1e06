/* Gradient: colours at places (stops), and the interpolation between them. It is a plain value,
 * copied by assignment; gradient_table computes the table that kernels read.
 *
 * Without `mirrored` the gradient is cyclic: the last colour blends into the first. With it, the
 * gradient runs from place 0 to place 1 and back within one turn, and its ends keep their
 * colours. */
#ifndef FATHOM_RENDER_GRADIENT_GRADIENT_H
#define FATHOM_RENDER_GRADIENT_GRADIENT_H

#include "render/colour.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GRADIENT_STOPS_MAX  256
#define GRADIENT_LABEL_MAX  19 /* [bytes] longest label */
#define GRADIENT_PERIOD_MIN 0.001
#define GRADIENT_PERIOD_MAX 1e9

enum interpolation {
    INTERPOLATION_NONE,   /* bands: the colour of the nearest stop */
    INTERPOLATION_SMOOTH, /* cubic curves through sRGB bytes, without overshoot */
    INTERPOLATION_LINEAR, /* straight lines between sRGB bytes */
    INTERPOLATION_OKLAB,  /* cubic curves in Oklab, which avoid grey between two hues */
    INTERPOLATION_COUNT
};

struct gradient_stop {
    double place;                       /* place, 0 .. 1; ascending */
    uint32_t rgba;                      /* opaque colour */
    char label[GRADIENT_LABEL_MAX + 1]; /* label; "": none */
};

struct gradient {
    enum interpolation interpolation;
    bool mirrored;
    double offset;                 /* [turns] place at which the table begins, 0 <= offset < 1 */
    double hue;                    /* [degrees] rotation of the hue of all colours, -180 .. 180 */
    double saturation, brightness; /* factors of chroma and lightness, 0 .. 2 */
    double period;                 /* counts per turn */
    uint32_t interior;             /* opaque colour of interior samples */
    int count;                     /* number of stops, 1 .. GRADIENT_STOPS_MAX */
    struct gradient_stop stops[GRADIENT_STOPS_MAX];
};

extern const char *const interpolation_names[]; /* by enum, then NULL */

/* Initialises a gradient without stops: smooth, a period of 64, black interior, no adjustments. */
void gradient_init(struct gradient *gradient);
/* Returns the reason why a gradient has no table, or NULL if it has one. Static text. */
const char *gradient_problem(const struct gradient *gradient);
/* Computes the table of a gradient without problems. Equal gradients give equal bytes. */
void gradient_table(const struct gradient *gradient, uint32_t table[COLOUR_TABLE_SIZE]);
bool gradient_equal(const struct gradient *a, const struct gradient *b);

/* Evenly spaced stops have place i / count, which files omit. */
bool gradient_is_even(const struct gradient *gradient);
void gradient_space_evenly(struct gradient *gradient);

/* Edit the stops and keep their order. They return the new index of the stop, or -1: there is no
 * room for another stop, or the only stop would be deleted. A colour of 0 means the gradient's
 * colour at that place. */
int gradient_add(struct gradient *gradient, double place, uint32_t rgba);
int gradient_move(struct gradient *gradient, int stop, double place);
int gradient_delete(struct gradient *gradient, int stop);

#ifdef __cplusplus
}
#endif

#endif
