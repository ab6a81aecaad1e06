/* Nucleus search: finds the nucleus of the lowest period in a view, and measures its
 * surroundings. */
#include "render/locate/nucleus.h"
#include "render/locate/ball.h"
#include <math.h>
#include <stdlib.h>

#define BOXES_MAX   1024      /* most open boxes, after which the search is given up */
#define TRIES_MAX   (1 << 16) /* most boxes of a search */
#define TRIES_LOSSY (1 << 13) /* most boxes of a search that is no proof */
#define KNOWN_MAX   512       /* most nuclei that are passed over */
/* [half heights] smallest box; smaller ones contain multiple roots. */
#define BOX_LEAST 0x1p-44
#define BOX_LOSSY 0x1p-20 /* smallest box of a search that is no proof */
#define PART_OF   16      /* share of a nucleus' size that belongs to it, with folds */
#define DISC_MOST 1.25    /* largest ratio of a disc's atom domain to its size: see conclude */
#define FLAT      64      /* largest ratio of a derivative's stretches */
#define SETTLED   0x1p-30

/* Part of the view, in half heights along the axes of the screen. It has no nucleus of a period
 * below `first` except known ones. */
struct box {
    double x, y, width, height; /* middle, and half the size */
    uint32_t first;
    bool linear;             /* at period `first` the ball is nearly a linear map of c */
    double start_x, start_y; /* estimated position of the root, if `linear` */
};

/* Nucleus that is passed over. */
struct known {
    double x, y; /* position, in half heights */
    double part; /* points within this distance are part of it, with folds */
    uint32_t period;
};

struct search {
    struct sight sight;
    const struct nucleus_want *want;
    const struct family *family;
    struct locate_watch *watch;
    long bits;
    struct box boxes[BOXES_MAX];
    size_t count;
    struct known known[KNOWN_MAX];
    uint32_t known_count, passed;
    bool disc;  /* a disc was found and is the fallback */
    bool lossy; /* the search is no proof: see nucleus.h */
};

/* Returns true if a root of z_n is a nucleus: in hybrids only after whole turns, because orbits
 * then repeat. */
static bool counts(const struct search *search, uint32_t n) {
    const uint32_t length = search->family->steps.length;
    return length == 1 || n % length == 0 || (search->family->julia && !search->want->returns);
}

/* --- balls --- */

/* Value that is to be 0, as a ball. */
struct target {
    struct scaled value;
    struct jet d;
    struct scaled linear, bound;
};

static struct target target_of(const struct search *search, const struct ball *ball,
                               struct scaled returned) {
    struct target target = {ball->z, ball->d, ball->linear, ball->bound};
    if (search->want->returns) {
        target.value = returned;
        target.d.a = scaled_sub(target.d.a, scaled_of(1, 0));
        target.linear = scaled_times(scaled_mul(jet_most(target.d), ball->radius), BALL_SLACK);
    }
    return target;
}

static double in_halves(const struct search *search, struct scaled length) {
    const struct scaled part = scaled_div(length, search->sight.half);
    return scaled_double(part.re, part.exponent);
}

static bool is_linear(const struct target *target, const struct ball *ball) {
    return scaled_less(target->bound, scaled_mul(jet_least(target->d), ball->radius));
}

/* Returns true if the box may contain a root of the target: the root lies within R / |D| of middle
 * - Z / D. */
static bool box_may_hold(const struct search *search, const struct box *box,
                         const struct ball *ball, const struct target *target) {
    if (scaled_less(scaled_add(target->linear, target->bound), scaled_abs(target->value)))
        return false;
    if (!is_linear(target, ball))
        return true;
    double right, up;
    sight_displacement(&search->sight, jet_solve(target->d, target->value), &right, &up);
    const double around =
        in_halves(search, scaled_div(target->bound, jet_least(target->d))) * BALL_SLACK;
    return fabs(right) <= box->width * BALL_SLACK + around &&
           fabs(up) <= box->height * BALL_SLACK + around;
}

/* Returns true if the ball has a single root (Rouché) that is known, or is part of a known
 * nucleus. */
static bool is_known(const struct search *search, const struct box *box, uint32_t n,
                     const struct ball *ball, const struct target *target) {
    const double radius = hypot(box->width, box->height);
    const bool single =
        is_linear(target, ball) && scaled_less(scaled_add(scaled_abs(target->value), target->bound),
                                               scaled_mul(jet_least(target->d), ball->radius));
    for (uint32_t i = 0; i < search->known_count; i++) {
        const struct known *known = &search->known[i];
        const double apart = hypot(known->x - box->x, known->y - box->y);
        const bool part = search->family->folded && apart + radius < known->part;
        if (n % known->period == 0 && (part || (single && apart <= radius)))
            return true;
    }
    return false;
}

static void box_hit(const struct search *search, struct box *box, uint32_t n,
                    const struct ball *ball, const struct target *target) {
    box->first = n;
    box->linear = is_linear(target, ball);
    box->start_x = box->x;
    box->start_y = box->y;
    if (!box->linear)
        return;
    double right, up;
    sight_displacement(&search->sight, jet_solve(target->d, target->value), &right, &up);
    box->start_x -= right;
    box->start_y -= up;
}

static bool same(struct scaled a, struct scaled b) {
    return !scaled_less(scaled_times(scaled_abs(a), SETTLED), scaled_abs(scaled_sub(a, b)));
}

/* Returns true if the ball is back at an earlier state, so that everything repeats. */
static bool is_same(const struct ball *a, const struct ball *b) {
    return same(a->z, b->z) && same(a->linear, b->linear) && same(a->bound, b->bound) &&
           same(a->d.a, b->d.a) && same(a->d.b, b->d.b);
}

enum scan_end { SCAN_HIT, SCAN_NOTHING, SCAN_CANCELLED };

/* State of a scan: a ball, and the orbit of its middle. */
struct scan {
    struct ball ball;
    struct big z, point, spare[2];
};

static struct scaled returned_by(struct scan *scan) {
    big_set(&scan->spare[0], &scan->z);
    big_sub(&scan->spare[0], &scan->point);
    return big_scaled(&scan->spare[0]);
}

static enum scan_end scan_orbit(struct search *search, struct box *box, struct scan *scan) {
    const struct family *family = search->family;
    struct ball *ball = &scan->ball, kept = *ball;
    uint32_t kept_at = 0;
    const struct scaled middle = scaled_abs(family->julia ? scaled_of_mpfr(family->re, family->im)
                                                          : big_scaled(&scan->point));
    const struct scaled c_most = family->julia ? middle : scaled_add(middle, ball->radius);
    for (uint32_t n = 1; n <= search->want->limit; n++) {
        ball_step(ball, family, n - 1);
        family_step(family, n - 1, &scan->point, &scan->z, scan->spare);
        ball->z = big_scaled(&scan->z);
        if (n >= box->first && counts(search, n)) {
            const struct target target = target_of(
                search, ball, search->want->returns ? returned_by(scan) : (struct scaled){0});
            if (box_may_hold(search, box, ball, &target) &&
                !is_known(search, box, n, ball, &target)) {
                box_hit(search, box, n, ball, &target);
                return SCAN_HIT;
            }
        }
        if (ball_escaped(ball, c_most))
            return SCAN_NOTHING;
        if ((n - kept_at) % family->steps.length == 0 && n > box->first && kept_at >= box->first &&
            is_same(ball, &kept))
            return SCAN_NOTHING;
        if ((n & (n - 1)) == 0) {
            kept = *ball;
            kept_at = n;
        }
        if (atomic_load_explicit(&search->watch->cancel, memory_order_relaxed))
            return SCAN_CANCELLED;
        if (search->count == 0)
            atomic_store_explicit(&search->watch->reached, n, memory_order_relaxed);
    }
    return SCAN_NOTHING;
}

/* Adds the box with the first period of which it may have a nucleus, if there is such a period.
 * Returns false if cancelled. */
static bool add_box(struct search *search, struct box box) {
    const struct scaled radius =
        scaled_mul(scaled_of(hypot(box.width, box.height) * BALL_SLACK, 0), search->sight.half);
    struct scan scan = {.ball = ball_begin(search->family, radius, search->bits)};
    struct big *const numbers[] = {&scan.z, &scan.point, &scan.spare[0], &scan.spare[1]};
    if (box.width < (search->lossy ? BOX_LOSSY : BOX_LEAST))
        return true;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        big_init(numbers[i], search->bits);
    sight_point(&search->sight, box.x, box.y, &scan.point);
    family_begin(search->family, &scan.point, &scan.z);
    scan.ball.z = big_scaled(&scan.z);
    const enum scan_end end = scan_orbit(search, &box, &scan);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        big_finish(numbers[i]);
    if (end == SCAN_HIT)
        search->boxes[search->count++] = box;
    return end != SCAN_CANCELLED;
}

/* Drops the smallest box. */
static void drop_smallest(struct search *search) {
    size_t least = 0;
    for (size_t i = 1; i < search->count; i++)
        if (search->boxes[i].width < search->boxes[least].width)
            least = i;
    search->boxes[least] = search->boxes[--search->count];
}

/* Removes and returns the box of the lowest period; of several, the box nearest to the middle. */
static struct box take_lowest(struct search *search) {
    size_t best = 0;
    for (size_t i = 1; i < search->count; i++) {
        const struct box *box = &search->boxes[i], *other = &search->boxes[best];
        const bool nearer = hypot(box->x, box->y) < hypot(other->x, other->y);
        if (box->first < other->first || (box->first == other->first && nearer))
            best = i;
    }
    const struct box box = search->boxes[best];
    search->boxes[best] = search->boxes[--search->count];
    return box;
}

/* Cuts a box in two across its longer side and adds both. Returns false if cancelled. */
static bool add_halves(struct search *search, const struct box *box) {
    const bool wide = box->width >= box->height;
    for (int side = -1; side <= 1; side += 2) {
        struct box half = *box;
        if (wide) {
            half.width /= 2;
            half.x += side * half.width;
        } else {
            half.height /= 2;
            half.y += side * half.height;
        }
        if (!add_box(search, half))
            return false;
    }
    return true;
}

/* --- measures of a root --- */

/* Measures of a root's orbit. */
struct measures {
    struct jet power;      /* derivative of z_period by the power of the first step */
    struct jet d;          /* derivative of z_period by the point */
    struct scaled nearest; /* least |Z_k| before */
    uint32_t period;       /* least period of the root, up to the given one */
};

/* Returns true if an error of the point of 2^-48 half heights of the view explains |z|. */
static bool is_zero(const struct search *search, struct jet d, struct scaled z) {
    const struct scaled error = scaled_mul(search->sight.half, scaled_power(-48));
    return !scaled_less(scaled_mul(jet_most(d), error), scaled_abs(z));
}

/* Returns true if the orbit is at a root after k steps. */
static bool ends(const struct search *search, struct scan *scan, struct jet d, uint32_t k) {
    if (!search->want->returns)
        return counts(search, k) && is_zero(search, d, scan->ball.z);
    d.a = scaled_sub(d.a, scaled_of(1, 0));
    return counts(search, k) && is_zero(search, d, returned_by(scan));
}

/* Follows the orbit of a root and measures it. Returns false if cancelled. */
static bool measure_orbit(struct search *search, uint32_t period, struct scan *scan,
                          struct measures *m) {
    const struct family *family = search->family;
    const struct scaled one = scaled_of(1, 0);
    family_begin(family, &scan->point, &scan->z);
    scan->ball.z = big_scaled(&scan->z);
    *m = (struct measures){.power.a = one, .nearest = scaled_power(2), .period = period};
    m->d.a = family->julia ? one : (struct scaled){0};
    for (uint32_t k = 0; k < period; k++) {
        const struct turn turn = turn_at(family, k, scan->ball.z);
        const bool lower =
            k > 0 && (period % k == 0 || family->julia) && ends(search, scan, m->d, k);
        if (lower) {
            m->period = k;
            return true;
        }
        if ((k > 0 || family->julia) && scaled_less(scaled_abs(scan->ball.z), m->nearest))
            m->nearest = scaled_abs(scan->ball.z);
        m->d = jet_step(m->d, &turn);
        if (!family->julia)
            m->d.a = scaled_add(m->d.a, one);
        if (k > 0)
            m->power = jet_step(m->power, &turn);
        family_step(family, k, &scan->point, &scan->z, scan->spare);
        scan->ball.z = big_scaled(&scan->z);
        if (atomic_load_explicit(&search->watch->cancel, memory_order_relaxed))
            return false;
    }
    return true;
}

static bool measure(struct search *search, uint32_t period, const struct big *c,
                    struct measures *m) {
    struct scan scan = {0};
    struct big *const numbers[] = {&scan.z, &scan.point, &scan.spare[0], &scan.spare[1]};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        big_init(numbers[i], search->bits);
    big_set(&scan.point, c);
    const bool done = measure_orbit(search, period, &scan, m);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        big_finish(numbers[i]);
    return done;
}

/* Returns the mean stretch of a derivative; with its rotation if it is a complex number. */
static struct scaled mean_stretch(struct jet d) {
    if (d.b.re == 0 && d.b.im == 0)
        return d.a;
    const struct scaled most = jet_most(d), flat = scaled_times(most, 1.0 / FLAT);
    const struct scaled least = scaled_less(jet_least(d), flat) ? flat : jet_least(d);
    const double root = sqrt(most.re) * sqrt(least.re);
    const int64_t exponent = most.exponent + least.exponent;
    return scaled_normalise(
        (struct scaled){root * (exponent & 1 ? sqrt(2) : 1), 0, (exponent - (exponent & 1)) / 2});
}

/* Returns x^(1 / root). */
static struct scaled scaled_root(struct scaled x, int root) {
    if (root == 1)
        return x;
    const double log2 = scaled_log2(x) / root, whole = floor(log2),
                 angle = atan2(x.im, x.re) / root;
    const double size = exp2(log2 - whole);
    return scaled_normalise((struct scaled){size * cos(angle), size * sin(angle), (int64_t)whole});
}

/* Makes a number exactly real or imaginary if it differs only by rounding. */
static struct scaled settle_axis(struct scaled x) {
    if (fabs(x.im) < SETTLED * fabs(x.re))
        x.im = 0;
    if (fabs(x.re) < SETTLED * fabs(x.im))
        x.re = 0;
    return x;
}

/* Computes the size, the atom domain and the shape of a nucleus. Near c, z_period is the map of M,
 * scaled: Z = L z^p + D d, with the power p of the first step. Then s = L^(1 / (p - 1)) gives (s z)
 * = (s z)^p + s D d. */
static void conclude(const struct search *search, struct nucleus *nucleus,
                     const struct measures *m) {
    const struct family *family = search->family;
    const int power = family_power(family, 0);
    struct scaled scale = mean_stretch(m->d);
    nucleus->multiplier = settle_axis(scale);
    if (!family->julia)
        scale = scaled_mul(scale, scaled_root(mean_stretch(m->power), power - 1));
    if (scale.re == 0 && scale.im == 0) /* the middle of a hybrid's whole set */
        scale = scaled_of(1, 0);
    nucleus->size = settle_axis(scaled_div(scaled_of(1, 0), scale));
    nucleus->domain = scaled_div(m->nearest, scaled_abs(mean_stretch(m->d)));
    /* The atom domain of a disc is about as large as the disc: at most p^(1 / (p - 1)) of its size.
     * The atom domain of a cardioid is far larger. */
    const struct scaled most =
        scaled_times(scaled_abs(nucleus->size), DISC_MOST * pow(power, 1.0 / (power - 1)));
    nucleus->disc = !family->julia && nucleus->period > 1 && scaled_less(nucleus->domain, most);
}

struct scaled nucleus_extent(const struct nucleus *nucleus) {
    return scaled_times(scaled_abs(nucleus->size),
                        nucleus->disc ? NUCLEUS_EXTENT_DISC : NUCLEUS_EXTENT);
}

/* --- the search --- */

static bool is_wanted(const struct search *search, const struct nucleus *nucleus) {
    if (search->want->returns)
        return scaled_log2(nucleus->multiplier) > 0;
    if (search->want->shape == NUCLEUS_ANY)
        return true;
    const struct scaled far = scaled_abs(big_scaled(&nucleus->c));
    if (!search->family->julia &&
        scaled_less(far, scaled_mul(search->sight.half, scaled_power(-48))))
        return false; /* c = 0 is the nucleus of the whole set */
    return in_halves(search, nucleus_extent(nucleus)) < 2 * search->want->largest &&
           !(nucleus->disc && search->want->shape == NUCLEUS_CARDIOID);
}

/* Stores a nucleus that is not to be found again. Returns false if there are too many. */
static bool pass_over(struct search *search, const struct nucleus *nucleus) {
    struct known known = {.part = in_halves(search, scaled_abs(nucleus->size)) / PART_OF,
                          .period = nucleus->period};
    sight_place(&search->sight, &nucleus->c, &known.x, &known.y);
    for (uint32_t i = 0; i < search->known_count; i++)
        if (hypot(known.x - search->known[i].x, known.y - search->known[i].y) < BOX_LEAST)
            return true;
    if (search->known_count == KNOWN_MAX)
        return false;
    search->known[search->known_count++] = known;
    return true;
}

/* Copies a found nucleus. */
static void copy_nucleus(struct nucleus *kept, const struct nucleus *nucleus) {
    const struct big c = kept->c;
    *kept = *nucleus;
    kept->c = c;
    big_set(&kept->c, &nucleus->c);
}

/* Searches for a nucleus from the estimate of a box. Returns LOCATE_NONE if there is no wanted
 * nucleus in the view. */
static enum locate_end try_box(struct search *search, const struct box *box, struct nucleus *tried,
                               struct nucleus *nucleus) {
    const struct roots roots = {
        .family = search->family, .b = box->first, .returns = search->want->returns};
    struct measures m;
    sight_point(&search->sight, box->start_x, box->start_y, &tried->c);
    const enum newton_end end = newton_approach(&search->sight, search->watch, &roots, &tried->c);
    if (end != NEWTON_ROOT)
        return end == NEWTON_CANCELLED ? LOCATE_CANCELLED : LOCATE_NONE;
    if (!measure(search, box->first, &tried->c, &m))
        return LOCATE_CANCELLED;
    tried->period = m.period;
    if (m.period < box->first && !measure(search, m.period, &tried->c, &m))
        return LOCATE_CANCELLED;
    conclude(search, tried, &m);
    double right, up;
    sight_place(&search->sight, &tried->c, &right, &up);
    const bool inside = fabs(right) <= search->sight.aspect && fabs(up) <= 1;
    if (inside && tried->period == box->first && is_wanted(search, tried)) {
        const bool final = !tried->disc || search->want->shape != NUCLEUS_CARDIOID_FIRST;
        if (final || !search->disc)
            copy_nucleus(nucleus, tried);
        if (final)
            return LOCATE_FOUND;
        search->disc = true;
    } else if (inside && tried->period == box->first) {
        search->passed++;
    }
    return pass_over(search, tried) || search->lossy ? LOCATE_NONE : LOCATE_UNDECIDED;
}

static enum locate_end find(struct search *search, struct nucleus *tried, struct nucleus *nucleus) {
    const struct box whole = {.width = search->sight.aspect, .height = 1, .first = 1};
    if (!add_box(search, whole))
        return LOCATE_CANCELLED;
    for (int tries = 0; search->count > 0; tries++) {
        if (!search->lossy && (search->count + 2 > BOXES_MAX || tries == TRIES_MAX))
            return LOCATE_UNDECIDED;
        if (search->lossy && tries == TRIES_LOSSY)
            return LOCATE_NONE;
        while (search->count + 2 > BOXES_MAX)
            drop_smallest(search);
        const struct box box = take_lowest(search);
        atomic_store(&search->watch->reached, box.first);
        const bool hopeful = box.linear || search->family->folded;
        const enum locate_end end = hopeful ? try_box(search, &box, tried, nucleus) : LOCATE_NONE;
        if (end != LOCATE_NONE)
            return end;
        if (!add_halves(search, &box))
            return LOCATE_CANCELLED;
    }
    return LOCATE_NONE;
}

/* Refines the position to 2^-64 of the nucleus' size, or of the view's height if that is less. */
static enum locate_end sharpen(const struct search *search, struct nucleus *nucleus) {
    const struct roots roots = {
        .family = search->family, .b = nucleus->period, .returns = search->want->returns};
    const double depth = fmax(-scaled_log2(nucleus->size), (double)search->sight.depth_bits);
    nucleus->bits = (long)depth + 64;
    atomic_store(&search->watch->period, nucleus->period);
    return newton_sharpen(&search->sight, search->watch, &roots, nucleus->bits, &nucleus->c);
}

static enum locate_end search_all(struct search *search, struct nucleus *nucleus) {
    struct nucleus tried = {0};
    big_init(&tried.c, search->bits);
    big_init(&nucleus->c, search->bits);
    enum locate_end end = find(search, &tried, nucleus);
    if (search->disc && (end == LOCATE_NONE || end == LOCATE_UNDECIDED))
        end = LOCATE_FOUND;
    if (end == LOCATE_FOUND)
        end = sharpen(search, nucleus);
    big_finish(&tried.c);
    if (end != LOCATE_FOUND)
        nucleus_finish(nucleus);
    return end;
}

enum locate_end nucleus_find(const struct view *view, double aspect,
                             const struct nucleus_want *want, struct locate_watch *watch,
                             struct nucleus *nucleus, uint32_t *passed) {
    struct search *search = calloc(1, sizeof *search);
    if (!search)
        return LOCATE_NO_MEMORY;
    search->want = want;
    search->family = want->family;
    search->watch = watch;
    search->lossy = want->family->folded || want->family->julia;
    sight_init(&search->sight, view, aspect);
    search->bits = search->sight.depth_bits + NEWTON_SPARE_BITS;
    const enum locate_end end =
        search->bits > VIEW_BITS_MAX ? LOCATE_TOO_DEEP : search_all(search, nucleus);
    *passed = search->passed;
    free(search);
    return end;
}

void nucleus_finish(struct nucleus *nucleus) {
    big_finish(&nucleus->c);
}
