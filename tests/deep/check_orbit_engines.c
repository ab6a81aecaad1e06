/* Compares the engines of reference orbits with each other, on one thread and on several: every bit
 * of every step, however precision rises and falls, and the doubles made from them. */
#define _DEFAULT_SOURCE /* usleep */
#include "cpu/cpu.h"
#include "cpu/cpuid.h"
#include "render/base/clock.h"
#include "render/deep/crew.h"
#include "render/deep/reference.h"
#include "render/deep/reference_rest.h"
#include "render/view.h"
#include "tests/deep/orbit_runs.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#ifdef TEST_SANITIZED
#define SANITIZED true
#else
#define SANITIZED false
#endif
#define LIMBS_MOST 60
#define RUNS       (SANITIZED ? 5 : 200) /* for each number of limbs */

/* Returns true if references have the same doubles, and the same bits at their ends. */
static bool same_reference(const struct reference *a, const struct reference *b) {
    return a && b && a->length == b->length && a->length > 10 &&
           memcmp(a->z, b->z, 16 * ((size_t)a->length + 1)) == 0 &&
           same(&a->rest->value, &b->rest->value);
}

/* Checks that a whole reference has the same bytes. */
static void check_reference(const struct orbit_engine *engine, int bits, uint32_t limit) {
    const char *why;
    SCOPED(view, view);
    CHECK(view_set_centre(&view, "-1.74995768370609350360221450607069970727110579726252", "1e-60",
                          3000, &why));
    struct reference_want want = {
        .re = view.re, .im = view.im, .limit = limit, .radius_log2 = 20 - bits, .step_log2 = -bits};
    const struct reference *plain = reference_make(&want, NULL, NULL, NULL);
    want.engine = engine;
    for (want.threads = 1; want.threads <= CREW_MOST; want.threads++) {
        const struct reference *other = reference_make(&want, NULL, NULL, NULL);
        CHECK(same_reference(plain, other));
        reference_unref(other);
    }
    reference_unref(plain);
}

static void check_references(const struct orbit_engine *engine) {
    static const int bits[] = {500, 2000, 4100, 10000, 23090};
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        check_reference(engine, bits[i], 3000);
}

/* An engine that requests a stop after some steps. */
static atomic_bool stop;
static unsigned steps;

static struct orbit_point counted_step(void *orbit, unsigned limbs) {
    if (++steps == 500)
        atomic_store(&stop, true);
    return orbit_mpn.step(orbit, limbs);
}

static void check_stop(void) {
    const char *why;
    struct orbit_engine counted = orbit_mpn;
    SCOPED(view, view);
    CHECK(view_set_centre(&view, "-1.7499576837060935", "1e-60", 3000, &why));
    counted.step = counted_step;
    const struct reference_want want = {.re = view.re,
                                        .im = view.im,
                                        .limit = 3000,
                                        .radius_log2 = -9980,
                                        .step_log2 = -10000,
                                        .engine = &counted,
                                        .threads = CREW_MOST};
    CHECK(!reference_make(&want, NULL, &stop, NULL));
    CHECK(steps == 500);
}

/* --- crews --- */

#define PATIENCE_MS 10000 /* for helpers, which run only where nothing else does */
#define TASKS       1000

static atomic_bool slow;

/* Adds the parts up, once helpers need not wait any more. */
static void add_up(void *task, unsigned part) {
    while (atomic_load(&slow))
        usleep(1000);
    ((unsigned *)task)[part] += part;
}

static void set_flag(void *user) {
    atomic_store((atomic_bool *)user, true);
}

static bool wait_for(atomic_bool *flag) {
    for (int i = 0; i < 12 * PATIENCE_MS && !atomic_load(flag); i++)
        usleep(1000);
    return atomic_load(flag);
}

/* Offers a task to all helpers, at the next trial of as many. A step takes a microsecond. */
static bool offer(struct crew *crew, unsigned *task) {
    const double end_ms = clock_ms() + PATIENCE_MS;
    for (double now_ms = clock_ms(); crew_next(crew, CREW_MOST) < CREW_MOST; now_ms += 1e-3) {
        while (clock_ms() < now_ms)
            continue;
        if (now_ms > end_ms)
            return false;
    }
    crew_offer(crew, task, CREW_MOST);
    return true;
}

/* Shares tasks for two seconds at most. Returns false if no helper got a processor. */
static bool share_tasks(struct crew *crew) {
    static unsigned task[CREW_MOST];
    const double end_ms = clock_ms() + 2000;
    unsigned shared = 0;
    bool all = true;
    for (; shared < TASKS && all && (shared == 0 || clock_ms() < end_ms); shared += all)
        all = offer(crew, task) && crew_finish(crew, PATIENCE_MS * 1000000L);
    CHECK(!all || (task[1] == shared && task[2] == 2 * shared));
    return all;
}

/* Checks that helpers do all parts, and that the caller does not wait for a late helper. */
static void check_crew(void) {
    static unsigned late[CREW_MOST], other[CREW_MOST];
    static atomic_bool gone;
    struct crew *crew = crew_create(CREW_MOST, add_up);
    CHECK(crew && !crew_create(1, add_up));
    const bool helped = crew && share_tasks(crew);
    atomic_store(&slow, true);
    if (helped && offer(crew, late)) {
        CHECK(!crew_finish(crew, 1000));
        CHECK(crew_holds(crew, late) && !crew_holds(crew, other));
        crew_leave(crew, set_flag, &gone);
        CHECK(!atomic_load(&gone)); /* the task is still in use */
    } else {
        puts("left out: late helpers, since no processor is free");
        crew_leave(crew, set_flag, &gone);
    }
    atomic_store(&slow, false);
    CHECK(wait_for(&gone));
    atomic_store(&gone, false);
    crew_leave(NULL, set_flag, &gone);
    CHECK(atomic_load(&gone));
}

/* Keeps a processor busy, with pauses. */
static void *disturb(void *user) {
    const atomic_bool *end = user;
    for (unsigned i = 0; !atomic_load(end); i++)
        if (i % 100000 == 0)
            usleep(50);
    return NULL;
}

/* Checks references while other threads take the helpers' processors from them. */
static void check_busy(const struct orbit_engine *engine) {
    static atomic_bool end;
    pthread_t thread[4];
    int count = 0;
    while (count < 4 && pthread_create(&thread[count], NULL, disturb, &end) == 0)
        count++;
    for (int i = 0; i < (SANITIZED ? 1 : 3); i++)
        check_reference(engine, 15000, 8000);
    atomic_store(&end, true);
    while (count > 0)
        pthread_join(thread[--count], NULL);
}

static void check_engine(const struct orbit_engine *engine) {
    for (unsigned most = 1; most <= LIMBS_MOST && failures < 5; most++)
        for (int i = 0; i < RUNS && failures < 5; i++)
            check_run(engine, most, 1 + random_next(&state) % CREW_MOST);
    for (unsigned most = LIMBS_MOST; most < 400 && failures < 5; most += SANITIZED ? 100 : 11)
        for (unsigned threads = 1; threads <= CREW_MOST; threads++)
            check_run(engine, most, threads);
    for (int i = 0; i < 3; i++)
        check_run(engine, engine->limbs_most < 800 ? engine->limbs_most : 800, 1 + (unsigned)i);
    check_references(engine);
    check_busy(engine);
}

int main(void) {
    const struct orbit_engine *engine = orbit_fastest(cpu_flags(UINT32_MAX));
    check_crew();
    check_stop();
    check_engine(&orbit_mpn);
    if (engine == &orbit_mpn)
        puts("no other engine than mpn for this processor");
    else
        check_engine(engine);
    return failures != 0;
}
