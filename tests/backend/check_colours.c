/* Colours of samples, on every backend. Mappings of counts are compared with their formulas in long
 * doubles, and pictures with the plainest backend and with checksums that must stay.
 * usage: check_colours [NAME]   (77: NAME cannot run on this machine) */
#include "render/files/scene.h"
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

/* Checks at all phases that a mapping gives the nearest multiple of 2^-16, within a thousandth of
 * that unit. */
static bool check_mappings(void) {
    subject = "mappings";
    for (uint64_t step = 1, phase = (uint64_t) - (16 << 16); phase + (16 << 16) < UINT64_C(1) << 47;
         phase += step) {
        const long double n = (long double)(int64_t)phase / 65536;
        const int64_t root = (int64_t)colour_map_sqrt(phase);
        const int64_t logarithm = (int64_t)colour_map_log(phase);
        CHECK(fabsl((long double)root - 65536 * mapped(MAPPING_SQRT, n)) < 0.501L);
        CHECK(fabsl((long double)logarithm - 65536 * mapped(MAPPING_LOG, n)) < 0.501L);
        if (phase + (16 << 16) > 300000)
            step = phase / 9973 + 1;
    }
    CHECK(colour_map_sqrt(0) == 0 && colour_map_log(0) == 0);
    return true;
}

/* Returns the colour of a sample by definition. */
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
    if (others > 3) /* values near a half may be rounded either way */
        printf("%s: %zu of %zu pixels are not what was defined\n", subject, others,
               picture->pixels);
    return others <= 3;
}

/* --- pictures --- */

#define CURVES MAPPING_HISTOGRAM /* number of mappings before the histogram */

static bool check_mapped(struct backend *backend, struct backend *judge) {
    static const uint64_t golden[CURVES] = {0xbf1eca957df5d7ca, 0x6da7fc31473a5d0,
                                            0x59bae5b3028f3d2f};
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    SCOPED(picture, shown, WIDTH, HEIGHT);
    SCOPED(picture, want, WIDTH, HEIGHT);
    bool ok = true;
    for (size_t i = 0; ok && i < PLACES * CURVES * 2; i++) {
        const enum colour_mapping mapping = (enum colour_mapping)(i / 2 % CURVES);
        set_place(&req, &places[i / 2 / CURVES]);
        colouring_set(&req.colouring, palette_builtin(i % palette_builtin_count()), 1 + (double)i,
                      0.05 * (double)i);
        req.colouring.smooth = req.colouring.smooth && i % 2 == 0;
        req.colouring.mapping = mapping;
        req.generation++;
        ok = judge_draw(judge, &req, &want) && draw(backend, &req, &shown) &&
             same(&want, &shown, "mapped") && is_defined(&want, &req.colouring);
        if (ok && i / 2 / CURVES == 1 && i % 2 == 0 && checksum(&shown) != golden[mapping]) {
            printf("%s: mapping %d has the checksum %#llx\n", subject, (int)mapping,
                   (unsigned long long)checksum(&shown));
            ok = false;
        }
    }
    return ok;
}

/* --- layers --- */

static double linear_of(uint32_t byte) {
    const double v = byte / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double byte_of(double light) {
    return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055);
}

static double smooth(double x) {
    x = fmax(fmin(x, 1), 0);
    return x * x * (3 - 2 * x);
}

static double grey_of(const struct scene *scene, enum layer_kind kind,
                      const struct sample_planes *planes, size_t i) {
    const uint32_t normal = planes->normal[i], angle = planes->angle[i];
    const double from = (scene->light_angle * M_PI / 180) + scene->view.angle;
    const double height = scene->light_height * M_PI / 180, turns = angle / 4294967296.0;
    const double x = (int16_t)normal / 32767.0, y = (int16_t)(normal >> 16) / 32767.0;
    switch (kind) {
    case LAYER_LIGHT:
        return fmax(0, (cos(height) * (x * cos(from) + y * sin(from)) + sin(height)) /
                           (cos(height) + sin(height)));
    case LAYER_DISTANCE:
        return smooth((log2((double)planes->distance[i]) + 3) / 8);
    case LAYER_BINARY:
        return turns < 0.5;
    case LAYER_STRIPE:
    case LAYER_TRIANGLE:
        return smooth(2 * (double)((const float *)planes->plane[layer_plane(kind)])[i] - 0.5);
    case LAYER_POINT:
    case LAYER_LINE:
    case LAYER_CROSS:
    case LAYER_CIRCLE:
        return smooth((-1 - log2((double)((const float *)planes->plane[layer_plane(kind)])[i])) /
                      8);
    default:
        return smooth(16 * fmin(fmod(turns, 0.5), 0.5 - fmod(turns, 0.5)));
    }
}

static double mixed_light(enum layer_mode mode, double below, double grey) {
    switch (mode) {
    case LAYER_MULTIPLY:
        return below * grey;
    case LAYER_SCREEN:
        return 1 - (1 - below) * (1 - grey);
    case LAYER_ALPHA:
        return grey;
    default:
        return below < 0.5 ? 2 * below * grey : 1 - 2 * (1 - below) * (1 - grey);
    }
}

/* Checks that each channel is within 2 of the value that the layers give in real numbers. */
static bool is_layered(const struct scene *scene, const struct colouring *colouring,
                       const struct picture *picture) {
    const struct sample_planes *planes = &picture->target.planes;
    size_t others = 0;
    for (size_t i = 0; i < picture->pixels; i++) {
        const uint32_t under = defined(colouring, planes->count[i], planes->fraction[i]);
        for (int c = 0; c < 24; c += 8) {
            double light = linear_of(under >> c & 255);
            for (int k = 0; k < LAYERS_MAX && planes->distance[i] > 0; k++) {
                const struct scene_layer *layer = &scene->layers[k];
                const double grey = grey_of(scene, layer->kind, planes, i);
                if (layer->kind != LAYER_NONE)
                    light += layer->strength * (mixed_light(layer->mode, light, grey) - light);
            }
            others += fabs((picture->target.rgba[i] >> c & 255) - byte_of(light)) > 2;
        }
    }
    if (others > 3)
        printf("%s: %zu channels are not what was defined\n", subject, others);
    return others <= 3;
}

static int layers_apart(void) {
#ifdef TEST_SANITIZED
    return 5;
#else
    return strcmp(subject, "host") == 0 ? 5 : 1; /* orbits iterate slowly in host memory */
#endif
}

/* Compares layers on the scalar backend with their definition; the other backends must have its
 * checksums. */
static bool check_layers(struct backend *backend, struct backend *judge) {
    static const uint64_t golden[LAYER_KINDS][LAYER_MODES] = {
        {0},
        {0xc5cc836aeebb1031, 0x79bb7a0c24524979, 0x62655d7482096349, 0x88606bae1e554852},
        {0x1aed8842e483d86d, 0x27822b39689a9c5d, 0xfd5576f50fb8b25e, 0x50b9b3e2c26b439a},
        {0xbfead525e1e2e67f, 0x89058e89f8f3ba83, 0xcb256023d46d8f11, 0x7de0fda6d286f093},
        {0x2ec23061bdab6d29, 0x899c3f0cdb03ef89, 0x1090f747dd1ffe49, 0x6c16488d87462441},
        {0x5e26e205b9e319a, 0x2ceda1ca2d5b99bc, 0xf381296ba6ffe6a5, 0xd2c143339b5001e},
        {0x4e71d7ede29d0b46, 0x4505ca960fb69027, 0x3a9ea7a427727063, 0x1275d501f4a51871},
        {0x80476cb014eb2538, 0x1d280fcaf789b39a, 0xe54fccc469237369, 0x8273a4084f494359},
        {0x82fa8deb39d3f4fd, 0x952490b84c63541d, 0x1b496e8cf6549ef0, 0xcc8eb5d78e4fe410},
        {0x65f7553e45a79e1d, 0xa2c5679b85a8ddc7, 0xe79d8c2b706ecf48, 0xed9e2753d8da8bf9},
        {0x6618eb8caa772692, 0xe40ae3a8dce0b9e3, 0xd3fd978104520679, 0x245da98c602f0dcb},
    };
    struct sample_planes more;
    const struct plan plan = {.type = TYPE_DOUBLE, .first_stride = 4};
    SCOPED(scene, scene);
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    SCOPED(picture, shown, WIDTH, HEIGHT);
    SCOPED(picture, want, WIDTH, HEIGHT);
    const bool judged = strcmp(subject, "scalar") == 0;
    bool golden_all = true,
         ok = sample_planes_init(&more, SAMPLE_SLOPE | SAMPLE_TRACE, want.pixels, "a test");
    want.target.planes.distance = more.distance;
    want.target.planes.normal = more.normal;
    want.target.planes.angle = more.angle;
    for (int i = LAYER_MODES; ok && i < LAYER_KINDS * LAYER_MODES; i++) {
        set_place(&req, &places[i % PLACES]);
        view_assign(&scene.view, &req.view);
        scene.limit = req.limit;
        scene.layers[i % 2] = (struct scene_layer){(enum layer_kind)(i / LAYER_MODES),
                                                   (enum layer_mode)(i % LAYER_MODES), 0.75};
        scene.layers[!(i % 2)].strength = 0.5; /* the previous layer, which lies above or below */
        if (i % layers_apart() > 0)
            continue;
        scene.light_angle = 20 * i;
        scene.light_height = 4 * i;
        scene_request(&scene, WIDTH, HEIGHT, &plan, &req);
        req.generation++;
        for (int p = SAMPLE_PLANE_stripe; p <= SAMPLE_PLANE_circle; p++)
            want.target.planes.plane[p] = req.planes >> p & 1 ? more.plane[p] : NULL;
        ok = draw(backend, &req, &shown);
        if (judged)
            ok = ok && judge_draw(judge, &req, &want) && same(&want, &shown, "layers") &&
                 is_layered(&scene, &req.colouring, &want);
        if (ok && checksum(&shown) != golden[i / LAYER_MODES][i % LAYER_MODES]) {
            printf("%s: layers %d have the checksum %#llx\n", subject, i,
                   (unsigned long long)checksum(&shown));
            golden_all = false;
        }
    }
    for (int p = SAMPLE_PLANE_distance; p < SAMPLE_PLANES; p++)
        want.target.planes.plane[p] = NULL;
    sample_planes_finish(&more);
    return ok && golden_all;
}

static bool check_backend(const char *name) {
    const struct backend_options masked = {.cpumask = CPU_FMA};
    struct backend *backend = open_ready(name, plain), *judge = open_ready("scalar", masked);
    const bool ok =
        backend && judge && check_mapped(backend, judge) && check_layers(backend, judge);
    backend_close(backend);
    backend_close(judge);
    return ok;
}

int main(int argc, char **argv) {
    if (!check_mappings())
        return 1;
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_backend, "colour as it is defined");
}
