/* What a plot holds: for plot.c, which collects it, and plot_script.c, which draws it. */
#ifndef FATHOM_LAB_REPORT_PLOT_DATA_H
#define FATHOM_LAB_REPORT_PLOT_DATA_H

#include "lab/report/plot.h"
#include <stddef.h>

#define PLOT_NAME 80

/* Names in the order in which they came, each once. */
struct plot_names {
    char (*names)[PLOT_NAME];
    size_t count, capacity;
};

struct plot_datum {
    size_t series; /* of plot->series; of a cell: its row, of plot->rows */
    double x;      /* of bars and cells: the index in plot->columns */
    double y;
};

struct plot_label {
    double x, y;
    char name[PLOT_NAME];
};

struct plot {
    char id[32], title[200];
    enum plot_kind kind;
    char x_label[120], y_label[120];
    bool log_x, log_y;
    struct plot_names series;  /* of PLOT_HEAT: its rows */
    struct plot_names columns; /* of PLOT_BARS: its names */
    size_t current;            /* series that data are added to */
    struct plot_datum *data;
    size_t count, capacity;
    struct plot_label *labels;
    size_t label_count, label_capacity;
};

#endif
