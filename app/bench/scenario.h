/* What `fathom bench motion` and `bench dive` do in the window, each as a script (app/script/script.h). */
#ifndef FATHOM_APP_BENCH_SCENARIO_H
#define FATHOM_APP_BENCH_SCENARIO_H

#include <stdio.h>

struct scenario {
    const char *name, *what;
    double zoom;    /* where it begins; 0: at that of the view */
    double to_zoom; /* where it ends, if the time suffices; 0: with the time */
    double speed;   /* of a held zoom, in times the usual one */
    double seconds; /* how long it lasts unless that is told */
    void (*move)(FILE *script, double seconds);
};

/* Ends with an entry without a name. */
extern const struct scenario scenarios[];

/* A held zoom about the middle, from the whole set `way` e-folds in, all in that time. */
struct scenario scenario_dive(double way, double seconds);

/* The scenario's script: it waits for the first picture, marks "moving", moves for so long, marks
 * "stopped" and waits for the exact picture. The caller frees it. NULL: no memory. */
char *scenario_script(const struct scenario *scenario, double seconds);

#endif
