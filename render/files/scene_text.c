/* Scenes as the text of view files and of the comments in pictures: which settings are told, and
 * how. */
#include "render/files/scene.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_told(enum setting_id id, const struct scene *scene, const char *text) {
    const struct setting *setting = &setting_table[id];
    if (setting->use == SETTING_OF_DENSITY && !scene->orbit_density)
        return false;
    if (id == SETTING_PIXEL_SAMPLES && scene->orbit_density)
        return false;
    if (id == SETTING_SAMPLING)
        return scene->samples > 0;
    if (id == SETTING_CHANNELS)
        return scene->orbits.channels > 1;
    return setting->telling == SETTING_TOLD ||
           strcmp(text, setting->initial ? setting->initial : "0") != 0;
}

static bool write_all(FILE *file, const struct scene *scene) {
    const char *section = NULL;
    for (int id = 0; id < SETTING_COUNT; id++) {
        const struct setting *setting = &setting_table[id];
        char *text = setting_text((enum setting_id)id, scene);
        if (!text)
            return false;
        if (is_told((enum setting_id)id, scene, text)) {
            if (!section || strcmp(section, setting->section) != 0)
                fprintf(file, "%s[%s]\n", section ? "\n" : "", setting->section);
            section = setting->section;
            fprintf(file, "%s = %s\n", setting->key, text);
        }
        free(text);
    }
    return true;
}

/* Both coordinates have the same precision there: `bits` stands for the two of them. */
static bool write_scene(FILE *file, const struct scene *scene) {
    struct scene even;
    const long bits = view_bits(&scene->view);
    scene_init_copy(&even, scene);
    mpfr_prec_round(even.view.re, bits, MPFR_RNDN);
    mpfr_prec_round(even.view.im, bits, MPFR_RNDN);
    const bool ok = write_all(file, &even);
    scene_finish(&even);
    return ok;
}

char *scene_text(const struct scene *scene) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return NULL;
    const bool ok = write_scene(file, scene);
    if (fclose(file) == 0 && ok)
        return text;
    free(text);
    return NULL;
}
