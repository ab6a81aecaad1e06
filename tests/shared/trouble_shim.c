/* Fault injection, preloaded into the real program by trouble_*.sh: system calls fail on demand.
 *     TROUBLE_FSYNC=1   disks cannot be synced (EIO)
 *     TROUBLE_OVERTAKEN=COMMAND  the third picture in a folder "shared" cannot be synced, after a
 *                       command, which does what another process would
 *     TROUBLE_RENAME=1  files cannot be renamed (EIO); another number is the errno: 16 is EBUSY
 *     TROUBLE_LATE=N    files in a folder "work" are opened and renamed N ms late
 *     TROUBLE_THREADS=N at most N threads can live besides the first
 *     TROUBLE_ALLOCATIONS=N  memory runs out after N allocations, counted from when GMP gets its
 *                       allocation functions
 *     TROUBLE_CLOCK=1   the time of day jumps by months and years, both ways, and the steady clock
 *                       skips up to a minute, again and again; =2: both stand still
 *     TROUBLE_TEXTURES=N  graphics cards refuse textures larger than N pixels, and report that
 *                       limit; with TROUBLE_MEMORY=1 they run out of memory instead
 *     TROUBLE_TORN=N    of every N uploads of parts of large textures, one is cut in half
 *     TROUBLE_RESET=1   the GPU is reset after some frames
 *     TROUBLE_SCALE=1   the window moves between displays of different density, again and again
 *     TROUBLE_OPENED=FILE  no fault: lists the files that the first thread opens while a script
 *                       holds a key
 *     TROUBLE_LOCALE=1  the program starts with the locale of the environment
 * Built without the sanitizers. */
#define _GNU_SOURCE
#include <SDL_events.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EPISODE          400 /* calls between two jumps */
#define DISPLAY_EPISODE  40  /* calls between two changes of display */
#define TEXTURE_SIZE_MAX 0x0D33
#define UNKNOWN_RESET    0x8255
#define RESET_AFTER      3 /* number of queries before the reset */

int trouble_fsync(int fd) __asm__("fsync");
int trouble_rename(const char *from, const char *to) __asm__("rename");
int trouble_clock_gettime(clockid_t id, struct timespec *time) __asm__("clock_gettime");
time_t trouble_time(time_t *to) __asm__("time");
void trouble_integer(unsigned name, int *value) __asm__("glGetIntegerv");
void trouble_texture(unsigned target, int level, int format, int width, int height, int border,
                     unsigned pixel_format, unsigned type,
                     const void *data) __asm__("glTexImage2D");
void trouble_part(unsigned target, int level, int x, int y, int width, int height, unsigned format,
                  unsigned type, const void *data) __asm__("glTexSubImage2D");
void *trouble_address(const unsigned char *name) __asm__("glXGetProcAddressARB");
int trouble_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *user) __asm__("pthread_create");
void trouble_numbers(void *(*allocate)(size_t), void *(*again)(void *, size_t, size_t),
                     void (*release)(void *, size_t)) __asm__("__gmp_set_memory_functions");
int trouble_push(SDL_Event *event) __asm__("SDL_PushEvent");
int trouble_open(const char *name, int flags, mode_t mode) __asm__("open");
int trouble_openat(int folder, const char *name, int flags, mode_t mode) __asm__("openat");
FILE *trouble_fopen(const char *name, const char *mode) __asm__("fopen");
int trouble_dpi(int display, float *diagonal, float *x, float *y) __asm__("SDL_GetDisplayDPI");
void trouble_window_size(void *window, int *width, int *height) __asm__("SDL_GetWindowSize");

static bool wanted(const char *name) {
    const char *value = getenv(name);
    return value && *value;
}

/* Stores the function that ours replaces; a function pointer is not an object pointer in C. */
static void find_next(const char *name, void *function) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    memcpy(function, &found, sizeof found);
}

__attribute__((constructor)) static void take_locale(void) {
    if (wanted("TROUBLE_LOCALE"))
        setlocale(LC_ALL, "");
}

/* Returns true for the third picture in a folder "shared", after the command. */
static bool is_overtaken(int fd) {
    static atomic_int pictures;
    char link[40], name[4096];
    if (!wanted("TROUBLE_OVERTAKEN"))
        return false;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, name, sizeof name - 1);
    name[length > 0 ? length : 0] = '\0';
    if (!strstr(name, "/shared/") || atomic_fetch_add(&pictures, 1) != 2)
        return false;
    unsetenv("LD_PRELOAD");
    return system(getenv("TROUBLE_OVERTAKEN")) == 0;
}

int trouble_fsync(int fd) {
    if (!wanted("TROUBLE_FSYNC") && !is_overtaken(fd))
        return (int)syscall(SYS_fsync, fd);
    errno = EIO;
    return -1;
}

static void wait_for(const char *name) {
    const long ms =
        wanted("TROUBLE_LATE") && strstr(name, "work/") ? atol(getenv("TROUBLE_LATE")) : 0;
    if (ms > 0)
        nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

int trouble_rename(const char *from, const char *to) {
    wait_for(to);
    if (!wanted("TROUBLE_RENAME"))
        return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    const int wanted_errno = atoi(getenv("TROUBLE_RENAME"));
    errno = wanted_errno > 1 ? wanted_errno : EIO;
    return -1;
}

/* --- threads --- */

static atomic_int living;

struct beginning {
    void *(*run)(void *);
    void *user;
};

static void *live(void *user) {
    const struct beginning beginning = *(struct beginning *)user;
    free(user);
    void *result = beginning.run(beginning.user);
    atomic_fetch_sub(&living, 1);
    return result;
}

int trouble_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *user) {
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    find_next("pthread_create", &next);
    if (!wanted("TROUBLE_THREADS"))
        return next(thread, attributes, run, user);
    struct beginning *beginning = malloc(sizeof *beginning);
    if (!beginning || atomic_fetch_add(&living, 1) >= atoi(getenv("TROUBLE_THREADS"))) {
        atomic_fetch_sub(&living, 1);
        free(beginning);
        return EAGAIN;
    }
    *beginning = (struct beginning){run, user};
    const int error = next(thread, attributes, live, beginning);
    if (error)
        atomic_fetch_sub(&living, 1);
    return error;
}

/* Returns the seconds that an episode adds to the time of day, from three years back to three years
 * on. */
static time_t day_offset(unsigned episode) {
    return (time_t)(episode * 2654435761u >> 16) * 3000 - 98000000;
}

/* Returns the seconds that the steady clock has skipped by then; it never goes back. */
static time_t steady_offset(unsigned episode) {
    time_t sum = 0;
    for (unsigned i = 1; i <= episode; i++)
        sum += i % 3 == 0 ? 60 : i % 3;
    return sum;
}

/* Sets a time to the first one of its clock. */
static void stand_still(clockid_t id, struct timespec *time) {
    static atomic_ulong first[CLOCK_TAI + 1]; /* [ns] */
    unsigned long none = 0, now = (unsigned long)time->tv_sec * 1000000000 + time->tv_nsec;
    if (id > CLOCK_TAI)
        return;
    if (!atomic_compare_exchange_strong(&first[id], &none, now))
        now = none;
    *time = (struct timespec){(time_t)(now / 1000000000), (long)(now % 1000000000)};
}

int trouble_clock_gettime(clockid_t id, struct timespec *time) {
    static atomic_uint calls;
    const int result = (int)syscall(SYS_clock_gettime, id, time);
    if (result != 0 || !wanted("TROUBLE_CLOCK"))
        return result;
    if (strcmp(getenv("TROUBLE_CLOCK"), "2") == 0) {
        stand_still(id, time);
        return result;
    }
    const unsigned episode = atomic_fetch_add(&calls, 1) / EPISODE;
    if (id == CLOCK_REALTIME)
        time->tv_sec += day_offset(episode);
    else if (id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_RAW)
        time->tv_sec += steady_offset(episode);
    return result;
}

time_t trouble_time(time_t *to) {
    struct timespec now = {0};
    trouble_clock_gettime(CLOCK_REALTIME, &now);
    if (to)
        *to = now.tv_sec;
    return now.tv_sec;
}

#ifndef TROUBLE_WATCHED /* sanitizers replace the memory functions themselves */
/* --- memory --- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_bool memory_counts; /* set once libraries have initialised */

static bool has_memory(void) {
    static atomic_long allocations;
    const char *most = memory_counts ? getenv("TROUBLE_ALLOCATIONS") : NULL;
    if (!most || atomic_fetch_add(&allocations, 1) < atol(most))
        return true;
    errno = ENOMEM;
    return false;
}

void trouble_numbers(void *(*allocate)(size_t), void *(*again)(void *, size_t, size_t),
                     void (*release)(void *, size_t)) {
    void (*next)(void *(*)(size_t), void *(*)(void *, size_t, size_t), void (*)(void *, size_t));
    find_next("__gmp_set_memory_functions", &next);
    next(allocate, again, release);
    memory_counts = true;
}

void *malloc(size_t size) {
    return has_memory() ? __libc_malloc(size) : NULL;
}

void *calloc(size_t count, size_t size) {
    return has_memory() ? __libc_calloc(count, size) : NULL;
}

void *realloc(void *memory, size_t size) {
    return has_memory() ? __libc_realloc(memory, size) : NULL;
}

void *aligned_alloc(size_t alignment, size_t size) {
    return has_memory() ? __libc_memalign(alignment, size) : NULL;
}
#endif

/* --- files --- */

static atomic_bool key_held;

static void tell_opened(const char *name) {
    const char *list = getenv("TROUBLE_OPENED");
    if (!key_held || !list || syscall(SYS_gettid) != getpid())
        return;
    const int file = (int)syscall(SYS_openat, AT_FDCWD, list, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0 || write(file, name, strlen(name)) < 0 || write(file, "\n", 1) < 0)
        abort();
    close(file);
}

int trouble_push(SDL_Event *event) {
    int (*next)(SDL_Event *);
    find_next("SDL_PushEvent", &next);
    if (event->type == SDL_KEYDOWN || event->type == SDL_KEYUP)
        key_held = event->type == SDL_KEYDOWN;
    return next(event);
}

int trouble_open(const char *name, int flags, mode_t mode) {
    wait_for(name);
    tell_opened(name);
    return (int)syscall(SYS_openat, AT_FDCWD, name, flags, mode);
}

int trouble_openat(int folder, const char *name, int flags, mode_t mode) {
    wait_for(name);
    tell_opened(name);
    return (int)syscall(SYS_openat, folder, name, flags, mode);
}

FILE *trouble_fopen(const char *name, const char *mode) {
    FILE *(*next)(const char *, const char *);
    find_next("fopen", &next);
    tell_opened(name);
    return next(name, mode);
}

/* --- graphics --- */

static unsigned reset_status(void) {
    static atomic_int asked;
    return atomic_fetch_add(&asked, 1) < RESET_AFTER ? 0 : UNKNOWN_RESET;
}

void *trouble_address(const unsigned char *name) {
    void *(*next)(const unsigned char *);
    unsigned (*const status)(void) = reset_status;
    void *address;
    if (wanted("TROUBLE_RESET") && strcmp((const char *)name, "glGetGraphicsResetStatus") == 0) {
        memcpy(&address, &status, sizeof address);
        return address;
    }
    find_next("glXGetProcAddressARB", &next);
    return next(name);
}

static int textures_most(void) {
    return wanted("TROUBLE_TEXTURES") ? atoi(getenv("TROUBLE_TEXTURES")) : 1 << 30;
}

void trouble_integer(unsigned name, int *value) {
    void (*next)(unsigned, int *);
    find_next("glGetIntegerv", &next);
    next(name, value);
    if (name == TEXTURE_SIZE_MAX && !wanted("TROUBLE_MEMORY") && *value > textures_most())
        *value = textures_most();
}

void trouble_texture(unsigned target, int level, int format, int width, int height, int border,
                     unsigned pixel_format, unsigned type, const void *data) {
    void (*next)(unsigned, int, int, int, int, int, unsigned, unsigned, const void *);
    find_next("glTexImage2D", &next);
    const int most = textures_most();
    /* -1: an error, and no texture. */
    const int asked = width > most || height > most ? -1 : width;
    next(target, level, format, asked, height, border, pixel_format, type, data);
}

void trouble_part(unsigned target, int level, int x, int y, int width, int height, unsigned format,
                  unsigned type, const void *data) {
    static atomic_int parts;
    void (*next)(unsigned, int, int, int, int, int, unsigned, unsigned, const void *);
    find_next("glTexSubImage2D", &next);
    const char *every = getenv("TROUBLE_TORN");
    const bool large = width >= 100 && height >= 20;
    const bool torn = every && large && (atomic_fetch_add(&parts, 1) + 1) % atoi(every) == 0;
    next(target, level, x, y, width, torn ? height / 2 : height, format, type, data);
}

int trouble_dpi(int display, float *diagonal, float *x, float *y) {
    static atomic_uint calls;
    int (*next)(int, float *, float *, float *);
    find_next("SDL_GetDisplayDPI", &next);
    if (!wanted("TROUBLE_SCALE"))
        return next(display, diagonal, x, y);
    const unsigned episode = atomic_fetch_add(&calls, 1) / DISPLAY_EPISODE;
    *diagonal = (float)(96 * (1 + episode % 4));
    return episode % 5 == 4 ? -1 : 0;
}

/* Reports a window size coarser than its pixels, as on some displays. */
void trouble_window_size(void *window, int *width, int *height) {
    static atomic_uint calls;
    void (*next)(void *, int *, int *);
    find_next("SDL_GetWindowSize", &next);
    next(window, width, height);
    if (!wanted("TROUBLE_SCALE"))
        return;
    const unsigned episode = atomic_fetch_add(&calls, 1) / DISPLAY_EPISODE;
    *width /= 1 + (int)(episode % 3);
    *height /= 1 + (int)(episode % 3);
}
