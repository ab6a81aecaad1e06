/* Makes references of Julia sets: the orbits of 0, and one more. */
#include "render/base/log.h"
#include "render/base/require.h"
#include "render/deep/reference_make.h"
#include "render/deep/reference_rest.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRIES 16 /* at a precision that suffices: one or two do */

/* The orbit that views' orbits begin about. A rounding error e of Z_k is like moving the start by e / D_k, so where
 * D gets below 1 as many bits more are needed from the beginning, which *more gets. */
static const struct reference *make_second(const struct reference_want *julia,
                                           const atomic_bool *stop, double *more) {
    struct reference_want want = *julia;
    for (int i = 0; i < TRIES; i++) {
        want.step_log2 = julia->step_log2 - *more;
        const struct reference *second = reference_make(&want, NULL, stop, NULL);
        if (!second || (double)second->rest->least_log2 >= -*more)
            return second;
        *more = 1 - (double)second->rest->least_log2;
        reference_unref(second);
    }
    log_error("the orbit of this Julia set's centre comes too close to 0 too often");
    return NULL;
}

/* The critical point's. What is rebased to it may be as near to 0 as pixels are to one another there, and
 * is taken to the power. */
static const struct reference *make_first(const struct reference_want *julia, double more,
                                          const atomic_bool *stop, atomic_uint *progress) {
    struct reference_want want = *julia;
    const double step = fmin(julia->step_log2, 0);
    want.start = NULL;
    want.whole = true;
    want.step_log2 = step_list_most_power(&want.steps) * (step - fmin(more, -step));
    return reference_make(&want, NULL, stop, progress);
}

static struct reference_julia *julia_of(const struct reference_want *want) {
    struct reference_julia *julia = calloc(1, sizeof *julia);
    if (!julia)
        return NULL;
    mpfr_init2(julia->re, mpfr_get_prec(want->re));
    mpfr_init2(julia->im, mpfr_get_prec(want->im));
    mpfr_set(julia->re, want->re, MPFR_RNDN);
    mpfr_set(julia->im, want->im, MPFR_RNDN);
    return julia;
}

/* Room for so many bytes more behind an array; NULL: none, and nothing has changed. */
static void *grown(const void **array, uint64_t bytes, uint64_t more) {
    void *room = realloc((void *)*array, bytes + more);
    if (room)
        *array = room;
    return room;
}

/* Appends the second reference's orbit to those of the first one, which nobody else holds yet. False: no memory. */
static bool join(struct reference *first, const struct reference *second,
                 const struct reference_want *want) {
    const uint64_t a = first->length + UINT64_C(1), b = second->length + UINT64_C(1);
    const size_t pair = 2 * sizeof *first->z, one = sizeof *first->small;
    struct reference_julia *julia = julia_of(want);
    first->julia = julia;
    if (!julia || a + b >= UINT32_MAX || !grown((const void **)&first->z, a * pair, b * pair) ||
        !grown((const void **)&first->small, first->small_count * one,
               (second->small_count + UINT64_C(1)) * one))
        return false;
    memcpy((double *)first->z + 2 * a, second->z, b * pair);
    struct reference_small *small = (struct reference_small *)first->small + first->small_count;
    for (uint32_t i = 0; i < second->small_count; i++) {
        small[i] = second->small[i];
        small[i].index += (uint32_t)a;
    }
    julia->first = (uint32_t)a;
    first->length = (uint32_t)(a + b - 1);
    first->small_count += second->small_count;
    first->limit = want->limit;
    first->escaped = false;
    first->step_log2 = want->step_log2;
    first->rest->bytes += second->rest->bytes;
    mpfr_set_prec(first->re, mpfr_get_prec(want->start->re));
    mpfr_set_prec(first->im, mpfr_get_prec(want->start->im));
    mpfr_set(first->re, want->start->re, MPFR_RNDN);
    mpfr_set(first->im, want->start->im, MPFR_RNDN);
    return true;
}

const struct reference *reference_make_julia(const struct reference_want *want,
                                             const atomic_bool *stop, atomic_uint *progress) {
    require(want->start && !want->wide, NULL);
    double more = 0;
    const struct reference *second = make_second(want, stop, &more);
    const struct reference *first = second ? make_first(want, more, stop, progress) : NULL;
    if (first && !join((struct reference *)first, second, want)) {
        log_error(
            "no memory for the reference orbit of a Julia set: choose a lower iteration limit");
        reference_unref(first);
        first = NULL;
    }
    reference_unref(second);
    return first;
}
