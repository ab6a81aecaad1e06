/* The pictures of one run of `fathom render`: a view each, with files of its own that placeholders name. */
#ifndef FATHOM_APP_COMMAND_RENDER_JOBS_H
#define FATHOM_APP_COMMAND_RENDER_JOBS_H

#include "app/options/options.h"

struct render_jobs {
    struct options *each; /* the command line as if it had one view; names of files are the jobs' */
    char **names;         /* of the views, each another one, as %n stands for them */
    size_t count;         /* 1 at least */
};

/* Fills what stands in -o, --data and --smooth for each view: %n its name without folder and ending (with -2, -3 ... behind
 * it where an earlier one has that name), %i its number from 1, with zeros in front, %% a percent sign. One view may go to
 * a file without placeholders, or with unknown ones, whose name is taken as it is. False: several would go to one file, a placeholder is unknown,
 * or there is no memory, logged; there is nothing to finish. */
bool render_jobs_make(struct render_jobs *jobs, const struct options *options);
void render_jobs_finish(struct render_jobs *jobs);

#endif
