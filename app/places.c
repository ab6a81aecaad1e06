/* Views from files and the clipboard, and to it. */
#include "app/places.h"
#include "render/location.h"
#include "render/log.h"
#include <SDL.h>
#include <stdlib.h>
#include <string.h>

#define CLIPBOARD "clipboard" /* its name in messages */

/* A message is short: of the path in `why` it has the file's name. */
static void post_reason(struct messages *messages, const char *why, const char *path) {
    const char *at = strstr(why, path), *slash = strrchr(path, '/');
    if (!*why)
        messages_post(messages, "cannot open %s", slash ? slash + 1 : path);
    else if (at && slash)
        messages_post(messages, "%.*s%s", (int)(at - why), why, at + (slash + 1 - path));
    else
        messages_post(messages, "%s", why);
}

/* A place alone keeps the rest. */
static void copy_scene(struct scene *scene, const struct scene *from) {
    *scene = *from;
    view_init_copy(&scene->view, &from->view);
}

bool places_open(struct explorer *explorer, const char *path, struct messages *messages) {
    char why[1024];
    struct scene scene;
    copy_scene(&scene, &explorer->scene);
    log_listen(why, sizeof why);
    const bool ok = path && scene_load(&scene, path);
    log_listen(NULL, 0);
    if (ok) {
        explorer_goto(explorer, &scene);
        return true;
    }
    scene_finish(&scene);
    post_reason(messages, why, path ? path : "that");
    return false;
}

bool places_copy(const struct scene *scene, struct messages *messages) {
    char *text = scene_text(scene);
    const bool ok = text && SDL_SetClipboardText(text) == 0;
    if (ok)
        messages_post(messages, "the view is in the clipboard, as text");
    else
        messages_post(messages, "the view cannot be copied: %s",
                      text ? SDL_GetError() : "not enough memory");
    free(text);
    return ok;
}

static bool parse(struct scene *scene, const char *text, struct messages *messages) {
    char why[1024];
    if (!text || !*text) {
        messages_post(messages, "the clipboard is empty");
        return false;
    }
    log_listen(why, sizeof why);
    const bool ok = scene_parse_any(scene, CLIPBOARD, text, strlen(text));
    log_listen(NULL, 0);
    if (!ok)
        post_reason(messages, why, CLIPBOARD);
    return ok;
}

bool places_paste(struct explorer *explorer, struct messages *messages) {
    struct scene scene;
    char *text = SDL_GetClipboardText();
    copy_scene(&scene, &explorer->scene);
    const bool ok = parse(&scene, text, messages);
    SDL_free(text);
    if (ok)
        explorer_goto(explorer, &scene);
    else
        scene_finish(&scene);
    return ok;
}
