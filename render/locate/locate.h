/* Locate: finds minibrots and Misiurewicz points in a view, and their counterparts in Julia sets,
 * and makes a scene that frames the found place. */
#ifndef FATHOM_RENDER_LOCATE_LOCATE_H
#define FATHOM_RENDER_LOCATE_LOCATE_H

#include "render/files/scene.h"
#include "render/locate/newton.h"

enum locate_kind { LOCATE_MINIBROT, LOCATE_MISIUREWICZ, LOCATE_KINDS };
extern const char *const locate_kind_names[]; /* "minibrot", "misiurewicz", NULL */

struct locate_request {
    int width_px, height_px; /* picture size */
    enum locate_kind kind;
    /* Rotate the view of a minibrot so that it is upright like the set; ignored with folds. */
    bool upright;
    /* Search around a place of the picture, whose top left corner is 0,0, before the whole picture.
     * Never find the place that the view already frames, but a smaller one. */
    bool near;
    double x_px, y_px;
};

struct located {
    enum locate_kind kind;
    bool julia; /* place of a Julia set: a point that reaches 0, or a point of a cycle */
    /* `period` is the number of steps to 0 for a point that reaches 0. `preperiod` is 0 except for
     * Misiurewicz points. */
    uint32_t period, preperiod;
    bool disc;          /* minibrot: a disc on another component, not a cardioid */
    bool turned;        /* size and multiplier have an angle */
    struct scaled size; /* size of a minibrot: see struct nucleus */
    struct scaled domain;
    struct scaled multiplier; /* of a Misiurewicz point, or of a cycle */
    struct scene scene;       /* scene with the found place in the middle of its view */
    char why[200];            /* reason of a failure; "" if the search was cancelled */
};

/* Searches the scene's view within its limit, as nucleus_find and misiurewicz_find do. Cardioids
 * are preferred among minibrots, and minibrots that nearly fill the view are passed over. A
 * minibrot is framed to fill about a third of the height. Its limit is at least LOCATE_ROUNDS times
 * its period, because its surroundings take a whole period for each step of a point around M. Other
 * places keep the view's zoom, because they look alike at all zooms. Returns false if nothing is
 * found or if cancelled; found->why is the reason. After true, located_finish is required. Any
 * thread. */
#define LOCATE_ROUNDS 50
bool locate(const struct scene *scene, const struct locate_request *request,
            struct locate_watch *watch, struct located *found);
void located_finish(struct located *found);

/* Prints one line about the found place: "minibrot of period 3, 0.019 in size". */
#define LOCATED_TEXT_MAX 200
void located_text(const struct located *found, char text[static LOCATED_TEXT_MAX]);
/* Prints the absolute value of a number, "1.23e-400". */
#define SCALED_TEXT_MAX 48
void scaled_text(struct scaled x, char text[static SCALED_TEXT_MAX]);
/* Returns the argument of a number [degrees]. */
double scaled_degrees(struct scaled x);

#endif
