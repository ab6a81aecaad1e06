/* The iteration kernels' arguments, and what all kernels share. */
#ifndef FATHOM_GPU_KERNELS_H
#define FATHOM_GPU_KERNELS_H

#include "gpu/device.h"
#include "gpu/escape/shades.h"
#include "gpu/escape/tables.h"
#include "render/frame.h"

/* What kernels count, added to atomically, in one of TALLY_SHARES so that additions do not
 * queue. */
struct tally {
    unsigned long long steps;   /* executed, up to escape, limit or proof */
    unsigned long long skipped; /* up to the limit, which a proof saved */
    unsigned long long done;    /* samples made final, or found to be so */
    unsigned long long points;  /* orbits' points counted */
    unsigned long long listed;  /* entries of the list being written; of share 0 only */
};

/* A picture's samples (render/sample.h), by name and by number; without those planes that are not
 * wanted. */
#define PLANES_MEMBER(name, type) DEVICE_POINTER(type) name;
struct planes {
    union {
        struct {
            SAMPLE_PLANE_LIST(PLANES_MEMBER)
        };
        DEVICE_POINTER(void) plane[SAMPLE_PLANES];
    };
};
#undef PLANES_MEMBER

/* Pixels that must go on are added to the list `to`, unless `steps` reaches the limit. */
struct iterate_args {
    struct iterate_task task;
    enum screening screening;
    DEVICE_POINTER(const void) coords; /* as in struct coords */
    struct planes planes;
    DEVICE_POINTER(void) states;          /* from that of pixel task.first on */
    DEVICE_POINTER(uint32_t) rgba;        /* none: samples only */
    DEVICE_POINTER(const uint32_t) table; /* of colours, see tasks.h */
    DEVICE_POINTER(const uint32_t) from;  /* a list of pixels; none: the lattice's */
    DEVICE_POINTER(uint32_t) to;
    DEVICE_POINTER(struct tally) tally; /* TALLY_SHARES of them */
    DEVICE_POINTER(const uint32_t) abort;
    struct device_tables tables; /* of perturbed pictures, or of this pass */
};

struct clear_args;
struct colour_args;
struct shift_args;
struct keep_args;
struct export_args;
struct slope_args;
struct gather_args;
struct index_args;
struct paint_counts;
struct paint_job;
struct points_job;
struct points_draw;
struct points_slice;
struct cell_bounds_args;

/* Each launches a kernel, or a few, and copies the arguments, whose structs (here, in
 * escape/pixels.h and in density/kernels.h) say what it does. NOT_READY: it has launched nothing, as a
 * kernel is being made, and is to be called again; see SLICES_TRY. */
struct device_kernels {
    unsigned perturbed; /* the types that `iterate` draws perturbed pictures in, a bit each */
    enum device_error (*iterate)(const struct frame_req *, const struct iterate_args *,
                                 struct device_queue *);
    enum device_error (*index)(const struct index_args *, struct device_queue *);
    enum device_error (*clear)(const struct clear_args *, struct device_queue *);
    enum device_error (*colour)(const struct colour_args *, struct device_queue *);
    enum device_error (*shift)(const struct shift_args *, struct device_queue *);
    enum device_error (*keep)(const struct keep_args *, struct device_queue *);
    enum device_error (*counts)(const struct export_args *, struct device_queue *);
    enum device_error (*slopes)(const struct slope_args *, struct device_queue *);
    enum device_error (*perturbed_slopes)(const struct slope_args *, struct device_queue *);
    enum device_error (*traces)(const struct slope_args *, struct device_queue *);
    enum device_error (*perturbed_traces)(const struct slope_args *, struct device_queue *);
    enum device_error (*insides)(const struct slope_args *, struct device_queue *);
    enum device_error (*gather)(const struct gather_args *, struct device_queue *);
    /* Orbit density; a device that has no `draw` has none of these, and draws escape time alone. */
    enum device_error (*flush)(const struct paint_counts *, struct device_queue *);
    enum device_error (*levels)(const struct paint_job *, struct device_queue *);
    enum device_error (*picture)(const struct paint_job *, struct device_queue *);
    enum device_error (*cell_bounds)(const struct cell_bounds_args *, struct device_queue *);
    enum device_error (*room_least)(const struct points_job *,
                                    uint32_t *room); /* launches nothing */
    enum device_error (*draw)(const struct points_job *, const struct points_draw *,
                              struct device_queue *);
    enum device_error (*search)(const struct points_job *, const struct points_slice *,
                                struct device_queue *);
    enum device_error (*plot)(const struct points_job *, const struct points_slice *,
                              struct device_queue *);
};

#endif
