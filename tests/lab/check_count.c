/* Counting (lab/count/count.h) and seed 000's picture (lab/classic/classic_draw.h), compared
 * exactly with plain loops: every instruction set and number type, with and without shortcuts, at
 * awkward sizes and limits. usage: check_count [SEED] */
#include "cpu/cpuid.h"
#include "lab/classic/classic_draw.h"
#include "lab/classic/plain_classic.h"
#include "lab/count/count.h"
#include "render/backends.h"
#include "tests/shared/judge.h"
#include "tests/shared/random.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_MOST 700
#ifdef TEST_SANITIZED
#define TURNS 12
#else
#define TURNS 24
#endif

static int failures;

static bool never(void) {
    return false;
}

static uint32_t judge(const struct count_job *job, int x, int y) {
    return job->type == TYPE_FLOAT ? judge_count_float(false, ((const float *)job->re)[x],
                                                       ((const float *)job->im)[y], job->limit)
                                   : judge_count_double(false, ((const double *)job->re)[x],
                                                        ((const double *)job->im)[y], job->limit);
}

/* Coordinates of columns or rows, in both types. */
struct line {
    float f32[SIDE_MOST];
    double f64[SIDE_MOST];
};

/* Moves a number next to `value` to it, so that the order stays. */
static void pass_through(struct line *line, int count, double value) {
    for (int i = 1; i < count; i++)
        if (line->f64[i - 1] < value && line->f64[i] > value) {
            line->f64[i] = value;
            line->f32[i] = (float)value;
        }
}

static void fill_line(struct line *line, int count, double centre, double span) {
    for (int i = 0; i < count; i++) {
        const double x = centre + span * ((i + 0.5) / count - 0.5);
        line->f64[i] = fabs(x) < 0x1p-40 ? 0 : x;
        line->f32[i] = (float)line->f64[i];
    }
    pass_through(line, count, -2);
    pass_through(line, count, 0);
}

static uint32_t order_seen[SIDE_MOST]; /* number of reports per row */

static void note_row(void *user, int row, const uint32_t *count) {
    const struct count_job *job = user;
    order_seen[row]++; /* only one thread reports a row */
    if (memcmp(count, job->count + (size_t)row * (size_t)job->width_px,
               (size_t)job->width_px * sizeof *count) != 0)
        order_seen[row] = 1000;
}

static void compare(const struct count_job *job) {
    uint32_t wrong = 0;
    for (int y = 0; y < job->height_px; y++) {
        if (order_seen[y] != 1)
            wrong++;
        for (int x = 0; x < job->width_px; x++)
            wrong += job->count[(size_t)y * (size_t)job->width_px + (size_t)x] != judge(job, x, y);
    }
    if (wrong) {
        printf("%dx%d, limit %" PRIu32 ", type %d, shortcuts %u, flags %" PRIu32
               ", %d threads: %" PRIu32 " wrong\n",
               job->width_px, job->height_px, job->limit, job->type, job->shortcuts, job->cpu_flags,
               job->threads, wrong);
        failures++;
    }
}

/* Draws a random picture in every way. */
static void check_picture(int turn) {
    static struct line columns, rows;
    static uint32_t counts[SIDE_MOST * 64];
    static const uint32_t limits[] = {0, 1, 2, 3, 6, 7, 8, 15, 16, 17, 39, 40, 41, 255, 300, 1000};
    static const uint32_t masks[] = {0, CPU_FMA, CPU_FMA | CPU_AVX2, ~0u};
    const int width =
        turn % 3 == 0 ? 1 + (int)(random_bits() % 70) : 1 + (int)(random_bits() % SIDE_MOST);
    const int height = 1 + (int)(random_bits() % 64);
    const double span = turn % 2 ? 4 : random_between(0.001, 1);
    fill_line(&columns, width, turn % 2 ? -0.6 : random_between(-2.1, 0.6), span);
    fill_line(&rows, height, turn % 2 ? 0 : random_between(-1.2, 1.2), span);
    for (int k = 0; k < 4 * 2 * TYPE_NATIVE_COUNT; k++) {
        struct count_job job = {.width_px = width,
                                .height_px = height,
                                .type = (enum number_type)(k % TYPE_NATIVE_COUNT),
                                .shortcuts = (unsigned)(random_bits() % (SHORTCUTS_ALL + 1)),
                                .limit = limits[random_bits() % (sizeof limits / sizeof *limits)],
                                .cpu_flags = cpu_flags(masks[k / (2 * TYPE_NATIVE_COUNT)]),
                                .threads = 1 + (int)(random_bits() % 3),
                                .stop = never,
                                .count = counts,
                                .row_done = note_row};
        job.re = job.type == TYPE_FLOAT ? (void *)columns.f32 : (void *)columns.f64;
        job.im = job.type == TYPE_FLOAT ? (void *)rows.f32 : (void *)rows.f64;
        job.user = &job;
        memset(counts, 0xff, sizeof counts);
        memset(order_seen, 0, sizeof order_seen);
        if (!count_draw(&job))
            failures++;
        compare(&job);
    }
}

/* --- seed 000's picture --- */

struct picture {
    int width;
    uint8_t *rgb;
    int *seen;
};

static bool keep(void *user, int first, int rows, const uint8_t *rgb) {
    const struct picture *p = user;
    const size_t row = 3 * (size_t)p->width;
    memcpy(p->rgb + row * (size_t)first, rgb, row * (size_t)rows);
    for (int f = first; f < first + rows; f++)
        p->seen[f]++;
    return true;
}

static bool same_picture(const struct picture *p, const struct plain_classic *plain) {
    const size_t row = 3 * (size_t)plain->width;
    for (int f = 0; f < plain->height; f++)
        if (p->seen[f] != 1 ||
            memcmp(p->rgb + row * (size_t)f, plain->row_ptrs[plain->height - 1 - f], row) != 0)
            return false;
    return true;
}

static void check_classic(int width, int height) {
    struct plain_classic plain;
    struct classic_picture classic;
    struct picture picture = {.width = width};
    picture.rgb = malloc(3 * (size_t)width * (size_t)height);
    picture.seen = malloc((size_t)height * sizeof *picture.seen);
    if (!plain_classic_alloc(&plain, width, height) ||
        !classic_picture_init(&classic, width, height) || !picture.rgb || !picture.seen)
        exit(1);
    plain_classic_calculate(&plain);
    plain_classic_map(&plain);
    for (const struct backend_impl *const *impl = backends_all; *impl; impl++) {
        const struct backend_options options = {.threads = 2, .cpumask = ~0u};
        const char *why;
        if (!(*impl)->automatic || !(*impl)->usable(&options, &why))
            continue;
        struct classic_device *device =
            classic_device_create(backends_all, (*impl)->name, &options, &classic);
        for (int k = 0; k < 4; k++) {
            const struct classic_job job = {.classic = &classic,
                                            .shortcuts = k & 1 ? SHORTCUTS_ALL : SHORTCUTS_NONE,
                                            .mirror = k & 2,
                                            .stop = never,
                                            .take = keep,
                                            .user = &picture};
            struct classic_times times;
            memset(picture.seen, 0, (size_t)height * sizeof *picture.seen);
            memset(picture.rgb, 0xaa, 3 * (size_t)width * (size_t)height);
            if (!device || !classic_draw(device, &job, &times) || !same_picture(&picture, &plain)) {
                printf("seed 000, %dx%d on %s, way %d: not the same\n", width, height,
                       (*impl)->name, k);
                failures++;
            }
        }
        classic_device_destroy(device);
    }
    plain_classic_free(&plain);
    classic_picture_finish(&classic);
    free(picture.rgb);
    free(picture.seen);
}

int main(int argc, char **argv) {
    static const int sizes[][2] = {{1, 1},     {1, 2},     {2, 1},    {2, 2},   {3, 3},
                                   {5, 4},     {4, 5},     {16, 9},   {63, 65}, {1000, 37},
                                   {37, 1000}, {512, 512}, {513, 511}};
    random_seed(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
    for (int turn = 0; turn < TURNS; turn++)
        check_picture(turn);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_classic(sizes[i][0], sizes[i][1]);
    puts(failures ? "FAILED" : "all the same");
    return failures != 0;
}
