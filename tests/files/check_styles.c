/* Styles: the built-in ones, the settings that belong to a style, saving and deleting, and invalid
 * files. */
#include "render/base/log.h"
#include "render/style/style.h"
#include "tests/shared/check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Checks that all styles load without a message and differ; the first is a new scene's. */
static void check_builtin(void) {
    struct styles styles = {0};
    char said[256] = "";
    unsigned warnings = 0;
    log_listen_to_warnings(said, sizeof said, &warnings);
    CHECK(styles_load(&styles));
    log_listen(NULL, 0);
    CHECK(*said == '\0' && warnings == 0);
    CHECK(styles.count >= 12);
    SCOPED(scene, scene);
    CHECK(styles_find_look(&styles, &scene) == 0 && strcmp(styles.list[0].name, "plain") == 0);
    for (size_t i = 0; i < styles.count; i++) {
        style_copy_look(&scene, &styles.list[i].scene);
        CHECK(styles_find_look(&styles, &scene) == i && !styles.list[i].own);
        CHECK(styles_find(&styles, styles.list[i].name) == &styles.list[i]);
    }
    CHECK(styles_find(&styles, "MARBLE") && !styles_find(&styles, "marbl"));
    CHECK(!styles_delete(&styles, 3)); /* it is built in */
    styles_finish(&styles);
}

/* Checks that a style sets all colour settings, and nothing else, by comparing texts. */
static void check_wear(void) {
    static const char view[] = "[view]\nre = -0.1\nzoom = 1e30\n[fractal]\nformula = tricorn\n"
                               "iterations = 777\n[picture]\nsamples = 4\n";
    static const char colours[] =
        "[colour]\npalette = ember\nfrequency = 0.3\noffset = 0.25\nsmooth = no\nmapping = log\n"
        "by = stripes\nimage_size = 0.75\ninterior = period\nlayer = light\nlayer_mode = screen\n"
        "layer_strength = 0.5\nlayer2 = field\nlayer2_mode = alpha\nlayer2_strength = 0.25\n"
        "light_angle = 12\nlight_height = 34\n";
    char both[2000];
    snprintf(both, sizeof both, "%s%s", view, colours);
    SCOPED(scene, scene);
    SCOPED(scene, look);
    SCOPED(scene, expected);
    CHECK(scene_parse(&scene, "view", view, strlen(view)));
    CHECK(scene_parse(&look, "look", colours, strlen(colours)));
    CHECK(scene_parse(&expected, "both", both, strlen(both)));
    style_copy_look(&scene, &look);
    char *a = scene_text(&scene), *b = scene_text(&expected);
    CHECK(a && b && strcmp(a, b) == 0);
    free(a);
    free(b);
}

/* Checks that a scene no longer has a style once a setting of the style differs. Settings that the
 * style lacks, and settings that follow the picture, do not count. */
static void check_worn(void) {
    static const struct {
        enum setting_id id;
        const char *text;
        bool worn;
    } changes[] = {
        {SETTING_PALETTE, "ember", false},
        {SETTING_SMOOTH, "no", false},
        {SETTING_MAPPING, "sqrt", false},
        {SETTING_BY, "angle", false},
        {SETTING_INSIDE, "period", false},
        {SETTING_LAYER, "field", false},
        {SETTING_LAYER_MODE, "screen", false},
        {SETTING_LAYER_STRENGTH, "0.25", false},
        {SETTING_LAYER2, "field", false},
        {SETTING_LAYER2_MODE, "screen", true},
        {SETTING_LAYER2_STRENGTH, "0.25", true},
        {SETTING_LIGHT_ANGLE, "12", false},
        {SETTING_LIGHT_HEIGHT, "34", false},
        {SETTING_FREQUENCY, "0.3", true},
        {SETTING_OFFSET, "0.25", true},
        {SETTING_IMAGE_SIZE, "0.75", true},
        {SETTING_ZOOM, "20", true},
    };
    struct styles styles = {0};
    CHECK(styles_load(&styles));
    const struct style *style = styles_find(&styles, "marble"); /* a style with a light */
    for (size_t i = 0; style && i < sizeof changes / sizeof *changes; i++) {
        struct setting_problem problem;
        SCOPED(scene, scene);
        style_copy_look(&scene, &style->scene);
        CHECK(setting_parse(changes[i].id, &scene, changes[i].text, &problem));
        const size_t worn = styles_find_look(&styles, &scene), own = (size_t)(style - styles.list);
        if ((worn == own) != changes[i].worn)
            printf("with %s it is%s worn\n", changes[i].text, worn == own ? "" : " not");
        CHECK((worn == own) == changes[i].worn);
    }
    CHECK(style);
    styles_finish(&styles);
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* Checks that styles are saved under free names, read again unchanged, and gone when deleted. */
static void check_saved(void) {
    struct styles styles = {0};
    SCOPED(scene, scene);
    CHECK(styles_load(&styles));
    const size_t builtin = styles.count;
    scene.by = BY_TRIANGLE;
    scene.light_angle = 77;
    const struct style *saved = styles_save(&styles, &scene);
    CHECK(saved && saved->own && strcmp(saved->name, "style-1") == 0);
    scene.by = BY_ANGLE;
    saved = styles_save(&styles, &scene);
    CHECK(saved && strcmp(saved->name, "style-2") == 0 && styles.count == builtin + 2);
    CHECK(styles_load(&styles) && styles.count == builtin + 2);
    CHECK(styles_find_look(&styles, &scene) == builtin + 1);
    CHECK(styles_delete(&styles, builtin) && styles.count == builtin + 1);
    CHECK(styles_find_look(&styles, &scene) == builtin);
    CHECK(access("styles/fathom/styles/style-1.style", F_OK) != 0 &&
          access("styles/fathom/styles/style-2.style", F_OK) == 0);

    /* An invalid file of that name is not overwritten. */
    write_file("styles/fathom/styles/style-1.style", "not a style\n");
    saved = styles_save(&styles, &scene);
    CHECK(saved && strcmp(saved->name, "style-3") == 0);
    CHECK(styles_delete(&styles, builtin + 1));
    CHECK(unlink("styles/fathom/styles/style-1.style") == 0);

    /* An invalid file is ignored with one message, and so is a name that exists; the rest stays. */
    char said[512] = "";
    unsigned warnings = 0;
    write_file("styles/fathom/styles/broken.style", "not a style\n");
    write_file("styles/fathom/styles/Marble.style", "[colour]\nby = angle\n");
    write_file("styles/fathom/styles/.style", "[colour]\nby = angle\n");
    write_file("styles/fathom/styles/12-mine.style", "[colour]\nby = angle\nmapping = sqrt\n");
    log_listen_to_warnings(said, sizeof said, &warnings);
    CHECK(styles_load(&styles));
    log_listen(NULL, 0);
    CHECK(styles.count == builtin + 2 && styles_find(&styles, "mine"));

    CHECK(style_apply(&scene, "mine") && scene.mapping == MAPPING_SQRT);
    CHECK(style_apply(&scene, "styles/fathom/styles/style-2.style") &&
          scene.mapping == MAPPING_LINEAR);
    CHECK(!style_apply(&scene, "nothing") && !style_apply(&scene, "absent.style"));
    CHECK_REFUSED(style_apply(&scene, "styles/fathom/styles/broken.style"), "not a style");
    char *file = style_file("style-2");
    CHECK(file && strstr(file, "/fathom/styles/style-2.style"));
    free(file);

    /* Files are found with any number in front, and with their ending in any case. */
    static const char *const names[] = {"mine", "loud"}, *const files[] = {"12-mine.style",
                                                                           "Loud.STYLE"};
    write_file("styles/fathom/styles/Loud.STYLE", "[colour]\nby = angle\nmapping = log\n");
    CHECK(styles_load(&styles));
    for (int i = 0; i < 2; i++) {
        const struct style *own = styles_find(&styles, names[i]);
        file = style_file(names[i]);
        CHECK(own && strstr(file, files[i]) && access(file, F_OK) == 0);
        CHECK(own && styles_delete(&styles, (size_t)(own - styles.list)));
        CHECK(!styles_find(&styles, names[i]) && access(file, F_OK) != 0);
        free(file);
    }
    styles_finish(&styles);
}

int main(void) {
    char folder[4096];
    CHECK(system("rm -rf styles && mkdir styles") == 0);
    CHECK(getcwd(folder, sizeof folder - 8) != NULL);
    strcat(folder, "/styles");
    setenv("XDG_DATA_HOME", folder, 1);
    check_builtin();
    check_wear();
    check_worn();
    check_saved();
    return failures > 0;
}
