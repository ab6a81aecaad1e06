/* Seed 000's picture: the coordinates and colours of a coursework renderer and its CUDA port, which
 * `fathom classic` draws byte for byte.
 *
 * Centre -0.6 + 0i and 4 / width a pixel, neither of which the text gives; integer halves of width
 * and height; arithmetic unfused, in double. A count is the number of steps done when |z|^2 >= 4
 * first held; from 255 on the unsigned char that holds it is at its limit or wraps to 0, and both
 * are black. Rows are reversed in the file: the first one has the largest imaginary part. The text
 * tests the cardioid and means to test the period-2 disc (its 1 / 16 is an integer 0): points whose
 * orbits would not escape within 255 steps anyway, so that no byte depends on it. */
#ifndef FATHOM_LAB_CLASSIC_CLASSIC_PICTURE_H
#define FATHOM_LAB_CLASSIC_CLASSIC_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#define CLASSIC_LIMIT   255u
#define CLASSIC_SHADES  16
#define CLASSIC_COLOURS 256

struct classic_picture {
    int width_px, height_px;
    double *re;     /* of the columns */
    double *im;     /* of the rows, in the order of the file */
    int middle_row; /* rows f and 2 * middle_row - f are conjugate */
    /* Red, green and blue: counts from 1 to 254 have the shade n % CLASSIC_SHADES. */
    uint8_t shades[3][CLASSIC_SHADES];
    uint32_t colours[CLASSIC_COLOURS]; /* by count, black included: r + 256 g + 65536 b */
};

/* Sizes from 1 to FRAME_SIZE_MAX. False: no memory, logged. */
bool classic_picture_init(struct classic_picture *classic, int width_px, int height_px);
void classic_picture_finish(struct classic_picture *classic); /* also after a failed init */

#endif
