/* Panel: fills its rows from the state of the program. panel_apply.c applies edits. */
#include "app/hud/panel_model.h"
#include "app/hud/panel/panel_saving.h"
#include "app/hud/panel/panel_statistics.h"
#include "render/formula/map.h"
#include "render/locate/locate.h"
#include "render/palette.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Constant part of the rows that are no settings. A row is visible for its kind of picture. */
static const struct form {
    enum panel_kind kind;
    const char *label, *help;
    enum action_kind action; /* action whose keys the tooltip names */
    enum setting_id setting; /* setting of ACTION_STEP */
    enum setting_use use;
    bool closed; /* the section is closed at first */
} forms[PANEL_ITEM_COUNT] = {
    [PANEL_LOCATION] = {.kind = PANEL_SECTION, .label = "Location", .help = "Where the picture is"},
    [PANEL_VIEWS] = {.kind = PANEL_BUTTONS,
                     .label = "Views",
                     .help = "Examples and your own views (G); save this location (Ctrl+S)"},
    [PANEL_LOCATE] = {PANEL_BUTTONS, "Search",
                      "Find a minibrot near the centre (again: a deeper one), or a Misiurewicz "
                      "point (a spiral centre or a branch tip)",
                      .action = ACTION_LOCATE, .use = SETTING_OF_ESCAPE},
    [PANEL_STYLE] = {PANEL_PICTURES, "Style", "Ready-made looks, shown on this view (N)",
                     .use = SETTING_OF_ESCAPE},
    [PANEL_STYLE_DOING] = {PANEL_BUTTONS, "",
                           "A random look (V); save the present look; delete a style of yours",
                           .use = SETTING_OF_ESCAPE},
    [PANEL_COLOUR] = {.kind = PANEL_SECTION,
                      .label = "Colour",
                      .help = "How iteration counts become colours"},
    [PANEL_EDITOR] = {PANEL_SECTION, "Palette editor", "Edit the palette of this view",
                      .use = SETTING_OF_ESCAPE, .closed = true},
    [PANEL_STOPS] = {PANEL_GRADIENT, "Stops",
                     "Colour stops: drag to move, double click to add, right click to delete",
                     .use = SETTING_OF_ESCAPE},
    [PANEL_STOP_COLOUR] = {PANEL_SWATCH, "Stop", "Colour of the selected stop; click to change it",
                           .use = SETTING_OF_ESCAPE},
    [PANEL_INTERPOLATION] = {PANEL_CHOICE, "Interpolation",
                             "Colours between stops: bands, smooth or linear in sRGB, or smooth in "
                             "Oklab, which avoids grey",
                             .use = SETTING_OF_ESCAPE},
    [PANEL_MIRROR] = {PANEL_SWITCH, "Mirror",
                      "Run forwards, then backwards; off: wrap from the last colour to the first",
                      .use = SETTING_OF_ESCAPE},
    [PANEL_HUE] = {PANEL_NUMBER, "Hue", "Shift all hues, in degrees", .use = SETTING_OF_ESCAPE},
    [PANEL_SATURATION] = {PANEL_NUMBER, "Saturation", "0 is grey, 1 leaves colours unchanged",
                          .use = SETTING_OF_ESCAPE},
    [PANEL_BRIGHTNESS] = {PANEL_NUMBER, "Brightness", "0 is black, 1 leaves colours unchanged",
                          .use = SETTING_OF_ESCAPE},
    [PANEL_SAVE_PALETTE] = {PANEL_BUTTONS, "",
                            "Save this palette for other views, or pick a random one (Shift+C)",
                            .use = SETTING_OF_ESCAPE},
    [PANEL_PICTURE] = {.kind = PANEL_SECTION, .label = "Picture", .help = "Rendering"},
    [PANEL_KIND] = {PANEL_CHOICE, "Show", "Escape time, or the orbits themselves (Buddhabrot)",
                    .action = ACTION_STEP, .setting = SETTING_ORBIT_DENSITY},
    [PANEL_AUTO_LIMIT] = {PANEL_SWITCH, "Auto limit",
                          "Set the iteration limit automatically: as high as the picture needs",
                          .action = ACTION_AUTO_LIMIT, .use = SETTING_OF_ESCAPE},
    [PANEL_AUTO_FREQUENCY] = {PANEL_SWITCH, "Auto frequency",
                              "Adapt the colour frequency to the iteration counts in view, so that "
                              "dense areas stay calm",
                              .action = ACTION_AUTO_FREQUENCY, .use = SETTING_OF_ESCAPE},
    [PANEL_ANTIALIAS] = {PANEL_SWITCH, "Anti-alias",
                         "Take more samples while the view rests, for smooth edges",
                         .action = ACTION_ANTIALIAS, .use = SETTING_OF_ESCAPE},
    [PANEL_INERTIA] = {.kind = PANEL_SWITCH,
                       .label = "Kinetic",
                       .help = "Kinetic panning: keep gliding after a drag is released in motion"},
    [PANEL_AUTOPILOT] = {PANEL_SWITCH, "Autopilot", "Fly automatically to interesting places",
                         .action = ACTION_AUTOPILOT, .use = SETTING_OF_ESCAPE},
    [PANEL_CHANGES] = {PANEL_CHOICE, "Autopilot varies", "What the autopilot changes when it turns",
                       .use = SETTING_OF_ESCAPE},
    [PANEL_DEFAULTS] = {.kind = PANEL_BUTTONS,
                        .label = "",
                        .help =
                            "Reset palette, anti-aliasing, automatic limit and colour frequency, "
                            "kinetic panning and zoom speed, and forget earlier choices"},
    [PANEL_STATISTICS] = {.kind = PANEL_SECTION,
                          .label = "Statistics",
                          .help = "The last complete picture"},
    [PANEL_COUNTS] = {.kind = PANEL_TEXT,
                      .label = "Iterations",
                      .help = "Lowest and highest iteration count"},
    [PANEL_INSIDE] = {.kind = PANEL_TEXT,
                      .label = "Interior",
                      .help = "Points that do not escape within the limit"},
    [PANEL_VERIFIED] = {.kind = PANEL_TEXT,
                        .label = "Check",
                        .help = "Comparison with exact arithmetic at random pixels, at rest"},
    [PANEL_HISTOGRAM] = {.kind = PANEL_PLOT,
                         .label = "",
                         .help = "Histogram of iteration counts; both axes are logarithmic"},
    [PANEL_SAVING] = {PANEL_SECTION, "Save a larger picture",
                      "Render a picture larger than the window, in the background",
                      .use = SETTING_OF_ESCAPE, .closed = true},
    [PANEL_SAVE_SIZE] = {PANEL_CHOICE, "Size",
                         "Multiple of the window's size, or a size of paper, which shows at least "
                         "all that the window shows",
                         .use = SETTING_OF_ESCAPE},
    [PANEL_SAVE_DPI] = {PANEL_CHOICE, "Resolution", "Pixels per inch of paper",
                        .use = SETTING_OF_ESCAPE},
    [PANEL_SAVE_SAMPLES] = {PANEL_CHOICE, "Samples",
                            "Samples per pixel; more are smoother and slower",
                            .use = SETTING_OF_ESCAPE},
    [PANEL_SAVE_FORMAT] = {PANEL_CHOICE, "Format",
                           "TIFF is for printers, Deep Zoom for browsers; their view is a file of "
                           "its own, and other formats contain it",
                           .use = SETTING_OF_ESCAPE},
    [PANEL_SAVE_COST] = {PANEL_TEXT, "Cost",
                         "Estimated from the window's picture; files usually take a part of that "
                         "space",
                         .use = SETTING_OF_ESCAPE},
    [PANEL_SAVE_PROGRESS] = {PANEL_PROGRESS, "Progress", .help = "Progress of the larger picture"},
    [PANEL_SAVE] = {PANEL_BUTTONS, "", "Save to the screenshots folder", .use = SETTING_OF_ESCAPE},
    [PANEL_MOVIES] = {PANEL_SECTION, "Movie", "Record a path, play it, and make a movie of it",
                      .use = SETTING_OF_ESCAPE, .closed = true},
    [PANEL_PATH] = {PANEL_TEXT, "Path",
                    "The way of the movie: the path that was recorded or opened "
                    "last, or a zoom from home to this view",
                    .use = SETTING_OF_ESCAPE},
    [PANEL_PATH_DOING] = {PANEL_BUTTONS, "",
                          "Record everything that moves the view (Ctrl+R); play the path (Ctrl+P); "
                          "forget it and an unfinished movie of it",
                          .use = SETTING_OF_ESCAPE},
    [PANEL_MOVIE_PROGRESS] = {PANEL_PROGRESS, "Progress", .help = "Progress of the movie"},
    [PANEL_MOVIE] =
        {PANEL_BUTTONS, "",
         "Make a movie in the background, in the screenshots folder; a message says what "
         "it needs before it starts",
         .use = SETTING_OF_ESCAPE},
    [PANEL_RECENTLY] = {PANEL_SECTION, "Recent locations", "Recent locations", .closed = true},
    [PANEL_RECENT] = {.kind = PANEL_LIST, .label = "Recent", .help = "Open this location"},
    [PANEL_BACKEND] = {PANEL_CHOICE, "Backend", "Hardware that computes the picture",
                       .action = ACTION_BACKEND},
};

/* Keys of the first palettes. */
static const char *const digits[] = {"1", "2", "3", "4",       "5",       "6",       "7",
                                     "8", "9", "0", "Shift+1", "Shift+2", "Shift+3", "Shift+4"};

static const char *const default_buttons[] = {"Back to defaults"};

static const char *const palette_buttons[] = {"Save palette", "Random"};

static const char *const style_buttons[] = {"Surprise me", "Save style", "Delete style"};

static const char *const view_buttons[] = {"Gallery", "Save location"};

static const char *const locate_buttons[] = {"Minibrot", "Misiurewicz"};

static const char *const kinds[] = {"escape time", "Buddhabrot", "anti-Buddhabrot", "Nebulabrot"};

void panel_model_forget(struct panel_model *panel, enum setting_id id) {
    struct panel_refusal *refused = &panel->refused[id];
    free(refused->text);
    free(refused->why);
    free(refused->instead_of);
    *refused = (struct panel_refusal){0};
}

void panel_model_finish(struct panel_model *panel) {
    for (int id = 0; id < SETTING_COUNT; id++) {
        free(panel->shown[id]);
        panel_model_forget(panel, (enum setting_id)id);
    }
    if (panel->height_px > 0)
        view_finish(&panel->view);
}

void panel_model_toggle(struct panel_model *panel, struct active_backend *active) {
    panel->open = !panel->open;
    if (!panel->open)
        return;
    panel->statistics_of = 0; /* a closed panel does not update them */
    panel->backend_count = 0;
    const char *name;
    while (panel->backend_count < PANEL_MODEL_NAMES_MAX &&
           (name = active_backend_usable(active, (size_t)panel->backend_count)))
        panel->backends[panel->backend_count++] = name;
}

/* --- the rows from top to bottom --- */

static const char *label_of(int item) {
    return item < SETTING_COUNT ? setting_table[item].label : forms[item].label;
}

static const char *label_above(const struct setting *setting) {
    return setting->panel_after;
}

static void list_items(struct panel_model *panel) {
    size_t count = 0;
    for (int item = SETTING_COUNT; item < PANEL_ITEM_COUNT; item++)
        panel->items[count++] = item;
    panel->model.items = panel->items;
    panel->model.item_count = (int)settings_insert(panel->items, count, label_of, label_above);
}

/* --- texts --- */

static enum panel_kind kind_of(enum setting_id id) {
    const struct setting *setting = &setting_table[id];
    if (!setting->label)
        return PANEL_ABSENT;
    if (setting->kind == SETTING_KIND_PALETTE)
        return PANEL_PICTURES;
    if (setting->kind == SETTING_KIND_SWITCH)
        return PANEL_SWITCH;
    if (setting->names)
        return PANEL_CHOICE;
    return setting->slider_high > setting->slider_low ? PANEL_SLIDER : PANEL_FIELD;
}

static bool has_text(enum setting_id id) {
    return kind_of(id) == PANEL_FIELD || kind_of(id) == PANEL_SLIDER;
}

static bool show(struct panel_model *panel, const struct explorer *explorer, enum setting_id id) {
    char *text = field_shown(&explorer->scene, id, explorer->height_px);
    if (!text)
        return false;
    free(panel->shown[id]);
    panel->shown[id] = text;
    return true;
}

/* Prints the centre only if it has changed, because many digits take long to print. */
static bool show_centre(struct panel_model *panel, const struct explorer *explorer) {
    const struct view *view = &explorer->scene.view;
    if (panel->height_px == explorer->height_px && view_equal(&panel->view, view))
        return true;
    if (panel->height_px == 0)
        view_init(&panel->view);
    view_assign(&panel->view, view);
    panel->height_px = explorer->height_px;
    return show(panel, explorer, SETTING_RE) && show(panel, explorer, SETTING_IM);
}

static bool fill_texts(struct panel_model *panel, const struct explorer *explorer) {
    bool ok = show_centre(panel, explorer);
    for (int id = 0; id < SETTING_COUNT; id++) {
        const struct panel_refusal *refused = &panel->refused[id];
        if (id != SETTING_RE && id != SETTING_IM && has_text((enum setting_id)id))
            ok = show(panel, explorer, (enum setting_id)id) && ok;
        /* A rejected text is forgotten as soon as the number changes. */
        if (refused->text && panel->shown[id] && strcmp(refused->instead_of, panel->shown[id]) != 0)
            panel_model_forget(panel, (enum setting_id)id);
    }
    return ok;
}

/* --- rows --- */

static void choose(struct panel_row *row, const char *const *names, int count, int index) {
    row->names = names;
    row->index = index;
    row->count = count;
    for (int i = 0; count < 0; i++)
        if (!names[i])
            row->count = count = i;
}

static bool applies_to(enum setting_use use, const struct scene *scene) {
    return use == SETTING_OF_ALL || (use == SETTING_OF_DENSITY) == scene->orbit_density;
}

/* Returns the keys of a setting. Coordinates, zoom and angle have actions of their own, and the
 * palette's keys also change the gradient. */
static const char *keys_of(enum setting_id id) {
    enum action_kind kind = ACTION_STEP;
    if (id == SETTING_RE || id == SETTING_IM)
        kind = ACTION_SLIDE;
    else if (id == SETTING_ZOOM)
        kind = ACTION_ZOOM_MIDDLE;
    else if (id == SETTING_ANGLE)
        kind = ACTION_TURN;
    return input_keys_of(kind, id == SETTING_RAMP ? SETTING_PALETTE : id);
}

/* Returns true if the setting has no effect: it belongs to an absent Julia set, layer or light, or
 * not to maps. */
static bool is_idle(const struct scene *scene, enum setting_id id) {
    const enum layer_kind first = scene->layers[0].kind, second = scene->layers[1].kind;
    const bool map = fractal_is_map(&scene->fractal);
    switch (id) {
    case SETTING_POWER:
        return map && !map_has_power((int)scene->fractal.formula);
    case SETTING_THEN:
    case SETTING_INSIDE:
        return map;
    case SETTING_IMAGE_SIZE:
        return scene->by != BY_IMAGE;
    case SETTING_SMOOTH:
    case SETTING_MAPPING:
        return scene->by != BY_COUNT;
    case SETTING_LAYER_MODE:
    case SETTING_LAYER_STRENGTH:
        return first == LAYER_NONE;
    case SETTING_LAYER2:
        return first == LAYER_NONE && second == LAYER_NONE;
    case SETTING_LAYER2_MODE:
    case SETTING_LAYER2_STRENGTH:
        return second == LAYER_NONE;
    case SETTING_LIGHT_ANGLE:
    case SETTING_LIGHT_HEIGHT:
        return first != LAYER_LIGHT && second != LAYER_LIGHT;
    default:
        return setting_table[id].kind == SETTING_KIND_PARAMETER && !scene->fractal.julia;
    }
}

static void fill_setting(struct panel_model *panel, const struct scene *scene, enum setting_id id) {
    const struct setting *setting = &setting_table[id];
    const struct panel_refusal *refused = &panel->refused[id];
    const char *shown = panel->shown[id] ? panel->shown[id] : "";
    struct panel_row *row = &panel->model.rows[id];
    *row = (struct panel_row){
        .kind = applies_to(setting->use, scene) && !is_idle(scene, id) ? kind_of(id) : PANEL_ABSENT,
        .label = setting->label,
        .help = setting->hint,
        .keys = keys_of(id),
        .setting = id,
        .text = refused->text ? refused->text : shown,
        .problem = refused->why,
        .low = setting->slider_low,
        .high = setting->slider_high,
        .step = setting->slider_step,
    };
    if (row->kind == PANEL_SLIDER)
        row->value = setting_number(id, scene);
    else if (row->kind == PANEL_CHOICE)
        choose(row, setting->names, -1, setting_index(id, scene));
}

static void fill_row(struct panel_model *panel, const struct scene *scene, enum panel_item item) {
    const struct form *form = &forms[item];
    panel->model.rows[item] = (struct panel_row){
        .kind = applies_to(form->use, scene) ? form->kind : PANEL_ABSENT,
        .label = form->label,
        .help = form->help,
        .keys = form->action ? input_keys_of(form->action, form->setting) : NULL,
        .index = form->kind == PANEL_SECTION && !form->closed,
    };
}

static int index_of(const char *const *names, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

static void fill_palettes(struct panel_model *panel, const struct scene *scene) {
    const int count = (int)fmin((double)palette_count(), PANEL_MODEL_NAMES_MAX);
    struct panel_row *row = &panel->model.rows[SETTING_PALETTE];
    for (; panel->palette_count < count; panel->palette_count++) { /* saving adds palettes */
        const struct palette *palette = palette_at((size_t)panel->palette_count);
        panel->palettes[panel->palette_count] = palette->name;
        panel->strips[panel->palette_count] = palette->table;
    }
    choose(row, panel->palettes, count, setting_index(SETTING_PALETTE, scene));
    row->strips = panel->strips;
    row->text = scene->palette->name; /* a file's palette is not in the list */
    row->name_keys = digits;
    row->key_count = sizeof digits / sizeof *digits;
}

/* Fills the bar with the gradient in the order of its stops: without offset, and not mirrored. */
static void fill_bar(struct panel_model *panel, const struct palette *palette) {
    if (gradient_equal(&panel->edited, &palette->gradient))
        return;
    struct gradient shown = palette->gradient;
    shown.offset = 0;
    gradient_table(&shown, panel->bar);
    for (int k = COLOUR_TABLE_SIZE - 1; shown.mirrored && k >= 0; k--)
        panel->bar[k] = panel->bar[k / 2];
    panel->edited = palette->gradient;
    panel->bar_strip = panel->bar;
}

static void fill_number(struct panel_row *row, double value, double low, double high, double step) {
    row->value = value;
    row->low = low;
    row->high = high;
    row->step = step;
}

static void fill_editor(struct panel_model *panel, const struct palette *palette) {
    struct panel_row *rows = panel->model.rows;
    const struct gradient *gradient = &palette->gradient;
    fill_bar(panel, palette);
    for (int item = PANEL_STOPS; item <= PANEL_STOP_COLOUR; item++) {
        rows[item].gradient = gradient;
        rows[item].strips = &panel->bar_strip;
    }
    choose(&rows[PANEL_INTERPOLATION], interpolation_names, -1, (int)gradient->interpolation);
    rows[PANEL_MIRROR].index = gradient->mirrored;
    fill_number(&rows[PANEL_HUE], gradient->hue, -180, 180, 1);
    fill_number(&rows[PANEL_SATURATION], gradient->saturation, 0, 2, 0.01);
    fill_number(&rows[PANEL_BRIGHTNESS], gradient->brightness, 0, 2, 0.01);
    choose(&rows[PANEL_SAVE_PALETTE], palette_buttons, 2, -1);
}

static void fill_choices(struct panel_model *panel, const struct panel_model_context *context) {
    const struct scene *scene = &context->explorer->scene;
    struct panel_row *rows = panel->model.rows;
    const char *starting = active_backend_starting(context->active);
    const char *backend = starting ? starting : active_backend_info(context->active).name;
    const char *kind = scene->orbit_density ? orbits_name(&scene->orbits) : kinds[0];
    fill_palettes(panel, scene);
    fill_editor(panel, scene->palette);
    style_control_fill(context->style_control, context->explorer, context->collection,
                       &rows[PANEL_STYLE]);
    rows[PANEL_STYLE].text = "of your own";
    choose(&rows[PANEL_STYLE_DOING], style_buttons,
           style_control_deletable(context->style_control, context->explorer) ? 3 : 2, -1);
    choose(&rows[PANEL_VIEWS], view_buttons, 2, -1);
    choose(&rows[PANEL_LOCATE], locate_buttons, LOCATE_KINDS, -1);
    choose(&rows[PANEL_DEFAULTS], default_buttons, 1, -1);
    choose(&rows[PANEL_KIND], kinds, 4, index_of(kinds, 4, kind));
    choose(&rows[PANEL_BACKEND], panel->backends, panel->backend_count,
           index_of(panel->backends, panel->backend_count, backend));
    rows[SETTING_SMOOTH].index = scene->palette->smooth && !scene->banded;
    rows[SETTING_SMOOTH].disabled = !scene->palette->smooth;
    if (scene->orbits.orbits == DENSITY_BOUNDED)
        rows[SETTING_LEAST].kind = PANEL_ABSENT;
    if (scene->orbits.channels > 1)
        rows[SETTING_RAMP].kind = PANEL_ABSENT;
}

/* --- lists --- */

static void fill_recent(struct panel_model *panel, const struct recent *recent,
                        struct collection *collection) {
    struct panel_row *row = &panel->model.rows[PANEL_RECENT];
    const size_t count = recent ? recent_count(recent) : 0;
    for (size_t i = 0; i < count && i < RECENT_MAX; i++)
        panel->recent[i] = recent_label(recent, i);
    for (size_t i = 0; i < count && i < RECENT_MAX && collection->thumbnails_shown; i++)
        panel->thumbnails[i] = collection_text_texture(collection, recent_text(recent, i), false);
    row->names = panel->recent;
    row->textures = panel->thumbnails;
    row->count = count < RECENT_MAX ? (int)count : RECENT_MAX;
    if (count == 0)
        row->kind = panel->model.rows[PANEL_RECENTLY].kind = PANEL_ABSENT;
}

static void fill_movie(struct panel_model *panel, const struct panel_model_context *context) {
    static const char *const doing[][3] = {
        {"Record", "Play", "Forget"}, {"Record", "Stop playing", "Forget"}, {"Stop recording"}};
    static const char *const make[] = {"Make a movie", "Start the movie", "Stop the movie"};
    const struct panel_movie *movie = context->movie;
    struct panel_row *rows = panel->model.rows;
    rows[PANEL_PATH].text = movie->path;
    choose(&rows[PANEL_PATH_DOING], doing[movie->recording ? 2 : movie->playing],
           movie->known && !movie->recording ? 3 : 1, -1);
    choose(&rows[PANEL_MOVIE], &make[movie->making ? 2 : movie->planned], 1, -1);
    rows[PANEL_MOVIE_PROGRESS].value = movie->done;
    rows[PANEL_MOVIE_PROGRESS].text = movie->progress;
    if (!movie->making)
        rows[PANEL_MOVIE_PROGRESS].kind = PANEL_ABSENT;
    else if (context->explorer->scene.orbit_density) /* it can be stopped in Buddhabrot view */
        rows[PANEL_MOVIES].kind = PANEL_SECTION, rows[PANEL_MOVIE].kind = PANEL_BUTTONS;
}

bool panel_model_fill(struct panel_model *panel, const struct panel_model_context *context) {
    const bool ok = fill_texts(panel, context->explorer);
    panel->model.scene = &context->explorer->scene;
    if (panel->model.item_count == 0)
        list_items(panel);
    for (int id = 0; id < SETTING_COUNT; id++)
        fill_setting(panel, &context->explorer->scene, (enum setting_id)id);
    for (int item = SETTING_COUNT; item < PANEL_ITEM_COUNT; item++)
        fill_row(panel, &context->explorer->scene, (enum panel_item)item);
    fill_choices(panel, context);
    panel_fill_statistics(panel, context);
    panel_fill_saving(panel, context);
    fill_movie(panel, context);
    fill_recent(panel, context->recent, context->collection);
    panel->model.rows[PANEL_AUTO_LIMIT].index = context->explorer->auto_limit.on;
    panel->model.rows[PANEL_AUTO_FREQUENCY].index = context->explorer->auto_frequency.on;
    panel->model.rows[PANEL_ANTIALIAS].index = context->explorer->scene.pixel_samples > 1;
    panel->model.rows[PANEL_INERTIA].index = context->explorer->inertia;
    panel->model.rows[PANEL_AUTOPILOT].index = context->autopilot;
    choose(&panel->model.rows[PANEL_CHANGES], autopilot_changes_names, AUTOPILOT_CHANGES_COUNT,
           (int)context->changes);
    return ok;
}
