/* Edits one line of UTF-8 by whole characters, for the gallery's questions, which check a name
 * while it is typed. */
#include "app/gallery/line_edit.h"
#include "render/base/log.h"
#include <string.h>

static bool continues(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

static size_t before(const struct line_edit *edit, size_t at) {
    while (at > 0 && continues(edit->text[--at]))
        continue;
    return at;
}

static size_t after(const struct line_edit *edit, size_t at) {
    if (edit->text[at])
        at++;
    while (continues(edit->text[at]))
        at++;
    return at;
}

static void clear(struct line_edit *edit) {
    *edit = (struct line_edit){0};
}

static void take_out(struct line_edit *edit, size_t from, size_t to) {
    memmove(edit->text + from, edit->text + to, strlen(edit->text + to) + 1);
    edit->caret = from;
}

void line_edit_insert(struct line_edit *edit, const char *text) {
    if (edit->selected && *text)
        clear(edit);
    while (*text) {
        const size_t size = log_shown_length(text), length = strlen(edit->text);
        if (size > 0 && length + size <= LINE_EDIT_MAX) {
            memmove(edit->text + edit->caret + size, edit->text + edit->caret,
                    length - edit->caret + 1);
            memcpy(edit->text + edit->caret, text, size);
            edit->caret += size;
        }
        text += size > 0 ? size : 1;
    }
}

void line_edit_set(struct line_edit *edit, const char *text) {
    clear(edit);
    line_edit_insert(edit, text);
    edit->selected = true;
}

static void paste(struct line_edit *edit) {
    char *text = SDL_GetClipboardText();
    if (text)
        line_edit_insert(edit, text);
    SDL_free(text);
}

static bool control_key(struct line_edit *edit, SDL_Keycode key) {
    switch (key) {
    case SDLK_a:
        edit->selected = true;
        return true;
    case SDLK_u:
        clear(edit);
        return true;
    case SDLK_v:
        paste(edit);
        return true;
    default:
        return false;
    }
}

static void erase(struct line_edit *edit, bool forwards) {
    if (edit->selected)
        clear(edit);
    else if (forwards)
        take_out(edit, edit->caret, after(edit, edit->caret));
    else
        take_out(edit, before(edit, edit->caret), edit->caret);
}

bool line_edit_key(struct line_edit *edit, const SDL_Keysym *key) {
    if (key->mod & KMOD_CTRL)
        return control_key(edit, key->sym);
    switch (key->sym) {
    case SDLK_BACKSPACE:
    case SDLK_DELETE:
        erase(edit, key->sym == SDLK_DELETE);
        return true;
    case SDLK_LEFT:
        edit->caret = edit->selected ? 0 : before(edit, edit->caret);
        break;
    case SDLK_RIGHT:
        edit->caret = edit->selected ? strlen(edit->text) : after(edit, edit->caret);
        break;
    case SDLK_HOME:
        edit->caret = 0;
        break;
    case SDLK_END:
        edit->caret = strlen(edit->text);
        break;
    default:
        return false;
    }
    edit->selected = false;
    return true;
}
