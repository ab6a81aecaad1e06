/* The thread that owns the device work of a handle: it starts the device, where no other has, then
 * draws one picture after another. The owner's thread hands it jobs and never waits for more than
 * a launch. Drivers of one device take turns at launching. */
#ifndef FATHOM_GPU_DRIVER_H
#define FATHOM_GPU_DRIVER_H

#include "gpu/density/density_run.h"
#include "gpu/device.h"
#include "gpu/escape/device_picture.h"

enum driver_phase {
    DRIVER_STARTING,
    /* the store, the run, the pixel buffer and the readback are the owner's */
    DRIVER_IDLE,
    DRIVER_BUSY,
    DRIVER_LOST, /* logged why; for good */
};

enum driver_work { DRIVER_NOTHING, DRIVER_DRAW, DRIVER_COUNT };

struct driver_job {
    enum driver_work work;
    bool gl;   /* to what pixel_buffer_give lent */
    bool lose; /* pretend that the device is lost (for tests) */
    /* Drawing: */
    struct frame_req *req; /* owned; NULL: the complete picture again */
    bool keep, by_lines;   /* see struct device_picture */
    struct grid_map map;
    unsigned planes; /* to be sent, a set */
    /* Counting: */
    struct density_run_order order;
};

/* What the drivers of one device share. */
struct driver_device {
    int submits; /* by handles; the owner's */
    struct turns turns;
    double since_ms; /* when it began to start */
    /* Under the turns' lock: */
    int drivers;
    bool starting;        /* ... or failed to, when the turns say that it is lost */
    bool late;            /* it has been given up, as it does not start */
    struct device device; /* once it has started; copied by each driver */
};

struct driver {
    struct driver_device *shared;
    bool first; /* it starts the device */
    struct meeting meeting;
    pthread_t thread;
    struct device device; /* filled in when the phase is no longer STARTING */
    atomic_int users;     /* its thread and its owner */
    atomic_bool stop;     /* give up the job */
    /* Under the meeting's lock: */
    enum driver_phase phase;
    struct driver_job job; /* waiting to be picked up */
    bool complete;         /* the last job was drawn to its end */
    bool quit;
    struct progress progress;
    struct density_run_progress counted;
    /* The driver's while it is starting or busy: */
    struct slices slices;
    struct readback readback;
    struct pixel_buffer pixel_buffer;
    struct device_buffers buffers;
    struct device_statistics statistics;
    struct density_run run;
    struct launch_budget budgets[ROUTE_COUNT * TYPE_COUNT];
    uint32_t serial; /* of the job in work */
    /* For telling kernels to stop: device memory that they look at, what is written there, from
     * pinned memory, and the queue that does it. */
    struct device_pointer abort;
    _Atomic uint32_t *abort_serial;
    struct device_queue *abort_queue;
};

/* Starts the thread, which starts the device, of which nothing after `any` is known. NULL: logged why. */
struct driver *driver_create(const struct device *device);
/* One more on that device, also while it is starting or lost. */
struct driver *driver_create_beside(struct driver *driver, int rank);
/* Gives up what is in work and waits for the thread. The device goes with its last driver. One that is still being
 * started is waited for no longer than a second: the thread cleans up alone then, if it ever can, and the process
 * ends without the clean-up of libraries. NULL is allowed. */
void driver_destroy(struct driver *driver);

/* Owner's thread, all of them: */

/* Also LOST when another driver has found that out, or the device takes too long to start, which is logged. */
enum driver_phase driver_phase(struct driver *driver);
/* Waits for news, under the meeting's lock; false: it is `until_ms` by clock_ms. */
bool driver_wait_news(struct driver *driver, double until_ms);
/* Hands over a job; the phase must be STARTING or IDLE. Takes over job->req and job->order. */
void driver_start_job(struct driver *driver, const struct driver_job *job);
/* Frees what a job owns that was not handed over. */
void driver_job_finish(struct driver_job *job);
/* Wishes something of the job that is in work, or waiting. False: it is complete already, and the
 * wish is for the next one. */
bool driver_wish(struct driver *driver, const struct look *look, uint64_t samples);
/* On return there is no job any more; within a few milliseconds. */
void driver_stop_job(struct driver *driver);

#endif
