# shellcheck shell=bash
# Movies of paths: the frames at the stops are pictures of their views, and a movie that was killed
# has the same frames. Frames of orbit density are those of fathom density.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
rm -rf frames* ./*.ppm ./*.png ./*.fathom ./*.fathom-path ./*.work out err
mkdir frames frames2
printf '[view]\nre = -0.743643887\nim = 0.131825904\nzoom = 300\n[fractal]\niterations = 2000\n' >v.fathom
cat >p.fathom-path <<'PATH'
[stop]
hold = 0.5
view = v.fathom
[stop]
seconds = 1
[view]
re = -0.7415
im = 0.1319
zoom = 300
[fractal]
iterations = 2000
[colour]
palette = ember
[stop]
seconds = 1
turns = 0.25
view = v.fathom
style = marble
PATH

# Prints the mean difference of the bytes of two pictures.
difference() { # FILE FILE
    paste <(tail -c 15552 "$1" | od -An -v -tu1 -w1) <(tail -c 15552 "$2" | od -An -v -tu1 -w1) |
        awk '{ d = $1 - $2; sum += d < 0 ? -d : d } END { print sum / NR }'
}
small=(p.fathom-path --size 96x54 --fps 8 --samples 16 --auto-frequency off)
expect 0 "$FATHOM" movie "${small[@]}" -o 'frames/%i.ppm' --json
grep -q '"frames": 21, .*"seconds": 2.500, "shots": 3' out || fail "$(cat out)"
cmp <(tail -c 15552 frames/01.ppm) <(tail -c 15552 frames/04.ppm) || fail 'the camera does not rest'
"$FATHOM" render v.fathom --size 96x54 --samples 64 -o first.ppm
"$FATHOM" render v.fathom --size 96x54 --samples 64 --style marble --angle 90 -o last.ppm
for pair in '01 first' '21 last'; do
    mean=$(difference "frames/${pair% *}.ppm" "${pair#* }.ppm")
    awk "BEGIN { exit !($mean < 8) }" || fail "frame $pair: differs by $mean on average"
done
for pause in 0.1 0.3; do
    "$FATHOM" movie "${small[@]}" -o 'frames2/%i.ppm' >out 2>err &
    sleep $pause
    kill -9 $!
    wait $!
done 2>/dev/null
expect 0 "$FATHOM" movie "${small[@]}" -o 'frames2/%i.ppm'
diff -r frames frames2 || fail 'a killed movie has other frames'
[ ! -e 'frames2/%i.ppm.work' ] || fail 'the work folder stays'

# A Julia set changes, and its colours turn.
rm -rf frames2/*
expect 0 "$FATHOM" movie rabbit --vary julia-re=-0.2..-0.1,offset=0.5..1.25 --seconds 1 --fps 6 \
    --size 96x54 --samples 64 -o 'frames2/%i.ppm'
for end in '1 -0.2 0.5' '6 -0.1 0.25'; do
    read -r frame re offset <<<"$end"
    "$FATHOM" render rabbit --size 96x54 --samples 64 --julia-re="$re" --offset "$offset" -o r.ppm
    mean=$(difference "frames2/$frame.ppm" r.ppm)
    awk "BEGIN { exit !($mean < 8) }" || fail "Julia set $end: differs by $mean on average"
done

# Orbit density: more samples in each frame.
rm -rf frames2/*
expect 0 "$FATHOM" movie buddha --vary samples=1000..200k --seconds 1 --fps 4 --size 96x54 \
    -o 'frames2/%i.ppm'
for end in '1 1000' '4 200k'; do
    "$FATHOM" density buddha --size 96x54 --samples "${end#* }" -o d.ppm >/dev/null
    cmp <(tail -c 15552 "frames2/${end% *}.ppm") <(tail -c 15552 d.ppm) || fail "density $end"
done

refused() { # STATUS PATTERN ARGUMENT...
    expect "$1" "$FATHOM" movie "${@:3}"
    [ "$(wc -l <err)" = 1 ] && grep -q "$2" err || fail "${*:3}: $(cat err)"
}
refused 1 'own stops' p.fathom-path -o x.mp4 --from v.fathom
refused 1 'did you mean' rabbit -o x.mp4 --vary ofset=0..1
printf '[stop]\nview = none.fathom\n' >q.fathom-path
refused 1 'none.fathom' q.fathom-path -o x.mp4
finish
