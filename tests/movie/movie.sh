# shellcheck shell=bash
# fathom movie: the frames at both ends, the cost, and that a movie which was killed, split by other
# options or resampled from kept rings has the same bytes.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
rm -rf frames* work* ./*.mp4 ./*.y4m ./*.ppm ./*.json ./*.fathom out err
printf '[view]\nre = -0.743643887\nim = 0.131825904\nzoom = 300\n[fractal]\niterations = 2000\n' >v.fathom
mkdir frames frames2 frames3

small=(v.fathom --size 96x54 --seconds 2 --fps 10)
expect 0 "$FATHOM" movie "${small[@]}" -o 'frames/%i.ppm' --work work --keep-work --json
cp out first.json
[ "$(ls frames | wc -l)" = 20 ] || fail "frames: $(ls frames)"
# Frames in the view's own frequency are pictures: home first, the view last.
"$FATHOM" movie "${small[@]}" --auto-frequency off -o 'frames2/%i.ppm' --work work --keep-work ||
    fail 'no movie in the frequency of the view'
"$FATHOM" render v.fathom --size 96x54 --samples 64 -o last.ppm
"$FATHOM" render --size 96x54 --samples 64 -o home.ppm
# Prints the mean difference of the bytes of two pictures.
difference() { # FILE FILE
    paste <(tail -c 15552 "$1" | od -An -v -tu1 -w1) <(tail -c 15552 "$2" | od -An -v -tu1 -w1) |
        awk '{ d = $1 - $2; sum += d < 0 ? -d : d } END { print sum / NR }'
}
for pair in '20 last' '01 home'; do
    mean=$(difference "frames2/${pair% *}.ppm" "${pair#* }.ppm")
    awk "BEGIN { exit !($mean < 8) }" || fail "frame $pair: differs by $mean on average"
done
value() { # KEY
    sed -E "s/.*\"$1\": ([0-9.]+).*/\1/" first.json
}
awk "BEGIN { exit !($(value samples_drawn) - $(value last_ring_samples) < 1.9 * 96 * 54 * 4 * $(value octaves)) }" ||
    fail "too many samples: $(cat first.json)"

# Interior colours exist in the shallow rings only.
place=$FATHOM_SOURCE/tests/data/locations/1e14.fathom
sed 's/^zoom.*/zoom = 1e10/' "$place" >shallow.fathom
expect 0 "$FATHOM" movie "$place" --from shallow.fathom --interior period --size 48x27 --seconds 0.3 \
    -o 'frames3/%i.ppm'
[ "$(grep -c 'interior colours are not available' err)" = 1 ] || fail "warnings: $(cat err)"

# A damaged ring is drawn again.
printf 'damage' | dd of=work/ring-0-000003 bs=1 seek=5000 conv=notrunc 2>/dev/null
expect 0 "$FATHOM" movie "${small[@]}" -o 'frames2/%i.ppm' --work work --keep-work --json
complains "work/ring-0-000003' is damaged and is drawn again"
grep -q '"rings_drawn": 1,' out || fail "a damaged ring: $(cat out)"
cmp frames/12.ppm frames2/12.ppm || fail 'the ring that was drawn again is another one'

# So is a damaged glance, and no other one: its file stays.
glances=(work/glance-*)
[ ${#glances[@]} -ge 3 ] || fail "glances: ${glances[*]}"
cp "${glances[0]}" glance
inode=$(stat -c %i "${glances[1]}")
printf 'damage' | dd of="${glances[0]}" bs=1 seek=2 conv=notrunc 2>/dev/null
expect 0 "$FATHOM" movie "${small[@]}" -o 'frames2/%i.ppm' --work work --keep-work
cmp glance "${glances[0]}" || fail 'a damaged glance is not drawn again'
[ "$(stat -c %i "${glances[1]}")" = "$inode" ] || fail 'a kept glance was drawn again'

# Numbered pictures with 16 bits.
expect 0 "$FATHOM" movie "${small[@]}" -o 'frames3/%i.png' --work work --keep-work --bits 16
[ "$(od -An -tu1 -j24 -N1 frames3/12.png)" -eq 16 ] || fail 'the pictures do not have 16 bits'

# Kept rings serve other speeds and colours, and nothing is iterated.
expect 0 "$FATHOM" movie "${small[@]}" --ease 0 --palette ember -o 'frames2/%i.ppm' --work work --keep-work --json
grep -q '"rings_drawn": 0, .*"samples_drawn": 0,' out || fail "kept rings were drawn again: $(cat out)"
cmp -s frames/10.ppm frames2/10.ppm && fail 'another palette makes no difference'
# Another limit makes other samples.
expect 0 "$FATHOM" movie "${small[@]}" --iterations 300 -o 'frames2/%i.ppm' --work work --keep-work --json
grep -q '"rings_drawn": 0' out && fail 'rings of another limit were used'

# There and back: both ways have the same rings and the same frames.
expect 0 "$FATHOM" movie "${small[@]}" --loop -o 'frames3/%i.ppm' --json
[ ! -e 'frames3/%i.ppm.work' ] || fail 'a loop leaves the work folder'
grep -q '"frames": 20, .*"shots": 2,' out || fail "a loop: $(cat out)"
[ "$(sed 's/.*"rings": \([0-9]*\), "rings_drawn": \([0-9]*\),.*/\1/' out)" = \
    "$(sed 's/.*"rings": \([0-9]*\), "rings_drawn": \([0-9]*\),.*/\2/' out)" ] || fail "a loop: $(cat out)"
for i in {01..10}; do
    cmp "frames3/$i.ppm" "frames3/$(printf %02d $((21 - 10#$i))).ppm" || fail "a loop: frame $i on the way back"
done

# The folder is removed at the end, and a rotated movie and one on another backend end as well.
expect 0 "$FATHOM" movie "${small[@]}" --turns 0.3 --reverse -o 'frames3/%i.ppm'
[ ! -e 'frames3/%i.ppm.work' ] || fail 'the work folder stays'
"$FATHOM" movie "${small[@]}" --backend scalar --threads 1 -o scalar-%i.ppm --work work2
for i in 01 07 20; do
    cmp "scalar-$i.ppm" "frames/$i.ppm" || fail 'another backend makes other frames'
done

# Killed at random: the frames are the same.
rm -rf frames2/* work
killed=0
for pause in 0.15 0.3 0.45; do
    "$FATHOM" movie "${small[@]}" -o 'frames2/%i.ppm' --work work >out 2>err &
    sleep $pause
    kill -9 $! 2>/dev/null && killed=$((killed + 1))
    wait $! 2>/dev/null
done
"$FATHOM" movie "${small[@]}" -o 'frames2/%i.ppm' --work work || fail 'a killed movie does not go on'
[ $killed -gt 0 ] || fail 'it was never killed'
for i in {01..20}; do
    cmp "frames/$i.ppm" "frames2/$i.ppm" || fail "frame $i differs after kills"
done

# An interrupt says how to go on.
"$FATHOM" movie "${small[@]}" --size 640x360 --samples 64 -o 'big-%i.ppm' --work work3 2>err &
await work3/ring-0-000000
kill $!
wait $!
[ $? = 1 ] || fail 'interrupted: another status'
grep -q 'interrupted.*goes on' err || fail "interrupted: $(cat err)"
grep -q 'the work folder needs up to [1-9]' err || fail "no estimate: $(cat err)"
rm -rf work3 big-*

# Y4M on standard output.
"$FATHOM" movie "${small[@]}" -o - >m.y4m || fail 'no Y4M'
head -c 9 m.y4m | grep -q YUV4MPEG2 || fail 'not Y4M'
[ "$(grep -ac FRAME m.y4m)" = 20 ] || fail 'Y4M: frames are missing'

# Mistakes are named in one line.
refused() { # STATUS PATTERN ARGUMENT...
    expect "$1" "$FATHOM" movie "${@:3}"
    [ "$(wc -l <err)" = 1 ] && grep -q "$2" err || fail "${*:3}: $(cat err)"
}
refused 2 'needs a file' v.fathom
refused 1 'seconds or --speed' v.fathom -o x.mp4 --seconds 2 --speed 1
refused 1 'e+10 frames, more than' v.fathom -o x.mp4 --seconds 1e9
refused 1 'frames, more than' v.fathom -o x.mp4 --speed 0.001 --fps 240 --zoom 1e100
refused 1 '8 or 10 bits' v.fathom -o x.mp4 --bits 16
refused 1 'PNG 8 or 16' v.fathom -o 'x-%i.png' --bits 10
mkdir folder.mp4
refused 1 'folder.mp4.*directory' v.fathom -o folder.mp4
[ ! -e folder.mp4.work ] || fail 'a folder was noticed late'
rmdir folder.mp4
if [ "$(df --output=avail -B1 . | tail -n 1)" -lt 1000000000000 ]; then
    refused 1 'would need up to .* GB, and its disk has' "$FATHOM_SOURCE/tests/data/locations/5e113.fathom" \
        --size 7680x4320 --samples 16 --auto-frequency off -o 'x-%i.ppm' --keep-work
else
    left_out 'a full disk' 'this one has more than 1 TB'
fi
refused 1 'the same view' --re -0.5 --im 0 --zoom 1.5 -o 'x-%i.ppm'
refused 1 'cannot make the work folder' v.fathom -o 'x-%i.ppm' --work /dev/null/x
mkdir mine && echo mine >mine/notes
refused 1 'choose another folder' v.fathom -o 'x-%i.ppm' --work mine
cp v.fathom v.mp4
refused 2 'v.mp4' v.mp4 -o v.mp4
"$FATHOM" movie "${small[@]}" --size 640x360 --samples 64 -o 'big-%i.ppm' --work busy 2>err2 &
await busy/ring-0-000000
refused 1 'another process' v.fathom -o 'x-%i.ppm' --work busy
kill $!
wait $!
rm -rf mine busy big-*
finish
