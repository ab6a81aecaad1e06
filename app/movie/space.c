/* Disk space: adds up the rings that exist at the same time. */
#include "app/movie/space.h"
#include "render/base/log.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>

#define LARGE      100000000u /* [bytes] space that is worth a line */
#define TEXT_BYTES 24

/* Returns the rings that exist from a time of a shot to the end of the segment there: from the
 * widest ring of its first frame to the smallest one that its last shows, and some ahead. `sums[k]`
 * is the size of all rings before ring k. */
static uint64_t bytes_at(const struct rings *rings, const struct shot *shot, const uint64_t *sums,
                         double time, double segment) {
    const double first = leg_depth(&shot->leg, timeline_at(&shot->timeline, time));
    const double last =
        leg_depth(&shot->leg, timeline_at(&shot->timeline, fmin(time + segment, 1)));
    const double seen = RING_OCTAVE * log2(2.0 * fmax(rings->width_px, rings->height_px));
    const int from = rings_at(rings, first);
    const int to = rings_at(rings, last) + (int)ceil(seen) + RING_AHEAD_MOST + 1;
    return sums[to < rings->count ? to : rings->count] - sums[from];
}

/* Returns the most space of the rings of a shot. Those of a zoom inwards are removed on the way. */
static uint64_t most_of_shot(const struct movie *movie, const struct shot *shot) {
    struct rings rings;
    const struct ring_source source = {.rings = &rings,
                                       .scene = &shot->to->scene,
                                       .drawing = (struct ring_drawing *)&movie->drawing};
    uint64_t most = 0;
    if (shot->from->scene.orbit_density ||
        !rings_init(&rings, &shot->leg, movie->width_px, movie->height_px, sqrt(movie->samples)))
        return 0;
    uint64_t *sums = calloc((size_t)rings.count + 1, sizeof *sums);
    for (int k = 0; sums && k < rings.count; k++)
        sums[k + 1] = sums[k] + ring_source_bytes(&source, k);
    const double segment =
        (double)movie->film.segment_frames / movie->film.fps / fmax(shot->seconds, 1e-9);
    const bool all = shot->shared || shot_morphs(shot) || shot->timeline.to < shot->timeline.from;
    for (double time = 0; sums && !all && time < 1; time += segment) {
        const uint64_t bytes = bytes_at(&rings, shot, sums, time, segment);
        most = bytes > most ? bytes : most;
    }
    if (sums && all)
        most = sums[rings.count];
    free(sums);
    return most;
}

/* Rings of a shot stay until a frame of the next one is finished, and those of several shots to the
 * end. */
uint64_t space_needed(const struct movie *movie) {
    uint64_t most = 0, before = 0, shared = 0;
    if (movie->keep_work)
        return movie_size(movie).bytes;
    for (size_t i = 0; i < movie->tour.count; i++) {
        const struct shot *shot = &movie->tour.shots[i];
        const uint64_t bytes = shot->files == i ? most_of_shot(movie, shot) : 0;
        if (shot->shared) {
            shared += bytes;
            continue;
        }
        most = before + bytes > most ? before + bytes : most;
        before = bytes;
    }
    return most + shared;
}

static void print_bytes(char text[static TEXT_BYTES], double bytes) {
    const bool giga = bytes >= 1e9;
    const double number = giga ? bytes / 1e9 : bytes / 1e6;
    snprintf(text, TEXT_BYTES, "%.*f %s", number < 10, number, giga ? "GB" : "MB");
}

bool space_check(const struct movie *movie) {
    struct statvfs disk;
    char needs[TEXT_BYTES], has[TEXT_BYTES];
    const uint64_t needed = space_needed(movie), there = ring_source_stored(movie->work);
    if (statvfs(movie->work, &disk) != 0)
        return true; /* unknown */
    const uint64_t free_bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
    print_bytes(needs, (double)needed);
    print_bytes(has, (double)free_bytes);
    if (needed > there && needed - there > free_bytes) {
        log_error("the work folder '%s' would need up to %s, and its disk has %s: choose another "
                  "one by --work, fewer --samples or a smaller --size",
                  movie->work, needs, has);
        return false;
    }
    if (needed >= LARGE)
        fprintf(stderr, "fathom: the work folder needs up to %s\n", needs);
    return true;
}
