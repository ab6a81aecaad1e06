/* frames A B: compares two captures, for scripts. Prints their mean difference, of 255, and how
 * many pixels of A are holes, which have the colour of a missing picture. */
#include "render/files/image.h"
#include <stdio.h>
#include <stdlib.h>

#define HOLE 0x12100eu /* background colour in app/picture/layers.c */

int main(int count, char **arguments) {
    struct image a = {0}, b = {0};
    if (count != 3 || !image_read(arguments[1], &a) || !image_read(arguments[2], &b) ||
        a.width_px != b.width_px || a.height_px != b.height_px)
        return 1;
    const size_t pixels = (size_t)a.width_px * (size_t)a.height_px;
    double sum = 0;
    size_t holes = 0;
    for (size_t i = 0; i < pixels; i++) {
        for (int shift = 0; shift < 24; shift += 8)
            sum += abs((int)(a.rgba[i] >> shift & 255) - (int)(b.rgba[i] >> shift & 255));
        holes += (a.rgba[i] & 0xffffff) == HOLE;
    }
    printf("%.2f %zu\n", sum / 3 / (double)pixels, holes);
    image_finish(&a);
    image_finish(&b);
    return 0;
}
