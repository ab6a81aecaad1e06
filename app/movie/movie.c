/* Movies: makes the frames of one shot after another, and passes them to the film. */
#define _GNU_SOURCE /* asprintf */
#include "app/movie/movie.h"
#include "app/movie/film/video.h"
#include "app/movie/glance.h"
#include "app/movie/making.h"
#include "app/movie/path_colours.h"
#include "app/movie/share/share.h"
#include "app/movie/space.h"
#include "app/work/hash.h"
#include "app/work/note.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define FRAMES_MOST 9999999.0 /* seven digits in names of segments */
#define VERSION     1         /* of the frames that a path and options give */

/* --- a frame --- */

/* Passes frames to the film until `most` are in flight. */
static bool end_frames(struct making *making, int most) {
    struct movie *movie = making->movie;
    while (resampler_in_flight(making->resampler) > most) {
        const void *rgb = resampler_take(making->resampler);
        const double start = clock_ms();
        if (!rgb || !film_frame(making->film, rgb))
            return false;
        movie->film_ms += clock_ms() - start;
        movie->frames_made++;
    }
    return true;
}

double making_second(const struct movie *movie, uint32_t frame) {
    return movie->frames > 1 ? movie->tour.seconds * frame / (movie->frames - 1.0)
                             : movie->tour.seconds;
}

double making_time(const struct shot *shot, double second) {
    return fmin(fmax((second - shot->start_s) / shot->seconds, 0), 1);
}

bool making_enter(struct making *making, double second) {
    const struct movie *movie = making->movie;
    const struct shot *shot = tour_shot(&movie->tour, second);
    if (making->shot.shot == shot)
        return true;
    if (!end_frames(making, 0))
        return false;
    shot_frames_finish(&making->shot);
    return shot_frames_begin(&making->shot, &making->options, shot, (unsigned)shot->files,
                             making_time(shot, second),
                             &making->looks[shot->from - movie->path->stops],
                             &making->looks[shot->to - movie->path->stops]);
}

void making_leave(struct making *making) {
    shot_frames_finish(&making->shot);
}

/* Begins a frame, and ends the frame before. */
static bool make_frame(struct making *making, uint32_t number) {
    const double second = making_second(making->movie, number);
    struct shot_frames *shot = &making->shot;
    return making_enter(making, second) &&
           shot_frames_make(shot, making_time(shot->shot, second), number) && end_frames(making, 1);
}

/* --- the film --- */

static bool make_frames(struct making *making, uint32_t first, uint32_t count, uint32_t before) {
    struct movie *movie = making->movie;
    for (uint32_t i = 0; i < count; i++)
        if (!movie->step(movie->user, (double)(before + i) / movie->frames) ||
            (film_lacks(making->film, first + i) && !make_frame(making, first + i)))
            return false;
    return end_frames(making, 0);
}

/* Discards the frames in flight, which would otherwise be the first of the next segment. */
static void abandon_segment(struct making *making) {
    while (resampler_in_flight(making->resampler) > 0)
        resampler_take(making->resampler);
    film_abandon(making->film);
}

bool making_segment(struct making *making, uint32_t segment, uint32_t before) {
    uint32_t first, count;
    film_segment(making->film, segment, &first, &count);
    if (!film_begin(making->film, segment) || !make_frames(making, first, count, before)) {
        abandon_segment(making);
        return false;
    }
    const double start = clock_ms();
    const bool ok = film_end(making->film);
    making->movie->film_ms += clock_ms() - start;
    return ok;
}

/* Removes the files of rings that no frame after a finished one shows. Rings of several shots
 * stay. */
static void remove_passed(struct making *making, uint32_t frame) {
    const struct movie *movie = making->movie;
    const struct tour *tour = &movie->tour;
    const struct shot_frames *shot = &making->shot;
    if (movie->keep_work || !shot->shot)
        return;
    const size_t at = (size_t)(shot->shot - tour->shots);
    for (; making->removed < at; making->removed++)
        if (!tour->shots[making->removed].shared)
            ring_source_remove_shot(movie->work, (int)making->removed);
    if (!shot->shot->shared)
        shot_frames_remove_passed(shot, making_time(shot->shot, making_second(movie, frame)));
}

static bool make_segments(struct making *making) {
    const uint32_t segments = film_segments(making->film);
    for (uint32_t segment = 0; segment < segments; segment++) {
        uint32_t first, count;
        if (film_has(making->film, segment))
            continue;
        film_segment(making->film, segment, &first, &count);
        if (!making_segment(making, segment, first))
            return false;
        remove_passed(making, first + count - 1);
    }
    return film_finish(making->film);
}

/* --- preparation --- */

/* Returns the text of the deepest view and a line with a hash of everything that decides the
 * frames, by which pictures of different movies differ. The caller frees the text. */
static char *movie_text(const struct making *making) {
    const struct movie *movie = making->movie;
    const double numbers[] = {VERSION,
                              movie->frames,
                              movie->samples,
                              movie->tour_options.ease_s,
                              movie->tour_options.speed,
                              movie->width_px,
                              movie->height_px,
                              movie->film.fps};
    char *path = path_text(movie->path), *text = NULL;
    char *view = scene_text(&making->looks[making->deepest]);
    const uint64_t hash =
        hash_bytes(hash_text(hash_text(HASH_EMPTY, path ? path : ""), view ? view : ""), numbers,
                   sizeof numbers);
    if (!path || !view || asprintf(&text, "%s# movie %016" PRIx64 "\n", view, hash) < 0)
        text = NULL;
    if (!text)
        log_error("cannot make a movie: not enough memory");
    free(path);
    free(view);
    return text;
}

/* Returns a hash of everything that decides frames and film. */
static uint64_t key_of(const struct film_options *film, const char *text) {
    const uint32_t numbers[] = {film->segment_frames, film->codec, (uint32_t)film->chroma,
                                (uint32_t)film->bits, (uint32_t)film->quality};
    return hash_bytes(hash_text(hash_text(HASH_EMPTY, text), film->encoder ? film->encoder : ""),
                      numbers, sizeof numbers);
}

static bool open_film(struct making *making) {
    struct movie *movie = making->movie;
    char *text = movie_text(making);
    if (!text)
        return false;
    making->key = key_of(&movie->film, text);
    movie->film.text = text;
    making->film = film_open(&movie->film);
    movie->film.text = NULL;
    free(text);
    making->resampler =
        making->film ? resampler_create(movie->width_px, movie->height_px, film_deep(making->film))
                     : NULL;
    making->options.resampler = making->resampler;
    return making->resampler;
}

/* Returns true if the path zooms through a single fractal. */
static bool is_zoom(const struct movie *movie) {
    const struct path *path = movie->path;
    bool zooms = false;
    if (path->stops[0].scene.orbit_density)
        return false;
    for (size_t i = 1; i < path->count; i++)
        if (!fractal_equal(&path->stops[i].scene.fractal, &path->stops[0].scene.fractal))
            return false;
    for (size_t i = 0; i < movie->tour.count; i++)
        zooms = zooms || !leg_is_level(&movie->tour.shots[i].leg);
    return zooms;
}

/* Gives the look of a stop colours that suit the movie: those of the stop before, if only numbers
 * differ. */
static bool suit_look(struct making *making, size_t stop) {
    struct movie *movie = making->movie;
    const struct path_stop *stops = movie->path->stops;
    struct scene *look = &making->looks[stop];
    const bool found = stop > 0 && !shot_looks_differ(&stops[stop - 1].scene, &stops[stop].scene);
    const struct scene *like = found ? look - 1 : &stops[making->deepest].scene;
    look->frequency = like->frequency;
    look->offset = like->offset;
    const struct path_colours colours = {&movie->drawing, movie->work, &movie->tour,
                                         movie->own_colours};
    if (!found)
        return path_colours_find(&colours, look);
    look->mapping = like->mapping;
    look->ranks = like->ranks;
    return true;
}

/* Stores the look of each stop; suited colours are those of the deepest view. */
static bool find_looks(struct making *making) {
    struct movie *movie = making->movie;
    const struct path *path = movie->path;
    making->looks = calloc(path->count, sizeof *making->looks);
    making->options.suited = movie->suit_colours && is_zoom(movie);
    for (size_t i = 0; making->looks && i < path->count; i++) {
        struct scene *look = &making->looks[i];
        scene_init_copy(look, &path->stops[i].scene);
        look->width_px = movie->width_px;
        look->height_px = movie->height_px;
        if (mpfr_cmp(look->view.zoom, path->stops[making->deepest].scene.view.zoom) > 0)
            making->deepest = i;
    }
    bool ok = making->looks;
    for (size_t i = 0; ok && making->options.suited && i < path->count; i++)
        ok = suit_look(making, i);
    return ok;
}

/* Returns the angle of the last frame. */
static double last_angle(const struct tour *tour) {
    const struct shot *shot = &tour->shots[tour->count - 1];
    return leg_angle(&shot->leg, shot->timeline.to);
}

/* Returns the settings that decide the rings of all shots. */
static struct shot_options ring_options(const struct movie *movie) {
    return (struct shot_options){.width_px = movie->width_px,
                                 .height_px = movie->height_px,
                                 .density = sqrt(movie->samples),
                                 .drawing = (struct ring_drawing *)&movie->drawing};
}

static bool prepare(struct making *making) {
    struct movie *movie = making->movie;
    const struct tour_options *options = &movie->tour_options;
    movie->tour_options.aspect = (double)movie->width_px / movie->height_px;
    if (!tour_init(&movie->tour, movie->path, options) ||
        !tour_join(&movie->tour, movie->suit_colours && is_zoom(movie)))
        return false;
    const double frames = options->seconds > 0 ? round(options->seconds * movie->film.fps)
                                               : ceil(movie->tour.seconds * movie->film.fps) + 1;
    if (frames > FRAMES_MOST) {
        log_error("a movie of %.0f hours has %.3g frames, more than %.0f: choose other --seconds, "
                  "--speed or --fps",
                  frames / movie->film.fps / 3600, frames, FRAMES_MOST);
        return false;
    }
    movie->frames = (uint32_t)fmax(frames, 2);
    movie->film.folder = movie->work;
    movie->film.width_px = movie->width_px;
    movie->film.height_px = movie->height_px;
    movie->film.frames = movie->frames;
    making->options = ring_options(movie);
    making->options.folder = movie->work;
    making->options.orbits = &movie->orbits;
    making->options.keep = movie->keep_work;
    making->options.angle = last_angle(&movie->tour);
    making->options.idle = movie->part.of > 0;
    movie->drawing.list = movie->list;
    if (movie->list || movie->part.of > 0)
        getrandom(&movie->film.own, sizeof movie->film.own, GRND_NONBLOCK);
    return film_possible(&movie->film) &&
           work_folder_claim(&making->folder, movie->work, movie->list || movie->part.of > 0) &&
           find_looks(making) && open_film(making) && space_check(movie);
}

struct shot_size movie_size(const struct movie *movie) {
    const struct shot_options options = ring_options(movie);
    struct shot_size size = {0};
    for (size_t i = 0; i < movie->tour.count; i++) {
        const struct shot *shot = &movie->tour.shots[i];
        const double share = shot->seconds / movie->tour.seconds;
        if (shot->files != i)
            continue;
        shot_frames_size(&options, shot, (uint32_t)ceil(share * movie->frames), &size);
    }
    return size;
}

/* Removes all files that make a movie, alone or shared. */
static void clean(const char *work) {
    video_remove_segments(work);
    ring_source_remove_shot(work, -1);
    glance_remove_all(work);
    work_list_remove_claims(work);
    note_forget(work);
}

void movie_forget(const char *work) {
    struct work_folder folder;
    char why[1];
    if (access(work, F_OK) != 0)
        return;
    const struct log_listener before = log_listen_instead(why, sizeof why);
    if (work_folder_claim(&folder, work, false))
        clean(work);
    work_folder_release(&folder);
    log_listen_restore(before);
}

bool movie_make(struct movie *movie) {
    struct making making = {.movie = movie, .folder.lock = -1};
    const bool shared = movie->list || movie->part.of > 0;
    const bool ok = prepare(&making) && (movie->part.of > 0 ? share_part(&making)
                                         : movie->list      ? share_movie(&making)
                                                            : make_segments(&making));
    shot_frames_finish(&making.shot);
    movie->resample_ms = making.resampler ? resampler_ms(making.resampler) : 0;
    resampler_destroy(making.resampler);
    if (ok && !shared && !movie->keep_work)
        clean(movie->work);
    film_close(making.film);
    work_folder_release(&making.folder);
    for (size_t i = 0; making.looks && i < movie->path->count; i++)
        scene_finish(&making.looks[i]);
    free(making.looks);
    return ok;
}

void movie_finish(struct movie *movie) {
    ring_drawing_finish(&movie->drawing);
    density_frames_finish(&movie->orbits);
    tour_finish(&movie->tour);
}
