/* OpenCL devices: loads the library, if it is installed, and examines its devices. */
#include "opencl/devices.h"
#include "gpu/device_choice.h"
#include "gpu/driver_probe.h"
#include "render/base/user_data.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PLATFORMS_MAX     16
#define GROUP_THREADS_MIN 128 /* [threads] size of a kernel's group */
#define QUERY_MS          2000

static void *open_library(const char **why) {
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        *why = "no OpenCL library (libOpenCL.so.1)";
    return library;
}

static bool load(struct cl *cl, const char **why) {
    cl->library = open_library(why);
    if (!cl->library)
        return false;
    bool all = true;
#define LOAD(result, name, arguments)                                                              \
    *(void **)&cl->name = dlsym(cl->library, "cl" #name);                                          \
    all = all && cl->name;
    CL_FUNCTIONS(LOAD)
#undef LOAD
    if (!all)
        *why = "the OpenCL library is older than version 1.2";
    return all;
}

static void text_of(const struct cl *cl, cl_device_id id, uint32_t property, char *text,
                    size_t size) {
    if (cl->GetDeviceInfo(id, property, size - 1, text, NULL) != CL_SUCCESS)
        snprintf(text, size, "?");
}

/* Returns a number of any of OpenCL's sizes, or 0 if it is unknown. */
static uint64_t number_of(const struct cl *cl, cl_device_id id, uint32_t property) {
    uint64_t number = 0;
    return cl->GetDeviceInfo(id, property, sizeof number, &number, NULL) == CL_SUCCESS ? number : 0;
}

static bool has_extension(const struct cl *cl, cl_device_id id, const char *name) {
    char text[8192];
    text_of(cl, id, CL_DEVICE_EXTENSIONS, text, sizeof text);
    return strstr(text, name) != NULL;
}

/* Returns why kernels cannot run on the device, as far as its properties show, or NULL. */
static const char *problem(const struct cl *cl, cl_device_id id, uint64_t group) {
    if (!number_of(cl, id, CL_DEVICE_AVAILABLE))
        return "it is not available";
    if (!number_of(cl, id, CL_DEVICE_COMPILER_AVAILABLE))
        return "it has no compiler";
    if (!number_of(cl, id, CL_DEVICE_ENDIAN_LITTLE))
        return "it is big-endian";
    if (group < GROUP_THREADS_MIN)
        return "its groups have too few threads";
    return NULL;
}

/* Returns why the device is not exact, as far as its properties show, or NULL. */
static const char *inexactness(const struct cl *cl, cl_device_id id, uint64_t doubles) {
    if (!(doubles & CL_FP_FMA))
        return "it has no doubles (with --inexact it draws in floats, to a zoom of about 10,000)";
    if (!(number_of(cl, id, CL_DEVICE_SINGLE_FP_CONFIG) & doubles & CL_FP_DENORM))
        return "it has no denormal numbers (--inexact lets it draw)";
    return NULL;
}

static void examine(const struct cl *cl, cl_device_id id, struct opencl_device_info *info) {
    *info = (struct opencl_device_info){.id = id};
    text_of(cl, id, CL_DEVICE_NAME, info->name, sizeof info->name);
    info->gpu = number_of(cl, id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU;
    info->register_option = has_extension(cl, id, "cl_nv_compiler_options");
    info->exact_division =
        number_of(cl, id, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    info->units = (uint32_t)number_of(cl, id, CL_DEVICE_MAX_COMPUTE_UNITS);
    info->memory = number_of(cl, id, CL_DEVICE_GLOBAL_MEM_SIZE);
    info->group = number_of(cl, id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    info->why = problem(cl, id, info->group);
    const uint64_t doubles = number_of(cl, id, CL_DEVICE_DOUBLE_FP_CONFIG);
    info->doubles = doubles & CL_FP_FMA;
    info->inexact = inexactness(cl, id, doubles);
}

static void examine_platform(struct devices *devices, cl_platform_id platform) {
    const struct cl *cl = &devices->cl;
    cl_device_id ids[DEVICES_MAX];
    uint32_t count = 0;
    if (cl->GetDeviceIDs(platform, ~(uint32_t)0, DEVICES_MAX, ids, &count) != CL_SUCCESS)
        return;
    for (uint32_t i = 0; i < count && i < DEVICES_MAX && devices->count < DEVICES_MAX; i++)
        examine(cl, ids[i], &devices->device[devices->count++]);
}

static bool examine_all(struct devices *devices, const char **why) {
    cl_platform_id platforms[PLATFORMS_MAX];
    uint32_t count = 0;
    *devices = (struct devices){.count = 0};
    if (!load(&devices->cl, why))
        return false;
    if (devices->cl.GetPlatformIDs(PLATFORMS_MAX, platforms, &count) != CL_SUCCESS)
        count = 0;
    for (uint32_t i = 0; i < count && i < PLATFORMS_MAX; i++)
        examine_platform(devices, platforms[i]);
    if (devices->count == 0)
        *why = "no OpenCL device";
    return devices->count > 0;
}

bool opencl_devices_init(struct devices *devices, const char **why) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool examined, found;
    static struct devices known;
    static const char *problem;
    pthread_mutex_lock(&lock);
    if (!examined)
        found = examine_all(&known, &problem);
    examined = true;
    *devices = known;
    *why = problem;
    pthread_mutex_unlock(&lock);
    return found;
}

/* --- asking drivers --- */

/* Answer of the drivers. Texts of a child process have the same addresses in this process. */
static struct answer {
    const char *why; /* NULL: there are devices */
    struct devices devices;
} answer; /* Written once, under pthread_once, and constant afterwards. */

static void query(void *user) {
    struct answer *to = user;
    opencl_devices_init(&to->devices, &to->why);
}

static bool has_gpu(const struct devices *devices) {
    for (int i = 0; i < devices->count; i++)
        if (devices->device[i].gpu)
            return true;
    return false;
}

/* Returns the name of a marker file. It exists if the drivers, including a GPU's, answered without
 * a fault last time. The drivers are then asked in this process, which saves a process start. The
 * file is deleted during the query, so that after a crash a child process asks again. */
static char *marker_file(void) {
    return user_cache_path("opencl-answers");
}

static bool remove_marker(const char *file) {
    return file && unlink(file) == 0;
}

static void create_marker(const char *file) {
    char *folder = file ? strdup(file) : NULL;
    if (folder) {
        *strrchr(folder, '/') = '\0';
        mkdir(folder, 0777);
    }
    const int made = file ? open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (made >= 0)
        close(made);
    free(folder);
}

void opencl_devices_forget_answers(void) {
    char *file = marker_file();
    remove_marker(file);
    free(file);
}

static void query_once(void) {
    static const char *const reasons[] = {
        [DRIVER_PROBE_CRASHED] = "an OpenCL driver crashes",
        [DRIVER_PROBE_TIMED_OUT] = "an OpenCL driver does not answer",
        [DRIVER_PROBE_NOT_STARTED] = "cannot start a process to ask OpenCL"};
    if (!open_library(&answer.why))
        return;
    char *file = marker_file();
    const enum driver_probe end =
        (remove_marker(file) ? driver_probe_on_thread
                             : driver_probe_in_process)(query, &answer, sizeof answer, QUERY_MS);
    if (end != DRIVER_PROBE_ANSWERED)
        answer.why = reasons[end];
    else if (has_gpu(&answer.devices))
        create_marker(file);
    free(file);
}

const struct devices *opencl_devices_query(const char **why) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, query_once);
    if (!answer.why)
        return &answer.devices;
    *why = answer.why;
    return NULL;
}

/* --- choosing --- */

/* Orders devices: exact devices first, then GPUs, then by the number of units. */
static bool is_better(const struct opencl_device_info *info,
                      const struct opencl_device_info *other) {
    if (!info->inexact != !other->inexact)
        return !info->inexact;
    return info->gpu != other->gpu ? info->gpu : info->units > other->units;
}

int opencl_devices_choose(const struct devices *devices, const char *wanted, bool gpus_only,
                          bool inexact, const char **why) {
    int best = -1;
    const char *problem = DEVICE_UNKNOWN;
    for (int i = 0; i < devices->count; i++) {
        const struct opencl_device_info *info = &devices->device[i];
        if (!device_is_wanted(wanted, i, devices->count, info->name))
            continue;
        if (info->why)
            problem = info->why;
        else if (info->inexact && !inexact)
            problem = info->inexact;
        else if (gpus_only && !info->gpu)
            problem = "no GPU";
        else if (best < 0 || is_better(info, &devices->device[best]))
            best = i;
    }
    if (best < 0)
        *why = problem;
    else if (!devices->device[best].gpu)
        *why = "CPU only; for tests";
    return best;
}
