/* Preloaded into the real program by tests/trouble_*.sh: a system in which things go wrong on demand.
 *     TROUBLE_FSYNC=1   disks cannot be synced (EIO)
 *     TROUBLE_RENAME=1  files cannot be renamed (EIO)
 *     TROUBLE_CLOCK=1   the time of day jumps by months and years, both ways, and the steady clock skips
 *                       up to a minute, again and again
 *     TROUBLE_LOCALE=1  the locale of the environment is taken over at the start
 * Built without the sanitizers. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EPISODE 400 /* calls between two jumps */

int trouble_fsync(int fd) __asm__("fsync");
int trouble_rename(const char *from, const char *to) __asm__("rename");
int trouble_clock_gettime(clockid_t id, struct timespec *time) __asm__("clock_gettime");
time_t trouble_time(time_t *to) __asm__("time");

static bool wanted(const char *name) {
    const char *value = getenv(name);
    return value && *value;
}

__attribute__((constructor)) static void take_locale(void) {
    if (wanted("TROUBLE_LOCALE"))
        setlocale(LC_ALL, "");
}

int trouble_fsync(int fd) {
    if (!wanted("TROUBLE_FSYNC"))
        return (int)syscall(SYS_fsync, fd);
    errno = EIO;
    return -1;
}

int trouble_rename(const char *from, const char *to) {
    if (!wanted("TROUBLE_RENAME"))
        return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    errno = EIO;
    return -1;
}

/* Seconds that are added to the time of day in an episode: three years back to three years on. */
static time_t day_offset(unsigned episode) {
    return (time_t)(episode * 2654435761u >> 16) * 3000 - 98000000;
}

/* Seconds that the steady clock has skipped by then: it never goes back. */
static time_t steady_offset(unsigned episode) {
    time_t sum = 0;
    for (unsigned i = 1; i <= episode; i++)
        sum += i % 3 == 0 ? 60 : i % 3;
    return sum;
}

int trouble_clock_gettime(clockid_t id, struct timespec *time) {
    static atomic_uint calls;
    const int result = (int)syscall(SYS_clock_gettime, id, time);
    if (result != 0 || !wanted("TROUBLE_CLOCK"))
        return result;
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
