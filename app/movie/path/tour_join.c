/* Joining of a tour's shots: zooms that follow each other about the same pivot, or rotations, share
 * rings, with the rests between and after them. */
#include "app/explore/similarity.h"
#include "app/explore/undo/history.h"
#include "app/movie/path/tour.h"
#include "render/base/memory.h"
#include <math.h>
#include <stdlib.h>

#define HEIGHT_PX 1000 /* of the frames in which displacements are measured */
#define ASIDE_PX  1.0  /* largest displacement of a stop */

enum kind { KIND_NONE, KIND_IN, KIND_OUT, KIND_LEFT, KIND_RIGHT };

static enum kind kind_of(const struct shot *shot) {
    const double turn = shot->leg.turn;
    if (!leg_is_level(&shot->leg))
        return shot->timeline.to < shot->timeline.from ? KIND_OUT : KIND_IN;
    return turn > 0 ? KIND_LEFT : turn < 0 ? KIND_RIGHT : KIND_NONE;
}

/* Returns true if only the view, the limit and, if `suited`, frequency and offset differ. */
static bool same_look(const struct path_stop *a, const struct path_stop *b, bool suited) {
    struct history_state x = {.scene = a->scene, .auto_limit = true, .auto_frequency = suited};
    const struct history_state y = {
        .scene = b->scene, .auto_limit = true, .auto_frequency = suited};
    x.scene.view = y.scene.view;
    return history_equal(&x, &y);
}

static bool can_join(const struct shot *shot, bool suited) {
    return kind_of(shot) != KIND_NONE && !shot->from->scene.orbit_density &&
           shot->to->cycles == 0 && same_look(shot->from, shot->to, suited);
}

/* Returns the place on a whole leg of a place on a part of it. */
static double place_of(const struct leg *whole, const struct leg *leg, double at) {
    return leg_is_level(whole) ? (leg_angle(leg, at) - whole->angle) / whole->turn
                               : leg_depth(leg, at);
}

/* Stores the view at a place of a shot, with an angle that includes whole turns. */
static void view_at(const struct leg *leg, double at, struct view *view) {
    leg_view(leg, at, view);
    view->angle = leg_angle(leg, at);
}

/* Initialises the leg from the beginning of one shot to the end of another. */
static bool init_whole(const struct shot *first, const struct shot *last, struct leg *leg) {
    const struct leg *begin = kind_of(first) == KIND_OUT ? &last->leg : &first->leg;
    const struct leg *end = kind_of(first) == KIND_OUT ? &first->leg : &last->leg;
    bool ok = true;
    struct view from, to;
    view_init(&from);
    view_init(&to);
    view_at(begin, leg_start(begin), &from);
    view_at(end, leg_end(end), &to);
    if (leg_is_level(&first->leg))
        leg_init_level(leg, &from, &to, 0);
    else
        ok = leg_init(leg, &from, &to, 0);
    view_finish(&from);
    view_finish(&to);
    return ok;
}

/* Returns true if a leg passes the beginning of a shot. */
static bool passes(const struct leg *leg, const struct shot *shot) {
    struct view stop, there;
    view_init(&stop);
    view_init(&there);
    view_at(&shot->leg, shot->timeline.from, &stop);
    view_at(leg, place_of(leg, &shot->leg, shot->timeline.from), &there);
    const struct similarity way = similarity_between(&stop, HEIGHT_PX, &there, HEIGHT_PX);
    const bool ok = fabs(stop.angle - there.angle) < 1 &&
                    similarity_displacement(way, 2 * HEIGHT_PX, HEIGHT_PX) <= ASIDE_PX;
    view_finish(&stop);
    view_finish(&there);
    return ok;
}

/* Returns true if the shots `first` to `last`, which except the last are known to join, join. Three
 * stops between them are enough to judge. */
static bool joins(const struct shot *first, const struct shot *last, uint32_t limit, bool suited) {
    struct leg leg;
    const uint32_t ends = first->from->scene.limit > last->to->scene.limit
                              ? first->from->scene.limit
                              : last->to->scene.limit;
    if (last[-1].to == last->from && last->from == last->to)
        return true;
    if (last[-1].to != last->from || kind_of(last) != kind_of(first) || !can_join(last, suited) ||
        limit > ends || !init_whole(first, last, &leg))
        return false;
    const bool ok = passes(&leg, first + 1) && passes(&leg, first + (last - first + 1) / 2) &&
                    passes(&leg, last);
    leg_finish(&leg);
    return ok;
}

/* Makes the first of `count` shots all of them. Returns false without memory, which is logged. */
static bool join(struct shot *first, size_t count) {
    const struct shot *last = first + count - 1, *moves = last;
    const double seconds = last->start_s + last->seconds - first->start_s;
    struct timeline *parts = memory_alloc(count * sizeof *parts, "a path");
    struct leg leg;
    while (moves->from == moves->to)
        moves--; /* from rests at the end */
    if (!parts || (moves > first && !init_whole(first, moves, &leg))) {
        free(parts);
        return false;
    }
    if (moves == first)
        leg = first->leg;
    for (size_t i = 0; i < count; i++) {
        parts[i] = first[i].timeline;
        parts[i].from = place_of(&leg, &first[i].leg, parts[i].from);
        parts[i].to = place_of(&leg, &first[i].leg, parts[i].to);
        parts[i].end = (first[i].start_s + first[i].seconds - first->start_s) / seconds;
        if (i > 0 || moves > first)
            leg_finish(&first[i].leg);
    }
    parts[count - 1].end = 1;
    *first = (struct shot){.from = first->from,
                           .to = last->to,
                           .leg = leg,
                           .timeline = {parts[0].from, parts[count - 1].to, .parts = parts},
                           .start_s = first->start_s,
                           .seconds = seconds,
                           .to_share = 1};
    return true;
}

static uint32_t limit_of(const struct shot *shot) {
    const uint32_t from = shot->from->scene.limit, to = shot->to->scene.limit;
    return from > to ? from : to;
}

/* Returns true if two shots have the same rings, as the ways there and back. Looks that differ may
 * need other planes. */
static bool same_rings(const struct shot *a, const struct shot *b) {
    return leg_equal(&a->leg, &b->leg) && !shot_morphs(a) && !shot_morphs(b) &&
           limit_of(a) == limit_of(b) && same_look(a->from, a->to, true) &&
           same_look(b->from, b->to, true) && same_look(a->from, b->from, true);
}

static void find_files(struct tour *tour) {
    for (size_t i = 0; i < tour->count; i++) {
        struct shot *shot = &tour->shots[i];
        size_t j = 0;
        while (j < i && !same_rings(&tour->shots[j], shot))
            j++;
        shot->files = j;
        shot->shared = j < i;
        tour->shots[j].shared |= j < i;
    }
}

bool tour_join(struct tour *tour, bool suited) {
    size_t kept = 0;
    bool ok = true;
    for (size_t i = 0, count; i < tour->count; i += count) {
        struct shot *first = &tour->shots[i];
        uint32_t limit = 0; /* largest of the stops between */
        count = 1;
        while (can_join(first, suited) && i + count < tour->count) {
            const uint32_t between = first[count].from->scene.limit;
            if (!joins(first, first + count, between > limit ? between : limit, suited))
                break;
            limit = between > limit ? between : limit;
            count++;
        }
        ok = ok && (count == 1 || join(first, count));
        if (!ok)
            count = 1;
        tour->shots[kept++] = *first;
    }
    tour->count = kept;
    find_files(tour);
    return ok;
}
