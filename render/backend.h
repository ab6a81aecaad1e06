/* Backend contract: asynchronous, cancellable drawing of requests, by implementations chosen at run
 * time. A backend is a handle for one picture in flight and the samples that it keeps. Handles on
 * one device are independent. One thread, their owner, calls them all; its GL context is current if
 * a target is a GL buffer. A backend never calls back. Calls take a fraction of a millisecond
 * unless stated; submit allocates (1 ms per megapixel). A new handle is NULL on failure, logged. */
#ifndef FATHOM_RENDER_BACKEND_H
#define FATHOM_RENDER_BACKEND_H

#include "render/deep/references.h"
#include "render/density/density.h"
#include "render/frame.h"
#include "render/planes.h"
#include "render/statistics.h"

struct density_counts;

/* Memory for a picture, lent to the backend from submit until DONE, LOST or the return of cancel.
 * Either rgba or gl_buffer is set. Planes are some of the request's, in host memory, filled at
 * DONE. Reported dirty parts may be read meanwhile: `rgba` at any time (only submit and poll write
 * host memory), a GL buffer from that poll until the next. Unfinished pixels have alpha 0. With
 * `at_once` nothing is read before DONE, so any thread may write. Rows are top down, width_px
 * apart. */
struct target {
    uint32_t *rgba;     /* width_px * height_px pixels */
    uint32_t gl_buffer; /* name of a pixel buffer object of at least that size */
    struct sample_planes planes;
    bool at_once;
};

struct rect {
    int x0, y0, x1, y1; /* half open; empty if x0 >= x1 */
};

enum backend_state {
    BACKEND_IDLE, /* nothing submitted, or cancelled */
    BACKEND_BUSY,
    BACKEND_DONE, /* the picture is complete and the target belongs to the caller again */
    BACKEND_LOST, /* the device is gone or did not start, as logged; only destroy is left */
};

struct backend_report {
    enum backend_state state;
    uint64_t generation;  /* generation of the reported request */
    struct rect dirty;    /* contains the pixels that were finished since the last report */
    double progress, hit; /* 0 .. 1: samples; density: share of pixels with a point */
    uint64_t iterations;  /* steps of this request so far, up to escape or limit */
    uint64_t skipped;     /* steps that shortcuts made unnecessary */
    uint64_t kept;        /* samples reused from earlier requests */
    /* Density: finished samples, those in the target (DONE: all), and their increments. */
    uint64_t counted, samples, points;
    double elapsed_ms; /* since submit, or until DONE */
    double device_ms;  /* time in kernels, on the CPU the mean of all threads; 0: not measured */
    struct reference_facts reference; /* once it exists, elapsed_ms begins again */
};

/* Priority of a device's handles, highest first. A lower handle delays others by a tile per thread
 * or a launch, and waits until they are done, cancelled or not polled. Equal handles share. */
enum backend_priority {
    BACKEND_FIRST,  /* a thousandth of the main picture, which decides how that is shown */
    BACKEND_MAIN,   /* the main picture */
    BACKEND_INSET,  /* a smaller picture next to the main one */
    BACKEND_REST,   /* more samples of complete pictures, searches */
    BACKEND_BEHIND, /* pictures that may be shown later */
};

enum backend_caps {
    BACKEND_CAP_GL_TARGET = 1 << 0, /* accepts target.gl_buffer in this process's GL context */
    BACKEND_CAP_EXACT = 1 << 1,     /* bit-identical with every other exact backend */
    BACKEND_CAP_LINES = 1 << 2,     /* keeps samples for sharing_by_lines */
    BACKEND_CAP_COPIES = 1 << 3,    /* draws in its own memory and copies to host targets */
};

struct backend_options {
    int threads;        /* CPU: 0 for one per available core */
    uint32_t cpumask;   /* CPU: allowed CPUID flags (cpu/cpuid.h); ~0u for all */
    const char *device; /* GPUs: a number, or a part of a name; NULL: the best */
    bool device_needed; /* fails rather than using another GPU or a processor */
    bool inexact;       /* GPUs: also devices whose pictures differ from other backends' */
    bool automatic;     /* usable: automatic choice, which skips devices for tests */
    bool low_priority;  /* CPU: workers yield to all other work; for interactive use */
    bool gl;            /* a GL context is current in the calling thread */
    int lose_after;     /* tests: the device is "lost" after this number of submits; 0: never */
    const struct orbit_engine *engine; /* computes references for every device; NULL: orbit_mpn */
};

/* Stored by info; static text or memory of the backend. */
struct backend_info {
    const char *name;            /* name of the implementation */
    const char *device;          /* "AMD EPYC 7763, 2 threads", "NVIDIA H200"; "" while starting */
    unsigned types[ROUTE_COUNT]; /* by route, a bit for each enum number_type */
    unsigned formulas, caps;     /* a bit for each enum formula; enum backend_caps */
    int ordinal;                 /* a GPU's number, as in "#N" of backend_options.device; else 0 */
    bool ready; /* false: it starts, may gain GL_TARGET, and makes a submitted request wait */
};

/* Orbit density, on devices with doubles; complete only at req->samples. poll and cancel serve
 * either kind, one picture at a time. Each update marks the whole target dirty. */
struct backend_density {
    /* Submits as in backend_impl. Counts begin with req->start. `target` may be NULL: only counts
     * are made. The first update shows a point, or that there is none, within about 50 ms. */
    bool (*submit)(void *impl, const struct density_req *req, const struct target *target);
    /* Changes the samples of the request in flight, or DONE; started ones are finished. The target
     * is lent (again) until DONE. Returns false without a request, or if the device is lost. */
    bool (*set_samples)(void *impl, uint64_t samples);
    /* Copies the counts after DONE to memory from density_counts_init; may take as long as a copy.
     * Returns false if there are none, or the device is lost; the reason is logged. */
    bool (*read)(void *impl, struct density_counts *counts);
};

/* Implementation of a backend. `impl` is the result of create. */
struct backend_impl {
    const char *name; /* name on the command line */
    bool automatic;   /* may be chosen automatically */
    bool second;      /* may be chosen if no earlier one of the list is usable */
    bool gpu;         /* draws with options->device */
    /* Returns true if create can work here. May load the driver, without visible effects. *why is a
     * static sentence fragment if false ("no NVIDIA driver"), and may be one if true. */
    bool (*usable)(const struct backend_options *options, const char **why);
    /* May start threads and leave slow work (driver, code loading) to them. */
    void *(*create)(const struct backend_options *options);
    /* Creates a handle on the same device, even while it starts. Even idle ones report its loss. */
    void *(*another)(void *impl, enum backend_priority priority);
    /* Destroys handles in any order, the device with the last. Cancels if busy, and waits for the
     * threads: 50 ms if they get a processor, or a second while a device starts. */
    void (*destroy)(void *impl);
    void (*info)(void *impl, struct backend_info *info); /* cheap, may be called every frame */
    /* Copies the request and starts it; first cancels a request in flight and returns its target.
     * Reuses earlier samples as sharing_by_map allows. Returns false, logged, if not started (no
     * memory, or no access to a GL buffer); the target is untouched. */
    bool (*submit)(void *impl, const struct frame_req *req, const struct target *target);
    /* May be NULL. Shows the last picture, in flight or DONE, in another look of its kind, under
     * the same or another generation, without allocations or steps of orbits. A picture in flight
     * continues. The target is lent (again) until DONE. Returns false if that picture is not of
     * generation `from`, or its samples or device are lost: submit it again. */
    bool (*recolour)(void *impl, uint64_t from, uint64_t generation, const struct look *look);
    /* Copies finished pixels to a host target and reports. Waits up to budget_ms for news, never
     * longer, and with 0 not at all. After DONE it repeats that report with an empty `dirty`. */
    void (*poll)(void *impl, double budget_ms, struct backend_report *report);
    void (*cancel)(void *impl); /* the target is the caller's on return, within 5 ms */
    /* Stores statistics, from DONE to the next submit; requires reuse and no lines in motion. */
    void (*statistics)(void *impl, struct statistics *statistics);
    const struct backend_density *density;     /* NULL: no density pictures */
    const struct backend_resampler *resampler; /* NULL: none (render/movie/resampler.h) */
};

/* Checked wrapper, which verifies call order and arguments for all backends. */
struct backend;

/* Chooses from a NULL-terminated list, best first: the named one (NULL after an error with all
 * names), or the first automatic one (LOG_INFO lines give the reasons against better ones). */
const struct backend_impl *backend_choose(const struct backend_impl *const *impls, const char *name,
                                          const struct backend_options *options);
/* Opens and starts the backend of backend_choose, for BACKEND_MAIN. */
struct backend *backend_open(const struct backend_impl *const *impls, const char *name,
                             const struct backend_options *options);
/* Opens, and waits for the start or an interrupt; without a name, a failure starts the next one. */
struct backend *backend_open_started(const struct backend_impl *const *impls, const char *name,
                                     const struct backend_options *options);
/* Returns true if `impl` may be chosen automatically here; otherwise *why is the reason. */
bool backend_may_choose(const struct backend_impl *const *impls, const struct backend_impl *impl,
                        const struct backend_options *options, const char **why);
/* Returns false, logged, if the requested GPU is needed and no backend of the list has it. */
bool backend_finds_device(const struct backend_impl *const *impls,
                          const struct backend_options *options);
/* Opens another handle on the same device. Handles are closed in any order. */
struct backend *backend_another(struct backend *backend, enum backend_priority priority);
/* Cancels a request in flight and closes; `backend` may be NULL. */
void backend_close(struct backend *backend);
/* Returns the name of the next automatic choice, cyclically, or NULL if there is no other. */
const char *backend_next_name(const struct backend_impl *const *impls, const char *name,
                              const struct backend_options *options);

struct backend_info backend_info(struct backend *backend);
bool backend_submit(struct backend *backend, const struct frame_req *req,
                    const struct target *target);
/* Cancels for a request that follows at once: the reference in progress continues. */
void backend_cancel_for_next(struct backend *backend);
/* Prepares references for ROUTE_PERTURBED, as references_prepare. */
void backend_prepare(struct backend *backend, const struct frame_req *req, const struct view *soon);
/* Returns true if a poll has reported a lost device: only closing and cancelling are left. */
bool backend_is_lost(const struct backend *backend);
bool backend_has_density(const struct backend *backend); /* true: has the next three */
bool backend_density_submit(struct backend *backend, const struct density_req *req,
                            const struct target *target);
bool backend_density_set_samples(struct backend *backend, uint64_t samples);
bool backend_density_read(struct backend *backend, struct density_counts *counts);
/* Returns the functions that resample on the device, and sets *impl to the handle; NULL: none. */
const struct backend_resampler *backend_resampler(struct backend *backend, void **impl);
/* See backend_impl. If this returns false, it has cancelled any request in flight. */
bool backend_recolour(struct backend *backend, uint64_t from, uint64_t generation,
                      const struct look *look);
struct backend_report backend_poll(struct backend *backend, double budget_ms);
void backend_cancel(struct backend *backend);
/* Returns false and writes nothing if no complete picture has statistics (see backend_impl). */
bool backend_statistics(struct backend *backend, struct statistics *statistics);
typedef bool backend_step(void *user, const struct backend_report *report);
/* Draws one request and waits. `step` (may be NULL) gets a report at least every 50 ms and returns
 * false to cancel. Returns false if refused, lost or cancelled; *report is the last one. */
bool backend_draw(struct backend *backend, const struct frame_req *req, const struct target *target,
                  backend_step *step, void *user, struct backend_report *report);
/* Settles `widen` and waits as above; type becomes final. Returns false if stopped or failed. */
bool backend_decide(struct backend *backend, struct frame_req *req, backend_step *step, void *user);

/* Finishes at once with every pixel transparent black, or black with no counts. For tests. */
extern const struct backend_impl backend_null;

#endif
