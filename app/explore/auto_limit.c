/* Automatic limit: estimates from the pixels of a complete picture that escape late how many are
 * still missing. */
#include "app/explore/auto_limit.h"
#include <math.h>
#include <stdio.h>

#define MISSED        0.0008 /* share of pixels that may escape in LATER octaves above the limit */
#define MISSED_MOVING 0.02   /* the same in motion */
#define MISSED_LEAST  0.01   /* minimum share that is reported without a request */
#define LATER         4      /* octaves above the limit that are estimated */
/* About half as many pixels escape in each further octave, wherever the set's border is. The
 * measured ratio of a picture has the more weight the more pixels there are. */
#define THINNING        0.5
#define THINNING_MIN    0.3
#define THINNING_MAX    0.65
#define THINNING_PIXELS 100.0 /* weight of THINNING */
#define RAISE_MIN       0.25  /* octaves of one raise */
#define RAISE_MAX       2.0
/* Limits that are needed grow with depth + HOME_DEPTH. If nothing escapes, limits up to
 * NOTHING_MOST times its square are tried. At another zoom at most NOTHING_KEPT times the square is
 * kept of them. */
#define NOTHING_MOST   200.0
#define NOTHING_KEPT   20.0
#define HOME_DEPTH     4.0
#define ONSET          0.1 /* if a smaller share has escaped, and all near the limit, more follow */
#define SLOW_MS        10000.0 /* maximum duration of a raise; any input ends it */
#define SLOW_MOVING_MS 100.0   /* the same in motion */
#define SLACK          0.1     /* relative amount by which a round number may be lower */
#define SPARE          4.0     /* a limit this many times too high is lowered at another zoom */
#define KEPT_SPARE     2.0     /* multiple of the need that it is lowered to */

uint32_t auto_limit_round(double limit) {
    static const double rungs[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
    const double wanted = fmin(fmax(limit, 1), AUTO_LIMIT_MOST);
    const double power = pow(10, floor(log10(wanted)));
    size_t rung = 0;
    while (rungs[rung] * power < wanted / (1 + SLACK))
        rung++;
    return (uint32_t)fmin(ceil(rungs[rung] * power), AUTO_LIMIT_MOST);
}

double auto_limit_depth(const struct view *view) {
    return 2 - view_step_log2(view, 1);
}

/* --- estimates from a picture --- */

/* Returns about how many escaped pixels have counts above `count`; within a bucket they are treated
 * as spread evenly. */
static double pixels_above(const struct statistics *s, double count) {
    double sum = 0;
    if (count >= s->most)
        return 0;
    for (unsigned b = statistics_bucket(s->least); b <= statistics_bucket(s->most); b++) {
        const double low = fmax(statistics_bucket_least(b), s->least);
        const double high = fmin(statistics_bucket_least(b + 1), s->most + 1.0);
        const double part = (high - fmax(low, count + 1)) / (high - low);
        sum += (double)s->histogram[b] * fmin(fmax(part, 0), 1);
    }
    return sum;
}

/* Tail of the counts' distribution. The excess over the lowest count thins out, because all counts
 * exceed that. */
struct tail {
    double least, excess; /* lowest count; limit - least */
    double late;          /* pixels in the last octave of the excess */
    double thinning;      /* estimated ratio from octave to octave */
    double missed;        /* pixels expected in the LATER octaves above the limit */
};

static struct tail tail_at(const struct statistics *s, double limit) {
    struct tail tail = {.least = s->least, .excess = fmax(limit - s->least, 1)};
    const double all = pixels_above(s, limit);
    const double last = pixels_above(s, s->least + tail.excess / 2) - all;
    const double before = pixels_above(s, s->least + tail.excess / 4) - all - last;
    double part = last;
    tail.late = last;
    tail.thinning = (last + THINNING * THINNING_PIXELS) / (before + THINNING_PIXELS);
    tail.thinning = fmin(fmax(tail.thinning, THINNING_MIN), THINNING_MAX);
    for (int octave = 0; octave < LATER; octave++) {
        part *= tail.thinning;
        tail.missed += part;
    }
    return tail;
}

/* Returns the lowest bucket limit above which hardly any pixel escapes or would escape. */
static uint32_t need_of(const struct statistics *s, uint32_t limit) {
    const double most = MISSED * (double)s->pixels;
    for (unsigned b = statistics_bucket(s->least) + 1; statistics_bucket_least(b) < limit; b++) {
        const double at = statistics_bucket_least(b);
        if (pixels_above(s, at) <= most && tail_at(s, at).missed <= most)
            return (uint32_t)at;
    }
    return limit;
}

/* --- choosing --- */

static bool affordable(const struct statistics *s, uint32_t from, uint32_t to,
                       double iterations_per_ms, double most_ms) {
    return !(iterations_per_ms > 0) ||
           (double)s->interior * ((double)to - from) <= most_ms * iterations_per_ms;
}

static uint32_t raise_by(const struct tail *tail, double missed) {
    const double ratio = tail->missed / missed;
    const double octaves = log2(ratio) / log2(1 / tail->thinning);
    const double limit =
        tail->least + tail->excess * exp2(fmin(fmax(octaves, RAISE_MIN), RAISE_MAX));
    return auto_limit_round(fmax(limit, (1 + 2 * SLACK) * (tail->least + tail->excess)));
}

static void choose_raise(struct auto_limit_choice *choice, const struct statistics *s, uint32_t to,
                         double iterations_per_ms, bool moving) {
    const double most_ms = moving ? SLOW_MOVING_MS : SLOW_MS;
    const uint32_t from = choice->limit;
    if (to > from && affordable(s, from, to, iterations_per_ms, most_ms))
        choice->limit = to;
    choice->why = choice->limit > from      ? AUTO_LIMIT_MORE
                  : from >= AUTO_LIMIT_MOST ? AUTO_LIMIT_END
                                            : AUTO_LIMIT_SLOW;
}

static double levels(double depth) {
    return fmax(depth, 0) + HOME_DEPTH;
}

/* Chooses a limit if nothing has escaped, so there are no counts. */
static void choose_blindly(struct auto_limit_choice *choice, const struct statistics *s,
                           double depth, double iterations_per_ms, bool moving) {
    const uint32_t most = auto_limit_round(NOTHING_MOST * levels(depth) * levels(depth));
    choice->missed = 1; /* the highest possible share */
    const uint32_t to = auto_limit_round(fmin(4.0 * choice->limit, most));
    if (choice->limit >= most)
        choice->why = AUTO_LIMIT_NOTHING;
    else
        choose_raise(choice, s, to, iterations_per_ms, moving);
}

/* Returns a higher limit if the escaped pixels require it, else `limit`. */
static uint32_t wanted(const struct statistics *s, const struct tail *tail, uint32_t limit,
                       bool moving) {
    const double pixels = (double)s->pixels, escaped = pixels - (double)s->interior;
    if (s->interior > 0 && tail->missed > (moving ? MISSED_MOVING : MISSED) * pixels)
        return raise_by(tail, MISSED * pixels);
    return escaped < ONSET * pixels && limit < 2.0 * s->least ? auto_limit_round(2.5 * s->least)
                                                              : limit;
}

struct auto_limit_choice auto_limit_choose(const struct statistics *s, uint32_t limit, double depth,
                                           double iterations_per_ms, bool moving) {
    struct auto_limit_choice choice = {.limit = limit, .why = AUTO_LIMIT_ENOUGH};
    if (s->least > s->most) {
        choose_blindly(&choice, s, depth, iterations_per_ms, moving);
        return choice;
    }
    const struct tail tail = tail_at(s, limit);
    choice.late = tail.late / (double)s->pixels;
    choice.half = (uint32_t)(tail.least + tail.excess / 2);
    choice.missed = tail.missed / (double)s->pixels;
    choice.need = need_of(s, limit);
    const uint32_t to = wanted(s, &tail, limit, moving);
    if (to > limit || (limit >= AUTO_LIMIT_MOST && tail.missed > MISSED * (double)s->pixels))
        choose_raise(&choice, s, to, iterations_per_ms, moving);
    return choice;
}

/* --- from view to view --- */

void auto_limit_switch(struct auto_limit *automatic, bool on) {
    *automatic = (struct auto_limit){.on = on, .requested = on};
}

void auto_limit_reset(struct auto_limit *automatic) {
    automatic->from = 0;
}

static void adopt_limit(struct auto_limit *automatic, uint32_t limit, double depth) {
    automatic->limit = limit;
    automatic->depth = depth;
    automatic->from = 0;
    automatic->choice = (struct auto_limit_choice){.limit = limit};
}

/* Returns the limit that the last judged picture suggests for another depth. */
static uint32_t limit_at_depth(const struct auto_limit *automatic, double depth) {
    const double then = levels(automatic->from_depth), scale = levels(depth) / then;
    const double need = automatic->choice.need;
    double limit = automatic->choice.limit;
    if (need == 0)
        limit = fmin(limit, NOTHING_KEPT * then * then);
    else if (limit > SPARE * need)
        limit = KEPT_SPARE * need;
    return auto_limit_round(fmax(limit * scale, AUTO_LIMIT_LEAST));
}

uint32_t auto_limit_follow(struct auto_limit *automatic, uint32_t limit, double depth) {
    if (!automatic->on)
        return limit;
    if (limit != automatic->limit || automatic->from == 0)
        adopt_limit(automatic, limit, depth);
    if (depth == automatic->depth)
        return limit;
    automatic->depth = depth;
    automatic->limit = limit_at_depth(automatic, depth);
    return automatic->limit;
}

/* Checks a picture while the automatic limit is off: undecided if even motion would raise the
 * limit. */
static void check_undecided(struct auto_limit *automatic, const struct statistics *statistics,
                            uint32_t limit, double depth) {
    const bool undecided =
        auto_limit_choose(statistics, limit, depth, 0, true).why == AUTO_LIMIT_MORE;
    automatic->unreported = undecided && (automatic->unreported || !automatic->undecided);
    automatic->undecided = undecided;
    automatic->from = limit;
}

uint32_t auto_limit_judge(struct auto_limit *automatic, const struct statistics *statistics,
                          uint32_t limit, double depth, double iterations_per_ms, bool moving) {
    if (!automatic->on && !moving)
        check_undecided(automatic, statistics, limit, depth);
    if (!automatic->on)
        return limit;
    const struct auto_limit_choice choice =
        auto_limit_choose(statistics, limit, depth, iterations_per_ms, moving);
    automatic->unreported =
        automatic->unreported || limit != automatic->from || choice.why != automatic->choice.why;
    automatic->from = limit;
    automatic->from_depth = automatic->depth = depth;
    automatic->limit = choice.limit;
    automatic->choice = choice;
    return choice.limit;
}

/* Returns true if the choice is to be reported. A limit that is enough, or too low for a few
 * pixels, is reported only after switching on. */
static bool worth_reporting(const struct auto_limit *automatic) {
    const enum auto_limit_why why = automatic->choice.why;
    return automatic->on && automatic->unreported && automatic->from > 0 &&
           why != AUTO_LIMIT_MORE &&
           (automatic->requested ||
            (why != AUTO_LIMIT_ENOUGH && automatic->choice.missed > MISSED_LEAST));
}

static bool report_undecided(struct auto_limit *automatic, char *text, size_t size) {
    if (automatic->on || !automatic->unreported)
        return false;
    automatic->unreported = false;
    snprintf(text, size,
             "many points are undecided after %u iterations; I turns on the automatic limit",
             automatic->from);
    return true;
}

bool auto_limit_message(struct auto_limit *automatic, char *text, size_t size) {
    const struct auto_limit_choice *choice = &automatic->choice;
    if (!worth_reporting(automatic))
        return report_undecided(automatic, text, size);
    automatic->unreported = automatic->requested = false;
    if (choice->why == AUTO_LIMIT_NOTHING)
        snprintf(text, size, "iteration limit %u (auto): nothing escapes here; ] raises it",
                 choice->limit);
    else if (choice->why == AUTO_LIMIT_SLOW)
        snprintf(text, size, "iteration limit held at %u to stay fast; ] raises it", choice->limit);
    else if (choice->why == AUTO_LIMIT_END)
        snprintf(text, size, "iteration limit %u (auto): the highest possible", choice->limit);
    else
        snprintf(text, size,
                 "iteration limit %u (auto): %.2g %% of pixels escaped after iteration %u",
                 choice->limit, 100 * choice->late, choice->half);
    return true;
}
