/* fathom info: what this program was built with and what this machine offers. */
#include "app/backends.h"
#include "app/commands.h"
#include "app/json.h"
#include "cpu/cpuid.h"
#ifdef FATHOM_CUDA
#include "cuda/cuda_backend.h"
#endif
#include <SDL_version.h>
#include <gmp.h>
#include <mpfr.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

#ifdef FATHOM_CUDA
#define WITH_CUDA true
#else
#define WITH_CUDA false
#endif

/* One library: what it was compiled against, what it is now. */
struct library {
    const char *name;
    char compiled[32], linked[32];
};

#define LIBRARIES 3

static void list_libraries(struct library list[LIBRARIES]) {
    SDL_version compiled, linked;
    SDL_VERSION(&compiled);
    SDL_GetVersion(&linked);
    list[0].name = "SDL";
    snprintf(list[0].compiled, sizeof list[0].compiled, "%d.%d.%d", compiled.major, compiled.minor,
             compiled.patch);
    snprintf(list[0].linked, sizeof list[0].linked, "%d.%d.%d", linked.major, linked.minor,
             linked.patch);
    list[1].name = "MPFR";
    snprintf(list[1].compiled, sizeof list[1].compiled, "%s", MPFR_VERSION_STRING);
    snprintf(list[1].linked, sizeof list[1].linked, "%s", mpfr_get_version());
    list[2].name = "GMP";
    snprintf(list[2].compiled, sizeof list[2].compiled, "%d.%d.%d", __GNU_MP_VERSION,
             __GNU_MP_VERSION_MINOR, __GNU_MP_VERSION_PATCHLEVEL);
    snprintf(list[2].linked, sizeof list[2].linked, "%s", gmp_version);
}

/* Calls `item` for each CPU feature that may be used. */
static void each_cpu_flag(uint32_t mask, void (*item)(const char *name, bool first)) {
    static const char *const names[] = CPU_FLAG_NAMES;
    const uint32_t flags = cpu_flags(mask);
    bool first = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (flags >> i & 1) {
            item(names[i], first);
            first = false;
        }
}

/* --- for people --- */

static void print_flag(const char *name, bool first) {
    (void)first;
    printf(", %s", name);
}

static void print_backend(const struct backend_impl *impl, const struct backend_options *options) {
    const char *why = "";
    const bool usable = impl->usable(options, &why);
    printf("  %-8s %s%s%s\n", impl->name, usable ? "usable" : "not usable: ", usable ? "" : why,
           impl->automatic ? "" : ", for tests");
}

#ifdef FATHOM_CUDA
static void print_line(void *user, const char *text) {
    (void)user;
    printf("  %s\n", text);
}
#endif

static void print_text(const struct options *options) {
    const struct backend_options backend_options = command_backend_options(options);
    char name[49];
    cpu_name(name);
    printf("fathom " FATHOM_VERSION ", built with " COMPILER ", %s CUDA\n",
           WITH_CUDA ? "with" : "without");
    printf("processor: %s, %ld threads", name, sysconf(_SC_NPROCESSORS_ONLN));
    each_cpu_flag(options->cpumask, print_flag);
    puts("\nbackends, best first:");
    for (const struct backend_impl *const *impl = backends_all; *impl; impl++)
        print_backend(*impl, &backend_options);
#ifdef FATHOM_CUDA
    puts("CUDA:");
    cuda_describe(print_line, NULL);
#endif
    struct library libraries[LIBRARIES];
    list_libraries(libraries);
    puts("libraries:");
    for (int i = 0; i < LIBRARIES; i++)
        printf("  %-8s %s (compiled against %s)\n", libraries[i].name, libraries[i].linked,
               libraries[i].compiled);
}

/* --- for programs --- */

static void json_flag(const char *name, bool first) {
    fputs(first ? "" : ", ", stdout);
    json_string(stdout, name);
}

static void json_backend(const struct backend_impl *impl, const struct backend_options *options) {
    const char *why = "";
    const bool usable = impl->usable(options, &why);
    printf("{\"name\": \"%s\", \"usable\": %s, \"automatic\": %s, \"density\": %s, \"why\": ",
           impl->name, usable ? "true" : "false", impl->automatic ? "true" : "false",
           impl->density ? "true" : "false");
    json_string(stdout, usable ? "" : why);
    putchar('}');
}

#ifdef FATHOM_CUDA
static void json_line(void *user, const char *text) {
    bool *first = user;
    fputs(*first ? "" : ", ", stdout);
    json_string(stdout, text);
    *first = false;
}
#endif

static void json_cuda(void) {
    printf("], \"cuda\": [");
#ifdef FATHOM_CUDA
    bool first = true;
    cuda_describe(json_line, &first);
#endif
}

static void json_libraries(void) {
    struct library libraries[LIBRARIES];
    list_libraries(libraries);
    for (int i = 0; i < LIBRARIES; i++)
        printf("%s\"%s\": {\"compiled\": \"%s\", \"linked\": \"%s\"}", i > 0 ? ", " : "",
               libraries[i].name, libraries[i].compiled, libraries[i].linked);
}

static void print_json(const struct options *options) {
    const struct backend_options backend_options = command_backend_options(options);
    char name[49];
    cpu_name(name);
    printf("{\"version\": \"" FATHOM_VERSION "\", \"compiler\": ");
    json_string(stdout, COMPILER);
    printf(", \"with_cuda\": %s, \"processor\": ", WITH_CUDA ? "true" : "false");
    json_string(stdout, name);
    printf(", \"threads\": %ld, \"cpu_flags\": [", sysconf(_SC_NPROCESSORS_ONLN));
    each_cpu_flag(options->cpumask, json_flag);
    printf("], \"backends\": [");
    for (size_t i = 0; backends_all[i]; i++) {
        fputs(i > 0 ? ", " : "", stdout);
        json_backend(backends_all[i], &backend_options);
    }
    json_cuda();
    printf("], \"libraries\": {");
    json_libraries();
    puts("}}");
}

int command_info(const struct options *options) {
    if (options->json)
        print_json(options);
    else
        print_text(options);
    return 0;
}
