/* Second passes of a device picture, along orbits whose counts are known. They return false if
 * stopped or on failure, as device_picture_run does. */
#ifndef FATHOM_GPU_ESCAPE_DEVICE_WALKS_H
#define FATHOM_GPU_ESCAPE_DEVICE_WALKS_H

#include "gpu/escape/device_picture.h"

/* Fills missing slopes, and traces if the request has them. */
bool device_walks_slopes(struct device_picture *picture);
/* Fills missing data of the interior, such as period and depth, if the request has it. */
bool device_walks_insides(struct device_picture *picture);

#endif
