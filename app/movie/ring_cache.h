/* Ring cache: the light of a movie's rings that its frames at hand show. */
#ifndef FATHOM_APP_MOVIE_RING_CACHE_H
#define FATHOM_APP_MOVIE_RING_CACHE_H

#include "app/movie/ring_ahead.h"
#include "render/movie/ring_light.h"

struct ring_cache {
    /* Set by the caller. */
    const struct ring_source *source;
    struct ring_ahead *ahead; /* makes the rings */
    const struct colouring *colouring;
    uint64_t most; /* memory above which light that is not needed yet is dropped [bytes] */

    /* Levels of each ring; light is NULL if it is not there. A ring belongs to the thread of
     * `ahead` until that thread has made it, then to the cache's user. */
    struct ring_level (*levels)[RING_LEVELS];
    _Atomic uint64_t bytes;
    /* Light of a dropped ring for the next one, by level; all rings but the first and last have one
     * size. */
    _Atomic(uint16_t *) spare[RING_LEVELS];
};

/* Allocates the cache. Returns false without memory; the reason is logged. */
bool ring_cache_init(struct ring_cache *cache);
/* A zeroed cache is allowed. */
void ring_cache_finish(struct ring_cache *cache);
/* The three functions of a ring_taker. They colour a ring as soon as it is made, if there is
 * memory, so that frames find its first level. */
bool ring_cache_begin(struct ring_cache *cache, int k);
void ring_cache_take(struct ring_cache *cache, int k, struct cells cells,
                     const struct sample_planes *samples);
void ring_cache_end(struct ring_cache *cache, int k, bool whole);
/* Returns a level of a ring, which is valid until ring_cache_trim. Returns NULL if the ring cannot
 * be read or drawn; the reason is logged unless it was stopped. */
const struct ring_level *ring_cache_get(struct ring_cache *cache, int k, int m);
/* Drops all light, after the colouring has changed. */
void ring_cache_forget(struct ring_cache *cache);
/* Drops light that the next frames do not need. The frame before them shows `count` rings from ring
 * `first` on (0: there is no such frame), each at the level that `needed` has for it. Rings that a
 * zoom inwards, or else `outwards`, has passed are dropped. Above the limit of memory, so are the
 * levels below those needed, and then the rings ahead that are made. */
void ring_cache_trim(struct ring_cache *cache, int first, int count, const int *needed,
                     bool outwards);

#endif
