/* Y'CbCr: converts frames to the colours of videos, BT.709 in limited range. ffmpeg's own
 * conversion of 16 bits makes frames brighter by 0.4/255 on average, and differs between processors
 * without slow flags. */
#ifndef FATHOM_APP_MOVIE_FILM_YCBCR_H
#define FATHOM_APP_MOVIE_FILM_YCBCR_H

#include <stdint.h>

struct ycbcr {
    int width_px, height_px;
    int chroma, bits; /* 444, or 420 with even sides; 8 or 10 */
};

/* Returns the bytes of a frame's three planes. Samples of 10 bits have two, the low one first. */
uint64_t ycbcr_size(const struct ycbcr *format);
/* Converts a frame in the form that film_frame describes. Each sample is the exact value, rounded
 * to the nearest integer. Uses all processors. With 4:2:0, the chroma of a square of pixels is at
 * its left edge, half-way down, as in MPEG-2: the mean of two rows with the weights 1, 2, 1. */
void ycbcr_convert(const struct ycbcr *format, const void *rgb, unsigned char *planes);

#endif
