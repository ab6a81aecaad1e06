/* What is iterated: one formula, or several in turn (a hybrid), each with a power; as a set over c, or as the
 * Julia set of one c. Of a map (map.h) the steps after the first, and the power where it has none, are kept but
 * not used. */
#ifndef FATHOM_RENDER_FORMULA_FRACTAL_H
#define FATHOM_RENDER_FORMULA_FRACTAL_H

#include "render/formula/recipe.h"
#include "render/number/number_type.h"
#include <mpfr.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FRACTAL_PARAMETER_MAX 4 /* beyond 2 Julia sets are dust */
/* At which decimals are read, or at more if they have more digits: a view of 1e1000 depends on them all. */
#define FRACTAL_PARAMETER_BITS 4096
/* log2 of pixel steps from which on doubles hold all distances that matter in a set; wide numbers need that. */
#define FRACTAL_PLAIN_LOG2 (-900.0)

/* A step after the first one. */
struct fractal_step {
    uint8_t formula; /* enum formula, a power */
    uint8_t power;   /* 2 .. FORMULA_POWER_MAX */
};

struct fractal {
    enum formula formula; /* of the first step, with */
    uint32_t power;       /* 2 .. FORMULA_POWER_MAX */
    struct fractal_step then[RECIPE_STEPS_MAX - 1];
    uint32_t then_count; /* of them; 0: the first step again and again */
    uint32_t julia;      /* 0 or 1: points are where z starts, and c is the parameter, */
    mpfr_t re, im; /* -FRACTAL_PARAMETER_MAX .. that; precision a multiple of 64; 0 unless told */
};

/* z^2 + c over c. Pairs with fractal_finish. */
void fractal_init(struct fractal *fractal);
void fractal_init_copy(struct fractal *fractal, const struct fractal *from);
void fractal_finish(struct fractal *fractal);
/* Both are initialised already; the parameter's precision follows `from`. */
void fractal_assign(struct fractal *fractal, const struct fractal *from);
/* Whether all points have the same orbits; the parameter counts where it is used. */
bool fractal_equal(const struct fractal *a, const struct fractal *b);
/* Tells fractals apart that are not equal, but for one of 2^64 or so: for caches. */
uint64_t fractal_digest(const struct fractal *fractal);
/* Whether everything is within its range. */
bool fractal_is_valid(const struct fractal *fractal);
/* Whether it is a map; a formula's second power, step after step; the Mandelbrot set itself. */
bool fractal_is_map(const struct fractal *fractal);
bool fractal_is_square(const struct fractal *fractal);
bool fractal_is_mandelbrot(const struct fractal *fractal);
/* Whether its orbits have derivatives, for slopes, by whatever route: those of all but maps. */
bool fractal_has_slopes(const struct fractal *fractal);
/* Whether its orbits can be iterated around a reference: those of powers, as a set or as Julia sets with |c| <= 2. */
bool fractal_has_perturbed(const struct fractal *fractal);
/* Whether they reach to where doubles do not hold the distances of pixels: those of z^2 + c. */
bool fractal_has_extended(const struct fractal *fractal);
/* log2 of the pixel steps that they end at; -INFINITY: they do not. Orbits of a Julia set take a pixel's distance to the
 * power, where they have come to 0, and have no c to add. Not of a map. */
double fractal_finest_log2(const struct fractal *fractal);
/* Says why a fractal is not iterated in numbers of a type, NULL when it is. Static text. */
const char *fractal_type_problem(const struct fractal *fractal, enum number_type type);

/* Its steps; not of a map. */
struct step_list fractal_steps(const struct fractal *fractal);
/* What kernels iterate, in numbers of a type. */
void fractal_recipe(const struct fractal *fractal, enum number_type type, struct recipe *recipe);

/* z^2 + c from 0. */
extern const struct recipe recipe_square;

/* The steps after the first as people write them, "burning_ship 3, tricorn", the second power left out; ""
 * where there are none. */
#define FRACTAL_THEN_SIZE 256
void fractal_then_text(const struct fractal *fractal, char text[FRACTAL_THEN_SIZE]);
/* Reads that. False: it is none, and nothing has changed. */
bool fractal_set_then(struct fractal *fractal, const char *text);
/* Room for any name. */
#define FRACTAL_NAME_SIZE 272
/* A name for people, in at most `size` bytes: "mandelbrot", "burning_ship^3", "Julia set of tricorn". */
void fractal_name(const struct fractal *fractal, char *name, size_t size);

extern const char *const formula_names[]; /* by enum formula, then NULL */

#ifdef __cplusplus
}
#endif

#endif
