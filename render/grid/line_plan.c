/* Line plan: chooses the lines of a picture in motion, old ones to keep and new ones to draw, most
 * urgent first. */
#include "render/grid/line_plan.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS_MAX   65536
#define GAP_WIDE    1.0  /* [slots] gap above which new lines are needed */
#define GAP_WIDEST  1.25 /* [slots] the same after a most patient line */
#define GAP_LEAST   0.98 /* [slots] a line is dropped if its neighbours are closer together */
#define ROUNDING    1e-6
#define SNAP        0.3  /* [gaps] largest shift of a new line to a pixel centre */
#define FOCUS_SIZE  0.25 /* [axis] distance from the focus at which the urgency halves */
#define SAMPLES_MIN 4096 /* least number of samples, however short the time is */
#define INEXACT     1e-3 /* urgency of an inexact line, relative to a gap of one slot */

/* Line that may become part of the plan: as kept from the previous picture (if kept.from >= 0), and
 * as it could be drawn. */
struct item {
    struct grid_line kept, drawn;
    bool draw;
};

struct rank {
    float urgency;
    int item;
};

/* Plan of one axis. */
struct row {
    const struct line_axis *axis;
    struct item *item;
    struct rank *rank; /* lines that may be drawn; sorted by urgency at the end */
    int size, count, ranks;
    int kept, lines; /* items that are kept, and lines of the plan so far */
};

/* Returns a new line at `at`, or at the nearest pixel centre if that is within `most`. */
static struct grid_line new_line(const struct line_axis *axis, double at, double most) {
    const double shift = axis->count % 2 == 0 ? 0.5 : 0;
    const double centre = floor(at - shift + 0.5) + shift;
    const bool snaps = axis->count > 0 && fabs(centre - at) <= most;
    return (struct grid_line){.at = snaps ? centre : at, .from = -1, .exact = snaps};
}

static void add_rank(struct row *row, int i, double at, double urgency) {
    const struct line_axis *axis = row->axis;
    const double away = fabs(at - axis->focus) / (FOCUS_SIZE * (axis->high - axis->low));
    row->rank[row->ranks++] = (struct rank){(float)(urgency / (1 + away)), i};
}

/* Ranks a run of new lines by bisection: the middle line halves the gap, then the middles of both
 * halves follow. */
static void rank_run(struct row *row, int first, int end, bool open) {
    while (first < end) {
        const int middle = first + (end - first) / 2;
        const double gap = (end - first) * (open ? 2.0 : 1.0);
        add_rank(row, middle, row->item[middle].drawn.at, gap * gap);
        rank_run(row, first, middle, open);
        first = middle + 1;
    }
}

/* Adds new lines to the gap between two positions. `open`: there is no line beyond one of them. */
static void fill_gap(struct row *row, double low, double high, double patience, bool open) {
    const double slots = (high - low) / row->axis->slot;
    if (slots <= GAP_WIDE + patience * (GAP_WIDEST - GAP_WIDE) + ROUNDING)
        return;
    const int wanted = (int)fmin(fmax(rint(slots) - 1, 1), ITEMS_MAX);
    const int count = wanted < row->size - row->count ? wanted : row->size - row->count;
    const double gap = (high - low) / (wanted + 1);
    const int first = row->count;
    for (int i = 0; i < count; i++)
        row->item[row->count++] = (struct item){
            .kept = {.from = -1}, .drawn = new_line(row->axis, low + (i + 1) * gap, SNAP * gap)};
    rank_run(row, first, row->count, open);
}

static void keep_line(struct row *row, int from, bool exact) {
    const struct line_axis *axis = row->axis;
    struct item *item = &row->item[row->count];
    *item = (struct item){.kept = axis->old[from], .drawn = {.from = -1}};
    item->kept.from = from;
    if (exact && !item->kept.exact) {
        item->drawn = new_line(axis, item->kept.at, axis->slot / 2);
        if (item->drawn.exact)
            add_rank(row, row->count, item->kept.at, INEXACT);
    }
    row->count++;
    row->kept++;
}

/* Traverses the axis: keeps old lines unless they are too close, and adds new lines between
 * them. */
static void fill(struct row *row, bool exact) {
    const struct line_axis *axis = row->axis;
    const double before = axis->low - axis->slot / 2, after = axis->high + axis->slot / 2;
    double last = before;
    int next = 0;
    while (next < axis->old_count && axis->old[next].at < axis->low)
        next++;
    for (; next < axis->old_count && axis->old[next].at < axis->high; next++) {
        const bool more = next + 1 < axis->old_count && axis->old[next + 1].at < axis->high;
        const double beyond = more ? axis->old[next + 1].at : after;
        if (row->count >= row->size || axis->old[next].at <= last ||
            (beyond - last) / axis->slot <= GAP_LEAST)
            continue;
        fill_gap(row, last, axis->old[next].at, axis->old[next].patience, row->kept == 0);
        keep_line(row, next, exact);
        last = axis->old[next].at;
    }
    fill_gap(row, last, after, 0, true);
    row->lines = row->kept;
}

static int most_urgent_first(const void *a, const void *b) {
    const struct rank *x = a, *y = b;
    return x->urgency != y->urgency ? (x->urgency < y->urgency) - (x->urgency > y->urgency)
                                    : (x->item > y->item) - (x->item < y->item);
}

static bool row_init(struct row *row, const struct line_axis *axis, bool exact) {
    const double slots = ceil((axis->high - axis->low) / axis->slot);
    const int size = (int)fmin(axis->old_count + 2 * slots + 2, ITEMS_MAX);
    *row = (struct row){.axis = axis, .size = size};
    row->item = malloc((size_t)size * sizeof *row->item);
    row->rank = malloc((size_t)size * sizeof *row->rank);
    if (!row->item || !row->rank)
        return false;
    fill(row, exact);
    qsort(row->rank, (size_t)row->ranks, sizeof *row->rank, most_urgent_first);
    return true;
}

static void row_finish(struct row *row) {
    free(row->item);
    free(row->rank);
}

/* Returns the number of new samples so far: all except samples on two lines that are kept. */
static double new_samples(const struct row rows[LINE_AXES]) {
    return (double)rows[0].lines * rows[1].lines - (double)rows[0].kept * rows[1].kept;
}

static void draw_next(struct row *row, int *next) {
    struct item *item = &row->item[row->rank[(*next)++].item];
    item->draw = true;
    if (item->kept.from >= 0)
        row->kept--;
    else
        row->lines++;
}

/* Draws the most urgent lines of both axes within the budget. */
static void choose(struct row rows[LINE_AXES], double samples) {
    int next[LINE_AXES] = {0, 0};
    while (new_samples(rows) < samples) {
        const bool columns = next[0] < rows[0].ranks, more = next[1] < rows[1].ranks;
        if (!columns && !more)
            return;
        const int axis =
            columns && (!more || rows[0].rank[next[0]].urgency >= rows[1].rank[next[1]].urgency)
                ? 0
                : 1;
        draw_next(&rows[axis], &next[axis]);
    }
}

/* Stores the lines of the plan, but only the first of two at the same position. Returns their
 * number. */
static int write_lines(const struct row *row, struct grid_line *line) {
    int count = 0;
    for (int i = 0; i < row->count; i++) {
        const struct item *item = &row->item[i];
        if (!item->draw && item->kept.from < 0)
            continue;
        line[count] = item->draw ? item->drawn : item->kept;
        if (line[count].from < 0)
            line[count].patience = line_plan_patience(i);
        count += count == 0 || line[count].at > line[count - 1].at;
    }
    return count;
}

static struct lines *gather(const struct row rows[LINE_AXES]) {
    const size_t size = (size_t)rows[0].count + (size_t)rows[1].count;
    struct grid_line *line = malloc((size ? size : 1) * sizeof *line);
    if (!line)
        return NULL;
    const int columns = write_lines(&rows[0], line), rest = write_lines(&rows[1], line + columns);
    struct lines *lines = lines_create(columns, rest);
    if (lines)
        memcpy(lines->line, line, ((size_t)columns + (size_t)rest) * sizeof *line);
    free(line);
    return lines;
}

struct lines *line_plan(const struct line_axis axes[LINE_AXES], double samples, bool exact) {
    struct row rows[LINE_AXES] = {0};
    struct lines *lines = NULL;
    if (row_init(&rows[0], &axes[0], exact) && row_init(&rows[1], &axes[1], exact)) {
        choose(rows, fmax(samples, SAMPLES_MIN));
        lines = gather(rows);
    }
    if (!lines)
        log_error("not enough memory to plan a picture in motion");
    row_finish(&rows[0]);
    row_finish(&rows[1]);
    return lines;
}

static void write_even(const struct line_axis *axis, struct grid_line *line) {
    int next = 0;
    for (int i = 0; i < axis->count; i++) {
        line[i] = (struct grid_line){.at = i + 0.5 - axis->count / 2.0, .from = -1, .exact = true};
        while (next < axis->old_count &&
               (axis->old[next].at < line[i].at || !axis->old[next].exact))
            next++;
        if (next < axis->old_count && axis->old[next].at == line[i].at)
            line[i].from = next;
    }
}

float line_plan_patience(int i) {
    const double golden = i * 0.6180339887498949;
    return (float)(golden - floor(golden));
}

struct lines *line_plan_even(const struct line_axis axes[LINE_AXES]) {
    struct lines *lines = lines_create(axes[0].count, axes[1].count);
    if (!lines)
        return NULL;
    write_even(&axes[0], lines->line);
    write_even(&axes[1], lines->line + lines->columns);
    lines->even = true;
    return lines;
}

double line_plan_new(const struct lines *lines) {
    int kept[LINE_AXES] = {0, 0};
    for (int i = 0; i < lines->columns + lines->rows; i++)
        kept[i < lines->columns ? 0 : 1] += lines->line[i].from >= 0;
    return (double)lines->columns * lines->rows - (double)kept[0] * kept[1];
}
