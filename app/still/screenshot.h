/* Screenshots: which folder, which name, what they carry. */
#ifndef FATHOM_APP_STILL_SCREENSHOT_H
#define FATHOM_APP_STILL_SCREENSHOT_H

#include "render/files/image.h"
#include "render/files/scene.h"
#include "render/frame.h"
#include <stddef.h>

/* The folder that screenshots go to: `given` if not NULL ("~/" is the home folder), else the
 * pictures folder of the XDG user directories, else ~/Pictures, else the current one. The caller
 * frees it. NULL: no memory. */
char *screenshot_folder(const char *given);

/* Makes the folder and those above it where they are missing. False: logged why. */
bool screenshot_make_folder(const char *folder);

/* Joins them, unless `name` is absolute. The caller frees it. NULL: no memory. */
char *screenshot_path(const char *folder, const char *name);

/* What a picture of `req`, drawn from `scene`, carries: all that rendering it again needs. The
 * caller frees it. NULL: no memory. */
char *screenshot_text(const struct scene *scene, const struct frame_req *req);

/* Writes FOLDER/fathom-YYYY-MM-DD-NNN.ppm (or .png) with the first free number, never over a file
 * that is there; makes the folder. *path, which the caller frees, gets the name. False: logged
 * why. */
bool screenshot_write(const char *folder, enum image_format format, const char *text,
                      const uint32_t *rgba, int width_px, int height_px, char **path);

#endif
