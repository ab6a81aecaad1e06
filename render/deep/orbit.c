/* Reference orbits: the rounding of exact values, which all engines share, and the engine on GMP's
 * mpn functions, which every machine has. A step takes three squarings. From LIMBS_OF_PRODUCTS
 * limbs on, a step takes two products by MPFR instead, which leave out the lower halves. */
#include "render/deep/orbit.h"
#include "render/deep/crew.h"
#include <limits.h>
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

void orbit_value_init(struct orbit_value *value, unsigned limbs) {
    *value = (struct orbit_value){.limbs = limbs};
    value->re = calloc(2 * (size_t)limbs, sizeof *value->re);
    value->im = value->re ? value->re + limbs : NULL;
}

/* Rounds a part to nearest: *mantissa is in [0.5, 1]. Returns its exponent. */
static int32_t part_rounded(const mp_limb_t *limb, unsigned limbs, double *mantissa) {
    unsigned top = limbs;
    while (top > 0 && limb[top - 1] == 0)
        top--;
    if (top == 0)
        return orbit_rounded(0, false, 0, mantissa);
    const int zeros = __builtin_clzll(limb[top - 1]);
    uint64_t high = limb[top - 1] << zeros;
    unsigned rest = top - 1; /* limbs that are not wholly in `high` */
    if (zeros > 0 && top > 1)
        high |= limb[top - 2] >> (64 - zeros);
    bool more = false;
    if (orbit_is_tie(high)) { /* any bit below decides */
        more = zeros > 0 && rest > 0 && limb[rest - 1] << zeros != 0;
        for (unsigned i = 0; i + (zeros > 0) < rest && !more; i++)
            more = limb[i] != 0;
    }
    const int64_t exponent = ORBIT_INTEGER_BITS - zeros - 64 * (int64_t)(limbs - top);
    return orbit_rounded(high, more, (int32_t)exponent, mantissa);
}

__extension__ typedef unsigned __int128 wide_bits;

#define FEW 0x1p22 /* low parts below it, in units of 2^-128, have too few bits */

/* Returns the 64 bits of a number from a bit on, which is counted from its highest limb's highest
 * bit. */
static uint64_t bits_from(const mp_limb_t *limb, unsigned limbs, uint64_t bit) {
    const uint64_t i = bit / 64, shift = bit % 64;
    const uint64_t high = i < limbs ? limb[limbs - 1 - i] : 0;
    const uint64_t next = i + 1 < limbs ? limb[limbs - 2 - i] : 0;
    return shift > 0 ? high << shift | next >> (64 - shift) : high;
}

/* Returns the distance of a number from the double that its first 53 bits make. If `up` is true,
 * the double has one unit of the last bit more. The result is in units of twice the highest bit of
 * the highest limb. */
static double low_far(const mp_limb_t *limb, unsigned limbs, bool up) {
    const uint64_t flip = up ? UINT64_MAX : 0;
    uint64_t bit = (uint64_t)__builtin_clzll(limb[limbs - 1]) + 53, rest;
    while ((rest = bits_from(limb, limbs, bit) ^ flip) == 0 && bit < UINT64_C(64) * limbs)
        bit += 64;
    if (rest == 0)
        return 0;
    bit += (uint64_t)__builtin_clzll(rest);
    return ldexp((double)(bits_from(limb, limbs, bit) ^ flip), -64 - (int)bit);
}

double orbit_low(const mp_limb_t *limb, unsigned limbs, double rounded, int32_t log2) {
    unsigned top = limbs;
    while (top > 0 && limb[top - 1] == 0)
        top--;
    if (top == 0 || rounded == 0)
        return 0;
    /* The highest 128 bits of the value, of which `rounded` has 53; the others are its low part, or
     * what the low part lacks to a unit more. */
    const int zeros = __builtin_clzll(limb[top - 1]);
    wide_bits high = (wide_bits)limb[top - 1] << 64 | (top > 1 ? limb[top - 2] : 0);
    if (zeros > 0)
        high = high << zeros | (top > 2 ? limb[top - 3] >> (64 - zeros) : 0);
    const int exponent = (int)(ORBIT_INTEGER_BITS - zeros - 64 * (int64_t)(limbs - top) - log2);
    const wide_bits unit = (wide_bits)1 << 75, below = high & (unit - 1);
    const bool up = ldexp(fabs(rounded), 53 - exponent) > (double)(uint64_t)(high >> 75);
    const double low = up ? -(double)(unit - below) : (double)below;
    if (fabs(low) < FEW) {
        const double far = low_far(limb, top, up);
        return ldexp((rounded < 0) != up ? -far : far, exponent + zeros);
    }
    return ldexp(rounded < 0 ? -low : low, exponent - 128);
}

static double scaled(double mantissa, int32_t exponent) {
    const union {
        uint64_t bits;
        double number;
    } power = {.bits = (uint64_t)(exponent + 1023) << 52};
    return exponent > -1000 ? mantissa * power.number : ldexp(mantissa, exponent);
}

struct orbit_point orbit_point_join(double re, int32_t re_exponent, double im,
                                    int32_t im_exponent) {
    const int32_t larger = re_exponent > im_exponent ? re_exponent : im_exponent;
    const int32_t exponent = larger > ORBIT_SMALL || larger == INT32_MIN ? 0 : larger;
    return (struct orbit_point){re != 0 ? scaled(re, re_exponent - exponent) : 0,
                                im != 0 ? scaled(im, im_exponent - exponent) : 0, exponent};
}

struct orbit_point orbit_point(const struct orbit_value *value) {
    double re, im;
    const int32_t re_exponent = part_rounded(value->re, value->limbs, &re);
    const int32_t im_exponent = part_rounded(value->im, value->limbs, &im);
    return orbit_point_join(value->re_negative ? -re : re, re_exponent,
                            value->im_negative ? -im : im, im_exponent);
}

/* --- GMP's engine --- */

#define LIMBS_OF_PRODUCTS 40 /* from here on products are faster than squarings */
#define LIMBS_OF_TWO      48 /* from here on two threads are faster than one: measured */

/* Task of a crew: the numbers of a step. Values lie at the top of the room for the most limbs, so
 * that their number changes without moving them. */
struct task {
    const struct orbit *orbit;
    unsigned limbs, to; /* limbs of `part` and of `next` */
    bool negative[2], next_negative[2];
    mp_limb_t *part[2], *next[2]; /* re, im */
    mp_limb_t *difference;        /* |re| - |im|; all of these have room for the most limbs */
    mp_limb_t *square[3];         /* have room for twice as many */
};

#define TASK_ROOM 11 /* times the most limbs */

struct orbit {
    unsigned most;
    bool c_negative[2];
    mp_limb_t *c[2];
    struct task task[2]; /* a late helper holds one of them */
    unsigned at;         /* the task in use */
    struct crew *crew;
    mp_limb_t room[];
};

static void put_limbs(mp_limb_t *to, unsigned most, const mp_limb_t *from, unsigned limbs) {
    memset(to, 0, (most - limbs) * sizeof *to);
    memcpy(to + most - limbs, from, limbs * sizeof *to);
}

static void task_init(struct task *task, const struct orbit *orbit, mp_limb_t *room) {
    const size_t most = orbit->most;
    task->orbit = orbit;
    for (size_t i = 0; i < 2; i++) {
        task->part[i] = room + i * most;
        task->next[i] = room + (2 + i) * most;
    }
    task->difference = room + 4 * most;
    for (size_t i = 0; i < 3; i++)
        task->square[i] = room + (5 + 2 * i) * most;
}

static void do_part(void *task, unsigned part);

static void *mpn_create(const struct orbit_value *c, const struct orbit_value *z,
                        unsigned threads) {
    const size_t most = c->limbs;
    struct orbit *orbit = malloc(sizeof *orbit + (2 + 2 * TASK_ROOM) * most * sizeof *orbit->room);
    if (!orbit)
        return NULL;
    *orbit = (struct orbit){.most = c->limbs,
                            .c = {orbit->room, orbit->room + most},
                            .c_negative = {c->re_negative, c->im_negative}};
    for (size_t i = 0; i < 2; i++)
        task_init(&orbit->task[i], orbit, orbit->room + (2 + i * TASK_ROOM) * most);
    struct task *task = orbit->task;
    task->limbs = z->limbs;
    task->negative[0] = z->re_negative;
    task->negative[1] = z->im_negative;
    put_limbs(orbit->c[0], c->limbs, c->re, c->limbs);
    put_limbs(orbit->c[1], c->limbs, c->im, c->limbs);
    put_limbs(task->part[0], c->limbs, z->re, z->limbs);
    put_limbs(task->part[1], c->limbs, z->im, z->limbs);
    if (most >= LIMBS_OF_TWO)
        orbit->crew = crew_create(threads < 2 ? threads : 2, do_part);
    return orbit;
}

static void mpn_destroy(void *handle) {
    struct orbit *orbit = handle;
    if (orbit)
        crew_leave(orbit->crew, free, orbit);
}

/* Sets `to` to |a - b|. Returns true if a - b is negative. */
static bool distance(mp_limb_t *to, const mp_limb_t *a, const mp_limb_t *b, unsigned limbs) {
    const bool negative = mpn_cmp(a, b, (mp_size_t)limbs) < 0;
    mpn_sub_n(to, negative ? b : a, negative ? a : b, (mp_size_t)limbs);
    return negative;
}

static void add_c(struct task *task, int which, bool negative) {
    const struct orbit *orbit = task->orbit;
    mp_limb_t *to = task->next[which] + orbit->most - task->to;
    const mp_limb_t *c = orbit->c[which] + orbit->most - task->to;
    if (negative == orbit->c_negative[which])
        mpn_add_n(to, to, c, (mp_size_t)task->to);
    else
        negative ^= distance(to, to, c, task->to);
    task->next_negative[which] = negative;
}

/* Sets a part to a product, which has twice the limbs and twice the bits before the point, plus its
 * part of c. */
static void put_part(struct task *task, int which, const mp_limb_t *product, bool negative) {
    const unsigned limbs = task->to, there = 2 * task->limbs;
    const unsigned short_of = limbs > there ? limbs - there : 0;
    mp_limb_t *to = task->next[which] + task->orbit->most - limbs;
    const mp_limb_t *from = product + there - (limbs - short_of);
    memset(to, 0, short_of * sizeof *to);
    mpn_lshift(to + short_of, from, (mp_size_t)(limbs - short_of), ORBIT_INTEGER_BITS);
    if (from > product)
        to[short_of] |= from[-1] >> (64 - ORBIT_INTEGER_BITS);
    add_c(task, which, negative);
}

static const mp_limb_t *part_of(const struct task *task, int which) {
    return task->part[which] + task->orbit->most - task->limbs;
}

/* Computes ||re| - |im||. Returns true if |re| is less. */
static bool subtract(struct task *task) {
    return distance(task->difference, part_of(task, 0), part_of(task, 1), task->limbs);
}

static bool im_is_negative(const struct task *task) {
    return task->negative[0] != task->negative[1];
}

/* Computes re^2 - im^2, and 2 |re im| = re^2 + im^2 - (|re| - |im|)^2. */
static void square(struct task *task) {
    mp_limb_t *const *square = task->square;
    const mp_size_t n = (mp_size_t)task->limbs;
    const bool re_negative = subtract(task);
    mpn_sqr(square[0], part_of(task, 0), n);
    mpn_sqr(square[1], part_of(task, 1), n);
    mpn_sqr(square[2], task->difference, n);
    mpn_sub_n(square[2], square[0], square[2], 2 * n); /* may wrap around, and back */
    mpn_add_n(square[2], square[2], square[1], 2 * n);
    mpn_sub_n(square[0], square[re_negative ? 1 : 0], square[re_negative ? 0 : 1], 2 * n);
    put_part(task, 0, square[0], re_negative);
    put_part(task, 1, square[2], im_is_negative(task));
}

/* Makes a part an MPFR number with limbs in `to`, which may be the part itself. Returns false if it
 * is 0. */
static bool as_number(mpfr_ptr number, mp_limb_t *to, const mp_limb_t *part, unsigned limbs) {
    unsigned top = limbs;
    while (top > 0 && part[top - 1] == 0)
        top--;
    if (top == 0)
        return false;
    const int zeros = __builtin_clzll(part[top - 1]);
    if (zeros > 0)
        mpn_lshift(to, part, top, (unsigned)zeros);
    else
        memmove(to, part, top * sizeof *to);
    const mpfr_exp_t exponent = ORBIT_INTEGER_BITS - zeros - 64 * (mpfr_exp_t)(limbs - top);
    mpfr_custom_init_set(number, MPFR_REGULAR_KIND, exponent, 64 * (mpfr_prec_t)top, to);
    return true;
}

/* Sets a part to the product of two numbers times 2^more; `room` is scratch. */
static void put_product(struct task *task, int which, mpfr_srcptr a, mpfr_srcptr b, int more,
                        mp_limb_t *room) {
    mpfr_t product;
    const unsigned limbs = task->to;
    mp_limb_t *to = task->next[which] + task->orbit->most - limbs;
    const mpfr_exp_t most = mpfr_get_exp(a) + mpfr_get_exp(b) + more;
    const long bits = most + 64 * (long)limbs - ORBIT_INTEGER_BITS;
    const long digits = (bits + 63) / 64;
    if (bits < 1)
        return;
    mpfr_custom_init_set(product, MPFR_ZERO_KIND, 0, 64 * digits, room);
    mpfr_mul(product, a, b, MPFR_RNDZ);
    const long down = ORBIT_INTEGER_BITS - mpfr_get_exp(product) - more, there = limbs - down / 64;
    const long count = digits < there ? digits : there;
    if (count < 1)
        return;
    mp_limb_t *end = to + there - count;
    const mp_limb_t *from = room + digits - count;
    if (down % 64 == 0)
        memcpy(end, from, (size_t)count * sizeof *to);
    else {
        const mp_limb_t rest = mpn_rshift(end, from, count, (unsigned)(down % 64));
        if (end > to)
            end[-1] = rest;
    }
}

/* Computes (|re| + |im|) (|re| - |im|). */
static void multiply_re(struct task *task) {
    mpfr_t sum, difference;
    const unsigned n = task->limbs;
    const bool negative = subtract(task);
    mp_limb_t *const room = task->square[0];
    mpn_add_n(room, part_of(task, 0), part_of(task, 1), (mp_size_t)n);
    memset(task->next[0] + task->orbit->most - task->to, 0, task->to * sizeof *room);
    if (as_number(difference, task->difference, task->difference, n) &&
        as_number(sum, room, room, n))
        put_product(task, 0, sum, difference, 0, room + n);
    add_c(task, 0, negative);
}

/* Computes 2 |re im|: the part of a helper. */
static void do_part(void *user, unsigned part) {
    struct task *task = user;
    mpfr_t a, b;
    const unsigned n = task->limbs;
    mp_limb_t *const room = task->square[1];
    (void)part;
    memset(task->next[1] + task->orbit->most - task->to, 0, task->to * sizeof *room);
    if (as_number(a, room, part_of(task, 0), n) && as_number(b, room + n, part_of(task, 1), n))
        put_product(task, 1, a, b, 1, task->square[2]);
    add_c(task, 1, im_is_negative(task));
}

/* Makes a step with the crew. Returns false if the helper is late. */
static bool multiply_together(struct crew *crew, struct task *task) {
    crew_offer(crew, task, 2);
    multiply_re(task);
    return crew_finish(crew, 2000 + (long)task->limbs * task->limbs);
}

/* Leaves a task to a late helper and continues with a copy. */
static struct task *leave_task(struct orbit *orbit) {
    const struct task *from = &orbit->task[orbit->at];
    struct task *to = &orbit->task[orbit->at = 1 - orbit->at];
    for (int i = 0; i < 2; i++) {
        to->negative[i] = from->negative[i];
        memcpy(to->part[i], from->part[i], orbit->most * sizeof *to->part[i]);
    }
    to->limbs = from->limbs;
    to->to = from->to;
    return to;
}

static struct orbit_point mpn_step(void *handle, unsigned limbs) {
    struct orbit *orbit = handle;
    struct task *task = &orbit->task[orbit->at];
    task->to = limbs;
    if (task->limbs < LIMBS_OF_PRODUCTS) {
        square(task);
    } else if (!orbit->crew || task->limbs < LIMBS_OF_TWO || crew_next(orbit->crew, 2) == 1) {
        multiply_re(task);
        do_part(task, 1);
    } else if (!multiply_together(orbit->crew, task)) {
        task = leave_task(orbit);
        multiply_re(task);
        do_part(task, 1);
    }
    task->limbs = limbs;
    for (int i = 0; i < 2; i++) {
        mp_limb_t *const was = task->part[i];
        task->part[i] = task->next[i];
        task->next[i] = was;
        task->negative[i] = task->next_negative[i];
    }
    const struct orbit_value value = {limbs, task->negative[0], task->negative[1],
                                      task->part[0] + orbit->most - limbs,
                                      task->part[1] + orbit->most - limbs};
    return orbit_point(&value);
}

static void mpn_save(const void *handle, struct orbit_value *value) {
    const struct orbit *orbit = handle;
    const struct task *task = &orbit->task[orbit->at];
    value->limbs = task->limbs;
    value->re_negative = task->negative[0];
    value->im_negative = task->negative[1];
    memcpy(value->re, part_of(task, 0), task->limbs * sizeof *value->re);
    memcpy(value->im, part_of(task, 1), task->limbs * sizeof *value->im);
}

const struct orbit_engine orbit_mpn = {"mpn",       0,        UINT_MAX, mpn_create,
                                       mpn_destroy, mpn_step, mpn_save};
