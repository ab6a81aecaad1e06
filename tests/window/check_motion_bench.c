/* fathom bench motion: its measures, on pictures with known results, and its scripts. */
#include "app/bench/judge.h"
#include "app/bench/scenario.h"
#include "tests/shared/check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE   64
#define PIXELS (SIDE * SIDE)

static uint32_t grey(int value) {
    return 0xff000000u | (uint32_t)value * 0x010101u;
}

static void check_psnr(void) {
    static uint32_t a[PIXELS], b[PIXELS];
    for (int i = 0; i < PIXELS; i++)
        a[i] = b[i] = grey(i % 200);
    CHECK(judge_psnr(a, b, PIXELS) == JUDGE_PSNR_MAX);
    for (int i = 0; i < PIXELS; i++)
        b[i] = grey(i % 200 + 1);
    CHECK(fabs(judge_psnr(a, b, PIXELS) - 20 * log10(255)) < 1e-9);
    for (int i = 0; i < PIXELS; i++)
        b[i] = a[i] + 3; /* red only */
    CHECK(fabs(judge_psnr(a, b, PIXELS) - 20 * log10(255) + 10 * log10(3)) < 1e-9);
    for (int i = 0; i < PIXELS; i++)
        b[i] = a[i] ^ 0x7f000000u; /* alpha does not count */
    CHECK(judge_psnr(a, b, PIXELS) == JUDGE_PSNR_MAX);
}

/* Checks sharpness: a slope of one grey per pixel has 8 between blocks; dots have more than the
 * same dots magnified. */
static void check_sharpness(void) {
    static uint32_t slope[PIXELS], magnified[PIXELS], dots[PIXELS];
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const int hash = (x * 37 + y * 101) % 97;
            slope[y * SIDE + x] = grey(x);
            dots[y * SIDE + x] = grey(hash);
            magnified[y * SIDE + x] = grey((x / 4 * 37 + y / 4 * 101) % 97);
        }
    CHECK(fabs(judge_sharpness(slope, SIDE, SIDE) - 1 / 8.0) < 1e-6);
    CHECK(judge_sharpness(dots, SIDE, SIDE) > 2 * judge_sharpness(magnified, SIDE, SIDE));
}

/* Checks that each scenario is a valid script, which lasts as long as it states, or as its way
 * requires. */
static void check_scenarios(void) {
    for (const struct scenario *scenario = scenarios; scenario->name; scenario++) {
        char *text = scenario_script(scenario, 3);
        CHECK(text && strstr(text, "mark moving\n") && strstr(text, "mark stopped\n"));
        struct script *script = text ? script_of_text(scenario->name, text) : NULL;
        CHECK(script);
        script_destroy(script);
    }
    for (const struct scenario *scenario = scenarios; scenario->name; scenario++) {
        char *text = scenario_script(scenario, 1000);
        if (strcmp(scenario->name, "hold") == 0)
            CHECK(text && strstr(text, "wait 19342\n")); /* 700 ms ln 1e12 */
        if (strcmp(scenario->name, "dive") == 0)
            CHECK(text && strstr(text, "wait 9671\n"));
        free(text);
    }
}

int main(void) {
    check_psnr();
    check_sharpness();
    check_scenarios();
    return failures > 0;
}
