/* CPU program of seed 000, as its text gives it: the reference for `fathom classic`, and the
 * laboratory's baseline. It is slow and literal on purpose. */
#ifndef FATHOM_LAB_CLASSIC_PLAIN_CLASSIC_H
#define FATHOM_LAB_CLASSIC_PLAIN_CLASSIC_H

#include <stdbool.h>
#include <stdio.h>

struct plain_rgb {
    unsigned char r, g, b;
};

struct plain_classic {
    int width, height;
    struct plain_rgb *img_data, **row_ptrs;
};

/* Allocates a picture. Returns false without memory. */
bool plain_classic_alloc(struct plain_classic *p, int width, int height);
void plain_classic_free(struct plain_classic *p);

/* The program's three functions, to be called in this order. */
void plain_classic_calculate(struct plain_classic *p);
void plain_classic_map(struct plain_classic *p);
bool plain_classic_dump(const struct plain_classic *p,
                        FILE *file); /* returns false if it could not be written */

#endif
