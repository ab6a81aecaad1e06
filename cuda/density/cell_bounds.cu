/* Finds out what all orbits of a cell have in common before any is drawn, by following them at
 * once, as a disc. */
#include "cuda/density/points.cuh"

#include "gpu/density/kernels.h"

#define BLOCK_THREADS 256

/* What the bounds of a cell are made from: all its orbits, followed as a disc. */
struct disc {
    double re, im, radius; /* of c */
    double zr, zi, r;
};

/* Rounding in float, in the worst case: of c, and of a step from |z| = size. */
#define C_ROUNDING          0x1p-20
#define STEP_ROUNDING(size) (0x1p-20 * (1 + (size) * (size)))

INLINE struct disc disc_of(const struct points_job *job, uint32_t cell) {
    const double side = (double)(1u << SAMPLE_FRAME);
    const double x = (cell % CELLS_X + 0.5) * side - 0x1p31;
    const double y = ((cell & CELLS_NUMBER) / CELLS_X + 0.5) * side;
    const double wide = side * job->domain.scale_re, high = side * job->domain.scale_im;
    struct disc disc;
    disc.re = x * job->domain.scale_re + job->domain.offset_re;
    disc.im = y * job->domain.scale_im + job->domain.offset_im;
    disc.radius = 0.5001 * sqrt(wide * wide + high * high) + C_ROUNDING;
    disc.zr = disc.re;
    disc.zi = disc.im;
    disc.r = disc.radius;
    return disc;
}

INLINE void disc_step(struct disc *disc, double size) {
    const double next = disc->zr * disc->zr - disc->zi * disc->zi + disc->re;
    disc->zi = 2 * disc->zr * disc->zi + disc->im;
    disc->zr = next;
    disc->r = disc->r * (2 * size + disc->r) + disc->radius + STEP_ROUNDING(size + disc->r);
}

/* Whether a coordinate of some point of the disc may be within 0 .. size. */
INLINE bool may_be_within(const struct disc *disc, double zi, double by_re, double by_im,
                          double from, uint32_t size) {
    const double re = disc->zr * by_re, im = zi * by_im, at = im + re + from;
    const double error = disc->r * sqrt(by_re * by_re + by_im * by_im) * 1.001 + 0.01 +
                         0x1p-20 * (fabs(re) + fabs(im) + fabs(from));
    return at + error >= 0 && at - error <= size;
}

INLINE bool may_be_seen_at(const struct points_job *job, const struct disc *disc, double zi) {
    const struct density_place *p = &job->place;
    return may_be_within(disc, zi, p->column_re, p->column_im, p->column_0, (uint32_t)p->width) &&
           may_be_within(disc, zi, p->row_re, p->row_im, p->row_0, (uint32_t)p->height);
}

INLINE bool may_be_seen(const struct points_job *job, const struct disc *disc) {
    if (job->place.fold != DENSITY_FOLD_NONE)
        return may_be_seen_at(job, disc, fabs(disc->zi));
    return may_be_seen_at(job, disc, disc->zi) ||
           (job->place.both && may_be_seen_at(job, disc, -disc->zi));
}

/* Where a cell is with regard to the seed's five discs: -1 in one of them, 1 outside of all, 0 not
 * known. That of the cardioid is f < 0, whose slope near here is at most `slope`. */
INLINE int beside_seed_discs(const struct disc *disc) {
    const double centres[4][3] = {
        {-1, 0, 0.0625}, {-1.309, 0, 0.00345}, {-0.125, 0.744, 0.0088}, {-0.125, -0.744, 0.0088}};
    const double x = disc->re - 0.25, im2 = disc->im * disc->im, q = x * x + im2;
    const double f = q * (q + x) - 0.25 * im2;
    const double slope = 1.5 * ((2 * q + fabs(x)) * 2 * sqrt(q) + q + 0.5 * fabs(disc->im));
    const double unsure = slope * disc->radius + 1e-4;
    bool outside = f > unsure;
    if (f < -unsure)
        return -1;
    for (int i = 0; i < 4; i++) {
        const double re = disc->re - centres[i][0], im = disc->im - centres[i][1];
        const double from = sqrt(re * re + im * im) - sqrt(centres[i][2]);
        if (from < -disc->radius - 1e-4)
            return -1;
        outside = outside && from > disc->radius + 1e-4;
    }
    return outside;
}

/* The steps of a cell's orbits. */
struct course {
    uint32_t first, last; /* whose points may be seen; 0: none */
    uint32_t sure;        /* none escapes within so many */
    uint32_t all;         /* all have escaped after so many; 0: not known */
    uint32_t looked;      /* steps that this is about */
};

INLINE struct course course_of(const struct points_job *job, struct disc disc) {
    const struct density_rule *rule = &job->rule;
    const double bailout = sqrt(rule->bailout2);
    const uint32_t most = rule->limit < BOUNDS_STEPS ? rule->limit : BOUNDS_STEPS;
    struct course course = {0, 0, 0, 0, 0};
    for (uint32_t n = 1; n <= most && disc.r < 10; n++) {
        const double size = sqrt(disc.zr * disc.zr + disc.zi * disc.zi);
        const bool out = size - disc.r > bailout;
        if (n >= rule->first && may_be_seen(job, &disc)) {
            course.first = course.first ? course.first : n;
            course.last = n;
        }
        course.looked = n;
        if (out) {
            course.all = n;
            break;
        }
        if (course.sure == n - 1 && size + disc.r < bailout)
            course.sure = n;
        disc_step(&disc, size);
    }
    return course;
}

INLINE uint32_t bounds_open(const struct points_job *job, const struct course *course) {
    const uint32_t first = course->first ? course->first : course->looked + 1;
    const uint32_t least = first > job->rule.first ? first : job->rule.first;
    const uint32_t sure = course->sure < job->young ? course->sure : job->young - 1;
    return least | BOUNDS_OPEN << 8 | sure << 16;
}

INLINE uint32_t bounds_known(const struct course *course, uint32_t n) {
    return course->first ? course->first | course->last << 8 | course->sure << 16 | n << 24 : 0;
}

INLINE uint32_t bounds_of(const struct points_job *job, const struct course *course) {
    const struct density_rule *rule = &job->rule;
    const bool bounded = course->sure >= rule->limit;
    if (rule->bounded)
        return course->all ? 0 : bounded ? bounds_known(course, 0) : bounds_open(job, course);
    if (bounded || (course->all && (!course->first || course->all < rule->least)))
        return 0;
    if (course->all && course->sure == course->all - 1)
        return bounds_known(course, course->all);
    return bounds_open(job, course);
}

static __global__ void __launch_bounds__(BLOCK_THREADS)
    bound_cells(const __grid_constant__ struct points_job job, const uint32_t *order,
                uint2 *bounds) {
    const uint32_t k = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (k >= job.cells)
        return;
    const struct disc disc = disc_of(&job, order[k]);
    uint32_t cell = order[k];
    int beside = 1;
    if (job.rule.seed_skips && cell & CELLS_TEST) {
        beside = beside_seed_discs(&disc);
        cell = beside > 0 ? cell & ~CELLS_TEST : cell;
    }
    const struct course course = course_of(&job, disc);
    bounds[k] = make_uint2(cell, beside < 0 ? 0 : bounds_of(&job, &course));
}

INLINE bool is_open(uint32_t bounds) {
    return (bounds >> 8 & 255u) == BOUNDS_OPEN;
}

INLINE uint32_t known_plots(uint32_t bounds) {
    return bounds && !is_open(bounds) ? (bounds >> 8 & 255u) - (bounds & 255u) + 1 : 0;
}

#define LIST_THREADS 1024

/* One block: pairs with bounds, in order. */
static __global__ void __launch_bounds__(LIST_THREADS)
    list_pairs(uint32_t cells, const uint2 *bounds, struct points_pair *pairs, uint32_t *numbers,
               struct cell_bounds *result) {
    __shared__ uint32_t sums[LIST_THREADS / 32];
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, all = (cells + 1) / 2;
    uint32_t size = 0, open = 0, plots = 0;
    for (uint32_t begin = 0; begin < all; begin += LIST_THREADS) {
        const uint32_t m = begin + threadIdx.x;
        const uint2 none = make_uint2(0, 0);
        const uint2 a = m < all ? bounds[2 * m] : none,
                    b = 2 * m + 1 < cells ? bounds[2 * m + 1] : none;
        const bool live = a.y || b.y;
        const unsigned mask = __ballot_sync(~0u, live);
        if (lane == 0)
            sums[warp] = (uint32_t)__popc(mask);
        __syncthreads();
        uint32_t before = size + (uint32_t)__popc(mask & ((1u << lane) - 1));
        for (uint32_t i = 0; i < LIST_THREADS / 32; i++) {
            before += i < warp ? sums[i] : 0;
            size += sums[i];
        }
        __syncthreads();
        open += is_open(a.y) + is_open(b.y);
        plots += known_plots(a.y) + known_plots(b.y);
        if (!live)
            continue;
        pairs[before] = {{a.x, b.x}, {a.y, b.y}};
        numbers[before] = m;
    }
    atomicAdd(&result->open, open);
    atomicAdd(&result->plots, plots);
    if (threadIdx.x == 0)
        result->live = size;
}

enum device_error cell_bounds_make(const struct cell_bounds_args *args,
                                   struct device_queue *queue) {
    const struct points_job *job = args->job;
    const cudaStream_t stream = (cudaStream_t)queue;
    uint2 *const bounds = (uint2 *)args->memory;
    const cudaError_t error = cudaMemsetAsync(args->result, 0, sizeof *args->result, stream);
    if (error != cudaSuccess || job->cells == 0)
        return cuda_device_error(error);
    bound_cells<<<(job->cells - 1) / BLOCK_THREADS + 1, BLOCK_THREADS, 0, stream>>>(
        *job, args->order, bounds);
    list_pairs<<<1, LIST_THREADS, 0, stream>>>(job->cells, bounds, args->pairs, args->numbers,
                                               args->result);
    return cuda_device_error(cudaGetLastError());
}

cudaError_t cell_bounds_load(void) {
    const void *const kernels[] = {(const void *)bound_cells, (const void *)list_pairs};
    return load_kernels(kernels, sizeof kernels / sizeof *kernels);
}
