# fathom density end to end, on the real program: the same histogram from every backend, interrupted
# and continued runs, pictures that contain all that they were made of, and wrong use.
. "$FATHOM_SOURCE/tests/shared/expect.sh"

# density STATUS ARGUMENTS...
density() {
    local wanted=$1
    shift
    expect "$wanted" "$FATHOM" density "$@"
}

# refuses STATUS PATTERN ARGUMENTS...: expects one line of error, and nothing on standard output.
refuses() {
    local wanted=$1 pattern=$2
    shift 2
    density "$wanted" "$@"
    complains "$pattern"
    [ ! -s out ] || fail "standard output was not empty: $*"
}

value() { # KEY of the last --json output
    tr -d '{}' <out | sed 's/, "/\n"/g' | sed -n "s/^\"$1\": //p"
}

same() {
    cmp -s "$1" "$2" || fail "$1 and $2 differ${3+: $3}"
}

fresh_folder
backends=$(automatic_backends | sed -n '1p; $p') # check_density compares all

# The best backend, the plainest one, and any number of threads give the same counts and the same
# picture, for views of every symmetry.
cat >turned.fathom <<'VIEW'
[view]
re = -1.2
im = 0.25
zoom = 3
angle = 30
[fractal]
iterations = 300
VIEW
printf '[view]\nre = -0.3\nangle = 90\n[picture]\nwidth = 47\nheight = 66\n' >upright.fathom
cases=(
    "--size 65x48"
    "upright.fathom"
    "turned.fathom --size 50x40 --precision double --random 18446744073709551615"
    "turned.fathom --size 40x30 --channels 10,100,100 --least 3"
    "--size 40x30 --counted bounded --iterations 50"
    "--size 1x65536"
    "--size 30x20 --iterations 1"
)
for i in "${!cases[@]}"; do
    first=
    threads=1
    for backend in $backends; do
        name=$i-$backend
        # shellcheck disable=SC2086
        density 0 ${cases[i]} --samples 20000 --backend "$backend" --threads $threads \
            -o $name.ppm --data $name.npy --resume $name.run --json
        first=${first:-$name}
        for ending in ppm npy run; do
            same $name.$ending $first.$ending "${cases[i]}"
        done
        threads=3
    done
    [ "$(value samples)" = 20032 ] || fail "${cases[i]}: $(value samples) samples"
    [ "$(value points)" -gt 0 ] || [ $i = $((${#cases[@]} - 1)) ] || fail "${cases[i]}: no points"
    # Counting the picture again gives the same file.
    density 0 "$first.ppm" -o again.ppm --data again.npy
    same again.ppm "$first.ppm" "${cases[i]}"
    same again.npy "$first.npy" "${cases[i]}"
done

# The statistics match the array.
density 0 --size 65x48 --samples 100k --data sum.npy --json
if can python3 'whether the statistics are those of the array'; then
    python3 - out sum.npy <<'PYTHON' || fail "the statistics are not those of the array"
import json, struct, sys
said = json.load(open(sys.argv[1]))
data = open(sys.argv[2], "rb").read()[128:]
rows = struct.unpack("<%dQ" % (65 * 48), data)
assert said["mirrored"] and sum(rows) == 2 * said["points"], (sum(rows), said)
assert said["largest"] == [max(rows)] and said["smallest"] == [min(rows)]
assert abs(said["points_per_pixel"] - sum(rows) / len(rows)) < 1e-9
assert all(rows[65 * y:65 * y + 65] == rows[65 * (47 - y):65 * (47 - y) + 65] for y in range(24))
PYTHON
fi
density 0 --size 65x48 --samples 100k --data other.npy --random 1
expect 1 "$FATHOM" compare sum.npy other.npy
grep -q 'pixels differ' out || fail "another key gives the same counts"
expect 0 "$FATHOM" compare sum.npy sum.npy

# The report has all its lines.
density 0 --size 65x48 --samples 64
for line in 'points plotted' 'points per pixel' largest smallest 'total time' 'points per second' \
    'samples  *64$' backend; do
    grep -q "^$line" out || fail "no '$line' in: $(cat out)"
done
"$FATHOM" density --size 65x48 --samples 100k -o stream.ppm >/dev/null
"$FATHOM" density --size 65x48 --samples 100k -o - 2>err | cmp -s - stream.ppm || fail "-o - differs"
grep -q '^points plotted' err || fail "-o -: no statistics on standard error"
"$FATHOM" density --size 65x48 --samples 100k --data - 2>err | cmp -s - sum.npy || fail "--data - differs"

# A continued run equals an uninterrupted one, and may have another tone; a run that has reached its
# number of samples ends at once.
run="--size 120x90 --channels 500,90,20"
# shellcheck disable=SC2086
density 0 $run --samples 300000 -o whole.ppm --data whole.npy --resume whole.run
# shellcheck disable=SC2086
density 0 $run --samples 64 --resume parts.run
for samples in 70000 71000 300k; do
    density 0 --samples $samples --resume parts.run --threads 3 -o parts.ppm --data parts.npy --json
done
[ "$(value samples_before)" = 71040 ] || fail "before: $(value samples_before)"
for ending in ppm npy run; do
    same whole.$ending parts.$ending
done
density 0 --samples 1 --resume parts.run --json
[ "$(value samples) $(value backend)" = '300032 ""' ] || fail "counted on: $(cat out)"
same whole.run parts.run
# shellcheck disable=SC2086
density 0 $run --samples 300000 --curve log --exposure 1 --ramp ice -o log.ppm
density 0 --samples 300000 --curve log --exposure 1 --ramp ice --resume parts.run -o log2.ppm
same log.ppm log2.ppm
density 0 whole.ppm --resume parts.run -o back.ppm # the same view; the tone of the picture is used
same whole.ppm back.ppm
same whole.run parts.run

# Runs limited by time, and without a limit.
density 0 --size 65x48 --seconds 0.1 --data timed.npy -o timed.ppm --json
samples=$(value samples)
[ "$samples" -gt 0 ] || fail "nothing was counted in 0.1 s"
density 0 --size 65x48 --samples "$samples" --data again.npy -o again.ppm
same timed.npy again.npy
same timed.ppm again.ppm
density 0 --size 65x48 --seconds 0 --resume nothing.run --json
density 0 --size 65x48 --samples 6400 --resume nothing.run --data some.npy
density 0 --size 65x48 --samples 6400 --data straight.npy
same some.npy straight.npy

# An interrupted run keeps everything, and can be continued.
# shellcheck disable=SC2086
"$FATHOM" density $run --samples 1T --threads 1 --resume cut.run -o cut.ppm --data cut.npy --json >out 2>err &
catches $! TERM
sleep 0.3
kill -TERM $!
wait $!
[ $? = 1 ] || fail "interrupted, but the status is not 1"
[ "$(value interrupted)" = true ] || fail "interrupted: $(cat out)"
complains 'continues from there'
samples=$(value samples)
density 0 cut.ppm -o again.ppm --data again.npy
same cut.ppm again.ppm
same cut.npy again.npy
more=$((samples + 123456))
density 0 --resume cut.run --samples $more --data resumed.npy
# shellcheck disable=SC2086
density 0 $run --samples $more --data straight.npy
same resumed.npy straight.npy

# Files that are not saved runs, and runs of another picture, are refused.
refuses 1 'another size' --resume whole.run --size 7x7
refuses 1 'another choice of orbits' --resume whole.run --channels 7
refuses 1 'another choice of orbits' --resume whole.run --random 7
refuses 1 'another precision' --resume whole.run --precision double
refuses 1 'another view' --resume whole.run turned.fathom --size 120x90
refuses 1 'three channels' --resume whole.run --iterations 5
head -c 70000 whole.run >broken.run
refuses 1 'cut short' --resume broken.run
{ head -c 5000 whole.run; printf x; tail -c +5002 whole.run; } >broken.run
refuses 1 'damaged' --resume broken.run
refuses 1 'not a saved run' --resume whole.npy
# A run with another version's samples is not continued; its picture is drawn with a message.
corpus=$FATHOM_SOURCE/tests/fuzz/corpus
cp "$corpus/run/earlier" earlier.run
refuses 1 'another version of fathom began this run' --resume earlier.run
same earlier.run "$corpus/run/earlier"
density 0 "$corpus/shot/density.ppm" --samples 64 -o earlier.ppm
complains 'made by another version of fathom'
density 0 earlier.ppm --samples 64
[ ! -s err ] || fail "a picture of this version: $(cat err)"
refuses 1 'not a .npy file' --resume whole.ppm
refuses 1 'is a folder' --resume .
same whole.run parts.run

# If nothing can be counted, the program warns and continues.
density 0 --size 65x48 --samples 64 --least 100 --iterations 50
complains 'nothing will be counted'

# Unwritable files and contradictory options are refused.
refuses 1 "cannot write 'nowhere/a'" -o nowhere/a
refuses 1 "cannot write 'nowhere/a'" --data nowhere/a
refuses 1 "cannot write 'nowhere/a'" --resume nowhere/a
refuses 2 'name the same file' -o a --data a
refuses 2 'name the same file' --resume a -o a
refuses 2 'name the same file' --resume a -o ./a
"$FATHOM" density whole.run --resume again.run >/dev/null && cmp whole.run again.run ||
    fail 'a saved run, taken as a view, does not give that run again'
touch there
ln -sf there link
refuses 2 'name the same file' --resume there --data link
refuses 2 'not standard output' --resume -
refuses 2 'standard output' -o - --data -
refuses 2 'standard output' -o - --json
refuses 1 'bounded orbits have one channel' --counted bounded --channels 3,2,1
refuses 1 'three channels' --channels 3,2,1 --iterations 5
refuses 1 'at most 2^30' --size 65536x65536
refuses 1 'No such file' none.fathom
refuses 1 "there is no backend 'x'" --size 1x1 --samples 1 --backend x
expect 1 "$FATHOM" render whole.ppm -o x.ppm
complains "use 'fathom density'"
expect 1 "$FATHOM" density --size 65x48 --samples 64 -o /dev/full --data kept.npy
grep -q 'No space left' err || fail "a full disk: $(cat err)"
[ -s kept.npy ] || fail "a full disk took the other file along"
[ -z "$(find . -name '.fathom-*')" ] || fail "temporary files were left: $(find . -name '.fathom-*')"

# A run by rules that no longer exist is not continued, since its counts are different.
density 0 --size 20x20 --samples 64 --resume run.npy
LC_ALL=C sed 's/^\[orbits\]$/&\nrules = seed/' run.npy >old.npy
expect 1 "$FATHOM" density --resume old.npy --samples 128
grep -q "rules 'seed' is no longer supported" err && grep -q 'counted otherwise' err || fail "an old run: $(cat err)"

finish
