/* Finds out what all orbits of a cell have in common before any is drawn. */

__kernel void bound_cells(const struct points_task task, const GLOBAL uint *order,
                          GLOBAL uint *memory) {
    const uint k = (uint)get_global_id(0);
    if (k >= task.cells)
        return;
    uint cell = order[k];
    memory[2 * k + 1] = cell_bounds_of(&task, cell);
    memory[2 * k] = cell;
}

INLINE struct points_pair pair_of(const GLOBAL uint *memory, uint m, uint cells) {
    const bool both = 2 * m + 1 < cells;
    const struct points_pair pair = {{memory[4 * m], both ? memory[4 * m + 2] : 0},
                                     {memory[4 * m + 1], both ? memory[4 * m + 3] : 0}};
    return pair;
}

/* One group: pairs with bounds, in order. Each thread has a part of them. */
__kernel __attribute__((reqd_work_group_size(GROUP_THREADS, 1, 1))) void
list_pairs(const uint cells, const GLOBAL uint *memory, GLOBAL struct points_pair *pairs,
           GLOBAL uint *numbers, GLOBAL struct cell_bounds *result) {
    __local uint live[GROUP_THREADS], open, plots;
    const uint thread = (uint)get_local_id(0), all = (cells + 1) / 2;
    const uint each = (all + GROUP_THREADS - 1) / GROUP_THREADS;
    const uint begin = min(thread * each, all), end = min(begin + each, all);
    uint own_live = 0, own_open = 0, own_plots = 0, before = 0;
    for (uint m = begin; m < end; m++) {
        const struct points_pair pair = pair_of(memory, m, cells);
        own_live += pair.bounds[0] || pair.bounds[1];
        for (int i = 0; i < 2; i++) {
            own_open += cell_bounds_are_open(pair.bounds[i]);
            own_plots += cell_bounds_plots(pair.bounds[i]);
        }
    }
    live[thread] = own_live;
    if (thread == 0)
        open = plots = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&open, own_open);
    atomic_add(&plots, own_plots);
    for (uint i = 0; i < thread; i++)
        before += live[i];
    for (uint m = begin; m < end; m++) {
        const struct points_pair pair = pair_of(memory, m, cells);
        if (pair.bounds[0] || pair.bounds[1]) {
            pairs[before] = pair;
            numbers[before++] = m;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread == GROUP_THREADS - 1) {
        result->live = before;
        result->open = open;
        result->plots = plots;
    }
}
