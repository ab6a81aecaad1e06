/* Running gnuplot. */
#ifndef FATHOM_LAB_REPORT_GNUPLOT_H
#define FATHOM_LAB_REPORT_GNUPLOT_H

#include <stddef.h>

enum gnuplot_result { GNUPLOT_DONE, GNUPLOT_MISSING, GNUPLOT_FAILED, GNUPLOT_HUNG };

/* Runs the script in the file through the gnuplot of PATH, for 20 seconds at most, and waits for its
 * end. GNUPLOT_DONE: *svg is what it drew, to be freed by the caller. Else `why` says why not. */
enum gnuplot_result gnuplot_draw(const char *script, char **svg, size_t *length, char why[200]);

#endif
