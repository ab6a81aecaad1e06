/* Colours that adapt: from the counts of a small picture to how fast colours change from one count to the next. Knows
 * neither backends nor windows.
 *
 * The frequency stays the palette's own as long as most of the picture's counts lie within a turn or two, and those of
 * neighbours near each other; where these are far apart, the samples of a pixel would have all colours and mix to grey.
 * Frequency and offset are functions of those counts and of the palette's offset alone, whatever was seen before: the
 * same place has the same colours again. The lowest counts keep theirs, so that a sky stays what it is while the view
 * moves on. Colours go there slowly, from frame to frame, but at once where nothing was seen of the view before.
 *
 * Means along orbits, deep down, are those of the steps that all of them share, but for a small part, which is as large as
 * that by which counts differ. */
#ifndef FATHOM_APP_EXPLORE_AUTO_FREQUENCY_H
#define FATHOM_APP_EXPLORE_AUTO_FREQUENCY_H

#include "render/colour.h"
#include <stdbool.h>
#include <stddef.h>

#define AUTO_FREQUENCY_SIDE 64     /* samples of the small picture, the longer way */
#define AUTO_FREQUENCY_MS   1500.0 /* the longest way takes so long */

/* Where colours are, as in a scene. */
struct auto_frequency_colours {
    double frequency, offset;
};

/* What a picture says. */
struct auto_frequency_choice {
    double frequency; /* 0: nothing has escaped, so it says nothing */
    double lowest;    /* mapped: about the lowest count of which there is much, */
    double colour;    /* and the one that it has the palette's own colour of */
};

/* A small picture, as a target that is done has it. */
struct glimpse {
    const uint32_t *count; /* its count plane (sample.h), */
    size_t samples;        /* of at most AUTO_FREQUENCY_SIDE^2, */
    size_t width;          /* in rows of so many */
};

/* The size of the small picture of a view with that many pixels. */
void auto_frequency_size(int width_px, int height_px, int *width, int *height);
/* Pure. Colours that go neither by counts nor by means have the palette's own frequency. */
struct auto_frequency_choice auto_frequency_choose(const struct glimpse *glimpse, enum colour_by by,
                                                   enum colour_mapping mapping);

/* Zero-initialised it is off. */
struct auto_frequency {
    bool on;
    bool
        judged; /* a picture was since it was switched on, or another scene took the last one's place */
    bool begun;                       /* it knows where colours are, */
    bool goes_on;                     /* and has judged a picture of the view, or of one near it */
    double offset;                    /* where colours are with the palette's own frequency */
    struct auto_frequency_colours at; /* the last ones from here; others were set elsewhere */
    struct auto_frequency_colours from; /* a change under way: where it began, */
    struct auto_frequency_colours to;   /* where it ends, */
    double turns;                       /* what the lowest counts' colour turns by meanwhile, */
    double per_frequency;               /* turns of those for each frequency, */
    double all_ms, left_ms;             /* how long it takes, and still; 0: there is none */
};

/* Switches it on or off, as its key and its row of the panel do. */
void auto_frequency_switch(struct auto_frequency *automatic, bool on);
/* Another view is seen, which has nothing in common with the last one: colours go at once to what suits it. */
void auto_frequency_restart(struct auto_frequency *automatic);
/* Takes note of what a picture in these colours says, whose palette has a period. `passing`: it will be followed by
 * others, so that only colours that differ clearly are gone to. True: there are others to go to. */
bool auto_frequency_judge(struct auto_frequency *automatic,
                          const struct auto_frequency_choice *choice, double period,
                          const struct auto_frequency_colours *now, bool passing);
/* Those with the palette's own frequency, which suits the whole set. */
struct auto_frequency_colours auto_frequency_own(const struct auto_frequency *automatic,
                                                 const struct auto_frequency_colours *now);
/* The offset that colours have with the palette's own frequency: only a hand changes it. */
double auto_frequency_offset(const struct auto_frequency *automatic,
                             const struct auto_frequency_colours *now);
/* An offset once that one has been changed. */
double auto_frequency_offset_by(double offset, double from, double to);
/* Whether colours are on their way. */
bool auto_frequency_goes(const struct auto_frequency *automatic);
/* Goes on for that time, or to the end (INFINITY). True: *now has changed. */
bool auto_frequency_advance(struct auto_frequency *automatic, double ms,
                            struct auto_frequency_colours *now);

#endif
