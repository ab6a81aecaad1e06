/* Polynomials of segments, without constant terms. A part of segments_tmpl.c. */
#ifndef FATHOM_RENDER_DEEP_TABLES_SEGMENTS_POLY_H
#define FATHOM_RENDER_DEEP_TABLES_SEGMENTS_POLY_H

#include "render/deep/tables/segment.h"
#include "render/deep/tables/segments_number.h"
#include <string.h>

typedef struct number poly[SEGMENT_DEGREE];

/* to += a b, cut. */
static void poly_add_product(poly to, const poly a, const poly b) {
    for (int i = 0; i < SEGMENT_DEGREE - 1; i++)
        for (int j = 0; i + j + 1 < SEGMENT_DEGREE; j++)
            to[i + j + 1] = sum(to[i + j + 1], times(a[i], b[j]));
}

static void poly_add_scaled(poly to, struct number by, const poly a) {
    for (int k = 0; k < SEGMENT_DEGREE; k++)
        to[k] = sum(to[k], times(by, a[k]));
}

/* (2 Z + p) p */
static void poly_step(poly p, struct number z) {
    poly e = {{plain(0), plain(0)}};
    poly_add_scaled(e, sum(z, z), p);
    poly_add_product(e, p, p);
    memcpy(p, e, sizeof e);
}

static void poly_compose(poly to, const poly outer, const poly inner) {
    poly whole = {{plain(0), plain(0)}};
    poly_add_scaled(whole, outer[SEGMENT_DEGREE - 1], inner);
    for (int k = SEGMENT_DEGREE - 2; k >= 0; k--) {
        poly next = {{plain(0), plain(0)}};
        poly_add_product(next, whole, inner);
        poly_add_scaled(next, outer[k], inner);
        memcpy(whole, next, sizeof whole);
    }
    memcpy(to, whole, sizeof whole);
}

#ifdef SEGMENTS_FOLDED
/* (a + e)^2 - a^2 and (a + e) (u + d) - a u */
static void square_over(poly e, struct number *a) {
    poly_step(e, *a);
    *a = times(*a, *a);
}

static void times_over(poly e, struct number *a, const poly d, struct number u) {
    poly next = {{0}};
    poly_add_scaled(next, u, e);
    poly_add_scaled(next, *a, d);
    poly_add_product(next, e, d);
    memcpy(e, next, sizeof next);
    *a = times(*a, u);
}

/* (u + d)^p - u^p, by the chain of step_power. Returns u^p. */
static struct number power_over(unsigned power, poly d, struct number u) {
    struct number a = u;
    poly e;
    memcpy(e, d, sizeof e);
    square_over(e, &a);
    if (power == 3 || power == 6 || power == 7)
        times_over(e, &a, d, u);
    if (power > 3)
        square_over(e, &a);
    if (power == 8)
        square_over(e, &a);
    if (power == 5 || power == 7)
        times_over(e, &a, d, u);
    memcpy(d, e, sizeof e);
    return a;
}
#endif

#endif
