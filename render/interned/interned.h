/* Interning: objects that scenes share, with reference counts. Equal objects exist once. An
 * unreferenced object keeps its contents until `unreferenced_max` others have become unreferenced
 * after it: pictures in flight have only pointers to the contents, and have long been replaced by
 * then. Memory is never returned, but reused. Thread-safe. */
#ifndef FATHOM_RENDER_INTERNED_INTERNED_H
#define FATHOM_RENDER_INTERNED_INTERNED_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Header of an interned object. */
struct interned {
    unsigned references; /* reference count */
    /* before: object created before this one. next: object that became unreferenced next. */
    struct interned *before, *next;
};

/* All objects of a kind. Initialise it with INTERNER. */
struct interner {
    pthread_mutex_t lock;
    size_t size;             /* [bytes] size of an object */
    size_t unreferenced_max; /* most unreferenced objects that are kept */
    size_t most;             /* most objects */
    struct interned *newest, *first, *last;
    size_t count, unreferenced;
};

#define INTERNER(bytes, rest, all)                                                                 \
    {                                                                                              \
        .lock = PTHREAD_MUTEX_INITIALIZER, .size = (bytes), .unreferenced_max = (rest),            \
        .most = (all)                                                                              \
    }

/* Callback, called with the lock held: returns true if `key` describes an object, and may update
 * the object. */
typedef bool interned_match(struct interned *thing, const void *key);
/* Callback, called with the lock held: fills an object, whose memory may be reused, from `key`. */
typedef void interned_fill(struct interned *thing, const void *key);

/* Returns a reference to an existing object, or NULL if there is none. */
struct interned *interner_find(struct interner *interner, interned_match *match, const void *key);
/* Returns a reference to an existing object, or to one that `fill` fills. Returns NULL if there is
 * no memory, or if `most` objects are referenced. */
struct interned *interner_get(struct interner *interner, interned_match *match, interned_fill *fill,
                              const void *key);
/* Add and release a reference to an object that has at least one. */
void interner_ref(struct interner *interner, struct interned *thing);
void interner_unref(struct interner *interner, struct interned *thing);
/* Returns the number of referenced objects. */
size_t interner_count(struct interner *interner);

#endif
