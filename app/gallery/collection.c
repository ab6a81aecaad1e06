/* Collection: opens, saves and deletes views as the keys and clicks in the gallery and its dialogs
 * demand. */
#include "app/gallery/collection.h"
#include "app/explore/explorer.h"
#include "app/explore/go_to.h"
#include "app/explore/open/opening.h"
#include "app/explore/recent.h"
#include "app/gallery/own_views.h"
#include "app/gallery/thumbnails.h"
#include "app/input/input.h"
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
    free(collection->bookmark);
    collection->bookmark = NULL;
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

static struct dialog *open_dialog(struct collection *collection, const char *title, const char *yes,
                                  void (*answer)(struct collection *)) {
    collection->dialog =
        (struct dialog){.open = true, .title = title, .yes = yes, .answer = answer};
    return &collection->dialog;
}

void collection_check_field(struct collection *collection) {
    struct dialog *dialog = &collection->dialog;
    char name[OWN_VIEWS_NAME_MAX + 1];
    const char *problem = own_views_name(dialog->field, name);
    dialog->warning = problem != NULL;
    if (problem)
        snprintf(dialog->text, sizeof dialog->text, "%s", problem);
    else
        snprintf(dialog->text, sizeof dialog->text, "Open it from the gallery, or with: fathom %s",
                 name);
}

/* Stores the view from which collection_go_to_bookmark continues. */
static void remember_bookmark(struct collection *collection, const char *name) {
    char *copy = strdup(name);
    if (!copy)
        return;
    free(collection->bookmark);
    collection->bookmark = copy;
}

static void note_saved(struct collection *collection, const char *name) {
    remember_bookmark(collection, name);
    title_name(collection->title, name, &collection->explorer->scene.view);
    if (collection->gallery.open) {
        gallery_refresh(&collection->gallery, collection->recent);
        gallery_select(&collection->gallery, name);
    }
}

static void save_over(struct collection *collection);

/* Saves the location, or asks first if a view of that name would be replaced or hidden. `what` is
 * the word of the messages. */
static void save(struct collection *collection, const char *name, bool over, const char *what) {
    char why[MESSAGE_TEXT_MAX];
    log_listen(why, sizeof why);
    const enum own_views_saved saved = own_views_save(name, &collection->explorer->scene, over);
    log_listen(NULL, 0);
    if (saved == OWN_VIEWS_SAVED) {
        messages_post(collection->messages, "%s saved: %s", what, name);
        note_saved(collection, name);
    } else if (saved == OWN_VIEWS_EXISTS || saved == OWN_VIEWS_HIDES) {
        const bool hides = saved == OWN_VIEWS_HIDES;
        struct dialog *dialog = open_dialog(collection, hides ? "Save it anyway?" : "Replace it?",
                                            hides ? "Save" : "Replace", save_over);
        snprintf(dialog->field, sizeof dialog->field, "%s", name);
        snprintf(dialog->text, sizeof dialog->text,
                 hides
                     ? "There is an example called %s. Yours would hide it until you delete yours."
                     : "You already have a view called %s.",
                 name);
    } else {
        messages_post(collection->messages, "the %s was not saved: %s", what, why);
    }
}

static void save_over(struct collection *collection) {
    save(collection, collection->dialog.field, true, "location");
}

static void save_typed(struct collection *collection) {
    char name[OWN_VIEWS_NAME_MAX + 1];
    if (own_views_name(collection->dialog.field, name))
        collection->dialog.open = true; /* its text reports the problem */
    else
        save(collection, name, false, "location");
}

void collection_ask_name(struct collection *collection) {
    struct dialog *dialog = open_dialog(collection, "Save this location as", "Save", save_typed);
    dialog->has_field = true;
    own_views_suggest(&collection->explorer->scene, dialog->field);
    collection_check_field(collection);
}

/* --- bookmarks --- */

void collection_add_bookmark(struct collection *collection) {
    char name[OWN_VIEWS_NAME_MAX + 1];
    if (own_views_suggest(&collection->explorer->scene, name))
        save(collection, name, false, "bookmark");
    else
        messages_post(collection->messages, "the bookmark was not saved: too many have its name");
}

/* Returns the view that is `steps` after the last one. Without a last one, returns the newest view
 * (or, backwards, the oldest). */
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
    remember_bookmark(collection, name);
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

static void delete_selected(struct collection *collection) {
    if (collection->gallery.selected >= collection->gallery.count)
        return;
    char why[MESSAGE_TEXT_MAX];
    log_listen(why, sizeof why);
    const bool ok = own_views_delete(selected(collection)->name);
    log_listen(NULL, 0);
    if (ok)
        messages_post(collection->messages, "deleted %s", selected(collection)->name);
    else
        messages_post(collection->messages, "the view was not deleted: %s", why);
    gallery_refresh(&collection->gallery, collection->recent);
}

static void ask_delete(struct collection *collection) {
    struct dialog *dialog = open_dialog(collection, "Delete it?", "Delete", delete_selected);
    snprintf(dialog->text, sizeof dialog->text, "This permanently deletes your view %s.",
             selected(collection)->name);
}

static const struct gallery_item *item_of(const struct collection *collection, const char *id) {
    const struct gallery *gallery = &collection->gallery;
    for (size_t i = 0; gallery->open && i < gallery->count; i++)
        if (strcmp(gallery->items[i].id, id) == 0)
            return &gallery->items[i];
    return NULL;
}

/* Opens an item and closes the gallery. If the view cannot be opened, the gallery stays open and a
 * message reports the reason. If the gallery was closed meanwhile, nothing is opened. */
static void open_item(void *user, const char *id) {
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
        remember_bookmark(collection, item->name);
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

static void answer_yes(struct collection *collection) {
    collection->dialog.open = false;
    collection->dialog.answer(collection);
}

static void open_selected(struct collection *collection) {
    opening_attempt(collection->opening, open_item, collection, selected(collection)->id);
}

bool collection_take_click(struct collection *collection) {
    const enum collection_click clicked = collection->clicked;
    collection->clicked = COLLECTION_NOTHING;
    if (clicked == COLLECTION_ITEM)
        open_selected(collection);
    else if (clicked == COLLECTION_YES)
        answer_yes(collection);
    else if (clicked == COLLECTION_NO)
        collection->dialog.open = false;
    return clicked != COLLECTION_NOTHING;
}

/* Returns false for keys that Dear ImGui's text field handles. A held key answers no dialog. */
static bool take_dialog_key(struct collection *collection, const SDL_KeyboardEvent *event) {
    const SDL_Keycode key = event->keysym.sym;
    const bool has_field = collection->dialog.has_field, no = key == SDLK_ESCAPE;
    const bool yes =
        key == SDLK_RETURN || key == SDLK_KP_ENTER || (!has_field && key == SDLK_DELETE);
    if (no)
        collection->dialog.open = false;
    else if (yes && !event->repeat)
        answer_yes(collection);
    return !has_field || yes || no;
}

static void take_plain_key(struct collection *collection, SDL_Keycode key) {
    const bool any = collection->gallery.selected < collection->gallery.count;
    switch (key) {
    case SDLK_ESCAPE:
    case SDLK_g:
        opening_give_up(collection->opening);
        gallery_close(&collection->gallery);
        break;
    case SDLK_RETURN:
    case SDLK_KP_ENTER:
    case SDLK_SPACE:
        if (any)
            open_selected(collection);
        break;
    case SDLK_DELETE:
        if (any && selected(collection)->kind == GALLERY_OWN)
            ask_delete(collection);
        else if (any)
            messages_post(collection->messages, "only your own views can be deleted");
        break;
    default:
        break;
    }
}

/* Returns false for keys that belong to the window: those of the help, the full screen, bookmarks
 * and quitting, and all with Ctrl, Alt or Gui. */
static bool take_gallery_key(struct collection *collection, const SDL_KeyboardEvent *event) {
    const SDL_Keycode key = event->keysym.sym;
    const enum action_kind kind = input_key_action(event).kind;
    if (gallery_move(&collection->gallery, key))
        return true;
    if (kind == ACTION_HELP || kind == ACTION_FULLSCREEN || kind == ACTION_KEEP_VIEW ||
        kind == ACTION_QUIT || event->keysym.mod & (KMOD_CTRL | KMOD_ALT | KMOD_GUI))
        return false;
    if (!event->repeat)
        take_plain_key(collection, key);
    return true;
}

bool collection_event(struct collection *collection, const SDL_Event *event) {
    if (event->type == SDL_KEYDOWN && collection->dialog.open)
        return take_dialog_key(collection, &event->key);
    if (event->type == SDL_KEYDOWN && collection->gallery.open)
        return take_gallery_key(collection, &event->key);
    return event->type == SDL_MOUSEBUTTONDOWN && !collection_open(collection) &&
           clock_ms() < collection->ignore_clicks_until_ms && event->button.clicks > 1;
}

/* --- thumbnails --- */

bool collection_begin_frame(struct collection *collection, bool shows) {
    const bool first = shows && !collection->thumbnails_shown;
    if (shows)
        thumbnails_begin_frame(collection->thumbnails);
    else if (collection->thumbnails_shown)
        thumbnails_rest(collection->thumbnails);
    collection->thumbnails_shown = shows;
    return first;
}

uint32_t collection_texture(struct collection *collection, size_t item) {
    const struct gallery_item *shown = &collection->gallery.items[item];
    const struct thumbnail_source source = {shown->path, shown->text, shown->id, false};
    return thumbnails_texture(collection->thumbnails, &source);
}

uint32_t collection_text_texture(struct collection *collection, const char *text, bool fleeting) {
    const struct thumbnail_source source = {.text = text, .id = text, .fleeting = fleeting};
    return thumbnails_texture(collection->thumbnails, &source);
}

bool collection_update(struct collection *collection, bool moving) {
    thumbnails_wait(collection->thumbnails, moving);
    return thumbnails_upload(collection->thumbnails);
}

bool collection_busy(const struct collection *collection) {
    return collection->thumbnails_shown && thumbnails_busy(collection->thumbnails);
}
