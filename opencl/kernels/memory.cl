/* What threads count in device memory: numbers of struct tally, two words each. */

/* Adds to a number of two words in a tally. */
INLINE void memory_add(volatile __global uint *words, ulong x) {
    const uint low = (uint)x, before = atomic_add(words, low);
    const uint high = (uint)(x >> 32) + (before + low < before);
    if (high > 0)
        atomic_add(words + 1, high);
}

INLINE void memory_add_local(volatile __local uint *words, ulong x) {
    const uint low = (uint)x, before = atomic_add(words, low);
    const uint high = (uint)(x >> 32) + (before + low < before);
    if (high > 0)
        atomic_add(words + 1, high);
}

/* Entries of a list for all threads of a group that want some; each gets the first of its own. All come here. `own` is
 * two words of the group's, the first one 0. */
INLINE uint memory_append(volatile __global uint *size, uint wanted, volatile __local uint *own) {
    const uint entry = wanted > 0 ? atomic_add(&own[0], wanted) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && own[0] > 0)
        own[1] = atomic_add(size, own[0]);
    barrier(CLK_LOCAL_MEM_FENCE);
    return own[1] + entry;
}

INLINE ulong memory_sum(volatile __local uint *words) {
    return words[0] | (ulong)words[1] << 32;
}

INLINE volatile __global uint *memory_share(__global uint *tally) {
    const uint group = (uint)(get_group_id(0) + get_group_id(1));
    return tally + group % TALLY_SHARES * TALLY_WORDS;
}
