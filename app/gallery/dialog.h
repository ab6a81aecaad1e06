/* A question in the window's middle: a text or a field, and two buttons. State and layout; drawn by
 * collection_draw.cpp. Sizes are in SDL's window coordinates. */
#ifndef FATHOM_APP_GALLERY_DIALOG_H
#define FATHOM_APP_GALLERY_DIALOG_H

#include "app/gallery/line_edit.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DIALOG_TEXT_MAX 240

struct dialog_rect {
    float x, y, w, h;
};

struct dialog {
    bool open;
    bool has_field;
    const char *title, *yes;    /* of the box, of the button that does it; static text */
    char text[DIALOG_TEXT_MAX]; /* below the field */
    bool warning;               /* it says what is wrong */
    struct line_edit field;
    struct dialog_rect box, line, yes_box, no_box; /* as they were drawn last */
    bool over_yes, over_no;                        /* where the pointer is */
};

/* Opens it; with `field` a person can type, beginning with that. */
void dialog_ask(struct dialog *dialog, const char *title, const char *yes, const char *field);

enum dialog_answer {
    DIALOG_OTHER,   /* not for the dialog */
    DIALOG_TAKEN,   /* for the dialog, which goes on */
    DIALOG_CHANGED, /* what is in the field may be another text now */
    DIALOG_YES,     /* it is closed, as after NO */
    DIALOG_NO,
};
/* Everything that is pressed, typed or pointed at is for an open dialog. */
enum dialog_answer dialog_event(struct dialog *dialog, const SDL_Event *event);

/* Where its parts are in a window of that size, with text so high. `text_height` is that of the
 * text below the field. */
void dialog_layout(struct dialog *dialog, float width, float height, float em, float text_height);

bool dialog_within(const struct dialog_rect *rect, float x, float y);

#ifdef __cplusplus
}
#endif

#endif
