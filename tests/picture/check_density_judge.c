/* How much there is to be seen of density pictures, by reports about them. */
#include "app/picture/density_judge.h"
#include "tests/shared/check.h"

/* Where twice as many samples hit but a few more pixels, all is there that there will be; a few pixels say nothing. */
static void check_settled(void) {
    static const struct {
        uint64_t samples;
        double hit, judged;
    } news[] = {{64, 0.02, 0.02}, {128, 0.02, 0.02}, {256, 0.4, 0.4}, {512, 0.5, 0.5},
                {700, 0.5, 0.5},  {1024, 0.54, 1},   {1100, 0.54, 1}};
    struct density_judge judge = {0};
    for (size_t i = 0; i < sizeof news / sizeof *news; i++) {
        const struct backend_report report = {.samples = news[i].samples, .hit = news[i].hit};
        CHECK(density_judge_hit(&judge, &report, 10000) == news[i].judged);
    }
}

/* Few orbits pass where hardly anything is seen after a second, whether anything shines through or not. */
static void check_few(void) {
    struct backend_report report = {.state = BACKEND_BUSY, .samples = 64, .elapsed_ms = 1000};
    struct density_judge judge = {.through = 0.9};
    CHECK(density_judge_few(&judge, &report, 10));
    judge.through = 0.1;
    CHECK(!density_judge_few(&judge, &report, 10) && density_judge_few(&judge, &report, 0.01));
    report.elapsed_ms = 900;
    CHECK(!density_judge_few(&judge, &report, 0.01));
    report.elapsed_ms = 2000;
    report.samples = 0; /* it has not begun */
    CHECK(!density_judge_few(&judge, &report, 0));
    report.samples = 64;
    report.state = BACKEND_DONE; /* it is as it was asked for */
    CHECK(!density_judge_few(&judge, &report, 0));
}

static void check_begin(void) {
    struct density_judge judge = {.through = 0, .told = true, .settled = true, .marked_samples = 9};
    density_judge_begin(&judge, true);
    CHECK(judge.told && density_judge_thin(&judge) && !judge.settled && judge.marked_samples == 0);
    density_judge_begin(&judge, false);
    CHECK(!judge.told);
}

int main(void) {
    check_settled();
    check_few();
    check_begin();
    return failures > 0;
}
