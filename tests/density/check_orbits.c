/* Orbit density, the parts that all backends share: the cells that are left out, the places of
 * samples, the pixels of points, and the scene's text. */
#include "render/density/density_cells.h"
#include "render/density/density_counts.h"
#include "render/density/density_sample.h"
#include "render/files/scene.h"
#include "render/grid/coords.h"
#include "tests/shared/check.h"
#include "tests/shared/judge.h"
#include "tests/shared/random.h"
#include <inttypes.h>
#include <math.h>

/* --- cells --- */

/* Returns true if a point of a cell that was left out counts nothing. n: the step of its escape, or
 * 0. */
static bool counts_nothing(const struct density *density, uint32_t n) {
    const uint32_t limit = density->limit[0];
    if (density->orbits == DENSITY_BOUNDED)
        return n > 0;
    return n <= 1 || n < density->least || n > limit;
}

static void check_left_out(const struct density *density, const uint8_t *listed, int tries) {
    for (int i = 0; i < tries;) {
        const uint32_t cell = (uint32_t)(random_bits() % (CELLS_X * CELLS_Y));
        if (listed[cell])
            continue;
        const double re = (cell % CELLS_X + random_unit()) * 0x1p-8 - 2;
        const double im = (cell / CELLS_X + random_unit()) * 0x1p-8;
        CHECK(counts_nothing(density, judge_count_double(true, re, im, density->limit[0])));
        CHECK(counts_nothing(density,
                             judge_count_float(true, (float)re, (float)im, density->limit[0])));
        i++;
    }
}

static bool has_neighbour(const uint8_t *listed, uint32_t cell) {
    const uint32_t x = cell % CELLS_X, y = cell / CELLS_X;
    return (x > 0 && listed[cell - 1]) || (x + 1 < CELLS_X && listed[cell + 1]) ||
           (y > 0 && listed[cell - CELLS_X]) || (y + 1 < CELLS_Y && listed[cell + CELLS_X]);
}

/* Tests where proofs are tightest: the corners of all cells that were left out next to a listed
 * one. */
static void check_edges(const struct density *density, const uint8_t *listed) {
    const uint32_t limit = density->limit[0];
    for (uint32_t cell = 0; cell < CELLS_X * CELLS_Y; cell++)
        for (int corner = 0; !listed[cell] && has_neighbour(listed, cell) && corner < 4; corner++) {
            const double re = (cell % CELLS_X + (corner & 1 ? 1 - 1e-9 : 0)) * 0x1p-8 - 2;
            const double im = (cell / CELLS_X + (corner & 2 ? 1 - 1e-9 : 0)) * 0x1p-8;
            const uint32_t n = judge_count_double(true, re, im, limit);
            if (!counts_nothing(density, n))
                printf("cell %" PRIu32 ", left out: %.9f + %.9fi escapes after %" PRIu32 " steps\n",
                       cell, re, im, n);
            CHECK(counts_nothing(density, n));
        }
}

static void check_cells(const struct density *density, double share_low, double share_high,
                        int tries) {
    struct density_cells *cells = density_cells_create(density);
    uint8_t *listed = calloc(CELLS_X * CELLS_Y, 1);
    CHECK(cells && listed);
    for (uint32_t i = 0; i < cells->count; i++) {
        const uint32_t cell = cells->order[i] & CELLS_NUMBER;
        CHECK((cells->order[i] & ~(CELLS_NUMBER | CELLS_TEST)) == 0 && !listed[cell]);
        listed[cell] = 1;
    }
    const double share = (double)cells->count / (CELLS_X * CELLS_Y);
    if (share < share_low || share > share_high)
        printf("%.4f of the cells are left, not %.2f to %.2f\n", share, share_low, share_high);
    CHECK(share >= share_low && share <= share_high);
    check_left_out(density, listed, cells->count < CELLS_X * CELLS_Y ? tries : 0);
    if (cells->count < CELLS_X * CELLS_Y)
        check_edges(density, listed);
    density_cells_unref(density_cells_ref(cells));
    CHECK(density_cells_match(cells, density));
    density_cells_unref(cells);
    free(listed);
}

/* Checks shares: the half disc is 0.785 of the domain, the set's half 0.094. */
static void check_all_cells(void) {
    struct density density;
    density_init(&density);
    density.limit[0] = 30000;
    density.least = 1;
    check_cells(&density, 0.69, 0.71, 6000);
    density.least = 12;
    check_cells(&density, 0.05, 0.2, 6000);
    density.least = 3000;
    check_cells(&density, 0.05, 0.15, 2000);
    density_init(&density);
    density.orbits = DENSITY_BOUNDED;
    check_cells(&density, 0.095, 0.2, 6000);
    density.limit[0] = 1;
    check_cells(&density, 0.78, 0.80, 6000);
}

/* Checks cell lists against known ones. The cells and their order determine the samples; another
 * list requires another DENSITY_SAMPLING. */
static void check_known_cells(void) {
    static const struct {
        struct density density;
        uint32_t count, sum;
    } known[] = {
        {{.channels = 1, .limit = {1000}}, 41098, 0x41363a6b},
        {{.channels = 1, .least = 2, .limit = {100}, .random = 1ull << 40 | 3}, 368298, 0x07268c34},
        {{.channels = 1, .least = 3000, .limit = {50000}}, 41098, 0x41363a6b},
        {{.orbits = DENSITY_BOUNDED, .channels = 1, .limit = {1000}}, 85678, 0xddb39789},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct density_cells *cells = density_cells_create(&known[i].density);
        uint32_t sum = 2166136261u; /* FNV-1a of words */
        for (uint32_t k = 0; k < cells->count; k++)
            sum = (sum ^ cells->order[k]) * 16777619u;
        if (cells->count != known[i].count || sum != known[i].sum)
            printf("list %zu has %" PRIu32 " cells and the sum 0x%08" PRIx32 "\n", i, cells->count,
                   sum);
        CHECK(cells->count == known[i].count && sum == known[i].sum);
        density_cells_unref(cells);
    }
}

/* Checks that cells match a density exactly if they would be made again for it. */
static void check_match(void) {
    struct density density, other;
    density_init(&density);
    density.random = 5;
    struct density_cells *cells = density_cells_create(&density);
    other = density;
    other.limit[0] = 77777;
    CHECK(density_cells_match(cells, &density) && density_cells_match(cells, &other));
    other = density;
    other.random = 6;
    CHECK(!density_cells_match(cells, &other));
    other.random = 5 + (1ull << 32);
    CHECK(!density_cells_match(cells, &other));
    other = density;
    other.orbits = DENSITY_BOUNDED;
    CHECK(!density_cells_match(cells, &other));
    other = density;
    other.least = 21;
    CHECK(!density_cells_match(cells, &other));
    other.least = 20; /* the meaning of 0 */
    CHECK(density_cells_match(cells, &other));
    density_cells_unref(cells);
    density.orbits = DENSITY_BOUNDED;
    cells = density_cells_create(&density);
    other = density;
    other.limit[0]++;
    CHECK(density_cells_match(cells, &density) && !density_cells_match(cells, &other));
    density_cells_unref(cells);
}

/* Checks that the start of the order is spread evenly: of the domain's 16 squares the six within
 * the radius 2, where no cell is left out, must have equal shares. */
static void check_spread(void) {
    struct density density;
    density_init(&density);
    density.orbits = DENSITY_BOUNDED;
    density.limit[0] = 1;
    struct density_cells *cells = density_cells_create(&density);
    int share[16] = {0};
    for (uint32_t i = 0; share[1] < 256 && i < cells->count; i++) {
        const uint32_t cell = cells->order[i] & CELLS_NUMBER;
        share[cell / CELLS_X / (CELLS_Y / 4) * 4 + cell % CELLS_X / (CELLS_X / 4)]++;
    }
    for (int row = 0; row < 3; row++)
        for (int column = 1; column < 3; column++)
            CHECK(abs(share[4 * row + column] - 256) <= 1);
    density_cells_unref(cells);
}

/* --- samples --- */

/* Checks that octaves have 24 passes, and that a pass visits each square once, the first four in
 * different quarters. */
static void check_rounds(void) {
    uint64_t number = 0;
    for (uint32_t octave = 0; octave <= 4; octave++) {
        const uint32_t side = 1u << octave, cell = 12345 + octave;
        CHECK(sample_octave_begin(octave) == number);
        for (int pass = 0; pass < 24; pass++) {
            uint8_t seen[16][16] = {{0}};
            int quarters = 0;
            for (uint32_t i = 0; i < side * side; i++) {
                const struct sample_round round = sample_round(number++, 7);
                const struct sample_clump clump = sample_clump(&round, cell);
                const uint32_t x = clump.x >> (22 - octave) & (side - 1);
                const uint32_t y = clump.y >> (22 - octave) & (side - 1);
                CHECK(round.octave == octave && !seen[y][x]++);
                if (octave > 0 && i < 4)
                    quarters |= 1 << (x / (side / 2) + 2 * (y / (side / 2)));
            }
            CHECK(octave == 0 || quarters == 15);
        }
    }
    CHECK(sample_round(UINT64_MAX / 64, 0).octave == 8);
}

/* Checks the places of some clumps, to the bit: saved runs continue with the same ones
 * (DENSITY_SAMPLING). */
static void check_known_clumps(void) {
    static const struct {
        uint64_t number, random;
        uint32_t cell, x, y;
    } known[] = {
        {0, 0, 0, 0x80000000, 0x00000000},
        {23, 5, 70000, 0xdc000000, 0x11000000},
        {24, 0, 12345, 0x8e400000, 0x03000000},
        {119, 1, 12345, 0x8e400000, 0x03200000},
        {120, 7, 262445, 0xcb600000, 0x40200000},
        {503, 1311768467463790320, 99999, 0x27d00000, 0x18400000},
        {504, 0, 300000, 0x78180000, 0x49080000},
        {5000, 3, 524287, 0x7ff00000, 0x7fdc0000},
        {1000000, 9, 131313, 0xbc52c000, 0x201b8000},
        {8589934669, UINT64_MAX, 7, 0x81c1c000, 0x00084000},
        {9007199254740992, 2, 222222, 0x83b68000, 0x365fc000},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct sample_round round = sample_round(known[i].number, known[i].random);
        const struct sample_clump clump = sample_clump(&round, known[i].cell);
        if (clump.x != known[i].x || clump.y != known[i].y)
            printf("clump %zu is at %#x, %#x, not at %#x, %#x\n", i, clump.x, clump.y, known[i].x,
                   known[i].y);
        CHECK(clump.x == known[i].x && clump.y == known[i].y);
    }
}

/* Checks that a sample is in its cell, square and stratum. */
static void check_places_of_samples(void) {
    for (int i = 0; i < 100000; i++) {
        const uint32_t cell = (uint32_t)random_bits() & CELLS_NUMBER;
        const uint32_t lane = (uint32_t)random_bits() % CLUMP_SAMPLES,
                       word = (uint32_t)random_bits();
        const struct sample_round round = sample_round(random_bits() % 100000, random_bits());
        const struct sample_clump clump = sample_clump(&round, cell);
        const uint32_t frame = SAMPLE_FRAME - round.octave;
        const int32_t x = sample_x(clump.x, round.octave, lane, word);
        const int32_t y = sample_y(clump.y, round.octave, lane, word);
        CHECK(((uint32_t)x ^ 0x80000000u) >> SAMPLE_FRAME == cell % CELLS_X);
        CHECK((uint32_t)y >> SAMPLE_FRAME == cell / CELLS_X && y >= 0);
        CHECK((uint32_t)x >> frame == clump.x >> frame && (uint32_t)y >> frame == clump.y >> frame);
        CHECK(((uint32_t)x >> (frame - 3) & 7) == lane % 8);
        CHECK(((uint32_t)y >> (frame - 2) & 3) == lane / 8);
        CHECK(sample_x_low(round.octave, word) >= 0 && sample_y_low(round.octave, word) >= 0);
    }
}

/* Checks that a word and its low bits form one number: no bit is lost or used twice. */
static void check_low_bits(void) {
    const struct sample_round round = sample_round(1000, 0);
    for (int i = 0; i < 1000; i++) {
        const uint32_t word = (uint32_t)random_bits();
        const uint32_t jitter = SAMPLE_FRAME - CLUMP_X_BITS - round.octave;
        const uint32_t high = (uint32_t)sample_x(0, round.octave, 0, word);
        const uint64_t whole = (uint64_t)high << 31 | (uint32_t)sample_x_low(round.octave, word);
        CHECK(whole == (uint64_t)word << jitter >> 1);
    }
}

/* --- places --- */

static int at_of(int at, int size, bool folds) {
    return folds ? abs(2 * at - (size - 1)) / 2 : at;
}

/* Checks that the middle of every pixel is counted in that pixel, or where it is folded to. */
static void check_place(const char *zoom, const char *re, const char *im, double degrees, int width,
                        int height, enum number_type type, enum density_fold fold) {
    const char *why;
    SCOPED(frame_req, frame, width, height);
    SCOPED(density_req, req, width, height);
    CHECK(view_set_centre(&frame.view, re, im, 0, &why) && view_set_zoom(&frame.view, zoom, &why) &&
          view_set_angle_degrees(&frame.view, degrees, &why));
    view_assign(&req.view, &frame.view);
    req.type = type;
    SCOPED_MADE(coords, coords, &frame);
    const struct density_place place = density_place(&req);
    CHECK(place.fold == fold && place.both == (fold == DENSITY_FOLD_NONE));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double zr, zi;
            coords_point_double(coords.f64, coords.layout, (uint32_t)width, (uint32_t)x,
                                (uint32_t)y, &zr, &zi);
            if (fold != DENSITY_FOLD_NONE)
                zi = fabs(zi);
            double column, row;
            if (type == TYPE_DOUBLE) {
                column = fma(zi, place.column_im, fma(zr, place.column_re, place.column_0));
                row = fma(zi, place.row_im, fma(zr, place.row_re, place.row_0));
            } else {
                const float r = (float)zr, i = (float)zi;
                column = (double)fmaf(i, (float)place.column_im,
                                      fmaf(r, (float)place.column_re, (float)place.column_0));
                row = (double)fmaf(i, (float)place.row_im,
                                   fmaf(r, (float)place.row_re, (float)place.row_0));
            }
            CHECK(column >= 0 && (int)column == at_of(x, width, fold == DENSITY_FOLD_COLUMNS));
            CHECK(row >= 0 && (int)row == at_of(y, height, fold == DENSITY_FOLD_ROWS));
            CHECK(column < place.width && row < place.height);
        }
}

static void check_places(void) {
    static const int sizes[][2] = {{8, 8}, {7, 5}, {1, 1}, {64, 1}, {1, 64}, {33, 48}, {2, 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (enum number_type type = 0; type < TYPE_NATIVE_COUNT; type++) {
            const int w = sizes[i][0], h = sizes[i][1];
            check_place("1.5", "-0.5", "0", 0, w, h, type, DENSITY_FOLD_ROWS);
            check_place("1.5", "-0.5", "0", 180, w, h, type, DENSITY_FOLD_ROWS);
            check_place("0.75", "-0.5", "0", 90, w, h, type, DENSITY_FOLD_COLUMNS);
            check_place("0.75", "-0.5", "-0", -90, w, h, type, DENSITY_FOLD_COLUMNS);
            check_place("3", "-0.5", "0.25", 0, w, h, type, DENSITY_FOLD_NONE);
            check_place("20", "-1.25", "0", 30, w, h, type, DENSITY_FOLD_NONE);
            check_place("100", "0.3", "-0.6", -135, w, h, type, DENSITY_FOLD_NONE);
        }
}

/* Checks that places are numbers, however deep a view is. Otherwise devices would differ in
 * converting places that are not numbers. */
static void check_deep_places(void) {
    static const char *const zooms[] = {"1e37", "1e300", "1e306", "1e400", "1e100000"};
    for (size_t i = 0; i < sizeof zooms / sizeof *zooms; i++)
        for (int kind = 0; kind < 4; kind++) {
            const char *why;
            SCOPED(density_req, req, 640, 480);
            req.type = kind & 1 ? TYPE_FLOAT : TYPE_DOUBLE;
            CHECK(view_set_centre(&req.view, "-0.5", kind & 2 ? "0.25" : "0", 0, &why) &&
                  view_set_zoom(&req.view, zooms[i], &why) &&
                  view_set_angle_degrees(&req.view, kind & 2 ? 30 : 90, &why));
            const struct density_place place = density_place(&req);
            CHECK(isfinite(place.column_re) && isfinite(place.column_im));
            CHECK(isfinite(place.row_re) && isfinite(place.row_im));
            CHECK(isfinite(place.column_0) && isfinite(place.row_0));
        }
}

static void check_types(void) {
    const char *why;
    SCOPED(view, view);
    CHECK(density_type(&view, 1280, 720, PRECISION_AUTO) == TYPE_FLOAT);
    CHECK(density_type(&view, 1280, 720, PRECISION_DOUBLE) == TYPE_DOUBLE);
    CHECK(view_set_zoom(&view, "1e5", &why));
    CHECK(density_type(&view, 1280, 720, PRECISION_AUTO) == TYPE_DOUBLE);
    CHECK(density_type(&view, 1280, 720, PRECISION_FLOAT) == TYPE_FLOAT);
}

/* --- rules --- */

static void check_planes(void) {
    struct density density;
    density_init(&density);
    density.channels = 3;
    memcpy(density.limit, (uint32_t[]){500, 5000, 50}, sizeof density.limit);
    const struct density_planes planes = density_planes(&density);
    CHECK(planes.count == 3 && planes.top[0] == 50 && planes.top[1] == 500 &&
          planes.top[2] == 5000);
    CHECK(planes.last[0] == 1 && planes.last[1] == 2 && planes.last[2] == 0);
    memcpy(density.limit, (uint32_t[]){70, 70, 9}, sizeof density.limit);
    const struct density_planes two = density_planes(&density);
    CHECK(two.count == 2 && two.top[0] == 9 && two.top[1] == 70);
    CHECK(two.last[0] == 1 && two.last[1] == 1 && two.last[2] == 0);
    const struct density_rule rule = density_rule(&density);
    CHECK(rule.limit == 70 && rule.planes.top[0] == 9);
    CHECK(density_least(&density) == 2 && rule.least == 2);
    density.least = 1;
    CHECK(density_least(&density) == 1 && density_rule(&density).least == 2);
    density.least = 0;
    memcpy(density.limit, (uint32_t[]){500, 5000, 33}, sizeof density.limit);
    CHECK(density_least(&density) == 12 && !density_problem(&density));
    density.limit[2] = 0;
    CHECK(density_problem(&density) != NULL);
}

/* --- text --- */

static bool parse(struct scene *scene, const char *text) {
    return scene_parse(scene, "T", text, strlen(text));
}

static void check_text(void) {
    SCOPED(scene, scene);
    SCOPED(scene, again);
    CHECK(parse(&scene,
                "[picture]\nkind = density\n[fractal]\niterations = 77\n[orbits]\nleast = 5\n"
                "channels = 5000, 500 50\nrandom = 18446744073709551615\nsamples = 6400\n"
                "curve = log\nramp = ice\nexposure = -1.5\ngamma = 2.2\nwhite = 99\n"));
    char *text = scene_text(&scene);
    CHECK(text && parse(&again, text) && again.orbit_density && again.samples == 6400);
    CHECK(density_equal(&scene.orbits, &again.orbits) && tone_equal(&scene.tone, &again.tone));
    CHECK(again.orbits.limit[0] == 5000 && again.orbits.limit[2] == 50 && again.limit == 77);
    free(text);
    CHECK(parse(&scene, "[picture]\nkind = density\n[orbits]\norbits = bounded\nchannels = 9\n"));
    CHECK(scene.limit == 9 && scene.orbits.channels == 1 && scene.tone.gamma == 1);
    CHECK_REFUSED(parse(&scene, "[orbits]\nleast = -1\n"), "T:2: min_length");
    CHECK_REFUSED(parse(&scene, "[orbits]\nchannels = 1 2\n"), "T:2: channels");
    CHECK_REFUSED(parse(&scene, "[orbits]\nchannels = 1 2 3 4\n"), "T:2: channels");
    CHECK_REFUSED(parse(&scene, "[orbits]\nchannels = 0\n"), "T:2: channels");
    CHECK_REFUSED(parse(&scene, "[orbits]\nchannels = 1,,2,3\n"), "T:2: channels");
    CHECK_REFUSED(parse(&scene, "[orbits]\nchannels =\n"), "T:2: channels");
    CHECK_REFUSED(parse(&scene, "[orbits]\ngamma = nan\n"), "T:2: ");
    CHECK_REFUSED(parse(&scene, "[orbits]\ngamma = 0\n"), "T:2: gamma");
    CHECK_REFUSED(parse(&scene, "[orbits]\nwhite = 101\n"), "T:2: white");
    CHECK_REFUSED(parse(&scene, "[orbits]\nexposure = 1e300\n"), "T:2: exposure");
    CHECK_REFUSED(parse(&scene, "[orbits]\ncurve = round\n"), "T:2: curve");
    CHECK_REFUSED(parse(&scene, "[picture]\nkind = flat\n"), "T:2: kind");
    CHECK_REFUSED(parse(&scene, "[orbits]\nsamples = 18446744073709551616\n"), "T:2: samples");
    CHECK_REFUSED(parse(&scene, "[orbits]\nrandom = 99999999999999999999\n"), "T:2: random");
    CHECK_REFUSED(parse(&scene, "[orbits]\ncounted = bounded\nchannels = 1 2 3\n"),
                  "T: [orbits]: bounded");
    CHECK(scene.limit == 9);
}

int main(void) {
    random_seed(5);
    check_all_cells();
    check_known_cells();
    check_match();
    check_spread();
    check_rounds();
    check_known_clumps();
    check_places_of_samples();
    check_low_bits();
    check_places();
    check_deep_places();
    check_types();
    check_planes();
    check_text();
    return failures > 0;
}
