/* Two pictures, or two arrays of samples, of the same kind and size. */
#ifndef FATHOM_APP_COMMAND_COMPARE_INPUTS_H
#define FATHOM_APP_COMMAND_COMPARE_INPUTS_H

#include "render/files/image.h"
#include "render/files/npy.h"

struct compare_inputs {
    int width_px, height_px;
    bool pictures; /* else arrays */
    struct image image[2];
    struct npy npy[2];
    double brightest; /* value of the first array; infinite ones do not count */
};

/* Reads them; finish it in any case. False: one cannot be read or they do not go together,
 * logged. */
bool compare_inputs_load(struct compare_inputs *inputs, const char *const paths[2]);
void compare_inputs_finish(struct compare_inputs *inputs);

/* Of one pixel, counted from the top left: the largest difference of its channels, 0 .. 255 in
 * pictures, alpha among them, with parts where one has 16 bits. Infinite: a NaN against a
 * number. */
double compare_inputs_difference(const struct compare_inputs *inputs, uint64_t pixel);
/* How bright the first one is there, 0 .. 1; arrays by logarithm, black where there is no
 * number. */
double compare_inputs_brightness(const struct compare_inputs *inputs, uint64_t pixel);

#endif
