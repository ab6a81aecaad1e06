/* Memory cache: keeps a few blocks, because the next picture usually has the same size. */
#include "cpu/escape/spare_memory.h"
#include "render/base/memory.h"
#include <stdlib.h>

void spare_memory_init(struct spare_memory *spare) {
    *spare = (struct spare_memory){.given = 0};
    pthread_mutex_init(&spare->lock, NULL);
}

void spare_memory_finish(struct spare_memory *spare) {
    for (int i = 0; i < SPARE_BLOCKS; i++)
        free(spare->blocks[i].memory);
    pthread_mutex_destroy(&spare->lock);
}

void *spare_memory_take(struct spare_memory *spare, size_t least, size_t *bytes, const char *what) {
    void *memory = NULL;
    pthread_mutex_lock(&spare->lock);
    for (int i = 0; i < SPARE_BLOCKS && !memory; i++)
        if (spare->blocks[i].bytes >= least &&
            spare->blocks[i].bytes - least <= least / SPARE_PART) {
            memory = spare->blocks[i].memory;
            *bytes = spare->blocks[i].bytes;
            spare->blocks[i] = (struct spare_block){0};
        }
    for (int i = 0; i < SPARE_BLOCKS && !memory; i++)
        if (spare->blocks[i].bytes < least) {
            free(spare->blocks[i].memory);
            spare->blocks[i] = (struct spare_block){0};
        }
    pthread_mutex_unlock(&spare->lock);
    return memory ? memory : memory_alloc(*bytes, what);
}

void spare_memory_give(struct spare_memory *spare, void *memory, size_t bytes) {
    if (!memory)
        return;
    pthread_mutex_lock(&spare->lock);
    unsigned at = 0;
    while (at < SPARE_BLOCKS && spare->blocks[at].memory)
        at++;
    struct spare_block *block =
        &spare->blocks[at < SPARE_BLOCKS ? at : spare->given % SPARE_BLOCKS];
    void *replaced = block->memory;
    *block = (struct spare_block){memory, bytes};
    spare->given++;
    pthread_mutex_unlock(&spare->lock);
    free(replaced);
}
