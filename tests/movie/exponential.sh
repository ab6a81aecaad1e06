# shellcheck shell=bash
# fathom render --projection exponential, EXR pictures, and sequences of octaves, checked by a reader and by
# iterations of their own (exr_check.py).
. "$FATHOM_SOURCE/tests/shared/expect.sh"
rm -f ./*.exr ./*.ppm ./*.png ./*.npy ./*.fathom out err
has_exr || finish
re=-0.743643887037158704752191506114774 im=0.131825904205311970493132056385139
printf '[view]\nre = %s\nim = %s\nzoom = 300\n[fractal]\niterations = 1500\n' $re $im >v.fathom

# check NAME WIDTH HEIGHT ZOOM ANGLE LIMIT PROJECTION ARGUMENT...
check() {
    local common=(v.fathom --size "$2x$3" --zoom "$4" --angle "$5" --iterations "$6" --projection "$7" "${@:8}")
    expect 0 "$FATHOM" render "${common[@]}" -o "$1.exr"
    expect 0 "$FATHOM" render "${common[@]}" -o "$1.ppm"
    can python3 'samples of EXR pictures' || return
    python3 "$FATHOM_SOURCE/tests/movie/exr_check.py" "$1.exr" "$1.ppm" "$2" "$3" $re $im "$4" "$5" "$6" "$7" ||
        fail "$1: see above"
}
check map 363 40 300 0 1500 exponential
check turned 300 41 250 30 1500 exponential --layer distance
check far 200 40 4 50 200 exponential --layer distance
check deep 182 20 1e22 -70 9000 exponential
check flat 121 67 300 30 1500 flat
check band 3000 4 300 0 1500 exponential --samples 2

# All backends write the same bytes.
"$FATHOM" render v.fathom --size 363x40 --projection exponential --backend scalar --threads 1 -o scalar.exr
cmp scalar.exr map.exr || fail 'another backend writes another map'
# Counts of several samples are those of the first, and exact ones are right.
expect 0 "$FATHOM" render v.fathom --size 363x40 --projection exponential --exact --verify -o exact.png
# Without a size the pixels are squares.
expect 0 "$FATHOM" render v.fathom --projection exponential -o square.png --json --iterations 20
grep -q '"width": 6527, "height": 720' out || fail "the size: $(cat out)"
# Maps without slopes have no distances.
expect 0 "$FATHOM" render --formula newton --size 64x7 --projection exponential -o newton.exr
grep -q DEX newton.exr && fail 'a map without slopes has distances'

# A sequence: the view first, each further file an octave out, until home.
sequence=(v.fathom --size 90x10 --projection exponential)
expect 0 "$FATHOM" render "${sequence[@]}" -o 'oct-%i.exr' --json
[ "$(ls oct-*.exr | wc -l)" = 9 ] || fail "octaves: $(ls oct-*)"
[ "$(grep -o '"view"' out | wc -l)" = 9 ] || fail "octaves: $(cat out)"
for i in 1 4 9; do
    "$FATHOM" render "${sequence[@]}" --zoom "$(awk "BEGIN { printf \"%.17g\", 300 / 2 ^ ($i - 1) }")" -o one.exr
    cmp one.exr "oct-$i.exr" || fail "octave $i is another picture"
done
# Files that exist are kept.
rm oct-3.exr
echo mine >oct-5.exr
expect 0 "$FATHOM" render "${sequence[@]}" -o 'oct-%i.exr' --json
complains '8 of 9 files exist and are kept'
[ "$(grep -o '"view"' out | wc -l)" = 1 ] && [ -e oct-3.exr ] && [ "$(cat oct-5.exr)" = mine ] ||
    fail "resumed: $(cat out)"

# Mistakes.
expect 1 "$FATHOM" render v.fathom -o nowhere/map.exr
complains 'nowhere/map.exr'
expect 1 "$FATHOM" render v.fathom --size 900x900 -o map.exr --data /dev/full
[ -e map.exr ] && complains '/dev/full'
expect 2 "$FATHOM" render v.fathom --projection round -o map.exr
expect 1 "$FATHOM" density v.fathom --samples 100 -o map.exr
finish
