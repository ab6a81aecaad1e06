/* Formula import: steps as Kalles Fraktaler and Fraktaler-3 spell them, translated to fathom's
 * formulas. A spelling is a sequence of operations on the parts of z, before and after a power. It
 * is translated only if one of fathom's formulas does exactly the same. */
#ifndef FATHOM_RENDER_FORMULA_SPELLING_H
#define FATHOM_RENDER_FORMULA_SPELLING_H

#include "render/formula/fractal.h"

/* Bits of a part: SPELLING_SIZE takes its absolute value, then SPELLING_NEGATIVE negates it. */
#define SPELLING_NEGATIVE 1u
#define SPELLING_SIZE     2u

struct spelling_parts {
    uint8_t x, y;
};

/* Flags (SPELLING_) of the two parts of z. */
struct spelling {
    struct spelling_parts before, after; /* flags before the power, and of the power */
    uint32_t power;                      /* 1: no power yet */
    struct spelling_parts stored;        /* `before` at the time of the word "store" */
    uint32_t stored_power;               /* `power` at that time; 0: nothing usable is stored */
};

/* Steps of a hybrid. */
struct spelling_steps {
    struct fractal_step step[RECIPE_STEPS_MAX];
    uint32_t count;
};

/* Initialises a step to z itself. */
void spelling_begin(struct spelling *spelling);
/* Replace a part of the current z, x or y, by its absolute value, or by its negative. */
void spelling_fold(struct spelling *spelling, bool y);
void spelling_negate(struct spelling *spelling, bool y);
/* Raises the current z to a power. Returns false if fathom has no such formula. */
bool spelling_raise(struct spelling *spelling, uint32_t power);
/* Appends the step to `steps`. Returns false if fathom has no such formula, or if `steps` is
 * full. */
bool spelling_end(const struct spelling *spelling, struct spelling_steps *steps);

/* Reads one step in the words of Fraktaler-3, "absx absy sqr add". Returns false as spelling_end
 * does, or on a syntax error. */
bool spelling_read_words(const char *text, struct spelling_steps *steps);
/* Reads all steps of a hybrid formula of Kalles Fraktaler, "0/1|0,0,0,0,2,1,0;0,0,0,0,0,0,0;0".
 * Returns false as above. */
bool spelling_read_hybrid(const char *text, struct spelling_steps *steps);

/* Stores the steps, at least one, in a fractal over c; a sequence that repeats is stored once. */
void spelling_apply(const struct spelling_steps *steps, struct fractal *fractal);

#endif
