/* How fast the CPU's memory is: adding vectors, and what moving numbers costs at all. */
#ifndef FATHOM_LAB_ROOFLINE_STREAMS_H
#define FATHOM_LAB_ROOFLINE_STREAMS_H

#include "lab/lab.h"

/* Programs over arrays of doubles; all but the first on all threads, in equal shares. */
enum stream {
    STREAM_ADD_ONE, /* a[i] += b[i], on one thread */
    STREAM_ADD,     /* the same */
    STREAM_COPY,    /* c[i] = b[i] by memcpy, which does not read c first */
};

/* Bytes that the program reads and writes for an element; what a cache adds does not count. */
int stream_bytes(enum stream stream);

struct streams {
    double *a, *b, *c;
    size_t count;
    int threads;
    int adds; /* that a has seen */
};

/* Arrays of small whole numbers, on pages of megabytes where the system gives them, whose addresses
 * cost less to find. False: no memory, logged. */
bool streams_init(struct streams *streams, size_t count, int threads);
void streams_finish(struct streams *streams); /* also after a failed init */

void streams_run(struct streams *streams, enum stream stream);
/* Whether all arrays hold what the runs so far, a copy among them, make of them. */
bool streams_right(const struct streams *streams);

/* Seed 004's sum of two vectors, against what copying costs, as a table. On the GPU only where there
 * is one. False: failed (logged). */
bool vector_add(struct lab *lab, bool gpu);

#endif
