/* Zooms, turns and moves the target with two fingers: always from where it was when they came, so
 * that nothing adds up. */
#include "app/explore/pinch.h"
#include "app/explore/explorer.h"
#include <math.h>

/* Of the picture on the screen, since the fingers came. */
static struct similarity way_of(const struct explorer *explorer, const struct action *action) {
    const double complex middle = explorer->width_px / 2.0 + I * (explorer->height_px / 2.0);
    const double complex from = action->from_x + I * action->from_y - middle;
    const double complex to = action->x + I * action->y - middle;
    const double complex factor = action->amount * cexp(I * action->turn);
    return (struct similarity){factor, to - factor * from};
}

/* The point under the fingers keeps its place where the zoom cannot go as far. */
static struct similarity within_bound(const struct explorer *explorer, struct similarity way,
                                      const struct action *action) {
    const double complex fingers =
        action->x - explorer->width_px / 2.0 + I * (action->y - explorer->height_px / 2.0);
    const double wanted = cabs(way.factor), most = motion_within_bound(explorer, wanted);
    if (most == wanted)
        return way;
    const double complex under = (fingers - way.offset) / way.factor;
    way.factor *= most / wanted;
    way.offset = fingers - way.factor * under;
    return way;
}

static void move_picture(struct view *view, struct similarity way, int width_px, int height_px) {
    const double zoom = cabs(way.factor), turn = carg(way.factor);
    if (zoom != 1)
        view_zoom_at(view, zoom, width_px / 2.0, height_px / 2.0, width_px, height_px);
    if (turn != 0)
        view_rotate(view, turn); /* y downwards: clockwise */
    view_pan(view, -creal(way.offset), -cimag(way.offset), height_px);
}

static bool same_grid(const struct view *a, const struct view *b) {
    return a->angle == 0 && b->angle == 0 && mpfr_equal_p(a->zoom, b->zoom);
}

static void begin(struct explorer *explorer, struct similarity behind) {
    struct pinch *pinch = &explorer->motion.pinch;
    motion_begin(explorer, MOTION_PINCH, false);
    view_init_copy(&pinch->before, &explorer->scene.view);
    pinch->behind = behind;
    pinch->on = true;
}

/* Where something else has moved the target meanwhile, what the fingers did before is done. */
void pinch_follow(struct explorer *explorer, const struct action *action) {
    const struct pinch *pinch = &explorer->motion.pinch;
    struct view *view = &explorer->scene.view, last;
    struct similarity way = way_of(explorer, action);
    if (!pinch->on)
        begin(explorer, explorer->motion.dragging ? way : similarity_identity);
    way = similarity_compose(way, similarity_inverse(pinch->behind));
    view_init_copy(&last, view);
    view_assign(view, &pinch->before);
    way = within_bound(explorer, way, action);
    move_picture(view, way, explorer->width_px, explorer->height_px);
    if (same_grid(&last, view))
        motion_target_changed(explorer);
    else
        motion_request_soon(explorer);
    view_finish(&last);
}

void pinch_end(struct pinch *pinch) {
    if (pinch->on)
        view_finish(&pinch->before);
    pinch->on = false;
}
