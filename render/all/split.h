/* How a picture's rows are split among devices of different speed: which rows a device is given
 * next. Pure functions. */
#ifndef FATHOM_RENDER_ALL_SPLIT_H
#define FATHOM_RENDER_ALL_SPLIT_H

#define SPLIT_DEVICES   4  /* the most devices */
#define SPLIT_BANDS     64 /* no band, but for three, is a smaller part of the rows */
#define SPLIT_BANDS_MAX (SPLIT_BANDS + 3)

/* Rows 0 .. above - 1, and those from `below` on, are in no band yet. */
struct split {
    int height, above, below;
};

/* What lies about row `focus` comes first. Bands begin at multiples of FRAME_STRIDE_MAX rows. */
void split_init(struct split *split, int height, int focus);
int split_left(const struct split *split);

/* Which of a set of devices is the fastest, -1 without any. `speeds` has one for each device, in any
 * unit; of those that are not known, 0, the first is taken for the fastest. */
int split_fastest(const double speeds[SPLIT_DEVICES], unsigned set);
/* How many of the rows that are left, of which there are some, a device of the set `able` is given
 * next: a part of its share, so that what was wrong about speeds is made up for by the next ones;
 * few where speeds are not known. 0: the others are done with them sooner. Never 0 for the
 * fastest. */
int split_rows(const struct split *split, const double speeds[SPLIT_DEVICES], unsigned able,
               int device);
/* Takes a band of so many rows, as far as that goes, y0 .. y1 - 1. */
void split_cut(struct split *split, int rows, int *y0, int *y1);

#endif
