/* Keeps the backend contract with several devices: gives out bands of a picture's rows while devices
 * get free, moves those that a slow or lost one would keep, and adds up what is reported. */
#include "render/all/backend_all.h"
#include "render/all/devices.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/grid/sharing.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define IN_FLIGHT    2   /* bands that a device is given before it is done with the first */
#define SAMPLE_STEPS 16  /* steps that take as long as what else a sample takes */
#define MOVE_MS      2.0 /* a band that has taken so long is moved to where it takes */
#define MOVE_GAIN    1.5 /* that much less than what it still needs, */
#define MOVE_LATE    4.0 /* or than it has taken, and twice that for each move before */
#define SLICE_MS     0.5 /* how long news of one band are waited for while there are others */
#define COLLECT_MS   2.0 /* how long a poll may copy when it has no other budget */

struct band {
    int y0, y1;
    int device, hand; /* its handle there */
    bool busy;
    int moves; /* from where it was late, in this picture */
    double started_ms;
    struct backend_report report; /* the last one */
};

struct together {
    struct hands hands;
    struct frame_req *req; /* the last one; NULL before the first */
    struct target target;
    bool several, fresh; /* devices; without anything kept */
    struct split split;
    struct band bands[SPLIT_BANDS_MAX];
    int band_count, next;            /* next: to be polled first */
    double begins_ms[SPLIT_DEVICES]; /* their work on this picture; 0: there is none */
    int counting;                    /* the device of a density picture, -1: it is no such */
    bool busy;
    double started_ms;
    struct backend_report report;
};

/* --- opening --- */

/* With hands that were made, or not. */
static void *create(struct together *all, bool ok) {
    all->counting = -1;
    if (ok)
        return all;
    backend_all_destroy(all);
    return NULL;
}

static struct together *allocate(void) {
    struct together *all = calloc(1, sizeof *all);
    if (!all)
        log_error("not enough memory for a backend");
    return all;
}

void *backend_all_create(const struct backend_all *what, const struct backend_options *options) {
    struct together *all = allocate();
    return all ? create(all, hands_init(&all->hands, what, options)) : NULL;
}

void *backend_all_another(void *impl, enum backend_priority priority) {
    const struct together *first = impl;
    struct together *all = allocate();
    return all ? create(all, hands_init_beside(&all->hands, &first->hands, priority)) : NULL;
}

void backend_all_info(void *impl, struct backend_info *info) {
    hands_info(&((struct together *)impl)->hands, info);
}

static const struct backend_impl *impl_of(const struct together *all, int device) {
    return all->hands.devices->impls[device];
}

static void *handle_of(const struct together *all, const struct band *band) {
    return all->hands.handles[band->device][band->hand];
}

/* Of each device, for this kind of picture. */
static double *speeds(const struct together *all) {
    return all->hands.devices->steps_per_ms[all->req->route][all->req->type];
}

/* --- bands --- */

static int in_flight(const struct together *all, int device) {
    int count = 0;
    for (int b = 0; b < all->band_count; b++)
        count += all->bands[b].busy && all->bands[b].device == device;
    return count;
}

/* Gives a band a handle on a device that no other band has. */
static void set_device(struct together *all, struct band *band, int device) {
    bool taken[SPLIT_BANDS_MAX + 1] = {false};
    for (int b = 0; b < all->band_count; b++)
        if (&all->bands[b] != band && all->bands[b].device == device)
            taken[all->bands[b].hand] = true;
    band->device = device;
    band->hand = 0;
    while (taken[band->hand])
        band->hand++;
}

/* What the band is of the request. */
static struct frame_req part_of(const struct together *all, const struct band *band) {
    struct frame_req part = *all->req;
    if (band->y1 - band->y0 == part.height_px)
        return part;
    frame_req_whole(all->req, &part.whole_width_px, &part.whole_height_px);
    part.part_y_px += band->y0;
    part.height_px = band->y1 - band->y0;
    part.focus_y_px -= band->y0;
    part.focus_y_px = part.focus_y_px < 0 ? 0 : part.focus_y_px;
    part.focus_y_px = part.focus_y_px < part.height_px ? part.focus_y_px : part.height_px - 1;
    return part;
}

static bool submit_band(struct together *all, struct band *band) {
    const size_t first = (size_t)band->y0 * (size_t)all->req->width_px;
    const struct frame_req part = part_of(all, band);
    const struct target target = {
        .rgba = all->target.rgba + first,
        .planes = sample_planes_from(&all->target.planes, first),
        .at_once = all->target.at_once,
    };
    void *handle = hands_get(&all->hands, band->device, band->hand);
    return handle && impl_of(all, band->device)->submit(handle, &part, &target);
}

/* On its device, or where that cannot, on the fastest that can. False: there is none. */
static bool start_band(struct together *all, struct band *band) {
    unsigned able;
    band->report = (struct backend_report){0};
    while ((able = hands_able(&all->hands)) != 0) {
        if (!(able >> band->device & 1))
            set_device(all, band, split_fastest(speeds(all), able));
        band->started_ms = clock_ms();
        band->busy = submit_band(all, band);
        if (band->busy)
            break;
        all->hands.refuse |= 1u << band->device;
    }
    if (band->busy && all->begins_ms[band->device] == 0)
        all->begins_ms[band->device] = band->started_ms;
    return band->busy;
}

/* The next band for a device that has fewer than `most` in flight. False: no device draws it. */
static bool next_band(struct together *all, int device, int most) {
    const unsigned able = hands_able(&all->hands);
    const int left = split_left(&all->split);
    int rows = 0;
    if (left > 0 && able >> device & 1 && in_flight(all, device) < most)
        rows = all->several ? split_rows(&all->split, speeds(all), able, device)
               : device == split_fastest(speeds(all), able) ? left
                                                            : 0;
    if (rows == 0)
        return left == 0 || able;
    struct band *band = &all->bands[all->band_count++];
    *band = (struct band){0};
    split_cut(&all->split, rows, &band->y0, &band->y1);
    set_device(all, band, device);
    return start_band(all, band);
}

/* Gives what is left to devices that have little to do. */
static bool hand_out(struct together *all) {
    bool ok = true;
    for (int most = 1; most <= IN_FLIGHT; most++)
        for (int d = 0; ok && d < all->hands.devices->count; d++)
            ok = next_band(all, d, most);
    return ok;
}

/* --- submitting --- */

static void cancel_band(struct together *all, struct band *band) {
    if (band->busy)
        impl_of(all, band->device)->cancel(handle_of(all, band));
    band->busy = false;
}

void backend_all_cancel(void *impl) {
    struct together *all = impl;
    for (int b = 0; b < all->band_count; b++)
        cancel_band(all, &all->bands[b]);
    if (all->counting >= 0)
        impl_of(all, all->counting)->cancel(all->hands.handles[all->counting][0]);
    all->counting = -1;
    all->busy = false;
    all->report.state = BACKEND_IDLE;
}

static void forget_request(struct together *all) {
    if (all->req)
        frame_req_finish(all->req);
    free(all->req);
    all->req = NULL;
}

void backend_all_destroy(void *impl) {
    struct together *all = impl;
    backend_all_cancel(all);
    hands_finish(&all->hands);
    forget_request(all);
    free(all);
}

static bool may_submit(struct together *all) {
    const struct devices *devices = all->hands.devices;
    backend_all_cancel(all);
    if (devices_lost(devices))
        log_error("backend %s is lost; use another --backend", devices->all->name);
    return !devices_lost(devices);
}

/* Whether bands stay where they are, because samples are there that serve. Lines are of one band. */
static bool continues(const struct together *all, const struct frame_req *req) {
    struct grid_map map;
    if (!all->req || all->band_count == 0 || !req->reuse || (req->lines && all->several))
        return false;
    return sharing_by_map(all->req, req, &map) || sharing_by_lines(all->req, req);
}

/* The own copy of it. */
static bool take_request(struct together *all, const struct frame_req *req) {
    struct frame_req *copy = malloc(sizeof *copy);
    if (!copy) {
        log_error("not enough memory for a request");
        return false;
    }
    frame_req_init_copy(copy, req);
    all->fresh = !continues(all, req);
    forget_request(all);
    all->req = copy;
    return true;
}

static void lay_out(struct together *all) {
    const struct frame_req *req = all->req;
    const unsigned able = hands_able(&all->hands);
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px;
    all->several = able & (able - 1) && !req->lines && pixels >= all->hands.devices->all->split_px;
    all->band_count = all->next = 0;
    split_init(&all->split, req->height_px, req->focus_y_px);
}

/* What is reported is one rectangle, in which there may be bands of which nothing is there yet. */
static void clear_target(struct together *all) {
    if (all->several && !all->target.at_once)
        memset(all->target.rgba, 0,
               (size_t)all->req->width_px * (size_t)all->req->height_px * sizeof(uint32_t));
}

static void begin(struct together *all) {
    all->busy = true;
    all->started_ms = clock_ms();
    all->report =
        (struct backend_report){.state = BACKEND_BUSY, .generation = all->req->generation};
}

bool backend_all_submit(void *impl, const struct frame_req *req, const struct target *target) {
    struct together *all = impl;
    if (!may_submit(all) || !take_request(all, req))
        return false;
    all->hands.refuse = 0;
    memset(all->begins_ms, 0, sizeof all->begins_ms);
    all->target = *target;
    if (all->fresh)
        lay_out(all);
    else if (!all->several)
        all->bands[0].y1 = all->split.height = all->split.below = req->height_px; /* of lines */
    clear_target(all);
    bool ok = true;
    for (int b = 0; ok && b < all->band_count; b++) {
        all->bands[b].moves = 0;
        ok = start_band(all, &all->bands[b]);
    }
    if (!ok || !hand_out(all)) {
        backend_all_cancel(all);
        return false;
    }
    all->hands.devices->submits++;
    begin(all);
    return true;
}

static bool recolour_counts(struct together *all, uint64_t from, uint64_t generation,
                            const struct look *look) {
    all->busy = impl_of(all, all->counting)
                    ->recolour(all->hands.handles[all->counting][0], from, generation, look);
    all->report.generation = generation;
    return all->busy;
}

bool backend_all_recolour(void *impl, uint64_t from, uint64_t generation, const struct look *look) {
    struct together *all = impl;
    const struct backend_report *report = &all->report;
    bool ok = (report->state == BACKEND_BUSY || report->state == BACKEND_DONE) &&
              report->generation == from && look->orbit_density == (all->counting >= 0);
    if (ok && look->orbit_density)
        return recolour_counts(all, from, generation, look);
    for (int b = 0; ok && b < all->band_count; b++) {
        struct band *band = &all->bands[b];
        const struct backend_impl *device = impl_of(all, band->device);
        ok = device->recolour && device->recolour(handle_of(all, band), from, generation, look);
        band->busy = ok;
    }
    if (!ok) {
        backend_all_cancel(all);
        return false;
    }
    all->req->generation = generation;
    all->req->colouring = look->colouring;
    all->fresh = false;
    all->report.generation = generation;
    clear_target(all);
    if (!all->busy)
        begin(all);
    return true;
}

/* --- polling --- */

/* Of its samples so far, with what else they cost. */
static double steps_of(const struct together *all, const struct band *band) {
    const double samples = (double)(band->y1 - band->y0) * all->req->width_px;
    return (double)band->report.iterations + SAMPLE_STEPS * samples * band->report.progress;
}

/* What a device has done of this picture says how fast it is. */
static void measure(struct together *all, int device) {
    const double ms = clock_ms() - all->begins_ms[device];
    double steps = 0;
    for (int b = 0; b < all->band_count; b++)
        steps += all->bands[b].device == device ? steps_of(all, &all->bands[b]) : 0;
    if (all->fresh && all->several && ms > 0)
        speeds(all)[device] = steps / ms;
}

static void add_dirty(struct rect *sum, struct rect r, int y) {
    if (r.x0 >= r.x1)
        return;
    r.y0 += y;
    r.y1 += y;
    const bool first = sum->x0 >= sum->x1;
    sum->x0 = first || r.x0 < sum->x0 ? r.x0 : sum->x0;
    sum->y0 = first || r.y0 < sum->y0 ? r.y0 : sum->y0;
    sum->x1 = first || r.x1 > sum->x1 ? r.x1 : sum->x1;
    sum->y1 = first || r.y1 > sum->y1 ? r.y1 : sum->y1;
}

/* False: it was lost, and no device is left that draws it. */
static bool poll_band(struct together *all, struct band *band, double budget_ms) {
    impl_of(all, band->device)->poll(handle_of(all, band), budget_ms, &band->report);
    if (band->report.state == BACKEND_LOST) {
        devices_lose(all->hands.devices, band->device);
        band->busy = false;
        return start_band(all, band);
    }
    if (!all->target.at_once)
        add_dirty(&all->report.dirty, band->report.dirty, band->y0);
    if (band->report.state == BACKEND_DONE) {
        band->busy = false;
        measure(all, band->device);
    }
    return true;
}

/* What a device would need for a band, going by its progress, or by the bands that are done; 0: not
 * known. */
static double expected_ms(const struct together *all, const struct band *band, int device) {
    double steps = steps_of(all, band), rows = band->report.progress * (band->y1 - band->y0);
    for (int b = 0; band->report.progress < 0.1 && b < all->band_count; b++) {
        const struct band *other = &all->bands[b];
        const bool done = other->report.state == BACKEND_DONE;
        steps += done ? steps_of(all, other) : 0;
        rows += done ? other->y1 - other->y0 : 0;
    }
    const double speed = speeds(all)[device];
    return rows > 0 && speed > 0 ? steps / rows * (band->y1 - band->y0) / speed : 0;
}

/* Whether all of a band will be done sooner elsewhere than what it still needs where it is. */
static bool is_late(const struct together *all, const struct band *band, int to) {
    const double took = clock_ms() - band->started_ms, done = band->report.progress;
    const double whole = took / (done > 0.001 ? done : 0.001), there = expected_ms(all, band, to);
    const double here = speeds(all)[band->device];
    if (!band->busy || took < MOVE_MS || there == 0)
        return false;
    return took > ldexp(MOVE_LATE * there, band->moves) ||
           (here > 0 && band->moves == 0 &&
            whole - took > MOVE_GAIN * whole * here / speeds(all)[to]);
}

/* A device that has nothing to do any more takes over a band that a slower one is late with. */
static bool help(struct together *all, int device) {
    for (int b = 0; b < all->band_count; b++) {
        struct band *band = &all->bands[b];
        if (!is_late(all, band, device))
            continue;
        cancel_band(all, band);
        set_device(all, band, device);
        band->moves++;
        return start_band(all, band);
    }
    return true;
}

/* Polls those bands in flight, in turns, that there is time for, and keeps devices at work. */
static bool collect(struct together *all, double until_ms) {
    const int count = all->band_count;
    bool ok = true;
    for (int i = 0; ok && i < count && (i == 0 || clock_ms() < until_ms); i++) {
        all->next = (all->next + 1) % count;
        if (all->bands[all->next].busy)
            ok = poll_band(all, &all->bands[all->next], 0);
    }
    ok = ok && hand_out(all);
    for (int d = 0; ok && d < all->hands.devices->count; d++)
        if (in_flight(all, d) == 0 && hands_able(&all->hands) >> d & 1)
            ok = help(all, d);
    return ok;
}

static int busy_bands(const struct together *all) {
    int busy = 0;
    for (int b = 0; b < all->band_count; b++)
        busy += all->bands[b].busy;
    return busy;
}

/* For news of one band; a little while, if there are others. */
static bool wait_for_news(struct together *all, double left_ms) {
    const int busy = busy_bands(all);
    while (busy > 0 && !all->bands[all->next].busy)
        all->next = (all->next + 1) % all->band_count;
    const double slice_ms = busy > 1 && left_ms > SLICE_MS ? SLICE_MS : left_ms;
    return busy == 0 || poll_band(all, &all->bands[all->next], slice_ms);
}

static void add_up(struct together *all) {
    struct backend_report *report = &all->report;
    double rows = 0;
    report->iterations = report->skipped = report->kept = 0;
    for (int b = 0; b < all->band_count; b++) {
        const struct band *band = &all->bands[b];
        report->iterations += band->report.iterations;
        report->skipped += band->report.skipped;
        report->kept += band->report.kept;
        rows += band->report.progress * (band->y1 - band->y0);
    }
    report->progress = rows / all->req->height_px;
    report->elapsed_ms = clock_ms() - all->started_ms;
    if (split_left(&all->split) > 0 || busy_bands(all) > 0)
        return;
    if (all->target.at_once)
        report->dirty = (struct rect){0, 0, all->req->width_px, all->req->height_px};
    report->progress = 1;
    report->state = BACKEND_DONE;
    all->busy = false;
}

static void report_loss(struct together *all) {
    backend_all_cancel(all);
    all->report.dirty = (struct rect){0};
    all->report.state = BACKEND_LOST;
}

/* What one device calls dirty in two polls may not be taken together. */
static bool poll_single(struct together *all, double budget_ms) {
    struct band *band = &all->bands[0];
    const bool drawn = !band->busy || poll_band(all, band, budget_ms);
    if (drawn)
        add_up(all);
    return drawn;
}

static void poll_picture(struct together *all, double budget_ms) {
    const double until = clock_ms() + budget_ms;
    if (!all->several) {
        if (!poll_single(all, budget_ms))
            report_loss(all);
        return;
    }
    for (double left = budget_ms;; left = until - clock_ms()) {
        const bool drawn = collect(all, clock_ms() + (left > COLLECT_MS ? left : COLLECT_MS));
        if (drawn)
            add_up(all);
        if (drawn && (!all->busy || all->report.dirty.x0 < all->report.dirty.x1 || left <= 0))
            return;
        if (!drawn || !wait_for_news(all, left))
            break;
    }
    report_loss(all);
}

static void poll_counts(struct together *all, double budget_ms) {
    const int device = all->counting;
    impl_of(all, device)->poll(all->hands.handles[device][0], budget_ms, &all->report);
    all->busy = all->report.state == BACKEND_BUSY;
    if (all->report.state == BACKEND_LOST)
        devices_lose(all->hands.devices, device);
}

/* For tests. */
static void lose_as_asked(struct devices *devices) {
    if (devices->lose_after <= 0 || devices->submits < devices->lose_after)
        return;
    log_warn("backend %s was lost, as asked for", devices->all->name);
    devices->lost = (1u << devices->count) - 1;
}

void backend_all_poll(void *impl, double budget_ms, struct backend_report *report) {
    struct together *all = impl;
    struct devices *devices = all->hands.devices;
    all->report.dirty = (struct rect){0};
    if (all->busy && !devices_lost(devices))
        lose_as_asked(devices);
    if (!all->busy && all->counting < 0)
        hands_look(&all->hands);
    if (devices_lost(devices))
        report_loss(all);
    else if (all->counting >= 0)
        poll_counts(all, budget_ms);
    else if (all->busy)
        poll_picture(all, budget_ms);
    *report = all->report;
}

void backend_all_statistics(void *impl, struct statistics *statistics) {
    const struct together *all = impl;
    statistics_init(statistics);
    for (int b = 0; b < all->band_count; b++) {
        const struct band *band = &all->bands[b];
        struct statistics part;
        impl_of(all, band->device)->statistics(handle_of(all, band), &part);
        statistics_merge(statistics, &part);
    }
}

/* --- density pictures, which one device draws --- */

static bool density_submit(void *impl, const struct density_req *req, const struct target *target) {
    struct together *all = impl;
    if (!may_submit(all))
        return false;
    all->hands.refuse = 0;
    const unsigned able = hands_able(&all->hands);
    for (int d = 0; !all->busy && d < all->hands.devices->count; d++) {
        const struct backend_density *density = impl_of(all, d)->density;
        all->busy =
            able >> d & 1 && density && density->submit(all->hands.handles[d][0], req, target);
        all->counting = all->busy ? d : -1;
    }
    all->report = (struct backend_report){.state = all->busy ? BACKEND_BUSY : BACKEND_IDLE,
                                          .generation = req->generation};
    all->hands.devices->submits += all->busy;
    return all->busy;
}

static bool density_set_samples(void *impl, uint64_t samples) {
    struct together *all = impl;
    const int d = all->counting;
    all->busy = d >= 0 && impl_of(all, d)->density->set_samples(all->hands.handles[d][0], samples);
    return all->busy;
}

static bool density_read(void *impl, struct density_counts *counts) {
    const struct together *all = impl;
    const int d = all->counting;
    return d >= 0 && impl_of(all, d)->density->read(all->hands.handles[d][0], counts);
}

const struct backend_density backend_all_density = {
    .submit = density_submit,
    .set_samples = density_set_samples,
    .read = density_read,
};
