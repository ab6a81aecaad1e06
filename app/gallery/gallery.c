/* Gallery: collects own views, examples and recent locations, and moves the selection by keys. */
#define _GNU_SOURCE
#include "app/gallery/gallery.h"
#include "app/assets.h"
#include "app/explore/recent.h"
#include "app/gallery/own_views.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NOTE_MAX 120 /* bytes */

static void release(struct gallery_item *item) {
    free(item->name);
    free(item->note);
    free(item->path);
    free(item->text);
    free(item->id);
}

void gallery_close(struct gallery *gallery) {
    for (size_t i = 0; i < gallery->count; i++)
        release(&gallery->items[i]);
    free(gallery->items);
    *gallery = (struct gallery){0};
}

/* Appends the item, whose texts the gallery then owns. Returns false if memory runs out. */
static bool add(struct gallery *gallery, struct gallery_item item) {
    const size_t size = (gallery->count + 1) * sizeof item;
    struct gallery_item *items =
        item.name && item.note && item.id ? realloc(gallery->items, size) : NULL;
    if (!items) {
        release(&item);
        return false;
    }
    gallery->items = items;
    gallery->items[gallery->count++] = item;
    return true;
}

/* --- views --- */

/* Returns the comment in the first line of a view's file, or "". The caller frees it. */
static char *first_comment(const char *path) {
    char line[NOTE_MAX] = "";
    bool absent;
    const char *why;
    FILE *file = file_open_silently(path, &absent, &why);
    const bool read = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    if (!read || line[0] != '#' || line[1] != ' ')
        return strdup("");
    return strndup(line + 2, strcspn(line + 2, "\r\n"));
}

/* Returns a text that changes whenever the file is written. The caller frees it. */
static char *id_of(const char *path) {
    struct stat status;
    char *id;
    if (stat(path, &status) != 0)
        return strdup(path);
    return asprintf(&id, "%s %lld %lld.%09ld", path, (long long)status.st_size,
                    (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec) < 0
               ? NULL
               : id;
}

static bool add_views(struct gallery *gallery, enum gallery_kind kind, char *const *names,
                      size_t count) {
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        const bool own = own_views_has(names[i]);
        char *path = own == (kind == GALLERY_OWN) ? assets_view_path(names[i]) : NULL;
        if (path)
            ok = add(gallery, (struct gallery_item){.kind = kind,
                                                    .name = strdup(names[i]),
                                                    .note = first_comment(path),
                                                    .path = path,
                                                    .id = id_of(path)});
    }
    return ok;
}

/* --- recent locations --- */

/* Returns an item whose note is the last part of the label: the coordinates after date and zoom.
 * Two blanks separate the parts. */
static struct gallery_item recent_item(const char *label, const char *text) {
    const char *last = label;
    while (strstr(last, "  "))
        last = strstr(last, "  ") + 2;
    return (struct gallery_item){.kind = GALLERY_RECENT,
                                 .name = strndup(label, (size_t)(last - label)),
                                 .note = strdup(last),
                                 .text = strdup(text),
                                 .id = strdup(text)};
}

static bool add_recent(struct gallery *gallery, const struct recent *recent) {
    bool ok = true;
    for (size_t i = 0; ok && recent && i < recent_count(recent); i++)
        ok = add(gallery, recent_item(recent_label(recent, i), recent_text(recent, i)));
    return ok;
}

/* --- all --- */

static bool fill(struct gallery *gallery, const struct recent *recent) {
    struct own_views own;
    struct assets_views views;
    own_views_list(&own);
    assets_list_views(&views);
    assets_order_views(&views);
    const bool ok = add_views(gallery, GALLERY_OWN, own.names, own.count) &&
                    add_views(gallery, GALLERY_EXAMPLE, views.names, views.count) &&
                    add_recent(gallery, recent);
    own_views_finish(&own);
    assets_finish_views(&views);
    if (!ok)
        log_error("not enough memory for the gallery");
    return ok;
}

bool gallery_open(struct gallery *gallery, const struct recent *recent) {
    gallery_close(gallery);
    gallery->open = gallery->reveal = true;
    if (!fill(gallery, recent))
        gallery_close(gallery);
    return gallery->open;
}

void gallery_select(struct gallery *gallery, const char *name) {
    for (size_t i = 0; i < gallery->count; i++)
        if (strcmp(gallery->items[i].name, name) == 0)
            gallery->selected = i;
    gallery->reveal = true;
}

bool gallery_refresh(struct gallery *gallery, const struct recent *recent) {
    const size_t selected = gallery->selected;
    if (!gallery_open(gallery, recent))
        return false;
    const size_t last = gallery->count - (gallery->count > 0);
    gallery->selected = selected < last ? selected : last;
    return true;
}

/* --- the selection --- */

void gallery_lay_out(struct gallery *gallery, int columns) {
    struct gallery_item *items = gallery->items;
    for (size_t i = 1; i < gallery->count; i++) {
        const bool first = items[i].kind != items[i - 1].kind;
        items[i].column = first ? 0 : (items[i - 1].column + 1) % columns;
        items[i].row = items[i - 1].row + (items[i].column == 0);
    }
}

/* Selects the item `rows` below, or above if negative, in the first to the last row. Selects the
 * last item of a row that has fewer columns. */
static void move_rows(struct gallery *gallery, int rows) {
    const struct gallery_item *items = gallery->items;
    if (gallery->count == 0)
        return;
    const struct gallery_item from = items[gallery->selected];
    const int last = items[gallery->count - 1].row, to = from.row + rows;
    const int row = to < 0 ? 0 : to < last ? to : last;
    for (size_t i = 0; i < gallery->count && row != from.row; i++)
        if (items[i].row == row && items[i].column <= from.column)
            gallery->selected = i;
}

bool gallery_move(struct gallery *gallery, SDL_Keycode key) {
    const size_t last = gallery->count - (gallery->count > 0);
    switch (key) {
    case SDLK_LEFT:
        gallery->selected -= gallery->selected > 0;
        break;
    case SDLK_RIGHT:
        gallery->selected += gallery->selected < last;
        break;
    case SDLK_UP:
        move_rows(gallery, -1);
        break;
    case SDLK_DOWN:
        move_rows(gallery, 1);
        break;
    case SDLK_PAGEUP:
        move_rows(gallery, -gallery->page_rows);
        break;
    case SDLK_PAGEDOWN:
        move_rows(gallery, gallery->page_rows);
        break;
    case SDLK_HOME:
        gallery->selected = 0;
        break;
    case SDLK_END:
        gallery->selected = last;
        break;
    default:
        return false;
    }
    gallery->reveal = true;
    return true;
}
