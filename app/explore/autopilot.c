/* Autopilot: scores the structure in surveys, chooses goals with high scores, and steers there with
 * bounded speed and acceleration. */
#include "app/explore/autopilot.h"
#include "render/sample.h"
#include <math.h>
#include <string.h>

#define CELLS_MAX    (AUTOPILOT_WIDTH_MAX * AUTOPILOT_WIDTH_MAX)
#define REACH        2      /* [samples] radius of the square that scores a sample */
#define FEW          8.0f   /* differences of counts below about this are no structure */
#define ISLAND       1.2    /* score of a small interior within the exterior, such as a minibrot */
#define SHORE        0.4    /* score of any border of the interior */
#define RICH         0.55   /* minimum score that is worth flying to */
#define DULL         0.3    /* a survey without a higher score is dull */
#define BALANCE      0.55f  /* best mean of scores around a place, 0 .. 1 */
#define LONELY       0.1f   /* minimum share of a score that counts in unbalanced surroundings */
#define SPREAD       4      /* exponent of scores: preference of high ones */
#define FULL         0.8    /* share of interior above which a survey is dull */
#define DULL_SURVEYS 3      /* consecutive dull surveys that end the way in */
#define SLOW_SURVEYS 4      /* consecutive surveys with slow pictures that end it */
#define SLOW_MS      8000.0 /* minimum duration of a slow picture */
#define HEAVY_MS     1500.0 /* duration of pictures from which on it flies slower */
#define HEAVY_LEAST  0.4    /* minimum factor of the speed for such pictures */
#define UNSEEN_MS    700.0  /* time without a survey after which it flies slower */
#define BLIND_MS     2200.0 /* time without a survey after which it stops */
#define GIVE_UP_MS   8000.0 /* time without a survey after which it turns back */
#define ROOM_LEFT    0.7    /* e-folds before the end of precision at which it turns back */
#define BRAKE        2.0    /* e-folds before ROOM_LEFT at which it begins to slow down */
#define EDGE         0.42   /* maximum distance of goals from the middle, in parts of the screen */
#define HOLD_ON      0.08   /* [heights] maximum movement of a goal between surveys */
#define LEAN         4.0    /* [1/height] score that outweighs a movement of the goal */
#define PULL         0.9  /* it zooms about 1 + PULL times the goal, which moves the goal inwards */
#define ELSEWHERE    0.16 /* [heights] radius around the middle in which goals are unlikely */
#define NEAR         0.4  /* [heights] distance at which goals are a third as likely */
#define STIFFNESS    0.0028 /* [1/ms] of the spring that moves `at` */
#define STEP_MS      20.0   /* maximum step of the simulation */
#define AIMED        0.1    /* [heights] distance of `at` from its place that is near enough */
#define ASTRAY       0.45   /* [heights] distance from which on it zooms with CRAWL */
#define CRAWL        0.12   /* minimum factor of the speed while it steers */
#define HOME         0.1    /* e-folds from home that count as home */
#define QUICKEST     10.0   /* maximum multiple of the usual speed */
#define CLIMB_LEAST  1.6    /* minimum e-folds back from a dull place */
#define CLIMB_MORE   2.0    /* random e-folds in addition */
#define NEXT_LEAST   1.8    /* minimum e-folds between two free choices of a goal */
#define NEXT_MORE    2.4    /* random e-folds in addition */

/* Returns a random number in 0 .. 1 (xorshift64*). */
static double draw(struct autopilot *autopilot) {
    uint64_t x = autopilot->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    autopilot->random = x;
    return (double)((x * 2685821657736338717u) >> 11) * 0x1p-53;
}

void autopilot_init(struct autopilot *autopilot, uint64_t seed) {
    *autopilot = (struct autopilot){
        .random = seed * 0x9e3779b97f4a7c15u + 0x5851f42d4c957f2du,
        .choose = true,
        .aspect = 1,
        .caution = 1,
        .unseen_ms = BLIND_MS,
    };
    if (autopilot->random == 0)
        autopilot->random = 1;
    for (int i = 0; i < 8; i++)
        draw(autopilot);
}

/* --- scores of a survey --- */

struct scores {
    float lift[CELLS_MAX];  /* octaves of the count's excess over the lowest; < 0: interior */
    float score[CELLS_MAX]; /* structure around the sample */
    float worth[CELLS_MAX]; /* score times balance of the surroundings; 0: out of reach */
    float sums[(AUTOPILOT_WIDTH_MAX + 1) * (AUTOPILOT_WIDTH_MAX + 1)];
    double best;     /* highest score in reach */
    double interior; /* share of interior samples */
};

static void lift(const struct autopilot_field *field, struct scores *scores) {
    const int cells = field->width * field->height;
    uint32_t least = SAMPLE_COUNT_MASK;
    int interior = 0;
    for (int i = 0; i < cells; i++)
        if (!(field->counts[i] & SAMPLE_INTERIOR) && field->counts[i] < least)
            least = field->counts[i];
    for (int i = 0; i < cells; i++) {
        const bool inside = field->counts[i] & SAMPLE_INTERIOR;
        scores->lift[i] = inside ? -1 : log2f(1 + (float)(field->counts[i] - least) / FEW);
        interior += inside;
    }
    scores->interior = (double)interior / cells;
}

/* Returns true if the edge of the square of radius `reach` around (x, y) has no interior
 * samples. */
static bool edge_has_no_interior(const struct autopilot_field *field, const float *lift, int x,
                                 int y, int reach) {
    if (x < reach || y < reach || x + reach >= field->width || y + reach >= field->height)
        return false;
    for (int d = -reach; d <= reach; d++) {
        const int w = field->width;
        if (lift[(y - reach) * w + x + d] < 0 || lift[(y + reach) * w + x + d] < 0 ||
            lift[(y + d) * w + x - reach] < 0 || lift[(y + d) * w + x + reach] < 0)
            return false;
    }
    return true;
}

/* Scores the variation of counts around a sample, and a border or an island of the interior
 * there. */
static float score(const struct autopilot_field *field, const float *lift, int x, int y) {
    float sum = 0, squares = 0;
    int escaped = 0, all = 0;
    for (int v = y - REACH; v <= y + REACH; v++)
        for (int u = x - REACH; u <= x + REACH; u++) {
            const float value = lift[v * field->width + u];
            sum += value < 0 ? 0 : value;
            squares += value < 0 ? 0 : value * value;
            escaped += value >= 0;
            all++;
        }
    if (escaped == 0)
        return 0;
    const float mean = sum / (float)escaped, share = (float)escaped / (float)all;
    const float deviation = sqrtf(fmaxf(squares / (float)escaped - mean * mean, 0));
    const bool island = escaped < all && (edge_has_no_interior(field, lift, x, y, 2 * REACH) ||
                                          edge_has_no_interior(field, lift, x, y, 4 * REACH));
    return deviation * share + (float)SHORE * 4 * share * (1 - share) +
           (island ? (float)ISLAND : 0);
}

/* Returns the place of a sample on the screen. */
static double complex place_of(const struct autopilot_field *field, int x, int y) {
    const double complex p = x + 0.5 - field->width / 2.0 + I * (y + 0.5 - field->height / 2.0);
    return similarity_apply(field->place, p);
}

static bool in_reach(const struct autopilot_field *field, double complex place) {
    return fabs(creal(place)) <= EDGE * field->aspect && fabs(cimag(place)) <= EDGE;
}

/* Computes the sums of the scores, clamped to 1, above and to the left of each sample. */
static void add_up(const struct autopilot_field *field, struct scores *scores) {
    const int w = field->width, row = w + 1;
    memset(scores->sums, 0, sizeof scores->sums);
    for (int y = 0; y < field->height; y++) {
        float sum = 0;
        for (int x = 0; x < w; x++) {
            sum += fminf(scores->score[y * w + x], 1);
            scores->sums[(y + 1) * row + x + 1] = scores->sums[y * row + x + 1] + sum;
        }
    }
}

/* Returns the factor of a score by the mean score of the square around (x, y): highest if there is
 * calm, too. Samples beyond the field count as 0. */
static float balance_factor(const struct autopilot_field *field, const float *sums, int x, int y) {
    const int reach = field->height / 4, side = 2 * reach + 1, row = field->width + 1;
    const int left = x > reach ? x - reach : 0, above = y > reach ? y - reach : 0;
    const int right = x + reach < field->width ? x + reach + 1 : field->width;
    const int below = y + reach < field->height ? y + reach + 1 : field->height;
    const float sum = sums[below * row + right] - sums[below * row + left] -
                      sums[above * row + right] + sums[above * row + left];
    const float off = sum / (float)(side * side) / BALANCE - 1;
    return fmaxf(1 - off * off, LONELY);
}

static void score_survey(const struct autopilot_field *field, struct scores *scores) {
    const int w = field->width, h = field->height;
    lift(field, scores);
    memset(scores->score, 0, sizeof scores->score);
    memset(scores->worth, 0, sizeof scores->worth);
    scores->best = 0;
    for (int y = REACH; y < h - REACH; y++)
        for (int x = REACH; x < w - REACH; x++)
            scores->score[y * w + x] = score(field, scores->lift, x, y);
    add_up(field, scores);
    for (int y = REACH; y < h - REACH; y++)
        for (int x = REACH; x < w - REACH; x++) {
            if (!in_reach(field, place_of(field, x, y)))
                continue;
            const float here = scores->score[y * w + x];
            scores->best = fmax(scores->best, (double)here);
            scores->worth[y * w + x] = here * balance_factor(field, scores->sums, x, y);
        }
}

/* --- goals --- */

/* Chooses a goal at random: better ones are likelier, and those in the middle unlikely. */
static void choose_goal(struct autopilot *autopilot, const struct autopilot_field *field,
                        const struct scores *scores) {
    double weights[CELLS_MAX], all = 0;
    const int cells = field->width * field->height;
    for (int i = 0; i < cells; i++) {
        const double complex place = place_of(field, i % field->width, i / field->width);
        const double part = (double)scores->worth[i] / fmax(scores->best, 1e-6);
        const double norm = creal(place) * creal(place) + cimag(place) * cimag(place);
        weights[i] = pow(part, SPREAD) * exp(-norm / (NEAR * NEAR)) *
                     (norm < ELSEWHERE * ELSEWHERE ? 0.15 : 1);
        all += weights[i];
    }
    if (all == 0)
        return;
    double left = draw(autopilot) * all;
    int at = 0;
    while (at < cells - 1 && (left -= weights[at]) >= 0)
        at++;
    autopilot->goal = place_of(field, at % field->width, at / field->width);
    autopilot->choose = false;
    autopilot->next_goal = autopilot->depth + NEXT_LEAST + NEXT_MORE * draw(autopilot);
}

/* Moves the goal to a better place next to it. */
static void follow_goal(struct autopilot *autopilot, const struct autopilot_field *field,
                        const struct scores *scores) {
    const double complex from = autopilot->goal;
    double best = -INFINITY;
    for (int i = 0; i < field->width * field->height; i++) {
        const double complex place = place_of(field, i % field->width, i / field->width);
        const double away = cabs(place - from);
        const double worth = (double)scores->worth[i] - LEAN * away;
        if (away > HOLD_ON || worth <= best)
            continue;
        best = worth;
        autopilot->goal = place;
    }
    if (best < LONELY * DULL || !in_reach(field, autopilot->goal))
        choose_goal(autopilot, field, scores);
}

/* --- turning points --- */

static void turn_back(struct autopilot *autopilot, double climb) {
    autopilot->out = true;
    autopilot->top = fmax(autopilot->depth - climb, 0);
    autopilot->dull = autopilot->slow = 0;
    autopilot->turns++;
}

static void turn_in(struct autopilot *autopilot) {
    autopilot->out = false;
    autopilot->choose = true;
    autopilot->dull = autopilot->slow = 0;
    autopilot->turns++;
}

static double choose_climb(struct autopilot *autopilot, bool whole_way) {
    const double share = 0.4 + 0.6 * draw(autopilot);
    return whole_way || share > 0.85 ? autopilot->depth : share * autopilot->depth;
}

/* Updates the way in: turns back, or chooses or follows a goal. */
static void update_in(struct autopilot *autopilot, const struct autopilot_field *field,
                      const struct scores *scores, bool whole_way) {
    const bool dull = scores->best < DULL || scores->interior > FULL;
    autopilot->dull = dull ? autopilot->dull + 1 : 0;
    autopilot->slow = field->cost_ms > SLOW_MS ? autopilot->slow + 1 : 0;
    if (field->room < ROOM_LEFT || autopilot->slow >= SLOW_SURVEYS)
        turn_back(autopilot, choose_climb(autopilot, whole_way));
    else if (autopilot->dull >= DULL_SURVEYS)
        turn_back(autopilot, CLIMB_LEAST + CLIMB_MORE * draw(autopilot));
    else if (autopilot->choose || autopilot->depth >= autopilot->next_goal)
        choose_goal(autopilot, field, scores);
    else
        follow_goal(autopilot, field, scores);
}

/* Updates the way out: turns in again at a rich place near its end, or is lost at home. */
static void update_out(struct autopilot *autopilot, const struct autopilot_field *field,
                       const struct scores *scores) {
    const bool rich = scores->best >= RICH && scores->interior <= FULL;
    if (autopilot->depth <= fmax(autopilot->top, HOME) && rich && field->room > 2 * ROOM_LEFT) {
        turn_in(autopilot);
        update_in(autopilot, field, scores, false);
    } else if (autopilot->depth <= HOME) {
        autopilot->lost = ++autopilot->dull >= DULL_SURVEYS;
    }
}

void autopilot_update(struct autopilot *autopilot, const struct autopilot_field *field,
                      bool whole_way) {
    struct scores scores;
    autopilot->unseen_ms = 0;
    autopilot->depth = field->depth;
    autopilot->aspect = field->aspect;
    autopilot->lost = false;
    score_survey(field, &scores);
    if (autopilot->out)
        update_out(autopilot, field, &scores);
    else
        update_in(autopilot, field, &scores, whole_way);
    autopilot->caution = fmin(fmax(HEAVY_MS / fmax(field->cost_ms, 1), HEAVY_LEAST), 1);
    autopilot->room = field->room;
}

/* --- steering --- */

/* Returns the place to zoom about: inwards beyond the goal, so the goal moves to the middle, and
 * outwards the middle. */
static double complex wanted_place(const struct autopilot *autopilot) {
    const double complex beyond = autopilot->out ? 0 : (1 + PULL) * autopilot->goal;
    const double x = AUTOPILOT_RANGE * autopilot->aspect, y = AUTOPILOT_RANGE;
    return fmin(fmax(creal(beyond), -x), x) + I * fmin(fmax(cimag(beyond), -y), y);
}

/* Returns the speed for the present knowledge: 0 without surveys for long, and low while it still
 * steers, so the goal does not leave the screen. */
static double wanted_speed(const struct autopilot *autopilot, bool paused) {
    const double seen = (BLIND_MS - autopilot->unseen_ms) / (BLIND_MS - UNSEEN_MS);
    const double left = (autopilot->room - ROOM_LEFT) / BRAKE;
    const double off = cabs(wanted_place(autopilot) - autopilot->at);
    const double aim = fmin(fmax((ASTRAY - off) / (ASTRAY - AIMED), CRAWL), 1);
    if (paused)
        return 0;
    if (autopilot->out) /* such that it can stop at home */
        return -fmin(sqrt(AUTOPILOT_THRUST / AUTOPILOT_USUAL * fmax(autopilot->depth, 0)),
                     AUTOPILOT_SPEED_OUT);
    return AUTOPILOT_SPEED_IN * autopilot->caution * aim * fmin(fmax(seen, 0), 1) *
           fmin(fmax(left, 0.25), 1);
}

static double complex bounded(double complex vector, double most) {
    const double length = cabs(vector);
    return length > most ? vector * (most / length) : vector;
}

/* Moves `at` by a critically damped spring of bounded force and pace. `quick`: multiple of the
 * usual speed. */
static void steer(struct autopilot *autopilot, double ms, double quick) {
    const double stiff = STIFFNESS * quick;
    const double complex way = wanted_place(autopilot) - autopilot->at;
    const double complex force = stiff * stiff * way - 2 * stiff * autopilot->pace;
    autopilot->pace += ms * bounded(force, AUTOPILOT_FORCE_MAX * quick * quick);
    autopilot->pace = bounded(autopilot->pace, AUTOPILOT_PACE_MAX * quick);
    autopilot->at += ms * autopilot->pace;
}

static void advance(struct autopilot *autopilot, double ms, double usual, bool paused) {
    const double quick = fmin(usual / AUTOPILOT_USUAL, QUICKEST);
    const double wanted = wanted_speed(autopilot, paused) - autopilot->speed;
    const double most = AUTOPILOT_THRUST * quick * ms;
    autopilot->speed += fmin(fmax(wanted, -most), most);
    const double growth = autopilot->speed * usual * ms;
    steer(autopilot, ms, quick);
    autopilot->goal = autopilot->at + (autopilot->goal - autopilot->at) * exp(growth);
    autopilot->depth += growth;
    autopilot->room -= growth;
    autopilot->unseen_ms = paused ? 0 : autopilot->unseen_ms + ms;
    if (autopilot->unseen_ms > GIVE_UP_MS && !autopilot->out)
        turn_back(autopilot, CLIMB_LEAST + CLIMB_MORE * draw(autopilot));
}

void autopilot_advance(struct autopilot *autopilot, double ms, double usual, bool paused) {
    for (; ms > 0; ms -= STEP_MS)
        advance(autopilot, fmin(ms, STEP_MS), usual, paused);
}
