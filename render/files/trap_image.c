#include "render/files/trap_image.h"
#include "render/base/log.h"
#include "render/files/image.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SIDE COLOUR_IMAGE_SIDE
#define BALL "ball"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct trap_image *images[TRAP_IMAGES_MAX];
static size_t image_count;
static struct trap_image ball; /* drawn once */

/* --- the ball --- */

static uint32_t channel(double x) {
    return (uint32_t)fmin(fmax(x, 0), 255);
}

/* Lit from above on the left, with a band about it. */
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

/* --- files --- */

static uint32_t pixel_at(const struct image *from, int x, int y) {
    const size_t at = (size_t)y * (size_t)from->width_px + (size_t)x;
    if (from->rgba)
        return from->rgba[at];
    uint32_t rgba = 0;
    for (int c = 0; c < 4; c++)
        rgba |= (uint32_t)(from->deep[at] >> (16 * c + 8) & 0xffu) << 8 * c;
    return rgba;
}

/* The mean of the pixels from (x0, y0) to before (x1, y1), at least one, by their alpha. */
static uint32_t mean_of(const struct image *from, int x0, int y0, int x1, int y1) {
    uint64_t sum[3] = {0}, alpha = 0, pixels = 0;
    for (int y = y0; y < y1 || y == y0; y++)
        for (int x = x0; x < x1 || x == x0; x++) {
            const uint32_t rgba = pixel_at(from, x, y), a = rgba >> 24;
            for (int c = 0; c < 3; c++)
                sum[c] += (uint64_t)(rgba >> 8 * c & 0xffu) * a;
            alpha += a;
            pixels++;
        }
    uint32_t mean = (uint32_t)(alpha / pixels) << 24;
    for (int c = 0; alpha > 0 && c < 3; c++)
        mean |= (uint32_t)(sum[c] / alpha) << 8 * c;
    return mean;
}

static int part_of(int i, int size, int of) {
    return (int)((int64_t)i * of / size);
}

static void fit(const struct image *from, struct trap_image *to) {
    const int most = from->width_px > from->height_px ? from->width_px : from->height_px;
    const int width = (int)fmax(1, (double)SIDE * from->width_px / most);
    const int height = (int)fmax(1, (double)SIDE * from->height_px / most);
    const int left = (SIDE - width) / 2, top = (SIDE - height) / 2;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            to->rgba[(top + y) * SIDE + left + x] = mean_of(
                from, part_of(x, width, from->width_px), part_of(y, height, from->height_px),
                part_of(x + 1, width, from->width_px), part_of(y + 1, height, from->height_px));
}

static bool read_file(const char *path, struct trap_image *to) {
    struct image image;
    if (!image_read(path, &image))
        return false;
    strcpy(to->path, path);
    fit(&image, to);
    image_finish(&image);
    return true;
}

/* --- all of them --- */

/* With the lock held. */
static const struct trap_image *add(const char *path) {
    struct trap_image *image = image_count < TRAP_IMAGES_MAX ? calloc(1, sizeof *image) : NULL;
    if (!image) {
        log_error("%s: there are too many images", path);
        return NULL;
    }
    if (!read_file(path, image)) {
        free(image);
        return NULL;
    }
    return images[image_count++] = image;
}

static const struct trap_image *find(const char *path) {
    for (size_t i = 0; i < image_count; i++)
        if (strcmp(images[i]->path, path) == 0)
            return images[i];
    return NULL;
}

/* Whether a view can have it. */
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

const struct trap_image *trap_image_get(const char *path) {
    if (strcmp(path, BALL) == 0)
        return trap_image_ball();
    char *whole = realpath(path, NULL);
    const char *name = whole ? whole : path;
    const struct trap_image *image = NULL;
    if (is_name(name)) {
        pthread_mutex_lock(&lock);
        image = find(name);
        image = image ? image : add(name);
        pthread_mutex_unlock(&lock);
    }
    free(whole);
    return image;
}
