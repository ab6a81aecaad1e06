/* Density cells: proves which cells have no points to count. Squares are followed as discs, and cut
 * in four if that proves nothing. */
#include "render/density/density_cells.h"
#include "render/base/log.h"
#include "render/density/density_counts.h"
#include "render/density/density_sample.h"
#include "render/interior.h"
#include <math.h>
#include <stdlib.h>

#define CELL        0x1p-8  /* side of a cell */
#define ROUNDING    0x1p-20 /* rounding of a step in any type (interior.h), for |z| up to about 2 */
#define STEPS_MOST  2048    /* longest proof; longer ones are not worth their time */
#define RADIUS_MOST 4.0     /* radius of a disc beyond which nothing can be proved */
#define INFLATION   1.5     /* factor of a disc that must contain its image */

struct shared_cells {
    struct density_cells cells; /* first, because other files see only this member */
    uint32_t *order;
    int references;
};

/* --- proofs --- */

/* Known facts about a square: bounds for the orbits of all its c. */
struct fate {
    bool bounded;         /* no orbit escapes */
    uint32_t none_before; /* no orbit escapes in fewer steps */
    uint32_t all_within;  /* all orbits escape within this number of steps; UINT32_MAX: unknown */
};

/* Returns a distance without hypot, whose last bit differs between machines. */
static double distance(double ar, double ai, double br, double bi) {
    return sqrt((ar - br) * (ar - br) + (ai - bi) * (ai - bi));
}

/* Returns true if all c within `radius` are in the cardioid or in the period-2 disc. A margin makes
 * rounded orbits stay there as well (interior.h). With w = sqrt(1 - 4c) the multiplier of the
 * cardioid is 1 - w. If w^2 moves by at most 4 radius < |w|^2 / 2, w moves by at most 4 radius /
 * |w|. */
static bool surely_inside(double re, double im, double radius) {
    const double margin = INTERIOR_MARGIN_FLOAT;
    const double square_re = 1 - 4 * re, size2 = distance(square_re, 4 * im, 0, 0);
    const double size = sqrt(size2), w_re = sqrt((size2 + square_re) / 2);
    const double w_im = sqrt((size2 - square_re) / 2);
    return (8 * radius < size2 && distance(1, 0, w_re, w_im) + 4 * radius / size < 1 - margin) ||
           distance(re, im, -1, 0) + radius < 0.25 * (1 - INTERIOR_DISC_MARGINS * margin);
}

/* Follows |z - Z| <= R for c within `radius` of re + i im: Z' = Z^2 + c, R' = R (2 |Z| + R) +
 * radius. If an inflated disc of step 2^k contains a later disc, all orbits stay inside. */
static struct fate fate_of(double re, double im, double radius) {
    struct fate fate = {.none_before = 1, .all_within = UINT32_MAX};
    fate.bounded = surely_inside(re, im, radius);
    if (fate.bounded)
        return fate;
    double zr = re, zi = im, r = radius, kept_r = INFINITY, kept_zr = 0, kept_zi = 0;
    bool escaping = false; /* some orbits may have escaped */
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

static enum verdict verdict_of(const struct density *density, const struct fate *fate) {
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
    uint8_t *kept; /* one byte for each of CELLS_X * CELLS_Y cells */
};

static void keep_cells(const struct map *map, uint32_t x, uint32_t y, uint32_t side) {
    for (uint32_t row = y; row < y + side; row++)
        for (uint32_t column = x; column < x + side; column++)
            map->kept[row * CELLS_X + column] = 1;
}

/* Decides about the square of side x side cells at (x, y). */
static void decide(const struct map *map, uint32_t x, uint32_t y, uint32_t side) {
    const double half = side * (CELL / 2);
    const struct fate fate =
        fate_of(x * CELL - 2 + half, y * CELL + half, half * M_SQRT2 + ROUNDING);
    const enum verdict verdict = verdict_of(map->density, &fate);
    if (verdict == KEEP || (verdict == UNSURE && side == 1))
        keep_cells(map, x, y, side);
    if (verdict != UNSURE || side == 1)
        return;
    for (uint32_t quarter = 0; quarter < 4; quarter++)
        decide(map, x + quarter % 2 * (side / 2), y + quarter / 2 * (side / 2), side / 2);
}

/* --- the order --- */

/* Stores all cells in an evenly spreading order (Owen's scrambling). Each bit of the position
 * halves the domain, and the half that comes first varies. So every beginning of the order is even,
 * but no lattice. With random keys each cell is equally likely to be the t-th. */
static void make_even_order(uint32_t *order, uint32_t key) {
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

/* Returns true if a cell may contain points that interior_surely proves. A wrong answer only costs
 * time. */
static bool needs_test(uint32_t cell) {
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
    make_even_order(order, key);
    for (uint32_t t = 0; t < CELLS_X * CELLS_Y; t++) {
        const uint32_t cell = order[t];
        if (map->kept[cell])
            order[count++] = cell | (needs_test(cell) ? CELLS_TEST : 0);
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

/* Returns true if the cells suit a density. The channels are irrelevant, and the limit matters only
 * to bounded orbits. */
bool density_cells_match(const struct density_cells *cells, const struct density *density) {
    const struct density *made = &cells->density;
    return made->orbits == density->orbits && made->random == density->random &&
           (density->orbits == DENSITY_BOUNDED ? made->limit[0] == density->limit[0]
                                               : density_least(made) == density_least(density));
}
