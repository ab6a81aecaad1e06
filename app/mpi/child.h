/* Child: the fathom next to this program, as a process that ends with this one. A child that fails
 * costs its piece and not the ranks, and MPI and the devices' libraries do not meet. */
#ifndef FATHOM_APP_MPI_CHILD_H
#define FATHOM_APP_MPI_CHILD_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#define CHILD_SAID 1000 /* [bytes] */

struct child {
    char **words; /* fathom's command line; the first is set here, and the last is NULL */
    bool quiet;   /* standard output is dropped, and standard error kept for child_said */

    pid_t process; /* 0: ended */
    FILE *errors;
};

/* Starts fathom with words and quiet. Returns false on failure, which is logged. */
bool child_start(struct child *child);
/* Returns true if the child has ended, and its exit status in *status. */
bool child_has_ended(struct child *child, int *status);
/* Stores the beginning of the messages of a quiet child that has ended. */
void child_said(struct child *child, char said[static CHILD_SAID]);

#endif
