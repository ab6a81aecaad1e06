/* Fractals: values, their steps as text, and the recipes of kernels. */
#include "render/formula/fractal.h"
#include "render/formula/map.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static_assert(FORMULA_COUNT <= UINT8_MAX && RECIPE_STEPS_MAX <= UINT8_MAX, "steps are bytes");

const char *const formula_names[] = {
#define FORMULA_NAME(name, ...) #name,
    FORMULA_LIST(FORMULA_NAME) FORMULA_MAP_LIST(FORMULA_NAME)
#undef FORMULA_NAME
        NULL};

void fractal_init(struct fractal *fractal) {
    *fractal = (struct fractal){.formula = FORMULA_mandelbrot, .power = 2};
    mpfr_inits2(64, fractal->re, fractal->im, (mpfr_ptr)NULL);
    mpfr_set_zero(fractal->re, 1);
    mpfr_set_zero(fractal->im, 1);
}

void fractal_init_copy(struct fractal *fractal, const struct fractal *from) {
    fractal_init(fractal);
    fractal_assign(fractal, from);
}

void fractal_finish(struct fractal *fractal) {
    mpfr_clears(fractal->re, fractal->im, (mpfr_ptr)NULL);
}

static void assign_number(mpfr_t to, mpfr_srcptr from) {
    mpfr_set_prec(to, mpfr_get_prec(from));
    mpfr_set(to, from, MPFR_RNDN);
}

void fractal_assign(struct fractal *fractal, const struct fractal *from) {
    if (fractal == from)
        return;
    assign_number(fractal->re, from->re);
    assign_number(fractal->im, from->im);
    fractal->formula = from->formula;
    fractal->power = from->power;
    memcpy(fractal->then, from->then, sizeof fractal->then);
    fractal->then_count = from->then_count;
    fractal->julia = from->julia;
}

static bool same_steps(const struct fractal *a, const struct fractal *b) {
    bool same = a->formula == b->formula && a->power == b->power && a->then_count == b->then_count;
    for (uint32_t i = 0; same && i < a->then_count; i++)
        same = a->then[i].formula == b->then[i].formula && a->then[i].power == b->then[i].power;
    return same;
}

bool fractal_equal(const struct fractal *a, const struct fractal *b) {
    return same_steps(a, b) && a->julia == b->julia &&
           (!a->julia || (mpfr_equal_p(a->re, b->re) && mpfr_equal_p(a->im, b->im)));
}

/* Adds a number to the digest (FNV-1a). */
static uint64_t digest_number(uint64_t digest, uint64_t number) {
    for (int i = 0; i < 8; i++, number >>= 8)
        digest = (digest ^ (number & 0xff)) * 0x100000001b3u;
    return digest;
}

/* Adds the value of a number, independent of its precision. */
static uint64_t digest_real(uint64_t digest, mpfr_srcptr number) {
    mpz_t whole;
    if (mpfr_zero_p(number))
        return digest_number(digest, 0);
    mpz_init(whole);
    mpfr_exp_t exponent = mpfr_get_z_2exp(whole, number);
    const mp_bitcnt_t zeros = mpz_scan1(whole, 0);
    mpz_tdiv_q_2exp(whole, whole, zeros);
    digest = digest_number(digest, (uint64_t)(exponent + (mpfr_exp_t)zeros));
    digest = digest_number(digest, mpz_sgn(whole) < 0);
    for (size_t i = 0; i < mpz_size(whole); i++)
        digest = digest_number(digest, mpz_getlimbn(whole, (mp_size_t)i));
    mpz_clear(whole);
    return digest;
}

uint64_t fractal_digest(const struct fractal *fractal) {
    uint64_t digest = digest_number(0xcbf29ce484222325u, fractal->formula);
    digest = digest_number(digest, fractal->power);
    for (uint32_t i = 0; i < fractal->then_count; i++)
        digest = digest_number(digest, fractal->then[i].formula * 256u + fractal->then[i].power);
    if (!fractal->julia)
        return digest;
    return digest_real(digest_real(digest_number(digest, 1), fractal->re), fractal->im);
}

static bool is_step(uint32_t formula, uint32_t power) {
    return formula < FORMULA_POWERS && power >= 2 && power <= FORMULA_POWER_MAX;
}

static bool is_parameter(mpfr_srcptr number) {
    return mpfr_number_p(number) && mpfr_cmp_si(number, FRACTAL_PARAMETER_MAX) <= 0 &&
           mpfr_cmp_si(number, -FRACTAL_PARAMETER_MAX) >= 0;
}

bool fractal_is_valid(const struct fractal *fractal) {
    const uint32_t first = fractal_is_map(fractal) ? 0 : (uint32_t)fractal->formula;
    bool valid = fractal->formula < FORMULA_COUNT && is_step(first, fractal->power) &&
                 fractal->then_count < RECIPE_STEPS_MAX && is_parameter(fractal->re) &&
                 is_parameter(fractal->im);
    for (uint32_t i = 0; valid && i < fractal->then_count; i++)
        valid = is_step(fractal->then[i].formula, fractal->then[i].power);
    return valid;
}

bool fractal_is_map(const struct fractal *fractal) {
    return formula_is_map((int)fractal->formula);
}

bool fractal_is_square(const struct fractal *fractal) {
    return !fractal_is_map(fractal) && fractal->power == 2 && fractal->then_count == 0;
}

bool fractal_is_mandelbrot(const struct fractal *fractal) {
    return fractal->formula == FORMULA_mandelbrot && fractal_is_square(fractal) && !fractal->julia;
}

bool fractal_has_slopes(const struct fractal *fractal) {
    return !fractal_is_map(fractal);
}

bool fractal_has_perturbed(const struct fractal *fractal) {
    const double re = mpfr_get_d(fractal->re, MPFR_RNDA), im = mpfr_get_d(fractal->im, MPFR_RNDA);
    return !fractal_is_map(fractal) && (!fractal->julia || re * re + im * im <= FORMULA_ESCAPE);
}

bool fractal_is_quadratic(const struct fractal *fractal) {
    return fractal->formula == FORMULA_mandelbrot && fractal_is_square(fractal);
}

double fractal_finest_log2(const struct fractal *fractal) {
    const struct step_list steps = fractal_steps(fractal);
    const double power = fractal->julia ? step_list_most_power(&steps) : 1;
    return fractal_is_quadratic(fractal) || !fractal->julia ? -INFINITY
                                                            : FRACTAL_PLAIN_LOG2 / power;
}

const char *fractal_type_problem(const struct fractal *fractal, enum number_type type) {
    return fractal_is_map(fractal) && type == TYPE_WIDE
               ? "this formula is not iterated in wide numbers"
               : NULL;
}

/* --- for kernels --- */

struct step_list fractal_steps(const struct fractal *fractal) {
    struct step_list steps = {0};
    step_list_add(&steps, fractal->power, formula_folds((int)fractal->formula));
    for (uint32_t i = 0; i < fractal->then_count; i++)
        step_list_add(&steps, fractal->then[i].power, formula_folds(fractal->then[i].formula));
    return steps;
}

const struct recipe recipe_square = {.kind = FORMULA_mandelbrot,
                                     .length = 1,
                                     .power = {2},
                                     .folds = {FOLD_NONE},
                                     .scale = {1},
                                     .escape = FORMULA_ESCAPE,
                                     .safe = FORMULA_SAFE};

/* 1 / log2(p), by power p */
static const float scales[FORMULA_POWER_MAX + 1] = {
    0, 0, 1, 0x1.43093ap-1f, 0.5f, 0x1.b90346p-2f, 0x1.8c2324p-2f, 0x1.6cc194p-2f, 0x1.555556p-2f};

static void add_step(struct recipe *recipe, uint32_t formula, uint32_t power) {
    recipe->power[recipe->length] = (uint8_t)power;
    recipe->folds[recipe->length] = (uint8_t)formula_folds((int)formula);
    recipe->scale[recipe->length] = scales[power];
    recipe->length++;
}

/* Rounds a number to the type; for wide numbers parts[1] becomes the rounded rest. */
static void split(mpfr_srcptr number, enum number_type type, double parts[2]) {
    mpfr_t rest;
    parts[0] = type == TYPE_FLOAT ? (double)mpfr_get_flt(number, MPFR_RNDN)
                                  : mpfr_get_d(number, MPFR_RNDN);
    mpfr_init2(rest, mpfr_get_prec(number) + DBL_MANT_DIG);
    mpfr_sub_d(rest, number, parts[0], MPFR_RNDN);
    parts[1] = type == TYPE_WIDE ? mpfr_get_d(rest, MPFR_RNDN) : 0;
    mpfr_clear(rest);
}

/* Sets the bounds that formula.h explains. |c|^2 is computed from the first parts, with the
 * rounding of the type. */
static void set_radius(struct recipe *recipe, enum number_type type) {
    const double re = recipe->parameter_re[0], im = recipe->parameter_im[0];
    const double c2 = type == TYPE_FLOAT ? (double)fmaf((float)re, (float)re, (float)(im * im))
                                         : fma(re, re, im * im);
    recipe->escape = c2 > FORMULA_ESCAPE ? c2 : FORMULA_ESCAPE;
    recipe->safe = c2 >= FORMULA_SAFE_BEYOND ? INFINITY : FORMULA_SAFE;
}

/* Returns |z|^2 beyond which all orbits of a Julia set escape, at most ESCAPE_FAR. There |c z(1 -
 * z)| > |z| (lambda), |z|^2 - |im c| |z| - |re c| > |z| (phoenix), or |c|(|z| - 1) > |z|
 * (barnsley). */
#define ESCAPE_FAR 0x1p40
static double map_julia_escape(int formula, double re, double im) {
    const double c = sqrt(re * re + im * im), s = 1 + fabs(im);
    const double radius = formula == FORMULA_lambda     ? 1 + 1 / c
                          : formula == FORMULA_phoenix  ? (s + sqrt(s * s + 4 * fabs(re))) / 2
                          : formula == FORMULA_barnsley ? (c > 1 ? c / (c - 1) : INFINITY)
                                                        : 0;
    return fmin(fmax(map_escape(formula), radius * radius), ESCAPE_FAR);
}

static void map_recipe(const struct fractal *fractal, enum number_type type,
                       struct recipe *recipe) {
    const int formula = (int)fractal->formula;
    *recipe = (struct recipe){.kind = (uint32_t)formula,
                              .length = 1,
                              .power = {(uint8_t)fractal->power},
                              .julia = fractal->julia,
                              .scale = {1},
                              .escape = map_escape(formula)};
    if (!fractal->julia)
        return;
    split(fractal->re, type, recipe->parameter_re);
    split(fractal->im, type, recipe->parameter_im);
    recipe->escape =
        (double)(float)map_julia_escape(formula, recipe->parameter_re[0], recipe->parameter_im[0]);
}

void fractal_recipe(const struct fractal *fractal, enum number_type type, struct recipe *recipe) {
    *recipe = (struct recipe){.escape = FORMULA_ESCAPE, .safe = FORMULA_SAFE};
    if (fractal_is_map(fractal)) {
        map_recipe(fractal, type, recipe);
        return;
    }
    add_step(recipe, fractal->formula, fractal->power);
    for (uint32_t i = 0; i < fractal->then_count; i++)
        add_step(recipe, fractal->then[i].formula, fractal->then[i].power);
    recipe->kind = fractal_is_square(fractal) ? (uint32_t)fractal->formula : RECIPE_LOOKED_UP;
    recipe->julia = fractal->julia;
    if (!fractal->julia)
        return;
    split(fractal->re, type, recipe->parameter_re);
    split(fractal->im, type, recipe->parameter_im);
    set_radius(recipe, type);
}

/* --- as text --- */

static size_t print_step(char *text, size_t size, uint32_t formula, uint32_t power,
                         const char *joint) {
    return power == 2
               ? (size_t)snprintf(text, size, "%s", formula_names[formula])
               : (size_t)snprintf(text, size, "%s%s%u", formula_names[formula], joint, power);
}

void fractal_then_text(const struct fractal *fractal, char text[FRACTAL_THEN_SIZE]) {
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < fractal->then_count && used < FRACTAL_THEN_SIZE; i++) {
        if (i > 0)
            used += (size_t)snprintf(text + used, FRACTAL_THEN_SIZE - used, ", ");
        if (used < FRACTAL_THEN_SIZE)
            used += print_step(text + used, FRACTAL_THEN_SIZE - used, fractal->then[i].formula,
                               fractal->then[i].power, " ");
    }
}

static int formula_of(const char *name, size_t length) {
    int formula = 0;
    while (formula_names[formula] && (strncasecmp(formula_names[formula], name, length) != 0 ||
                                      formula_names[formula][length] != '\0'))
        formula++;
    return formula;
}

/* Reads a name and an optional power after blanks; moves *text past both. */
static bool read_step(const char **text, struct fractal_step *step) {
    const size_t length = strcspn(*text, " ,");
    const int formula = formula_of(*text, length);
    *text += length;
    *text += strspn(*text, " ");
    *step = (struct fractal_step){(uint8_t)formula, 2};
    if (**text >= '2' && **text <= '0' + FORMULA_POWER_MAX)
        step->power = (uint8_t)(*(*text)++ - '0');
    *text += strspn(*text, " ");
    return length > 0 && formula < FORMULA_POWERS && (**text == ',' || **text == '\0');
}

bool fractal_set_then(struct fractal *fractal, const char *text) {
    struct fractal_step steps[RECIPE_STEPS_MAX - 1] = {{0, 0}};
    uint32_t count = 0;
    text += strspn(text, " ");
    while (*text) {
        if (count == RECIPE_STEPS_MAX - 1 || !read_step(&text, &steps[count++]))
            return false;
        if (*text == ',') {
            text++;
            text += strspn(text, " ");
            if (*text == '\0')
                return false;
        }
    }
    memcpy(fractal->then, steps, sizeof steps);
    fractal->then_count = count;
    return true;
}

void fractal_name(const struct fractal *fractal, char *name, size_t size) {
    const bool map = fractal_is_map(fractal);
    const uint32_t power = map && !map_has_power((int)fractal->formula) ? 2 : fractal->power;
    size_t used = (size_t)snprintf(name, size, "%s", fractal->julia ? "Julia set of " : "");
    if (used < size)
        used += print_step(name + used, size - used, fractal->formula, power, "^");
    for (uint32_t i = 0; !map && i < fractal->then_count && used < size; i++) {
        used += (size_t)snprintf(name + used, size - used, ", ");
        if (used < size)
            used += print_step(name + used, size - used, fractal->then[i].formula,
                               fractal->then[i].power, "^");
    }
}
