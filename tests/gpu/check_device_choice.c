/* --device: numbers and parts of names. */
#include "gpu/device_choice.h"
#include "tests/shared/check.h"

static bool wanted(const char *text, int ordinal) {
    static const char *const names[] = {"NVIDIA GeForce RTX 4090", "AMD Radeon RX 7900", ""};
    return device_is_wanted(text, ordinal, 3, names[ordinal]);
}

int main(void) {
    CHECK(wanted(NULL, 0) && wanted(NULL, 2));
    CHECK(wanted("0", 0) && !wanted("0", 1) && !wanted("0", 2));
    CHECK(wanted("2", 2) && !wanted("2", 0));
    CHECK(wanted("4090", 0) && !wanted("4090", 1)); /* no number of a device */
    CHECK(!wanted("3", 0) && !wanted("3", 1) && !wanted("3", 2));
    CHECK(wanted("radeon", 1) && !wanted("radeon", 0));
    CHECK(wanted("rx 79", 1) && wanted("7900", 1) && !wanted("79000", 1));
    CHECK(wanted("NVIDIA GeForce RTX 4090", 0) && !wanted("NVIDIA GeForce RTX 4090 Ti", 0));
    CHECK(!wanted("-1", 0) && !wanted("99999999999999999999999", 0));
    return failures > 0;
}
