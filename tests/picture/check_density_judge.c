/* Density judge: decides from backend reports how much of a density picture is visible. */
#include "app/picture/density_judge.h"
#include "tests/shared/check.h"

/* Checks `settled`: if twice as many samples hit only a few more pixels, the picture shows all
 * there is. Very few pixels prove nothing. */
static void check_settled(void) {
    static const struct {
        uint64_t samples;
        double hit, judged;
    } news[] = {{64, 0.02, 0.02}, {128, 0.02, 0.02}, {256, 0.4, 0.4}, {512, 0.5, 0.5},
                {700, 0.5, 0.5},  {1024, 0.54, 1},   {1100, 0.54, 1}};
    struct density_judge judge = {0};
    for (size_t i = 0; i < sizeof news / sizeof *news; i++) {
        const struct backend_report report = {.samples = news[i].samples, .hit = news[i].hit};
        CHECK(density_judge_share(&judge, &report, 10000) == news[i].judged);
    }
}

/* Checks `few`: hardly anything is visible after a second, whether the backdrop shines through or
 * not. */
static void check_few(void) {
    struct backend_report report = {.state = BACKEND_BUSY, .samples = 64, .elapsed_ms = 1000};
    struct density_judge judge = {.transparency = 0.9};
    CHECK(density_judge_is_sparse(&judge, &report, 10));
    judge.transparency = 0.1;
    CHECK(!density_judge_is_sparse(&judge, &report, 10) &&
          density_judge_is_sparse(&judge, &report, 0.01));
    report.elapsed_ms = 900;
    CHECK(!density_judge_is_sparse(&judge, &report, 0.01));
    report.elapsed_ms = 2000;
    report.samples = 0; /* nothing was counted yet */
    CHECK(!density_judge_is_sparse(&judge, &report, 0));
    report.samples = 64;
    report.state = BACKEND_DONE; /* the picture is complete */
    CHECK(!density_judge_is_sparse(&judge, &report, 0));
}

static void check_begin(void) {
    struct density_judge judge = {
        .transparency = 0, .told = true, .settled = true, .marked_samples = 9};
    density_judge_begin(&judge, true);
    CHECK(judge.told && density_judge_is_faint(&judge) && !judge.settled &&
          judge.marked_samples == 0);
    density_judge_begin(&judge, false);
    CHECK(!judge.told);
}

int main(void) {
    check_settled();
    check_few();
    check_begin();
    return failures > 0;
}
