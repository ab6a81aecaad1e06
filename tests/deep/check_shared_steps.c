/* Steps that threads share have the same bits, however many threads there are and whichever of them
 * are late: the engines with a crew of this test, which does parts at once, or long afterwards. */
#include "cpu/cpu.h"
#include "cpu/cpuid.h"
#include "render/deep/crew.h"
#include "tests/deep/orbit_runs.h"

#define RUNS 40 /* for each number of limbs */

/* The crew of all orbits. A late helper holds a task. */
struct crew {
    void (*work)(void *task, unsigned part);
    unsigned helpers;
    void *held[CREW_MOST];
    bool late;
};

static unsigned shared[CREW_MOST + 1], late;

unsigned crew_threads(int asked) {
    return asked > 0 ? (unsigned)asked : 1;
}

struct crew *crew_create(unsigned threads, void (*work)(void *task, unsigned part)) {
    struct crew *crew = threads > 1 ? calloc(1, sizeof *crew) : NULL;
    if (crew)
        *crew = (struct crew){.work = work, .helpers = threads - 1};
    return crew;
}

/* Lets a late helper finish. */
static void let_finish(struct crew *crew, unsigned part) {
    if (crew->held[part])
        crew->work(crew->held[part], part);
    crew->held[part] = NULL;
}

void crew_leave(struct crew *crew, void (*gone)(void *user), void *user) {
    for (unsigned part = 1; crew && part <= crew->helpers; part++)
        let_finish(crew, part);
    free(crew);
    gone(user);
}

unsigned crew_next(struct crew *crew, unsigned most) {
    unsigned threads = 1 + (unsigned)(random_next(&state) % (crew->helpers + 1));
    threads = threads < most ? threads : most;
    for (unsigned part = 1; part <= crew->helpers; part++)
        if (random_next(&state) % (8 * part) == 0)
            let_finish(crew, part);
    for (unsigned part = 1; part < threads; part++)
        if (crew->held[part])
            threads = part;
    shared[threads]++;
    return threads;
}

/* Offers parts. None may write to a task that a late helper holds. */
void crew_offer(struct crew *crew, void *task, unsigned count) {
    CHECK(!crew_holds(crew, task));
    crew->late = false;
    for (unsigned part = 1; part < count; part++) {
        if (random_next(&state) % 4 == 0) {
            crew->held[part] = task;
            crew->late = true;
        } else {
            crew->work(task, part);
        }
    }
}

bool crew_finish(struct crew *crew, long patience_ns) {
    CHECK(patience_ns > 0);
    late += crew->late;
    return !crew->late;
}

bool crew_holds(const struct crew *crew, const void *task) {
    bool holds = false;
    for (unsigned part = 1; part <= crew->helpers; part++)
        holds |= crew->held[part] == task;
    return holds;
}

static void check_engine(const struct orbit_engine *engine) {
    for (unsigned most = 40; most < 400 && failures < 5; most += 7)
        for (unsigned i = 0; i < RUNS && failures < 5; i++)
            check_run(engine, most, 2 + i % (CREW_MOST - 1));
}

int main(void) {
    const struct orbit_engine *engine = orbit_fastest(cpu_flags(UINT32_MAX));
    check_engine(&orbit_mpn);
    CHECK(shared[2] > 100 && late > 100);
    late = 0;
    if (engine == &orbit_mpn)
        puts("no other engine than mpn for this processor");
    else {
        check_engine(engine);
        CHECK(shared[3] > 100 && late > 100);
    }
    return failures != 0;
}
