/* fathom classic: seed 000's picture, byte for byte. */
#include "app/commands.h"

int command_classic(const struct options *options) {
    (void)options;
    return 1;
}
