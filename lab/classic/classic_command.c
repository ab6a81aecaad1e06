/* fathom classic: writes seed 000's picture, byte for byte, to a file. */
#include "lab/classic/classic_draw.h"
#include "lab/request.h"
#include "render/backends.h"
#include "render/base/atomic_file.h"
#include "render/base/clock.h"
#include "render/base/ini.h"
#include "render/base/interrupt.h"
#include "render/base/json.h"
#include "render/base/log.h"
#include "render/base/progress.h"
#include "render/files/image.h"
#include <string.h>

#define FILE_DEFAULT    "classic.ppm"
#define STANDARD_OUTPUT "/dev/stdout"

struct writing {
    const struct classic_picture *classic;
    FILE *stream;
    long long pixels; /* offset of the first row in the file */
    int next_row;     /* row at the stream's position */
    long long rows_done;
    double start_ms, write_ms;
    bool failed, progress_shown;
};

static bool take_side(const char *text, const char *what, int *side) {
    uint64_t number;
    if (!ini_whole(text, &number) || number < 1 || number > FRAME_SIZE_MAX) {
        log_error("the %s is a whole number from 1 to %d, not '%s'", what, FRAME_SIZE_MAX, text);
        return false;
    }
    *side = (int)number;
    return true;
}

static void show_progress(struct writing *w) {
    if (!progress_due(clock_ms() - w->start_ms))
        return;
    fprintf(stderr, "\rfathom: %5.1f %%\033[K",
            100.0 * (double)w->rows_done / w->classic->height_px);
    w->progress_shown = true;
}

static bool write_rows(void *user, int first, int rows, const uint8_t *rgb) {
    struct writing *w = user;
    const double start = clock_ms();
    const size_t row = 3 * (size_t)w->classic->width_px, size = row * (size_t)rows;
    if (first != w->next_row &&
        fseeko(w->stream, (off_t)(w->pixels + (long long)row * first), SEEK_SET) != 0)
        w->failed = true;
    else if (fwrite(rgb, 1, size, w->stream) != size)
        w->failed = true;
    if (w->failed) /* errno holds the reason for atomic_file_commit */
        return false;
    w->next_row = first + rows;
    w->rows_done += rows;
    w->write_ms += clock_ms() - start;
    show_progress(w);
    return true;
}

static void print_json(const struct classic_device *device, const struct classic_picture *classic,
                       const struct classic_times *times, const struct writing *w) {
    printf("{\"backend\": ");
    json_string(stdout, classic_device_backend(device));
    printf(", \"device\": ");
    json_string(stdout, classic_device_name(device));
    printf(", \"width\": %d, \"height\": %d, \"draw_ms\": %.3f, \"kernel_ms\": ", classic->width_px,
           classic->height_px, times->draw);
    json_number(stdout, times->kernel);
    printf(", \"write_ms\": %.3f}\n", w->write_ms);
}

/* Draws into the open file and commits it. */
static bool draw(const struct lab_request *request, struct classic_device *device,
                 const struct classic_picture *classic, struct atomic_file *file) {
    struct writing w = {
        .classic = classic, .stream = atomic_file_stream(file), .start_ms = clock_ms()};
    const struct classic_job job = {.classic = classic,
                                    .shortcuts = (unsigned)request->shortcuts,
                                    .mirror = atomic_file_seekable(file),
                                    .stop = interrupt_requested,
                                    .take = write_rows,
                                    .user = &w};
    struct classic_times times;
    w.pixels = fprintf(w.stream, "P6\n%d %d\n255\n", classic->width_px, classic->height_px);
    const bool drawn = classic_draw(device, &job, &times);
    if (w.progress_shown)
        progress_hide();
    if (!drawn && !w.failed) {
        if (interrupt_requested())
            log_error("interrupted; nothing was written");
        atomic_file_abandon(file);
        return false;
    }
    const double start = clock_ms();
    const bool written = atomic_file_commit(file, NULL);
    w.write_ms += clock_ms() - start;
    if (written && request->json)
        print_json(device, classic, &times, &w);
    return written;
}

int classic_command(const struct lab_request *request) {
    const struct backend_options backend_options = lab_request_backend_options(request);
    const char *path = request->output ? request->output : FILE_DEFAULT;
    if (strcmp(path, "-") == 0)
        path = STANDARD_OUTPUT;
    struct classic_picture classic = {0};
    struct classic_device *device = NULL;
    struct atomic_file *file = NULL;
    bool ok = false;
    int width, height;
    if (!take_side(request->arguments[0], "width", &width) ||
        !take_side(request->arguments[1], "height", &height))
        return 2;
    if (strcmp(path, STANDARD_OUTPUT) == 0 && request->json) {
        log_error("only one of -o and --json can go to standard output");
        return 2;
    }
    if (image_format_unknown(path) || image_format_of(path) != IMAGE_PPM) {
        log_error("cannot write '%s': classic pictures are PPM, so name it .ppm", path);
        return 2;
    }
    interrupt_catch();
    if (classic_picture_init(&classic, width, height))
        device = classic_device_create(backends_all, request->backend, &backend_options, &classic);
    if (device)
        file = atomic_file_open(path, false);
    if (file)
        ok = draw(request, device, &classic, file);
    classic_device_destroy(device);
    classic_picture_finish(&classic);
    return ok ? 0 : 1;
}
