/* Fuzzed readers, each as a function of a file. Readers of the user's own files find them by the
 * environment: a link there leads to the file. */
#define _GNU_SOURCE
#include "tests/fuzz/readers.h"
#include "app/explore/go_to.h"
#include "app/explore/recent.h"
#include "app/options/config.h"
#include "app/script/script.h"
#include "render/base/atomic_file.h"
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/files/density_file.h"
#include "render/files/exr/exr.h"
#include "render/files/image.h"
#include "render/files/location.h"
#include "render/files/npy.h"
#include "render/files/poster/poster.h"
#include "render/files/toml.h"
#include "render/gradient/import.h"
#include "render/light/light.h"
#include "render/palette.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_MAX (1 << 20)

/* Aborts if the result is not sound, even with assert off. */
static void must(bool sound) {
    if (!sound)
        abort();
}

static void check_scene(const struct scene *scene) {
    must(mpfr_number_p(scene->view.re) && mpfr_number_p(scene->view.im) &&
         mpfr_regular_p(scene->view.zoom) && mpfr_sgn(scene->view.zoom) > 0 &&
         isfinite(scene->view.angle));
    must(scene->palette && scene->width_px >= 0 && scene->width_px <= POSTER_SIDE_MAX &&
         scene->height_px >= 0 && scene->height_px <= POSTER_SIDE_MAX &&
         scene->limit <= FRAME_LIMIT_MAX);
    must(scene->frequency > 0 && scene->frequency <= 1e6 && scene->offset >= 0 &&
         scene->offset < 1);
}

/* Checks that a scene's text is read as the same view. */
static void check_text(const struct scene *scene) {
    struct scene again;
    char *text = scene_text(scene);
    scene_init(&again);
    must(text && scene_parse(&again, "again", text, strlen(text)) &&
         view_equal(&again.view, &scene->view) && again.limit == scene->limit);
    scene_finish(&again);
    free(text);
}

static bool read_scene(const char *path) {
    struct scene scene;
    scene_init(&scene);
    const bool ok = scene_load(&scene, path);
    check_scene(&scene);
    if (ok)
        check_text(&scene);
    scene_finish(&scene);
    return ok;
}

/* Reads the picture's pixels, and the view that it may contain. */
static bool read_picture(const char *path) {
    struct image image;
    const bool ok = image_read(path, &image);
    must(ok == (image.rgba || image.deep) && !(image.rgba && image.deep) &&
         (!ok || (image.width_px > 0 && image.height_px > 0)));
    if (ok) { /* read the last pixel: all of it must exist */
        const size_t last = (size_t)image.width_px * (size_t)image.height_px - 1;
        const volatile uint64_t pixel = image.rgba ? image.rgba[last] : image.deep[last];
        (void)pixel;
    }
    image_finish(&image);
    return ok;
}

/* Reads all samples, and colours them by planes that the file may have. */
static bool read_exr(const char *path) {
    if (exr_missing())
        return true;
    struct sample_planes planes;
    struct exr_reader *reader = exr_reader_open(path);
    const struct exr_facts *facts = reader ? exr_reader_facts(reader) : NULL;
    struct frame_req req;
    int y = 0, rows = 0;
    frame_req_init(&req, 1, 1);
    must(!facts || (facts->width_px > 0 && facts->height_px > 0));
    if (facts && facts->planes && exr_reader_begin(reader, facts->planes, 1))
        for (; (rows = exr_reader_rows(reader, &planes)) > 0; y += rows)
            for (size_t i = 0; i < (size_t)rows * (size_t)facts->width_px; i++)
                for (uint32_t by = 0; by < BY_IMAGE; by++) {
                    req.colouring.by = by;
                    req.colouring.inside = by % INSIDE_KINDS;
                    must(light_sample(&req.colouring, req.colouring.table, planes.plane, i) >> 24);
                }
    const bool ok = facts && facts->planes && y == facts->height_px;
    if (facts && !facts->planes)
        log_error("there are no samples");
    exr_reader_close(reader);
    frame_req_finish(&req);
    return ok;
}

static bool read_npy(const char *path) {
    struct npy npy;
    const bool ok = npy_read(path, &npy);
    must(ok == (npy.values || npy.counts));
    npy_finish(&npy);
    return ok;
}

static bool read_run(const char *path) {
    struct scene scene;
    struct density_counts counts;
    scene_init(&scene);
    const bool ok = density_file_read(path, &scene, &counts);
    must(ok == (counts.count != NULL) && ok == scene.orbit_density);
    check_scene(&scene);
    density_counts_finish(&counts);
    scene_finish(&scene);
    return ok;
}

/* Checks that a palette's text is read as the same colours. */
static void check_palette(const struct palette *palette) {
    static struct palette again;
    char *text = palette_file_text(palette);
    must(text && palette_parse(&again, palette->id, "again", text, strlen(text)) &&
         gradient_equal(&again.gradient, &palette->gradient));
    free(text);
}

static bool take_gradient(void *user, const struct named_gradient *named) {
    static struct palette palette;
    int *count = user;
    ++*count;
    must(!gradient_problem(&named->gradient) && strlen(named->name) <= PALETTE_NAME_MAX);
    palette_set(&palette, "fuzz", named);
    check_palette(&palette);
    return true;
}

/* Reads all gradients of the text, from a buffer of exactly its size. */
static bool read_palette(const char *path) {
    size_t length;
    int count = 0;
    char *text = file_read(path, TEXT_MAX, &length), *exact = malloc(length ? length : 1);
    must(exact);
    if (text)
        memcpy(exact, text, length);
    const bool ok = text && import_read("fuzz", "fuzz", exact, length, take_gradient, &count);
    must(!ok || count > 0);
    free(exact);
    free(text);
    return ok;
}

/* Reads the text as the window reads pasted text: a palette, a location or a view. */
static bool read_paste(const char *path) {
    struct explorer explorer;
    struct messages messages = {.count = 0};
    struct scene scene;
    size_t length;
    char *text = file_read(path, TEXT_MAX, &length);
    scene_init(&scene);
    explorer_init(&explorer, &scene, 640, 360);
    const bool ok = text && go_to_text(&explorer, "clipboard", text, &messages);
    check_scene(&explorer.scene);
    must(!text || ok || messages.count == 1);
    if (ok)
        check_text(&explorer.scene);
    explorer_finish(&explorer);
    free(text);
    return ok;
}

static bool take_ini(void *user, const char *section, const char *key, const char *value,
                     int line) {
    size_t *total = user;
    *total += strlen(section) + strlen(key) + strlen(value);
    must(line > 0);
    return true;
}

static bool read_ini(const char *path) {
    size_t length, total = 0;
    char *text = file_read(path, TEXT_MAX, &length);
    const bool ok = text && ini_read("fuzz", text, length, take_ini, &total);
    free(text);
    return ok;
}

static bool take_toml(void *user, const char *key, const char *value, int line) {
    return take_ini(user, "", key, value ? value : "", line);
}

static bool read_toml(const char *path) {
    size_t length, total = 0;
    char *text = file_read(path, TEXT_MAX, &length);
    const bool ok = text && toml_read("fuzz", text, length, take_toml, &total);
    free(text);
    return ok;
}

static bool read_script(const char *path) {
    struct script *script = script_load(path);
    script_destroy(script);
    return script != NULL;
}

/* Sets `variable` to this folder, and makes fathom/NAME in it a link to `path`. */
static void put_link(const char *variable, const char *name, const char *path) {
    char here[PATH_MAX], target[2 * PATH_MAX], file[64], now[2 * PATH_MAX] = "";
    must(getcwd(here, sizeof here) != NULL);
    setenv(variable, here, 1);
    snprintf(file, sizeof file, "fathom/%s", name);
    snprintf(target, sizeof target, "%s%s%s", *path == '/' ? "" : here, *path == '/' ? "" : "/",
             path);
    if (readlink(file, now, sizeof now - 1) >= 0 && strcmp(now, target) == 0)
        return;
    mkdir("fathom", 0700);
    unlink(file);
    must(symlink(target, file) == 0);
}

static bool read_config(const char *path) {
    char program[] = "fathom";
    char *arguments[] = {program, NULL};
    struct options options;
    put_link("XDG_CONFIG_HOME", "config", path);
    must(options_parse(&options, 1, arguments));
    config_apply(&options);
    must(options.threads >= 0 && options.width_px >= 0 && options.width_px <= POSTER_SIDE_MAX);
    options_finish(&options);
    return true;
}

static bool read_recent(const char *path) {
    put_link("XDG_STATE_HOME", "recent", path);
    struct recent *recent = recent_load();
    for (size_t i = 0; recent && i < recent_count(recent); i++)
        must(strlen(recent_label(recent, i)) < TEXT_MAX && recent_text(recent, i));
    recent_destroy(recent);
    return true;
}

const struct fuzz_reader fuzz_readers[] = {
    {"view", read_scene, false},      {"kfr", read_scene, false},
    {"toml", read_scene, false},      {"bare", read_scene, false},
    {"shot", read_scene, false},      {"par", read_scene, false},
    {"xpf", read_scene, false},       {"ppm", read_picture, false},
    {"png", read_picture, false},     {"jpeg", read_picture, false},
    {"webp", read_scene, false},      {"exr", read_exr, false},
    {"npy", read_npy, false},         {"run", read_run, false},
    {"palette", read_palette, false}, {"ini", read_ini, false},
    {"tables", read_toml, false},     {"script", read_script, false},
    {"config", read_config, true},    {"recent", read_recent, true},
    {"paste", read_paste, false},     {0},
};
