/* Shared blocks: several processes, also on several machines, draw one poster. Each block is a
 * small poster in the folder OUTPUT.work, and the process that claims it makes it (work_list.h). One
 * process then copies the tiles of all blocks into the poster, in the order of a process that draws
 * alone, so that the bytes are the same. One thread may draw while another writes. */
#ifndef FATHOM_APP_STILL_SHARED_BLOCKS_H
#define FATHOM_APP_STILL_SHARED_BLOCKS_H

#include "app/work/work_list.h"
#include "render/files/poster/poster.h"

/* Rectangle of the picture's pixels. */
struct block {
    int x, y, columns, rows;
};

struct shared_blocks;

/* Opens the poster into which blocks are copied. Returns NULL on failure, which is logged. */
typedef struct poster *shared_opening(void *user);

/* Returns the blocks of a poster of this shape, whose text and name must live as long; its name is
 * OUTPUT. `open` is called at most once, by the thread that calls shared_blocks_next or _copy; the
 * caller owns the poster. With a part, only its blocks are drawn. Returns NULL on failure, which is
 * logged. */
struct shared_blocks *shared_blocks_open(const struct poster_shape *shape,
                                         const struct work_part *part, shared_opening *open,
                                         void *user);
/* Returns true if a process has made the folder of the poster OUTPUT. */
bool shared_blocks_are_begun(const char *output);
/* Divides the picture, and makes the folder. `block` has the size of the largest block that one
 * process draws at a time, and gets the size of a shared block, which is not larger. Returns false
 * on failure, or if the folder has work of other settings; logged. */
bool shared_blocks_begin(struct shared_blocks *shared, struct block *block);
enum shared_state {
    SHARED_BLOCK,  /* a block is to be drawn and written */
    SHARED_NONE,   /* all blocks exist, or the poster is complete */
    SHARED_FAILED, /* logged, or stopped */
};
/* Claims a block that no process draws, and stores its place. While other processes draw the last
 * blocks, copies complete ones into the poster, or waits, for as long as `go_on` returns true. */
enum shared_state shared_blocks_next(struct shared_blocks *shared, struct block *block,
                                     bool (*go_on)(void *user), void *user);
/* Returns the done share of the picture, of whose block at hand `done` is done. */
double shared_blocks_done(const struct shared_blocks *shared, double done);
/* Writes a block and releases its claim. Returns false on failure, which is logged. */
bool shared_blocks_write(struct shared_blocks *shared, const struct block *block,
                         const uint32_t *rgba, size_t stride);
/* Callbacks of shared_blocks_join: `complete` makes the picture and returns false on failure, which
 * is logged; `clean` removes its temporary files. */
struct shared_calls {
    bool (*complete)(void *user);
    void (*clean)(void *user);
    void *user;
};
/* Ends drawing: makes the picture unless another process does, and removes the blocks. Of a part,
 * only reports how many blocks exist. Returns false on failure, which is logged, or if
 * interrupted. */
bool shared_blocks_join(struct shared_blocks *shared, const struct shared_calls *calls);
/* Copies the blocks into the poster that are not yet there, for `complete`. Returns false if
 * stopped, or on failure, which is logged. */
bool shared_blocks_copy(struct shared_blocks *shared, poster_step *step, void *user);
/* Releases all claims. NULL is allowed. */
void shared_blocks_close(struct shared_blocks *shared);

#endif
