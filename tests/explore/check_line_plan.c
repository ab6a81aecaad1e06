/* Planner of lines: tests which lines are kept, which are drawn within a budget, and where they
 * lie. */
#include "render/grid/line_plan.h"
#include "tests/shared/check.h"
#include <math.h>

#define WIDTH  320
#define HEIGHT 201

static struct line_axis axis_of(const struct grid_line *old, int old_count, int count,
                                double factor) {
    const double half = count / 2.0 / factor;
    return (struct line_axis){.old = old,
                              .old_count = old_count,
                              .low = -half,
                              .high = half,
                              .slot = 1 / factor,
                              .focus = 0,
                              .count = count};
}

/* Returns the largest distance of a screen pixel's middle from the nearest line, in screen
 * pixels. */
static double farthest(const struct grid_line *line, int count, const struct line_axis *axis) {
    double most = 0;
    int next = 0;
    for (double at = axis->low + axis->slot / 2; at < axis->high; at += axis->slot) {
        while (next + 1 < count && fabs(line[next + 1].at - at) <= fabs(line[next].at - at))
            next++;
        most = fmax(most, fabs(line[next].at - at) / axis->slot);
    }
    return most;
}

static void from(struct lines *lines, const struct line_axis axes[LINE_AXES]) {
    lines->source = 1;
    lines->source_columns = axes[0].old_count;
    lines->source_rows = axes[1].old_count;
    CHECK(!lines_problem(lines));
}

/* Checks a plan without earlier lines and with unlimited time: it is the grid itself. */
static void check_fresh(void) {
    const struct line_axis axes[] = {axis_of(NULL, 0, WIDTH, 1), axis_of(NULL, 0, HEIGHT, 1)};
    struct lines *lines = line_plan(axes, 1e9, false);
    from(lines, axes);
    CHECK(lines->columns == WIDTH && lines->rows == HEIGHT);
    CHECK(line_plan_new(lines) == WIDTH * HEIGHT);
    for (int i = 0; i < WIDTH + HEIGHT; i++) {
        const int k = i < WIDTH ? i : i - WIDTH, count = i < WIDTH ? WIDTH : HEIGHT;
        CHECK(lines->line[i].exact && lines->line[i].at == k + 0.5 - count / 2.0);
    }
    lines_unref(lines);
}

/* Checks a plan with little time: it is a coarser grid of about that many samples, over the whole
 * screen. */
static void check_coarse(void) {
    const struct line_axis axes[] = {axis_of(NULL, 0, WIDTH, 1), axis_of(NULL, 0, HEIGHT, 1)};
    struct lines *lines = line_plan(axes, WIDTH * HEIGHT / 16.0, false);
    from(lines, axes);
    const double new = line_plan_new(lines);
    CHECK(new >= WIDTH *HEIGHT / 16.0 && new < WIDTH *HEIGHT / 15.0);
    CHECK(farthest(lines->line, lines->columns, &axes[0]) < 6);
    CHECK(farthest(lines->line + lines->columns, lines->rows, &axes[1]) < 6);
    lines_unref(lines);
}

/* Zooms through many pictures, each planned from the one before, by 1.02 a picture. */
static void check_chain(bool in) {
    const double factor = in ? 1.02 : 1 / 1.02;
    struct grid_line old[2][4 * WIDTH];
    int count[] = {WIDTH, HEIGHT};
    for (int axis = 0; axis < LINE_AXES; axis++)
        for (int i = 0; i < count[axis]; i++)
            old[axis][i] = (struct grid_line){.at = i + 0.5 - count[axis] / 2.0,
                                              .patience = line_plan_patience(i)};
    for (int picture = 0; picture < 200; picture++) {
        for (int axis = 0; axis < LINE_AXES; axis++)
            for (int i = 0; i < count[axis]; i++) {
                old[axis][i].at *= factor;
                old[axis][i].exact = false;
            }
        const struct line_axis axes[] = {axis_of(old[0], count[0], WIDTH, 1),
                                         axis_of(old[1], count[1], HEIGHT, 1)};
        struct lines *lines = line_plan(axes, 1e9, false);
        from(lines, axes);
        CHECK(farthest(lines->line, lines->columns, &axes[0]) <= 0.75);
        CHECK(farthest(lines->line + lines->columns, lines->rows, &axes[1]) <= 0.75);
        const double share = line_plan_new(lines) / ((double)lines->columns * lines->rows);
        printf("%d %.3f\n", picture, share);
        CHECK(picture < 20 || share < 0.15);
        count[0] = lines->columns;
        count[1] = lines->rows;
        for (int i = 0; i < count[0] + count[1]; i++)
            old[i < count[0] ? 0 : 1][i < count[0] ? i : i - count[0]] = lines->line[i];
        lines_unref(lines);
    }
}

/* Checks that lines near the focus are drawn first. */
static void check_focus(void) {
    struct line_axis axes[] = {axis_of(NULL, 0, WIDTH, 1), axis_of(NULL, 0, HEIGHT, 1)};
    axes[0].focus = -WIDTH / 2.0;
    struct lines *lines = line_plan(axes, WIDTH * HEIGHT / 9.0, false);
    from(lines, axes);
    int left = 0;
    for (int i = 0; i < lines->columns; i++)
        left += lines->line[i].at < 0;
    CHECK(left > lines->columns / 2);
    lines_unref(lines);
}

/* Checks that remaining time replaces lines that are not at pixel centres, and that at rest only
 * exact lines are used. */
static void check_exact(void) {
    struct grid_line columns[WIDTH], rows[HEIGHT];
    for (int i = 0; i < WIDTH; i++)
        columns[i] = (struct grid_line){
            .at = i + (i % 4 == 0 ? 0.5 : 0.7) - WIDTH / 2.0, .patience = 1, .exact = i % 4 == 0};
    for (int i = 0; i < HEIGHT; i++)
        rows[i] = (struct grid_line){.at = i + 0.5 - HEIGHT / 2.0, .patience = 1, .exact = true};
    const struct line_axis axes[] = {axis_of(columns, WIDTH, WIDTH, 1),
                                     axis_of(rows, HEIGHT, HEIGHT, 1)};
    struct lines *lines = line_plan(axes, 40 * HEIGHT, true);
    from(lines, axes);
    CHECK(lines->columns == WIDTH && fabs(line_plan_new(lines) - 40 * HEIGHT) < HEIGHT);
    lines_unref(lines);
    lines = line_plan(axes, 40 * HEIGHT, false);
    CHECK(line_plan_new(lines) == 0);
    lines_unref(lines);
    lines = line_plan_even(axes);
    from(lines, axes);
    CHECK(lines->even && lines->columns == WIDTH && lines->rows == HEIGHT);
    for (int i = 0; i < WIDTH; i++)
        CHECK(lines->line[i].from == (i % 4 == 0 ? i : -1));
    for (int i = 0; i < HEIGHT; i++)
        CHECK(lines->line[WIDTH + i].from == i);
    lines_unref(lines);
}

/* Checks that two old lines near the same pixel's centre are replaced by one. */
static void check_doubles(void) {
    struct grid_line columns[WIDTH];
    int count = 0;
    for (double at = -WIDTH / 2.0; at < WIDTH / 2.0 - 4; at += 4) {
        columns[count++] = (struct grid_line){.at = at + 0.3};
        columns[count++] = (struct grid_line){.at = at + 0.9};
    }
    const struct line_axis axes[] = {axis_of(columns, count, WIDTH, 1),
                                     axis_of(NULL, 0, HEIGHT, 1)};
    struct lines *lines = line_plan(axes, 1e9, true);
    from(lines, axes);
    CHECK(lines->columns > WIDTH / 2);
    for (int i = 1; i < lines->columns; i++)
        CHECK(lines->line[i].at > lines->line[i - 1].at);
    lines_unref(lines);
}

int main(void) {
    check_fresh();
    check_coarse();
    check_chain(true);
    check_chain(false);
    check_focus();
    check_exact();
    check_doubles();
    return failures > 0;
}
