/* Collects a plot's data, in order of arrival. */
#include "lab/report/plot_data.h"
#include "render/base/log.h"
#include <stdlib.h>
#include <string.h>

static void no_memory(void) {
    log_error("no memory for a plot");
    abort();
}

static void *grown(void *array, size_t *capacity, size_t size) {
    *capacity = *capacity ? 2 * *capacity : 16;
    array = realloc(array, *capacity * size);
    if (!array)
        no_memory();
    return array;
}

struct plot *plot_create(const char *id, const char *title, enum plot_kind kind,
                         const char *x_label, const char *y_label) {
    struct plot *plot = calloc(1, sizeof *plot);
    if (!plot)
        no_memory();
    plot->kind = kind;
    snprintf(plot->id, sizeof plot->id, "%s", id);
    snprintf(plot->title, sizeof plot->title, "%s", title);
    snprintf(plot->x_label, sizeof plot->x_label, "%s", x_label);
    snprintf(plot->y_label, sizeof plot->y_label, "%s", y_label);
    return plot;
}

void plot_destroy(struct plot *plot) {
    if (!plot)
        return;
    free(plot->series.names);
    free(plot->columns.names);
    free(plot->labels);
    free(plot->data);
    free(plot);
}

void plot_log_x(struct plot *plot) {
    plot->log_x = true;
}

void plot_log_y(struct plot *plot) {
    plot->log_y = true;
}

static size_t add_name(struct plot_names *names, const char *name) {
    if (names->count == names->capacity)
        names->names = grown(names->names, &names->capacity, sizeof *names->names);
    snprintf(names->names[names->count], PLOT_NAME, "%s", name);
    return names->count++;
}

static size_t find_name(struct plot_names *names, const char *name) {
    for (size_t i = 0; i < names->count; i++)
        if (strncmp(names->names[i], name, PLOT_NAME - 1) == 0)
            return i;
    return add_name(names, name);
}

static void add(struct plot *plot, size_t series, double x, double y) {
    if (plot->count == plot->capacity)
        plot->data = grown(plot->data, &plot->capacity, sizeof *plot->data);
    plot->data[plot->count++] = (struct plot_datum){.series = series, .x = x, .y = y};
}

void plot_series(struct plot *plot, const char *name) {
    plot->current = find_name(&plot->series, name);
}

static size_t current_series(struct plot *plot) {
    if (plot->series.count == 0)
        plot_series(plot, "");
    return plot->current;
}

void plot_point(struct plot *plot, double x, double y) {
    add(plot, current_series(plot), x, y);
}

void plot_label(struct plot *plot, double x, double y, const char *name) {
    if (plot->label_count == plot->label_capacity)
        plot->labels = grown(plot->labels, &plot->label_capacity, sizeof *plot->labels);
    struct plot_label *label = &plot->labels[plot->label_count++];
    *label = (struct plot_label){.x = x, .y = y};
    snprintf(label->name, sizeof label->name, "%s", name);
}

void plot_bar(struct plot *plot, const char *name, double value) {
    add(plot, current_series(plot), (double)find_name(&plot->columns, name), value);
}

void plot_cell(struct plot *plot, const char *x, const char *y, double value) {
    add(plot, find_name(&plot->series, y), (double)find_name(&plot->columns, x), value);
}

const char *plot_id(const struct plot *plot) {
    return plot->id;
}

const char *plot_title(const struct plot *plot) {
    return plot->title;
}
