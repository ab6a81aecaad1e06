/* Memory cache: blocks of finished pictures for the next ones, because fresh pages cost more than
 * writing to them. Any thread. */
#ifndef FATHOM_CPU_ESCAPE_SPARE_MEMORY_H
#define FATHOM_CPU_ESCAPE_SPARE_MEMORY_H

#include <pthread.h>
#include <stddef.h>

/* Two for consecutive pictures that share samples, one for another picture. */
#define SPARE_BLOCKS 3
#define SPARE_PART   4 /* a block may be larger than requested by 1 / SPARE_PART */

struct spare_memory {
    pthread_mutex_t lock;
    struct spare_block {
        void *memory; /* NULL: empty */
        size_t bytes;
    } blocks[SPARE_BLOCKS];
    unsigned given;
};

void spare_memory_init(struct spare_memory *spare);
void spare_memory_finish(struct spare_memory *spare);
/* Returns a block of at least `least` bytes and not much more, with undefined contents, and stores
 * its size in *bytes. If there is no such block, frees the blocks that are too small and allocates
 * a block of *bytes. Returns NULL if there is no memory; the error is logged with `what`. */
void *spare_memory_take(struct spare_memory *spare, size_t least, size_t *bytes, const char *what);
/* Returns a block of that size to the cache. If the cache is full, another block is freed. NULL is
 * allowed. */
void spare_memory_give(struct spare_memory *spare, void *memory, size_t bytes);

#endif
