# shellcheck shell=bash
# Headers that host and kernels share include only each other, and compile as C, CUDA and OpenCL C.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
cd "$FATHOM_SOURCE" || exit 1

shared=$(grep -lE '^#include "render/inline.h"' -- */*.h */*/*.h)
[ "$(wc -w <<<"$shared")" -ge 10 ] || fail "only these share functions: $shared"
for header in $shared; do
    for other in $(sed -nE 's/^#include [<"]([^>"]*)[>"].*/\1/p' "$header"); do
        grep -qx "$other" <<<"render/inline.h
$shared" || fail "$header includes $other"
    done
    [ "$header" = gpu/kernels/language.h ] || ! grep -E '^static inline|__device__' "$header" || fail "$header marks functions by another word than INLINE"
done

if can clang 'whether OpenCL C reads these headers'; then
    for header in $shared; do
        clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -I. -fsyntax-only "$header" 2>"$failed.err" ||
            fail "OpenCL C does not read $header: $(grep -m 1 error "$failed.err")"
    done
fi
finish
