/* Interning: counts references, and queues unreferenced objects for reuse. */
#include "render/interned/interned.h"
#include <stdlib.h>

static void dequeue(struct interner *interner, struct interned *thing) {
    struct interned *before = NULL;
    for (struct interned *at = interner->first; at != thing; at = at->next)
        before = at;
    *(before ? &before->next : &interner->first) = thing->next;
    interner->last = interner->last == thing ? before : interner->last;
    thing->next = NULL;
    interner->unreferenced--;
}

static void enqueue(struct interner *interner, struct interned *thing) {
    *(interner->last ? &interner->last->next : &interner->first) = thing;
    interner->last = thing;
    interner->unreferenced++;
}

static struct interned *find(struct interner *interner, interned_match *match, const void *key) {
    struct interned *thing = interner->newest;
    while (thing && !match(thing, key))
        thing = thing->before;
    if (thing && thing->references++ == 0)
        dequeue(interner, thing);
    return thing;
}

/* Returns an object to fill: the one that has been unreferenced longest, or a new one. Returns NULL
 * if there is none. */
static struct interned *room(struct interner *interner) {
    struct interned *thing = interner->first;
    const bool full = interner->count == interner->most;
    if (thing && (interner->unreferenced > interner->unreferenced_max || full)) {
        dequeue(interner, thing);
        return thing;
    }
    thing = full ? NULL : calloc(1, interner->size);
    if (thing) {
        thing->before = interner->newest;
        interner->newest = thing;
        interner->count++;
    }
    return thing;
}

struct interned *interner_find(struct interner *interner, interned_match *match, const void *key) {
    pthread_mutex_lock(&interner->lock);
    struct interned *thing = find(interner, match, key);
    pthread_mutex_unlock(&interner->lock);
    return thing;
}

struct interned *interner_get(struct interner *interner, interned_match *match, interned_fill *fill,
                              const void *key) {
    pthread_mutex_lock(&interner->lock);
    struct interned *thing = find(interner, match, key);
    if (!thing && (thing = room(interner))) {
        fill(thing, key);
        thing->references = 1;
    }
    pthread_mutex_unlock(&interner->lock);
    return thing;
}

void interner_ref(struct interner *interner, struct interned *thing) {
    pthread_mutex_lock(&interner->lock);
    if (thing->references++ == 0)
        dequeue(interner, thing);
    pthread_mutex_unlock(&interner->lock);
}

void interner_unref(struct interner *interner, struct interned *thing) {
    pthread_mutex_lock(&interner->lock);
    if (--thing->references == 0)
        enqueue(interner, thing);
    pthread_mutex_unlock(&interner->lock);
}

size_t interner_count(struct interner *interner) {
    pthread_mutex_lock(&interner->lock);
    const size_t used = interner->count - interner->unreferenced;
    pthread_mutex_unlock(&interner->lock);
    return used;
}
