/* Verdict: runs the comparison of a picture with exact counts, and reports its result. */
#include "app/command/verdict.h"
#include "cpu/threads.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/progress.h"
#include "render/verify/exact_samples.h"
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

struct progress {
    double started_ms;
    size_t points; /* number that the verdict is expected to take */
    bool shown;
};

static void take_rows(void *user, const struct sample_planes *samples, int rows) {
    verify_take_rows(user, samples->count, rows);
}

struct verify *verdict_begin(const struct frame_req *req, bool exact, const struct options *options,
                             struct outputs *outputs) {
    struct frame_req placed;
    frame_req_init_copy(&placed, req);
    if (exact)
        exact_samples_place(&placed);
    struct verify *verify =
        verify_create(&placed, (size_t)options->points, (uint64_t)options->points_seed);
    frame_req_finish(&placed);
    outputs->take = take_rows;
    outputs->user = verify;
    return verify;
}

static bool show_progress(void *user, const struct verify_result *so_far, size_t done) {
    struct progress *progress = user;
    const size_t all = progress->points > so_far->points ? progress->points : 2 * so_far->points;
    if (progress_show("verified", (double)done / (double)all, clock_ms() - progress->started_ms))
        progress->shown = true;
    return !interrupt_requested();
}

int verdict_threads(const struct options *options) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return threads_fit(options->threads > 0 ? options->threads : (int)(cores > 0 ? cores : 1));
}

bool verdict_find(struct verify *verify, const struct options *options, double *ms) {
    const int threads = verdict_threads(options);
    struct progress progress = {.started_ms = clock_ms(),
                                .points =
                                    options->points > 0 ? (size_t)options->points : VERIFY_POINTS};
    const bool ok = verify_run(verify, threads, false, show_progress, &progress);
    *ms = clock_ms() - progress.started_ms;
    if (progress.shown)
        progress_hide();
    return ok;
}

bool verdict_is_right(const struct verify *verify) {
    return verify_result(verify)->verdict == VERIFY_RIGHT;
}

void verdict_text(const struct verify *verify, const struct frame_req *req,
                  char text[VERDICT_SIZE]) {
    const struct verify_result *result = verify_result(verify);
    const double all = (double)result->points, agree = all - (double)result->wrong;
    char interior[120] = "", fragile[160] = "", needed[60] = "", verdict[220];
    if (result->interior_drawn + result->interior_exact > 0)
        snprintf(interior, sizeof interior,
                 "interior in the picture alone: %zu, in exact arithmetic alone: %zu\n",
                 result->interior_drawn, result->interior_exact);
    if (result->fragile > 0)
        snprintf(fragile, sizeof fragile,
                 "fragile: %zu (%.1f %%), of which %zu differ; their counts change when they move "
                 "by 2^-%d of a pixel\n",
                 result->fragile, 100 * (double)result->fragile / all, result->fragile_wrong,
                 EXACT_MOVED_BITS);
    if (result->bits > 0)
        snprintf(needed, sizeof needed, ", numbers need about %d bits", result->bits);
    if (result->verdict == VERIFY_RIGHT)
        snprintf(verdict, sizeof verdict,
                 "The picture is right: at most %.1f %% of its pixels are wrong.\n",
                 100 * result->high);
    else
        snprintf(verdict, sizeof verdict,
                 "The picture is wrong in about %.1f %% of its pixels: %s precision does not do "
                 "here%s.\n",
                 100 * (double)result->wrong / all, number_type_name(req->type), needed);
    snprintf(text, VERDICT_SIZE,
             "%.0f of %zu points agree with exact arithmetic (%.1f %%); the largest difference is "
             "%" PRIu32 "\n%s%s%s",
             agree, result->points, 100 * agree / all, result->largest, interior, fragile, verdict);
}

void verdict_json(const struct verify *verify, const struct options *options, double ms) {
    const struct verify_result *result = verify_result(verify);
    printf("\"points\": %zu, \"seed\": %d, \"agree\": %zu, \"largest_difference\": %" PRIu32
           ", \"interior_drawn_only\": %zu, \"interior_exact_only\": %zu, \"fragile\": %zu, "
           "\"fragile_wrong\": %zu, \"wrong_share_low\": %.6f, \"wrong_share_high\": %.6f, "
           "\"bits\": %ld, \"needed_bits\": %d, \"right\": %s, \"exact_ms\": %.3f",
           result->points, options->points_seed, result->points - result->wrong, result->largest,
           result->interior_drawn, result->interior_exact, result->fragile, result->fragile_wrong,
           result->low, result->high, result->most_bits, result->bits,
           result->verdict == VERIFY_RIGHT ? "true" : "false", ms);
}
