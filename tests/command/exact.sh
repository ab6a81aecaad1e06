# `fathom render --exact`: pictures that are right whatever numbers they were drawn in, and their errors.
. "$FATHOM_SOURCE/tests/shared/expect.sh"

fresh_folder

# A fifth of these counts are wrong in doubles. From any numbers exact pictures have the same ones.
cat >tripling.fathom <<'VIEW'
[view]
re = -0.0236411685377
im = 0.7836606508052
zoom = 1000000
[fractal]
iterations = 10000
VIEW
expect 0 "$FATHOM" render tripling.fathom --size 64x36 --exact --data auto.npy
for type in double perturbed float; do
    expect 0 "$FATHOM" render tripling.fathom --size 64x36 --precision $type --exact --json --data $type.npy
    grep -q '"exact": {"points": [1-9][0-9]*, "changed": [1-9][0-9]*, "bits": [1-9][0-9]*, ' out ||
        fail "--json with $type says: $(cat out)"
    cmp -s auto.npy $type.npy || fail "$type and auto differ in exact counts"
done
expect 0 "$FATHOM" render tripling.fathom --size 64x36 --precision double --data plain.npy
cmp -s plain.npy double.npy && fail "doubles were right without --exact"
# All of their pixels agree with exact arithmetic.
expect 0 "$FATHOM" verify tripling.fathom --size 64x36 --precision perturbed --exact --points 3000
grep -q '^2304 of 2304 points agree' out || fail "verify --exact says: $(cat out)"
expect 1 "$FATHOM" verify tripling.fathom --size 64x36 --precision perturbed --points 3000

# The Burning Ship at 1e44 needs up to 1,800 bits: three quarters of its counts are wrong in doubles.
ship=$FATHOM_SOURCE/tests/data/locations/ship_1e44.fathom
expect 0 "$FATHOM" render "$ship" --size 16x9 --exact --verify -o ship.png
grep -q '^144 of 144 points agree' err || fail "of the ship: $(cat err)"

# A picture carries the setting, with several samples and layers as well, and is drawn again to the same bytes.
expect 0 "$FATHOM" render tripling.fathom --size 64x36 --precision double --samples 3 --layer light --exact -o one.png
grep -aq '^exact = yes$' one.png || fail "the picture does not say that it is exact"
expect 0 "$FATHOM" render one.png --threads 1 --backend scalar -o two.png
expect 0 "$FATHOM" compare one.png two.png
expect 0 "$FATHOM" render tripling.fathom --size 64x36 --precision double --samples 3 --layer light -o plain.png
expect 1 "$FATHOM" compare one.png plain.png

# Where auto does, nothing changes.
for view in "$FATHOM_SOURCE/tests/data/locations/4e533.fathom" --formula=tricorn; do
    expect 0 "$FATHOM" render $view --size 64x36 --samples 2 -o plain.ppm
    expect 0 "$FATHOM" render $view --size 64x36 --samples 2 --exact -o exact.ppm
    expect 0 "$FATHOM" compare plain.ppm exact.ppm
done

# Around a wide reference doubles are enough to tell that few points are in doubt.
expect 0 "$FATHOM" render "$FATHOM_SOURCE/tests/data/locations/valley_1e24.fathom" --size 32x18 --exact --json -o x.ppm
grep -q '"precision": "wide".*"exact": {"points": [0-9][0-9]\?, "changed": 0, ' out || fail "at 1e24: $(cat out)"
rm x.ppm

# With folds past a double's range the reference may be at fault, so all points are in doubt.
printf '[view]\nre = -1.790327491999345\nim = 1e-330\nzoom = 1e340\n[fractal]\nformula = burning_ship\niterations = 4000\n' >ship.fathom
expect 0 "$FATHOM" render ship.fathom --size 16x9 --exact --json -o x.ppm
grep -q '"exact": {"points": 144, "changed": 0, ' out || fail "of the ship at 1e340: $(cat out)"
rm x.ppm

# Invalid requests.
expect 1 "$FATHOM" render --formula magnet1 --exact -o x.ppm
complains 'exact arithmetic draws powers of z, not magnet1'
expect 2 "$FATHOM" density --exact -o x.ppm
complains 'does not apply to density'
printf '[picture]\nexact = maybe\n' >wrong.fathom
expect 1 "$FATHOM" render wrong.fathom -o x.ppm
complains 'exact'
[ ! -e x.ppm ] || fail "a refused picture was written"

# It says how long it takes if that is long, and ends at once when interrupted.
"$FATHOM" render "$ship" --size 480x270 --exact -o x.ppm >out 2>err &
started=$!
tries=0
until grep -q 'takes about' err || [ $tries = 600 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
complains 'points need exact arithmetic'
start=$(date +%s)
kill -TERM $started
wait $started
[ $? = 1 ] || fail "an interrupted run did not end with 1"
grep -q 'interrupted; nothing was written' err || fail "an interrupted run said: $(cat err)"
[ $(($(date +%s) - start)) -lt 10 ] || fail "an interrupted run went on for $(($(date +%s) - start)) s"
[ ! -e x.ppm ] || fail "an interrupted picture was written"
finish
