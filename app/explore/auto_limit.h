/* Automatic limit: chooses the next iteration limit from the statistics of complete pictures, and
 * reports the limit. The functions are independent of backends and windows.
 *
 * At one place the limit only rises, which continues the iterated orbits. It falls when the zoom
 * changes and less than a quarter of the limit is needed: no orbits are shared then. */
#ifndef FATHOM_APP_EXPLORE_AUTO_LIMIT_H
#define FATHOM_APP_EXPLORE_AUTO_LIMIT_H

#include "render/statistics.h"
#include "render/view.h"
#include <stdbool.h>
#include <stddef.h>

#define AUTO_LIMIT_LEAST 200u /* minimum limit that is guessed for a view */
#define AUTO_LIMIT_MOST  (1u << 26)

enum auto_limit_why {
    AUTO_LIMIT_MORE,    /* raised: many pixels escape only near the limit, or none does */
    AUTO_LIMIT_ENOUGH,  /* hardly any pixel escapes near it */
    AUTO_LIMIT_NOTHING, /* nothing escapes up to the highest sensible limit at this depth */
    AUTO_LIMIT_SLOW,    /* more would take too long */
    AUTO_LIMIT_END,     /* AUTO_LIMIT_MOST */
};

/* Choice for a complete picture. A limit other than the present one means MORE. */
struct auto_limit_choice {
    uint32_t limit;
    enum auto_limit_why why;
    uint32_t need; /* lowest limit that is enough here; 0: unknown */
    double late;   /* 0 .. 1; share of pixels that escape in the upper half of the counts' range */
    uint32_t half; /* count at which the upper half begins */
    double missed; /* 0 .. 1; share of pixels that would escape with a higher limit */
};

/* Returns the choice for a picture that was drawn with `limit` at a zoom of 2^depth; pure.
 * iterations_per_ms: speed of the backend; 0: unknown. In motion only an obvious shortage raises
 * the limit. */
struct auto_limit_choice auto_limit_choose(const struct statistics *statistics, uint32_t limit,
                                           double depth, double iterations_per_ms, bool moving);
/* Returns the depth of a view for these functions: log2 of its zoom. */
double auto_limit_depth(const struct view *view);
/* Returns the next round number: 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten. */
uint32_t auto_limit_round(double limit);

/* Zero-initialised: off. With `on` alone it reports only limits that it cannot raise enough. */
struct auto_limit {
    bool on;
    bool requested;    /* it was switched on by hand: its first final limit is reported, too */
    bool unreported;   /* there is something to report */
    bool undecided;    /* while it is off: a higher limit would change much of the last picture */
    uint32_t limit;    /* last limit from here; other ones were set elsewhere */
    double depth;      /* depth that `limit` is for */
    uint32_t from;     /* limit of the last judged picture; 0: none */
    double from_depth; /* depth of that picture */
    struct auto_limit_choice choice; /* for that picture */
};

/* Switches it on or off, as its key and its row of the panel do. */
void auto_limit_switch(struct auto_limit *automatic, bool on);
/* Forgets the judged pictures: the next limit was set elsewhere and is the new start. */
void auto_limit_reset(struct auto_limit *automatic);
/* Returns the limit for a view at 2^depth with the present limit: another one if the zoom has
 * changed. */
uint32_t auto_limit_follow(struct auto_limit *automatic, uint32_t limit, double depth);
/* Judges a complete picture and returns the next limit; while it is off, the present one. */
uint32_t auto_limit_judge(struct auto_limit *automatic, const struct statistics *statistics,
                          uint32_t limit, double depth, double iterations_per_ms, bool moving);
/* Stores a one-line message: once for each final limit that is to be reported, or, while it is off,
 * once if much of the picture is undecided. Returns false if there is nothing to report. */
bool auto_limit_message(struct auto_limit *automatic, char *text, size_t size);

#endif
