/* screen_alike SCREEN PICTURE LEFT TOP X Y WIDTH HEIGHT: compares an X server's screen with a
 * picture. SCREEN: the XWD file of Xvfb -fbdir. The picture's upper left corner is at (LEFT, TOP)
 * of the screen; only its rectangle of WIDTH x HEIGHT at (X, Y) is compared. Status 0: equal; 1:
 * different, with the number of differing pixels; 2: error. */
#include "render/files/image.h"
#include <stdio.h>
#include <stdlib.h>

#define HEADER_WORDS 25
#define SCREEN_MAX   4096

struct screen {
    uint32_t width, height, line_size;
    unsigned char *pixels; /* blue, green, red, unused */
};

/* Reads a screen of 24 bits, four bytes per pixel, lowest first, as Xvfb has it on x86. */
static bool read_screen(const char *path, struct screen *screen) {
    unsigned char header[4 * HEADER_WORDS];
    uint32_t words[HEADER_WORDS];
    FILE *file = fopen(path, "rb");
    if (!file || fread(header, sizeof header, 1, file) != 1)
        return false;
    for (int i = 0; i < HEADER_WORDS; i++)
        words[i] = (uint32_t)header[4 * i] << 24 | (uint32_t)header[4 * i + 1] << 16 |
                   (uint32_t)header[4 * i + 2] << 8 | header[4 * i + 3];
    *screen = (struct screen){.width = words[4], .height = words[5], .line_size = words[12]};
    const size_t size = (size_t)screen->line_size * screen->height;
    const bool known = words[1] == 7 && words[11] == 32 && screen->width <= SCREEN_MAX &&
                       screen->height <= SCREEN_MAX && screen->line_size <= 4 * SCREEN_MAX;
    screen->pixels = known ? malloc(size) : NULL;
    const long begin = (long)words[0] + 12 * (long)words[19]; /* after the colour map */
    const bool ok = screen->pixels && fseek(file, begin, SEEK_SET) == 0 &&
                    fread(screen->pixels, 1, size, file) == size;
    fclose(file);
    return ok;
}

static bool same(const struct screen *screen, const struct image *image, int left, int top, int x,
                 int y) {
    const int column = left + x, row = top + y;
    if (column < 0 || row < 0 || column >= (int)screen->width || row >= (int)screen->height ||
        x >= image->width_px || y >= image->height_px)
        return false;
    const unsigned char *seen =
        screen->pixels + (size_t)row * screen->line_size + 4 * (size_t)column;
    const uint32_t wanted = image->rgba[(size_t)y * (size_t)image->width_px + (size_t)x];
    return seen[2] == (wanted & 255) && seen[1] == (wanted >> 8 & 255) &&
           seen[0] == (wanted >> 16 & 255);
}

int main(int argc, char **argv) {
    struct screen screen;
    struct image image;
    int n[6];
    if (argc != 9 || !read_screen(argv[1], &screen) || !image_read(argv[2], &image))
        return 2;
    for (int i = 0; i < 6; i++)
        n[i] = atoi(argv[3 + i]);
    long differing = 0;
    for (int y = n[3]; y < n[3] + n[5]; y++)
        for (int x = n[2]; x < n[2] + n[4]; x++)
            differing += !same(&screen, &image, n[0], n[1], x, y);
    if (differing > 0)
        printf("%ld of %ld pixels differ\n", differing, (long)n[4] * n[5]);
    free(screen.pixels);
    image_finish(&image);
    return differing > 0;
}
