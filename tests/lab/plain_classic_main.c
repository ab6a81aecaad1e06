/* CPU program of seed 000 with its interface: width and height on the command line; prints the time
 * of each function. usage: plain_classic WIDTH HEIGHT FILE */
#include "lab/classic/plain_classic.h"
#include "render/base/clock.h"
#include <stdlib.h>

int main(int argc, char **argv) {
    struct plain_classic p;
    const int width = argc == 4 ? atoi(argv[1]) : 0, height = argc == 4 ? atoi(argv[2]) : 0;
    FILE *file = width > 0 && height > 0 ? fopen(argv[3], "wb") : NULL;
    if (!file || !plain_classic_alloc(&p, width, height)) {
        fputs("usage: plain_classic WIDTH HEIGHT FILE\n", stderr);
        return 2;
    }
    const double start = clock_ms();
    plain_classic_calculate(&p);
    const double calculated = clock_ms();
    plain_classic_map(&p);
    const double mapped = clock_ms();
    const bool written = plain_classic_dump(&p, file);
    printf("calculate %.3f ms, map %.3f ms, dump %.3f ms\n", calculated - start,
           mapped - calculated, clock_ms() - mapped);
    plain_classic_free(&p);
    return fclose(file) != 0 || !written;
}
