/* Proves which cells have nothing to count: squares are followed as discs, and cut in four where
 * that proves nothing. */
#include "render/density/density_cells.h"
#include "render/base/log.h"
#include "render/density/density_counts.h"
#include "render/density/density_sample.h"
#include "render/interior.h"
#include <math.h>
#include <stdlib.h>

#define CELL        0x1p-8  /* the side of one */
#define ROUNDING    0x1p-20 /* of one step, in either type (interior.h), |z| to a bit over 2 */
#define STEPS_MOST  2048    /* a proof that takes longer is not worth it */
#define RADIUS_MOST 4.0     /* a disc so large proves nothing any more */
#define INFLATION   1.5     /* of the disc that is to come back into itself */

struct shared_cells {
    struct density_cells cells; /* first: what others see */
    uint32_t *order;
    int references;
};

/* --- proofs --- */

/* What is known of a square: the orbits of all its c. */
struct fate {
    bool bounded;         /* none ever escapes */
    uint32_t none_before; /* none escapes in fewer steps */
    uint32_t all_within;  /* all escape in at most so many; UINT32_MAX: not known */
};

/* Not hypot, whose last bit differs between machines. */
static double distance(double ar, double ai, double br, double bi) {
    return sqrt((ar - br) * (ar - br) + (ai - bi) * (ai - bi));
}

/* Whether all c within `radius` are in the cardioid or in the period-2 disc, with the margin that
 * makes rounded orbits stay there too (interior.h). With w = sqrt(1 - 4c) the cardioid's multiplier
 * is 1 - w; where w^2 moves by at most 4 radius < |w|^2 / 2, w moves by at most 4 radius / |w|. */
static bool surely_inside(double re, double im, double radius) {
    const double margin = INTERIOR_MARGIN_FLOAT;
    const double square_re = 1 - 4 * re, size2 = distance(square_re, 4 * im, 0, 0);
    const double size = sqrt(size2), w_re = sqrt((size2 + square_re) / 2);
    const double w_im = sqrt((size2 - square_re) / 2);
    return (8 * radius < size2 && distance(1, 0, w_re, w_im) + 4 * radius / size < 1 - margin) ||
           distance(re, im, -1, 0) + radius < 0.25 * (1 - INTERIOR_DISC_MARGINS * margin);
}

/* Follows |z - Z| <= R for c within `radius` of re + i im: Z' = Z^2 + c, R' = R (2 |Z| + R) +
 * radius. When a disc, made larger at step 2^k, contains what becomes of it, everything in it stays
 * there. */
static struct fate fate_of(double re, double im, double radius) {
    struct fate fate = {.none_before = 1, .all_within = UINT32_MAX};
    fate.bounded = surely_inside(re, im, radius);
    if (fate.bounded)
        return fate;
    double zr = re, zi = im, r = radius, kept_r = INFINITY, kept_zr = 0, kept_zi = 0;
    bool escaping = false; /* some may have */
    for (uint32_t n = 1; n < STEPS_MOST && r < RADIUS_MOST; n++) {
        const double size = sqrt(zr * zr + zi * zi);
        if (size - r > 2) {
            fate.all_within = n;
            break;
        }
        escaping = escaping || size + r >= 2;
        fate.none_before = escaping ? fate.none_before : n + 1;
        if (!escaping && n > 1 && distance(zr, zi, kept_zr, kept_zi) + r <= kept_r) {
            fate.bounded = true;
            break;
        }
        if (!escaping && (n & (n - 1)) == 0) {
            r *= INFLATION;
            kept_zr = zr;
            kept_zi = zi;
            kept_r = r;
        }
        r = r * (2 * size + r) + radius + ROUNDING;
        const double next = zr * zr - zi * zi + re;
        zi = 2 * zr * zi + im;
        zr = next;
    }
    return fate;
}

enum verdict { KEEP, LEAVE, UNSURE };

static enum verdict judge(const struct density *density, const struct fate *fate) {
    const uint32_t least = density_rule(density).least;
    if (fate->bounded)
        return density->orbits == DENSITY_BOUNDED ? KEEP : LEAVE;
    if (fate->all_within == UINT32_MAX)
        return UNSURE;
    if (density->orbits == DENSITY_BOUNDED)
        return fate->all_within <= density->limit[0] ? LEAVE : UNSURE;
    return fate->all_within < least ? LEAVE : fate->none_before >= least ? KEEP : UNSURE;
}

/* --- the map of cells --- */

struct map {
    const struct density *density;
    uint8_t *kept; /* CELLS_X * CELLS_Y */
};

static void keep(const struct map *map, uint32_t x, uint32_t y, uint32_t side) {
    for (uint32_t row = y; row < y + side; row++)
        for (uint32_t column = x; column < x + side; column++)
            map->kept[row * CELLS_X + column] = 1;
}

/* Decides on the square of side x side cells at (x, y). */
static void decide(const struct map *map, uint32_t x, uint32_t y, uint32_t side) {
    const double half = side * (CELL / 2);
    const struct fate fate =
        fate_of(x * CELL - 2 + half, y * CELL + half, half * M_SQRT2 + ROUNDING);
    const enum verdict verdict = judge(map->density, &fate);
    if (verdict == KEEP || (verdict == UNSURE && side == 1))
        keep(map, x, y, side);
    if (verdict != UNSURE || side == 1)
        return;
    for (uint32_t quarter = 0; quarter < 4; quarter++)
        decide(map, x + quarter % 2 * (side / 2), y + quarter / 2 * (side / 2), side / 2);
}

/* --- the order --- */

/* All cells in an order that spreads: each bit of the position halves the domain, and which half
 * comes first is different everywhere, so that beginnings are even but no lattice, and with keys at
 * random every cell is as likely as any other to be the t-th (Owen's scrambling). */
static void spread(uint32_t *order, uint32_t key) {
    order[0] = 0;
    for (uint32_t level = 0; level < CELLS_X_BITS + CELLS_Y_BITS; level++) {
        const uint32_t x_bit = CELLS_X_BITS - 1 - level / 2;
        const uint32_t y_bit = CELLS_X_BITS + CELLS_Y_BITS - 1 - level / 2;
        const uint32_t half = 1u << (level % 2 == 0 ? x_bit : y_bit);
        for (uint32_t i = 0; i < 1u << level; i++) {
            const uint32_t square = order[i];
            const uint32_t flip = sample_hash(square ^ level << 24 ^ key) >> 31;
            order[i] = square | (flip ? half : 0);
            order[i + (1u << level)] = square | (flip ? 0 : half);
        }
    }
}

/* Whether a cell may hold points that interior_surely knows. Where it errs, only time is lost. */
static bool worth_testing(uint32_t cell) {
    const double re = cell % CELLS_X * CELL - 2, im = cell / CELLS_X * CELL;
    for (int corner = 0; corner < 4; corner++)
        if (interior_surely(re + corner % 2 * CELL, im + corner / 2 * CELL, 0))
            return true;
    return false;
}

static uint32_t make_order(const struct map *map, uint32_t *order) {
    const uint64_t random = map->density->random;
    const uint32_t key = sample_hash((uint32_t)random ^ sample_hash((uint32_t)(random >> 32)));
    uint32_t count = 0;
    spread(order, key);
    for (uint32_t t = 0; t < CELLS_X * CELLS_Y; t++) {
        const uint32_t cell = order[t];
        if (map->kept[cell])
            order[count++] = cell | (worth_testing(cell) ? CELLS_TEST : 0);
    }
    return count;
}

struct density_cells *density_cells_create(const struct density *density) {
    const size_t cells = (size_t)CELLS_X * CELLS_Y;
    struct shared_cells *shared = calloc(1, sizeof *shared);
    const struct map map = {density, calloc(cells, 1)};
    if (shared)
        shared->order = malloc(cells * sizeof *shared->order);
    if (!shared || !map.kept || !shared->order) {
        log_error("not enough memory for the cells of a density picture");
        free(map.kept);
        free(shared ? shared->order : NULL);
        free(shared);
        return NULL;
    }
    for (uint32_t x = 0; x < CELLS_X; x += CELLS_Y)
        decide(&map, x, 0, CELLS_Y);
    shared->references = 1;
    shared->cells = (struct density_cells){
        .count = make_order(&map, shared->order), .order = shared->order, .density = *density};
    free(map.kept);
    return &shared->cells;
}

struct density_cells *density_cells_ref(struct density_cells *cells) {
    __atomic_add_fetch(&((struct shared_cells *)cells)->references, 1, __ATOMIC_RELAXED);
    return cells;
}

void density_cells_unref(struct density_cells *cells) {
    struct shared_cells *shared = (struct shared_cells *)cells;
    if (!shared || __atomic_sub_fetch(&shared->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    free(shared->order);
    free(shared);
}

/* The channels make no difference, the limit only to bounded orbits. */
bool density_cells_match(const struct density_cells *cells, const struct density *density) {
    const struct density *made = &cells->density;
    return made->orbits == density->orbits && made->random == density->random &&
           (density->orbits == DENSITY_BOUNDED ? made->limit[0] == density->limit[0]
                                               : density_least(made) == density_least(density));
}
