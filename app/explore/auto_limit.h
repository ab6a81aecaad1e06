/* The automatic limit: from the statistics of complete pictures to the limit of the next one, and
 * what to say about it. Knows neither backends nor windows.
 *
 * At one place the limit only ever rises, which goes on with the orbits that are there. It falls
 * when the zoom changes, where nothing is shared anyway, and only if less than a quarter of it is
 * needed. */
#ifndef FATHOM_APP_EXPLORE_AUTO_LIMIT_H
#define FATHOM_APP_EXPLORE_AUTO_LIMIT_H

#include "render/statistics.h"
#include "render/view.h"
#include <stdbool.h>
#include <stddef.h>

#define AUTO_LIMIT_LEAST 200u /* a view is never guessed to need less */
#define AUTO_LIMIT_MOST  (1u << 26)

enum auto_limit_why {
    AUTO_LIMIT_MORE,    /* raised: many pixels escape only near the limit, or nothing does */
    AUTO_LIMIT_ENOUGH,  /* hardly anything escapes near it */
    AUTO_LIMIT_NOTHING, /* nothing escapes, as far as it makes sense to try at this depth */
    AUTO_LIMIT_SLOW,    /* more would take too long */
    AUTO_LIMIT_END,     /* AUTO_LIMIT_MOST */
};

/* What a complete picture says. A limit other than the present one means MORE. */
struct auto_limit_choice {
    uint32_t limit;
    enum auto_limit_why why;
    uint32_t need; /* the least limit that would do here; 0: not known */
    /* 0 .. 1, of all pixels: those that escape in the upper half of their counts' range, */
    double late;
    uint32_t half; /* which begins there */
    double missed; /* 0 .. 1, of all pixels: those that would escape with a higher limit */
};

/* Pure. The picture was drawn with `limit` at a zoom of 2^depth; iterations_per_ms: of the backend,
 * 0 when not known. In motion only a shortage that cannot be overlooked raises it. */
struct auto_limit_choice auto_limit_choose(const struct statistics *statistics, uint32_t limit,
                                           double depth, double iterations_per_ms, bool moving);
/* The depth of a view for these functions: log2 of its zoom. */
double auto_limit_depth(const struct view *view);
/* The next round number: 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten. */
uint32_t auto_limit_round(double limit);

/* Zero-initialised it is off; with `on` alone it tells only where it cannot do what is needed. */
struct auto_limit {
    bool on;
    bool asked;  /* it was switched on by hand: what it settles on first is told, too */
    bool untold; /* there is something new to say */
    /* while it is off: much of the last picture would differ with a higher limit */
    bool undecided;
    uint32_t limit;    /* the last one that came from here; another one was set elsewhere */
    double depth;      /* that it is for */
    uint32_t from;     /* the limit of the last picture seen, 0: none; */
    double from_depth; /* where that was, */
    struct auto_limit_choice choice; /* and what it said */
};

/* Switches it on or off, as its key and its row of the panel do. */
void auto_limit_switch(struct auto_limit *automatic, bool on);
/* Forgets the pictures seen: the next limit was set elsewhere, and is where it begins. */
void auto_limit_forget(struct auto_limit *automatic);
/* The limit for a view at 2^depth whose limit is `limit` now: another one where the zoom has
 * changed. */
uint32_t auto_limit_follow(struct auto_limit *automatic, uint32_t limit, double depth);
/* Takes note of a complete picture; the limit to go on with: while it is off the same. */
uint32_t auto_limit_judge(struct auto_limit *automatic, const struct statistics *statistics,
                          uint32_t limit, double depth, double iterations_per_ms, bool moving);
/* Once for each limit that it settled on, where that is to be told: what it is and why, in one
 * line; while it is off, once, that much of the picture is undecided. False: nothing to say. */
bool auto_limit_tell(struct auto_limit *automatic, char *text, size_t size);

#endif
