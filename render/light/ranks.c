/* Histogram equalisation: converts the histogram of a picture to its mapping, and to and from
 * text. */
#include "render/light/ranks.h"
#include "render/base/ini.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double ranks_count_at(int knot) {
    return ldexp(4 + knot % 4, knot / 4) - 4;
}

void ranks_init(struct colour_ranks *ranks) {
    for (unsigned k = 0; k < COLOUR_KNOTS; k++)
        ranks->knot[k] = COLOUR_RANKS / (COLOUR_KNOTS - 1) * k;
}

bool ranks_are_initial(const struct colour_ranks *ranks) {
    struct colour_ranks initial;
    ranks_init(&initial);
    return memcmp(ranks, &initial, sizeof initial) == 0;
}

/* Returns the number of pixels with lower counts; pixels of a bucket are assumed to be spread
 * evenly. */
static double pixels_below(const struct statistics *s, double count) {
    double sum = 0;
    for (unsigned b = statistics_bucket(s->least); b <= statistics_bucket(s->most); b++) {
        const double begin = fmax(statistics_bucket_least(b), s->least);
        const double end = fmin(statistics_bucket_least(b + 1), s->most + 1.0);
        const double part = (count - begin) / (end - begin);
        sum += (double)s->histogram[b] * fmin(fmax(part, 0), 1);
    }
    return sum;
}

bool ranks_set(struct colour_ranks *ranks, const struct statistics *statistics, double more) {
    if (statistics->least > statistics->most)
        return false;
    const double all = (double)(statistics->pixels - statistics->interior);
    for (unsigned k = 0; k < COLOUR_KNOTS; k++)
        ranks->knot[k] = (uint32_t)(COLOUR_RANKS *
                                    pixels_below(statistics, ranks_count_at((int)k) - more) / all);
    return true;
}

/* --- text --- */

void ranks_text(const struct colour_ranks *ranks, char text[RANKS_TEXT_SIZE]) {
    const uint32_t *knot = ranks->knot;
    unsigned first = 0, end = COLOUR_KNOTS;
    size_t used = 0;
    text[0] = '\0';
    if (ranks_are_initial(ranks))
        return;
    while (first + 1 < COLOUR_KNOTS && knot[first] == 0)
        first++;
    while (end > first + 1 && knot[end - 2] == knot[end - 1])
        end--;
    used = (size_t)snprintf(text, RANKS_TEXT_SIZE, "%u", first);
    for (unsigned k = first; k < end; k++)
        used += (size_t)snprintf(text + used, RANKS_TEXT_SIZE - used, " %" PRIu32, knot[k]);
}

/* Reads the next number of a text, after blanks. Returns false if there is none or it is above
 * `most`. */
static bool next_number(const char **text, uint32_t most, uint32_t *number) {
    char digits[16];
    uint64_t whole;
    *text += strspn(*text, " ");
    const size_t length = strcspn(*text, " ");
    if (length == 0 || length >= sizeof digits)
        return false;
    memcpy(digits, *text, length);
    digits[length] = '\0';
    *text += length;
    if (!ini_whole(digits, &whole) || whole > most)
        return false;
    *number = (uint32_t)whole;
    return true;
}

bool ranks_parse(struct colour_ranks *ranks, const char *text) {
    struct colour_ranks read = {{0}};
    uint32_t at, last = 0;
    if (!*text) {
        ranks_init(ranks);
        return true;
    }
    if (!next_number(&text, COLOUR_KNOTS - 1, &at))
        return false;
    for (; at < COLOUR_KNOTS; at++) {
        if (*text && (!next_number(&text, COLOUR_RANKS, &read.knot[at]) || read.knot[at] < last))
            return false;
        read.knot[at] = last = read.knot[at] > last ? read.knot[at] : last;
    }
    if (*text)
        return false;
    *ranks = read;
    return true;
}
