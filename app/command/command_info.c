/* fathom info: prints how the program was built, the devices of this machine, and the files in
 * use. */
#include "app/assets.h"
#include "app/command/commands.h"
#include "app/command/gl_info.h"
#include "app/hud/hud.h"
#include "app/options/config.h"
#include "app/still/screenshot.h"
#include "cpu/cpu.h"
#include "cpu/cpuid.h"
#include "gpu/driver_probe.h"
#include "opencl/opencl_backend.h"
#include "render/backends.h"
#include "render/base/json.h"
#include "render/base/log.h"
#include "render/base/user_data.h"
#include "render/files/exr/exr.h"
#include "render/files/image.h"
#ifdef FATHOM_CUDA
#include "cuda/cuda_backend.h"
#endif
#include <GL/glew.h>
#include <gmp.h>
#include <mpfr.h>
#include <stdlib.h>
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

#ifdef NDEBUG
#define BUILD "release"
#else
#define BUILD "debug"
#endif

#define TEXT_SIZE 4400 /* size of a path and a word */

#define NO_CUDA "fathom was built without it; install the CUDA toolkit and build fathom again"

/* --- writing --- */

/* Output format: text, or members of a JSON object. */
struct report {
    bool json, first;
};

static void begin_group(struct report *report, const char *name) {
    if (report->json)
        printf(", \"%s\": {", name);
    else
        printf("%s:\n", name);
    report->first = true;
}

static void end_group(const struct report *report) {
    if (report->json)
        putchar('}');
}

/* Prints one fact. Text output omits facts without a value. */
static void print_fact(struct report *report, const char *name, const char *value) {
    if (!report->json) {
        char shown[TEXT_SIZE];
        log_escape(shown, sizeof shown, value);
        if (*value)
            printf("  %-11s %s\n", name, shown);
        return;
    }
    printf("%s\"%s\": ", report->first ? "" : ", ", name);
    json_string(stdout, value);
    report->first = false;
}

/* --- the program and the processor --- */

/* Prints "fma, avx2", or the same as JSON strings. */
static void print_cpu_flags(const struct report *report, uint32_t mask) {
    static const char *const names[] = CPU_FLAG_NAMES;
    const uint32_t flags = cpu_flags(mask);
    bool first = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!(flags >> i & 1))
            continue;
        printf(report->json ? "%s\"%s\"" : "%s%s", report->json && first ? "" : ", ", names[i]);
        first = false;
    }
}

static void print_program(const struct report *report, const struct options *options) {
    char name[49], openmp[16];
    const int threads = options->threads > 0 ? options->threads : cpu_threads();
    cpu_name(name);
    cpu_openmp_version(openmp);
    if (!report->json) {
        printf("fathom " FATHOM_VERSION ", " BUILD " build with " COMPILER ", %s CUDA\n",
               WITH_CUDA ? "with" : "without");
        printf("processor: %s, %ld threads", name, sysconf(_SC_NPROCESSORS_ONLN));
        print_cpu_flags(report, options->cpumask);
        printf("\nOpenMP %s, drawing with %d thread%s\n", openmp, threads, threads == 1 ? "" : "s");
        return;
    }
    printf("{\"version\": \"" FATHOM_VERSION "\", \"build\": \"" BUILD "\", \"compiler\": ");
    json_string(stdout, COMPILER);
    printf(", \"with_cuda\": %s, \"processor\": ", WITH_CUDA ? "true" : "false");
    json_string(stdout, name);
    printf(", \"threads\": %ld, \"openmp\": \"%s\", \"drawing_threads\": %d, \"cpu_flags\": [",
           sysconf(_SC_NPROCESSORS_ONLN), openmp, threads);
    print_cpu_flags(report, options->cpumask);
    putchar(']');
}

/* --- backends --- */

static void print_backend(const struct report *report, const struct backend_impl *impl,
                          const struct backend_options *options) {
    const char *why = "";
    const bool usable = impl->usable(options, &why);
    if (!report->json) {
        printf("  %-8s %s%s%s\n", impl->name, usable ? "usable" : "not usable",
               !why[0]  ? ""
               : usable ? ", "
                        : ": ",
               why);
        return;
    }
    printf("{\"name\": \"%s\", \"usable\": %s, \"automatic\": %s, \"density\": %s, \"why\": ",
           impl->name, usable ? "true" : "false",
           impl->automatic || impl->second ? "true" : "false", impl->density ? "true" : "false");
    json_string(stdout, why);
    putchar('}');
}

static void print_backends(const struct report *report, const struct options *options) {
    const struct backend_options backend_options = command_backend_options(options);
    fputs(report->json ? ", \"backends\": [" : "backends, best first:\n", stdout);
    if (!WITH_CUDA && !report->json)
        puts("  cuda     not usable: " NO_CUDA);
    for (size_t i = 0; backends_all[i]; i++) {
        fputs(report->json && i > 0 ? ", " : "", stdout);
        print_backend(report, backends_all[i], &backend_options);
    }
    if (report->json)
        putchar(']');
}

static void print_line(void *user, const char *text) {
    struct report *report = user;
    if (!report->json) {
        printf("  %s\n", text);
        return;
    }
    fputs(report->first ? "" : ", ", stdout);
    json_string(stdout, text);
    report->first = false;
}

#define OPENCL_LINES   16
#define OPENCL_WAIT_MS 10000

/* Lines that describe OpenCL's devices. */
struct opencl_info {
    int count;
    char line[OPENCL_LINES][600];
};

static void add_line(void *user, const char *text) {
    struct opencl_info *info = user;
    if (info->count < OPENCL_LINES)
        snprintf(info->line[info->count++], sizeof info->line[0], "%s", text);
}

static void ask_opencl(void *answer) {
    opencl_describe(add_line, answer);
}

static void opencl_info_ask(struct opencl_info *info) {
    static const char *const whys[] = {[DRIVER_PROBE_CRASHED] = "a driver crashes",
                                       [DRIVER_PROBE_TIMED_OUT] = "a driver does not answer",
                                       [DRIVER_PROBE_NOT_STARTED] =
                                           "cannot start a process to ask it"};
    const char *why = NULL;
    info->count = 0;
    opencl_forget_answers();
    if (opencl_has_devices(&why)) {
        const enum driver_probe end =
            driver_probe_in_process(ask_opencl, info, sizeof *info, OPENCL_WAIT_MS);
        if (end == DRIVER_PROBE_ANSWERED)
            return;
        info->count = 0;
        why = whys[end];
    }
    add_line(info, why);
}

static void begin_devices(struct report *report, const char *name, const char *title) {
    report->first = true;
    if (report->json)
        printf(", \"%s\": [", name);
    else
        printf("%s:\n", title);
}

static void print_devices(struct report *report, const struct opencl_info *opencl) {
    if (WITH_CUDA || report->json)
        begin_devices(report, "cuda", "CUDA");
#ifdef FATHOM_CUDA
    cuda_describe(print_line, report);
#endif
    if (report->json)
        putchar(']');
    begin_devices(report, "opencl", "OpenCL");
    for (int i = 0; i < opencl->count; i++)
        print_line(report, opencl->line[i]);
    if (report->json)
        putchar(']');
}

/* --- the display, libraries and files --- */

static void print_display(struct report *report, const struct gl_info *info) {
    begin_group(report, "display");
    print_fact(report, "driver", info->video);
    print_fact(report, report->json ? "opengl" : "OpenGL", info->version);
    print_fact(report, "renderer", info->renderer);
    print_fact(report, "vendor", info->vendor);
    print_fact(report, report->json ? "why" : "no window:", info->why);
    end_group(report);
}

/* Prints the version that fathom was compiled against, and the version in use. */
static void print_library(struct report *report, const char *name, const char *compiled,
                          const char *linked) {
    if (report->json)
        printf("%s\"%s\": {\"compiled\": \"%s\", \"linked\": \"%s\"}", report->first ? "" : ", ",
               name, compiled, linked);
    else
        printf("  %-11s %s (compiled against %s)\n", name, linked, compiled);
    report->first = false;
}

static void print_libraries(struct report *report) {
    char text[2][32];
    SDL_version compiled, linked;
    struct image_versions exr;
    const char *glew = (const char *)glewGetString(GLEW_VERSION);
    SDL_VERSION(&compiled);
    SDL_GetVersion(&linked);
    begin_group(report, "libraries");
    snprintf(text[0], sizeof text[0], "%d.%d.%d", compiled.major, compiled.minor, compiled.patch);
    snprintf(text[1], sizeof text[1], "%d.%d.%d", linked.major, linked.minor, linked.patch);
    print_library(report, "SDL", text[0], text[1]);
    print_library(report, "MPFR", MPFR_VERSION_STRING, mpfr_get_version());
    snprintf(text[0], sizeof text[0], "%d.%d.%d", __GNU_MP_VERSION, __GNU_MP_VERSION_MINOR,
             __GNU_MP_VERSION_PATCHLEVEL);
    print_library(report, "GMP", text[0], gmp_version);
    for (int format = 0; format < IMAGE_FORMATS; format++) {
        struct image_versions versions;
        const char *name = image_library((enum image_format)format, &versions);
        if (name)
            print_library(report, name, versions.compiled, versions.linked);
    }
    if (exr_library(&exr))
        print_library(report, "OpenEXR", exr.compiled, exr.linked);
    print_library(report, "GLEW", glew, glew); /* GLEW's header has no version */
    print_library(report, "Dear ImGui", hud_library_compiled(), hud_library_linked());
    end_group(report);
}

/* Prints a path and frees it. If there is no such file, the text output appends `absent`. */
static void print_file(struct report *report, const char *name, char *path, const char *absent) {
    char text[TEXT_SIZE] = "";
    const bool there = path && access(path, F_OK) == 0;
    if (path)
        snprintf(text, sizeof text, "%s%s", path, there || report->json ? "" : absent);
    else if (!report->json)
        snprintf(text, sizeof text, "none, as there is no home folder");
    print_fact(report, name, text);
    free(path);
}

static void print_files(struct report *report, const struct options *options) {
    char *views = assets_folder();
    begin_group(report, "files");
    print_file(report, "settings", config_path(),
               options->no_config ? "" : " (not there; fathom config prints one)");
    print_file(report, "recent", user_state_path("recent"), " (none yet)");
    print_file(report, "window", user_state_path("window"), " (none yet)");
    print_file(report, "screenshots", screenshot_folder(options->screenshots),
               " (made when needed)");
    print_fact(report, "views",
               views          ? views
               : report->json ? ""
                              : "not found: example views are not installed (cmake --install)");
    print_file(report, report->json ? "own_views" : "own views", user_data_path("views"),
               " (none yet)");
    print_file(report, "palettes", user_data_path("palettes"), " (none yet)");
    end_group(report);
    free(views);
}

int command_info(const struct options *options) {
    struct report report = {.json = options->json};
    struct gl_info display;
    struct opencl_info opencl;
    gl_info_ask(&display); /* both fork, so before the devices start */
    opencl_info_ask(&opencl);
    print_program(&report, options);
    print_backends(&report, options);
    print_devices(&report, &opencl);
    print_display(&report, &display);
    print_libraries(&report);
    print_files(&report, options);
    if (report.json)
        puts("}");
    return 0;
}
