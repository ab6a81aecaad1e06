/* Several devices that draw one picture: its bytes, planes and statistics are those of one device,
 * whatever is asked of it, and while devices fail, have no memory, or hang; all of them work; and
 * rows are split without a gap.
 * usage: check_all [SEED [TURNS]] */
#undef PICTURES_BACKENDS
#define PICTURES_BACKENDS all_backends
#include "render/all/backend_all.h"
#include "render/all/split.h"
#include "render/palette.h"
#include "tests/gpu/host_device.h"
#include "tests/shared/formulas.h"
#include "tests/shared/pictures.h"
#include "tests/shared/random.h"
#include <inttypes.h>

#define HANDLES 3
#define FILL    0x5a5a5a5a
#ifdef TEST_SANITIZED
#define TURNS 60
#else
#define TURNS 250
#endif

/* --- devices --- */

extern const struct backend_impl backend_avx512, backend_avx2, backend_scalar;

/* The plainest of the processor's backends, as a device that can be lost, or hang, and counts what
 * it is asked for. */
static struct {
    int lose_after, submits;
    bool hangs;
} plain_device;

static void *plain_create(const struct backend_options *options) {
    struct backend_options own = *options;
    own.lose_after = plain_device.lose_after;
    return backend_scalar.create(&own);
}

static bool plain_submit(void *impl, const struct frame_req *req, const struct target *target) {
    plain_device.submits++;
    return backend_scalar.submit(impl, req, target);
}

static void plain_poll(void *impl, double budget_ms, struct backend_report *report) {
    if (plain_device.hangs)
        *report = (struct backend_report){.state = BACKEND_BUSY};
    else
        backend_scalar.poll(impl, budget_ms, report);
}

static struct backend_impl counted; /* the plain device */
static const struct backend_impl *const one[] = {&backend_host, NULL};
static const struct backend_impl *const two[] = {&backend_avx512, &backend_avx2, &backend_scalar,
                                                 NULL};
static const struct backend_impl *const three[] = {&counted, NULL};
static const struct backend_impl *const *const one_two_three[] = {one, two, three, NULL};
static const struct backend_impl *const *const only_one[] = {one, NULL};
static const struct backend_impl *const *const one_three[] = {one, three, NULL};
static const struct backend_impl *const *const two_three[] = {two, three, NULL};
/* Everything is split that has enough rows. */
static const struct backend_impl *const *devices_now[4]; /* changed by tests */
BACKEND_ALL(backend_split, "all", devices_now, 0);
const struct backend_impl *const all_backends[] = {&backend_split, &backend_scalar, NULL};

static void set_devices(const struct backend_impl *const *const *devices, int lose_after) {
    counted = backend_scalar;
    counted.name = "plain";
    counted.create = plain_create;
    counted.submit = plain_submit;
    counted.poll = plain_poll;
    plain_device.lose_after = lose_after;
    plain_device.submits = 0;
    plain_device.hangs = false;
    memset(devices_now, 0, sizeof devices_now);
    for (size_t i = 0; devices[i]; i++)
        devices_now[i] = devices[i];
}

/* --- rows --- */

static int below(int size) {
    return (int)(random_bits() % (uint64_t)size);
}

static bool check_cuts(struct split *split, const double speeds[SPLIT_DEVICES], unsigned able) {
    static bool taken[FRAME_SIZE_MAX];
    int rows = 0, bands = 0, device = 0;
    memset(taken, 0, sizeof taken);
    for (; split_left(split) > 0; device = (device + 1) % SPLIT_DEVICES) {
        int y0, y1;
        const int wanted = able >> device & 1 ? split_rows(split, speeds, able, device) : 0;
        CHECK(wanted > 0 || device != split_fastest(speeds, able));
        if (wanted == 0)
            continue;
        split_cut(split, wanted, &y0, &y1);
        CHECK(y0 >= 0 && y0 < y1 && y1 <= split->height && y0 % FRAME_STRIDE_MAX == 0);
        for (int y = y0; y < y1; y++) {
            CHECK(!taken[y]);
            taken[y] = true;
        }
        rows += y1 - y0;
        CHECK(++bands <= SPLIT_BANDS_MAX);
    }
    CHECK(rows == split->height);
    return true;
}

static bool check_split(void) {
    static const double some[] = {0, 1, 3, 40, 1e3, 1e-3};
    subject = "split";
    for (int i = 0; i < 3000; i++) {
        struct split split;
        double speeds[SPLIT_DEVICES];
        const unsigned able = 1 + (unsigned)below((1 << SPLIT_DEVICES) - 1);
        const int height = 1 + below(below(3) ? 3000 : FRAME_SIZE_MAX);
        for (int d = 0; d < SPLIT_DEVICES; d++)
            speeds[d] = some[below(sizeof some / sizeof *some)];
        split_init(&split, height, below(2 * height) - height / 2);
        if (!check_cuts(&split, speeds, able)) {
            printf("%d rows, devices %x of speed %g %g %g %g\n", height, able, speeds[0], speeds[1],
                   speeds[2], speeds[3]);
            return false;
        }
    }
    return true;
}

/* --- requests --- */

static const struct place places[] = {
    {"-0.5", "0", "1.5", 0, 200},          {"-0.7436438870371", "0.1318259042053", "1e5", 0, 300},
    {"-0.1", "0", "1e3", 30, 100},         {"-2", "0", "1e8", 0, 90},
    {"-1.25066", "0.02012", "1700", 0, 1}, {"0.3", "0.5", "2", 0, 0},
};

static void new_request(struct frame_req *req) {
    static const enum method methods[] = {METHOD_TILES, METHOD_TILES, METHOD_ROWS, METHOD_DEEPEN};
    set_place(req, &places[below(sizeof places / sizeof *places)]);
    req->width_px = 1 + below(below(2) ? 20 : 120);
    req->height_px = 1 + below(below(3) ? 150 : 20);
    req->whole_width_px = req->whole_height_px = req->part_x_px = req->part_y_px = 0;
    if (below(3) == 0) {
        req->whole_width_px = req->width_px + below(90);
        req->whole_height_px = req->height_px + below(90);
        req->part_x_px = below(req->whole_width_px - req->width_px + 1);
        req->part_y_px = below(req->whole_height_px - req->height_px + 1);
    }
    req->offset_x = below(4) ? 0 : below(FRAME_OFFSETS) - FRAME_OFFSETS / 2;
    req->offset_y = below(4) ? 0 : below(FRAME_OFFSETS) - FRAME_OFFSETS / 2;
    req->type = (enum number_type)below(TYPE_COUNT);
    set_formula(req, random_bits(), below(4) == 0);
    req->method = methods[below(4)];
    req->shortcuts = below(2) ? SHORTCUTS_ALL : SHORTCUTS_NONE;
    req->planes = SAMPLE_BASIC | (below(2) ? SAMPLE_PLANE_BIT(norm2) : 0);
    req->first_stride = 1 << below(5);
    req->focus_x_px = below(200) - 20;
    req->focus_y_px = below(200) - 20;
    req->reuse = below(5) > 0;
}

/* Something that shares samples with what was there, most often. */
static void change_request(struct frame_req *req) {
    int width, height;
    frame_req_whole(req, &width, &height);
    switch (below(6)) {
    case 0:
        new_request(req);
        break;
    case 1:
        req->limit += 50;
        break;
    case 2:
        colouring_set(&req->colouring, palette_builtin((size_t)below(5)), 1 + below(3), 0.25);
        break;
    case 3:
        view_zoom_at(&req->view, below(2) ? 2 : 0.5, below(width) + 0.5, below(height) + 0.5, width,
                     height);
        break;
    default:
        view_pan(&req->view, below(31) - 15, below(41) - 20, height);
    }
    req->generation++;
}

/* --- pictures --- */

struct drawer {
    struct backend *backend;
    struct frame_req req;
    struct picture got;
    bool submitted;
};

static struct backend *judge;

static void prepare(struct drawer *d, bool at_once) {
    picture_finish(&d->got);
    picture_init(&d->got, d->req.width_px, d->req.height_px);
    d->got.target.at_once = at_once;
    sample_planes_finish(&d->got.target.planes);
    if (!sample_planes_init(&d->got.target.planes, d->req.planes, d->got.pixels, "a test"))
        abort();
    for (size_t i = 0; i < d->got.pixels; i++)
        d->got.target.rgba[i] = FILL;
}

/* What was reported so far may be seen: final pixels, or none. */
static bool is_clean(const struct drawer *d, const struct rect *r) {
    for (int y = r->y0; y < r->y1; y++)
        for (int x = r->x0; x < r->x1; x++) {
            const uint32_t pixel = d->got.target.rgba[y * d->req.width_px + x];
            if (pixel >> 24 != 255 && pixel != 0)
                return false;
        }
    return true;
}

static bool poll_drawer(struct drawer *d, double budget_ms) {
    d->got.report = backend_poll(d->backend, budget_ms);
    const struct rect r = d->got.report.dirty;
    CHECK(r.x0 >= r.x1 || (r.x0 >= 0 && r.y0 >= 0 && r.x1 <= d->req.width_px &&
                           r.y1 <= d->req.height_px && is_clean(d, &r)));
    CHECK(d->got.report.generation == d->req.generation);
    CHECK(d->got.report.progress >= 0 && d->got.report.progress <= 1);
    return true;
}

static bool same_statistics(const struct drawer *d, const struct picture *want) {
    struct statistics sum, got;
    statistics_init(&sum);
    statistics_add(&sum, want->target.planes.count, (size_t)d->req.width_px,
                   (size_t)d->req.height_px, (size_t)d->req.width_px);
    CHECK(backend_statistics(d->backend, &got));
    CHECK(memcmp(&sum, &got, sizeof sum) == 0);
    return true;
}

/* The picture in flight is drawn to its end, and is what it should be. */
static bool finish(struct drawer *d) {
    struct picture want;
    struct backend_report report;
    const double start = clock_ms();
    do
        CHECK(poll_drawer(d, 20) && clock_ms() - start < 60000);
    while (d->got.report.state == BACKEND_BUSY);
    CHECK(d->got.report.state == BACKEND_DONE && d->got.report.progress == 1);
    picture_init(&want, d->req.width_px, d->req.height_px);
    struct frame_req straight = d->req;
    straight.shortcuts = SHORTCUTS_NONE;
    straight.method = METHOD_TILES;
    straight.reuse = false;
    if (straight.planes & SAMPLE_PLANE_BIT(norm2))
        want.target.planes.norm2 = malloc(want.pixels * sizeof(float));
    bool ok = backend_draw(judge, &straight, &want.target, NULL, NULL, &report) &&
              same(&want, &d->got, "together") && (!d->req.reuse || same_statistics(d, &want));
    if (ok && want.target.planes.norm2)
        ok = memcmp(want.target.planes.norm2, d->got.target.planes.norm2, 4 * want.pixels) == 0;
    picture_finish(&want);
    d->submitted = false;
    return ok;
}

static bool recolour(struct drawer *d) {
    struct colouring *colouring = &d->req.colouring;
    colouring_set(colouring, palette_builtin((size_t)below(5)), 1 + 0.5 * below(4), 0.5);
    const struct look look = {.colouring = *colouring};
    d->submitted = backend_recolour(d->backend, d->req.generation, d->req.generation + 1, &look);
    d->req.generation += d->submitted;
    CHECK(d->submitted || d->got.target.at_once); /* that may have no samples left */
    return true;
}

static bool cancel(struct drawer *d) {
    const double start = worked_ms();
    backend_cancel(d->backend);
    CHECK(worked_ms() - start < 500);
    mark(&d->got);
    CHECK(backend_poll(d->backend, 0).state != BACKEND_BUSY && untouched(&d->got, "cancelled"));
    d->submitted = false;
    return true;
}

/* One of the things that are done with pictures. */
static bool act(struct drawer *d) {
    if (!d->submitted || below(4) == 0) {
        change_request(&d->req);
        backend_cancel(d->backend); /* its target is about to go */
        prepare(d, below(4) == 0);
        CHECK(backend_submit(d->backend, &d->req, &d->got.target));
        d->submitted = true;
        return true;
    }
    switch (below(8)) {
    case 0:
        return cancel(d);
    case 1:
    case 2:
        return recolour(d);
    case 3:
    case 4:
        return poll_drawer(d, below(3));
    case 5: /* once more when it is done */
        return finish(d) && recolour(d) && (!d->submitted || poll_drawer(d, 0));
    default:
        return finish(d);
    }
}

static bool open_drawers(struct drawer drawers[HANDLES]) {
    memset(drawers, 0, HANDLES * sizeof *drawers);
    for (int i = 0; i < HANDLES; i++) {
        struct drawer *d = &drawers[i];
        frame_req_init(&d->req, 1, 1);
        picture_init(&d->got, 1, 1);
        d->backend = i == 0 ? open_ready("all", plain)
                            : backend_another(drawers[0].backend, (enum backend_priority)i);
        CHECK(d->backend);
        new_request(&d->req);
    }
    return true;
}

static void close_drawers(struct drawer drawers[HANDLES]) {
    for (int i = 0; i < HANDLES; i++) {
        backend_close(drawers[i].backend);
        frame_req_finish(&drawers[i].req);
        picture_finish(&drawers[i].got);
    }
}

static bool check_fuzz(uint64_t turns) {
    struct drawer drawers[HANDLES];
    subject = "fuzz";
    set_devices(one_two_three, 0);
    bool ok = open_drawers(drawers);
    for (uint64_t turn = 0; ok && turn < turns; turn++)
        ok = act(&drawers[below(HANDLES)]);
    for (int i = 0; ok && i < HANDLES; i++)
        ok = !drawers[i].submitted || finish(&drawers[i]);
    close_drawers(drawers);
    return ok;
}

/* --- devices that fail --- */

/* The same picture again and again, with nothing kept, until something has happened. */
static void set_work(struct frame_req *req) {
    frame_req_init(req, 200, 300);
    set_place(req, &(struct place){"-0.7453", "0.1127", "1300", 0, 150});
    req->shortcuts = SHORTCUTS_NONE;
    req->first_stride = 8;
    req->reuse = false;
}

static bool draw_work(struct drawer *d, int times) {
    for (int i = 0; i < times; i++) {
        d->req.generation++;
        prepare(d, false);
        CHECK(backend_submit(d->backend, &d->req, &d->got.target));
        CHECK(finish(d));
    }
    return true;
}

static bool open_worker(struct drawer *d, const struct backend_impl *const *const *devices,
                        int lose_after) {
    *d = (struct drawer){0};
    set_devices(devices, lose_after);
    set_work(&d->req);
    picture_init(&d->got, 1, 1);
    CHECK((d->backend = open_ready("all", plain)));
    return true;
}

static void close_worker(struct drawer *d) {
    backend_close(d->backend);
    frame_req_finish(&d->req);
    picture_finish(&d->got);
}

/* A loss of the first device at some call, and of the plain one at some band, or of neither. */
static bool check_lost(uint64_t call, int bands) {
    struct drawer d;
    subject = "lost";
    host_fail(call, DEVICE_TAKEN_AWAY);
    bool ok = open_worker(&d, one_two_three, bands) && draw_work(&d, 3);
    if (!ok)
        printf("call %" PRIu64 ", band %d\n", call, bands);
    close_worker(&d);
    host_fail(0, DEVICE_OK);
    return ok;
}

/* With no device left the picture is lost, and nothing more can be asked for. */
static bool check_none_left(void) {
    struct drawer d;
    subject = "none left";
    bool ok = open_worker(&d, one_three, 5);
    host_fail(200, DEVICE_TAKEN_AWAY);
    const double start = clock_ms();
    while (ok && !backend_is_lost(d.backend) && clock_ms() - start < 60000) {
        prepare(&d, false);
        d.req.generation++;
        ok = backend_submit(d.backend, &d.req, &d.got.target) || d.got.report.state == BACKEND_DONE;
        do
            d.got.report = backend_poll(d.backend, 20);
        while (d.got.report.state == BACKEND_BUSY);
        CHECK(d.got.report.state == BACKEND_DONE || d.got.report.state == BACKEND_LOST);
    }
    CHECK(ok && backend_is_lost(d.backend));
    mark(&d.got);
    CHECK(backend_poll(d.backend, 0).state == BACKEND_LOST && untouched(&d.got, "lost"));
    close_worker(&d);
    host_fail(0, DEVICE_OK);
    return ok;
}

/* Where there is no memory for a band, another device draws it. */
static bool check_memory(void) {
    struct drawer d;
    subject = "memory";
    for (size_t memory = 100000; memory < 40000000; memory *= 2) {
        host_behave((struct host_behaviour){.memory = memory});
        const bool ok = open_worker(&d, one_two_three, 0) && draw_work(&d, 3);
        close_worker(&d);
        host_behave((struct host_behaviour){0});
        CHECK(ok);
    }
    return true;
}

/* Bands are taken from a device that does not get on with them. */
static bool check_hung(void) {
    struct drawer d;
    subject = "hung";
    bool ok = open_worker(&d, two_three, 0) && draw_work(&d, 2);
    CHECK(plain_device.submits >= 2);
    plain_device.hangs = true;
    ok = ok && draw_work(&d, 2);
    plain_device.hangs = false;
    close_worker(&d);
    return ok;
}

static bool check_hung_at_first(void) {
    struct drawer d;
    subject = "hung at first";
    bool ok = open_worker(&d, two_three, 0);
    plain_device.hangs = true;
    ok = ok && draw_work(&d, 1);
    CHECK(plain_device.submits > 0);
    plain_device.hangs = false;
    close_worker(&d);
    return ok;
}

/* One device draws pictures as they are, and says that it is alone. */
static bool check_alone(void) {
    struct drawer d;
    const char *why = "";
    subject = "alone";
    bool ok = open_worker(&d, only_one, 0);
    CHECK(backend_split.usable(&plain, &why) && strstr(why, "alone"));
    d.req.reuse = true;
    ok = ok && draw_work(&d, 1);
    view_pan(&d.req.view, 7, 9, d.req.height_px);
    ok = ok && draw_work(&d, 1);
    CHECK(d.got.report.kept == (200 - 7) * (300 - 9));
    close_worker(&d);
    return ok;
}

static bool check_names(void) {
    struct drawer d;
    const char *why = "";
    subject = "names";
    CHECK(open_worker(&d, one_two_three, 0));
    const struct backend_info info = backend_info(d.backend);
    CHECK(strcmp(info.name, "all") == 0 && strstr(info.device, " and ") && info.ready);
    CHECK(info.caps & BACKEND_CAP_EXACT && !(info.caps & BACKEND_CAP_GL_TARGET));
    CHECK(!(info.methods >> METHOD_TRACE & 1) && !(info.methods >> METHOD_SUBDIVIDE & 1));
    CHECK(backend_split.usable(&plain, &why) && strstr(why, "together"));
    close_worker(&d);
    return true;
}

static bool check_failures(void) {
    for (uint64_t call = 1; call < 4000; call = call * 3 / 2 + 1)
        if (!check_lost(call, 0) || !check_lost(call, 1 + below(20)))
            return false;
    return check_none_left() && check_memory();
}

int main(int argc, char **argv) {
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    random_seed(seed);
    judge = open_judge();
    const bool ok = judge && check_split() && check_names() && check_alone() &&
                    check_fuzz(argc > 2 ? strtoull(argv[2], NULL, 0) : TURNS) && check_hung() &&
                    check_hung_at_first() && check_failures();
    backend_close(judge);
    if (!ok)
        printf("failed with seed %" PRIu64 "\n", seed);
    return !ok;
}
