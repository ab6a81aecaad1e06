/* Fractal: the iterated formulas, as a set over c or as the Julia set of one c. A fractal is one
 * formula or a hybrid, several formulas in turn, each with a power. A map (map.h) ignores the steps
 * after the first, and also the power unless the map has one. Both are kept. */
#ifndef FATHOM_RENDER_FORMULA_FRACTAL_H
#define FATHOM_RENDER_FORMULA_FRACTAL_H

#include "render/formula/recipe.h"
#include "render/number/number_type.h"
#include <mpfr.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FRACTAL_PARAMETER_MAX 4 /* bound of |re| and |im|; Julia sets beyond |c| = 2 are dust */
/* [bits] precision at which decimals are read, unless they have more digits: a view at 1e1000
 * depends on all of them */
#define FRACTAL_PARAMETER_BITS 4096
/* log2 of the smallest pixel step at which doubles hold all distances that matter in a set; wide
 * numbers need that */
#define FRACTAL_PLAIN_LOG2 (-900.0)

/* Step of a hybrid after the first. */
struct fractal_step {
    uint8_t formula; /* enum formula, always a power */
    uint8_t power;   /* 2 .. FORMULA_POWER_MAX */
};

struct fractal {
    enum formula formula; /* formula of the first step */
    uint32_t power;       /* power of the first step, 2 .. FORMULA_POWER_MAX */
    struct fractal_step then[RECIPE_STEPS_MAX - 1];
    uint32_t then_count; /* number of steps in `then`; 0: the first step repeats */
    uint32_t julia;      /* 0 or 1: z starts at the point, and c is the parameter */
    /* Parameter of a Julia set, each part within +-FRACTAL_PARAMETER_MAX; 0 unless set. The
     * precision is a multiple of 64. */
    mpfr_t re, im;
};

/* Initialises to z^2 + c over c. Pairs with fractal_finish. */
void fractal_init(struct fractal *fractal);
void fractal_init_copy(struct fractal *fractal, const struct fractal *from);
void fractal_finish(struct fractal *fractal);
/* Copies between initialised fractals; the precision of the parameter follows `from`. */
void fractal_assign(struct fractal *fractal, const struct fractal *from);
/* Returns true if all points have the same orbits; the parameter is compared only if it is used. */
bool fractal_equal(const struct fractal *a, const struct fractal *b);
/* Returns a hash for caches, whose keys it identifies: two different fractals collide with a
 * probability of about 2^-64. */
uint64_t fractal_digest(const struct fractal *fractal);
/* Returns true if every member is within its range. */
bool fractal_is_valid(const struct fractal *fractal);
/* Return true if the fractal is a map; repeats the second power of one formula; is the Mandelbrot
 * set. */
bool fractal_is_map(const struct fractal *fractal);
bool fractal_is_square(const struct fractal *fractal);
bool fractal_is_mandelbrot(const struct fractal *fractal);
/* Returns true if orbits have derivatives for slopes, on any route: all fractals except maps. */
bool fractal_has_slopes(const struct fractal *fractal);
/* Returns true if orbits can be iterated around a reference: powers, as a set or as a Julia set
 * with |c| <= 2. */
bool fractal_has_perturbed(const struct fractal *fractal);
/* Returns true if all steps are z^2 + c, as a set or as a Julia set. Kernels around a reference
 * have code of their own for it. */
bool fractal_is_quadratic(const struct fractal *fractal);
/* Returns log2 of the smallest pixel step; -INFINITY if there is no limit. Not for maps. Orbits of
 * a Julia set that come near 0 raise the distance of a pixel to the power and add no c. */
double fractal_finest_log2(const struct fractal *fractal);
/* Returns the reason why orbits are not computed in numbers of a type, or NULL if they can be.
 * Static text. */
const char *fractal_type_problem(const struct fractal *fractal, enum number_type type);

/* Returns the steps; not for maps. */
struct step_list fractal_steps(const struct fractal *fractal);
/* Stores the recipe of kernels for numbers of a type. */
void fractal_recipe(const struct fractal *fractal, enum number_type type, struct recipe *recipe);

/* Recipe of z^2 + c from 0. */
extern const struct recipe recipe_square;

/* Prints the steps after the first as in options and files, "burning_ship 3, tricorn"; second
 * powers are omitted. The text is "" without such steps. */
#define FRACTAL_THEN_SIZE 256
void fractal_then_text(const struct fractal *fractal, char text[FRACTAL_THEN_SIZE]);
/* Parses the text of fractal_then_text. Returns false on a syntax error and changes nothing. */
bool fractal_set_then(struct fractal *fractal, const char *text);
/* [bytes] room for any name */
#define FRACTAL_NAME_SIZE 272
/* Prints a display name, in at most `size` bytes: "mandelbrot", "burning_ship^3", "Julia set of
 * tricorn". */
void fractal_name(const struct fractal *fractal, char *name, size_t size);

extern const char *const formula_names[]; /* by enum formula, then NULL */

#ifdef __cplusplus
}
#endif

#endif
