/* Where a reference and its tables are on a device. */
#ifndef FATHOM_GPU_ESCAPE_TABLES_H
#define FATHOM_GPU_ESCAPE_TABLES_H

#include "gpu/device.h"
#include "gpu/escape/table_numbers.h"
#include "render/deep/perturbed_trace.h"

/* As struct perturbed_tables, in device memory. */
struct device_tables {
    DEVICE_POINTER(const struct perturbed_index) index;
    DEVICE_POINTER(const double) orbit;
    DEVICE_POINTER(const struct perturbed_small) small;
    DEVICE_POINTER(const uint32_t) list_at;
    DEVICE_POINTER(const struct segment_list) list;
    DEVICE_POINTER(const struct segment) segment;
    /* Of wide numbers alone: */
    DEVICE_POINTER(const double) orbit_low;
    DEVICE_POINTER(const struct segment_low) low;
    DEVICE_POINTER(const struct segment_bar) bar; /* of formulas other than z^2 + c */
    DEVICE_POINTER(const uint32_t) begin;
    struct table_numbers numbers;
};

/* As struct perturbed_traces. */
struct device_traces {
    DEVICE_POINTER(const struct segment_trace) segment;
    struct series series;
    struct perturbed_trace begun;
};

/* Passes in doubles over screened points (render/number/screen.h): at themselves; beside that. */
enum screening { SCREENING_NONE, SCREENING_OWN, SCREENING_BESIDE };

/* Fills the indices [begin, begin + size) of a view. */
struct index_args {
    struct device_tables tables;
    DEVICE_POINTER(struct perturbed_index) to;
    uint32_t begin, size;
};

#endif
