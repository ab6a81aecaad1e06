/* Memory of pictures that are done with, for the next ones: fresh pages cost more than what is
 * written to them. Any thread. */
#ifndef FATHOM_CPU_ESCAPE_SPARE_MEMORY_H
#define FATHOM_CPU_ESCAPE_SPARE_MEMORY_H

#include <pthread.h>
#include <stddef.h>

#define SPARE_BLOCKS 3 /* two of a picture that is gone on with, one of another beside it */
#define SPARE_PART   4 /* a block may be larger by such a part of what is wanted */

struct spare_memory {
    pthread_mutex_t lock;
    struct spare_block {
        void *memory; /* NULL: none */
        size_t bytes;
    } blocks[SPARE_BLOCKS];
    unsigned given;
};

void spare_memory_init(struct spare_memory *spare);
void spare_memory_finish(struct spare_memory *spare);
/* A block of at least that size and not much more, of any contents; where there is none, smaller
 * ones are freed, and a new one has *bytes. *bytes becomes the block's size. NULL: no memory, logged
 * with `what`. */
void *spare_memory_take(struct spare_memory *spare, size_t least, size_t *bytes, const char *what);
/* Gives one back that was taken with that size, for which another one is freed where there is no
 * room; NULL is allowed. */
void spare_memory_give(struct spare_memory *spare, void *memory, size_t bytes);

#endif
