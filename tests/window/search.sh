# shellcheck shell=bash
# Searches in the window: keys go to a minibrot and to a Misiurewicz point, and undo returns. A
# search without result keeps the view; motion and quitting cancel a search.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots* ./*.ppm ./*.script
window=(--samples 1 --size 160x120 -v)

play 'shot; key O; shot; key U; shot; key Shift+O; shot' '-1.76 + 0.001i 50'
expect 'the minibrot is in the middle' "($(value "$(shot 2)" re) + 1.7548776662466927)^2 < 1e-26"
expect 'it fills a third of the height' "($(value "$(shot 2)" zoom) - 28.02)^2 < 0.01"
cmp "$(shot 1)" "$(shot 3)" || fail 'undo does not come back'
expect 'a Misiurewicz point stays at its zoom' "$(value "$(shot 4)" zoom) == 50"
[ "$(value "$(shot 4)" re)" != "$(value "$(shot 1)" re)" ] || fail 'Shift+O leaves the view'
grep -q 'search: minibrot of period 3' err.txt || fail "no message: $(cat err.txt)"
grep -q 'search: Misiurewicz point of preperiod' err.txt || fail "no message: $(cat err.txt)"

# Repeated searches go deeper: near the pointer to a copy, although a disc has the lowest period.
play 'shot; move 100 60; key O; shot; key O; shot' '-0.75 + 0.1i 40' --iterations 1000
[ "$(grep -c 'search: minibrot of period' err.txt)" = 2 ] || fail "no two minibrots: $(cat err.txt)"
expect 'each is deeper' "$(value "$(shot 2)" zoom) > 400 && $(value "$(shot 3)" zoom) > 100 * $(value "$(shot 2)" zoom)"
off_re="$(value "$(shot 2)" re) - ($(point_re "$(shot 1)" 100))"
off_im="$(value "$(shot 2)" im) - ($(point_im "$(shot 1)" 60))"
expect 'the first is near the pointer' "($off_re)^2 + ($off_im)^2 < (30 * $(step "$(shot 1)"))^2"

# In a deep view, and where there is nothing.
play 'shot; key O; shot' "$FATHOM_SOURCE/tests/data/locations/5e113.fathom" --iterations 12000
grep -q 'search: minibrot of period 11380' err.txt || fail "not found at depth: $(cat err.txt)"
play 'shot; key O; shot' '0.1 + 0.1i 100'
cmp "$(shot 1)" "$(shot 2)" || fail 'a search in vain moves the view'
grep -q 'search: no minibrot of a period up to' err.txt || fail "no reason: $(cat err.txt)"

# A long search is cancelled by motion, replaced by another, and does not delay the end.
e8000=$FATHOM_SOURCE/tests/data/locations/e8000.fathom
start=$SECONDS
play 'key O; key Right; wait 500; key O; key O; quit' "$e8000"
grep -q 'search cancelled: the view moved' err.txt || fail "not given up: $(cat err.txt)"
[ $((SECONDS - start)) -lt 20 ] || fail "it ended only after $((SECONDS - start)) seconds"
exit $((failures > 0))
