/* Anti-aliasing: light and its means against the definition, samples of pieces of a picture, and
 * the error of few samples against the mean of a whole pixel. Few samples must have less error than
 * a plain grid of as many. */
#include "render/accumulate.h"
#include "render/backends.h"
#include "render/files/scene.h"
#include "tests/shared/check.h"
#include <math.h>

#define WIDTH  96
#define HEIGHT 72
#define PIXELS (WIDTH * HEIGHT)
#define GRID   16 /* samples each way of the reference, which is independent of our samples */

/* --- light --- */

static double light_of(double byte) {
    const double v = byte / 255;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static void check_light(const struct accumulator *a) {
    for (int byte = 0; byte < 256; byte++) {
        CHECK(fabs(a->linear[byte] - 65535 * light_of(byte)) < 0.5001);
        CHECK(byte == 0 ||
              fabs(a->thresholds[byte] / 65536.0 - 65535 * light_of(byte - 0.5)) < 0.0001);
    }
    CHECK(a->thresholds[0] == 0 && a->linear[0] == 0 && a->linear[255] == 65535);
}

/* Checks means of single sums: near the sums at which the byte changes, and random sums. */
static void check_means(struct accumulator *a) {
    static const uint32_t numbers[] = {1, 2, 3, 7, 16, 255, 4096, 65535, 65536};
    unsigned long long state = 7;
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        accumulator_set_samples(a, numbers[n]);
        for (int i = 0; i < 20000; i++) {
            const uint32_t sum =
                i < 768 ? a->least[i / 3] + (uint32_t)(i % 3) - 1
                        : (uint32_t)(random_next(&state) % (65535ull * numbers[n] + 1));
            if (sum > 65535u * numbers[n])
                continue;
            uint32_t expected = 255, mean;
            while (expected > 0 &&
                   (uint64_t)sum << 16 < (uint64_t)a->thresholds[expected] * numbers[n])
                expected--;
            a->sums[0] = sum;
            a->sums[1] = 65535u * numbers[n];
            a->sums[2] = 0;
            accumulator_mean(a, 0, 1, &mean);
            CHECK(mean == (0xff00ff00u | expected));
        }
    }
}

static void check_single(struct accumulator *a) {
    uint32_t pixel = 0xff8000ff, mean;
    accumulator_clear(a);
    for (uint32_t i = 0; i < ACCUMULATE_SAMPLES_MAX; i++)
        accumulator_add(a, i, 0, 1, &pixel, false, false);
    accumulator_set_samples(a, ACCUMULATE_SAMPLES_MAX);
    accumulator_mean(a, 0, 1, &mean);
    CHECK(mean == pixel);
    pixel = 0xff000000;
    accumulator_clear(a);
    accumulator_set_samples(a, 2);
    accumulator_add(a, 0, 0, 1, &pixel, false, false);
    pixel = 0xffffffff;
    accumulator_add(a, 1, 0, 1, &pixel, false, false);
    accumulator_mean(a, 0, 1, &mean);
    CHECK(mean == 0xffbcbcbc); /* half of the light of white is the byte 188 */
}

/* --- samples --- */

static void check_offsets(void) {
    int x, y;
    accumulate_offset(0, &x, &y);
    CHECK(x == 0 && y == 0);
    for (int m = 1; m <= 8; m++)
        for (int wide = 0; wide <= m; wide++) { /* strips of 2^-wide by 2^(wide - m) */
            unsigned char seen[256] = {0};
            for (uint32_t i = 0; i < 1u << m; i++) {
                accumulate_offset(i, &x, &y);
                CHECK(abs(x) <= 32768 && abs(y) <= 32768);
                const int column = (x + 32768) >> (16 - wide), row = (y + 32768) >> (16 - m + wide);
                CHECK(!seen[row << wide | column]++);
            }
        }
}

/* Checks that a picture added in pieces, each with its neighbouring rows, gives the means of the
 * whole picture. */
static void check_pieces(void) {
    enum { W = 37, H = 29 };
    static uint32_t rgba[W * H], whole[W * H], pieces[W * H];
    unsigned long long state = 3;
    SCOPED_MADE(accumulator, a, W, H);
    SCOPED_MADE(accumulator, b, W, H);
    for (uint32_t sample = 0; sample < 40; sample++) {
        for (size_t i = 0; i < W * H; i++)
            rgba[i] = (uint32_t)random_next(&state) | 0xff000000u;
        accumulator_add(&a, sample, 0, H, rgba, false, false);
        for (int y = 0, rows = 1; y < H; y += rows, rows = 1 + (rows * 5 + 3) % 7) {
            rows = rows < H - y ? rows : H - y;
            accumulator_add(&b, sample, y, rows, rgba + (size_t)y * W, y > 0, y + rows < H);
        }
        if (sample == 0) {
            accumulator_mean(&a, 0, H, whole);
            CHECK(memcmp(whole, rgba, sizeof whole) == 0);
        }
    }
    accumulator_set_samples(&a, 40);
    accumulator_set_samples(&b, 40);
    accumulator_mean(&a, 0, H, whole);
    accumulator_mean(&b, 0, 11, pieces);
    accumulator_mean(&b, 11, H - 11, pieces + (size_t)11 * W);
    CHECK(memcmp(whole, pieces, sizeof whole) == 0);
}

/* Checks the shares that a white pixel gives to its black neighbours. Sample n has a tent of the
 * width 1/sqrt(N), the distance between N samples. N is n + 1 rounded up to a power of two, at
 * least 16. A neighbour's share is the part of the tent beyond the common edge. */
static void check_shares(void) {
    static const uint32_t samples[] = {0,   1,   2,   3,   7,   12,   15,   16,  21,
                                       30,  31,  32,  45,  63,  64,   99,   127, 128,
                                       200, 255, 256, 511, 512, 1023, 1500, 4000};
    enum { SIDE = 5, MIDDLE = SIDE * 2 + 2 };
    uint32_t rgba[SIDE * SIDE];
    double lost = 0;
    int shared = 0;
    SCOPED_MADE(accumulator, a, SIDE, SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        rgba[i] = i == MIDDLE ? 0xffffffffu : 0xff000000u;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        int offset[2];
        double share[2], all = 0;
        accumulator_clear(&a);
        accumulator_add(&a, samples[i], 0, SIDE, rgba, false, false);
        for (int p = 0; p < SIDE * SIDE; p++)
            all += a.sums[3 * p];
        lost += 65535 - all;
        accumulate_offset(samples[i], &offset[0], &offset[1]);
        double apart = 0.25; /* [pixels] distance between samples */
        for (uint32_t n = 16; n < samples[i] + 1; n *= 2)
            apart /= M_SQRT2;
        for (int axis = 0; axis < 2; axis++) {
            const double distance = 0.5 - abs(offset[axis]) / 65536.0; /* to the edge */
            const double beyond = distance < apart ? (apart - distance) / apart : 0;
            share[axis] = beyond * beyond / 2;
        }
        const int across = offset[0] < 0 ? -1 : 1, down = offset[1] < 0 ? -1 : 1;
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                const double part_x = x == 0 ? 1 - share[0] : x == across ? share[0] : 0;
                const double part_y = y == 0 ? 1 - share[1] : y == down ? share[1] : 0;
                const double got = a.sums[3 * (MIDDLE + SIDE * y + x)];
                if (fabs(got - 65535 * part_x * part_y) > 3)
                    printf("sample %u: the pixel at %d, %d gets %.0f, not %.1f\n", samples[i], x, y,
                           got, 65535 * part_x * part_y);
                CHECK(fabs(got - 65535 * part_x * part_y) <= 3);
                shared += (x || y) && got > 0;
            }
    }
    CHECK(shared > 5);
    CHECK(fabs(lost) < 3); /* by rounding; by cutting it would be about 1 a share */
}

/* --- error of few samples --- */

static const struct {
    const char *name, *re, *im, *zoom;
    uint32_t limit;
} views[] = {
    {"whole set", "-0.5", "0", "1.5", 500},
    {"seahorse valley", "-0.7463", "0.1102", "400", 2000},
    {"elephant valley", "0.29245", "0.01485", "350", 2000},
    {"filaments", "-1.7685374", "0.0017", "300", 700},
    {"dense spirals", "-0.7436447860", "0.1318252536", "1500", 1500},
    {"needle", "-0.1011", "0.9563", "5000", 500},
};

static struct backend *backend;

static void draw(struct frame_req *req, int x, int y, uint32_t *rgba) {
    struct backend_report report;
    req->offset_x = x;
    req->offset_y = y;
    CHECK(backend_draw(backend, req, &(struct target){.rgba = rgba}, NULL, NULL, &report));
}

/* Computes the mean of a grid of `side` x `side` samples, each of which counts only for its own
 * pixel. */
static void draw_grid(struct frame_req *req, int side, uint32_t *mean) {
    static uint32_t rgba[PIXELS];
    SCOPED_MADE(accumulator, a, WIDTH, HEIGHT);
    for (int i = 0; i < side * side; i++) {
        draw(req, (2 * (i % side) + 1 - side) * 32768 / side,
             (2 * (i / side) + 1 - side) * 32768 / side, rgba);
        accumulator_add(&a, 0, 0, HEIGHT, rgba, false, false);
    }
    accumulator_set_samples(&a, (uint32_t)(side * side));
    accumulator_mean(&a, 0, HEIGHT, mean);
}

/* Draws our samples; means[k] gets the mean of the first 2^k samples, up to 2^8. */
static void draw_ours(struct frame_req *req, uint32_t (*means)[PIXELS]) {
    static uint32_t rgba[PIXELS];
    SCOPED_MADE(accumulator, a, WIDTH, HEIGHT);
    for (uint32_t i = 0, k = 0; i < GRID * GRID; i++) {
        int x, y;
        accumulate_offset(i, &x, &y);
        draw(req, x, y, rgba);
        accumulator_add(&a, i, 0, HEIGHT, rgba, false, false);
        if (i + 1 != 1u << k)
            continue;
        accumulator_set_samples(&a, i + 1);
        accumulator_mean(&a, 0, HEIGHT, means[k++]);
    }
}

static double psnr(const uint32_t *a, const uint32_t *b) {
    double squares = 0;
    for (size_t i = 0; i < PIXELS; i++)
        for (int shift = 0; shift < 24; shift += 8) {
            const double d = (double)(a[i] >> shift & 0xff) - (double)(b[i] >> shift & 0xff);
            squares += d * d;
        }
    return 10 * log10(255.0 * 255.0 * 3 * PIXELS / squares);
}

static void check_view(size_t i) {
    static uint32_t reference[PIXELS], grid[PIXELS], coarse[PIXELS], ours[9][PIXELS];
    const char *why;
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    req.limit = views[i].limit;
    req.reuse = false;
    CHECK(view_set_centre(&req.view, views[i].re, views[i].im, 0, &why));
    CHECK(view_set_zoom(&req.view, views[i].zoom, &why));
    draw_grid(&req, GRID, reference);
    draw_grid(&req, 4, grid);
    draw_grid(&req, 2, coarse);
    draw_ours(&req, ours);
    printf("%-16s against a grid of 256: 4x4 %.2f dB, ours 16 %.2f; 2x2 %.2f, ours 4 %.2f; ours 2 "
           "%.2f, 8 "
           "%.2f, 32 %.2f, 64 %.2f, 256 %.2f\n",
           views[i].name, psnr(grid, reference), psnr(ours[4], reference), psnr(coarse, reference),
           psnr(ours[2], reference), psnr(ours[1], reference), psnr(ours[3], reference),
           psnr(ours[5], reference), psnr(ours[6], reference), psnr(ours[8], reference));
    printf("%-16s against our own 256: 4x4 %.2f dB, ours 16 %.2f\n", "", psnr(grid, ours[8]),
           psnr(ours[4], ours[8]));
    CHECK(psnr(ours[4], reference) > psnr(grid, reference));
    CHECK(psnr(ours[4], ours[8]) > psnr(grid, ours[8]));
    for (int k = 1; k < 9; k++)
        CHECK(psnr(ours[k], reference) > psnr(ours[k - 1], reference));
}

int main(void) {
    SCOPED_MADE(accumulator, a, 1, 1);
    check_light(&a);
    check_means(&a);
    check_single(&a);
    check_offsets();
    check_pieces();
    check_shares();
    const struct backend_options options = {.cpumask = ~0u};
    backend = backend_open(backends_all, NULL, &options);
    CHECK(backend);
    for (size_t i = 0; backend && i < sizeof views / sizeof *views; i++)
        check_view(i);
    backend_close(backend);
    if (failures == 0)
        puts("all passed");
    return failures != 0;
}
