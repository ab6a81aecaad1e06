/* GPU counting programs, compared with plain loops on the CPU: fathom's and those of the seeds,
 * their pictures of bytes, and the vector additions. Skipped without a device. usage:
 * check_gpu_count [quick]     (quick: small pictures only, for the sanitizer) */
#include "lab/gpu/gpu.h"
#include "tests/shared/check.h"
#include "tests/shared/judge.h"
#include <math.h>
#include <stdbool.h>

#define LIMIT_MOST  1000
#define SKIPPED     77
#define PINNED_MOST (1 << 20) /* maximum bytes of a picture */

static const uint32_t limits[] = {0, 1, 2, 3, 4, 7, 8, 9, 14, 15, 16, 32, 33, 255, 256, LIMIT_MOST};
#define LIMITS (sizeof limits / sizeof limits[0])

static const int sizes[][2] = {{1, 1},    {7, 5},    {33, 17},  {32, 32},
                               {1000, 3}, {64, 256}, {515, 257}};
#define SIZES       (sizeof sizes / sizeof sizes[0])
#define SIZES_QUICK 3

/* Places: the whole set with its real axis; around c = -2, which never escapes; around |c| = 2
 * elsewhere; long orbits. */
static const struct scene {
    double re, im, wide;
} scenes[] = {
    {-0.5, 0, 3.5}, {-2, 0, 0x1p-6}, {1.4142135, 1.4142135, 0x1p-8}, {-0.7453, 0.1127, 0.01}};
#define SCENES (sizeof scenes / sizeof scenes[0])

/* Coordinates, and counts at LIMIT_MOST. */
struct picture {
    int width, height;
    enum number_type type;
    void *re, *im;
    uint32_t *truth, *count;
};

/* Counts by seed 004's rule. */
static uint32_t iter_count(float cx, float cy, uint32_t limit) {
    uint32_t result = 0;
    float x = 0, y = 0, xx = 0, yy = 0;
    while (xx + yy <= 4.0f && result < limit) {
        xx = x * x;
        yy = y * y;
        const float next = xx - yy + cx;
        y = 2.0f * x * y + cy;
        x = next;
        result++;
    }
    return result;
}

static void store(struct picture *p, void *table, int i, double value) {
    if (p->type == TYPE_FLOAT)
        ((float *)table)[i] = (float)value;
    else
        ((double *)table)[i] = value;
}

static uint32_t truth_at(const struct picture *p, int x, int y) {
    return p->type == TYPE_FLOAT
               ? judge_count_float(false, ((float *)p->re)[x], ((float *)p->im)[y], LIMIT_MOST)
               : judge_count_double(false, ((double *)p->re)[x], ((double *)p->im)[y], LIMIT_MOST);
}

static void picture_init(struct picture *p, const int size[2], const struct scene *scene,
                         enum number_type type) {
    *p = (struct picture){size[0], size[1], type, NULL, NULL, NULL, NULL};
    const size_t pixels = (size_t)p->width * (size_t)p->height;
    p->re = malloc((size_t)p->width * sizeof(double));
    p->im = malloc((size_t)p->height * sizeof(double));
    p->truth = malloc(pixels * sizeof *p->truth);
    p->count = malloc(pixels * sizeof *p->count);
    if (!p->re || !p->im || !p->truth || !p->count)
        exit(1);
    for (int x = 0; x < p->width; x++)
        store(p, p->re, x, scene->re + (x - p->width / 2) * (scene->wide / p->width));
    for (int y = 0; y < p->height; y++)
        store(p, p->im, y, scene->im + (y - p->height / 2) * (scene->wide / p->height));
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            p->truth[y * p->width + x] = truth_at(p, x, y);
}

static void picture_finish(struct picture *p) {
    free(p->re);
    free(p->im);
    free(p->truth);
    free(p->count);
}

static uint32_t limited(uint32_t truth, uint32_t limit) {
    return truth > limit ? 0 : truth;
}

static uint32_t expected(const struct picture *p, const struct gpu_job *job, int x, int y) {
    if (job->program >= GPU_HYBRIDIZER_LINES)
        return iter_count(((float *)p->re)[x], ((float *)p->im)[y], job->limit);
    return limited(p->truth[y * p->width + x], job->limit);
}

/* Runs a job and compares its counts; at most `allowed` pixels may differ. */
static void check_job(struct lab_gpu *gpu, struct picture *p, const struct gpu_job *job,
                      int allowed) {
    struct gpu_times times;
    int wrong = 0, first = -1;
    memset(p->count, 0xa5, (size_t)p->width * (size_t)p->height * sizeof *p->count);
    CHECK(lab_gpu_count(gpu, job, &times));
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            if (p->count[y * p->width + x] != expected(p, job, x, y)) {
                first = first < 0 ? y * p->width + x : first;
                wrong++;
            }
    if (wrong > allowed) {
        printf(
            "program %d: %d of %dx%d pixels are wrong (limit %u, type %d, shortcuts %u), the first "
            "at %d, %d: %u, should be %u\n",
            job->program, wrong, p->width, p->height, job->limit, job->type, job->shortcuts,
            first % p->width, first / p->width, p->count[first],
            expected(p, job, first % p->width, first / p->width));
        failures++;
    }
}

static void check_picture(struct lab_gpu *gpu, struct picture *p, bool quick) {
    for (int program = 0; program < GPU_PROGRAM_COUNT; program++)
        for (size_t l = quick ? 1 : 0; l < LIMITS; l += quick ? 5 : 1) {
            struct gpu_job job = {.program = (enum gpu_program)program,
                                  .type = p->type,
                                  .width_px = p->width,
                                  .height_px = p->height,
                                  .re = p->re,
                                  .im = p->im,
                                  .limit = limits[l],
                                  .fresh = l % 2,
                                  .count = p->count};
            const bool paper = program == GPU_PAPER || program == GPU_PAPER_TYPED;
            if ((program >= GPU_HYBRIDIZER_LINES && p->type != TYPE_FLOAT) ||
                (limits[l] == 0 && program != GPU_OURS))
                continue;
            /* The compiler chooses how to fuse listing 7, so a few orbits diverge, and many in the
             * long run. */
            if (paper && limits[l] > 256 && job.type == TYPE_FLOAT)
                continue;
            if (paper) {
                job.block_x = 1 + (int)l;
                job.block_y = 16 - (int)l;
            }
            check_job(gpu, p, &job, paper ? 2 + p->width * p->height / 20 : 0);
            if (program != GPU_OURS)
                continue;
            job.shortcuts = SHORTCUTS_CARDIOID;
            check_job(gpu, p, &job, 0);
        }
}

static void check_pictures(struct lab_gpu *gpu, bool quick) {
    for (int type = 0; type < TYPE_NATIVE_COUNT; type++)
        for (size_t s = 0; s < (quick ? SIZES_QUICK : SIZES); s++)
            for (size_t i = 0; i < (quick || s == SIZES - 1 ? 2 : SCENES); i++) {
                SCOPED(picture, p, sizes[s], &scenes[i], (enum number_type)type);
                check_picture(gpu, &p, quick);
            }
}

/* Fills the table of seed 000's colours by count. */
static void fill_table(uint32_t table[256]) {
    static const uint32_t colours[16] = {0x0f1e42, 0x1a0719, 0x2f0109, 0x490404, 0x640700, 0x8a2c0c,
                                         0xb15218, 0xd17d39, 0xe5b586, 0xf8ecd3, 0xbfe9f1, 0x5fc9f8,
                                         0x00aaff, 0x0080cc, 0x005799, 0x03346a};
    for (int i = 0; i < 256; i++)
        table[i] = i == 0 || i == 255 ? 0 : colours[i % 16];
}

static void put(uint8_t *rgb, uint32_t colour) {
    for (int k = 0; k < 3; k++)
        rgb[k] = (uint8_t)(colour >> 8 * k);
}

/* Runs the seed's kernels on its own picture. They must give the CPU's bytes, except where pow(x,
 * 2) is rounded differently from a product. */
static void check_classic_seed(struct lab_gpu *gpu, int side) {
    const size_t bytes = 3 * (size_t)side * (size_t)side;
    const double scale = 4.0 / side;
    uint8_t *truth = malloc(bytes), *rgb = malloc(bytes);
    uint32_t table[256];
    if (!truth || !rgb)
        exit(1);
    fill_table(table);
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            const uint32_t n = limited(judge_count_double(false, (j - side / 2) * scale - 0.6,
                                                          (i - side / 2) * scale, LIMIT_MOST),
                                       255);
            put(truth + 3 * ((size_t)side * (size_t)(side - 1 - i) + (size_t)j), table[n]);
        }
    for (int which = 0; which < GPU_CLASSIC_COUNT; which++) {
        struct gpu_times times;
        size_t wrong = 0;
        memset(rgb, 0xa5, bytes);
        CHECK(lab_gpu_classic(gpu, (enum gpu_classic)which, side, rgb, &times));
        for (size_t k = 0; k < bytes; k++)
            wrong += rgb[k] != truth[k];
        printf("classic version %d, side %d: %zu of %zu bytes differ\n", which + 1, side, wrong,
               bytes);
        CHECK(wrong <= bytes / 1000);
    }
    free(truth);
    free(rgb);
}

/* Checks bytes from a table, in bands. */
static void check_bytes(struct lab_gpu *gpu, struct picture *p, uint32_t limit, unsigned shortcuts,
                        int band) {
    const size_t row_bytes = 3 * (size_t)p->width;
    uint8_t *rgb = malloc(row_bytes * (size_t)p->height);
    uint8_t *pinned = lab_gpu_pinned(gpu, PINNED_MOST);
    uint32_t table[256];
    size_t wrong = 0;
    CHECK(pinned && rgb);
    if (!pinned || !rgb)
        exit(1);
    for (uint32_t i = 0; i < 256; i++)
        table[i] = i * 0x9e3779b1u & 0xffffff;
    table[0] = 0x123456;
    for (int y = 0; y < p->height; y += band) {
        const int rows = p->height - y < band ? p->height - y : band;
        uint8_t *out = y % 2 ? pinned : rgb + row_bytes * (size_t)y;
        struct gpu_times times;
        memset(out, 0xa5, row_bytes * (size_t)rows);
        const struct gpu_job job = {.program = GPU_OURS,
                                    .type = TYPE_DOUBLE,
                                    .width_px = p->width,
                                    .height_px = rows,
                                    .re = p->re,
                                    .im = (double *)p->im + y,
                                    .limit = limit,
                                    .shortcuts = shortcuts,
                                    .table = table};
        CHECK(lab_gpu_count(gpu, &job, &times));
        CHECK(lab_gpu_copy(gpu, row_bytes * (size_t)rows, out));
        if (y % 2)
            memcpy(rgb + row_bytes * (size_t)y, out, row_bytes * (size_t)rows);
    }
    for (int i = 0; i < p->width * p->height; i++) {
        const uint32_t n = limited(p->truth[i], limit);
        uint8_t right[3];
        put(right, table[n < 256 ? n : 0]);
        wrong += memcmp(right, rgb + 3 * i, 3) != 0;
    }
    if (wrong > 0) {
        printf("bytes: %zu of %dx%d pixels are wrong (limit %u, shortcuts %u, bands of %d)\n",
               wrong, p->width, p->height, limit, shortcuts, band);
        failures++;
    }
    free(rgb);
}

static void check_tables(struct lab_gpu *gpu, bool quick) {
    static const int shapes[][2] = {{1, 1},   {7, 5},   {34, 17},   {70, 40},
                                    {64, 33}, {36, 70}, {515, 257}, {1028, 96}};
    static const uint32_t some[] = {0, 1, 3, 15, 16, 17, 40, 254, 255, 256, LIMIT_MOST};
    for (size_t s = 0; s < (quick ? 5 : sizeof shapes / sizeof shapes[0]); s++) {
        SCOPED(picture, p, shapes[s], &scenes[s % 2], TYPE_DOUBLE);
        for (size_t l = 0; l < sizeof some / sizeof some[0]; l += quick ? 3 : 1)
            check_bytes(gpu, &p, some[l], l % 2 ? SHORTCUTS_CARDIOID : SHORTCUTS_NONE,
                        l % 3 ? p.height : 1 + p.height / 3);
    }
}

static void check_sums(struct lab_gpu *gpu, bool quick) {
    static const size_t elements[] = {1, 2, 3, 2047, 2048, 100003, 5000001};
    for (int which = 0; which < GPU_ADD_COUNT; which++)
        for (size_t i = 0; i < (quick ? 5 : sizeof elements / sizeof elements[0]); i++) {
            double gb_per_s = 0;
            CHECK(lab_gpu_add(gpu, (enum gpu_add)which, elements[i], &gb_per_s));
            CHECK(gb_per_s > 0);
        }
    for (int type = 0; type < TYPE_NATIVE_COUNT; type++) {
        double per_s = 0;
        CHECK(quick || (lab_gpu_peak(gpu, (enum number_type)type, &per_s) && per_s > 0));
    }
}

int main(int argc, char **argv) {
    const bool quick = argc > 1 && strcmp(argv[1], "quick") == 0;
    struct lab_gpu *gpu = lab_gpu_create(NULL);
    if (!gpu)
        return SKIPPED;
    printf("%s, %d multiprocessors\n", lab_gpu_name(gpu), lab_gpu_processors(gpu));
    check_pictures(gpu, quick);
    check_classic_seed(gpu, quick ? 48 : 64);
    if (!quick)
        check_classic_seed(gpu, 512);
    check_sums(gpu, quick);
    check_tables(gpu, quick);
    lab_gpu_destroy(gpu);
    CHECK(!lab_gpu_create("999"));
    printf("%d failures\n", failures);
    return failures > 0;
}
