/* Palette import: lines and numbers for the readers of all formats, cut from one text in place. */
#ifndef FATHOM_RENDER_GRADIENT_IMPORT_TEXT_H
#define FATHOM_RENDER_GRADIENT_IMPORT_TEXT_H

#include "render/gradient/import.h"

struct import {
    const char *source;
    char *rest; /* NUL-terminated text after the line; readers may write into it */
    int line;   /* line number, from 1 */
    import_fn *each;
    void *user;
    struct named_gradient *named; /* gradient that is being read; initially empty, with a name */
};

/* Cuts the next line off and strips blanks at its ends. Returns NULL at the end of the text. */
char *import_line(struct import *in);
/* Logs "SOURCE:LINE: what: 'value'" and returns false. */
bool import_fail(const struct import *in, const char *what, const char *value);
/* Reads a finite number from *at, and skips blanks and one comma after it. */
bool import_number(char **at, double *number);
/* Reads a whole number within low .. high as import_number. */
bool import_whole(char **at, long low, long high, long *whole);
/* Appends a stop at a place that is not before the last stop's; channels 0 .. 255. */
bool import_stop(struct import *in, double place, long r, long g, long b);
/* Sets the name, cut to the available room; a name of blanks changes nothing. */
void import_name(struct import *in, const char *name, size_t length);
/* Checks the gradient and passes it on. *more becomes true if another one is accepted. */
bool import_done(struct import *in, bool *more);

bool import_map(struct import *in);
bool import_kalles(struct import *in);
bool import_ultra(struct import *in);
bool import_gimp(struct import *in);
bool import_gimp_list(struct import *in);

#endif
