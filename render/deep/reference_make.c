/* Makes reference orbits of z^2 + c. The precision tapers off: an error e of Z_k has the effect of
 * moving c by e / D_k. A step therefore needs fewer bits the larger D is after it, and more bits
 * again when the orbit has come near 0. */
#define _DEFAULT_SOURCE /* sysconf's _SC_PHYS_PAGES */
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/require.h"
#include "render/deep/reference.h"
#include "render/deep/reference_rest.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bits below those that the step needs: 64, and half the logarithm of the most steps whose errors
 * add up. */
#define BITS_LEAST_WIDE 128
#define ENTRIES_AT_ONCE 1000000 /* entries copied between two reads of `stop` */
#define MIB             (1024.0 * 1024)

#define CLOSE_RETURN 0x1p-30 /* distance of a return that may belong to a cycle */
#define ROUNDING     0x1p-45 /* rounding error of a return in doubles */
#define SLOWEST      0x1p-6  /* cycles that attract less, per period, are ignored */

/* An array that grows. */
struct array {
    void *entries;
    uint64_t count, room;
};

struct making {
    struct reference *reference;
    const struct reference_want *want;
    const atomic_bool *stop;
    unsigned limbs_most;
    int64_t bits_most; /* bits behind the point, where D is about 1 */
    int64_t cut_at;    /* radius to stop at, in eighths of log2 */
    struct array z, low, small, cuts;
    uint64_t bytes, bytes_most;
    struct derivative derivative;
    int64_t lowest;   /* radius of the last cut, in eighths of log2 */
    double threshold; /* |Z|^2 / |D|^2, D without its exponent: a cut may exist only below it */
    /* Last power of two among the indices, and whether the orbit has been close to its Z since. */
    uint64_t mark;
    bool returned;
};

/* --- cuts --- */

/* Returns log2 of |Z| / |D| in eighths, rounded up; the same on every machine. */
static int64_t radius_eighths(struct orbit_point z, struct derivative d) {
    static const double powers[] = {0.5, 0x1.306fe0a31b715p-1, 0x1.6a09e667f3bcdp-1,
                                    0x1.ae89f995ad3adp-1};
    if (z.re == 0 && z.im == 0)
        return INT64_MIN;
    if (d.re == 0 && d.im == 0)
        return INT64_MAX;
    int64_t exponent = z.exponent + (int64_t)normalise(&z.re, &z.im) - d.exponent;
    exponent -= normalise(&d.re, &d.im);
    int binade, eighths = 0;
    const double square = frexp((z.re * z.re + z.im * z.im) / (d.re * d.re + d.im * d.im), &binade);
    while (eighths < 4 && square > powers[eighths])
        eighths++;
    return 4 * (2 * exponent + binade) + eighths - 4;
}

static double eighths_log2(int64_t eighths) {
    return eighths == INT64_MIN ? -INFINITY : (double)eighths / 8;
}

/* Sets the threshold a little above the last cut, and never too near the ends of double's range. */
static void set_threshold(struct making *making) {
    const double log2 = (double)making->lowest / 4 + 2 * (double)making->derivative.exponent;
    making->threshold = ldexp(1, (int)fmin(fmax(ceil(log2), -1000), 1000));
}

/* --- cycles --- */

/* Returns log2 of the distance from the reference up to which a cycle from one index to another
 * catches points. Returns -INFINITY if the cycle does not attract, or not enough. A period is z' =
 * L z + S z^2 / 2 + E c. Let R = (1 - |L|) / |S|. Points nearer to the cycle than R stay so while
 * |L| R + |S| R^2 / 2 + |Z' - Z| + |E c| < R. Only a quarter of this room is used, because the
 * series has further terms. */
static double trap_log2(const double *z, uint64_t from, uint64_t to) {
    double complex L = 1, S = 0, E = 0;
    for (uint64_t m = from; m < to; m++) {
        const double complex Z = z[2 * m] + z[2 * m + 1] * I;
        S = 2 * (L * L + Z * S);
        L = 2 * Z * L;
        E = 2 * Z * E + 1;
    }
    const double attracts = 1 - cabs(L);
    const double apart = hypot(z[2 * to] - z[2 * from], z[2 * to + 1] - z[2 * from + 1]);
    const double room = attracts * attracts / (8 * (cabs(S) + 1)) - apart - ROUNDING;
    if (!(attracts >= SLOWEST && room > 0 && cabs(E) < INFINITY))
        return -INFINITY;
    int exponent;
    frexp(room / (cabs(E) + 1), &exponent);
    return exponent - 1;
}

/* Searches for a cycle at the last index: Brent's search, of which the first close return
 * counts. */
static void look_for_trap(struct making *making) {
    const double *z = making->z.entries;
    const uint64_t last = making->z.count - 1, mark = making->mark;
    if (!making->returned && fabs(z[2 * last] - z[2 * mark]) < CLOSE_RETURN &&
        fabs(z[2 * last + 1] - z[2 * mark + 1]) < CLOSE_RETURN) {
        const double trap = trap_log2(z, mark, last);
        making->returned = true;
        if (trap > making->reference->trapped_log2)
            making->reference->trapped_log2 = trap;
    }
    if (last == 2 * mark) {
        making->mark = last;
        making->returned = false;
    }
}

/* --- memory --- */

uint64_t reference_bytes_most(const struct reference_want *want) {
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    const uint64_t quarter =
        pages > 0 && size > 0 ? (uint64_t)pages / 4 * (uint64_t)size : UINT64_MAX;
    return want->bytes_most ? want->bytes_most : quarter;
}

static bool reserve(struct making *making, struct array *array, uint64_t room, size_t size) {
    const uint64_t more = (room - array->room) * size;
    if (making->bytes + more > making->bytes_most) {
        log_error(
            "the reference orbit has %.0f MiB after %llu iterations, and %.0f MiB are allowed: "
            "choose a lower iteration limit, or another place",
            (double)making->bytes / MIB, (unsigned long long)making->z.count,
            (double)making->bytes_most / MIB);
        return false;
    }
    void *entries =
        memory_fits(more, "a reference orbit") ? realloc(array->entries, room * size) : NULL;
    if (!entries) {
        log_error("no memory for a longer reference orbit after %llu iterations: choose a lower "
                  "iteration limit",
                  (unsigned long long)making->z.count);
        return false;
    }
    array->entries = entries;
    array->room = room;
    making->bytes += more;
    return true;
}

/* Makes room for one more entry: half as much again if the array is full. */
static bool grow(struct making *making, struct array *array, uint64_t room_most, size_t size) {
    uint64_t room = array->room + array->room / 2;
    room = room < REFERENCE_ROOM_LEAST ? REFERENCE_ROOM_LEAST : room;
    return array->count < array->room ||
           reserve(making, array, room < room_most ? room : room_most, size);
}

static bool stopped(const struct making *making) {
    return making->stop && atomic_load_explicit(making->stop, memory_order_relaxed);
}

static bool copy(struct making *making, struct array *array, const void *from, uint64_t count,
                 size_t size) {
    if (count > 0 && !reserve(making, array, count, size))
        return false;
    for (uint64_t i = 0; i < count && !stopped(making); i += ENTRIES_AT_ONCE)
        memcpy((char *)array->entries + i * size, (const char *)from + i * size,
               (count - i < ENTRIES_AT_ONCE ? count - i : ENTRIES_AT_ONCE) * size);
    array->count = count;
    return !stopped(making);
}

/* Returns the array's memory, cut to its entries. */
static void *trimmed(struct array *array, size_t size) {
    if (array->count == 0)
        return NULL;
    void *entries = realloc(array->entries, array->count * size);
    return entries ? entries : array->entries;
}

/* --- steps --- */

static bool add_small(struct making *making, const struct orbit_point *z, uint32_t index) {
    if (!grow(making, &making->small, UINT32_MAX, sizeof(struct reference_small)))
        return false;
    struct reference_small *small = making->small.entries;
    small[making->small.count++] =
        (struct reference_small){.re = z->re, .im = z->im, .exponent = z->exponent, .index = index};
    return true;
}

static bool add_cut(struct making *making, int64_t eighths, uint32_t index) {
    if (!grow(making, &making->cuts, UINT32_MAX, sizeof(struct reference_cut)))
        return false;
    struct reference_cut *cuts = making->cuts.entries;
    cuts[making->cuts.count++] = (struct reference_cut){eighths_log2(eighths), index};
    making->lowest = eighths;
    return true;
}

/* Stores Z at the next index, with D at that index. */
static bool add_index(struct making *making, const struct orbit_point *z) {
    const uint64_t room = (uint64_t)making->want->limit + 1;
    const struct derivative *d = &making->derivative;
    const uint32_t index = (uint32_t)making->z.count;
    if (!grow(making, &making->z, room, 2 * sizeof(double)))
        return false;
    double *to = (double *)making->z.entries + 2 * making->z.count++;
    to[0] = z->exponent ? ldexp(z->re, z->exponent) : z->re;
    to[1] = z->exponent ? ldexp(z->im, z->exponent) : z->im;
    const double square = z->re * z->re + z->im * z->im;
    if ((z->exponent || (z->re == 0 && z->im == 0)) && !add_small(making, z, index))
        return false;
    if (making->want->whole || making->want->start)
        return true;
    if (!z->exponent && square > 0x1p-800 &&
        square >= making->threshold * (d->re * d->re + d->im * d->im))
        return true;
    const int64_t eighths = radius_eighths(*z, *d);
    return eighths >= making->lowest || add_cut(making, eighths, index);
}

/* Stores the low parts of Z at the last index. */
static bool add_low(struct making *making, const struct orbit_point *z) {
    const struct orbit_value *value = &making->reference->rest->value;
    const uint64_t room = (uint64_t)making->want->limit + 1;
    if (!grow(making, &making->low, room, 2 * sizeof(double)))
        return false;
    double *to = (double *)making->low.entries + 2 * making->low.count++;
    to[0] = orbit_low_part(z->re, orbit_low(value->re, value->limbs, z->re, z->exponent));
    to[1] = orbit_low_part(z->im, orbit_low(value->im, value->limbs, z->im, z->exponent));
    if (z->exponent) {
        struct reference_small *small = making->small.entries;
        small[making->small.count - 1].re_low = to[0];
        small[making->small.count - 1].im_low = to[1];
        to[0] = ldexp(to[0], z->exponent);
        to[1] = ldexp(to[1], z->exponent);
    }
    return true;
}

/* Stores Z at the next index: z, of which wide references also have the whole value. */
static bool add_value(struct making *making, struct orbit_point *z) {
    const bool wide = making->want->wide;
    making->reference->moved |= !wide && orbit_leave_circle(z);
    return add_index(making, z) && (!wide || add_low(making, z));
}

/* Returns the number of limbs for Z after a step; D is the derivative there. */
static unsigned limbs_for(const struct making *making) {
    const int64_t bits = making->bits_most - derivative_log2(&making->derivative);
    const int64_t fewer = bits < making->bits_most ? bits : making->bits_most;
    const int64_t least = making->want->wide ? BITS_LEAST_WIDE : REFERENCE_BITS_LEAST;
    return (unsigned)(((fewer > least ? fewer : least) + ORBIT_INTEGER_BITS + 63) / 64);
}

/* Returns true if orbits around one with a start no longer need it from the last index on: see
 * struct reference_want. Their pixels can no longer be told apart long before D falls to
 * 2^LOST_STEPS of one. */
static bool is_no_longer_needed(struct making *making, const struct orbit_point *z) {
    const struct reference_start *start = making->want->start;
    struct reference_rest *rest = making->reference->rest;
    if (!start)
        return false;
    const double size = larger(z->re, z->im);
    if (size == 0)
        return true;
    const int64_t d_log2 = derivative_log2(&making->derivative);
    const int64_t z_log2 = z->exponent + ilogb(size);
    rest->least_log2 = d_log2 < rest->least_log2 ? d_log2 : rest->least_log2;
    return (double)d_log2 + start->step_log2 >= (double)z_log2 - DO_WITHOUT_BITS ||
           (double)d_log2 < LOST_STEPS * start->step_log2 - REFERENCE_GUARD_BITS;
}

enum result { DONE, STOPPED, REFUSED };

/* Iterates from the last index on, until the reference serves. */
static enum result run(struct making *making, const struct orbit_engine *engine, void *orbit,
                       atomic_uint *progress) {
    struct orbit_value *value = &making->reference->rest->value;
    const double *last = (const double *)making->z.entries + 2 * (making->z.count - 1);
    struct orbit_point z = {last[0], last[1], 0};
    const struct reference_small *small = making->small.entries;
    if (making->small.count > 0 && small[making->small.count - 1].index == making->z.count - 1) {
        small += making->small.count - 1;
        z = (struct orbit_point){small->re, small->im, small->exponent};
    }
    int64_t exponent = -1;
    int64_t lowest = making->lowest;
    const bool whole = making->want->whole || making->want->start;
    while (making->z.count <= making->want->limit && (whole || making->lowest > making->cut_at)) {
        if (stopped(making))
            return STOPPED;
        if (is_no_longer_needed(making, &z) || !(z.re * z.re + z.im * z.im < REFERENCE_ESCAPE))
            break;
        derivative_step(&making->derivative, &z);
        if (making->derivative.exponent != exponent || making->lowest != lowest) {
            set_threshold(making);
            exponent = making->derivative.exponent;
            lowest = making->lowest;
        }
        z = engine->step(orbit, limbs_for(making));
        if (making->want->wide)
            engine->save(orbit, value);
        if (!add_value(making, &z))
            return REFUSED;
        if (progress)
            atomic_store_explicit(progress, (unsigned)making->z.count - 1, memory_order_relaxed);
        if (!whole)
            look_for_trap(making);
        if (making->want->radius_log2 < making->reference->trapped_log2)
            break;
        if (!(z.re * z.re + z.im * z.im < REFERENCE_ESCAPE)) {
            making->reference->escaped = true;
            break;
        }
    }
    return DONE;
}

/* --- the whole --- */

/* Writes |number|, which is below 2^ORBIT_INTEGER_BITS, rounded towards zero. */
static bool fixed_point(mp_limb_t *limb, unsigned limbs, mpfr_srcptr number) {
    mpfr_t scaled;
    mpz_t whole;
    mpfr_init2(scaled, mpfr_get_prec(number));
    mpz_init(whole);
    mpfr_mul_2si(scaled, number, 64 * (long)limbs - ORBIT_INTEGER_BITS, MPFR_RNDZ);
    mpfr_get_z(whole, scaled, MPFR_RNDZ);
    memset(limb, 0, limbs * sizeof *limb);
    memcpy(limb, mpz_limbs_read(whole), mpz_size(whole) * sizeof *limb);
    mpz_clear(whole);
    mpfr_clear(scaled);
    return mpfr_signbit(number) != 0;
}

static double step_served(unsigned limbs) {
    return REFERENCE_GUARD_BITS + ORBIT_INTEGER_BITS - 64.0 * limbs;
}

/* Returns a reference with a point and a value with room for its orbit. */
static struct reference *create(const struct reference_want *want, unsigned limbs) {
    struct reference *reference = reference_create_empty(want);
    if (!reference)
        return NULL;
    orbit_value_init(&reference->rest->value, limbs);
    if (!reference->rest->value.re) {
        log_error("no memory for a reference orbit of %u bits", 64 * limbs);
        reference_unref(reference);
        return NULL;
    }
    reference->step_log2 = step_served(limbs);
    reference->steps = (struct step_list)STEP_LIST_SQUARE;
    reference->rest->limbs_most = limbs;
    return reference;
}

/* Begins an orbit at a given point. */
static bool begin_at(struct making *making, const struct reference_start *start) {
    struct orbit_value *value = &making->reference->rest->value;
    struct orbit_point z = {mpfr_get_d(start->re, MPFR_RNDN), mpfr_get_d(start->im, MPFR_RNDN), 0};
    value->limbs = 1;
    if (fabs(z.re) < 4 && fabs(z.im) < 4) { /* others have escaped there */
        value->limbs = making->limbs_most;
        value->re_negative = fixed_point(value->re, value->limbs, start->re);
        value->im_negative = fixed_point(value->im, value->limbs, start->im);
        z = orbit_point(value);
    }
    making->derivative = (struct derivative){.re = 1, .by_start = true};
    return add_value(making, &z);
}

/* Begins a point's orbit at Z_0, or extends it from the end of `base`. */
static bool begin(struct making *making, const struct reference *base) {
    static const double zero[2];
    struct orbit_value *value = &making->reference->rest->value;
    making->derivative = (struct derivative){.one = 1};
    making->lowest = INT64_MAX;
    making->mark = 1;
    if (making->want->start)
        return begin_at(making, making->want->start);
    if (!base) {
        value->limbs = 1;
        return copy(making, &making->z, zero, 1, sizeof zero) &&
               (!making->want->wide || copy(making, &making->low, zero, 1, sizeof zero));
    }
    const struct reference_rest *rest = base->rest;
    making->reference->trapped_log2 = base->trapped_log2;
    making->reference->moved = base->moved;
    making->derivative = rest->derivative;
    making->lowest = rest->lowest;
    value->limbs = rest->value.limbs;
    value->re_negative = rest->value.re_negative;
    value->im_negative = rest->value.im_negative;
    memcpy(value->re, rest->value.re, value->limbs * sizeof *value->re);
    memcpy(value->im, rest->value.im, value->limbs * sizeof *value->im);
    while (2 * making->mark < base->length)
        making->mark *= 2;
    const uint64_t indices = base->length + UINT64_C(1);
    return copy(making, &making->z, base->z, indices, sizeof zero) &&
           (!base->low || copy(making, &making->low, base->low, indices, sizeof zero)) &&
           copy(making, &making->small, base->small, base->small_count, sizeof *base->small) &&
           copy(making, &making->cuts, base->cuts, base->cut_count, sizeof *base->cuts);
}

static enum result iterate(struct making *making, atomic_uint *progress) {
    const struct orbit_engine *engine = making->want->engine;
    if (!engine || making->limbs_most < engine->limbs_least ||
        making->limbs_most > engine->limbs_most)
        engine = &orbit_mpn;
    struct orbit_value *value = &making->reference->rest->value, c;
    orbit_value_init(&c, making->limbs_most);
    void *orbit = NULL;
    if (c.re) {
        c.re_negative = fixed_point(c.re, c.limbs, making->reference->re);
        c.im_negative = fixed_point(c.im, c.limbs, making->reference->im);
        orbit = engine->create(&c, value, making->want->threads);
    }
    enum result result = REFUSED;
    if (orbit) {
        result = run(making, engine, orbit, progress);
        engine->save(orbit, value);
        engine->destroy(orbit);
    } else
        log_error("no memory for iterating with %u bits", 64 * making->limbs_most);
    free(c.re);
    return result;
}

/* Returns true if no orbit needs this point, since all have escaped at once. */
static bool is_far(const struct reference_want *want) {
    return mpfr_cmpabs_ui(want->re, 4) >= 0 || mpfr_cmpabs_ui(want->im, 4) >= 0;
}

static enum result escape_at_once(struct making *making) {
    const double z[] = {0, 0, mpfr_get_d(making->want->re, MPFR_RNDN),
                        mpfr_get_d(making->want->im, MPFR_RNDN)};
    making->reference->escaped = true;
    static const double nothing[4]; /* so far out, doubles are precise enough */
    return copy(making, &making->z, z, 2, sizeof z / 2) &&
                   (!making->want->wide || copy(making, &making->low, nothing, 2, sizeof z / 2))
               ? DONE
               : REFUSED;
}

static void hand_over(struct making *making) {
    struct reference *reference = making->reference;
    struct reference_rest *rest = reference->rest;
    reference->length = (uint32_t)making->z.count - 1;
    reference->small_count = (uint32_t)making->small.count;
    reference->cut_count = (uint32_t)making->cuts.count;
    reference->z = trimmed(&making->z, 2 * sizeof(double));
    reference->low = trimmed(&making->low, 2 * sizeof(double));
    reference->small = trimmed(&making->small, sizeof *reference->small);
    reference->cuts = trimmed(&making->cuts, sizeof *reference->cuts);
    rest->derivative = making->derivative;
    rest->lowest = making->lowest;
    rest->bytes = sizeof *reference + sizeof *rest + making->limbs_most * 2 * sizeof(mp_limb_t) +
                  (making->z.count + making->low.count) * 2 * sizeof(double) +
                  making->small.count * sizeof *reference->small +
                  making->cuts.count * sizeof *reference->cuts;
}

/* Returns the limbs for a step of that size, rounded up by at most about a thirty-second. A zoom
 * soon uses the additional limbs, and they cost less than a tenth. A number that is already rounded
 * up stays the same. */
static unsigned limbs_wanted(double step_log2) {
    const double bits =
        fmax(REFERENCE_GUARD_BITS - step_log2, REFERENCE_BITS_LEAST) + ORBIT_INTEGER_BITS;
    const unsigned limbs = (unsigned)ceil(bits / 64);
    unsigned quantum = 1;
    while (quantum < 32 && 2 * quantum <= 1 + limbs / 32)
        quantum *= 2;
    return (limbs + quantum - 1) / quantum * quantum;
}

double reference_step_log2(double step_log2) {
    return step_served(limbs_wanted(step_log2));
}

static bool is_refused(const struct reference_want *want) {
    if (mpfr_number_p(want->re) && mpfr_number_p(want->im) &&
        want->step_log2 >= REFERENCE_STEP_LOG2_MIN)
        return false;
    log_error("no reference orbit for pixels of 2^%.0f: 2^%.0f is the finest step, about a point "
              "of finite numbers",
              want->step_log2, REFERENCE_STEP_LOG2_MIN);
    return true;
}

static bool can_continue(const struct reference *base, const struct reference_want *want) {
    return base && base->step_log2 <= want->step_log2 && !base->escaped &&
           (base->low != NULL) == want->wide && mpfr_equal_p(base->re, want->re) &&
           mpfr_equal_p(base->im, want->im);
}

const struct reference *reference_make(const struct reference_want *want,
                                       const struct reference *base, const atomic_bool *stop,
                                       atomic_uint *progress) {
    require(want->limit >= 1 && want->limit <= INT32_MAX && !isnan(want->radius_log2), NULL);
    if (is_refused(want))
        return NULL;
    if (want->steps.length > 0 && !step_list_is_square(&want->steps))
        return reference_make_folded(want, stop, progress);
    if (base && mpfr_equal_p(base->re, want->re) && mpfr_equal_p(base->im, want->im) &&
        (base->low != NULL) == want->wide &&
        reference_serves(base, want->radius_log2, want->step_log2, want->limit)) {
        if (progress)
            atomic_store_explicit(progress, base->length, memory_order_relaxed);
        return reference_ref(base);
    }
    struct making making = {
        .want = want, .stop = stop, .limbs_most = limbs_wanted(want->step_log2)};
    if (can_continue(base, want))
        making.limbs_most = base->rest->limbs_most;
    else
        base = NULL;
    making.reference = create(want, making.limbs_most);
    if (!making.reference)
        return NULL;
    making.bytes_most = reference_bytes_most(want);
    making.bits_most = 64 * (int64_t)making.limbs_most - ORBIT_INTEGER_BITS;
    making.cut_at =
        (int64_t)floor(8 * fmin(fmax(want->radius_log2, making.reference->step_log2), 1e6));
    enum result result = is_far(want)           ? escape_at_once(&making)
                         : begin(&making, base) ? iterate(&making, progress)
                                                : REFUSED;
    hand_over(&making);
    if (result == DONE)
        return making.reference;
    reference_unref(making.reference);
    return NULL;
}
