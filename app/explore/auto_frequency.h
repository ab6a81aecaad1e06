/* Automatic colour frequency: chooses from the counts of a small picture how fast colours change
 * from one count to the next. Independent of backends and windows.
 *
 * The frequency is the palette's own as long as most counts lie within a turn or two and the counts
 * of neighbours are near each other. Otherwise the samples of a pixel would have all colours and
 * mix to grey. Frequency and offset are functions of those counts and of the palette's offset
 * alone, so a place always has the same colours. The lowest counts keep their colour, so a sky
 * stays the same while the view moves. Colours change gradually from frame to frame, but at once if
 * nothing of the view was seen before.
 *
 * Deep means along orbits are nearly those of the steps that all orbits share. Their differences
 * are as small as the relative differences of the counts. */
#ifndef FATHOM_APP_EXPLORE_AUTO_FREQUENCY_H
#define FATHOM_APP_EXPLORE_AUTO_FREQUENCY_H

#include "render/colour.h"
#include <stdbool.h>
#include <stddef.h>

#define AUTO_FREQUENCY_SIDE 64     /* [samples] longer side of the small picture */
#define AUTO_FREQUENCY_MS   1500.0 /* maximum duration of a change */

/* Frequency and offset, as in a scene. */
struct auto_frequency_colours {
    double frequency, offset;
};

/* Choice for a picture. */
struct auto_frequency_choice {
    double frequency; /* 0: nothing has escaped, so there is no choice */
    double lowest;    /* mapped count below which a tenth of the samples lie */
    double colour;    /* mapped count whose colour `lowest` has in the palette's own frequency */
};

/* Counts of a small picture whose target is done. */
struct glimpse {
    const uint32_t *count; /* count plane (sample.h) */
    size_t samples;        /* at most AUTO_FREQUENCY_SIDE^2 */
    size_t width;          /* samples of a row */
};

/* Stores the size of the small picture of a view with that many pixels. */
void auto_frequency_size(int width_px, int height_px, int *width, int *height);
/* Returns the choice for a picture; pure. Colours by other values than counts and means keep the
 * palette's frequency. */
struct auto_frequency_choice auto_frequency_choose(const struct glimpse *glimpse, enum colour_by by,
                                                   enum colour_mapping mapping);

/* Zero-initialised: off. */
struct auto_frequency {
    bool on;
    bool judged;   /* a picture was judged since it was switched on or the scene was replaced */
    bool begun;    /* `offset` and `at` are valid */
    bool goes_on;  /* a picture of the view, or of one near it, was judged */
    double offset; /* offset of the colours in the palette's own frequency */
    struct auto_frequency_colours at;   /* last colours from here; other ones were set elsewhere */
    struct auto_frequency_colours from; /* first colours of a change */
    struct auto_frequency_colours to;   /* last colours of a change */
    double turns;                       /* rotation of the lowest counts' colour in it, in turns */
    double per_frequency;               /* turns of the lowest counts per unit of frequency */
    double all_ms, left_ms;             /* duration of the change and its rest; 0: no change */
};

/* Switches it on or off. */
void auto_frequency_switch(struct auto_frequency *automatic, bool on);
/* Makes the next change immediate: the view has nothing in common with the last one. */
void auto_frequency_restart(struct auto_frequency *automatic);
/* Judges a picture in the colours `now`, whose palette has a period. `passing`: other pictures
 * follow, so only clearly different colours count. Returns true if colours begin to change. */
bool auto_frequency_judge(struct auto_frequency *automatic,
                          const struct auto_frequency_choice *choice, double period,
                          const struct auto_frequency_colours *now, bool passing);
/* Returns the colours in the palette's own frequency, which suits the whole set. */
struct auto_frequency_colours auto_frequency_own(const struct auto_frequency *automatic,
                                                 const struct auto_frequency_colours *now);
/* Returns the offset of the colours in the palette's own frequency, which only the user changes. */
double auto_frequency_offset(const struct auto_frequency *automatic,
                             const struct auto_frequency_colours *now);
/* Returns an offset after that offset has changed from `from` to `to`. */
double auto_frequency_offset_by(double offset, double from, double to);
/* Returns true while colours change. */
bool auto_frequency_changing(const struct auto_frequency *automatic);
/* Continues a change for that time, or to its end (INFINITY). Returns true if *now has changed. */
bool auto_frequency_advance(struct auto_frequency *automatic, double ms,
                            struct auto_frequency_colours *now);

#endif
