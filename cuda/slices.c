/* The queue of timed launches. */
#include "cuda/slices.h"
#include <sched.h>
#include <string.h>

#define TALLY_BYTES (TALLY_SHARES * sizeof(struct tally))

bool slices_ok(struct slices *slices, cudaError_t error) {
    if (error != cudaSuccess && slices->error == cudaSuccess)
        slices->error = error;
    return error == cudaSuccess;
}

bool slices_init(struct slices *slices, const atomic_bool *stop) {
    *slices = (struct slices){.stop = stop};
    bool ok =
        slices_ok(slices, cudaStreamCreateWithFlags(&slices->stream, cudaStreamNonBlocking)) &&
        slices_ok(slices, cudaMalloc((void **)&slices->tally, TALLY_BYTES)) &&
        slices_ok(slices, cudaMallocHost((void **)&slices->seen, SLICES_IN_FLIGHT * TALLY_BYTES));
    for (int i = 0; ok && i < SLICES_IN_FLIGHT; i++)
        ok = slices_ok(slices, cudaEventCreate(&slices->ring[i].begin)) &&
             slices_ok(slices, cudaEventCreate(&slices->ring[i].end)) &&
             slices_ok(slices,
                       cudaEventCreateWithFlags(&slices->ring[i].seen,
                                                cudaEventBlockingSync | cudaEventDisableTiming));
    return ok && slices_restart(slices);
}

void slices_finish(struct slices *slices) {
    if (slices->stream)
        cudaStreamSynchronize(slices->stream);
    for (int i = 0; i < SLICES_IN_FLIGHT; i++) {
        if (slices->ring[i].begin)
            cudaEventDestroy(slices->ring[i].begin);
        if (slices->ring[i].end)
            cudaEventDestroy(slices->ring[i].end);
        if (slices->ring[i].seen)
            cudaEventDestroy(slices->ring[i].seen);
    }
    cudaFreeHost(slices->seen);
    cudaFree(slices->tally);
    if (slices->stream)
        cudaStreamDestroy(slices->stream);
    *slices = (struct slices){0};
}

bool slices_restart(struct slices *slices) {
    slices->last = (struct tally){0};
    slices->device_ms = 0;
    return slices_ok(slices, cudaMemsetAsync(slices->tally, 0, TALLY_BYTES, slices->stream));
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
        sum.listed += shares[i].listed;
    }
    return sum;
}

static bool retire(struct slices *slices) {
    const struct slice *slice = &slices->ring[slices->retired % SLICES_IN_FLIGHT];
    float ms = 0;
    if (!await(slices, slice->seen) ||
        !slices_ok(slices, cudaEventElapsedTime(&ms, slice->begin, slice->end)))
        return false;
    const uint64_t i = slices->retired % SLICES_IN_FLIGHT;
    const struct tally now = sum_of(slices->seen + i * TALLY_SHARES);
    if (slice->pace && !atomic_load(slices->stop))
        pace_learn(slice->pace, slice->work, (double)(now.steps - slices->last.steps), ms);
    slices->last = now;
    slices->device_ms += ms;
    slices->retired++;
    return true;
}

bool slices_begin(struct slices *slices) {
    if (slices->launched - slices->retired == SLICES_IN_FLIGHT && !retire(slices))
        return false;
    if (slices->error != cudaSuccess || atomic_load(slices->stop))
        return false;
    const struct slice *slice = &slices->ring[slices->launched % SLICES_IN_FLIGHT];
    return slices_ok(slices, cudaEventRecord(slice->begin, slices->stream));
}

bool slices_end(struct slices *slices, cudaError_t launch, double work, struct pace *pace) {
    const uint64_t i = slices->launched % SLICES_IN_FLIGHT;
    struct slice *slice = &slices->ring[i];
    slice->work = work;
    slice->pace = pace;
    if (!slices_ok(slices, launch) ||
        !slices_ok(slices, cudaEventRecord(slice->end, slices->stream)) ||
        !slices_ok(slices, cudaMemcpyAsync(slices->seen + i * TALLY_SHARES, slices->tally,
                                           TALLY_BYTES, cudaMemcpyDeviceToHost, slices->stream)) ||
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
