/* Reads the palettes in the user's data folder, once. */
#include "render/palette_user.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/base/user_data.h"
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FILE_MAX (1 << 16) /* bytes of one */
#define ENDING   ".palette"

/* Written once, under pthread_once, and constant from then on. */
static struct palette *palettes[PALETTE_USER_MAX];
static size_t palette_number;
static bool out_of_memory;

struct names {
    char *sorted[PALETTE_USER_MAX];
    size_t count;
    bool more;
};

/* Keeps the first ones by name, so that what is left out does not depend on the folder's order. */
static void keep_name(struct names *names, const char *name) {
    size_t at = names->count;
    while (at > 0 && strcmp(name, names->sorted[at - 1]) < 0)
        at--;
    if (names->count == PALETTE_USER_MAX) {
        names->more = true;
        if (at == PALETTE_USER_MAX)
            return;
        free(names->sorted[--names->count]);
    }
    char *copy = strdup(name);
    out_of_memory |= !copy;
    if (!copy)
        return;
    memmove(&names->sorted[at + 1], &names->sorted[at],
            (names->count - at) * sizeof *names->sorted);
    names->sorted[at] = copy;
    names->count++;
}

static bool is_palette_name(const char *name) {
    const size_t length = strlen(name), ending = strlen(ENDING);
    return name[0] != '.' && length > ending && strcmp(name + length - ending, ENDING) == 0;
}

static void read_names(struct names *names, const char *folder) {
    DIR *entries = opendir(folder);
    if (!entries && errno != ENOENT)
        log_warn("palettes in '%s' cannot be used: %s", folder, strerror(errno));
    out_of_memory |= !entries && errno == ENOMEM;
    if (!entries)
        return;
    for (struct dirent *entry; (entry = readdir(entries));)
        if (is_palette_name(entry->d_name))
            keep_name(names, entry->d_name);
    closedir(entries);
    if (names->more)
        log_warn("'%s' has more than %d palettes; only the first by name are used", folder,
                 PALETTE_USER_MAX);
}

static bool id_taken(const char *id) {
    for (size_t i = 0; i < palette_builtin_count(); i++)
        if (strcasecmp(palette_builtin(i)->id, id) == 0)
            return true;
    for (size_t i = 0; i < palette_number; i++)
        if (strcasecmp(palettes[i]->id, id) == 0)
            return true;
    return false;
}

/* An id that can be had; false: logged. */
static bool find_id(const char *path, const char *name, char id[static PALETTE_NAME_MAX + 1]) {
    if (!palette_id_of_file(name, id)) {
        log_warn("'%s' is left out: name it with 1 to %d letters, digits, - or _", path,
                 PALETTE_NAME_MAX);
        return false;
    }
    if (id_taken(id)) {
        log_warn("'%s' is left out: there is a palette '%s' already; rename the file", path, id);
        return false;
    }
    return true;
}

static void read_palette(const char *path, const char *name) {
    char id[PALETTE_NAME_MAX + 1];
    size_t length;
    if (!find_id(path, name, id))
        return;
    errno = 0;
    char *text = file_read(path, FILE_MAX, &length);
    struct palette *palette = text ? malloc(sizeof *palette) : NULL;
    if (palette && palette_parse(palette, id, path, text, length))
        palettes[palette_number++] = palette;
    else
        free(palette);
    out_of_memory |= errno == ENOMEM;
    free(text);
}

static void read_palettes(void) {
    struct names names = {0};
    errno = 0;
    char *folder = user_data_path("palettes");
    out_of_memory |= !folder && errno == ENOMEM;
    if (folder)
        read_names(&names, folder);
    for (size_t i = 0; i < names.count; i++) {
        char path[4096];
        const int length = snprintf(path, sizeof path, "%s/%s", folder, names.sorted[i]);
        if (length < (int)sizeof path)
            read_palette(path, names.sorted[i]);
        free(names.sorted[i]);
    }
    free(folder);
}

size_t palette_user_count(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_palettes);
    return palette_number;
}

bool palette_user_ready(void) {
    return !out_of_memory;
}

const struct palette *palette_user(size_t index) {
    return index < palette_user_count() ? palettes[index] : NULL;
}
