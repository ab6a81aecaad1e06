/* Recent locations, newest first, in the user's state folder. Used by one thread. */
#ifndef FATHOM_APP_EXPLORE_RECENT_H
#define FATHOM_APP_EXPLORE_RECENT_H

#include "render/files/scene.h"

#define RECENT_MAX 32

struct recent;

/* Reads the locations of earlier runs. The list is empty if there is no file, or, with a warning,
 * if it is broken. NULL: no memory; logged. */
struct recent *recent_load(void);
size_t recent_count(const struct recent *recent);
/* Returns a label such as "2026-11-21  zoom 4.0e4  -0.74364 + 0.13183i", valid until the list
 * changes. */
const char *recent_label(const struct recent *recent, size_t i);
/* Returns a scene's text, valid as above. It comes from a file, so scene_parse may reject it. */
const char *recent_text(const struct recent *recent, size_t i);
/* Inserts a scene first and removes those of the same location (nearness.h). Does nothing without
 * memory. The list may be NULL. */
void recent_add(struct recent *recent, const struct scene *scene);
/* Writes the new locations before those in the file, which other processes may have changed.
 * Returns false if that fails: the reason is logged and the file is unchanged. */
bool recent_save(struct recent *recent);
void recent_destroy(struct recent *recent);

#endif
