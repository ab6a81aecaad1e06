/* Recolouring: `fathom render FILE.exr` colours the samples of an EXR picture without iterating. */
#ifndef FATHOM_APP_COMMAND_RECOLOUR_H
#define FATHOM_APP_COMMAND_RECOLOUR_H

#include "app/options/options.h"
#include "render/files/scene.h"
#include "render/frame.h"

/* Returns true if the command draws from the samples of an EXR picture, its argument. */
bool recolour_is_meant(const struct options *options);
/* Loads the picture's view into an initialised scene, with the picture's size and one sample for
 * each pixel. A location of another program that fathom cannot read causes a warning. Returns false
 * if options demand other samples, or on failure; the reason is logged. */
bool recolour_load(const struct options *options, struct scene *scene);
/* Colours the samples by a scene and its request, and writes the files that the options name.
 * Returns false after an interrupt, or on failure, which is logged. */
bool recolour_draw(const struct options *options, struct scene *scene, struct frame_req *req);

#endif
