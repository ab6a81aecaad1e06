/* Segments of several orbits in one array, and the end of segments. */
#include "render/deep/tables/tables.h"
#include <stdlib.h>
#include <string.h>

/* Returns the first `a_bytes` of one array and then those of another one, with room for more; NULL
 * if there is no memory. */
static void *joined(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
    char *to = malloc(a_bytes + b_bytes + 1);
    if (!to)
        return NULL;
    memcpy(to, a, a_bytes);
    memcpy(to + a_bytes, b, b_bytes);
    return to;
}

/* Joins a member's arrays of a and b, which have that many elements. */
#define JOINED(member, a_size, b_size)                                                             \
    a->member                                                                                      \
        ? joined(a->member, (a_size) * sizeof *a->member, b->member, (b_size) * sizeof *b->member) \
        : NULL

bool segments_join(struct segments *a, const struct segments *b) {
    const size_t first = a->length + (size_t)1;
    struct segments to = {.list_at = JOINED(list_at, first, b->length + (size_t)1),
                          .list = JOINED(list, a->lists, b->lists + (size_t)1),
                          .segment = JOINED(segment, a->size, (size_t)b->size),
                          .low = JOINED(low, a->size, (size_t)b->size),
                          .cross = JOINED(cross, a->size, (size_t)b->size),
                          .bar = JOINED(bar, a->size, (size_t)b->size),
                          .cross_bar = JOINED(cross_bar, a->size, (size_t)b->size),
                          .length = (uint32_t)(first + b->length),
                          .lists = a->lists + b->lists,
                          .size = a->size + b->size};
    if (!to.list_at || !to.list || !to.segment || (a->low && !to.low) || (a->bar && !to.bar) ||
        (a->cross && !to.cross) || (a->cross_bar && !to.cross_bar)) {
        segments_finish(&to);
        return false;
    }
    for (uint32_t m = 0; m <= b->length; m++)
        to.list_at[first + m] += b->list_at[m] > 0 ? a->lists : 0;
    for (uint32_t i = 0; i <= b->lists; i++) {
        to.list[a->lists + i].start += (uint32_t)first;
        to.list[a->lists + i].first += a->size;
    }
    segments_finish(a);
    *a = to;
    return true;
}

void segments_clear_c(struct segments *segments) {
    for (uint32_t i = 0; i < segments->size; i++) {
        struct segment *s = &segments->segment[i];
        s->c_r = s->c_i = 0;
        s->c_log2 = 0;
        s->t_c_log2 = INT32_MAX;
        if (segments->low)
            segments->low[i].c_r = segments->low[i].c_i = 0;
        if (segments->bar)
            segments->bar[i] = (struct segment_bar){.sign = segments->bar[i].sign};
    }
}

void segments_finish(struct segments *segments) {
    free(segments->list_at);
    free(segments->list);
    free(segments->segment);
    free(segments->low);
    free(segments->cross);
    free(segments->bar);
    free(segments->cross_bar);
    *segments = (struct segments){0};
}
