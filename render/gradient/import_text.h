/* What the readers of other programs' palettes share: lines and numbers of one text, cut in place. */
#ifndef FATHOM_RENDER_GRADIENT_IMPORT_TEXT_H
#define FATHOM_RENDER_GRADIENT_IMPORT_TEXT_H

#include "render/gradient/import.h"

struct import {
    const char *source;
    char *rest; /* what follows the line, terminated by a NUL; the reader may write into it */
    int line;   /* from 1 */
    import_fn *each;
    void *user;
    struct named_gradient *named; /* the one that is being read; it begins empty, with a name */
};

/* Cuts the next line off, without blanks at its ends; NULL: there is none. */
char *import_line(struct import *in);
/* "SOURCE:LINE: what: 'value'"; false. */
bool import_fail(const struct import *in, const char *what, const char *value);
/* Takes a finite number off the front of *at, and blanks and one comma after it. */
bool import_number(char **at, double *number);
/* The same, whole and within low .. high. */
bool import_whole(char **at, long low, long high, long *whole);
/* Adds a colour at a place that is not before the last one's; channels 0 .. 255. */
bool import_stop(struct import *in, double place, long r, long g, long b);
/* Sets the name, as much of it as there is room for; a name of blanks changes nothing. */
void import_name(struct import *in, const char *name, size_t length);
/* Checks the gradient and hands it on. *more: another one is wanted. */
bool import_done(struct import *in, bool *more);

bool import_map(struct import *in);
bool import_kalles(struct import *in);
bool import_ultra(struct import *in);
bool import_gimp(struct import *in);
bool import_gimp_list(struct import *in);

#endif
