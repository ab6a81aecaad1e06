/* What a table of modes comes to, in sentences, and what must hold in it. */
#ifndef FATHOM_LAB_MODES_MODES_TELL_H
#define FATHOM_LAB_MODES_MODES_TELL_H

#include "lab/modes/modes_rows.h"

struct modes_question {
    bool ours;
    int number;      /* enum mfunc_number; -1: any */
    bool same_steps; /* no shortcuts, no guesses */
    int gpu;         /* -1: wherever; else 0 or 1 */
};

/* The fastest of a kind; NULL: none was timed. */
const struct racer *modes_fastest(const struct modes_rows *rows, struct modes_question q);
/* How many times as fast ours is as the seed's: best against best, and with the same steps done. */
void modes_tell_best(struct report *report, const struct modes_rows *rows);

/* Bars of the times with the widest vectors, of the seed's scalar modes, and on the GPU; a series for
 * every type. */
void modes_plot(struct report *report, const struct modes_rows *rows, const char *id,
                const char *title);

/* Those that guess nothing have the right counts, and those that guess nearly. */
bool modes_check_exact(struct report *report, const struct modes_rows *rows);
bool modes_check_guesses(struct report *report, const struct modes_rows *rows);

#endif
