/* Finds what is worth going to in a view, minibrots and Misiurewicz points and what stands for them in Julia sets, with
 * a view that frames it. */
#ifndef FATHOM_RENDER_LOCATE_LOCATE_H
#define FATHOM_RENDER_LOCATE_LOCATE_H

#include "render/files/scene.h"
#include "render/locate/newton.h"

enum locate_kind { LOCATE_MINIBROT, LOCATE_MISIUREWICZ, LOCATE_KINDS };
extern const char *const locate_kind_names[]; /* "minibrot", "misiurewicz", NULL */

struct locate_request {
    int width_px, height_px; /* of the picture */
    enum locate_kind kind;
    bool
        upright; /* a minibrot's view is turned so that it stands as the set does, where nothing folds */
    /* Search around a place of the picture, 0,0 being its top left corner, before all of it; and never find what the
     * view frames already, but what is smaller. */
    bool near;
    double x_px, y_px;
};

struct located {
    enum locate_kind kind;
    bool julia; /* of a Julia set a point that comes to 0, or a cycle's */
    uint32_t period,
        preperiod; /* the latter 0 but of Misiurewicz points; of what comes to 0 the steps until then */
    bool disc;     /* of a minibrot: a disc on another component, not a cardioid */
    bool turned;        /* whether size and multiplier have an angle */
    struct scaled size; /* of a minibrot: struct nucleus */
    struct scaled domain;
    struct scaled multiplier; /* of a Misiurewicz point, and of a cycle */
    struct scene scene;       /* that shows it: its view has the point in the middle */
    char why[200];            /* nothing was found; "" where the search was cancelled */
};

/* As nucleus_find and misiurewicz_find, with the scene's view and limit. Of minibrots cardioids are preferred, and
 * those that nearly fill the view or more are passed over. A minibrot is framed to fill about a third of the height and gets
 * LOCATE_ROUNDS times its period as a limit: what is around it takes the whole period for each step
 * that a point around M takes. Other points stay at the view's zoom, as all zooms look alike
 * there. False: found->why says why, or cancelled. Else `found` is to be finished. Any thread. */
#define LOCATE_ROUNDS 50
bool locate(const struct scene *scene, const struct locate_request *request,
            struct locate_watch *watch, struct located *found);
void located_finish(struct located *found);

/* One line of what it is: "minibrot of period 3, 0.019 in size". */
#define LOCATED_TEXT_MAX 200
void located_text(const struct located *found, char text[static LOCATED_TEXT_MAX]);
/* A number's size as text, "1.23e-400". */
#define SCALED_TEXT_MAX 48
void scaled_text(struct scaled x, char text[static SCALED_TEXT_MAX]);
/* Its angle in degrees. */
double scaled_degrees(struct scaled x);

#endif
