/* Attribute of functions that use fma instructions, which x86-64 has only as an extension. The
 * caller makes sure that the processor has them. */
#ifndef FATHOM_TESTS_SHARED_FMA_TARGET_H
#define FATHOM_TESTS_SHARED_FMA_TARGET_H

#ifdef __x86_64__
#define FMA_TARGET __attribute__((target("avx,fma")))
#else
#define FMA_TARGET
#endif

#endif
