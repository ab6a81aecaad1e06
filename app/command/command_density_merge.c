/* fathom density --merge: adds the saved runs of parts to the run of all their orbits. */
#include "app/command/commands.h"
#include "app/still/outputs.h"
#include "render/base/atomic_file.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/files/density_file.h"
#include <inttypes.h>
#include <stdlib.h>

/* Samples first .. end - 1 of a file. */
struct range {
    uint64_t first, end;
    const char *path;
};

struct sum {
    struct scene scene; /* of the first file */
    struct density_counts counts;
    struct range *ranges;
    size_t count;
};

/* Returns the name of a property in which the counts of two scenes differ, or NULL. */
static const char *difference(const struct scene *a, const struct scene *b) {
    struct density_req first, second;
    density_req_init(&first, 1, 1);
    density_req_init(&second, 1, 1);
    scene_density_request(a, a->width_px, a->height_px, &first);
    scene_density_request(b, b->width_px, b->height_px, &second);
    const char *what = command_density_difference(&first, &second);
    density_req_finish(&first);
    density_req_finish(&second);
    return what;
}

/* Adds counts of the same shape. A run has at most 2^62 points, so single sums do not overflow. */
static bool add_counts(struct sum *sum, const struct density_counts *more) {
    struct density_counts *counts = &sum->counts;
    const size_t size = (size_t)counts->planes * (size_t)counts->height * (size_t)counts->width;
    for (size_t i = 0; i < size; i++)
        counts->count[i] += more->count[i];
    counts->points += more->points;
    return counts->points <= DENSITY_POINTS_MOST;
}

/* Adds a file. Returns false on failure, which is logged. */
static bool add_file(struct sum *sum, const char *path) {
    struct density_counts counts;
    struct scene scene;
    scene_init(&scene);
    bool ok = density_file_read(path, &scene, &counts);
    const char *what = ok && sum->count > 0 ? difference(&sum->scene, &scene) : NULL;
    if (ok)
        sum->ranges[sum->count] = (struct range){counts.first, counts.samples, path};
    if (what) {
        log_error("'%s' and '%s' are runs with another %s", sum->ranges[0].path, path, what);
    } else if (ok && sum->count == 0) {
        scene_assign(&sum->scene, &scene);
        sum->counts = counts;
        counts = (struct density_counts){0};
    } else if (ok && !add_counts(sum, &counts)) {
        log_error("the runs have more than 2^62 points in all");
        ok = false;
    }
    sum->count += ok && !what;
    density_counts_finish(&counts);
    scene_finish(&scene);
    return ok && !what;
}

static int compare(const void *one, const void *other) {
    const struct range *a = one, *b = other;
    return a->first != b->first ? (a->first > b->first) - (a->first < b->first)
                                : (a->end > b->end) - (a->end < b->end);
}

/* Returns true if the ranges cover everything between their ends once. Sorts them. */
static bool is_whole(struct sum *sum) {
    struct range *ranges = sum->ranges;
    qsort(ranges, sum->count, sizeof *ranges, compare);
    for (size_t i = 1; i < sum->count; i++) {
        const uint64_t end = ranges[i - 1].end, first = ranges[i].first;
        if (first < end)
            log_error("'%s' and '%s' count the same orbits", ranges[i - 1].path, ranges[i].path);
        else if (first > end)
            log_error("%" PRIu64 " orbits are missing between '%s' and '%s': finish all parts, and "
                      "name them",
                      first - end, ranges[i - 1].path, ranges[i].path);
        if (first != end)
            return false;
    }
    sum->counts.first = ranges[0].first;
    sum->counts.samples = ranges[sum->count - 1].end;
    return true;
}

static bool merge(struct sum *sum, const struct options *options) {
    const struct density_saving how = {0};
    sum->ranges = calloc((size_t)options->argument_count, sizeof *sum->ranges);
    if (!sum->ranges)
        log_error("not enough memory for so many runs");
    bool ok = sum->ranges && atomic_file_possible(options->output);
    for (int i = 0; ok && i < options->argument_count; i++)
        ok = !interrupt_requested() && add_file(sum, options->arguments[i]);
    if (interrupt_requested())
        log_error("interrupted; nothing was written");
    return ok && is_whole(sum) &&
           density_file_write(options->output, &sum->scene, &sum->counts, &how);
}

int command_density_merge(const struct options *options) {
    struct sum sum = {0};
    if (!options->output || outputs_is_stdout(options->output) || options->argument_count < 1) {
        log_error("--merge takes saved runs, and a file for their sum: "
                  "fathom density --merge A B -o SUM.npy");
        return 2;
    }
    interrupt_catch();
    scene_init(&sum.scene);
    const bool ok = merge(&sum, options);
    if (ok && sum.count > 0)
        printf("%" PRIu64 " orbits and %" PRIu64 " points are in '%s'\n",
               sum.counts.samples - sum.counts.first, sum.counts.points, options->output);
    free(sum.ranges);
    density_counts_finish(&sum.counts);
    scene_finish(&sum.scene);
    return ok ? 0 : 1;
}
