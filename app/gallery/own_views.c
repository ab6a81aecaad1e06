/* Own views: names, saves, lists and deletes their files. */
#define _GNU_SOURCE
#include "app/gallery/own_views.h"
#include "app/assets.h"
#include "app/options/option_table.h"
#include "render/base/atomic_file.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/base/user_data.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENDING             ".fathom"
#define SUGGESTED_MAX      1000
#define OWN_VIEWS_FILE_MAX 107 /* [bytes] longest name that the program opens, and the ending */

/* --- names --- */

/* Returns the number of bytes of the character at `at`. Returns 0 if the character is invalid UTF-8
 * or invisible: a blank, or a mark that hides or turns text (U+200B .. U+206F, U+FEFF). */
static size_t character(const char *at) {
    static const char *const unseen[] = {" ", "\xc2\xa0", "\xe2\x80", "\xe2\x81", "\xef\xbb"};
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
        if (strncmp(at, unseen[i], strlen(unseen[i])) == 0)
            return 0;
    return log_shown_length(at);
}

static bool stays(const char *at) {
    return (unsigned char)*at >= 0x80 || isalnum((unsigned char)*at) || *at == '_' || *at == '.';
}

static void strip_ends(char *name) {
    size_t length = strlen(name);
    while (length > 0 && strchr("-.", name[length - 1]))
        name[--length] = '\0';
    const size_t first = strspn(name, "-.");
    memmove(name, name + first, length - (first < length ? first : length) + 1);
}

static void copy_clean(const char *typed, char *name) {
    size_t length = 0;
    for (const char *at = typed; *at;) {
        const size_t size = character(at);
        const bool keep = size > 0 && stays(at);
        if (keep && length + size <= OWN_VIEWS_NAME_MAX) {
            memcpy(name + length, at, size);
            length += size;
        } else if (!keep && length > 0 && name[length - 1] != '-' && length < OWN_VIEWS_NAME_MAX &&
                   (size > 0 || *at == ' ')) {
            name[length++] = '-';
        }
        at += size > 0 ? size : 1;
    }
    name[length] = '\0';
}

static bool is_command(const char *name) {
    const struct option_command *command;
    for (size_t i = 0; (command = option_command(i)); i++)
        if (command->name && strcmp(command->name, name) == 0)
            return true;
    return false;
}

const char *own_views_name(const char *typed, char name[static OWN_VIEWS_NAME_MAX + 1]) {
    copy_clean(typed, name);
    strip_ends(name);
    const size_t length = strlen(name), ending = strlen(ENDING);
    if (length >= ending && strcmp(name + length - ending, ENDING) == 0)
        name[length - ending] = '\0';
    strip_ends(name);
    if (!*name)
        return "a name needs a letter or a digit";
    if (is_command(name))
        return "that is the name of a command";
    return NULL;
}

char *own_views_path(const char *name) {
    char *folder = user_data_path("views"), *path = NULL;
    if (folder && asprintf(&path, "%s/%s" ENDING, folder, name) < 0)
        path = NULL;
    free(folder);
    return path;
}

bool own_views_has(const char *name) {
    char *path = own_views_path(name);
    const bool there = path && access(path, F_OK) == 0;
    free(path);
    return there;
}

/* Makes a name from the formula and the zoom, for example "burning-ship-julia-40000". */
static void describe(const struct scene *scene, int number,
                     char name[static OWN_VIEWS_NAME_MAX + 1]) {
    char *zoom = view_number_text(scene->view.zoom, 2), count[16] = "";
    if (number > 1)
        snprintf(count, sizeof count, "-%d", number);
    snprintf(name, OWN_VIEWS_NAME_MAX + 1, "%s%s-%s%s", formula_names[scene->fractal.formula],
             scene->fractal.julia ? "-julia" : "", zoom ? zoom : "view", count);
    for (char *at = name; (at = strchr(at, '_'));)
        *at = '-';
    free(zoom);
}

bool own_views_suggest(const struct scene *scene, char name[static OWN_VIEWS_NAME_MAX + 1]) {
    for (int number = 1; number <= SUGGESTED_MAX; number++) {
        describe(scene, number, name);
        char *path = assets_view_path(name);
        free(path);
        if (!path)
            return true;
    }
    return false;
}

/* --- files --- */

/* Returns the text of the file, which begins with a comment, or NULL if memory runs out. The caller
 * frees it. */
static char *text_of(const struct scene *scene) {
    struct scene plain = *scene;
    plain.width_px = plain.height_px = 0;
    plain.samples = 0;
    char date[CLOCK_TEXT_MAX], *text = scene_text(&plain), *whole = NULL;
    clock_local(CLOCK_DATE, date);
    if (text && asprintf(&whole, "# Saved on %s.\n%s", date, text) < 0)
        whole = NULL;
    free(text);
    return whole;
}

static bool is_example(const char *name) {
    char *path = assets_view_path(name);
    const bool is = path && !own_views_has(name);
    free(path);
    return is;
}

static enum own_views_saved write_file(const char *path, const char *text, bool replace) {
    struct atomic_file *file = atomic_file_open(path, !replace);
    bool existed = false;
    if (!file)
        return OWN_VIEWS_FAILED;
    fputs(text, atomic_file_stream(file));
    if (atomic_file_commit(file, &existed))
        return OWN_VIEWS_SAVED;
    return existed ? OWN_VIEWS_EXISTS : OWN_VIEWS_FAILED;
}

enum own_views_saved own_views_save(const char *name, const struct scene *scene, bool replace) {
    char *folder = user_data_path("views"), *path = own_views_path(name), *text = text_of(scene);
    enum own_views_saved saved = OWN_VIEWS_FAILED;
    if (!folder || !path || !text)
        log_error("the location cannot be saved: there is no home folder, or not enough memory");
    else if (!user_folder_make(folder, 0777))
        log_error("cannot make the folder '%s': %s", folder, strerror(errno));
    else if (!replace && access(path, F_OK) == 0)
        saved = OWN_VIEWS_EXISTS;
    else if (!replace && is_example(name))
        saved = OWN_VIEWS_HIDES;
    else
        saved = write_file(path, text, replace);
    free(folder);
    free(path);
    free(text);
    return saved;
}

bool own_views_delete(const char *name) {
    char *path = own_views_path(name);
    const bool ok = path && unlink(path) == 0;
    if (!ok)
        log_error("cannot delete '%s': %s", path ? path : name,
                  path ? strerror(errno) : "not enough memory");
    free(path);
    return ok;
}

/* --- all of them --- */

/* Compares a file with view `i`. Of two files written at the same moment, the higher number in the
 * name is newer. */
static bool is_newer(const struct timespec *time, const char *name, const struct own_views *views,
                     size_t i) {
    const struct timespec *other = &views->times[i];
    if (time->tv_sec != other->tv_sec)
        return time->tv_sec > other->tv_sec;
    if (time->tv_nsec != other->tv_nsec)
        return time->tv_nsec > other->tv_nsec;
    return strverscmp(name, views->names[i]) > 0;
}

/* Inserts a name at its place. If the list is full, the oldest name is dropped. */
static void insert(struct own_views *views, const char *name, const struct timespec *time) {
    size_t at = views->count;
    while (at > 0 && is_newer(time, name, views, at - 1))
        at--;
    char *copy = at < OWN_VIEWS_MAX ? strdup(name) : NULL;
    if (!copy)
        return;
    if (views->count == OWN_VIEWS_MAX)
        free(views->names[--views->count]);
    memmove(&views->names[at + 1], &views->names[at], (views->count - at) * sizeof *views->names);
    memmove(&views->times[at + 1], &views->times[at], (views->count - at) * sizeof *views->times);
    views->names[at] = copy;
    views->times[at] = *time;
    views->count++;
}

static void add_file(struct own_views *views, const char *file) {
    char name[OWN_VIEWS_FILE_MAX + 1];
    const size_t length = strlen(file), ending = strlen(ENDING);
    struct stat status;
    if (*file == '.' || length <= ending || length > OWN_VIEWS_FILE_MAX ||
        strcmp(file + length - ending, ENDING) != 0)
        return;
    snprintf(name, sizeof name, "%.*s", (int)(length - ending), file);
    char *path = own_views_path(name);
    if (path && stat(path, &status) == 0 && S_ISREG(status.st_mode))
        insert(views, name, &status.st_mtim);
    free(path);
}

void own_views_list(struct own_views *views) {
    *views = (struct own_views){.count = 0};
    char *folder = user_data_path("views");
    DIR *entries = folder ? opendir(folder) : NULL;
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        add_file(views, entry->d_name);
    if (entries)
        closedir(entries);
    free(folder);
}

void own_views_finish(struct own_views *views) {
    for (size_t i = 0; i < views->count; i++)
        free(views->names[i]);
    views->count = 0;
}

size_t own_views_find(const struct own_views *views, const char *name) {
    size_t i = 0;
    while (i < views->count && (!name || strcmp(views->names[i], name) != 0))
        i++;
    return i;
}
