/* Styles: reads, lists, saves and deletes them, and applies them to scenes. */
#include "render/style/style.h"
#include "render/base/atomic_file.h"
#include "render/base/embedded.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/suggest.h"
#include "render/base/user_data.h"
#include "render/files/location.h"
#include "render/light/ranks.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENDING    ".style"
#define SAVES_MAX 1000 /* file names that are tried for a new style */
#define PATH_SIZE 4096

/* --- looks --- */

void style_copy_look(struct scene *scene, const struct scene *look) {
    palette_replace(&scene->palette, palette_ref(look->palette));
    scene->frequency = look->frequency;
    scene->offset = look->offset;
    scene->banded = look->banded;
    scene->mapping = look->mapping;
    ranks_init(&scene->ranks); /* the ranks belong to the other picture */
    scene->by = look->by;
    trap_image_replace(&scene->image, trap_image_ref(look->image));
    scene->image_size = look->image_size;
    scene->inside = look->inside;
    memcpy(scene->layers, look->layers, sizeof scene->layers);
    scene->light_angle = look->light_angle;
    scene->light_height = look->light_height;
    scene->tuned = false; /* no longer applies to the new colours */
}

static bool same_layer(const struct scene_layer *a, const struct scene_layer *b) {
    return a->kind == b->kind &&
           (a->kind == LAYER_NONE || (a->mode == b->mode && a->strength == b->strength));
}

static bool has_light(const struct scene *scene) {
    return scene->layers[0].kind == LAYER_LIGHT || scene->layers[1].kind == LAYER_LIGHT;
}

static bool same_look(const struct scene *a, const struct scene *b) {
    return a->palette == b->palette && a->banded == b->banded && a->mapping == b->mapping &&
           a->by == b->by && a->inside == b->inside &&
           (a->by != BY_IMAGE || (a->image == b->image && a->image_size == b->image_size)) &&
           same_layer(&a->layers[0], &b->layers[0]) && same_layer(&a->layers[1], &b->layers[1]) &&
           (!has_light(a) ||
            (a->light_angle == b->light_angle && a->light_height == b->light_height));
}

size_t styles_find_look(const struct styles *styles, const struct scene *scene) {
    size_t i = 0;
    while (i < styles->count && !same_look(&styles->list[i].scene, scene))
        i++;
    return i;
}

static const struct layer_suit {
    enum layer_mode mode;
    double strength;
} most_suit = {LAYER_OVERLAY, 0.8}, light_suits = {LAYER_MULTIPLY, 0.85};

static bool is_suited(const struct scene_layer *layer, const struct layer_suit *suit) {
    return layer->mode == suit->mode && layer->strength == suit->strength;
}

void style_suit_layer(struct scene *scene) {
    struct scene_layer *layer = &scene->layers[0];
    const struct layer_suit *suit = layer->kind == LAYER_LIGHT ? &light_suits : &most_suit;
    if (!is_suited(layer, &most_suit) && !is_suited(layer, &light_suits))
        return;
    layer->mode = suit->mode;
    layer->strength = suit->strength;
}

/* --- all styles --- */

/* Extracts a style's name from "NN-NAME.style", where the number only determines the order, or from
 * "NAME.style". Returns false for other files. */
static bool name_of_file(const char *file, char name[static STYLE_NAME_MAX + 1]) {
    const size_t length = strlen(file), ending = strlen(ENDING);
    if (*file == '.' || !style_has_ending(file))
        return false;
    const bool numbered = isdigit((unsigned char)file[0]) && isdigit((unsigned char)file[1]) &&
                          file[2] == '-' && length > ending + 3;
    const size_t first = numbered ? 3 : 0, size = length - ending - first;
    if (size > STYLE_NAME_MAX)
        return false;
    memcpy(name, file + first, size);
    name[size] = '\0';
    return true;
}

/* Appends a style. Returns false if the text is no view, which is logged. */
static bool add(struct styles *styles, const char *name, const char *source, const char *text,
                size_t length, bool own) {
    struct style *style = &styles->list[styles->count];
    *style = (struct style){.own = own};
    scene_init(&style->scene);
    if (!scene_parse(&style->scene, source, text, length)) {
        scene_finish(&style->scene);
        return false;
    }
    snprintf(style->name, sizeof style->name, "%s", name);
    styles->count++;
    return true;
}

static void add_file(struct styles *styles, const char *folder, const char *file) {
    char name[STYLE_NAME_MAX + 1], path[PATH_SIZE];
    size_t length;
    if (!name_of_file(file, name) ||
        snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path)
        return;
    if (styles_find(styles, name)) {
        log_warn("'%s' is left out: there is a style '%s' already; rename the file", path, name);
        return;
    }
    char *text = file_read(path, SCENE_TEXT_MAX, &length);
    if (text)
        add(styles, name, path, text, length, true);
    free(text);
}

static int is_style_file(const struct dirent *entry) {
    char name[STYLE_NAME_MAX + 1];
    return name_of_file(entry->d_name, name);
}

/* Lists the user's style files, by name, and their folder. The caller frees each entry, the list
 * and the folder. */
static int list_files(char **folder, struct dirent ***entries) {
    *entries = NULL;
    *folder = user_data_path("styles");
    return *folder ? scandir(*folder, entries, is_style_file, alphasort) : 0;
}

static void add_own(struct styles *styles) {
    struct dirent **entries;
    char *folder;
    const int count = list_files(&folder, &entries);
    for (int i = 0; i < count; i++) {
        if (styles->count < STYLES_MAX)
            add_file(styles, folder, entries[i]->d_name);
        else if (i == count - 1)
            log_warn("'%s' has more styles than there is room for: %d", folder, STYLES_MAX);
        free(entries[i]);
    }
    free(entries);
    free(folder);
}

bool styles_load(struct styles *styles) {
    styles_finish(styles);
    styles->list = memory_alloc(STYLES_MAX * sizeof *styles->list, "the styles");
    if (!styles->list)
        return false;
    for (size_t i = 0; i < embedded_styles_count; i++) {
        const struct embedded_file *file = &embedded_styles[i];
        char name[STYLE_NAME_MAX + 1];
        if (name_of_file(file->name, name))
            add(styles, name, file->name, file->data, file->size, false);
    }
    add_own(styles);
    return true;
}

void styles_finish(struct styles *styles) {
    for (size_t i = 0; i < styles->count; i++)
        scene_finish(&styles->list[i].scene);
    free(styles->list);
    *styles = (struct styles){0};
}

const struct style *styles_find(const struct styles *styles, const char *name) {
    for (size_t i = 0; i < styles->count; i++)
        if (strcasecmp(styles->list[i].name, name) == 0)
            return &styles->list[i];
    return NULL;
}

/* --- the user's styles --- */

/* Sets `path` to the file that a new style of this name is saved in. Returns false if there is
 * none. */
static bool path_of(const char *name, char path[static PATH_SIZE]) {
    char *folder = user_data_path("styles");
    const int length = folder ? snprintf(path, PATH_SIZE, "%s/%s" ENDING, folder, name) : -1;
    free(folder);
    return length > 0 && length < PATH_SIZE;
}

/* Finds the user's file with a style: the first of that name, with any number in front. Returns
 * false if there is none. */
static bool find_file(const char *name, char path[static PATH_SIZE]) {
    struct dirent **entries;
    char *folder, own[STYLE_NAME_MAX + 1];
    const int count = list_files(&folder, &entries);
    bool found = false;
    for (int i = 0; i < count; i++) {
        const char *file = entries[i]->d_name;
        if (!found && name_of_file(file, own) && strcasecmp(own, name) == 0)
            found = snprintf(path, PATH_SIZE, "%s/%s", folder, file) < PATH_SIZE;
        free(entries[i]);
    }
    free(entries);
    free(folder);
    return found;
}

/* Returns the text of a file with the scene's look. The caller frees it. Returns NULL if there is
 * no memory. */
static char *text_of(const struct scene *scene) {
    struct scene look;
    scene_init(&look);
    style_copy_look(&look, scene);
    char *text = scene_text(&look);
    scene_finish(&look);
    return text;
}

static bool write_style(const char *path, const char *text) {
    char *folder = user_data_path("styles");
    const bool made = folder && user_folder_make_or_log(folder);
    free(folder);
    struct atomic_file *file = made ? atomic_file_open(path, true) : NULL;
    if (file)
        fputs(text, atomic_file_stream(file));
    return file && atomic_file_commit(file, NULL);
}

const struct style *styles_save(struct styles *styles, const struct scene *scene) {
    char name[STYLE_NAME_MAX + 1], path[PATH_SIZE];
    struct stat info;
    int number = 1;
    bool free_name = false;
    for (; number <= SAVES_MAX && !free_name; number++) {
        snprintf(name, sizeof name, "style-%d", number);
        free_name = !styles_find(styles, name) && path_of(name, path) && stat(path, &info) != 0;
    }
    if (!free_name || styles->count == STYLES_MAX) {
        log_error("the style cannot be saved: there are too many, or there is no home folder");
        return NULL;
    }
    char *text = text_of(scene);
    const bool ok =
        text && write_style(path, text) && add(styles, name, path, text, strlen(text), true);
    free(text);
    return ok ? &styles->list[styles->count - 1] : NULL;
}

bool styles_delete(struct styles *styles, size_t index) {
    char path[PATH_SIZE];
    struct style *style = &styles->list[index];
    errno = ENOENT;
    if (!style->own || !find_file(style->name, path) || unlink(path) != 0) {
        log_error("cannot delete the style '%s': %s", style->name,
                  style->own ? strerror(errno) : "it is built in");
        return false;
    }
    scene_finish(&style->scene);
    styles->count--;
    memmove(style, style + 1, (styles->count - index) * sizeof *style);
    return true;
}

/* --- styles by name --- */

bool style_has_ending(const char *text) {
    const size_t length = strlen(text), ending = strlen(ENDING);
    return length > ending && strcasecmp(text + length - ending, ENDING) == 0;
}

/* Returns true if a text is a path, not a style's name. */
static bool is_path(const char *text) {
    return strchr(text, '/') || style_has_ending(text);
}

char *style_file(const char *name) {
    char path[PATH_SIZE];
    const bool named = !is_path(name) && (find_file(name, path) || path_of(name, path));
    return strdup(named ? path : name);
}

static bool load_style(struct scene *look, const char *path) {
    size_t length;
    char *text = file_read(path, SCENE_TEXT_MAX, &length);
    const bool style = text && location_kind(text, length) != LOCATION_NONE;
    if (text && !style)
        log_error("%s: this is not a style: it has no line such as '[colour]'", path);
    const bool ok = style && scene_parse_any(look, path, text, length);
    free(text);
    return ok;
}

static bool apply_file(struct scene *scene, const char *path) {
    struct scene look;
    scene_init(&look);
    const bool ok = (style_has_ending(path) ? load_style : scene_load)(&look, path);
    if (ok)
        style_copy_look(scene, &look);
    scene_finish(&look);
    return ok;
}

static void refuse(const struct styles *styles, const char *name) {
    struct suggestion suggestion = {.word = name};
    for (size_t i = 0; i < styles->count; i++)
        suggest_consider(&suggestion, styles->list[i].name);
    if (suggestion.best)
        log_error("there is no style '%s'; did you mean '%s'?", name, suggestion.best);
    else
        log_error("there is no style '%s'; 'fathom list styles' lists them", name);
}

bool style_apply(struct scene *scene, const char *name) {
    struct styles styles = {0};
    if (is_path(name))
        return apply_file(scene, name);
    if (!styles_load(&styles))
        return false;
    const struct style *style = styles_find(&styles, name);
    if (style)
        style_copy_look(scene, &style->scene);
    else
        refuse(&styles, name);
    styles_finish(&styles);
    return style;
}
