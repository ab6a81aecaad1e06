/* Colours by other planes than counts, on every backend. Each kind is compared with its definition
 * in long doubles, with the plainest backend's bytes, and with checksums that must stay. The basins
 * of Newton's method are compared with orbits of long doubles. The histogram mapping is tested too.
 * usage: check_colour_by [NAME]   (77: NAME cannot run on this machine) */
#include "render/files/scene.h"
#include "render/formula/trace.h"
#include "render/grid/coords.h"
#include "render/light/ranks.h"
#include "tests/shared/pictures.h"
#include <complex.h>
#include <math.h>

#define WIDTH  160
#define HEIGHT 100

static const struct place places[] = {
    {"-0.5", "0", "1.5", 0, 300},
    {"-0.743643887037151", "0.131825904205330", "30000", 0, 2000},
    {"-0.1592", "1.0317", "80", 30, 500},
};
#define PLACES (sizeof places / sizeof *places)

struct test {
    struct backend *backend, *judge;
    struct scene scene;
    struct frame_req req;
    struct picture shown, want;
    struct sample_planes more;
};

static void test_init(struct test *test, struct backend *backend, struct backend *judge) {
    *test = (struct test){.backend = backend, .judge = judge};
    scene_init(&test->scene);
    frame_req_init(&test->req, WIDTH, HEIGHT);
    picture_init(&test->shown, WIDTH, HEIGHT);
    picture_init(&test->want, WIDTH, HEIGHT);
    if (!sample_planes_init(&test->more, SAMPLE_ALL & ~SAMPLE_BASIC, test->want.pixels, "a test"))
        abort();
}

static void test_finish(struct test *test) {
    for (int p = 0; p < SAMPLE_PLANES; p++)
        if (!(SAMPLE_BASIC >> p & 1))
            test->want.target.planes.plane[p] = NULL;
    sample_planes_finish(&test->more);
    picture_finish(&test->shown);
    picture_finish(&test->want);
    frame_req_finish(&test->req);
    scene_finish(&test->scene);
}

static bool test_draw(struct test *test, const char *what) {
    const struct plan plan = {.type = TYPE_DOUBLE, .first_stride = 4};
    scene_request(&test->scene, WIDTH, HEIGHT, &plan, &test->req);
    test->req.generation++;
    for (int p = 0; p < SAMPLE_PLANES; p++)
        if (!(SAMPLE_BASIC >> p & 1))
            test->want.target.planes.plane[p] =
                test->req.planes >> p & 1 ? test->more.plane[p] : NULL;
    return judge_draw(test->judge, &test->req, &test->want) &&
           draw(test->backend, &test->req, &test->shown) && same(&test->want, &test->shown, what);
}

static void test_place(struct test *test, const struct place *place) {
    set_place(&test->req, place);
    view_assign(&test->scene.view, &test->req.view);
    test->scene.limit = test->req.limit;
}

static bool is_golden(const struct picture *picture, uint64_t golden, const char *what, int kind) {
    uint64_t sum = 0xcbf29ce484222325u; /* FNV-1a over words */
    for (size_t i = 0; i < picture->pixels; i++)
        sum = (sum ^ picture->target.rgba[i]) * 0x100000001b3u;
    if (sum != golden)
        printf("%s: %s %d has the checksum %#llx\n", subject, what, kind, (unsigned long long)sum);
    return sum == golden;
}

/* --- colours by definition --- */

static long double turns_of_phase(const struct scene *scene, long double counts) {
    return counts * (long double)scene->frequency / (long double)scene->palette->period;
}

/* Returns the turns of the palette for a value, without the offset. */
static long double turns_of(const struct scene *scene, int plane, const void *value) {
    uint32_t whole;
    float real;
    memcpy(&whole, value, sizeof whole);
    memcpy(&real, value, sizeof real);
    if (plane == SAMPLE_PLANE_angle)
        return whole / 4294967296.0L;
    if (plane == SAMPLE_PLANE_domain || plane == SAMPLE_PLANE_period || plane == SAMPLE_PLANE_atom)
        return fmodl(whole * 0.618033988749894848L, 1);
    if (plane == SAMPLE_PLANE_stripe || plane == SAMPLE_PLANE_triangle)
        return turns_of_phase(scene, 256 * (long double)real);
    return turns_of_phase(scene, 12 * (log2l((long double)real) + 128));
}

/* Returns true if the colour is the table's entry for `turns`, or one of its neighbours. */
static bool is_entry(const struct test *test, long double turns, uint32_t rgba) {
    const long double at = (turns + (long double)test->scene.offset) * COLOUR_TABLE_SIZE;
    bool any = false;
    for (int k = -1; k <= 1; k++) {
        const long long entry = (long long)floorl(at) + k;
        any |= test->req.colouring.table[(size_t)entry & (COLOUR_TABLE_SIZE - 1)] == rgba;
    }
    return any;
}

/* Returns true if the colour is that of the image at the caught point, or the count's colour where
 * the image is transparent or ends. */
static bool is_of_image(const struct test *test, size_t i) {
    const struct sample_planes *planes = &test->want.target.planes;
    const struct colouring *colouring = &test->req.colouring;
    const uint32_t place = planes->caught[i], rgba = test->want.target.rgba[i];
    const double half = test->scene.image_size * 32768 / 128; /* [2^-15] size of an image pixel */
    const double x = floor((int16_t)(place & 0xffffu) / half) + 128;
    const double y = 127 - floor((int16_t)(place >> 16) / half);
    uint32_t image = 0;
    if (place != TRACE_NOWHERE && x >= 0 && x < 256 && y >= 0 && y < 256)
        image = test->scene.image->rgba[(size_t)y * 256 + (size_t)x];
    return rgba == (image >> 31 ? image | COLOUR_ALPHA
                                : colour_of(colouring, colouring->table, planes->count[i],
                                            planes->fraction[i]));
}

/* Checks that all pixels with a value have its colour. Returns the number of pixels with a
 * value. */
static size_t count_defined(const struct test *test, bool inside, int plane, bool *ok) {
    const struct sample_planes *planes = &test->want.target.planes;
    size_t valued = 0, others = 0;
    for (size_t i = 0; i < test->want.pixels; i++) {
        const bool interior = planes->count[i] & SAMPLE_INTERIOR;
        uint32_t bits;
        memcpy(&bits, (const uint32_t *)planes->plane[plane] + i, sizeof bits);
        const bool has =
            inside ? bits > 0 && bits < 0x80000000u : !planes->distance || planes->distance[i] > 0;
        if (interior != inside || !has)
            continue;
        valued++;
        others +=
            plane == SAMPLE_PLANE_caught
                ? !is_of_image(test, i)
                : !is_entry(test, turns_of(&test->scene, plane, &bits), test->want.target.rgba[i]);
    }
    if (others > 0)
        printf("%s: by plane %d: %zu of %zu pixels are not what was defined\n", subject, plane,
               others, valued);
    *ok = *ok && others == 0;
    return valued;
}

static bool check_kind(struct test *test, enum colour_by by, enum colour_inside inside,
                       uint64_t golden) {
    bool ok = true;
    test->scene.by = by;
    test->scene.inside = inside;
    if (!test_draw(test, inside == INSIDE_ONE ? "colours by a plane" : "the interior by a plane"))
        return false;
    const bool of_inside = inside != INSIDE_ONE;
    const int plane = (int)(of_inside ? inside_plane(inside) : by_plane(by));
    const size_t valued = count_defined(test, of_inside, plane, &ok);
    if (valued < test->want.pixels / 20) {
        printf("%s: by plane %d: only %zu pixels have it\n", subject, plane, valued);
        ok = false;
    }
    return is_golden(&test->shown, golden, of_inside ? "the interior by" : "colours by",
                     (int)(of_inside ? inside : by)) &&
           ok;
}

static bool check_kinds(struct test *test) {
    static const uint64_t golden_by[BY_KINDS] = {0,
                                                 0xb509aa9f33e66321,
                                                 0x6e4cd5dcf444a18c,
                                                 0x80b67e61c13ff886,
                                                 0xd8d7c0911302a877,
                                                 0x6739bf13553a8b1d,
                                                 0xd0c1d955466bb389,
                                                 0x300051d7e2abb0d5,
                                                 0x64b3ad7c13e2f608,
                                                 0x9de8ce7f5c3b695,
                                                 0x9ae386132a91a61c},
                          golden_inside[INSIDE_KINDS] = {0, 0x758a0ae9346e6fbd, 0x904ef9f286040ead,
                                                         0xfd1f9cb999cd1bdd, 0x918e07782eec0499};
    bool ok = true;
    for (int by = BY_COUNT + 1; by < BY_IMAGE; by++) {
        test_place(test, &places[(size_t)by % PLACES]);
        test->scene.frequency = 1 + 0.25 * by;
        test->scene.offset = 0.05 * by;
        ok = check_kind(test, (enum colour_by)by, INSIDE_ONE, golden_by[by]) && ok;
    }
    for (int inside = INSIDE_ONE + 1; inside < INSIDE_KINDS; inside++) {
        test_place(test, &places[0]);
        ok = check_kind(test, BY_COUNT, (enum colour_inside)inside, golden_inside[inside]) && ok;
    }
    test_place(test, &places[1]);
    return check_kind(test, BY_IMAGE, INSIDE_ONE, golden_by[BY_IMAGE]) && ok;
}

/* --- basins --- */

/* Returns the number of the root of z^roots = 1 to which Newton's method converges from z, or -1 if
 * it does not converge within 500 steps. */
static int root_of(long double complex z, int roots) {
    for (int n = 0; n < 500; n++) {
        long double complex before = z, product = 1;
        for (int k = 1; k < roots; k++)
            product *= z;
        z -= (product * z - 1) / (roots * product);
        if (cabsl(z - before) < 1e-12L) {
            const long double turn = cargl(z) / (2 * acosl(-1)) * roots;
            return (int)((lroundl(turn) + roots) % roots);
        }
    }
    return -1;
}

static bool check_basins(struct test *test, int roots) {
    static const struct place place = {"0.013", "-0.021", "1.1", 0, 200};
    test_place(test, &place);
    test->scene.fractal.formula = FORMULA_newton;
    test->scene.fractal.power = (uint32_t)roots - 1;
    test->scene.by = BY_ANGLE;
    test->scene.inside = INSIDE_ONE;
    bool ok = test_draw(test, "basins");
    size_t judged = 0, others = 0;
    struct coords coords;
    if (!ok || !coords_init(&coords, &test->req))
        return false;
    for (size_t i = 0; i < test->want.pixels; i++) {
        if (test->want.target.planes.count[i] & SAMPLE_INTERIOR)
            continue;
        double re, im;
        coords_point_double(coords.f64, coords.layout, WIDTH, (uint32_t)(i % WIDTH),
                            (uint32_t)(i / WIDTH), &re, &im);
        const int root = root_of((long double)re + (long double)im * (long double complex)I, roots);
        const double turn = test->want.target.planes.angle[i] / 4294967296.0 * roots;
        judged++;
        others += root < 0 || fabs(turn - round(turn)) > 1e-4 || (int)round(turn) % roots != root;
    }
    coords_finish(&coords);
    if (others * 500 > judged || judged < test->want.pixels / 2) {
        printf("%s: %zu of %zu pixels are in another basin of %d\n", subject, others, judged,
               roots);
        ok = false;
    }
    fractal_finish(&test->scene.fractal);
    fractal_init(&test->scene.fractal);
    return ok;
}

/* --- histogram --- */

#define MOST_APART 0.13 /* within an octave, counts are assumed to be spread evenly */

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns true if the mapped counts are spread evenly: each decile is near its tenth of the
 * range. */
static bool is_even(const struct test *test) {
    const struct sample_planes *planes = &test->want.target.planes;
    double *mapped = malloc(test->want.pixels * sizeof *mapped), worst = 0;
    size_t size = 0;
    if (!mapped)
        abort();
    for (size_t i = 0; i < test->want.pixels; i++)
        if (!(planes->count[i] & SAMPLE_INTERIOR))
            mapped[size++] = (double)colour_map_ranks(
                test->scene.ranks.knot, colour_phase(true, planes->count[i], planes->fraction[i]));
    qsort(mapped, size, sizeof *mapped, ascending);
    for (size_t k = 1; k < 10; k++)
        worst = fmax(worst, fabs(mapped[size * k / 10] / COLOUR_RANKS - (double)k / 10));
    free(mapped);
    if (worst > MOST_APART)
        printf("%s: a tenth of the pixels is off by %.3f of the range\n", subject, worst);
    return worst <= MOST_APART;
}

static bool check_histogram(struct test *test) {
    static const uint64_t golden[PLACES] = {0x148b9f45edc19b61, 0x99414a1c6d183ca0,
                                            0xae5a6090e17ad866};
    bool ok = true;
    test->scene.by = BY_COUNT;
    test->scene.inside = INSIDE_ONE;
    test->scene.mapping = MAPPING_HISTOGRAM;
    for (size_t i = 0; i < PLACES; i++) {
        struct statistics statistics;
        test_place(test, &places[i]);
        ranks_init(&test->scene.ranks);
        if (!test_draw(test, "a histogram that is not known"))
            return false;
        statistics_init(&statistics);
        statistics_add(&statistics, test->want.target.planes.count, WIDTH, HEIGHT, WIDTH);
        CHECK(scene_set_ranks(&test->scene, &statistics));
        ok = test_draw(test, "a histogram") && is_even(test) &&
             is_golden(&test->shown, golden[i], "the histogram of place", (int)i) && ok;
    }
    return ok;
}

static bool check_backend(struct backend *backend, struct backend *judge) {
    struct test test;
    test_init(&test, backend, judge);
    bool ok = check_kinds(&test);
    ok = check_basins(&test, 3) && check_basins(&test, 5) && ok;
    ok = check_histogram(&test) && ok;
    test_finish(&test);
    return ok;
}

int main(int argc, char **argv) {
    return check_each_pair(argc > 1 ? argv[1] : NULL, check_backend,
                           "colours by other planes as they are defined");
}
