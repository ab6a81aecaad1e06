# shellcheck shell=bash
# Automatic limit in the real program: it rises from the picture's statistics, views contain the
# result, and it does nothing when it is switched off.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots* ./*.ppm ./*.script ./*.fathom
window=(--verbose --samples 1)
different() { # FILE FILE: number of differing pixels
    "$FATHOM" compare "$1" "$2" | sed 's/^identical$/0/; s/ of .*//'
}
cat >spiral.fathom <<'END'
[view]
re = -0.7436438870371587
im = 0.1318259042053120
zoom = 4e5
[fractal]
iterations = 500
END

# From a limit that shows little but interior to one at which higher limits hardly change anything.
play 'wait complete; key I; shot' spiral.fathom --size 160x120 --shortcuts none --auto-limit off
limit=$(value "$(shot 1)" iterations)
expect 'the limit was raised' "$limit >= 4000 && $limit <= 100000"
[ "$(number limit)" = "$limit" ] || fail "the window says $(number limit), its screenshot $limit"
expect 'samples were kept' "$(number kept) > 15000"
said 'automatic limit on' || fail 'switching it on is not told'
said "limit $limit (auto)" || fail "what it chose is not told: $(cat err.txt)"
[ "$(grep -c '(auto)' err.txt)" = 1 ] || fail 'it tells more than what it settled on'
check_shot "$(shot 1)"
"$FATHOM" render "$(shot 1)" -o all.ppm --shortcuts none --json >all.json
"$FATHOM" render "$(shot 1)" -o more.ppm --iterations $((limit * 16)) --backend scalar
expect '16 times the limit shows hardly more' "$(different all.ppm more.ppm) < 0.001 * 160 * 120"
all=$(sed -n 's/.*"iterations_total": \([0-9]*\).*/\1/p' all.json)
expect 'only a part was drawn at the end' "$(number iterations) < 0.5 * $all"
cp "$(shot 1)" settled.ppm

# The same from the start, without a key; then without a message.
play 'shot' spiral.fathom --size 160x120
"$FATHOM" compare "$(shot 1)" settled.ppm >/dev/null || fail 'by default it does not do what the key does'
said '(auto)' && fail "by default it tells what was not asked for: $(cat err.txt)"

# A limit that is given stays, and ends the automatic limit with a message; so does a setting. A
# limit that is too low is reported once.
play 'wait complete; drag 100 100 103 100; wait complete' spiral.fathom --size 160x120 --iterations 500
[ "$(number limit)" = 500 ] || fail "a limit that is given becomes $(number limit)"
said 'automatic limit off: iterations are set to 500' || fail "that a given limit ends it is not told: $(cat err.txt)"
[ "$(grep -c 'undecided after 500 iterations' err.txt)" = 1 ] || fail "no hint, or more than one: $(cat err.txt)"
FATHOM_ITERATIONS=333 play 'wait complete' --size 160x120
[ "$(number limit)" = 333 ] || fail "a limit that is set becomes $(number limit)"
said 'automatic limit off: iterations are set to 333' || fail "that a setting ends it is not told: $(cat err.txt)"
play 'wait complete' spiral.fathom --size 160x120 --iterations 500 --auto-limit on
[ "$(number limit)" = "$limit" ] || fail "from a given limit it goes to $(number limit), not $limit"

# A view's own limit is the start, and is never lowered, even after an equal automatic limit.
printf '[view]\nre = -0.7\nim = 0.2\nzoom = 1.5\n[fractal]\niterations = 20000\n' >high.fathom
printf '[view]\nre = -0.7\nim = 0.2\nzoom = 3\n[fractal]\niterations = 20000\n' >higher.fathom
play 'wait complete; goto higher.fathom; wait complete' high.fathom --size 160x120
[ "$(number limit)" = 20000 ] || fail "a view's limit becomes $(number limit)"

# Zooming in and out settles each time; pans keep the limit; it is lower outside.
play 'wait complete; drag 100 100 140 90; shot; wheel -30 80 60; wait complete; wheel -1 80 60; shot' \
    spiral.fathom --size 160x120 --auto-limit on
outside=$(value "$(shot 2)" iterations)
expect 'it falls on the way out' "$outside >= 200 && $outside <= $(value "$(shot 1)" iterations) / 2"
check_shot "$(shot 1)"
check_shot "$(shot 2)"

# Keys that set the limit end it; then nothing is raised.
play 'wait complete; key ]; wait complete; key [; key [; shot' spiral.fathom --size 160x120
said 'automatic limit off' || fail 'it is not told that ] switches it off'
expect 'the limit is that of the keys' "$(number limit) < $limit"

# So does the panel. A view that shows nothing ends the search.
printf '[view]\nre = -0.1\nim = 0\nzoom = 1000\n' >inside.fathom
play 'goto inside.fathom; wait complete; key L; panel Iterations; click; key Ctrl+A; type 500; key Return
wait complete' --size 480x720 --auto-limit on
[ "$(number limit)" = 500 ] || fail "a limit typed into the panel becomes $(number limit)"
said 'automatic limit off' || fail 'it is not told that the panel switches it off'
said 'nothing escapes here\|to stay fast' || fail "the search inside has no end: $(cat err.txt)"

# Switching twice switches it off, and the limit stays. It does not apply to density pictures.
play 'wait complete; key I; wait complete; key I; wheel 3 80 60; wait complete; key D; key I; wait 100; key D
wait complete' spiral.fathom --size 160x120 --auto-limit off
said 'not in Buddhabrot view (D switches back)' || fail 'I is not refused for orbits'
[ "$(grep -c 'automatic limit o[nf]' err.txt)" = 2 ] || fail 'I switches it where there is none'

# Without a window: one limit on each backend and for any size, reported and stored in the picture's
# view; and it is sufficient.
backends=$("$FATHOM" info | awk '$2 == "usable" && $1 != "null" { print $1 }' | sed -n '1p; $p')
for backend in $backends; do
    "$FATHOM" render spiral.fathom --auto-limit on --size 200x150 --backend "$backend" -o "$backend.ppm" --verbose 2>err.txt ||
        fail "render by $backend: $(cat err.txt)"
    said 'limit [0-9]* (auto)' || fail "render does not say what it chose: $(cat err.txt)"
done
for backend in $backends; do
    cmp "$backend.ppm" scalar.ppm || fail "$backend draws another picture than scalar"
done
limit=$(value scalar.ppm iterations)
expect 'render raises the limit' "$limit >= 4000 && $limit <= 100000"
"$FATHOM" render scalar.ppm -o more.ppm --iterations $((limit * 16))
expect 'render raises it far enough' "$(different scalar.ppm more.ppm) < 0.001 * 200 * 150"
"$FATHOM" render inside.fathom --auto-limit on --size 64x64 -o inside.ppm --verbose 2>err.txt ||
    fail "inside: $(cat err.txt)"
said 'nothing escapes here\|to stay fast' || fail "the search inside has no end: $(cat err.txt)"
for size in 65536x1 1x1; do
    "$FATHOM" render spiral.fathom --auto-limit on --size $size -o line.ppm || fail "$size is not drawn"
done
"$FATHOM" render spiral.fathom --auto-limit off -o off.ppm --size 40x30
[ "$(value off.ppm iterations)" = 500 ] || fail 'render raises a limit that it should not'
# Ctrl-C ends the search.
env --default-signal=INT "$FATHOM" render inside.fathom --auto-limit on --iterations 2000000000 --shortcuts none \
    -o never.ppm --verbose 2>err.txt &
searching=$!
catches $searching INT
kill -INT $searching
wait $searching && fail 'an interrupted search succeeds'
said '^fathom: error: interrupted; nothing was written$' && [ "$(grep -c error: err.txt)" = 1 ] || fail "an interrupted search: $(cat err.txt)"
[ ! -e never.ppm ] || fail 'an interrupted search leaves a picture'

"$FATHOM" --auto-limit maybe 2>err.txt && fail 'a switch that is neither on nor off is taken'
said 'off, on' || fail "what a switch is, is not told: $(cat err.txt)"
[ $failures -eq 0 ]
