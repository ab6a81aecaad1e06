/* Memory streams: measure the speed of the CPU's memory when adding vectors and when copying. */
#ifndef FATHOM_LAB_ROOFLINE_STREAMS_H
#define FATHOM_LAB_ROOFLINE_STREAMS_H

#include "lab/lab.h"

/* Programs over arrays of doubles; all but the first run on all threads, in equal shares. */
enum stream {
    STREAM_ADD_ONE, /* a[i] += b[i], on one thread */
    STREAM_ADD,     /* the same on all threads */
    STREAM_COPY,    /* c[i] = b[i] by memcpy, which does not read c first */
};

/* Returns the bytes that the program reads and writes for an element, without a cache's extra
 * transfers. */
int stream_bytes(enum stream stream);

struct streams {
    double *a, *b, *c;
    size_t count;
    int threads;
    int adds; /* additions to `a` so far */
};

/* Allocates arrays of small whole numbers, on huge pages if the system has them, since their
 * addresses are translated faster. Returns false without memory, which is logged. */
bool streams_init(struct streams *streams, size_t count, int threads);
void streams_finish(struct streams *streams); /* also after a failed init */

void streams_run(struct streams *streams, enum stream stream);
/* Returns true if all arrays hold the results of the runs so far, which must include a copy. */
bool streams_right(const struct streams *streams);

/* Measures seed 004's sum of two vectors and copying, and reports a table; on the GPU only if there
 * is one. Returns false on failure, which is logged. */
bool vector_add(struct lab *lab, bool gpu);

#endif
