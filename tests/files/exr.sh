# shellcheck shell=bash
# EXR pictures and back: fathom render FILE.exr colours samples as iterating them would, byte for byte; files of
# other programs (exr_files.py); and files that are broken.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
fresh_folder
if ! has_exr; then
    complains 'libopenexr-dev'
    finish
fi
python() { python3 "$FATHOM_SOURCE/tests/files/exr_files.py" "$@"; }
printf '[view]\nre = -0.743643887037\nim = 0.131825904205\nzoom = 300\nangle = 20\n[fractal]\niterations = 700\n' >v.fathom
size=(--size 80x60)

# --- the same bytes as by iterating ---

# same NAME ARGUMENT...: a picture, the same from its EXR, and what NumPy reads.
same() {
    local name=$1
    shift
    expect 0 "$FATHOM" render "$@" "${size[@]}" -o "$name.exr"
    expect 0 "$FATHOM" render "$@" "${size[@]}" -o "$name.png" --data "$name.npy" --smooth "$name.s.npy"
    expect 0 "$FATHOM" render "$name.exr" -o again.png --data again.npy --smooth again.s.npy
    [ ! -s err ] || fail "$name: $(cat err)"
    cmp "$name.png" again.png && cmp "$name.npy" again.npy && cmp "$name.s.npy" again.s.npy || fail "$name differs"
}
for style in plain marble silk pearls; do
    same "$style" v.fathom --style "$style"
done
same inside --interior period --iterations 300
same ranks v.fathom --mapping histogram
same banded v.fathom --colour-by domains --layer light
same angle --formula newton --colour-by angle
same map --formula magnet1
same deep v.fathom --zoom 1e30 --iterations 3000 --layer distance
same exponential v.fathom --projection exponential --layer light --layer2 stripes

expect 0 "$FATHOM" render v.fathom "${size[@]}" --planes all -o all.exr
expect 0 "$FATHOM" render v.fathom "${size[@]}" --planes all --backend scalar --threads 1 -o scalar.exr
cmp all.exr scalar.exr || fail 'another backend writes other samples'
# Other colours of the file are those of the view.
for style in lava mosaic; do
    expect 0 "$FATHOM" render v.fathom "${size[@]}" --style $style --offset 0.3 -o wanted.png
    expect 0 "$FATHOM" render all.exr --style $style --offset 0.3 -o got.png
    cmp wanted.png got.png || fail "other colours: $style"
done
expect 0 "$FATHOM" render v.fathom "${size[@]}" --planes shared -o shared.exr
expect 0 "$FATHOM" render shared.exr --layer light -o shared.png
# Pictures of several samples, and other outputs.
expect 0 "$FATHOM" render v.fathom "${size[@]}" --samples 4 -o four.exr
expect 0 "$FATHOM" render four.exr -o four.png
cmp four.png plain.png || fail 'the samples of several are not the first ones'
expect 0 "$FATHOM" render all.exr --json -o got.webp
grep -q '"recoloured": true, "width": 80, "height": 60, "limit": 700' out || fail "JSON: $(cat out)"
expect 0 "$FATHOM" render all.exr plain.exr -o 'two-%n.png'
[ -s two-all.png ] && [ -s two-plain.png ] || fail "two pictures: $(ls two-*)"
expect 0 "$FATHOM" render all.exr --auto-frequency on --palette ember -o automatic.png
expect 0 "$FATHOM" render all.exr --mapping histogram -o histogram.png
cmp -s automatic.png histogram.png && fail 'the colours do not follow the picture'
# Other commands use the view.
expect 0 "$FATHOM" verify all.exr --points 5 --size 64x48

# --- channels ---

basic='B:1 DEX:2 DEY:2 G:1 N:0 NF:2 R:1 T:2 fathom.angle:0'
own='fathom.distance:2 fathom.fraction:2'
normal='fathom.normal.x:2 fathom.normal.y:2'
if can python3 'channels of EXR pictures'; then
    all="$basic fathom.atom:0 fathom.caught.x:2 fathom.caught.y:2 fathom.circle:2 fathom.cross:2 fathom.depth:2"
    all="$all fathom.distance:2 fathom.domain:0 fathom.fraction:2 fathom.last:2 fathom.line:2 fathom.norm2:2 $normal"
    all="$all fathom.period:0 fathom.point:2 fathom.stripe:2 fathom.triangle:2"
    printf '%s\n' "$basic $own $normal" "$all" 'B:1 G:1 N:0 NF:2 R:1 fathom.fraction:2' "${basic% *}" >wanted
    python channels plain.exr all.exr map.exr shared.exr >got
    diff wanted got || fail 'other channels, see above'
fi
if can exrheader 'headers of EXR pictures'; then
    exrheader all.exr >header || fail 'exrheader refuses the file'
    grep -q 'Iterations (type int): 700' header && grep -q 'fathom.normal.x, 32-bit floating-point' header &&
        grep -q 'N, 32-bit unsigned integer' header || fail "the header: $(cat header)"
fi

# --- files of other programs ---

if can python3 'EXR pictures of other programs'; then
    python make plain.exr kalles words types counts colours wild || fail 'cannot make the files'
    colours=(--frequency 0.7 --palette ember)
    expect 0 "$FATHOM" render plain.exr "${colours[@]}" -o wanted.ppm
    for kind in kalles words types; do
        expect 0 "$FATHOM" render $kind.exr "${colours[@]}" -o $kind.ppm
        grep -q 're = ' $kind.ppm && fail "$kind.ppm carries a view that is only nearly its own"
    done
    python near wanted.ppm kalles.ppm words.ppm types.ppm || fail 'the colours are others'
    grep -q 'only the samples of the picture are used' <("$FATHOM" render words.exr -o words.ppm 2>&1) ||
        fail 'a formula that fathom lacks is not mentioned'
    expect 0 "$FATHOM" render v.fathom "${size[@]}" --angle 0 -o upright.exr
    python make upright.exr kalles
    for layer in light field; do
        expect 0 "$FATHOM" render upright.exr "${colours[@]}" --layer $layer -o wanted.ppm
        expect 0 "$FATHOM" render kalles.exr "${colours[@]}" --layer $layer -o kalles.ppm
        python near wanted.ppm kalles.ppm || fail "layer $layer"
    done
    expect 0 "$FATHOM" render wild.exr --layer light --colour-by distance -o wild.png --smooth wild.npy
    expect 1 "$FATHOM" render counts.exr -o counts.png
    complains "no channel NF"
    expect 1 "$FATHOM" render colours.exr -o colours.png
    complains 'no channel N,'
    expect 1 "$FATHOM" render types.exr --layer light -o light.png
    complains 'no channel DEX'
fi

# Every compression gives the same samples, except the last bits of lossy ones.
for kind in zips rle piz pxr24 b44; do
    expect 0 "$FATHOM" render "$FATHOM_SOURCE/tests/fuzz/corpus/exr/$kind" --layer light -o $kind.ppm
    cmp zips.ppm $kind.ppm || fail "compressed by $kind"
done

# --- mistakes and broken files ---

refused() { # PATTERN ARGUMENT...
    local pattern=$1
    shift
    expect 1 "$FATHOM" render "$@"
    complains "$pattern"
}
refused 'no channel fathom.stripe' plain.exr --layer stripes -o no.png
refused '--zoom needs new samples' plain.exr --zoom 3 -o no.png
refused '--size needs new samples' plain.exr --size 9x9 -o no.png
refused 'recoloured as PPM, PNG' plain.exr -o no.exr
refused 'recoloured as PPM, PNG' plain.exr -o no.tif
refused 'recoloured as PPM, PNG' plain.exr --bits 16 -o no.png
refused 'cannot write' plain.exr -o nowhere/no.png
expect 2 "$FATHOM" render plain.exr -o plain.exr
bytes=$(stat -c %s plain.exr)
for length in 4 60 1200 $((bytes / 2)) $((bytes - 1)); do
    head -c "$length" plain.exr >short.exr
    refused "cannot read 'short.exr'" short.exr -o no.png
done
{ head -c 8 plain.exr && head -c 3000 /dev/zero; } >zeros.exr
refused "cannot read 'zeros.exr'" zeros.exr -o no.png
if can python3 'sizes that EXR pictures claim'; then
    for side in 2147483646 65536 -2147483648; do
        python3 - $side <<'END'
import struct, sys
data = bytearray(open("plain.exr", "rb").read())
at = data.index(b"dataWindow\0box2i\0") + 21
data[at + 8 : at + 16] = struct.pack("<ii", int(sys.argv[1]), int(sys.argv[1]))
open("large.exr", "wb").write(data)
END
        ([ -n "${FATHOM_SANITIZED-}" ] || ulimit -v 4000000 # sanitizers reserve more
            refused "cannot read 'large.exr'" large.exr -o no.png)
    done
fi
[ -e no.png ] || [ -e no.exr ] && fail 'a refused picture was written'
# A file that cannot be completed leaves none.
(
    ulimit -f 40
    trap '' XFSZ
    expect 1 "$FATHOM" render v.fathom --size 400x300 -o full.exr
    complains "full.exr.*[Tt]oo large"
)
[ -z "$(find . -name '*full.exr*')" ] || fail "left behind: $(find . -name '*full.exr*')"
finish
