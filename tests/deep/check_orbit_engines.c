/* Compares the engines of reference orbits with each other: every bit of every step, however
 * precision rises and falls, and the doubles made from them. */
#include "cpu/cpu.h"
#include "cpu/cpuid.h"
#include "render/deep/orbit.h"
#include "render/deep/reference.h"
#include "render/view.h"
#include "tests/shared/check.h"
#include <stddef.h>
#include <stdint.h>

#define LIMBS_MOST 60

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

/* Steps both engines from one value, as long as parts stay below 2. */
static void check_run(const struct orbit_engine *engine, unsigned most) {
    struct orbit_value c, z, a, b;
    unsigned limbs = 1 + (unsigned)(random_next(&state) % most);
    fill_value(&c, most);
    fill_value(&z, limbs);
    orbit_value_init(&a, most);
    orbit_value_init(&b, most);
    void *plain = orbit_mpn.create(&c, &z), *other = engine->create(&c, &z);
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
            printf("step %d of %u limbs, at most %u: %a %a, not %a %a\n", i, limbs, most, q.re,
                   q.im, p.re, p.im);
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

/* Checks that whole references have the same bytes. */
static void check_references(const struct orbit_engine *engine) {
    const char *why;
    SCOPED(view, view);
    CHECK(view_set_centre(&view, "-1.74995768370609350360221450607069970727110579726252", "1e-60",
                          3000, &why));
    for (int bits = 500; bits <= 5000; bits += 1500) {
        struct reference_want want = {.re = view.re,
                                      .im = view.im,
                                      .limit = 3000,
                                      .radius_log2 = 20 - bits,
                                      .step_log2 = -bits};
        const struct reference *plain = reference_make(&want, NULL, NULL, NULL);
        want.engine = engine;
        const struct reference *other = reference_make(&want, NULL, NULL, NULL);
        CHECK(plain && other && plain->length == other->length && plain->length > 10 &&
              memcmp(plain->z, other->z, 16 * ((size_t)plain->length + 1)) == 0);
        reference_unref(plain);
        reference_unref(other);
    }
}

int main(void) {
    const struct orbit_engine *engine = orbit_fastest(cpu_flags(UINT32_MAX));
    if (engine == &orbit_mpn) {
        puts("no other engine than mpn for this processor");
        return 77;
    }
    for (unsigned most = 1; most <= LIMBS_MOST && failures < 5; most++)
        for (int i = 0; i < 200 && failures < 5; i++)
            check_run(engine, most);
    for (int i = 0; i < 3; i++)
        check_run(engine, engine->limbs_most);
    check_references(engine);
    return failures != 0;
}
