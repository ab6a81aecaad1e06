/* Density part: counts a part of a round. Short orbits are counted in the first phase. Longer ones
 * are listed, iterated to their ends, then iterated again in the order of their lengths, so that
 * orbits of a vector end together. */
#include "cpu/density/density_part.h"
#include "cpu/cpuid.h"
#include <string.h>

#define DIGIT_BITS 11 /* bits of a digit of the radix sort */
#define DIGITS     (1u << DIGIT_BITS)

static const struct {
    uint32_t flag;
    const struct density_kernels *kernels[TYPE_NATIVE_COUNT];
} choices[] = {
#if CPU_BUILT_AVX512
    {CPU_AVX512, {&density_avx512_float, &density_avx512_double}},
#endif
#if CPU_BUILT_AVX2
    {CPU_AVX2, {&density_avx2_float, &density_avx2_double}},
#endif
#if CPU_BUILT_FMA
    {CPU_FMA, {&density_fma_float, &density_fma_double}},
#endif
    {0, {&density_base_float, &density_base_double}},
};

const struct density_kernels *density_choose(uint32_t flags, enum number_type type) {
    int best = 0;
    while (choices[best].flag & ~flags)
        best++;
    return choices[best].kernels[type];
}

void density_task_init(struct density_task *task, const struct density_req *req,
                       const atomic_bool *stop) {
    *task = (struct density_task){.rule = density_rule(&req->density),
                                  .place = density_place(req),
                                  .random = req->density.random,
                                  .type = req->type,
                                  .stop = stop};
    const uint32_t limit = task->rule.limit;
    task->plane = (uint32_t)task->place.width * (uint32_t)task->place.height;
    task->young = limit <= DENSITY_YOUNG_MOST ? limit : DENSITY_YOUNG;
    task->young_count = task->rule.bounded ? task->young == limit : task->young >= task->rule.least;
}

/* --- lists --- */

/* Iterates the listed orbits: sets count[i] to the count, or to 0 if the orbit does not escape. */
static bool follow_list(const struct density_task *task, const struct density_part *part,
                        struct density_scratch *s) {
    const struct tile_points points = {.cr = s->list.cr,
                                       .ci = s->list.ci,
                                       .size = s->list.size,
                                       .recipe = &recipe_square,
                                       .shortcuts = SHORTCUTS_ALL,
                                       .limit = task->rule.limit,
                                       .done = task->young,
                                       .states = s->states,
                                       .stop = task->stop,
                                       .scratch = &s->tile};
    struct tile_samples samples = {.planes = {.count = s->count, .fraction = s->fraction}};
    tile_states_pack(task->type, s->list.zr, s->list.zi, s->list.size, s->states);
    if (!part->tile(&points, &samples))
        return false;
    for (size_t i = 0; i < s->list.size; i++)
        s->count[i] = s->count[i] & SAMPLE_INTERIOR ? 0 : s->count[i] & SAMPLE_COUNT_MASK;
    return true;
}

/* Selects the orbits that count; stores their last points and their numbers in the list. */
static size_t choose_orbits(const struct density_task *task, struct density_scratch *s) {
    const struct density_rule *rule = &task->rule;
    size_t size = 0;
    for (size_t i = 0; i < s->list.size; i++) {
        const uint32_t n = s->count[i];
        const uint32_t end = rule->bounded ? rule->limit : n;
        s->order[size] = (struct density_order){end, (uint32_t)i};
        size += rule->bounded ? n == 0 : n >= rule->least;
    }
    return size;
}

/* Sorts the selected orbits by their last points: a radix sort from the lowest digit on. */
static void sort_orbits(struct density_scratch *s, size_t size, uint32_t longest) {
    struct density_order *from = s->order, *to = s->sorted;
    for (int shift = 0; shift < 32 && longest >> shift; shift += DIGIT_BITS) {
        uint32_t first[DIGITS + 1] = {0};
        for (size_t i = 0; i < size; i++)
            first[(from[i].end >> shift) % DIGITS + 1]++;
        for (uint32_t digit = 0; digit < DIGITS; digit++)
            first[digit + 1] += first[digit];
        for (size_t i = 0; i < size; i++)
            to[first[(from[i].end >> shift) % DIGITS]++] = from[i];
        struct density_order *const swap = from;
        from = to;
        to = swap;
    }
    if (from != s->order)
        memcpy(s->order, from, size * sizeof *from);
}

static void gather_orbits(enum number_type type, struct density_scratch *s, size_t size) {
    for (size_t i = 0; i < size; i++) {
        const uint32_t at = s->order[i].at;
        s->end[i] = s->order[i].end;
        if (type == TYPE_FLOAT) {
            s->chosen_cr.f32[i] = s->cr.f32[at];
            s->chosen_ci.f32[i] = s->ci.f32[at];
        } else {
            s->chosen_cr.f64[i] = s->cr.f64[at];
            s->chosen_ci.f64[i] = s->ci.f64[at];
        }
    }
}

/* Lists the points of the sorted orbits, plane by plane. */
static bool plot_orbits(const struct density_task *task, const struct density_part *part,
                        struct density_scratch *s, size_t size) {
    const struct density_rule *rule = &task->rule;
    const size_t number = task->type == TYPE_FLOAT ? sizeof(float) : sizeof(double);
    size_t from = 0;
    for (int p = 0; p < rule->planes.count; p++) {
        const uint32_t top = rule->bounded ? rule->limit : rule->planes.top[p];
        size_t to = from;
        while (to < size && s->end[to] <= top)
            to++;
        const struct density_tracks orbits = {(const char *)&s->chosen_cr + from * number,
                                              (const char *)&s->chosen_ci + from * number,
                                              s->end + from, to - from};
        if (!part->kernels->plot(task, &orbits, (uint32_t)p * task->plane, part->points))
            return false;
        from = to;
    }
    return true;
}

static bool task_off(const struct density_task *task, const struct density_part *part,
                     struct density_scratch *s) {
    if (s->list.size == 0)
        return true;
    if (!follow_list(task, part, s))
        return false;
    const size_t size = choose_orbits(task, s);
    sort_orbits(s, size, task->rule.limit);
    gather_orbits(task->type, s, size);
    for (size_t i = 0; i < s->list.size; i++)
        s->steps += s->count[i] ? s->count[i] - task->young : 0;
    s->list.size = 0;
    return plot_orbits(task, part, s, size);
}

bool density_part_count(const struct density_task *task, const struct density_part *part,
                        struct density_scratch *s) {
    s->list = (struct density_list){&s->cr, &s->ci, &s->zr, &s->zi, 0};
    s->steps = 0;
    for (uint32_t k = part->first; k < part->end;) {
        k = part->kernels->young(task, &part->round, part->order, k, part->end, &s->list,
                                 part->points, &s->steps);
        if (s->list.size + CLUMP_SAMPLES > TILE_POINTS_MAX && !task_off(task, part, s))
            return false;
        if (atomic_load_explicit(task->stop, memory_order_relaxed))
            return false;
    }
    return task_off(task, part, s);
}
