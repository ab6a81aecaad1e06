/* Palettes: built-in palettes, palettes in the user's folder, and files that are opened or
 * saved. */
#include "render/palette.h"
#include "render/base/atomic_file.h"
#include "render/base/embedded.h"
#include "render/base/log.h"
#include "render/base/require.h"
#include "render/base/user_data.h"
#include "render/gradient/import.h"
#include "render/light/light.h"
#include "render/light/ranks.h"
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define BUILTINS_MAX 32
#define USER_MAX     64        /* most user palettes, first by name; one warning reports the rest */
#define FILE_MAX     (1 << 16) /* [bytes] largest file of fathom's own format */
#define ENDING       ".palette"
#define SAVES_MAX    1000 /* numbers that are tried for a new file */

void palette_set(struct palette *palette, const char *id, const struct named_gradient *named) {
    snprintf(palette->id, sizeof palette->id, "%s", id);
    memcpy(palette->name, named->name, sizeof palette->name);
    palette->gradient = named->gradient;
    palette->smooth = named->gradient.interpolation != INTERPOLATION_NONE;
    palette->period = named->gradient.period;
    palette->interior = named->gradient.interior;
    gradient_table(&palette->gradient, palette->table);
    light_of_pixels(palette->table, COLOUR_TABLE_SIZE, palette->light);
}

struct first {
    struct palette *palette;
    const char *id;
};

static bool take_first(void *user, const struct named_gradient *named) {
    const struct first *first = user;
    palette_set(first->palette, first->id, named);
    return false;
}

bool palette_parse(struct palette *palette, const char *id, const char *source, const char *text,
                   size_t length) {
    require(strlen(id) > 0 && strlen(id) <= PALETTE_NAME_MAX, false);
    struct first first = {palette, id};
    return import_read(source, id, text, length, take_first, &first);
}

/* --- built-in palettes --- */

/* Built-in palettes, written once under pthread_once. */
static struct palette builtins[BUILTINS_MAX];
static size_t builtin_count;

static const char *const endings[] = {ENDING, ".map", ".kfp", ".kfr", ".ugr",
                                      ".upr", ".ggr", ".gpl", NULL};

static bool has_ending(const char *name) {
    const size_t length = strlen(name);
    for (int i = 0; endings[i]; i++) {
        const size_t ending = strlen(endings[i]);
        if (name[0] != '.' && length > ending &&
            strcasecmp(name + length - ending, endings[i]) == 0)
            return true;
    }
    return false;
}

/* Extracts the id from a file name. Returns false if the name contains none. */
static bool id_of_file(const char *file, char id[static PALETTE_NAME_MAX + 1]) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    const size_t digits = strspn(file, "0123456789");
    if (digits > 0 && file[digits] == '-')
        file += digits + 1;
    const size_t length = strspn(file, letters);
    if (length == 0 || length > PALETTE_NAME_MAX || file[length] != '.' ||
        strchr(file + length + 1, '.') || !has_ending(file))
        return false;
    memcpy(id, file, length);
    id[length] = '\0';
    return true;
}

static void parse_builtins(void) {
    assert(embedded_palettes_count <= BUILTINS_MAX);
    for (size_t i = 0; i < embedded_palettes_count; i++) {
        const struct embedded_file *file = &embedded_palettes[i];
        char id[PALETTE_NAME_MAX + 1];
        if (id_of_file(file->name, id) &&
            palette_parse(&builtins[builtin_count], id, file->name, file->data, file->size))
            builtin_count++;
    }
}

size_t palette_builtin_count(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, parse_builtins);
    return builtin_count;
}

const struct palette *palette_builtin(size_t index) {
    return index < palette_builtin_count() ? &builtins[index] : NULL;
}

/* --- user palettes --- */

/* User palettes; entries below `user_count` are constant. One is appended at a time. */
static struct palette *user_palettes[2 * USER_MAX];
static _Atomic size_t user_count;
static bool out_of_memory;
static pthread_mutex_t saving = PTHREAD_MUTEX_INITIALIZER;

static int is_palette_file(const struct dirent *entry) {
    return has_ending(entry->d_name);
}

static const struct palette *known_at(size_t index) {
    return index < builtin_count ? &builtins[index] : user_palettes[index - builtin_count];
}

static const struct palette *find_among(const char *id, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(known_at(i)->id, id) == 0)
            return known_at(i);
    return NULL;
}

static bool is_taken(const char *id) {
    return find_among(id, palette_builtin_count() + user_count);
}

struct listing {
    const char *path, *name;
    char id[PALETTE_NAME_MAX + 1]; /* id from the file name */
    int count;
};

/* Chooses an id: the first gradient of a file has the file's id, the others ID-NAME. */
static void find_id(const struct listing *listing, const struct named_gradient *named,
                    char id[static PALETTE_NAME_MAX + 1]) {
    char name[PALETTE_NAME_MAX + 1];
    snprintf(name, sizeof name, "%s", named->name);
    for (char *c = name; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", *c))
            *c = '_';
    if (listing->count == 1)
        snprintf(id, PALETTE_NAME_MAX + 1, "%s", listing->id);
    else
        snprintf(id, PALETTE_NAME_MAX + 1, "%.20s-%.19s", listing->id, name);
}

static bool list(const char *id, const struct named_gradient *named) {
    struct palette *palette = calloc(1, sizeof *palette);
    if (!palette)
        return false;
    palette_set(palette, id, named);
    user_palettes[user_count] = palette;
    user_count++;
    return true;
}

/* Lists a gradient of a file. Returns false to skip the rest of the file. */
static bool list_each(void *user, const struct named_gradient *named) {
    struct listing *listing = user;
    char id[PALETTE_NAME_MAX + 1];
    listing->count++;
    find_id(listing, named, id);
    if (is_taken(id)) {
        log_warn("'%s' is ignored: palette '%s' already exists; rename the file", listing->path,
                 id);
        return true;
    }
    if (user_count == USER_MAX) {
        log_warn("'%s' has too many palettes: more than %d", listing->path, USER_MAX);
        return false;
    }
    const bool ok = list(id, named);
    out_of_memory |= !ok;
    return ok;
}

static void read_palette(const char *path, const char *name) {
    struct listing listing = {.path = path, .name = name};
    size_t length;
    if (!id_of_file(name, listing.id)) {
        log_warn("'%s' is ignored: name it with 1 to %d letters, digits, - or _", path,
                 PALETTE_NAME_MAX);
        return;
    }
    const bool own =
        strlen(name) > strlen(ENDING) && strcmp(name + strlen(name) - strlen(ENDING), ENDING) == 0;
    errno = 0;
    char *text = file_read(path, own ? FILE_MAX : IMPORT_TEXT_MAX, &length);
    if (text)
        import_read(path, listing.id, text, length, list_each, &listing);
    out_of_memory |= errno == ENOMEM;
    free(text);
}

static void read_palettes(void) {
    struct dirent **entries = NULL;
    errno = 0;
    char *folder = user_data_path("palettes");
    const int count = folder ? scandir(folder, &entries, is_palette_file, alphasort) : 0;
    out_of_memory |= errno == ENOMEM && (!folder || count < 0);
    if (count < 0 && errno != ENOENT)
        log_warn("palettes in '%s' cannot be used: %s", folder, strerror(errno));
    if (count > USER_MAX)
        log_warn("'%s' has more than %d palettes; only the first by name are used", folder,
                 USER_MAX);
    for (int i = 0; i < count; i++) {
        char path[4096];
        const int length = snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (i < USER_MAX && length < (int)sizeof path)
            read_palette(path, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    free(folder);
}

/* --- all palettes --- */

/* A built-in palette can only be missing for lack of memory. */
bool palette_ready(void) {
    const bool ready = palette_builtin_count() == embedded_palettes_count && !out_of_memory;
    if (!ready)
        log_error("not enough memory for the palettes");
    return ready;
}

size_t palette_count(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_palettes);
    return palette_builtin_count() + user_count;
}

const struct palette *palette_at(size_t index) {
    return index < palette_count() ? known_at(index) : NULL;
}

const struct palette *palette_find_builtin(const char *id) {
    return find_among(id, palette_builtin_count());
}

const struct palette *palette_find(const char *id) {
    const struct palette *builtin = palette_find_builtin(id);
    return builtin ? builtin : find_among(id, palette_count());
}

/* --- files --- */

struct wanted {
    const char *name; /* name of the gradient; NULL: the first */
    struct named_gradient *found;
    bool any;
};

static bool take_wanted(void *user, const struct named_gradient *named) {
    struct wanted *wanted = user;
    if (wanted->name && strcasecmp(wanted->name, named->name) != 0)
        return true;
    *wanted->found = *named;
    wanted->any = true;
    return false;
}

/* Extracts the file name without folder and ending. */
static void stem_of(const char *path, char stem[static PALETTE_NAME_MAX + 1]) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    palette_text_copy(stem, PALETTE_NAME_MAX, name, strlen(name));
    if (strrchr(stem, '.') > stem)
        *strrchr(stem, '.') = '\0';
    if (!*stem)
        strcpy(stem, "palette");
}

const struct palette *palette_import(const char *source, const char *text, size_t length) {
    char stem[PALETTE_NAME_MAX + 1];
    struct named_gradient *found = malloc(sizeof *found);
    struct wanted wanted = {.found = found};
    stem_of(source, stem);
    if (!found)
        log_error("%s: not enough memory", source);
    else
        import_read(source, stem, text, length, take_wanted, &wanted);
    const struct palette *palette = wanted.any ? palette_make(stem, found) : NULL;
    free(found);
    return palette;
}

static const struct palette *make_of_file(const char *path, const char *name,
                                          struct named_gradient *found) {
    char stem[PALETTE_NAME_MAX + 1];
    struct wanted wanted = {.name = name, .found = found};
    size_t length;
    stem_of(path, stem);
    char *text = file_read(path, IMPORT_TEXT_MAX, &length);
    if (!text)
        return NULL;
    const bool ok = import_read(path, stem, text, length, take_wanted, &wanted);
    free(text);
    if (wanted.any)
        return palette_make(name ? name : stem, found);
    if (ok)
        log_error("'%s' has no gradient '%.40s'", path, name ? name : "");
    return NULL;
}

bool palette_is_path(const char *text) {
    char *file = strndup(text, strcspn(text, "#"));
    const bool is = file && (strchr(text, '/') || has_ending(file));
    free(file);
    return is;
}

char *palette_file(const char *path) {
    struct stat info;
    char *file = strdup(path), *hash = file ? strrchr(file, '#') : NULL;
    if (hash && stat(path, &info) != 0)
        *hash = '\0';
    return file;
}

const struct palette *palette_load(const char *path) {
    char *file = palette_file(path);
    struct named_gradient *found = malloc(sizeof *found);
    const struct palette *palette = NULL;
    if (file && found)
        palette = make_of_file(file, path[strlen(file)] ? path + strlen(file) + 1 : NULL, found);
    else
        log_error("'%s': not enough memory", path);
    free(found);
    free(file);
    return palette;
}

char *palette_file_text(const struct palette *palette) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    struct named_gradient *named = file ? malloc(sizeof *named) : NULL;
    if (named) {
        memcpy(named->name, palette->name, sizeof named->name);
        named->gradient = palette->gradient;
        fputs("[palette]\n", file);
        palette_text_write(file, named);
    }
    free(named);
    if (file && fclose(file) == 0 && named)
        return text;
    free(text);
    return NULL;
}

/* Finds an id that no palette and no file has. Returns false if none is left. */
static bool find_free_id(const char *folder, const char *own, char id[static PALETTE_NAME_MAX + 1],
                         char *path, size_t size) {
    struct stat info;
    for (int number = 1; number <= SAVES_MAX; number++) {
        snprintf(id, PALETTE_NAME_MAX + 1, number > 1 ? "%.34s-%d" : "%.34s", own, number);
        const int length = snprintf(path, size, "%s/%s" ENDING, folder, id);
        if (length < (int)size && !is_taken(id) && stat(path, &info) != 0)
            return true;
    }
    return false;
}

static const struct palette *save(const struct palette *palette, const char *folder) {
    char id[PALETTE_NAME_MAX + 1], path[4096];
    if (user_count == 2 * USER_MAX || !find_free_id(folder, palette->id, id, path, sizeof path)) {
        log_error("'%s' is full: remove palettes from it", folder);
        return NULL;
    }
    struct named_gradient *named = malloc(sizeof *named);
    struct atomic_file *file = named ? atomic_file_open(path, true) : NULL;
    bool ok = file;
    if (ok) {
        snprintf(named->name, sizeof named->name, "%s", palette->name);
        named->gradient = palette->gradient;
        fputs("[palette]\n", atomic_file_stream(file));
        palette_text_write(atomic_file_stream(file), named);
        ok = atomic_file_commit(file, NULL) && list(id, named);
    }
    free(named);
    return ok ? user_palettes[user_count - 1] : NULL;
}

const struct palette *palette_save(const struct palette *palette) {
    char *folder = user_data_path("palettes");
    palette_count();
    const struct palette *saved = NULL;
    if (folder && user_folder_make_or_log(folder)) {
        pthread_mutex_lock(&saving);
        saved = save(palette, folder);
        pthread_mutex_unlock(&saving);
    }
    free(folder);
    return saved;
}

/* --- colouring --- */

/* Phases are in units of 2^-16, table entries in 2^-32 of the product (colour.h). */
#define FREQUENCY_UNIT (65536.0 * COLOUR_TABLE_SIZE)
#define OFFSET_UNIT    (4294967296.0 * COLOUR_TABLE_SIZE)

void colouring_set(struct colouring *colouring, const struct palette *palette, double frequency,
                   double offset) {
    require(palette && frequency > 0 && frequency <= 1e6 && offset >= 0 && offset < 1);
    colouring->frequency = (uint64_t)(frequency / palette->period * FREQUENCY_UNIT + 0.5);
    colouring->offset = (uint64_t)(offset * OFFSET_UNIT + 0.5);
    colouring->interior = palette->interior;
    colouring->smooth = palette->smooth;
    colouring->mapping = MAPPING_LINEAR;
    colouring->by = BY_COUNT;
    colouring->inside = INSIDE_ONE;
    colouring->layers = (struct layers){0};
    ranks_init(&colouring->ranks);
    colouring->table = palette->table;
    colouring->light = palette->light;
}

bool colouring_equal(const struct colouring *a, const struct colouring *b) {
    return a->frequency == b->frequency && a->offset == b->offset && a->interior == b->interior &&
           a->smooth == b->smooth && a->mapping == b->mapping && a->by == b->by &&
           a->inside == b->inside && a->table == b->table &&
           (a->by != BY_IMAGE || (a->image == b->image && a->image_scale == b->image_scale)) &&
           memcmp(&a->layers, &b->layers, sizeof a->layers) == 0 &&
           (a->mapping != MAPPING_HISTOGRAM || memcmp(&a->ranks, &b->ranks, sizeof a->ranks) == 0);
}
