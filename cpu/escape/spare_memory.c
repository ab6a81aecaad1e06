/* Keeps a few blocks of one size, because a picture is most often followed by another one as
 * large. */
#include "cpu/escape/spare_memory.h"
#include "render/base/memory.h"
#include <stdlib.h>

void spare_memory_init(struct spare_memory *spare) {
    *spare = (struct spare_memory){.bytes = 0};
    pthread_mutex_init(&spare->lock, NULL);
}

static void drop(struct spare_memory *spare) {
    for (int i = 0; i < SPARE_BLOCKS; i++) {
        free(spare->blocks[i]);
        spare->blocks[i] = NULL;
    }
}

void spare_memory_finish(struct spare_memory *spare) {
    drop(spare);
    pthread_mutex_destroy(&spare->lock);
}

void *spare_memory_take(struct spare_memory *spare, size_t bytes, const char *what) {
    void *block = NULL;
    pthread_mutex_lock(&spare->lock);
    if (spare->bytes != bytes)
        drop(spare);
    spare->bytes = bytes;
    for (int i = 0; i < SPARE_BLOCKS && !block; i++) {
        block = spare->blocks[i];
        spare->blocks[i] = NULL;
    }
    pthread_mutex_unlock(&spare->lock);
    return block ? block : memory_alloc(bytes, what);
}

void spare_memory_give(struct spare_memory *spare, void *block, size_t bytes) {
    pthread_mutex_lock(&spare->lock);
    for (int i = 0; i < SPARE_BLOCKS && block && bytes == spare->bytes; i++)
        if (!spare->blocks[i]) {
            spare->blocks[i] = block;
            block = NULL;
        }
    pthread_mutex_unlock(&spare->lock);
    free(block);
}
