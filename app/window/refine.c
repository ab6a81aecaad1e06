/* Refinement: improves the picture at rest while it is visible. A minimised or hidden window uses
 * no processor. */
#include "app/window/loop_parts.h"

bool loop_at_rest(const struct loop *loop) {
    return !loop->explorer->changed && !explorer_moving(loop->explorer) &&
           !auto_frequency_changing(&loop->explorer->auto_frequency) && !flight_colours_due(loop) &&
           (loop->picture->orbit_density || !active_backend_starting(loop->active));
}

/* Returns true if the picture is invisible and no screenshot or script needs it. Then nothing is
 * refined. */
static bool is_invisible(const struct loop *loop) {
    return !window_visible(loop->window) && !loop->screenshot && !loop->script;
}

bool refine_busy(const struct loop *loop) {
    return picture_refining(loop->picture) && picture_complete(loop->picture) &&
           loop_at_rest(loop) && !is_invisible(loop);
}

static bool refine(struct loop *loop) {
    struct findings found = {0};
    if (!loop_at_rest(loop) || is_invisible(loop))
        return true;
    const bool ok = picture_refine(loop->picture, &found);
    loop_learn(loop, &found);
    return ok;
}

/* Pauses a density picture, which otherwise counts without end, while the window is invisible. */
static bool hold_counts(struct loop *loop) {
    const struct picture *picture = loop->picture;
    const bool hold = is_invisible(loop) && picture->orbit_density && loop_at_rest(loop);
    struct findings found = {0};
    if (hold == loop->held || (hold && picture->held))
        return true;
    loop->held = hold;
    if (!picture->orbit_density || picture->held == hold)
        return true;
    const bool ok = picture_hold(loop->picture, hold, &found);
    loop_learn(loop, &found);
    return ok;
}

/* Draws the picture exactly, and shows what is new of it. */
static void draw_exactly(struct loop *loop, bool wanted) {
    struct exact_drawing *exact = &loop->verification.exact;
    struct picture *picture = loop->picture;
    exact->awaited = loop->script;
    if (exact_drawing_follow(exact, &loop->verification.options, &loop->explorer->scene,
                             wanted ? &picture->req : NULL))
        loop->redraw = true;
    const uint32_t *rgba = exact_drawing_take(exact);
    if (!rgba)
        return;
    presenter_replace(picture->presenter, 0, picture->req.height_px, rgba);
    exact_drawing_taken(exact);
    loop->redraw = true;
}

/* Verifies the picture once it has all samples, while somebody can see the result, or draws it
 * exactly. */
static void verify(struct loop *loop) {
    const struct picture *picture = loop->picture;
    const bool rests = loop_at_rest(loop) && picture_complete(picture) &&
                       !picture_refining(picture) && !picture->orbit_density &&
                       !picture->req.lines && !is_invisible(loop);
    const bool exact = loop->explorer->scene.exact;
    draw_exactly(loop, rests && exact);
    loop->verification.shown = exact ? loop->verification.exact.text : loop->verification.text;
    const bool shown =
        (loop->numbers != HUD_NONE || loop->panel.open) && !flight_bare(&loop->flight);
    const bool wanted = rests && shown && !exact && !loop->script && !loop->watch;
    if (verification_follow(&loop->verification, wanted ? &picture->req : NULL))
        loop->redraw = true;
}

bool refine_advance(struct loop *loop) {
    const char *few = picture_tell_few_orbits(loop->picture);
    if (few)
        messages_post(loop->messages, "%s", few);
    if (!refine(loop) || !hold_counts(loop)) {
        loop->failed = loop->quit = true;
        return false;
    }
    verify(loop); /* after the samples: a script must not see the picture settle in between */
    return true;
}
