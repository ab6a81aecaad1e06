/* Payload of the perturbation kernel (SIMD): the estimate of each orbit's rounding error
 * (render/number/screen.h). A part of payload.h. */
#ifndef FATHOM_CPU_DEEP_PAYLOAD_SCREEN_H
#define FATHOM_CPU_DEEP_PAYLOAD_SCREEN_H

#include "cpu/deep/payload.h"

INLINE struct payload screen_tail_along(const struct perturbed_tables *t, uint32_t turn,
                                        struct pair w, struct payload p) {
    screen_tail(perturbed_power(t, FOLDED, turn), w.re, w.im, &p.ratio, &p.least);
    return p;
}

/* Begins a block of the tail, and follows one of its steps. */
INLINE void payload_block(struct payload *p) {
    p->least = p->ratio;
}

INLINE void payload_single(const struct perturbed_tables *t, const struct turns *turns,
                           uint32_t later, struct pair w, struct payload *p) {
    struct payload to;
    EACH_TURN(turns, later, turn, to, payload_select, screen_tail_along(t, turn, w, *p));
    *p = to;
}

/* Returns the weight of the round's error. */
INLINE real screen_weights(const struct round *r) {
    const real single = real_set(SCREEN_SINGLE);
    real length;
    if (!source_has_any(&r->source))
        return single;
    EACH_SEGMENT(&r->source, at, length, r->t->segment[at].length);
    const real weight = real_set(SCREEN_SEGMENT) + real_set(SCREEN_STEP) * length;
    return r->source.each ? lanes_select(lanes_of(r->source.each->plain), single, weight) : weight;
}

INLINE struct payload screen_along(const struct round *r, uint32_t turn, real weight,
                                   struct payload p) {
    screen_round(FOLDED, r->t->c_log2 != 0, perturbed_power(r->t, FOLDED, turn), r->reference.re,
                 r->reference.im, r->w.re, r->w.im, r->z.re, r->z.im, r->x.re, r->x.im, weight,
                 &p.ratio, &p.error);
    return p;
}

INLINE void payload_round(const struct round *r, struct payload *p) {
    const real weight = screen_weights(r);
    struct payload to;
    EACH_TURN(&r->turns, 0, turn, to, payload_select, screen_along(r, turn, weight, *p));
    *p = to;
}

/* --- events of single lanes --- */

INLINE struct perturbed_screen screen_get(const struct payload_lanes *from, int lane) {
    return (struct perturbed_screen){from->ratio[lane], from->error[lane], from->least[lane]};
}

INLINE void screen_put(struct perturbed_screen s, struct payload_lanes *to, int lane) {
    to->ratio[lane] = s.ratio;
    to->error[lane] = s.error;
}

/* Turns |z/D|^2 into |D|^2 or back: perturbed_screen_turn. */
INLINE void payload_turn(struct payload_lanes *p, int lane, double zr, double zi) {
    p->ratio[lane] = screen_other(zr, zi, p->ratio[lane]);
}

/* W becomes z, which may leave the reference. */
INLINE void payload_land(struct payload_lanes *p, int lane, double wr, double wi, double zr,
                         double zi, bool leaves) {
    struct perturbed_screen s = screen_get(p, lane);
    if (leaves)
        screen_leave(wr, wi, zr, zi, &s);
    else
        screen_land_double(wr, wi, zr, zi, &s);
    screen_put(s, p, lane);
}

/* Adds the errors of a block of the tail. */
INLINE void payload_block_end(struct payload_lanes *p, int lane) {
    struct perturbed_screen s = screen_get(p, lane);
    screen_block(&s);
    screen_put(s, p, lane);
}

#endif
