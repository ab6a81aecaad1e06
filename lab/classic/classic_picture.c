/* Coordinates and colours of seed 000's picture, computed as its text does, to the byte. */
#include "lab/classic/classic_picture.h"
#include "render/base/log.h"
#include <stdlib.h>

#define CENTRE_RE (-0.6)
#define CENTRE_IM 0.0
#define WIDTH     4.0

static const uint8_t shades[CLASSIC_SHADES][3] = {
    {66, 30, 15},    {25, 7, 26},     {9, 1, 47},      {4, 4, 73},
    {0, 7, 100},     {12, 44, 138},   {24, 82, 177},   {57, 125, 209},
    {134, 181, 229}, {211, 236, 248}, {241, 233, 191}, {248, 201, 95},
    {255, 170, 0},   {204, 128, 0},   {153, 87, 0},    {106, 52, 3}};

bool classic_picture_init(struct classic_picture *classic, int width_px, int height_px) {
    const double scale = WIDTH / width_px;
    *classic = (struct classic_picture){.width_px = width_px, .height_px = height_px};
    classic->re = malloc((size_t)width_px * sizeof *classic->re);
    classic->im = malloc((size_t)height_px * sizeof *classic->im);
    if (!classic->re || !classic->im) {
        log_error("not enough memory for the coordinates of %dx%d pixels", width_px, height_px);
        return false;
    }
    for (int j = 0; j < width_px; j++)
        classic->re[j] = (j - width_px / 2) * scale + CENTRE_RE;
    for (int i = 0; i < height_px; i++)
        classic->im[height_px - 1 - i] = (i - height_px / 2) * scale + CENTRE_IM;
    classic->middle_row = height_px - 1 - height_px / 2;
    for (int k = 0; k < 3; k++)
        for (int n = 0; n < CLASSIC_SHADES; n++)
            classic->shades[k][n] = shades[n][k];
    for (unsigned n = 1; n < CLASSIC_LIMIT; n++) {
        const uint8_t *shade = shades[n % CLASSIC_SHADES];
        classic->colours[n] = shade[0] | (uint32_t)shade[1] << 8 | (uint32_t)shade[2] << 16;
    }
    return true;
}

void classic_picture_finish(struct classic_picture *classic) {
    free(classic->re);
    free(classic->im);
    *classic = (struct classic_picture){0};
}
