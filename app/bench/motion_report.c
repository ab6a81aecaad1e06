/* Motion report: prints the figures of each scenario, from what was recorded and judged. */
#include "app/bench/motion_report.h"
#include "render/base/json.h"
#include <math.h>

/* Returns part / whole, or NaN if whole is 0. */
static double share(double part, double whole) {
    return whole > 0 ? part / whole : NAN;
}

static double rate(const struct recorder *recorder) {
    return share(1e3 * (double)recorder->frames, recorder->moved_ms);
}

/* Returns the frame rate without OpenGL, at most the display's. */
static double lean_rate(const struct recorder *recorder) {
    return fmin(share(1e3 * (double)recorder->frames, recorder->lean_ms), 1e3 / recorder->frame_ms);
}

/* Returns the mean share of pixels that were drawn for a frame. */
static double drawn_share(const struct recorder *recorder, const struct motion_setup *setup) {
    return share(recorder->fresh_px,
                 (double)recorder->frames * (double)setup->width_px * (double)setup->height_px);
}

/* --- JSON --- */

static void print_spread(const char *name, const struct stats *stats, const char *end) {
    json_string(stdout, name);
    printf(": {");
    json_member_number(stdout, "p50", stats->count > 0 ? stats_percentile(stats, 0.5) : NAN, ", ");
    json_member_number(stdout, "p99", stats->count > 0 ? stats_percentile(stats, 0.99) : NAN, ", ");
    json_member_number(stdout, "max", stats->count > 0 ? stats->largest : NAN, "}");
    printf("%s", end);
}

static void print_pace(const char *name, double fps, unsigned long long late,
                       const struct stats *stats) {
    json_string(stdout, name);
    printf(": {");
    json_member_number(stdout, "frames_per_s", fps, ", ");
    json_member_number(stdout, "late", (double)late, ", ");
    print_spread("frame_ms", stats, "}, ");
}

/* Returns the lowest values among the kept frames of a band; NaN if there are none. */
static struct verdict worst_of(const struct recorder *recorder, const struct judgement *judgement,
                               size_t band) {
    struct verdict worst = {NAN, NAN, NAN};
    for (size_t i = 0; i < judgement->frames; i++) {
        const struct verdict *verdict = &judgement->verdict[i];
        if (recorder_band_of(recorder, &recorder->kept[i].scene.view) != band)
            continue;
        worst.psnr = fmin(worst.psnr, verdict->psnr);
        worst.moved_psnr = fmin(worst.moved_psnr, verdict->moved_psnr);
        worst.sharpness = fmin(worst.sharpness, verdict->sharpness);
    }
    return worst;
}

static void print_json_bands(const struct recorder *recorder, const struct judgement *judgement) {
    printf(", \"depths\": [");
    const char *before = "";
    for (size_t i = 0; i < RECORDER_BANDS; i++) {
        const struct recorder_band *band = &recorder->band[i];
        const struct verdict worst = worst_of(recorder, judgement, i);
        if (band->frames == 0)
            continue;
        printf("%s{", before);
        before = ", ";
        json_member_number(stdout, "from_decade", (double)i * recorder->band_decades, ", ");
        json_member_number(stdout, "frames", (double)band->frames, ", ");
        json_member_number(stdout, "late", (double)band->late, ", ");
        json_member_number(stdout, "late_without_gl", (double)band->lean_late, ", ");
        json_member_number(stdout, "frame_ms_max", band->worst_ms, ", ");
        json_member_number(stdout, "final_pixels", band->exact / (double)band->frames, ", ");
        json_member_number(stdout, "near_pixels", band->near / (double)band->frames, ", ");
        json_member_number(stdout, "psnr_worst_db", worst.psnr, ", ");
        json_member_number(stdout, "psnr_quarter_pixel_db", worst.moved_psnr, ", ");
        json_member_number(stdout, "sharpness_worst", worst.sharpness, "}");
    }
    printf("]");
}

static void print_json(const struct motion_setup *setup, const struct scenario *scenario,
                       const struct recorder *recorder, const struct judgement *judgement) {
    const bool judged = judgement->frames > 0;
    printf("{");
    json_member_text(stdout, "scenario", scenario->name, ", ");
    json_member_number(stdout, "frames", (double)recorder->frames, ", ");
    json_member_number(stdout, "seconds", recorder->moved_ms / 1e3, ", ");
    print_pace("all", rate(recorder), recorder->late, &recorder->interval);
    print_pace("without_gl", lean_rate(recorder), recorder->lean_late, &recorder->lean);
    printf("\"parts_ms\": {");
    for (int part = 0; part < FRAME_PARTS; part++)
        print_spread(frame_part_names[part], &recorder->part[part],
                     part + 1 < FRAME_PARTS ? ", " : "}, ");
    print_spread("latency_ms", &recorder->latency, ", ");
    json_member_number(stdout, "final_pixels", stats_mean(&recorder->exact), ", ");
    json_member_number(stdout, "near_pixels", stats_mean(&recorder->near), ", ");
    json_member_number(stdout, "near_pixels_p1", stats_percentile(&recorder->near, 0.01), ", ");
    json_member_number(stdout, "new_pixels", drawn_share(recorder, setup), ", ");
    json_member_number(stdout, "judged_frames", (double)judgement->frames, ", ");
    json_member_number(stdout, "psnr_mean_db", judged ? judgement->psnr_mean : NAN, ", ");
    json_member_number(stdout, "psnr_worst_db", judged ? judgement->psnr_worst : NAN, ", ");
    json_member_number(stdout, "psnr_quarter_pixel_db", judged ? judgement->psnr_moved : NAN, ", ");
    json_member_number(stdout, "sharpness_median", judged ? judgement->sharp_median : NAN, ", ");
    json_member_number(stdout, "sharpness_worst", judged ? judgement->sharp_worst : NAN, ", ");
    json_member_number(stdout, "exact_after_ms", recorder->exact_ms, "");
    if (recorder->band_decades > 0)
        print_json_bands(recorder, judgement);
    printf("}");
}

static void begin_json(const struct motion_setup *setup) {
    printf("{");
    json_member_text(stdout, "view", setup->view, ", ");
    json_member_text(stdout, "backend", setup->backend, ", ");
    json_member_text(stdout, "device", setup->device, ", ");
    json_member_text(stdout, "gl", setup->gl, ", ");
    json_member_number(stdout, "width", setup->width_px, ", ");
    json_member_number(stdout, "height", setup->height_px, ", ");
    json_member_number(stdout, "hz", setup->hz, ", ");
    json_member_number(stdout, "limit", setup->limit, ", ");
    printf("\"painting\": %s, \"scenarios\": [", setup->painting ? "true" : "false");
}

/* --- the table --- */

static void begin_table(const struct motion_setup *setup) {
    printf("%s, %s on %s, %dx%d at %g Hz, limit %u\nOpenGL: %s%s\n\n", setup->view, setup->backend,
           setup->device, setup->width_px, setup->height_px, setup->hz, setup->limit, setup->gl,
           setup->painting ? "" : ", painting judged frames alone");
    printf("%-9s | %26s | %26s | %11s | %17s | %21s | %9s | %6s\n", "", "frames", "without OpenGL",
           "latency ms", "% of pixels", "PSNR dB", "sharpness", "exact");
    printf("%-9s | %5s %4s %5s %5s %3s | %5s %4s %5s %5s %3s | %5s %5s | %5s %5s %5s | %5s %5s %5s "
           "%3s "
           "| %4s %4s | %6s\n",
           "", "per s", "late", "p50", "p99", "max", "per s", "late", "p50", "p99", "max", "p50",
           "p99", "final", "near", "new", "mean", "worst", "1/4px", "n", "p50", "min", "ms");
}

/* Prints a number, or a dash if it was not measured. */
static void print_or_dash(bool seen, int columns, double number, const char *end) {
    if (seen)
        printf("%*.*f%s", columns, 1, number, end);
    else
        printf("%*s%s", columns, "-", end);
}

static void print_columns(double fps, unsigned long long late, const struct stats *stats) {
    printf("%5.1f %4llu %5.1f %5.1f %3.0f | ", fps, late, stats_percentile(stats, 0.5),
           stats_percentile(stats, 0.99), stats->largest);
}

static void print_row(const struct motion_setup *setup, const struct scenario *scenario,
                      const struct recorder *recorder, const struct judgement *judgement) {
    printf("%-9s | ", scenario->name);
    print_columns(rate(recorder), recorder->late, &recorder->interval);
    print_columns(lean_rate(recorder), recorder->lean_late, &recorder->lean);
    const bool input = recorder->latency.count > 0;
    print_or_dash(input, 5, stats_percentile(&recorder->latency, 0.5), " ");
    print_or_dash(input, 5, stats_percentile(&recorder->latency, 0.99), " | ");
    printf("%5.1f %5.1f %5.2f | ", 100 * stats_mean(&recorder->exact),
           100 * stats_mean(&recorder->near), 100 * drawn_share(recorder, setup));
    if (judgement->frames > 0)
        printf("%5.1f %5.1f %5.1f %3zu | %4.2f %4.2f | ", judgement->psnr_mean,
               judgement->psnr_worst, judgement->psnr_moved, judgement->frames,
               judgement->sharp_median, judgement->sharp_worst);
    else
        printf("%5s %5s %5s %3d | %4s %4s | ", "-", "-", "-", 0, "-", "-");
    print_or_dash(!isnan(recorder->exact_ms), 6, recorder->exact_ms, "\n");
}

static void print_bands(const struct recorder *recorder, const struct judgement *judgement) {
    printf("\n%-9s | %22s | %5s | %11s | %11s | %9s\n", "", "frames", "late", "% of pixels",
           "PSNR dB", "sharpness");
    printf("%-9s | %5s %6s %9s | %5s | %5s %5s | %5s %5s | %9s\n", "zoom from", "", "late",
           "worst ms", "no GL", "final", "near", "worst", "1/4px", "worst");
    for (size_t i = 0; i < RECORDER_BANDS; i++) {
        const struct recorder_band *band = &recorder->band[i];
        const struct verdict worst = worst_of(recorder, judgement, i);
        if (band->frames == 0)
            continue;
        const double frames = (double)band->frames;
        printf("1e%-7g | %5.0f %6llu %9.0f | %5llu | %5.1f %5.1f | ",
               (double)i * recorder->band_decades, frames, band->late, band->worst_ms,
               band->lean_late, 100 * band->exact / frames, 100 * band->near / frames);
        print_or_dash(!isnan(worst.psnr), 5, worst.psnr, " ");
        print_or_dash(!isnan(worst.psnr), 5, worst.moved_psnr, " | ");
        if (isnan(worst.psnr))
            printf("%9s\n", "-");
        else
            printf("%9.2f\n", worst.sharpness);
    }
}

/* --- table or JSON --- */

void motion_report_begin(const struct motion_setup *setup) {
    if (setup->json)
        begin_json(setup);
    else
        begin_table(setup);
}

void motion_report_row(const struct motion_setup *setup, const struct scenario *scenario,
                       const struct recorder *recorder, const struct judgement *judgement,
                       bool first) {
    if (setup->json) {
        printf("%s", first ? "" : ", ");
        print_json(setup, scenario, recorder, judgement);
    } else {
        print_row(setup, scenario, recorder, judgement);
        if (recorder->band_decades > 0)
            print_bands(recorder, judgement);
    }
    fflush(stdout);
}

void motion_report_end(const struct motion_setup *setup) {
    if (setup->json) {
        printf("]}\n");
        return;
    }
    printf(
        "\nFrame times are from frame to frame, in ms; late: intervals of the display that none "
        "was ready for;\nwithout OpenGL: less what drawing and showing took; final: samples of "
        "that very point; near: of one\nwithin half a pixel; new: drawn for each frame; PSNR and "
        "sharpness: beside the exact pictures of n frames;\n1/4px: the PSNR of exact pictures a "
        "quarter of a pixel away; exact: from stopping to the exact picture.\n");
}
