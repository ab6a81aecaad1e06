/* Carries out what is chosen, saved and deleted in the gallery and its questions, so that the event
 * loop knows one module for both. */
#include "app/gallery/collection.h"
#include "app/explore/explorer.h"
#include "app/explore/go_to.h"
#include "app/explore/open/opening.h"
#include "app/explore/recent.h"
#include "app/gallery/own_views.h"
#include "app/gallery/thumbnails.h"
#include "app/messages.h"
#include "app/title.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IGNORE_CLICKS_MS 500

void collection_finish(struct collection *collection) {
    gallery_close(&collection->gallery);
    free(collection->typed);
    free(collection->bookmark);
    collection->typed = collection->bookmark = NULL;
}

bool collection_open(const struct collection *collection) {
    return collection->gallery.open || collection->dialog.open;
}

bool collection_typing(const struct collection *collection) {
    return collection->dialog.open && collection->dialog.has_field;
}

void collection_toggle_gallery(struct collection *collection) {
    if (collection->gallery.open)
        gallery_close(&collection->gallery);
    else
        gallery_open(&collection->gallery, collection->recent);
}

/* --- saving --- */

/* Says below the field what the name will be, and how to open it. */
static bool check_name(struct collection *collection, char name[static OWN_VIEWS_NAME_MAX + 1]) {
    struct dialog *dialog = &collection->dialog;
    const char *problem = own_views_name(dialog->field.text, name);
    dialog->warning = problem != NULL;
    if (problem)
        snprintf(dialog->text, sizeof dialog->text, "%s", problem);
    else
        snprintf(dialog->text, sizeof dialog->text, "Open it from the gallery, or with: fathom %s",
                 name);
    return !problem;
}

void collection_ask_name(struct collection *collection) {
    char name[OWN_VIEWS_NAME_MAX + 1];
    own_views_suggest(name);
    dialog_ask(&collection->dialog, "Save this location as", "Save", name);
    collection->asked = COLLECTION_SAVE;
    check_name(collection, name);
}

static void post_reason(struct collection *collection, const char *what, const char *why) {
    messages_post(collection->messages, "%s: %s", what, why);
}

static void ask_replace(struct collection *collection, const char *name, bool example) {
    struct dialog *dialog = &collection->dialog;
    free(collection->typed);
    collection->typed = strdup(name);
    if (!collection->typed)
        return;
    dialog_ask(dialog, example ? "Save it anyway?" : "Replace it?", example ? "Save" : "Replace",
               NULL);
    snprintf(dialog->text, sizeof dialog->text,
             example ? "There is an example called %s. Yours would hide it until you delete yours."
                     : "You already have a view called %s.",
             name);
    collection->asked = COLLECTION_REPLACE;
}

/* Where to go on from, for the next bookmark. */
static void remember(struct collection *collection, const char *name) {
    char *copy = strdup(name);
    if (!copy)
        return;
    free(collection->bookmark);
    collection->bookmark = copy;
}

static void note_saved(struct collection *collection, const char *name) {
    remember(collection, name);
    title_name(collection->title, name, &collection->explorer->scene.view);
    if (collection->gallery.open) {
        gallery_refresh(&collection->gallery, collection->recent);
        gallery_select(&collection->gallery, GALLERY_OWN, name);
    }
}

static void save(struct collection *collection, const char *name, bool replace) {
    char why[MESSAGE_TEXT_MAX];
    log_listen(why, sizeof why);
    const enum own_views_saved saved = own_views_save(name, &collection->explorer->scene, replace);
    log_listen(NULL, 0);
    if (saved == OWN_VIEWS_SAVED)
        messages_post(collection->messages,
                      "saved; open it from the gallery (G) or with 'fathom %s'", name);
    else if (saved == OWN_VIEWS_EXISTS || saved == OWN_VIEWS_HIDES)
        ask_replace(collection, name, saved == OWN_VIEWS_HIDES);
    else
        post_reason(collection, "the location was not saved", why);
    if (saved == OWN_VIEWS_SAVED)
        note_saved(collection, name);
}

static void save_typed(struct collection *collection) {
    char name[OWN_VIEWS_NAME_MAX + 1];
    if (check_name(collection, name))
        save(collection, name, false);
    else
        collection->dialog.open = true; /* it says what is wrong */
}

/* --- bookmarks --- */

void collection_keep(struct collection *collection) {
    char name[OWN_VIEWS_NAME_MAX + 1], why[MESSAGE_TEXT_MAX];
    log_listen(why, sizeof why);
    const enum own_views_saved saved = own_views_keep(&collection->explorer->scene, name);
    log_listen(NULL, 0);
    if (saved == OWN_VIEWS_SAVED)
        messages_post(collection->messages, "bookmark saved: %s", name);
    else
        post_reason(collection, "the bookmark was not saved", why);
    if (saved == OWN_VIEWS_SAVED)
        note_saved(collection, name);
}

/* The one after the one that was there last, and the newest where there was none; of one that cannot
 * be opened it is said why, and the next step goes past it. */
static size_t next_bookmark(const struct collection *collection, const struct own_views *views,
                            int steps) {
    const size_t last = own_views_find(views, collection->bookmark);
    const int count = (int)views->count;
    if (last == views->count)
        return steps > 0 ? 0 : views->count - 1;
    return (size_t)((((int)last + steps) % count + count) % count);
}

static void open_bookmark(void *user, const char *name) {
    struct collection *collection = user;
    char *path = own_views_path(name);
    if (go_to_file(collection->explorer, path, collection->messages)) {
        struct own_views views;
        own_views_list(&views);
        messages_post(collection->messages, "bookmark %zu of %zu: %s",
                      own_views_find(&views, name) + 1, views.count, name);
        own_views_finish(&views);
        title_name(collection->title, name, &collection->explorer->scene.view);
        recent_add(collection->recent, &collection->explorer->scene);
        gallery_close(&collection->gallery);
    }
    remember(collection, name);
    free(path);
}

void collection_go_to_bookmark(struct collection *collection, int steps) {
    struct own_views views;
    own_views_list(&views);
    if (views.count == 0)
        messages_post(collection->messages, "no bookmarks yet; Shift+B adds one");
    else
        opening_attempt(collection->opening, open_bookmark, collection,
                        views.names[next_bookmark(collection, &views, steps)]);
    own_views_finish(&views);
}

/* --- the gallery --- */

static struct gallery_item *selected(struct collection *collection) {
    return &collection->gallery.items[collection->gallery.selected];
}

static void ask_delete(struct collection *collection) {
    struct dialog *dialog = &collection->dialog;
    dialog_ask(dialog, "Delete it?", "Delete", NULL);
    snprintf(dialog->text, sizeof dialog->text, "This permanently deletes your view %s.",
             selected(collection)->name);
    collection->asked = COLLECTION_DELETE;
}

static void delete (struct collection *collection) {
    char why[MESSAGE_TEXT_MAX];
    log_listen(why, sizeof why);
    const bool ok = own_views_delete(selected(collection)->name);
    log_listen(NULL, 0);
    if (ok)
        messages_post(collection->messages, "deleted %s", selected(collection)->name);
    else
        post_reason(collection, "the view was not deleted", why);
    gallery_refresh(&collection->gallery, collection->recent);
}

static const struct gallery_item *item_of(const struct collection *collection, const char *id) {
    const struct gallery *gallery = &collection->gallery;
    for (size_t i = 0; gallery->open && i < gallery->count; i++)
        if (strcmp(gallery->items[i].id, id) == 0)
            return &gallery->items[i];
    return NULL;
}

/* The gallery stays open where the view cannot be opened; a message says why. Where it was closed meanwhile, nothing is
 * opened any more. */
static void go_to(void *user, const char *id) {
    struct collection *collection = user;
    const struct gallery_item *item = item_of(collection, id);
    if (!item)
        return;
    const bool ok = item->path ? go_to_file(collection->explorer, item->path, collection->messages)
                               : go_to_text(collection->explorer, "recent locations", item->text,
                                            collection->messages);
    if (!ok)
        return;
    collection->ignore_clicks_until_ms = clock_ms() + IGNORE_CLICKS_MS;
    if (item->path)
        title_name(collection->title, item->path, &collection->explorer->scene.view);
    if (item->kind == GALLERY_OWN)
        remember(collection, item->name);
    gallery_close(&collection->gallery);
    recent_add(collection->recent, &collection->explorer->scene);
}

static void open_recent(void *user, const char *text) {
    struct collection *collection = user;
    go_to_text(collection->explorer, "recent locations", text, collection->messages);
}

void collection_go_to_recent(struct collection *collection, size_t i) {
    if (i < recent_count(collection->recent))
        opening_attempt(collection->opening, open_recent, collection,
                        recent_text(collection->recent, i));
}

/* --- events --- */

static bool take_answer(struct collection *collection, enum dialog_answer answer) {
    char name[OWN_VIEWS_NAME_MAX + 1];
    switch (answer) {
    case DIALOG_CHANGED:
        check_name(collection, name);
        return true;
    case DIALOG_YES:
        if (collection->asked == COLLECTION_SAVE)
            save_typed(collection);
        else if (collection->asked == COLLECTION_REPLACE)
            save(collection, collection->typed, true);
        else if (collection->gallery.selected < collection->gallery.count)
            delete (collection);
        return true;
    default:
        return answer != DIALOG_OTHER;
    }
}

static bool take_wish(struct collection *collection, enum gallery_wish wish) {
    switch (wish) {
    case GALLERY_CHOSEN:
        opening_attempt(collection->opening, go_to, collection, selected(collection)->id);
        break;
    case GALLERY_LEAVE:
        opening_give_up(collection->opening);
        gallery_close(&collection->gallery);
        break;
    case GALLERY_DELETE:
        ask_delete(collection);
        break;
    case GALLERY_NOT_OWN:
        messages_post(collection->messages, "only your own views can be deleted");
        break;
    default:
        break;
    }
    return wish != GALLERY_OTHER;
}

/* Ctrl+S and Shift+B. */
static bool is_save_key(const SDL_Event *event) {
    const SDL_Keysym *key = &event->key.keysym;
    return event->type == SDL_KEYDOWN && !event->key.repeat &&
           ((key->sym == SDLK_s && key->mod & KMOD_CTRL) ||
            (key->sym == SDLK_b && key->mod & KMOD_SHIFT));
}

/* Events that are not for the gallery or a question go on to the window. */
bool collection_event(struct collection *collection, const SDL_Event *event) {
    const bool button = event->type == SDL_MOUSEBUTTONDOWN;
    if (collection->dialog.open)
        return take_answer(collection, dialog_event(&collection->dialog, event));
    if (collection->gallery.open && !is_save_key(event))
        return take_wish(collection, gallery_event(&collection->gallery, event));
    return button && clock_ms() < collection->ignore_clicks_until_ms && event->button.clicks > 1;
}

/* --- thumbnails --- */

bool collection_begin_frame(struct collection *collection, bool shows) {
    const bool first = shows && !collection->looking;
    if (!collection->thumbnails)
        return false;
    if (shows)
        thumbnails_begin_frame(collection->thumbnails);
    else if (collection->looking)
        thumbnails_rest(collection->thumbnails);
    collection->looking = shows;
    return first;
}

uint32_t collection_texture(struct collection *collection, size_t item) {
    const struct gallery_item *shown = &collection->gallery.items[item];
    const struct thumbnail_source source = {shown->path, shown->text, shown->id, false};
    return collection->thumbnails ? thumbnails_texture(collection->thumbnails, &source) : 0;
}

uint32_t collection_recent_texture(struct collection *collection, size_t i) {
    const char *text = recent_text(collection->recent, i);
    const struct thumbnail_source source = {.text = text, .id = text};
    return collection->thumbnails ? thumbnails_texture(collection->thumbnails, &source) : 0;
}

uint32_t collection_scene_texture(struct collection *collection, const char *text) {
    const struct thumbnail_source source = {.text = text, .id = text, .fleeting = true};
    return collection->thumbnails ? thumbnails_texture(collection->thumbnails, &source) : 0;
}

bool collection_update(struct collection *collection, bool moving) {
    if (!collection->thumbnails)
        return false;
    thumbnails_wait(collection->thumbnails, moving);
    return thumbnails_upload(collection->thumbnails);
}

bool collection_busy(const struct collection *collection) {
    return collection->thumbnails && collection->looking && thumbnails_busy(collection->thumbnails);
}
