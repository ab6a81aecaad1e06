# shellcheck shell=bash
# Paths in the window: a key records what moves the view, the file holds it, the window plays it to
# its last stop in real time, a hand ends that, and a movie of it is made in the background, stopped,
# and goes on.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots ./*.ppm ./*.fathom-path ./*.script out.json err.txt
window=(--size 320x180 --samples 1 --verbose --threads 2)

# Prints the last value of a key in a path file.
last() { # FILE KEY
    sed -n "s/^$2 = //p" "$1" | tail -n 1
}
stops() { # FILE
    grep -c '^\[stop\]' "$1"
}

# --- recording ---

# A zoom is held, another palette is chosen, and the view is dragged.
play 'wait complete; key Ctrl+R; wait 300; move 70% 30%; press Z; wait 1500; release Z; wait 900; key C
wait 300; drag 200 100 120 90; wait complete; wait 700; key Ctrl+R; shot' sun
path=$(ls shots/*.fathom-path)
cp "$path" recorded.fathom-path
said 'recording a path' || fail 'the beginning is not told'
said "saved $path" || fail "the file is not told: $(cat err.txt)"
expect 'few stops' "$(stops recorded.fathom-path) >= 5 && $(stops recorded.fathom-path) <= 24"
awk "BEGIN { exit !($(last recorded.fathom-path zoom) / $(value "$(shot 1)" zoom) - 1 < 1e-6) }" ||
    fail 'the last stop is not where the view was'
[ "$(last recorded.fathom-path palette)" != "$(sed -n 's/^palette = //p' recorded.fathom-path | head -n 1)" ] ||
    fail 'the path has no other palette'
# Its times are those of the hand: at least four seconds.
seconds=$(awk -F ' = ' '/^(seconds|hold)/ { sum += $2 } END { print sum }' recorded.fathom-path)
expect 'real times' "$seconds > 4 && $seconds < 60"

play 'wait complete; key Ctrl+R; wait 700; key Ctrl+R'
said 'nothing has moved' || fail 'an empty recording is not told'
[ -z "$(ls shots/*.fathom-path 2>/dev/null)" ] || fail 'nothing is saved as a path'

# --- playing ---

# The window opens the file and plays it to the end, which the key does again; U undoes it.
same_place() { # FILE: the screenshot is at the last stop
    expect "$1 ends at the last stop" "($(value "$1" zoom) / $(last recorded.fathom-path zoom) - 1) ^ 2 < 1e-12"
    expect "$1 ends at its place" \
        "($(value "$1" re) - $(last recorded.fathom-path re)) ^ 2 < (0.01 * $(step "$1")) ^ 2"
    [ "$(value "$1" palette)" = "$(last recorded.fathom-path palette)" ] || fail "$1 has not its palette"
}
began=$SECONDS
play 'wait complete; shot; key R; wait complete; key Ctrl+P; wait 100; wait complete; shot; key U; wait complete; shot' \
    recorded.fathom-path
expect 'it plays in real time' "$SECONDS - $began >= 2 * $seconds - 1"
same_place "$(shot 1)"
check_shot "$(shot 1)"
same_place "$(shot 2)"
expect 'one step undoes it' "($(value "$(shot 3)" zoom) / 1.5 - 1) ^ 2 < 0.3"

# A hand ends it, and so does Esc. A dropped file is played.
play 'wait complete; drop recorded.fathom-path; wait 1200; wheel 2 50% 50%; wait complete; shot; key Ctrl+P
wait 800; key Escape; wait complete; shot'
said 'you have control' || fail 'a hand does not end it'
for i in 1 2; do
    expect "playing ends (shot $i)" "$(value "$(shot $i)" zoom) / $(last recorded.fathom-path zoom) - 1 > 1e-3 ||
        $(value "$(shot $i)" zoom) / $(last recorded.fathom-path zoom) - 1 < -1e-3"
done
printf '[stop]\n[view]\nzoom = x\n' >wrong.fathom-path
fathom 'wait complete; drop wrong.fathom-path; wait 100' && fail 'a wrong path is opened'
said 'wrong.fathom-path:3: zoom is not' || fail "a wrong path is not told: $(cat err.txt)"

# A mark shows that a path is recorded, even without numbers, but not in screenshots.
red() { # FILE: prints the number of red pixels of a 320x180 picture where the mark is
    crop "$1" 320 180 0 140 40 40 | awk '{ for (i = 1; i < NF; i += 3) n += $i > 200 && $(i + 1) < 90 } END { print +n }'
}
rm -rf shots
play 'wait complete; key H; key H; key Ctrl+R; wait complete; capture during.ppm; shot; key Ctrl+R; wait complete
capture after.ppm' --ui-scale 1 sun
expect 'a mark' "$(red shots/during.ppm) > 40 && $(red shots/after.ppm) < 10 && $(red "$(shot 1)") < 10"

play 'wait complete; key D; wait 500; key Ctrl+R; wait 100'
said 'no path in Buddhabrot view (D switches back); "fathom movie SCREENSHOT --vary' || fail 'a Buddhabrot is recorded'

# --- movies ---

# Sanitizers make movies of this size too slow; check_film and movie_path run with them.
[ -z "${FATHOM_SANITIZED-}" ] || exit $((failures > 0))

printf '[stop]\n[view]\nzoom = 2\n[fractal]\niterations = 60\n\n[stop]\nseconds = 0.5\n[view]\nzoom = 4
[fractal]\niterations = 60\n' >short.fathom-path
ending=mp4
command -v ffmpeg >/dev/null || ending=png
play 'wait complete; drop short.fathom-path; wait complete; key Ctrl+M; wait 200; key Ctrl+M; wait complete 200'
said 'a movie of 0 s, 1280 x 720, needs about 0.. GB' || fail "the cost is not told: $(cat err.txt)"
said "saved shots/fathom-.*-001" || fail "no movie: $(cat err.txt)"
if [ $ending = mp4 ]; then
    movie=$(ls shots/*.mp4)
    [ "$(ffprobe -v error -select_streams v -show_entries stream=width,height,nb_frames -of csv=p=0 "$movie")" = \
        1280,720,16 ] || fail "the movie is $(ffprobe -v error -show_streams "$movie")"
fi
[ -z "$(compgen -G 'shots/*.work')" ] || fail 'its work folder stays'

# Without ffmpeg: pictures in a folder.
rm -rf shots
FATHOM_FFMPEG=/nowhere play 'wait complete; drop short.fathom-path; wait complete; key Ctrl+M; wait 200; key Ctrl+M
wait complete 200'
[ "$(find shots -path 'shots/fathom-*-001/*.png' | wc -l)" = 16 ] || fail "no pictures: $(find shots) $(cat err.txt)"

# Without a path: a zoom from home, from the panel. It is stopped, keeps its files, and goes on.
rm -rf shots
press='panel Make a movie; click; wait 200; panel Start the movie; click; wait 6000; panel Stop the movie; click; wait complete'
play "wait complete; key L; wait complete; panel Movie; click; $press; panel Start the movie; click; wait 1000
capture making.ppm; panel Stop the movie; click; wait complete" --size 320x1300 --iterations 200 sun
said 'the movie was stopped; "Start the movie" (Ctrl+M) goes on' || fail "it is not stopped: $(cat err.txt)"
[ "$(find shots -maxdepth 1 -name '*.work' | wc -l) $(find shots -maxdepth 1 -name '*.fathom-path' | wc -l)" = '1 1' ] ||
    fail "a stopped movie does not go on from its files: $(find shots)"

# A forgotten movie leaves no files.
rm -rf shots
play "wait complete; key L; wait complete; panel Movie; click; $press; panel Forget; click; wait 500
capture forgotten.ppm" --size 320x1300 --iterations 200 sun
[ "$(ls shots)" = forgotten.ppm ] || fail "files of a forgotten movie stay: $(ls -R shots)"

# At the end of the window it is stopped, and the command that goes on is told.
rm -rf shots
play 'wait complete; key Ctrl+M; wait 200; key Ctrl+M; wait 1000; quit' --cpumask fma sun
said 'this goes on with it: fathom movie shots/fathom-.*fathom-path -o shots/fathom-.*--threads=2 --cpumask=fma' ||
    fail "the command is not told: $(cat err.txt)"
sleep 1
[ -z "$(pgrep -f "movie shots/fathom-")" ] || fail 'the movie goes on without a window'

# A window that is killed takes its movie along.
rm -rf shots
printf '%s\n' 'wait complete' 'key Ctrl+M' 'wait 200' 'key Ctrl+M' 'wait 100000' >test.script
"$FATHOM" --script test.script --screenshots shots "${window[@]}" sun 2>err.txt &
killed=$!
there() { # STATUS: waits until pgrep has this status
    local i
    for ((i = 0; i < 300; i++)); do
        pgrep -f 'movie shots/fathom-' >pids
        [ $? = "$1" ] && return
        sleep 0.1
    done
    fail "movies of a killed window: $(cat pids err.txt)"
}
there 0
kill -9 $killed
there 1
exit $((failures > 0))
