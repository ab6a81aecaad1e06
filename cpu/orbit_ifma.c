/* Reference orbits by AVX-512 IFMA: several times as fast as GMP's mpn from 500 bits on, with
 * the same bits. Limbs of 52 bits are multiplied in columns, from the highest down to where they
 * no longer matter; in the rare case that the columns left out could decide a bit, GMP makes the
 * step. */
#include "render/deep/crew.h"
#include "render/deep/orbit.h"
#include <immintrin.h>
#include <stdlib.h>
#include <string.h>

#define LIMB_BITS   52
#define LIMB_MASK   ((UINT64_C(1) << LIMB_BITS) - 1)
#define LANES       8
#define GUARD_BITS  24   /* bits of a product that are computed below those that are kept */
#define LIMBS_LEAST 10   /* of 64 bits: below that, mpn is as fast */
#define LIMBS_MOST  800u /* above that, columns do not fit into 64 bits */

/* Limbs from which two or three threads may be faster. Two break even at 110 where data passes
 * between processors in 50 ns, and at 330 where it takes 300 ns. */
#define LIMBS_OF_TWO   80
#define LIMBS_OF_THREE 160

/* A number, addressed from its highest limb, which lies before the point: number[-i] counts 2^(-52
 * i). A block is eight limbs, number[-8 q - 7] .. number[-8 q]; missing limbs are 0, and so are
 * eight above the highest. */
struct number {
    uint64_t *top;
    unsigned blocks; /* blocks that may hold anything but 0 */
    bool negative;
};

/* Eight columns of a product: low and high halves; high halves belong one column up. */
struct columns {
    __m512i low, high;
};

/* Task of a crew: the numbers of a step. A product has `blocks` blocks of columns, and z has `most`
 * limbs of 52 bits. */
struct task {
    struct number z[2], next[2]; /* re, im */
    struct number sum, difference;
    struct columns *columns[2]; /* of the products, by block */
    const struct number *c;
    ptrdiff_t blocks, most;
    unsigned limbs; /* of `next`, of 64 bits */
    unsigned threads;
    bool closed[2]; /* results of put_part */
};

struct orbit {
    unsigned limbs; /* of z, of 64 bits */
    struct number c[2];
    struct task task[CREW_MOST]; /* a late helper holds one of them */
    unsigned at;                 /* the task in use */
    struct crew *crew;
    struct orbit_value value, exact_c; /* with limbs of 64 bits, for steps that GMP makes */
    uint64_t *room;
    size_t number_bytes; /* of each number */
};

/* --- limbs of 64 bits and back --- */

static unsigned fraction_bits(unsigned limbs) {
    return 64 * limbs - ORBIT_INTEGER_BITS;
}

/* Returns the limbs of 52 bits behind the point. */
static unsigned fraction_limbs(unsigned limbs) {
    return (fraction_bits(limbs) + LIMB_BITS - 1) / LIMB_BITS;
}

static void from_limbs(struct number *to, const mp_limb_t *from, unsigned limbs, bool negative) {
    const unsigned most = fraction_limbs(limbs);
    memset(to->top + 1 - (size_t)LANES * to->blocks, 0, to->blocks * LANES * sizeof *to->top);
    to->top[0] = from[limbs - 1] >> (64 - ORBIT_INTEGER_BITS);
    for (unsigned i = 1; i <= most; i++) {
        const unsigned bit = ORBIT_INTEGER_BITS + LIMB_BITS * (i - 1), word = bit / 64;
        uint64_t high = from[limbs - 1 - word] << bit % 64;
        if (bit % 64 > 64 - LIMB_BITS && word + 1 < limbs)
            high |= from[limbs - 2 - word] >> (64 - bit % 64);
        to->top[-(ptrdiff_t)i] = high >> (64 - LIMB_BITS);
    }
    to->blocks = most / LANES + 1;
    to->negative = negative;
}

static void to_limbs(mp_limb_t *to, const struct number *from, unsigned limbs) {
    const unsigned most = fraction_limbs(limbs);
    memset(to, 0, limbs * sizeof *to);
    to[limbs - 1] = from->top[0] << (64 - ORBIT_INTEGER_BITS);
    for (unsigned i = 1; i <= most; i++) {
        const unsigned bit = ORBIT_INTEGER_BITS + LIMB_BITS * (i - 1), word = bit / 64;
        const uint64_t high = from->top[-(ptrdiff_t)i] << (64 - LIMB_BITS);
        to[limbs - 1 - word] |= high >> bit % 64;
        if (bit % 64 > 64 - LIMB_BITS && word + 1 < limbs)
            to[limbs - 2 - word] |= high << (64 - bit % 64);
    }
}

/* --- sums --- */

static inline __m512i *block(const struct number *number, ptrdiff_t q) {
    return (__m512i *)(void *)(number->top + 1 - LANES * (q + 1));
}

/* Normalises limbs below 2^53 - 1; *carry comes from below and is passed upwards. */
static inline __m512i carried(__m512i v, unsigned *carry) {
    const __m512i mask = _mm512_set1_epi64((long long)LIMB_MASK);
    const unsigned full = _mm512_cmpeq_epu64_mask(v, mask);
    const unsigned up = full + 2 * (unsigned)_mm512_cmpgt_epu64_mask(v, mask) + *carry;
    *carry = up >> LANES;
    v = _mm512_mask_add_epi64(v, (__mmask8)(up ^ full), v, _mm512_set1_epi64(1));
    return _mm512_and_si512(v, mask);
}

/* Returns true if |a| < |b|. */
static bool is_less(const struct number *a, const struct number *b, ptrdiff_t blocks) {
    for (ptrdiff_t q = 0; q < blocks; q++) {
        const __m512i x = *block(a, q), y = *block(b, q);
        const unsigned other = _mm512_cmpneq_epu64_mask(x, y);
        if (other)
            return _mm512_cmplt_epu64_mask(x, y) >> (31 - __builtin_clz(other)) & 1;
    }
    return false;
}

/* Computes |re| + |im| and ||re| - |im||. */
static void sum_and_difference(struct task *task) {
    const struct number *re = &task->z[0], *im = &task->z[1];
    task->difference.negative = is_less(re, im, task->blocks);
    const struct number *more = task->difference.negative ? im : re;
    const struct number *less = task->difference.negative ? re : im;
    unsigned carry = 0, borrow = 0;
    for (ptrdiff_t q = task->blocks - 1; q >= 0; q--) {
        const __m512i x = *block(more, q), y = *block(less, q);
        *block(&task->sum, q) = carried(_mm512_add_epi64(x, y), &carry);
        const unsigned same = _mm512_cmpeq_epu64_mask(x, y);
        const unsigned down = same + 2 * (unsigned)_mm512_cmplt_epu64_mask(x, y) + borrow;
        borrow = down >> LANES;
        const __m512i v = _mm512_sub_epi64(x, y);
        *block(&task->difference, q) = _mm512_and_si512(
            _mm512_mask_sub_epi64(v, (__mmask8)(down ^ same), v, _mm512_set1_epi64(1)),
            _mm512_set1_epi64((long long)LIMB_MASK));
    }
}

/* --- products --- */

/* Computes the columns 8 q .. 8 q + 7 of a product for each block q from `first` up to `blocks`; a
 * has `most` limbs. They are multiplied eight at a time with a block of b, each into a sum of its
 * own that is as many lanes out of place; so every load is aligned, as are the stores that it may
 * have to wait for. The sums of the block above `first` are needed, too. */
static void multiply(const struct number *a, const struct number *b, ptrdiff_t first,
                     ptrdiff_t blocks, ptrdiff_t most, struct columns *out) {
    const __m512i zero = _mm512_setzero_si512();
    __m512i was1 = zero, was2 = zero, was3 = zero, was4 = zero, was5 = zero, was6 = zero,
            was7 = zero;
    for (ptrdiff_t q = first > 0 ? first - 1 : 0; q < blocks; q++) {
        const ptrdiff_t end = LANES * (q + 1) < most ? LANES * (q + 1) : most;
        __m512i high = zero, sum0 = zero, sum1 = zero, sum2 = zero, sum3 = zero, sum4 = zero,
                sum5 = zero, sum6 = zero, sum7 = zero;
        for (ptrdiff_t i = 0; i < end; i += LANES) {
            const __m512i limbs = *block(b, q - i / LANES);
            const uint64_t *const from = a->top - i;
#define ADD_LIMB(lane, up, to)                                                                     \
    do {                                                                                           \
        const __m512i factor = _mm512_set1_epi64((long long)from[-(lane)]);                        \
        to = _mm512_madd52lo_epu64(to, factor, limbs);                                             \
        up = _mm512_madd52hi_epu64(up, factor, limbs);                                             \
    } while (0)
            ADD_LIMB(0, high, sum0);
            ADD_LIMB(1, sum0, sum1);
            ADD_LIMB(2, sum1, sum2);
            ADD_LIMB(3, sum2, sum3);
            ADD_LIMB(4, sum3, sum4);
            ADD_LIMB(5, sum4, sum5);
            ADD_LIMB(6, sum5, sum6);
            ADD_LIMB(7, sum6, sum7);
#undef ADD_LIMB
        }
        __m512i even = _mm512_add_epi64(sum0, _mm512_alignr_epi64(was1, sum1, 1));
        __m512i odd = _mm512_alignr_epi64(was2, sum2, 2);
        even = _mm512_add_epi64(even, _mm512_alignr_epi64(was3, sum3, 3));
        odd = _mm512_add_epi64(odd, _mm512_alignr_epi64(was4, sum4, 4));
        even = _mm512_add_epi64(even, _mm512_alignr_epi64(was5, sum5, 5));
        odd = _mm512_add_epi64(odd, _mm512_alignr_epi64(was6, sum6, 6));
        even = _mm512_add_epi64(even, _mm512_alignr_epi64(was7, sum7, 7));
        if (q >= first)
            out[q] = (struct columns){_mm512_add_epi64(even, odd), high};
        was1 = sum1, was2 = sum2, was3 = sum3, was4 = sum4, was5 = sum5, was6 = sum6, was7 = sum7;
    }
}

/* Carries from one block to the next higher one. */
struct passing {
    __m512i high, carry;
    unsigned ripple;
};

/* Returns true if anything is carried beyond the highest block. */
static inline bool carry_out(const struct passing *passing) {
    return passing->ripple || _mm512_cmpneq_epu64_mask(passing->carry, _mm512_setzero_si512()) >> 7;
}

/* Turns columns into limbs, with carries from the block below. */
static inline __m512i limbs_of(struct columns columns, bool twice, __m512i addend,
                               struct passing *passing) {
    const __m512i mask = _mm512_set1_epi64((long long)LIMB_MASK);
    __m512i v = _mm512_add_epi64(columns.low, _mm512_alignr_epi64(columns.high, passing->high, 7));
    passing->high = columns.high;
    v = _mm512_add_epi64(twice ? _mm512_add_epi64(v, v) : v, addend);
    const __m512i carry = _mm512_srli_epi64(v, LIMB_BITS);
    v = _mm512_add_epi64(_mm512_and_si512(v, mask), _mm512_alignr_epi64(carry, passing->carry, 7));
    passing->carry = carry;
    return carried(v, &passing->ripple);
}

/* Returns the bits of c in a block, or of its complement if it is subtracted; none below the last
 * limb. */
static inline __m512i share(const struct number *c, bool subtracted, ptrdiff_t q, ptrdiff_t last,
                            uint64_t last_mask) {
    const __m512i mask = _mm512_set1_epi64((long long)LIMB_MASK);
    const ptrdiff_t lane = LANES * (q + 1) - 1 - last; /* of the last limb */
    if (lane >= LANES)
        return _mm512_setzero_si512();
    __m512i v = *block(c, q);
    if (lane < 0)
        return subtracted ? _mm512_sub_epi64(mask, v) : v;
    const __mmask8 at = (__mmask8)(1u << lane);
    v = _mm512_mask_and_epi64(v, at, v, _mm512_set1_epi64((long long)last_mask));
    v = _mm512_maskz_mov_epi64((__mmask8)(0xffu << lane), v);
    if (subtracted) {
        v = _mm512_maskz_sub_epi64((__mmask8)(0xffu << lane), mask, v);
        v = _mm512_mask_add_epi64(v, at, v, _mm512_set1_epi64(1));
    }
    return v;
}

/* Cuts a block off behind the last limb. */
static inline __m512i kept(__m512i v, ptrdiff_t q, ptrdiff_t last, uint64_t last_mask) {
    const ptrdiff_t lane = LANES * (q + 1) - 1 - last; /* of the last limb */
    if (lane < 0)
        return v;
    if (lane >= LANES)
        return _mm512_setzero_si512();
    v = _mm512_maskz_mov_epi64((__mmask8)(0xffu << lane), v);
    return _mm512_mask_and_epi64(v, (__mmask8)(1u << lane), v,
                                 _mm512_set1_epi64((long long)last_mask));
}

/* Returns true if the last but one limb of a product, or the part that is cut off, is so high that
 * the columns left out could carry. */
static inline bool is_open(__m512i lowest, ptrdiff_t last, ptrdiff_t blocks, uint64_t last_mask) {
    const ptrdiff_t columns = LANES * blocks;
    const uint64_t most = 2 * ((uint64_t)columns + 4) + 2;
    const uint64_t below = columns - 2 == last ? LIMB_MASK & ~last_mask : LIMB_MASK;
    const uint64_t limb = (uint64_t)_mm_extract_epi64(_mm512_castsi512_si128(lowest), 1);
    return (limb & below) + most > below;
}

/* Negates a number that is cut off: 2^52 less it. */
static void negate(struct number *number, ptrdiff_t last) {
    const __m512i mask = _mm512_set1_epi64((long long)LIMB_MASK);
    const ptrdiff_t lowest = last / LANES, lane = LANES * (lowest + 1) - 1 - last;
    unsigned carry = 0;
    for (ptrdiff_t q = lowest; q >= 0; q--) {
        __m512i v = _mm512_sub_epi64(mask, *block(number, q));
        if (q == lowest) {
            v = _mm512_maskz_mov_epi64((__mmask8)(0xffu << lane), v);
            v = _mm512_mask_add_epi64(v, (__mmask8)(1u << lane), v, _mm512_set1_epi64(1));
        }
        *block(number, q) = carried(v, &carry);
    }
}

/* --- rounding --- */

static int32_t part_rounded(const uint64_t *top, ptrdiff_t last, double *mantissa) {
    ptrdiff_t i = 0;
    while (i <= last && top[-i] == 0)
        i++;
    if (i > last)
        return orbit_rounded(0, false, 0, mantissa);
    const unsigned __int128 bits =
        (unsigned __int128)top[-i] << 76 | (unsigned __int128)top[-i - 1] << 24 | top[-i - 2] >> 28;
    const int zeros = __builtin_clzll(top[-i]) - (64 - LIMB_BITS);
    const uint64_t high = (uint64_t)((bits << zeros) >> 64);
    bool more = (uint64_t)(bits << zeros) != 0 || top[-i - 2] << 36 != 0;
    if (orbit_is_tie(high))
        for (ptrdiff_t j = i + 3; j <= last && !more; j++)
            more = top[-j] != 0;
    return orbit_rounded(high, more, (int32_t)(LIMB_BITS * (1 - i) - zeros), mantissa);
}

static struct orbit_point rounded(const struct number z[2], unsigned limbs) {
    const ptrdiff_t last = fraction_limbs(limbs);
    double re, im;
    const int32_t re_exponent = part_rounded(z[0].top, last, &re);
    const int32_t im_exponent = part_rounded(z[1].top, last, &im);
    return orbit_point_join(z[0].negative ? -re : re, re_exponent, z[1].negative ? -im : im,
                            im_exponent);
}

/* --- the engine --- */

static void ifma_save(const void *handle, struct orbit_value *value) {
    const struct orbit *orbit = handle;
    const struct number *z = orbit->task[orbit->at].z;
    value->limbs = orbit->limbs;
    value->re_negative = z[0].negative;
    value->im_negative = z[1].negative;
    to_limbs(value->re, &z[0], orbit->limbs);
    to_limbs(value->im, &z[1], orbit->limbs);
}

static void load(struct orbit *orbit, const struct orbit_value *value) {
    struct number *z = orbit->task[orbit->at].z;
    orbit->limbs = value->limbs;
    from_limbs(&z[0], value->re, value->limbs, value->re_negative);
    from_limbs(&z[1], value->im, value->limbs, value->im_negative);
}

static void free_orbit(void *handle) {
    struct orbit *orbit = handle;
    free(orbit->room);
    free(orbit->value.re);
    free(orbit->exact_c.re);
    free(orbit);
}

static void ifma_destroy(void *handle) {
    struct orbit *orbit = handle;
    if (orbit)
        crew_leave(orbit->crew, free_orbit, orbit);
}

/* Allocates the numbers, all 0, with that many blocks and eight limbs above, and the columns. */
static bool make_room(struct orbit *orbit, unsigned blocks) {
    const size_t size = (blocks + 1) * (size_t)LANES, columns = 2 * CREW_MOST;
    const size_t count = 2 + 6 * CREW_MOST;
    const size_t bytes =
        count * size * sizeof *orbit->room + columns * blocks * sizeof(struct columns);
    uint64_t *room = orbit->room = aligned_alloc(64, bytes);
    if (!room)
        return false;
    memset(room, 0, bytes);
    orbit->number_bytes = size * sizeof *room;
    room += blocks * (size_t)LANES - 1;
    for (int i = 0; i < 2; i++, room += size)
        orbit->c[i].top = room;
    for (int i = 0; i < CREW_MOST; i++) {
        struct task *task = &orbit->task[i];
        struct number *const numbers[] = {&task->z[0],    &task->z[1], &task->next[0],
                                          &task->next[1], &task->sum,  &task->difference};
        for (int j = 0; j < 6; j++, room += size)
            numbers[j]->top = room;
        task->c = orbit->c;
    }
    room = orbit->room + count * size;
    for (size_t i = 0; i < columns; i++)
        orbit->task[i / 2].columns[i % 2] = (struct columns *)(void *)room + i * blocks;
    return true;
}

static void do_part(void *task, unsigned part);

static void *ifma_create(const struct orbit_value *c, const struct orbit_value *z,
                         unsigned threads) {
    struct orbit *orbit = calloc(1, sizeof *orbit);
    if (!orbit)
        return NULL;
    orbit_value_init(&orbit->value, c->limbs);
    orbit_value_init(&orbit->exact_c, c->limbs);
    if (!orbit->value.re || !orbit->exact_c.re ||
        !make_room(orbit, fraction_limbs(c->limbs) / LANES + 2)) {
        ifma_destroy(orbit);
        return NULL;
    }
    orbit->exact_c.re_negative = c->re_negative;
    orbit->exact_c.im_negative = c->im_negative;
    memcpy(orbit->exact_c.re, c->re, c->limbs * sizeof *c->re);
    memcpy(orbit->exact_c.im, c->im, c->limbs * sizeof *c->im);
    from_limbs(&orbit->c[0], c->re, c->limbs, c->re_negative);
    from_limbs(&orbit->c[1], c->im, c->limbs, c->im_negative);
    load(orbit, z);
    if (c->limbs >= LIMBS_OF_TWO)
        orbit->crew = crew_create(c->limbs < LIMBS_OF_THREE && threads > 2 ? 2 : threads, do_part);
    return orbit;
}

/* Makes the same step by GMP. */
static void step_exactly(struct orbit *orbit, unsigned limbs) {
    ifma_save(orbit, &orbit->value);
    void *exact = orbit_mpn.create(&orbit->exact_c, &orbit->value, 1);
    orbit_mpn.step(exact, limbs);
    orbit_mpn.save(exact, &orbit->value);
    orbit_mpn.destroy(exact);
    load(orbit, &orbit->value);
}

/* Computes a part's next value from its product, except for the bits that are cut off. Stores
 * whether those cannot carry. */
static void put_part(struct task *task, int part, bool negative) {
    const ptrdiff_t last = fraction_limbs(task->limbs), blocks = task->blocks;
    const ptrdiff_t spare = LIMB_BITS * last - fraction_bits(task->limbs);
    const uint64_t last_mask = LIMB_MASK >> spare << spare;
    const struct number *c = &task->c[part];
    const bool subtracted = negative != c->negative;
    const __m512i zero = _mm512_setzero_si512();
    struct number *next = &task->next[part];
    struct passing passing = {zero, zero, 0};
    bool open = false;
    for (ptrdiff_t q = blocks - 1; q >= 0; q--) {
        const __m512i v = limbs_of(task->columns[part][q], part == 1,
                                   share(c, subtracted, q, last, last_mask), &passing);
        if (q == blocks - 1)
            open = is_open(v, last, blocks, last_mask);
        *block(next, q) = kept(v, q, last, last_mask);
    }
    for (ptrdiff_t q = blocks; q < next->blocks; q++)
        *block(next, q) = zero;
    next->blocks = (unsigned)blocks;
    next->negative = negative;
    if (subtracted && !carry_out(&passing)) {
        negate(next, last);
        next->negative = !negative;
    }
    task->closed[part] = !open;
}

/* --- steps --- */

static void put_re(struct task *task) {
    put_part(task, 0, task->difference.negative);
}

static void put_im(struct task *task) {
    put_part(task, 1, task->z[0].negative != task->z[1].negative);
}

/* Computes the columns of re^2 - im^2, or of re im, from the block `first` up to `end`. */
static void multiply_re(struct task *task, ptrdiff_t first, ptrdiff_t end) {
    multiply(&task->sum, &task->difference, first, end, task->most, task->columns[0]);
}

static void multiply_im(struct task *task, ptrdiff_t first, ptrdiff_t end) {
    multiply(&task->z[0], &task->z[1], first, end, task->most, task->columns[1]);
}

/* Returns the blocks of both products that the third of three threads computes: a third of the
 * work. */
static ptrdiff_t blocks_of_third(const struct task *task) {
    return task->threads > 2 ? (ptrdiff_t)((double)task->blocks * 0.577) : 0;
}

/* Does a helper's part of a step. Part 1 is the imaginary part, or its lower columns; part 2 the
 * upper columns of both. */
static void do_part(void *user, unsigned part) {
    struct task *task = user;
    const ptrdiff_t third = blocks_of_third(task);
    if (part == 1) {
        multiply_im(task, third, task->blocks);
        if (!third)
            put_im(task);
    } else {
        multiply_re(task, 0, third);
        multiply_im(task, 0, third);
    }
    _mm256_zeroupper();
}

/* Returns a few times the time of a part. */
static long patience_ns(const struct task *task) {
    return 2000 + (long)task->limbs * task->limbs / 8;
}

/* Makes a step with the crew. Returns false if a helper is late. */
static bool step_together(struct crew *crew, struct task *task) {
    const ptrdiff_t third = blocks_of_third(task);
    if (third) /* the third thread needs them */
        sum_and_difference(task);
    crew_offer(crew, task, task->threads);
    if (!third)
        sum_and_difference(task);
    multiply_re(task, third, task->blocks);
    if (!third)
        put_re(task);
    if (!crew_finish(crew, patience_ns(task)))
        return false;
    if (third) {
        put_re(task);
        put_im(task);
    }
    return true;
}

static void step_alone(struct task *task) {
    sum_and_difference(task);
    multiply_re(task, 0, task->blocks);
    multiply_im(task, 0, task->blocks);
    put_re(task);
    put_im(task);
}

/* Leaves a task to a late helper and continues with a copy. */
static struct task *leave_task(struct orbit *orbit) {
    const struct task *from = &orbit->task[orbit->at];
    const ptrdiff_t below = (ptrdiff_t)(orbit->number_bytes / sizeof *orbit->room) - 1 - LANES;
    do
        orbit->at = (orbit->at + 1) % CREW_MOST;
    while (crew_holds(orbit->crew, &orbit->task[orbit->at]));
    struct task *to = &orbit->task[orbit->at];
    to->blocks = from->blocks;
    to->most = from->most;
    to->limbs = from->limbs;
    for (int i = 0; i < 2; i++) {
        memcpy(to->z[i].top - below, from->z[i].top - below, orbit->number_bytes);
        to->z[i].blocks = from->z[i].blocks;
        to->z[i].negative = from->z[i].negative;
    }
    return to;
}

static struct orbit_point ifma_step(void *handle, unsigned limbs) {
    struct orbit *orbit = handle;
    struct task *task = &orbit->task[orbit->at];
    const unsigned last = fraction_limbs(limbs);
    const bool guard = LIMB_BITS * last - fraction_bits(limbs) < GUARD_BITS;
    task->blocks = (last + 2 + guard + LANES - 1) / LANES;
    task->most = fraction_limbs(orbit->limbs) + 1;
    task->limbs = limbs;
    task->threads = orbit->crew && limbs >= LIMBS_OF_TWO
                        ? crew_next(orbit->crew, limbs < LIMBS_OF_THREE ? 2 : 3)
                        : 1;
    if (task->threads == 1) {
        step_alone(task);
    } else if (!step_together(orbit->crew, task)) {
        task = leave_task(orbit);
        step_alone(task);
    }
    if (!task->closed[0] || !task->closed[1])
        step_exactly(orbit, limbs);
    else
        for (int i = 0; i < 2; i++) {
            const struct number was = task->z[i];
            task->z[i] = task->next[i];
            task->next[i] = was;
        }
    orbit->limbs = limbs;
    /* Code without AVX, which may follow, would wait for upper halves. */
    _mm256_zeroupper();
    return rounded(task->z, limbs);
}

const struct orbit_engine orbit_ifma = {"ifma",       LIMBS_LEAST, LIMBS_MOST, ifma_create,
                                        ifma_destroy, ifma_step,   ifma_save};
