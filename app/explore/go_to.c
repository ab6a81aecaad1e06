/* Opens views, palettes and images from files and the clipboard, found locations and Julia sets;
 * copies the view as text. */
#include "app/explore/go_to.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/files/location.h"
#include "render/gradient/import.h"
#include "render/locate/home.h"
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_UNTOLD UINT32_MAX /* marks a scene whose text has no limit */

/* Posts a reason; a path in it is cut to the file's name, because messages are short. */
static void post_reason(struct messages *messages, const char *why, const char *path) {
    const char *at = strstr(why, path), *slash = strrchr(path, '/');
    if (!*why)
        messages_post(messages, "cannot open %s", slash ? slash + 1 : path);
    else if (at && slash)
        messages_post(messages, "%.*s%s", (int)(at - why), why, at + (slash + 1 - path));
    else
        messages_post(messages, "%s", why);
}

/* Copies the present scene, so that a location alone keeps its settings, and marks the limit as not
 * given. */
static void begin_scene(struct scene *scene, const struct explorer *explorer) {
    scene_init_copy(scene, &explorer->scene);
    scene->limit = LIMIT_UNTOLD;
}

/* Goes to a scene. The automatic limit starts again from a limit that was given. */
static void go_to(struct explorer *explorer, struct scene *scene) {
    if (scene->limit == LIMIT_UNTOLD)
        scene->limit = explorer->scene.limit;
    else
        auto_limit_reset(&explorer->auto_limit);
    explorer_set_scene(explorer, scene);
}

/* Goes to a scene that was read. Posts the reason if reading failed, and ignored parts. */
static bool go_to_read_scene(struct explorer *explorer, struct scene *scene, bool ok,
                             const char *why, const char *source, struct messages *messages) {
    log_listen(NULL, 0);
    if (ok)
        go_to(explorer, scene);
    else
        scene_finish(scene);
    if ((!ok || *why) && !trap_image_has_pending())
        post_reason(messages, why, source);
    return ok;
}

/* Returns true for the text of a palette. A location with a palette is a location. */
static bool is_palette(const char *text, size_t length) {
    return import_kind(text, length) != IMPORT_NONE && strncmp(text, "Re:", 3) != 0 &&
           !strstr(text, "\nRe:");
}

static bool take_palette(struct explorer *explorer, const char *source, const char *text,
                         size_t length, struct messages *messages) {
    char why[1024];
    unsigned count;
    log_listen_to_warnings(why, sizeof why, &count);
    const struct palette *palette = palette_import(source, text, length);
    log_listen(NULL, 0);
    if (palette) {
        messages_post(messages, "palette: %s", palette->name);
        explorer_set_palette(explorer, palette, true);
    }
    if (!palette || *why)
        post_reason(messages, why, source);
    return palette;
}

bool go_to_palette_file(struct explorer *explorer, const char *path, struct messages *messages) {
    const char *why;
    bool absent, more = false;
    size_t length;
    FILE *file = path ? file_open_silently(path, &absent, &why) : NULL;
    if (!file)
        return false;
    char *text = file_read_start(file, path, IMPORT_TEXT_MAX, &length, &more);
    fclose(file);
    const bool is = text && !more && is_palette(text, length);
    if (is)
        take_palette(explorer, path, text, length, messages);
    free(text);
    return is;
}

/* Sets the image and colours by it, as one undo step. */
static void take_image(struct explorer *explorer, const char *path, struct messages *messages) {
    struct setting_problem problem;
    struct scene scene;
    scene_init_copy(&scene, &explorer->scene);
    if (setting_parse(SETTING_IMAGE, &scene, path, &problem)) {
        scene.by = BY_IMAGE;
        explorer_update(explorer, &scene, false);
        messages_post(messages, "colour by: image");
        return;
    }
    scene_finish(&scene);
    if (!problem.unanswered)
        post_reason(messages, problem.why, path);
}

bool go_to_image_file(struct explorer *explorer, const char *path, struct messages *messages) {
    if (!path || !scene_is_picture_alone(path))
        return false;
    if (explorer->scene.orbit_density || fractal_is_map(&explorer->scene.fractal))
        messages_post(messages,
                      "images can colour only escape-time pictures of formulas with powers");
    else
        take_image(explorer, path, messages);
    return true;
}

bool go_to_file(struct explorer *explorer, const char *path, struct messages *messages) {
    char why[1024];
    unsigned count;
    struct scene scene;
    begin_scene(&scene, explorer);
    log_listen_to_warnings(why, sizeof why, &count);
    const bool ok = path && scene_load(&scene, path);
    return go_to_read_scene(explorer, &scene, ok, why, path ? path : "that", messages);
}

bool go_to_copy(const struct scene *scene, struct messages *messages) {
    char *text = scene_text(scene);
    const bool ok = text && SDL_SetClipboardText(text) == 0;
    if (ok)
        messages_post(messages, "location copied as text");
    else
        messages_post(messages, "cannot copy the location: %s",
                      text ? SDL_GetError() : "not enough memory");
    free(text);
    return ok;
}

bool go_to_text(struct explorer *explorer, const char *source, const char *text,
                struct messages *messages) {
    char why[1024];
    unsigned count;
    struct scene scene;
    if (is_palette(text, strlen(text)))
        return take_palette(explorer, source, text, strlen(text), messages);
    begin_scene(&scene, explorer);
    log_listen_to_warnings(why, sizeof why, &count);
    const bool ok = scene_parse_any(&scene, source, text, strlen(text));
    return go_to_read_scene(explorer, &scene, ok, why, source, messages);
}

/* SDL returns an empty text for an empty clipboard and for megabytes of text. */
char *go_to_clipboard(struct messages *messages) {
    char *text = SDL_GetClipboardText();
    if (text && *text)
        return text;
    messages_post(messages, "nothing to paste: the clipboard has no text, or too much");
    SDL_free(text);
    return NULL;
}

void go_to_found(struct explorer *explorer, const struct located *found) {
    struct scene scene;
    begin_scene(&scene, explorer);
    view_assign(&scene.view, &found->scene.view);
    scene.limit = found->scene.limit;
    go_to(explorer, &scene);
}

/* --- Julia sets --- */

/* Sets a parameter to a number with the fewest digits that distinguish it at its precision. */
static void set_parameter(mpfr_t parameter, mpfr_srcptr number) {
    const mpfr_prec_t bits = mpfr_get_prec(number);
    char *text = view_number_text(number, 0);
    mpfr_set_prec(parameter,
                  bits < FRACTAL_PARAMETER_BITS ? FRACTAL_PARAMETER_BITS : (bits + 63) / 64 * 64);
    mpfr_set(parameter, number, MPFR_RNDN);
    if (text) /* else it keeps all digits */
        mpfr_set_str(parameter, text, 10, MPFR_RNDN);
    free(text);
}

void go_to_parameter(const struct explorer *explorer, struct fractal *fractal) {
    const int width = explorer->width_px, height = explorer->height_px;
    struct view at;
    view_init(&at);
    explorer_screen_view(explorer, &at);
    view_pan(&at, explorer->pointer_x_px + 0.5 - width / 2.0,
             explorer->pointer_y_px + 0.5 - height / 2.0, height);
    set_parameter(fractal->re, at.re);
    set_parameter(fractal->im, at.im);
    fractal->julia = 1;
    view_finish(&at);
}

/* Returns to the last view in the history that is no Julia set, or to the home of the formula's
 * set. */
static void leave_julia(const struct explorer *explorer, struct scene *scene) {
    const struct history *history = &explorer->history;
    size_t last = history->at;
    while (last > 0 && history->steps[last - 1].scene.fractal.julia)
        last--;
    scene->fractal.julia = 0;
    if (last > 0) {
        view_assign(&scene->view, &history->steps[last - 1].scene.view);
        return;
    }
    home_view(&scene->view, &scene->fractal, explorer->width_px, explorer->height_px);
}

bool go_to_julia(struct explorer *explorer) {
    struct scene scene;
    scene_init_copy(&scene, &explorer->scene);
    if (scene.fractal.julia) {
        leave_julia(explorer, &scene);
    } else {
        go_to_parameter(explorer, &scene.fractal);
        home_view(&scene.view, &scene.fractal, explorer->width_px, explorer->height_px);
    }
    const bool valid = fractal_is_valid(&scene.fractal);
    if (valid)
        explorer_set_scene(explorer, &scene);
    else
        scene_finish(&scene);
    return valid;
}
