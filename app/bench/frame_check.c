/* Frame check: reads each frame back before it is shown, and counts pixels of other generations. */
#include "app/bench/frame_check.h"
#include "app/picture/gl.h"
#include "app/picture/picture.h"
#include "app/tags.h"
#include "app/window/loop.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include <stdlib.h>

#define TOLD_MOST 5 /* number of torn frames that are logged individually */

/* Returns the generation that every pixel of the frame must have; 0 if there may be several, or
 * no tags. */
static uint64_t expected(const struct picture *picture) {
    const bool whole = picture_complete(picture) || presenter_shows_lines(picture->presenter);
    return whole && !picture->orbit_density && presenter_shows_one(picture->presenter)
               ? picture->whole_generation
               : 0;
}

static bool make_room(struct frame_check *check, const struct loop *loop) {
    const size_t pixels = (size_t)loop->width_px * (size_t)loop->height_px;
    if (pixels > check->room) {
        free(check->rgba);
        check->rgba = memory_alloc(pixels * sizeof *check->rgba, "a frame");
        check->room = check->rgba ? pixels : 0;
    }
    check->failed = check->failed || !check->rgba;
    return check->rgba;
}

/* Compares a frame with its generation. Only pairs of equal neighbours count as wrong: overlays
 * may blend one pixel to any colour by chance, but hardly two pixels to the same. */
static void compare(struct frame_check *check, const struct loop *loop, uint64_t generation) {
    const uint32_t want = tags_pixel(generation);
    const uint64_t newest = loop->picture->req.generation;
    const int width = loop->width_px, height = loop->height_px;
    size_t right = 0, wrong = 0;
    int first = height, last = -1;
    for (int y = 0; y < height; y++) {
        const uint32_t *row = check->rgba + (size_t)y * (size_t)width;
        for (int x = 0; x < width; x++) {
            const bool other =
                row[x] != want && x > 0 && row[x] == row[x - 1] && tags_match(row[x], newest);
            right += row[x] == want;
            wrong += other;
            first = other && y < first ? y : first;
            last = other ? y : last;
        }
    }
    const bool torn = wrong > 0 || right == 0;
    check->checked++;
    check->torn += torn;
    if (torn && check->torn <= TOLD_MOST)
        log_error("frame %llu: of generation %llu there are %zu pixels, of others %zu, in rows %d "
                  "to %d",
                  check->frames, (unsigned long long)generation, right, wrong, first, last);
}

static bool paints(void *user, const struct loop *loop) {
    (void)user;
    (void)loop;
    return true;
}

static void drawn(void *user, const struct loop *loop) {
    struct frame_check *check = user;
    const uint64_t generation = expected(loop->picture);
    check->frames++;
    if (generation == 0 || !make_room(check, loop))
        return;
    gl_read_screen(loop->width_px, loop->height_px, check->rgba);
    compare(check, loop, generation);
}

static void ignore_frame(void *user, const struct loop *loop) {
    (void)user;
    (void)loop;
}

static void ignore_mark(void *user, const struct loop *loop, const char *text) {
    (void)user;
    (void)loop;
    (void)text;
}

void frame_check_init(struct frame_check *check) {
    *check = (struct frame_check){
        .watch = {.user = check,
                  .paints = paints,
                  .drawn = drawn,
                  .shown = ignore_frame,
                  .marked = ignore_mark},
    };
}

void frame_check_finish(struct frame_check *check) {
    free(check->rgba);
    *check = (struct frame_check){0};
}

bool frame_check_passed(const struct frame_check *check) {
    log_message(LOG_WARN, "generations: %llu of %llu frames checked, %llu with other pixels",
                check->checked, check->frames, check->torn);
    return check->checked > 0 && check->torn == 0 && !check->failed;
}
