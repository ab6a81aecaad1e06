/* Places in files of Fractint (.par) and of XaoS (.xpf), for formulas that fathom has: powers from 2 to 8, those of XaoS that
 * are the same here, and their Julia sets. Text is hostile; what these programs have and fathom has not is refused. */
#ifndef FATHOM_RENDER_FILES_IMPORT_PLACE_H
#define FATHOM_RENDER_FILES_IMPORT_PLACE_H

#include "render/formula/formula.h"
#include <stdbool.h>
#include <stdint.h>

/* Decimal numbers as texts, which the caller frees; NULL: not told. */
struct place {
    char *re, *im, *zoom, *angle; /* angle: degrees, as fathom turns */
    char *limit;
    char *julia_re, *julia_im; /* both, or none: not a Julia set */
    enum formula formula;      /* the Mandelbrot set's unless told */
    uint32_t power;
};

/* Whether a line, [p, end) without blanks in front, is one that only such a file has; of Fractint's, behind a brace. */
bool fractint_has_line(const char *p, const char *end);
bool xaos_has_line(const char *p, const char *end);

/* Read the first entry of a par file, and a position file, into a zeroed place, whose texts are to be freed in any case. False:
 * logged, as "SOURCE:LINE: ...". */
bool fractint_read(const char *source, const char *text, struct place *place);
bool xaos_read(const char *source, const char *text, struct place *place);

#endif
