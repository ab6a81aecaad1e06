/* Stills: turns a scene into the picture that `fathom render` and the window's large pictures
 * make of it: the request, the text, and the automatic limit and colour frequency, which small
 * pictures of the view decide. */
#include "app/still/still.h"
#include "app/explore/auto_frequency.h"
#include "app/explore/auto_limit.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/progress.h"
#include <math.h>
#include <stdlib.h>

/* Largest size of the small picture [pixels], about; smaller ones miss too many late escapes. */
#define PIXELS 160000.0
/* Assumed speed of every backend, so that all stop at the same limit. */
#define ITERATIONS_PER_MS 1e6

struct plan still_request(const struct scene *scene, unsigned shortcuts, struct frame_req *req) {
    struct plan plan = plan_frame(&(struct plan_input){.view = &scene->view,
                                                       .width_px = scene->width_px,
                                                       .height_px = scene->height_px,
                                                       .limit = scene->limit,
                                                       .fractal = &scene->fractal,
                                                       .precision = scene->precision,
                                                       .slopes = scene_has_slopes(scene),
                                                       .inside = scene_has_inside(scene)});
    plan.first_stride = 1; /* the picture is not shown while it is drawn */
    scene_request(scene, scene->width_px, scene->height_px, &plan, req);
    req->shortcuts = shortcuts;
    req->reuse = false;
    return plan;
}

char *still_text(struct scene *scene, const struct frame_req *req) {
    scene->precision = plan_request_precision(req);
    char *text = scene_text(scene);
    if (!text)
        log_error("cannot write a picture: not enough memory");
    return text;
}

/* --- small pictures --- */

struct search {
    struct backend *backend;
    struct frame_req req;
    struct target target;
    struct auto_limit automatic;
    bool progress_shown;
};

static int scaled_size(int size_px, double scale) {
    return (int)fmax(round(size_px * scale), 1);
}

static void make_request(struct search *search, const struct frame_req *whole) {
    struct frame_req *req = &search->req;
    const double scale = fmin(sqrt(PIXELS / ((double)whole->width_px * whole->height_px)), 1);
    frame_req_init_copy(req, whole);
    req->widen = false; /* the limit does not depend on it */
    req->width_px = scaled_size(whole->width_px, scale);
    req->height_px = scaled_size(whole->height_px, scale);
    req->focus_x_px = req->width_px / 2;
    req->focus_y_px = req->height_px / 2;
    req->method = METHOD_TILES;
    req->reuse = true;
}

/* Shows the progress of a reference orbit that the picture waits for. *user becomes true if a
 * line was printed. Returns false after an interrupt. */
static bool show_reference(void *user, const struct backend_report *report) {
    const struct reference_facts *reference = &report->reference;
    bool *shown = user;
    if (reference->making)
        *shown |= progress_show("reference", reference->progress, reference->made_ms);
    return !interrupt_requested();
}

struct backend_options still_beside_window(const struct backend_options *window, int threads) {
    struct backend_options options = *window;
    options.threads = threads > 3 ? threads - threads / 4 : (threads + 1) / 2;
    options.low_priority = true;
    options.gl = false;
    options.lose_after = 0;
    return options;
}

bool still_decide(struct backend *backend, struct frame_req *req, double *ms) {
    const double start_ms = clock_ms();
    bool shown = false;
    const bool asked = req->widen, ok = backend_decide(backend, req, show_reference, &shown);
    if (shown)
        progress_hide();
    *ms = asked ? clock_ms() - start_ms : 0;
    return ok;
}

/* Prepares a small picture; pairs with end. Returns false on failure, which is logged. */
static bool begin(struct search *search, struct backend *backend, const struct frame_req *whole) {
    *search = (struct search){.backend = backend_another(backend, BACKEND_REST)};
    make_request(search, whole);
    const uint64_t bytes = 4 * (uint64_t)search->req.width_px * (uint64_t)search->req.height_px;
    search->target.rgba = memory_alloc(bytes, "a small picture");
    return search->backend && search->target.rgba;
}

static void end(struct search *search) {
    if (search->progress_shown)
        progress_hide();
    backend_close(search->backend);
    free(search->target.rgba);
    sample_planes_finish(&search->target.planes);
    frame_req_finish(&search->req);
}

static bool draw_sample(struct search *search, struct statistics *statistics, bool *any) {
    struct backend_report report;
    const bool ok = backend_draw(search->backend, &search->req, &search->target, show_reference,
                                 &search->progress_shown, &report);
    *any = ok && backend_statistics(search->backend, statistics); /* some backends draw nothing */
    return ok;
}

/* --- the limit --- */

static bool raise_limit(struct search *search) {
    struct frame_req *req = &search->req;
    const double depth = auto_limit_depth(&req->view);
    struct statistics statistics;
    uint32_t limit = req->limit;
    bool any;
    do {
        req->limit = limit;
        if (!draw_sample(search, &statistics, &any))
            return false;
        if (!any)
            break;
        limit = auto_limit_judge(&search->automatic, &statistics, limit, depth, ITERATIONS_PER_MS,
                                 false);
    } while (limit != req->limit);
    return true;
}

bool still_find_limit(struct backend *backend, struct frame_req *req) {
    struct search search;
    char text[128];
    bool ok = begin(&search, backend, req);
    auto_limit_switch(&search.automatic, true);
    ok = ok && raise_limit(&search);
    if (ok)
        req->limit = search.req.limit;
    if (ok && auto_limit_message(&search.automatic, text, sizeof text))
        log_info("%s", text);
    end(&search);
    return ok;
}

/* --- colours --- */

static void tell_colours(struct scene *scene, struct frame_req *req) {
    scene_colouring(scene, &req->colouring);
    if (scene->mapping != MAPPING_HISTOGRAM)
        log_info("colour frequency %g (auto)", scene->frequency);
}

/* Draws the small picture that decides the frequency, and makes the choice. */
static bool draw_glimpse(struct search *search, const struct scene *scene,
                         struct auto_frequency_choice *choice, struct statistics *statistics) {
    struct frame_req *req = &search->req;
    bool any;
    auto_frequency_size(scene->width_px, scene->height_px, &req->width_px, &req->height_px);
    req->focus_x_px = req->width_px / 2;
    req->focus_y_px = req->height_px / 2;
    const size_t samples = (size_t)req->width_px * (size_t)req->height_px;
    free(search->target.rgba);
    search->target.rgba = memory_alloc(4 * (uint64_t)samples, "a small picture");
    if (!search->target.rgba ||
        !sample_planes_init(&search->target.planes, SAMPLE_BASIC, samples, "a small picture") ||
        !draw_sample(search, statistics, &any))
        return false;
    const struct glimpse glimpse = {search->target.planes.count, any ? samples : 0,
                                    (size_t)req->width_px};
    *choice = auto_frequency_choose(&glimpse, scene->by, scene->mapping);
    return true;
}

void still_set_frequency(struct scene *scene, struct auto_frequency_choice choice) {
    struct auto_frequency automatic = {.on = true};
    struct auto_frequency_colours colours = {scene->frequency, scene->offset};
    auto_frequency_judge(&automatic, &choice, scene->palette->period, &colours, false);
    auto_frequency_advance(&automatic, INFINITY, &colours);
    scene->frequency = colours.frequency;
    scene->offset = colours.offset;
}

static bool find_frequency(struct search *search, struct scene *scene) {
    struct statistics statistics;
    struct auto_frequency_choice choice;
    if (!draw_glimpse(search, scene, &choice, &statistics))
        return false;
    still_set_frequency(scene, choice);
    return true;
}

static bool find_ranks(struct search *search, struct scene *scene) {
    struct statistics statistics;
    bool any;
    if (!draw_sample(search, &statistics, &any))
        return false;
    if (any)
        scene_set_ranks(scene, &statistics);
    return true;
}

bool still_find_colours(struct backend *backend, struct scene *scene, struct frame_req *req) {
    struct search search;
    const bool ok = begin(&search, backend, req) &&
                    (scene->mapping == MAPPING_HISTOGRAM ? find_ranks(&search, scene)
                                                         : find_frequency(&search, scene));
    if (ok)
        tell_colours(scene, req);
    end(&search);
    return ok;
}

bool still_glance(struct backend *backend, const struct scene *scene, const struct frame_req *req,
                  struct auto_frequency_choice *choice, struct statistics *statistics) {
    struct search search;
    const bool ok =
        begin(&search, backend, req) && draw_glimpse(&search, scene, choice, statistics);
    end(&search);
    return ok;
}
