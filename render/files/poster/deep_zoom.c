/* Deep Zoom: cuts a poster into picture files, and writes the page that shows them. */
#define _GNU_SOURCE
#include "render/files/poster/deep_zoom.h"
#include "render/base/atomic_file.h"
#include "render/base/embedded.h"
#include "render/base/json.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/parallel.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OVERLAP   1
#define LARGE_PX  50000 /* pictures with a longer side have larger tiles */
#define REGION_PX 4096  /* about the side of a region that is read at once */
#define MARK      "/*PICTURE*/"

/* Tiles of a region, which are written in parallel. */
struct cut {
    const struct deep_zoom *zoom;
    int level; /* of the poster */
    char *folder;
    int x, y, columns, rows;  /* region of the level that `rgba` has */
    int first, across, below; /* first column of tiles, their number in a row, first row */
    const uint32_t *rgba;
    atomic_bool failed;
};

/* Range of the pixels of a tile on an axis, with its overlap. */
struct range {
    int from, to;
};

static struct range range_of(const struct deep_zoom *zoom, int tile, int side) {
    const int from = tile * zoom->tile_px - (tile > 0 ? OVERLAP : 0);
    const int64_t to = ((int64_t)tile + 1) * zoom->tile_px + OVERLAP;
    return (struct range){from, to < side ? (int)to : side};
}

int deep_zoom_tile(int width_px, int height_px) {
    return width_px > LARGE_PX || height_px > LARGE_PX ? 510 : 254;
}

/* --- names --- */

/* Returns NAME with an ending. NULL without memory, which is logged. */
static char *named(const char *name, const char *ending) {
    char *path = NULL;
    if (asprintf(&path, "%s%s", name, ending) >= 0)
        return path;
    log_error("not enough memory");
    return NULL;
}

/* Returns false if a file that this picture would replace exists, which is logged. */
static bool is_free(const char *path) {
    const bool taken = access(path, F_OK) == 0;
    if (taken)
        log_error("'%s' exists and is no unfinished picture; remove it, or name another file",
                  path);
    return !taken;
}

static bool make_folder(const char *path) {
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    log_error("cannot create the folder '%s': %s", path, strerror(errno));
    return false;
}

bool deep_zoom_init(struct deep_zoom *zoom, const char *path) {
    zoom->name = strndup(path, strlen(path) - strlen(".dzi"));
    zoom->folder = zoom->name ? named(zoom->name, "_files") : NULL;
    zoom->store = zoom->folder ? named(zoom->folder, "/poster") : NULL;
    return zoom->store;
}

bool deep_zoom_is_free(const struct deep_zoom *zoom) {
    char *part = named(zoom->store, ".part");
    char *page = part ? named(zoom->name, ".html") : NULL;
    bool ok = page;
    if (ok && access(part, F_OK) != 0) {
        rmdir(zoom->folder); /* one that is empty */
        ok = is_free(zoom->folder) && is_free(page);
    }
    free(part);
    free(page);
    return ok;
}

bool deep_zoom_begin(const struct deep_zoom *zoom) {
    return deep_zoom_is_free(zoom) && make_folder(zoom->folder);
}

void deep_zoom_finish(struct deep_zoom *zoom) {
    free(zoom->name);
    free(zoom->folder);
    free(zoom->store);
    *zoom = (struct deep_zoom){0};
}

/* --- tiles --- */

static bool write_tile(const struct cut *cut, int column, int row, const char *path) {
    const struct deep_zoom *zoom = cut->zoom;
    const struct range x = range_of(zoom, column, poster_side(zoom->width_px, cut->level));
    const struct range y = range_of(zoom, row, poster_side(zoom->height_px, cut->level));
    struct image_writer *writer =
        image_writer_open(path, zoom->format, x.to - x.from, y.to - y.from, NULL, 0);
    bool ok = writer;
    if (ok)
        image_writer_set_quality(writer, zoom->quality);
    for (int at = y.from; ok && at < y.to; at++)
        ok = image_writer_rows(
            writer, cut->rgba + (size_t)(at - cut->y) * (size_t)cut->columns + (x.from - cut->x),
            1);
    if (ok)
        return image_writer_commit(writer, NULL);
    image_writer_abandon(writer);
    return false;
}

static char *tile_path(const struct cut *cut, int column, int row) {
    char *path = NULL;
    if (asprintf(&path, "%s/%d_%d.%s", cut->folder, column, row,
                 image_format_names[cut->zoom->format]) < 0)
        return NULL;
    return path;
}

static void write_tiles(void *user, uint32_t begin, uint32_t end) {
    struct cut *cut = user;
    for (uint32_t i = begin; i < end && !atomic_load(&cut->failed); i++) {
        const int column = cut->first + (int)i % cut->across;
        const int row = cut->below + (int)i / cut->across;
        char *path = tile_path(cut, column, row);
        if (!path || (access(path, F_OK) != 0 && !write_tile(cut, column, row, path)))
            atomic_store(&cut->failed, true);
        free(path);
    }
}

/* Returns true if a tile of the region at hand is missing. */
static bool lacks(const struct cut *cut, int down) {
    bool all = true;
    for (int i = 0; all && i < cut->across * down; i++) {
        char *path = tile_path(cut, cut->first + i % cut->across, cut->below + i / cut->across);
        all = path && access(path, F_OK) == 0;
        free(path);
    }
    return !all;
}

/* Writes the tiles of a region, which begins with a tile's column and row. */
static bool write_region(struct cut *cut, struct poster *poster, int column, int row,
                         uint32_t *rgba) {
    const struct deep_zoom *zoom = cut->zoom;
    const int width = poster_side(zoom->width_px, cut->level);
    const int height = poster_side(zoom->height_px, cut->level);
    const int most = REGION_PX / zoom->tile_px, tile = zoom->tile_px;
    const int right = (width + tile - 1) / tile - column, below = (height + tile - 1) / tile - row;
    const int down = below < most ? below : most;
    cut->first = column;
    cut->below = row;
    cut->across = right < most ? right : most;
    if (!lacks(cut, down))
        return true;
    cut->x = range_of(zoom, column, width).from;
    cut->y = range_of(zoom, row, height).from;
    cut->columns = range_of(zoom, column + cut->across - 1, width).to - cut->x;
    cut->rows = range_of(zoom, row + down - 1, height).to - cut->y;
    cut->rgba = rgba;
    if (!poster_read(poster, cut->level, cut->x, cut->y, cut->columns, cut->rows, rgba))
        return false;
    parallel_for((uint32_t)(cut->across * down), 4, write_tiles, cut);
    return !atomic_load(&cut->failed);
}

static bool write_level(struct cut *cut, struct poster *poster, uint32_t *rgba, poster_step *step,
                        void *user) {
    const struct deep_zoom *zoom = cut->zoom;
    const int region = REGION_PX / zoom->tile_px * zoom->tile_px;
    const int width = poster_side(zoom->width_px, cut->level);
    const int height = poster_side(zoom->height_px, cut->level);
    for (int y = 0; y < height; y += region)
        for (int x = 0; x < width; x += region) {
            const double done = (double)((int64_t)y * width + (int64_t)x * region) /
                                ((double)width * height); /* of this level */
            if (!step(user,
                      1 - (1 - 0.75 * done) / (1 << 2 * (cut->level < 15 ? cut->level : 15))) ||
                !write_region(cut, poster, x / zoom->tile_px, y / zoom->tile_px, rgba))
                return false;
        }
    return true;
}

/* --- descriptions --- */

/* Completes a file that a function writes. */
static bool write_text(const struct deep_zoom *zoom, const char *ending,
                       void (*write)(const struct deep_zoom *zoom, FILE *file)) {
    char *path = named(zoom->name, ending);
    struct atomic_file *file = path ? atomic_file_open(path, false) : NULL;
    free(path);
    if (!file)
        return false;
    write(zoom, atomic_file_stream(file));
    return atomic_file_commit(file, NULL);
}

static void write_dzi(const struct deep_zoom *zoom, FILE *file) {
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<Image xmlns=\"http://schemas.microsoft.com/deepzoom/2008\" Format=\"%s\" "
            "Overlap=\"%d\" TileSize=\"%d\">\n  <Size Width=\"%d\" Height=\"%d\"/>\n</Image>\n",
            image_format_names[zoom->format], OVERLAP, zoom->tile_px, zoom->width_px,
            zoom->height_px);
}

/* Writes a name as a part of a URL, which is safe in a page's script, too. */
static void write_url(FILE *file, const char *name) {
    for (; *name; name++)
        if ((*name >= '0' && *name <= '9') || ((*name | 32) >= 'a' && (*name | 32) <= 'z') ||
            strchr("-_.", *name))
            fputc(*name, file);
        else
            fprintf(file, "%%%02X", (unsigned char)*name);
}

static void write_page(const struct deep_zoom *zoom, FILE *file) {
    const char *page = embedded_pages[0].data, *mark = strstr(page, MARK);
    const char *slash = strrchr(zoom->folder, '/');
    fwrite(page, 1, (size_t)(mark - page), file);
    fputs("{files: \"", file);
    write_url(file, slash ? slash + 1 : zoom->folder);
    fprintf(file, "\", format: \"%s\", width: %d, height: %d, tile: %d, overlap: %d}",
            image_format_names[zoom->format], zoom->width_px, zoom->height_px, zoom->tile_px,
            OVERLAP);
    fputs(mark + strlen(MARK), file);
}

bool deep_zoom_write(const struct deep_zoom *zoom, struct poster *poster, poster_step *step,
                     void *user) {
    const int levels = poster_levels(zoom->width_px, zoom->height_px, 1);
    const size_t side = REGION_PX + 2 * OVERLAP;
    uint32_t *rgba = memory_alloc(side * side * sizeof *rgba, "Deep Zoom");
    bool ok = rgba;
    for (int level = 0; ok && level < levels; level++) {
        struct cut cut = {.zoom = zoom, .level = level};
        ok = asprintf(&cut.folder, "%s/%d", zoom->folder, levels - 1 - level) >= 0;
        if (!ok)
            log_error("not enough memory");
        ok = ok && make_folder(cut.folder) && write_level(&cut, poster, rgba, step, user);
        free(cut.folder);
    }
    free(rgba);
    return ok && write_text(zoom, ".html", write_page) && write_text(zoom, ".dzi", write_dzi);
}

void deep_zoom_clean(const struct deep_zoom *zoom) {
    char *part = named(zoom->store, ".part");
    if (part)
        unlink(part);
    free(part);
}
