/* Work lists: claims files, keeps claims alive, and watches those of others. */
#define _GNU_SOURCE /* asprintf */
#include "app/work/work_list.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BEAT_MS      10000.0
#define SILENT_MS    60000.0
#define PAUSE_MS     20.0 /* first wait for others, which grows */
#define PAUSE_MOST   1000.0
#define PAUSE_GROWTH 1.25
#define LATE_MS      2000.0 /* shortest wait before a piece of somebody else is late */
#define LATE         4.0    /* and times in which this process makes a piece */
#define PARTS_MOST   1000000u

/* --- who --- */

/* Reads the beginning of a file as a text. Returns false if there is none. */
static bool read_text(const char *path, char *text, size_t size) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file >= 0 ? read(file, text, size - 1) : -1;
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    return got >= 0;
}

/* Stores the boot and the group of processes that see each other, in which a process has one
 * number. */
static void find_machine(char machine[static WORK_MACHINE_MAX]) {
    char boot[40], group[32];
    const ssize_t size = readlink("/proc/self/ns/pid", group, sizeof group - 1);
    *machine = '\0';
    if (size <= 0 || !read_text("/proc/sys/kernel/random/boot_id", boot, sizeof boot))
        return;
    group[size] = '\0';
    boot[strcspn(boot, "\n")] = '\0';
    snprintf(machine, WORK_MACHINE_MAX, "%s-%s", boot, group);
}

/* Returns true if a claim is that of a dead process of this machine. */
static bool is_dead(const struct work_list *list, const char *text) {
    const size_t length = strlen(list->machine);
    long process = 0;
    return length > 0 && strncmp(text, list->machine, length) == 0 &&
           sscanf(text + length, " %ld ", &process) == 1 && process > 0 &&
           kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

void work_list_init(struct work_list *list) {
    *list = (struct work_list){.beat_ms = BEAT_MS, .silent_ms = SILENT_MS};
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&list->ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&list->lock, NULL);
    find_machine(list->machine);
}

/* --- files of claims --- */

/* Returns the name of a claim, which the caller frees; NULL without memory. */
static char *name_of(const char *piece, unsigned generation) {
    char *name = NULL;
    const int size = generation == 1 ? asprintf(&name, "%s.claim", piece)
                                     : asprintf(&name, "%s.claim%u", piece, generation);
    return size < 0 ? NULL : name;
}

/* Writes the next count. Returns false on failure; errno is set. */
static bool beat(struct work_list *list, int file) {
    char text[WORK_TEXT];
    memset(text, ' ', sizeof text);
    text[snprintf(text, sizeof text - 1, "%s %ld %" PRIu64, list->machine, (long)getpid(),
                  ++list->beats)] = ' ';
    text[WORK_TEXT - 1] = '\n';
    errno = ENOSPC; /* of a short write */
    return pwrite(file, text, WORK_TEXT, 0) == WORK_TEXT;
}

/* Counts up in all claims until the end, and makes other machines see it. */
static void *count_up(void *user) {
    struct work_list *list = user;
    pthread_mutex_lock(&list->lock);
    while (!list->stop) {
        const struct timespec next = clock_after(CLOCK_MONOTONIC, list->beat_ms);
        if (pthread_cond_timedwait(&list->ended, &list->lock, &next) != ETIMEDOUT)
            continue;
        for (int i = 0; i < WORK_HELD_MOST; i++)
            if (list->held[i].piece && beat(list, list->held[i].file))
                fdatasync(list->held[i].file);
    }
    pthread_mutex_unlock(&list->lock);
    return NULL;
}

/* Returns the place of a piece, or of NULL a free one; NULL: there is none. */
static struct work_held *place_of(struct work_list *list, const char *piece) {
    for (int i = 0; i < WORK_HELD_MOST; i++) {
        const char *held = list->held[i].piece;
        if (piece ? held && strcmp(held, piece) == 0 : !held)
            return &list->held[i];
    }
    return NULL;
}

/* Keeps a new claim. Returns false on failure; errno is set. */
static bool hold(struct work_list *list, const char *piece, unsigned generation, int file) {
    struct work_held *place = place_of(list, NULL);
    errno = ENOMEM;
    char *name = strdup(piece);
    if (!place || !name || !beat(list, file)) {
        free(name);
        return false;
    }
    *place = (struct work_held){name, generation, file};
    if (!list->started)
        list->started = pthread_create(&list->thread, NULL, count_up, list) == 0;
    return true;
}

static void remove_claim(const char *piece, unsigned generation) {
    char *name = name_of(piece, generation);
    if (name)
        unlink(name);
    free(name);
}

/* Releases a claim with those of the silent ones before. */
static void let_go(struct work_held *held) {
    for (unsigned generation = 1; generation <= held->generation; generation++)
        remove_claim(held->piece, generation);
    close(held->file);
    free(held->piece);
    *held = (struct work_held){0};
}

/* --- claims of others --- */

/* Returns what was seen in a claim. Returns NULL without memory. */
static struct work_seen *seen_in(struct work_list *list, const char *path) {
    for (size_t i = 0; i < list->seen_count; i++)
        if (strcmp(list->seen[i].path, path) == 0)
            return &list->seen[i];
    struct work_seen *more = realloc(list->seen, (list->seen_count + 1) * sizeof *more);
    char *copy = more ? strdup(path) : NULL;
    if (more)
        list->seen = more;
    if (!copy)
        return NULL;
    more[list->seen_count] = (struct work_seen){.path = copy, .since_ms = clock_ms()};
    return &more[list->seen_count++];
}

/* Returns true if the claim of another list has not changed for long, or if its process is dead. */
static bool is_silent(struct work_list *list, const char *path) {
    char text[WORK_TEXT + 1];
    struct work_seen *seen = read_text(path, text, sizeof text) ? seen_in(list, path) : NULL;
    if (!seen)
        return false;
    if (strncmp(seen->text, text, WORK_TEXT) != 0) {
        memcpy(seen->text, text, WORK_TEXT);
        seen->since_ms = clock_ms();
    }
    return is_dead(list, text) || clock_ms() - seen->since_ms >= list->silent_ms;
}

/* Makes the claim of a generation. Returns WORK_OURS, or WORK_FAILED and errno. */
static enum work_state make_claim(struct work_list *list, const char *piece, unsigned generation,
                                  const char *path) {
    const int file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    if (file < 0)
        return WORK_FAILED;
    if (hold(list, piece, generation, file))
        return WORK_OURS;
    const int error = errno;
    close(file);
    unlink(path);
    errno = error;
    return WORK_FAILED;
}

/* Claims the first generation whose claim is not silent. */
static enum work_state claim(struct work_list *list, const char *piece) {
    enum work_state state = WORK_TAKEN;
    for (unsigned generation = 1;; generation++) {
        char *path = name_of(piece, generation);
        errno = ENOMEM;
        state = path ? make_claim(list, piece, generation, path) : WORK_FAILED;
        const int error = errno;
        const bool next = state == WORK_FAILED && error == EEXIST && is_silent(list, path);
        if (state == WORK_FAILED && error == EEXIST)
            state = WORK_TAKEN;
        else if (state == WORK_FAILED)
            log_error("cannot write '%s': %s", path ? path : piece, strerror(error));
        free(path);
        if (!next)
            return state;
    }
}

enum work_state work_list_claim(struct work_list *list, const char *piece) {
    pthread_mutex_lock(&list->lock);
    const enum work_state state = place_of(list, piece) ? WORK_TAKEN : claim(list, piece);
    pthread_mutex_unlock(&list->lock);
    return state;
}

void work_list_release(struct work_list *list, const char *piece) {
    pthread_mutex_lock(&list->lock);
    struct work_held *held = place_of(list, piece);
    if (held)
        let_go(held);
    pthread_mutex_unlock(&list->lock);
}

void work_list_finish(struct work_list *list) {
    pthread_mutex_lock(&list->lock);
    list->stop = true;
    pthread_cond_signal(&list->ended);
    pthread_mutex_unlock(&list->lock);
    if (list->started)
        pthread_join(list->thread, NULL);
    for (int i = 0; i < WORK_HELD_MOST; i++)
        if (list->held[i].piece)
            let_go(&list->held[i]);
    for (size_t i = 0; i < list->seen_count; i++)
        free(list->seen[i].path);
    free(list->seen);
    pthread_cond_destroy(&list->ended);
    pthread_mutex_destroy(&list->lock);
}

void work_list_remove_claims(const char *folder) {
    DIR *files = opendir(folder);
    for (struct dirent *entry; files && (entry = readdir(files));) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending && strncmp(ending, ".claim", strlen(".claim")) == 0)
            unlinkat(dirfd(files), entry->d_name, 0);
    }
    if (files)
        closedir(files);
}

bool work_list_is_late(double waited_ms, double own_ms) {
    return waited_ms > LATE_MS && waited_ms > LATE * own_ms;
}

double work_list_pause(double ms) {
    const double now = ms > 0 ? ms : PAUSE_MS, next = now * PAUSE_GROWTH;
    nanosleep(&(struct timespec){(time_t)(now / 1000), (long)(now * 1e6) % 1000000000}, NULL);
    return next < PAUSE_MOST ? next : PAUSE_MOST;
}

/* --- parts --- */

bool work_part_parse(const char *text, struct work_part *part) {
    int end = 0;
    *part = (struct work_part){0};
    if (!text)
        return true;
    if (strspn(text, "0123456789/") == strlen(text) &&
        sscanf(text, "%7u/%7u%n", &part->number, &part->of, &end) == 2 && text[end] == '\0' &&
        part->number < part->of && part->of <= PARTS_MOST)
        return true;
    log_error("--part takes K/N, the parts of four are 0/4, 1/4, 2/4 and 3/4; not '%s'", text);
    return false;
}

bool work_part_has(const struct work_part *part, uint64_t piece) {
    return part->of == 0 || piece % part->of == part->number;
}

void work_part_range(const struct work_part *part, uint64_t count, uint64_t *begin, uint64_t *end) {
    const uint64_t of = part->of > 0 ? part->of : 1, each = count / of, more = count % of;
    *begin = part->number * each + (part->number < more ? part->number : more);
    *end = *begin + each + (part->number < more);
}
