# shellcheck shell=bash
# Posters: the pixels of a .tif and a .dzi are those of a .png, also after kill -9, on a full disk and
# at any size; and 16-bit PNG.
. "$FATHOM_SOURCE/tests/shared/expect.sh"

fresh_folder
"$FATHOM" render --size 8x8 -o built.tif 2>err
if grep -q 'without posters' err; then
    left_out 'posters' 'the build has no libtiff'
    finish
fi
can python3 posters && can tiffinfo posters || finish
rm built.tif

check() { # KIND ARGUMENT...
    python3 "$FATHOM_SOURCE/tests/picture/poster_check.py" "$@" || fail "poster_check $*"
}

cat >small.fathom <<'VIEW'
[view]
re = -0.7463
im = 0.1102
zoom = 40
angle = 12.5
[fractal]
iterations = 300
[picture]
width = 531
height = 516
samples = 3
VIEW
expect 0 "$FATHOM" render small.fathom --style sculpture -o small.ppm

# --- TIFF ---

expect 0 "$FATHOM" render small.fathom --style sculpture -o small.tif --pyramid --json
grep -q '"bands": 1,' out || fail "said $(cat out)"
check tiff small.tif small.ppm 2
expect 0 tiffinfo small.tif
grep -q 'samples = 3' out || fail 'the poster has no view'
expect 0 "$FATHOM" render small.tif --style sculpture --size 531x516 -o again.ppm
cmp small.ppm again.ppm || fail 'a poster is another view'
head -c 300 small.tif >cut.tif
expect 1 "$FATHOM" render cut.tif --size 8x8 -o no.ppm
[ "$(wc -l <err)" = 1 ] && complains "cannot read 'cut.tif'"
cp small.tif plain.tif
expect 0 tiffset -u 270 plain.tif
expect 1 "$FATHOM" render plain.tif --size 8x8 -o no.ppm
complains 'carries no view'
expect 0 "$FATHOM" render small.fathom --style sculpture -o zstd.tif --compression zstd
expect 0 tiffcp -c zip:p2 -t -w 512 -l 512 -8 zstd.tif deflate.tif
check tiff deflate.tif small.ppm 1

# A poster of several blocks is killed while it is drawn, again and again.
wide=('-0.75 + 0.1i 12' --size 3600x2100 --samples 2 --method deepen --iterations 100)
length() { # of the unfinished poster
    stat -c %s wide.tif.part 2>/dev/null || echo 0
}
expect 0 "$FATHOM" render "${wide[@]}" -o once.tif --pyramid --json
[ "$(sed -n 's/.*"bands": \([0-9]*\),.*/\1/p' out)" -ge 3 ] || fail "blocks: $(cat out)"
kills=0
while [ ! -e wide.tif ] && [ $kills -lt 3 ]; do
    "$FATHOM" render "${wide[@]}" -o wide.tif --pyramid >out 2>err &
    pid=$!
    before=$(length)
    while kill -0 $pid 2>/dev/null && [ "$(length)" -le $((before + 50000)) ]; do
        sleep 0.01
    done
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
    kills=$((kills + 1))
done
[ ! -e wide.tif ] || fail 'the poster was never killed'
expect 1 "$FATHOM" render "${wide[@]}" --palette ember -o wide.tif --pyramid
complains "wide.tif.part' is a part of another picture"
expect 0 "$FATHOM" render "${wide[@]}" -o wide.tif --pyramid
grep -q 'tiles, which are kept' err || fail "nothing was kept: $(cat err)"
[ ! -e wide.tif.part ] || fail 'the part is left'
cmp once.tif wide.tif || fail 'a poster that was killed differs'

# Several processes share the blocks, and are killed.
shares() { # COUNT: draws wide.tif by so many processes, whose numbers are in `pids`
    rm -rf wide.tif*
    pids=()
    for ((i = 0; i < $1; i++)); do
        "$FATHOM" render "${wide[@]}" -o wide.tif --pyramid --join 2>err.$i &
        pids+=($!)
    done
}
same() { # NAME
    cmp once.tif wide.tif || fail "$1: another poster"
    [ "$(ls wide.tif*)" = "$(printf 'wide.tif\n\nwide.tif.work:\nwork.shared')" ] || fail "$1 leaves $(ls wide.tif*)"
}
shares 2
wait "${pids[0]}" && wait "${pids[1]}" || fail "two processes: $(cat err.?)"
same 'two processes'
[ "$(cat err.? | grep -c 'another process has completed .wide.tif')" = 1 ] || fail "two processes: $(cat err.?)"
expect 0 "$FATHOM" render "${wide[@]}" -o wide.tif --pyramid --join
complains 'another process has completed'
shares 3
await 'wide.tif.work/block-*.claim'
kill -KILL "${pids[0]}"
await 'wide.tif.work/block-*[0-9]'
kill -KILL "${pids[1]}"
expect 1 "$FATHOM" render "${wide[@]}" -o wide.tif --join
complains 'unfinished work of other settings'
wait "${pids[2]}" || fail "the process that is left: $(cat err.2)"
wait
same 'killed processes'

# A process copies complete blocks while another one draws the last. Whoever is stopped may have none.
early=false
for ((try = 0; try < 5; try++)); do
    shares 2
    await 'wide.tif.work/block-*[0-9]'
    kill -STOP "${pids[1]}"
    while kill -0 "${pids[0]}" 2>/dev/null && [ ! -e wide.tif.part ]; do
        sleep 0.01
    done
    [ "$(find wide.tif.work -name 'block-*[0-9]' | wc -l)" -lt 40 ] && [ -e wide.tif.part ] && early=true
    kill -CONT "${pids[1]}"
    wait "${pids[0]}" && wait "${pids[1]}" || fail "a stopped process: $(cat err.?)"
    same 'a stopped process'
    $early && break
done
$early || fail 'blocks are copied late'

# Parts draw their blocks. The process that joins them is killed, too.
rm -rf wide.tif*
expect 0 "$FATHOM" render "${wide[@]}" -o wide.tif --pyramid --part 0/2
complains 'part 0/2 has its blocks; 20 of 40 are there'
expect 0 "$FATHOM" render "${wide[@]}" -o wide.tif --pyramid --part 1/2
complains '40 of 40'
blocks=(wide.tif.work/block-*)
echo damage >"${blocks[9]}"
expect 1 "$FATHOM" render "${wide[@]}" -o wide.tif --pyramid --join
complains "${blocks[9]}' is no part of this picture"
rm "${blocks[9]}"
"$FATHOM" render "${wide[@]}" -o wide.tif --pyramid --join 2>err &
pid=$!
await "${blocks[9]}"
sleep 0.0$((RANDOM % 10))
kill -KILL $pid
wait $pid 2>/dev/null
expect 0 "$FATHOM" render "${wide[@]}" -o wide.tif --pyramid --join
same parts
rm -r once.tif wide.tif*

# Two devices draw a Deep Zoom picture.
expect 0 "$FATHOM" render small.fathom --size 1100x600 -o alone.dzi
expect 0 "$FATHOM" render small.fathom --size 1100x600 -o shared.dzi --devices scalar,cpu
diff -r alone_files shared_files && cmp alone.dzi shared.dzi || fail 'a shared Deep Zoom picture differs'
rm -r alone* shared*

# A single device draws a poster as a plain run, but goes on with shared blocks.
expect 0 "$FATHOM" render small.fathom --size 1100x600 -o alone.tif
expect 0 "$FATHOM" render small.fathom --size 1100x600 -o single.tif --devices cpu
cmp alone.tif single.tif && [ ! -e single.tif.work ] || fail 'a single device shares blocks'
expect 0 "$FATHOM" render small.fathom --size 1100x600 -o begun.tif --part 0/3
expect 0 "$FATHOM" render small.fathom --size 1100x600 -o begun.tif --devices cpu
cmp alone.tif begun.tif && [ -e begun.tif.work ] || fail 'a single device forgets shared blocks'
rm -r alone* single* begun*

for part in '' 'no picture' 'II+'; do
    printf '%s' "$part" >broken.tif.part
    expect 1 "$FATHOM" render --size 8x8 -o broken.tif
    complains "broken.tif.part' is a part of another picture"
    [ "$(cat broken.tif.part)" = "$part" ] || fail 'a file that is no poster was changed'
done
mkfifo fifo.tif.part
expect 1 "$FATHOM" render --size 8x8 -o fifo.tif
complains "fifo.tif.part' is a part of another picture"

# An interrupted poster goes on; so does one whose disk was full.
env --default-signal=TERM "$FATHOM" render --size 300000x200000 --iterations 50 -o huge.tif >out 2>err &
pid=$!
catches $pid TERM
while kill -0 $pid 2>/dev/null && [ "$(stat -c %s huge.tif.part 2>/dev/null || echo 0)" -le 2900000 ]; do
    sleep 0.02
done
memory=$(awk '/VmHWM/ {print $2}' /proc/$pid/status)
kill -s TERM $pid
wait $pid
[ $? = 1 ] && grep -q 'interrupted; the same command goes on' err || fail "SIGTERM: $(cat err)"
[ -n "${FATHOM_SANITIZED-}" ] || [ "${memory:-0}" -lt 800000 ] || fail "300000x200000 took $memory kB"
rm huge.tif.part
mkdir disk
if mount -t tmpfs -o size=256k tmpfs disk 2>/dev/null; then
    expect 1 "$FATHOM" render small.fathom --size 3000x2000 --samples 1 -o disk/full.tif
    grep -q "full.tif': No space left.*the same command goes on" err || fail "a full disk: $(cat err)"
    mount -o remount,size=64m disk
    expect 0 "$FATHOM" render small.fathom --size 3000x2000 --samples 1 -o disk/full.tif
    expect 0 "$FATHOM" render small.fathom --size 3000x2000 --samples 1 -o once.tif
    cmp disk/full.tif once.tif || fail 'a full disk changed the poster'
    [ "$(ls disk)" = full.tif ] || fail "left on the disk: $(ls disk)"
    mount -o remount,size=30m disk
    expect 1 "$FATHOM" render --size 1000000x1000000 -o disk/large.tif
    complains "'disk/large.tif': it takes .* GB at least, and .* GB are free"
    expect 1 "$FATHOM" render --size 1000000x1000000 -o disk/large.dzi
    complains "'disk/large.dzi': it takes"
    rmdir disk/large_files
    rm disk/full.tif
    mount -o remount,size=500k disk # enough for the poster, but not for its tiles
    expect 1 "$FATHOM" render small.fathom --style sculpture -o disk/zoom.dzi --format png
    tiles=$(find disk/zoom_files -name '*.png' | wc -l)
    grep -q '/[0-9_]*.png.: No space left' err && [ "$tiles" -gt 0 ] || fail "$tiles tiles: $(cat err)"
    find disk/zoom_files -name '*.png' -exec touch -d 2001-01-01 {} +
    mount -o remount,size=64m disk
    expect 0 "$FATHOM" render small.fathom --style sculpture -o disk/zoom.dzi --format png
    check zoom disk/zoom small.ppm
    [ "$(find disk/zoom_files -name '*.png' ! -newermt 2002-01-01 | wc -l)" = "$tiles" ] ||
        fail 'tiles were written again'
    umount disk
else
    left_out 'a full disk' 'no small one can be mounted here'
fi

# --- Deep Zoom ---

expect 0 "$FATHOM" render small.fathom --style sculpture -o zoom.dzi --format png
check zoom zoom small.ppm
grep -q 'zoom_files.*width: 531, height: 516, tile: 254' zoom.html || fail 'the page lacks its picture'
grep -q '//[a-z]*\.' zoom.html && fail 'the page has a network address'
expect 1 "$FATHOM" render small.fathom -o zoom.dzi
complains "zoom_files' exists and is no unfinished picture"
rm -r zoom*
echo mine >zoom.html
expect 1 "$FATHOM" render small.fathom -o zoom.dzi
[ "$(cat zoom.html)" = mine ] && [ ! -e zoom_files ] || fail 'a page of the user is gone'
rm zoom.html
expect 0 "$FATHOM" render small.fathom --quality 70 -o zoom.dzi
[ "$(head -c 3 zoom_files/9/1_1.jpg)" = $'\xff\xd8\xff' ] || fail 'tiles are not JPEG'

# --- sizes and options ---

expect 1 "$FATHOM" render --size 70000x10 -o wide.png
complains 'more than 65536'
expect 2 "$FATHOM" render --size 1000001x10 -o wide.tif
complains 'from 1 to 1000000'
for option in --verify '--data x.npy' '--smooth x.npy'; do
    # shellcheck disable=SC2086 # an option and its value
    expect 2 "$FATHOM" render --size 10x10 -o x.tif $option
    complains 'drawn in blocks'
done
for option in '-o x.png --pyramid' '-o x.dzi --compression zstd'; do
    # shellcheck disable=SC2086 # as above
    expect 2 "$FATHOM" render --size 10x10 $option
    complains 'pyramid and --compression are for a .tif'
done
expect 0 "$FATHOM" render --size 70000x3 --iterations 20 -o long.tif --pyramid
expect 0 tiffinfo long.tif
grep -q 'Image Width: 70000 Image Length: 3' out || fail "said $(head -n 5 out)"

# --- PNG with 16 bits ---

expect 0 "$FATHOM" render small.fathom --bits 16 -o deep.png
expect 0 "$FATHOM" render small.fathom -o plain.png
expect 0 "$FATHOM" render small.fathom --samples 1 --bits 16 -o one.png
python3 - <<'PYTHON' || fail '16 bits are not those of the picture'
import struct, zlib
def read(path):
    data, at, pixels, kinds = open(path, "rb").read(), 8, b"", set()
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        kinds.add(kind)
        pixels += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    deep = data[24] == 16
    assert b"sRGB" in kinds
    raw, stride = zlib.decompress(pixels), 531 * 3 * (1 + deep) + 1
    rows = b"".join(raw[i + 1:i + stride] for i in range(0, len(raw), stride))
    return struct.unpack(f">{len(rows) // 2}H", rows) if deep else rows
deep, plain, one = read("deep.png"), read("plain.png"), read("one.png")
assert len(deep) == len(plain) == 531 * 516 * 3
assert all(abs(a / 257 - b) < 0.6 for a, b in zip(deep, plain)), "other means"
assert sum(a % 257 != 0 for a in deep) > 10000, "only 8 bits"
assert all(a % 257 == 0 for a in one), "samples have 8 bits"
PYTHON
for name in x.jpg x.ppm x.tif; do
    expect 2 "$FATHOM" render small.fathom --bits 16 -o $name
    complains 'bits 8, or 16 if it is a PNG'
done

finish
