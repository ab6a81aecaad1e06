/* Posters: draws a large picture's tiles into a file that any process can go on with, and makes the
 * smaller levels from them. */
#define _GNU_SOURCE
#include "render/files/poster/poster.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/require.h"
#include "render/base/same_file.h"
#include "render/base/temporary.h"
#include "render/colour.h"
#include "render/files/poster/tile_store.h"
#include "render/frame.h"
#include "render/light/light.h"
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define DEFLATE_MOST 1032u      /* most bytes that one compressed byte can represent */
#define ZSTD_MOST    32768u     /* of 128 KiB that are repeated bytes, in 4 bytes */
#define TEXT_MOST    (1u << 24) /* [bytes] of a text that is read */
#define TILE_WORDS   16         /* [bytes] place and length of a tile in the file */
#define LIST_BYTES   80         /* [bytes] memory that each tile takes in libtiff's lists */
#define STORE_SHARE  10 /* tiles are stored once drawing took so many times as long as storing */

const char *const poster_compression_names[] = {
    [POSTER_DEFLATE] = "deflate", [POSTER_ZSTD] = "zstd", NULL};

static const struct tile_store *const files = &tile_store_tiff;

/* A handle, and the level that it is turned to. */
struct turned {
    void *handle;
    int level;
};

struct poster {
    struct poster_shape shape;
    char *path, *part; /* names of the finished and of the unfinished file */
    int lock;          /* descriptor of the part, which is locked */
    struct turned out, in;
    unsigned char *bytes; /* a tile */
    uint32_t *pixels;     /* 2x2 tiles, and a tile of their means */
    uint64_t *light;      /* 2 rows of 2 tiles */
    uint16_t *curve;
    double stored_ms, storing_ms; /* when tiles were last stored, and how long it took */
    bool failed;                  /* which is logged */
};

/* --- views --- */

const char *poster_missing(void) {
    return files->missing;
}

bool poster_begins(const char *data, size_t length) {
    static const char starts[][5] = {"II\x2a", "II\x2b", "MM\0\x2a", "MM\0\x2b"};
    for (size_t i = 0; length >= 4 && i < sizeof starts / sizeof *starts; i++)
        if (memcmp(data, starts[i], 4) == 0)
            return true;
    return false;
}

char *poster_text(const char *path) {
    char *text = files->missing ? NULL : files->text(path, TEXT_MOST);
    if (!text)
        log_error("cannot read '%s': %s", path,
                  files->missing ? files->missing
                  : errno == EIO ? "the TIFF is damaged"
                                 : strerror(errno));
    return text;
}

/* --- shapes --- */

int poster_side(int side_px, int level) {
    return (int)(((int64_t)side_px + (1 << level) - 1) >> level);
}

int poster_levels(int width_px, int height_px, int side) {
    int levels = 1;
    while (poster_side(width_px, levels - 1) > side || poster_side(height_px, levels - 1) > side)
        levels++;
    return levels;
}

static uint32_t tiles_across(int side_px) {
    return ((uint32_t)side_px + POSTER_TILE - 1) / POSTER_TILE;
}

static uint32_t columns_of(const struct poster *poster, int level) {
    return tiles_across(poster_side(poster->shape.width_px, level));
}

static uint32_t rows_of(const struct poster *poster, int level) {
    return tiles_across(poster_side(poster->shape.height_px, level));
}

static uint64_t tiles_of(const struct poster_shape *shape) {
    uint64_t tiles = 0;
    for (int level = 0; level < shape->levels; level++)
        tiles += (uint64_t)tiles_across(poster_side(shape->width_px, level)) *
                 tiles_across(poster_side(shape->height_px, level));
    return tiles;
}

uint64_t poster_bytes_most(const struct poster_shape *shape) {
    return tiles_of(shape) * (TILE_BYTES + TILE_WORDS);
}

uint64_t poster_bytes_least(const struct poster_shape *shape) {
    const uint64_t most = shape->compression == POSTER_ZSTD ? ZSTD_MOST : DEFLATE_MOST;
    return tiles_of(shape) * (TILE_BYTES / most + TILE_WORDS);
}

/* --- files --- */

/* Logs a failure of a poster, once. Returns false. */
static bool fail(struct poster *poster, int error) {
    if (!poster->failed)
        log_error("cannot write '%s': %s; what is drawn is kept in '%s', and the same command goes "
                  "on with it",
                  poster->shape.name, strerror(error), poster->part);
    poster->failed = true;
    return false;
}

static bool store(struct poster *poster) {
    const double start = clock_ms();
    const bool ok = files->store(poster->out.handle);
    poster->stored_ms = clock_ms();
    poster->storing_ms = poster->stored_ms - start;
    return ok || fail(poster, errno);
}

static bool turn(struct poster *poster, struct turned *turned, int level) {
    if (turned->level == level)
        return true;
    if (turned == &poster->out && !store(poster))
        return false;
    if (turned == &poster->in) { /* a new handle finds the tiles that were stored meanwhile */
        files->close(turned->handle);
        turned->handle = files->open(poster->part, false);
    }
    turned->level = turned->handle && files->turn(turned->handle, level) ? level : -1;
    return turned->level == level || fail(poster, errno);
}

/* Creates the part at once, so that it is never seen without its levels. Returns 0 or an errno. */
static int create_part(const struct poster *poster) {
    struct temporary file;
    if (!temporary_open(&file, poster->part, 0666))
        return errno;
    const int fd = fcntl(file.fd, F_DUPFD_CLOEXEC, 3);
    const bool ok = fd >= 0 && files->create(fd, &poster->shape) && fsync(file.fd) == 0 &&
                    (temporary_link(&file, poster->part) || errno == EEXIST);
    const int error = ok ? 0 : errno;
    temporary_close(&file);
    return error;
}

/* Returns false if a new poster cannot fit on the disk, which is logged. */
static bool fits_disk(const struct poster *poster) {
    struct statvfs disk;
    char *folder = strdup(poster->part);
    const bool known = folder && statvfs(dirname(folder), &disk) == 0;
    free(folder);
    if (!known)
        return true;
    const uint64_t free_bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
    const uint64_t least = poster_bytes_least(&poster->shape);
    const uint64_t most = poster_bytes_most(&poster->shape);
    if (least > free_bytes)
        log_error("cannot write '%s': it takes %.3g GB at least, and %.3g GB are free there",
                  poster->shape.name, 1e-9 * (double)least, 1e-9 * (double)free_bytes);
    else if (most > free_bytes)
        log_warn("'%s' takes up to %.3g GB, usually a tenth, and %.3g GB are free there",
                 poster->shape.name, 1e-9 * (double)most, 1e-9 * (double)free_bytes);
    return least <= free_bytes;
}

/* Returns true if the locked file still has the part's name. The process that had the lock before
 * may have completed the poster meanwhile. Otherwise sets errno. */
static bool is_part(const struct poster *poster) {
    struct stat locked, named;
    errno = EWOULDBLOCK;
    return fstat(poster->lock, &locked) == 0 && stat(poster->part, &named) == 0 &&
           locked.st_dev == named.st_dev && locked.st_ino == named.st_ino;
}

/* Opens and locks the part. Returns false on failure, which is logged. */
static bool lock_part(struct poster *poster) {
    poster->lock = open(poster->part, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (poster->lock >= 0 && flock(poster->lock, LOCK_EX | LOCK_NB) == 0 && is_part(poster))
        return true;
    if (errno == EWOULDBLOCK || errno == ENOENT)
        log_error("'%s' is being drawn by another process", poster->part);
    else
        log_error("cannot write '%s': %s", poster->part, strerror(errno));
    return false;
}

/* Opens a file for reading and stores its length. Returns NULL if it is no poster of this shape. */
static void *open_fitting(const char *path, const struct poster_shape *shape, uint64_t *length) {
    struct stat file;
    void *seen = stat(path, &file) == 0 && S_ISREG(file.st_mode) ? files->open(path, false) : NULL;
    *length = seen ? (uint64_t)file.st_size : 0;
    if (!seen || files->fits(seen, shape))
        return seen;
    files->close(seen);
    return NULL;
}

/* Returns the number of the picture's tiles in a part; stores the end of all levels' tiles. */
static uint64_t count_tiles(const struct poster *poster, void *seen, uint64_t *end) {
    uint64_t done = 0;
    *end = 0;
    for (int level = 0; level < poster->shape.levels && files->turn(seen, level); level++) {
        const uint32_t all = columns_of(poster, level) * rows_of(poster, level);
        for (uint32_t tile = 0; tile < all; tile++)
            if (files->has(seen, tile)) {
                const uint64_t tile_end = files->end(seen, tile);
                *end = tile_end > *end ? tile_end : *end;
                done += level == 0;
            }
    }
    return done;
}

/* Opens the part for writing behind its last tile. */
static bool open_out(struct poster *poster, uint64_t end, uint64_t length) {
    if (end > 0 && end < length && ftruncate(poster->lock, (off_t)end) != 0)
        return false;
    poster->out.handle = files->open(poster->part, true);
    return poster->out.handle && files->turn(poster->out.handle, 0);
}

/* Opens or creates the part. Cuts off tiles that were written but not stored, so that the file gets
 * the same bytes as without an interruption. */
static bool open_part(struct poster *poster) {
    const bool old = access(poster->part, F_OK) == 0;
    const int error = old ? 0 : !fits_disk(poster) ? -1 : create_part(poster);
    if (error > 0)
        log_error("cannot write '%s': %s", poster->shape.name, strerror(error));
    if (error != 0 || !lock_part(poster))
        return false;
    /* Opened for writing, even a file that is no poster might be changed. */
    uint64_t end = 0, length;
    void *seen = open_fitting(poster->part, &poster->shape, &length);
    const uint64_t done = seen && old ? count_tiles(poster, seen, &end) : 0;
    files->close(seen);
    if (seen && old && end == 0 && unlink(poster->part) == 0) {
        close(poster->lock);
        return open_part(poster);
    }
    if (!seen || !open_out(poster, end, length)) {
        log_error("'%s' is a part of another picture; remove it, or name another file",
                  poster->part);
        return false;
    }
    if (done > 0)
        log_warn("'%s' has %llu of %llu tiles, which are kept", poster->part,
                 (unsigned long long)done,
                 (unsigned long long)columns_of(poster, 0) * rows_of(poster, 0));
    return true;
}

static bool allocate(struct poster *poster) {
    const uint64_t tile = POSTER_TILE * POSTER_TILE;
    poster->bytes = memory_alloc(TILE_BYTES, "a poster");
    poster->pixels = memory_alloc(5 * tile * sizeof *poster->pixels, "a poster");
    poster->light = memory_alloc(4 * POSTER_TILE * sizeof *poster->light, "a poster");
    poster->curve = memory_alloc((LIGHT_MAX + 1) * sizeof *poster->curve, "a poster");
    if (poster->curve)
        light_fill_curve(poster->curve, 255);
    return poster->bytes && poster->pixels && poster->light && poster->curve &&
           memory_fits(LIST_BYTES * tiles_of(&poster->shape), "the list of a poster's tiles");
}

struct poster *poster_open(const char *path, const struct poster_shape *shape) {
    require(path && shape->width_px >= 1 && shape->width_px <= POSTER_SIDE_MAX &&
                shape->height_px >= 1 && shape->height_px <= POSTER_SIDE_MAX && shape->levels >= 1,
            NULL);
    if (files->missing) {
        log_error("cannot write '%s': %s", path, files->missing);
        return NULL;
    }
    struct poster *poster = calloc(1, sizeof *poster);
    if (!poster) {
        log_error("cannot write '%s': %s", path, strerror(ENOMEM));
        return NULL;
    }
    poster->shape = *shape;
    poster->lock = poster->in.level = -1;
    poster->stored_ms = clock_ms();
    poster->path = links_followed(path);
    poster->shape.name = shape->name ? shape->name : poster->path;
    if (poster->path && asprintf(&poster->part, "%s.part", poster->path) < 0)
        poster->part = NULL;
    if (!poster->part)
        log_error("cannot write '%s': %s", path, strerror(errno));
    if (poster->part && allocate(poster) && open_part(poster))
        return poster;
    poster->failed = true;
    poster_close(poster);
    return NULL;
}

static void destroy(struct poster *poster) {
    files->close(poster->in.handle);
    files->close(poster->out.handle);
    if (poster->lock >= 0)
        close(poster->lock);
    free(poster->bytes);
    free(poster->pixels);
    free(poster->light);
    free(poster->curve);
    free(poster->path);
    free(poster->part);
    free(poster);
}

void poster_close(struct poster *poster) {
    if (!poster)
        return;
    if (!poster->failed)
        store(poster);
    destroy(poster);
}

bool poster_commit(struct poster *poster) {
    const bool ok =
        store(poster) && (rename(poster->part, poster->path) == 0 || fail(poster, errno));
    destroy(poster);
    return ok;
}

/* --- tiles --- */

/* Tiles of a region, and the part of the region in the tile at hand, from its left edge on. */
struct tile {
    uint32_t number;
    int x, y, columns, rows; /* of the picture */
};

static struct tile tile_at(const struct poster *poster, int level, uint32_t column, uint32_t row) {
    const int x = (int)column * POSTER_TILE, y = (int)row * POSTER_TILE;
    const int right = poster_side(poster->shape.width_px, level) - x;
    const int below = poster_side(poster->shape.height_px, level) - y;
    return (struct tile){.number = row * columns_of(poster, level) + column,
                         .x = x,
                         .y = y,
                         .columns = right < POSTER_TILE ? right : POSTER_TILE,
                         .rows = below < POSTER_TILE ? below : POSTER_TILE};
}

bool poster_lacks(const struct poster *poster, int x, int y, int columns, int rows) {
    for (uint32_t row = (uint32_t)y / POSTER_TILE; row < tiles_across(y + rows); row++)
        for (uint32_t column = (uint32_t)x / POSTER_TILE; column < tiles_across(x + columns);
             column++)
            if (!files->has(poster->out.handle, tile_at(poster, 0, column, row).number))
                return true;
    return false;
}

/* Stores the tiles from time to time: often, but not for a large share of the time. */
static bool store_in_time(struct poster *poster) {
    return clock_ms() - poster->stored_ms < STORE_SHARE * poster->storing_ms || store(poster);
}

/* Writes a tile unless it exists. Beyond the picture, tiles are black. */
static bool write_tile(struct poster *poster, const struct tile *tile, const uint32_t *rgba,
                       size_t stride) {
    if (files->has(poster->out.handle, tile->number))
        return true;
    if (tile->columns < POSTER_TILE || tile->rows < POSTER_TILE)
        memset(poster->bytes, 0, TILE_BYTES);
    for (int y = 0; y < tile->rows; y++) {
        unsigned char *to = poster->bytes + 3 * (size_t)y * POSTER_TILE;
        const uint32_t *from = rgba + stride * (size_t)y;
        for (int x = 0; x < tile->columns; x++, to += 3) {
            to[0] = (unsigned char)from[x];
            to[1] = (unsigned char)(from[x] >> 8);
            to[2] = (unsigned char)(from[x] >> 16);
        }
    }
    return files->write(poster->out.handle, tile->number, poster->bytes) ? store_in_time(poster)
                                                                         : fail(poster, errno);
}

bool poster_write(struct poster *poster, int x, int y, int columns, int rows, const uint32_t *rgba,
                  size_t stride) {
    for (uint32_t row = (uint32_t)y / POSTER_TILE; row < tiles_across(y + rows); row++)
        for (uint32_t column = (uint32_t)x / POSTER_TILE; column < tiles_across(x + columns);
             column++) {
            const struct tile tile = tile_at(poster, 0, column, row);
            const uint32_t *first = rgba + stride * (size_t)(tile.y - y) + (tile.x - x);
            if (!write_tile(poster, &tile, first, stride))
                return false;
        }
    return true;
}

/* --- whole files --- */

/* Writes a poster into an unnamed file. Returns false on failure; errno is set. */
static bool save(struct poster *poster, const struct temporary *file, const uint32_t *rgba,
                 size_t stride) {
    char name[40];
    const int fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 3);
    if (fd < 0 || !files->create(fd, &poster->shape))
        return false;
    snprintf(name, sizeof name, "/proc/self/fd/%d", file->fd);
    poster->out.handle = files->open(name, true);
    return poster->out.handle && files->turn(poster->out.handle, 0) &&
           poster_write(poster, 0, 0, poster->shape.width_px, poster->shape.height_px, rgba,
                        stride) &&
           files->store(poster->out.handle);
}

bool poster_save(const char *path, const struct poster_shape *shape, const uint32_t *rgba,
                 size_t stride) {
    /* This function reports failures itself, and stores no tiles from time to time. */
    struct poster poster = {.shape = *shape, .failed = true, .stored_ms = INFINITY};
    struct temporary file;
    poster.bytes = memory_alloc(TILE_BYTES, "a poster");
    bool ok = poster.bytes && temporary_open(&file, path, 0666);
    if (ok) {
        ok = save(&poster, &file, rgba, stride) && temporary_rename(&file, path);
        const int error = errno;
        files->close(poster.out.handle);
        temporary_close(&file);
        errno = error;
    }
    if (!ok && poster.bytes)
        log_error("cannot write '%s': %s; the other blocks are kept, and the same command goes on",
                  path, strerror(errno));
    free(poster.bytes);
    return ok;
}

bool poster_copy(struct poster *poster, const char *path, const struct poster_shape *shape, int x,
                 int y, int row, int from, int to) {
    const uint32_t across = tiles_across(shape->width_px);
    uint64_t length;
    void *file = open_fitting(path, shape, &length);
    bool ok = true, fits = file;
    for (int column = from; ok && fits && column < to; column++) {
        const uint32_t number = (uint32_t)row * columns_of(poster, 0) + (uint32_t)column;
        const uint32_t tile =
            (uint32_t)(row - y / POSTER_TILE) * across + (uint32_t)(column - x / POSTER_TILE);
        fits = files->has(file, tile) && files->end(file, tile) <= length;
        if (fits && !files->has(poster->out.handle, number))
            ok = files->copy(poster->out.handle, number, file, tile) ? store_in_time(poster)
                                                                     : fail(poster, errno);
    }
    files->close(file);
    if (!fits)
        log_error("'%s' is no part of this picture: remove it, and the same command draws it again",
                  path);
    return ok && fits;
}

/* --- reading --- */

/* Copies the part of a region that the tile in poster->bytes has. */
static void copy_tile(const struct poster *poster, const struct tile *tile, int x, int y,
                      int columns, int rows, uint32_t *rgba) {
    const int from_x = tile->x > x ? tile->x : x, from_y = tile->y > y ? tile->y : y;
    const int end_x = tile->x + tile->columns, end_y = tile->y + tile->rows;
    const int to_x = end_x < x + columns ? end_x : x + columns;
    const int to_y = end_y < y + rows ? end_y : y + rows;
    for (int at = from_y; at < to_y; at++) {
        const size_t first = (size_t)(at - tile->y) * POSTER_TILE + (size_t)(from_x - tile->x);
        const unsigned char *from = poster->bytes + 3 * first;
        uint32_t *to = rgba + (size_t)(at - y) * (size_t)columns + (from_x - x);
        for (int i = from_x; i < to_x; i++, from += 3)
            *to++ = from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | COLOUR_ALPHA;
    }
}

bool poster_read(struct poster *poster, int level, int x, int y, int columns, int rows,
                 uint32_t *rgba) {
    if (!turn(poster, &poster->in, level))
        return false;
    for (uint32_t row = (uint32_t)y / POSTER_TILE; row < tiles_across(y + rows); row++)
        for (uint32_t column = (uint32_t)x / POSTER_TILE; column < tiles_across(x + columns);
             column++) {
            const struct tile tile = tile_at(poster, level, column, row);
            if (!files->read(poster->in.handle, tile.number, poster->bytes))
                return fail(poster, errno);
            copy_tile(poster, &tile, x, y, columns, rows, rgba);
        }
    return true;
}

/* --- levels --- */

/* Returns the mean light of up to 2x2 pixels; beyond the picture, the last pixel is repeated. */
static uint32_t mean_of(const uint16_t *curve, const uint64_t *above, const uint64_t *below,
                        int left, int right) {
    uint32_t rgba = COLOUR_ALPHA;
    for (int shift = 0; shift < 48; shift += 16) {
        const uint32_t sum =
            (uint32_t)(above[left] >> shift & 0xffff) + (uint32_t)(above[right] >> shift & 0xffff) +
            (uint32_t)(below[left] >> shift & 0xffff) + (uint32_t)(below[right] >> shift & 0xffff);
        rgba |= (uint32_t)curve[(sum + 2) / 4] << shift / 2;
    }
    return rgba;
}

/* Halves a region of at most 2x2 tiles. */
static void halve(struct poster *poster, const uint32_t *from, int columns, int rows,
                  uint32_t *to) {
    uint64_t *above = poster->light, *below = above + 2 * POSTER_TILE;
    for (int y = 0; y < rows; y += 2) {
        const uint32_t *row = from + (size_t)y * (size_t)columns;
        light_of_pixels(row, (size_t)columns, above);
        light_of_pixels(y + 1 < rows ? row + columns : row, (size_t)columns, below);
        for (int x = 0; x < columns; x += 2)
            *to++ = mean_of(poster->curve, above, below, x, x + 1 < columns ? x + 1 : x);
    }
}

static bool build_tile(struct poster *poster, int level, const struct tile *tile) {
    const int width = poster_side(poster->shape.width_px, level - 1);
    const int height = poster_side(poster->shape.height_px, level - 1);
    const int right = width - 2 * tile->x, below = height - 2 * tile->y;
    const int columns = right < 2 * POSTER_TILE ? right : 2 * POSTER_TILE;
    const int rows = below < 2 * POSTER_TILE ? below : 2 * POSTER_TILE;
    uint32_t *means = poster->pixels + 4 * POSTER_TILE * POSTER_TILE;
    if (files->has(poster->out.handle, tile->number))
        return true;
    if (!poster_read(poster, level - 1, 2 * tile->x, 2 * tile->y, columns, rows, poster->pixels))
        return false;
    halve(poster, poster->pixels, columns, rows, means);
    return write_tile(poster, tile, means, (size_t)tile->columns);
}

bool poster_build(struct poster *poster, poster_step *step, void *user) {
    const uint64_t first = (uint64_t)columns_of(poster, 0) * rows_of(poster, 0);
    const uint64_t all = tiles_of(&poster->shape) - first;
    uint64_t done = 0;
    for (int level = 1; level < poster->shape.levels; level++) {
        if (!turn(poster, &poster->out, level))
            return false;
        for (uint32_t row = 0; row < rows_of(poster, level); row++)
            for (uint32_t column = 0; column < columns_of(poster, level); column++) {
                const struct tile tile = tile_at(poster, level, column, row);
                if (!step(user, (double)done++ / (double)all) || !build_tile(poster, level, &tile))
                    return false;
            }
    }
    return store(poster);
}
