/* The paper's figures about CPUs. */
#ifndef FATHOM_LAB_PAPER_PAPER_PLOTS_H
#define FATHOM_LAB_PAPER_PAPER_PLOTS_H

#include "lab/paper/paper.h"

/* Figures `first` to `first` + 2: time, speedup and efficiency by threads, of two programs. */
void paper_plot_scaling(struct paper *paper, int first, enum paper_id theirs, enum paper_id ours);
void paper_plot_types(struct paper *paper);       /* 5: float and double */
void paper_plot_ratio_bars(struct paper *paper);  /* 7: one thread, against the reference */
void paper_plot_time_bars(struct paper *paper);   /* 8: one thread */
void paper_plot_time_lines(struct paper *paper);  /* 9: by threads, at the largest resolution */
void paper_plot_ratio_lines(struct paper *paper); /* 10: by threads, against the reference */

#endif
