/* Plots: lines over numbers, bars over names, and maps of heat, drawn by gnuplot as SVG. */
#ifndef FATHOM_LAB_PLOT_H
#define FATHOM_LAB_PLOT_H

#include <stdbool.h>
#include <stdio.h>

struct plot;

enum plot_kind { PLOT_LINES, PLOT_BARS, PLOT_HEAT };

/* Strings are copied. `id` names its files. */
struct plot *plot_create(const char *id, const char *title, enum plot_kind kind,
                         const char *x_label, const char *y_label);
void plot_destroy(struct plot *plot); /* NULL is allowed */

void plot_log_x(struct plot *plot); /* logarithmic axes */
void plot_log_y(struct plot *plot);

/* PLOT_LINES and PLOT_BARS: what follows is of this series. */
void plot_series(struct plot *plot, const char *name);
void plot_point(struct plot *plot, double x, double y); /* PLOT_LINES */
void plot_bar(struct plot *plot, const char *name,
              double value); /* the same names in each series */
/* PLOT_HEAT: a cell by the names of its column and row. */
void plot_cell(struct plot *plot, const char *x, const char *y, double value);

const char *plot_id(const struct plot *plot);
/* A gnuplot script with the data in it that writes SVG to standard output. */
void plot_script(const struct plot *plot, FILE *file);

#endif
