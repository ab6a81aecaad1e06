/* Tour: the camera and the look of a path at each time.
 *
 * A shot leads from one stop to the next, or rests at a stop. Where the wider frame shows the place
 * of the deeper one, the camera zooms about a fixed point. Where two stops lie a few frames and at
 * most two octaves apart, it moves and zooms at once, or straight on if they have the same zoom.
 * Otherwise it zooms out until the frame shows both, and in again, in two shots. Speeds rise from 0
 * at the first stop, after a rest and where the camera turns back, and fall to 0 before; between
 * other shots the camera does not slow down.
 *
 * Between two stops the numbers of their looks (and the constants of Julia sets) change evenly, and
 * other differences of the looks are faded. */
#ifndef FATHOM_APP_MOVIE_PATH_TOUR_H
#define FATHOM_APP_MOVIE_PATH_TOUR_H

#include "app/movie/path/path.h"
#include "render/movie/timeline.h"

struct shot {
    const struct path_stop *from, *to; /* equal at rest */
    struct leg leg;
    struct timeline timeline;
    double start_s, seconds;
    double from_share,
        to_share; /* share of the way between the stops; 0 and 1 unless it is two shots */
    /* Set by tour_join: the number of the first shot with the same rings, and whether there is
     * another one. */
    size_t files;
    bool shared;
};

struct tour {
    struct shot *shots;
    size_t count;
    double seconds;
    double turned; /* turns that were added to the angles of the stops, in all */
};

#define TOUR_SPEED  1.5 /* usual values of these options */
#define TOUR_EASE_S 1.0

struct tour_options {
    double aspect;  /* width / height of the frames */
    double ease_s;  /* time in which speeds rise and fall [s] */
    double speed;   /* of zooms without seconds and speed [octaves/s] */
    double seconds; /* of all, in place of the stops' own times; 0: not given */
};

/* Computes the shots of a path, which outlives the tour. Pairs with tour_finish in any case.
 * Returns false on failure, which is logged: a path without stops, or stops that no shot can
 * join. */
bool tour_init(struct tour *tour, const struct path *path, const struct tour_options *options);
void tour_finish(struct tour *tour);
/* Joins zooms that follow each other about the same pivot, or rotations, and the rests between and
 * after them to single shots, if their looks do not differ; `suited`: frequency and offset may
 * differ. The camera leaves the stops by at most a thousandth of the frame's height. Returns false
 * without memory, which is logged. */
bool tour_join(struct tour *tour, bool suited);
/* Returns the shot at a time, which is clamped to the tour's. */
const struct shot *tour_shot(const struct tour *tour, double second);
/* Returns the share of a shot's duration at a time of the tour; 0 before it, 1 after it. */
double shot_time(const struct shot *shot, double second);
/* Stores the camera's view at a time, which is clamped to the tour's, in an initialised view. */
void tour_view(const struct tour *tour, double second, struct view *view);
/* Returns the share of the way between the stops of a shot at a share of its duration. */
double shot_share(const struct shot *shot, double time);
/* Returns true if the samples of a shot's frames differ by more than the camera. */
bool shot_morphs(const struct shot *shot);
/* Stores view, fractal and look at a share of a shot's duration in an initialised scene. Settings
 * that are no numbers are those of the stop before. */
void shot_scene(const struct shot *shot, double time, struct scene *scene);
/* Gives a scene the numbers between those of the looks of two scenes at a share of the way, on
 * which the offset makes that many turns besides. */
void tour_mix_numbers(const struct scene *from, const struct scene *to, double cycles, double share,
                      struct scene *scene);

#endif
