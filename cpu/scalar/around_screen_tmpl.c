/* Perturbation kernel (scalar): counts around a reference orbit that is screened. */
#define PERTURBED_SCREEN
#include "cpu/scalar/around_list.h"

bool NAME(around_screen)(const struct tile_points *p, struct tile_samples *samples) {
    return advance_all(p, samples, false);
}

bool NAME(around_folded_screen)(const struct tile_points *p, struct tile_samples *samples) {
    return advance_all(p, samples, true);
}
