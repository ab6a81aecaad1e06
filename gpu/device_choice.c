/* Device selection: compares devices with the user's --device. */
#include "gpu/device_choice.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool device_is_wanted(const char *wanted, int ordinal, int count, const char *name) {
    if (!wanted)
        return true;
    const size_t length = strlen(wanted);
    if (*wanted == '#')
        return atoi(wanted + 1) == ordinal;
    if (length > 0 && strspn(wanted, "0123456789") == length) {
        const unsigned long number = strtoul(wanted, NULL, 10);
        if (number < (unsigned long)count)
            return number == (unsigned long)ordinal;
    }
    for (; strlen(name) >= length; name++)
        if (strncasecmp(name, wanted, length) == 0)
            return true;
    return false;
}
