/* Screenshots of complete pictures, and captures of the window for scripts. */
#include "app/picture/gl.h"
#include "app/still/screenshot.h"
#include "app/window/loop_parts.h"
#include "render/base/memory.h"
#include "render/base/user_data.h"
#include "render/files/image.h"
#include <stdlib.h>

static bool fail(struct loop *loop) {
    loop->failed = loop->quit = true;
    return false;
}

void screenshots_capture(struct loop *loop) {
    char *path = screenshot_path(loop->folder, loop->capture);
    uint32_t *rgba = memory_alloc(
        (uint64_t)loop->width_px * (uint64_t)loop->height_px * sizeof *rgba, "a capture");
    bool ok = path && rgba && user_folder_make_or_log(loop->folder);
    if (ok) {
        gl_read_screen(loop->width_px, loop->height_px, rgba);
        ok = image_write(path, image_format_of(path), rgba, loop->width_px, loop->height_px, NULL);
    }
    if (!ok)
        loop->failed = loop->quit = true;
    free(rgba);
    free(path);
    loop->capture = NULL;
}

/* Reads the picture back and hands it over to the writer. */
static void take_screenshot(struct loop *loop) {
    const struct picture *picture = loop->picture;
    const struct frame_req shown = picture_drawn(picture);
    const struct frame_req *req = &shown;
    struct scene scene = loop->explorer->scene;
    scene.samples = picture->report.samples;
    scene.pixel_samples = picture_pixel_samples(picture);
    const uint32_t exact = exact_drawing_samples(&loop->verification.exact, req->generation);
    scene.exact = exact > 0;
    if (scene.exact)
        scene.pixel_samples = exact;
    uint32_t *rgba =
        picture->problem
            ? NULL
            : memory_alloc((uint64_t)req->width_px * (uint64_t)req->height_px * sizeof *rgba,
                           "a screenshot");
    loop->screenshot = loop->screenshot_now = false;
    recent_add(loop->recent, &scene);
    if (rgba)
        presenter_read(picture->presenter, rgba);
    if (!rgba || !screenshot_start(&loop->writer, &loop->order, &scene, req, rgba))
        messages_post(loop->messages, "the screenshot was not saved");
    loop->order = (struct screenshot_order){0};
}

static bool hold_density(struct loop *loop, bool on) {
    struct findings found;
    const bool ok = picture_hold(loop->picture, on, &found);
    explorer_learn(loop->explorer, &found);
    return ok || fail(loop);
}

/* A density picture is paused until it shows exactly its number of samples. */
bool screenshots_advance(struct loop *loop) {
    const struct picture *picture = loop->picture;
    if (!loop->screenshot || screenshot_busy(&loop->writer) || pending_image_missing(loop))
        return true;
    if (!picture_complete(picture))
        return picture_samples(picture) == 0 || picture->held || hold_density(loop, true);
    const bool more = picture_refining(picture) && !loop->screenshot_now;
    if (more || picture_pixel_samples(picture) == 0)
        return true;
    take_screenshot(loop);
    return !picture->held || hold_density(loop, false);
}

void screenshots_before_change(struct loop *loop) {
    struct picture *picture = loop->picture;
    if (!loop->screenshot || picture->orbit_density || screenshot_busy(&loop->writer) ||
        loop->explorer->changed || pending_image_missing(loop) || !picture_complete(picture))
        return;
    picture_settle(picture);
    take_screenshot(loop);
}

/* Orders a screenshot. A waiting one combines both orders, and no longer waits for more samples. */
static void order_next(struct loop *loop) {
    loop->screenshot_now = loop->screenshot;
    loop->screenshot = true;
    loop->order.quality = loop->quality;
}

void screenshots_order_file(struct loop *loop, enum image_format format) {
    order_next(loop);
    loop->order.folder = loop->folder;
    loop->order.format = format;
}

void screenshots_order_copy(struct loop *loop) {
    order_next(loop);
    loop->order.copies = true;
}

static void report_file(struct loop *loop, const struct screenshot_result *result) {
    const char *path = result->path;
    if (!path)
        messages_post(loop->messages, "the screenshot was not saved: %s", result->why);
    else if (image_format_of(path) == IMAGE_PPM && !loop->png_told)
        messages_post(loop->messages, "saved %s (Shift+S saves as PNG)", path);
    else
        messages_post(loop->messages, "saved %s", path);
    loop->png_told = loop->png_told || path;
    loop->screenshot_count += path != NULL;
}

void screenshots_report(struct loop *loop) {
    struct screenshot_result result;
    if (!screenshot_take(&loop->writer, &result))
        return;
    if (result.order.folder)
        report_file(loop, &result);
    if (result.order.copies)
        messages_post(loop->messages, "%s", result.copied ? "picture copied" : result.why);
    const bool ok =
        (result.path || !result.order.folder) && (result.copied || !result.order.copies);
    loop->failed = loop->failed || (loop->script && !ok);
    free(result.path);
}
