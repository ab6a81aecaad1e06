/* Runs of reference orbits from random values, compared with GMP's engine on one thread. */
#ifndef FATHOM_TESTS_DEEP_ORBIT_RUNS_H
#define FATHOM_TESTS_DEEP_ORBIT_RUNS_H

#include "render/deep/orbit.h"
#include "tests/shared/check.h"
#include "tests/shared/random.h"
#include <stddef.h>

static unsigned long long state = 20261123;

/* Fills limbs at random, sometimes only with ones or zeros, so that carries run far. */
static void fill(mp_limb_t *part, unsigned limbs) {
    const unsigned kind = random_next(&state) % 4;
    for (unsigned i = 0; i < limbs; i++) {
        const mp_limb_t all = random_next(&state) % 2 ? UINT64_MAX : 0;
        part[i] = kind < 2 ? random_next(&state) : kind == 2 ? all : UINT64_MAX;
    }
    part[limbs - 1] &= (UINT64_C(1) << 60) - 1; /* below 2 */
    if (random_next(&state) % 8 == 0)
        part[limbs - 1] = 0;
}

static void fill_value(struct orbit_value *value, unsigned limbs) {
    orbit_value_init(value, limbs);
    fill(value->re, limbs);
    fill(value->im, limbs);
    if (random_next(&state) % 8 == 0)
        memcpy(value->im, value->re, limbs * sizeof *value->re);
    if (random_next(&state) % 8 == 0)
        memset(random_next(&state) % 2 ? value->re : value->im, 0, limbs * sizeof *value->re);
    value->re_negative = random_next(&state) % 2;
    value->im_negative = random_next(&state) % 2;
}

static bool is_zero(const mp_limb_t *part, unsigned limbs) {
    return mpn_zero_p(part, (mp_size_t)limbs);
}

/* Returns true if parts are equal, regardless of the sign of 0. */
static bool same_part(const mp_limb_t *a, bool a_negative, const mp_limb_t *b, bool b_negative,
                      unsigned limbs) {
    return memcmp(a, b, limbs * sizeof *a) == 0 && (a_negative == b_negative || is_zero(a, limbs));
}

static bool same(const struct orbit_value *a, const struct orbit_value *b) {
    return a->limbs == b->limbs &&
           same_part(a->re, a->re_negative, b->re, b->re_negative, a->limbs) &&
           same_part(a->im, a->im_negative, b->im, b->im_negative, a->limbs);
}

/* Steps an engine on some threads, and GMP's on one, from one value, as long as parts stay below
 * 2. */
static void check_run(const struct orbit_engine *engine, unsigned most, unsigned threads) {
    struct orbit_value c, z, a, b;
    unsigned limbs = 1 + (unsigned)(random_next(&state) % most);
    fill_value(&c, most);
    fill_value(&z, limbs);
    orbit_value_init(&a, most);
    orbit_value_init(&b, most);
    void *plain = orbit_mpn.create(&c, &z, 1), *other = engine->create(&c, &z, threads);
    for (int i = 0; i < 40; i++) {
        const unsigned kind = random_next(&state) % 4; /* unchanged, one less, or any number */
        limbs = kind == 0                ? 1 + (unsigned)(random_next(&state) % most)
                : kind == 1 && limbs > 1 ? limbs - 1
                                         : limbs;
        const struct orbit_point p = orbit_mpn.step(plain, limbs), q = engine->step(other, limbs);
        orbit_mpn.save(plain, &a);
        engine->save(other, &b);
        const bool right = same(&a, &b) &&
                           memcmp(&p, &q, offsetof(struct orbit_point, exponent)) == 0 &&
                           p.exponent == q.exponent;
        CHECK(right);
        if (!right)
            printf("step %d of %u limbs, at most %u, %u threads: %a %a, not %a %a\n", i, limbs,
                   most, threads, q.re, q.im, p.re, p.im);
        if (!right || a.re[limbs - 1] >> 60 || a.im[limbs - 1] >> 60)
            break;
    }
    orbit_mpn.destroy(plain);
    engine->destroy(other);
    free(a.re);
    free(b.re);
    free(c.re);
    free(z.re);
}

#endif
