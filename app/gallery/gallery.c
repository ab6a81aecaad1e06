/* Moves the selection in the gallery's grid and says where each item lies; collection_draw.cpp
 * draws it. */
#include "app/gallery/gallery.h"
#include <math.h>

#define CELL_EM       16.0f /* the least width of a cell, if there is room */
#define COLUMNS_MAX   6.0f  /* of a large window, whose pictures grow */
#define CELL_LEAST_EM 9.0f  /* so that a small window has two columns */
#define GAP_EM        0.9f
#define MARGIN_EM     1.2f
#define HEADER_EM     3.4f
#define HEADING_EM    2.2f
#define NAMES_EM      2.9f  /* below a picture */
#define NOTE_EM       1.15f /* each further line of a note */
#define NOTCH_EM      6.0f  /* that a notch of the wheel scrolls */
#define THUMB_EM      0.45f
#define DRAG_EM       0.6f /* farther than this it is a drag, no click */

/* --- layout --- */

static float most_scroll(const struct gallery *gallery) {
    return fmaxf(gallery->all - (gallery->height - gallery->top), 0);
}

static void scroll_to(struct gallery *gallery, float scroll) {
    gallery->scroll = fmaxf(fminf(roundf(scroll), most_scroll(gallery)), 0);
}

static void fit_cells(struct gallery *gallery, float em) {
    const float margin = MARGIN_EM * em, gap = GAP_EM * em;
    const float room = fmaxf(gallery->width - 2 * margin, em);
    const float least = fmaxf(fminf(CELL_EM * em, 0.5f * (room - gap)), CELL_LEAST_EM * em);
    const float columns = floorf((room + gap + 0.5f) / (least + gap));
    gallery->columns = (int)fmaxf(fminf(columns, COLUMNS_MAX), 1);
    gallery->cell_w =
        floorf((room - gap * (float)(gallery->columns - 1)) / (float)gallery->columns);
    gallery->picture_h = roundf(gallery->cell_w * 9 / 16);
    const int more = gallery->note_lines > 1 ? gallery->note_lines - 1 : 0;
    gallery->cell_h = gallery->picture_h + (NAMES_EM + NOTE_EM * (float)more) * em;
}

/* The cells of a kind from `y` on; where the next kind begins. */
static float place_kind(struct gallery *gallery, enum gallery_kind kind, float y, float em) {
    const float gap = GAP_EM * em;
    int number = 0;
    for (size_t i = 0; i < gallery->count; i++) {
        struct gallery_item *item = &gallery->items[i];
        if (item->kind != kind)
            continue;
        const int column = number % gallery->columns, row = number / gallery->columns;
        item->x = MARGIN_EM * em + (float)column * (gallery->cell_w + gap);
        item->y = y + HEADING_EM * em + (float)row * (gallery->cell_h + gap);
        number++;
    }
    gallery->heading_y[kind] = number > 0 ? y : -1;
    const int rows = (number + gallery->columns - 1) / gallery->columns;
    return number > 0 ? y + HEADING_EM * em + (float)rows * (gallery->cell_h + gap) : y;
}

/* As far as the selected cell asks for, its heading included where it is in the first row. */
static void reveal(struct gallery *gallery) {
    if (gallery->selected >= gallery->count)
        return;
    const float y = gallery->items[gallery->selected].y, gap = GAP_EM * gallery->em;
    const float room = gallery->height - gallery->top;
    if (y - HEADING_EM * gallery->em < gallery->scroll)
        scroll_to(gallery, y - HEADING_EM * gallery->em);
    else if (y + gallery->cell_h + gap > gallery->scroll + room)
        scroll_to(gallery, fminf(y + gallery->cell_h + gap - room, y));
}

void gallery_layout(struct gallery *gallery, float width, float height, float em) {
    gallery->em = em;
    gallery->width = width;
    gallery->height = height;
    gallery->top = fminf(HEADER_EM * em, 0.3f * height);
    fit_cells(gallery, em);
    float y = 0;
    for (int kind = 0; kind < GALLERY_KINDS; kind++)
        y = place_kind(gallery, (enum gallery_kind)kind, y, em);
    gallery->all = y;
    scroll_to(gallery, gallery->scroll);
    if (gallery->reveal)
        reveal(gallery);
    gallery->reveal = false;
}

bool gallery_cell(const struct gallery *gallery, size_t i, struct dialog_rect *cell) {
    const struct gallery_item *item = &gallery->items[i];
    *cell = (struct dialog_rect){item->x, gallery->top + item->y - gallery->scroll, gallery->cell_w,
                                 gallery->cell_h};
    return cell->y + cell->h > gallery->top && cell->y < gallery->height;
}

bool gallery_thumb(const struct gallery *gallery, struct dialog_rect *thumb) {
    const float room = gallery->height - gallery->top, most = most_scroll(gallery);
    if (most <= 0 || room <= 0)
        return false;
    const float h = fmaxf(room * room / gallery->all, 2 * gallery->em);
    const float w = THUMB_EM * gallery->em;
    *thumb = (struct dialog_rect){gallery->width - w - 0.2f * gallery->em,
                                  gallery->top + (room - h) * gallery->scroll / most, w, h};
    return true;
}

/* --- moving --- */

/* The item in the row above or below whose column is nearest; the same one where there is none. */
static size_t next_row(const struct gallery *gallery, int down) {
    const struct gallery_item *from = &gallery->items[gallery->selected];
    size_t best = gallery->selected;
    float best_y = 0, best_x = 0;
    for (size_t i = 0; i < gallery->count; i++) {
        const float dy = (gallery->items[i].y - from->y) * (float)down;
        const float dx = fabsf(gallery->items[i].x - from->x);
        if (dy <= 0 ||
            (best != gallery->selected && (dy > best_y || (dy == best_y && dx >= best_x))))
            continue;
        best = i;
        best_y = dy;
        best_x = dx;
    }
    return best;
}

static void move_rows(struct gallery *gallery, int down, int times) {
    for (; times > 0 && gallery->count > 0; times--)
        gallery->selected = next_row(gallery, down);
}

static int rows_of_page(const struct gallery *gallery) {
    const float room = gallery->height - gallery->top;
    return (int)fmaxf(floorf(room / fmaxf(gallery->cell_h, 1)), 1);
}

/* False: the key does not move. */
static bool move(struct gallery *gallery, SDL_Keycode key) {
    const size_t last = gallery->count - (gallery->count > 0);
    switch (key) {
    case SDLK_LEFT:
        gallery->selected -= gallery->selected > 0;
        break;
    case SDLK_RIGHT:
        gallery->selected += gallery->selected < last;
        break;
    case SDLK_UP:
    case SDLK_DOWN:
        move_rows(gallery, key == SDLK_DOWN ? 1 : -1, 1);
        break;
    case SDLK_PAGEUP:
    case SDLK_PAGEDOWN:
        move_rows(gallery, key == SDLK_PAGEDOWN ? 1 : -1, rows_of_page(gallery));
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

static enum gallery_wish take_key(struct gallery *gallery, const SDL_KeyboardEvent *event) {
    const SDL_Keycode key = event->keysym.sym;
    const bool any = gallery->selected < gallery->count, first = !event->repeat;
    if (move(gallery, key))
        return GALLERY_TAKEN;
    if (key == SDLK_F11 || key == SDLK_q || event->keysym.mod & (KMOD_CTRL | KMOD_ALT | KMOD_GUI))
        return GALLERY_OTHER;
    if (first && (key == SDLK_ESCAPE || key == SDLK_g))
        return GALLERY_LEAVE;
    if (first && any && (key == SDLK_RETURN || key == SDLK_KP_ENTER || key == SDLK_SPACE))
        return GALLERY_CHOSEN;
    if (first && any && key == SDLK_DELETE)
        return gallery->items[gallery->selected].kind == GALLERY_OWN ? GALLERY_DELETE
                                                                     : GALLERY_NOT_OWN;
    return GALLERY_TAKEN;
}

/* The item under the pointer; `count`: none is. */
static size_t item_at(const struct gallery *gallery, int x, int y) {
    struct dialog_rect cell;
    for (size_t i = 0; (float)y >= gallery->top && i < gallery->count; i++)
        if (gallery_cell(gallery, i, &cell) && dialog_within(&cell, (float)x, (float)y))
            return i;
    return gallery->count;
}

static bool point(struct gallery *gallery, int x, int y) {
    gallery->pointer_x = x;
    gallery->pointer_y = y;
    const size_t at = item_at(gallery, x, y);
    if (at < gallery->count)
        gallery->selected = at;
    return at < gallery->count;
}

static void drag_bar(struct gallery *gallery, int by) {
    struct dialog_rect thumb;
    if (gallery_thumb(gallery, &thumb))
        scroll_to(gallery,
                  gallery->scroll + (float)by * most_scroll(gallery) /
                                        fmaxf(gallery->height - gallery->top - thumb.h, 1));
}

/* The grid follows a finger, or a button that is held. */
static void move_pointer(struct gallery *gallery, const SDL_MouseMotionEvent *motion) {
    const bool held = motion->state & SDL_BUTTON_LMASK;
    const float way = fabsf((float)motion->y - gallery->pressed_y);
    if (!held)
        gallery->hand = GALLERY_FREE;
    if (gallery->hand == GALLERY_ON_CELL && way > DRAG_EM * gallery->em)
        gallery->hand = GALLERY_DRAGGED;
    if (gallery->hand == GALLERY_DRAGGED)
        scroll_to(gallery, gallery->scroll - (float)motion->yrel);
    else if (gallery->hand == GALLERY_ON_BAR)
        drag_bar(gallery, motion->yrel);
    else
        point(gallery, motion->x, motion->y);
}

static void turn_wheel(struct gallery *gallery, const SDL_MouseWheelEvent *wheel) {
    const float notches = wheel->preciseY != 0 ? wheel->preciseY : (float)wheel->y;
    if (isfinite(notches))
        scroll_to(gallery, gallery->scroll - notches * NOTCH_EM * gallery->em);
    point(gallery, gallery->pointer_x, gallery->pointer_y);
}

static void press(struct gallery *gallery, const SDL_MouseButtonEvent *button) {
    struct dialog_rect thumb;
    const bool bar = gallery_thumb(gallery, &thumb) && (float)button->x >= thumb.x - gallery->em;
    gallery->pressed_y = (float)button->y;
    gallery->hand = GALLERY_FREE;
    if (button->button != SDL_BUTTON_LEFT)
        return;
    if (bar)
        gallery->hand = GALLERY_ON_BAR;
    else
        gallery->hand = point(gallery, button->x, button->y) ? GALLERY_ON_CELL : GALLERY_DRAGGED;
}

static enum gallery_wish release(struct gallery *gallery, const SDL_MouseButtonEvent *button) {
    if (gallery->hand == GALLERY_FREE || button->button != SDL_BUTTON_LEFT)
        return GALLERY_OTHER;
    const bool click = gallery->hand == GALLERY_ON_CELL;
    gallery->hand = GALLERY_FREE;
    return click ? GALLERY_CHOSEN : GALLERY_TAKEN;
}

enum gallery_wish gallery_event(struct gallery *gallery, const SDL_Event *event) {
    switch (event->type) {
    case SDL_KEYDOWN:
        return take_key(gallery, &event->key);
    case SDL_TEXTINPUT:
        return GALLERY_TAKEN;
    case SDL_MOUSEMOTION:
        move_pointer(gallery, &event->motion);
        return GALLERY_TAKEN;
    case SDL_MOUSEWHEEL:
        turn_wheel(gallery, &event->wheel);
        return GALLERY_TAKEN;
    case SDL_MOUSEBUTTONDOWN:
        press(gallery, &event->button);
        return GALLERY_TAKEN;
    case SDL_MOUSEBUTTONUP:
        return release(gallery, &event->button);
    default:
        return GALLERY_OTHER;
    }
}
