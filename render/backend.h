/* The backend contract: what draws a request. Asynchronous, cancellable, chosen at run time.
 * A backend is a handle for one picture in flight, with the samples that it keeps; several on one
 * device are submitted, polled and cancelled one by one.
 * All functions of the handles on one device are called from one thread, the owner's; when a target
 * is a GL buffer, its context is current there. A backend never calls back. Unless said otherwise
 * a call returns within a fraction of a millisecond; submit allocates, a millisecond a megapixel. */
#ifndef FATHOM_RENDER_BACKEND_H
#define FATHOM_RENDER_BACKEND_H

#include "render/deep/references.h"
#include "render/density/density.h"
#include "render/frame.h"
#include "render/planes.h"
#include "render/statistics.h"

struct density_counts;

/* Where a picture goes; lent to the backend from submit until the report says DONE or LOST, or until cancel returns.
 * Exactly one of rgba and gl_buffer is set. Planes are some of those in the request, or none, in host memory; they are
 * filled by the time of DONE. What reports have called dirty may be read while it is lent: `rgba` at any time (host memory
 * is written during submit and poll only), a GL buffer from that poll until the next one. Of that,
 * pixels not done have alpha 0. With `at_once` nothing is read before DONE, so that any thread may write. Rows are top
 * down, width_px apart. */
struct target {
    uint32_t *rgba;     /* width_px * height_px pixels */
    uint32_t gl_buffer; /* the name of a pixel buffer object of at least that many bytes */
    struct sample_planes planes;
    bool at_once;
};

struct rect {
    int x0, y0, x1, y1; /* half open; empty when x0 >= x1 */
};

enum backend_state {
    BACKEND_IDLE, /* nothing submitted, or cancelled */
    BACKEND_BUSY,
    BACKEND_DONE, /* the picture is complete and the target is the caller's again */
    BACKEND_LOST, /* the device is gone, or does not start; only destroy makes sense now. It was logged why */
};

struct backend_report {
    enum backend_state state;
    uint64_t generation;  /* of the request that this is about */
    struct rect dirty;    /* covers what was finished since the last report */
    double progress, hit; /* 0 .. 1: samples; density: the target's pixels that show a point */
    uint64_t iterations;  /* steps executed for this request so far, up to escape or limit */
    uint64_t skipped;     /* steps that shortcuts made unnecessary */
    uint64_t kept;        /* samples taken over from earlier requests */
    /* Density: samples done, those that the target shows (DONE: all), their increments. */
    uint64_t counted, samples, points;
    double elapsed_ms; /* since submit, or until DONE */
    double device_ms;  /* time in kernels, on the CPU a thread's on average; 0: not measured */
    struct reference_facts reference; /* once it is there, elapsed_ms begins again */
};

/* Of handles on one device, the most urgent first. Less urgent ones delay a picture by a tile of each thread or the
 * launches in flight; it goes on once more urgent ones are done, cancelled or not polled. Equals share it or take turns. */
enum backend_priority {
    BACKEND_FIRST,  /* a thousandth of what is looked at, that says how it is to be shown */
    BACKEND_MAIN,   /* what is looked at */
    BACKEND_INSET,  /* a smaller picture beside it */
    BACKEND_REST,   /* more samples of what is complete, searches */
    BACKEND_BEHIND, /* what may be seen later */
};

enum backend_caps {
    BACKEND_CAP_GL_TARGET = 1 << 0, /* takes target.gl_buffer in this process's GL context */
    BACKEND_CAP_EXACT = 1 << 1,     /* holds bit identity with every other exact backend */
    BACKEND_CAP_LINES = 1 << 2,     /* keeps samples where sharing_by_lines says so */
    BACKEND_CAP_COPIES = 1 << 3,    /* draws in memory of its own and copies that to host targets */
};

struct backend_options {
    int threads;        /* CPU: 0 for one per available core */
    uint32_t cpumask;   /* CPU: CPUID flags that may be used (cpu/cpuid.h); ~0u for all */
    const char *device; /* GPUs: a number, or a part of a name; NULL: the best one */
    bool device_needed; /* no other GPU than that one does, and no processor */
    bool inexact;       /* GPUs: also one whose pictures differ from those of other backends */
    bool automatic;     /* usable: nobody named it, so devices that are for tests alone do not do */
    bool low_priority;  /* CPU: workers give way to everything else; for interactive use */
    bool gl;            /* a GL context is current in the calling thread */
    int lose_after;     /* tests: the device is "lost" after so many submits; 0: never */
    const struct orbit_engine *engine; /* makes references for every device; NULL: orbit_mpn */
};

/* Filled in by info; static text or memory of the backend. */
struct backend_info {
    const char *name;            /* the implementation's */
    const char *device;          /* "AMD EPYC 7763, 2 threads", "NVIDIA H200"; "" while starting */
    unsigned types[ROUTE_COUNT]; /* of each route, a bit per enum number_type */
    unsigned formulas;           /* bit per enum formula */
    unsigned caps; /* enum backend_caps; a starting backend may still gain GL_TARGET */
    bool ready;    /* false: the device is still starting; submit is allowed, it waits there */
};

/* Orbit density, the other kind of picture, where there are doubles; one that is never complete unless it is told to be. Its
 * poll and cancel are the backend's, which draws one picture of either kind at a time. Whatever shows more is all dirty. */
struct backend_density {
    /* As backend_impl's submit. Counts begin with req->start. `target` may be NULL: only the counts are wanted. The
     * first pixels are shown when there is something to see, or that there is nothing, within some 50 ms. */
    bool (*submit)(void *impl, const struct density_req *req, const struct target *target);
    /* Changes how far the request in flight, or DONE, goes. `samples` below what has been started means: start no more,
     * and be done with those. The target is lent (again) until DONE. False: nothing to change, or the device is lost. */
    bool (*set_samples)(void *impl, uint64_t samples);
    /* After DONE: copies the counts to what density_counts_init made for the request. May take as
     * long as copying does. False: nothing there, or lost; logged. */
    bool (*read)(void *impl, struct density_counts *counts);
};

/* One implementation. `impl` is what create returned. */
struct backend_impl {
    const char *name; /* as on the command line */
    bool automatic;   /* may be chosen without being named, */
    bool second;      /* or may where none before it in the list is usable */
    bool gpu;         /* draws with options->device */
    /* Whether create can work here. May load the driver; changes nothing that can be seen.
     * On false *why is a static sentence fragment ("no NVIDIA driver"); on true it may be one. */
    bool (*usable)(const struct backend_options *options, const char **why);
    /* May start threads and leave slow work (driver, code loading) to them. NULL: logged why. */
    void *(*create)(const struct backend_options *options);
    /* A further handle on the same device, also while that is starting or others draw. All report its loss, also with
     * nothing in flight. NULL: logged why. */
    void *(*another)(void *impl, enum backend_priority priority);
    /* In any order; the device goes with the last handle. Also while busy: cancels first, and waits
     * for its threads: within 50 ms where they get a processor, or a second while a device starts. */
    void (*destroy)(void *impl);
    void (*info)(void *impl, struct backend_info *info); /* cheap, may be called every frame */
    /* Copies the request and starts on it. A request in flight is cancelled first and its target given back. Samples of
     * earlier requests are kept where sharing_by_map allows: a pan draws only what came into view, a zoom by two about
     * a pixel three quarters, a new palette nothing again. False: not started, the target was not touched, logged why
     * (no memory, a GL buffer that cannot be registered). */
    bool (*submit)(void *impl, const struct frame_req *req, const struct target *target);
    /* Shows the last picture, in flight or DONE, in another look of its kind and under another generation, or the same,
     * without an allocation or a step of any orbit; what is in flight goes on. The target is lent (again) until DONE.
     * False: that is not the picture of generation `from`, or its samples or its device are lost; submit it again.
     * NULL: cannot. */
    bool (*recolour)(void *impl, uint64_t from, uint64_t generation, const struct look *look);
    /* Copies finished pixels to a host target and reports. Waits up to budget_ms for news when there are none, never
     * longer; with 0 it never waits. After DONE it repeats that report with an empty `dirty`. */
    void (*poll)(void *impl, double budget_ms, struct backend_report *report);
    void (*cancel)(void *impl); /* on return, within 5 ms, the target is the caller's again */
    /* What was gathered in a picture of this kind, with req->reuse and no loose lines: from DONE to the next submit. */
    void (*statistics)(void *impl, struct statistics *statistics);
    const struct backend_density *density; /* NULL: cannot */
};

/* A checked wrapper: call order and arguments are verified here, once, for all backends. */
struct backend;

/* `impls` is a NULL-terminated list, best first. With a name, exactly that one, or NULL after one error that lists the
 * names; without, the first that may be chosen, with LOG_INFO lines that say why better ones were not. Opens nothing. */
const struct backend_impl *backend_choose(const struct backend_impl *const *impls, const char *name,
                                          const struct backend_options *options);
/* The one that backend_choose gives, started, for BACKEND_MAIN. NULL: logged why. */
struct backend *backend_open(const struct backend_impl *const *impls, const char *name,
                             const struct backend_options *options);
/* Likewise, but it has started, or an interrupt came; where none was named, the next one follows on one that fails to. */
struct backend *backend_open_started(const struct backend_impl *const *impls, const char *name,
                                     const struct backend_options *options);
/* Whether that one of the list may be chosen here without being named. False: *why. */
bool backend_may_choose(const struct backend_impl *const *impls, const struct backend_impl *impl,
                        const struct backend_options *options, const char **why);
/* For what measures many of a list: whether one draws with the GPU asked for, if any. Else logged, false if needed. */
bool backend_finds_device(const struct backend_impl *const *impls,
                          const struct backend_options *options);
/* Another one on the same device, to be closed too, before or after it. NULL: logged why. */
struct backend *backend_another(struct backend *backend, enum backend_priority priority);
/* NULL is allowed; a request in flight is cancelled. */
void backend_close(struct backend *backend);
/* The name of the next that may be chosen, cyclically; NULL: there is no other. */
const char *backend_next_name(const struct backend_impl *const *impls, const char *name,
                              const struct backend_options *options);

struct backend_info backend_info(struct backend *backend);
bool backend_submit(struct backend *backend, const struct frame_req *req,
                    const struct target *target);
/* Cancels for a request that follows at once, so a reference goes on being made. */
void backend_give_way(struct backend *backend);
/* As references_prepare, for ROUTE_PERTURBED. */
void backend_prepare(struct backend *backend, const struct frame_req *req, const struct view *soon);
/* Whether a poll has reported that the device is lost: only destroying and cancelling are left. */
bool backend_is_lost(const struct backend *backend);
bool backend_has_density(const struct backend *backend); /* those have the next three */
bool backend_density_submit(struct backend *backend, const struct density_req *req,
                            const struct target *target);
bool backend_density_set_samples(struct backend *backend, uint64_t samples);
bool backend_density_read(struct backend *backend, struct density_counts *counts);
/* See backend_impl. What else was in flight has been cancelled, if only because this is false. */
bool backend_recolour(struct backend *backend, uint64_t from, uint64_t generation,
                      const struct look *look);
struct backend_report backend_poll(struct backend *backend, double budget_ms);
void backend_cancel(struct backend *backend);
/* False: no complete picture has them (see backend_impl), and nothing was written. */
bool backend_statistics(struct backend *backend, struct statistics *statistics);
typedef bool backend_step(void *user, const struct backend_report *report);
/* Draws one request and waits for it. `step` (may be NULL) sees a report at least every 50 ms; when it returns false,
 * the request is cancelled. False: refused, lost or cancelled. *report gets the last report. */
bool backend_draw(struct backend *backend, const struct frame_req *req, const struct target *target,
                  backend_step *step, void *user, struct backend_report *report);
/* Settles `widen`: type is then what the picture takes. Waits likewise. False: stopped, or failed. */
bool backend_decide(struct backend *backend, struct frame_req *req, backend_step *step, void *user);

/* Finishes at once with every pixel transparent black, or black and nothing counted. For tests. */
extern const struct backend_impl backend_null;

#endif
