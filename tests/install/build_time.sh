# shellcheck shell=bash
# Budget of the build: no output takes more than 20 s, and the program at most 480 s of one core
# with the CUDA backend and 330 s without. Ninja's log has the time of each output. A machine slower
# or busier than that of cmake/seconds.txt gets more time, by the factor of the median output.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
build=$(dirname "$FATHOM")
stored=$FATHOM_SOURCE/cmake/seconds.txt
if [ ! -f "$build/.ninja_log" ] || ! grep -q '^CMAKE_BUILD_TYPE:STRING=Release' "$build/CMakeCache.txt"; then
    echo 'skipped: only release builds by Ninja have a budget'
    exit 77
fi
budget_s=330
grep -q '^FATHOM_NVCC_WORKS' "$build/CMakeCache.txt" && budget_s=480

ninja -C "$build" -t inputs fathom | grep -v '^/' >inputs || fail "ninja does not list what the program is made of"
# OUTPUT SECONDS, the last entry of each in the log
awk -F '\t' '!/^#/ { seconds[$4] = ($2 - $1) / 1000 } END { for (o in seconds) print o, seconds[o] }' \
    "$build/.ninja_log" >log
judge() { # LOG: prints what exceeds the budget
    awk -v budget=$budget_s '
        FILENAME == ARGV[1] { stored[$2] = $1; next }
        FILENAME == ARGV[2] { needed[$1] = 1; next }
        { took[$1] = $2; if ($1 in stored) ratio[n++] = $2 / stored[$1] }
        END {
            for (i = 1; i < n; i++)
                for (j = i; j > 0 && ratio[j] < ratio[j - 1]; j--) { t = ratio[j]; ratio[j] = ratio[j - 1]; ratio[j - 1] = t }
            scale = n && ratio[int(n / 2)] > 1 ? ratio[int(n / 2)] : 1
            for (o in took) {
                if (took[o] > 20 * scale) printf "%s took %.1f s\n", o, took[o] / scale
                if (o in needed) sum += took[o]
            }
            if (sum > budget * scale) printf "the program took %.0f s of one core, not %d\n", sum / scale, budget
        }' "$stored" inputs "$1"
}
[ "$(wc -l <inputs)" -gt 300 ] || fail "the program is made of $(wc -l <inputs) files only"
said=$(judge log)
[ -z "$said" ] || fail "over the budget (of a machine as fast as that of cmake/seconds.txt): $said"
# The stored seconds are within the budget, and the judge notices an output that takes too long.
said=$(awk '{ print $2, $1 }' "$stored" >kept && judge kept)
[ -z "$said" ] || fail "cmake/seconds.txt is over the budget: $said"
one=$(grep -m 1 '\.o$' inputs)
said=$({ cat kept && echo "$one 21"; } >long && judge long)
[ "$said" = "$one took 21.0 s" ] || fail "an object of 21 s: '$said'"
said=$(awk '{ print $1, 9 }' inputs >long && judge long)
grep -q "^the program took [0-9]* s" <<<"$said" || fail "a program of 9 s a file: '$said'"
finish
