/* Palettes that are made of gradients while the program runs: interned, counted, and used again. */
#include "render/base/log.h"
#include "render/base/require.h"
#include "render/gradient/harmony.h"
#include "render/palette.h"
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define RANDOM "random-"

struct made {
    struct palette palette; /* first, so that a palette that is made is one of these */
    unsigned shares;
    struct made *next; /* of those at rest, the one that was given up after it */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct made *all[PALETTE_MADE_MAX]; /* `count` of them */
static size_t count, resting;
static struct made *first, *last; /* at rest */

static bool is_it(const struct palette *palette, const char *id,
                  const struct named_gradient *named) {
    return strcmp(palette->id, id) == 0 && strcmp(palette->name, named->name) == 0 &&
           gradient_equal(&palette->gradient, &named->gradient);
}

static void leave_rest(struct made *made) {
    struct made *before = NULL;
    for (struct made *at = first; at != made; at = at->next)
        before = at;
    *(before ? &before->next : &first) = made->next;
    last = last == made ? before : last;
    made->next = NULL;
    resting--;
}

static struct made *find(const char *id, const struct named_gradient *named) {
    for (size_t i = 0; i < count; i++)
        if (is_it(&all[i]->palette, id, named))
            return all[i];
    return NULL;
}

/* One that has rested for long enough, or a new one; NULL: there is none. */
static struct made *room(void) {
    struct made *made = first;
    if (made && (resting > PALETTE_REST_MAX || count == PALETTE_MADE_MAX)) {
        leave_rest(made);
        return made;
    }
    made = count < PALETTE_MADE_MAX ? calloc(1, sizeof *made) : NULL;
    if (made)
        all[count++] = made;
    return made;
}

static const struct palette *share_of(const char *id, const struct named_gradient *named) {
    struct made *made = find(id, named);
    if (made && made->shares == 0)
        leave_rest(made);
    if (!made && (made = room())) {
        palette_set(&made->palette, id, named);
        made->palette.made = true;
    }
    if (!made) {
        log_error("no room for the palette '%s': there is no memory, or %d are in use", named->name,
                  PALETTE_MADE_MAX);
        return NULL;
    }
    made->shares++;
    return &made->palette;
}

static void clean_id(char id[static PALETTE_NAME_MAX + 1], const char *text) {
    size_t length = 0;
    for (; *text && length < PALETTE_NAME_MAX; text++) {
        const bool letter = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
                            (*text >= '0' && *text <= '9') || *text == '-';
        id[length++] = *text == '\0' || letter ? *text : '_';
    }
    id[length] = '\0';
    if (length == 0)
        strcpy(id, "palette");
}

const struct palette *palette_make(const char *id, const struct named_gradient *named) {
    require(id && named, NULL);
    char clean[PALETTE_NAME_MAX + 1];
    clean_id(clean, id);
    const struct palette *listed = palette_find(clean);
    if (listed && is_it(listed, clean, named))
        return listed;
    pthread_mutex_lock(&lock);
    const struct palette *palette = share_of(clean, named);
    pthread_mutex_unlock(&lock);
    return palette;
}

const struct palette *palette_ref(const struct palette *palette) {
    if (!palette || !palette->made)
        return palette;
    pthread_mutex_lock(&lock);
    struct made *made = (struct made *)palette;
    if (made->shares++ == 0)
        leave_rest(made);
    pthread_mutex_unlock(&lock);
    return palette;
}

void palette_unref(const struct palette *palette) {
    if (!palette || !palette->made)
        return;
    pthread_mutex_lock(&lock);
    struct made *made = (struct made *)palette;
    if (--made->shares == 0) {
        *(last ? &last->next : &first) = made;
        last = made;
        resting++;
    }
    pthread_mutex_unlock(&lock);
}

void palette_replace(const struct palette **slot, const struct palette *palette) {
    const struct palette *before = *slot;
    *slot = palette;
    palette_unref(before);
}

size_t palette_made_count(void) {
    pthread_mutex_lock(&lock);
    const size_t used = count - resting;
    pthread_mutex_unlock(&lock);
    return used;
}

/* The N of random-N; false: it is no such id. */
static bool random_key(const char *id, uint64_t *key) {
    const size_t prefix = strlen(RANDOM), length = strlen(id);
    if (strncasecmp(id, RANDOM, prefix) != 0 || length == prefix || length > prefix + 18 ||
        strspn(id + prefix, "0123456789") != length - prefix)
        return false;
    *key = strtoull(id + prefix, NULL, 10);
    return true;
}

const struct palette *palette_get(const char *id) {
    uint64_t key;
    const struct palette *listed = palette_find(id);
    if (listed || !random_key(id, &key))
        return listed;
    struct named_gradient *named = calloc(1, sizeof *named);
    if (!named) {
        log_error("not enough memory for the palette '%s'", id);
        return NULL;
    }
    char clean[PALETTE_NAME_MAX + 1];
    snprintf(clean, sizeof clean, RANDOM "%" PRIu64, key);
    snprintf(named->name, sizeof named->name, "Random %" PRIu64, key);
    harmony_gradient(key, &named->gradient);
    const struct palette *palette = palette_make(clean, named);
    free(named);
    return palette;
}
