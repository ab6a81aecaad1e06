/* Seed 002's questions about dispatching: how much at once, to whom, and in steps of how many. */
#ifndef FATHOM_LAB_MODES_MODES_DISPATCH_H
#define FATHOM_LAB_MODES_MODES_DISPATCH_H

#include "lab/modes/modes_rows.h"

/* On a view whose expected counts are there. False: a result was wrong, or something failed. */
bool modes_dispatch(struct modes_run *run, struct modes_view *view);

#endif
