/* INI text, palettes and scenes: which texts are read or refused, and round trips. */
#include "render/base/atomic_file.h"
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/files/scene.h"
#include "tests/shared/check.h"
#include "tests/shared/formulas.h"
#include "tests/shared/texts.h"
#include <glob.h>
#include <math.h>

/* --- INI --- */

struct entries {
    char text[512];
    int stop_at; /* line at which the callback stops reading; 0: never */
};

static bool collect(void *user, const char *section, const char *key, const char *value, int line) {
    struct entries *entries = user;
    const size_t used = strlen(entries->text);
    snprintf(entries->text + used, sizeof entries->text - used, "%d[%s]%s=%s|", line, section, key,
             value);
    return line != entries->stop_at;
}

static bool ini_gives(const char *text, const char *expected) {
    struct entries entries = {0};
    return ini_read("T", text, strlen(text), collect, &entries) &&
           strcmp(entries.text, expected) == 0;
}

static bool ini_reads(const char *text, size_t length) {
    struct entries entries = {0};
    return ini_read("T", text, length, collect, &entries);
}

/* Checks that entries after a broken header belong to no section, and not to the one before. */
static void check_leniently(void) {
    static const char text[] = "a=1\n[one]\nb=2\nwrong\nc=3\n[two\nd=4\ne=5\n[three]\nf=6\n";
    struct entries entries = {0};
    log_start();
    ini_read_leniently("T", text, strlen(text), collect, &entries);
    CHECK(strcmp(entries.text, "1[]a=1|3[one]b=2|5[one]c=3|10[three]f=6|") == 0);
    struct entries first = {0};
    ini_read_leniently("T", "[one\na=1\n", 9, collect, &first);
    CHECK(!*first.text);
}

static void check_ini(void) {
    CHECK(ini_gives("", ""));
    CHECK(ini_gives("\n\n# a = b\n; c = d\n  # e = f", ""));
    CHECK(ini_gives("a=b", "1[]a=b|"));
    CHECK(
        ini_gives("\xef\xbb\xbf[s]\r\n a b \t=  c = d \r\n[ t ]\n\nx=\n", "2[s]a b=c = d|5[t]x=|"));
    CHECK(ini_gives("[]\na=#b\n", "2[]a=#b|"));
    CHECK_REFUSED(ini_reads("a=b\nc\0=d\n", 10), "T:2: a control character");
    CHECK_REFUSED(ini_reads("a=b\nhello\n", 10), "T:2: neither");
    CHECK_REFUSED(ini_reads("[a\n", 3), "T:1: a section header");
    CHECK_REFUSED(ini_reads("[", 1), "T:1: a section header");
    CHECK_REFUSED(ini_reads(" = b\n", 5), "T:1: no key");
    struct entries entries = {.stop_at = 2};
    CHECK(!ini_read("T", "a=1\nb=2\nc=3\n", 12, collect, &entries));
    CHECK(strcmp(entries.text, "1[]a=1|2[]b=2|") == 0);
}

static void check_values(void) {
    static const char *const bad_numbers[] = {"",    " 1", "1 ",  "nan", "inf", "0x10", "1e999",
                                              "1,5", "1e", "--1", ".",   "e5",  "1.2.3"};
    static const char *const bad_wholes[] = {"", "-1", "+1", " 1", "1.0", "1e3", "0x1"};
    double number = 7;
    uint64_t whole = 7;
    for (size_t i = 0; i < sizeof bad_numbers / sizeof *bad_numbers; i++)
        CHECK(!ini_number(bad_numbers[i], &number) && number == 7);
    for (size_t i = 0; i < sizeof bad_wholes / sizeof *bad_wholes; i++)
        CHECK(!ini_whole(bad_wholes[i], &whole) && whole == 7);
    CHECK(ini_number("-12.5e-1", &number) && number == -1.25);
    CHECK(ini_whole("00042", &whole) && whole == 42);
    CHECK(ini_whole("18446744073709551615", &whole) && whole == UINT64_MAX);
    CHECK(ini_whole("18446744073709551616", &whole) && whole == UINT64_MAX);
    CHECK(ini_whole("99999999999999999999999999", &whole) && whole == UINT64_MAX);
    static const char *const bad_counts[] = {"",   "k",    "1m",  "1kk",     "1.5", "1.k", ".5k",
                                             "1e", "1e-3", "-1k", "1.0005k", "1k ", "0x1", "1e100"};
    static const struct {
        const char *text;
        uint64_t count;
    } counts[] = {{"00042", 42},
                  {"10k", 10000},
                  {"3K", 3000},
                  {"2M", 2000000},
                  {"2.5M", 2500000},
                  {"1.125k", 1125},
                  {"20G", 20000000000},
                  {"1T", 1000000000000},
                  {"1e6", 1000000},
                  {"1.5e1", 15},
                  {"99999999T", UINT64_MAX},
                  {"18446744073709551615", UINT64_MAX},
                  {"1e99", UINT64_MAX}};
    whole = 7;
    for (size_t i = 0; i < sizeof bad_counts / sizeof *bad_counts; i++)
        CHECK(!ini_count(bad_counts[i], &whole) && whole == 7);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        CHECK(ini_count(counts[i].text, &whole) && whole == counts[i].count);
    static const char *const choices[] = {"a", "bc", NULL};
    CHECK(ini_choice("bc", choices) == 1 && ini_choice("b", choices) == -1);
}

/* --- palettes --- */

static bool parse_palette(struct palette *palette, const char *text) {
    return palette_parse(palette, "test", "T", text, strlen(text));
}

static void check_sixteen(void) {
    static const uint8_t rgb[16][3] = {
        {66, 30, 15},    {25, 7, 26},     {9, 1, 47},      {4, 4, 73},
        {0, 7, 100},     {12, 44, 138},   {24, 82, 177},   {57, 125, 209},
        {134, 181, 229}, {211, 236, 248}, {241, 233, 191}, {248, 201, 95},
        {255, 170, 0},   {204, 128, 0},   {153, 87, 0},    {106, 52, 3}};
    const struct palette *palette = palette_find("Sixteen");
    CHECK(palette);
    if (!palette)
        return;
    struct colouring colouring;
    colouring_set(&colouring, palette, 1, 0);
    CHECK(!colouring.smooth && colouring.frequency == 1u << 24 && colouring.offset == 0);
    CHECK(colour_of(&colouring, colouring.table, 5 | SAMPLE_INTERIOR, 0) == COLOUR_ALPHA);
    for (uint32_t i = 0; i < 100000; i++) {
        const uint32_t count = i < 50000 ? i : 2147483647u - i;
        const uint8_t *c = rgb[count % 16];
        const uint32_t expected = c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | COLOUR_ALPHA;
        if (colour_of(&colouring, colouring.table, count, 0.97f) != expected) {
            CHECK(!"a band has the wrong colour");
            return;
        }
    }
}

/* Checks that bands that do not divide the table still keep their counts apart. */
static void check_ten_bands(void) {
    struct palette palette;
    CHECK(parse_palette(&palette,
                        "[palette]\ninterpolation = none\nperiod = 10\ncolours = #000000 #010000 "
                        "#020000 #030000 #040000 #050000 #060000 #070000 #080000 #090000\n"));
    struct colouring colouring;
    colouring_set(&colouring, &palette, 1, 0);
    unsigned wrong = 0;
    for (uint32_t count = 0; count < 1000000; count++)
        wrong += (colour_of(&colouring, colouring.table, count, 0) & 0xff) != count % 10;
    CHECK(wrong == 0);
}

static int channel(const struct palette *palette, int entry, int which) {
    return (int)(palette->table[entry & (COLOUR_TABLE_SIZE - 1)] >> (8 * which) & 0xff);
}

/* Checks smooth palettes: they pass through their colours, and are monotone between them, also
 * around the end. */
static void check_smooth(void) {
    struct palette palette;
    CHECK(parse_palette(&palette, "[palette]\nname = X\nperiod=2.5\ninterior = #010203\n"
                                  "colours = 0.25:#00ff10 0.5:#ff0010 0.75:#80FF10\n"));
    CHECK(palette.smooth && palette.period == 2.5 && palette.interior == 0xff030201u);
    CHECK(strcmp(palette.name, "X") == 0 && strcmp(palette.id, "test") == 0);
    CHECK(palette.table[1024] == 0xff10ff00u && palette.table[2048] == 0xff1000ffu &&
          palette.table[3072] == 0xff10ff80u);
    for (int k = 1024; k < 2048; k++) {
        CHECK(channel(&palette, k + 1, 0) >= channel(&palette, k, 0));
        CHECK(channel(&palette, k + 1, 1) <= channel(&palette, k, 1));
    }
    for (int k = 3072; k < 3072 + 2048; k++) { /* from the last to the first */
        CHECK(channel(&palette, k + 1, 0) <= channel(&palette, k, 0));
        CHECK(channel(&palette, k, 1) == 255 && channel(&palette, k, 2) == 16);
    }
    CHECK(channel(&palette, 4096, 0) == 40); /* half-way: 64 - 0.5 * 382 / 8 */
}

static uint64_t checksum(const uint32_t *words, size_t size) {
    uint64_t sum = 0xcbf29ce484222325u; /* FNV-1a over words */
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ words[i]) * 0x100000001b3u;
    return sum;
}

static void check_builtins(void) {
    CHECK(palette_builtin_count() == 14);
    CHECK(palette_builtin(palette_builtin_count()) == NULL && palette_find("no such") == NULL);
    for (size_t i = 0; i < palette_builtin_count(); i++) {
        const struct palette *palette = palette_builtin(i);
        CHECK(palette_find(palette->id) == palette);
        int largest = 0;
        for (int k = 0; k < COLOUR_TABLE_SIZE; k++)
            for (int c = 0; c < 3; c++) {
                const int d = abs(channel(palette, k + 1, c) - channel(palette, k, c));
                largest = d > largest ? d : largest;
            }
        CHECK(palette->smooth == (largest <= 2));
    }
    /* The table's bytes are the same on every machine and with every compiler. */
    struct palette palette;
    CHECK(
        parse_palette(&palette, "[palette]\ncolours = #000764 #206bcb #edffff #ffaa00 #000200\n"));
    CHECK(checksum(palette.table, COLOUR_TABLE_SIZE) == 0x355f9b8113af08e5u);
}

static void check_bad_palette(const char *text, const char *why) {
    struct palette palette = {.period = 99};
    CHECK_REFUSED(parse_palette(&palette, text), why);
    CHECK(palette.period == 99);
}

static void check_many_colours(void) {
    struct palette palette = {.period = 99};
    char many[64 + 257 * 8] = "[palette]\ncolours =";
    for (int i = 0; i < 257; i++)
        strcat(many, " #123456");
    CHECK_REFUSED(parse_palette(&palette, many), "more than 256");
    CHECK(palette.period == 99);
    many[strlen(many) - 8] = '\0';
    CHECK(parse_palette(&palette, many) && palette.table[4095] == 0xff563412u);
}

/* --- scenes --- */

static bool scenes_equal(const struct scene *a, const struct scene *b) {
    return view_equal(&a->view, &b->view) && fractal_equal(&a->fractal, &b->fractal) &&
           a->limit == b->limit && a->palette == b->palette && a->frequency == b->frequency &&
           a->offset == b->offset && a->banded == b->banded && a->mapping == b->mapping &&
           a->by == b->by && a->inside == b->inside &&
           memcmp(&a->ranks, &b->ranks, sizeof a->ranks) == 0 &&
           memcmp(a->layers, b->layers, sizeof a->layers) == 0 &&
           a->light_angle == b->light_angle && a->light_height == b->light_height &&
           a->width_px == b->width_px && a->height_px == b->height_px &&
           a->precision == b->precision && a->method == b->method;
}

static bool parse_scene(struct scene *scene, const char *text) {
    return scene_parse(scene, "T", text, strlen(text));
}

/* Sets a random parameter of a Julia set, with whole limbs and as many digits as they hold. */
static void scramble_parameter(mpfr_t number, unsigned long long *seed) {
    mpfr_set_prec(number, 64 * (1 + (long)(random_next(seed) % 20)));
    mpfr_set_ui(number, (unsigned long)(random_next(seed) % 1000 + 1), MPFR_RNDN);
    mpfr_sqrt(number, number, MPFR_RNDN);
    mpfr_div_si(number, number, random_next(seed) % 2 ? 17 : -17, MPFR_RNDN);
}

static void scramble_fractal(struct fractal *fractal, unsigned long long *seed) {
    set_fractal(fractal, random_next(seed));
    scramble_parameter(fractal->re, seed);
    scramble_parameter(fractal->im, seed);
    fractal->julia = random_next(seed) % 2;
}

static void random_ranks(unsigned long long *seed, struct colour_ranks *ranks) {
    uint32_t last = 0;
    for (int k = 0; random_next(seed) % 256 && k < COLOUR_KNOTS; k++) {
        last += random_next(seed) % 3 ? (uint32_t)(random_next(seed) % 200000) : 0;
        ranks->knot[k] = last = last < COLOUR_RANKS ? last : COLOUR_RANKS;
    }
    for (int k = 1; k < COLOUR_KNOTS; k++)
        ranks->knot[k] = ranks->knot[k] > ranks->knot[k - 1] ? ranks->knot[k] : ranks->knot[k - 1];
}

static void scramble(struct scene *scene, unsigned long long *seed) {
    static const char *const zooms[] = {"1e-5", "0.3",     "17",     "123456.789",
                                        "1e14", "3.3e250", "1e-200", "7e3000"};
    const char *why;
    view_home(&scene->view);
    CHECK(view_set_zoom(&scene->view, zooms[random_next(seed) % 8], &why));
    for (int i = 0; i < 5; i++) {
        view_pan(&scene->view, (double)(random_next(seed) % 2000) - 1000.25,
                 (double)(random_next(seed) % 2000) - 999.5, 720);
        view_zoom_at(&scene->view, 0.1 + (double)(random_next(seed) % 1000) / 77, 12.5, 700, 1280,
                     720);
    }
    if (random_next(seed) % 2)
        CHECK(view_set_angle_degrees(&scene->view, (double)random_next(seed) / 1e15, &why));
    scene->limit = (uint32_t)(random_next(seed) >> 33);
    scene->palette = palette_builtin(random_next(seed) % palette_builtin_count());
    scene->frequency = (double)(random_next(seed) >> 11) / 0x1p40 + 1e-9;
    scene->offset = (double)(random_next(seed) >> 11) / 0x1p53;
    scene->banded = random_next(seed) % 2;
    scene->mapping = (enum colour_mapping)(random_next(seed) % MAPPING_COUNT);
    random_ranks(seed, &scene->ranks);
    scene->by = (enum colour_by)(random_next(seed) % BY_KINDS);
    scene->inside = (enum colour_inside)(random_next(seed) % INSIDE_KINDS);
    for (int i = 0; i < LAYERS_MAX; i++) {
        scene->layers[i].kind = (enum layer_kind)(random_next(seed) % LAYER_KINDS);
        scene->layers[i].mode = (enum layer_mode)(random_next(seed) % LAYER_MODES);
        scene->layers[i].strength = (double)(random_next(seed) >> 11) / 0x1p53;
    }
    scene->light_angle = (double)(random_next(seed) >> 11) / 0x1p53 * 360;
    scene->light_height = (double)(random_next(seed) >> 11) / 0x1p53 * 90;
    scene->width_px = (int)(random_next(seed) % 65536) + 1;
    scene->height_px = (int)(random_next(seed) % 65536) + 1;
    scene->precision = (enum precision)(random_next(seed) % PRECISION_COUNT);
    scene->method = (enum method)(random_next(seed) % METHOD_COUNT);
    if (random_next(seed) % 2)
        scramble_fractal(&scene->fractal, seed);
    if (scene->precision == PRECISION_WIDE && fractal_is_map(&scene->fractal))
        scene->precision = PRECISION_DOUBLE;
}

static void check_round_trip(void) {
    unsigned long long seed = 20240607;
    SCOPED(scene, scene);
    SCOPED(scene, again);
    for (int i = 0; i < 300; i++) {
        if (i > 0)
            scramble(&scene, &seed);
        char *text = scene_text(&scene);
        CHECK(text && parse_scene(&again, text));
        CHECK(scenes_equal(&scene, &again));
        char *second = scene_text(&again);
        CHECK(text && second && strcmp(text, second) == 0);
        free(text);
        free(second);
    }
}

/* Checks that a banded picture of a smooth palette has one colour per count. */
static void check_smooth_or_not(void) {
    const struct plan plan = {.type = TYPE_DOUBLE, .first_stride = 1};
    SCOPED(scene, scene);
    SCOPED(frame_req, req, 8, 8);
    static const char *const answers[] = {"no", "yes"};
    for (int smooth = 0; smooth < 2; smooth++) {
        char text[64];
        snprintf(text, sizeof text, "[colour]\nsmooth = %s\n", answers[smooth]);
        CHECK(parse_scene(&scene, text) && scene.banded == !smooth && scene.palette->smooth);
        scene_request(&scene, 8, 8, &plan, &req);
        const struct colouring *colouring = &req.colouring;
        CHECK((colour_of(colouring, colouring->table, 77, 0.1f) ==
               colour_of(colouring, colouring->table, 77, 0.9f)) == !smooth);
    }
}

static void check_reading(void) {
    SCOPED(scene, scene);
    CHECK(parse_scene(&scene,
                      "[view]\nre = 1\nim = 2\nzoom = 3\nre = -1.25\n[colour]\noffset = -0.25\n"
                      "[new]\nkey = value\n[view]\nnewer = 1\nangle = 450\n"
                      "[fractal]\niterations = 0\n"));
    CHECK(mpfr_cmp_d(scene.view.re, -1.25) == 0 && mpfr_cmp_ui(scene.view.im, 2) == 0 &&
          mpfr_cmp_ui(scene.view.zoom, 3) == 0);
    CHECK(fabs(scene.view.angle - 1.5707963267948966) < 1e-12);
    CHECK(scene.offset == 0.75 && scene.frequency == 1 && scene.limit == 0);
    CHECK(scene.width_px == 0 && scene.precision == PRECISION_AUTO);
    CHECK(parse_scene(&scene, "[view]\nzoom = 3") && scene.limit == FRAME_LIMIT_DEFAULT &&
          scene.view.angle == 0);
    CHECK(parse_scene(&scene, "[view]\nim = 0.5\n") && mpfr_cmp_d(scene.view.re, -0.5) == 0);

    log_start();
    CHECK(parse_scene(&scene, "[fractal]\niterations = 99999999999999999999\n"));
    CHECK(scene.limit == FRAME_LIMIT_MAX &&
          log_is_one_line("T:2: iterations is clamped to 2147483647"));
    log_start();
    CHECK(parse_scene(&scene, "[colour]\npalette = nowhere\n"));
    CHECK(scene.palette == palette_builtin(0) && log_is_one_line("T:2: there is no palette"));
}

static void check_warned(const char *text, const char *why) {
    SCOPED(scene, scene);
    log_start();
    CHECK(parse_scene(&scene, text) && log_is_one_line(why));
}

/* Checks that many unknown keys give at most twenty warnings. */
static void check_unknown(void) {
    size_t length;
    SCOPED(scene, scene);
    static char text[200000] = "[view]\nzoom = 2\n[colour]\n";
    for (size_t used = strlen(text); used + 40 < sizeof text; used += strlen(text + used))
        strcpy(text + used, used % 2 ? "palettes = nothing\n" : "[fractal]\nhue = 1\n[colour]\n");
    log_start();
    CHECK(parse_scene(&scene, text));
    fflush(stderr);
    char *log = file_read(LOG_FILE, 1 << 20, &length);
    CHECK(log && length < 3000 && strstr(log, "T:24: ") && strstr(log, "are not reported"));
    free(log);
}

/* Checks that a refused text leaves the scene as it was. */
static void check_bad_scene(const char *text, const char *why) {
    unsigned long long seed = 5;
    SCOPED(scene, scene);
    SCOPED(scene, before);
    scramble(&scene, &seed);
    char *own = scene_text(&scene);
    CHECK(own && parse_scene(&before, own));
    free(own);
    CHECK_REFUSED(parse_scene(&scene, text), why);
    CHECK(scenes_equal(&scene, &before));
}

/* Checks very many digits: as many as fit into a file, and more. */
static void check_many_digits(void) {
    static char digits[SCENE_TEXT_MAX + 100];
    static const char *const keys[] = {"re", "im", "zoom"};
    SCOPED(scene, scene);
    for (size_t i = 0; i < 3; i++) {
        const int used = sprintf(digits, "[view]\n%s = ", keys[i]);
        memset(digits + used, '7', SCENE_TEXT_MAX - (size_t)used);
        digits[SCENE_TEXT_MAX] = '\0';
        CHECK_REFUSED(parse_scene(&scene, digits), "T:2: ");
        memset(digits + SCENE_TEXT_MAX, '7', 50);
        digits[SCENE_TEXT_MAX + 50] = '\0';
        CHECK_REFUSED(parse_scene(&scene, digits), "too large");
    }
    SCOPED(scene, untouched);
    CHECK(scenes_equal(&scene, &untouched));
}

/* Checks that every view file of a folder opens; tests/data/locations has views deeper than the
 * examples. */
static void check_views(const char *folder, size_t least) {
    const char *source = getenv("FATHOM_SOURCE");
    char pattern[4096];
    snprintf(pattern, sizeof pattern, "%s/%s/*.fathom", source ? source : ".", folder);
    glob_t found;
    CHECK(glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc >= least);
    struct scene scene;
    scene_init(&scene);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        CHECK(scene_load(&scene, found.gl_pathv[i]));
        CHECK(scene.limit > 0 && mpfr_cmp_ui(scene.view.zoom, 1) > 0 && !scene_problem(&scene));
    }
    scene_finish(&scene);
    globfree(&found);
}

/* Checks a listener: it gets the first error, and nothing once it has stopped. */
static void check_listening(void) {
    char why[32] = "before";
    log_start();
    log_listen(why, sizeof why);
    CHECK(!*why);
    log_warn("a warning");
    CHECK(!*why);
    log_error("%d is wrong", 7);
    log_error("so is another");
    CHECK(strcmp(why, "7 is wrong") == 0);
    log_listen(why, sizeof why);
    log_error("%0*d", 300, 1);
    CHECK(strlen(why) == sizeof why - 1);
    unsigned count = 9;
    log_listen_to_warnings(why, sizeof why, &count);
    CHECK(!*why && count == 0);
    log_info("a word");
    log_warn("a warning");
    log_warn("another");
    CHECK(strcmp(why, "a warning") == 0 && count == 2);
    log_error("an error");
    log_warn("a third");
    CHECK(strcmp(why, "an error") == 0 && count == 4);
    log_listen(why, sizeof why);
    log_warn("a warning");
    CHECK(!*why && count == 4);
    log_listen(NULL, 0);
    log_error("unheard");
    CHECK(!*why);
}

int main(void) {
    check_ini();
    check_leniently();
    check_listening();
    check_values();
    check_sixteen();
    check_ten_bands();
    check_smooth();
    check_builtins();
    texts_each("palettes refused", check_bad_palette);
    check_many_colours();
    check_round_trip();
    check_reading();
    check_smooth_or_not();
    check_unknown();
    texts_each("scenes warned", check_warned);
    texts_each("scenes refused", check_bad_scene);
    check_many_digits();
    check_views("assets/views", 12);
    check_views("tests/data/locations", 11);
    printf("%d failures\n", failures);
    return failures != 0;
}
