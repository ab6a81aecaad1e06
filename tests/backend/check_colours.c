/* How samples are coloured, on every backend: mappings of counts against their formulas in long
 * doubles, pictures against the plainest backend and against checksums that must stay.
 * usage: check_colours [NAME]   (77: NAME cannot run on this machine) */
#include "render/palette.h"
#include "tests/shared/pictures.h"
#include <math.h>

#define WIDTH  320
#define HEIGHT 200

static const struct place places[] = {
    {"-0.5", "0", "1.5", 0, 300},
    {"-0.743643887037151", "0.131825904205330", "30000", 0, 3000},
    {"-1.768778833", "-0.001738996", "2000", 30, 2000},
};
#define PLACES (sizeof places / sizeof *places)

static uint64_t checksum(const struct picture *picture) {
    uint64_t sum = 0xcbf29ce484222325u; /* FNV-1a over words */
    for (size_t i = 0; i < picture->pixels; i++)
        sum = (sum ^ picture->target.rgba[i]) * 0x100000001b3u;
    return sum;
}

/* --- mappings --- */

static long double mapped(enum colour_mapping mapping, long double n) {
    return mapping == MAPPING_SQRT ? 128 * (sqrtl(1 + n / 64) - 1) : 64 * logl(1 + n / 64);
}

/* Each is the nearest in units of 2^-16, but for a thousandth of one, wherever a phase lies. */
static bool check_mappings(void) {
    subject = "mappings";
    for (uint64_t step = 1, phase = (uint64_t) - (16 << 16); phase + (16 << 16) < UINT64_C(1) << 47;
         phase += step) {
        const long double n = (long double)(int64_t)phase / 65536;
        const int64_t root = (int64_t)colour_map_sqrt(phase);
        const int64_t logarithm = (int64_t)colour_map_log(phase);
        CHECK(fabsl((long double)root - 65536 * mapped(MAPPING_SQRT, n)) < 0.501L);
        CHECK(fabsl((long double)logarithm - 65536 * mapped(MAPPING_LOG, n)) < 0.501L);
        if (phase + (16 << 16) > 5000000)
            step = phase / 100003 + 1;
    }
    CHECK(colour_map_sqrt(0) == 0 && colour_map_log(0) == 0);
    return true;
}

/* The colour as its definition has it, from the sample alone. */
static uint32_t defined(const struct colouring *colouring, uint32_t count, float fraction) {
    if (count & SAMPLE_INTERIOR)
        return colouring->interior;
    long double n = count;
    if (colouring->smooth)
        n += truncl((long double)fraction * 65536) / 65536;
    const int64_t phase = colouring->mapping == MAPPING_LINEAR
                              ? (int64_t)(n * 65536)
                              : llroundl(65536 * mapped(colouring->mapping, n));
    const uint64_t turn = (uint64_t)phase * colouring->frequency + colouring->offset;
    return colouring->table[(turn >> 32) & (COLOUR_TABLE_SIZE - 1)];
}

static bool is_defined(const struct picture *picture, const struct colouring *colouring) {
    size_t others = 0;
    for (size_t i = 0; i < picture->pixels; i++)
        others += picture->target.rgba[i] != defined(colouring, picture->target.planes.count[i],
                                                     picture->target.planes.fraction[i]);
    if (others > 3) /* a rounding may be another one where it is close */
        printf("%s: %zu of %zu pixels are not what was defined\n", subject, others,
               picture->pixels);
    return others <= 3;
}

/* --- pictures --- */

static bool check_mapped(struct backend *backend, struct backend *judge) {
    static const uint64_t golden[MAPPING_COUNT] = {0xbf1eca957df5d7ca, 0x6da7fc31473a5d0,
                                                   0x59bae5b3028f3d2f};
    struct frame_req req;
    struct picture shown, want;
    frame_req_init(&req, WIDTH, HEIGHT);
    picture_init(&shown, WIDTH, HEIGHT);
    picture_init(&want, WIDTH, HEIGHT);
    bool ok = true;
    for (size_t i = 0; ok && i < PLACES * MAPPING_COUNT * 2; i++) {
        const enum colour_mapping mapping = (enum colour_mapping)(i / 2 % MAPPING_COUNT);
        set_place(&req, &places[i / 2 / MAPPING_COUNT]);
        colouring_set(&req.colouring, palette_builtin(i % palette_builtin_count()), 1 + (double)i,
                      0.05 * (double)i);
        req.colouring.smooth = req.colouring.smooth && i % 2 == 0;
        req.colouring.mapping = mapping;
        req.generation++;
        ok = judge_draw(judge, &req, &want) && draw(backend, &req, &shown) &&
             same(&want, &shown, "mapped") && is_defined(&want, &req.colouring);
        if (ok && i / 2 / MAPPING_COUNT == 1 && i % 2 == 0 && checksum(&shown) != golden[mapping]) {
            printf("%s: mapping %d has the checksum %#llx\n", subject, (int)mapping,
                   (unsigned long long)checksum(&shown));
            ok = false;
        }
    }
    picture_finish(&shown);
    picture_finish(&want);
    frame_req_finish(&req);
    return ok;
}

static bool check_backend(const char *name) {
    subject = name;
    struct backend *backend = open_ready(name, plain), *judge = open_judge();
    const bool ok = backend && judge && check_mapped(backend, judge);
    backend_close(backend);
    backend_close(judge);
    return ok;
}

int main(int argc, char **argv) {
    if (!check_mappings())
        return 1;
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_backend, "colour as it is defined");
}
