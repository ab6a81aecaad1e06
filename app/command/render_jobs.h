/* Pictures of one `fathom render` run: each has a view and output files of its own, named by
 * placeholders. */
#ifndef FATHOM_APP_COMMAND_RENDER_JOBS_H
#define FATHOM_APP_COMMAND_RENDER_JOBS_H

#include "app/options/options.h"
#include "app/work/work_list.h"

struct render_jobs {
    struct options *each; /* command line of each view; owns the names of its output files */
    char **names;         /* unique names of the views, as %n is replaced */
    size_t count;         /* number of views, at least 1 */
    char **zooms;         /* of octaves: the zoom of each view; otherwise NULL */
};

/* Fills the placeholders in -o, --data and --smooth for each view. %n is the view's name without
 * folder and ending; if an earlier view has that name, -2, -3 ... is appended. %i is the view's
 * number from 1, padded with zeros. %% is a percent sign. One view may have a file name without
 * placeholders, or with unknown ones, which is used unchanged. Returns false if several views would
 * share one file, if a placeholder is unknown, or if there is no memory; the reason is logged, and
 * nothing is to be finished. */
bool render_jobs_make(struct render_jobs *jobs, const struct options *options);
void render_jobs_finish(struct render_jobs *jobs);

/* Returns true if the command line wants octaves of an exponential map: one view, and a placeholder
 * in -o. Each octave is a view with half the zoom of the one before, from the view out to the
 * formula's home. */
bool render_jobs_are_octaves(const struct options *options);
/* Makes the jobs of the octaves, as render_jobs_make does. Returns false on failure, logged. */
bool render_jobs_make_octaves(struct render_jobs *jobs, const struct options *options);
/* Returns true if all files of a job exist. */
bool render_jobs_has(struct render_jobs *jobs, size_t index);
/* Removes the jobs whose files exist all, and the jobs of other parts. Returns the number of the
 * part's jobs; *done of them have been removed. */
size_t render_jobs_drop(struct render_jobs *jobs, const struct work_part *part, size_t *done);

#endif
