/* What the command and the window share about pictures that are drawn for files. */
#include "app/still/still.h"
#include "render/base/log.h"

bool still_request(const struct scene *scene, unsigned shortcuts, struct frame_req *req) {
    struct plan plan = plan_frame(&(struct plan_input){.view = &scene->view,
                                                       .width_px = scene->width_px,
                                                       .height_px = scene->height_px,
                                                       .limit = scene->limit,
                                                       .precision = scene->precision});
    plan.first_stride = 1; /* nobody watches it being drawn */
    scene_request(scene, scene->width_px, scene->height_px, &plan, req);
    req->shortcuts = shortcuts;
    req->reuse = false;
    return plan.past_depth;
}

char *still_text(struct scene *scene, const struct frame_req *req) {
    scene->precision = req->type == TYPE_FLOAT ? PRECISION_FLOAT : PRECISION_DOUBLE;
    char *text = scene_text(scene);
    if (!text)
        log_error("cannot write a picture: not enough memory");
    return text;
}
