/* Guided self-scheduling of a picture's rows: bands get smaller as there are fewer rows left, so
 * that devices of any speed end at about the same time. */
#include "render/all/split.h"
#include "render/frame.h"

#define STEP         FRAME_STRIDE_MAX /* rows; coarse passes of all bands then make one grid */
#define PORTION      0.6              /* of its share that a device is given at a time */
#define PROBE        32               /* one of unknown speed gets that part of all rows, and */
#define BESIDE_PROBE 4                /* the others meanwhile that part of what is left */

static int whole_steps(int rows) {
    return (rows + STEP - 1) / STEP * STEP;
}

/* Of a band, but for the first and the last ones. */
static int least_rows(const struct split *split) {
    return whole_steps((split->height + SPLIT_BANDS - 1) / SPLIT_BANDS);
}

void split_init(struct split *split, int height, int focus) {
    const int row = focus < 0 ? 0 : focus < height ? focus : height - 1;
    split->height = height;
    split->above = split->below = row / STEP * STEP;
}

int split_left(const struct split *split) {
    return split->above + split->height - split->below;
}

int split_fastest(const double speeds[SPLIT_DEVICES], unsigned set) {
    int best = -1;
    for (int d = 0; d < SPLIT_DEVICES; d++)
        if (set >> d & 1 && (best < 0 || (speeds[best] > 0 && speeds[d] > speeds[best])))
            best = d;
    return best;
}

/* The sum of the set's speeds; 0: not all are known. */
static double sum_of(const double speeds[SPLIT_DEVICES], unsigned set) {
    double sum = 0;
    for (int d = 0; d < SPLIT_DEVICES; d++) {
        if (set >> d & 1 && !(speeds[d] > 0))
            return 0;
        sum += set >> d & 1 ? speeds[d] : 0;
    }
    return sum;
}

int split_rows(const struct split *split, const double speeds[SPLIT_DEVICES], unsigned able,
               int device) {
    const int left = split_left(split), least = least_rows(split);
    const double sum = sum_of(speeds, able);
    const double share = sum > 0 ? speeds[device] / sum * left : (double)left / BESIDE_PROBE;
    const double rows = !(speeds[device] > 0) ? (double)split->height / PROBE
                        : sum > 0             ? PORTION * share
                                              : share;
    if (share < least && sum > 0 && device != split_fastest(speeds, able))
        return 0;
    const int steps = whole_steps((int)rows);
    return steps > left ? left : steps > least ? steps : least;
}

void split_cut(struct split *split, int rows, int *y0, int *y1) {
    const int height = split->height, least = least_rows(split);
    const int below = height - split->below;
    if (split->above == split->below) { /* the first */
        const int middle = (split->above - rows / 2) / STEP * STEP, last = height - rows;
        const int from = middle < last ? middle : last / STEP * STEP;
        *y0 = split->above = from > 0 ? from : 0;
        *y1 = split->below = *y0 + rows < height ? *y0 + rows : height;
    } else if (split->above >= below) {
        *y1 = split->above;
        *y0 = split->above = split->above < rows + least ? 0 : split->above - rows;
    } else {
        *y0 = split->below;
        *y1 = split->below = below < rows + least ? height : split->below + rows;
    }
}
