/* Cache of thumbnails: reads and writes them as PNG files whose comment is the key. */
#define _GNU_SOURCE
#include "app/gallery/thumbnail_cache.h"
#include "app/paths.h"
#include "render/base/log.h"
#include "render/base/user_data.h"
#include "render/files/image.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER      "thumbnails"
#define ENDING      ".thumbnail"
#define NAME_DIGITS 32
#define KEY_MAX     (64 << 10)
#define LISTED_MAX  4096 /* maximum number of files that are considered for deletion */
#define FNV_START   14695981039346656037u
#define FNV_PRIME   1099511628211u
#define OTHER_START 0x9e3779b97f4a7c15u

static uint64_t hash(uint64_t start, const void *data, size_t size) {
    const unsigned char *bytes = data;
    uint64_t sum = start;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * FNV_PRIME;
    return sum ^ sum >> 31;
}

char *thumbnail_key(const struct scene *scene) {
    char *text = scene_text(scene), *key = NULL;
    const struct palette *palette = scene->palette;
    uint64_t colours = hash(hash(FNV_START, palette->table, sizeof palette->table),
                            &palette->interior, sizeof palette->interior);
    if (scene->by == BY_IMAGE) /* the image's file may change */
        colours = hash(colours, scene->image->rgba, sizeof scene->image->rgba);
    if (text && strlen(text) < KEY_MAX &&
        asprintf(&key, "fathom %s, %dx%d, colours %016" PRIx64 "\n%s", FATHOM_VERSION,
                 THUMBNAIL_WIDTH_PX, THUMBNAIL_HEIGHT_PX, colours, text) < 0)
        key = NULL;
    free(text);
    return key;
}

/* Returns the path of the key's file, or NULL if there is no folder or no memory. The caller frees
 * it. */
static char *path_of(const char *key) {
    char *folder = user_cache_path(FOLDER), *path = NULL;
    const size_t length = strlen(key);
    if (folder && asprintf(&path, "%s/%016" PRIx64 "%016" PRIx64 ENDING, folder,
                           hash(FNV_START, key, length), hash(OTHER_START, key, length)) < 0)
        path = NULL;
    free(folder);
    return path;
}

/* --- one file --- */

bool thumbnail_file_load(const char *path, const char *key, int width_px, int height_px,
                         uint32_t *rgba) {
    bool absent;
    const char *why;
    char unheard[64];
    struct image image = {0};
    FILE *file = file_open_silently(path, &absent, &why);
    if (!file)
        return false;
    const struct log_listener before = log_listen_instead(unheard, sizeof unheard);
    char *comment = image_comment(file, path);
    const bool ok = comment && strcmp(comment, key) == 0 && image_read(path, &image) &&
                    image.rgba && image.width_px == width_px && image.height_px == height_px;
    log_listen_restore(before);
    if (ok)
        memcpy(rgba, image.rgba, (size_t)width_px * (size_t)height_px * sizeof *rgba);
    image_finish(&image);
    free(comment);
    fclose(file);
    return ok;
}

bool thumbnail_cache_load(const char *key, uint32_t *rgba) {
    char *path = path_of(key);
    const bool ok =
        path && thumbnail_file_load(path, key, THUMBNAIL_WIDTH_PX, THUMBNAIL_HEIGHT_PX, rgba);
    if (ok)
        utimensat(AT_FDCWD, path, NULL, 0); /* stores the time of the last use */
    else if (path)
        unlink(path);
    free(path);
    return ok;
}

/* --- bounds --- */

struct listed {
    char name[NAME_DIGITS + sizeof ENDING];
    struct timespec used;
    uint64_t bytes;
};

static bool is_ours(const char *name) {
    return strspn(name, "0123456789abcdef") == NAME_DIGITS &&
           strcmp(name + NAME_DIGITS, ENDING) == 0;
}

/* Compares two files for qsort: the one that was used last comes first. */
static int by_use(const void *a, const void *b) {
    const struct timespec *x = &((const struct listed *)a)->used;
    const struct timespec *y = &((const struct listed *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? 1 : -1;
    return (x->tv_nsec < y->tv_nsec) - (x->tv_nsec > y->tv_nsec);
}

static size_t list(DIR *entries, struct listed *files) {
    size_t count = 0;
    struct stat status;
    for (struct dirent *entry; count < LISTED_MAX && (entry = readdir(entries));) {
        if (!is_ours(entry->d_name) ||
            fstatat(dirfd(entries), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        struct listed *file = &files[count++];
        memcpy(file->name, entry->d_name, sizeof file->name);
        file->used = status.st_mtim;
        file->bytes = (uint64_t)status.st_size;
    }
    return count;
}

static void trim(const char *folder) {
    DIR *entries = opendir(folder);
    struct listed *files = entries ? malloc(LISTED_MAX * sizeof *files) : NULL;
    const size_t count = files ? list(entries, files) : 0;
    uint64_t bytes = 0;
    if (files)
        qsort(files, count, sizeof *files, by_use);
    for (size_t i = 0; i < count; i++) {
        bytes += files[i].bytes;
        if (i >= THUMBNAIL_FILES_MAX || bytes > THUMBNAIL_BYTES_MAX)
            unlinkat(dirfd(entries), files[i].name, 0);
    }
    free(files);
    if (entries)
        closedir(entries);
}

void thumbnail_cache_store(struct thumbnail_cache *cache, const char *key, const uint32_t *rgba) {
    char *path = cache->useless ? NULL : path_of(key);
    char *folder = path ? paths_make_folder_of(path) : NULL;
    if (path && !folder)
        log_warn("cannot make the folder of '%s': %s", path, strerror(errno));
    if (folder &&
        image_write(path, IMAGE_PNG, rgba, THUMBNAIL_WIDTH_PX, THUMBNAIL_HEIGHT_PX, key)) {
        trim(folder);
    } else if (path) {
        cache->useless = true;
        log_info("thumbnails are not kept from one run to the next");
    }
    free(folder);
    free(path);
}
