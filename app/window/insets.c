/* Insets next to the picture: the minimap, the Julia set of the point under the pointer, and that
 * point's numbers. */
#include "app/window/loop_parts.h"
#include <math.h>

static int text_px(const struct loop *loop) {
    return hud_text_px(window_text_scale(loop->window));
}

void insets_advance(struct loop *loop) {
    loop->julia.inset.number = 1;
    const bool map = minimap_update(&loop->map, loop->explorer, loop->active, loop->width_px,
                                    loop->height_px, text_px(loop));
    const bool julia =
        julia_inset_update(&loop->julia, loop->explorer, loop->active, loop->input.inside);
    const bool point = under_pointer_update(&loop->under_pointer, loop->explorer,
                                            loop->input.inside && loop->numbers != HUD_NONE);
    loop->redraw = loop->redraw || map || julia || point;
}

bool insets_busy(const struct loop *loop) {
    return inset_busy(&loop->map.inset) || inset_busy(&loop->julia.inset) ||
           under_pointer_busy(&loop->under_pointer);
}

double insets_due_ms(const struct loop *loop, double pace_ms) {
    if (under_pointer_busy(&loop->under_pointer))
        return pace_ms;
    return fmin(inset_due_ms(&loop->map.inset, pace_ms), inset_due_ms(&loop->julia.inset, pace_ms));
}

void insets_show(const struct loop *loop, struct hud_model *model) {
    model->map = minimap_model(&loop->map, loop->explorer);
    const struct gl_texture *julia = &loop->julia.inset.screen;
    model->julia = (struct hud_inset){julia->name, julia->width_px, julia->height_px};
}

void insets_finish(struct loop *loop) {
    inset_finish(&loop->map.inset, loop->active);
    inset_finish(&loop->julia.inset, loop->active);
}

void insets_toggle_map(struct loop *loop) {
    int width, height;
    loop->map.on = !loop->map.on;
    preferences_follow_map(&loop->preferences, loop->map.on);
    if (loop->map.on &&
        !minimap_size(loop->width_px, loop->height_px, text_px(loop), &width, &height))
        messages_post(loop->messages, "the window is too small for the minimap");
}

bool insets_take_event(struct loop *loop, const SDL_Event *event) {
    double x, y;
    if (event->type != SDL_MOUSEBUTTONDOWN ||
        !hud_find_in_map(loop->hud, event->button.x, event->button.y, &x, &y))
        return false;
    if (event->button.button == SDL_BUTTON_LEFT) {
        screenshots_before_change(loop);
        minimap_go(&loop->map, loop->explorer, x, y);
        loop->redraw = true;
    }
    return true;
}
