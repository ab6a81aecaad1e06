/* Home: the view that shows all of a fractal, a set or a Julia set, in a picture of any shape.
 * Pure. */
#ifndef FATHOM_RENDER_LOCATE_HOME_H
#define FATHOM_RENDER_LOCATE_HOME_H

#include "render/formula/fractal.h"
#include "render/view.h"

/* Sets an initialised view. For the Mandelbrot set it is view_home in pictures that are wide
 * enough, and never nearer. */
void home_view(struct view *view, const struct fractal *fractal, int width_px, int height_px);
/* Returns true if a view other than home shows structure, too: escaping and other points, or counts
 * far apart. Tests a few points in doubles. Returns false for maps, and for views beyond doubles.
 * Takes about a millisecond. */
bool home_has_rival(const struct view *view, const struct fractal *fractal, int width_px,
                    int height_px);

#endif
