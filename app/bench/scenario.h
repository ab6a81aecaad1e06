/* Scenarios: the motions of `fathom bench motion` and `bench dive`, as scripts
 * (app/script/script.h). */
#ifndef FATHOM_APP_BENCH_SCENARIO_H
#define FATHOM_APP_BENCH_SCENARIO_H

#include <stdio.h>

struct scenario {
    const char *name, *what;
    double zoom;    /* initial zoom; 0: the view's */
    double to_zoom; /* final zoom, if there is enough time; 0: none */
    double speed;   /* speed of a held zoom as a multiple of the usual one */
    double seconds; /* default duration */
    void (*move)(FILE *script, double seconds);
};

/* All scenarios; the last entry has no name. */
extern const struct scenario scenarios[];

/* Returns a held zoom about the middle, by `way` e-folds from the whole set, in `seconds`. */
struct scenario scenario_dive(double way, double seconds);

/* Returns the scenario's script: it waits for the first picture, marks "moving", moves for
 * `seconds`, marks "stopped" and waits for the exact picture. The caller frees it. Returns NULL
 * if there is no memory. */
char *scenario_script(const struct scenario *scenario, double seconds);

#endif
