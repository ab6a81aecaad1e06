# shellcheck shell=bash
# Budget of the test suite, for two cores as fast as those of cmake/seconds.txt: a slower machine
# gets more time, by the factor of a picture's time, one with a single core twice the time. Runs
# after all other tests; CTest's log, which starts with the run, lists them.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
budget_s=360
picture_ms=150 # [ms] of one core
log=$(dirname "$FATHOM")/Testing/Temporary/LastTest.log.tmp
tests=$(test_names | wc -l)
begun=$(stat -c %W "$log" 2>/dev/null)
if [ "$(grep -c '^Test time = ' "$log" 2>/dev/null)" -lt $((tests - 1)) ] || [ "${begun:-0}" -le 0 ]; then
    echo 'skipped: only a run of all tests has a budget'
    exit 77
fi
took_s=$(($(date +%s) - begun))

milliseconds() { # the fastest of three pictures on one core
    local i start now best=1000000
    for i in 1 2 3; do
        start=$(date +%s%N)
        "$FATHOM" render --re -0.7463 --im 0.1102 --zoom 400 --iterations 5000 --backend scalar --threads 1 \
            --size 640x360 --samples 1 -o picture.ppm \
            2>err || fail "no picture: $(cat err)"
        now=$((($(date +%s%N) - start) / 1000000))
        [ $now -lt $best ] && best=$now
    done
    echo $best
}
took_ms=$(milliseconds)
[ "$took_ms" -gt $picture_ms ] && budget_s=$((budget_s * took_ms / picture_ms))
[ "$(nproc)" -gt 1 ] || budget_s=$((budget_s * 2))
echo "$tests tests took $took_s s, of $budget_s s"
[ $took_s -le $budget_s ] || fail "the longest: $(awk '/^[0-9]+\/[0-9]+ Test: / { name = $3 } /^Test time = / { print $4, name }' "$log" |
    sort -rn | head -n 12 | tr '\n' ';')"
finish
