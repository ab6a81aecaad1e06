/* Writes what `fathom density` says, with the statistics that seed 001 prints first. */
#include "app/command/density_report.h"
#include "render/base/json.h"
#include "render/base/progress.h"
#include <inttypes.h>

bool density_report_progress(double done, uint64_t samples, uint64_t points, double counted_ms) {
    if (!progress_due(counted_ms))
        return false;
    fprintf(stderr, "\rfathom: ");
    if (done >= 0)
        fprintf(stderr, "%5.1f %%, ", 100 * done);
    else
        fprintf(stderr, "%.0f s, ", counted_ms / 1000);
    fprintf(stderr, "%.3e samples, %.3e points/s", (double)samples,
            (double)points * 1000 / counted_ms);
    if (done > 0.01)
        fprintf(stderr, ", about %.0f s left", counted_ms * (1 - done) / done / 1000);
    fputs("\033[K", stderr);
    return true;
}

static double per_second(uint64_t now, uint64_t before, double ms) {
    return ms > 0 ? (double)(now - before) * 1000 / ms : 0;
}

static double shown(const struct density_report *report) {
    return (double)report->points * (report->folded ? 2 : 1);
}

static double per_pixel(const struct density_report *report) {
    return shown(report) / ((double)report->req->width_px * (double)report->req->height_px);
}

static void print_counts(FILE *file, const char *name, const uint64_t *counts, int channels) {
    fprintf(file, "%-19s", name);
    for (int i = 0; i < channels; i++)
        fprintf(file, "%s%" PRIu64, i > 0 ? " / " : "", counts[i]);
    fputc('\n', file);
}

void density_report_text(FILE *file, const struct density_report *report) {
    const struct density_req *req = report->req;
    const double ms = report->counted_ms;
    fprintf(file, "points plotted     %.5e, ", shown(report));
    if (report->folded)
        fprintf(file, "%" PRIu64 " counted and their mirror images\n", report->points);
    else
        fprintf(file, "%" PRIu64 " counted, conjugate ones included\n", report->points);
    fprintf(file, "points per pixel   %.2f\n", per_pixel(report));
    print_counts(file, "largest", report->most, req->density.channels);
    print_counts(file, "smallest", report->least, req->density.channels);
    fprintf(file, "total time         %.2f s\n", ms / 1000);
    fprintf(file, "points per second  %.3e counted\n",
            per_second(report->points, report->points_before, ms));
    fprintf(file, "samples            %" PRIu64 "\n", report->samples);
    fprintf(file, "samples per second %.3e\n",
            per_second(report->samples, report->samples_before, ms));
    if (report->samples_before > 0)
        fprintf(file, "before this run    %" PRIu64 " samples, %" PRIu64 " points\n",
                report->samples_before, report->points_before);
    if (*report->backend)
        fprintf(file, "backend            %s (%s), %s\n", report->backend, report->device,
                number_type_name(req->type));
}

static void json_counts(const char *name, const uint64_t *counts, int channels) {
    printf(", \"%s\": [", name);
    for (int i = 0; i < channels; i++)
        printf("%s%" PRIu64, i > 0 ? ", " : "", counts[i]);
    putchar(']');
}

static void json_pair(const char *name, double number) {
    printf(", \"%s\": ", name);
    json_number(stdout, number);
}

void density_report_json(const struct density_report *report) {
    const struct density_req *req = report->req;
    const struct density *density = &req->density;
    const uint64_t limits[] = {density->limit[0], density->limit[1], density->limit[2]};
    printf("{\"backend\": ");
    json_string(stdout, report->backend);
    printf(", \"device\": ");
    json_string(stdout, report->device);
    printf(", \"precision\": \"%s\", \"width\": %d, \"height\": %d, \"counted\": \"%s\", "
           "\"rules\": \"%s\", \"least\": %" PRIu32,
           number_type_name(req->type), req->width_px, req->height_px,
           density_orbits_names[density->orbits], density_rules_ids[density->rules],
           density_least(density));
    json_counts("limits", limits, density->channels);
    printf(", \"random\": %" PRIu64 ", \"samples\": %" PRIu64 ", \"points\": %" PRIu64
           ", \"samples_before\": %" PRIu64 ", \"points_before\": %" PRIu64
           ", \"mirrored\": %s, \"interrupted\": %s",
           density->random, report->samples, report->points, report->samples_before,
           report->points_before, report->folded ? "true" : "false",
           report->interrupted ? "true" : "false");
    json_pair("points_per_pixel", per_pixel(report));
    json_counts("largest", report->most, density->channels);
    json_counts("smallest", report->least, density->channels);
    json_pair("count_ms", report->counted_ms);
    json_pair("device_ms", report->device_ms);
    json_pair("write_ms", report->write_ms);
    json_pair("points_per_second",
              per_second(report->points, report->points_before, report->counted_ms));
    json_pair("samples_per_second",
              per_second(report->samples, report->samples_before, report->counted_ms));
    puts("}");
}
