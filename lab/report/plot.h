/* Plots: lines over numbers, bars over names, and maps of heat, drawn by gnuplot as SVG. Numbers
 * that are not finite, or not positive on a logarithmic axis, are left out. */
#ifndef FATHOM_LAB_REPORT_PLOT_H
#define FATHOM_LAB_REPORT_PLOT_H

#include <stdbool.h>
#include <stdio.h>

struct plot;

enum plot_kind {
    PLOT_LINES, /* points joined by lines */
    PLOT_BARS,  /* lying, names on the left, so that they may be long */
    PLOT_HEAT,  /* each cell with its number, the first row on top; colours are logarithmic when the
                 * numbers span more than a decade */
};

/* Strings are copied. `id` names its files, as a table's does. */
struct plot *plot_create(const char *id, const char *title, enum plot_kind kind,
                         const char *x_label, const char *y_label);
void plot_destroy(struct plot *plot); /* NULL is allowed */

/* Logarithmic axes. x: PLOT_LINES only; y: the values of lines and bars. */
void plot_log_x(struct plot *plot);
void plot_log_y(struct plot *plot);

/* PLOT_LINES and PLOT_BARS: what follows is of this series. One name, one series. */
void plot_series(struct plot *plot, const char *name);
void plot_point(struct plot *plot, double x, double y); /* PLOT_LINES */
/* PLOT_LINES: a point apart from all series, with its name beside it. */
void plot_label(struct plot *plot, double x, double y, const char *name);
/* PLOT_BARS: the same names in each series. */
void plot_bar(struct plot *plot, const char *name, double value);
/* PLOT_HEAT: a cell by the names of its column and row. */
void plot_cell(struct plot *plot, const char *x, const char *y, double value);

const char *plot_id(const struct plot *plot);
const char *plot_title(const struct plot *plot);
/* A gnuplot script with the data in it that writes SVG to standard output. */
void plot_script(const struct plot *plot, FILE *file);

#endif
