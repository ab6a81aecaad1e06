/* Density judge: decides from the number of hit pixels, and its growth, whether a density
 * picture is worth seeing. */
#include "app/picture/density_judge.h"

#define THIN       0.5    /* share shining through above which hardly anything is visible */
#define FEW_MS     1000.0 /* [ms] time until the first points where many orbits pass */
#define FEW_POINTS 0.1    /* points per pixel below which few orbits pass */
/* Growth of the number of hit pixels, while the samples double, below which no more pixels will be
 * hit. Fewer hit pixels than SETTLED_LEAST_PX could stay as few by chance. */
#define SETTLED          1.1
#define SETTLED_LEAST_PX 256

void density_judge_begin(struct density_judge *judge, bool orbit_density) {
    *judge = (struct density_judge){.transparency = 1, .told = orbit_density && judge->told};
}

bool density_judge_is_faint(const struct density_judge *judge) {
    return judge->transparency > THIN;
}

double density_judge_share(struct density_judge *judge, const struct backend_report *report,
                           double pixels) {
    if (report->samples > 0 && report->samples / 2 >= judge->marked_samples) {
        judge->settled = judge->marked_hit * pixels >= SETTLED_LEAST_PX &&
                         report->hit < SETTLED * judge->marked_hit;
        judge->marked_samples = report->samples;
        judge->marked_hit = report->hit;
    }
    return judge->settled ? 1 : report->hit;
}

bool density_judge_is_sparse(const struct density_judge *judge, const struct backend_report *report,
                             double points) {
    return report->state == BACKEND_BUSY && report->samples > 0 && report->elapsed_ms >= FEW_MS &&
           (density_judge_is_faint(judge) || points < FEW_POINTS);
}
