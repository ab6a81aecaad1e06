/* Screened kernel: runs all points through the double kernel, and the doubtful ones through the
 * wide kernel. */
#include "cpu/escape/screen.h"
#include "render/number/screen.h"
#include <string.h>

/* State of an orbit that may be resumed: that of wide numbers, or m == SCREEN_NOT_WIDE. A point
 * that is open in doubles starts again when resumed: its state has no room for the estimate. */
struct state {
    double z[4];
    uint32_t m, n;
    int32_t log2, spare;
};
_Static_assert(sizeof(struct state) <= FRAME_STATE_MAX, "a state has room");

struct call {
    const struct tile_points *p;
    struct tile_samples *samples;
    struct tile_screening *m;
    size_t doubtful; /* size of that list in `m` */
    uint64_t executed;
};

/* Runs points through a kernel. Returns false if it was stopped. */
static bool run(struct call *call, tile_fn *kernel, struct tile_points *points,
                struct tile_samples *samples) {
    points->done = 0;
    if (points->size > 0 && !kernel(points, samples))
        return false;
    call->executed += tile_samples_steps(points, samples) - samples->skipped;
    return true;
}

struct tile_points tile_screen_doubles(const struct tile_points *points) {
    struct tile_points doubles = *points;
    doubles.cr = &points->screening->double_cr;
    doubles.ci = &points->screening->double_ci;
    doubles.recipe = &points->screen->recipe;
    return doubles;
}

/* Runs the points of a direct picture, up to the limit for doubles. All that neither escape nor lie
 * in the main cardioid or disc become doubtful: whether a cycle is found varies between kernels. */
static bool run_direct_doubles(struct call *call) {
    struct tile_points points = tile_screen_doubles(call->p);
    struct tile_samples samples = *call->samples;
    const uint32_t inside = samples.never ? SAMPLE_NEVER : points.limit | SAMPLE_INTERIOR;
    points.limit = call->p->screen->limit;
    points.shortcuts &= ~(unsigned)SHORTCUTS_CYCLE;
    samples.undecided = call->m->undecided;
    samples.states = call->m->undecided_states;
    if (!run(call, call->p->screen->doubles, &points, &samples))
        return false;
    for (size_t i = 0; i < points.size; i++) {
        call->m->screen[i] = SCREEN_CLEAR;
        if (samples.planes.count[i] & SAMPLE_INTERIOR)
            samples.planes.count[i] = inside;
    }
    for (size_t i = 0; i < samples.undecided_size; i++)
        call->m->screen[samples.undecided[i]] = SCREEN_DOUBTFUL;
    return true;
}

static bool run_doubles(struct call *call) {
    if (call->p->screen->limit > 0)
        return run_direct_doubles(call);
    struct tile_points points = *call->p; /* the list begins with the high parts */
    struct tile_samples samples = *call->samples;
    points.perturbed = call->p->screen->tables;
    points.states = NULL;
    samples.undecided = NULL;
    samples.states = NULL;
    samples.screen = call->m->screen;
    return run(call, call->p->screen->doubles, &points, &samples);
}

static void keep(const struct call *call, size_t id, const void *state) {
    struct tile_samples *samples = call->samples;
    if (!samples->undecided)
        return;
    const size_t to = samples->undecided_size++, size = call->p->screen->state_size;
    samples->undecided[to] = (uint16_t)id;
    memcpy((char *)samples->states + to * size, state, size);
}

/* Lists a point for wide numbers, with the state to resume from. */
static void add(struct call *call, size_t id, struct state state) {
    const double *cr = call->p->cr, *ci = call->p->ci;
    struct tile_screening *m = call->m;
    const size_t to = call->doubtful++;
    for (size_t part = 0; part < 2; part++) {
        m->cr.wide[part][to] = cr[id + part * TILE_LOW];
        m->ci.wide[part][to] = ci[id + part * TILE_LOW];
    }
    m->doubtful[to] = (uint16_t)id;
    ((struct state *)m->states)[to] = state;
}

/* Lists the points that are doubtful, now or in an earlier call, and keeps those that are open. */
static void sort(struct call *call) {
    const struct state *states = call->p->states;
    for (size_t i = 0; i < call->p->size; i++)
        if (states && states[i].m != SCREEN_NOT_WIDE)
            add(call, i, states[i]);
        else if (call->m->screen[i] == SCREEN_DOUBTFUL)
            add(call, i, (struct state){.m = SCREEN_NOT_WIDE});
        else if (call->m->screen[i] == SCREEN_OPEN)
            keep(call, i, &(struct state){.m = SCREEN_NOT_WIDE});
}

static void put_sample(const struct call *call, size_t to, size_t from) {
    const struct sample_planes *planes = &call->samples->planes;
    for (int p = 0; p < SAMPLE_PLANES; p++)
        if (planes->plane[p])
            memcpy((char *)planes->plane[p] + to * SAMPLE_PLANE_BYTES, &call->m->plane[p][from],
                   SAMPLE_PLANE_BYTES);
}

static bool run_wide(struct call *call) {
    struct tile_screening *m = call->m;
    struct tile_points points = *call->p;
    struct tile_samples samples = {
        .never = call->samples->never, .undecided = m->undecided, .states = m->undecided_states};
    points.cr = &m->cr;
    points.ci = &m->ci;
    points.size = call->doubtful;
    points.states = call->p->screen->limit > 0 ? NULL : m->states;
    for (int p = 0; p < SAMPLE_PLANES; p++)
        samples.planes.plane[p] = call->samples->planes.plane[p] ? m->plane[p] : NULL;
    if (!run(call, call->p->screen->wide, &points, &samples))
        return false;
    for (size_t i = 0; i < call->doubtful; i++)
        put_sample(call, m->doubtful[i], i);
    for (size_t i = 0; i < samples.undecided_size; i++)
        keep(call, m->doubtful[samples.undecided[i]],
             m->undecided_states + i * call->p->screen->state_size);
    return true;
}

bool tile_screened(const struct tile_points *p, struct tile_samples *samples) {
    if (p->screen->limit > 0 && p->states) /* the limit for doubles lies behind these orbits */
        return p->screen->wide(p, samples);
    struct call call = {.p = p, .samples = samples, .m = p->screening};
    samples->undecided_size = 0;
    if (!run_doubles(&call))
        return false;
    sort(&call);
    if (!run_wide(&call))
        return false;
    samples->escaped = samples->steps = 0;
    for (size_t i = 0; i < p->size; i++) {
        const uint32_t count = samples->planes.count[i];
        samples->escaped += !(count & SAMPLE_INTERIOR);
        samples->steps += count & SAMPLE_INTERIOR ? 0 : count;
    }
    tile_samples_skip(p, samples, call.executed);
    return true;
}
