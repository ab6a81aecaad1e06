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

INLINE ulong memory_sum(volatile __local uint *words) {
    return words[0] | (ulong)words[1] << 32;
}

INLINE volatile __global uint *memory_share(__global uint *tally) {
    const uint group = (uint)(get_group_id(0) + get_group_id(1));
    return tally + group % TALLY_SHARES * TALLY_WORDS;
}
