/* A gradient: colours at places, and what lies between them. It is a plain value, copied by
 * assignment; gradient_table makes of it the table that kernels read.
 *
 * With `mirrored` off the last colour leads round to the first one; with it on, the gradient runs
 * from place 0 to place 1 and back within one turn, and its ends hold their colours. */
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
#define GRADIENT_LABEL_MAX  19 /* bytes */
#define GRADIENT_PERIOD_MIN 0.001
#define GRADIENT_PERIOD_MAX 1e9

enum interpolation {
    INTERPOLATION_NONE,   /* bands: the nearest stop's colour */
    INTERPOLATION_SMOOTH, /* cubic curves through sRGB bytes that never overshoot */
    INTERPOLATION_LINEAR, /* straight lines between sRGB bytes */
    INTERPOLATION_OKLAB,  /* cubic curves in Oklab, which pass no grey between two hues' */
    INTERPOLATION_COUNT
};

struct gradient_stop {
    double place;                       /* 0 .. 1; none is before the one before it */
    uint32_t rgba;                      /* opaque */
    char label[GRADIENT_LABEL_MAX + 1]; /* "": none */
};

struct gradient {
    enum interpolation interpolation;
    bool mirrored;
    double offset;                 /* turns that the table begins along it, 0 <= offset < 1 */
    double hue;                    /* degrees that all colours are turned by, -180 .. 180 */
    double saturation, brightness; /* what chroma and lightness are multiplied by, 0 .. 2 */
    double period;                 /* counts per turn */
    uint32_t interior;             /* opaque */
    int count;                     /* of stops, 1 .. GRADIENT_STOPS_MAX */
    struct gradient_stop stops[GRADIENT_STOPS_MAX];
};

extern const char *const interpolation_names[]; /* by enum, then NULL */

/* Without stops; smooth, a period of 64, black inside, nothing adjusted. */
void gradient_init(struct gradient *gradient);
/* Why it makes no table; NULL: it does. Static text. */
const char *gradient_problem(const struct gradient *gradient);
/* The same gradient always gives the same bytes. It must have no problem. */
void gradient_table(const struct gradient *gradient, uint32_t table[COLOUR_TABLE_SIZE]);
bool gradient_equal(const struct gradient *a, const struct gradient *b);

/* The stops' places are all i / count, which files leave out. */
bool gradient_is_even(const struct gradient *gradient);
void gradient_space_evenly(struct gradient *gradient);

/* Edits; they keep the order and return where the stop is afterwards, -1: there is no room for one
 * more, or it would be the last one that goes. A colour of 0 is what the gradient has there. */
int gradient_add(struct gradient *gradient, double place, uint32_t rgba);
int gradient_move(struct gradient *gradient, int stop, double place);
int gradient_delete(struct gradient *gradient, int stop);

#ifdef __cplusplus
}
#endif

#endif
