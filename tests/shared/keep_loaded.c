/* Linked into the program when it is built with sanitizers: keeps libraries loaded until the end.
 * So reports can name them, and tests/shared/lsan.supp can match. */
#include <dlfcn.h>

int dlclose(void *handle) {
    (void)handle;
    return 0;
}
