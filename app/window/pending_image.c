/* Pending image: the image of the first view is read while its picture is drawn without it. */
#include "app/explore/undo/steps.h"
#include "app/window/loop_parts.h"
#include "render/base/log.h"
#include <string.h>

#define WHY_MAX 400

/* Uses an image that was read (an opening_try). The ball replaces an image that cannot be read. */
static void use_image(void *user, const char *path) {
    struct loop *loop = user;
    char why[WHY_MAX];
    bool unanswered;
    const struct log_listener before = log_listen_instead(why, sizeof why);
    const struct trap_image *image = trap_image_get(path, &unanswered);
    log_listen_restore(before);
    if (unanswered)
        return;
    if (!image) {
        const char *slash = strrchr(path, '/');
        log_warn("the image '%s' cannot be read: %s; the ball is used", path, why);
        messages_post(loop->messages, "the image %s cannot be read; the ball is used",
                      slash ? slash + 1 : path);
    }
    steps_put_image(loop->explorer, path, image ? image : trap_image_ball());
    trap_image_unref(image);
}

bool pending_image_missing(const struct loop *loop) {
    return loop->explorer->scene.image->awaited;
}

void pending_image_advance(struct loop *loop) {
    if (opening_is_due(&loop->opening))
        screenshots_before_change(loop);
    loop->redraw = opening_advance(&loop->opening) || loop->redraw;
    if (pending_image_missing(loop) && !opening_waits(&loop->opening))
        opening_attempt(&loop->opening, use_image, loop, loop->explorer->scene.image->path);
}

bool pending_image_give_up(struct loop *loop) {
    const bool ours = loop->opening.try == use_image;
    if (!opening_give_up(&loop->opening))
        return false;
    if (ours)
        steps_put_image(loop->explorer, loop->explorer->scene.image->path, trap_image_ball());
    return true;
}
