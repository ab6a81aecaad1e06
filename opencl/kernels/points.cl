/* Counts points: 32 threads draw a clump's samples, whose orbits stay together for a while and end alike; those that do
 * not are listed, and go on a thread each. FOLD: place.fold. */

#define real_down(x) (uint)convert_int_sat_rtn(x)
#include "gpu/density/points_search.h"

#define POINTS_ARGUMENTS                                                                           \
    const struct points_task task, const struct points_numbers number, GLOBAL uint *counts,        \
        GLOBAL uint *tally, volatile GLOBAL struct points_state *state,                            \
        volatile const GLOBAL uint *abort

/* Orbits in a list, and what is known of those that are to be plotted. */
#define POINTS_LIST(name)                                                                          \
    , GLOBAL real *name##_cr, GLOBAL real *name##_ci, GLOBAL real *name##_zr,                      \
        GLOBAL real *name##_zi, GLOBAL uint *name##_done
#define POINTS_PLOT_LIST(name)                                                                     \
    POINTS_LIST(name), GLOBAL uint *name##_end, GLOBAL uchar *name##_plane
#define POINTS_AT(name)                                                                            \
    { name##_cr, name##_ci, name##_zr, name##_zi, name##_done }
struct list {
    GLOBAL real *cr, *ci, *zr, *zi;
    GLOBAL uint *done;
};

INLINE void load(const struct list *list, uint i, struct points_orbit *o) {
    o->cr = list->cr[i];
    o->ci = list->ci[i];
    o->zr = list->zr[i];
    o->zi = list->zi[i];
}

INLINE void save(const struct list *list, uint i, const struct points_orbit *o, uint done) {
    list->cr[i] = o->cr;
    list->ci[i] = o->ci;
    list->zr[i] = o->zr;
    list->zi[i] = o->zi;
    list->done[i] = done;
}

/* --- groups --- */

/* Words of a group's own memory. */
enum own { OWN_STEPS, OWN_POINTS = 2, OWN_SEARCHED = 4, OWN_PLOTTED = 6, OWN_TASK = 8, OWN_WORDS };

struct work {
    uint steps, points;
};

/* Adds what a group has done; all its threads come here. */
INLINE void count_work(GLOBAL uint *tally, volatile __local uint *own, const struct work *work) {
    if (work->steps > 0)
        memory_add_local(own + OWN_STEPS, work->steps);
    if (work->points > 0)
        memory_add_local(own + OWN_POINTS, work->points);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) > 0)
        return;
    volatile GLOBAL uint *share = memory_share(tally);
    memory_add(share + TALLY_STEPS, memory_sum(own + OWN_STEPS));
    memory_add(share + TALLY_POINTS, memory_sum(own + OWN_POINTS));
}

/* Prepares a group's own memory; `task` is thread 0's word in it. */
INLINE void begin_group(volatile __local uint *own, uint task) {
    const uint thread = (uint)get_local_id(0);
    if (thread < OWN_TASK)
        own[thread] = 0;
    if (thread == 0)
        own[OWN_TASK] = task;
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* --- points --- */

/* Points of a thread, one after another in the same pixel: they are added at once. */
struct stay {
    uint pixel, points;
};

INLINE void leave(volatile GLOBAL uint *counts, const struct stay *stay) {
    if (stay->points > 0)
        atomic_add(counts + stay->pixel, stay->points);
}

INLINE uint plot_one(const struct points_task *task, const struct points_numbers *a,
                     GLOBAL uint *counts, real zr, real zi, uint plane, struct stay *stay) {
    uint pixel;
    if (!points_locate(FOLD, a, task, zr, zi, &pixel))
        return 0;
    pixel += plane;
    if (pixel != stay->pixel) {
        leave(counts, stay);
        stay->pixel = pixel;
        stay->points = 0;
    }
    stay->points++;
    return 1;
}

/* The points of an orbit that is at step k, up to before `until`; gives how many increments were made. */
INLINE uint plot_points(const struct points_task *task, const struct points_numbers *a,
                        GLOBAL uint *counts, struct points_orbit *o, uint k, uint until,
                        uint plane) {
    struct stay stay = {0, 0}, mirrored = {0, 0};
    uint points = 0;
    for (; k < until; k++) {
        points += plot_one(task, a, counts, o->zr, o->zi, plane, &stay);
        if (FOLD == DENSITY_FOLD_NONE && task->place.both)
            points += plot_one(task, a, counts, o->zr, -o->zi, plane, &mirrored);
        points_step(o);
    }
    leave(counts, &stay);
    leave(counts, &mirrored);
    return points;
}

/* --- drawing --- */

/* An orbit to be listed after n steps; 0: none. */
struct old {
    struct points_orbit o;
    uint n;
};

INLINE struct old draw_clump(const struct points_task *task, const struct points_numbers *a,
                             GLOBAL uint *counts, const struct sample_round *round, uint cell,
                             uint bounds, const uint *words, struct work *work) {
    const struct sample_clump clump = sample_clump(round, cell);
    const uint lane = (uint)get_local_id(0) % CLUMP_SAMPLES, first = bounds & 255u;
    uint end = bounds >> 8 & 255u, plane = points_plane(task, bounds >> 24), k = 1;
    struct old old = {.n = 0};
    struct points_orbit o;
    points_sample(&clump, round->octave, lane, words, &o);
    if (bounds == 0)
        return old;
    if (end == BOUNDS_OPEN) {
        const uint n = points_follow(task, &o, bounds >> 16 & 255u);
        const bool goes_on = n > task->young && points_deep(task);
        work->steps += n;
        if (goes_on && points_worth(task, cell, &o)) {
            old.o = o;
            old.n = n;
        }
        end = goes_on ? 0 : points_end(task, n);
        plane = points_plane(task, n);
        points_restart(&o);
    }
    work->steps += end;
    for (; k < first && k <= end; k++)
        points_step(&o);
    work->points += plot_points(task, a, counts, &o, k, end + 1, plane);
    return old;
}

/* Before a launch that lists orbits. */
__kernel void promise(POINTS_ARGUMENTS) {
    if (get_global_id(0) == 0)
        state->promised.value = state->searched.value;
}

#define GROUP_SAMPLES (OPENCL_PAIRS * 2 * CLUMP_SAMPLES)

/* The first of a group's pairs. It may list all their samples, and has that promised until it knows. d->end: none, as
 * the request was given up, or there is no room. */
INLINE uint claim(const struct points_task *task, const struct opencl_draw *d,
                  volatile GLOBAL struct points_state *state, volatile const GLOBAL uint *abort) {
    if (*abort == task->serial)
        return d->end;
    if (!points_deep(task))
        return d->begin + (uint)get_group_id(0) * OPENCL_PAIRS;
    if (atomic_add(&state->promised.value, GROUP_SAMPLES) + GROUP_SAMPLES > d->room) {
        atomic_sub(&state->promised.value, GROUP_SAMPLES);
        return d->end;
    }
    return d->begin + atomic_add(&state->claimed[d->turn].value, OPENCL_PAIRS);
}

__kernel __attribute__((reqd_work_group_size(GROUP_THREADS, 1, 1))) void
draw(POINTS_ARGUMENTS, const struct opencl_draw d, const GLOBAL struct points_pair *pairs,
     const GLOBAL uint *numbers POINTS_LIST(to)) {
    __local uint own[OWN_WORDS];
    const uint thread = (uint)get_local_id(0), lane = thread % CLUMP_SAMPLES;
    begin_group(own, thread == 0 ? claim(&task, &d, state, abort) : 0);
    const uint begin = own[OWN_TASK], v = begin + thread / CLUMP_SAMPLES;
    const struct list list = POINTS_AT(to);
    struct work work = {0, 0};
    struct old one = {.n = 0}, other = {.n = 0};
    if (v < d.end) {
        const uint turn = v / d.live, entry = v - turn * d.live, number_of_pair = numbers[entry];
        const struct sample_round round = {d.first_round + turn, d.rounds[turn].octave,
                                           d.rounds[turn].position, d.rounds[turn].key};
        const struct points_pair pair = pairs[entry];
        const uint clump = turn * task.cells + 2 * number_of_pair;
        const struct philox words =
            sample_words(round.number, number_of_pair, lane, task.random);
        one = draw_clump(&task, &number, counts, &round, pair.cell[0],
                         points_bounds_within(pair.bounds[0], clump, d.first_clump, d.end_clump),
                         words.word, &work);
        other = draw_clump(
            &task, &number, counts, &round, pair.cell[1],
            points_bounds_within(pair.bounds[1], clump + 1, d.first_clump, d.end_clump),
            words.word + 2, &work);
    }
    uint entry = memory_append(&state->searched.value, (one.n > 0) + (other.n > 0), own + OWN_SEARCHED);
    if (one.n > 0)
        save(&list, entry++, &one.o, one.n);
    if (other.n > 0)
        save(&list, entry, &other.o, other.n);
    if (thread == 0 && points_deep(&task) && begin < d.end)
        atomic_sub(&state->promised.value, GROUP_SAMPLES - own[OWN_SEARCHED]);
    count_work(tally, own, &work);
}

/* --- long orbits --- */

__kernel __attribute__((reqd_work_group_size(GROUP_THREADS, 1, 1))) void
search(POINTS_ARGUMENTS, const struct opencl_slice s POINTS_LIST(from) POINTS_LIST(to)
           POINTS_PLOT_LIST(listed)) {
    __local uint own[OWN_WORDS];
    const uint i = (uint)get_global_id(0), limit = task.rule.limit;
    const struct list from = POINTS_AT(from), to = POINTS_AT(to), listed = POINTS_AT(listed);
    struct points_orbit o = {0, 0, 0, 0};
    struct work work = {0, 0};
    uint n = 0, end = 0;
    bool goes_on = false;
    begin_group(own, *abort == task.serial);
    if (i < s.size && !own[OWN_TASK]) {
        load(&from, s.begin + i, &o);
        n = from_done[s.begin + i];
        const uint before = n, left = limit + 1 - n;
        const enum points_found found =
            points_search(&o, &n, n + (s.steps < left ? s.steps : left));
        goes_on = found == POINTS_NOTHING && n <= limit;
        end = goes_on ? 0 : points_end(&task, found == POINTS_ESCAPE ? n : limit + 1);
        work.steps = n - before;
    }
    const uint entry = memory_append(&state->searched.value, goes_on, own + OWN_SEARCHED);
    if (goes_on)
        save(&to, entry, &o, n);
    const uint plotted = memory_append(&state->plotted.value, end > 0, own + OWN_PLOTTED);
    if (end > 0) {
        points_restart(&o);
        save(&listed, plotted, &o, 1);
        listed_end[plotted] = end;
        listed_plane[plotted] = (uchar)(points_plane(&task, n) / task.plane);
    }
    count_work(tally, own, &work);
}

__kernel __attribute__((reqd_work_group_size(GROUP_THREADS, 1, 1))) void
plot(POINTS_ARGUMENTS,
     const struct opencl_slice s POINTS_PLOT_LIST(from) POINTS_PLOT_LIST(to)) {
    __local uint own[OWN_WORDS];
    const uint i = (uint)get_global_id(0);
    const struct list from = POINTS_AT(from), to = POINTS_AT(to);
    struct points_orbit o = {0, 0, 0, 0};
    struct work work = {0, 0};
    uint k = 0, end = 0, plane = 0;
    bool goes_on = false;
    begin_group(own, *abort == task.serial);
    if (i < s.size && !own[OWN_TASK]) {
        load(&from, s.begin + i, &o);
        k = from_done[s.begin + i];
        end = from_end[s.begin + i];
        plane = from_plane[s.begin + i];
        const uint left = end + 1 - k;
        work.steps = s.steps < left ? s.steps : left;
        work.points =
            plot_points(&task, &number, counts, &o, k, k + work.steps, plane * task.plane);
        k += work.steps;
        goes_on = k <= end;
    }
    const uint entry = memory_append(&state->plotted.value, goes_on, own + OWN_PLOTTED);
    if (goes_on) {
        save(&to, entry, &o, k);
        to_end[entry] = end;
        to_plane[entry] = (uchar)plane;
    }
    count_work(tally, own, &work);
}
