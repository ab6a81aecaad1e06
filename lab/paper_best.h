/* The sentence below each of the paper's tables: how ours compares with the best of its programs. */
#ifndef FATHOM_LAB_PAPER_BEST_H
#define FATHOM_LAB_PAPER_BEST_H

#include "lab/paper.h"

/* The fastest rows of a table, by resolution. Zeroed at first. */
struct paper_best {
    struct {
        double ms; /* 0: none */
        const char *name;
        int threads;                /* 0: a GPU's row */
    } rows[PRINTED_RESOLUTIONS][2]; /* theirs, ours */
};

/* NaN is no row. */
void paper_best_take(struct paper_best *best, int place, bool ours, double ms, const char *name,
                     int threads);
void paper_best_say(const struct paper *paper, const struct paper_best *best);

#endif
