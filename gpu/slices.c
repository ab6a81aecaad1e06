/* The queue of timed launches. */
#include "gpu/slices.h"
#include <math.h>
#include <sched.h>
#include <string.h>

#define TALLY_BYTES (TALLY_SHARES * sizeof(struct tally))

bool slices_ok(struct slices *slices, cudaError_t error) {
    if (error != cudaSuccess && slices->error == cudaSuccess)
        slices->error = error;
    return error == cudaSuccess;
}

static bool init_slice(struct slices *slices, struct slice *slice) {
    const unsigned flags = cudaEventBlockingSync | cudaEventDisableTiming;
    return slices_ok(slices, cudaEventCreate(&slice->begin)) &&
           slices_ok(slices, cudaEventCreate(&slice->end)) &&
           slices_ok(slices, cudaEventCreateWithFlags(&slice->seen, flags));
}

static bool init_stream(struct slices *slices, cudaStream_t *stream) {
    return slices_ok(slices, cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
}

bool slices_init(struct slices *slices, const atomic_bool *stop) {
    *slices = (struct slices){.stop = stop};
    bool ok =
        slices_ok(slices, cudaEventCreateWithFlags(&slices->turn, cudaEventDisableTiming)) &&
        slices_ok(slices, cudaMalloc((void **)&slices->tally, TALLY_BYTES)) &&
        slices_ok(slices, cudaMallocHost((void **)&slices->seen, SLICES_IN_FLIGHT * TALLY_BYTES));
    for (int i = 0; ok && i < SLICES_RING; i++)
        ok = init_slice(slices, &slices->ring[i]);
    for (int i = 0; ok && i < SLICES_IN_FLIGHT; i++)
        ok = init_stream(slices, &slices->streams[i]);
    slices->stream = slices->streams[0];
    return ok && slices_restart(slices);
}

static void destroy_event(cudaEvent_t event) {
    if (event)
        cudaEventDestroy(event);
}

void slices_finish(struct slices *slices) {
    for (int i = 0; i < SLICES_IN_FLIGHT; i++)
        if (slices->streams[i])
            cudaStreamSynchronize(slices->streams[i]);
    for (int i = 0; i < SLICES_RING; i++) {
        destroy_event(slices->ring[i].begin);
        destroy_event(slices->ring[i].end);
        destroy_event(slices->ring[i].seen);
    }
    destroy_event(slices->turn);
    cudaFreeHost(slices->seen);
    cudaFree(slices->tally);
    for (int i = 0; i < SLICES_IN_FLIGHT; i++)
        if (slices->streams[i])
            cudaStreamDestroy(slices->streams[i]);
    *slices = (struct slices){0};
}

bool slices_restart(struct slices *slices) {
    slices->last = (struct tally){0};
    slices->device_ms = 0;
    return slices_overlap(slices, false) &&
           slices_ok(slices, cudaMemsetAsync(slices->tally, 0, TALLY_BYTES, slices->stream));
}

bool slices_new_list(struct slices *slices) {
    slices->last.listed = 0;
    return slices_ok(slices, cudaMemsetAsync(&slices->tally->listed, 0,
                                             sizeof slices->tally->listed, slices->stream));
}

static bool await(struct slices *slices, cudaEvent_t event) {
    cudaError_t error = cudaErrorNotReady;
    while (slices->eager && (error = cudaEventQuery(event)) == cudaErrorNotReady)
        sched_yield();
    return slices_ok(slices, slices->eager ? error : cudaEventSynchronize(event));
}

static struct tally sum_of(const struct tally *shares) {
    struct tally sum = {0};
    for (uint32_t i = 0; i < TALLY_SHARES; i++) {
        sum.steps += shares[i].steps;
        sum.skipped += shares[i].skipped;
        sum.done += shares[i].done;
        sum.points += shares[i].points;
        sum.listed += shares[i].listed;
    }
    return sum;
}

/* Copies of two launches may overtake each other. */
static struct tally later_of(struct tally a, struct tally b) {
    return (struct tally){
        .steps = a.steps > b.steps ? a.steps : b.steps,
        .skipped = a.skipped > b.skipped ? a.skipped : b.skipped,
        .done = a.done > b.done ? a.done : b.done,
        .points = a.points > b.points ? a.points : b.points,
        .listed = a.listed > b.listed ? a.listed : b.listed,
    };
}

static struct slice *slice_of(struct slices *slices, uint64_t number) {
    return &slices->ring[number % SLICES_RING];
}

static struct tally *seen_of(const struct slices *slices, uint64_t number) {
    return slices->seen + number % SLICES_IN_FLIGHT * TALLY_SHARES;
}

/* How long the oldest one took: *alone from its begin, *ms without what it shared with the one
 * before. */
static bool measure(struct slices *slices, float *alone, float *ms) {
    const struct slice *slice = slice_of(slices, slices->retired);
    if (!slices_ok(slices, cudaEventElapsedTime(alone, slice->begin, slice->end)))
        return false;
    *ms = *alone;
    if (slices->retired == 0)
        return true;
    const struct slice *before = slice_of(slices, slices->retired - 1);
    if (!slices_ok(slices, cudaEventElapsedTime(ms, before->end, slice->end)))
        return false;
    *ms = fminf(fmaxf(*ms, 0), *alone);
    return true;
}

/* One that ended almost with the one before says nothing about the device's speed. */
static bool telling(float alone, float ms) {
    return ms >= alone / 4;
}

static bool retire(struct slices *slices) {
    const struct slice *slice = slice_of(slices, slices->retired);
    float alone, ms;
    if (!await(slices, slice->seen) || !measure(slices, &alone, &ms))
        return false;
    const struct tally now = later_of(slices->last, sum_of(seen_of(slices, slices->retired)));
    if (slice->budget && telling(alone, ms) && !atomic_load(slices->stop))
        launch_budget_learn(slice->budget, slice->work, (double)(now.steps - slices->last.steps),
                            ms);
    slices->last = now;
    slices->device_ms += ms;
    slices->retired++;
    return true;
}

/* Each stream waits for what is in the others. */
static bool join(struct slices *slices) {
    bool ok = true;
    for (int i = 0; i < SLICES_IN_FLIGHT; i++) {
        ok = ok && slices_ok(slices, cudaEventRecord(slices->turn, slices->streams[i]));
        for (int j = 0; j < SLICES_IN_FLIGHT; j++)
            ok = ok && (i == j || slices_ok(slices, cudaStreamWaitEvent(slices->streams[j],
                                                                        slices->turn, 0)));
    }
    return ok;
}

bool slices_overlap(struct slices *slices, bool overlap) {
    if (overlap == slices->overlap)
        return true;
    slices->overlap = overlap;
    slices->stream = slices->streams[0];
    return join(slices);
}

bool slices_begin(struct slices *slices) {
    if (slices->launched - slices->retired == SLICES_IN_FLIGHT && !retire(slices))
        return false;
    if (slices->error != cudaSuccess || atomic_load(slices->stop))
        return false;
    if (slices->overlap)
        slices->stream = slices->streams[slices->launched % SLICES_IN_FLIGHT];
    return slices_ok(slices,
                     cudaEventRecord(slice_of(slices, slices->launched)->begin, slices->stream));
}

bool slices_end(struct slices *slices, cudaError_t launch, double work,
                struct launch_budget *budget) {
    struct slice *slice = slice_of(slices, slices->launched);
    struct tally *seen = seen_of(slices, slices->launched);
    slice->work = work;
    slice->budget = budget;
    if (!slices_ok(slices, launch) ||
        !slices_ok(slices, cudaEventRecord(slice->end, slices->stream)) ||
        !slices_ok(slices, cudaMemcpyAsync(seen, slices->tally, TALLY_BYTES, cudaMemcpyDeviceToHost,
                                           slices->stream)) ||
        !slices_ok(slices, cudaEventRecord(slice->seen, slices->stream)))
        return false;
    slices->launched++;
    return true;
}

bool slices_drain(struct slices *slices) {
    while (slices->retired < slices->launched)
        if (!retire(slices))
            return false;
    return slices->error == cudaSuccess;
}

void slices_settle(struct slices *slices) {
    slices_drain(slices);
    for (int i = 0; i < SLICES_IN_FLIGHT; i++)
        slices_ok(slices, cudaStreamSynchronize(slices->streams[i]));
}
