/* Tests --device (numbers and parts of names), the choice among OpenCL devices, and the names of
 * OpenCL's errors. */
#include "gpu/device_choice.h"
#include "opencl/devices.h"
#include "opencl/opencl_device.h"
#include "tests/shared/check.h"

static bool wanted(const char *text, int ordinal) {
    static const char *const names[] = {"NVIDIA GeForce RTX 4090", "AMD Radeon RX 7900", ""};
    return device_is_wanted(text, ordinal, 3, names[ordinal]);
}

static int chosen(const struct devices *devices, const char *text, bool gpus_only, bool inexact) {
    const char *why = NULL;
    const int choice = opencl_devices_choose(devices, text, gpus_only, inexact, &why);
    CHECK(choice >= 0 || why);
    return choice;
}

/* Exact devices come first, then GPUs, then the order of units. */
static void check_best(void) {
    static struct devices devices = {
        .count = 6,
        .device = {{.name = "small", .gpu = true, .units = 8},
                   {.name = "large", .gpu = true, .units = 64},
                   {.name = "middling", .gpu = true, .units = 32},
                   {.name = "processor", .units = 128},
                   {.name = "hasty", .gpu = true, .units = 256, .inexact = "it is hasty"},
                   {.name = "broken", .gpu = true, .units = 512, .why = "it is broken"}}};
    CHECK(chosen(&devices, NULL, true, false) == 1 && chosen(&devices, NULL, false, true) == 1);
    CHECK(chosen(&devices, "m", true, false) == 2);
    CHECK(chosen(&devices, "processor", false, false) == 3);
    CHECK(chosen(&devices, "processor", true, false) < 0);
    CHECK(chosen(&devices, "hasty", true, false) < 0 && chosen(&devices, "hasty", true, true) == 4);
    CHECK(chosen(&devices, "broken", false, true) < 0);
    devices.device[1].inexact = devices.device[2].inexact = devices.device[0].inexact = "hasty";
    CHECK(chosen(&devices, NULL, false, true) == 3 && chosen(&devices, NULL, true, true) == 4);
}

static bool is_called(int32_t error, const char *text) {
    return strcmp(opencl_device.error_text(opencl_error(error)), text) == 0;
}

/* A buffer larger than the device supports counts as a lack of memory. */
static void check_errors(void) {
    static const int32_t memory[] = {CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY,
                                     CL_INVALID_BUFFER_SIZE};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        CHECK(opencl_error(memory[i]) == DEVICE_NO_MEMORY && is_called(memory[i], "out of memory"));
    CHECK(opencl_error(CL_SUCCESS) == DEVICE_OK);
    CHECK(is_called(CL_OUT_OF_RESOURCES, "the device is out of resources"));
    CHECK(is_called(-59, "OpenCL's error -59"));
}

int main(void) {
    check_best();
    check_errors();
    CHECK(wanted(NULL, 0) && wanted(NULL, 2));
    CHECK(wanted("0", 0) && !wanted("0", 1) && !wanted("0", 2));
    CHECK(wanted("2", 2) && !wanted("2", 0));
    CHECK(wanted("4090", 0) && !wanted("4090", 1)); /* not a number of a device */
    CHECK(!wanted("3", 0) && !wanted("3", 1) && !wanted("3", 2));
    CHECK(device_is_wanted("3", 0, 3, "Arc 3") && !device_is_wanted("2", 0, 3, "Arc 2"));
    CHECK(wanted("#1", 1) && !wanted("#1", 0) && !wanted("#3", 0));
    CHECK(!device_is_wanted("#2", 0, 1, "Arc #2"));
    CHECK(wanted("radeon", 1) && !wanted("radeon", 0));
    CHECK(wanted("rx 79", 1) && wanted("7900", 1) && !wanted("79000", 1));
    CHECK(wanted("NVIDIA GeForce RTX 4090", 0) && !wanted("NVIDIA GeForce RTX 4090 Ti", 0));
    CHECK(!wanted("-1", 0) && !wanted("99999999999999999999999", 0));
    return failures > 0;
}
