/* Similarities: scale, rotation and shift of a picture on the screen as two complex numbers. */
#include "app/explore/similarity.h"
#include <math.h>

const struct similarity similarity_identity = {1, 0};

bool similarity_is_identity(struct similarity s) {
    return s.factor == 1 && s.offset == 0;
}

double complex similarity_apply(struct similarity s, double complex p) {
    return s.factor * p + s.offset;
}

struct similarity similarity_compose(struct similarity outer, struct similarity inner) {
    return (struct similarity){outer.factor * inner.factor,
                               outer.factor * inner.offset + outer.offset};
}

struct similarity similarity_inverse(struct similarity s) {
    return (struct similarity){1 / s.factor, -s.offset / s.factor};
}

struct similarity similarity_between(const struct view *to, int to_height_px,
                                     const struct view *from, int from_height_px) {
    const struct view_map map = view_map_from(to, from, to_height_px);
    const double pixel = map.scale * to_height_px / from_height_px;
    /* A picture rotated anticlockwise shows the plane rotated clockwise; y points down. */
    const double complex turn = cexp(I * (to->angle - from->angle));
    return (struct similarity){pixel * turn, map.dx_px + I * map.dy_px};
}

struct similarity similarity_towards_identity(struct similarity s, double left) {
    const double complex path = clog(s.factor);
    const double complex factor = cexp(left * path);
    /* The fixed point is offset / (1 - factor), before and after. */
    const double complex share = cabs(path) < 1e-9 ? left : (factor - 1) / (s.factor - 1);
    return (struct similarity){factor, s.offset * share};
}

double similarity_way(struct similarity s, int width_px, int height_px) {
    const double complex path = clog(s.factor);
    const double complex shift = cabs(path) < 1e-9 ? s.offset : s.offset * path / (s.factor - 1);
    return cabs(path) * hypot(width_px, height_px) / 2 + cabs(shift);
}

double similarity_displacement(struct similarity s, int width_px, int height_px) {
    double farthest = 0;
    for (int corner = 0; corner < 4; corner++) {
        const double x = corner & 1 ? width_px / 2.0 : -width_px / 2.0;
        const double y = corner & 2 ? height_px / 2.0 : -height_px / 2.0;
        const double complex p = x + I * y;
        farthest = fmax(farthest, cabs(similarity_apply(s, p) - p));
    }
    return farthest;
}
