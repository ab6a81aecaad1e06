/* Made palettes: palettes of gradients that are created while the program runs; interned and
 * reference-counted. */
#include "render/base/log.h"
#include "render/base/require.h"
#include "render/gradient/harmony.h"
#include "render/interned/interned.h"
#include "render/palette.h"
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define RANDOM      "random-"
#define RANDOM_KEYS 1000000 /* number of keys in turn */

struct made {
    struct interned interned;
    struct palette palette;
};

static struct interner interner = INTERNER(sizeof(struct made), PALETTE_REST_MAX, PALETTE_MADE_MAX);

/* Values that identify a made palette. */
struct recipe {
    const char *id;
    const struct named_gradient *named;
};

static bool matches(const struct palette *palette, const struct recipe *recipe) {
    return strcmp(palette->id, recipe->id) == 0 &&
           strcmp(palette->name, recipe->named->name) == 0 &&
           gradient_equal(&palette->gradient, &recipe->named->gradient);
}

static bool is_made_of(struct interned *thing, const void *key) {
    return matches(&((const struct made *)thing)->palette, key);
}

static void make(struct interned *thing, const void *key) {
    const struct recipe *recipe = key;
    struct palette *palette = &((struct made *)thing)->palette;
    palette_set(palette, recipe->id, recipe->named);
    palette->made = true;
}

static struct interned *interned_of(const struct palette *palette) {
    return (struct interned *)((char *)palette - offsetof(struct made, palette));
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
    const struct recipe recipe = {clean, named};
    const struct palette *listed = palette_find(clean);
    if (listed && matches(listed, &recipe))
        return listed;
    const struct made *made =
        (const struct made *)interner_get(&interner, is_made_of, make, &recipe);
    if (!made)
        log_error("no room for the palette '%s': there is no memory, or %d are in use", named->name,
                  PALETTE_MADE_MAX);
    return made ? &made->palette : NULL;
}

const struct palette *palette_ref(const struct palette *palette) {
    if (palette && palette->made)
        interner_ref(&interner, interned_of(palette));
    return palette;
}

void palette_unref(const struct palette *palette) {
    if (palette && palette->made)
        interner_unref(&interner, interned_of(palette));
}

void palette_replace(const struct palette **slot, const struct palette *palette) {
    const struct palette *before = *slot;
    *slot = palette;
    palette_unref(before);
}

size_t palette_made_count(void) {
    return interner_count(&interner);
}

/* Extracts the N of random-N. Returns false for any other id. */
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

const struct palette *palette_next_random(const struct palette *before, unsigned *number) {
    uint64_t key;
    char id[PALETTE_NAME_MAX + 1];
    if (!random_key(before->id, &key))
        key = *number;
    *number = (unsigned)((key + 1) % RANDOM_KEYS);
    snprintf(id, sizeof id, RANDOM "%u", *number);
    return palette_get(id);
}
