/* Point kernels of orbit density: 32 threads draw a clump's samples, whose orbits stay close for a
 * while and end alike. Orbits that live longer are listed and continue with one thread each. -D
 * options: FOLD is place.fold; DEEP is true if orbits may be listed. */
#ifndef FATHOM_GPU_KERNELS_POINTS_KERNELS_H
#define FATHOM_GPU_KERNELS_POINTS_KERNELS_H

#include "gpu/kernels/points_plot.h"

ARGUMENT_STRUCT(draw_args, DRAW_ARGUMENTS)
ARGUMENT_STRUCT(slice_args, SLICE_ARGUMENTS)

INLINE void points_load(const struct points_list *list, uint32_t i, struct points_orbit *o) {
    o->cr = list->cr[i];
    o->ci = list->ci[i];
    o->zr = list->zr[i];
    o->zi = list->zi[i];
}

INLINE void points_save(const struct points_list *list, uint32_t i, const struct points_orbit *o,
                        uint32_t done) {
    list->cr[i] = o->cr;
    list->ci[i] = o->ci;
    list->zr[i] = o->zr;
    list->zi[i] = o->zi;
    list->done[i] = done;
}

/* Work of a thread: fewer than 2^32 steps. A launch makes fewer than 2^32 increments. */
struct points_work {
    uint32_t steps, points;
};

INLINE void points_tally(volatile GLOBAL uint32_t *tally, const struct points_work *work,
                         LOCAL struct group *own) {
    const int number[3] = {TALLY_STEPS, TALLY_POINTS, TALLY_DONE};
    team_tally(tally, number, work->steps, work->points, 0, own);
}

/* --- drawing --- */

/* Draws a sample of a clump; nothing is drawn if `bounds` is 0. Collective. */
INLINE void draw_sample(const struct draw_args *at, const struct sample_round *round, uint32_t cell,
                        uint32_t bounds, uint32_t lane, const uint32_t *words,
                        struct points_work *work, LOCAL struct group *own) {
    const struct points_task *const task = VALUE_OF(at->task);
    const struct sample_clump clump = sample_clump(round, cell);
    const uint32_t first = bounds & 255u;
    uint32_t end = bounds >> 8 & 255u, plane = points_plane(task, bounds >> 24), k = 1;
    struct points_orbit o;
    points_sample(&clump, round->octave, lane, words, &o);
    const bool open = end == BOUNDS_OPEN;
    uint32_t n = 0;
    bool old = false;
    if (open) {
        n = points_follow(task, &o, bounds >> 16 & 255u);
        work->steps += n;
        old = DEEP && n > task->young;
        end = old ? 0 : points_end(task, n);
        plane = points_plane(task, n);
    }
    if (DEEP) {
        const bool listed = old && points_must_search(task, cell, &o);
        const uint32_t entry = team_append(&at->state->searched.value, listed, own);
        if (listed)
            points_save(&at->to, entry, &o, n);
    }
    if (open)
        points_restart(&o);
    work->steps += end;
    for (; k < first && bounds != 0; k++)
        points_step(&o);
    work->points +=
        plot_points(task, POINTS_NUMBERS(at), at->counts, &o, k, bounds != 0 ? end + 1 : 0, plane);
}

/* Returns the bounds of a pair's clump, or 0 if the clump is not in [first, end). */
INLINE uint32_t draw_bounds(uint32_t bounds, uint32_t clump, uint32_t first, uint32_t end) {
    return clump >= first && clump < end ? bounds : 0;
}

/* Draws lane `lane` of pair v of the launch's part. Collective. */
INLINE void draw_pair(const struct draw_args *at, uint32_t v, uint32_t lane,
                      struct points_work *work, LOCAL struct group *own) {
    const struct points_task *const task = VALUE_OF(at->task);
    const struct draw_part *const part = VALUE_OF(at->part);
    const bool there = v < part->end;
    const uint32_t turn = there ? v / part->live : 0, entry = there ? v - turn * part->live : 0;
    const struct points_pair pair = at->pairs[entry];
    const uint32_t number = at->numbers[entry], clump = turn * task->cells + 2 * number;
    const struct sample_round round = {part->first_round + turn, part->rounds[turn].octave,
                                       part->rounds[turn].position, part->rounds[turn].key};
    const struct philox words = sample_words(round.number, number, lane, task->random);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t bounds =
            draw_bounds(pair.bounds[i], clump + i, part->first_clump, part->end_clump);
        if (TEAM_THREADS <= CLUMP_SAMPLES && (!there || bounds == 0))
            continue; /* the condition is the same in the whole team */
        draw_sample(at, &round, pair.cell[i], there ? bounds : 0, lane, words.word + 2 * i, work,
                    own);
    }
}

#if defined __CUDACC__ || defined __OPENCL_C_VERSION__
#define TEAM_PAIRS DRAW_PAIRS_MAX
#define TEAM_COUNT (thread_count() / TEAM_THREADS)
#else
#define TEAM_PAIRS 1u
#define TEAM_COUNT 1u
#endif

/* Claims the team's next pairs. Returns false if none is left, if the request is cancelled, or if
 * the list might be too short for the orbits of all teams' pairs. Collective. */
INLINE bool draw_claim(const struct draw_args *at, uint32_t *begin, LOCAL struct group *own) {
    const struct draw_part *const part = VALUE_OF(at->part);
    const uint32_t under_way = TEAM_COUNT * TEAM_PAIRS * 2 * CLUMP_SAMPLES;
    uint32_t taken = ~0u;
    if (thread_x() % TEAM_THREADS == 0 && LOAD_RELAXED(*at->abort) != VALUE_OF(at->task)->serial &&
        !(DEEP && ATOMIC_ADD(&at->state->searched.value, 0) + under_way > part->room))
        taken = ATOMIC_ADD(&at->state->claimed[part->counter].value, TEAM_PAIRS);
    taken = team_broadcast(own, taken);
    *begin = part->begin + taken;
    return taken < part->end - part->begin;
}

KERNEL(draw, DRAW_ARGUMENTS, struct draw_args, struct group) {
    struct points_work work = {0, 0};
    uint32_t begin;
    group_begin(own);
    while (draw_claim(at, &begin, own))
        for (uint32_t k = 0; k < TEAM_PAIRS * CLUMP_SAMPLES / TEAM_THREADS; k++) {
            const uint32_t i = k * TEAM_THREADS + thread_x() % TEAM_THREADS;
            draw_pair(at, begin + i / CLUMP_SAMPLES, i % CLUMP_SAMPLES, &work, own);
        }
    points_tally(at->tally, &work, own);
}

#if DEEP /* --- long orbits --- */

KERNEL(search, SLICE_ARGUMENTS, struct slice_args, struct group) {
    const struct points_task *const task = VALUE_OF(at->task);
    const struct slice_part *const slice = VALUE_OF(at->slice);
    const uint32_t i = thread_x(), limit = task->rule.limit;
    struct points_orbit o = {0, 0, 0, 0};
    struct points_work work = {0, 0};
    uint32_t n = 0, end = 0;
    bool goes_on = false;
    group_begin(own);
    if (team_broadcast(own, LOAD_RELAXED(*at->abort) == task->serial))
        return;
    if (i < slice->size) {
        points_load(&at->from, slice->begin + i, &o);
        n = at->from.done[slice->begin + i];
        const uint32_t before = n, left = limit + 1 - n;
        const enum points_found found =
            points_search(&o, &n, n + (slice->steps < left ? slice->steps : left));
        goes_on = found == POINTS_UNDECIDED && n <= limit;
        end = goes_on ? 0 : points_end(task, found == POINTS_ESCAPE ? n : limit + 1);
        work.steps = n - before;
    }
    const uint32_t entry = team_append(&at->state->searched.value, goes_on, own);
    if (goes_on)
        points_save(&at->to, entry, &o, n);
    const uint32_t plotted = team_append(&at->state->plotted.value, end > 0, own);
    if (end > 0) {
        points_restart(&o);
        points_save(&at->plots, plotted, &o, 1);
        at->plots.end[plotted] = end;
        at->plots.plane[plotted] = (uint8_t)(points_plane(task, n) / task->plane);
    }
    points_tally(at->tally, &work, own);
}

KERNEL(plot, SLICE_ARGUMENTS, struct slice_args, struct group) {
    const struct points_task *const task = VALUE_OF(at->task);
    const struct slice_part *const slice = VALUE_OF(at->slice);
    const uint32_t i = thread_x();
    struct points_orbit o = {0, 0, 0, 0};
    struct points_work work = {0, 0};
    uint32_t k = 1, end = 0, plane = 0;
    group_begin(own);
    if (team_broadcast(own, LOAD_RELAXED(*at->abort) == task->serial))
        return;
    if (i < slice->size) {
        points_load(&at->from, slice->begin + i, &o);
        k = at->from.done[slice->begin + i];
        end = at->from.end[slice->begin + i];
        plane = at->from.plane[slice->begin + i];
        const uint32_t left = end + 1 - k;
        work.steps = slice->steps < left ? slice->steps : left;
    }
    work.points = plot_points(task, POINTS_NUMBERS(at), at->counts, &o, k, k + work.steps,
                              plane * task->plane);
    k += work.steps;
    const bool goes_on = k <= end;
    const uint32_t entry = team_append(&at->state->plotted.value, goes_on, own);
    if (goes_on) {
        points_save(&at->to, entry, &o, k);
        at->to.end[entry] = end;
        at->to.plane[entry] = (uint8_t)plane;
    }
    points_tally(at->tally, &work, own);
}

#define KERNELS(X) X(draw) X(search) X(plot)
#else
#define KERNELS(X) X(draw)
#endif

#endif
