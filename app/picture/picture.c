/* The picture: submits the explorer's target to a backend, uploads finished pixels to the
 * presenter's texture, and reports findings. */
#include "app/picture/picture.h"
#include "app/picture/gl.h"
#include "app/tags.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/grid/sharing.h"
#include <math.h>
#include <string.h>

/* [ms] age up to which a nearly done picture is let finish in motion */
#define SERVE_MS       150.0
#define LATE           1.5   /* times the display interval: a longer one is late */
#define NEARLY_DONE    0.5   /* progress from which SERVE_MS applies */
#define SERVE_LEAST_MS 30.0  /* [ms] age up to which any other picture is let finish in motion */
#define UPLOAD_SHARE   0.18  /* share of a frame's time for uploads; other pixels wait */
#define FRAME_MS       16.7  /* [ms] display interval if it is unknown */
#define REPLACE_MS     200.0 /* [ms] minimum display time of a density picture in motion */
void picture_init(struct picture *picture, struct presenter *presenter,
                  struct active_backend *active, const struct explorer *explorer) {
    *picture = (struct picture){.presenter = presenter, .active = active, .explorer = explorer};
    antialias_stop(&picture->antialias);
    frame_req_init(&picture->req, explorer->width_px, explorer->height_px);
    density_req_init(&picture->density, explorer->width_px, explorer->height_px);
}

/* Cancels the request in flight, because the next one follows at once. */
static void cancel_for_next(struct picture *picture) {
    const double start = clock_ms();
    active_backend_cancel_for_next(picture->active);
    picture->cancel_ms_max = fmax(picture->cancel_ms_max, clock_ms() - start);
}

void picture_finish(struct picture *picture) {
    active_backend_cancel(picture->active);
    antialias_finish(&picture->antialias);
    backdrop_maker_stop(&picture->backdrop_maker);
    backdrop_counter_stop(&picture->counter);
    frame_req_finish(&picture->req);
    density_req_finish(&picture->density);
    cell_maker_finish(&picture->cell_maker);
}

/* Returns the best kind of target for the backend: a GL buffer if it can draw into one, else the
 * memory that OpenGL copies from fastest. Warns once if CUDA devices cannot use a GL buffer. */
static enum target_kind choose_target(struct picture *picture) {
    const struct backend_info info = active_backend_info(picture->active);
    const bool gl = info.ready && info.caps & BACKEND_CAP_GL_TARGET;
    const bool host_copy = !gl && info.ready && info.caps & BACKEND_CAP_COPIES;
    if (host_copy && !picture->host_copy && strcmp(info.name, "cuda") == 0)
        log_warn("OpenGL does not run on the GPU that draws; pictures go via host memory");
    picture->host_copy = host_copy;
    return gl ? TARGET_BUFFER : gl_in_software() ? TARGET_HOST : TARGET_MAPPED;
}

/* Starts the density picture itself; until it has points, everything behind it stays visible. */
static bool start_counting(struct picture *picture) {
    struct backend *backend = active_backend_get(picture->active);
    picture->judge.transparency = presenter_set_hit(picture->presenter, 0);
    picture->submitted_ms = clock_ms();
    return backend_density_submit(backend, &picture->density, &picture->target) &&
           (!picture->held || backend_density_set_samples(backend, 0));
}

/* Starts the request. The backdrop of a density picture is counted first if it is missing,
 * unless the device is still starting. */
static bool start_backend(struct picture *picture, const struct target *target) {
    struct backend *backend = active_backend_get(picture->active);
    if (!picture->orbit_density)
        return backend_submit(backend, &picture->req, target);
    picture->target = *target;
    if (active_backend_info(picture->active).ready && backend_has_density(backend) &&
        backdrop_counter_begin(&picture->counter, backend, presenter_backdrop(picture->presenter),
                               &picture->density))
        return true;
    return start_counting(picture);
}

/* Logs each combination of route, type and target once per backend. */
static void log_way(struct picture *picture) {
    const struct backend_info info = active_backend_info(picture->active);
    const struct frame_req *req = &picture->req;
    const enum number_type type = picture->orbit_density ? picture->density.type : req->type;
    const unsigned method = picture->orbit_density ? METHOD_COUNT : req->method;
    const unsigned way = ((unsigned)req->route * TYPE_COUNT + type) * 2 + picture->gl;
    if (picture->logged_backend != info.name)
        memset(picture->logged, 0, sizeof picture->logged);
    picture->logged_backend = info.name;
    if (picture->logged[method] >> way & 1)
        return;
    picture->logged[method] |= 1u << way;
    log_info("%s %s in %s%s%s into %s", info.name,
             picture->orbit_density ? "counts orbits" : "draws", number_type_name(type),
             picture->orbit_density ? "" : ", ", picture->orbit_density ? "" : method_names[method],
             picture->gl ? "OpenGL's memory" : "host memory");
}

static struct look look_of(const struct picture *picture) {
    const struct density *orbits = &picture->density.density;
    return (struct look){picture->orbit_density, picture->density.tone, picture->req.colouring,
                         orbits->orbits, orbits->channels};
}

static bool submit_once(struct picture *picture, bool *no_memory) {
    struct target target;
    const struct look look = look_of(picture);
    *no_memory =
        !presenter_start(picture->presenter, &picture->req, &look, picture->explorer->camera,
                         motion_ends(picture->explorer), choose_target(picture), &target);
    if (*no_memory)
        return false;
    picture->gl = target.gl_buffer != 0;
    const double start = clock_ms();
    const bool ok = start_backend(picture, &target);
    picture->submit_ms_max = fmax(picture->submit_ms_max, clock_ms() - start);
    if (ok)
        log_way(picture);
    return ok;
}

/* Builds the density request. cells == NULL means allocation failed, which is logged;
 * density_req_problem reports everything else. */
static void request_density(struct picture *picture) {
    struct density_req *density = &picture->density;
    explorer_density_request(picture->explorer, &picture->req, density);
    density->samples = PICTURE_SAMPLES_MAX;
    density_cells_unref(density->cells);
    density->cells =
        picture->cell_maker.cells ? density_cells_ref(picture->cell_maker.cells) : NULL;
    picture->problem = density->cells ? density_req_problem(density) : "not enough memory";
}

/* Plans the lines of a picture in motion, and of the first picture after the motion. */
static void request_lines(struct picture *picture, const struct frame_req *before) {
    const bool in_motion = picture_wants_motion(picture), was_in_motion = picture->moving.in_motion;
    const double ms = clock_ms() - picture->submitted_ms;
    if (was_in_motion && picture_busy(picture) && ms >= moving_time_limit_ms(&picture->moving))
        moving_learn_given_up(&picture->moving, picture->report.progress, ms);
    picture->moving.in_motion = false;
    if ((in_motion || was_in_motion) &&
        !moving_plan(&picture->moving, picture->explorer, before, in_motion, &picture->req))
        picture->problem = "not enough memory";
}

/* Makes the request an ordinary one, without the lines of an earlier picture. */
static void forget_lines(struct frame_req *req) {
    lines_unref(req->lines);
    req->lines = NULL;
    req->whole_width_px = req->whole_height_px = 0;
}

/* Builds the next request from the explorer's target and resets the progress. */
static void request(struct picture *picture, bool reuse, const struct frame_req *before) {
    picture->orbit_density = picture->explorer->scene.orbit_density;
    picture->problem = NULL;
    forget_lines(&picture->req);
    if (picture->orbit_density)
        request_density(picture);
    else
        explorer_request(picture->explorer, &picture->req);
    if (picture->tagged)
        tags_set(picture->req.generation, &picture->req.colouring);
    picture->req.reuse = reuse;
    if (!picture->orbit_density && reuse)
        request_lines(picture, before);
    else
        picture->moving.in_motion = false;
    picture->report = (struct backend_report){
        .state = picture->problem ? BACKEND_DONE : BACKEND_BUSY,
        .generation = picture->req.generation,
        .reference = picture->report.reference, /* valid until the first poll */
    };
    picture->drawn_of_this = 0;
    picture->uploaded = true;
    picture->has_statistics = picture->judged_moving = false;
    picture->shown = picture->held = picture->full = false;
    density_judge_begin(&picture->judge, picture->orbit_density);
    picture->submitted_ms = clock_ms();
}

/* Returns true if the scene needs orbit density but the backend has none. The view then returns
 * to escape time. */
static bool density_impossible(const struct picture *picture) {
    if (!picture->explorer->scene.orbit_density ||
        backend_has_density(active_backend_get(picture->active)))
        return false;
    active_backend_post(picture->active, "cannot draw Buddhabrots; back to escape time");
    return true;
}

bool picture_ready(struct picture *picture) {
    const struct explorer *explorer = picture->explorer;
    if (!explorer->scene.orbit_density)
        return true;
    /* Let each picture be visible for a while; a long motion would otherwise show nothing new. */
    if (picture->orbit_density && density_judge_is_faint(&picture->judge) &&
        picture->report.state == BACKEND_BUSY && explorer_moving(explorer) &&
        clock_ms() < picture->submitted_ms + REPLACE_MS)
        return false;
    return cell_maker_ready(&picture->cell_maker, &explorer->scene.orbits);
}

/* Returns false if the backend refuses, is lost, or there is no memory. */
static bool submit(struct picture *picture, bool *no_memory) {
    return !backend_is_lost(active_backend_get(picture->active)) && submit_once(picture, no_memory);
}

/* Returns true if both requests have the same samples and the same drawing order. */
static bool same_samples(const struct frame_req *before, const struct frame_req *req) {
    struct grid_map map;
    return req->reuse && before->reuse && before->limit == req->limit &&
           before->method == req->method && before->shortcuts == req->shortcuts &&
           sharing_new_planes(before, req) == 0 && sharing_by_map(before, req, &map) &&
           map.dx == 0 && map.dy == 0 && map.scale_log2 == 0;
}

/* Recolours the current samples if only the colours changed. Returns false if the request has to
 * be submitted. */
static bool recolour(struct picture *picture, const struct frame_req *before) {
    struct backend *backend = active_backend_get(picture->active);
    const struct look look = look_of(picture);
    if (!same_samples(before, &picture->req) || backend_is_lost(backend))
        return false;
    presenter_await_target(picture->presenter);
    if (!backend_recolour(backend, before->generation, picture->req.generation, &look))
        return false;
    active_backend_cancel_low_priority(picture->active);
    presenter_recolour(picture->presenter, &look);
    return true;
}

/* Prefetches the reference orbit that a held zoom will need soon. */
static void prepare(struct picture *picture) {
    struct frame_req ahead;
    struct view soon;
    if (!picture->moving.in_motion || picture->problem)
        return;
    frame_req_init(&ahead, 1, 1);
    view_init(&soon);
    if (explorer_request_ahead(picture->explorer, &ahead, &soon))
        backend_prepare(active_backend_get(picture->active), &ahead, &soon);
    view_finish(&soon);
    frame_req_finish(&ahead);
}

bool picture_submit(struct picture *picture, bool reuse, struct findings *found) {
    *found = (struct findings){.no_density = density_impossible(picture)};
    if (found->no_density)
        return true;
    struct frame_req before;
    frame_req_init_copy(&before, &picture->req);
    const bool density = picture->orbit_density || picture->explorer->scene.orbit_density;
    request(picture, reuse, &before);
    if (picture->moving.in_motion)
        found->samples_per_ms = moving_samples_per_ms(&picture->moving, picture->explorer);
    found->refused = density ? NULL : frame_req_problem(&picture->req);
    const bool recoloured = !density && !found->refused && recolour(picture, &before);
    frame_req_finish(&before);
    if (!recoloured)
        cancel_for_next(picture);
    antialias_stop(&picture->antialias);
    backdrop_maker_stop(&picture->backdrop_maker);
    backdrop_counter_stop(&picture->counter);
    if (recoloured || found->refused)
        return true;
    bool no_memory = false;
    while (!picture->problem && !submit(picture, &no_memory)) {
        if (no_memory)
            return false;
        if (!active_backend_lost(picture->active)) {
            found->refused = backend_is_lost(active_backend_get(picture->active))
                                 ? NULL
                                 : "no backend can draw it";
            return found->refused != NULL;
        }
        found->no_density = density_impossible(picture);
        if (found->no_density)
            return true;
    }
    if (!picture->moving.in_motion)
        forget_lines(&picture->req);
    prepare(picture);
    return true;
}

void picture_set_pace(struct picture *picture, double frame_ms, double since_ms) {
    picture->moving.frame_ms = frame_ms;
    picture->moving.since_ms = since_ms;
}

void picture_presented(struct picture *picture, double interval_ms) {
    picture->moving.seen++;
    picture->moving.late = interval_ms > LATE * picture->moving.frame_ms;
}

bool picture_wants_motion(const struct picture *picture) {
    const struct backend_info info = active_backend_info(picture->active);
    return moving_wanted(&picture->moving, picture->explorer, &info);
}

bool picture_in_motion(const struct picture *picture) {
    return picture->moving.in_motion;
}

/* Pictures in motion have their own patience. An ordinary picture that is nearly done is worth
 * finishing, because later pictures reuse its samples. */
bool picture_worth_finishing(const struct picture *picture) {
    const struct backend_report *report = &picture->report;
    const double ms = clock_ms() - picture->submitted_ms;
    if (picture->orbit_density)
        return false;
    if (!picture_busy(picture))
        return picture->moving.in_motion && moving_early(&picture->moving, picture->explorer);
    if (picture->moving.in_motion)
        return ms < moving_time_limit_ms(&picture->moving);
    return ms < (report->progress > NEARLY_DONE ? SERVE_MS : SERVE_LEAST_MS);
}

static bool lose_device(struct picture *picture, struct findings *found) {
    found->lost = true;
    return active_backend_lost(picture->active);
}

/* Marks the density picture as in flight again if `ok`; otherwise the device is lost. */
static bool mark_busy(struct picture *picture, bool ok, struct findings *found) {
    picture->report.state = ok ? BACKEND_BUSY : BACKEND_LOST;
    return ok || lose_device(picture, found);
}

static bool set_samples(struct picture *picture, struct findings *found) {
    const uint64_t samples = picture->held || picture->full ? 0 : PICTURE_SAMPLES_MAX;
    struct backend *backend = active_backend_get(picture->active);
    if (picture->problem || picture->counter.busy)
        return true;
    return mark_busy(picture, backend_density_set_samples(backend, samples), found);
}

bool picture_change_tone(struct picture *picture, struct findings *found) {
    const uint64_t generation = picture->req.generation;
    struct backend *backend = active_backend_get(picture->active);
    *found = (struct findings){.toned = !picture->problem};
    if (picture->problem)
        return true;
    picture->density.tone = picture->explorer->scene.tone;
    const struct look look = look_of(picture);
    presenter_await_target(picture->presenter);
    presenter_recolour(picture->presenter, &look);
    if (picture->counter.busy)
        return true;
    return mark_busy(picture, backend_recolour(backend, generation, generation, &look), found);
}

bool picture_hold(struct picture *picture, bool hold, struct findings *found) {
    *found = (struct findings){0};
    picture->held = hold;
    return set_samples(picture, found);
}

bool picture_few_orbits(const struct picture *picture) {
    return picture->orbit_density &&
           density_judge_is_sparse(&picture->judge, &picture->report, picture_points(picture));
}

const char *picture_tell_few_orbits(struct picture *picture) {
    if (picture->judge.told || !picture_few_orbits(picture))
        return NULL;
    picture->judge.told = true;
    return density_judge_is_faint(&picture->judge)
               ? "few orbits pass here: this is the whole picture, magnified"
               : "few orbits pass here";
}

/* Notes the progress of a density picture. Every update shows the whole picture. */
static bool take_counts(struct picture *picture, struct findings *found) {
    const double pixels = (double)picture->req.width_px * picture->req.height_px;
    const double hit = density_judge_share(&picture->judge, &picture->report, pixels);
    if (picture->shown)
        picture->judge.transparency = presenter_set_hit(picture->presenter, hit);
    if (picture->shown && picture->uploaded)
        presenter_complete(picture->presenter);
    if (picture->full || picture_points(picture) < PICTURE_POINTS_MAX)
        return true;
    picture->full = true;
    return set_samples(picture, found);
}

/* Continues counting the backdrop of a density picture, and starts the picture afterwards. */
static bool count_backdrop(struct picture *picture, double budget_ms, struct findings *found) {
    struct backend *backend = active_backend_get(picture->active);
    backdrop_counter_step(&picture->counter, backend, presenter_backdrop(picture->presenter),
                          budget_ms);
    if (picture->counter.busy)
        return true;
    found->news = true;
    return mark_busy(picture, !backend_is_lost(backend) && start_counting(picture), found);
}

/* Returns the statistics that the explorer judges. Its criteria are looser in motion, so they
 * are judged again at rest. */
static const struct statistics *to_judge(struct picture *picture) {
    picture->judged_moving = picture->has_statistics && explorer_moving(picture->explorer);
    return picture->has_statistics ? &picture->statistics : NULL;
}

/* Shows a picture in motion once it is complete. Its statistics are not used. */
static bool take_moving(struct picture *picture) {
    if (picture->report.state == BACKEND_DONE && picture->uploaded) {
        presenter_complete(picture->presenter);
        picture->whole_generation = picture->req.generation;
        moving_learn(&picture->moving, &picture->report);
    }
    return true;
}

static void count_drawn(struct picture *picture) {
    const double all = (double)picture->req.width_px * picture->req.height_px;
    const double drawn = picture->report.progress * all - (double)picture->report.kept;
    picture->drawn_px += fmax(drawn - picture->drawn_of_this, 0);
    picture->drawn_of_this = fmax(drawn, picture->drawn_of_this);
}

bool picture_poll(struct picture *picture, double budget_ms, struct findings *found) {
    *found = (struct findings){0};
    if (!picture_busy(picture)) {
        if (picture->judged_moving && picture_complete(picture) &&
            !explorer_moving(picture->explorer))
            found->statistics = to_judge(picture);
        return true;
    }
    picture->report.dirty = (struct rect){0};
    if (picture->counter.busy)
        return count_backdrop(picture, budget_ms, found);
    if (picture->report.state == BACKEND_BUSY)
        picture->report = backend_poll(active_backend_get(picture->active), budget_ms);
    if (picture->report.state == BACKEND_LOST)
        return lose_device(picture, found);
    count_drawn(picture);
    const struct rect dirty = picture->report.dirty;
    found->news =
        dirty.x0 < dirty.x1 || !picture->uploaded || picture->report.state == BACKEND_DONE;
    picture->shown = picture->shown || dirty.x0 < dirty.x1;
    const double start = clock_ms();
    const double frame = picture->moving.frame_ms > 0 ? picture->moving.frame_ms : FRAME_MS;
    picture->uploaded = presenter_upload(picture->presenter, dirty, UPLOAD_SHARE * frame);
    picture->upload_ms += clock_ms() - start;
    if (picture->orbit_density)
        return take_counts(picture, found);
    if (picture->moving.in_motion)
        return take_moving(picture);
    presenter_set_drawn(picture->presenter, picture->drawn_of_this);
    found->report = &picture->report;
    if (picture_complete(picture)) {
        presenter_complete(picture->presenter);
        picture->whole_generation = picture->req.generation;
        picture->complete_ms = picture->report.elapsed_ms;
        const double samples = (double)picture->req.width_px * picture->req.height_px;
        found->samples_per_ms =
            moving_learn_rest(&picture->moving, samples, picture->req.limit, &picture->report);
        picture->has_statistics =
            backend_statistics(active_backend_get(picture->active), &picture->statistics);
        found->statistics = to_judge(picture);
    }
    return true;
}

static bool wants_samples(const struct picture *picture) {
    const uint32_t wanted = picture->explorer->scene.pixel_samples;
    return wanted > 1 && picture->antialias.shown != wanted;
}

bool picture_refining(const struct picture *picture) {
    return !picture->orbit_density &&
           (backdrop_maker_works(&picture->backdrop_maker, &picture->req) ||
            wants_samples(picture));
}

/* Handles a loss reported by a handle of lower priority. The handle may be lost alone, for lack
 * of memory; the main handle is then fine. Returns false if no backend is left. */
static bool refined(struct picture *picture, bool lost, struct findings *found) {
    struct backend *backend = active_backend_get(picture->active);
    return !lost || backend_poll(backend, 0).state != BACKEND_LOST || lose_device(picture, found);
}

static bool refine_samples(struct picture *picture, struct findings *found) {
    const enum antialias_state state = antialias_step(
        &picture->antialias, active_backend_low_priority(picture->active, BACKEND_REST),
        picture->presenter, &picture->req, picture->explorer->scene.pixel_samples, &found->news);
    const bool ok = refined(picture, state == ANTIALIAS_LOST, found);
    found->no_samples = !found->lost && (state == ANTIALIAS_FAILED || state == ANTIALIAS_LOST);
    if (found->no_samples)
        active_backend_post(picture->active, "cannot draw more samples");
    return ok;
}

bool picture_refine(struct picture *picture, struct findings *found) {
    *found = (struct findings){0};
    if (!picture_refining(picture) || !picture_complete(picture))
        return true;
    if (!backdrop_maker_works(&picture->backdrop_maker, &picture->req))
        return refine_samples(picture, found);
    const enum backdrop_state state = backdrop_maker_step(
        &picture->backdrop_maker, active_backend_low_priority(picture->active, BACKEND_BEHIND),
        presenter_backdrop(picture->presenter), &picture->req);
    return refined(picture, state == BACKDROP_LOST, found);
}

void picture_begin(struct picture *picture) {
    explorer_request(picture->explorer, &picture->req);
    backdrop_maker_begin(&picture->backdrop_maker,
                         active_backend_low_priority(picture->active, BACKEND_BEHIND),
                         presenter_backdrop(picture->presenter), &picture->req);
}

void picture_settle(struct picture *picture) {
    antialias_finish_copy(&picture->antialias, picture->presenter);
}

uint32_t picture_pixel_samples(const struct picture *picture) {
    return antialias_whole(&picture->antialias) ? picture->antialias.shown : 0;
}

struct frame_req picture_drawn(const struct picture *picture) {
    const struct reference_facts *facts = &picture->report.reference;
    struct frame_req drawn = picture->req;
    if (facts->decided) {
        drawn.route = facts->route;
        drawn.type = facts->type;
        drawn.tailless = facts->mixed;
    }
    return drawn;
}

bool picture_busy(const struct picture *picture) {
    return picture->report.state == BACKEND_BUSY ||
           (picture->report.state == BACKEND_DONE && !picture->uploaded);
}

bool picture_complete(const struct picture *picture) {
    return picture->report.state == BACKEND_DONE && picture->uploaded &&
           !picture->moving.in_motion &&
           picture->report.generation == picture->explorer->generation;
}

const struct statistics *picture_statistics(const struct picture *picture) {
    return picture->has_statistics ? &picture->statistics : NULL;
}

uint64_t picture_samples(const struct picture *picture) {
    return picture->orbit_density && picture->shown && picture->uploaded &&
                   !picture->explorer->changed
               ? picture->report.samples
               : 0;
}

double picture_points(const struct picture *picture) {
    const struct density_place place = density_place(&picture->density);
    return (double)picture->report.points / ((double)place.width * place.height);
}
