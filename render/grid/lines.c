/* Lines: creates and checks the lines of pictures in motion. */
#include "render/grid/lines.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>

struct lines *lines_create(int columns, int rows) {
    struct lines *lines = calloc(1, sizeof *lines);
    const size_t count = (size_t)columns + (size_t)rows;
    struct grid_line *line = lines ? calloc(count, sizeof *line) : NULL;
    if (!line) {
        log_error("not enough memory for a picture's %d columns and %d rows", columns, rows);
        free(lines);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        line[i].from = -1;
    *lines = (struct lines){.references = 1, .columns = columns, .rows = rows, .line = line};
    return lines;
}

struct lines *lines_ref(struct lines *lines) {
    if (lines)
        __atomic_fetch_add(&lines->references, 1, __ATOMIC_RELAXED);
    return lines;
}

void lines_unref(struct lines *lines) {
    if (!lines || __atomic_fetch_sub(&lines->references, 1, __ATOMIC_ACQ_REL) != 1)
        return;
    free(lines->line);
    free(lines);
}

static const char *axis_problem(const struct grid_line *line, int count, int source_count,
                                bool even) {
    int from = -1;
    for (int i = 0; i < count; i++) {
        if (!(fabs(line[i].at) <= LINES_AT_MAX) || (i > 0 && line[i].at < line[i - 1].at))
            return "lines do not follow each other within the plane";
        if (even && line[i].at != i + 0.5 - count / 2.0)
            return "lines that should be even are not";
        if (line[i].from >= source_count || (line[i].from >= 0 && line[i].from <= from))
            return "lines are not those of the picture before in their order";
        from = line[i].from >= 0 ? line[i].from : from;
    }
    return NULL;
}

const char *lines_problem(const struct lines *lines) {
    const char *columns =
        axis_problem(lines->line, lines->columns, lines->source_columns, lines->even);
    return columns ? columns
                   : axis_problem(lines->line + lines->columns, lines->rows, lines->source_rows,
                                  lines->even);
}
