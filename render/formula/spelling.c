/* Formula import: brings steps into a normal form, in which steps of equal effect are equal, and
 * finds the formula of fathom with that normal form. */
#include "render/formula/spelling.h"
#include "render/base/ini.h"
#include <string.h>

void spelling_begin(struct spelling *spelling) {
    *spelling = (struct spelling){.power = 1, .stored_power = 1};
}

static uint8_t *last_part(struct spelling *spelling, bool y) {
    struct spelling_parts *parts = spelling->power > 1 ? &spelling->after : &spelling->before;
    return y ? &parts->y : &parts->x;
}

void spelling_fold(struct spelling *spelling, bool y) {
    *last_part(spelling, y) = SPELLING_SIZE;
}

void spelling_negate(struct spelling *spelling, bool y) {
    *last_part(spelling, y) ^= SPELLING_NEGATIVE;
}

static bool is_changed(const struct spelling_parts *parts) {
    return parts->x || parts->y;
}

bool spelling_raise(struct spelling *spelling, uint32_t power) {
    if (power == 0 || power > FORMULA_POWER_MAX / spelling->power)
        return false;
    if (power > 1 && is_changed(&spelling->after))
        return false;
    spelling->power *= power;
    return true;
}

static void store(struct spelling *spelling) {
    spelling->stored = spelling->before;
    spelling->stored_power = is_changed(&spelling->after) ? 0 : spelling->power;
}

/* Multiplies by the stored z. Returns false unless it is a power of the same folded z. */
static bool multiply(struct spelling *spelling) {
    const uint32_t power = spelling->power + spelling->stored_power;
    if (spelling->stored_power == 0 || power > FORMULA_POWER_MAX || is_changed(&spelling->after) ||
        spelling->stored.x != spelling->before.x || spelling->stored.y != spelling->before.y)
        return false;
    spelling->power = power;
    return true;
}

/* --- fathom's formulas --- */

/* Moves signs from before the power to after the power: (-x + iy)^p is minus the conjugate of (x +
 * iy)^p for odd p, and the conjugate for even p. (x - iy)^p is the conjugate. */
static void move_signs(struct spelling *spelling) {
    const bool odd = spelling->power % 2;
    struct spelling_parts *before = &spelling->before, *after = &spelling->after;
    const uint8_t x = before->x & SPELLING_NEGATIVE, y = before->y & SPELLING_NEGATIVE;
    if (!(after->x & SPELLING_SIZE) && odd)
        after->x ^= x;
    if (!(after->y & SPELLING_SIZE))
        after->y ^= y ^ (odd ? 0 : x);
    before->x &= SPELLING_SIZE;
    before->y &= SPELLING_SIZE;
}

/* Removes folds without effect: folds that change only signs of which an absolute value is taken
 * later. */
static void leave_out(struct spelling *spelling) {
    const bool odd = spelling->power % 2;
    struct spelling_parts *before = &spelling->before;
    const struct spelling_parts *after = &spelling->after;
    if ((odd ? after->x : after->y) & SPELLING_SIZE)
        before->x = 0;
    if (after->y & SPELLING_SIZE)
        before->y = 0;
    /* 2|x||y| = |2xy|; the real part of a square does not depend on the signs of x and y. */
    if (spelling->power == 2 && before->x && before->y) {
        before->x = before->y = 0;
        spelling->after.y |= SPELLING_SIZE;
    }
}

static struct spelling normal_form(struct spelling spelling) {
    move_signs(&spelling);
    leave_out(&spelling);
    return spelling;
}

static struct spelling own_formula(int formula, uint32_t power) {
    const unsigned folds = formula_folds(formula);
    struct spelling spelling;
    spelling_begin(&spelling);
    if (folds & FOLD_X)
        spelling_fold(&spelling, false);
    if (folds & FOLD_Y)
        spelling_fold(&spelling, true);
    if (folds & FOLD_NEGATE)
        spelling_negate(&spelling, true);
    spelling_raise(&spelling, power);
    if (folds & FOLD_RE)
        spelling_fold(&spelling, false);
    if (folds & FOLD_IM)
        spelling_fold(&spelling, true);
    return spelling;
}

static bool same_parts(struct spelling_parts a, struct spelling_parts b) {
    return a.x == b.x && a.y == b.y;
}

bool spelling_end(const struct spelling *spelling, struct spelling_steps *steps) {
    if (spelling->power < 2 || steps->count == RECIPE_STEPS_MAX)
        return false;
    const struct spelling wanted = normal_form(*spelling);
    for (int formula = 0; formula < FORMULA_POWERS; formula++) {
        const struct spelling own = normal_form(own_formula(formula, spelling->power));
        if (!same_parts(own.before, wanted.before) || !same_parts(own.after, wanted.after))
            continue;
        steps->step[steps->count++] =
            (struct fractal_step){(uint8_t)formula, (uint8_t)spelling->power};
        return true;
    }
    return false;
}

/* --- Fraktaler-3 --- */

static bool do_word(struct spelling *spelling, const char *word) {
    static const char *const words[] = {"absx", "absy", "negx",  "negy",
                                        "sqr",  "mul",  "store", NULL};
    const int id = ini_choice(word, words);
    if (id == 4)
        return spelling_raise(spelling, 2);
    if (id == 5)
        return multiply(spelling);
    if (id == 6)
        store(spelling);
    else if (id == 0 || id == 1)
        spelling_fold(spelling, id == 1);
    else if (id == 2 || id == 3)
        spelling_negate(spelling, id == 3);
    return id >= 0;
}

bool spelling_read_words(const char *text, struct spelling_steps *steps) {
    struct spelling spelling;
    char word[8];
    spelling_begin(&spelling);
    for (;;) {
        text += strspn(text, " \t");
        const size_t length = strcspn(text, " \t");
        if (length == 0 || length >= sizeof word)
            return false;
        memcpy(word, text, length);
        word[length] = '\0';
        text += length;
        if (strcmp(word, "add") == 0)
            return text[strspn(text, " \t")] == '\0' && spelling_end(&spelling, steps);
        if (!do_word(&spelling, word))
            return false;
    }
}

/* --- Kalles Fraktaler --- */

/* Reads a number and the character after it, which must be in `ends` ("" is the end of the text).
 * Moves *text past both, but not past the end of the text. */
static bool take_number(const char **text, const char *ends, double *number) {
    const size_t length = strspn(*text, "0123456789+-.eE");
    char digits[32];
    if (length == 0 || length >= sizeof digits)
        return false;
    memcpy(digits, *text, length);
    digits[length] = '\0';
    const char end = (*text)[length];
    *text += length + (end != '\0');
    return ini_number(digits, number) &&
           (end == '\0' ? ends[0] == '\0' : strchr(ends, end) != NULL);
}

/* Numbers of an operation on z, or on the result of the line before: "0,0,0,0,2,1,0;" is |x|, |y|,
 * -x, -y, the power, and the parts of a factor. */
enum { ABS_X, ABS_Y, NEG_X, NEG_Y, POWER, FACTOR_RE, FACTOR_IM, NUMBERS };

static bool take_operation(const char **text, double number[NUMBERS]) {
    for (int i = 0; i < NUMBERS; i++)
        if (!take_number(text, i == FACTOR_IM ? ";" : ",", &number[i]))
            return false;
    return true;
}

static bool is_zero(const double number[NUMBERS]) {
    return number[POWER] == 0 && number[FACTOR_RE] == 0 && number[FACTOR_IM] == 0;
}

static bool do_operation(struct spelling *spelling, const double number[NUMBERS]) {
    if (number[FACTOR_RE] != 1 || number[FACTOR_IM] != 0)
        return false;
    for (int i = ABS_X; i <= ABS_Y; i++)
        if (number[i] != 0)
            spelling_fold(spelling, i == ABS_Y);
    for (int i = NEG_X; i <= NEG_Y; i++)
        if (number[i] != 0)
            spelling_negate(spelling, i == NEG_Y);
    for (uint32_t power = 1; power <= FORMULA_POWER_MAX; power++)
        if (number[POWER] == power)
            return spelling_raise(spelling, power);
    return false;
}

/* Reads a step: "1|A;B;0|C;D;0/" is performed once, A and then C. B and D are zeros, added or
 * subtracted (0, 1). *end becomes the character after the step, '/' or '\0'. */
static bool take_step(const char **text, struct spelling *spelling, double *repeats, char *end) {
    double one[NUMBERS], two[NUMBERS], mode;
    spelling_begin(spelling);
    if (!take_number(text, "|", repeats))
        return false;
    do {
        if (!take_operation(text, one) || !take_operation(text, two))
            return false;
        const size_t length = strspn(*text, "01");
        *end = (*text)[length];
        if (!take_number(text, *end == '\0' ? "" : "|/", &mode) || length != 1 || !is_zero(two) ||
            !do_operation(spelling, one))
            return false;
    } while (*end == '|');
    return true;
}

bool spelling_read_hybrid(const char *text, struct spelling_steps *steps) {
    double first, repeats;
    char end;
    if (!take_number(&text, "/", &first) || first != 0)
        return false;
    do {
        struct spelling spelling;
        if (!take_step(&text, &spelling, &repeats, &end))
            return false;
        if (end == '\0' && steps->count == 0 && repeats >= 1)
            repeats = 1; /* a single step repeats anyway */
        if (!(repeats >= 1 && repeats <= RECIPE_STEPS_MAX) || repeats != (uint32_t)repeats)
            return false;
        for (; repeats > 0; repeats--)
            if (!spelling_end(&spelling, steps))
                return false;
    } while (end == '/');
    return true;
}

/* --- to a fractal --- */

static bool repeats_after(const struct spelling_steps *steps, uint32_t period) {
    bool same = steps->count % period == 0;
    for (uint32_t i = period; same && i < steps->count; i++)
        same = steps->step[i].formula == steps->step[i - period].formula &&
               steps->step[i].power == steps->step[i - period].power;
    return same;
}

void spelling_apply(const struct spelling_steps *steps, struct fractal *fractal) {
    uint32_t period = 1;
    while (!repeats_after(steps, period))
        period++;
    fractal->formula = steps->step[0].formula;
    fractal->power = steps->step[0].power;
    fractal->then_count = period - 1;
    memcpy(fractal->then, steps->step + 1, (period - 1) * sizeof *steps->step);
    fractal->julia = 0;
}
