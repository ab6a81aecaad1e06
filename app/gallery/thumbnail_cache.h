/* Thumbnails in the user's cache folder: $XDG_CACHE_HOME/fathom/thumbnails, a file each, named by
 * what it shows. Everything there may be broken, missing or gone at any time, which costs drawing
 * it again and nothing else. One thread at a time; several programs may share the folder. */
#ifndef FATHOM_APP_GALLERY_THUMBNAIL_CACHE_H
#define FATHOM_APP_GALLERY_THUMBNAIL_CACHE_H

#include "render/files/scene.h"

#define THUMBNAIL_WIDTH_PX  480
#define THUMBNAIL_HEIGHT_PX 270
#define THUMBNAIL_PIXELS    (THUMBNAIL_WIDTH_PX * THUMBNAIL_HEIGHT_PX)

/* What the folder holds at most; the files that were not used for longest go. */
#define THUMBNAIL_FILES_MAX 200
#define THUMBNAIL_BYTES_MAX (80ull << 20)

/* Zero-initialised. */
struct thumbnail_cache {
    bool useless; /* nothing can be written there, which was logged once */
};

/* What decides a thumbnail's pixels, as text: the scene, its palette's and its image's colours, the
 * program's version. The caller frees it. NULL: no memory, or it is so long that it is not kept. */
char *thumbnail_key(const struct scene *scene);

/* False: it is not there, or is not whole; then it is gone. `rgba` has THUMBNAIL_PIXELS, top
 * down. */
bool thumbnail_cache_load(const char *key, uint32_t *rgba);
/* Writes it whole or not at all, and keeps within the bounds. */
void thumbnail_cache_store(struct thumbnail_cache *cache, const char *key, const uint32_t *rgba);

#endif
