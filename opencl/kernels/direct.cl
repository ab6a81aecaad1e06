/* A pixel of a picture of powers: where its orbit is, how far it comes, and what is kept of it. */
#include "opencl/kernels/orbit.cl"

INLINE bool advance(const struct opencl_iterate *a, const struct places *at, uint x, uint y,
                    bool fresh, uint before, struct work *work) {
    const uint pixel = y * a->width + x, left = a->limit - before;
    GLOBAL value *state = at->states + 2 * (size_t)(pixel - a->first);
    const struct recipe *recipe = &a->recipe;
    struct orbit o = {.number = 0};
    number_place(at->coords, a->aligned, a->width, x, y, &o.cr, &o.ci);
    if (before > 0) {
        o.zr = state[0];
        o.zi = state[1];
    } else if (recipe->julia) {
        o.zr = o.cr;
        o.zi = o.ci;
    }
    if (recipe->julia) {
        o.cr = number_of(recipe->parameter_re);
        o.ci = number_of(recipe->parameter_im);
    }
    uint steps;
    const enum orbit_end end =
        orbit_advance(recipe, &o, before, a->steps < left ? a->steps : left, a->cardioid, &steps);
    uint count = before + steps;
    float fraction = 0.0f, norm2 = 0.0f;
    if (end == ORBIT_ESCAPED) {
        fraction = orbit_fraction(recipe, &o, &norm2);
    } else if (end == ORBIT_BOUNDED) {
        work->skipped += left - steps;
        count = SAMPLE_NEVER;
    } else {
        count |= SAMPLE_INTERIOR;
        state[0] = o.zr;
        state[1] = o.zi;
    }
    const bool finished = end != ORBIT_GOES_ON || steps == left;
    work->steps += steps;
    work->done += finished;
    return put_sample(a, at, pixel, count, fraction, norm2, finished);
}
