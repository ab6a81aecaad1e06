/* Shared blocks: claims blocks of a poster, keeps them in files, and joins them. */
#define _GNU_SOURCE /* asprintf */
#include "app/still/shared_blocks.h"
#include "app/work/hash.h"
#include "app/work/note.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCKS_WANTED 64  /* blocks that share the work well; GPUs draw larger ones faster */
#define COPY_MS       200 /* longest copying between two looks at the blocks of others */
#define TILES_MOST    4   /* [tiles] side of a block */

/* Row of tiles of a block of a process that draws alone, by numbers of tiles. */
struct place {
    int x, y; /* of the block's first tile */
    int row;
};

struct shared_blocks {
    struct poster_shape shape;
    shared_opening *open;
    void *opener;
    struct poster *poster; /* into which blocks are copied; NULL: not yet opened */
    struct place copied;   /* row of tiles that is copied next */
    bool joins;            /* this process has claimed the joining */
    struct work_list list;
    struct work_part part;
    char *folder;
    char key[20]; /* text of a block's file */
    uint64_t hash;
    int alone_columns, alone_rows;    /* size of the blocks of a process that draws alone */
    int columns, rows, across, count; /* size and number of shared blocks */
    bool *over;         /* for each block: it exists, this process draws it, or another part does */
    int over_count, at; /* `at`: block that is looked at next */
    bool left, found;   /* in this round: others draw blocks; this process has claimed one */
    bool complete;      /* another process has joined the blocks */
    const struct shared_calls *calls; /* while the blocks are joined */
    int drawn; /* blocks that this process has drawn, and the time that it took */
    double begun_ms, drawn_ms;
};

/* Returns the name of the folder of a poster's blocks, which the caller frees; NULL without
 * memory. */
static char *folder_of(const char *output) {
    char *folder = NULL;
    return asprintf(&folder, "%s.work", output) < 0 ? NULL : folder;
}

struct shared_blocks *shared_blocks_open(const struct poster_shape *shape,
                                         const struct work_part *part, shared_opening *open,
                                         void *user) {
    static const char longest[] = ".work/block-0123456789abcdef-0000000.claim00";
    struct shared_blocks *shared = calloc(1, sizeof *shared);
    if (!shared || strlen(shape->name) + sizeof longest > PATH_MAX ||
        !(shared->folder = folder_of(shape->name))) {
        log_error("cannot share '%s': its name is too long, or there is not enough memory",
                  shape->name);
        free(shared);
        return NULL;
    }
    work_list_init(&shared->list);
    shared->shape = *shape;
    shared->part = *part;
    shared->open = open;
    shared->opener = user;
    return shared;
}

bool shared_blocks_are_begun(const char *output) {
    char *folder = folder_of(output);
    const bool begun = folder && access(folder, F_OK) == 0;
    free(folder);
    return begun;
}

void shared_blocks_close(struct shared_blocks *shared) {
    if (!shared)
        return;
    work_list_finish(&shared->list);
    free(shared->folder);
    free(shared->over);
    free(shared);
}

/* --- blocks --- */

static struct note note_of(const struct shared_blocks *shared) {
    return (struct note){.folder = shared->folder,
                         .result = shared->shape.name,
                         .key = shared->hash,
                         .claimed = shared->joins};
}

/* Returns the side of a block: larger for large pictures. */
static int side_of(const struct poster_shape *shape) {
    const double pixels = (double)shape->width_px * shape->height_px / BLOCKS_WANTED;
    int tiles = TILES_MOST;
    while (tiles > 1 && pow(tiles * POSTER_TILE, 2) > pixels)
        tiles /= 2;
    return tiles * POSTER_TILE;
}

static struct block block_at(const struct shared_blocks *shared, int number) {
    const int x = number % shared->across * shared->columns;
    const int y = number / shared->across * shared->rows;
    const int right = shared->shape.width_px - x, below = shared->shape.height_px - y;
    return (struct block){x, y, right < shared->columns ? right : shared->columns,
                          below < shared->rows ? below : shared->rows};
}

static struct poster_shape shape_of(const struct shared_blocks *shared, const struct block *block) {
    return (struct poster_shape){.width_px = block->columns,
                                 .height_px = block->rows,
                                 .levels = 1,
                                 .compression = shared->shape.compression,
                                 .text = shared->key};
}

/* Name of a block's file. */
struct path {
    char text[PATH_MAX];
};

static struct path path_of(const struct shared_blocks *shared, int number) {
    struct path path;
    snprintf(path.text, sizeof path.text, "%s/block-%s-%07d", shared->folder, shared->key, number);
    return path;
}

static bool exists(const struct shared_blocks *shared, int number) {
    return access(path_of(shared, number).text, F_OK) == 0;
}

/* Returns the number of the block that has a tile. */
static int number_at(const struct shared_blocks *shared, int column, int row) {
    return row * POSTER_TILE / shared->rows * shared->across +
           column * POSTER_TILE / shared->columns;
}

static void set_over(struct shared_blocks *shared, int number) {
    shared->over[number] = true;
    shared->over_count++;
}

static bool runs_on(void *user) {
    (void)user;
    return !interrupt_requested();
}

bool shared_blocks_begin(struct shared_blocks *shared, struct block *block) {
    const struct poster_shape *shape = &shared->shape;
    const int side = side_of(shape);
    shared->alone_columns = block->columns;
    shared->alone_rows = block->rows;
    block->columns = shared->columns = side < block->columns ? side : block->columns;
    block->rows = shared->rows = side < block->rows ? side : block->rows;
    shared->across = (shape->width_px - 1) / shared->columns + 1;
    shared->count = shared->across * ((shape->height_px - 1) / shared->rows + 1);
    shared->over = calloc((size_t)shared->count, sizeof *shared->over);
    if (!shared->over) {
        log_error("not enough memory for a poster");
        return false;
    }
    const int numbers[] = {shape->width_px,         shape->height_px,  shape->levels,
                           (int)shape->compression, shared->columns,   shared->rows,
                           shared->alone_columns,   shared->alone_rows};
    shared->hash = hash_bytes(hash_text(HASH_EMPTY, shape->text), numbers, sizeof numbers);
    snprintf(shared->key, sizeof shared->key, "%016" PRIx64, shared->hash);
    for (int i = 0; i < shared->count; i++)
        if (!work_part_has(&shared->part, (uint64_t)i) || exists(shared, i))
            set_over(shared, i);
    if (mkdir(shared->folder, 0777) != 0 && errno != EEXIST) {
        log_error("cannot make the work folder '%s': %s", shared->folder, strerror(errno));
        return false;
    }
    const struct note note = note_of(shared);
    shared->complete = note_is_complete(&note);
    return note_begin(&note, &shared->list, &(struct note_calls){.step = runs_on});
}

/* --- copying --- */

static int tiles_of(int pixels) {
    return (pixels - 1) / POSTER_TILE + 1;
}

/* Copies the tiles of the next row from column `from` to column `to` - 1 out of all blocks that
 * have some. */
static bool copy_row(const struct shared_blocks *shared, int from, int to) {
    const int tiles = tiles_of(shared->columns), row = shared->copied.row;
    bool ok = true;
    for (int next; ok && from < to; from = next) {
        const int end = (from / tiles + 1) * tiles;
        const int number = number_at(shared, from, row);
        const struct block block = block_at(shared, number);
        const struct poster_shape shape = shape_of(shared, &block);
        next = end < to ? end : to;
        ok = poster_copy(shared->poster, path_of(shared, number).text, &shape, block.x, block.y,
                         row, from, next);
    }
    return ok;
}

/* Returns true if there are all blocks of the next row from column `from` to column `to` - 1. */
static bool has_row(const struct shared_blocks *shared, int from, int to) {
    const int tiles = tiles_of(shared->columns);
    bool has = true;
    for (; has && from < to; from = (from / tiles + 1) * tiles)
        has = exists(shared, number_at(shared, from, shared->copied.row));
    return has;
}

/* Copies rows of tiles in the order of a process that draws alone, for COPY_MS if `early`, and then
 * only up to a block that is missing. Returns false if stopped, or on failure, logged. */
static bool copy(struct shared_blocks *shared, bool early, poster_step *step, void *user) {
    const int across = tiles_of(shared->shape.width_px), down = tiles_of(shared->shape.height_px);
    const int columns = tiles_of(shared->alone_columns), rows = tiles_of(shared->alone_rows);
    const double start = clock_ms();
    struct place *at = &shared->copied;
    while (at->y < down && !(early && clock_ms() - start > COPY_MS)) {
        const int end = at->x + columns < across ? at->x + columns : across;
        if (early && !has_row(shared, at->x, end))
            break;
        if (!step(user, (at->y + (double)at->x / across * rows) / down) ||
            !copy_row(shared, at->x, end))
            return false;
        if (++at->row < down && at->row < at->y + rows)
            continue;
        at->x = end < across ? end : 0;
        at->y += end < across ? 0 : rows;
        at->row = at->y;
    }
    return true;
}

static bool open_poster(struct shared_blocks *shared) {
    if (!shared->poster)
        shared->poster = shared->open(shared->opener);
    return shared->poster;
}

bool shared_blocks_copy(struct shared_blocks *shared, poster_step *step, void *user) {
    return open_poster(shared) && copy(shared, false, step, user);
}

struct going {
    bool (*go_on)(void *user);
    void *user;
};

static bool go_on_copying(void *user, double done) {
    const struct going *going = user;
    (void)done;
    return going->go_on(going->user);
}

/* Copies some complete blocks while others draw the last ones, if no other process joins the
 * blocks. Sets *copied if there were any. Returns false if stopped, or on failure, logged. */
static bool copy_early(struct shared_blocks *shared, struct going *going, bool *copied) {
    const struct note note = note_of(shared);
    const struct place before = shared->copied;
    *copied = false;
    if (!shared->joins && shared->part.of <= 1) {
        const enum work_state state = note_claim(&note, &shared->list);
        if (state == WORK_FAILED)
            return false;
        shared->joins = state == WORK_OURS;
    }
    if (!shared->joins || note_is_complete(&note))
        return true;
    if (!open_poster(shared) || !copy(shared, true, go_on_copying, going))
        return false;
    *copied = memcmp(&before, &shared->copied, sizeof before) != 0;
    return true;
}

/* --- drawing --- */

/* Claims a block unless it exists. If `late`, takes it even if somebody else draws it. */
static enum work_state take(struct shared_blocks *shared, int number, bool late) {
    const struct note note = note_of(shared);
    const struct path path = path_of(shared, number);
    bool there = exists(shared, number);
    enum work_state state = there ? WORK_TAKEN : work_list_claim(&shared->list, path.text);
    if (state == WORK_OURS) { /* somebody else may have been faster */
        there = exists(shared, number);
        shared->complete = note_is_complete(&note);
        if (there || shared->complete)
            work_list_release(&shared->list, path.text);
    }
    if (state == WORK_TAKEN && late && !there)
        state = WORK_OURS;
    if (state == WORK_OURS || there)
        set_over(shared, number);
    return there || shared->complete ? WORK_TAKEN : state;
}

/* Claims a block in the rest of this round. */
static enum shared_state next_of_round(struct shared_blocks *shared, struct block *block,
                                       bool late) {
    for (; shared->at < shared->count && !shared->complete; shared->at++) {
        const int number = shared->at;
        if (shared->over[number])
            continue;
        const enum work_state state = take(shared, number, late);
        if (state == WORK_FAILED)
            return SHARED_FAILED;
        if (state == WORK_OURS) {
            *block = block_at(shared, number);
            return SHARED_BLOCK;
        }
        shared->left |= !shared->over[number];
    }
    return SHARED_NONE;
}

enum shared_state shared_blocks_next(struct shared_blocks *shared, struct block *block,
                                     bool (*go_on)(void *user), void *user) {
    const struct note note = note_of(shared);
    const double since_ms = clock_ms();
    if (shared->begun_ms > 0)
        shared->drawn_ms += since_ms - shared->begun_ms;
    shared->drawn += shared->begun_ms > 0;
    const double own_ms = shared->drawn > 0 ? shared->drawn_ms / shared->drawn : INFINITY;
    for (double pause = 0; go_on(user);) {
        const enum shared_state state =
            next_of_round(shared, block, work_list_is_late(clock_ms() - since_ms, own_ms));
        shared->found |= state == SHARED_BLOCK;
        shared->begun_ms = clock_ms();
        if (state != SHARED_NONE || !shared->left || shared->complete || note_is_complete(&note))
            return state;
        bool copied;
        if (!copy_early(shared, &(struct going){go_on, user}, &copied))
            return SHARED_FAILED;
        pause = shared->found || copied ? 0 : work_list_pause(pause);
        shared->at = 0;
        shared->left = shared->found = false;
    }
    return SHARED_FAILED;
}

double shared_blocks_done(const struct shared_blocks *shared, double done) {
    const double all = shared->over_count - (shared->begun_ms > 0) + done;
    return fmin(all / shared->count, 1);
}

bool shared_blocks_write(struct shared_blocks *shared, const struct block *block,
                         const uint32_t *rgba, size_t stride) {
    const int number = block->y / shared->rows * shared->across + block->x / shared->columns;
    const struct poster_shape shape = shape_of(shared, block);
    const struct path path = path_of(shared, number);
    const bool ok = poster_save(path.text, &shape, rgba, stride);
    work_list_release(&shared->list, path.text);
    return ok;
}

/* --- joining --- */

static bool join(void *user) {
    const struct shared_blocks *shared = user;
    return shared->calls->complete(shared->calls->user);
}

static void clean(void *user) {
    const struct shared_blocks *shared = user;
    for (int i = 0; i < shared->count; i++)
        unlink(path_of(shared, i).text);
    work_list_remove_claims(shared->folder);
    shared->calls->clean(shared->calls->user);
}

bool shared_blocks_join(struct shared_blocks *shared, const struct shared_calls *calls) {
    const struct note note = note_of(shared);
    shared->calls = calls;
    if (shared->part.of <= 1)
        return note_join(&note, &shared->list, &(struct note_calls){runs_on, join, clean, shared});
    int done = 0;
    for (int i = 0; i < shared->count; i++)
        done += exists(shared, i);
    fprintf(
        stderr,
        "fathom: part %u/%u has its blocks; %d of %d are there: the command with --join instead "
        "of --part makes the others and joins them\n",
        shared->part.number, shared->part.of, done, shared->count);
    return true;
}
