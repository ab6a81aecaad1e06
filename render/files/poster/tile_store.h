/* Tile store: the file format of a poster in progress, as poster.c uses it. */
#ifndef FATHOM_RENDER_FILES_POSTER_TILE_STORE_H
#define FATHOM_RENDER_FILES_POSTER_TILE_STORE_H

#include "render/files/poster/poster.h"

#define TILE_BYTES (3 * POSTER_TILE * POSTER_TILE) /* R, G, B of each pixel */

/* Functions of a format. They return false or NULL on failure and set errno. A handle belongs to
 * one thread and is turned to level 0 at first. */
struct tile_store {
    /* Reason why this build has no such files; NULL if it has them. If set, only this is set. */
    const char *missing;
    /* Writes all levels of an empty poster into an empty file, whose descriptor it closes. */
    bool (*create)(int fd, const struct poster_shape *shape);
    /* Opens the file at `path`. A handle for reading finds the tiles that were stored before. A
     * handle for writing appends new tiles to the file. */
    void *(*open)(const char *path, bool writing);
    /* Returns true if the file is a poster of this shape, however many tiles it has. */
    bool (*fits)(void *handle, const struct poster_shape *shape);
    bool (*turn)(void *handle, int level);
    /* Returns the text of a file of this format, which the caller frees; "" if there is none. Reads
     * at most `most` bytes at once. */
    char *(*text)(const char *path, size_t most);
    bool (*has)(void *handle, uint32_t tile); /* tiles are numbered row by row */
    /* Returns the position behind a tile's last byte in the file, which all directories precede. */
    uint64_t (*end)(void *handle, uint32_t tile);
    bool (*read)(void *handle, uint32_t tile, void *bytes);
    bool (*write)(void *handle, uint32_t tile, const void *bytes);
    /* Copies a tile's bytes from another file of the same compression as they are. */
    bool (*copy)(void *handle, uint32_t tile, void *from, uint32_t from_tile);
    /* Makes the written tiles survive this process and the machine. */
    bool (*store)(void *handle);
    void (*close)(void *handle); /* NULL is allowed */
};

extern const struct tile_store tile_store_tiff;

#endif
