/* Order of the second pass: sorts points by their counts, a radix sort of two digits. */
#include "cpu/walk/walk_order.h"
#include "render/formula/slope.h"

#define DIGIT_BITS 10
#define DIGITS     (1u << DIGIT_BITS)
_Static_assert(SLOPE_STEPS_MAX >> DIGIT_BITS < DIGITS, "a count has two digits");

static void sort(const uint32_t *count, unsigned shift, const uint32_t *from, uint32_t size,
                 uint32_t *to) {
    uint32_t place[DIGITS] = {0}, before = 0;
    for (uint32_t i = 0; i < size; i++)
        place[count[from[i]] >> shift & (DIGITS - 1)]++;
    for (uint32_t d = 0; d < DIGITS; d++) {
        const uint32_t some = place[d];
        place[d] = before;
        before += some;
    }
    for (uint32_t i = 0; i < size; i++)
        to[place[count[from[i]] >> shift & (DIGITS - 1)]++] = from[i];
}

void walk_order(const uint32_t *count, size_t size, struct walk_order *order) {
    uint32_t other[TILE_POINTS_MAX], highest = 0;
    order->size = 0;
    for (uint32_t i = 0; i < size; i++) {
        const bool walks = !(count[i] & SAMPLE_INTERIOR) && count[i] <= SLOPE_STEPS_MAX;
        order->at[order->size] = i;
        order->size += walks;
        highest = walks && count[i] > highest ? count[i] : highest;
    }
    sort(count, 0, order->at, order->size, other);
    if (highest < DIGITS)
        memcpy(order->at, other, order->size * sizeof *other);
    else
        sort(count, DIGIT_BITS, other, order->size, order->at);
    for (uint32_t i = 0; order->size > 0 && i < WALK_TOGETHER_MAX; i++)
        order->at[order->size + i] = order->at[order->size - 1];
}
