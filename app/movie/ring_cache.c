/* Ring cache: colours rings, and keeps their levels. */
#include "app/movie/ring_cache.h"
#include "render/base/log.h"
#include "render/parallel.h"
#include <stdatomic.h>
#include <stdlib.h>

bool ring_cache_init(struct ring_cache *cache) {
    cache->levels = calloc((size_t)cache->source->rings->count, sizeof *cache->levels);
    if (!cache->levels)
        log_error("not enough memory for the rings of a movie");
    return cache->levels;
}

/* Returns true if a ring has the size of most rings. */
static bool is_usual(const struct ring_cache *cache, int k) {
    return k > 0 && k + 1 < cache->source->rings->count;
}

static void drop(struct ring_cache *cache, int k, int m) {
    struct ring_level *level = &cache->levels[k][m];
    if (!level->light)
        return;
    cache->bytes -= 3 * sizeof *level->light * ring_level_size(level);
    free(is_usual(cache, k) ? atomic_exchange(&cache->spare[m], level->light) : level->light);
    level->light = NULL;
}

void ring_cache_forget(struct ring_cache *cache) {
    for (int k = 0; cache->levels && k < cache->source->rings->count; k++)
        for (int m = 0; m < RING_LEVELS; m++)
            drop(cache, k, m);
}

void ring_cache_finish(struct ring_cache *cache) {
    ring_cache_forget(cache);
    for (int m = 0; m < RING_LEVELS; m++)
        free(atomic_exchange(&cache->spare[m], NULL));
    free(cache->levels);
    cache->levels = NULL;
}

/* --- colours --- */

/* Cells that are coloured by several threads. */
struct colouring_job {
    const struct ring_cache *cache;
    const struct ring_level *level;
    struct cells cells;
    const struct sample_planes *samples;
};

static void colour_rows(void *user, uint32_t begin, uint32_t end) {
    const struct colouring_job *job = user;
    const struct cells *cells = &job->cells;
    const struct sample_planes rows =
        sample_planes_from(job->samples, (size_t)begin * (size_t)(cells->x1 - cells->x0));
    ring_level_colour(job->level, cells->x0, cells->x1, cells->y0 + (int)begin, (int)(end - begin),
                      &rows, job->cache->colouring);
}

void ring_cache_take(struct ring_cache *cache, int k, struct cells cells,
                     const struct sample_planes *samples) {
    if (!cache->levels[k][0].light)
        return;
    struct colouring_job job = {cache, &cache->levels[k][0], cells, samples};
    parallel_for((uint32_t)(cells.y1 - cells.y0), 16, colour_rows, &job);
}

/* --- levels --- */

/* Two levels of a ring. */
struct halving {
    const struct ring_level *fine, *coarse;
};

static void halve_rows(void *user, uint32_t begin, uint32_t end) {
    const struct halving *halving = user;
    const int first = halving->coarse->outer.y0;
    ring_level_halve(halving->fine, halving->coarse, first + (int)begin, first + (int)end);
}

static bool allocate(struct ring_cache *cache, int k, int m) {
    const struct rings *rings = cache->source->rings;
    struct ring_level *level = &cache->levels[k][m];
    ring_level_init(level, rings_outer(rings, k), rings_hole(rings, k), m);
    level->light = is_usual(cache, k) ? atomic_exchange(&cache->spare[m], NULL) : NULL;
    if (!level->light && !ring_level_alloc(level))
        return false;
    cache->bytes += 3 * sizeof *level->light * ring_level_size(level);
    return true;
}

bool ring_cache_begin(struct ring_cache *cache, int k) {
    return !cache->levels[k][0].light && cache->bytes < cache->most && allocate(cache, k, 0);
}

void ring_cache_end(struct ring_cache *cache, int k, bool whole) {
    if (!whole)
        drop(cache, k, 0);
}

/* Ring that is filled from its file. */
struct filling {
    struct ring_cache *cache;
    int k;
};

static void take(void *user, struct cells cells, const struct sample_planes *samples) {
    const struct filling *filling = user;
    ring_cache_take(filling->cache, filling->k, cells, samples);
}

static bool fill(struct ring_cache *cache, int k) {
    struct filling filling = {cache, k};
    if (!allocate(cache, k, 0))
        return false;
    enum ring_reading reading = ring_source_read(cache->source, k, take, &filling);
    if (reading != RING_READ && ring_ahead_again(cache->ahead, k))
        reading = ring_source_read(cache->source, k, take, &filling);
    if (reading == RING_READ)
        return true;
    drop(cache, k, 0);
    return false;
}

const struct ring_level *ring_cache_get(struct ring_cache *cache, int k, int m) {
    struct ring_level *levels = cache->levels[k];
    int from = m;
    if (!ring_ahead_wait(cache->ahead, k))
        return NULL;
    while (from > 0 && !levels[from].light)
        from--;
    if (!levels[from].light && !fill(cache, k))
        return NULL;
    for (; from < m; from++) {
        if (!allocate(cache, k, from + 1))
            return NULL;
        struct halving halving = {&levels[from], &levels[from + 1]};
        parallel_for((uint32_t)(halving.coarse->outer.y1 - halving.coarse->outer.y0), 32,
                     halve_rows, &halving);
    }
    return &levels[m];
}

static void drop_levels(struct ring_cache *cache, int k) {
    for (int m = 0; m < RING_LEVELS; m++)
        drop(cache, k, m);
}

void ring_cache_trim(struct ring_cache *cache, int first, int count, const int *needed,
                     bool outwards) {
    const int rings = cache->source->rings->count, end = first + count, step = outwards ? -1 : 1;
    if (count == 0)
        return;
    for (int k = outwards ? end : first - 1; k >= 0 && k < rings; k -= step)
        drop_levels(cache, k);
    for (int i = count - 1; i >= 0 && cache->bytes > cache->most; i--)
        for (int m = 0; m < needed[i] && cache->bytes > cache->most; m++)
            drop(cache, first + i, m);
    for (int k = outwards ? first - 1 : end;
         k >= 0 && k < rings && cache->bytes > cache->most && ring_ahead_has(cache->ahead, k);
         k += step)
        drop_levels(cache, k);
}
