/* Pixel of a direct picture of powers: continues its orbit and stores the result. */
#ifndef FATHOM_GPU_KERNELS_DIRECT_H
#define FATHOM_GPU_KERNELS_DIRECT_H

/* Continues the orbit after `before` steps by a->steps steps. Returns true if the orbit must
 * continue in the next round. */
INLINE bool direct_advance(const struct iterate_task *a, const struct iterate_args *at,
                           const int formula, const bool cycle, uint32_t x, uint32_t y,
                           uint32_t before, struct orbit *o, struct work *work) {
    const uint32_t pixel = y * a->width + x, left = a->limit - before;
    const struct recipe *recipe = &a->recipe;
    GLOBAL struct orbit_state *state =
        (GLOBAL struct orbit_state *)at->states + ((size_t)(pixel - a->first) << a->screened);
    if (before > 0) {
        const struct orbit_state was = *state;
        o->zr = was.zr;
        o->zi = was.zi;
    }
    number_place(at->coords, a->layout, a->width, x, y, &o->cr, &o->ci);
    if (recipe->julia) {
        if (before == 0) {
            o->zr = o->cr;
            o->zi = o->ci;
        }
        number_set(&o->cr, recipe->parameter_re);
        number_set(&o->ci, recipe->parameter_im);
    }
    uint32_t steps;
    const enum orbit_end end = orbit_advance(
        recipe, formula, cycle, o, before, a->steps < left ? a->steps : left, a->cardioid, &steps);
    uint32_t count = before + steps;
    float fraction = 0.0f, norm2 = 0.0f;
    if (end == ORBIT_ESCAPED) {
        fraction = orbit_fraction(recipe, formula, o, &norm2);
    } else if (end == ORBIT_BOUNDED) {
        work->skipped += left - steps;
        count = SAMPLE_NEVER;
    } else {
        count |= SAMPLE_INTERIOR;
        const struct orbit_state is = {o->zr, o->zi};
        *state = is;
    }
    const bool open = a->screened && end == ORBIT_GOES_ON && steps == left;
    const bool finished = !open && (end != ORBIT_GOES_ON || steps == left);
    if (open)
        count = SAMPLE_MISSING;
    work->steps += steps;
    work->done += finished;
    return iterate_store(a, at, pixel, count, fraction, norm2, finished) && !open;
}

#endif
