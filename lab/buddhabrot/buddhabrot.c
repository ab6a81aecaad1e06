/* Seed 001: a Buddhabrot by a GPU, in three of its versions, beside ours. */
#include "lab/buddhabrot/buddhabrot.h"
#include "cpu/cpuid.h"
#include "lab/experiments.h"
#include "render/density/density_cells.h"
#include <math.h>

#define WIDTH_PX        1440
#define HEIGHT_PX       2560
#define WIDTH_QUICK_PX  144
#define HEIGHT_QUICK_PX 256
#define ZOOM            "0.76923076923076923076923077" /* 4 / 5.2 */
#define OURS_LIMIT      1000

static const struct {
    const char *name, *id;
    uint64_t samples, quick; /* on the CPU */
} pictures[PICTURE_COUNT] = {
    [PICTURE_SEED] = {"the seed's rules, 20 iterations", "seed", 1ull << 24, 1ull << 17},
    [PICTURE_OURS] = {"ours, limit 1000", "ours", 1ull << 22, 1ull << 15},
    [PICTURE_NEBULA] = {"ours, Nebulabrot 5000/500/50", "nebula", 1ull << 21, 1ull << 13},
};

static struct density density_of(enum picture which) {
    struct density density;
    density_init(&density);
    density.limit[0] = which == PICTURE_SEED ? SEED_ITERATIONS : OURS_LIMIT;
    if (which == PICTURE_SEED)
        density.rules = DENSITY_SEED;
    if (which == PICTURE_NEBULA) {
        density.channels = 3;
        density.limit[0] = 5000;
        density.limit[1] = 500;
        density.limit[2] = 50;
    }
    return density;
}

static bool picture_init(struct buddhabrot *b, enum picture which) {
    struct buddhabrot_picture *picture = &b->picture[which];
    struct density_req *req = &picture->req;
    const char *why;
    picture->name = pictures[which].name;
    picture->id = pictures[which].id;
    density_req_init(req, b->width_px, b->height_px);
    req->type = TYPE_FLOAT;
    req->density = density_of(which);
    req->samples = b->lab->quick ? pictures[which].quick : pictures[which].samples;
    req->cells = density_cells_create(&req->density);
    return req->cells && view_set_centre(&req->view, "-0.6", "0", 0, &why) &&
           view_set_zoom(&req->view, ZOOM, &why) && view_set_angle_degrees(&req->view, 90, &why);
}

/* --- what the seed prints --- */

static struct table *statistics_create(void) {
    return table_create("buddhabrot-statistics", "As the seed prints it",
                        (struct table_column[]){
                            {"program", TABLE_TEXT},
                            {"total iterations, millions", 1},
                            {"iterations per pixel", 2},
                            {"maximum frequency", 0},
                            {"minimum frequency", 0},
                            {"total time, s", 4},
                            {"million iterations per second", 0},
                            {"million increments made per second", 0},
                            {0},
                        });
}

void statistics_row(struct buddhabrot *b, const char *program, double points, double most,
                    double least, double ms, double made) {
    const double pixels = (double)b->width_px * b->height_px;
    table_text(b->statistics, "%s", program);
    table_number(b->statistics, points / 1e6);
    table_number(b->statistics, points / pixels);
    table_number(b->statistics, most);
    table_number(b->statistics, least);
    table_number(b->statistics, ms / 1e3);
    table_number(b->statistics, points / ms / 1e3);
    table_number(b->statistics, made / ms / 1e3);
    table_end_row(b->statistics);
}

void statistics_counts(struct buddhabrot *b, const char *program, const struct density_req *req,
                       const struct density_counts *counts, double ms) {
    const struct density_place place = density_place(req);
    uint64_t sum = 0, most = 0, least = UINT64_MAX;
    for (int y = 0; y < req->height_px; y++)
        for (int x = 0; x < req->width_px; x++) {
            const uint64_t count = density_shown(req, &place, counts, 0, x, y);
            sum += count;
            most = count > most ? count : most;
            least = count < least ? count : least;
        }
    statistics_row(b, program, (double)sum, (double)most, (double)least, ms,
                   (double)counts->points);
}

/* What its author printed, and the rate told of a later version. */
static void statistics_published(struct buddhabrot *b) {
    static const struct {
        const char *name;
        double points, per_pixel, most, s, rate;
    } rows[] = {
        {"the seed: selective sampling, GTX 1050", 5.83970e8, 158.41, 886, 2.20, 2.66e8},
        {"the seed: grid sampling, GTX 1050", 2.59801e9, 704.76, 7873, 2.33, 1.12e9},
        {"the seed: finer grid, more threads, GTX 1050", 2.54575e11, 69057.85, 792006, 157.91,
         1.61e9},
        {"the seed: upper half, plotted twice, GTX 1050", 1.69717e12, 460385.79, 5277235, 639.79,
         2.65e9},
        {"the seed: a later version, GTX 1080 Ti", NAN, NAN, NAN, NAN, 1.06e10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !b->lab->quick; i++) {
        table_text(b->statistics, "%s", rows[i].name);
        table_number(b->statistics, rows[i].points / 1e6);
        table_number(b->statistics, rows[i].per_pixel);
        table_number(b->statistics, rows[i].most);
        table_number(b->statistics, isnan(rows[i].points) ? NAN : 0);
        table_number(b->statistics, rows[i].s);
        table_number(b->statistics, rows[i].rate / 1e6);
        table_number(b->statistics, rows[i].rate / 1e6);
        table_end_row(b->statistics);
    }
}

/* --- the experiment --- */

static bool init(struct buddhabrot *b, struct lab *lab) {
    *b = (struct buddhabrot){.lab = lab,
                             .width_px = lab->quick ? WIDTH_QUICK_PX : WIDTH_PX,
                             .height_px = lab->quick ? HEIGHT_QUICK_PX : HEIGHT_PX,
                             .cpu_flags = cpu_flags(lab->options.cpumask),
                             .threads = lab_threads(lab)};
    bool ok = true;
    for (enum picture i = 0; i < PICTURE_COUNT; i++)
        ok = picture_init(b, i) && ok;
    b->statistics = statistics_create();
    b->octaves =
        table_create("buddhabrot-octaves", "The seed's picture, octave by octave",
                     (struct table_column[]){
                         {"octave", 0}, {"program", TABLE_TEXT}, {"million points/s", 1}, {0}});
    return ok;
}

void buddhabrot_add_octave(struct buddhabrot *b, uint32_t octave, const char *program,
                           double million_points_per_s) {
    table_number(b->octaves, octave);
    table_text(b->octaves, "%s", program);
    table_number(b->octaves, million_points_per_s);
}

static void finish(struct buddhabrot *b) {
    for (enum picture i = 0; i < PICTURE_COUNT; i++)
        density_req_finish(&b->picture[i].req);
    for (int i = 0; i < 2; i++) {
        for (enum seed_rule rule = 0; rule < SEED_RULES; rule++)
            blocks_finish(&b->rule[rule][i]);
        blocks_finish(&b->same[i]);
        blocks_finish(&b->ours[i]);
    }
}

static void describe(const struct buddhabrot *b) {
    report_text(
        b->lab->report,
        "The picture: %dx%d pixels, real parts from -3.2 to 2.0 downwards, imaginary parts "
        "from -1.5 to 1.5 across, in float. A point is an increment of a pixel; points "
        "of an orbit that are outside of the picture are none. Ours folds this picture about "
        "the real axis: it counts orbits of the upper half, in half of the pixels, and a "
        "pixel and its mirror image show the same count. Points that are mirror "
        "images only are not counted as made.",
        b->width_px, b->height_px);
}

bool buddhabrot_experiment(struct lab *lab) {
    struct buddhabrot b;
    bool ok = init(&b, lab);
    if (ok) {
        describe(&b);
        statistics_published(&b);
        ok = buddhabrot_rules(&b);
        ok = !lab_stopped(lab) && buddhabrot_on_cpu(&b) && ok;
        ok = !lab_stopped(lab) && buddhabrot_on_gpu(&b) && ok;
    }
    report_table(lab->report, b.octaves);
    report_table(lab->report, b.statistics);
    finish(&b);
    return ok;
}
