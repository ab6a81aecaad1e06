/* Orbits whose points are counted, for the host device, one at a time. Compiled for each number
 * type. */
#include "tests/gpu/host_density.h"
#include <math.h>

#ifdef HOST_FLOAT
#define real         float
#define HOST_NAME(f) f##_float
#define real_fma     __builtin_fmaf
#else
#define real         double
#define HOST_NAME(f) f##_double
#define real_fma     __builtin_fma
#endif
#define PASTE(f)          HOST_NAME(f)
#define SAMPLE_AT_REAL    real
#define SAMPLE_AT_NAME(f) HOST_NAME(f)
#define FORMULA_KERNEL
#include "render/density/density_sample.h"
#include "render/formula/formula_step.h"

struct orbit {
    real cr, ci, zr, zi;
};

static void step(struct orbit *o) {
    formula_step(FORMULA_mandelbrot, true, &o->zr, &o->zi, o->cr, o->ci);
}

static bool inside(const struct host_points *l, const struct orbit *o) {
    return norm2(true, o->zr, o->zi) < (real)l->job.rule.bailout2;
}

/* The last step whose point is counted, of an orbit that escapes after n; 0: none is. */
static uint32_t end_of(const struct host_points *l, uint32_t n) {
    const struct density_rule *rule = &l->job.rule;
    if (rule->bounded)
        return n > rule->limit ? rule->limit : 0;
    return n >= rule->least && n <= rule->limit ? n : 0;
}

static uint32_t plane_of(const struct host_points *l, uint32_t n) {
    const struct density_planes *planes = &l->job.rule.planes;
    uint32_t plane = 0;
    for (int i = 0; i + 1 < planes->count; i++)
        plane += n > planes->top[i];
    return plane;
}

static void plot_at(struct host_points *l, real zr, real zi, uint32_t plane) {
    const struct density_place *p = &l->job.place;
    const real im = p->fold == DENSITY_FOLD_NONE ? zi : (real)fabs(zi);
    const real column =
        real_fma(im, (real)p->column_im, real_fma(zr, (real)p->column_re, (real)p->column_0));
    const real row = real_fma(im, (real)p->row_im, real_fma(zr, (real)p->row_re, (real)p->row_0));
    if (!(column >= 0 && column < (real)p->width && row >= 0 && row < (real)p->height))
        return;
    const size_t line = (size_t)plane * (size_t)p->height + (size_t)row;
    __atomic_fetch_add(&l->counts[line * (size_t)p->width + (size_t)column], 1, __ATOMIC_RELAXED);
    l->work.points++;
}

/* Points from step k on, up to before `until`. */
static uint32_t plot(struct host_points *l, struct orbit *o, uint32_t k, uint32_t until,
                     uint32_t plane) {
    for (; k < until; k++) {
        plot_at(l, o->zr, o->zi, plane);
        if (l->job.place.both)
            plot_at(l, o->zr, -o->zi, plane);
        step(o);
        l->work.steps++;
    }
    return k;
}

static uint32_t add_one(uint32_t *counter) {
    return __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void save(struct host_list *list, uint32_t entry, const struct orbit *o, uint32_t done) {
    const real numbers[] = {o->cr, o->ci, o->zr, o->zi};
    for (int i = 0; i < 4; i++)
        ((real *)list->number[i])[entry] = numbers[i];
    list->done[entry] = done;
}

static struct orbit load(const struct host_list *list, uint32_t entry) {
    real *const *number = (real *const *)list->number;
    return (struct orbit){number[0][entry], number[1][entry], number[2][entry], number[3][entry]};
}

static void restart(struct orbit *o) {
    o->zr = o->cr;
    o->zi = o->ci;
}

/* The c of a sample. */
static struct orbit start(const struct sample_domain *d, const struct sample_round *round,
                          uint32_t cell, uint32_t lane, const uint32_t *words) {
    const struct sample_clump clump = sample_clump(round, cell);
    real x = (real)sample_x(clump.x, round->octave, lane, words[0]);
    real y = (real)sample_y(clump.y, round->octave, lane, words[1]);
    if (sizeof(real) == sizeof(double)) {
        x += (real)(sample_x_low(round->octave, words[0]) * 0x1p-31);
        y += (real)(sample_y_low(round->octave, words[1]) * 0x1p-31);
    }
    struct orbit o = {real_fma(x, (real)d->scale_re, (real)d->offset_re),
                      real_fma(y, (real)d->scale_im, (real)d->offset_im), 0, 0};
    restart(&o);
    return o;
}

void PASTE(host_draw)(struct host_points *l, const struct sample_round *round, uint32_t cell,
                      uint32_t lane, const uint32_t *words) {
    struct orbit o = start(&l->job.domain, round, cell, lane, words);
    const uint32_t young = l->job.young;
    uint32_t n = 1;
    if (l->job.rule.seed_skips && cell & CELLS_TEST && PASTE(sample_seed_skips)(o.cr, o.ci))
        return;
    for (; n <= young && inside(l, &o); n++)
        step(&o);
    l->work.steps += n;
    if (n > young && young < l->job.rule.limit) {
        save(&l->to, add_one(&l->state->searched.value), &o, n);
        return;
    }
    const uint32_t end = end_of(l, n);
    uint32_t k = 1;
    restart(&o);
    for (; k < l->job.rule.first && k <= end; k++)
        step(&o);
    plot(l, &o, k, end + 1, plane_of(l, n));
}

void PASTE(host_search)(struct host_points *l, uint32_t entry) {
    struct orbit o = load(&l->from, entry);
    uint32_t n = l->from.done[entry];
    const uint32_t left = l->job.rule.limit + 1 - n;
    const uint32_t until = n + (l->slice.steps < left ? l->slice.steps : left);
    bool in = inside(l, &o);
    for (; in && n < until; n++, l->work.steps++) {
        step(&o);
        in = inside(l, &o);
    }
    if (n == until) /* where z_until is belongs to the next search */
        in = true;
    if (in && n <= l->job.rule.limit) {
        save(&l->to, add_one(&l->state->searched.value), &o, n);
        return;
    }
    const uint32_t end = end_of(l, n);
    if (end == 0)
        return;
    const uint32_t listed = add_one(&l->state->plotted.value);
    restart(&o);
    for (uint32_t k = 1; k < l->job.rule.first; k++)
        step(&o);
    save(&l->listed, listed, &o, l->job.rule.first);
    l->listed.end[listed] = end;
    l->listed.plane[listed] = (uint8_t)plane_of(l, n);
}

void PASTE(host_plot)(struct host_points *l, uint32_t entry) {
    struct orbit o = load(&l->from, entry);
    uint32_t k = l->from.done[entry];
    const uint32_t end = l->from.end[entry], plane = l->from.plane[entry], left = end + 1 - k;
    k = plot(l, &o, k, k + (l->slice.steps < left ? l->slice.steps : left), plane);
    if (k > end)
        return;
    const uint32_t next = add_one(&l->state->plotted.value);
    save(&l->to, next, &o, k);
    l->to.end[next] = end;
    l->to.plane[next] = (uint8_t)plane;
}
