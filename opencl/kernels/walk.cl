/* Walks along orbits once more whose counts are known: for their derivatives, and for the cycles of those that do not
 * escape. FOLDED: whether steps fold anything. */

/* Step number n of an orbit. */
INLINE void walk_z(const struct opencl_walk *a, uint n, value *zr, value *zi, value cr, value ci) {
    const uint which = a->recipe.length == 1 ? 0 : n % a->recipe.length;
    const uint folds = a->recipe.folds[which];
    switch (a->recipe.power[which]) {
    case 2:
#ifndef NUMBER_WIDE
        if (!a->fused) {
            step_square_unfused(zr, zi, cr, ci);
            break;
        }
#endif
        NUMBER_SQUARE(folds, zr, zi, cr, ci);
        break;
#define WALK_CASE(power)                                                                           \
    case power:                                                                                    \
        NUMBER_POWER(power, folds, zr, zi, cr, ci);                                                \
        break;
        RECIPE_POWERS(WALK_CASE)
#undef WALK_CASE
    }
}

/* z, which is 0 but for Julia sets, and c of a pixel. */
INLINE void walk_begin(const struct opencl_walk *a, const GLOBAL entry *coords, uint pixel,
                       value *zr, value *zi, value *cr, value *ci) {
    const uint y = pixel / a->width;
    const double none[2] = {0, 0};
    number_place(coords, a->aligned, a->width, pixel - y * a->width, y, cr, ci);
    *zr = *zi = number_of(none);
    if (!a->recipe.julia)
        return;
    *zr = *cr;
    *zi = *ci;
    *cr = number_of(a->recipe.parameter_re);
    *ci = number_of(a->recipe.parameter_im);
}

/* The derivative, its second column where there are folds. */
struct columns {
    real xa, ya, xb, yb;
};

INLINE void walk_derive(const struct opencl_walk *a, uint n, real zr, real zi, real unit,
                        struct columns *d) {
    const uint which = a->recipe.length == 1 ? 0 : n % a->recipe.length;
    const uint folds = a->recipe.folds[which];
    switch (a->recipe.power[which]) {
#if FOLDED
#define WALK_CASE(power)                                                                           \
    case power:                                                                                    \
        slope_step_folded(power, folds, zr, zi, unit, &d->xa, &d->ya, &d->xb, &d->yb);             \
        break;
#else
#define WALK_CASE(power)                                                                           \
    case power:                                                                                    \
        slope_step(power, zr, zi, unit, &d->xa, &d->ya);                                           \
        break;
#endif
        WALK_CASE(2)
        RECIPE_POWERS(WALK_CASE)
#undef WALK_CASE
    }
}

__kernel void slopes(WALK_ARGUMENTS, const GLOBAL uint *count_of, GLOBAL float *distance,
                     GLOBAL uint *normal, GLOBAL uint *angle) {
    const uint i = (uint)get_global_id(0), pixel = a.begin + i;
    if (i >= a.size || *abort == a.serial || distance[pixel] > 0.0f)
        return;
    const uint count = count_of[pixel];
    struct slope slope = {0, 0, 0};
    if (!(count & SAMPLE_INTERIOR) && count <= SLOPE_STEPS_MAX) {
        const real unit = (real)a.unit, step = a.recipe.julia ? 0 : unit,
                   start = a.recipe.julia ? unit : 0;
        struct columns d = {start, 0, 0, start};
        value zr, zi, cr, ci;
        walk_begin(&a, coords, pixel, &zr, &zi, &cr, &ci);
        for (uint n = 0; n < count + SMOOTH_STEPS; n++) {
            if (n >= count && !(norm2(a.fused, HIGH(zr), HIGH(zi)) < (real)SMOOTH_NORM2))
                break;
            walk_derive(&a, n, HIGH(zr), HIGH(zi), step, &d);
            walk_z(&a, n, &zr, &zi, cr, ci);
        }
        const double xa = d.xa, ya = d.ya;
        slope = slope_of(HIGH(zr), HIGH(zi), xa, ya, FOLDED ? (double)d.xb : -ya,
                         FOLDED ? (double)d.yb : xa);
    }
    distance[pixel] = slope.distance;
    normal[pixel] = slope.normal;
    angle[pixel] = slope.angle;
}

/* --- the interior --- */

struct inside {
    value zr, zi, cr, ci;
    uint period, atom;
};

INLINE void inside_find(const struct opencl_walk *a, struct inside *in) {
    const uint length = a->recipe.length, most = inside_steps_max(&a->recipe);
    real mark_r = 0, mark_i = 0, least = (real)INSIDE_FAR, enough = 0;
    uint mark = 0, next = inside_first(length);
    for (uint n = 1; n <= most; n++) {
        walk_z(a, n - 1, &in->zr, &in->zi, in->cr, in->ci);
        const real zr = HIGH(in->zr), zi = HIGH(in->zi), square = norm2(a->fused, zr, zi);
        in->atom = square < least ? n : in->atom;
        least = square < least ? square : least;
        if (!(square < (real)a->recipe.escape))
            return;
        if (mark > 0 && (n - mark) % length == 0) {
            const real apart = inside_apart(zr, zi, mark_r, mark_i);
            if (apart < enough) {
                in->period = n - mark;
                return;
            }
            const real nearer = (real)NUMBER_NEARER * apart;
            enough = nearer < enough ? nearer : enough;
        }
        if (n == next) {
            mark_r = zr;
            mark_i = zi;
            enough = (real)NUMBER_NEAR;
            mark = n;
            next = 2 * n;
        }
    }
}

/* Once more round the cycle. */
INLINE void inside_go_round(const struct opencl_walk *a, struct inside *in, bool deep,
                            struct inside_turn *turn) {
    for (uint n = 0; n < in->period; n++) {
        const struct inside_number z = {HIGH(in->zr), HIGH(in->zi)};
        const double square = inside_square(z);
        turn->least = square < turn->least ? square : turn->least;
        if (deep)
            inside_derive(a->recipe.power[0], z, turn);
        walk_z(a, n, &in->zr, &in->zi, in->cr, in->ci);
    }
}

__kernel void insides(WALK_ARGUMENTS, const GLOBAL uint *count_of, GLOBAL uint *period,
                      GLOBAL float *depth, GLOBAL float *last, GLOBAL uint *atom) {
    const uint i = (uint)get_global_id(0), pixel = a.begin + i;
    if (i >= a.size || *abort == a.serial || last[pixel] != 0.0f ||
        !(count_of[pixel] & SAMPLE_INTERIOR))
        return;
    struct inside in = {.period = 0, .atom = 0};
    walk_begin(&a, coords, pixel, &in.zr, &in.zi, &in.cr, &in.ci);
    inside_find(&a, &in);
    const bool found = in.period > 0, deep = inside_has_depth(&a.recipe);
    struct inside_turn turn = inside_turn_begin();
    inside_go_round(&a, &in, deep, &turn);
    period[pixel] = in.period;
    depth[pixel] = found && deep ? inside_depth(a.recipe.power[0], &turn, a.unit) : 0;
    last[pixel] = found ? trace_nearness(double_sqrt(turn.least)) : INSIDE_NONE;
    atom[pixel] = in.atom;
}
