/* Movies: resamples frames from rings and passes them to the film. */
#define _GNU_SOURCE /* asprintf */
#include "app/movie/movie.h"
#include "app/movie/hash.h"
#include "app/movie/path_colours.h"
#include "app/movie/ring_cache.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/light/light.h"
#include "render/movie/resample.h"
#include "render/parallel.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOCK        "movie.lock" /* file in the work folder */
#define LOCK_TRIES  20           /* in two seconds */
#define VISIBLE_PX  0.5          /* rings that are smaller in a frame are left out */
#define BAND_ROWS   8            /* rows that a thread resamples at a time */
#define CACHE_BYTES (1ull << 30)
#define CACHE_SHARE 4 /* at least 1/4 of the free memory may serve as cache */

struct making {
    struct movie *movie;
    struct film *film;
    int lock;         /* file that locks the work folder; -1: none */
    bool folder_made; /* the folder did not exist */
    struct ring_ahead ahead;
    struct ring_cache cache;
    struct colouring colouring;
    uint16_t *light; /* of a frame */
    void *rgb;       /* of a frame, with 8 or 16 bits */
    bool deep;       /* 16 bits */
    uint16_t *curve; /* sRGB value of each light */
    /* Rings of the frame at hand, and the level of each. */
    struct resample_ring *rings;
    int *level;
    struct resample frame;
};

/* --- a frame --- */

/* Returns the size of a ring in the frame [pixels]. */
static double size_of(const struct rings *rings, double spacing) {
    return fmax(rings->outer.x1 - rings->outer.x0, rings->outer.y1 - rings->outer.y0) / spacing;
}

/* Chooses the rings and levels of a frame. Returns the first ring, or -1 on failure. */
static int choose_rings(struct making *making, double depth) {
    const struct rings *rings = &making->movie->rings;
    const struct leg *leg = &making->movie->leg;
    struct resample *frame = &making->frame;
    const int first = rings_at(rings, depth);
    frame->ring_count = 0;
    for (int k = first; k < rings->count; k++) {
        double spacing = rings_spacing(rings, k, depth);
        if (frame->ring_count > 0 && size_of(rings, spacing) < VISIBLE_PX)
            break;
        const int m = resample_level(rings->density, &spacing);
        const struct ring_level *level = ring_cache_get(&making->cache, k, m);
        if (!level)
            return -1;
        making->level[frame->ring_count] = m;
        making->rings[frame->ring_count++] =
            (struct resample_ring){level,
                                   rings_outer(rings, k),
                                   rings_hole(rings, k),
                                   m,
                                   spacing,
                                   leg_angle(leg, depth) - leg_angle(leg, rings_depth(rings, k))};
    }
    return first;
}

/* Rows that are resampled by several threads. */
struct rows {
    const struct making *making;
    bool failed;
};

static void make_rows(void *user, uint32_t begin, uint32_t end) {
    struct rows *rows = user;
    const struct making *making = rows->making;
    const size_t width = 3 * (size_t)making->frame.width_px;
    uint16_t *light = making->light + begin * width;
    if (!resample_rows(&making->frame, (int)begin, (int)(end - begin), light)) {
        rows->failed = true;
        return;
    }
    uint16_t *deep = making->rgb;
    uint8_t *bytes = making->rgb;
    for (size_t i = 0; i < (end - begin) * width; i++)
        if (making->deep)
            deep[begin * width + i] = making->curve[light[i]];
        else
            bytes[begin * width + i] = (uint8_t)making->curve[light[i]];
}

static bool make_frame(struct making *making, uint32_t number) {
    struct movie *movie = making->movie;
    const double depth = timeline_depth(&movie->timeline, number);
    const int first = choose_rings(making, depth);
    if (first < 0)
        return false;
    const double start = clock_ms();
    struct rows rows = {.making = making, .failed = !resample_begin(&making->frame)};
    if (!rows.failed)
        parallel_for((uint32_t)making->frame.height_px, BAND_ROWS, make_rows, &rows);
    resample_end(&making->frame);
    const double made = clock_ms();
    ring_cache_trim(&making->cache, movie->timeline.to > movie->timeline.from ? first : 0,
                    making->frame.ring_count, making->level);
    const bool ok = !rows.failed && film_frame(making->film, making->rgb);
    movie->resample_ms += made - start;
    movie->film_ms += clock_ms() - made;
    movie->frames_made++;
    return ok;
}

/* --- the film --- */

static bool make_segment(struct making *making, uint32_t segment) {
    struct movie *movie = making->movie;
    uint32_t first, count;
    film_segment(making->film, segment, &first, &count);
    if (!film_begin(making->film, segment))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!movie->step(movie->user, (double)(first + i) / movie->timeline.frames) ||
            !make_frame(making, first + i))
            return false;
    const double start = clock_ms();
    const bool ok = film_end(making->film);
    movie->film_ms += clock_ms() - start;
    return ok;
}

/* Removes the files of rings that no later frame shows. */
static void remove_passed(struct making *making, uint32_t segment) {
    const struct movie *movie = making->movie;
    uint32_t first, count;
    if (movie->keep_work || movie->timeline.to < movie->timeline.from)
        return;
    film_segment(making->film, segment, &first, &count);
    const double depth = timeline_depth(&movie->timeline, first + count - 1);
    for (int k = rings_at(&movie->rings, depth) - 1; k >= 0; k--)
        if (!ring_source_remove(&movie->source, k))
            break;
}

/* Starts to make rings for the first frame that is missing. */
static void start_rings(struct making *making, uint32_t segment) {
    struct movie *movie = making->movie;
    const bool outwards = movie->timeline.to < movie->timeline.from;
    uint32_t first, count;
    film_segment(making->film, segment, &first, &count);
    const int k = rings_at(&movie->rings, timeline_depth(&movie->timeline, first));
    ring_ahead_start(&making->ahead, &movie->source, outwards ? movie->rings.count - 1 : k,
                     outwards);
}

static bool make_segments(struct making *making) {
    const uint32_t segments = film_segments(making->film);
    for (uint32_t segment = 0; segment < segments; segment++) {
        if (film_has(making->film, segment))
            continue;
        if (!making->ahead.started)
            start_rings(making, segment);
        if (!make_segment(making, segment))
            return false;
        remove_passed(making, segment);
    }
    return film_finish(making->film);
}

/* --- preparation --- */

/* Fills the table from light to sRGB: the value whose light is nearest. */
static bool fill_curve(struct making *making) {
    const unsigned most = making->deep ? 65535 : 255;
    making->curve = memory_alloc((LIGHT_MAX + 1) * sizeof *making->curve, "a movie");
    if (!making->curve)
        return false;
    unsigned light = 0;
    for (unsigned value = 0; value <= most; value++) {
        const double next =
            value < most ? LIGHT_MAX * light_curve((value + 0.5) / most) : LIGHT_MAX + 1.0;
        while (light <= LIGHT_MAX && light < next)
            making->curve[light++] = (uint16_t)value;
    }
    return true;
}

static bool allocate(struct making *making) {
    struct movie *movie = making->movie;
    const uint64_t values = 3 * (uint64_t)movie->rings.width_px * (uint64_t)movie->rings.height_px;
    const uint64_t free_share = memory_available("") / CACHE_SHARE;
    making->cache =
        (struct ring_cache){.source = &movie->source,
                            .ahead = &making->ahead,
                            .colouring = &making->colouring,
                            .most = free_share > CACHE_BYTES ? free_share : CACHE_BYTES};
    making->light = memory_alloc(2 * values, "a frame");
    making->rgb = memory_alloc((making->deep ? 2 : 1) * values, "a frame");
    making->rings = calloc((size_t)movie->rings.count, sizeof *making->rings);
    making->level = calloc((size_t)movie->rings.count, sizeof *making->level);
    making->frame = (struct resample){
        .width_px = movie->rings.width_px,
        .height_px = movie->rings.height_px,
        .x_px = movie->rings.width_px / 2.0 + movie->leg.x * movie->rings.height_px,
        .y_px = movie->rings.height_px / 2.0 + movie->leg.y * movie->rings.height_px,
        .rings = making->rings};
    return making->light && making->rgb && making->rings && making->level && fill_curve(making) &&
           ring_cache_init(&making->cache);
}

/* Returns true if a folder has no files except the lock. */
static bool is_empty(const char *path) {
    DIR *folder = opendir(path);
    int entries = 0;
    for (struct dirent *entry; folder && entries < 1 && (entry = readdir(folder));)
        entries += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                   strcmp(entry->d_name, LOCK) != 0;
    if (folder)
        closedir(folder);
    return entries == 0;
}

/* Locks a file. Returns false if another process keeps it locked. The system may need a moment to
 * unlock the file of a process that was killed. */
static bool lock_file(int file) {
    for (int tries = 0; flock(file, LOCK_EX | LOCK_NB) != 0; tries++) {
        if (errno != EWOULDBLOCK)
            return true; /* some network file systems have no locks */
        if (tries == LOCK_TRIES)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    return true;
}

/* Makes the work folder, or takes over an older one, and locks it. Returns false on failure, which
 * is logged. */
static bool claim_folder(struct making *making) {
    const char *path = making->movie->work;
    char *lock;
    making->folder_made = mkdir(path, 0777) == 0;
    if (!making->folder_made && errno != EEXIST) {
        log_error("cannot make the work folder '%s': %s", path, strerror(errno));
        return false;
    }
    if (asprintf(&lock, "%s/" LOCK, path) < 0)
        return false;
    const bool ours = making->folder_made || access(lock, F_OK) == 0 || is_empty(path);
    making->lock = ours ? open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    const bool taken = making->lock >= 0 && !lock_file(making->lock);
    if (!ours)
        log_error("'%s' has files that are no movie's: choose another folder by --work", path);
    else if (making->lock < 0)
        log_error("cannot use the work folder '%s': %s", path, strerror(errno));
    else if (taken)
        log_error("another process makes a movie in '%s'; --work chooses another folder", path);
    free(lock);
    return making->lock >= 0 && !taken;
}

/* Gives the work folder back, and removes it if it is empty. */
static void release_folder(struct making *making) {
    char *lock;
    if (making->lock < 0)
        return;
    if (is_empty(making->movie->work) && asprintf(&lock, "%s/" LOCK, making->movie->work) >= 0) {
        unlink(lock);
        free(lock);
        rmdir(making->movie->work);
    }
    close(making->lock);
}

/* Removes what this movie has left in its work folder. */
static void remove_work(const struct movie *movie) {
    for (int k = 0; k < movie->rings.count; k++)
        ring_source_remove(&movie->source, k);
}

/* Returns the text of the view and a line with a hash of the timeline and the samples, by which
 * pictures of different movies differ. The caller frees the text. */
static char *movie_text(const struct movie *movie) {
    const struct timeline *timeline = &movie->timeline;
    const double numbers[] = {timeline->from, timeline->to, timeline->ease, timeline->frames,
                              movie->film.fps};
    const uint64_t hash = hash_bytes(movie->source.hash, numbers, sizeof numbers);
    char *view = scene_text(movie->scene), *text = NULL;
    if (!view || asprintf(&text, "%s# movie %016" PRIx64 "\n", view, hash) < 0)
        text = NULL;
    if (!text)
        log_error("cannot make a movie: not enough memory");
    free(view);
    return text;
}

static bool open_film(struct making *making) {
    struct movie *movie = making->movie;
    char *text = movie_text(movie);
    if (!text)
        return false;
    movie->film.folder = movie->work;
    movie->film.width_px = movie->rings.width_px;
    movie->film.height_px = movie->rings.height_px;
    movie->film.frames = movie->timeline.frames;
    movie->film.text = text;
    making->film = film_open(&movie->film);
    movie->film.text = NULL;
    free(text);
    making->deep = making->film && film_deep(making->film);
    return making->film;
}

static bool prepare(struct making *making) {
    struct movie *movie = making->movie;
    const struct scene *scene = movie->scene;
    if (!rings_init(&movie->rings, &movie->leg, scene->width_px, scene->height_px,
                    sqrt(movie->samples))) {
        log_error("a movie of this size cannot have %u samples a pixel", movie->samples);
        return false;
    }
    movie->source.rings = &movie->rings;
    movie->source.scene = scene;
    movie->source.folder = movie->work;
    if (!claim_folder(making) || !ring_source_init(&movie->source) ||
        (movie->suit_colours &&
         !path_colours_find(&movie->source, movie->scene, movie->own_colours)))
        return false;
    scene_colouring(scene, &making->colouring);
    return open_film(making) && allocate(making);
}

uint64_t movie_work_bytes(const struct movie *movie) {
    uint64_t bytes = 0;
    for (int k = 0; k < movie->rings.count; k++)
        bytes += ring_source_bytes(&movie->source, k);
    return bytes;
}

bool movie_make(struct movie *movie) {
    struct making making = {.movie = movie, .lock = -1};
    movie->frames_made = 0;
    movie->resample_ms = movie->film_ms = 0;
    const bool ok = prepare(&making) && make_segments(&making);
    ring_ahead_finish(&making.ahead);
    if (ok && !movie->keep_work) {
        film_remove_segments(making.film);
        remove_work(movie);
    }
    ring_cache_finish(&making.cache);
    film_close(making.film);
    release_folder(&making);
    free(making.light);
    free(making.rgb);
    free(making.curve);
    free(making.rings);
    free(making.level);
    return ok;
}
