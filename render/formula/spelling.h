/* Formulas as Kalles Fraktaler and Fraktaler-3 spell them: what becomes of the parts of z, one thing after another,
 * before and after a power of it. They are told as fathom's own where those do exactly the same. */
#ifndef FATHOM_RENDER_FORMULA_SPELLING_H
#define FATHOM_RENDER_FORMULA_SPELLING_H

#include "render/formula/fractal.h"

/* Of a part: -1 times it, or its size, or -1 times that; the size comes first. */
#define SPELLING_NEGATIVE 1u
#define SPELLING_SIZE     2u

struct spelling_parts {
    uint8_t x, y;
};

/* One step, up to where c is added. */
struct spelling {
    struct spelling_parts before, after; /* z's parts before the power, and those of the power */
    uint32_t power;                      /* 1: none as yet */
    struct spelling_parts stored;        /* those before the power when z was stored, */
    uint32_t stored_power;               /* and its power */
};

/* Steps that take turns. */
struct spelling_steps {
    struct fractal_step step[RECIPE_STEPS_MAX];
    uint32_t count;
};

/* Begins a step with z itself. */
void spelling_begin(struct spelling *spelling);
/* Replace a part of what z has become, x or y, by its size, and by its negative. */
void spelling_fold(struct spelling *spelling, bool y);
void spelling_negate(struct spelling *spelling, bool y);
/* Raises it to a power. False: what comes of it is none of fathom's formulas. */
bool spelling_raise(struct spelling *spelling, uint32_t power);
/* Adds the step to others. False: it is none of fathom's formulas, or one too many. */
bool spelling_end(const struct spelling *spelling, struct spelling_steps *steps);

/* A step in Fraktaler-3's words, "absx absy sqr add". False: as spelling_end. */
bool spelling_read_words(const char *text, struct spelling_steps *steps);
/* All steps of a hybrid formula of Kalles Fraktaler, "0/1|0,0,0,0,2,1,0;0,0,0,0,0,0,0;0". False: likewise. */
bool spelling_read_hybrid(const char *text, struct spelling_steps *steps);

/* Gives a fractal these steps, at least one, over c; those that repeat themselves are told once. */
void spelling_apply(const struct spelling_steps *steps, struct fractal *fractal);

#endif
