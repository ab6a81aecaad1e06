/* Home: the view that shows all of a fractal, a set or a Julia set, in a picture of any shape. Pure. */
#ifndef FATHOM_RENDER_LOCATE_HOME_H
#define FATHOM_RENDER_LOCATE_HOME_H

#include "render/formula/fractal.h"
#include "render/view.h"

/* Into an initialised view. Of the Mandelbrot set never nearer than view_home, which it is in pictures
 * that are wide enough. */
void home_view(struct view *view, const struct fractal *fractal, int width_px, int height_px);
/* Whether another view of it has structure, too: points that escape and others, or counts far apart. Found with a few
 * points in doubles; of what they do not tell apart, and of maps, it has none. Of the order of a millisecond. */
bool home_has_rival(const struct view *view, const struct fractal *fractal, int width_px,
                    int height_px);

#endif
