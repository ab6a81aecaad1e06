/* Fills the rows that the panel shows. What is done to them is in panel_apply.c. */
#include "app/hud/panel_model.h"
#include "render/palette.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAR_DECADES 4    /* of the histogram's heights */
#define BAR_LEAST   0.02 /* what is there is seen */

/* What does not change about a row. A kind of picture that it is not for does not show it. */
static const struct form {
    enum panel_kind kind;
    const char *label, *help;
    enum action_kind action; /* whose keys the tooltip names */
    enum { BOTH, ESCAPE, DENSITY } pictures;
    enum field field;
    double low, high, step;
    bool closed; /* a section that begins so */
} forms[PANEL_ITEM_COUNT] = {
    [PANEL_PLACE] = {.kind = PANEL_SECTION, .label = "Location", .help = "Where the picture is"},
    [PANEL_RE] = {PANEL_FIELD, "Real", "Real part of the centre, with any number of digits",
                  .action = ACTION_SLIDE, .field = FIELD_RE},
    [PANEL_IM] = {PANEL_FIELD, "Imaginary",
                  "Imaginary part of the centre, with any number of digits", .action = ACTION_SLIDE,
                  .field = FIELD_IM},
    [PANEL_ZOOM] = {PANEL_FIELD, "Zoom",
                    "1 shows the imaginary axis from -2 to 2, 2 shows half of that",
                    .action = ACTION_ZOOM_MIDDLE, .field = FIELD_ZOOM},
    [PANEL_ANGLE] = {PANEL_FIELD, "Angle", "How far the picture is rotated, in degrees",
                     .action = ACTION_TURN, .field = FIELD_ANGLE},
    [PANEL_VIEWS] = {.kind = PANEL_BUTTONS,
                     .label = "Views",
                     .help = "Examples and your own views (G); save this location (Ctrl+S)"},
    [PANEL_COLOUR] = {.kind = PANEL_SECTION,
                      .label = "Colour",
                      .help = "How iteration counts become colours"},
    [PANEL_PALETTE] = {PANEL_STRIPS, "Palette",
                       "The colours that iteration counts run through, again and again",
                       .action = ACTION_PALETTE, .pictures = ESCAPE},
    [PANEL_RAMP] = {PANEL_CHOICE, "Gradient", "The colours from few points to many",
                    .action = ACTION_PALETTE, .pictures = DENSITY},
    [PANEL_FREQUENCY] =
        {PANEL_SLIDER, "Frequency",
         "How fast colours change from one iteration to the next; 1 is the palette's own",
         .pictures = ESCAPE, .field = FIELD_FREQUENCY, .low = 0.01, .high = 100},
    [PANEL_OFFSET] = {PANEL_SLIDER, "Offset", "Shifts the palette; 1 is a full cycle",
                      .pictures = ESCAPE, .field = FIELD_OFFSET, .high = 1, .step = 0.005},
    [PANEL_SMOOTH] = {PANEL_SWITCH, "Smooth",
                      "Colours flow from one iteration count to the next; off: bands",
                      .pictures = ESCAPE},
    [PANEL_CURVE] = {PANEL_CHOICE, "Tone curve", "How brightness follows the number of points",
                     .action = ACTION_CURVE, .pictures = DENSITY},
    [PANEL_EXPOSURE] = {PANEL_SLIDER, "Exposure", "Brighter or darker: +1 doubles",
                        .action = ACTION_EXPOSURE, .pictures = DENSITY, .field = FIELD_EXPOSURE,
                        .low = -6, .high = 6, .step = 0.05},
    [PANEL_GAMMA] = {PANEL_SLIDER, "Gamma", "Above 1 the dark parts become lighter",
                     .action = ACTION_GAMMA, .pictures = DENSITY, .field = FIELD_GAMMA, .low = 0.1,
                     .high = 10},
    [PANEL_PICTURE] = {.kind = PANEL_SECTION,
                       .label = "Picture",
                       .help = "What is computed, and how"},
    [PANEL_LIMIT] = {PANEL_FIELD, "Iterations",
                     "Iteration limit: points that last longer count as interior; a higher one "
                     "shows finer detail",
                     .action = ACTION_LIMIT, .field = FIELD_LIMIT},
    [PANEL_KIND] = {PANEL_CHOICE, "Shows",
                    "How long points take to escape, or where their orbits pass",
                    .action = ACTION_DENSITY},
    [PANEL_LEAST] = {PANEL_FIELD, "Min length", "The minimum length of the orbits that are counted",
                     .action = ACTION_LEAST, .pictures = DENSITY, .field = FIELD_LEAST},
    [PANEL_NUMBER] = {PANEL_CHOICE, "Precision",
                      "Precision of the iteration; auto takes what the depth needs",
                      .action = ACTION_PRECISION},
    [PANEL_METHOD] = {PANEL_CHOICE, "Method", "The order in which the picture is drawn",
                      .action = ACTION_METHOD, .pictures = ESCAPE},
    [PANEL_AUTO_LIMIT] =
        {PANEL_SWITCH, "Automatic",
         "The iteration limit follows the picture: as high as it takes, and no higher",
         .action = ACTION_AUTO_LIMIT, .pictures = ESCAPE},
    [PANEL_ANTIALIAS] = {PANEL_SWITCH, "Anti-alias",
                         "At rest, many samples per pixel: edges become smooth step by step",
                         .action = ACTION_ANTIALIAS, .pictures = ESCAPE},
    [PANEL_INERTIA] = {.kind = PANEL_SWITCH,
                       .label = "Kinetic",
                       .help = "Kinetic panning: a drag that is released in motion glides on"},
    [PANEL_DEFAULTS] =
        {.kind = PANEL_BUTTONS,
         .label = "",
         .help =
             "Return palette, anti-aliasing, automatic limit, kinetic panning and zoom speed to "
             "their defaults, and forget what was switched"},
    [PANEL_STATISTICS] = {.kind = PANEL_SECTION,
                          .label = "Statistics",
                          .help = "Of the last complete picture"},
    [PANEL_COUNTS] = {.kind = PANEL_TEXT,
                      .label = "Iterations",
                      .help = "Until points escape: the fewest and the most"},
    [PANEL_INSIDE] = {.kind = PANEL_TEXT,
                      .label = "Interior",
                      .help = "Points that do not escape within the limit"},
    [PANEL_HISTOGRAM] =
        {.kind = PANEL_PLOT,
         .label = "",
         .help = "How many points escape after how many iterations; both axes are logarithmic"},
    [PANEL_SAVING] = {PANEL_SECTION, "Save a larger picture",
                      "Larger than the window, drawn in the background", .pictures = ESCAPE,
                      .closed = true},
    [PANEL_SAVE_SIZE] = {PANEL_CHOICE, "Size", "Times the window's size", .pictures = ESCAPE},
    [PANEL_SAVE_SAMPLES] = {PANEL_CHOICE, "Samples",
                            "Per pixel: more make edges smoother, and take longer",
                            .pictures = ESCAPE},
    [PANEL_SAVE_FORMAT] = {PANEL_CHOICE, "Format", "PNG is smaller; both carry the view",
                           .pictures = ESCAPE},
    [PANEL_SAVE_PROGRESS] = {PANEL_PROGRESS, "Progress",
                             .help = "Of the picture that is being drawn"},
    [PANEL_SAVE] = {PANEL_BUTTONS, "", "Into the folder of screenshots", .pictures = ESCAPE},
    [PANEL_RECENTLY] = {PANEL_SECTION, "Recent locations", "Where you were", .closed = true},
    [PANEL_RECENT] = {.kind = PANEL_LIST, .label = "", .help = "Go there"},
    [PANEL_BACKEND] = {PANEL_CHOICE, "Backend", "What computes the picture",
                       .action = ACTION_BACKEND},
};

/* Of the first palettes. */
static const char *const digits[] = {"1", "2", "3", "4", "5",       "6",
                                     "7", "8", "9", "0", "Shift+1", "Shift+2"};

static const char *const default_buttons[] = {"Back to defaults"};

static const char *const view_buttons[] = {"Gallery", "Save location"};

static const char *const kinds[] = {"escape time", "Buddhabrot", "anti-Buddhabrot", "Nebulabrot"};

void panel_model_finish(struct panel_model *panel) {
    for (int i = 0; i < FIELD_COUNT; i++) {
        free(panel->shown[i]);
        free(panel->refused[i]);
        free(panel->refused_for[i]);
    }
    if (panel->height_px > 0)
        view_finish(&panel->view);
}

void panel_model_toggle(struct panel_model *panel, struct active_backend *active) {
    panel->open = !panel->open;
    if (!panel->open)
        return;
    panel->statistics_of = 0; /* they were not kept up to date meanwhile */
    panel->backend_count = 0;
    const char *name;
    while (panel->backend_count < PANEL_MODEL_NAMES_MAX &&
           (name = active_backend_usable(active, (size_t)panel->backend_count)))
        panel->backends[panel->backend_count++] = name;
    panel->palette_count = (int)fmin((double)palette_count(), PANEL_MODEL_NAMES_MAX);
    for (int i = 0; i < panel->palette_count; i++) {
        panel->palettes[i] = palette_at((size_t)i)->name;
        panel->strips[i] = palette_at((size_t)i)->table;
    }
}

/* --- texts --- */

static bool show(struct panel_model *panel, const struct explorer *explorer, int field) {
    char *text = field_shown(&explorer->scene, (enum field)field, explorer->height_px);
    if (!text)
        return false;
    free(panel->shown[field]);
    panel->shown[field] = text;
    return true;
}

/* Many digits take long to print. */
static bool show_centre(struct panel_model *panel, const struct explorer *explorer) {
    const struct view *view = &explorer->scene.view;
    if (panel->height_px == explorer->height_px && view_equal(&panel->view, view))
        return true;
    if (panel->height_px == 0)
        view_init(&panel->view);
    view_assign(&panel->view, view);
    panel->height_px = explorer->height_px;
    return show(panel, explorer, FIELD_RE) && show(panel, explorer, FIELD_IM);
}

/* A refused text is forgotten as soon as the number is another one. */
static void forget_refused(struct panel_model *panel, int field) {
    if (!panel->refused[field] || !panel->shown[field] ||
        strcmp(panel->refused_for[field], panel->shown[field]) == 0)
        return;
    free(panel->refused[field]);
    free(panel->refused_for[field]);
    panel->refused[field] = panel->refused_for[field] = NULL;
    panel->why[field] = NULL;
}

static bool fill_texts(struct panel_model *panel, const struct explorer *explorer) {
    bool ok = show_centre(panel, explorer);
    for (int field = 0; field < FIELD_COUNT; field++) {
        if (field != FIELD_RE && field != FIELD_IM)
            ok = show(panel, explorer, field) && ok;
        forget_refused(panel, field);
    }
    return ok;
}

/* --- rows --- */

static double slider_value(const struct scene *scene, enum field field) {
    switch (field) {
    case FIELD_FREQUENCY:
        return scene->frequency;
    case FIELD_OFFSET:
        return scene->offset;
    case FIELD_EXPOSURE:
        return scene->tone.exposure;
    case FIELD_GAMMA:
        return scene->tone.gamma;
    default:
        return 0;
    }
}

static void fill_row(struct panel_model *panel, const struct scene *scene, enum panel_item item) {
    const struct form *form = &forms[item];
    const enum field field = form->field;
    const char *shown = panel->shown[field] ? panel->shown[field] : "";
    const bool here = form->pictures == BOTH || (form->pictures == DENSITY) == scene->orbit_density;
    panel->model.rows[item] = (struct panel_row){
        .kind = here ? form->kind : PANEL_ABSENT,
        .label = form->label,
        .help = form->help,
        .keys = form->action ? input_keys_of(form->action) : NULL,
        .field = field,
        .text = panel->refused[field] ? panel->refused[field] : shown,
        .problem = panel->why[field],
        .value = slider_value(scene, field),
        .low = form->low,
        .high = form->high,
        .step = form->step,
        .index = form->kind == PANEL_SECTION && !form->closed,
    };
    if (form->kind != PANEL_FIELD && form->kind != PANEL_SLIDER)
        panel->model.rows[item].problem = NULL;
}

static void choose(struct panel_row *row, const char *const *names, int count, int index) {
    row->names = names;
    row->index = index;
    row->count = count;
    for (int i = 0; count < 0; i++)
        if (!names[i])
            row->count = count = i;
}

static int find(const char *const *names, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

static void fill_palettes(struct panel_model *panel, const struct scene *scene) {
    const int count = panel->palette_count;
    struct panel_row *row = &panel->model.rows[PANEL_PALETTE];
    choose(row, panel->palettes, count, -1);
    for (int i = 0; i < count; i++)
        row->index = palette_at((size_t)i) == scene->palette ? i : row->index;
    row->strips = panel->strips;
    row->name_keys = digits;
    row->key_count = sizeof digits / sizeof *digits;
}

static void fill_choices(struct panel_model *panel, const struct panel_model_context *context) {
    const struct scene *scene = &context->explorer->scene;
    struct panel_row *rows = panel->model.rows;
    const char *starting = active_backend_starting(context->active);
    const char *backend = starting ? starting : active_backend_info(context->active).name;
    const char *kind = scene->orbit_density ? orbits_name(&scene->orbits) : kinds[0];
    fill_palettes(panel, scene);
    choose(&rows[PANEL_RAMP], tone_ramp_names, -1, (int)scene->tone.ramp);
    choose(&rows[PANEL_VIEWS], view_buttons, 2, -1);
    choose(&rows[PANEL_DEFAULTS], default_buttons, 1, -1);
    choose(&rows[PANEL_CURVE], tone_curve_names, -1, (int)scene->tone.curve);
    choose(&rows[PANEL_KIND], kinds, 4, find(kinds, 4, kind));
    choose(&rows[PANEL_NUMBER], precision_names, -1, (int)scene->precision);
    choose(&rows[PANEL_METHOD], method_names, -1, (int)scene->method);
    choose(&rows[PANEL_BACKEND], panel->backends, panel->backend_count,
           find(panel->backends, panel->backend_count, backend));
    rows[PANEL_SMOOTH].index = scene->palette->smooth && !scene->banded;
    rows[PANEL_SMOOTH].disabled = !scene->palette->smooth;
    if (scene->orbits.orbits == DENSITY_BOUNDED)
        rows[PANEL_LEAST].kind = PANEL_ABSENT;
    if (scene->orbits.channels > 1)
        rows[PANEL_RAMP].kind = PANEL_ABSENT;
}

/* --- statistics --- */

/* A look at each picture, as soon as it is complete. */
static void look_at_picture(struct panel_model *panel, const struct panel_model_context *context) {
    const struct statistics *statistics = picture_statistics(context->picture);
    const uint64_t generation = context->picture->req.generation;
    if (!statistics || panel->statistics_of == generation)
        return;
    panel->statistics = *statistics;
    panel->statistics_of = generation;
    const double share = (double)statistics->interior / (double)statistics->pixels;
    snprintf(panel->least, sizeof panel->least, "%" PRIu32, statistics->least);
    snprintf(panel->most, sizeof panel->most, "%" PRIu32, statistics->most);
    snprintf(panel->counts, sizeof panel->counts, "%" PRIu32 " to %" PRIu32, statistics->least,
             statistics->most);
    if (statistics->least > statistics->most)
        snprintf(panel->counts, sizeof panel->counts, "no point escapes");
    snprintf(panel->inside, sizeof panel->inside, "%.*f %%", share < 0.1 ? 2 : 1, 100 * share);
}

/* Logarithmic, from a ten thousandth of the tallest. */
static float bar(uint64_t pixels, uint64_t tallest) {
    if (pixels == 0)
        return 0;
    return (float)fmax(1 + log10((double)pixels / (double)tallest) / BAR_DECADES, BAR_LEAST);
}

static int fill_bars(float *bars, const struct statistics *statistics) {
    const unsigned first = statistics_bucket(statistics->least);
    const unsigned last = statistics_bucket(statistics->most);
    uint64_t tallest = 1;
    for (unsigned i = first; i <= last; i++)
        tallest = statistics->histogram[i] > tallest ? statistics->histogram[i] : tallest;
    for (unsigned i = first; i <= last; i++)
        bars[i - first] = bar(statistics->histogram[i], tallest);
    return (int)(last - first) + 1;
}

static void fill_statistics(struct panel_model *panel, const struct panel_model_context *context) {
    struct panel_row *rows = panel->model.rows;
    look_at_picture(panel, context);
    const struct statistics *statistics = &panel->statistics;
    const bool any = panel->statistics_of > 0 && !context->explorer->scene.orbit_density;
    for (int item = PANEL_STATISTICS; item <= PANEL_HISTOGRAM && !any; item++)
        rows[item].kind = PANEL_ABSENT;
    rows[PANEL_COUNTS].text = panel->counts;
    rows[PANEL_INSIDE].text = panel->inside;
    if (!any || statistics->least >= statistics->most) {
        rows[PANEL_HISTOGRAM].kind = PANEL_ABSENT;
        return;
    }
    panel->ends[0] = panel->least;
    panel->ends[1] = panel->most;
    rows[PANEL_HISTOGRAM].names = panel->ends;
    rows[PANEL_HISTOGRAM].bars = panel->bars;
    rows[PANEL_HISTOGRAM].count = fill_bars(panel->bars, statistics);
}

static void fill_recent(struct panel_model *panel, const struct recent *recent,
                        struct collection *collection) {
    struct panel_row *row = &panel->model.rows[PANEL_RECENT];
    const size_t count = recent ? recent_count(recent) : 0;
    for (size_t i = 0; i < count && i < RECENT_MAX; i++)
        panel->recent[i] = recent_label(recent, i);
    for (size_t i = 0; i < count && i < RECENT_MAX && collection->looking; i++)
        panel->thumbnails[i] = collection_recent_texture(collection, i);
    row->names = panel->recent;
    row->textures = collection->thumbnails ? panel->thumbnails : NULL;
    row->count = count < RECENT_MAX ? (int)count : RECENT_MAX;
    if (count == 0)
        row->kind = panel->model.rows[PANEL_RECENTLY].kind = PANEL_ABSENT;
}

/* While a picture is being drawn there is nothing to choose, but something to see. */
static void fill_saving(struct panel_model *panel, const struct panel_model_context *context) {
    static const char *const formats[] = {"PPM", "PNG"};
    static const char *const start[] = {"Save"}, *const stop[] = {"Cancel"};
    struct panel_row *rows = panel->model.rows;
    const struct enlarge *enlarge = context->enlarge;
    const bool busy = enlarge_busy(enlarge);
    const struct explorer *explorer = context->explorer;
    for (int i = 0; i < ENLARGE_SIZES; i++) {
        const int factor = enlarge_factor(i);
        snprintf(panel->sizes[i], sizeof panel->sizes[i], "%dx: %d x %d", factor,
                 factor * explorer->width_px, factor * explorer->height_px);
        panel->size_names[i] = panel->sizes[i];
    }
    for (int i = 0; i < ENLARGE_SAMPLES; i++) {
        snprintf(panel->samples[i], sizeof panel->samples[i], "%d", enlarge_sample_count(i));
        panel->sample_names[i] = panel->samples[i];
    }
    choose(&rows[PANEL_SAVE_SIZE], panel->size_names, ENLARGE_SIZES, enlarge->size);
    choose(&rows[PANEL_SAVE_SAMPLES], panel->sample_names, ENLARGE_SAMPLES, enlarge->samples);
    choose(&rows[PANEL_SAVE_FORMAT], formats, 2, (int)enlarge->format);
    choose(&rows[PANEL_SAVE], busy ? stop : start, 1, -1);
    for (int item = PANEL_SAVE_SIZE; item <= PANEL_SAVE_FORMAT; item++)
        rows[item].disabled = busy;
    rows[PANEL_SAVE_PROGRESS].value =
        enlarge_progress(enlarge, panel->saving, sizeof panel->saving);
    rows[PANEL_SAVE_PROGRESS].text = panel->saving;
    if (!busy)
        rows[PANEL_SAVE_PROGRESS].kind = PANEL_ABSENT;
    else if (explorer->scene.orbit_density) /* which may be given up all the same */
        rows[PANEL_SAVING].kind = PANEL_SECTION, rows[PANEL_SAVE].kind = PANEL_BUTTONS;
}

bool panel_model_fill(struct panel_model *panel, const struct panel_model_context *context) {
    const bool ok = fill_texts(panel, context->explorer);
    panel->model.scene = &context->explorer->scene;
    for (int item = 0; item < PANEL_ITEM_COUNT; item++)
        fill_row(panel, &context->explorer->scene, (enum panel_item)item);
    fill_choices(panel, context);
    fill_statistics(panel, context);
    fill_saving(panel, context);
    fill_recent(panel, context->recent, context->collection);
    panel->model.rows[PANEL_AUTO_LIMIT].index = context->explorer->auto_limit.on;
    panel->model.rows[PANEL_ANTIALIAS].index = context->explorer->scene.pixel_samples > 1;
    panel->model.rows[PANEL_INERTIA].index = context->explorer->inertia;
    return ok;
}
