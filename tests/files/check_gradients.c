/* Gradients: colours between stops, mirrors and adjustments, edits; palettes of other programs;
 * round trips of files; random palettes; and the sharing of made palettes. */
#include "render/base/log.h"
#include "render/files/location.h"
#include "render/files/scene.h"
#include "render/gradient/harmony.h"
#include "render/gradient/import.h"
#include "render/gradient/oklab.h"
#include "render/palette.h"
#include "tests/shared/check.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct palette palette, again;

static bool reads(const char *text) {
    return palette_parse(&palette, "test", "T", text, strlen(text));
}

/* Returns an entry as 0xrrggbb. */
static unsigned at(const struct palette *p, int entry) {
    const uint32_t c = p->table[entry & (COLOUR_TABLE_SIZE - 1)];
    return (c & 0xff) << 16 | (c & 0xff00) | (c >> 16 & 0xff);
}

/* Returns a stop as 0xrrggbb. */
static unsigned stop_at(int stop) {
    const uint32_t c = palette.gradient.stops[stop].rgba;
    return (c & 0xff) << 16 | (c & 0xff00) | (c >> 16 & 0xff);
}

static bool refused(const char *text, const char *why) {
    char heard[1024] = "";
    log_listen(heard, sizeof heard);
    const bool ok = reads(text);
    log_listen(NULL, 0);
    if (ok || !strstr(heard, why))
        printf("  \"%.60s\": \"%s\", not \"%s\"\n", text, heard, why);
    return !ok && strstr(heard, why);
}

/* --- tables --- */

static void check_oklab(void) {
    for (uint32_t i = 0; i < 4096; i++) {
        const uint32_t rgba = (i * 2654435761u & 0xffffff) | COLOUR_ALPHA;
        CHECK(oklab_rgba(oklab_of_rgba(rgba)) == rgba);
    }
    const struct oklab white = oklab_of_rgba(0xffffffffu), red = oklab_of_rgba(0xff0000ffu);
    CHECK(fabs(white.l - 1) < 1e-4 && fabs(white.a) < 1e-4 && fabs(white.b) < 1e-4);
    CHECK(fabs(red.l - 0.6279554) < 1e-4 && fabs(red.a - 0.2248631) < 1e-4 &&
          fabs(red.b - 0.1258463) < 1e-4);
    for (int degrees = -720; degrees <= 720; degrees += 7) {
        const struct turn turn = turn_of_degrees(degrees);
        CHECK(fabs(turn.cosine - cos(degrees * acos(-1) / 180)) < 1e-10 &&
              fabs(turn.sine - sin(degrees * acos(-1) / 180)) < 1e-10);
    }
    /* Colours outside of the gamut keep their lightness. */
    const struct oklab far = oklab_of_rgba(oklab_rgba((struct oklab){0.5, 0.4, 0.1}));
    CHECK(fabs(far.l - 0.5) < 0.01 && far.a > 0.1 && fabs(far.b / far.a - 0.25) < 0.05);
    for (int hue = 0; hue < 360; hue += 30) { /* with the maximum chroma */
        const uint32_t rgba = oklab_rgba(oklab_of_hue(0.6, 0.5, hue));
        bool at_edge = false;
        for (int shift = 0; shift < 24; shift += 8)
            at_edge |= (rgba >> shift & 0xff) == 0 || (rgba >> shift & 0xff) == 255;
        CHECK(at_edge);
    }
}

static void check_between(void) {
    CHECK(reads("[palette]\ninterpolation = linear\ncolours = #000000 #ff0000\n"));
    CHECK(at(&palette, 1024) == 0x800000 && at(&palette, 2048) == 0xff0000);
    CHECK(
        reads("[palette]\ninterpolation = linear\nmirror = yes\ncolours = 0:#000000 1:#ff0000\n"));
    CHECK(at(&palette, 1024) == 0x800000 && at(&palette, 2048) == 0xff0000 &&
          at(&palette, 3072) == 0x800000 && at(&palette, 1) == at(&palette, 4095));
    /* Both ends of a mirrored gradient hold their colours. */
    CHECK(reads("[palette]\nmirror = yes\ncolours = 0.25:#102030 0.75:#405060\n"));
    CHECK(at(&palette, 0) == 0x102030 && at(&palette, 500) == 0x102030 &&
          at(&palette, 2048) == 0x405060);
    /* The ends are constant, whatever colour the other end has. */
    CHECK(reads("[palette]\nmirror = yes\ncolours = 0.1:#646464 0.5:#000000 0.9:#323232\n"));
    CHECK(at(&palette, 1802) == 0x323232);
    /* Two stops at one place are a hard edge, in every interpolation. */
    for (int i = 0; i < INTERPOLATION_COUNT; i++) {
        char text[160];
        snprintf(text, sizeof text,
                 "[palette]\ninterpolation = %s\ncolours = 0:#000000 0.5:#ff0000 0.5:#0000ff\n",
                 interpolation_names[i]);
        CHECK(reads(text));
        CHECK(at(&palette, 2047) >> 16 > 0xf0 && at(&palette, 2049) >> 16 < 0x10);
    }
    CHECK(reads("[palette]\ninterpolation = linear\noffset = 0.25\ncolours = #000000 #ff0000\n"));
    CHECK(at(&palette, 0) == 0x800000 && at(&palette, 1024) == 0xff0000);
    CHECK(reads("[palette]\ninterpolation = none\ncolours = 0.1:#111111 0.3:#222222\n"));
    CHECK(!palette.smooth && at(&palette, 818) == 0x111111 && at(&palette, 820) == 0x222222 &&
          at(&palette, 4095) == 0x111111);
    /* Half-way between blue and yellow, Oklab gives no grey. */
    CHECK(reads("[palette]\ninterpolation = oklab\ncolours = #0000ff #ffff00\n"));
    const struct oklab middle = oklab_of_rgba(palette.table[1024]);
    CHECK(fabs(middle.l - (0.4520 + 0.9680) / 2) < 0.01);
}

static void check_adjusted(void) {
    CHECK(reads("[palette]\nsaturation = 0\ncolours = #ff8000 #0080ff\n"));
    for (int k = 0; k < COLOUR_TABLE_SIZE; k += 17) {
        const unsigned c = at(&palette, k);
        CHECK(abs((int)(c >> 16) - (int)(c & 0xff)) <= 1);
    }
    CHECK(reads("[palette]\nhue = 120\ncolours = #c04040\n"));
    const struct oklab from = oklab_of_rgba(0xff4040c0u), to = oklab_of_rgba(palette.table[0]);
    CHECK(fabs(to.l - from.l) < 0.01 && to.a < 0 && to.b > 0);
    CHECK(reads("[palette]\nbrightness = 0.5\ncolours = #c04040\n"));
    CHECK(fabs(oklab_of_rgba(palette.table[0]).l - from.l / 2) < 0.01);
}

static void check_edits(void) {
    CHECK(reads("[palette]\ncolours = 0.1:#000000 0.5:#ffffff 0.9:#ff0000\n"));
    struct gradient g = palette.gradient;
    const int added = gradient_add(&g, 0.3, 0);
    CHECK(added == 1 && g.count == 4 && (g.stops[1].rgba & 0xff) > 0x60 &&
          (g.stops[1].rgba & 0xff) < 0xa0 && !gradient_problem(&g));
    CHECK(gradient_move(&g, 1, 0.95) == 3 && g.stops[3].place == 0.95 && !gradient_problem(&g));
    CHECK(gradient_move(&g, 3, -5) == 0 && g.stops[0].place == 0 && !gradient_problem(&g));
    while (g.count > 1)
        CHECK(gradient_delete(&g, 0) == 0);
    CHECK(gradient_delete(&g, 0) == -1 && g.count == 1);
    while (g.count < GRADIENT_STOPS_MAX)
        CHECK(gradient_add(&g, 0.5, COLOUR_ALPHA) >= 0);
    CHECK(gradient_add(&g, 0.5, 0) == -1);
    /* A stop added to a mirrored gradient has the colour at that place, which is half-way into the
     * table. */
    CHECK(
        reads("[palette]\ninterpolation = linear\nmirror = yes\ncolours = 0:#000000 1:#ff0000\n"));
    g = palette.gradient;
    CHECK(gradient_add(&g, 0.25, 0) == 1 && (g.stops[1].rgba & 0xffffff) == 0x40);
}

/* --- texts --- */

/* Checks that a palette that is written and read again is the same, and so is its text. */
static void check_round_trip(const struct palette *first) {
    char *text = palette_file_text(first);
    CHECK(text && palette_parse(&again, first->id, "again", text, strlen(text)));
    char *twice = palette_file_text(&again);
    CHECK(text && twice && strcmp(text, twice) == 0);
    CHECK(gradient_equal(&again.gradient, &first->gradient) &&
          strcmp(again.name, first->name) == 0 &&
          memcmp(again.table, first->table, sizeof again.table) == 0);
    free(text);
    free(twice);
}

static void check_round_trips(void) {
    for (size_t i = 0; i < palette_builtin_count(); i++)
        check_round_trip(palette_builtin(i));
    CHECK(
        reads("[palette]\nname = A b\ninterpolation = oklab\nmirror = yes\nperiod = 3.25\n"
              "offset = 0.1\nhue = -30.5\nsaturation = 1.5\nbrightness = 0.75\ninterior = #102030\n"
              "colours = 0.123456789:#010203:deep_sea 0.5:#ffffff 1:#abcdef:x\n"));
    CHECK(strcmp(palette.gradient.stops[0].label, "deep sea") == 0);
    check_round_trip(&palette);
    CHECK(reads("[palette]\ncolours = 0:#010203:first 0.5:#405060\n"));
    check_round_trip(&palette);
}

static bool count_gradients(void *user, const struct named_gradient *named) {
    char *names = user;
    strcat(names, named->name);
    strcat(names, "|");
    return true;
}

static void check_imports(void) {
    CHECK(reads("0 0 0 a remark\n255 128 0\n 10 20 30\n0 0 255\n"));
    CHECK(palette.period == 4 && at(&palette, 1024) == 0xff8000 && at(&palette, 2048) == 0x0a141e);
    check_round_trip(&palette);
    CHECK(reads("ColorMethod: 0\r\nIterDiv: 0.5\r\nColorOffset: 256\r\nColors: "
                "255,0,0,0,255,0,0,0,255,9,9,9,\r\n"));
    CHECK(palette.period == 512 && palette.gradient.offset == 0.25 && palette.gradient.count == 4 &&
          at(&palette, 0) == 0x00ff00 && at(&palette, 1024) == 0xff0000);
    check_round_trip(&palette);
    CHECK(refused("Colors: 1,2\n", "T:1: not blue, green and red"));
    CHECK(refused("Colors: 1,2,300\n", "T:1: not a number"));
    CHECK(refused("Colors: 1,2,3\nIterDiv: 0\n", "T:2: IterDiv"));
    static const char ultra[] =
        "; two\nFirst {\ngradient:\n  title=\"One of two\" smooth=yes index=200 color=255\n"
        "  index=0 color=16711680\nopacity:\n  smooth=no index=0 opacity=255\n}\n"
        "second {\ngradient:\n  smooth=no index=-100 color=65280 index=100 color=0\n}\n";
    CHECK(reads(ultra));
    CHECK(strcmp(palette.name, "One of two") == 0 && at(&palette, 0) == 0x0000ff &&
          at(&palette, 2048) == 0xff0000);
    char names[200] = "";
    CHECK(import_read("T", "t", ultra, strlen(ultra), count_gradients, names));
    CHECK(strcmp(names, "One of two|second|") == 0);
    CHECK(refused("x {\ngradient:\nindex=0 color=1\n", "does not end"));
    CHECK(refused("x {\ngradient:\ncolor=1\n}\n", "T:3: a color without"));
    CHECK(reads("GIMP Gradient\nName: Edges\n2\n"
                "0.0 0.25 0.5 1 0 0 1 0 1 0 1 0 0\n0.5 0.75 1.0 0 0 1 1 1 1 1 1 0 0\n"));
    CHECK(strcmp(palette.name, "Edges") == 0 && palette.gradient.count == 4);
    CHECK(at(&palette, 0) == 0xff0000 && at(&palette, 1024) == 0x808000 &&
          at(&palette, 2047) >> 8 == 0x00ff && at(&palette, 2048) == 0x0000ff);
    check_round_trip(&palette);
    CHECK(reads("GIMP Gradient\n1\n0 0.495 1 0 0 0 1 1 1 1 1 0 0\n"));
    CHECK(palette.gradient.count == 3 && palette.gradient.stops[1].place == 0.495);
    CHECK(reads("GIMP Gradient\n1\n0 0.45 1 0 0 0 1 1 1 1 1 0 0\n"));
    CHECK(palette.gradient.count == 3 && palette.gradient.stops[1].place == 0.45);
    /* Sample 51 of 255 lies at the joint of two curved segments, and belongs to the left one. */
    CHECK(reads("GIMP Gradient\n2\n0 0.1 0.2 0 0 0 1 1 0 0 1 1 0\n"
                "0.2 0.5 1 0 0 1 1 1 1 1 1 1 0\n"));
    CHECK(stop_at(50) >> 16 > 0xf0 && stop_at(51) == 0xff0000 && (stop_at(52) & 0xff) == 0xff);
    CHECK(reads("GIMP Gradient\n1\n0 0.5 1 1 0 0 1 0 0 1 1 0 1\n")); /* by hues, through green */
    CHECK(abs((int)(at(&palette, 2048) >> 8 & 0xff) - 255) < 4 && at(&palette, 2048) >> 16 < 6);
    for (int blend = 1; blend < 6; blend++) {
        char text[100];
        snprintf(text, sizeof text, "GIMP Gradient\n1\n0 0.3 1 0 0 0 1 1 1 1 1 %d 0\n", blend);
        CHECK(reads(text));
        const double t = 0.7 / 0.7 * 0.25, x = 0.5 * t / 0.3; /* at a quarter */
        const double expected = blend == 1   ? pow(t, log(0.5) / log(0.3))
                                : blend == 2 ? (sin(acos(-1) * (x - 0.5)) + 1) / 2
                                : blend == 3 ? sqrt(1 - (x - 1) * (x - 1))
                                : blend == 4 ? 1 - sqrt(1 - x * x)
                                             : 0;
        CHECK(fabs((at(&palette, 1024) & 0xff) - 255 * expected) < 2.5);
    }
    CHECK(refused("GIMP Gradient\n2\n0 0.5 1 1 0 0 1 0 0 1 1 0 1\n", "fewer segments"));
    CHECK(refused("GIMP Gradient\n1\n0 0.5 1 1 0 0 1 0 0 1 1 9 1\n", "T:3: an unknown kind"));
    CHECK(refused("GIMP Gradient\n1\n0.1 0.5 1 1 0 0 1 0 0 1 1 0 0\n", "T:3: a segment does not"));
}

/* Reads a text and checks the number of warnings. */
static bool reads_with(const char *text, unsigned warnings) {
    char heard[1024];
    unsigned count;
    log_listen_to_warnings(heard, sizeof heard, &count);
    const bool ok = reads(text);
    log_listen(NULL, 0);
    if (!ok || count != warnings)
        printf("  \"%.60s\": %u warnings, \"%s\"\n", text, count, heard);
    return ok && count == warnings;
}

static bool is_red_and_green(void) {
    return palette.gradient.count == 3 && palette.period == 3 && stop_at(0) == 0 &&
           stop_at(1) == 0xff0000 && stop_at(2) == 0x00ff00;
}

/* Checks that colours are read whatever text surrounds them. */
static void check_maps(void) {
    static const struct {
        const char *text;
        unsigned warnings;
    } maps[] = {
        {"0 0 0\n256 0 0\n0 256 0\n", 0},
        {"0 0 0\r255 0 0\r0 255 0\r", 0},
        {"0 0 0\r\n255 0 0\r\n0 255 0\r\n\x1a", 0},
        {"0 0 0\r\n255 0 0\r\n0 255 0\x1a\r\n1 2 3\r\n[view]\r\n", 0},
        {"0 0 0\r\r\n255 0 0\r\r\n0 255 0\r\r\n", 0},
        {"0 0 0 none\n255 0 0;red\n0 255 0emerald\n", 0},
        {"0 0 0\r\n255 0 0\r\n0 255 0\r\nMade by a map editor\r\n", 1},
        {"Fire and grass\n\n0 0 0\n255 0 0\n0 255 0\n", 1},
        {"Fire and grass\nby hand\n0 0 0\n255 0 0\n0 255 0\n", 1},
        {"0 0 0\n255 0\n255 0 0\n1 2 300\n1 -2 3\n1 2 0.5\n0 255 0\n", 1},
    };
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        CHECK(reads_with(maps[i].text, maps[i].warnings) && is_red_and_green());
    check_round_trip(&palette);
    char text[300 * 12] = "";
    for (int i = 0; i < 300; i++)
        sprintf(text + strlen(text), "%d %d 7\n", i % 256, i / 256);
    CHECK(reads_with(text, 1) && palette.gradient.count == 256 && palette.period == 256);
    CHECK(stop_at(0) == 7 && stop_at(255) == 0xff0007);
    CHECK(refused("300 300 300\n400 400 400\n", "no colours"));
    CHECK(import_kind("0 0 1e10\n1 1 1e10\n", 18) == IMPORT_NONE);
    CHECK(reads_with("GIMP Palette\r\nName: Few\r\nColumns: 3\r\n#\r\n  0   0   0\tNight\r\n"
                     "255   0   0\tUntitled\r\n  0 255   0\r\n",
                     0));
    CHECK(is_red_and_green() && strcmp(palette.name, "Few") == 0);
    CHECK(reads_with("GIMP Palette\n1 2 3 one colour\n", 0) && palette.gradient.count == 1 &&
          stop_at(0) == 0x010203);
}

static void check_kalles(void) {
    char text[12 + 512 * 12] = "Colors: ";
    for (int i = 0; i < 512; i++)
        sprintf(text + strlen(text), "%d,%d,9,", i % 256, i / 256);
    CHECK(reads(text) && palette.gradient.count == 256);
    CHECK(stop_at(0) == 0x090000 && stop_at(127) == 0x0900fe && stop_at(255) == 0x0901fe);
    CHECK(reads("IterDiv: 2\rColors: 1,2,3,4,5,6,\r") && stop_at(1) == 0x060504 &&
          palette.period == 2048);
    CHECK(reads("InteriorColor: 1,2,3,\nColors: 1,2,3,4,5,6,\n") &&
          palette.gradient.interior == (COLOUR_ALPHA | 0x010203));
}

/* Returns true if the entry is within 3 in each channel, the difference between two samples. */
static bool is_near(int entry, unsigned colour) {
    const unsigned c = at(&palette, entry);
    bool near = true;
    for (int shift = 0; shift < 24; shift += 8)
        near &= abs((int)(c >> shift & 0xff) - (int)(colour >> shift & 0xff)) <= 3;
    if (!near)
        printf("  entry %d of %s: %06x, not %06x\n", entry, palette.name, c, colour);
    return near;
}

/* Checks segments by hue, which run up or down to the other end; a whole turn if both ends are
 * equal. */
static void check_hues(void) {
    CHECK(reads("GIMP Gradient\r\r\nName: a\r\r\n1\r\r\n0 0.5 1 1 0 0 1 1 0 0 1 0 0\r\r\n"));
    static const struct {
        const char *ends;
        unsigned sixth, quarter, third, two_thirds;
    } segments[] = {
        {"1 0 0 1 1 0 0 1 0 1", 0xffff00, 0x80ff00, 0x00ff00, 0x0000ff},
        {"1 0 0 1 1 0 0 1 0 2", 0xff00ff, 0x8000ff, 0x0000ff, 0x00ff00},
        {"0 0 1 1 0 0 1 1 0 1", 0xff00ff, 0xff0080, 0xff0000, 0x00ff00},
        {"0 0 1 1 1 0 0 1 0 1", 0x5500ff, 0x8000ff, 0xaa00ff, 0xff00aa},
        {"1 0 0 1 0 0 1 1 0 2", 0xff0055, 0xff0080, 0xff00aa, 0xaa00ff},
        {"1 1 1 1 1 0 0 1 0 1", 0xffffd4, 0xdfffbf, 0xaaffaa, 0x5555ff},
        {"1 1 1 1 0 0 0 1 0 2", 0xd4d4d4, 0xbfbfbf, 0xaaaaaa, 0x555555},
    };
    for (size_t i = 0; i < sizeof segments / sizeof *segments; i++) {
        char text[100];
        snprintf(text, sizeof text, "GIMP Gradient\nName: %d\n1\n0 0.5 1 %s\n", (int)i,
                 segments[i].ends);
        CHECK(reads(text) && is_near(683, segments[i].sixth) &&
              is_near(1024, segments[i].quarter) && is_near(1365, segments[i].third) &&
              is_near(2731, segments[i].two_thirds));
    }
}

/* Appends "NAME: number of stops, the first of them". */
static bool describe(void *user, const struct named_gradient *named) {
    char *text = user;
    palette.gradient = named->gradient;
    sprintf(text + strlen(text), "%s: %d, %06x|", named->name, named->gradient.count, stop_at(0));
    return true;
}

static bool describes(const char *file, const char *gradients) {
    char text[200] = "";
    const bool ok = import_read("T", "t", file, strlen(file), describe, text);
    if (!ok || strcmp(text, gradients) != 0)
        printf("  \"%s\", not \"%s\"\n", text, gradients);
    return ok && strcmp(text, gradients) == 0;
}

static void check_ultra(void) {
    CHECK(reads("x {\ngradient:\nsmooth=no index=-100 color=65280 index=100 color=255\n}\n"));
    CHECK(palette.gradient.interpolation == INTERPOLATION_LINEAR &&
          palette.gradient.stops[0].place == 0.25 && stop_at(0) == 0xff0000 &&
          palette.gradient.stops[1].place == 0.75 && stop_at(1) == 0x00ff00);
    static const char file[] =
        "# the 20th\ncomment {\n  made by hand {with care}: it's\n  gradient: color=none\n}\n"
        "red {\ngradient:\n  title=\"red }\" smooth=yes index=0 color=255 index=200 color=0}\n"
        "formulas {\n  z=\"0\n  index=none\n}\n comment {\n} ends\n{gradient: index=0 "
        "color=3}\nComment { } \n"
        "{ gradient: index=7 color=1 ; a remark {\n} blue{gradient: index=7 color=2\n"
        "; index=\nindex=9 color=3 }\n";
    CHECK(describes(file, "red }: 2, ff0000|t: 1, 030000|t: 1, 010000|blue: 2, 020000|"));
    CHECK(describes("x{gradient: index=0 color=255}", "x: 1, ff0000|"));
    /* The first one. */
    CHECK(reads("x {gradient: index=0 color=255}\ny {gradient: color=255}\n"));
    static const char parameters[] =
        "# 20th\r\nDeep {\r\nfractal:\r\n  title=\"Deeper\" width=640 layers=2\r\n"
        "layer:\r\n  caption=\"Background\" opacity=100\r\nmapping:\r\n  center=-0.67/-0.46\r\n"
        "gradient:\r\n  smooth=no index=0 color=255 index=64\r\n  color=65280\r\n"
        "opacity:\r\n  smooth=no index=0 opacity=255\r\n"
        "layer:\r\n  caption=\"Top\" index=5 color=x\r\n"
        "gradient:\r\n  smooth=yes index=0 color=16711680\r\n}\r\n";
    CHECK(describes(parameters, "Deep: 2, ff0000|Deep 2: 1, 0000ff|"));
    CHECK(palette.gradient.interpolation == INTERPOLATION_SMOOTH);
    CHECK(reads(parameters) && strcmp(palette.name, "Deep") == 0 && stop_at(1) == 0x00ff00 &&
          palette.gradient.interpolation == INTERPOLATION_LINEAR);
    CHECK(refused("comment {\ngradient: index=0 color=0\n", "a comment does not end"));
    CHECK(refused("comment {\ngradient: index=0 color=0\n}\n", "no gradient in"));
}

/* Checks names: they keep whole UTF-8 characters that a saved palette may have. */
static void check_names(void) {
    static const struct {
        const char *text, *name;
    } names[] = {
        {"a\001b\177c", "a?b?c"},
        {" blanks\t ", "blanks"},
        {"caf\xe9", "caf?"},
        {"\xe2\x82", "??"},
        {"\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9"},
        {"0123456789012345678901234567890123456789012", "0123456789012345678901234567890123456789"},
        {"012345678901234567890123456789012345678\xc3\xa9",
         "012345678901234567890123456789012345678"},
        {"01234567890123456789012345678901234567\xe2\x98\x83",
         "01234567890123456789012345678901234567"},
        {"0123456789012345678901234567890123456\xe2\x98\x83",
         "0123456789012345678901234567890123456\xe2\x98\x83"},
        {"012345678901234567890123456789012345678 cut", "012345678901234567890123456789012345678"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[200];
        snprintf(text, sizeof text, "GIMP Gradient\nName: %s\n1\n0 0.5 1 0 0 0 1 1 1 1 1 0 0\n",
                 names[i].text);
        CHECK(reads(text) && strcmp(palette.name, names[i].name) == 0);
        check_round_trip(&palette);
        snprintf(text, sizeof text, "%s {\ngradient:\nindex=0 color=255\n}\n", names[i].text);
        CHECK(reads(text) && strcmp(palette.name, names[i].name) == 0);
    }
    char first_byte[3];
    palette_text_copy(first_byte, 2, "\xc3\xa9", 1);
    CHECK(strcmp(first_byte, "?") == 0);
    static const char own[] = "[palette]\nname = a\xff\ncolours = 0:#000000:b\xff 1:#010203\n";
    CHECK(reads(own) && strcmp(palette.name, "a?") == 0 &&
          strcmp(palette.gradient.stops[0].label, "b?") == 0);
    static const char path[] = "/x/012345678901234567890123456789012345678\xc3\xa9.map";
    const struct palette *of_file = palette_import(path, "0 0 0\n1 1 1\n", 12);
    CHECK(of_file && strcmp(of_file->name, "012345678901234567890123456789012345678") == 0);
    palette_unref(of_file);
}

static void check_kinds(void) {
    static const char view[] = "[view]\nzoom = 2\n[palette]\ncolours = #000000\n";
    static const char kalles[] = "Re: 0\nIm: 0\nZoom: 2\nColors: 0,0,0,255,255,255,\nIterDiv: 1\n";
    CHECK(import_kind(view, strlen(view)) == IMPORT_NONE);
    CHECK(import_kind("-0.75 0.1 20", 12) == IMPORT_NONE);
    CHECK(import_kind("0 0 1\n", 6) == IMPORT_NONE);
    CHECK(import_kind("[palette]\n", 10) == IMPORT_OWN);
    CHECK(import_kind("[palette]\n [view]\n", 18) == IMPORT_NONE);
    CHECK(import_kind("[palette]\n [x]", 11) == IMPORT_OWN); /* the text is 11 bytes long */
    CHECK(import_kind(kalles, strlen(kalles)) == IMPORT_KALLES);
    SCOPED(scene, scene);
    CHECK(scene_parse_any(&scene, "place.kfr", kalles, strlen(kalles)));
    CHECK(scene.palette->made && scene.palette->period == 1024 &&
          strcmp(scene.palette->id, "place") == 0);
}

/* --- random palettes --- */

static void check_random(void) {
    uint64_t sum = 0; /* sum over all palettes: views name them only by their numbers */
    for (uint64_t key = 0; key < 300; key++) {
        struct gradient g, same;
        harmony_gradient(key, &g);
        harmony_gradient(key, &same);
        CHECK(gradient_equal(&g, &same) && !gradient_problem(&g));
        for (int i = 0; i < g.count; i++)
            sum = (sum ^ g.stops[i].rgba ^ (uint64_t)(g.stops[i].place * 0x1p50)) * 1099511628211u;
        sum += (uint64_t)g.period;
        uint32_t table[COLOUR_TABLE_SIZE];
        double darkest = 1, lightest = 0, step = 0;
        gradient_table(&g, table);
        for (int k = 0; k < COLOUR_TABLE_SIZE; k += 8) {
            const struct oklab a = oklab_of_rgba(table[k]),
                               b = oklab_of_rgba(table[(k + 8) % COLOUR_TABLE_SIZE]);
            darkest = fmin(darkest, a.l);
            lightest = fmax(lightest, a.l);
            step = fmax(step, sqrt((a.l - b.l) * (a.l - b.l) + (a.a - b.a) * (a.a - b.a) +
                                   (a.b - b.b) * (a.b - b.b)));
        }
        CHECK(darkest < 0.3 && lightest > 0.85 && step < 0.06);
        if (step >= 0.06)
            printf("  random-%d: %.3f %.3f, a step of %.3f\n", (int)key, darkest, lightest, step);
    }
    const struct palette *a = palette_get("random-42"), *b = palette_get("Random-42");
    CHECK(a && a == b && strcmp(a->id, "random-42") == 0 && strcmp(a->name, "Random 42") == 0);
    CHECK(sum == UINT64_C(2373229207383727250));
    CHECK(a && a->gradient.count == 8 && a->gradient.stops[1].rgba == 0xff687300 &&
          a->gradient.stops[2].rgba == 0xfffffbbf && a->gradient.stops[6].rgba == 0xfffff3d5);
    CHECK(!palette_get("random-") && !palette_get("random-x") &&
          !palette_get("random-1234567890123456789"));
    palette_unref(a);
    palette_unref(b);
}

/* --- scenes and shares --- */

static const struct palette *made_of(int number) {
    static struct named_gradient named;
    strcpy(named.name, "Made");
    gradient_init(&named.gradient);
    gradient_add(&named.gradient, 0, COLOUR_ALPHA | (uint32_t)number);
    return palette_make("made", &named);
}

static void check_views(void) {
    struct scene scene, copy;
    const size_t before = palette_made_count();
    scene_init(&scene);
    char *text = scene_text(&scene);
    CHECK(text && !strstr(text, "[palette]")); /* a built-in one is not written out */
    free(text);
    palette_replace(&scene.palette, palette_get("random-7"));
    CHECK(palette_made_count() == before + 1);
    scene_init_copy(&copy, &scene);
    text = scene_text(&scene);
    CHECK(text && strstr(text, "\n[palette]\nname = Random 7\n"));
    scene_finish(&scene);
    scene_init(&scene);
    CHECK(text && scene_parse(&scene, "T", text, strlen(text)) && scene.palette == copy.palette);
    free(text);
    static const char own[] = "[view]\nzoom = 2\n[colour]\npalette = my own!\n[palette]\n"
                              "name = Mine\ncolours = #102030 #405060\n";
    CHECK(scene_parse(&scene, "T", own, strlen(own)) && strcmp(scene.palette->name, "Mine") == 0 &&
          strcmp(scene.palette->id, "my_own_") == 0);
    text = scene_text(&scene);
    CHECK(text && scene_parse(&copy, "T", text, strlen(text)) && copy.palette == scene.palette);
    free(text);
    static const char *const bad[] = {
        "[view]\nzoom = 2\n[palette]\ncolours = red\n", "[view]\nzoom = 2\n[palette]\nname = a\n",
        "[view]\nzoom = 2\n[palette]\nperiod = 1e99\ncolours = #102030\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(!scene_parse(&scene, "T", bad[i], strlen(bad[i])));
        CHECK(strcmp(scene.palette->name, "Mine") == 0);
    }
    scene_finish(&scene);
    scene_finish(&copy);
    CHECK(palette_made_count() == before);
}

static bool loads(const char *path, const char *name) {
    const struct palette *loaded = palette_load(path);
    const bool ok = loaded && strcmp(loaded->name, name) == 0;
    palette_unref(loaded);
    return ok;
}

/* Checks '#': the text after it is a gradient's name, unless a file has the whole name. */
static void check_hash(void) {
    static const char map[] = "0 0 0\n1 1 1\n";
    static const char ultra[] =
        "a{\ngradient:\nindex=0 color=1\n}\nb.map{\ngradient:\nindex=0 color=2\n}\n";
    file_put("x", ultra, sizeof ultra - 1);
    remove("x#b.map");
    CHECK(loads("x", "a") && loads("x#b.map", "b.map"));
    file_put("x#b.map", map, sizeof map - 1);
    CHECK(loads("x#b.map", "x#b") && loads("x#a", "a"));
}

/* Checks that a table stays while it may be in use, and that the number of tables is bounded. */
static void check_shares(void) {
    const size_t before = palette_made_count();
    const struct palette *first = made_of(1), *same = made_of(1);
    CHECK(first && first == same);
    palette_unref(same);
    palette_unref(first);
    for (int i = 2; i <= PALETTE_REST_MAX - 8; i++)
        palette_unref(made_of(i));
    CHECK(first->table[0] == (COLOUR_ALPHA | 1) && made_of(1) == first);
    /* Found by its text, or by its holder. */
    for (int again_held = 0; again_held < 2; again_held++) {
        for (int i = 2; i <= PALETTE_REST_MAX + 8; i++)
            palette_unref(made_of(i));
        CHECK(first->table[0] == (COLOUR_ALPHA | 1));
        palette_unref(first);
        CHECK(palette_ref(first) == first);
    }
    palette_unref(first);
    static const struct palette *held[PALETTE_MADE_MAX];
    int count = 0;
    log_set_level(LOG_ERROR);
    while (count < PALETTE_MADE_MAX && (held[count] = made_of(100000 + count)))
        count++;
    CHECK(count == (int)(PALETTE_MADE_MAX - before));
    CHECK(!made_of(99999));
    for (int i = 0; i < count; i++) {
        CHECK(held[i]->table[0] == (COLOUR_ALPHA | (uint32_t)(100000 + i)));
        palette_unref(held[i]);
    }
    CHECK(palette_made_count() == before);
    const struct palette *after = made_of(99999);
    CHECK(after && after->table[5] == (COLOUR_ALPHA | 99999));
    palette_unref(after);
}

int main(void) {
    check_oklab();
    check_between();
    check_adjusted();
    check_edits();
    check_round_trips();
    check_imports();
    check_maps();
    check_kalles();
    check_hues();
    check_ultra();
    check_names();
    check_kinds();
    check_random();
    check_views();
    check_hash();
    check_shares();
    printf("check_gradients: %d failures\n", failures);
    return failures != 0;
}
