/* Screened kernel: runs points through the double kernel twice, and the doubtful ones through the
 * wide kernel. */
#include "cpu/escape/screen.h"
#include "render/number/screen.h"
#include <string.h>

/* State of an orbit that may be resumed: that of wide numbers, or m == SCREEN_NOT_WIDE. A point
 * that is open in doubles starts again when resumed; keeping the states of two orbits would cost
 * more. */
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
    size_t screened, doubtful; /* sizes of the two lists in `m` */
    uint64_t executed;
};

/* Runs a list of points through a kernel. Returns false if it was stopped. */
static bool run(struct call *call, tile_fn *kernel, const struct tile_points *points,
                struct screen_samples *to, struct tile_samples *samples) {
    *samples =
        (struct tile_samples){.never = true, .undecided = to->undecided, .states = to->states};
    for (int p = 0; p < SAMPLE_PLANES; p++)
        samples->planes.plane[p] = call->samples->planes.plane[p] ? to->plane[p] : NULL;
    if (points->size > 0 && !kernel(points, samples))
        return false;
    call->executed += tile_samples_steps(points, samples) - samples->skipped;
    return true;
}

static struct tile_points points_of(const struct call *call, size_t size) {
    struct tile_points points = *call->p;
    points.cr = &call->m->cr;
    points.ci = &call->m->ci;
    points.size = size;
    points.done = 0;
    points.states = NULL;
    return points;
}

/* --- in doubles --- */

/* Lists the points to screen, and the points that an earlier call found doubtful. */
static void sort(struct call *call) {
    const struct state *states = call->p->states;
    for (size_t i = 0; i < call->p->size; i++)
        if (states && states[i].m != SCREEN_NOT_WIDE)
            call->m->doubtful[call->doubtful++] = (uint16_t)i;
        else
            call->m->screened[call->screened++] = (uint16_t)i;
}

/* Runs the points to screen through the double kernel, with their c times `factor`. */
static bool run_doubles(struct call *call, double factor, struct screen_samples *to) {
    const double *cr = call->p->cr, *ci = call->p->ci;
    struct tile_screening *m = call->m;
    struct tile_samples samples;
    for (size_t i = 0; i < call->screened; i++) {
        m->cr.f64[i] = cr[m->screened[i]] * factor;
        m->ci.f64[i] = ci[m->screened[i]] * factor;
    }
    struct tile_points points = points_of(call, call->screened);
    points.perturbed = call->p->screen->tables;
    if (!run(call, call->p->screen->doubles, &points, to, &samples))
        return false;
    for (size_t i = 0; i < samples.undecided_size; i++)
        to->plane[SAMPLE_PLANE_count][samples.undecided[i]] = call->p->limit | SAMPLE_INTERIOR;
    return true;
}

/* --- samples --- */

static void put_sample(const struct call *call, size_t to, const struct screen_samples *from,
                       size_t at) {
    struct tile_samples *samples = call->samples;
    const uint32_t count = from->plane[SAMPLE_PLANE_count][at];
    for (int p = 0; p < SAMPLE_PLANES; p++)
        if (samples->planes.plane[p])
            memcpy((char *)samples->planes.plane[p] + to * SAMPLE_PLANE_BYTES, &from->plane[p][at],
                   SAMPLE_PLANE_BYTES);
    if (count & SAMPLE_INTERIOR) {
        samples->planes.count[to] =
            samples->never ? SAMPLE_NEVER : call->p->limit | SAMPLE_INTERIOR;
    } else {
        samples->escaped++;
        samples->steps += count;
    }
}

static void keep(const struct call *call, size_t id, struct state state) {
    struct tile_samples *samples = call->samples;
    if (!samples->undecided)
        return;
    const size_t to = samples->undecided_size++;
    samples->undecided[to] = (uint16_t)id;
    ((struct state *)samples->states)[to] = state;
}

/* Stores the samples that are clear or open, and lists the other points as doubtful. */
static void judge(struct call *call) {
    struct tile_screening *m = call->m;
    const uint32_t *count = m->own.plane[SAMPLE_PLANE_count];
    const uint32_t *beside = m->beside.plane[SAMPLE_PLANE_count];
    for (size_t i = 0; i < call->screened; i++) {
        float fraction[2];
        memcpy(&fraction[0], &m->own.plane[SAMPLE_PLANE_fraction][i], sizeof *fraction);
        memcpy(&fraction[1], &m->beside.plane[SAMPLE_PLANE_fraction][i], sizeof *fraction);
        const enum screen screen = screen_of(count[i], fraction[0], beside[i], fraction[1]);
        if (screen == SCREEN_DOUBTFUL) {
            m->doubtful[call->doubtful++] = m->screened[i];
            continue;
        }
        put_sample(call, m->screened[i], &m->own, i);
        if (screen == SCREEN_OPEN)
            keep(call, m->screened[i], (struct state){.m = SCREEN_NOT_WIDE});
    }
}

/* --- in wide numbers --- */

static bool run_wide(struct call *call) {
    const double *cr = call->p->cr, *ci = call->p->ci;
    const struct state *states = call->p->states;
    struct tile_screening *m = call->m;
    struct tile_samples samples;
    for (size_t i = 0; i < call->doubtful; i++) {
        const size_t id = m->doubtful[i];
        for (size_t part = 0; part < 2; part++) {
            m->cr.wide[part][i] = cr[id + part * TILE_LOW];
            m->ci.wide[part][i] = ci[id + part * TILE_LOW];
        }
        const bool goes_on = states && states[id].m != SCREEN_NOT_WIDE;
        ((struct state *)m->states)[i] = goes_on ? states[id] : (struct state){0};
    }
    struct tile_points points = points_of(call, call->doubtful);
    points.states = m->states;
    if (!run(call, call->p->screen->wide, &points, &m->beside, &samples))
        return false;
    for (size_t i = 0; i < call->doubtful; i++)
        put_sample(call, m->doubtful[i], &m->beside, i);
    for (size_t i = 0; i < samples.undecided_size; i++)
        keep(call, m->doubtful[samples.undecided[i]], ((struct state *)m->beside.states)[i]);
    return true;
}

bool tile_screened(const struct tile_points *p, struct tile_samples *samples) {
    struct call call = {.p = p, .samples = samples, .m = p->screening};
    samples->skipped = samples->escaped = samples->steps = 0;
    samples->undecided_size = 0;
    sort(&call);
    if (!run_doubles(&call, 1, &call.m->own) ||
        !run_doubles(&call, SCREEN_NEIGHBOUR, &call.m->beside))
        return false;
    judge(&call);
    if (!run_wide(&call))
        return false;
    tile_samples_skip(p, samples, call.executed);
    return true;
}
