/* Where a reference and its tables are on a device. */
#ifndef FATHOM_GPU_ESCAPE_TABLES_H
#define FATHOM_GPU_ESCAPE_TABLES_H

#include "gpu/device.h"
#include "render/deep/series.h"

/* As struct perturbed_tables, in device memory. */
struct device_tables {
    DEVICE_POINTER(const double) orbit;
    DEVICE_POINTER(const struct perturbed_small) small;
    DEVICE_POINTER(const uint32_t) list_at;
    DEVICE_POINTER(const struct segment_list) list;
    DEVICE_POINTER(const uint8_t) usable;
    DEVICE_POINTER(const struct segment) segment;
    DEVICE_POINTER(const double) c; /* pairs */
    /* Of wide numbers alone: */
    DEVICE_POINTER(const double) orbit_low;
    DEVICE_POINTER(const struct segment_low) low;
    DEVICE_POINTER(const double) c_low; /* pairs */
    double re, im, re_low, im_low;
    uint32_t smalls, last;
    int32_t c_log2;
    struct series series;
};

#endif
