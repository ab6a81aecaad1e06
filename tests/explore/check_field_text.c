/* Text fields: every number comes back from its text bit by bit, usual notations are understood,
 * and errors are reported and change nothing. */
#include "app/explore/field_text.h"
#include "render/files/scene.h"
#include "tests/shared/check.h"
#include <math.h>

static char *text_of(const struct scene *scene) {
    char *text = scene_text(scene);
    if (!text)
        exit(1);
    return text;
}

static bool set(struct scene *scene, enum setting_id field, const char *text) {
    struct setting_problem problem;
    return field_set(scene, field, text, &problem);
}

/* Checks that the text is refused with this reason, and that the scene does not change. */
static void check_refused(struct scene *scene, enum setting_id field, const char *text,
                          const char *reason) {
    struct setting_problem problem = {.why = ""};
    char *before = text_of(scene);
    CHECK(!field_set(scene, field, text, &problem));
    if (!strstr(problem.why, reason)) {
        printf("'%.60s': said '%s', not '%s'\n", text, problem.why, reason);
        failures++;
    }
    char *after = text_of(scene);
    CHECK(strcmp(before, after) == 0);
    free(before);
    free(after);
}

/* Checks that a field's exact text sets the same scene again. */
static void check_same(struct scene *scene) {
    char *before = text_of(scene);
    for (int id = 0; id < SETTING_COUNT; id++) {
        if (!setting_table[id].label || setting_table[id].names || id == SETTING_PALETTE)
            continue;
        char *text = field_exact(scene, (enum setting_id)id);
        CHECK(text && set(scene, (enum setting_id)id, text));
        free(text);
    }
    char *after = text_of(scene);
    if (strcmp(before, after) != 0) {
        printf("not the same again:\n%s\n%s\n", before, after);
        failures++;
    }
    free(before);
    free(after);
}

static void check_round_trip(void) {
    static const char *const zooms[] = {"1e-5", "17", "123456.789", "1e14", "3.3e250", "7e3000"};
    unsigned long long seed = 77;
    SCOPED(scene, scene);
    for (int i = 0; i < 200; i++) {
        const char *why;
        view_home(&scene.view);
        CHECK(view_set_zoom(&scene.view, zooms[i % 6], &why));
        for (int k = 0; k < 3; k++)
            view_zoom_at(&scene.view, 1.5, (double)(random_next(&seed) % 1280), 7.5, 1280, 720);
        CHECK(view_set_angle_degrees(&scene.view, (double)(random_next(&seed) % 3600) / 7, &why));
        scene.limit = (uint32_t)(random_next(&seed) >> 33) + 1;
        scene.frequency = (double)(random_next(&seed) >> 11) / 0x1p43 + 1e-9;
        scene.offset = (double)(random_next(&seed) >> 11) / 0x1p53;
        scene.tone.exposure = (double)(random_next(&seed) % 3200) / 100 - 16;
        scene.tone.gamma = (double)(random_next(&seed) % 990) / 100 + 0.1;
        scene.orbits.least = 1 + (uint32_t)random_next(&seed) % scene.limit;
        check_same(&scene);
    }
}

/* Checks that coordinates are shown to the pixel, while their exact text has more digits. */
static void check_shown(void) {
    SCOPED(scene, scene);
    CHECK(set(&scene, SETTING_RE, "-1.234567890123456789012345678901234567890123456789"));
    CHECK(set(&scene, SETTING_ZOOM, "1e10") && set(&scene, SETTING_ANGLE, "12.5"));
    char *shown = field_shown(&scene, SETTING_RE, 720), *exact = field_exact(&scene, SETTING_RE);
    CHECK(shown && exact && strncmp(shown, "-1.234567890123", 15) == 0 && strlen(shown) < 20 &&
          strlen(exact) > 50 && strncmp(exact, shown, 14) == 0);
    free(shown);
    free(exact);
    char *angle = field_shown(&scene, SETTING_ANGLE, 720),
         *zoom = field_shown(&scene, SETTING_ZOOM, 720);
    CHECK(angle && strcmp(angle, "12.5") == 0 && zoom && strcmp(zoom, "10000000000") == 0);
    free(angle);
    free(zoom);
}

static void check_accepted(void) {
    SCOPED(scene, scene);
    CHECK(set(&scene, SETTING_RE, "  -0.75\n") && mpfr_cmp_d(scene.view.re, -0.75) == 0);
    CHECK(set(&scene, SETTING_RE,
              "\xe2\x88\x92"
              "1.5e\xe2\x88\x92"
              "1") &&
          fabs(mpfr_get_d(scene.view.re, MPFR_RNDN) + 0.15) < 1e-15);
    CHECK(set(&scene, SETTING_IM, "0.25i") && mpfr_cmp_d(scene.view.im, 0.25) == 0);
    CHECK(set(&scene, SETTING_IM, "+0.5 i") && mpfr_cmp_d(scene.view.im, 0.5) == 0);
    CHECK(set(&scene, SETTING_ZOOM, "1e1000") && view_step_log2(&scene.view, 4) < -3000);
    CHECK(set(&scene, SETTING_ANGLE, "45\xc2\xb0") && fabs(scene.view.angle - 0.78539816) < 1e-8);
    CHECK(set(&scene, SETTING_ANGLE, "-315") && fabs(scene.view.angle - 0.78539816) < 1e-8);
    CHECK(set(&scene, SETTING_LIMIT, "1e6") && scene.limit == 1000000);
    CHECK(set(&scene, SETTING_LIMIT, "0") && scene.limit == 0);
    CHECK(set(&scene, SETTING_LIMIT, "2147483647") && scene.limit == FRAME_LIMIT_MAX);
    CHECK(set(&scene, SETTING_OFFSET, "-0.25") && scene.offset == 0.75);
    CHECK(set(&scene, SETTING_OFFSET, "-1e-30") && scene.offset == 0);
    CHECK(set(&scene, SETTING_FREQUENCY, "1e6") && scene.frequency == 1e6);
    CHECK(set(&scene, SETTING_EXPOSURE, "-2.5") && scene.tone.exposure == -2.5);
    CHECK(set(&scene, SETTING_GAMMA, "2.2") && scene.tone.gamma == 2.2);
}

/* Checks that the other coordinate keeps every bit, and that additional digits are all kept. */
static void check_one_coordinate(void) {
    mpfr_t im;
    SCOPED(scene, scene);
    CHECK(set(&scene, SETTING_IM, "0.1234567890123456789012345678901234567890"));
    mpfr_init2(im, mpfr_get_prec(scene.view.im));
    mpfr_set(im, scene.view.im, MPFR_RNDN);
    CHECK(set(&scene, SETTING_RE, "-1"));
    CHECK(mpfr_get_prec(im) == mpfr_get_prec(scene.view.im) && mpfr_equal_p(im, scene.view.im));
    static char digits[VIEW_DIGITS_MAX + 8];
    memcpy(digits, "0.", 2);
    memset(digits + 2, '7', 100000);
    CHECK(set(&scene, SETTING_RE, digits) && mpfr_get_prec(scene.view.re) > 332000);
    check_same(&scene);
    memset(digits, '1', sizeof digits - 1);
    check_refused(&scene, SETTING_RE, digits, "125000 digits");
    check_refused(&scene, SETTING_ZOOM, digits, "too many digits");
    mpfr_clear(im);
}

static void check_limits_of_density(void) {
    SCOPED(scene, scene);
    scene.orbit_density = true;
    CHECK(set(&scene, SETTING_LIMIT, "500") && scene.limit == 500 && scene.orbits.limit[0] == 500);
    CHECK(set(&scene, SETTING_LEAST, "500") && scene.orbits.least == 500);
    check_refused(&scene, SETTING_LEAST, "501", "to the limit");
    check_refused(&scene, SETTING_LEAST, "0", "whole number from 1");
    check_refused(&scene, SETTING_LIMIT, "0", "from 1");
    CHECK(set(&scene, SETTING_LIMIT, "20") && scene.orbits.least == 20);
    scene.orbits.channels = 3;
    CHECK(set(&scene, SETTING_LIMIT, "1000, 200 40") && scene.orbits.limit[2] == 40);
    char *text = field_exact(&scene, SETTING_LIMIT);
    CHECK(text && strcmp(text, "1000 200 40") == 0);
    free(text);
    check_refused(&scene, SETTING_LIMIT, "1000 200", "one or three");
}

static void check_all_refused(void) {
    static const struct {
        enum setting_id field;
        const char *text, *reason;
    } bad[] = {
        {SETTING_RE, "", "empty"},
        {SETTING_RE, "  \n", "empty"},
        {SETTING_RE, "1,5", "not a decimal number"},
        {SETTING_RE, "fish", "not a decimal number"},
        {SETTING_RE, "nan", "not a decimal number"},
        {SETTING_RE, "0.25i", "not a decimal number"},
        {SETTING_RE, "1e5000", "1e300"},
        {SETTING_IM, "i", "not a decimal number"},
        {SETTING_IM, "1 2", "not a decimal number"},
        {SETTING_ZOOM, "0", "not between"},
        {SETTING_ZOOM, "-1", "not between"},
        {SETTING_ZOOM, "1e100001", "not between"},
        {SETTING_ANGLE, "inf", "degrees"},
        {SETTING_ANGLE, "north", "degrees"},
        {SETTING_LIMIT, "-1", "whole number"},
        {SETTING_LIMIT, "1.5", "whole number"},
        {SETTING_LIMIT, "2147483648", "whole number"},
        {SETTING_LIMIT, "1000 200 40", "whole number"},
        {SETTING_FREQUENCY, "0", "above 0"},
        {SETTING_FREQUENCY, "1000001", "up to 1e+06"},
        {SETTING_OFFSET, "half", "turns"},
        {SETTING_EXPOSURE, "17", ""},
        {SETTING_EXPOSURE, "bright", "takes a number from -16 to 16"},
        {SETTING_GAMMA, "0", ""},
    };
    SCOPED(scene, scene);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_refused(&scene, bad[i].field, bad[i].text, bad[i].reason);
}

int main(void) {
    check_round_trip();
    check_shown();
    check_accepted();
    check_one_coordinate();
    check_limits_of_density();
    check_all_refused();
    printf("%d failures\n", failures);
    return failures != 0;
}
