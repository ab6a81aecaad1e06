/* Location search in the window: progress messages, and the way to the result. */
#include "app/window/location_search.h"
#include "app/explore/go_to.h"
#include "app/window/loop.h"
#include "render/base/clock.h"

#define PROGRESS_MS 500 /* interval between progress messages; quicker searches post none */

static void start_at(struct loop *loop, enum locate_kind kind, double x_px, double y_px) {
    const struct explorer *explorer = loop->explorer;
    const struct locate_request request = {.width_px = explorer->width_px,
                                           .height_px = explorer->height_px,
                                           .kind = kind,
                                           .near = true,
                                           .x_px = x_px,
                                           .y_px = y_px};
    location_search_finish(loop);
    loop->location_search =
        (struct location_search){locator_start(&explorer->scene, &request), clock_ms()};
    if (!loop->location_search.locator)
        messages_post(loop->messages, "the search could not be started");
}

void location_search_start(struct loop *loop, enum locate_kind kind) {
    start_at(loop, kind, loop->explorer->pointer_x_px, loop->explorer->pointer_y_px);
}

static void report_progress(struct loop *loop) {
    char text[LOCATOR_TEXT_MAX];
    if (clock_ms() < loop->location_search.shown_ms + PROGRESS_MS)
        return;
    loop->location_search.shown_ms = clock_ms();
    locator_progress(loop->location_search.locator, text);
    messages_post(loop->messages, "search: %s", text);
    loop->redraw = true;
}

static void go_to_result(struct loop *loop, const struct located *found) {
    char text[LOCATED_TEXT_MAX];
    located_text(found, text);
    messages_post(loop->messages, "search: %s", text);
    go_to_found(loop->explorer, found);
}

void location_search_advance(struct loop *loop) {
    struct locator *locator = loop->location_search.locator;
    if (!locator)
        return;
    const bool moved = !view_equal(locator_view(locator), &loop->explorer->scene.view);
    if (!moved && !locator_wait(locator, 0)) {
        report_progress(loop);
        return;
    }
    if (moved)
        messages_post(loop->messages, "search cancelled: the view moved");
    else if (locator_found(locator))
        go_to_result(loop, locator_found(locator));
    else
        messages_post(loop->messages, "search: %s", locator_why(locator));
    location_search_finish(loop);
    loop->redraw = true;
}

bool location_search_busy(const struct loop *loop) {
    return loop->location_search.locator != NULL;
}

void location_search_follow_edit(struct loop *loop, int item, int index) {
    if (item == PANEL_LOCATE && index >= 0 && index < LOCATE_KINDS)
        start_at(loop, (enum locate_kind)index, loop->explorer->width_px / 2.0,
                 loop->explorer->height_px / 2.0);
}

void location_search_finish(struct loop *loop) {
    locator_destroy(loop->location_search.locator);
    loop->location_search.locator = NULL;
}
