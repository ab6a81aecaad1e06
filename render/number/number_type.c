/* Number types: names and sizes. */
#include "render/number/number_type.h"

static const struct {
    const char *name;
    int bits; /* of a mantissa */
    size_t size;
} types[TYPE_COUNT] = {
    {"float", 24, sizeof(float)},
    {"double", 53, sizeof(double)},
    {"wide", 104, 2 * sizeof(double)},
};

const char *number_type_name(enum number_type type) {
    return types[type].name;
}

int number_type_bits(enum number_type type) {
    return types[type].bits;
}

size_t number_type_size(enum number_type type) {
    return types[type].size;
}
