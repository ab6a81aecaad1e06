/* Poster: a picture of up to POSTER_SIDE_MAX pixels a side in a file of tiles (BigTIFF). Tiles come
 * in any order. Until all are there, the file is named PATH.part, and any process can go on with
 * it: tiles that exist are not drawn again. Its bytes are those of one process.
 *
 * Levels are the picture itself and ever smaller ones, each of means of 2x2 pixels in linear light.
 * Not thread-safe. Errors are logged once, with what to do. */
#ifndef FATHOM_RENDER_FILES_POSTER_POSTER_H
#define FATHOM_RENDER_FILES_POSTER_POSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POSTER_SIDE_MAX 1000000 /* pixels of a poster in each direction */
#define POSTER_TILE     512     /* of a tile */

enum poster_compression { POSTER_DEFLATE, POSTER_ZSTD };
extern const char *const poster_compression_names[]; /* "deflate", "zstd", NULL */

struct poster_shape {
    int width_px, height_px; /* 1 .. POSTER_SIDE_MAX */
    int levels;              /* number of levels, from 1 */
    enum poster_compression compression;
    const char *text; /* identifies the picture: a poster goes on only with the same text */
    const char *name; /* of the picture in messages; NULL: the poster's path */
};

struct poster;

/* Returns why this build has no posters, or NULL if it has them. */
const char *poster_missing(void);
/* Returns true if a file that begins so may be a poster: a TIFF of any kind. */
bool poster_begins(const char *data, size_t length);
/* Returns the text of a poster, "" if it has none, which the caller frees. Returns NULL on failure,
 * which is logged. */
char *poster_text(const char *path);
/* Returns the number of levels down to one whose sides are at most `side` pixels. */
int poster_levels(int width_px, int height_px, int side);
/* Returns a side of a level: the picture's, halved and rounded up each time. */
int poster_side(int side_px, int level);
/* Returns the bytes of a poster that does not compress, and at least one that compresses best. */
uint64_t poster_bytes_most(const struct poster_shape *shape);
uint64_t poster_bytes_least(const struct poster_shape *shape);

/* Creates PATH.part, or continues it, and locks it against other processes. Returns NULL on
 * failure, for the part of another picture, or if the disk is too full. */
struct poster *poster_open(const char *path, const struct poster_shape *shape);
/* Returns true if a tile of this region of the picture is missing. */
bool poster_lacks(const struct poster *poster, int x, int y, int columns, int rows);
/* Writes the missing tiles of a region, which consists of whole tiles as far as the picture goes.
 * `rgba`: its top left pixel; rows are `stride` pixels apart. */
bool poster_write(struct poster *poster, int x, int y, int columns, int rows, const uint32_t *rgba,
                  size_t stride);
/* Is called for each tile of a level with the done share of all levels; returns false to stop. */
typedef bool poster_step(void *user, double done);
/* Adds the missing tiles of all smaller levels to a complete picture. Returns false if stopped. */
bool poster_build(struct poster *poster, poster_step *step, void *user);
/* Reads a region of a level, whose tiles must exist, into opaque pixels without gaps. */
bool poster_read(struct poster *poster, int level, int x, int y, int columns, int rows,
                 uint32_t *rgba);
/* Writes a whole poster of one level at once, without a part; its pixels are those of poster_write.
 * Returns false on failure, which is logged. May be called by any thread. */
bool poster_save(const char *path, const struct poster_shape *shape, const uint32_t *rgba,
                 size_t stride);
/* Copies missing tiles, without decoding them, from the file `path` of poster_save, which has this
 * shape and whose first pixel is at x, y of the picture. Only tiles in a row from column `from` to
 * column `to` - 1 are copied: `row` and columns are numbers of tiles of the picture. */
bool poster_copy(struct poster *poster, const char *path, const struct poster_shape *shape, int x,
                 int y, int row, int from, int to);
/* Completes the file and moves it to PATH. Frees the poster in any case. */
bool poster_commit(struct poster *poster);
/* Stores what is drawn in PATH.part, and frees the poster. NULL is allowed. */
void poster_close(struct poster *poster);

#endif
