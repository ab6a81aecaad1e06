/* Perturbations: sharing a reference with its tables, and cutting the tables to what one view may
 * use. */
#include "render/deep/perturbation.h"
#include "render/base/log.h"
#include "render/deep/perturbed.h"
#include "render/deep/reference.h"
#include "render/deep/tables/tables.h"
#include <math.h>
#include <stdlib.h>

static bool copy_small(struct perturbation *p) {
    const struct reference *reference = p->reference;
    p->small = malloc((reference->small_count + (size_t)1) * sizeof *p->small);
    for (uint32_t i = 0; p->small && i < reference->small_count; i++) {
        const struct reference_small *s = &reference->small[i];
        const struct extended z = extended_make(s->re, s->im, s->exponent);
        const double scale = z.log2 == EXTENDED_ZERO ? 0 : extended_power(s->exponent - z.log2);
        p->small[i] = (struct perturbed_small){s->index, z, s->re_low * scale, s->im_low * scale};
    }
    return p->small;
}

/* Returns true for formulas other than z^2 + c. */
static bool is_folded(const struct reference *reference) {
    return !step_list_is_square(&reference->steps);
}

/* log2 of a reference's finest pixel step. Tables of coarser references have terms in x c and c^2
 * from the start. */
#define CROSS_STEP_LOG2 (PERTURBED_CROSS_LEAST - 64)

/* Returns the index where orbits of views begin. */
static uint32_t first_of(const struct reference *reference) {
    return reference->julia ? reference->julia->first : 0;
}

static struct segment_orbits orbits_of(const struct reference *r) {
    return (struct segment_orbits){r->z, r->low, &r->steps, r->begin, first_of(r), r->length};
}

static bool make_segments(struct perturbation *p, const atomic_bool *stop) {
    const struct reference *r = p->reference;
    const struct segment_orbits orbits = orbits_of(r);
    segments_fn *const folded = r->low ? segments_init_folded_wide : segments_init_folded;
    segments_fn *const plain = r->low ? segments_init_wide : segments_init;
    return (is_folded(r) ? folded : plain)(&p->segments, &orbits,
                                           r->low || r->step_log2 > CROSS_STEP_LOG2, stop);
}

struct perturbation *perturbation_create(const struct reference *reference,
                                         const atomic_bool *stop) {
    struct perturbation *p = calloc(1, sizeof *p);
    if (p) {
        atomic_init(&p->users, 1);
        atomic_init(&p->traces, NULL);
        atomic_init(&p->cross, NULL);
        p->reference = reference_ref(reference);
        if (copy_small(p) && make_segments(p, stop))
            return p;
    }
    perturbation_unref(p);
    if (!stop || !atomic_load_explicit(stop, memory_order_relaxed))
        log_error("not enough memory for the tables of %u iterations; try a lower limit",
                  reference->length);
    return NULL;
}

struct perturbation *perturbation_ref(struct perturbation *p) {
    if (p)
        atomic_fetch_add_explicit(&p->users, 1, memory_order_relaxed);
    return p;
}

void perturbation_unref(struct perturbation *p) {
    if (!p || atomic_fetch_sub_explicit(&p->users, 1, memory_order_acq_rel) > 1)
        return;
    reference_unref(p->reference);
    segments_finish(&p->segments);
    free(atomic_load(&p->traces));
    free(atomic_load(&p->cross));
    free(p->small);
    free(p);
}

uint64_t perturbation_bytes(const struct perturbation *p) {
    const struct segments *s = &p->segments;
    return sizeof *p + reference_bytes(p->reference) +
           (p->reference->small_count + UINT64_C(1)) * sizeof *p->small +
           (s->length + UINT64_C(1)) * sizeof *s->list_at +
           (s->lists + UINT64_C(1)) * sizeof *s->list + (uint64_t)s->size * sizeof *s->segment +
           (s->low ? (uint64_t)s->size * sizeof *s->low : 0) +
           (s->cross || atomic_load(&p->cross) ? (uint64_t)s->size * sizeof *s->cross : 0) +
           (atomic_load(&p->traces) ? (uint64_t)s->size * sizeof(struct segment_trace) : 0) +
           (s->bar ? (uint64_t)s->size * sizeof *s->bar : 0) +
           (s->cross_bar ? (uint64_t)s->size * sizeof *s->cross_bar : 0);
}

static double log2_of_difference(mpfr_srcptr a, mpfr_srcptr b) {
    mpfr_t difference;
    long exponent = 0;
    mpfr_init2(difference, 64);
    mpfr_sub(difference, a, b, MPFR_RNDA);
    const double mantissa = mpfr_get_d_2exp(&exponent, difference, MPFR_RNDA);
    mpfr_clear(difference);
    return mantissa == 0 ? -INFINITY : (double)exponent + log2(fabs(mantissa));
}

/* Returns log2 of the grid on which homes lie. */
static long grid_log2(const struct view *view, int height_px) {
    mpfr_t step;
    mpfr_init2(step, VIEW_ZOOM_BITS);
    view_step(view, height_px, step);
    const long exponent = mpfr_get_exp(step);
    mpfr_clear(step);
    return exponent + (long)ceil(log2(height_px));
}

struct perturbed_place perturbed_place(mpfr_srcptr re, mpfr_srcptr im, const struct view *view,
                                       int width_px, int height_px) {
    struct perturbed_place place = {0};
    const double step = view_step_log2(view, height_px);
    const double half = step + log2(hypot(width_px, height_px) / 2 + 1);
    const double home = (double)grid_log2(view, height_px) - 1; /* each way */
    const double right = log2_of_difference(view->re, re);
    const double up = log2_of_difference(view->im, im);
    /* the sum of the three distances */
    const double far = fmax(fmax(half, home), fmax(right, up)) + 1.6;
    place.c_most_log2 = (int32_t)ceil(far);
    place.c_log2 = step > PERTURBED_PLAIN_STEP_LOG2 ? 0 : place.c_most_log2;
    mpfr_t pixel;
    mpfr_init2(pixel, VIEW_ZOOM_BITS);
    view_step(view, height_px, pixel);
    place.step = mpfr_get_d_2exp(&place.step_log2, pixel, MPFR_RNDN);
    mpfr_clear(pixel);
    return place;
}

static void round_to(mpfr_srcptr x, long log2, mpfr_t rounded) {
    mpfr_set_prec(rounded, mpfr_get_prec(x) + 64);
    mpfr_mul_2si(rounded, x, -log2, MPFR_RNDN);
    mpfr_rint(rounded, rounded, MPFR_RNDN);
    mpfr_mul_2si(rounded, rounded, log2, MPFR_RNDN);
}

double perturbed_home(const struct view *view, int height_px, bool wide, mpfr_t re, mpfr_t im) {
    const long grid = grid_log2(view, height_px);
    round_to(view->re, grid, re);
    round_to(view->im, grid, im);
    return reference_step_log2(view_step_log2(view, height_px) - (wide ? PERTURBED_WIDE_BITS : 0));
}

/* --- views --- */

/* Returns what a double leaves of a number. */
static double remainder_of(mpfr_srcptr x, double rounded) {
    mpfr_t rest;
    mpfr_init2(rest, mpfr_get_prec(x) + 64);
    mpfr_sub_d(rest, x, rounded, MPFR_RNDN);
    const double low = mpfr_get_d(rest, MPFR_RNDN);
    mpfr_clear(rest);
    return low;
}

#define INSIDE_CERTAIN 0x1p-40 /* distance from |C| = 2 beyond which doubles decide who escapes */

/* Returns `inside` of struct perturbed_tables. */
static double inside_of(mpfr_srcptr re, mpfr_srcptr im, int32_t c_log2) {
    const double r = mpfr_get_d(re, MPFR_RNDN), i = mpfr_get_d(im, MPFR_RNDN);
    if (fabs(4 - (r * r + i * i)) > INSIDE_CERTAIN)
        return INFINITY;
    const mpfr_prec_t of_re = mpfr_get_prec(re), of_im = mpfr_get_prec(im);
    mpfr_t inside, square;
    mpfr_inits2(2 * (of_re > of_im ? of_re : of_im) + 8, inside, square, (mpfr_ptr)NULL);
    mpfr_sqr(inside, re, MPFR_RNDN);
    mpfr_sqr(square, im, MPFR_RNDN);
    mpfr_add(inside, inside, square, MPFR_RNDN);
    mpfr_ui_sub(inside, 4, inside, MPFR_RNDN);
    mpfr_mul_2si(inside, inside, -c_log2, MPFR_RNDN);
    const double in_units = mpfr_get_d(inside, MPFR_RNDN);
    mpfr_clears(inside, square, (mpfr_ptr)NULL);
    return in_units;
}

/* Returns the segments' terms in x c and c^2, NULL if the view does not use them. The first caller
 * makes them; the work of others at the same time is discarded. */
static const struct segment_cross *cross_of(struct perturbation *of,
                                            const struct perturbed_place *place) {
    const struct reference *r = of->reference;
    struct segment_cross *there = of->segments.cross ? of->segments.cross : atomic_load(&of->cross);
    if (place->c_log2 != 0 || r->julia || (!r->low && is_folded(r)) ||
        (!r->low && place->c_most_log2 < PERTURBED_CROSS_LEAST))
        return NULL;
    const struct segment_orbits orbits = orbits_of(r);
    struct segments again;
    if (there || !segments_init(&again, &orbits, true, NULL))
        return there;
    if (atomic_compare_exchange_strong(&of->cross, &there, again.cross)) {
        there = again.cross;
        again.cross = NULL;
    }
    segments_finish(&again);
    return there;
}

struct perturbed_tables perturbed_tables(struct perturbation *of,
                                         const struct perturbed_place *place, uint32_t limit) {
    const struct segments *s = &of->segments;
    const struct reference *reference = of->reference;
    const struct reference_julia *julia = reference->julia;
    struct perturbed_tables t = {
        .orbit = reference->z,
        .small = of->small,
        .smalls = reference->small_count,
        .list_at = s->list_at,
        .list = s->list,
        .segment = s->segment,
        .re = mpfr_get_d(julia ? julia->re : reference->re, MPFR_RNDN),
        .im = mpfr_get_d(julia ? julia->im : reference->im, MPFR_RNDN),
        .from_re = mpfr_get_d(reference->re, MPFR_RNDN),
        .from_im = mpfr_get_d(reference->im, MPFR_RNDN),
        .julia = julia != NULL,
        .last = reference_last(reference, place->c_most_log2, limit),
        .escape = reference->low ? nextafter(4, 5) : 4,
        .inside = inside_of(reference->re, reference->im, place->c_log2),
        .tail_from = place->tailless && !reference->low ? INFINITY : PERTURBED_TAIL_FROM,
        .c_log2 = place->c_log2,
        .c_most_log2 = place->c_most_log2,
        .step = place->step,
        .step_log2 = (double)place->step_log2,
        .unit = julia ? 0 : place->step,
        .unit_log2 = julia ? -0x1p30 : (double)place->step_log2,
        .orbit_low = reference->low,
        .low = s->low,
        .steps = reference->steps,
        .begin = reference->begin,
        .bar = s->bar,
    };
    t.re_low = remainder_of(julia ? julia->re : reference->re, t.re);
    t.im_low = remainder_of(julia ? julia->im : reference->im, t.im);
    t.series = series_make(&t, first_of(reference), s->low || is_folded(reference) ? 0 : limit);
    t.cross = cross_of(of, place);
    t.cross_bar = t.cross ? s->cross_bar : NULL;
    if (!julia && !is_folded(reference))
        t.minibrot =
            minibrot_find(&t, s->cross ? s->cross : t.cross, reference->cuts, reference->cut_count);
    return t;
}

/* Returns the traces of all segments, made by the first caller; the work of others at the same time
 * is discarded. */
static const struct segment_trace *traces_of(struct perturbation *of,
                                             const struct perturbed_tables *t) {
    struct segment_trace *there = atomic_load(&of->traces);
    if (there)
        return there;
    const struct reference *reference = of->reference;
    const struct segment_orbits orbits = orbits_of(reference);
    struct segment_trace *made = segment_traces_make(&of->segments, &orbits, t->re, t->im);
    if (made && !atomic_compare_exchange_strong(&of->traces, &there, made))
        free(made);
    else
        there = made;
    return there;
}

bool perturbed_traces(struct perturbation *of, const struct perturbed_tables *tables,
                      uint32_t limit, struct perturbed_traces *traces) {
    struct perturbed_tables plain = *tables;
    plain.cross = NULL;
    plain.usable = NULL;
    traces->segment = traces_of(of, tables);
    if (traces->segment)
        traces->series = series_make_traced(&plain, first_of(of->reference),
                                            is_folded(of->reference) ? 0 : limit, traces->segment,
                                            &traces->begun);
    return traces->segment;
}

bool perturbed_view_init(struct perturbed_view *view, struct perturbation *of,
                         const struct perturbed_place *place, uint32_t limit) {
    const struct segments *s = &of->segments;
    *view = (struct perturbed_view){.of = perturbation_ref(of),
                                    .tables = perturbed_tables(of, place, limit)};
    view->usable = malloc((size_t)s->lists + 1);
    view->c = malloc(((size_t)s->size + 1) * sizeof *view->c);
    view->c_bar = s->bar ? malloc(((size_t)s->size + 1) * sizeof *view->c_bar) : NULL;
    view->c_low = s->low ? malloc(((size_t)s->size + 1) * sizeof *view->c_low) : NULL;
    if (!view->usable || !view->c || (s->low && !view->c_low) || (s->bar && !view->c_bar)) {
        perturbed_view_finish(view);
        return false;
    }
    for (uint32_t list = 0; list < s->lists; list++) {
        view->usable[list] = (uint8_t)perturbed_usable(&view->tables, list);
        for (uint32_t i = 0; i < view->usable[list]; i++) {
            const uint32_t k = s->list[list].first + i;
            const double unit = extended_any_power(s->segment[k].c_log2 + place->c_log2);
            view->c[k][0] = s->segment[k].c_r * unit;
            view->c[k][1] = s->segment[k].c_i * unit;
            if (s->bar) {
                view->c_bar[k][0] = s->bar[k].c_r * unit;
                view->c_bar[k][1] = s->bar[k].c_i * unit;
                view->c_bar[k][2] = s->bar[k].low_r * unit;
                view->c_bar[k][3] = s->bar[k].low_i * unit;
            }
            if (s->low) {
                view->c_low[k][0] = s->low[k].c_r * unit;
                view->c_low[k][1] = s->low[k].c_i * unit;
            }
        }
    }
    view->tables.usable = view->usable;
    view->tables.c = (const double(*)[2])view->c;
    view->tables.c_low = (const double(*)[2])view->c_low;
    view->tables.c_bar = (const double(*)[4])view->c_bar;
    return true;
}

void perturbed_view_finish(struct perturbed_view *view) {
    perturbation_unref(view->of);
    free(view->usable);
    free(view->c);
    free(view->c_low);
    free(view->c_bar);
    *view = (struct perturbed_view){0};
}
