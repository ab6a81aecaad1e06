/* Table of settings: properties of every row, for texts from every source. */
#include "app/explore/field_text.h"
#include "app/options/options.h"
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

/* Reads a view file with only this setting. */
static bool read_file(enum setting_id id, struct scene *scene, const char *text) {
    const struct setting *setting = &setting_table[id];
    char file[4096];
    const int length =
        snprintf(file, sizeof file, "[%s]\n%s = %s\n", setting->section, setting->key, text);
    return scene_parse(scene, "T", file, (size_t)length);
}

/* Reads a command line with only this option; returns true if there is no such option. */
static bool read_option(enum setting_id id, struct scene *scene, const char *text) {
    const struct setting *setting = &setting_table[id];
    char word[4096];
    char *argv[] = {"fathom", setting->use == SETTING_OF_DENSITY ? "density" : "render", word,
                    NULL};
    struct options options;
    if (!setting->option)
        return setting_parse(id, scene, text, &(struct setting_problem){.joint = NULL});
    snprintf(word, sizeof word, "--%s=%s", setting->option, text);
    const bool ok = options_parse(&options, 3, argv) && options_store_setting(&options, id, scene);
    options_finish(&options);
    return ok;
}

static bool is_field(enum setting_id id) {
    const struct setting *setting = &setting_table[id];
    return setting->label && !setting->names && setting->kind != SETTING_KIND_PALETTE;
}

/* Sets the panel's field; returns true if there is none. */
static bool read_field(enum setting_id id, struct scene *scene, const char *text) {
    struct setting_problem problem;
    return !is_field(id) || field_set(scene, id, text, &problem);
}

/* Returns true if an unset value has no text. */
static bool is_zero(enum setting_id id) {
    return !setting_table[id].initial && setting_table[id].kind == SETTING_KIND_WHOLE;
}

static void check_row(enum setting_id id) {
    const struct setting *setting = &setting_table[id];
    CHECK(setting->section && setting->key && setting_find(setting->section, setting->key) == id);
    CHECK(!setting->former || setting_find(setting->section, setting->former) == id);
    CHECK(!setting->option || (setting->argument && setting->help));
    CHECK(!setting->label == !setting->hint);
    CHECK(setting->slider_low <= setting->slider_high);
    CHECK(setting->kind != SETTING_KIND_NUMBER || setting->slider_low >= setting->low);
    CHECK(setting->kind != SETTING_KIND_NUMBER || setting->slider_high <= setting->high);
    CHECK((setting->kind == SETTING_KIND_CHOICE || setting->kind == SETTING_KIND_SWITCH) ==
          (setting->names != NULL));
}

static void check_text(enum setting_id id, const struct scene *scene, const char *text) {
    char *now = text_of(id, scene);
    if (strcmp(now, text) != 0) {
        printf("%s is '%s', not '%s'\n", setting_table[id].key, now, text);
        failures++;
    }
    free(now);
}

/* Checks that the default is valid, and the same from every source. */
static void check_default(enum setting_id id) {
    struct setting_problem problem;
    SCOPED(scene, scene);
    char *text = text_of(id, &scene);
    CHECK(is_zero(id) || setting_parse(id, &scene, text, &problem));
    check_text(id, &scene, text);
    CHECK(is_zero(id) || read_file(id, &scene, text));
    check_text(id, &scene, text);
    CHECK(is_zero(id) || read_option(id, &scene, text));
    check_text(id, &scene, text);
    char *field = field_exact(&scene, id);
    CHECK(field && read_field(id, &scene, field));
    setting_reset(id, &scene);
    check_text(id, &scene, text);
    free(field);
    free(text);
}

/* Checks that every step leads to another valid value, which its text restores. */
static void check_steps(enum setting_id id) {
    SCOPED(scene, scene);
    SCOPED(scene, again);
    for (int i = -100; i < 100; i++) {
        setting_step(id, &scene, i < 0 ? -1 : 1);
        char *text = text_of(id, &scene);
        CHECK(is_zero(id) || read_option(id, &again, text));
        check_text(id, &again, is_zero(id) ? "0" : text);
        CHECK(is_zero(id) || read_file(id, &again, text));
        check_text(id, &again, is_zero(id) ? "0" : text);
        again.limit = again.orbits.limit[0] = scene.limit;
        CHECK(id == SETTING_LEAST || read_field(id, &again, text));
        check_text(id, &again, is_zero(id) ? "0" : text);
        free(text);
    }
}

/* Checks that choices wrap around, in both directions. */
static void check_round(enum setting_id id) {
    const int count = setting_choices(id);
    SCOPED(scene, scene);
    for (int i = 0; i < count; i++)
        for (int way = -1; way <= 1; way += 2) {
            CHECK(setting_choose(id, &scene, i));
            setting_step(id, &scene, way);
            CHECK(setting_index(id, &scene) == (i + way + count) % count);
        }
}

/* Checks that a value is refused for the same reason in a view file, on the command line and in the
 * panel, and changes nothing. */
static void check_refused(enum setting_id id, const char *text) {
    struct setting_problem problem;
    char line[SETTING_WHY_SIZE + 100], clamped[SETTING_CLAMPED_SIZE];
    SCOPED(scene, scene);
    SCOPED(scene, before);
    problem.why[0] = '\0';
    problem.joint = "";
    const bool ok = setting_parse(id, &scene, text, &problem);
    char *now = text_of(id, &scene), *then = text_of(id, &before);
    CHECK(ok || strcmp(now, then) == 0);
    snprintf(line, sizeof line, " %s%s '%s", problem.why, problem.joint, text);
    if (!ok && setting_table[id].option && !setting_clamps(id, text, clamped))
        CHECK_REFUSED(read_option(id, &scene, text), line);
    snprintf(line, sizeof line, "T:2: %s %s%s '%s", setting_table[id].key, problem.why,
             problem.joint, text);
    /* Warn about missing files. */
    const bool warns = id == SETTING_PALETTE || id == SETTING_IMAGE;
    if (!ok && !warns && !setting_clamps(id, text, clamped))
        CHECK_REFUSED(read_file(id, &scene, text), line);
    struct setting_problem of_field = {.why = ""};
    if (!ok && is_field(id) && id != SETTING_LEAST && *text)
        CHECK(!field_set(&scene, id, text, &of_field) && strcmp(of_field.why, problem.why) == 0);
    if (!ok)
        check_text(id, &scene, then);
    free(now);
    free(then);
}

/* Checks that the manual describes every key of view files. */
static void check_manual(void) {
    static char manual[1 << 18];
    char path[4096], key[64];
    snprintf(path, sizeof path, "%s/docs/manual.md", getenv("FATHOM_SOURCE"));
    FILE *file = fopen(path, "r");
    CHECK(file && fread(manual, 1, sizeof manual - 1, file) > 1000);
    for (int id = 0; id < SETTING_COUNT; id++) {
        snprintf(key, sizeof key, "`%s`", setting_table[id].key);
        if (!strstr(manual, key)) {
            printf("the manual does not tell of %s\n", key);
            failures++;
        }
    }
    if (file)
        fclose(file);
}

int main(void) {
    check_manual();
    for (int id = 0; id < SETTING_COUNT; id++) {
        check_row((enum setting_id)id);
        check_default((enum setting_id)id);
        check_steps((enum setting_id)id);
        check_round((enum setting_id)id);
        for (size_t i = 0; i < sizeof wrong_texts / sizeof *wrong_texts; i++)
            check_refused((enum setting_id)id, wrong_texts[i]);
    }
    CHECK(setting_find("orbits", "iterations") == SETTING_COUNT);
    printf("%d failures\n", failures);
    return failures != 0;
}
