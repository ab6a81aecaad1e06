/* Thumbnails: keeps a fixed number of them in slots. A thread fills the slots that the last frames
 * requested, so that scrolling stays quick. */
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

/* Niceness of the thread: the window and most programs go first, yet a busy machine still draws. */
#define NICENESS      5
#define RECENT_FRAMES 3      /* number of frames for which a request of a slot is valid */
#define READ_MS       2e-5   /* [ms] work of reading one pixel of an image */
#define DENSITY_MS    4000.0 /* [ms] maximum time for the samples of an orbit density */

/* States of a slot, sorted by the priority of drawing. */
enum state {
    STATE_EMPTY,
    STATE_ROUGH,  /* drawn with one sample per pixel */
    STATE_SLOW,   /* given up once because it took too long; drawn after all others */
    STATE_DONE,   /* complete, as all states below */
    STATE_FAILED, /* given up for good; a rough thumbnail stays if there is one */
};

/* [ms] maximum work of an attempt in each state. Work is measured instead of time because the
 * thread may wait long for a processor while other programs are busy. */
static const double patience_ms[STATE_DONE] = {2000, 5000, 30000};

struct slot {
    char *id; /* NULL if the slot is free */
    char *path, *text;
    bool fleeting;
    uint64_t frame; /* number of the last frame that requested the slot */
    enum state state;
    uint32_t limit;            /* iteration limit of the rough thumbnail; 0 if there is none */
    uint32_t *rgba;            /* pixels to upload; may be NULL: none */
    struct gl_texture texture; /* belongs to the owner's thread */
};

struct thumbnails {
    struct backend_options options;
    SDL_Thread *thread;
    bool warned;     /* a warning reported that the thread cannot be started */
    SDL_mutex *lock; /* protects all members up to give_up */
    SDL_cond *changed;
    struct slot slots[THUMBNAILS_MAX];
    struct slot *drawn; /* slot that the thread draws and that must stay; may be NULL: none */
    uint64_t frame;
    bool resting, waiting, stop;
    SDL_atomic_t give_up;

    /* Members of the thread */
    double patience_ms; /* [ms] work that the current attempt may still do */
    bool slow;          /* the current attempt began in STATE_SLOW */
    bool late;          /* the current attempt took too long */
    uint64_t read;      /* number of pixels read so far of the view's image */
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
    thumbnails->changed = SDL_CreateCond();
    if (thumbnails->lock && thumbnails->changed)
        return thumbnails;
    log_error("thumbnails cannot be drawn: %s", SDL_GetError());
    thumbnails_destroy(thumbnails);
    return NULL;
}

static void free_slot(struct slot *slot) {
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
        SDL_CondBroadcast(thumbnails->changed);
        SDL_UnlockMutex(thumbnails->lock);
        SDL_WaitThread(thumbnails->thread, NULL);
    }
    for (size_t i = 0; i < THUMBNAILS_MAX; i++)
        if (thumbnails->slots[i].id)
            free_slot(&thumbnails->slots[i]);
    SDL_DestroyCond(thumbnails->changed);
    SDL_DestroyMutex(thumbnails->lock);
    free(thumbnails);
}

/* --- the thread --- */

static bool is_requested(const struct thumbnails *thumbnails, const struct slot *slot) {
    return slot->id && slot->frame + RECENT_FRAMES > thumbnails->frame && slot->state < STATE_DONE;
}

/* Returns the slot to draw next: all are drawn roughly before the first is drawn well, and slow
 * ones come last. Returns NULL if there is none. */
static struct slot *next_slot(struct thumbnails *thumbnails) {
    struct slot *best = NULL;
    for (size_t i = 0; i < THUMBNAILS_MAX; i++) {
        struct slot *slot = &thumbnails->slots[i];
        if (is_requested(thumbnails, slot) && (!best || slot->state < best->state))
            best = slot;
    }
    return best;
}

static struct slot *find_slot(struct thumbnails *thumbnails, const char *id) {
    for (size_t i = 0; i < THUMBNAILS_MAX; i++)
        if (thumbnails->slots[i].id && strcmp(thumbnails->slots[i].id, id) == 0)
            return &thumbnails->slots[i];
    return NULL;
}

/* Returns true if the current attempt is a slow one and another slot is waiting. */
static bool must_yield(struct thumbnails *thumbnails) {
    if (!thumbnails->slow)
        return false;
    SDL_LockMutex(thumbnails->lock);
    const struct slot *first = next_slot(thumbnails);
    const bool way = first && first->state < STATE_SLOW;
    SDL_UnlockMutex(thumbnails->lock);
    return way;
}

static bool may_continue(void *user, double work_ms) {
    struct thumbnails *thumbnails = user;
    thumbnails->patience_ms -= work_ms;
    thumbnails->late = thumbnails->late || thumbnails->patience_ms < 0;
    return !thumbnails->late && !SDL_AtomicGet(&thumbnails->give_up) && !must_yield(thumbnails);
}

/* Waits for a slot to draw. Returns NULL if the thread must end. */
static struct slot *take_slot(struct thumbnails *thumbnails) {
    struct slot *slot = NULL;
    SDL_LockMutex(thumbnails->lock);
    thumbnails->drawn = NULL;
    while (!thumbnails->stop &&
           (thumbnails->resting || thumbnails->waiting || !(slot = next_slot(thumbnails))))
        SDL_CondWait(thumbnails->changed, thumbnails->lock);
    if (thumbnails->stop)
        slot = NULL;
    thumbnails->drawn = slot;
    SDL_AtomicSet(&thumbnails->give_up, thumbnails->stop);
    SDL_UnlockMutex(thumbnails->lock);
    return slot;
}

/* Stores the pixels in the slot, which then owns them; NULL if the attempt made none. */
static void publish(struct thumbnails *thumbnails, struct slot *slot, enum state state,
                    uint32_t limit, uint32_t *rgba) {
    for (size_t i = 0; rgba && i < THUMBNAIL_PIXELS; i++)
        rgba[i] |= 0xff000000u;
    SDL_LockMutex(thumbnails->lock);
    free(slot->rgba);
    slot->rgba = rgba;
    slot->state = state;
    slot->limit = limit;
    SDL_UnlockMutex(thumbnails->lock);
}

/* Counts reading an image as work. Returns false if the attempt is to be given up. */
static bool count_reading(void *user, uint64_t done, uint64_t pixels) {
    struct thumbnails *thumbnails = user;
    const uint64_t read = done > thumbnails->read ? done - thumbnails->read : 0;
    (void)pixels;
    thumbnails->read = done;
    return may_continue(thumbnails, READ_MS * (double)read);
}

static bool load_scene(struct thumbnails *thumbnails, const struct slot *slot,
                       struct scene *scene) {
    const struct image_progress watch = {count_reading, thumbnails};
    thumbnails->read = 0;
    image_set_progress(&watch);
    const bool ok = slot->path
                        ? scene_load(scene, slot->path)
                        : scene_parse(scene, "a recent location", slot->text, strlen(slot->text));
    image_set_progress(NULL);
    return ok;
}

static bool open_backend(struct thumbnails *thumbnails) {
    if (!thumbnails->backend)
        thumbnails->backend = backend_open(backends_cpu, NULL, &thumbnails->options);
    return thumbnails->backend;
}

/* Fleeting thumbnails have a third of the width and height. */
static int width_of(bool fleeting) {
    return fleeting ? THUMBNAIL_WIDTH_PX / 3 : THUMBNAIL_WIDTH_PX;
}

static int height_of(bool fleeting) {
    return fleeting ? THUMBNAIL_HEIGHT_PX / 3 : THUMBNAIL_HEIGHT_PX;
}

static struct thumbnail_drawing drawing_of(struct thumbnails *thumbnails, bool adapts) {
    return (struct thumbnail_drawing){.backend = thumbnails->backend,
                                      .go_on = may_continue,
                                      .user = thumbnails,
                                      .width_px = width_of(adapts),
                                      .height_px = height_of(adapts),
                                      .density_ms = DENSITY_MS,
                                      .adapts = adapts};
}

static enum state draw_and_store(struct thumbnails *thumbnails, const char *key,
                                 struct scene *scene, uint32_t *rgba) {
    const struct thumbnail_drawing drawing = drawing_of(thumbnails, false);
    if (!thumbnail_draw(&drawing, scene, rgba))
        return STATE_FAILED;
    if (key)
        thumbnail_cache_store(&thumbnails->cache, key, rgba);
    return STATE_DONE;
}

/* Reads the thumbnail from the cache. Otherwise draws it roughly, which finds the iteration limit,
 * and well at the next attempt. Returns the slot's new state. */
static enum state draw_slot(struct thumbnails *thumbnails, const struct slot *slot,
                            struct scene *scene, uint32_t *rgba) {
    const struct thumbnail_drawing drawing = drawing_of(thumbnails, slot->fleeting);
    char *key = slot->fleeting ? NULL : thumbnail_key(scene);
    enum state state = STATE_FAILED;
    if (slot->limit > 0) {
        scene->limit = slot->limit;
        state = draw_and_store(thumbnails, key, scene, rgba);
    } else if (key && thumbnail_cache_load(key, rgba)) {
        state = STATE_DONE;
    } else if (thumbnail_draw_roughly(&drawing, scene, rgba)) {
        state = slot->fleeting ? STATE_DONE : thumbnails->slow ? STATE_SLOW : STATE_ROUGH;
    }
    free(key);
    return state;
}

static void attempt(struct thumbnails *thumbnails, struct slot *slot) {
    struct scene scene;
    uint32_t *rgba = malloc(THUMBNAIL_PIXELS * sizeof *rgba);
    scene_init(&scene);
    enum state state = STATE_FAILED;
    thumbnails->patience_ms = patience_ms[slot->state];
    thumbnails->slow = slot->state == STATE_SLOW;
    thumbnails->late = false;
    if (rgba && (slot->path || slot->text) && load_scene(thumbnails, slot, &scene) &&
        open_backend(thumbnails))
        state = draw_slot(thumbnails, slot, &scene, rgba);
    uint32_t limit = scene.limit;
    scene_finish(&scene);
    if (state == STATE_FAILED) {
        free(rgba);
        rgba = NULL;
        limit = slot->limit;
        if (!thumbnails->late && !may_continue(thumbnails, 0))
            return; /* interrupted: the next request starts again */
        if (thumbnails->late && !thumbnails->slow)
            state = STATE_SLOW;
    }
    publish(thumbnails, slot, state, limit, rgba);
}

static int draw_slots(void *user) {
    struct thumbnails *thumbnails = user;
    setpriority(PRIO_PROCESS, (id_t)gettid(), NICENESS); /* threads that it starts inherit it */
    for (struct slot *slot; (slot = take_slot(thumbnails));)
        attempt(thumbnails, slot);
    backend_close(thumbnails->backend);
    thumbnails->backend = NULL;
    mpfr_free_cache();
    return 0;
}

/* --- the owner --- */

static void start_thread(struct thumbnails *thumbnails) {
    if (thumbnails->thread)
        return;
    thumbnails->thread = SDL_CreateThread(draw_slots, "thumbnails", thumbnails);
    if (!thumbnails->thread && !thumbnails->warned)
        log_warn("cannot start a thread for thumbnails: %s", SDL_GetError());
    thumbnails->warned = !thumbnails->thread;
}

void thumbnails_begin_frame(struct thumbnails *thumbnails) {
    SDL_LockMutex(thumbnails->lock);
    thumbnails->frame++;
    SDL_UnlockMutex(thumbnails->lock);
}

/* Returns a free slot, or frees the one whose last request is oldest. Returns NULL if this frame
 * requested all of them. */
static struct slot *make_room(struct thumbnails *thumbnails) {
    struct slot *oldest = NULL;
    for (size_t i = 0; i < THUMBNAILS_MAX; i++) {
        struct slot *slot = &thumbnails->slots[i];
        if (!slot->id)
            return slot;
        if (slot != thumbnails->drawn && (!oldest || slot->frame < oldest->frame))
            oldest = slot;
    }
    if (oldest->frame == thumbnails->frame)
        return NULL;
    free_slot(oldest);
    return oldest;
}

static void upload_slot(struct slot *slot, int width_px, int height_px) {
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

static char *copy(const char *text) {
    return text ? strdup(text) : NULL;
}

static struct slot *fill_slot(struct slot *slot, const struct thumbnail_source *source) {
    if (!slot)
        return NULL;
    *slot = (struct slot){.id = strdup(source->id),
                          .path = copy(source->path),
                          .text = source->path ? NULL : copy(source->text),
                          .fleeting = source->fleeting};
    return slot->id ? slot : NULL;
}

/* Loads the thumbnail of an example, which is installed with the program. Takes about 1 ms. */
static void take_shipped(struct slot *slot) {
    slot->rgba = slot->path ? malloc(EXAMPLE_THUMBNAIL_PIXELS * sizeof *slot->rgba) : NULL;
    if (slot->rgba && example_thumbnail_load(slot->path, slot->rgba)) {
        upload_slot(slot, EXAMPLE_THUMBNAIL_WIDTH_PX, EXAMPLE_THUMBNAIL_HEIGHT_PX);
        slot->state = STATE_DONE;
    }
    free(slot->rgba);
    slot->rgba = NULL;
}

uint32_t thumbnails_texture(struct thumbnails *thumbnails, const struct thumbnail_source *source) {
    uint32_t name = 0;
    start_thread(thumbnails);
    SDL_LockMutex(thumbnails->lock);
    struct slot *slot = find_slot(thumbnails, source->id);
    if (!slot)
        slot = fill_slot(make_room(thumbnails), source);
    if (slot && slot->frame == 0)
        take_shipped(slot);
    if (slot) {
        slot->frame = thumbnails->frame;
        name = slot->texture.name;
        if (thumbnails->resting || slot->state == STATE_EMPTY)
            SDL_CondBroadcast(thumbnails->changed);
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
        SDL_CondBroadcast(thumbnails->changed);
    thumbnails->waiting = wait;
    SDL_UnlockMutex(thumbnails->lock);
}

bool thumbnails_upload(struct thumbnails *thumbnails) {
    bool any = false;
    SDL_LockMutex(thumbnails->lock);
    for (size_t i = 0; i < THUMBNAILS_MAX; i++) {
        if (!thumbnails->slots[i].rgba)
            continue;
        upload_slot(&thumbnails->slots[i], width_of(thumbnails->slots[i].fleeting),
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
        busy = busy || thumbnails->slots[i].rgba || is_requested(thumbnails, &thumbnails->slots[i]);
    busy = busy && !thumbnails->resting && thumbnails->thread;
    SDL_UnlockMutex(thumbnails->lock);
    return busy;
}
