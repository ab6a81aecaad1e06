/* Recent locations, newest first, kept in the user's state folder. Owned by one thread. */
#ifndef FATHOM_APP_EXPLORE_RECENT_H
#define FATHOM_APP_EXPLORE_RECENT_H

#include "render/files/scene.h"

#define RECENT_MAX 32

struct recent;

/* Those of earlier runs. A broken file costs one warning and gives an empty list; so does no file,
 * without the warning. NULL: no memory, logged. */
struct recent *recent_load(void);
size_t recent_count(const struct recent *recent);
/* Both live until the list changes. "2026-11-21  zoom 4.0e4  -0.74364 + 0.13183i" */
const char *recent_label(const struct recent *recent, size_t i);
/* A scene's text; from a file, so scene_parse may yet refuse it. */
const char *recent_text(const struct recent *recent, size_t i);
/* Puts it first and drops those that show the same location (nearness.h). Does nothing for a list
 * of NULL, or without memory. */
void recent_add(struct recent *recent, const struct scene *scene);
/* Writes what was added above what is in the file by then, where other runs may have left theirs.
 * False: logged why, the older file is as it was. */
bool recent_save(struct recent *recent);
void recent_destroy(struct recent *recent);

#endif
