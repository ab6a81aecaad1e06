# `fathom verify`: its results for right pictures, and for wrong ones.
. "$FATHOM_SOURCE/tests/shared/expect.sh"

fresh_folder

# Right: the whole set, in any sufficient precision, turned, and every pixel of a small picture.
expect 0 "$FATHOM" verify --size 320x180
grep -qx 'The picture is right: at most 0\.5 % of its pixels are wrong\.' out || fail "of the whole set: $(cat out)"
grep -q '^600 of 600 points agree with exact arithmetic (100.0 %); the largest difference is 0$' out ||
    fail "of the whole set: $(cat out)"
expect 0 "$FATHOM" verify --size 16x9 --formula tricorn --iterations 200 --backend scalar
grep -q '^144 of 144' out || fail "144 pixels are: $(cat out)"
cat >turned.fathom <<'VIEW'
[view]
re = -0.7436438870371587
im = 0.13182590420531197
zoom = 54321.125
angle = 33.3
[fractal]
iterations = 3000
VIEW
expect 0 "$FATHOM" verify turned.fathom --size 200x100 --points 50 --json
grep -q '"points": 50, .*"agree": 50, "largest_difference": 0,.*"right": true' out || fail "turned: $(cat out)"
if can python3 'whether verify --json is JSON'; then
    python3 -c 'import json, sys; json.load(sys.stdin)' <out || fail "verify --json is no JSON"
fi

# Wrong: double, long before it fails to resolve pixels and warns; float sooner.
expect 1 "$FATHOM" verify "$FATHOM_SOURCE/tests/data/locations/1e14.fathom" --zoom 2e13 --precision double --size 320x180
grep -q '^The picture is wrong in about [1-9][0-9.]* % of its pixels: double precision' out || fail "at 2e13: $(cat out)"
grep -q 'numbers need about [5-9][0-9] bits\.$' out || fail "at 2e13: $(cat out)"
expect 1 "$FATHOM" verify seahorse-valley --precision float --size 320x180
# Too few steps do not make a picture wrong: the limit belongs to it.
expect 0 "$FATHOM" verify seahorse-valley --iterations 40 --size 320x180
# The same seed gives the same points, with any number of threads.
expect 0 "$FATHOM" verify starfish --size 320x180 --seed 7 --threads 1
cp out one
expect 0 "$FATHOM" verify starfish --size 320x180 --seed 7 --threads 3
cmp -s one out || fail "other threads, other results: $(cat one out)"

# Maps have counts as well. A chaotic one is wrong in doubles.
# Interior colours need the direct route, with as many bits as the orbits.
expect 0 "$FATHOM" verify seahorse-valley --size 320x180 --json
grep -q '"route": "direct", "precision": "wide"' out || fail "interior colours: $(cat out)"

expect 0 "$FATHOM" verify --formula magnet1 --size 64x36
expect 1 "$FATHOM" verify --formula barnsley --size 64x36
grep -q '^The picture is wrong in about [1-9][0-9.]* % of its pixels: double precision does not do here\.$' out ||
    fail "of a map: $(cat out)"
# Points that a move of 2^-40 of a pixel changes are told apart. Their picture is right in wide numbers only.
cat >tripling.fathom <<'VIEW'
[view]
re = -0.0236411685377
im = 0.7836606508052
zoom = 1000000
[fractal]
iterations = 10000
VIEW
expect 0 "$FATHOM" verify tripling.fathom --size 160x90 --precision wide --points 1000 --json
grep -q '"fragile": [1-9][0-9]*, "fragile_wrong": [0-3], ' out || fail "fragile points: $(cat out)"
expect 1 "$FATHOM" verify tripling.fathom --size 160x90 --precision double
# render --verify: the verdict is on standard error, in a PNG behind the pixels, and in --json.
deep=$FATHOM_SOURCE/tests/data/locations/1e14.fathom
expect 0 "$FATHOM" render "$deep" --size 160x90 --samples 2 --verify -o right.png
grep -q '^The picture is right' err || fail "render --verify says: $(cat err)"
grep -aq 'Verified' right.png && grep -aq '^The picture is right' right.png || fail "the verdict is not in the PNG"
expect 0 "$FATHOM" render right.png -o again.png
cmp -s right.png again.png && fail "the verdict was copied"
expect 0 "$FATHOM" compare right.png again.png
expect 1 "$FATHOM" render "$deep" --zoom 2e13 --precision double --size 160x90 --verify --json -o wrong.png
grep -q '"verified": {"points": [0-9]*, .*"right": false' out || fail "render --verify --json says: $(cat out)"
[ -s wrong.png ] || fail "a wrong picture was not written"
expect 1 "$FATHOM" render "$deep" "$FATHOM_SOURCE/tests/data/locations/1e50.fathom" --precision double --size 32x18 \
    --verify -o '%n.ppm'

# Invalid requests.
expect 2 "$FATHOM" verify --points -1
complains '--points'
expect 2 "$FATHOM" verify -o x.ppm
complains 'does not apply to verify'
expect 2 "$FATHOM" render -o x.ppm --points 5
complains 'does not apply to render'
expect 0 "$FATHOM" density --samples 1000 --size 16x16 -o density.ppm
expect 1 "$FATHOM" verify density.ppm
complains 'is a Buddhabrot'
[ ! -s out ] || fail "of a density picture: $(cat out)"

# It stops at once when interrupted; this would take hours, as only z^2 + c has proofs of the interior.
cat >endless.fathom <<'VIEW'
[view]
re = -1.7548776662466927600495
im = 0
zoom = 1e9
[fractal]
formula = tricorn
iterations = 2000000000
VIEW
start=$(date +%s)
timeout --signal=INT 1 "$FATHOM" verify endless.fathom --size 100x100 >out 2>err
[ $? = 124 ] || fail "an interrupted run ended with $?, or by itself: $(cat out err)"
complains 'interrupted; nothing was verified'
[ $(($(date +%s) - start)) -lt 20 ] || fail "an interrupted run went on for $(($(date +%s) - start)) s"
[ ! -s out ] || fail "an interrupted run said: $(cat out)"
finish
