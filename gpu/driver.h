/* Driver: the thread that does the device work of a handle. The driver starts the device if no
 * other driver has, then draws one picture after another. The owner's thread passes jobs to the
 * driver and never waits longer than a launch. Drivers of one device take turns at launching. */
#ifndef FATHOM_GPU_DRIVER_H
#define FATHOM_GPU_DRIVER_H

#include "gpu/density/density_run.h"
#include "gpu/device.h"
#include "gpu/escape/device_picture.h"

enum driver_phase {
    DRIVER_STARTING,
    /* The owner may use the buffers, the density run, the pixel buffer and the readback. */
    DRIVER_IDLE,
    DRIVER_BUSY,
    DRIVER_LOST, /* final; the reason is logged */
};

enum driver_work { DRIVER_NOTHING, DRIVER_DRAW, DRIVER_COUNT };

struct driver_job {
    enum driver_work work;
    bool gl;          /* the target is the buffer of pixel_buffer_lend */
    bool inject_loss; /* simulates a lost device (for tests) */
    /* Members for DRIVER_DRAW: */
    struct frame_req *req; /* owned; may be NULL: repeats the complete picture */
    bool keep, by_lines;   /* see struct device_picture */
    struct grid_map map;
    unsigned planes; /* set of planes to send */
    /* Member for DRIVER_COUNT: */
    struct density_run_input input;
};

/* State that the drivers of one device share. */
struct driver_device {
    int submits; /* number of submits of all handles; the owner's */
    struct turns turns;
    double since_ms; /* [clock_ms] when the start began */
    /* Members under the turns' lock: */
    int drivers;
    bool starting;        /* the start has not ended; if it fails, `turns` becomes lost */
    bool late;            /* the start took too long and was given up */
    struct device device; /* valid after the start; each driver has a copy */
};

struct driver {
    struct driver_device *shared;
    bool starts_device; /* no other driver has started it */
    struct handoff handoff;
    pthread_t thread;
    struct device device;  /* valid once the phase is not DRIVER_STARTING */
    atomic_int references; /* reference count: the thread and the owner */
    atomic_bool stop;      /* the job is cancelled */
    /* Members under the handoff's lock: */
    enum driver_phase phase;
    struct driver_job job; /* next job, not yet started */
    bool complete;         /* the last job was drawn completely */
    bool quit;
    struct progress progress;
    struct density_run_progress density_progress;
    /* Members of the driver's thread while it is starting or busy: */
    struct slices slices;
    struct readback readback;
    struct pixel_buffer pixel_buffer;
    struct device_buffers buffers;
    struct device_statistics statistics;
    struct density_run run;
    struct launch_budget budgets[ROUTE_COUNT * TYPE_COUNT];
    uint32_t serial; /* number of the current job */
    /* Abort flag: device memory that kernels read, the pinned value that is copied there, and the
     * queue of that copy. */
    struct device_pointer abort;
    _Atomic uint32_t *abort_serial;
    struct device_queue *abort_queue;
};

/* Starts the thread, which starts the device; the members of `device` after `any` are ignored.
 * Returns NULL on failure; the reason is logged. */
struct driver *driver_create(const struct device *device);
/* Adds a driver of priority `rank` on the same device, which may be starting or lost. */
struct driver *driver_create_another(struct driver *driver, int rank);
/* Cancels the job and waits for the thread. The last driver also stops the device. If the device is
 * still starting, waits 1 s at most: the thread then cleans up later, if ever, and the process
 * skips the exit handlers of libraries. `driver` may be NULL. */
void driver_destroy(struct driver *driver);

/* The owner's thread calls the functions below. */

/* Returns DRIVER_LOST also if another driver lost the device, or if the start takes too long, which
 * is logged. */
enum driver_phase driver_phase(struct driver *driver);
/* Waits for a result; the caller holds the handoff's lock. Returns false if clock_ms has reached
 * `until_ms`. */
bool driver_wait_results(struct driver *driver, double until_ms);
/* Submits a job and takes over job->req and job->input. The phase must be STARTING or IDLE. */
void driver_start_job(struct driver *driver, const struct driver_job *job);
/* Frees the data of a job that was not started. */
void driver_job_finish(struct driver_job *job);
/* Changes the current or waiting job. Returns false if it is already complete; the change then
 * applies to the next job. */
bool driver_change_job(struct driver *driver, const struct look *look, uint64_t samples);
/* Cancels the job and waits for its end, which takes a few milliseconds. */
void driver_stop_job(struct driver *driver);

#endif
