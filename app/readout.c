/* Numbers in words. */
#include "app/readout.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPARE_DIGITS 2  /* of the centre, below the pixel step */
#define CENTRE_CHARS 44 /* longer ones are shortened in the middle */
#define ZOOM_DIGITS  4

/* 1234567 as "1.23 M". */
static void print_amount(char *text, size_t size, double value) {
    static const char *const units[] = {"", " k", " M", " G", " T", " P"};
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1000;
        unit++;
    }
    const int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    snprintf(text, size, "%.*f%s", decimals, value, units[unit]);
}

static void shorten(char *out, const char *text) {
    const size_t length = strlen(text), half = (CENTRE_CHARS - 3) / 2;
    if (length <= CENTRE_CHARS)
        snprintf(out, HUD_TEXT_MAX, "%s", text);
    else
        snprintf(out, HUD_TEXT_MAX, "%.*s...%s", (int)half, text, text + length - half);
}

static void print_number(char *out, mpfr_srcptr number, int digits) {
    char *text = view_number_text(number, digits);
    shorten(out, text ? text : "?");
    free(text);
}

/* As many digits as tell neighbouring pixels apart. */
static int digits_needed(mpfr_srcptr number, double step_log2) {
    const double top = mpfr_regular_p(number) ? (double)mpfr_get_exp(number) : step_log2;
    const double digits = (top - step_log2) * 0.30103 + SPARE_DIGITS;
    return (int)fmax(fmin(digits, VIEW_DIGITS_MAX), SPARE_DIGITS);
}

static void update_view(struct readout *readout, const struct explorer *explorer) {
    if (readout->generation == explorer->generation && readout->height_px == explorer->height_px)
        return;
    const struct view *view = &explorer->scene.view;
    const double step = view_step_log2(view, explorer->height_px);
    print_number(readout->zoom, view->zoom, ZOOM_DIGITS);
    print_number(readout->re, view->re, digits_needed(view->re, step));
    print_number(readout->im, view->im, digits_needed(view->im, step));
    readout->generation = explorer->generation;
    readout->height_px = explorer->height_px;
}

static void print_picture(char *out, const struct readout_input *input) {
    char speed[32] = "", complete[32] = "";
    const struct backend_report *report = input->report;
    if (report->iterations > 0 && report->elapsed_ms > 0) {
        print_amount(speed, sizeof speed - 5,
                     (double)report->iterations * 1e3 / report->elapsed_ms);
        strcat(speed, " it/s");
    }
    if (input->complete_ms >= 10000)
        snprintf(complete, sizeof complete, "%.1f s", input->complete_ms / 1e3);
    else if (input->complete_ms > 0)
        snprintf(complete, sizeof complete, "%.*f ms", input->complete_ms < 100 ? 1 : 0,
                 input->complete_ms);
    snprintf(out, HUD_TEXT_MAX, "%s%s%s", complete, *complete && *speed ? ", " : "", speed);
}

static void print_devices(struct hud_model *model, const struct readout_input *input) {
    const struct backend_info info = engine_info(input->engine);
    const char *starting = engine_starting(input->engine);
    snprintf(model->device, HUD_TEXT_MAX, "%s%s%s", info.name, *info.device ? ": " : "",
             info.device);
    if (starting)
        snprintf(model->path, HUD_TEXT_MAX, "%s is starting", starting);
    else if (!info.ready)
        snprintf(model->path, HUD_TEXT_MAX, "starting");
    else if (input->host_copy)
        snprintf(model->path, HUD_TEXT_MAX, "through host memory");
    if (!(info.caps & BACKEND_CAP_EXACT) && info.ready)
        snprintf(model->warning, HUD_TEXT_MAX, "not exact: may differ from other backends");
}

static void print_type(struct hud_model *model, const struct readout_input *input) {
    const struct explorer *explorer = input->explorer;
    const char *name = number_type_name(explorer->plan.type);
    const bool automatic = explorer->scene.precision == PRECISION_AUTO;
    const bool unfused = explorer->scene.arithmetic == ARITHMETIC_UNFUSED;
    const enum method method = explorer->scene.method;
    const bool possible = engine_info(input->engine).methods >> method & 1;
    char how[32] = "";
    if (method != METHOD_TILES)
        snprintf(how, sizeof how, ", %s%s", possible ? "" : "no ", method_name(method));
    snprintf(model->type, HUD_TEXT_MAX, "%s%s%s%s", name, automatic ? " (auto)" : "",
             unfused ? ", unfused" : "", how);
    if (!method_exact(method) && possible)
        snprintf(model->warning, HUD_TEXT_MAX, "%s guesses: rare pixels may be wrong",
                 method_name(method));
    if (explorer->plan.past_depth)
        snprintf(model->warning, HUD_TEXT_MAX, "too deep for %s: pixels run together", name);
}

static void list_messages(struct hud_model *model, const struct readout_input *input) {
    for (size_t i = 0; i < input->messages->count && i < HUD_MESSAGES_MAX; i++)
        model->messages[model->message_count++] = input->messages->list[i].text;
    if (input->screenshot_waits && model->message_count < HUD_MESSAGES_MAX)
        model->messages[model->message_count++] = "screenshot: as soon as the picture is complete";
}

void readout_fill(struct readout *readout, const struct readout_input *input,
                  struct hud_model *model) {
    const struct explorer *explorer = input->explorer;
    const struct stats *frames = input->frames;
    update_view(readout, explorer);
    *model = (struct hud_model){
        .numbers = input->numbers,
        .help = input->help,
        .frame_p99_ms = stats_percentile(frames, 0.99),
        .frames_ms = frames->values,
        .frame_count = (int)frames->count,
        .frame_next = frames->count < frames->capacity ? 0 : (int)frames->next,
        .progress = input->report->state == BACKEND_BUSY ? input->report->progress : 1,
    };
    if (frames->count > 0)
        model->frame_ms =
            (double)frames->values[(frames->next + frames->capacity - 1) % frames->capacity];
    print_picture(model->picture, input);
    print_devices(model, input);
    print_type(model, input);
    memcpy(model->zoom, readout->zoom, sizeof model->zoom);
    memcpy(model->re, readout->re, sizeof model->re);
    memcpy(model->im, readout->im, sizeof model->im);
    snprintf(model->colours, HUD_TEXT_MAX, "%u, %s", explorer->scene.limit,
             explorer->scene.palette->name);
    list_messages(model, input);
}
