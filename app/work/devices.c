/* Devices: finds them, starts their processes, and follows the lines on their standard errors. */
#define _GNU_SOURCE
#include "app/work/devices.h"
#include "app/work/process.h"
#include "render/backends.h"
#include "render/base/atomic_file.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/progress.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEVICES_MOST 64
#define GPUS_MOST    32 /* of a backend */
#define NAME_SIZE    64
#define LINE_SIZE    1024
#define POLL_MS      100
#define COMMAND_MOST (1 << 22) /* [bytes] of this process's command line */

struct device {
    char backend[NAME_SIZE], name[NAME_SIZE]; /* name: of --device; "": none */
    pid_t process;                            /* 0: ended */
    int from;                                 /* its standard error */
    char line[LINE_SIZE];                     /* the beginning of a line */
    size_t length;
};

struct devices {
    const struct options *options;
    struct device device[DEVICES_MOST];
    int count, running;
    bool shares;    /* also a single device */
    int processors; /* devices that are processors, and share its threads */
    double started_ms, done;
    bool shown, complete;
};

/* --- the list --- */

/* Adds a device. Returns false if there is no room, which is logged. */
static bool add(struct devices *devices, const char *backend, const char *name) {
    struct device *device = &devices->device[devices->count];
    if (devices->count == DEVICES_MOST || strlen(backend) >= NAME_SIZE ||
        strlen(name) >= NAME_SIZE) {
        log_error("--devices: the list or the name '%s' is too long", name);
        return false;
    }
    *device = (struct device){.from = -1};
    strcpy(device->backend, backend);
    strcpy(device->name, name);
    for (const struct backend_impl *const *impl = backends_cpu; *impl; impl++)
        devices->processors += strcmp((*impl)->name, backend) == 0;
    devices->count++;
    return true;
}

/* Adds the GPUs of the first backend that has any. Returns false if there are none. */
static bool add_gpus(struct devices *devices) {
    const int before = devices->count;
    for (int i = 0; devices->count == before && backends_drawing[i]; i++) {
        const struct backend_impl *impl = backends_drawing[i];
        char name[NAME_SIZE];
        const struct backend_options options = {
            .device = name, .automatic = true, .inexact = devices->options->inexact};
        for (int gpu = 0; impl->gpu && gpu < GPUS_MOST; gpu++) {
            const char *why;
            snprintf(name, sizeof name, "#%d", gpu);
            if (impl->usable(&options, &why))
                add(devices, impl->name, name);
        }
    }
    return devices->count > before;
}

static bool add_processor(struct devices *devices) {
    const struct backend_options options = {.cpumask = devices->options->cpumask};
    const struct backend_impl *impl = backend_choose(backends_cpu, NULL, &options);
    return impl && add(devices, impl->name, "");
}

/* Adds "all", "gpus", "cpu", or BACKEND[:DEVICE]. */
static bool add_word(struct devices *devices, const char *word) {
    char text[2 * NAME_SIZE];
    const bool gpus = strcmp(word, "gpus") == 0;
    if (gpus || strcmp(word, "all") == 0) {
        if (add_gpus(devices))
            return true;
        if (gpus)
            log_error("--devices gpus: there is no usable GPU here; see 'fathom info'");
        return !gpus && add_processor(devices);
    }
    if (strcmp(word, "cpu") == 0)
        return add_processor(devices);
    snprintf(text, sizeof text, "%s", word);
    char *colon = strchr(text, ':');
    if (colon)
        *colon = '\0';
    for (const struct backend_impl *const *impl = backends_drawing; *impl; impl++)
        if (strcmp((*impl)->name, text) == 0 && (!colon || ((*impl)->gpu && colon[1])))
            return add(devices, text, colon ? colon + 1 : "");
    log_error("--devices takes all, gpus, cpu, or a list such as cuda:0,cuda:1,avx2; not '%s'",
              word);
    return false;
}

static bool find_devices(struct devices *devices) {
    char *list = strdup(devices->options->devices), *rest = list;
    bool ok = list;
    for (const char *word; ok && (word = strsep(&rest, ","));)
        ok = add_word(devices, word);
    free(list);
    return ok;
}

/* --- processes --- */

/* Returns true for --devices; its value is in the next word if there is no '='. */
static bool is_devices(const char *word, bool *next) {
    static const char option[] = "--devices";
    const size_t length = strlen(option);
    *next = strcmp(word, option) == 0;
    return *next || (strncmp(word, option, length) == 0 && word[length] == '=');
}

/* Adds the words of this process's command line, except its name and --devices. */
static size_t add_own_words(char *text, size_t size, char **words) {
    size_t count = 0;
    bool only_arguments = false, next;
    char *word = text + strlen(text) + 1;
    for (; word < text + size; word += strlen(word) + 1) {
        only_arguments = only_arguments || strcmp(word, "--") == 0;
        if (only_arguments || !is_devices(word, &next))
            words[count++] = word;
        else if (next && word + strlen(word) + 1 < text + size)
            word += strlen(word) + 1;
    }
    return count;
}

static int start(const struct devices *devices, struct device *device, char *text, size_t size,
                 char **words) {
    char lines[60], program[40], backend[2 * NAME_SIZE], name[2 * NAME_SIZE], threads[40];
    const long share =
        sysconf(_SC_NPROCESSORS_ONLN) / (devices->processors > 0 ? devices->processors : 1);
    size_t count = 0;
    int ends[2], nothing = open("/dev/null", O_RDWR | O_CLOEXEC), error = EMFILE;
    snprintf(lines, sizeof lines, PROGRESS_LINES "=%d", (int)getpid());
    snprintf(program, sizeof program, "/proc/%d/exe", (int)getpid());
    snprintf(backend, sizeof backend, "--backend=%s", device->backend);
    snprintf(name, sizeof name, "--device=%s", device->name);
    snprintf(threads, sizeof threads, "--threads=%ld", share > 0 ? share : 1);
    words[count++] = "env";
    words[count++] = lines;
    words[count++] = program;
    if (devices->shares || devices->count > 1)
        words[count++] = "--join";
    words[count++] = backend;
    if (*device->name)
        words[count++] = name;
    if (devices->processors > 1)
        words[count++] = threads;
    words[count + add_own_words(text, size, words + count)] = NULL;
    if (nothing >= 0 && pipe2(ends, O_CLOEXEC) == 0) {
        error = process_start(&device->process, words, (int[]){nothing, nothing, ends[1]});
        close(ends[1]);
        device->from = ends[0];
        fcntl(device->from, F_SETFL, O_NONBLOCK);
    }
    if (nothing >= 0)
        close(nothing);
    return error;
}

/* Starts a process for each device. Returns false if one cannot be started, which is logged. */
static bool start_all(struct devices *devices) {
    size_t size = 0;
    bool more;
    FILE *file = fopen("/proc/self/cmdline", "re");
    char *text =
        file ? file_read_start(file, "/proc/self/cmdline", COMMAND_MOST, &size, &more) : NULL;
    char **words = calloc(size + 16, sizeof *words);
    int error = text && words ? 0 : ENOMEM;
    for (; error == 0 && devices->running < devices->count; devices->running += error == 0)
        error = start(devices, &devices->device[devices->running], text, size, words);
    if (error != 0)
        log_error("cannot start a process for a device: %s", strerror(error));
    if (file)
        fclose(file);
    free(text);
    free(words);
    return error == 0;
}

static void take_line(struct devices *devices, const struct device *device) {
    static const char own[] = "fathom: ";
    const char *line = device->line;
    char *end;
    const double done = strtod(line, &end);
    if (end > line && *end == '\0') {
        devices->done = done > devices->done ? done : devices->done;
        return;
    }
    if (strncmp(line, own, strlen(own)) == 0)
        line += strlen(own);
    if (devices->shown)
        progress_hide();
    devices->shown = false;
    fprintf(stderr, "fathom: %s%s%s: %s\n", device->backend, *device->name ? ":" : "", device->name,
            line);
}

/* Reads what a device's process has written. Returns false at its end. */
static bool read_lines(struct devices *devices, struct device *device) {
    char c;
    ssize_t got;
    while ((got = read(device->from, &c, 1)) == 1) {
        if (c != '\n' && device->length + 1 < sizeof device->line) {
            device->line[device->length++] = c;
            continue;
        }
        device->line[device->length] = '\0';
        device->length = 0;
        take_line(devices, device);
    }
    return got < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Takes the result of a process that has ended. */
static void end(struct devices *devices, struct device *device) {
    int status = 1;
    while (waitpid(device->process, &status, 0) < 0 && errno == EINTR)
        ;
    const bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    close(device->from);
    device->process = 0;
    devices->running--;
    devices->complete = devices->complete || ok;
    if (!ok && !interrupt_requested() && devices->running > 0)
        log_warn("%s%s%s has failed; the others go on", device->backend, *device->name ? ":" : "",
                 device->name);
}

static void stop_all(const struct devices *devices) {
    for (int i = 0; i < devices->count; i++)
        if (devices->device[i].process > 0)
            kill(devices->device[i].process, SIGINT);
}

/* Waits until all processes have ended. */
static void follow(struct devices *devices) {
    for (bool stopped = false; devices->running > 0;) {
        struct pollfd ends[DEVICES_MOST];
        for (int i = 0; i < devices->count; i++)
            ends[i] = (struct pollfd){devices->device[i].process > 0 ? devices->device[i].from : -1,
                                      POLLIN, 0};
        poll(ends, (nfds_t)devices->count, POLL_MS);
        for (int i = 0; i < devices->count; i++)
            if (devices->device[i].process > 0 && ends[i].revents != 0 &&
                !read_lines(devices, &devices->device[i]))
                end(devices, &devices->device[i]);
        if (interrupt_requested() && !stopped)
            stop_all(devices);
        stopped = interrupt_requested();
        devices->shown |= progress_show(NULL, devices->done, clock_ms() - devices->started_ms);
    }
}

int devices_run(const struct options *options, bool shares) {
    struct devices devices = {.options = options, .shares = shares, .started_ms = clock_ms()};
    if (options_given(options, "backend") || options_given(options, "device") || options->json ||
        options->part) {
        log_error("--devices chooses the devices and the parts: --backend, --device, --part and "
                  "--json do not go with it");
        return 2;
    }
    if (!find_devices(&devices))
        return 2;
    interrupt_catch();
    const bool started = start_all(&devices);
    if (!started)
        stop_all(&devices);
    follow(&devices);
    if (devices.shown)
        progress_hide();
    return started && devices.complete ? 0 : 1;
}
