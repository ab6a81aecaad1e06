/* Several pictures in flight on one device, on every backend that can run here. Each picture has
 * the bytes that it has alone, keeps its own samples, and is cancelled, lost and closed
 * independently. The most urgent picture is drawn first.
 * usage: check_pictures [NAME [quick]]   (77: NAME cannot run on this machine; quick: without
 * times, and without the long pictures that show the order) */
#include "tests/density/densities.h"
#include "tests/shared/formulas.h"
#include <math.h>

#define PICTURES 4

static bool quick; /* from the command line */

/* --- pictures at the same time --- */

/* Makes requests that differ in everything, small enough for a device in host memory. */
static void make_request(struct frame_req *req, int number) {
    static const struct place places[PICTURES] = {
        {"-0.743643887037151", "0.131825904205330", "1e6", 0, 600},
        {"-0.5", "0", "1.5", 20, 300},
        {"-1.25066", "0.02012", "1700", 0, 500},
        {"-0.5", "0", "0.5", 0, 200},
    };
    static const int sizes[PICTURES][2] = {{230, 170}, {64, 48}, {190, 130}, {100, 141}};
    frame_req_init(req, sizes[number][0], sizes[number][1]);
    set_place(req, &places[number]);
    set_formula(req, (uint64_t)number);
    req->type = number == 1 ? TYPE_FLOAT : TYPE_DOUBLE;
    req->method = number == 3 ? METHOD_DEEPEN : METHOD_TILES;
    req->offset_x = number == 2 ? 4321 : 0;
    req->first_stride = number == 0 ? 8 : 1;
    req->generation = 10 + (uint64_t)number;
}

struct scenery {
    struct backend *handles[PICTURES]; /* one for each priority, the first opened */
    struct frame_req req[PICTURES];
    struct picture want[PICTURES], got[PICTURES];
};

static bool open_handles(struct scenery *s, const char *name, struct backend_options options) {
    s->handles[0] = open_ready(name, options);
    for (int i = 1; s->handles[0] && i < PICTURES; i++)
        CHECK((s->handles[i] =
                   backend_another(s->handles[0], (enum backend_priority)(BACKEND_MAIN + i))));
    return s->handles[0];
}

/* Closes all handles, beginning with handle `first`. */
static void close_handles(struct scenery *s, int first) {
    for (int i = 0; i < PICTURES; i++) {
        backend_close(s->handles[(first + i) % PICTURES]);
        s->handles[(first + i) % PICTURES] = NULL;
    }
}

static bool set_up(struct scenery *s, struct backend *judge) {
    bool ok = true;
    for (int i = 0; i < PICTURES; i++) {
        make_request(&s->req[i], i);
        picture_init(&s->want[i], s->req[i].width_px, s->req[i].height_px);
        picture_init(&s->got[i], s->req[i].width_px, s->req[i].height_px);
        ok = ok && judge_draw(judge, &s->req[i], &s->want[i]);
    }
    return ok;
}

static void tear_down(struct scenery *s) {
    for (int i = 0; i < PICTURES; i++) {
        frame_req_finish(&s->req[i]);
        picture_finish(&s->want[i]);
        picture_finish(&s->got[i]);
    }
}

static bool submit(struct scenery *s, int i) {
    memset(s->got[i].target.rgba, 0x5a, s->got[i].pixels * sizeof(uint32_t));
    return backend_submit(s->handles[i], &s->req[i], &s->got[i].target);
}

/* Polls the handles of a set in turn until none is in flight, and checks their pictures. */
static bool wait_for(struct scenery *s, unsigned set) {
    const double start = clock_ms();
    for (unsigned busy = set; busy;) {
        for (int i = 0; i < PICTURES; i++)
            if (busy >> i & 1) {
                s->got[i].report = backend_poll(s->handles[i], 1);
                if (s->got[i].report.state != BACKEND_BUSY)
                    busy &= ~(1u << i);
            }
        CHECK(clock_ms() - start < 100000);
    }
    for (int i = 0; i < PICTURES; i++)
        if (set >> i & 1) {
            CHECK(s->got[i].report.state == BACKEND_DONE);
            CHECK(s->got[i].report.generation == s->req[i].generation);
            CHECK(same(&s->want[i], &s->got[i], "one of several"));
        }
    return true;
}

static bool check_together(struct scenery *s) {
    for (int turn = 0; turn < PICTURES; turn++) {
        for (int i = 0; i < PICTURES; i++) {
            const int next = (turn + 3 * i) % PICTURES;
            s->req[next].reuse = true;
            CHECK(submit(s, next));
        }
        CHECK(wait_for(s, (1u << PICTURES) - 1));
        for (int i = 0; i < PICTURES; i++)
            CHECK(s->got[i].report.kept == (turn > 0 ? s->got[i].pixels : 0));
    }
    return true;
}

/* Checks that each picture completes if only its handle is polled, while more urgent pictures are
 * in flight. */
static bool check_alone(struct scenery *s) {
    for (int i = 0; i < PICTURES; i++) {
        s->req[i].reuse = false;
        CHECK(submit(s, i));
    }
    for (int i = PICTURES - 1; i >= 0; i--)
        CHECK(wait_for(s, 1u << i));
    return true;
}

/* Checks that an endless picture can be cancelled, and that all others are drawn. */
static bool check_cancel(struct scenery *s) {
    SCOPED(frame_req, endless, 100, 80);
    set_place(&endless, &(struct place){"-0.1", "0", "100", 0, FRAME_LIMIT_MAX});
    endless.shortcuts = SHORTCUTS_NONE;
    double worst = 0;
    for (int gone = 0; gone < PICTURES; gone++) {
        SCOPED(picture, picture, 100, 80);
        CHECK(backend_submit(s->handles[gone], &endless, &picture.target));
        for (int i = 0; i < PICTURES; i++) {
            s->req[i].reuse = false;
            CHECK(i == gone || submit(s, i));
        }
        backend_poll(s->handles[gone], 2);
        const double start = worked_ms();
        backend_cancel(s->handles[gone]);
        worst = fmax(worst, worked_ms() - start);
        mark(&picture);
        CHECK(backend_poll(s->handles[gone], 0).state == BACKEND_IDLE);
        CHECK(wait_for(s, ((1u << PICTURES) - 1) & ~(1u << gone)));
        CHECK(untouched(&picture, "cancel"));
    }
    printf("%s: cancel took at most %.2f ms of work\n", subject, worst);
    CHECK(quick || worst < 500);
    return true;
}

/* Checks that other handles' pictures leave a handle's samples and statistics unchanged. */
static bool check_kept(struct scenery *s) {
    struct frame_req *req = &s->req[0];
    struct statistics statistics;
    req->reuse = true;
    CHECK(draw(s->handles[0], req, &s->got[0]));
    for (int i = 1; i < PICTURES; i++)
        CHECK(draw(s->handles[i], &s->req[i], &s->got[i]));
    CHECK(backend_statistics(s->handles[0], &statistics) && statistics.pixels == s->got[0].pixels);
    view_pan(&req->view, 30, -20, req->height_px);
    CHECK(draw(s->handles[0], req, &s->got[0]));
    CHECK(s->got[0].report.kept == (230 - 30) * (170 - 20));
    view_pan(&req->view, -30, 20, req->height_px);
    CHECK(draw(s->handles[0], req, &s->got[0]));
    return same(&s->want[0], &s->got[0], "panned and back beside others");
}

/* Checks two density pictures, with pictures of higher and of lower priority: all equal those that
 * are drawn alone. */
static bool check_counted(struct scenery *s) {
    struct backend_report report;
    struct density density;
    density_init(&density);
    SCOPED(density_req, req, 90, 70);
    set_density(&req, &density);
    req.samples = 4 * DENSITY_CHUNK;
    SCOPED_MADE(density_counts, alone, &req);
    SCOPED_MADE(density_counts, beside, &req);
    CHECK(count(s->handles[1], &req, NULL, &alone));
    for (int i = 0; i < PICTURES; i++) {
        s->req[i].reuse = false;
        CHECK(i == 1 || i == 2 ? backend_density_submit(s->handles[i], &req, NULL) : submit(s, i));
    }
    CHECK(wait_for(s, 1u << 3));
    for (int i = 2; i > 0; i--) {
        CHECK(finish_run(s->handles[i], &report));
        CHECK(backend_density_read(s->handles[i], &beside));
        CHECK(beside.samples == alone.samples && beside.points == alone.points);
        CHECK(memcmp(alone.count, beside.count, counters(&alone) * sizeof *alone.count) == 0);
    }
    CHECK(wait_for(s, 1u << 0));
    return true;
}

/* Closes handles in any order, also while they draw. */
static bool check_close(struct scenery *s, const char *name) {
    for (int first = 0; first < PICTURES; first++) {
        CHECK(s->handles[0] || open_handles(s, name, plain));
        for (int i = first & 1; i < PICTURES; i++) {
            s->req[i].reuse = false;
            CHECK(submit(s, i));
        }
        backend_poll(s->handles[1], 1);
        backend_close(s->handles[first]);
        s->handles[first] = NULL;
        mark(&s->got[first]);
        const int left = (first + 2) % PICTURES;
        CHECK(wait_for(s, 1u << left));
        close_handles(s, first);
        CHECK(untouched(&s->got[first], "close"));
    }
    return true;
}

static bool check_lost(struct scenery *s, const char *name) {
    struct backend_options options = plain;
    options.lose_after = 3;
    CHECK(open_handles(s, name, options));
    for (int i = 0; i < 3; i++)
        CHECK(submit(s, i));
    const double start = clock_ms();
    for (int i = 0; i < PICTURES; i++) { /* the last handle has nothing in flight */
        do
            s->got[i].report = backend_poll(s->handles[i], 1);
        while (s->got[i].report.state != BACKEND_LOST && clock_ms() - start < 100000);
        CHECK(s->got[i].report.state == BACKEND_LOST);
    }
    struct backend *late = backend_another(s->handles[0], BACKEND_REST);
    if (backend_submit(late, &s->req[0], &s->got[0].target)) /* the loss is not noticed yet */
        while (backend_poll(late, 1).state == BACKEND_BUSY)
            CHECK(clock_ms() - start < 100000);
    CHECK(backend_poll(late, 0).state == BACKEND_LOST);
    backend_close(late);
    for (int i = 0; i < PICTURES; i++)
        mark(&s->got[i]);
    close_handles(s, 1);
    for (int i = 0; i < PICTURES; i++)
        CHECK(untouched(&s->got[i], "lost"));
    return true;
}

/* --- priorities --- */

#define WORK_PX 256
#ifdef TEST_SANITIZED
#define SANITIZED true
#else
#define SANITIZED false
#endif

/* Makes a request whose pixels are all interior, so that each takes the same number of steps. */
static void make_work(struct frame_req *req, uint32_t limit) {
    frame_req_init(req, WORK_PX, WORK_PX);
    set_place(req, &(struct place){"-0.1", "0", "100", 0, limit});
    req->shortcuts = SHORTCUTS_NONE;
}

/* Draws two pictures on one thread, and sets *waited if the patient picture got no further than its
 * next stop while the urgent picture was drawn. Checks that both complete and are equal. */
static bool draw_in_order(struct backend *urgent, struct backend *patient, bool urgent_first,
                          bool *waited) {
    const bool slow = SANITIZED || strcmp(subject, "host") == 0 || strcmp(subject, "scalar") == 0;
    const uint32_t limit = slow ? 1000 : on_gpu() ? 10000000 : 10000; /* about 0.1 s */
    const uint64_t all = (uint64_t)WORK_PX * WORK_PX * limit;
    const uint64_t stop = urgent_first && !on_gpu() ? 0 : on_gpu() ? all / 4 : all / 16;
    SCOPED_BY(make_work, frame_req, req, limit);
    SCOPED(picture, first, WORK_PX, WORK_PX);
    SCOPED(picture, second, WORK_PX, WORK_PX);
    req.reuse = false;
    req.generation = 77;
    if (urgent_first)
        CHECK(backend_submit(urgent, &req, &first.target));
    CHECK(backend_submit(patient, &req, &second.target));
    do
        second.report = backend_poll(patient, 1);
    while (!urgent_first && second.report.iterations == 0 && second.report.state == BACKEND_BUSY);
    const uint64_t before = urgent_first ? 0 : second.report.iterations;
    if (!urgent_first)
        CHECK(backend_submit(urgent, &req, &first.target));
    uint64_t after = before, looks = 0;
    for (;;) {
        second.report = backend_poll(patient, 0);
        first.report = backend_poll(urgent, 1);
        if (first.report.state != BACKEND_BUSY)
            break;
        after = second.report.iterations; /* read before the urgent picture was complete */
        looks++;
    }
    CHECK(first.report.state == BACKEND_DONE);
    *waited = looks > 0 && after - before <= stop;
    if (!*waited)
        printf("%s: %" PRIu64 " steps of %" PRIu64 " beside a more urgent picture, %" PRIu64
               " looks\n",
               subject, after - before, all, looks);
    while ((second.report = backend_poll(patient, 50)).state == BACKEND_BUSY)
        continue;
    CHECK(second.report.state == BACKEND_DONE && same(&first, &second, "one after the other"));
    return true;
}

/* Tries up to three times: on a busy machine this thread may sleep between a submit and its
 * polls. */
static bool check_order(struct backend *urgent, struct backend *patient, bool urgent_first) {
    bool waited = false;
    for (int try = 0; try < 3 && !waited; try++)
        CHECK(draw_in_order(urgent, patient, urgent_first, &waited));
    CHECK(waited);
    return true;
}

static struct backend *handle_of(const struct scenery *s, enum backend_priority priority) {
    return s->handles[priority - BACKEND_MAIN];
}

static bool check_priorities(const char *name) {
    struct backend_options options = plain;
    options.threads = 1;
    struct scenery s = {0};
    CHECK(open_handles(&s, name, options));
    CHECK(check_order(handle_of(&s, BACKEND_MAIN), handle_of(&s, BACKEND_REST), false));
    CHECK(check_order(handle_of(&s, BACKEND_MAIN), handle_of(&s, BACKEND_INSET), true));
    CHECK(check_order(handle_of(&s, BACKEND_INSET), handle_of(&s, BACKEND_REST), false));
    CHECK(check_order(handle_of(&s, BACKEND_REST), handle_of(&s, BACKEND_BEHIND), true));
    struct backend *first = backend_another(s.handles[0], BACKEND_FIRST);
    CHECK(first && check_order(first, handle_of(&s, BACKEND_MAIN), false));
    backend_close(first);
    close_handles(&s, 2);
    return true;
}

static bool check_backend(const char *name) {
    struct scenery s = {0};
    struct backend *judge = open_judge();
    const bool ok = judge && set_up(&s, judge) && open_handles(&s, name, plain) &&
                    check_together(&s) && check_alone(&s) && check_cancel(&s) && check_kept(&s) &&
                    check_counted(&s) && check_close(&s, name) && check_lost(&s, name) &&
                    (quick || check_priorities(name));
    close_handles(&s, 0);
    tear_down(&s);
    backend_close(judge);
    if (ok)
        printf("%s: several pictures at once\n", name);
    return ok;
}

int main(int argc, char **argv) {
    quick = argc > 2;
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_backend, "draw several pictures");
}
