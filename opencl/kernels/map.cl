/* The same of a picture of a map (render/formula/map.h), in blocks whose every step is tested; one that something ends
 * in is done again step by step, as in cuda/escape/map.cu. */

#define MAP_BLOCK      8u
#define MAP_FIRST_SPAN 128u

/* A block of steps; true: nothing ended in it. Else p is where it was. */
INLINE bool map_block(const int power, const real escape, struct map_point *p) {
    const struct map_point start = *p;
    bool ended = false;
#pragma unroll 1
    for (uint k = 0; k < MAP_BLOCK; k++) {
        map_step(FORMULA, power, p);
        ended |= map_ended(FORMULA, p, escape);
    }
    if (ended)
        *p = start;
    return !ended;
}

INLINE bool map_back(const struct map_point *p, const struct map_point *then) {
    return number_same(p->zr, then->zr) && number_same(p->zi, then->zi) &&
           (map_second(FORMULA) == SECOND_NONE ||
            (number_same(p->yr, then->yr) && number_same(p->yi, then->yi)));
}

enum map_went { MAP_GOES_ON, MAP_ENDED, MAP_BOUNDED };

/* Takes an orbit that has not ended at most `steps` further; *done says how many, *before where it was one
 * step ago if it has ended. */
INLINE enum map_went map_advance(const int power, const real escape, uint steps,
                                 struct map_point *p, struct map_point *before, uint *done) {
    struct map_point then = *p;
    uint span = MAP_FIRST_SPAN, until = span;
    bool going = true, ended = false;
#pragma unroll 1
    while (going && *done + MAP_BLOCK <= steps) {
        going = map_block(power, escape, p);
        *done += going ? MAP_BLOCK : 0;
        if (CYCLE && going && map_back(p, &then))
            return MAP_BOUNDED;
        if (*done >= until) {
            then = *p;
            span *= 2;
            until = *done + span;
        }
    }
#pragma unroll 1
    while (!ended && *done < steps) {
        *before = *p;
        map_step(FORMULA, power, p);
        ++*done;
        ended = map_ended(FORMULA, p, escape);
    }
    return ended ? MAP_ENDED : MAP_GOES_ON;
}

INLINE bool advance(const struct opencl_iterate *a, const struct places *at, uint x, uint y,
                    bool fresh, uint before, struct work *work) {
    const uint pixel = y * a->width + x, left = a->limit - before;
    GLOBAL value *state = at->states + 4 * (size_t)(pixel - a->first);
    const struct recipe *recipe = &a->recipe;
    const int power = recipe->power[0];
    const real escape = (real)recipe->escape;
    value pr, pi;
    number_place(at->coords, a->aligned, a->width, x, y, &pr, &pi);
    struct map_point p =
        map_begin(FORMULA, recipe->julia != 0, pr, pi, number_of(recipe->parameter_re),
                  number_of(recipe->parameter_im));
    if (before > 0) {
        p.zr = state[0];
        p.zi = state[1];
        p.yr = state[2];
        p.yi = state[3];
    }
    struct map_point last = p;
    uint steps = 0;
    enum map_went went = MAP_ENDED;
    if (before > 0 || norm2(true, p.zr, p.zi) < escape)
        went = map_advance(power, escape, a->steps < left ? a->steps : left, &p, &last, &steps);
    uint count = before + steps;
    float fraction = 0.0f, square = 0.0f;
    if (went == MAP_ENDED) {
        fraction = map_fraction(FORMULA, power, escape, &last, &p, &square);
        if (at->angle)
            at->angle[pixel] = slope_angle_any(p.zr, p.zi);
    } else if (went == MAP_BOUNDED) {
        work->skipped += left - steps;
        count = SAMPLE_NEVER;
    } else {
        count |= SAMPLE_INTERIOR;
        state[0] = p.zr;
        state[1] = p.zi;
        state[2] = p.yr;
        state[3] = p.yi;
    }
    const bool finished = went != MAP_GOES_ON || steps == left;
    work->steps += steps;
    work->done += finished;
    return put_sample(a, at, pixel, count, fraction, square, finished);
}
