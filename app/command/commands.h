/* The sub-commands of fathom. Each returns the exit status: 0 done, 1 failed, 2 wrong usage. */
#ifndef FATHOM_APP_COMMAND_COMMANDS_H
#define FATHOM_APP_COMMAND_COMMANDS_H

#include "app/options/options.h"
#include "render/backend.h"
#include "render/files/image.h"
#include "render/files/scene.h"

int command_explore(const struct options *options);
int command_motion(const struct options *options);
int command_render(const struct options *options);
int command_movie(const struct options *options);
int command_density(const struct options *options);
int command_density_merge(const struct options *options); /* density --merge */
int command_verify(const struct options *options);
int command_locate(const struct options *options);
int command_compare(const struct options *options);
int command_info(const struct options *options);
int command_list(const struct options *options);
extern const char *const list_names[]; /* arguments of command_list, NULL-terminated */
/* Replaces this process with fathom-lab, for `lab`, `classic` and `bench` (except bench motion and
 * bench dive). Returns only if fathom-lab cannot be started. */
int command_lab(const struct options *options);

/* Loads a file, or else the example view of that name (assets.h), into an initialised scene.
 * Returns false on failure; the reason is logged. */
bool command_load_scene(struct scene *scene, const char *name);
/* Checks the files of `count` pictures before any work. Returns false if an output is an input
 * (view, picture, script, settings, recent locations, palette, image) or another output, under
 * whatever name (same_file.h); the conflict is logged. Only --resume may continue the file that it
 * reads. (file_uses.c) */
bool file_uses_check(const struct options *options, size_t count);
/* Checks the scene's image, which a view can name, in the same way. The scene must be complete. */
bool file_uses_check_scene(const struct options *options, size_t count, const struct scene *scene);

/* Loads options->arguments[0], if there is one, into an initialised scene, then overrides it by the
 * options. Shared by all commands that draw. Returns false on failure; the reason is logged. */
bool command_scene(const struct options *options, struct scene *scene);
/* Overrides an initialised scene by the options, and checks the result. Returns false on failure;
 * the reason is logged. */
bool command_scene_override(const struct options *options, struct scene *scene);
/* Returns false if this build lacks the format of the picture `path`, or if its ending names a
 * format that is not supported and --format is not given; the reason is logged. `path` may be
 * NULL. */
bool command_picture_name_fits(const struct options *options, const char *path);
/* Checks before the work that all outputs can be written. Returns false if not; the reason is
 * logged. */
bool command_outputs_possible(const struct options *options);
/* A still picture: drawn by render, checked by verify. */
struct command_still {
    const struct options *options;
    struct scene scene;
    struct frame_req req;
    bool recoloured; /* the samples are those of a file (recolour.h) */
    struct backend *backend;
    double decided_ms;           /* [ms] time spent on deciding the number type */
    struct exact_samples *exact; /* NULL: nothing is iterated exactly */
};
/* command_still_init sets the scene and the request. command_still_start opens the backend,
 * searches the limit and the colours if requested, decides the number type, and prepares exact
 * samples if the scene has them. Both return false on failure; the reason is logged unless it is an
 * interrupt. Call command_still_close in any case. (command_render.c) */
bool command_still_init(struct command_still *still, const struct options *options);
bool command_still_start(struct command_still *still);
void command_still_close(struct command_still *still);
/* Sets *backend to a backend that supports the request's route and number type. Keeps the backend
 * that *backend already names, if that supports them and is not lost. Otherwise closes it (NULL is
 * allowed) and opens the backend that the options name, or else the best. Returns false on failure;
 * the reason is logged. (command_render.c) */
bool command_backend_start(const struct options *options, const struct frame_req *req,
                           struct backend **backend);
/* Opens the backend that the options name, or else the best backend for counting orbits. Returns
 * NULL on failure; the reason is logged. */
struct backend *command_density_backend(const struct options *options);
/* Returns the name of a property in which the counts of `a` and `b` differ, or NULL if there is
 * none. */
const char *command_density_difference(const struct density_req *a, const struct density_req *b);
/* Returns the backend options of the command line. */
struct backend_options command_backend_options(const struct options *options);

/* Objects that live as long as the explorer's window, with the window (command_explore.c). */
struct explore_parts;
struct loop_watch;
struct script;
struct window;
/* Opens the explorer for scripts: no display is needed. Returns NULL on failure; the reason is
 * logged. */
struct explore_parts *explore_open(const struct options *options);
/* Closes the explorer; NULL is allowed. */
void explore_close(struct explore_parts *parts);
struct window *explore_window(struct explore_parts *parts);
/* Runs the explorer once, from `scene`, by `script`; takes over both. Returns the exit status, as
 * command_explore. */
int explore_scripted(struct explore_parts *parts, const struct options *options,
                     struct scene *scene, struct script *script, const struct loop_watch *watch);

#endif
