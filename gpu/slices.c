/* Slices: keep launches few and short. Each launch is timed and tallied, and the next launch waits
 * for one to end. */
#include "gpu/slices.h"
#include <math.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#define TALLY_BYTES (TALLY_SHARES * sizeof(struct tally))
#define RETRY_NS    500000 /* [ns] interval between two tries of a launch */

bool slices_ok(struct slices *slices, enum device_error error) {
    if (error != DEVICE_OK && error != DEVICE_NOT_READY && slices->error == DEVICE_OK)
        slices->error = error;
    return error == DEVICE_OK;
}

static bool init_event(struct slices *slices, enum device_event_kind kind,
                       struct device_event **event) {
    return slices_ok(slices, slices->impl->event_create(slices->device, kind, event));
}

static bool init_slice(struct slices *slices, struct slice *slice) {
    return init_event(slices, DEVICE_EVENT_TIME, &slice->begin) &&
           init_event(slices, DEVICE_EVENT_TIME, &slice->end) &&
           init_event(slices, DEVICE_EVENT_SLEEP, &slice->tallied);
}

bool slices_init(struct slices *slices, struct device *device, struct turns *turns,
                 const atomic_bool *stop) {
    const struct device_impl *impl = device->impl;
    *slices = (struct slices){
        .impl = impl, .device = device, .launching = {turns, device->rank, false}, .stop = stop};
    bool ok = init_event(slices, DEVICE_EVENT_ORDER, &slices->turn) &&
              slices_ok(slices, impl->alloc(device, TALLY_BYTES, &slices->tally)) &&
              slices_ok(slices, impl->alloc_host(device, SLICES_IN_FLIGHT * TALLY_BYTES,
                                                 (void **)&slices->tallies));
    for (int i = 0; ok && i < SLICES_RING; i++)
        ok = init_slice(slices, &slices->ring[i]);
    for (int i = 0; ok && i < SLICES_IN_FLIGHT; i++)
        ok = slices_ok(slices, impl->queue_create(device, &slices->queues[i]));
    slices->queue = slices->queues[0];
    return ok && slices_restart(slices);
}

void slices_finish(struct slices *slices) {
    const struct device_impl *impl = slices->impl;
    if (!impl)
        return;
    for (int i = 0; i < SLICES_IN_FLIGHT; i++)
        if (slices->queues[i])
            impl->queue_drain(slices->queues[i]);
    for (int i = 0; i < SLICES_RING; i++) {
        impl->event_destroy(slices->ring[i].begin);
        impl->event_destroy(slices->ring[i].end);
        impl->event_destroy(slices->ring[i].tallied);
    }
    impl->event_destroy(slices->turn);
    impl->free_host(slices->device, slices->tallies);
    impl->free(slices->device, slices->tally);
    for (int i = 0; i < SLICES_IN_FLIGHT; i++)
        impl->queue_destroy(slices->queues[i]);
    *slices = (struct slices){0};
}

bool slices_restart(struct slices *slices) {
    slices->last = (struct tally){0};
    slices->device_ms = 0;
    return slices_overlap(slices, false) &&
           slices_ok(slices, slices->impl->fill(slices->queue, slices->tally, 0, TALLY_BYTES));
}

bool slices_clear_list(struct slices *slices) {
    slices->last.listed = 0;
    return slices_ok(
        slices, slices->impl->fill(slices->queue,
                                   device_pointer_at(slices->tally, offsetof(struct tally, listed)),
                                   0, sizeof slices->last.listed));
}

static bool await(struct slices *slices, struct device_event *event) {
    enum device_error error = DEVICE_NOT_READY;
    while (slices->spins && (error = slices->impl->event_ready(event)) == DEVICE_NOT_READY)
        sched_yield();
    return slices_ok(slices, slices->spins ? error : slices->impl->event_sleep(event));
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

/* Returns the larger values, because the copies of two launches may overtake each other. */
static struct tally maxima_of(struct tally a, struct tally b) {
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

static struct tally *tallies_of(const struct slices *slices, uint64_t number) {
    return slices->tallies + number % SLICES_IN_FLIGHT * TALLY_SHARES;
}

/* Measures the oldest launch: *whole_ms from its own begin, *own_ms without the time that it shared
 * with the launch before. */
static bool measure(struct slices *slices, float *whole_ms, float *own_ms) {
    const struct slice *slice = slice_of(slices, slices->retired);
    if (!slices_ok(slices, slices->impl->event_ms(slice->begin, slice->end, whole_ms)))
        return false;
    *own_ms = *whole_ms;
    if (slices->retired == 0)
        return true;
    const struct slice *before = slice_of(slices, slices->retired - 1);
    if (!slices_ok(slices, slices->impl->event_ms(before->end, slice->end, own_ms)))
        return false;
    *own_ms = fminf(fmaxf(*own_ms, 0), *whole_ms);
    return true;
}

static bool retire(struct slices *slices) {
    const struct slice *slice = slice_of(slices, slices->retired);
    float whole_ms, own_ms;
    if (!await(slices, slice->tallied) || !measure(slices, &whole_ms, &own_ms))
        return false;
    const struct tally now = maxima_of(slices->last, sum_of(tallies_of(slices, slices->retired)));
    /* A launch that ended almost at the same time as the one before does not show the device's
     * speed. */
    if (slice->budget && own_ms >= whole_ms / 4 && !atomic_load(slices->stop))
        launch_budget_learn(slice->budget, slice->work, (double)(now.steps - slices->last.steps),
                            own_ms);
    slices->last = now;
    slices->device_ms += own_ms;
    slices->retired++;
    return true;
}

/* Makes each queue wait for the work in the other queues. */
static bool synchronise_queues(struct slices *slices) {
    bool ok = true;
    for (int i = 0; i < SLICES_IN_FLIGHT; i++) {
        ok = ok && slices_ok(slices, slices->impl->event_record(slices->turn, slices->queues[i]));
        for (int j = 0; j < SLICES_IN_FLIGHT; j++)
            ok = ok && (i == j || slices_ok(slices, slices->impl->queue_wait(slices->queues[j],
                                                                             slices->turn)));
    }
    return ok;
}

bool slices_overlap(struct slices *slices, bool overlap) {
    if (overlap == slices->overlap)
        return true;
    slices->overlap = overlap;
    slices->queue = slices->queues[0];
    return synchronise_queues(slices);
}

static bool take_turn(struct slices *slices) {
    if (slices->error == DEVICE_OK && !turn_begin(&slices->launching, slices->stop))
        slices_ok(slices, DEVICE_LOST);
    return slices->error == DEVICE_OK && !atomic_load(slices->stop);
}

/* Starts timing the next launch. */
static bool record_begin(struct slices *slices) {
    return slices_ok(slices, slices->impl->event_record(slice_of(slices, slices->launched)->begin,
                                                        slices->queue));
}

bool slices_begin(struct slices *slices) {
    if (slices->launched - slices->retired == SLICES_IN_FLIGHT && !retire(slices))
        return false;
    if (!take_turn(slices))
        return false;
    if (slices->overlap)
        slices->queue = slices->queues[slices->launched % SLICES_IN_FLIGHT];
    return record_begin(slices);
}

bool slices_retry(struct slices *slices, enum device_error launch) {
    if (launch != DEVICE_NOT_READY || atomic_load(slices->stop))
        return false;
    turn_end(&slices->launching);
    nanosleep(&(struct timespec){.tv_nsec = RETRY_NS}, NULL);
    return take_turn(slices) && record_begin(slices);
}

bool slices_end(struct slices *slices, enum device_error launch, double work,
                struct launch_budget *budget) {
    const struct device_impl *impl = slices->impl;
    struct slice *slice = slice_of(slices, slices->launched);
    struct tally *tallies = tallies_of(slices, slices->launched);
    slice->work = work;
    slice->budget = budget;
    if (!slices_ok(slices, launch) ||
        !slices_ok(slices, impl->event_record(slice->end, slices->queue)) ||
        !slices_ok(slices, impl->download(slices->queue, tallies, slices->tally, TALLY_BYTES)) ||
        !slices_ok(slices, impl->event_record(slice->tallied, slices->queue)))
        return false;
    slices->launched++;
    return true;
}

bool slices_drain(struct slices *slices) {
    while (slices->retired < slices->launched)
        if (!retire(slices))
            return false;
    return slices->error == DEVICE_OK;
}

void slices_drain_queues(struct slices *slices) {
    slices_drain(slices);
    for (int i = 0; i < SLICES_IN_FLIGHT; i++)
        slices_ok(slices, slices->impl->queue_drain(slices->queues[i]));
}
