/* Background reader of trap images: a thread that waits for a path, and abandons its work for a
 * newer one. */
#include "render/interned/trap_image_reader.h"
#include "render/base/log.h"
#include "render/files/image.h"
#include "render/interned/trap_image_read.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define WHY_MAX 1200

struct trap_image_reader {
    pthread_t thread;
    bool started; /* used only by the owner */

    pthread_mutex_t lock; /* protects all members below */
    pthread_cond_t asked;
    bool ends;
    /* NONE: no request. READ: `image` is the result, or NULL, with the reason in `why`. */
    enum { NONE, WANTED, READ } state;
    char path[TRAP_IMAGE_PATH_MAX + 1]; /* requested path */
    unsigned request_id;                /* number of the request */
    const struct trap_image *image;     /* a reference of the reader */
    char why[WHY_MAX];
    double done;
};

/* The request that the thread works on. */
struct task {
    struct trap_image_reader *reader;
    unsigned request_id;
    char path[TRAP_IMAGE_PATH_MAX + 1];
};

static bool report_progress(void *user, uint64_t done, uint64_t pixels) {
    const struct task *task = user;
    struct trap_image_reader *reader = task->reader;
    pthread_mutex_lock(&reader->lock);
    const bool on =
        !reader->ends && reader->state == WANTED && reader->request_id == task->request_id;
    if (on && pixels > 0)
        reader->done = (double)done / (double)pixels;
    pthread_mutex_unlock(&reader->lock);
    return on;
}

/* Waits for a request. Returns false if the thread is to end. */
static bool take_task(struct trap_image_reader *reader, struct task *task) {
    pthread_mutex_lock(&reader->lock);
    while (!reader->ends && reader->state != WANTED)
        pthread_cond_wait(&reader->asked, &reader->lock);
    task->reader = reader;
    task->request_id = reader->request_id;
    memcpy(task->path, reader->path, sizeof task->path);
    const bool on = !reader->ends;
    pthread_mutex_unlock(&reader->lock);
    return on;
}

static void *work(void *user) {
    struct trap_image_reader *reader = user;
    struct task task;
    const struct image_progress progress = {report_progress, &task};
    image_set_progress(&progress);
    while (take_task(reader, &task)) {
        char why[WHY_MAX];
        const struct log_listener before = log_listen_instead(why, sizeof why);
        const struct trap_image *image = trap_image_load(task.path);
        log_listen_restore(before);
        pthread_mutex_lock(&reader->lock);
        if (reader->state == WANTED && reader->request_id == task.request_id) {
            reader->state = READ;
            reader->image = trap_image_ref(image);
            memcpy(reader->why, why, sizeof why);
        }
        pthread_mutex_unlock(&reader->lock);
        trap_image_unref(image);
    }
    return NULL;
}

struct trap_image_reader *trap_image_reader_create(void) {
    struct trap_image_reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        log_error("not enough memory to read images beside the window");
        return NULL;
    }
    pthread_mutex_init(&reader->lock, NULL);
    pthread_cond_init(&reader->asked, NULL);
    return reader;
}

void trap_image_reader_destroy(struct trap_image_reader *reader) {
    if (!reader)
        return;
    pthread_mutex_lock(&reader->lock);
    reader->ends = true;
    pthread_cond_signal(&reader->asked);
    pthread_mutex_unlock(&reader->lock);
    if (reader->started)
        pthread_join(reader->thread, NULL);
    trap_image_unref(reader->image);
    pthread_cond_destroy(&reader->asked);
    pthread_mutex_destroy(&reader->lock);
    free(reader);
}

/* Drops the request or its result. Call with the lock held. */
static void drop_request(struct trap_image_reader *reader) {
    trap_image_replace(&reader->image, NULL);
    reader->state = NONE;
    reader->done = 0;
}

/* Stores a request and wakes the thread. Call with the lock held. */
static void post_request(struct trap_image_reader *reader, const char *path) {
    drop_request(reader);
    reader->state = WANTED;
    reader->request_id++;
    strcpy(reader->path, path);
    pthread_cond_signal(&reader->asked);
}

const struct trap_image *trap_image_reader_ask(struct trap_image_reader *reader, const char *path,
                                               bool *later) {
    const struct trap_image *image = NULL;
    char why[WHY_MAX] = "";
    if (!reader->started)
        reader->started = pthread_create(&reader->thread, NULL, work, reader) == 0;
    *later = false;
    if (!reader->started) /* without a thread, as elsewhere, the work is done here */
        return trap_image_load(path);
    pthread_mutex_lock(&reader->lock);
    const bool same = reader->state != NONE && strcmp(reader->path, path) == 0;
    if (same && reader->state == READ) {
        image = trap_image_ref(reader->image);
        memcpy(why, reader->why, sizeof why);
        drop_request(reader);
    } else {
        *later = true;
        if (!same)
            post_request(reader, path);
    }
    pthread_mutex_unlock(&reader->lock);
    if (!image && !*later)
        log_error("%s", why);
    return image;
}

bool trap_image_reader_busy(struct trap_image_reader *reader, double *done) {
    pthread_mutex_lock(&reader->lock);
    const bool busy = reader->state == WANTED;
    *done = reader->done;
    pthread_mutex_unlock(&reader->lock);
    return busy;
}

void trap_image_reader_stop(struct trap_image_reader *reader) {
    pthread_mutex_lock(&reader->lock);
    drop_request(reader);
    pthread_mutex_unlock(&reader->lock);
}
