/* Shared movies: chooses the segments and rings that this process makes. */
#define _GNU_SOURCE /* asprintf */
#include "app/movie/share/share.h"
#include "app/movie/film/video.h"
#include "app/movie/glance.h"
#include "app/movie/ring_wait.h"
#include "app/work/note.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MEAN_SHARE       0.1  /* weight of the last segment in the mean time */
#define SEGMENT_UNDERWAY 0.25 /* half of the rest of the segment that the other process makes */

enum segment { SEGMENT_FREE, SEGMENT_TAKEN, SEGMENT_DONE };

struct share {
    struct making *making;
    unsigned char *segments; /* enum segment of each, as last seen */
    uint32_t count, last;    /* last: number of the segment that was made last; count: none */
    uint32_t frames_done, frames_cleaned;
    double segment_ms; /* mean time of a segment after another one; 0: unknown */
    double jump_ms;    /* time that the first segment of a run takes longer, as last seen */
    double made_ms;    /* clock_ms when the last segment was made; before it, of the beginning */
    bool others_slow;  /* no segment was made here for longer than a jump and a free run take */
    bool complete;     /* another process has joined the segments */
};

static bool go_on(void *user) {
    (void)user;
    return !interrupt_requested();
}

/* Shows the progress. Returns false to stop. */
static bool step(const struct share *share) {
    const struct movie *movie = share->making->movie;
    return movie->step(movie->user, (double)share->frames_done / movie->frames);
}

static struct note note_of(const struct making *making) {
    const struct movie *movie = making->movie;
    return (struct note){.folder = movie->work,
                         .result = movie->film.path,
                         .key = making->key,
                         .pieces = film_is_pictures(making->film)};
}

/* Returns true if another process has joined the segments, and the result is still there. */
static bool is_complete(const struct making *making) {
    const struct note note = note_of(making);
    return note_is_complete(&note);
}

static void set_done(struct share *share, uint32_t segment) {
    uint32_t first, count;
    film_segment(share->making->film, segment, &first, &count);
    if (share->segments[segment] != SEGMENT_DONE)
        share->frames_done += count;
    share->segments[segment] = SEGMENT_DONE;
}

/* Marks a segment that is complete. Returns true if it is. */
static bool is_done(struct share *share, uint32_t segment) {
    if (share->segments[segment] != SEGMENT_DONE && film_has(share->making->film, segment))
        set_done(share, segment);
    return share->segments[segment] == SEGMENT_DONE;
}

static bool begin(struct share *share, struct making *making) {
    *share = (struct share){.making = making, .count = film_segments(making->film)};
    share->made_ms = clock_ms();
    share->last = share->count;
    share->segments = calloc(share->count, sizeof *share->segments);
    if (!share->segments)
        log_error("not enough memory for the movie");
    for (uint32_t i = 0; share->segments && i < share->count; i++)
        is_done(share, i);
    return share->segments;
}

/* --- rings --- */

static bool has_rings(const struct shot *shot) {
    return !shot->from->scene.orbit_density && !shot_morphs(shot);
}

static bool rings_of(const struct share *share, const struct shot *shot, struct rings *rings) {
    const struct shot_options *options = &share->making->options;
    return has_rings(shot) &&
           rings_init(rings, &shot->leg, options->width_px, options->height_px, options->density);
}

/* Stores the rings first .. end - 1 of a shot that a segment shows; none if it has no frame
 * there. */
static void rings_shown(const struct share *share, uint32_t segment, const struct shot *shot,
                        const struct rings *rings, int *first, int *end) {
    const struct movie *movie = share->making->movie;
    uint32_t frame, count;
    film_segment(share->making->film, segment, &frame, &count);
    const double from = making_second(movie, frame), to = making_second(movie, frame + count - 1);
    *first = *end = 0;
    if (from <= shot->start_s + shot->seconds && to >= shot->start_s)
        shot_frames_range(shot, rings, making_time(shot, from), making_time(shot, to), first, end);
}

/* Marks the rings of a shot that an unfinished segment shows. */
static void mark_wanted(const struct share *share, const struct shot *shot,
                        const struct rings *rings, bool *wanted) {
    for (uint32_t i = 0; i < share->count; i++) {
        int first, end;
        if (share->segments[i] == SEGMENT_DONE)
            continue;
        rings_shown(share, i, shot, rings, &first, &end);
        for (int k = first; k < end; k++)
            wanted[k] = true;
    }
}

/* Returns an array of the rings of a shot that an unfinished segment shows, also as rings of
 * another shot; the caller frees it. Returns NULL without memory. */
static bool *rings_wanted(const struct share *share, const struct shot *shot,
                          const struct rings *rings) {
    const struct tour *tour = &share->making->movie->tour;
    bool *wanted = calloc((size_t)rings->count, sizeof *wanted);
    for (size_t i = shot->files; wanted && i < tour->count; i++)
        if (tour->shots[i].files == shot->files)
            mark_wanted(share, &tour->shots[i], rings, wanted);
    return wanted;
}

/* Removes the files of rings that no unfinished segment shows, once per some seconds of film. */
static void remove_passed(struct share *share) {
    const struct movie *movie = share->making->movie;
    if (movie->keep_work || share->frames_done - share->frames_cleaned < movie->film.segment_frames)
        return;
    share->frames_cleaned = share->frames_done;
    for (size_t i = 0; i < movie->tour.count; i++) {
        const struct shot *shot = &movie->tour.shots[i];
        const struct ring_source source = {.folder = movie->work, .shot = (unsigned)i};
        struct rings rings;
        bool *wanted = shot->files == i && rings_of(share, shot, &rings)
                           ? rings_wanted(share, shot, &rings)
                           : NULL;
        for (int k = 0; wanted && k < rings.count; k++)
            if (!wanted[k])
                ring_source_remove(&source, k);
        free(wanted);
    }
}

/* Begins a shot without drawing ahead. */
static bool enter(const struct share *share, const struct shot *shot) {
    return making_enter(share->making, shot->start_s + shot->seconds / 2);
}

/* Draws the last ring of a shot that an unfinished segment shows, and that no process has drawn or
 * draws. The last ring comes first because the processes that make segments begin with the first
 * rings. */
static enum ring_making help_shot(const struct share *share, const struct shot *shot) {
    struct rings rings;
    enum ring_making made = RING_WAS_THERE;
    if (!rings_of(share, shot, &rings))
        return RING_WAS_THERE;
    bool *wanted = rings_wanted(share, shot, &rings);
    if (!wanted)
        made = RING_FAILED;
    for (int k = rings.count - 1; k >= 0 && (made == RING_WAS_THERE || made == RING_TAKEN); k--)
        if (wanted[k])
            made = enter(share, shot) ? ring_source_make(&share->making->shot.source, k, false,
                                                         go_on, NULL, NULL, NULL)
                                      : RING_FAILED;
    free(wanted);
    return made == RING_TAKEN ? RING_WAS_THERE : made;
}

/* Draws a ring for the segments of others. Returns RING_WAS_THERE if there is nothing to draw. */
static enum ring_making help(struct share *share) {
    const struct movie *movie = share->making->movie;
    enum ring_making made = RING_WAS_THERE;
    making_leave(share->making);
    share->making->options.idle = true;
    for (size_t i = 0; i < movie->tour.count && made == RING_WAS_THERE; i++)
        made = help_shot(share, &movie->tour.shots[i]);
    making_leave(share->making);
    share->making->options.idle = false;
    share->last = share->count;
    return made;
}

/* --- segments --- */

/* Returns the number of segments at the end of a free run that this process takes if somebody comes
 * from before. Both then end at the same time, if they are equally fast. Returns 0 if the other one
 * is expected to make the whole run before this process has the rings of its first frame. */
static uint32_t part_of(struct share *share, uint32_t run) {
    const double jump = share->segment_ms > 0 ? share->jump_ms / share->segment_ms : 0;
    share->others_slow |= share->segment_ms > 0 &&
                          clock_ms() - share->made_ms > share->jump_ms + run * share->segment_ms;
    const double left = (run + (share->others_slow ? 0 : jump)) / 2 - SEGMENT_UNDERWAY;
    return left < run ? run - (uint32_t)round(left) : 0;
}

/* Returns a free segment: the one after the last, whose rings are at hand, or the first of the
 * longest free run, or one inside if somebody comes from before. Returns `count` if there is none,
 * or if no jump pays. */
static uint32_t choose(struct share *share) {
    const unsigned char *segments = share->segments;
    uint32_t best = share->count, most = 0;
    if (share->last + 1 < share->count && segments[share->last + 1] == SEGMENT_FREE)
        return share->last + 1;
    for (uint32_t from = 0, to; from < share->count; from = to + 1) {
        for (to = from; to < share->count && segments[to] == SEGMENT_FREE; to++)
            ;
        const bool comes = from > 0 && segments[from - 1] == SEGMENT_TAKEN;
        while (comes && from < to && is_done(share, from))
            from++;
        const uint32_t part = comes && to > from ? part_of(share, to - from) : to - from;
        if (part <= most)
            continue;
        most = part;
        best = to - part;
    }
    return best;
}

/* Takes the time of a segment that began at `start_ms`. */
static void time_segment(struct share *share, bool jumped, double start_ms) {
    share->made_ms = clock_ms();
    const double ms = share->made_ms - start_ms;
    if (jumped)
        share->jump_ms = fmax(ms - share->segment_ms, 0);
    else
        share->segment_ms += (ms - share->segment_ms) * (share->segment_ms > 0 ? MEAN_SHARE : 1);
}

static bool make(struct share *share, uint32_t segment) {
    const double start = clock_ms();
    const bool jumps = segment != share->last + 1;
    if (jumps)
        making_leave(share->making);
    /* If this process was suspended, somebody else may have finished the segment. */
    if (!making_segment(share->making, segment, share->frames_done) &&
        (interrupt_requested() || !film_has(share->making->film, segment)))
        return false;
    set_done(share, segment);
    share->last = segment;
    remove_passed(share);
    time_segment(share, jumps, start);
    return true;
}

/* Makes a segment, unless it is complete or taken. */
static bool take(struct share *share, uint32_t segment) {
    struct making *making = share->making;
    char *piece;
    if (is_done(share, segment))
        return true;
    if (asprintf(&piece, "%s/segment-%07" PRIu32, making->movie->work, segment) < 0) {
        log_error("not enough memory for a file name");
        return false;
    }
    const enum work_state state = work_list_claim(making->movie->list, piece);
    bool ok = state != WORK_FAILED;
    if (state == WORK_TAKEN)
        share->segments[segment] = SEGMENT_TAKEN;
    share->complete = state == WORK_OURS && is_complete(making);
    if (state == WORK_OURS && !share->complete && !is_done(share, segment))
        ok = make(share, segment);
    work_list_release(making->movie->list, piece);
    free(piece);
    return ok;
}

/* Makes free segments until choose finds none. */
static bool make_free(struct share *share) {
    for (uint32_t next; !share->complete && (next = choose(share)) < share->count;)
        if (!step(share) || !take(share, next))
            return false;
    return true;
}

/* Looks again at the segments of others. Returns false if all are done. */
static bool look_again(struct share *share) {
    bool any = false;
    for (uint32_t i = 0; i < share->count; i++) {
        if (share->segments[i] == SEGMENT_TAKEN && !is_done(share, i))
            share->segments[i] = SEGMENT_FREE;
        any |= share->segments[i] != SEGMENT_DONE;
    }
    return any;
}

/* Makes segments, and rings for others, until all segments are done. */
static bool make_all(struct share *share) {
    for (double pause = 0; !share->complete && make_free(share);) {
        share->complete = share->complete || is_complete(share->making);
        if (share->complete || !look_again(share))
            return true;
        const enum ring_making made = help(share);
        if (made == RING_FAILED)
            return false;
        pause = made == RING_MADE ? 0 : work_list_pause(pause);
    }
    return share->complete;
}

/* --- the end --- */

static bool step_join(void *user) {
    return step(user);
}

static bool join(void *user) {
    const struct share *share = user;
    return film_finish(share->making->film);
}

static void clean(void *user) {
    const struct share *share = user;
    const struct movie *movie = share->making->movie;
    if (movie->keep_work)
        return;
    video_remove_segments(movie->work);
    ring_source_remove_shot(movie->work, -1);
    glance_remove_all(movie->work);
    work_list_remove_claims(movie->work);
}

bool share_movie(struct making *making) {
    struct share share = {.making = making};
    const struct note note = note_of(making);
    const struct note_calls calls = {step_join, join, clean, &share};
    const bool ok = note_begin(&note, making->movie->list, &calls) && begin(&share, making) &&
                    make_all(&share) && note_join(&note, making->movie->list, &calls);
    free(share.segments);
    return ok;
}

/* --- parts --- */

static bool draw_rings(const struct share *share) {
    const struct movie *movie = share->making->movie;
    uint64_t number = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < movie->tour.count; i++) {
        const struct shot *shot = &movie->tour.shots[i];
        struct rings rings;
        if (shot->files != i || !rings_of(share, shot, &rings))
            continue;
        bool *wanted = rings_wanted(share, shot, &rings);
        ok = wanted && enter(share, shot);
        for (int k = 0; ok && k < rings.count; k++)
            if (work_part_has(&movie->part, number++) && wanted[k])
                ok = ring_wait(&share->making->shot.source, k, 0, go_on, NULL, NULL, NULL);
        free(wanted);
    }
    return ok;
}

/* Returns true if all rings that a segment shows are there. */
static bool is_ready(const struct share *share, uint32_t segment) {
    const struct movie *movie = share->making->movie;
    bool ready = true;
    for (size_t i = 0; ready && i < movie->tour.count; i++) {
        const struct shot *shot = &movie->tour.shots[i];
        struct rings rings;
        int first = 0, end = 0;
        if (rings_of(share, shot, &rings))
            rings_shown(share, segment, shot, &rings, &first, &end);
        ready = first == end || enter(share, shot);
        for (int k = first; ready && k < end; k++)
            ready = ring_source_has(&share->making->shot.source, k);
    }
    return ready;
}

bool share_part(struct making *making) {
    const struct work_part *part = &making->movie->part;
    struct share share;
    bool ok = begin(&share, making) && draw_rings(&share);
    uint32_t done = 0;
    for (uint32_t i = 0; ok && i < share.count; i++)
        if (work_part_has(part, i) && !is_done(&share, i) && is_ready(&share, i))
            ok = step(&share) && make(&share, i);
    for (uint32_t i = 0; ok && i < share.count; i++)
        done += is_done(&share, i);
    if (ok)
        fprintf(stderr,
                "fathom: part %u/%u has its rings; %" PRIu32 " of %" PRIu32
                " pieces of film are there: the command without --part makes the others and joins "
                "them\n",
                part->number, part->of, done, share.count);
    free(share.segments);
    return ok;
}
