/* Cache of thumbnails in the user's folder $XDG_CACHE_HOME/fathom/thumbnails. A file's name is a
 * hash of the picture that it shows. Any file may be broken or missing at any time; its thumbnail
 * is then drawn again. One thread at a time may call these functions; several programs may share
 * the folder. */
#ifndef FATHOM_APP_GALLERY_THUMBNAIL_CACHE_H
#define FATHOM_APP_GALLERY_THUMBNAIL_CACHE_H

#include "render/files/scene.h"

#define THUMBNAIL_WIDTH_PX  480
#define THUMBNAIL_HEIGHT_PX 270
#define THUMBNAIL_PIXELS    (THUMBNAIL_WIDTH_PX * THUMBNAIL_HEIGHT_PX)

/* Limits of the folder; the files whose last use is oldest are deleted. */
#define THUMBNAIL_FILES_MAX 200
#define THUMBNAIL_BYTES_MAX (80ull << 20)

/* Zero-initialised. */
struct thumbnail_cache {
    bool useless; /* writing has failed, which was logged once */
};

/* Returns a text of everything that decides the pixels of a thumbnail: the scene, the colours of
 * its palette and its image, and the program's version. The caller frees it. Returns NULL if memory
 * runs out or the text is too long for the cache. */
char *thumbnail_key(const struct scene *scene);

/* Loads a picture of this size, top row first, from a file whose comment is `key`. Returns false if
 * the file is missing, broken or another one; nothing is logged. */
bool thumbnail_file_load(const char *path, const char *key, int width_px, int height_px,
                         uint32_t *rgba);
/* Loads THUMBNAIL_PIXELS pixels, top row first. Returns false if the file is missing or broken; a
 * broken file is deleted. */
bool thumbnail_cache_load(const char *key, uint32_t *rgba);
/* Writes a file, whole or not at all, and keeps the folder within its limits. */
void thumbnail_cache_store(struct thumbnail_cache *cache, const char *key, const uint32_t *rgba);

#endif
