# shellcheck shell=bash
# Autopilot in the real window: it flies deeper on its own, input ends the flight, a kiosk
# continues, and after many turning points memory and open files have not grown. Time passes by the
# script.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf shots ./*.script said.txt
sanitized=${FATHOM_SANITIZED:-}

# passing TIMES MS: prints TIMES turns of MS each.
passing() {
    local i
    for ((i = 0; i < $1; i++)); do echo "pass $2"; done
}

# fly ARGUMENTS...: runs test.script; messages go to said.txt, statistics to told.json.
fly() {
    "$FATHOM" --script test.script --screenshots shots --size 160x90 --json -v --autopilot-seed 5 "$@" \
        >told.json 2>said.txt || fail "fly $*: $(tail -n 5 said.txt)"
}

told() { # KEY
    sed -n "s/.*\"$1\": \([0-9.e+-]*\).*/\1/p" told.json
}

newest() {
    find shots -name '*.ppm' | LC_ALL=C sort | tail -n 1
}

# --- it flies, and input ends it ---

{
    passing 90 50
    printf '%s\n' 'wheel 1 50% 50%' 'pass 500' pass 'wait complete' 'key S' 'wait complete'
    printf '%s\n' 'wait 300' 'key S' 'wait complete' quit
} >test.script
fly --autopilot
flown=$(value "$(newest)" zoom)
expect 'it goes deeper by itself' "${flown:-0} > 30"
grep -q 'autopilot on: move to take over' said.txt || fail 'the beginning is not told'
grep -q 'autopilot off: you have control' said.txt || fail 'the end by a hand is not told'
first=$(find shots -name '*.ppm' | LC_ALL=C sort | head -n 1)
[ "$(value "$first" zoom)" = "$flown" ] || fail 'it flies on after the hand'

# --- the key, the panel and undo: one step for a whole flight ---

{
    echo 'key A'
    passing 50 50
    printf '%s\n' 'key A' 'pass 500' 'key U' 'pass 1000' pass 'wait complete' 'key S' 'wait complete' quit
} >test.script
rm -rf shots
fly seahorse-valley
grep -q 'autopilot off$' said.txt || fail 'A does not end it'
"$FATHOM" render seahorse-valley -o start.ppm --size 8x8
[ "$(value "$(newest)" zoom)" = "$(value start.ppm zoom)" ] || fail 'a flight is more than one step to undo'
printf '%s\n' 'key L' 'panel Autopilot 2%' click 'wait 100' 'panel Autopilot 2%' click 'wait 100' quit >test.script
fly --size 640x1000
expect 'the panel begins a flight' "$(told flights) == 1"
grep -q 'autopilot off$' said.txt || fail 'the panel does not end it'

# --- a screenshot waits for it, and it continues ---

{
    passing 40 50
    printf '%s\n' 'key S'
    passing 30 50
    printf '%s\n' 'wait 300'
    passing 40 50
    echo quit
} >test.script
rm -rf shots
fly --autopilot --samples 1
[ -n "$(newest)" ] && check_shot "$(newest)"
expect 'a screenshot is taken in flight' "$(told screenshots) == 1"
grep -q 'autopilot off' said.txt && fail 'a screenshot ends the flight'

# --- a kiosk continues, and shows only the picture ---

{
    passing 20 50
    printf '%s\n' 'capture bare.ppm' 'wheel -1 50% 50%' 'key L' 'key F1' 'wait 700' 'wait 700' 'capture again.ppm'
    printf '%s\n' 'key Escape' 'key Escape' 'wait 60000'
} >test.script
SECONDS=0
fly --kiosk --kiosk-pause 0.5 --palette ember --autopilot-vary both
[ "$SECONDS" -lt 50 ] || fail 'Esc twice does not end a kiosk'
expect 'a kiosk flies on' "$(told flights) == 2"

# --- many turning points: nothing grows ---

wait_for() { # FILE PROGRAM
    while [ ! -e "$1" ] && kill -0 "$2" 2>/dev/null; do sleep 0.05; done
}
rss() { # PROCESS
    awk '/^VmRSS/ { print $2 }' "/proc/$1/status"
}
open_files() { # PROCESS: the minimum of several counts, as files are written meanwhile
    local i files least=1000
    for ((i = 0; i < 20; i++)); do
        files=("/proc/$1/fd"/*)
        [ ${#files[@]} -lt $least ] && least=${#files[@]}
        sleep 0.04
    done
    echo $least
}

{
    passing 100 200
    printf '%s\n' 'wait 20' 'capture early.ppm' 'wait 3000'
    passing 150 200
    printf '%s\n' 'wait 20' 'capture late.ppm' 'wait 3000' quit
} >test.script
rm -rf shots
"$FATHOM" --script test.script --screenshots shots --size 160x90 --json --autopilot --autopilot-seed 1 \
    --autopilot-vary both --zoom-speed 10 >told.json 2>said.txt &
program=$!
wait_for shots/early.ppm $program
kb=$(rss $program) files=$(open_files $program)
wait_for shots/late.ppm $program
kb_late=$(rss $program) files_late=$(open_files $program)
wait $program || fail "many turning points: $(tail -n 5 said.txt)"
echo "$(told turning_points) turning points; ${kb} kB, then ${kb_late} kB; files $files, then $files_late"
[ -n "$sanitized" ] || expect 'it turns often' "$(told turning_points) >= 10"
[ -n "$sanitized" ] || expect 'memory is flat' "${kb_late:-1e9} < 1.08 * ${kb:-0}"
[ "$files" = "$files_late" ] || fail 'files stay open'
exit $((failures > 0))
