/* Denormal numbers of maps. The orbits of the spider approach the real axis ever closer, and steps
 * of denormal numbers take some processors fifty times as long. No visible result depends on them
 * there. It does where maps divide, so other maps keep denormals. */
#ifndef FATHOM_CPU_ESCAPE_DENORMALS_H
#define FATHOM_CPU_ESCAPE_DENORMALS_H

#include "render/formula/recipe.h"

#ifdef __SSE2__

/* Treats denormal numbers as 0 in this thread if the map allows it. Returns the previous mode for
 * denormals_restore. */
static inline unsigned denormals_avoid(const struct recipe *recipe) {
    const unsigned mode = __builtin_ia32_stmxcsr();
    if (recipe->kind == FORMULA_spider)
        __builtin_ia32_ldmxcsr(mode | 0x8040u);
    return mode;
}

static inline void denormals_restore(unsigned mode) {
    __builtin_ia32_ldmxcsr(mode);
}

#else

static inline unsigned denormals_avoid(const struct recipe *recipe) {
    return (void)recipe, 0;
}

static inline void denormals_restore(unsigned mode) {
    (void)mode;
}

#endif

#endif
