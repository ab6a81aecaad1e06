/* What only the GPU's way of drawing can get wrong: rounds, lists and kept states. Every method, set of
 * shortcuts and limit, and every way to come to a limit (at once, raised, raised after a pan, after a
 * raise that was given up), against the plain scalar loop.
 * usage: check_cuda [SEED [ROUNDS]]   (77: there is no GPU here) */
#include "app/backends.h"
#include "render/log.h"
#include "tests/random.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                 \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

#define WIDTH  67
#define HEIGHT 45
#define PIXELS (WIDTH * HEIGHT)

struct picture {
    uint32_t rgba[PIXELS], count[PIXELS];
    float fraction[PIXELS];
    struct backend_report report;
};

static struct picture want, got;

static struct target target_of(struct picture *picture) {
    return (struct target){
        .rgba = picture->rgba, .count = picture->count, .fraction = picture->fraction};
}

static struct backend *open_ready(const char *name) {
    const struct backend_options options = {.cpumask = ~0u, .device = -1};
    struct backend *backend = backend_open(backends_all, name, &options);
    for (int i = 0; backend && !backend_info(backend).ready && i < 60000; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return backend;
}

static bool draw(struct backend *backend, const struct frame_req *req, struct picture *picture) {
    const struct target target = target_of(picture);
    memset(picture->rgba, 0x5a, sizeof picture->rgba);
    CHECK(backend_draw(backend, req, &target, NULL, NULL, &picture->report));
    CHECK(picture->report.progress == 1);
    return true;
}

/* The judge draws the same, plainly. */
static bool judge(struct backend *scalar, const struct frame_req *req) {
    struct frame_req plain;
    frame_req_init_copy(&plain, req);
    plain.method = METHOD_TILES;
    plain.shortcuts = SHORTCUTS_NONE;
    plain.reuse = false;
    plain.first_stride = 1;
    const bool drawn = draw(scalar, &plain, &want);
    frame_req_finish(&plain);
    return drawn;
}

static bool same(void) {
    for (int i = 0; i < PIXELS; i++) {
        if (want.count[i] == got.count[i] && want.rgba[i] == got.rgba[i] &&
            memcmp(&want.fraction[i], &got.fraction[i], sizeof(float)) == 0)
            continue;
        printf("pixel %d, %d: count %08" PRIx32 " instead of %08" PRIx32
               ", fraction %a instead of %a, colour %08" PRIx32 " instead of %08" PRIx32 "\n",
               i % WIDTH, i / WIDTH, got.count[i], want.count[i], (double)got.fraction[i],
               (double)want.fraction[i], got.rgba[i], want.rgba[i]);
        return false;
    }
    return true;
}

static uint64_t sum_of_counts(const struct picture *picture) {
    uint64_t sum = 0;
    for (int i = 0; i < PIXELS; i++)
        sum += picture->count[i] & SAMPLE_COUNT_MASK;
    return sum;
}

/* --- requests --- */

struct place {
    const char *re, *im, *zoom;
};

static const struct place places[] = {
    {"-0.5", "0", "1.5"},
    {"-0.743643887037151", "0.131825904205330", "3e5"},
    {"-2", "0", "1e8"},
    {"-0.1", "0", "1e4"},
    {"0", "1", "1e3"},
    {"0", "0", "1"},
    {"0.25", "0", "1e3"},
    {"-0.75", "0.01", "200"},
    {"-1.25", "0", "50"},
    {"-1.7548776662", "0", "2000"},
    {"-1.25066", "0.02012", "1700"},
};

static const uint32_t limits[] = {0,   1,   7,   8,   9,   15,   16,   17,   31,   32,   33,
                                  39,  40,  41,  63,  64,  65,   71,   72,   73,   103,  104,
                                  105, 168, 255, 256, 257, 1000, 1023, 1024, 4097, 20000};

static uint32_t random_below(size_t end) {
    return (uint32_t)(random_bits() % end);
}

static void set_random(struct frame_req *req) {
    const struct place *place = &places[random_below(sizeof places / sizeof *places)];
    const char *why;
    if (!view_set_centre(&req->view, place->re, place->im, 0, &why) ||
        !view_set_zoom(&req->view, place->zoom, &why) ||
        !view_set_angle_degrees(&req->view, random_below(4) ? 0 : random_below(360), &why))
        abort();
    req->type = random_bits() & 1 ? TYPE_FLOAT : TYPE_DOUBLE;
    req->arithmetic = random_below(4) ? ARITHMETIC_FUSED : ARITHMETIC_UNFUSED;
    req->limit = limits[random_below(sizeof limits / sizeof *limits)];
}

static void set_random_order(struct frame_req *req) {
    static const enum method methods[] = {METHOD_TILES, METHOD_ROWS, METHOD_DEEPEN};
    req->method = methods[random_below(3)];
    req->shortcuts = random_below(SHORTCUTS_ALL + 1);
    req->first_stride = 1 << random_below(5);
    req->focus_x_px = (int)random_below(WIDTH);
    req->focus_y_px = (int)random_below(HEIGHT);
    req->generation++;
}

static void print_request(const struct frame_req *req) {
    char *re = view_number_text(req->view.re, 0), *im = view_number_text(req->view.im, 0);
    printf("at %s %s, limit %" PRIu32 ", %s, %s, %s, shortcuts %u, stride %d\n", re, im, req->limit,
           number_type_name(req->type), arithmetic_name(req->arithmetic), method_name(req->method),
           req->shortcuts, req->first_stride);
    free(re);
    free(im);
}

/* --- the checks --- */

static bool check_fresh(struct backend *scalar, struct backend *cuda, struct frame_req *req) {
    set_random(req);
    set_random_order(req);
    req->reuse = false;
    CHECK(judge(scalar, req) && draw(cuda, req, &got) && same());
    CHECK(got.report.iterations + got.report.skipped == sum_of_counts(&got));
    CHECK(req->shortcuts != SHORTCUTS_NONE || got.report.skipped == 0);
    return true;
}

/* Up a few limits, with pans between, some given up half-way. */
static bool check_raised(struct backend *scalar, struct backend *cuda, struct frame_req *req) {
    const struct target target = target_of(&got);
    set_random(req);
    req->reuse = true;
    req->limit %= 300;
    for (int i = 0; i < 5; i++) {
        set_random_order(req);
        const bool give_up = random_below(3) == 0;
        if (give_up) {
            CHECK(backend_submit(cuda, req, &target));
            backend_poll(cuda, random_below(3));
        } else {
            CHECK(judge(scalar, req) && draw(cuda, req, &got) && same());
        }
        backend_cancel(cuda);
        if (random_below(2))
            view_pan(&req->view, (double)random_below(9) - 4, (double)random_below(9) - 4, HEIGHT);
        if (random_below(3))
            req->limit += random_below(2) ? random_below(3000) : random_below(70);
    }
    return true;
}

/* A raised limit costs only the steps above the old one. */
static bool check_resumed(struct backend *cuda, struct frame_req *req) {
    set_random(req);
    set_random_order(req);
    req->method = METHOD_DEEPEN;
    req->reuse = false;
    req->limit = 500;
    CHECK(draw(cuda, req, &got));
    const uint64_t before = sum_of_counts(&got);
    req->reuse = true;
    req->limit = 2500;
    CHECK(draw(cuda, req, &got));
    CHECK(got.report.iterations + got.report.skipped <= sum_of_counts(&got) - before);
    return true;
}

static bool check_all(struct backend *scalar, struct backend *cuda, int rounds) {
    struct frame_req req;
    bool ok = true;
    frame_req_init(&req, WIDTH, HEIGHT);
    for (int i = 0; ok && i < rounds; i++) {
        ok = check_fresh(scalar, cuda, &req) && check_raised(scalar, cuda, &req) &&
             check_resumed(cuda, &req);
        if (!ok)
            print_request(&req);
    }
    frame_req_finish(&req);
    return ok;
}

int main(int argc, char **argv) {
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    const int rounds = argc > 2 ? atoi(argv[2]) : 100;
    log_set_level(LOG_ERROR);
    struct backend *scalar = open_ready("scalar");
    struct backend *cuda = open_ready("cuda");
    if (!cuda) {
        puts("check_cuda: there is no GPU here, skipped");
        backend_close(scalar);
        return 77;
    }
    random_seed(seed);
    const bool ok = scalar && check_all(scalar, cuda, rounds);
    printf("check_cuda: %s, seed %" PRIu64 ", %d rounds\n",
           ok ? "the same bytes by every way" : "FAILED", seed, rounds);
    backend_close(cuda);
    backend_close(scalar);
    return ok ? 0 : 1;
}
