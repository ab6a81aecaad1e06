/* Change of formula in the window: chosen and left, and refused where it is impossible. */
#include "app/explore/explorer.h"
#include "tests/shared/check.h"

static void act(struct explorer *explorer, enum action_kind kind, enum setting_id id,
                double amount) {
    explorer->changed = false;
    explorer_apply(explorer, &(struct action){.kind = kind, .setting = id, .amount = amount});
}

static bool refuses(const struct explorer *explorer, enum setting_id id) {
    const struct action action = {.kind = ACTION_STEP, .setting = id, .amount = 1};
    return explorer_refusal(explorer, &action) != NULL;
}

/* Checks that each field of the panel is a step of its own, which undo and redo restore
 * completely. */
static void check_hybrid(struct explorer *explorer) {
    struct setting_problem problem;
    const struct action undo = {.kind = ACTION_UNDO, .amount = 1};
    const struct action redo = {.kind = ACTION_UNDO, .amount = -1};
    struct fractal *fractal = &explorer->scene.fractal;
    CHECK(explorer_set(explorer, SETTING_POWER, "3", &problem) && fractal->power == 3);
    CHECK(explorer_set(explorer, SETTING_THEN, "tricorn, heart 4", &problem));
    CHECK(fractal->then_count == 2 && fractal->then[1].power == 4 && explorer->changed);
    CHECK(!explorer_set(explorer, SETTING_THEN, "tricorn heart", &problem));
    explorer_apply(explorer, &undo);
    CHECK(fractal->then_count == 0 && fractal->power == 3);
    explorer_apply(explorer, &undo);
    CHECK(fractal->power == 2);
    explorer_apply(explorer, &redo);
    explorer_apply(explorer, &redo);
    CHECK(fractal->then_count == 2 && fractal->power == 3);
    CHECK(explorer_set(explorer, SETTING_THEN, "", &problem) && fractal->then_count == 0);
    CHECK(explorer_set(explorer, SETTING_POWER, "2", &problem));
}

int main(void) {
    struct scene scene;
    scene_init(&scene);
    SCOPED(explorer, explorer, &scene, 320, 200);
    SCOPED(frame_req, req, 320, 200);
    CHECK(!refuses(&explorer, SETTING_FORMULA) && !refuses(&explorer, SETTING_ORBIT_DENSITY));

    act(&explorer, ACTION_STEP, SETTING_FORMULA, 1);
    CHECK(explorer.scene.fractal.formula == FORMULA_tricorn && explorer.changed);
    explorer_begin_request(&explorer);
    explorer_request(&explorer, &req);
    CHECK(req.fractal.formula == FORMULA_tricorn);
    CHECK(refuses(&explorer, SETTING_ORBIT_DENSITY));
    act(&explorer, ACTION_STEP, SETTING_ORBIT_DENSITY, 1);
    CHECK(!explorer.scene.orbit_density && !explorer.changed);

    act(&explorer, ACTION_CHOOSE, SETTING_FORMULA, FORMULA_mandelbrot);
    CHECK(explorer.scene.fractal.formula == FORMULA_mandelbrot && explorer.changed);
    explorer.scene.precision = PRECISION_WIDE;
    act(&explorer, ACTION_CHOOSE, SETTING_FORMULA, FORMULA_newton);
    CHECK(explorer.scene.fractal.formula == FORMULA_mandelbrot && !explorer.changed);

    /* Maps cannot be iterated in wide numbers, however they are requested. */
    struct setting_problem problem;
    CHECK(!explorer_set(&explorer, SETTING_FORMULA, "newton", &problem) &&
          strstr(problem.why, "wide") && explorer.scene.fractal.formula == FORMULA_mandelbrot);
    explorer.scene.precision = PRECISION_AUTO;
    check_hybrid(&explorer);

    act(&explorer, ACTION_STEP, SETTING_ORBIT_DENSITY, 1);
    CHECK(explorer.scene.orbit_density && refuses(&explorer, SETTING_FORMULA));

    mpfr_free_cache();
    return failures > 0;
}
