/* Importers of Fractint (.par) and XaoS (.xpf) files: read a location and its formula. They support
 * powers from 2 to 8, the formulas of XaoS that fathom computes identically, and their Julia sets.
 * Anything else is refused. The text may be hostile. */
#ifndef FATHOM_RENDER_FILES_IMPORT_IMPORTED_LOCATION_H
#define FATHOM_RENDER_FILES_IMPORT_IMPORTED_LOCATION_H

#include "render/formula/formula.h"
#include <stdbool.h>
#include <stdint.h>

/* Decimal numbers as text, which the caller frees; NULL: not given. */
struct imported_location {
    char *re, *im, *zoom, *angle; /* angle: [degrees], with fathom's sign */
    char *limit;
    char *julia_re, *julia_im; /* both, or neither: no Julia set */
    enum formula formula;      /* the Mandelbrot set's by default */
    uint32_t power;
};

/* Return true if a line, [p, end) without leading blanks, occurs only in such a file. For Fractint,
 * call it only behind a brace. */
bool fractint_has_line(const char *p, const char *end);
bool xaos_has_line(const char *p, const char *end);

/* Read the first entry of a Fractint file, or a XaoS file, into a zeroed struct. The caller frees
 * its texts in any case. Return false on failure, which is logged as "SOURCE:LINE: ...". */
bool fractint_read(const char *source, const char *text, struct imported_location *location);
bool xaos_read(const char *source, const char *text, struct imported_location *location);

#endif
