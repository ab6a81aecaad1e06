/* Reference cache: keeps the latest references with their tables, and makes others in the
 * background. */
#include "render/deep/references.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/deep/perturbation.h"
#include "render/deep/reference.h"
#include "render/number/doubt.h"
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#define KEPT       8 /* number of references kept */
#define KEPT_BYTES (UINT64_C(1) << 30)
/* A picture in motion may lie up to 2^6 times its height away from its reference. */
#define FAR_LOG2 6

/* A reference in the making. */
struct making {
    mpfr_t re, im;
    struct fractal fractal;
    struct reference_start start; /* start of a Julia set's second orbit */
    struct reference_want want;
    double step_log2;             /* log2 of the pixel step that the reference will be good for */
    const struct reference *base; /* reference that is extended; NULL: none */
    /* finished reference about which only the doubt is still open; NULL: none */
    struct perturbation *known;
    bool widen; /* true: doubt_find is called too */
    struct doubt_about about;
    struct perturbation *made;
    bool threaded; /* false: it was made on the caller's thread */
    pthread_t thread;
    atomic_bool stop, ended;
    atomic_uint progress;
};

struct shared {
    unsigned users, threads;
    struct perturbation *kept[KEPT]; /* most recently used first */
    uint64_t bytes_most;             /* limit of their memory */
};

struct references {
    struct shared *shared;
    struct making *making; /* NULL: none */
    bool told;             /* true: the warning that no thread can be started has been logged */
    pthread_mutex_t lock;
    pthread_cond_t end;
};

/* --- the thread --- */

struct work {
    struct references *references;
    struct making *making;
};

static struct perturbation *make_new(struct making *m) {
    const struct reference *reference =
        m->want.start ? reference_make_julia(&m->want, &m->stop, &m->progress)
                      : reference_make(&m->want, m->base, &m->stop, &m->progress);
    struct perturbation *made = reference ? perturbation_create(reference, &m->stop) : NULL;
    reference_unref(reference);
    return made;
}

static void *make(void *user) {
    struct work *work = user;
    struct references *r = work->references;
    struct making *m = work->making;
    free(work);
    m->made = m->known ? perturbation_ref(m->known) : make_new(m);
    if (m->made && m->widen)
        doubt_find(m->made, &m->about, &m->stop);
    pthread_mutex_lock(&r->lock);
    atomic_store(&m->ended, true);
    pthread_cond_signal(&r->end);
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static void free_making(struct references *r) {
    struct making *m = r->making;
    mpfr_clears(m->re, m->im, (mpfr_ptr)NULL);
    fractal_finish(&m->fractal);
    reference_unref(m->base);
    perturbation_unref(m->known);
    perturbation_unref(m->made);
    free(m);
    r->making = NULL;
}

static void finish_making(struct references *r) {
    if (!r->making)
        return;
    atomic_store(&r->making->stop, true);
    if (r->making->threaded)
        pthread_join(r->making->thread, NULL);
    free_making(r);
}

/* --- sharing --- */

static struct references *create(struct shared *shared) {
    struct references *r = shared ? calloc(1, sizeof *r) : NULL;
    pthread_condattr_t attributes;
    if (!r) {
        log_error("not enough memory for references");
        return NULL;
    }
    r->shared = shared;
    shared->users++;
    pthread_mutex_init(&r->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&r->end, &attributes);
    pthread_condattr_destroy(&attributes);
    return r;
}

struct references *references_create(unsigned threads) {
    struct shared *shared = calloc(1, sizeof *shared);
    struct references *r = create(shared);
    if (!r) {
        free(shared);
        return NULL;
    }
    shared->bytes_most = KEPT_BYTES;
    shared->threads = threads;
    return r;
}

struct references *references_another(struct references *r) {
    return create(r->shared);
}

void references_destroy(struct references *r) {
    if (!r)
        return;
    finish_making(r);
    if (--r->shared->users == 0) {
        for (int i = 0; i < KEPT; i++)
            perturbation_unref(r->shared->kept[i]);
        free(r->shared);
    }
    pthread_cond_destroy(&r->end);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

void references_cancel(struct references *r) {
    if (r->making)
        atomic_store(&r->making->stop, true);
}

/* --- finding --- */

/* Properties of the reference that a request needs. */
struct need {
    mpfr_t re, im;    /* home of the request's view */
    double step_log2; /* log2 of the pixel step that references of that home are good for */
    double own_log2;  /* log2 of the picture's own pixel step */
    const struct frame_req *req;
    const struct view *view; /* view of the request, or a wider view around it */
    bool any_near;           /* any reference that is near is enough */
    bool wide;               /* true: the reference must be wide; false: it must not be */
    bool widen;              /* whether doubles are precise enough must be known */
    uint32_t limit;          /* steps that the reference must serve */
    const struct orbit_engine *engine;
    int width_px, height_px;
};

/* log2 of the distance from an axis, in pixels, within which homes of formulas with folds lie on
 * the axis if the distance is below a double's range. Folds need the sign of each part of Z. */
#define AXIS_PIXELS_LOG2 18

static void move_to_axis(mpfr_t part, double step_log2) {
    if (mpfr_regular_p(part) && mpfr_get_exp(part) < PERTURBED_PLAIN_STEP_LOG2 &&
        mpfr_get_exp(part) < step_log2 + AXIS_PIXELS_LOG2)
        mpfr_set_zero(part, 1);
}

static void need_init(struct need *need, const struct frame_req *req,
                      const struct orbit_engine *engine) {
    *need = (struct need){
        .req = req, .view = &req->view, .any_near = lines_in_motion(req->lines), .engine = engine};
    frame_req_whole(req, &need->width_px, &need->height_px);
    mpfr_inits2(64, need->re, need->im, (mpfr_ptr)NULL);
    need->wide = req->type == TYPE_WIDE;
    need->widen = req->widen && !need->wide;
    need->limit = req->route == ROUTE_DIRECT ? 1 : req->limit;
    need->step_log2 = perturbed_home(&req->view, need->height_px, need->wide, need->re, need->im);
    need->own_log2 =
        view_step_log2(&req->view, need->height_px) - (need->wide ? PERTURBED_WIDE_BITS : 0);
    if (fractal_steps(&req->fractal).folds != FOLD_NONE) {
        const double step_log2 = view_step_log2(&req->view, need->height_px);
        move_to_axis(need->re, step_log2);
        move_to_axis(need->im, step_log2);
    }
}

static void need_finish(struct need *need) {
    mpfr_clears(need->re, need->im, (mpfr_ptr)NULL);
}

static bool at_home(const struct need *need, mpfr_srcptr re, mpfr_srcptr im, double step_log2) {
    return mpfr_equal_p(need->re, re) && mpfr_equal_p(need->im, im) && need->step_log2 == step_log2;
}

/* Returns true if a reference belongs to the same set as the request. */
static bool is_of(const struct need *need, const struct reference *reference) {
    const struct fractal *fractal = &need->req->fractal;
    const struct reference_julia *julia = reference->julia;
    const struct step_list steps = fractal_steps(fractal);
    if (!step_list_equal(&reference->steps, &steps))
        return false;
    return fractal->julia ? julia && mpfr_equal_p(julia->re, fractal->re) &&
                                mpfr_equal_p(julia->im, fractal->im)
                          : !julia;
}

/* Returns true if a reference fits the request except for its length: it is at the home of the
 * view, or, for pictures in motion, near and precise enough. *most is log2 of the largest distance
 * of a point from it. */
static bool fits_except_length(const struct need *need, mpfr_srcptr re, mpfr_srcptr im,
                               double step_log2, double *most) {
    *most = perturbed_place(re, im, need->view, need->width_px, need->height_px).c_most_log2;
    if (at_home(need, re, im, step_log2))
        return true;
    return need->any_near && step_log2 <= need->own_log2 &&
           *most <= need->own_log2 + log2(need->height_px) + FAR_LOG2;
}

/* Releases the least recently used references that exceed the memory limit; the latest stays. */
static void keep_within_bytes(struct shared *r) {
    uint64_t bytes = 0;
    for (int i = 0; i < KEPT && r->kept[i]; i++) {
        bytes += perturbation_bytes(r->kept[i]);
        if (i == 0 || bytes <= r->bytes_most)
            continue;
        for (int gone = i; gone < KEPT; gone++) {
            perturbation_unref(r->kept[gone]);
            r->kept[gone] = NULL;
        }
    }
}

void references_set_bytes(struct references *r, uint64_t bytes) {
    r->shared->bytes_most = bytes;
    keep_within_bytes(r->shared);
}

/* Makes a reference the most recently used one; takes the caller's share over. */
static void make_most_recent(struct shared *r, struct perturbation *p) {
    int at = 0;
    while (at < KEPT - 1 && r->kept[at] != p)
        at++;
    if (r->kept[at] != p)
        perturbation_unref(r->kept[at]);
    for (; at > 0; at--)
        r->kept[at] = r->kept[at - 1];
    r->kept[0] = p;
}

static bool is_kept(const struct shared *r, const struct perturbation *p) {
    int at = 0;
    while (at < KEPT && r->kept[at] != p)
        at++;
    return at < KEPT;
}

static struct perturbation *find(struct shared *r, const struct need *need) {
    for (int i = 0; i < KEPT && r->kept[i]; i++) {
        const struct reference *reference = r->kept[i]->reference;
        double most;
        if ((reference->low != NULL) == need->wide && is_of(need, reference) &&
            fits_except_length(need, reference->re, reference->im, reference->step_log2, &most) &&
            reference_serves(reference, most, need->own_log2, need->limit)) {
            struct perturbation *p = r->kept[i];
            make_most_recent(r, p);
            return perturbation_ref(p);
        }
    }
    return NULL;
}

/* --- making --- */

/* Returns a kept reference that fits except that it is too short, or NULL. */
static const struct reference *find_base(struct shared *r, const struct need *need) {
    for (int i = 0; i < KEPT && r->kept[i]; i++) {
        const struct reference *reference = r->kept[i]->reference;
        if ((reference->low != NULL) == need->wide && is_of(need, reference) &&
            at_home(need, reference->re, reference->im, reference->step_log2))
            return reference_ref(reference);
    }
    return NULL;
}

/* Runs the work on a thread, or on this one if no thread can be started and `here` allows that. */
static bool begin(struct references *r, struct work *work, bool here) {
    struct making *m = r->making;
    m->threaded = pthread_create(&m->thread, NULL, make, work) == 0;
    if (!m->threaded && here) {
        if (!r->told)
            log_warn("cannot start a thread for a reference, so all else waits for it");
        r->told = true;
        interrupt_set_flag(&m->stop);
        make(work);
        interrupt_set_flag(NULL);
    }
    return m->threaded || here;
}

/* Starts making a reference. `known` is a finished one about which only the doubt is open, or NULL.
 * `here`: see begin. */
static bool start(struct references *r, const struct need *need, struct perturbation *known,
                  bool here) {
    struct making *m = calloc(1, sizeof *m);
    struct work *work = malloc(sizeof *work);
    if (!m || !work) {
        free(m);
        free(work);
        log_error("not enough memory for a reference");
        return false;
    }
    m->known = perturbation_ref(known);
    m->base = known ? NULL : find_base(r->shared, need);
    m->widen = need->widen;
    mpfr_init2(m->re, mpfr_get_prec(need->re));
    mpfr_init2(m->im, mpfr_get_prec(need->im));
    mpfr_set(m->re, need->re, MPFR_RNDN);
    mpfr_set(m->im, need->im, MPFR_RNDN);
    fractal_init_copy(&m->fractal, &need->req->fractal);
    const bool julia = m->fractal.julia;
    const uint32_t limit = need->limit;
    m->start = (struct reference_start){m->re, m->im, need->step_log2};
    m->want = (struct reference_want){
        .re = julia ? m->fractal.re : m->re,
        .im = julia ? m->fractal.im : m->im,
        .steps = fractal_steps(&m->fractal),
        .start = julia ? &m->start : NULL,
        .step_log2 = need->step_log2,
        .limit = limit > 0 ? limit : 1,
        .wide = need->wide,
        .engine = need->engine,
        .threads = r->shared->threads,
    };
    m->step_log2 = need->step_log2;
    fits_except_length(need, m->re, m->im, m->step_log2, &m->want.radius_log2);
    m->about = doubt_about(need->req, m->re, m->im);
    *work = (struct work){r, m};
    r->making = m;
    if (begin(r, work, here))
        return true;
    free_making(r);
    free(work);
    return false;
}

/* Returns true if the doubt that is being settled is the one that the need asks for. */
static bool settles_same_doubt(const struct making *m, const struct need *need) {
    const struct doubt_about about = doubt_about(need->req, m->re, m->im);
    return m->widen && doubt_is_same(&m->about, &about);
}

/* Returns true if the reference in the making will serve the need. */
static bool will_fit(const struct making *m, const struct need *need) {
    double most;
    const uint32_t limit = need->limit > 0 ? need->limit : 1;
    const bool several = m->want.start || m->want.steps.length > 1; /* several orbits */
    return !atomic_load(&m->stop) && m->want.wide == need->wide &&
           fractal_equal(&m->fractal, &need->req->fractal) &&
           fits_except_length(need, m->re, m->im, m->step_log2, &most) &&
           most >= m->want.radius_log2 &&
           (several ? limit == m->want.limit : limit <= m->want.limit) &&
           (!m->known || settles_same_doubt(m, need));
}

static bool wait_for_end(struct references *r, double wait_ms) {
    struct making *m = r->making;
    const struct timespec until = clock_after(CLOCK_MONOTONIC, fmin(wait_ms, 1e6));
    pthread_mutex_lock(&r->lock);
    while (!atomic_load(&m->ended) && wait_ms > 0 &&
           pthread_cond_timedwait(&r->end, &r->lock, &until) != ETIMEDOUT)
        continue;
    pthread_mutex_unlock(&r->lock);
    return atomic_load(&m->ended);
}

/* Keeps the finished reference. Returns false if there is none. */
static bool take_finished(struct references *r) {
    struct perturbation *made = r->making->made;
    const bool stopped = atomic_load(&r->making->stop);
    r->making->made = NULL;
    if (made && is_kept(r->shared, made)) {
        perturbation_unref(made);
    } else if (made) {
        make_most_recent(r->shared, made);
        keep_within_bytes(r->shared);
    }
    finish_making(r);
    return made || stopped;
}

/* Returns true if the doubt that the need asks for is settled. */
static bool is_settled(const struct need *need, const struct perturbation *p) {
    const struct doubt_about about = doubt_about(need->req, p->reference->re, p->reference->im);
    return !need->widen || doubt_find_known(p, &about, NULL) != DOUBT_UNKNOWN;
}

/* Returns true if an interrupt stopped a reference that was made on the caller's thread; the caller
 * polls again. */
static bool was_interrupted(const struct making *m) {
    return !m->threaded && atomic_load(&m->stop);
}

static enum references_state get(struct references *r, const struct need *need, double wait_ms,
                                 struct perturbation **found) {
    if (r->making && atomic_load(&r->making->ended))
        take_finished(r);
    struct perturbation *known = find(r->shared, need);
    if (known && is_settled(need, known)) {
        *found = known;
        return REFERENCES_READY;
    }
    if (r->making && !will_fit(r->making, need))
        finish_making(r);
    const bool started = r->making || start(r, need, known, true);
    perturbation_unref(known);
    if (!started)
        return REFERENCES_FAILED;
    if (!wait_for_end(r, wait_ms) || was_interrupted(r->making))
        return REFERENCES_MAKING;
    if (!take_finished(r))
        return REFERENCES_FAILED;
    if (!(known = find(r->shared, need))) {
        log_error("the reference that was made for this view does not serve it");
        return REFERENCES_FAILED;
    }
    if (is_settled(need, known)) {
        *found = known;
        return REFERENCES_READY;
    }
    /* it was begun for a request that asked for less */
    const bool goes_on = start(r, need, known, true);
    perturbation_unref(known);
    return goes_on ? REFERENCES_MAKING : REFERENCES_FAILED;
}

enum references_state references_get(struct references *r, const struct frame_req *req,
                                     const struct orbit_engine *engine, double wait_ms,
                                     struct perturbation **found, double *progress) {
    struct need need;
    need_init(&need, req, engine);
    const enum references_state state = get(r, &need, wait_ms, found);
    need_finish(&need);
    *progress = 0;
    if (state == REFERENCES_MAKING)
        *progress = (double)atomic_load(&r->making->progress) / ((double)req->limit + 1);
    return state;
}

/* --- ahead --- */

/* Returns true if a kept reference serves pictures around the need's point. */
static bool has_reference_near(struct references *r, struct need *need, const struct view *view) {
    need->view = view;
    need->own_log2 = view_step_log2(view, need->height_px) - (need->wide ? PERTURBED_WIDE_BITS : 0);
    struct perturbation *found = find(r->shared, need);
    perturbation_unref(found);
    return found;
}

static void copy_centre(mpfr_t number, mpfr_srcptr from) {
    mpfr_set_prec(number, mpfr_get_prec(from));
    mpfr_set(number, from, MPFR_RNDN);
}

void references_prepare(struct references *r, const struct frame_req *req,
                        const struct orbit_engine *engine, const struct view *soon) {
    struct need need;
    if (r->making && atomic_load(&r->making->ended))
        take_finished(r);
    if (r->making)
        return;
    need_init(&need, req, engine);
    copy_centre(need.re, req->view.re);
    copy_centre(need.im, req->view.im);
    need.step_log2 = reference_step_log2(need.own_log2);
    need.any_near = true;
    if (!has_reference_near(r, &need, soon)) {
        need.view = &req->view;
        start(r, &need, NULL, false);
    }
    need_finish(&need);
}
