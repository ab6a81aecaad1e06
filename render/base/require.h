/* require(): checks for a mistake of the caller. If the expression is false, require() logs it and
 * makes the calling function return the given value; a debug build aborts instead. Never for files,
 * arguments or devices. */
#ifndef FATHOM_RENDER_BASE_REQUIRE_H
#define FATHOM_RENDER_BASE_REQUIRE_H

#include "render/base/log.h"
#include <assert.h>

#ifdef NDEBUG
#define require_failed(text) log_error("%s: caller's mistake: %s", __func__, text)
#else
#define require_failed(text) assert(!text)
#endif

#define require(expression, ...)                                                                   \
    do {                                                                                           \
        if (!(expression)) {                                                                       \
            require_failed(#expression);                                                           \
            return __VA_ARGS__;                                                                    \
        }                                                                                          \
    } while (0)

#endif
