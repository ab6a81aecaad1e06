/* Favourites: stores palettes by digit. Each is a file of its own in the form of a view, which
 * can contain any palette. */
#include "app/hud/favourites.h"
#include "app/paths.h"
#include "render/base/user_data.h"
#include "render/files/scene.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX (1 << 16)

static char *path_of(int index) {
    char name[16];
    snprintf(name, sizeof name, "favourite-%d", (index + 1) % FAVOURITES_COUNT);
    return user_state_path(name);
}

static const struct palette *read_one(const char *path) {
    size_t length;
    char *text = paths_read(path, FILE_MAX, &length);
    const struct palette *palette = NULL;
    struct scene scene;
    if (!text)
        return NULL;
    scene_init(&scene);
    if (scene_parse(&scene, path, text, length))
        palette = palette_ref(scene.palette);
    scene_finish(&scene);
    free(text);
    return palette;
}

void favourites_begin(struct favourites *favourites) {
    favourites->on = true;
    for (int i = 0; i < FAVOURITES_COUNT; i++) {
        char *path = path_of(i);
        if (path)
            palette_replace(&favourites->palettes[i], read_one(path));
        free(path);
    }
}

static bool write_one(const char *path, const struct palette *palette) {
    struct scene scene;
    scene_init(&scene);
    palette_replace(&scene.palette, palette_ref(palette));
    char *text = scene_text(&scene);
    scene_finish(&scene);
    struct atomic_file *file = text ? paths_create(path) : NULL;
    if (file)
        fputs(text, atomic_file_stream(file));
    free(text);
    return file && atomic_file_commit(file, NULL);
}

bool favourites_assign(struct favourites *favourites, int index, const struct palette *palette) {
    const bool own = palette == palette_at((size_t)index);
    palette_replace(&favourites->palettes[index], own ? NULL : palette_ref(palette));
    char *path = favourites->on ? path_of(index) : NULL;
    bool ok = true;
    if (path && own)
        ok = unlink(path) == 0 || errno == ENOENT;
    else if (path)
        ok = write_one(path, palette);
    free(path);
    return ok;
}

void favourites_finish(struct favourites *favourites) {
    for (int i = 0; i < FAVOURITES_COUNT; i++)
        palette_replace(&favourites->palettes[i], NULL);
}
