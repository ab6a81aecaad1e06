/* The gnuplot script of a plot. All texts are single-quoted, in which gnuplot expands nothing; all
 * data are numbers. */
#include "lab/report/plot_data.h"
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH_PX      760
#define HEIGHT_PX     460
#define HEIGHT_MOST   2400
#define KEY_ROW_PX    19
#define CHAR_PX       7.5 /* about, of the font */
#define BAR_PX        19
#define TICKS_AT_DATA 10 /* so few different x get a tick each */

/* Okabe and Ito's colours, told apart by everybody, without the yellow, which is too light. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#555555"};
#define COLOURS (sizeof colours / sizeof *colours)

struct extent {
    double low, high; /* low > high: empty */
};

static const struct extent nothing = {INFINITY, -INFINITY};

static void extend(struct extent *extent, double value) {
    extent->low = fmin(extent->low, value);
    extent->high = fmax(extent->high, value);
}

/* Bytes of the UTF-8 character that XML allows at the start of `text`; 0: there is none. */
static int character(const unsigned char *text) {
    static const uint32_t least[] = {0, 0x20, 0x80, 0x800, 0x10000};
    const int length = *text < 0x80   ? 1
                       : *text < 0xc0 ? 0
                       : *text < 0xe0 ? 2
                       : *text < 0xf0 ? 3
                       : *text < 0xf8 ? 4
                                      : 0;
    if (length == 0)
        return 0;
    uint32_t code = length == 1 ? *text : *text & (0xffu >> (length + 1));
    for (int i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3fu);
    }
    const bool allowed = code >= least[length] && (code < 0x7f || code > 0x9f) &&
                         (code < 0xd800 || code > 0xdfff) && (code & 0xfffe) != 0xfffe &&
                         code <= 0x10ffff;
    return allowed ? length : 0;
}

/* `percent`: where gnuplot takes '%' for a format. */
static void quote(const char *text, bool percent, FILE *file) {
    fputc('\'', file);
    while (*text) {
        const int length = character((const unsigned char *)text);
        if (length == 0)
            fputc(' ', file);
        else if (*text == '\'')
            fputs("\u2019", file); /* gnuplot 5.4 misreads several doubled ones in a row */
        else if (*text == '%' && percent)
            fputs("%%", file);
        else
            fwrite(text, 1, (size_t)length, file);
        text += length ? length : 1;
    }
    fputc('\'', file);
}

/* A number as people write it, three digits. */
static const char *short_number(char text[32], double value) {
    static const char units[] = "MGTP";
    const double size = fabs(value);
    int unit = -1;
    double scaled = value;
    for (double s = size; s >= 999.5e3 && unit < 3; s /= 1e3, unit++)
        scaled = value / pow(1e3, unit + 3);
    if (unit >= 0)
        snprintf(text, 32, fabs(scaled) < 999.5 ? "%.3g %c" : "%.0f %c", scaled, units[unit]);
    else
        snprintf(text, 32, size >= 999.5 ? "%.0f" : "%.3g", value);
    return text;
}

static bool drawable(double value, bool logarithmic) {
    return isfinite(value) && (!logarithmic || value > 0);
}

static bool point_drawable(const struct plot *plot, double x, double y) {
    return drawable(x, plot->log_x) && drawable(y, plot->log_y);
}

static size_t longest(const struct plot_names *names) {
    size_t most = 0;
    for (size_t i = 0; i < names->count; i++)
        most = strlen(names->names[i]) > most ? strlen(names->names[i]) : most;
    return most;
}

static bool has_key(const struct plot *plot) {
    return plot->kind != PLOT_HEAT && plot->series.count > 0 &&
           (plot->series.count > 1 || plot->series.names[0][0]);
}

static int key_px(const struct plot *plot) {
    if (!has_key(plot))
        return 0;
    const int entry = (int)((double)longest(&plot->series) * CHAR_PX) + 60;
    const int across = entry < WIDTH_PX - 40 ? (WIDTH_PX - 40) / entry : 1;
    return ((int)plot->series.count + across - 1) / across * KEY_ROW_PX;
}

/* Of the names below a map of heat, when they must be turned; 0: they need not be. */
static int turned_px(const struct plot *plot) {
    const double name_px = (double)longest(&plot->columns) * CHAR_PX;
    const bool fit = name_px * (double)plot->columns.count < WIDTH_PX - 120;
    return plot->kind != PLOT_HEAT || fit ? 0 : (int)(name_px * 0.6) + 10;
}

static int height_px(const struct plot *plot) {
    const int columns = (int)plot->columns.count, series = (int)plot->series.count;
    int height = HEIGHT_PX;
    if (plot->kind == PLOT_BARS)
        height = 115 + columns * ((series > 0 ? series : 1) * BAR_PX + 8) + key_px(plot);
    else if (plot->kind == PLOT_HEAT)
        height = 130 + series * 30 + turned_px(plot) * 5 / 4;
    else if (key_px(plot) > 2 * KEY_ROW_PX)
        height += key_px(plot) - 2 * KEY_ROW_PX;
    return height < HEIGHT_MOST ? height : HEIGHT_MOST;
}

static void print_head(const struct plot *plot, FILE *file) {
    fprintf(file,
            "# Draws a plot of the laboratory: gnuplot %s.gp >%s.svg\n"
            "set encoding utf8\n"
            "set terminal svg noenhanced size %d,%d font 'sans-serif,13' background rgb 'white'\n"
            "set title ",
            plot->id, plot->id, WIDTH_PX, height_px(plot));
    quote(plot->title, false, file);
    fputs(" font ',15'\n"
          "set border lc rgb '#888888'\n"
          "set tics nomirror textcolor rgb '#222222'\n"
          "set style fill solid 1 noborder\n",
          file);
    if (has_key(plot))
        fputs("set key outside bottom center horizontal Left reverse samplen 2.5 width 1\n", file);
    else
        fputs("unset key\n", file);
}

static void print_label(const char *axis, const char *text, FILE *file) {
    fprintf(file, "set %slabel ", axis);
    quote(text, false, file);
    fputs(*axis == 'x' ? " offset 0,0.8\n" : "\n", file);
}

static void print_tick(double value, bool first, FILE *file) {
    char text[32];
    fprintf(file, "%s'%s' %.17g", first ? "" : ", ", short_number(text, value), value);
}

/* Ticks at 1, 2, 5, ... or, over many decades, at some powers of ten. */
static void print_log_ticks(const char *axis, struct extent extent, FILE *file) {
    static const double within[] = {1, 2, 5};
    const int from = (int)floor(log10(extent.low)), to = (int)ceil(log10(extent.high));
    const bool dense = log10(extent.high / extent.low) <= 2.5;
    const int stride = to - from > 9 ? 3 : 1;
    bool first = true;
    fprintf(file, "set %stics (", axis);
    for (int decade = from; decade <= to; decade += stride)
        for (int i = 0; i < (dense ? 3 : 1); i++) {
            const double value = within[i] * pow(10, decade);
            if (value < extent.low * 0.999 || value > extent.high * 1.001)
                continue;
            print_tick(value, first, file);
            first = false;
        }
    fputs(")\n", file);
}

/* The next of 1, 2, 5, 10, ... on the way to `direction`, at least `value` away from nothing. */
static double round_outwards(double value, bool up) {
    static const double within[] = {1, 2, 5, 10};
    const double decade = pow(10, floor(log10(value)));
    for (int i = 0; i < 4 && up; i++)
        if (value <= within[i] * decade * 1.0001)
            return within[i] * decade;
    for (int i = 3; i >= 0; i--)
        if (value >= within[i] * decade * 0.9999)
            return within[i] * decade;
    return value;
}

static void print_log_axis(const char *axis, struct extent extent, FILE *file) {
    fprintf(file, "set logscale %s\nset %srange [%.17g:%.17g]\n", axis, axis, extent.low,
            extent.high);
    print_log_ticks(axis, extent, file);
}

/* The axis of values of lines. */
static void print_y(const struct plot *plot, struct extent y, FILE *file) {
    if (plot->log_y) {
        y.low = round_outwards(y.low, false);
        y.high = round_outwards(y.high, true);
        if (y.low == y.high)
            y.high *= 10;
        print_log_axis("y", y, file);
        return;
    }
    if (y.high >= 1e6)
        fputs("set format y '%.1s %c'\n", file);
    if (y.low >= 0)
        fputs("set yrange [0:*]\n", file);
    else if (y.low == y.high)
        fprintf(file, "set yrange [%.17g:%.17g]\n", y.low - 1, y.high + 1);
}

static int compare_numbers(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The different x of all points, ascending, when they are few; 0: too many. */
static int different_x(const struct plot *plot, double x[TICKS_AT_DATA]) {
    int count = 0;
    for (size_t i = 0; i < plot->count; i++) {
        int at = 0;
        if (!point_drawable(plot, plot->data[i].x, plot->data[i].y))
            continue;
        while (at < count && x[at] != plot->data[i].x)
            at++;
        if (at == TICKS_AT_DATA)
            return 0;
        if (at == count)
            x[count++] = plot->data[i].x;
    }
    qsort(x, (size_t)count, sizeof *x, compare_numbers);
    return count;
}

/* Whether ticks at these places keep clear of each other. */
static bool far_apart(const struct plot *plot, const double *x, int count) {
    for (int i = 1; i < count; i++) {
        const double share = plot->log_x ? log(x[i] / x[i - 1]) / log(x[count - 1] / x[0])
                                         : (x[i] - x[i - 1]) / (x[count - 1] - x[0]);
        if (share < 0.06)
            return false;
    }
    return count > 0;
}

static void print_x(const struct plot *plot, struct extent extent, FILE *file) {
    double x[TICKS_AT_DATA];
    const int count = plot->label_count ? 0 : different_x(plot, x);
    if (plot->log_x && extent.low == extent.high)
        extent = (struct extent){extent.low / 2, extent.high * 2};
    if (plot->log_x)
        print_log_axis("x", extent, file);
    else if (extent.low == extent.high)
        fprintf(file, "set xrange [%.17g:%.17g]\n", extent.low - 1, extent.high + 1);
    else
        fprintf(file, "set xrange [%.17g:%.17g]\n", extent.low - 0.02 * (extent.high - extent.low),
                extent.high + 0.02 * (extent.high - extent.low));
    if (!far_apart(plot, x, count))
        return;
    fputs("set xtics (", file);
    for (int i = 0; i < count; i++)
        print_tick(x[i], i == 0, file);
    fputs(")\n", file);
}

/* Where a label's text is, in pixels, about. */
struct box {
    double left, right, middle;
};

static bool boxes_touch(const struct box *a, const struct box *b) {
    return a->left < b->right && b->left < a->right && fabs(a->middle - b->middle) < 15;
}

static double share_of(double value, struct extent extent, bool logarithmic) {
    return logarithmic ? log(value / extent.low) / log(extent.high / extent.low)
                       : (value - extent.low) / (extent.high - extent.low);
}

/* Puts the name beside, above or below its point: where no other text or point is. Boxes of the
 * points come first in `boxes`, then those of the texts so far. */
static void print_place(const struct plot *plot, size_t index, struct box *boxes, FILE *file) {
    static const struct {
        int side, lines;
    } tries[] = {{1, 0},  {-1, 0}, {1, -1}, {-1, -1}, {1, 1},  {-1, 1},
                 {1, -2}, {-1, 2}, {1, 2},  {-1, -2}, {-1, 3}, {-1, -3}};
    const struct plot_label *label = &plot->labels[index];
    const double width = (double)strlen(label->name) * CHAR_PX;
    const double x = (boxes[index].left + boxes[index].right) / 2;
    const int count = (int)(sizeof tries / sizeof *tries);
    struct box box = {0};
    int at = 0;
    for (; at < count; at++) {
        bool free_place = true;
        box.left = tries[at].side > 0 ? x + 8 : x - 8 - width;
        box.right = box.left + width;
        box.middle = boxes[index].middle - 16 * tries[at].lines;
        for (size_t i = 0; i < plot->label_count + index && free_place; i++)
            free_place = i == index || !boxes_touch(&box, &boxes[i]);
        if (free_place && box.left > 0 && box.right < WIDTH_PX - 90)
            break;
    }
    at = at < count ? at : x > WIDTH_PX / 2 ? 1 : 0;
    boxes[plot->label_count + index] = box;
    fputs("set label ", file);
    quote(label->name, false, file);
    fprintf(file, " at %.17g,%.17g %s offset %g,%g front boxed tc rgb '#222222'\n", label->x,
            label->y, tries[at].side > 0 ? "left" : "right", tries[at].side * 0.9,
            (double)tries[at].lines);
}

static void print_labels(const struct plot *plot, struct extent x, struct extent y, FILE *file) {
    struct box *boxes = calloc(2 * plot->label_count + 1, sizeof *boxes);
    for (size_t i = 0; i < plot->label_count && boxes; i++) {
        const double across = share_of(plot->labels[i].x, x, plot->log_x) * (WIDTH_PX - 90);
        const double down = (1 - share_of(plot->labels[i].y, y, plot->log_y)) * (HEIGHT_PX - 130);
        boxes[i] = (struct box){across - 6, across + 6, down};
    }
    for (size_t i = 0; i < plot->label_count && boxes; i++)
        if (point_drawable(plot, plot->labels[i].x, plot->labels[i].y))
            print_place(plot, i, boxes, file);
    free(boxes);
    fputs("set style textbox opaque margins 0.3,0.3 fillcolor rgb 'white' noborder\n"
          "$labels << EOD\n",
          file);
    for (size_t i = 0; i < plot->label_count; i++)
        if (point_drawable(plot, plot->labels[i].x, plot->labels[i].y))
            fprintf(file, "%.17g %.17g\n", plot->labels[i].x, plot->labels[i].y);
    fputs("EOD\n", file);
}

/* Data of one series; returns how many can be drawn. */
static size_t print_points(const struct plot *plot, size_t series, FILE *file) {
    size_t count = 0;
    fprintf(file, "$s%zu << EOD\n", series);
    for (size_t i = 0; i < plot->count; i++) {
        const struct plot_datum *datum = &plot->data[i];
        if (datum->series != series || !point_drawable(plot, datum->x, datum->y))
            continue;
        fprintf(file, "%.17g %.17g\n", datum->x, datum->y);
        count++;
    }
    fputs("EOD\n", file);
    return count;
}

static void print_title(const struct plot *plot, size_t series, FILE *file) {
    fputs(" title ", file);
    quote(plot->series.names[series], false, file);
}

static void print_lines(const struct plot *plot, struct extent x, struct extent y, FILE *file) {
    static const int shapes[] = {7, 5, 9, 11, 13, 6, 4, 8};
    const char *separator = "plot";
    fputs("set grid lc rgb '#cccccc' lt 1 dt 1 lw 0.6\n", file);
    print_label("x", plot->x_label, file);
    print_label("y", plot->y_label, file);
    print_x(plot, x, file);
    print_y(plot, y, file);
    print_labels(plot, x, y, file);
    bool *drawn = calloc(plot->series.count + 1, sizeof *drawn);
    for (size_t i = 0; i < plot->series.count && drawn; i++)
        drawn[i] = print_points(plot, i, file) > 0;
    for (size_t i = 0; i < plot->series.count && drawn; i++) {
        if (!drawn[i])
            continue;
        fprintf(file, "%s $s%zu using 1:2 with linespoints lc rgb '%s' dt %zu lw 2 pt %d ps 0.8",
                separator, i, colours[i % COLOURS], i / COLOURS + 1,
                shapes[i % (sizeof shapes / sizeof *shapes)]);
        print_title(plot, i, file);
        separator = ", \\\n    ";
    }
    free(drawn);
    if (plot->label_count)
        fprintf(file, "%s $labels using 1:2 with points lc rgb 'black' pt 7 ps 0.9 notitle",
                separator);
    fputc('\n', file);
}

static void print_names(const char *axis, const struct plot_names *names, FILE *file) {
    fprintf(file, "set %stics (", axis);
    for (size_t i = 0; i < names->count; i++) {
        fputs(i ? ", " : "", file);
        quote(names->names[i], true, file);
        fprintf(file, " %zu", i);
    }
    fputs(") scale 0\n", file);
}

/* Columns: value, place, its lower and upper edge, where its number stands, the number. */
static void print_bars_data(const struct plot *plot, size_t series, double base, FILE *file) {
    const double thick = 0.84 / (double)plot->series.count;
    char text[32];
    fprintf(file, "$s%zu << EOD\n", series);
    for (size_t i = 0; i < plot->count; i++) {
        const struct plot_datum *datum = &plot->data[i];
        if (datum->series != series || !drawable(datum->y, plot->log_y))
            continue;
        const double low = datum->x - 0.42 + (double)series * thick;
        fprintf(file, "%.17g %.17g %.17g %.17g %.17g \"%s\"\n", datum->y, low + thick / 2, low,
                low + 0.94 * thick, fmax(datum->y, base), short_number(text, datum->y));
    }
    fputs("EOD\n", file);
}

/* Room for bars and the numbers at their ends. */
static struct extent bars_extent(const struct plot *plot, struct extent y) {
    const double across = WIDTH_PX - 70 - (double)longest(&plot->columns) * 7;
    const double room = 60 / fmax(across - 60, 60);
    if (plot->log_y) {
        const double low = round_outwards(y.low / 1.5, false);
        return (struct extent){low, y.high * pow(y.high / low, room)};
    }
    const double span = fmax(y.high, 0) - fmin(y.low, 0);
    return (struct extent){y.low < 0 ? y.low - 0.03 * span : 0,
                           fmax(y.high, 0) + (span > 0 ? room * span : 1)};
}

static void print_bars(const struct plot *plot, struct extent values, FILE *file) {
    const struct extent x = bars_extent(plot, values);
    const double base = plot->log_y ? x.low : 0;
    fputs("set grid xtics lc rgb '#cccccc' lt 1 dt 1 lw 0.6\nset grid noytics\n", file);
    print_label("x", plot->y_label, file);
    print_label("y", plot->x_label, file);
    print_names("y", &plot->columns, file);
    fprintf(file, "set yrange [%g:-0.5]\n", (double)plot->columns.count - 0.5);
    if (plot->log_y)
        print_log_axis("x", x, file);
    else
        fprintf(file, "set xrange [%.17g:%.17g]\n%s", x.low, x.high,
                x.high >= 1e6 ? "set format x '%.1s %c'\n" : "");
    for (size_t i = 0; i < plot->series.count; i++)
        print_bars_data(plot, i, base, file);
    for (size_t i = 0; i < plot->series.count; i++) {
        fprintf(file, "%s $s%zu using 1:2:(%.17g):1:3:4 with boxxyerror lc rgb '%s' fs %s noborder",
                i ? ", \\\n    " : "plot", i, base, colours[i % COLOURS],
                i < COLOURS ? "solid 1" : "pattern 4");
        print_title(plot, i, file);
        fprintf(file,
                ", \\\n     $s%zu using 5:2:6 with labels left offset 0.4,0 font ',11' "
                "tc rgb '#222222' notitle",
                i);
    }
    fputc('\n', file);
}

/* Columns: column, row, value, the value in words, the colour that is readable on it. */
static void print_cells(const struct plot *plot, struct extent values, bool logarithmic,
                        FILE *file) {
    char text[32];
    fputs("$cells << EOD\n", file);
    for (size_t i = 0; i < plot->count; i++) {
        const struct plot_datum *datum = &plot->data[i];
        if (!isfinite(datum->y))
            continue;
        const bool dark =
            values.high > values.low && share_of(datum->y, values, logarithmic) > 0.55;
        fprintf(file, "%.17g %zu %.17g \"%s\" %d\n", datum->x, datum->series, datum->y,
                short_number(text, datum->y), dark ? 0xffffff : 0x222222);
    }
    fputs("EOD\n", file);
}

static void print_heat(const struct plot *plot, struct extent values, FILE *file) {
    const bool logarithmic = values.low > 0 && values.high / values.low > 10;
    const double column_px = (WIDTH_PX - 120) / (double)plot->columns.count;
    print_label("x", plot->x_label, file);
    print_label("y", plot->y_label, file);
    print_names("x", &plot->columns, file);
    print_names("y", &plot->series, file);
    if (turned_px(plot))
        fprintf(file, "set xtics rotate by 35 right\nset bmargin %d\nset lmargin %zu\n",
                turned_px(plot) / 15 + 3, longest(&plot->columns) * 9 / 10);
    fprintf(file, "set xrange [-0.5:%g]\nset yrange [%g:-0.5]\n", (double)plot->columns.count - 0.5,
            (double)plot->series.count - 0.5);
    fputs("unset colorbox\n"
          "set palette defined (0 '#ffffd9', 0.25 '#c7e9b4', 0.5 '#41b6c4', 0.75 '#225ea8', "
          "1 '#081d58')\n",
          file);
    if (logarithmic)
        fputs("set logscale cb\n", file);
    fprintf(file, "set cbrange [%.17g:%.17g]\n", values.low,
            values.high > values.low ? values.high : values.low + 1);
    print_cells(plot, values, logarithmic, file);
    fprintf(file,
            "plot $cells using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror "
            "fc palette notitle, \\\n"
            "     $cells using 1:2:4:5 with labels font ',%d' tc rgb variable notitle\n",
            column_px < 42 ? 10 : 12);
}

void plot_script(const struct plot *plot, FILE *file) {
    struct extent x = nothing, y = nothing;
    for (size_t i = 0; i < plot->count; i++) {
        const struct plot_datum *datum = &plot->data[i];
        if (plot->kind == PLOT_LINES ? !point_drawable(plot, datum->x, datum->y)
                                     : !drawable(datum->y, plot->log_y && plot->kind == PLOT_BARS))
            continue;
        extend(&x, datum->x);
        extend(&y, datum->y);
    }
    for (size_t i = 0; i < plot->label_count; i++)
        if (point_drawable(plot, plot->labels[i].x, plot->labels[i].y)) {
            extend(&x, plot->labels[i].x);
            extend(&y, plot->labels[i].y);
        }
    print_head(plot, file);
    if (x.low > x.high)
        fputs("set label 'there are no data' at graph 0.5,0.5 center\nunset tics\n"
              "plot [0:1] [0:1] NaN notitle\n",
              file);
    else if (plot->kind == PLOT_LINES)
        print_lines(plot, x, y, file);
    else if (plot->kind == PLOT_BARS)
        print_bars(plot, y, file);
    else
        print_heat(plot, y, file);
}
