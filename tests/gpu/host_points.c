/* Orbits whose points are counted, for the host device, one at a time. Compiled for each number
 * type. */
#include "tests/gpu/host_density.h"

#ifdef HOST_FLOAT
#define real         float
#define HOST_NAME(f) f##_float
#define real_fma     __builtin_fmaf
#else
#define real         double
#define HOST_NAME(f) f##_double
#define real_fma     __builtin_fma
#endif
#define PASTE(f) HOST_NAME(f)
#define FORMULA_KERNEL
#define real_down(x) ((x) >= 0 && (x) < 0x1p31 ? (uint32_t)(x) : UINT32_MAX)
#include "gpu/density/points_step.h"
#include "render/density/density_sample.h"

static struct points_numbers numbers_of(const struct points_task *task) {
    return (struct points_numbers){
#define NUMBER(name, from) .name = (real)task->from,
        POINTS_NUMBER_LIST(NUMBER)
#undef NUMBER
    };
}

static void plot_at(struct host_points *l, const struct points_numbers *a, real zr, real zi,
                    uint32_t plane) {
    uint32_t pixel;
    if (!points_locate((int)l->job.task.place.fold, a, &l->job.task, zr, zi, &pixel))
        return;
    __atomic_fetch_add(&l->counts[plane + pixel], 1, __ATOMIC_RELAXED);
    l->work.points++;
}

/* Points from step k on, up to before `until`. */
static uint32_t plot(struct host_points *l, struct points_orbit *o, uint32_t k, uint32_t until,
                     uint32_t plane) {
    const struct points_numbers a = numbers_of(&l->job.task);
    for (; k < until; k++) {
        plot_at(l, &a, o->zr, o->zi, plane);
        if (l->job.task.place.both)
            plot_at(l, &a, o->zr, -o->zi, plane);
        points_step(o);
        l->work.steps++;
    }
    return k;
}

static uint32_t add_one(uint32_t *counter) {
    return __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void save(struct host_list *list, uint32_t entry, const struct points_orbit *o,
                 uint32_t done) {
    const real numbers[] = {o->cr, o->ci, o->zr, o->zi};
    for (int i = 0; i < 4; i++)
        ((real *)list->number[i])[entry] = numbers[i];
    list->done[entry] = done;
}

static struct points_orbit load(const struct host_list *list, uint32_t entry) {
    real *const *number = (real *const *)list->number;
    return (struct points_orbit){number[0][entry], number[1][entry], number[2][entry],
                                 number[3][entry]};
}

void PASTE(host_draw)(struct host_points *l, const struct sample_round *round, uint32_t cell,
                      uint32_t lane, const uint32_t *words) {
    const struct points_task *task = &l->job.task;
    const struct sample_clump clump = sample_clump(round, cell);
    struct points_orbit o;
    points_sample(&clump, round->octave, lane, words, &o);
    const uint32_t n = points_follow(task, &o, 0);
    l->work.steps += n;
    if (n > task->young && points_deep(task)) {
        save(&l->to, add_one(&l->state->searched.value), &o, n);
        return;
    }
    const uint32_t end = points_end(task, n);
    points_restart(&o);
    plot(l, &o, 1, end + 1, points_plane(task, n));
}

void PASTE(host_search)(struct host_points *l, uint32_t entry) {
    struct points_orbit o = load(&l->from, entry);
    uint32_t n = l->from.done[entry];
    const struct points_task *task = &l->job.task;
    const uint32_t left = task->rule.limit + 1 - n;
    const uint32_t until = n + (l->slice.steps < left ? l->slice.steps : left);
    bool in = points_inside(&o);
    for (; in && n < until; n++, l->work.steps++) {
        points_step(&o);
        in = points_inside(&o);
    }
    if (n == until) /* where z_until is belongs to the next search */
        in = true;
    if (in && n <= task->rule.limit) {
        save(&l->to, add_one(&l->state->searched.value), &o, n);
        return;
    }
    const uint32_t end = points_end(task, n);
    if (end == 0)
        return;
    const uint32_t listed = add_one(&l->state->plotted.value);
    points_restart(&o);
    save(&l->listed, listed, &o, 1);
    l->listed.end[listed] = end;
    l->listed.plane[listed] = (uint8_t)(points_plane(task, n) / task->plane);
}

void PASTE(host_plot)(struct host_points *l, uint32_t entry) {
    struct points_orbit o = load(&l->from, entry);
    uint32_t k = l->from.done[entry];
    const uint32_t end = l->from.end[entry], plane = l->from.plane[entry], left = end + 1 - k;
    k = plot(l, &o, k, k + (l->slice.steps < left ? l->slice.steps : left),
             plane * l->job.task.plane);
    if (k > end)
        return;
    const uint32_t next = add_one(&l->state->plotted.value);
    save(&l->to, next, &o, k);
    l->to.end[next] = end;
    l->to.plane[next] = (uint8_t)plane;
}
