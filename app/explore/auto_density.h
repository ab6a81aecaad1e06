/* Colours that adapt: from the statistics of a complete picture to how fast colours change from one
 * count to the next. Knows neither backends nor windows.
 *
 * The frequency stays the palette's own as long as most of the picture's counts lie within a turn or two.
 * Another one keeps the colour of the median, so it is the others that move; in small steps, from frame
 * to frame. A frequency that has been found stays until it is wrong by half.
 *
 * Means along orbits, deep down, are those of the steps that all of them share, but for a small part, which is as large as
 * that by which counts differ. */
#ifndef FATHOM_APP_EXPLORE_AUTO_DENSITY_H
#define FATHOM_APP_EXPLORE_AUTO_DENSITY_H

#include "render/colour.h"
#include "render/statistics.h"
#include <stdbool.h>

#define AUTO_DENSITY_MS 400.0 /* from one frequency to another */

/* Where colours are, as in a scene. */
struct auto_density_colours {
    double frequency, offset;
};

/* What a complete picture says. */
struct auto_density_choice {
    double frequency; /* 0: nothing has escaped, so it says nothing */
    double median;    /* mapped */
};

/* Pure. Colours that go neither by counts nor by means have the palette's own frequency. */
struct auto_density_choice auto_density_choose(const struct statistics *statistics,
                                               enum colour_by by, enum colour_mapping mapping);

/* Zero-initialised it is off. */
struct auto_density {
    bool on;
    bool begun;                       /* it knows where colours are */
    double offset;                    /* where colours are with the palette's own frequency */
    struct auto_density_colours at;   /* the last ones from here; others were set elsewhere */
    struct auto_density_colours from; /* a change under way: where it began, */
    struct auto_density_colours to;   /* where it ends, */
    double turns;                     /* and what the median's colour turns by meanwhile */
    double per_frequency;             /* turns of the median for each frequency */
    double left_ms;                   /* 0: there is none */
};

/* Switches it on or off, as its key and its row of the panel do. */
void auto_density_switch(struct auto_density *automatic, bool on);
/* Takes note of what a complete picture in these colours says, whose palette has a period. True: there is
 * another frequency to go to. */
bool auto_density_judge(struct auto_density *automatic, const struct auto_density_choice *choice,
                        double period, const struct auto_density_colours *now);
/* Those with the palette's own frequency, which suits the whole set. */
struct auto_density_colours auto_density_own(const struct auto_density *automatic,
                                             const struct auto_density_colours *now);
/* Whether colours are on their way. */
bool auto_density_goes(const struct auto_density *automatic);
/* Goes on for that time, or to the end (INFINITY). True: *now has changed. */
bool auto_density_advance(struct auto_density *automatic, double ms,
                          struct auto_density_colours *now);

#endif
