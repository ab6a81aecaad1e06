/* Panel saving: formats the sizes of larger pictures and what they cost. */
#include "app/hud/panel/panel_saving.h"
#include "render/base/progress.h"
#include <stdio.h>

static void choose(struct panel_row *row, const char *const *names, int count, int index) {
    row->names = names;
    row->count = count;
    row->index = index;
}

static void name_choices(struct panel_saving *saving, const struct panel_model_context *context) {
    for (int i = 0; i < ENLARGE_SIZES; i++) {
        const struct enlarge_size size = enlarge_size(context->enlarge, i, context->explorer);
        snprintf(saving->sizes[i], sizeof saving->sizes[i], "%s: %d x %d", size.name, size.width_px,
                 size.height_px);
        saving->size_names[i] = saving->sizes[i];
    }
    for (int i = 0; i < ENLARGE_SAMPLES; i++) {
        snprintf(saving->samples[i], sizeof saving->samples[i], "%d", enlarge_sample_count(i));
        saving->sample_names[i] = saving->samples[i];
    }
    for (int i = 0; i < ENLARGE_RESOLUTIONS; i++) {
        snprintf(saving->dots[i], sizeof saving->dots[i], "%d dpi", enlarge_dpi(i));
        saving->dot_names[i] = saving->dots[i];
    }
}

static void print_bytes(double bytes, char *text, size_t size) {
    if (bytes < 999.5e6)
        snprintf(text, size, "%.0f MB", bytes < 1e6 ? 1 : bytes * 1e-6);
    else
        snprintf(text, size, "%.3g GB", bytes * 1e-9);
}

static void print_cost(struct panel_saving *saving, const struct panel_model_context *context) {
    const struct enlarge_cost cost = enlarge_cost(context->enlarge, context->picture);
    char duration[24] = "unknown time", memory[16], disk[16];
    if (cost.ms > 0)
        progress_duration(cost.ms, duration, sizeof duration);
    print_bytes(cost.memory_bytes, memory, sizeof memory);
    print_bytes(cost.disk_bytes, disk, sizeof disk);
    snprintf(saving->cost, sizeof saving->cost, "%s%s\n%s of memory\nat most %s on the disk",
             cost.ms > 0 ? "about " : "", duration, memory, disk);
}

void panel_fill_saving(struct panel_model *panel, const struct panel_model_context *context) {
    static const char *const formats[] = {"PPM", "PNG", "JPEG", "WebP", "TIFF", "Deep Zoom"};
    static const char *const start[] = {"Save"}, *const stop[] = {"Cancel"};
    struct panel_row *rows = panel->model.rows;
    struct panel_saving *saving = &panel->saving;
    const struct enlarge *enlarge = context->enlarge;
    const bool busy = enlarge_busy(enlarge);
    name_choices(saving, context);
    print_cost(saving, context);
    choose(&rows[PANEL_SAVE_SIZE], saving->size_names, ENLARGE_SIZES, enlarge->size);
    choose(&rows[PANEL_SAVE_DPI], saving->dot_names, ENLARGE_RESOLUTIONS, enlarge->resolution);
    choose(&rows[PANEL_SAVE_SAMPLES], saving->sample_names, ENLARGE_SAMPLES, enlarge->samples);
    choose(&rows[PANEL_SAVE_FORMAT], formats, ENLARGE_FORMATS, enlarge->format);
    choose(&rows[PANEL_SAVE], busy ? stop : start, 1, -1);
    for (int item = PANEL_SAVE_SIZE; item <= PANEL_SAVE_FORMAT; item++)
        rows[item].disabled = busy;
    rows[PANEL_SAVE_DPI].disabled |= !enlarge_size(enlarge, enlarge->size, context->explorer).paper;
    rows[PANEL_SAVE_COST].text = saving->cost;
    rows[PANEL_SAVE_PROGRESS].value =
        enlarge_progress(enlarge, saving->progress, sizeof saving->progress);
    rows[PANEL_SAVE_PROGRESS].text = saving->progress;
    rows[busy ? PANEL_SAVE_COST : PANEL_SAVE_PROGRESS].kind = PANEL_ABSENT;
    if (busy && context->explorer->scene.orbit_density) /* it can be cancelled there as well */
        rows[PANEL_SAVING].kind = PANEL_SECTION, rows[PANEL_SAVE].kind = PANEL_BUTTONS;
}
