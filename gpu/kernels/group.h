/* Group operations: joint operations of the threads of a team or a group. All threads of a team
 * must call a function that is marked as collective, each the same number of times. */
#ifndef FATHOM_GPU_KERNELS_GROUP_H
#define FATHOM_GPU_KERNELS_GROUP_H

#include "gpu/kernels/language.h"
#include "gpu/kernels/tally.h"

/* Words of a group's memory, which only OpenCL uses. */
enum group_word { GROUP_LISTED, GROUP_ENTRY, GROUP_BROADCAST, GROUP_SUMS = 4 };

/* Adds to a 64-bit number in device memory: two words, the lower first. Touches no memory if x is
 * 0. */
INLINE void memory_add64(volatile GLOBAL uint32_t *words, uint64_t x) {
    if (x == 0)
        return;
#if defined __CUDACC__
    atomicAdd((unsigned long long *)words, (unsigned long long)x);
#elif defined __OPENCL_C_VERSION__
    const uint32_t low = (uint32_t)x, before = atomic_add(words, low);
    const uint32_t high = (uint32_t)(x >> 32) + (before + low < before);
    if (high > 0)
        atomic_add(words + 1, high);
#else
    __atomic_fetch_add((uint64_t *)words, x, __ATOMIC_RELAXED);
#endif
}

/* Returns the share of a tally to which the calling team adds. */
INLINE volatile GLOBAL uint32_t *tally_share(volatile GLOBAL uint32_t *tally) {
    return tally + (thread_x() / TEAM_THREADS + thread_y()) % TALLY_SHARES * TALLY_WORDS;
}

#if defined __CUDACC__ /* --- teams are warps --- */

INLINE uint32_t warp_sum(uint32_t x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(~0u, x);
#else
    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_xor_sync(~0u, x, distance);
    return x;
#endif
}

INLINE uint64_t warp_sum64(uint64_t x) {
    uint64_t sum = 0;
    if (!__any_sync(~0u, x != 0))
        return 0;
    for (int shift = 0; shift < 64; shift += 16)
        sum += (uint64_t)warp_sum((uint32_t)(x >> shift) & 0xffffu) << shift;
    return sum;
}

INLINE void group_begin(struct group *own) {
}

/* Returns the x of the team's first thread. Collective. */
INLINE uint32_t team_broadcast(struct group *own, uint32_t x) {
    return __shfl_sync(~0u, x, 0);
}

/* Reserves `wanted` entries, 0 or 1, of a list of *size for each thread. Returns the thread's first
 * entry. Collective. */
INLINE uint32_t team_append(volatile uint32_t *size, uint32_t wanted, struct group *own) {
    const unsigned mask = __ballot_sync(~0u, wanted);
    const uint32_t lane = threadIdx.x % 32;
    uint32_t entry = 0;
    if (lane == 0 && mask)
        entry = ATOMIC_ADD(size, __popc(mask));
    return __shfl_sync(~0u, entry, 0) + (uint32_t)__popc(mask & ((1u << lane) - 1));
}

/* Adds each thread's numbers to three numbers of the tally. Collective; once per kernel. */
INLINE void team_tally(volatile uint32_t *tally, const int number[3], uint32_t a, uint64_t b,
                       uint32_t c, struct group *own) {
    const uint32_t sum_a = warp_sum(a), sum_c = warp_sum(c);
    const uint64_t sum_b = warp_sum64(b);
    if (threadIdx.x % 32 != 0)
        return;
    volatile uint32_t *share = tally_share(tally);
    memory_add64(share + number[0], sum_a);
    memory_add64(share + number[1], sum_b);
    memory_add64(share + number[2], sum_c);
}

/* Adds 1 to to[index], once for the whole warp if its threads share an index. Collective. */
INLINE void merged_add(uint32_t *to, uint32_t index) {
    int same;
    __match_all_sync(~0u, index, &same);
    if (!same || threadIdx.x % 32 == 0)
        atomicAdd(&to[index], same ? 32u : 1u);
}

#elif defined __OPENCL_C_VERSION__ /* --- teams are groups --- */
/* The words are volatile: PoCL 3 keeps them in registers across barriers. */

#define merged_add(to, index) atomic_inc(&(to)[index])

INLINE void group_begin(LOCAL struct group *own) {
    if (get_local_id(0) < GROUP_WORDS)
        own->word[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
}

INLINE uint32_t team_broadcast(LOCAL struct group *own, uint32_t x) {
    volatile LOCAL uint32_t *words = own->word;
    if (get_local_id(0) == 0)
        words[GROUP_BROADCAST] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint32_t shared = words[GROUP_BROADCAST];
    barrier(CLK_LOCAL_MEM_FENCE);
    return shared;
}

INLINE uint32_t team_append(volatile GLOBAL uint32_t *size, uint32_t wanted,
                            LOCAL struct group *own) {
    volatile LOCAL uint32_t *words = own->word;
    const uint32_t entry = wanted > 0 ? atomic_add(words + GROUP_LISTED, wanted) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && words[GROUP_LISTED] > 0) {
        words[GROUP_ENTRY] = atomic_add(size, words[GROUP_LISTED]);
        words[GROUP_LISTED] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return words[GROUP_ENTRY] + entry;
}

INLINE void group_sum(volatile LOCAL uint32_t *words, uint64_t x) {
    if (x == 0)
        return;
    const uint32_t low = (uint32_t)x, before = atomic_add(words, low);
    const uint32_t high = (uint32_t)(x >> 32) + (before + low < before);
    if (high > 0)
        atomic_add(words + 1, high);
}

INLINE void team_tally(volatile GLOBAL uint32_t *tally, const int number[3], uint32_t a, uint64_t b,
                       uint32_t c, LOCAL struct group *own) {
    volatile LOCAL uint32_t *sums = own->word + GROUP_SUMS;
    group_sum(sums, a);
    group_sum(sums + 2, b);
    group_sum(sums + 4, c);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) > 0)
        return;
    volatile GLOBAL uint32_t *share = tally_share(tally);
    for (int i = 0; i < 3; i++)
        memory_add64(share + number[i], sums[2 * i] | (uint64_t)sums[2 * i + 1] << 32);
}

#else /* --- teams are threads --- */

#define merged_add(to, index) ATOMIC_ADD(&(to)[index], 1)

INLINE void group_begin(struct group *own) {
    (void)own;
}

INLINE uint32_t team_broadcast(struct group *own, uint32_t x) {
    (void)own;
    return x;
}

INLINE uint32_t team_append(volatile uint32_t *size, uint32_t wanted, struct group *own) {
    (void)own;
    return wanted ? ATOMIC_ADD(size, wanted) : 0;
}

INLINE void team_tally(volatile uint32_t *tally, const int number[3], uint32_t a, uint64_t b,
                       uint32_t c, struct group *own) {
    (void)own;
    volatile uint32_t *share = tally_share(tally);
    kernel_thread.steps += number[0] == TALLY_STEPS ? a : 0;
    memory_add64(share + number[0], a);
    memory_add64(share + number[1], b);
    memory_add64(share + number[2], c);
}

#endif

#endif
