/* Trap images: finds, loads and shares them. */
#include "render/interned/trap_image.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/files/image.h"
#include "render/interned/interned.h"
#include "render/interned/trap_image_read.h"
#include "render/interned/trap_image_reader.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SIDE      COLOUR_IMAGE_SIDE
#define BALL      "ball"
#define NO_MEMORY "'%s': not enough memory for this image"

/* [ns] longest time for which a file system's clock may stand still. A file that was read sooner
 * after its change may have changed again without a new time stamp. */
#define TICK_NS       UINT64_C(50000000)
#define WHOLE_TICK_NS UINT64_C(2000000000) /* same, on file systems that count whole seconds */
#define SECOND_NS     UINT64_C(1000000000)

/* Status of a file, without its contents. */
struct stamp {
    uint64_t device, inode, size, modified_ns, changed_ns;
    bool sure; /* an equal stamp means equal contents */
};

struct shared_image {
    struct interned interned;
    struct stamp stamp;
    struct trap_image image;
};

static struct interner interner =
    INTERNER(sizeof(struct shared_image), TRAP_IMAGE_REST_MAX, SIZE_MAX);
static struct trap_image ball; /* drawn once */
static _Thread_local struct trap_image_reader *reader;
static _Thread_local bool any_unanswered, defers;

/* --- the ball --- */

static uint32_t channel(double x) {
    return (uint32_t)fmin(fmax(x, 0), 255);
}

/* Returns a pixel of the ball, which is lit from the upper left and has a band around it. */
static uint32_t ball_at(double x, double y) {
    const double square = x * x + y * y;
    if (square >= 1)
        return 0;
    const double z = sqrt(1 - square), light = fmax((-0.5 * x + 0.6 * y + 0.62 * z), 0);
    const double facing = fmax(0, -0.32 * x + 0.39 * y + 0.86 * z), square2 = facing * facing;
    const double power4 = square2 * square2, power8 = power4 * power4, power16 = power8 * power8;
    const double shine = power16 * power16 * power8;
    const double dim = 0.22 + 0.78 * light;
    const bool band = fabs(y + 0.25 * x) < 0.2;
    const double red = band ? 250 : 208, green = band ? 236 : 74, blue = band ? 210 : 52;
    return COLOUR_ALPHA | channel(red * dim + 200 * shine) |
           channel(green * dim + 200 * shine) << 8 | channel(blue * dim + 200 * shine) << 16;
}

static void draw_ball(void) {
    strcpy(ball.path, BALL);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            ball.rgba[y * SIDE + x] =
                ball_at((2 * x + 1 - SIDE) / (double)SIDE, (SIDE - 1 - 2 * y) / (double)SIDE);
}

const struct trap_image *trap_image_ball(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, draw_ball);
    return &ball;
}

/* --- stamps --- */

static uint64_t nanoseconds(const struct timespec *time) {
    return (uint64_t)time->tv_sec * SECOND_NS + (uint64_t)time->tv_nsec;
}

static bool tick_is_over(uint64_t changed_ns, uint64_t now_ns) {
    const uint64_t tick = changed_ns % SECOND_NS == 0 ? WHOLE_TICK_NS : TICK_NS;
    return now_ns > changed_ns && now_ns - changed_ns > tick;
}

/* Reads a file's stamp. Returns false if there is no such file. */
static bool stamp_of(const char *path, struct stamp *stamp) {
    struct stat status;
    struct timespec now;
    if (stat(path, &status) != 0)
        return false;
    clock_gettime(CLOCK_REALTIME, &now);
    *stamp = (struct stamp){.device = (uint64_t)status.st_dev,
                            .inode = (uint64_t)status.st_ino,
                            .size = (uint64_t)status.st_size,
                            .modified_ns = nanoseconds(&status.st_mtim),
                            .changed_ns = nanoseconds(&status.st_ctim)};
    stamp->sure = tick_is_over(stamp->modified_ns, nanoseconds(&now)) &&
                  tick_is_over(stamp->changed_ns, nanoseconds(&now));
    return true;
}

static bool stamp_is(const struct stamp *a, const struct stamp *b) {
    return a->sure && a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->modified_ns == b->modified_ns && a->changed_ns == b->changed_ns;
}

/* --- images of files --- */

/* A path, its stamp, and the pixels once they are known. */
struct contents {
    const char *path;
    struct stamp stamp;
    uint32_t rgba[COLOUR_IMAGE_SIZE];
};

static bool is_unchanged(struct interned *thing, const void *key) {
    const struct shared_image *shared = (const struct shared_image *)thing;
    const struct contents *contents = key;
    return stamp_is(&shared->stamp, &contents->stamp) &&
           strcmp(shared->image.path, contents->path) == 0;
}

/* Returns true if the image has these pixels, and then updates its stamp. */
static bool has_pixels(struct interned *thing, const void *key) {
    struct shared_image *shared = (struct shared_image *)thing;
    const struct contents *contents = key;
    const bool same = !shared->image.awaited && strcmp(shared->image.path, contents->path) == 0 &&
                      memcmp(shared->image.rgba, contents->rgba, sizeof contents->rgba) == 0;
    if (same)
        shared->stamp = contents->stamp;
    return same;
}

static void set(struct interned *thing, const void *key) {
    struct shared_image *shared = (struct shared_image *)thing;
    const struct contents *contents = key;
    strcpy(shared->image.path, contents->path);
    memcpy(shared->image.rgba, contents->rgba, sizeof contents->rgba);
    shared->image.awaited = false;
    shared->stamp = contents->stamp;
}

static struct interned *interned_of(const struct trap_image *image) {
    return (struct interned *)((char *)image - offsetof(struct shared_image, image));
}

static const struct trap_image *image_of(struct interned *thing) {
    return thing ? &((struct shared_image *)thing)->image : NULL;
}

const struct trap_image *trap_image_load(const char *path) {
    struct contents *contents = calloc(1, sizeof *contents);
    struct interned *thing = NULL;
    if (contents) {
        contents->path = path;
        stamp_of(path, &contents->stamp); /* if there is no file, trap_image_read reports why */
        if (!trap_image_read(path, contents->rgba)) {
            free(contents);
            return NULL;
        }
        thing = interner_get(&interner, has_pixels, set, contents);
    }
    if (!thing)
        log_error(NO_MEMORY, path);
    free(contents);
    return image_of(thing);
}

/* --- awaited images: identified by their path --- */

static bool is_awaited(struct interned *thing, const void *key) {
    const struct shared_image *shared = (const struct shared_image *)thing;
    return shared->image.awaited && strcmp(shared->image.path, key) == 0;
}

static void set_awaited(struct interned *thing, const void *key) {
    struct shared_image *shared = (struct shared_image *)thing;
    memset(&shared->image, 0, sizeof shared->image);
    shared->image.awaited = true;
    shared->stamp = (struct stamp){0};
    strcpy(shared->image.path, key);
}

/* Returns true for a picture. Other files are read at once, which reports what is wrong with
 * them. */
static bool is_picture(const char *path) {
    char start[IMAGE_START_SIZE];
    const char *why;
    bool absent;
    FILE *file = file_open_silently(path, &absent, &why);
    const bool is = file && image_begins(start, fread(start, 1, sizeof start, file));
    if (file)
        fclose(file);
    return is;
}

static const struct trap_image *await_image(const char *path) {
    struct interned *thing = interner_get(&interner, is_awaited, set_awaited, path);
    if (!thing)
        log_error(NO_MEMORY, path);
    return image_of(thing);
}

/* --- all images --- */

static const struct trap_image *find(const char *path) {
    struct contents contents;
    contents.path = path;
    return stamp_of(path, &contents.stamp)
               ? image_of(interner_find(&interner, is_unchanged, &contents))
               : NULL;
}

/* Returns true if a path can be written in a view file. Otherwise logs why not. */
static bool is_name(const char *path) {
    const size_t length = strlen(path);
    bool plain = length > 0 && path[0] != ' ' && path[length - 1] != ' ';
    for (const char *c = path; *c; c++)
        plain = plain && (unsigned char)*c >= ' ';
    if (length > TRAP_IMAGE_PATH_MAX)
        log_error("the path of an image has more than %d bytes", TRAP_IMAGE_PATH_MAX);
    else if (!plain)
        log_error("the path of an image is empty, has control characters or ends in a blank");
    return plain && length <= TRAP_IMAGE_PATH_MAX;
}

static const struct trap_image *get(const char *path, bool *unanswered) {
    const struct trap_image *image = find(path);
    if (image)
        return image;
    if (defers && is_picture(path))
        return await_image(path);
    if (reader)
        return trap_image_reader_ask(reader, path, unanswered);
    image = trap_image_load(path);
    *unanswered = !image && image_stopped();
    return image;
}

const struct trap_image *trap_image_get(const char *path, bool *unanswered) {
    *unanswered = false;
    if (strcmp(path, BALL) == 0)
        return trap_image_ball();
    char *whole = realpath(path, NULL);
    const char *name = whole ? whole : path;
    const struct trap_image *image = is_name(name) ? get(name, unanswered) : NULL;
    free(whole);
    any_unanswered = any_unanswered || *unanswered;
    return image;
}

const struct trap_image *trap_image_ref(const struct trap_image *image) {
    if (image && image != &ball)
        interner_ref(&interner, interned_of(image));
    return image;
}

void trap_image_unref(const struct trap_image *image) {
    if (image && image != &ball)
        interner_unref(&interner, interned_of(image));
}

void trap_image_replace(const struct trap_image **slot, const struct trap_image *image) {
    const struct trap_image *before = *slot;
    *slot = image;
    trap_image_unref(before);
}

size_t trap_image_count(void) {
    return interner_count(&interner);
}

bool trap_image_has_pending(void) {
    return any_unanswered;
}

void trap_image_clear_pending(void) {
    any_unanswered = false;
}

void trap_image_set_reader(struct trap_image_reader *other) {
    reader = other;
}

bool trap_image_defer(bool on) {
    const bool before = defers;
    defers = on;
    return before;
}

void trap_image_resolve(const struct trap_image **slot) {
    if (!(*slot)->awaited)
        return;
    const struct trap_image *image = trap_image_load((*slot)->path);
    trap_image_replace(slot, image ? image : trap_image_ball());
}
