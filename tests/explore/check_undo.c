/* Undo and redo of colours and settings: every setting that keys and the panel change can be
 * undone, between steps of the view, with the automatic limit and the colour frequency. */
#include "app/explore/undo/steps.h"
#include "app/hud/styles/style_control.h"
#include "tests/shared/explorers.h"

static void go_back(struct explorer *explorer, double amount) {
    apply(explorer, ACTION_UNDO, 0, 0, amount);
}

static void change(struct explorer *explorer, enum action_kind kind, enum setting_id id,
                   double amount) {
    const struct action action = {.kind = kind, .setting = id, .amount = amount};
    explorer_apply(explorer, &action);
}

static void set(struct explorer *explorer, enum setting_id id, const char *text) {
    struct setting_problem problem;
    CHECK(explorer_set(explorer, id, text, &problem));
}

/* Makes change number i. Returns false if there are no more. */
static bool make(struct explorer *explorer, int i) {
    static const enum setting_id by_key[] = {SETTING_BY,      SETTING_LAYER,   SETTING_MAPPING,
                                             SETTING_PALETTE, SETTING_FORMULA, SETTING_LIMIT};
    const int keys = (int)(sizeof by_key / sizeof *by_key);
    if (i < keys)
        change(explorer, ACTION_STEP, by_key[i], 1);
    else if (i == keys)
        apply(explorer, ACTION_SLIDE, 1, 0, 0);
    else if (i == keys + 1)
        change(explorer, ACTION_CHOOSE, SETTING_PALETTE, 5);
    else if (i == keys + 2)
        change(explorer, ACTION_CHOOSE, SETTING_LAYER_MODE, 2);
    else if (i == keys + 3)
        set(explorer, SETTING_FREQUENCY, "0.25");
    else if (i == keys + 4)
        set(explorer, SETTING_LIGHT_ANGLE, "12");
    else if (i == keys + 5)
        apply(explorer, ACTION_RANDOM_PALETTE, 0, 0, 0);
    else if (i == keys + 6)
        apply(explorer, ACTION_ANTIALIAS, 0, 0, 0);
    else if (i == keys + 7)
        apply(explorer, ACTION_AUTO_LIMIT, 0, 0, 0);
    else if (i == keys + 8)
        apply(explorer, ACTION_AUTO_FREQUENCY, 0, 0, 0);
    else
        return false;
    return true;
}

#define STATES_MAX 32

/* Makes every change, undoes all changes in turn and redoes them. Checks that every state is
 * exactly the same again. */
static void check_every_change(void) {
    char *states[STATES_MAX];
    bool limits[STATES_MAX], colours[STATES_MAX];
    int count = 0;
    EXPLORER(explorer, "3");
    do {
        states[count] = scene_text(&explorer.scene);
        limits[count] = explorer.auto_limit.on;
        colours[count] = explorer.auto_frequency.on;
        count++;
        explorer_advance(&explorer, 16);
    } while (make(&explorer, count - 1));
    for (int i = 1; i < count; i++)
        CHECK(strcmp(states[i], states[i - 1]) != 0 || limits[i] != limits[i - 1] ||
              colours[i] != colours[i - 1]);
    for (int turn = 0; turn < 2 * (count - 1); turn++) {
        const bool back = turn < count - 1;
        const int at = back ? count - 2 - turn : turn - count + 2;
        go_back(&explorer, back ? 1 : -1);
        char *text = scene_text(&explorer.scene);
        CHECK(strcmp(text, states[at]) == 0);
        CHECK(explorer.auto_limit.on == limits[at] && explorer.auto_frequency.on == colours[at]);
        free(text);
    }
    for (int i = 0; i < count; i++)
        free(states[i]);
}

static bool undoable(const struct explorer *explorer) {
    return !explorer_refusal(explorer, &(struct action){.kind = ACTION_UNDO, .amount = 1});
}

/* Checks joined steps: dragging a slider is one step, and so is a held key; after a pause a new
 * step begins. Every choice is a step of its own. Choosing the current value is no step. */
static void check_joined(void) {
    char text[16];
    EXPLORER(explorer, "3");
    change(&explorer, ACTION_CHOOSE, SETTING_PALETTE, 0);
    set(&explorer, SETTING_LAYER_MODE, "overlay");
    CHECK(!undoable(&explorer));
    for (int i = 1; i < 9; i++) {
        snprintf(text, sizeof text, "0.%d", i);
        set(&explorer, SETTING_FREQUENCY, text);
        explorer_advance(&explorer, 100);
    }
    for (int i = 0; i < 20; i++)
        explorer_advance(&explorer, 100);
    set(&explorer, SETTING_FREQUENCY, "2");
    go_back(&explorer, 1);
    CHECK(explorer.scene.frequency == 0.8);
    go_back(&explorer, 1);
    CHECK(explorer.scene.frequency == 1 && !undoable(&explorer));
    for (int i = 0; i < 3; i++)
        change(&explorer, ACTION_STEP, SETTING_LIMIT, 1);
    for (int i = 0; i < 2; i++)
        change(&explorer, ACTION_STEP, SETTING_BY, 1);
    go_back(&explorer, 1);
    CHECK(explorer.scene.by == BY_DISTANCE);
    go_back(&explorer, 1);
    CHECK(explorer.scene.by == BY_COUNT && explorer.scene.limit > 2000);
    go_back(&explorer, 1);
    CHECK(explorer.scene.limit == 1000 && !undoable(&explorer));
}

/* Checks that automatic changes are no step, although they change numbers after the last step. */
static void check_automatic(void) {
    EXPLORER(explorer, "3");
    apply(&explorer, ACTION_AUTO_LIMIT, 0, 0, 0);
    apply(&explorer, ACTION_AUTO_FREQUENCY, 0, 0, 0);
    apply(&explorer, ACTION_ZOOM, WIDTH / 2.0, HEIGHT / 2.0, 1);
    apply(&explorer, ACTION_LET_GO, 0, 0, 0);
    for (int i = 0; i < 100; i++)
        explorer_advance(&explorer, 16);
    apply(&explorer, ACTION_UNDO, 0, 0, 1);
    apply(&explorer, ACTION_UNDO, 0, 0, -1);
    explorer.scene.limit = 12345; /* as an automatic limit does */
    explorer.scene.frequency = 0.5;
    change(&explorer, ACTION_CHOOSE, SETTING_PALETTE, 0);
    go_back(&explorer, 1);
    char *zoom = view_number_text(explorer.scene.view.zoom, 0);
    CHECK(strcmp(zoom, "3") == 0);
    free(zoom);
}

/* Lets colours adapt to a picture with equally many of each count, until they rest. */
static void see(struct explorer *explorer, uint32_t least, size_t counts) {
    uint32_t count[AUTO_FREQUENCY_SIDE * AUTO_FREQUENCY_SIDE];
    for (size_t i = 0; i < counts; i++)
        count[i] = least + (uint32_t)i;
    const struct glimpse glimpse = {count, counts, counts};
    explorer_learn(explorer, &(struct findings){.glimpse = &glimpse});
    for (int i = 0; i < 200; i++)
        explorer_advance(explorer, 16);
}

static void see_home(struct explorer *explorer) {
    see(explorer, 1, 60);
}

static void see_deep(struct explorer *explorer) {
    see(explorer, 30000, 4000);
}

static void turn_colours(struct explorer *explorer, double turns) {
    char text[40];
    snprintf(text, sizeof text, "%.4f", fmod(explorer->scene.offset + turns, 1));
    set(explorer, SETTING_OFFSET, text);
}

static bool has_offset(const struct explorer *explorer, double offset) {
    return fabs(explorer->scene.offset - offset) < 1e-9;
}

/* Checks that setting an offset by hand is a step of the history while colours adapt. Undo restores
 * the colours of the place without the offset, even if the colours have adapted since. */
static void check_offset(void) {
    EXPLORER(explorer, "3");
    set(&explorer, SETTING_OFFSET, "0.25");
    apply(&explorer, ACTION_AUTO_FREQUENCY, 0, 0, 0);
    see_home(&explorer);
    CHECK(has_offset(&explorer, 0.25) && explorer.scene.frequency == 1);
    see_deep(&explorer);
    const double deep = explorer.scene.offset;
    CHECK(!has_offset(&explorer, 0.25) && explorer.scene.frequency < 0.5);
    see_home(&explorer);
    turn_colours(&explorer, 0.25);
    see_home(&explorer);
    CHECK(has_offset(&explorer, 0.5));
    apply(&explorer, ACTION_ZOOM, WIDTH / 2.0, HEIGHT / 2.0, 1);
    apply(&explorer, ACTION_LET_GO, 0, 0, 0);
    see_deep(&explorer);
    CHECK(has_offset(&explorer, fmod(deep + 0.25, 1)));
    turn_colours(&explorer, 0.125);
    see_deep(&explorer);
    CHECK(has_offset(&explorer, fmod(deep + 0.375, 1)));
    go_back(&explorer, 1);
    CHECK(has_offset(&explorer, fmod(deep + 0.25, 1)));
    see_deep(&explorer);
    CHECK(has_offset(&explorer, fmod(deep + 0.25, 1)));
    go_back(&explorer, 1); /* undoes the zoom */
    see_home(&explorer);
    CHECK(has_offset(&explorer, 0.5));
    go_back(&explorer, 1);
    CHECK(has_offset(&explorer, 0.25));
    see_home(&explorer);
    CHECK(has_offset(&explorer, 0.25) && explorer.auto_frequency.on);
    for (int i = 0; i < 3; i++)
        go_back(&explorer, -1);
    see_deep(&explorer);
    CHECK(has_offset(&explorer, fmod(deep + 0.375, 1)));
    for (int i = 0; i < 5; i++)
        go_back(&explorer, 1);
    CHECK(!undoable(&explorer) && has_offset(&explorer, 0) && !explorer.auto_frequency.on);
}

static const struct trap_image *image_at(const char *path) {
    bool unanswered;
    return trap_image_get(path, &unanswered);
}

/* Checks that an image that is loaded later is stored in all steps, and is no step itself. */
static void check_image(void) {
    struct explorer explorer;
    start(&explorer, "3");
    FILE *file = fopen("undo.ppm", "wb");
    CHECK(file && fputs("P6 1 1 255\nabc", file) >= 0 && fclose(file) == 0);
    trap_image_defer(true);
    trap_image_replace(&explorer.scene.image, image_at("undo.ppm"));
    trap_image_defer(false);
    const struct trap_image *awaited = explorer.scene.image, *image = image_at("undo.ppm");
    CHECK(awaited->awaited && !image->awaited);
    change(&explorer, ACTION_STEP, SETTING_LAYER, 1);
    steps_put_image(&explorer, "other.ppm", image);
    CHECK(explorer.scene.image == awaited);
    explorer.changed = false;
    steps_put_image(&explorer, awaited->path, image);
    CHECK(explorer.scene.image == image && explorer.changed);
    go_back(&explorer, 1);
    CHECK(explorer.scene.image == image && !undoable(&explorer));
    explorer_finish(&explorer);
    trap_image_unref(image);
    CHECK(trap_image_count() == 0 && remove("undo.ppm") == 0);
}

/* Checks steps that lead nowhere: a turn and its reverse, and undone steps. Nothing may be freed
 * twice. */
static void check_nothing(void) {
    EXPLORER(explorer, "3");
    for (int i = 0; i < 6; i++) {
        apply(&explorer, ACTION_TURN, 0, 0, i % 2 ? -360 : 360);
        apply(&explorer, ACTION_LET_GO, 0, 0, 0);
    }
    for (int i = 0; i < 40; i++) {
        apply(&explorer, ACTION_UNDO, 0, 0, i % 7 < 4 ? 1 : -1);
        apply(&explorer, ACTION_TURN, 0, 0, i % 3 ? 0 : 5);
        apply(&explorer, ACTION_TURN, 0, 0, i % 3 ? 0 : -5);
        apply(&explorer, ACTION_LET_GO, 0, 0, 0);
    }
}

/* Checks that colours that adapted while adaptation was on do not replace the colours from
 * before. */
static void check_adapted(void) {
    EXPLORER(explorer, "3");
    if (explorer.auto_frequency.on)
        apply(&explorer, ACTION_AUTO_FREQUENCY, 0, 0, 0);
    set(&explorer, SETTING_FREQUENCY, "0.25");
    apply(&explorer, ACTION_AUTO_FREQUENCY, 0, 0, 0);
    explorer.scene.frequency = 0.7; /* as adaptation does */
    go_back(&explorer, 1);
    CHECK(!explorer.auto_frequency.on && explorer.scene.frequency == 0.25);
    go_back(&explorer, -1);
    CHECK(explorer.auto_frequency.on && explorer.scene.frequency == 0.7);
}

/* Checks that a style is one step of the history, after which colours follow the picture. A
 * surprise is any style except the plain style of a new scene. */
static void check_styles(void) {
    struct style_control control = {.surprises = 0};
    struct messages messages = {.count = 0};
    size_t seen[STYLES_MAX] = {0};
    unsigned angles = 0; /* a bit for each twelfth of a turn from which light came */
    EXPLORER(explorer, "3");
    if (explorer.auto_frequency.on)
        apply(&explorer, ACTION_AUTO_FREQUENCY, 0, 0, 0);
    style_control_next(&control, &explorer, 1, &messages);
    const struct styles *styles = &control.styles;
    CHECK(styles_find_look(styles, &explorer.scene) == 1 && explorer.auto_frequency.on);
    go_back(&explorer, 1);
    CHECK(styles_find_look(styles, &explorer.scene) == 0 && !explorer.auto_frequency.on);
    style_control_next(&control, &explorer, -1, &messages);
    CHECK(styles_find_look(styles, &explorer.scene) == styles->count - 1);
    for (int i = 0; i < 200; i++) {
        style_control_random(&control, &explorer, &messages);
        CHECK(explorer.scene.light_angle >= 0 && explorer.scene.light_angle < 360);
        angles |= 1u << (int)(explorer.scene.light_angle / 30);
        for (size_t k = 0; k < styles->count; k++) {
            char text[100];
            snprintf(text, sizeof text, "surprise: %s, ", styles->list[k].name);
            seen[k] += strncmp(messages.list[messages.count - 1].text, text, strlen(text)) == 0;
        }
    }
    for (size_t k = 0; k < styles->count; k++)
        CHECK((seen[k] > 0) == (k > 0));
    CHECK(angles == (1u << 12) - 1);
    style_control_finish(&control);
}

/* Checks that a palette counts as chosen exactly while its step is not undone. */
static void check_chosen(void) {
    EXPLORER(explorer, "3");
    CHECK(!steps_chosen_palette(&explorer));
    change(&explorer, ACTION_STEP, SETTING_PALETTE, 1);
    CHECK(steps_chosen_palette(&explorer) == explorer.scene.palette);
    go_back(&explorer, 1);
    CHECK(!steps_chosen_palette(&explorer));
    go_back(&explorer, -1);
    CHECK(steps_chosen_palette(&explorer) == explorer.scene.palette);
}

/* --- the steps alone --- */

/* Checks that the next change drops undone steps and frees their memory. A change of the same kind
 * right after a redo is a separate step. */
static void check_steps(void) {
    enum { KIND = 5, BITS = 1 << 23, TURNS = HISTORY_BYTES_MAX / (BITS / 4) + 9 };
    struct history history = {0};
    struct history_state state = {.auto_limit = false}, other = {.auto_limit = true};
    scene_init(&state.scene);
    mpfr_set_prec(state.scene.view.re, BITS);
    mpfr_set_prec(state.scene.view.im, BITS);
    mpfr_set_ui(state.scene.view.re, 0, MPFR_RNDN);
    mpfr_set_ui(state.scene.view.im, 0, MPFR_RNDN);
    scene_init(&other.scene);
    for (int i = 0; i < TURNS; i++) {
        history_add(&history, &state, 0, 0);
        other.auto_limit = true;
        CHECK(history_undo(&history, &other) && history.at == 0 && history.count == 1);
    }
    for (int i = 0; i < 3; i++)
        history_add(&history, &state, 0, 0);
    CHECK(history.count == 3 && history.at == 3 && !history_redo(&history, &other));
    history_finish(&history);
    history_add(&history, &state, KIND, 0);
    other.auto_limit = true;
    CHECK(history_undo(&history, &other) && history_redo(&history, &other));
    history_add(&history, &state, KIND, 1);
    CHECK(history.count == 2);
    history_add(&history, &state, KIND, 2);
    CHECK(history.count == 2);
    history_finish(&history);
    scene_finish(&state.scene);
    scene_finish(&other.scene);
}

int main(void) {
    check_steps();
    check_adapted();
    check_styles();
    check_chosen();
    check_nothing();
    check_every_change();
    check_joined();
    check_automatic();
    check_image();
    check_offset();
    return failures > 0;
}
