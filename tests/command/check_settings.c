/* The table of settings: what is true of every row, wherever its texts come from. */
#include "render/files/scene.h"
#include "tests/shared/check.h"

static const char *const wrong_texts[] = {"",      "fish",  "-1e300",
                                          "1e300", "0.5.5", "18446744073709551616"};

static char *text_of(enum setting_id id, const struct scene *scene) {
    char *text = setting_text(id, scene);
    if (!text)
        exit(1);
    return text;
}

/* A view file that says nothing but this. */
static bool read_file(enum setting_id id, struct scene *scene, const char *text) {
    const struct setting *setting = &setting_table[id];
    char file[4096];
    const int length =
        snprintf(file, sizeof file, "[%s]\n%s = %s\n", setting->section, setting->key, text);
    return scene_parse(scene, "T", file, (size_t)length);
}

/* What is not said has no text of its own. */
static bool is_zero(enum setting_id id) {
    return !setting_table[id].initial && setting_table[id].kind == SETTING_KIND_WHOLE;
}

static void check_row(enum setting_id id) {
    const struct setting *setting = &setting_table[id];
    CHECK(setting->section && setting->key && setting_find(setting->section, setting->key) == id);
    CHECK(!setting->option || (setting->argument && setting->help));
    CHECK(!setting->label == !setting->hint);
    CHECK(setting->slider_low <= setting->slider_high);
    CHECK(setting->kind != SETTING_KIND_NUMBER || setting->slider_low >= setting->low);
    CHECK(setting->kind != SETTING_KIND_NUMBER || setting->slider_high <= setting->high);
    CHECK((setting->kind == SETTING_KIND_CHOICE || setting->kind == SETTING_KIND_SWITCH) ==
          (setting->names != NULL));
}

/* The default is a value that can be, and is the same wherever it comes from. */
static void check_default(enum setting_id id) {
    struct scene scene, read;
    struct setting_problem problem;
    scene_init(&scene);
    scene_init(&read);
    char *text = text_of(id, &scene);
    CHECK(is_zero(id) || setting_parse(id, &scene, text, &problem));
    CHECK(is_zero(id) || read_file(id, &read, text));
    char *parsed = text_of(id, &scene), *of_file = text_of(id, &read);
    CHECK(strcmp(text, parsed) == 0 && strcmp(text, of_file) == 0);
    setting_reset(id, &scene);
    char *reset = text_of(id, &scene);
    CHECK(strcmp(text, reset) == 0);
    free(text);
    free(parsed);
    free(of_file);
    free(reset);
    scene_finish(&scene);
    scene_finish(&read);
}

/* Every step leads to another value that can be, and that comes back from its text. */
static void check_steps(enum setting_id id) {
    struct scene scene, again;
    struct setting_problem problem;
    scene_init(&scene);
    scene_init(&again);
    for (int i = -300; i < 300; i++) {
        setting_step(id, &scene, i < 0 ? -1 : 1);
        char *text = text_of(id, &scene);
        CHECK(is_zero(id) || setting_parse(id, &again, text, &problem));
        char *back = text_of(id, &again);
        CHECK(is_zero(id) || strcmp(text, back) == 0);
        free(text);
        free(back);
    }
    scene_finish(&scene);
    scene_finish(&again);
}

/* What is refused is so for the same reason in a view file, and changes nothing. */
static void check_refused(enum setting_id id, const char *text) {
    struct scene scene, before;
    struct setting_problem problem;
    char line[SETTING_WHY_SIZE + 100], clamped[SETTING_CLAMPED_SIZE];
    scene_init(&scene);
    scene_init(&before);
    const bool ok = setting_parse(id, &scene, text, &problem);
    char *now = text_of(id, &scene), *then = text_of(id, &before);
    CHECK(ok || strcmp(now, then) == 0);
    snprintf(line, sizeof line, "T:2: %s %s%s '%s", setting_table[id].key, problem.why,
             problem.joint, text);
    if (!ok && id != SETTING_PALETTE && !setting_clamps(id, text, clamped))
        CHECK_REFUSED(read_file(id, &scene, text), line);
    free(now);
    free(then);
    scene_finish(&scene);
    scene_finish(&before);
}

int main(void) {
    for (int id = 0; id < SETTING_COUNT; id++) {
        check_row((enum setting_id)id);
        check_default((enum setting_id)id);
        check_steps((enum setting_id)id);
        for (size_t i = 0; i < sizeof wrong_texts / sizeof *wrong_texts; i++)
            check_refused((enum setting_id)id, wrong_texts[i]);
    }
    CHECK(setting_find("orbits", "iterations") == SETTING_COUNT);
    printf("%d failures\n", failures);
    return failures != 0;
}
