# shellcheck shell=bash
# The program must start on machines without an NVIDIA driver or CUDA, and instructions of newer
# processors must not leak into code that every processor runs.
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

# Every instruction of AVX and later begins with v and names a vector register.
wide=0
while read -r object; do
    lines=$(objdump -d --no-show-raw-insn "$object" | grep -c -P '\tv[a-z0-9]+ .*%[xyz]mm')
    case $object in
    */buddhabrot_plain_fma*) ;;           # what the laboratory measures by
    */peak_* | */loop_vector_*) ;; # of the benchmark
    */mfunc_avx* | */paper_vector_*) ;; # of the laboratory
    */tile_fma_* | */tile_avx* | */count_fma_* | */count_avx* | */density_fma_* | */density_avx* | */shade_avx2.*)
        [ "$lines" -eq 0 ] || wide=$((wide + 1)) ;;
    *) [ "$lines" -eq 0 ] || fail "$object has $lines instructions that not every processor knows" ;;
    esac
done < <(find "$build/render" "$build/cpu" "$build/gpu" "$build/app" "$build/lab" -name '*.o')
[ $wide -eq 19 ] || fail "$wide of 19 kernels use their instruction set"

[ $failures -eq 0 ]
