/* Floating-point number with 113 bits. */
#ifndef FATHOM_TESTS_SHARED_QUAD_H
#define FATHOM_TESTS_SHARED_QUAD_H

#ifdef __x86_64__
__extension__ typedef __float128 quad;
#else
typedef long double quad; /* on aarch64 */
#endif

#endif
