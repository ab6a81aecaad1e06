/* Keeps a fixed number of thumbnails in slots, which a thread fills, those asked for last first, so
 * that scrolling stays quick. */
#define _GNU_SOURCE /* gettid */
#include "app/gallery/thumbnails.h"
#include "app/gallery/example_thumbnail.h"
#include "app/gallery/thumbnail_draw.h"
#include "app/picture/gl.h"
#include "render/backends.h"
#include "render/base/log.h"
#include "render/files/image.h"
#include <SDL.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Gives way to the window and to most else, but not so far that a busy machine never draws any. */
#define NICENESS      5
#define RECENT_FRAMES 3    /* a slot that was asked for in one of them is wanted */
#define READ_MS       2e-5 /* that reading a pixel of an image takes */
#define DENSITY_MS    4000.0

/* In the order in which slots are drawn. */
enum state {
    STATE_EMPTY,
    STATE_ROUGH,  /* one sample of each pixel is there */
    STATE_SLOW,   /* took too long, and waits for all others */
    STATE_DONE,   /* from here on nothing is drawn */
    STATE_FAILED, /* or took too long again: a rough one stays */
};

/* [ms] The most work of an attempt in each state. Work and not time, because the thread may wait
 * long for a processor where other programs are busy. */
static const double patience_ms[STATE_DONE] = {2000, 5000, 30000};

struct slot {
    char *id; /* NULL: free */
    char *path, *text;
    bool fleeting;
    uint64_t frame; /* the last one in which it was asked for */
    enum state state;
    uint32_t limit;            /* that the rough one was drawn with; 0: there is none yet */
    uint32_t *rgba;            /* to be uploaded; NULL: nothing is */
    struct gl_texture texture; /* the owner's */
};

struct thumbnails {
    struct backend_options options;
    SDL_Thread *thread;
    bool told;       /* that it cannot be started */
    SDL_mutex *lock; /* of all below */
    SDL_cond *moved;
    struct slot slots[THUMBNAILS_MAX];
    uint64_t frame;
    bool resting, waiting, stop;
    SDL_atomic_t give_up;

    /* The thread's: */
    double patience_ms; /* the work that this attempt may still do */
    bool slow, late;    /* this attempt is of a slow one; it took too long */
    uint64_t read;      /* pixels of its image so far */
    struct backend *backend;
    struct thumbnail_cache cache;
};

struct thumbnails *thumbnails_create(const struct backend_options *options) {
    struct thumbnails *thumbnails = calloc(1, sizeof *thumbnails);
    if (!thumbnails) {
        log_error("not enough memory for thumbnails");
        return NULL;
    }
    thumbnails->options = *options;
    thumbnails->options.threads = 1;
    thumbnails->options.low_priority = false; /* see NICENESS */
    thumbnails->options.gl = false;
    thumbnails->resting = true;
    thumbnails->frame = RECENT_FRAMES;
    thumbnails->lock = SDL_CreateMutex();
    thumbnails->moved = SDL_CreateCond();
    if (thumbnails->lock && thumbnails->moved)
        return thumbnails;
    log_error("thumbnails cannot be drawn: %s", SDL_GetError());
    thumbnails_destroy(thumbnails);
    return NULL;
}

static void release(struct slot *slot) {
    gl_texture_finish(&slot->texture);
    free(slot->id);
    free(slot->path);
    free(slot->text);
    free(slot->rgba);
    *slot = (struct slot){0};
}

void thumbnails_destroy(struct thumbnails *thumbnails) {
    if (!thumbnails)
        return;
    if (thumbnails->thread) {
        SDL_AtomicSet(&thumbnails->give_up, 1);
        SDL_LockMutex(thumbnails->lock);
        thumbnails->stop = true;
        SDL_CondBroadcast(thumbnails->moved);
        SDL_UnlockMutex(thumbnails->lock);
        SDL_WaitThread(thumbnails->thread, NULL);
    }
    for (size_t i = 0; i < THUMBNAILS_MAX; i++)
        if (thumbnails->slots[i].id)
            release(&thumbnails->slots[i]);
    SDL_DestroyCond(thumbnails->moved);
    SDL_DestroyMutex(thumbnails->lock);
    free(thumbnails);
}

/* --- the thread --- */

static bool wanted(const struct thumbnails *thumbnails, const struct slot *slot) {
    return slot->id && slot->frame + RECENT_FRAMES > thumbnails->frame && slot->state < STATE_DONE;
}

/* The next slot to draw: all rough ones before the first good one, and slow ones last. NULL: none. */
static struct slot *next(struct thumbnails *thumbnails) {
    struct slot *best = NULL;
    for (size_t i = 0; i < THUMBNAILS_MAX; i++) {
        struct slot *slot = &thumbnails->slots[i];
        if (wanted(thumbnails, slot) && (!best || slot->state < best->state))
            best = slot;
    }
    return best;
}

static struct slot *find(struct thumbnails *thumbnails, const char *id) {
    for (size_t i = 0; i < THUMBNAILS_MAX; i++)
        if (thumbnails->slots[i].id && strcmp(thumbnails->slots[i].id, id) == 0)
            return &thumbnails->slots[i];
    return NULL;
}

/* A slow one gives way to others. */
static bool gives_way(struct thumbnails *thumbnails) {
    if (!thumbnails->slow)
        return false;
    SDL_LockMutex(thumbnails->lock);
    const struct slot *first = next(thumbnails);
    const bool way = first && first->state < STATE_SLOW;
    SDL_UnlockMutex(thumbnails->lock);
    return way;
}

static bool go_on(void *user, double work_ms) {
    struct thumbnails *thumbnails = user;
    thumbnails->patience_ms -= work_ms;
    thumbnails->late = thumbnails->late || thumbnails->patience_ms < 0;
    return !thumbnails->late && !SDL_AtomicGet(&thumbnails->give_up) && !gives_way(thumbnails);
}

/* A slot's contents, while the lock is not held. */
struct task {
    char *id, *path, *text;
    bool fleeting;
    enum state state;
    uint32_t limit;
};

static char *copy(const char *text) {
    return text ? strdup(text) : NULL;
}

static void finish_task(struct task *task) {
    free(task->id);
    free(task->path);
    free(task->text);
}

/* Waits for one. False: the thread is to end. */
static bool take_task(struct thumbnails *thumbnails, struct task *task) {
    const struct slot *slot = NULL;
    *task = (struct task){0};
    SDL_LockMutex(thumbnails->lock);
    while (!thumbnails->stop &&
           (thumbnails->resting || thumbnails->waiting || !(slot = next(thumbnails))))
        SDL_CondWait(thumbnails->moved, thumbnails->lock);
    if (slot)
        *task = (struct task){copy(slot->id), copy(slot->path), copy(slot->text),
                              slot->fleeting, slot->state,      slot->limit};
    SDL_AtomicSet(&thumbnails->give_up, thumbnails->stop);
    const bool on = !thumbnails->stop;
    SDL_UnlockMutex(thumbnails->lock);
    return on;
}

/* Takes the pixels over; NULL: there will be none. */
static void publish(struct thumbnails *thumbnails, const struct task *task, enum state state,
                    uint32_t limit, uint32_t *rgba) {
    for (size_t i = 0; rgba && i < THUMBNAIL_PIXELS; i++)
        rgba[i] |= 0xff000000u;
    SDL_LockMutex(thumbnails->lock);
    struct slot *slot = find(thumbnails, task->id);
    if (slot) {
        free(slot->rgba);
        slot->rgba = rgba;
        slot->state = state;
        slot->limit = limit;
    } else {
        free(rgba);
    }
    SDL_UnlockMutex(thumbnails->lock);
}

/* Of an image that the view names; reading it is work as well. */
static bool read_on(void *user, uint64_t done, uint64_t pixels) {
    struct thumbnails *thumbnails = user;
    const uint64_t read = done > thumbnails->read ? done - thumbnails->read : 0;
    (void)pixels;
    thumbnails->read = done;
    return go_on(thumbnails, READ_MS * (double)read);
}

static bool load(struct thumbnails *thumbnails, const struct task *task, struct scene *scene) {
    const struct image_watch watch = {read_on, thumbnails};
    thumbnails->read = 0;
    image_watch_by(&watch);
    const bool ok = task->path
                        ? scene_load(scene, task->path)
                        : scene_parse(scene, "a recent location", task->text, strlen(task->text));
    image_watch_by(NULL);
    return ok;
}

static bool open_backend(struct thumbnails *thumbnails) {
    if (!thumbnails->backend)
        thumbnails->backend = backend_open(backends_cpu, NULL, &thumbnails->options);
    return thumbnails->backend;
}

/* A fleeting one has a third of the width and height. */
static int width_of(bool fleeting) {
    return fleeting ? THUMBNAIL_WIDTH_PX / 3 : THUMBNAIL_WIDTH_PX;
}

static int height_of(bool fleeting) {
    return fleeting ? THUMBNAIL_HEIGHT_PX / 3 : THUMBNAIL_HEIGHT_PX;
}

static struct thumbnail_drawing drawing_of(struct thumbnails *thumbnails, bool adapts) {
    return (struct thumbnail_drawing){.backend = thumbnails->backend,
                                      .go_on = go_on,
                                      .user = thumbnails,
                                      .width_px = width_of(adapts),
                                      .height_px = height_of(adapts),
                                      .density_ms = DENSITY_MS,
                                      .adapts = adapts};
}

static enum state draw_well(struct thumbnails *thumbnails, const char *key, struct scene *scene,
                            uint32_t *rgba) {
    const struct thumbnail_drawing drawing = drawing_of(thumbnails, false);
    if (!thumbnail_draw(&drawing, scene, rgba))
        return STATE_FAILED;
    if (key)
        thumbnail_cache_store(&thumbnails->cache, key, rgba);
    return STATE_DONE;
}

/* From the cache, else drawn roughly at first, which finds the limit, and well the next time. */
static enum state draw(struct thumbnails *thumbnails, const struct task *task, struct scene *scene,
                       uint32_t *rgba) {
    const struct thumbnail_drawing drawing = drawing_of(thumbnails, task->fleeting);
    char *key = task->fleeting ? NULL : thumbnail_key(scene);
    enum state state = STATE_FAILED;
    if (task->limit > 0) {
        scene->limit = task->limit;
        state = draw_well(thumbnails, key, scene, rgba);
    } else if (key && thumbnail_cache_load(key, rgba)) {
        state = STATE_DONE;
    } else if (thumbnail_draw_roughly(&drawing, scene, rgba)) {
        state = task->fleeting ? STATE_DONE : task->state == STATE_SLOW ? STATE_SLOW : STATE_ROUGH;
    }
    free(key);
    return state;
}

static void work(struct thumbnails *thumbnails, const struct task *task) {
    struct scene scene;
    uint32_t *rgba = malloc(THUMBNAIL_PIXELS * sizeof *rgba);
    scene_init(&scene);
    enum state state = STATE_FAILED;
    thumbnails->patience_ms = patience_ms[task->state];
    thumbnails->slow = task->state == STATE_SLOW;
    thumbnails->late = false;
    if (rgba && (task->path || task->text) && load(thumbnails, task, &scene) &&
        open_backend(thumbnails))
        state = draw(thumbnails, task, &scene, rgba);
    uint32_t limit = scene.limit;
    scene_finish(&scene);
    if (state == STATE_FAILED && !thumbnails->late && !go_on(thumbnails, 0)) {
        free(rgba); /* it begins anew when it is asked for again */
        return;
    }
    if (state == STATE_FAILED) {
        free(rgba);
        rgba = NULL;
        limit = task->limit;
        if (thumbnails->late && !thumbnails->slow)
            state = STATE_SLOW;
    }
    publish(thumbnails, task, state, limit, rgba);
}

static int run(void *user) {
    struct thumbnails *thumbnails = user;
    setpriority(PRIO_PROCESS, (id_t)gettid(), NICENESS); /* and of the threads that it begins */
    for (struct task task; take_task(thumbnails, &task); finish_task(&task))
        if (task.id)
            work(thumbnails, &task);
    backend_close(thumbnails->backend);
    thumbnails->backend = NULL;
    mpfr_free_cache();
    return 0;
}

/* --- the owner --- */

static void start(struct thumbnails *thumbnails) {
    if (thumbnails->thread)
        return;
    thumbnails->thread = SDL_CreateThread(run, "thumbnails", thumbnails);
    if (!thumbnails->thread && !thumbnails->told)
        log_warn("cannot start a thread for thumbnails: %s", SDL_GetError());
    thumbnails->told = !thumbnails->thread;
}

void thumbnails_begin_frame(struct thumbnails *thumbnails) {
    SDL_LockMutex(thumbnails->lock);
    thumbnails->frame++;
    SDL_UnlockMutex(thumbnails->lock);
}

/* A free one, or the one that was asked for longest ago. */
static struct slot *make_room(struct thumbnails *thumbnails) {
    struct slot *oldest = &thumbnails->slots[0];
    for (size_t i = 0; i < THUMBNAILS_MAX; i++) {
        if (!thumbnails->slots[i].id)
            return &thumbnails->slots[i];
        if (thumbnails->slots[i].frame < oldest->frame)
            oldest = &thumbnails->slots[i];
    }
    if (oldest->frame == thumbnails->frame)
        return NULL; /* more are asked for at once than there is room for */
    release(oldest);
    return oldest;
}

static void upload(struct slot *slot, int width_px, int height_px) {
    if (gl_texture_resize(&slot->texture, width_px, height_px)) {
        glBindTexture(GL_TEXTURE_2D, slot->texture.name);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width_px, height_px, GL_RGBA, GL_UNSIGNED_BYTE,
                        slot->rgba);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 4);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
        glGenerateMipmap(GL_TEXTURE_2D);
        glBindTexture(GL_TEXTURE_2D, 0);
    }
    free(slot->rgba);
    slot->rgba = NULL;
}

static struct slot *fill(struct slot *slot, const struct thumbnail_source *source) {
    if (!slot)
        return NULL;
    *slot = (struct slot){.id = strdup(source->id),
                          .path = copy(source->path),
                          .text = source->path ? NULL : copy(source->text),
                          .fleeting = source->fleeting};
    return slot->id ? slot : NULL;
}

/* An example's comes with the program, and takes about a millisecond. */
static void take_shipped(struct slot *slot) {
    slot->rgba = slot->path ? malloc(EXAMPLE_THUMBNAIL_PIXELS * sizeof *slot->rgba) : NULL;
    if (slot->rgba && example_thumbnail_load(slot->path, slot->rgba)) {
        upload(slot, EXAMPLE_THUMBNAIL_WIDTH_PX, EXAMPLE_THUMBNAIL_HEIGHT_PX);
        slot->state = STATE_DONE;
    }
    free(slot->rgba);
    slot->rgba = NULL;
}

uint32_t thumbnails_texture(struct thumbnails *thumbnails, const struct thumbnail_source *source) {
    uint32_t name = 0;
    start(thumbnails);
    SDL_LockMutex(thumbnails->lock);
    struct slot *slot = find(thumbnails, source->id);
    if (!slot)
        slot = fill(make_room(thumbnails), source);
    if (slot && slot->frame == 0)
        take_shipped(slot);
    if (slot) {
        slot->frame = thumbnails->frame;
        name = slot->texture.name;
        if (thumbnails->resting || slot->state == STATE_EMPTY)
            SDL_CondBroadcast(thumbnails->moved);
        thumbnails->resting = false;
    }
    SDL_UnlockMutex(thumbnails->lock);
    return name;
}

void thumbnails_rest(struct thumbnails *thumbnails) {
    SDL_LockMutex(thumbnails->lock);
    if (!thumbnails->resting && thumbnails->thread)
        SDL_AtomicSet(&thumbnails->give_up, 1);
    thumbnails->resting = true;
    SDL_UnlockMutex(thumbnails->lock);
}

void thumbnails_wait(struct thumbnails *thumbnails, bool wait) {
    SDL_LockMutex(thumbnails->lock);
    if (thumbnails->waiting && !wait)
        SDL_CondBroadcast(thumbnails->moved);
    thumbnails->waiting = wait;
    SDL_UnlockMutex(thumbnails->lock);
}

bool thumbnails_upload(struct thumbnails *thumbnails) {
    bool any = false;
    SDL_LockMutex(thumbnails->lock);
    for (size_t i = 0; i < THUMBNAILS_MAX; i++) {
        if (!thumbnails->slots[i].rgba)
            continue;
        upload(&thumbnails->slots[i], width_of(thumbnails->slots[i].fleeting),
               height_of(thumbnails->slots[i].fleeting));
        any = true;
    }
    SDL_UnlockMutex(thumbnails->lock);
    return any;
}

bool thumbnails_busy(struct thumbnails *thumbnails) {
    SDL_LockMutex(thumbnails->lock);
    bool busy = false;
    for (size_t i = 0; i < THUMBNAILS_MAX; i++)
        busy = busy || thumbnails->slots[i].rgba || wanted(thumbnails, &thumbnails->slots[i]);
    busy = busy && !thumbnails->resting && thumbnails->thread;
    SDL_UnlockMutex(thumbnails->lock);
    return busy;
}
