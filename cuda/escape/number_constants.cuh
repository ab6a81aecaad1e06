/* Constants of an orbit's kind of number, which is what that argument is there for. */
#ifndef FATHOM_CUDA_ESCAPE_NUMBER_CONSTANTS_CUH
#define FATHOM_CUDA_ESCAPE_NUMBER_CONSTANTS_CUH

#include "cuda/escape/real.cuh"
#include "render/formula/inside.h"
#include "render/interior.h"
#include "render/number/wide.h"

template <typename value> INLINE constexpr bool number_long(value) {
    return false;
}

INLINE constexpr bool number_long(struct wide) {
    return true;
}

/* The length of long blocks, and of those at whose ends returns are looked for. Short ones find more of them; they would
 * cost doubles 3%. Wide numbers' steps are ten times as long. */
INLINE constexpr uint32_t number_block(float, bool cycle) {
    return cycle ? 32 : 64;
}

INLINE constexpr uint32_t number_block(double, bool) {
    return 64;
}

INLINE constexpr uint32_t number_block(struct wide, bool) {
    return 16;
}

INLINE double number_margin(float) {
    return INTERIOR_MARGIN_FLOAT;
}

INLINE double number_margin(double) {
    return INTERIOR_MARGIN_DOUBLE;
}

INLINE double number_margin(struct wide) {
    return INTERIOR_MARGIN_DOUBLE;
}

INLINE float number_near(float) {
    return (float)INSIDE_NEAR_FLOAT;
}

INLINE double number_near(double) {
    return INSIDE_NEAR_DOUBLE;
}

INLINE double number_near(struct wide) {
    return INSIDE_NEAR_WIDE;
}

INLINE float number_nearer(float) {
    return (float)INSIDE_NEARER_FLOAT;
}

INLINE double number_nearer(double) {
    return INSIDE_NEARER_DOUBLE;
}

INLINE double number_nearer(struct wide) {
    return INSIDE_NEARER_WIDE;
}

#endif
