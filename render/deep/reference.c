/* Reference orbits: sharing them, and the part of one that a view uses. */
#include "render/deep/reference.h"
#include "render/base/log.h"
#include "render/deep/reference_rest.h"
#include <math.h>
#include <stdlib.h>

struct reference *reference_create_empty(const struct reference_want *want) {
    struct reference *reference = calloc(1, sizeof *reference);
    struct reference_rest *rest = calloc(1, sizeof *rest);
    if (!reference || !rest) {
        log_error("no memory for a reference orbit");
        free(reference);
        free(rest);
        return NULL;
    }
    mpfr_init2(reference->re, mpfr_get_prec(want->re));
    mpfr_init2(reference->im, mpfr_get_prec(want->im));
    mpfr_set(reference->re, want->re, MPFR_RNDN);
    mpfr_set(reference->im, want->im, MPFR_RNDN);
    reference->step_log2 = want->step_log2;
    reference->steps = want->steps;
    reference->trapped_log2 = -INFINITY;
    reference->rest = rest;
    atomic_init(&rest->holders, 1);
    return reference;
}

const struct reference *reference_ref(const struct reference *reference) {
    if (reference)
        atomic_fetch_add_explicit(&reference->rest->holders, 1, memory_order_relaxed);
    return reference;
}

void reference_unref(const struct reference *reference) {
    struct reference *last = (struct reference *)reference;
    if (!last || atomic_fetch_sub_explicit(&last->rest->holders, 1, memory_order_acq_rel) > 1)
        return;
    struct reference_julia *julia = (struct reference_julia *)last->julia;
    if (julia)
        mpfr_clears(julia->re, julia->im, (mpfr_ptr)NULL);
    free(julia);
    mpfr_clears(last->re, last->im, (mpfr_ptr)NULL);
    free((void *)last->z);
    free((void *)last->low);
    free((void *)last->small);
    free((void *)last->cuts);
    free(last->rest->value.re);
    free(last->rest);
    free(last);
}

/* Returns the first cut for views of that radius, or NULL. */
static const struct reference_cut *cut_for(const struct reference *reference, double radius_log2) {
    /* it does not serve finer ones */
    const double radius = fmax(radius_log2, reference->step_log2);
    uint32_t low = 0, high = reference->cut_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (reference->cuts[middle].radius_log2 <= radius)
            high = middle;
        else
            low = middle + 1;
    }
    return low < reference->cut_count ? &reference->cuts[low] : NULL;
}

uint32_t reference_last(const struct reference *reference, double radius_log2, uint32_t limit) {
    const struct reference_cut *cut = cut_for(reference, radius_log2);
    const uint32_t last = cut ? cut->index : reference->length;
    if (reference->limit > 0)
        return last;
    return last < limit ? last : limit > 0 ? limit : 1;
}

uint32_t reference_period(const struct reference *reference, double radius_log2) {
    const struct reference_cut *cut = cut_for(reference, radius_log2);
    return cut ? cut->index : 0;
}

bool reference_serves(const struct reference *reference, double radius_log2, double step_log2,
                      uint32_t limit) {
    if (reference->limit > 0)
        return step_log2 >= reference->step_log2 && (limit > 0 ? limit : 1) == reference->limit;
    return step_log2 >= reference->step_log2 &&
           (reference->length >= limit || reference->escaped ||
            radius_log2 < reference->trapped_log2 || cut_for(reference, radius_log2));
}

uint64_t reference_bytes(const struct reference *reference) {
    return reference->rest->bytes;
}
