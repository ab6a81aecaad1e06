# shellcheck shell=bash
# The program must start on machines without an NVIDIA driver or CUDA, and instructions of newer
# processors must not occur in code that every processor runs.
set -u
failures=0
build=$(dirname "$FATHOM")

fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

needed=$(readelf -d "$FATHOM" | grep NEEDED)
[ -n "$needed" ] || fail "cannot tell what $FATHOM needs to start"
! grep -E 'libcuda|libnvidia' <<<"$needed" || fail "the program cannot start without these"

# Prints the objects of the current build; folders may have older ones.
objects() {
    sed -n 's/^ *"directory": "\(.*\)",$/\1/p; s/^ *"command": .* -o \([^ ]*\.o\)[ "].*/\1/p' "$build/compile_commands.json" |
        paste -d / - - | grep -E "^$build/(render|cpu|gpu|app|lab)/"
}

# Every instruction of AVX and later begins with v and names a vector register.
wide=0
while read -r object; do
    lines=$(objdump -d --no-show-raw-insn "$object" | grep -c -P '\tv[a-z0-9]+ .*%[xyz]mm')
    case $object in
    */buddhabrot_plain_fma*) ;;           # baseline of the laboratory
    */peak_*) ;; # of the benchmark
    */mfunc_avx* | */paper_vector_*) ;; # of the laboratory
    */scalar_*_fma_* | */colour_avx* | */tile_*_avx* | */map_avx* | */count_fma_* | */count_avx* | */slope_avx* | */trace_avx* | */inside_avx* | */density_avx* | */pair_avx* | */segments_wide_fma.* | */segments_folded_wide_fma.* | */orbit_ifma.* | */perturbed*_avx*.dir/*)
        [ "$lines" -eq 0 ] || wide=$((wide + 1)) ;;
    *) [ "$lines" -eq 0 ] || fail "$object has $lines instructions that not every processor knows" ;;
    esac
done < <(objects)
kernels=$((112 + 6 * $(sed -n "s/^#define FORMULA_KERNELS(X)//p" "$FATHOM_SOURCE/render/formula/formula.h" | grep -o "X(" | wc -l)))
[ $wide -eq $kernels ] || fail "$wide of $kernels kernels use their instruction set"

# All measuring code is in fathom-lab.
laboratory='(lab|experiment|bench_measure|bench_command|classic|count_(base|fma|avx2|avx512)|peak|loop_vector)_'
nm "$build/fathom-lab" | grep -qE " [Tt] count_avx2_" || fail "fathom-lab has no counting kernels"
parts=$(nm "$FATHOM" | grep -E " [TtDdRr] $laboratory")
[ -z "$parts" ] || fail "the program has parts of the laboratory: $parts"

# gpu/ includes only render/, and a GPU's backend only these two.
includes() { grep -rhE '^#include "' "$FATHOM_SOURCE/$1" | grep -vE "\"($2)/"; }
[ -z "$(includes gpu 'gpu|render')" ] || fail "gpu/ includes $(includes gpu 'gpu|render')"
[ -z "$(includes cuda 'cuda|gpu|render')" ] || fail "cuda/ includes $(includes cuda 'cuda|gpu|render')"

[ $failures -eq 0 ]
