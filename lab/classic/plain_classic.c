/* CPU program of seed 000: calc_mandel, map_colour and screen_dump. The text gives no centre and no
 * scale; -0.6 and 4 / width are the usual values for this program. */
#include "lab/classic/plain_classic.h"
#include <math.h>
#include <stdlib.h>

typedef unsigned char uchar;

static const uchar max_iter = 255;
static const double cx = -0.6, cy = 0;

bool plain_classic_alloc(struct plain_classic *p, int width, int height) {
    *p = (struct plain_classic){.width = width, .height = height};
    p->img_data = malloc((size_t)width * (size_t)height * sizeof *p->img_data);
    p->row_ptrs = malloc((size_t)height * sizeof *p->row_ptrs);
    for (int i = 0; p->img_data && p->row_ptrs && i < height; i++)
        p->row_ptrs[i] = p->img_data + (size_t)i * (size_t)width;
    return p->img_data && p->row_ptrs;
}

void plain_classic_free(struct plain_classic *p) {
    free(p->img_data);
    free(p->row_ptrs);
}

static uchar escape_count(double x, double y) {
    double zx, zy, zx2, zy2;
    uchar iter = 0;
    zx = hypot(x - .25, y);
    if (x < zx - 2 * zx * zx + .25)
        iter = max_iter;
    if ((x + 1) * (x + 1) + y * y < 1 / 16) /* integer division: 0 */
        iter = max_iter;
    zx = zy = zx2 = zy2 = 0;
    do {
        zy = 2 * zx * zy + y;
        zx = zx2 - zy2 + x;
        zx2 = zx * zx;
        zy2 = zy * zy;
    } while (iter++ < max_iter && zx2 + zy2 < 4); /* 255 wraps to 0 */
    return iter;
}

void plain_classic_calculate(struct plain_classic *p) {
    const double scale = 4. / p->width;
    for (int i = 0; i < p->height; i++) {
        const double y = (i - p->height / 2) * scale + cy;
        struct plain_rgb *px = p->row_ptrs[i];
        for (int j = 0; j < p->width; j++, px++) {
            const double x = (j - p->width / 2) * scale + cx;
            const uchar iter = escape_count(x, y);
            px->r = iter;
            px->g = iter;
            px->b = iter;
        }
    }
}

static void map_colour(struct plain_rgb *const px) {
    enum { num_shades = 16 };
    const struct plain_rgb mapping[num_shades] = {
        {66, 30, 15},    {25, 7, 26},     {9, 1, 47},      {4, 4, 73},
        {0, 7, 100},     {12, 44, 138},   {24, 82, 177},   {57, 125, 209},
        {134, 181, 229}, {211, 236, 248}, {241, 233, 191}, {248, 201, 95},
        {255, 170, 0},   {204, 128, 0},   {153, 87, 0},    {106, 52, 3}};
    if (px->r == max_iter || px->r == 0) {
        px->r = 0;
        px->g = 0;
        px->b = 0;
    } else {
        *px = mapping[px->r % num_shades];
    }
}

void plain_classic_map(struct plain_classic *p) {
    for (int i = 0; i < p->height; i++) {
        struct plain_rgb *px = p->row_ptrs[i];
        for (int j = 0; j < p->width; j++, px++)
            map_colour(px);
    }
}

bool plain_classic_dump(const struct plain_classic *p, FILE *file) {
    fprintf(file, "P6\n%d %d\n255\n", p->width, p->height);
    for (int i = p->height - 1; i >= 0; i--)
        fwrite(p->row_ptrs[i], 1, (size_t)p->width * sizeof *p->row_ptrs[i], file);
    return fflush(file) == 0 && !ferror(file);
}
