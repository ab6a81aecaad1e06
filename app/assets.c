/* Assets: finds example views and other installed files relative to the program, so that a moved
 * program still finds them. */
#define _GNU_SOURCE
#include "app/assets.h"
#include "app/paths.h"
#include "render/base/suggest.h"
#include "render/base/user_data.h"
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDERS_MAX     32
#define ENDING          ".fathom"
#define ORDER_FILE      "order"
#define ORDER_BYTES_MAX (64 << 10)
#define NAME_BYTES_MAX  100
#define PLAIN_SIZE      128 /* longer than any view's name; longer words match nothing */
#define BESIDE_PROGRAM  FATHOM_DATA_FROM_BIN /* "../share/fathom" */
#define IN_BUILD_FOLDER "share/fathom"

/* Folders that may contain views and need not exist, in the order of the header. */
struct folders {
    char *paths[FOLDERS_MAX];
    size_t count;
};

static void add_folder(struct folders *folders, char *path) {
    if (path && folders->count < FOLDERS_MAX)
        folders->paths[folders->count++] = path;
    else
        free(path);
}

static void find_folders(struct folders *folders) {
    *folders = (struct folders){0};
    add_folder(folders, user_data_path("views"));
    add_folder(folders, paths_beside_program(BESIDE_PROGRAM "/views"));
    add_folder(folders, paths_beside_program(IN_BUILD_FOLDER "/views"));
    char *folder;
    for (size_t i = 0; (folder = paths_data_folder(i)); i++) {
        add_folder(folders, paths_join(folder, "fathom/views"));
        free(folder);
    }
}

static void finish_folders(struct folders *folders) {
    for (size_t i = 0; i < folders->count; i++)
        free(folders->paths[i]);
}

/* --- names --- */

static bool is_name(const char *name) {
    return *name && *name != '.' && !strchr(name, '/') && strlen(name) <= NAME_BYTES_MAX;
}

/* Inserts a name at its sorted place, unless it is there already. */
static void add_name(struct assets_views *views, const char *name, size_t length) {
    size_t at = 0;
    int order = 1;
    for (; at < views->count; at++) {
        order = strncmp(views->names[at], name, length);
        order = order == 0 && views->names[at][length] ? 1 : order;
        if (order >= 0)
            break;
    }
    char *copy = order == 0 || views->count == ASSETS_VIEWS_MAX ? NULL : strndup(name, length);
    if (!copy)
        return;
    memmove(&views->names[at + 1], &views->names[at], (views->count - at) * sizeof *views->names);
    views->names[at] = copy;
    views->count++;
}

static void add_names(struct assets_views *views, const char *folder) {
    DIR *entries = opendir(folder);
    if (!entries)
        return;
    for (struct dirent *entry; (entry = readdir(entries));) {
        const size_t length = strlen(entry->d_name), ending = strlen(ENDING);
        if (is_name(entry->d_name) && length > ending &&
            strcmp(entry->d_name + length - ending, ENDING) == 0)
            add_name(views, entry->d_name, length - ending);
    }
    closedir(entries);
}

void assets_list_views(struct assets_views *views) {
    struct folders folders;
    *views = (struct assets_views){.count = 0};
    find_folders(&folders);
    for (size_t i = 0; i < folders.count; i++)
        add_names(views, folders.paths[i]);
    finish_folders(&folders);
}

/* Returns the text of the first order file in the folders. The caller frees it. */
static char *read_order(void) {
    struct folders folders;
    char *text = NULL;
    find_folders(&folders);
    for (size_t i = 0; i < folders.count && !text; i++) {
        size_t length;
        char *path = paths_join(folders.paths[i], ORDER_FILE);
        text = path ? paths_read(path, ORDER_BYTES_MAX, &length) : NULL;
        free(path);
    }
    finish_folders(&folders);
    return text;
}

/* Moves the name forward to `place`. Returns false if it is not at or after that. */
static bool put_at(struct assets_views *views, size_t place, const char *name) {
    size_t at = place;
    while (at < views->count && strcmp(views->names[at], name) != 0)
        at++;
    if (at == views->count)
        return false;
    char *found = views->names[at];
    memmove(&views->names[place + 1], &views->names[place], (at - place) * sizeof found);
    views->names[place] = found;
    return true;
}

void assets_order_views(struct assets_views *views) {
    char *text = read_order(), *rest = text;
    size_t placed = 0;
    for (char *name; rest && (name = strsep(&rest, "\n"));)
        placed += put_at(views, placed, name);
    free(text);
}

void assets_finish_views(struct assets_views *views) {
    for (size_t i = 0; i < views->count; i++)
        free(views->names[i]);
    views->count = 0;
}

/* --- files --- */

static char *view_in(const char *folder, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s" ENDING, folder, name) < 0)
        return NULL;
    if (access(path, F_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* Renamed examples; the old name still opens an example, unless a view has that name. */
static const char *const renamed[][2] = {{"tante-renate", "cartwheel"}};

static char *find_view(const char *name) {
    struct folders folders;
    char *path = NULL;
    if (!is_name(name))
        return NULL;
    find_folders(&folders);
    for (size_t i = 0; i < folders.count && !path; i++)
        path = view_in(folders.paths[i], name);
    finish_folders(&folders);
    return path;
}

char *assets_view_path(const char *name) {
    char *path = find_view(name);
    for (size_t i = 0; !path && i < sizeof renamed / sizeof *renamed; i++)
        if (strcmp(name, renamed[i][0]) == 0)
            path = find_view(renamed[i][1]);
    return path;
}

char *assets_similar_view(const char *name) {
    struct assets_views views;
    struct suggestion suggestion = {.word = name};
    assets_list_views(&views);
    for (size_t i = 0; i < views.count; i++)
        suggest_consider(&suggestion, views.names[i]);
    char *similar = suggestion.best ? strdup(suggestion.best) : NULL;
    assets_finish_views(&views);
    return similar;
}

enum likeness { UNLIKE, WORD_IN_IT, BEGINNING, THE_SAME };

/* Copies the text in lower case without blanks, dashes and underscores. Returns false if it is
 * too long, or nothing is left. */
static bool make_plain(const char *text, char plain[PLAIN_SIZE]) {
    size_t length = 0;
    for (; *text && length < PLAIN_SIZE - 1; text++)
        if (!strchr(" -_", *text))
            plain[length++] = (char)tolower((unsigned char)*text);
    plain[length] = '\0';
    return !*text && length > 0;
}

static enum likeness likeness_of(const char *plain, const char *name) {
    char plain_name[PLAIN_SIZE];
    const size_t length = strlen(plain);
    if (!make_plain(name, plain_name))
        return UNLIKE;
    if (strcmp(plain_name, plain) == 0)
        return THE_SAME;
    if (strncmp(plain_name, plain, length) == 0)
        return BEGINNING;
    for (const char *dash = strpbrk(name, " -_"); dash; dash = strpbrk(dash + 1, " -_"))
        if (make_plain(dash, plain_name) && strncmp(plain_name, plain, length) == 0)
            return WORD_IN_IT;
    return UNLIKE;
}

static bool append_name(char **names, const char *name) {
    const size_t length = *names ? strlen(*names) : 0;
    char *longer = realloc(*names, length + strlen(name) + 3);
    if (!longer)
        return false;
    *names = longer;
    strcpy(longer + length, length > 0 ? ", " : "");
    strcat(longer, name);
    return true;
}

int assets_match_view(const char *word, char **names) {
    char plain[PLAIN_SIZE];
    struct assets_views views;
    enum likeness best = UNLIKE;
    int count = 0;
    *names = NULL;
    if (strchr(word, '/') || !make_plain(word, plain))
        return 0;
    assets_list_views(&views);
    for (size_t i = 0; i < views.count; i++) {
        const enum likeness like = likeness_of(plain, views.names[i]);
        best = like > best ? like : best;
    }
    for (size_t i = 0; best > UNLIKE && i < views.count; i++)
        if (likeness_of(plain, views.names[i]) == best)
            count += append_name(names, views.names[i]);
    assets_finish_views(&views);
    return count;
}

char *assets_folder(void) {
    struct folders folders;
    char *path = NULL;
    find_folders(&folders);
    for (size_t i = 0; i < folders.count && !path; i++)
        if (access(folders.paths[i], R_OK | X_OK) == 0)
            path = strdup(folders.paths[i]);
    finish_folders(&folders);
    return path;
}
