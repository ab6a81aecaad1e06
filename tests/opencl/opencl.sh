# shellcheck shell=bash
# The program on an OpenCL device: its reports, and pictures that equal the CPU's.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
fresh_folder

expect 0 "$FATHOM" info
if ! grep -q '^  opencl   usable' out; then
    grep -q '^  opencl   not usable: ' out || fail "nothing about OpenCL: $(cat out)"
    echo "skipped: $(sed -n 's/^  opencl *//p' out)"
    exit $((failures > 0 ? 1 : 77))
fi
grep -A 9 '^OpenCL:$' out | grep -q '^  device 0: ..* units, [0-9.]* GiB' || fail "it lists no device: $(cat out)"
expect 0 "$FATHOM" info --json
grep -q '"opencl": \["device 0: ' out || fail "nor in JSON"

expect 1 "$FATHOM" render --backend opencl --device 'no such card' -o none.ppm
grep -q "cannot be used here: there is no such device" err || fail "a device that is not there: $(cat err)"

same() { # ARGUMENT...
    expect 0 "$FATHOM" render --backend opencl --device 0 --size 96x54 --samples 1 -o opencl.ppm "$@"
    expect 0 "$FATHOM" render --backend scalar --size 96x54 --samples 1 -o scalar.ppm "$@"
    cmp opencl.ppm scalar.ppm || fail "not what the processor draws: $*"
}
same
same '-0.7463 + 0.1102i 400 5000'
same --formula burning_ship --julia-re -0.5 --julia-im -0.6 --layer light
sed '/^\[colour\]/,$d' "$FATHOM_SOURCE/assets/views/owl.fathom" >owl.fathom
same owl.fathom --size 48x27 # 1e21
same '-0.7463 + 0.1102i 400 5000' --projection exponential --size 145x16
same owl.fathom --projection exponential --size 91x10

# The window without its text: drawn again, moved, recoloured, and resized.
cat >tour.script <<'END'
wait complete
key H
key H
wait 1
capture window.ppm
key S
wheel 4 44.84% 45.83%
wait complete
key S
drag 54.69% 58.33% 50% 45.83% 6
wait complete
key C
wait complete
key S
resize 150 100
wait complete
wheel 2 30% 40%
wait complete
key S
wait complete
END
expect 0 "$FATHOM" --script tour.script --screenshots shots --size 96x64 --samples 1 --iterations 3000 --json \
    --auto-limit off --no-config --backend opencl --device 0
grep -q '"interop": "host"' out || fail "the window's pictures do not go via host memory: $(cat out)"
[ "$(find shots -name '*.ppm' | wc -l)" = 5 ] || fail "not five pictures of the window: $(ls shots)"
for picture in shots/fathom-*.ppm; do
    expect 0 "$FATHOM" render "$picture" --backend scalar -o again.ppm
    cmp "$picture" again.ppm || fail "the processor draws another picture than $picture"
done
cmp <(tail -c $((96 * 64 * 3)) shots/fathom-*-001.ppm) <(tail -c $((96 * 64 * 3)) shots/window.ppm) ||
    fail 'the window shows another picture'

# Frames of movies that the device resamples: parallel to their rings, rotated, and in colours that change.
for way in --turns=0 --turns=0.4 --vary=offset=0.2..0.9; do
    for backend in opencl scalar; do
        expect 0 "$FATHOM" movie '-0.7463 + 0.1102i 40 500' --size 64x36 --seconds 1 --fps 8 "$way" \
            --backend $backend --verbose -o "$backend-%i.ppm"
        [ $backend = scalar ] || grep -q 'resamples frames' err || fail "the device resamples nothing: $(cat err)"
    done
    for i in {1..8}; do
        cmp "opencl-$i.ppm" "scalar-$i.ppm" || fail "$way: not the processor's frame $i"
    done
done

counts() { # ARGUMENT...: counts at once and continued
    rm -f ./*.run
    for samples in 20000 70000; do
        for backend in opencl scalar; do
            expect 0 "$FATHOM" density --backend $backend --size 64x49 --samples $samples --resume $backend.run \
                -o $backend.ppm "$@"
        done
        cmp opencl.ppm scalar.ppm && cmp opencl.run scalar.run || fail "not what the processor counts: $*"
    done
}
counts --channels 200,50,10
exit $((failures > 0))
