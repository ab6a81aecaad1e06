/* Takes the keys and clicks of a question and lays out its boxes; collection_draw.cpp draws
 * them. */
#include "app/gallery/dialog.h"
#include <math.h>

#define WIDTH_EM  28.0f
#define MARGIN_EM 1.2f
#define LINE_EM   2.0f /* of a field, a button */

void dialog_ask(struct dialog *dialog, const char *title, const char *yes, const char *field) {
    *dialog = (struct dialog){.open = true, .title = title, .yes = yes, .has_field = field != NULL};
    if (field)
        line_edit_set(&dialog->field, field);
}

bool dialog_within(const struct dialog_rect *rect, float x, float y) {
    return x >= rect->x && x < rect->x + rect->w && y >= rect->y && y < rect->y + rect->h;
}

static enum dialog_answer close_with(struct dialog *dialog, enum dialog_answer answer) {
    dialog->open = false;
    return answer;
}

static enum dialog_answer take_key(struct dialog *dialog, const SDL_KeyboardEvent *event) {
    const SDL_Keycode key = event->keysym.sym;
    if (key == SDLK_ESCAPE)
        return close_with(dialog, DIALOG_NO);
    if (key == SDLK_RETURN || key == SDLK_KP_ENTER || (!dialog->has_field && key == SDLK_DELETE))
        return event->repeat ? DIALOG_TAKEN : close_with(dialog, DIALOG_YES);
    if (!dialog->has_field)
        return DIALOG_TAKEN;
    return line_edit_key(&dialog->field, &event->keysym) ? DIALOG_CHANGED : DIALOG_TAKEN;
}

static void point(struct dialog *dialog, float x, float y) {
    dialog->over_yes = dialog_within(&dialog->yes_box, x, y);
    dialog->over_no = dialog_within(&dialog->no_box, x, y);
}

static enum dialog_answer click(struct dialog *dialog, const SDL_MouseButtonEvent *event) {
    point(dialog, (float)event->x, (float)event->y);
    if (event->button != SDL_BUTTON_LEFT)
        return DIALOG_TAKEN;
    if (dialog->over_yes || dialog->over_no)
        return close_with(dialog, dialog->over_yes ? DIALOG_YES : DIALOG_NO);
    if (dialog_within(&dialog->line, (float)event->x, (float)event->y))
        dialog->field.selected = false;
    return DIALOG_TAKEN;
}

enum dialog_answer dialog_event(struct dialog *dialog, const SDL_Event *event) {
    switch (event->type) {
    case SDL_KEYDOWN:
        return take_key(dialog, &event->key);
    case SDL_TEXTINPUT:
        if (dialog->has_field)
            line_edit_insert(&dialog->field, event->text.text);
        return dialog->has_field ? DIALOG_CHANGED : DIALOG_TAKEN;
    case SDL_MOUSEMOTION:
        point(dialog, (float)event->motion.x, (float)event->motion.y);
        return DIALOG_TAKEN;
    case SDL_MOUSEBUTTONDOWN:
        return click(dialog, &event->button);
    case SDL_MOUSEWHEEL:
        return DIALOG_TAKEN;
    default:
        return DIALOG_OTHER;
    }
}

void dialog_layout(struct dialog *dialog, float width, float height, float em, float text_height) {
    const float margin = MARGIN_EM * em, line = LINE_EM * em;
    const float w = fmaxf(fminf(WIDTH_EM * em, width - 2 * em), em);
    const float field = dialog->has_field ? line + 0.6f * em : 0;
    const float h = 2 * margin + 1.8f * em + field + text_height + 0.9f * em + line;
    const float x = floorf(0.5f * (width - w)), y = fmaxf(floorf(0.42f * (height - h)), 0);
    const float button = fminf(8 * em, 0.5f * (w - 2 * margin - em));
    const float bottom = y + h - margin - line;
    dialog->box = (struct dialog_rect){x, y, w, h};
    dialog->line = (struct dialog_rect){x + margin, y + margin + 1.8f * em, w - 2 * margin,
                                        dialog->has_field ? line : 0};
    dialog->yes_box = (struct dialog_rect){x + w - margin - button, bottom, button, line};
    dialog->no_box = (struct dialog_rect){dialog->yes_box.x - em - button, bottom, button, line};
}
