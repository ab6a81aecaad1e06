# Command line end to end, in the real program: pictures that contain their view, the same bytes
# from every backend, arrays, comparisons, and outputs.
. "$FATHOM_SOURCE/tests/shared/expect.sh"

# Checks that the last command's output is exactly this line.
says() {
    [ "$(cat out)" = "$1" ] || fail "said '$(cat out)', not '$1'"
}

silent() {
    [ ! -s err ] || fail "unexpected message: $(cat err)"
}

count_at() { # prints the first pixel of a .npy file of <u4
    od -An -tu4 -j128 -N4 "$1" | tr -d ' '
}

fresh_folder

# Version and help.
expect 0 "$FATHOM" --version
grep -Eqx 'fathom [0-9]+\.[0-9]+\.[0-9]+' out || fail "--version: $(cat out)"
expect 0 "$FATHOM" --help
grep -q 'fathom render' out || fail "--help lists no render"
mv out all
expect 0 "$FATHOM" help
cmp -s out all || fail "help is not --help"
expect 0 "$FATHOM" help render
silent
grep -q -- '--iterations N' out || fail "help render lists no --iterations"
mv out all
expect 0 "$FATHOM" render --help
cmp -s out all || fail "render --help is not help render"
expect 2 "$FATHOM" help rendr
complains "did you mean 'render'"
expect 0 "$FATHOM" info
grep -q 'scalar *usable' out || fail "info: $(cat out)"
usable=$(awk '$2 == "usable" {print $1}' out) # without null, which is "usable, for tests"
echo "backends:" $usable
expect 0 "$FATHOM" info --json
[ "$(wc -l <out)" = 1 ] || fail "info --json is not one line"
if can python3 'whether info --json is JSON'; then
    python3 -c 'import json, sys; json.load(sys.stdin)' <out || fail "info --json is no JSON"
fi
expect 0 "$FATHOM" info --cpumask none
grep -q 'avx2 *not usable' out || fail "info --cpumask none still offers avx2"

# The names that other commands accept.
expect 0 "$FATHOM" list views
silent
grep -qx seahorse-valley out || fail "list views: $(cat out)"
expect 0 "$FATHOM" list formulas
[ "$(sed -n '1p;3p' out | tr '\n' ' ')" = 'mandelbrot burning_ship ' ] || fail "list formulas: $(cat out)"
expect 0 "$FATHOM" list
grep -qx 'palettes:' out && grep -qx '  ember' out || fail "list: $(cat out)"
expect 2 "$FATHOM" list palette
complains "did you mean 'palettes'?"
if can python3 'list as JSON'; then
    "$FATHOM" list --json | python3 -c '
import json, sys
lists = json.load(sys.stdin)
assert set(lists) >= {"views", "palettes", "formulas"} and "ember" in lists["palettes"]' || fail 'list --json'
fi

# A picture, and the view in it.
expect 0 "$FATHOM" render -o home.ppm --size 64x48
silent
[ "$(head -c 2 home.ppm)" = P6 ] || fail "home.ppm is no PPM"
[ "$(stat -c %s home.ppm)" -gt $((64 * 48 * 3)) ] || fail "home.ppm is too short"
grep -aqx '# width = 64' home.ppm || fail "home.ppm does not tell its size"
grep -aqx '# precision = double' home.ppm || fail "home.ppm does not tell its precision"
expect 0 "$FATHOM" compare home.ppm home.ppm
says identical

# A screenshot drawn again gives the same bytes, including comments.
cat >turned.fathom <<'VIEW'
[view]
re = -0.7436438870371587
im = 0.13182590420531197
zoom = 54321.125
angle = 33.3
[fractal]
iterations = 777
[colour]
palette = lagoon
frequency = 0.37
offset = 0.61
[picture]
width = 97
height = 61
VIEW
draw_twice() { # NAME ARGUMENTS...
    local name=$1
    shift
    expect 0 "$FATHOM" render "$@" -o "$name.ppm"
    expect 0 "$FATHOM" render "$name.ppm" -o "$name-again.ppm"
    cmp -s "$name.ppm" "$name-again.ppm" || fail "$name.ppm drawn again is not the same"
}
draw_twice turned turned.fathom
draw_twice turned-float turned.fathom --precision float
grep -v '^angle\|^density\|^offset' turned.fathom >plain.fathom
angle=$(sed -n 's/^angle = //p' turned.fathom)
expect 0 "$FATHOM" render plain.fathom --angle "$angle" --frequency 0.37 --offset 0.61 -o told.ppm
cmp -s told.ppm turned.ppm || fail 'angle, frequency and offset as options are not those of a view'
draw_twice odd turned.fathom --size 1x333 --iterations 1 --palette sixteen
draw_twice seahorse "$FATHOM_SOURCE/assets/views/seahorse-valley.fathom" --size 160x90
expect 1 "$FATHOM" compare turned.ppm turned-float.ppm
grep -Eqx '[0-9]+ of 5917 pixels differ, largest difference [0-9]+' out || fail "said $(cat out)"
expect 0 "$FATHOM" render turned.ppm -o small.ppm --size 33x44
grep -aqx '# height = 44' small.ppm || fail "--size does not override the screenshot's"

# The first backend and the last give the same bytes.
for backend in $(sed -n '1p; $p' <<<"$usable"); do # check_backends compares all
    for type in float double wide; do
        expect 0 "$FATHOM" render turned.fathom -o "$backend.ppm" --data "$backend.npy" \
            --smooth "$backend-smooth.npy" --backend "$backend" --precision $type
        for ending in .ppm .npy -smooth.npy; do
            first=first-$type$ending
            [ -f $first ] || cp "$backend$ending" $first
            cmp -s "$backend$ending" $first || fail "$backend$ending ($type) differs between backends"
        done
    done
done

# Counts: c = 1 escapes at 2, c = 0 never does; arrays compare.
printf '[view]\nre = 1\nim = 0\nzoom = 1e6\n' >one.fathom
printf '[view]\nre = 0\nim = 0\nzoom = 1e6\n' >zero.fathom
expect 0 "$FATHOM" render one.fathom --size 1x1 --data one.npy --smooth one-smooth.npy
[ "$(count_at one.npy)" = 2 ] || fail "c = 1 has the count $(count_at one.npy)"
expect 0 "$FATHOM" render zero.fathom --size 1x1 --data zero.npy --smooth zero-smooth.npy \
    --iterations 345
[ "$(count_at zero.npy)" = 345 ] || fail "c = 0 has the count $(count_at zero.npy)"
expect 1 "$FATHOM" compare one.npy zero.npy
says '1 of 1 pixels differ, largest difference 343'
expect 1 "$FATHOM" compare one.npy zero.npy --json
says '{"identical": false, "pixels": 1, "different": 1, "largest_difference": 343}'
expect 1 "$FATHOM" compare one-smooth.npy zero-smooth.npy
says '1 of 1 pixels differ, largest difference inf'
expect 1 "$FATHOM" compare one-smooth.npy zero-smooth.npy --json
says '{"identical": false, "pixels": 1, "different": 1, "largest_difference": null}'
expect 0 "$FATHOM" compare zero-smooth.npy zero-smooth.npy --json
says '{"identical": true, "pixels": 1, "different": 0, "largest_difference": 0}'

# Pictures are compared by channel.
printf 'P6\n2 2\n255\nabcdefghijkl' >a.ppm
printf 'P6\n# x\n2 2\n255\nabcdeFghijkj' >b.ppm
expect 1 "$FATHOM" compare a.ppm b.ppm
says '2 of 4 pixels differ, largest difference 32'

# The machine-readable report.
expect 0 "$FATHOM" render -o home2.ppm --size 64x48 --json --threads 1
for key in backend device precision width height iterations_total iterations_skipped \
    reference_ms reference_length reference_period render_ms write_ms; do
    grep -q "\"$key\": " out || fail "render --json has no $key"
done
[ "$(wc -l <out)" = 1 ] || fail "render --json is not one line"
grep -q '"reference_ms": 0.000, "reference_length": 0, "reference_period": 0,' out ||
    fail "a direct picture has a reference: $(cat out)"
cmp -s home.ppm home2.ppm || fail "one thread draws something else"
printf '[view]\nre = -1.7548776662466927\nim = 0\nzoom = 100\n' >period.fathom
expect 0 "$FATHOM" render period.fathom -o period.ppm --size 64x48 --precision perturbed --json
grep -q '"reference_period": 3,' out || fail "the reference's period is not 3: $(cat out)"
! grep -qE '"reference_(ms": 0.000|length": 0),' out || fail "there is no reference: $(cat out)"

# Pictures in lossy formats contain their view as well.
draw_again() { # ENDING
    expect 0 "$FATHOM" render turned.fathom --quality 60 -o "lossy.$1"
    expect 0 "$FATHOM" render "lossy.$1" -o again.ppm
    cmp -s again.ppm turned.ppm || fail "a picture in $1 does not carry its view"
}
draw_again jpg
draw_again jpeg
[ "$(od -An -tx1 -N3 lossy.jpg | tr -d ' ')" = ffd8ff ] || fail 'a picture named .jpg is no JPEG'
expect 0 "$FATHOM" render turned.fathom --quality 95 -o better.jpg
[ "$(stat -c %s better.jpg)" -gt "$(stat -c %s lossy.jpg)" ] || fail 'a better quality takes no more room'
"$FATHOM" render -o none.webp --size 8x8 2>err
if grep -q 'without WebP' err; then
    left_out 'pictures in WebP' 'the build has no libwebp'
else
    draw_again webp
    expect 0 "$FATHOM" render turned.fathom --quality 100 -o exact.webp
    expect 0 "$FATHOM" compare exact.webp turned.ppm
    expect 1 "$FATHOM" render turned.fathom --size 16384x1 -o wide.webp
    complains 'at most 16383 pixels'
fi

# Several views in one run, each in a file that placeholders name: equal names are distinguished,
# and a view that cannot be read does not stop the others.
mkdir -p views/other many
cp turned.fathom views/one.fathom
cp turned.fathom views/other/one.fathom
echo nothing >views/bad.fathom
expect 1 "$FATHOM" render views/one.fathom views/bad.fathom views/other/one.fathom seah '-0.75 + 0.1i 20' --size 32x24 \
    -o 'many/%i-%n.ppm' --data 'many/%n%%.npy' --json
[ "$(cd many && echo *)" = '1-one.ppm 3-one-2.ppm 4-seahorse-valley.ppm 5-location.ppm location%.npy one%.npy one-2%.npy seahorse-valley%.npy' ] ||
    fail "several views: $(ls many)"
[ "$(wc -l <err)" = 2 ] && grep -q '1 of 5 pictures were not drawn' err || fail "several views said: $(cat err)"
"$FATHOM" render views/one.fathom --size 32x24 -o alone.ppm && cmp -s alone.ppm many/1-one.ppm && cmp -s alone.ppm many/3-one-2.ppm ||
    fail 'a view among several is not drawn as alone'
if can python3 'the report about several views'; then
    python3 -c '
import json, sys
pictures = json.load(sys.stdin)["pictures"]
assert [p["view"] for p in pictures][:2] == ["views/one.fathom", "views/bad.fathom"]
assert ["error" in p for p in pictures] == [False, True, False, False, False]
assert pictures[4]["output"] == "many/5-location.ppm" and pictures[4]["width"] == 32' <out || fail "several views: $(cat out)"
fi
expect 0 "$FATHOM" render -o '%n-100%%.ppm' --size 8x8
[ -e home-100%.ppm ] || fail 'a percent sign in a name'
expect 0 "$FATHOM" render -o '100%.ppm' --size 8x8
[ -e 100%.ppm ] || fail 'a name without placeholders'

# Valid outputs.
"$FATHOM" render -o - --size 64x48 | cmp -s - home.ppm || fail "-o - differs"
"$FATHOM" render -o /dev/stdout --size 64x48 | cmp -s - home.ppm || fail "/dev/stdout differs"
"$FATHOM" render -o - --size 64x48 >redirected.ppm || fail "-o - into a file"
cmp -s redirected.ppm home.ppm || fail "-o - into a file differs"
expect 0 "$FATHOM" render -o /dev/null --size 8x8
[ -c /dev/null ] || fail "/dev/null was replaced"
echo old >target.ppm
ln -s target.ppm link.ppm
expect 0 "$FATHOM" render -o link.ppm --size 64x48
[ -L link.ppm ] || fail "a symbolic link was replaced"
cmp -s target.ppm home.ppm || fail "a symbolic link was not followed"
ln -s later.ppm early.ppm
mkdir links
ln -s ../early.ppm links/earlier.ppm
expect 0 "$FATHOM" render -o links/earlier.ppm --size 64x48
[ -L early.ppm ] && [ -L links/earlier.ppm ] || fail "a symbolic link to nothing was replaced"
cmp -s later.ppm home.ppm || fail "a symbolic link to nothing was not followed"
ln -s circle.ppm circle.ppm
expect 1 "$FATHOM" render -o circle.ppm --size 8x8
expect 1 sh -c '"$0" render -o - --size 8x8 >&-' "$FATHOM"
[ -L /dev/stdout ] || fail "/dev/stdout was replaced"
for name in a.bmp a.GIF a.tga; do
    expect 1 "$FATHOM" render -o $name --size 8x8
    grep -q "'$name': pictures are PPM, PNG, JPEG or WebP" err || fail "a picture named $name: $(cat err)"
    expect 0 "$FATHOM" render -o $name --format png --size 8x8
    expect 2 "$FATHOM" compare home.ppm home.ppm --diff $name
done
expect 2 "$FATHOM" classic 8 8 -o a.png
mkfifo fifo
cat fifo >through.ppm &
expect 0 "$FATHOM" render -o fifo --size 64x48
wait
cmp -s through.ppm home.ppm || fail "a FIFO got something else"
(umask 077 && "$FATHOM" render -o private.ppm --size 8x8)
[ "$(stat -c %a private.ppm)" = 600 ] || fail "the umask is not kept: $(stat -c %a private.ppm)"
[ -z "$(find . -name '.fathom-*')" ] || fail "temporary files were left: $(find . -name '.fathom-*')"

# A requested GPU is never ignored silently: neither for a CPU backend, nor without a GPU.
for wrong in '--backend scalar --device 0' '--device 99' '--backend avx2 --device none'; do
    # shellcheck disable=SC2086
    expect 1 "$FATHOM" render -o device.ppm --size 8x8 $wrong
    complains "device '${wrong##* }'\|GPU '${wrong##* }'\|'avx2' cannot be used"
    [ ! -e device.ppm ] || fail "$wrong draws"
done
expect 1 "$FATHOM" --script "$FATHOM_SOURCE/tests/data/tour.script" --size 8x8 --backend scalar --device 0
complains "device '0'"
FATHOM_DEVICE=99 expect 0 "$FATHOM" render -o device.ppm --size 8x8 --iterations 2k
complains "warning: there is no GPU '99' that can draw here, so [a-z0-9]* draws"
grep -aqx '# iterations = 2000' device.ppm || fail '2k is not 2000 iterations'

expect 1 "$FATHOM" bench kernels --device 99 --quick --view interior --size 16x16
complains "there is no GPU '99'"

# Values are clamped, with a warning.
expect 0 "$FATHOM" render -o clamped.ppm --size 1x1 --backend null --iterations 3000000000
grep -q 'warning: .*clamped to 2147483647' err || fail "no warning of the clamped limit"
printf '[view]\nzoom = 1e40\n' >deep.fathom
expect 0 "$FATHOM" render deep.fathom -o deep.ppm --size 8x8 --precision double
[ "$(grep -c 'warning: .*blocks' err)" = 1 ] || fail "no warning of the depth"

finish
