/* Mutation tests for readers of files: input that is nearly right. */
#ifndef FATHOM_TESTS_SHARED_MUTATE_H
#define FATHOM_TESTS_SHARED_MUTATE_H

#include "render/base/atomic_file.h"
#include "render/files/image.h"
#include "render/files/poster/poster.h"
#include "render/files/scene.h"
#include "render/frame.h"
#include "tests/shared/check.h"
#include <dirent.h>

#define MUTATIONS 2000 /* per kind of input */

/* Returns the comment of an image file, to be freed by the caller. */
static inline char *comment_of(const char *path) {
    FILE *file = file_open(path);
    char *comment = file ? image_comment(file, path) : NULL;
    if (file)
        fclose(file);
    return comment;
}

/* Readers for check_mutations. */
static inline bool read_image(const char *path) {
    struct image image;
    const bool ok = image_read(path, &image);
    CHECK(ok == (image.rgba || image.deep));
    image_finish(&image);
    return ok;
}

static inline bool read_scene(const char *path) {
    SCOPED(scene, scene);
    const bool ok = scene_load(&scene, path);
    CHECK(scene.palette && scene.width_px >= 0 && scene.width_px <= POSTER_SIDE_MAX &&
          scene.frequency > 0 && scene.offset >= 0 && scene.offset < 1);
    return ok;
}

/* Returns the number of names in the current folder that contain `text`. */
static inline int names_with(const char *text) {
    int count = 0;
    DIR *folder = opendir(".");
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += strstr(entry->d_name, text) != NULL;
    if (folder)
        closedir(folder);
    return count;
}

/* Writes bad.npy: a version 1 header around `dict`, then `values` zero bytes. */
static inline void put_npy(const char *dict, size_t values) {
    char data[512] = "\x93NUMPY\1";
    const size_t length = strlen(dict);
    data[8] = (char)length;
    memcpy(data + 10, dict, length);
    file_put("bad.npy", data, 10 + length + values);
}

static inline size_t mutate(char *data, size_t length, size_t room, unsigned long long *seed) {
    static const char spice[] = "\0\n#=[]() '\"-+.,eE0123456789\xff";
    for (unsigned n = 1 + random_next(seed) % 4; n > 0; n--) {
        const size_t at = length ? random_next(seed) % length : 0;
        const char c = spice[random_next(seed) % (sizeof spice - 1)];
        switch (random_next(seed) % 5) {
        case 0: /* change */
            data[at] = c;
            break;
        case 1: /* flip a bit */
            data[at] ^= (char)(1 << random_next(seed) % 8);
            break;
        case 2: /* insert */
            if (length < room) {
                memmove(data + at + 1, data + at, length - at);
                data[at] = c;
                length++;
            }
            break;
        case 3: /* cut the end */
            length = at;
            break;
        default: /* remove a byte */
            memmove(data + at, data + at + (at < length), length - at - (at < length));
            length -= at < length;
        }
    }
    return length;
}

/* Gives a file and mutations of it to `read`, which must accept the file itself, must not crash and
 * must refuse with exactly one log line. */
static inline void check_mutations(const char *path, bool (*read)(const char *path),
                                   const char *name) {
    size_t length;
    char *original = file_read(path, 1 << 20, &length);
    char *data = original ? malloc(length + 16) : NULL;
    unsigned long long seed = 0x9e3779b97f4a7c15u;
    int accepted = 0;
    for (int i = 0; data && i < MUTATIONS; i++) {
        memcpy(data, original, length);
        const size_t mutated = i > 0 ? mutate(data, length, length + 16, &seed) : length;
        file_put("mutant", data, mutated);
        log_start();
        const bool ok = read("mutant");
        accepted += ok;
        CHECK(ok || i > 0);
        if (!ok && !log_ends_in_one_error()) {
            printf("mutation %d of %s\n", i, name);
            failures++;
        }
    }
    CHECK(data && accepted < MUTATIONS);
    free(original);
    free(data);
}

#endif
