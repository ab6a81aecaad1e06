# fathom locate in the real program: its output and files, refusals, and interrupts.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
fresh_folder

expect 0 "$FATHOM" locate '-1.76 + 0.001i 50'
grep -q '^minibrot of period 3, 0.01904 in size$' out || fail "said $(cat out)"
grep -q '^re = -1.754877666246692760' out || fail "said $(cat out)"

# Without a view it does not find the whole set. A real nucleus has no imaginary part.
expect 0 "$FATHOM" locate
grep -q '^minibrot of period 3, ' out || fail "said $(cat out)"
grep -qx 'im = 0' out || fail "a real nucleus is not: $(cat out)"

# Other formulas, and Julia sets.
expect 0 "$FATHOM" locate --formula burning_ship '-1.76 + 0i 40' --json
grep -q '"kind": "minibrot", "period": 3, .*"upright_degrees": null, .*"im": "0"' out || fail "said $(cat out)"
printf '[view]\nre = 0.3\nim = 0.2\nzoom = 20\n[fractal]\njulia = yes\njulia_re = -0.123\njulia_im = 0.745\n' >julia.fathom
expect 0 "$FATHOM" locate julia.fathom
grep -q '^copy of the Julia set.s centre (0 is reached after 7 steps), ' out || fail "said $(cat out)"
expect 0 "$FATHOM" locate julia.fathom --kind misiurewicz --json
grep -q '"kind": "cycle", "period": 5, "multiplier": "15.' out || fail "said $(cat out)"

# A view file whose nucleus is found again in its middle.
deep=$FATHOM_SOURCE/tests/data/locations/5e113.fathom
expect 0 "$FATHOM" locate "$deep" --json --upright -o deep.fathom
grep -q '"period": 11380, "shape": "cardioid"' out || fail "said $(cat out)"
if can python3 'whether it is JSON'; then
    python3 -c 'import json, sys; json.load(sys.stdin)' <out || fail "no JSON: $(cat out)"
fi
grep -qx 'iterations = 569000' deep.fathom || fail "not 50 periods: $(grep iterations deep.fathom)"
grep -q '^angle = 172.6' deep.fathom || fail "not upright: $(grep angle deep.fathom)"
cp out first
expect 0 "$FATHOM" locate deep.fathom
[ "$(sed -n 's/^re = //p' out)" = "$(sed -n 's/^re = //p' deep.fathom)" ] || fail "another nucleus: $(cat out)"
expect 0 "$FATHOM" locate "$deep" -o -
grep -qx '\[view\]' out || fail "-o - says $(cat out)"

expect 0 "$FATHOM" locate --kind misiurewicz '0.01 + 1.001i 50'
grep -q '^Misiurewicz point of preperiod 2 and period 2, multiplier 5.657 at 45 degrees$' out || fail "said $(cat out)"

# Targets that do not exist.
expect 1 "$FATHOM" locate '0.1 + 0.1i 100'
complains 'no minibrot of a period up to 1000, the iteration limit, lies in this view'
expect 1 "$FATHOM" locate --kind misiurewicz '0.1 + 0.1i 100'
complains 'no Misiurewicz point was found'
expect 1 "$FATHOM" locate --formula lambda
complains "'lambda' cannot be searched"
expect 1 "$FATHOM" locate -o nowhere/x.fathom
complains nowhere
expect 2 "$FATHOM" locate --kind other
complains 'one of minibrot, misiurewicz'
expect 2 "$FATHOM" locate -o - --json
complains 'only one of'
expect 2 "$FATHOM" locate deep.fathom -o ./deep.fathom
complains 'would replace'

# Eight thousand digits take a while, and can be interrupted.
"$FATHOM" locate "$FATHOM_SOURCE/tests/data/locations/e8000.fathom" -o late.fathom >out 2>err &
process=$!
catches $process TERM
kill -TERM $process
wait $process
[ $? = 1 ] || fail "interrupted, it ends with another status than 1: $(cat err)"
complains 'interrupted; nothing was found yet'
[ ! -e late.fathom ] || fail "interrupted, it wrote a file"
finish
