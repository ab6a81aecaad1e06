/* The programs on the CPU that the paper's experiment runs: the paper's and ours. */
#ifndef FATHOM_LAB_PAPER_PAPER_PROGRAMS_H
#define FATHOM_LAB_PAPER_PAPER_PROGRAMS_H

#include "lab/paper/paper_loops.h"
#include "render/frame.h"

/* Counts that must be the same: by number type and by how steps are rounded. */
enum paper_counts {
    COUNTS_UNFUSED = PAPER_UNFUSED,
    COUNTS_FMA = PAPER_FMA,
    COUNTS_CONTRACTED = PAPER_CONTRACTED,
    COUNTS_WIDE = PAPER_CONTRACTED_WIDE,
    COUNTS_FUSED = PAPER_ROUNDING_COUNT, /* ARITHMETIC_FUSED */
    COUNTS_LISTED,                       /* listing 4's test instead of |z|^2 >= 4: unfused, */
    COUNTS_LISTED_FMA,                   /* and with FMA */
    COUNTS_COUNT
};

enum paper_id {
    NORM_STATIC, /* one thread: table 1's */
    NORM_DYNAMIC,
    NORM_ROWS,
    NORM_FLOAT,
    ABS,
    SQRT,
    MENDED, /* the first with a rounding is what others are compared with */
    MENDED_FMA,
    MENDED_FLOAT,
    MENDED_FLOAT_FMA,
    CONTRACTED,
    CONTRACTED_FLOAT,
    CONTRACTED_TYPED_FLOAT,
    VECTOR,
    VECTOR_FMA,
    VECTOR_FLOAT,
    VECTOR_FLOAT_FMA,
    OURS,
    OURS_FUSED,
    OURS_FLOAT,
    OURS_FLOAT_FUSED,
    OURS_ALL,
    OURS_ALL_FUSED,
    OURS_ALL_FLOAT,
    OURS_ALL_FLOAT_FUSED,
    PAPER_ID_COUNT
};

struct paper_program {
    const char *name;
    enum { SCALAR, VECTORS, COUNTED } kind; /* the last is ours, lab/count/count.h */
    enum number_type type;
    enum paper_counts counts;
    enum { AT_ONE, AT_ALL, AT_EACH } threads; /* of struct paper's: the first, the last, all */
    enum paper_test test;
    bool fixed;         /* OpenMP's static schedule */
    bool rows;          /* a chunk is a row, else one pixel or vector */
    bool listed;        /* listing 4's test */
    bool small;         /* left out above 1000, where it would take minutes */
    unsigned shortcuts; /* COUNTED */
};

extern const struct paper_program paper_programs[PAPER_ID_COUNT];

#endif
