/* The sentence below each of the paper's tables: how ours compares with the best of its programs. */
#ifndef FATHOM_LAB_PAPER_PAPER_BEST_H
#define FATHOM_LAB_PAPER_PAPER_BEST_H

#include "lab/paper/paper.h"

enum paper_side {
    PAPER_THEIRS,
    PAPER_OURS,     /* every step done, as in theirs */
    PAPER_OURS_ALL, /* with shortcuts, or without them where that is faster */
    PAPER_SIDES
};

struct paper_best_row {
    double ms; /* 0: none */
    const char *name;
    int threads; /* 0: a GPU's row */
};

/* The fastest rows of a table, by resolution. Zeroed at first. */
struct paper_best {
    struct paper_best_row rows[PRINTED_RESOLUTIONS][PAPER_SIDES];
};

enum paper_side paper_side(bool ours, unsigned shortcuts);
/* What is taken as PAPER_OURS is of PAPER_OURS_ALL too. NaN is no row. */
void paper_best_take(struct paper_best *best, int place, enum paper_side side, double ms,
                     const char *name, int threads);
/* Both of ours against theirs. */
void paper_best_say(const struct paper *paper, const struct paper_best *best);

#endif
