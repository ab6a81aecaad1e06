/* The sub-commands; each returns the exit status: 0 done, 1 failed, 2 usage. */
#ifndef FATHOM_APP_COMMAND_COMMANDS_H
#define FATHOM_APP_COMMAND_COMMANDS_H

#include "app/options/options.h"
#include "render/backend.h"
#include "render/files/image.h"
#include "render/files/scene.h"

int command_explore(const struct options *options);
int command_motion(const struct options *options);
int command_render(const struct options *options);
int command_density(const struct options *options);
int command_verify(const struct options *options);
int command_locate(const struct options *options);
int command_compare(const struct options *options);
int command_info(const struct options *options);
int command_list(const struct options *options);
extern const char *const list_names[]; /* its arguments, NULL-terminated */
/* Becomes fathom-lab, which does `lab`, `bench` and `classic`; returns only where that cannot be
 * started. */
int command_lab(const struct options *options);

/* A file, or else the example view of that name (assets.h), into an initialised scene. False:
 * logged why. */
bool command_load_scene(struct scene *scene, const char *name);
/* Before any work: no file that the command writes may be one that it reads (views, pictures,
 * scripts, the settings, recent locations, palettes, images) or another one that it writes,
 * whatever they are called (same_file.h). --resume continues the file that it reads. False: they
 * are, logged. (file_uses.c) */
bool file_uses_apart(const struct options *options, size_t count); /* of that many pictures */
/* The same for the image of SCENE, which a view can name: to be called when the scene is complete. */
bool file_uses_apart_from_scene(const struct options *options, size_t count,
                                const struct scene *scene);

/* Shared by the commands that draw. Into an initialised scene: reads options->arguments[0] if there
 * is one, then lets the options override. Without one, --rules seed gives the picture of seed 001.
 * False: logged why. */
bool command_scene(const struct options *options, struct scene *scene);
/* The second half of that. */
bool command_scene_override(const struct options *options, struct scene *scene);
/* False: `path` (NULL: none) ends like a picture of a format that is neither, and none is named;
 * logged. */
bool command_picture_name_fits(const struct options *options, const char *path);
/* Before the work, so that none is done for a file that cannot be written. False: logged why. */
bool command_outputs_possible(const struct options *options);
/* What render draws, and verify checks. */
struct command_still {
    const struct options *options;
    struct scene scene;
    struct frame_req req;
    struct backend *backend;
    double decided_ms; /* what finding out about its numbers took */
};
/* Scene and request; then the backend, the limit where it is to be found, and the numbers. False: logged why,
 * unless it was interrupted. Close it in any case. (command_render.c) */
bool command_still_init(struct command_still *still, const struct options *options);
bool command_still_start(struct command_still *still);
void command_still_close(struct command_still *still);
/* Backend options as the command line has them. */
struct backend_options command_backend_options(const struct options *options);

/* What lives as long as the explorer's window, and the window (command_explore.c). */
struct explore_parts;
struct loop_watch;
struct script;
struct window;
/* For scripts, so that it needs no display. NULL: logged why. */
struct explore_parts *explore_open(const struct options *options);
/* NULL is allowed. */
void explore_close(struct explore_parts *parts);
struct window *explore_window(struct explore_parts *parts);
/* Explores once, from that scene on, as the script says, both of which are taken over; as
 * command_explore. */
int explore_scripted(struct explore_parts *parts, const struct options *options,
                     struct scene *scene, struct script *script, const struct loop_watch *watch);

#endif
