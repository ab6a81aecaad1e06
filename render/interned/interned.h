/* Things that scenes share. Equal ones are one, counted by those who have a share of it. What nobody has a share of any
 * more keeps its contents until `rest_max` others have been given up after it, since pictures in flight have nothing but
 * pointers into it: by then they have had others for long. Its memory is never returned, but used again. Safe from any
 * thread. */
#ifndef FATHOM_RENDER_INTERNED_INTERNED_H
#define FATHOM_RENDER_INTERNED_INTERNED_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* What such a thing begins with. */
struct interned {
    unsigned shares;
    struct interned *before,
        *next; /* of all; of those at rest, the one that was given up after it */
};

/* All things of a kind; with INTERNER's values, the rest is zero. */
struct interner {
    pthread_mutex_t lock;
    size_t size;           /* bytes of a thing */
    size_t rest_max, most; /* how many may rest, and exist at all */
    struct interned *newest, *first, *last;
    size_t count, resting;
};

#define INTERNER(bytes, rest, all)                                                                 \
    { .lock = PTHREAD_MUTEX_INITIALIZER, .size = (bytes), .rest_max = (rest), .most = (all) }

/* Whether a thing is the one that `key` tells, of which it may take note; makes a thing, whose memory may have been
 * another's, that one. Both with the lock held. */
typedef bool interned_is(struct interned *thing, const void *key);
typedef void interned_fill(struct interned *thing, const void *key);

/* A share of the thing that is there already. NULL: there is none. */
struct interned *interner_find(struct interner *interner, interned_is *is, const void *key);
/* The same, or of one that is made. NULL: there is no memory, or `most` have shares. */
struct interned *interner_get(struct interner *interner, interned_is *is, interned_fill *fill,
                              const void *key);
/* One more share of a thing that somebody has one of, one less. */
void interner_ref(struct interner *interner, struct interned *thing);
void interner_unref(struct interner *interner, struct interned *thing);
/* How many have shares. */
size_t interner_used(struct interner *interner);

#endif
