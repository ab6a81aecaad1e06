#!/usr/bin/env bash
# Measures how the window keeps up over a given time, on one backend after the other: the autopilot,
# with changing palettes and formulas, and random events in turns. Writes a JSON object for each
# backend: frame times of all turns with a picture in flight, and memory and open files at the ends
# of the first and the last cycle, which end in the same state. Meant for a build with the address
# sanitizer; tests/window/soak.sh tests memory, this script only reports it.
# usage: FATHOM=build-debug/fathom tests/measure/soak.sh MINUTES [BACKEND...]
set -u
minutes=${1:?minutes for each backend}
shift
fathom=$(realpath "${FATHOM:?names the program}")
FATHOM_SOURCE=$(realpath "${FATHOM_SOURCE:-$(dirname "$0")/../..}")
. "$FATHOM_SOURCE/tests/shared/soaking.sh"
cycle_s=12 # the last picture of a cycle may take longer

write_script() { # FILE
    local i cycles
    cycles=$(awk "BEGIN { print int(60 * $minutes / $cycle_s) + 1 }")
    printf '[view]\nre = -0.5\nim = 0\nzoom = 1.5\n' >home.fathom
    for ((i = 1; i <= cycles; i++)); do
        printf '%s\n' 'key A' 'wait 9000' "$(random_events $i 300)" 'wait 100' 'resize 640 360' \
            'goto home.fathom' 'wait complete' 'capture settled.ppm' 'wait 300'
    done >"$1"
    echo quit >>"$1"
}

# Writes a line "kB files" at the end of every cycle.
sample() { # PROCESS FILE
    while kill -0 "$1" 2>/dev/null; do
        if [ -e settled.ppm ]; then
            rm settled.ppm
            echo "$(memory_kb "$1") $(find "/proc/$1/fd" -mindepth 1 2>/dev/null | wc -l)" >>"$2"
        fi
        sleep 0.1
    done
}

of() { # KEY
    sed -n "s/.*\"$1\": \([0-9.e+-]*\).*/\1/p" told.json
}

soak() { # BACKEND
    local status program seconds first last
    rm -rf "measure-soak-$1" && mkdir "measure-soak-$1" && cd "measure-soak-$1" || return 1
    write_script events.script
    : >samples.txt
    SECONDS=0
    "$fathom" --script events.script --screenshots . --size 640x360 --backend "$1" --autopilot-vary both --json \
        >told.json 2>said.txt &
    program=$!
    trap 'kill $program 2>/dev/null; exit 1' INT TERM
    sample $program samples.txt
    wait $program
    status=$?
    seconds=$SECONDS
    first=$(head -n 1 samples.txt) last=$(tail -n 1 samples.txt)
    printf '{"backend": "%s", "status": %d, "seconds": %d, "cycles": %d, "turning_points": %d, "frames": %d, ' \
        "$1" $status "$seconds" "$(wc -l <samples.txt)" "$(of turning_points)" "$(of frames)"
    printf '"turn_ms_median": %.2f, "turn_ms_p99": %.2f, "turn_ms_max": %.2f, ' \
        "$(of turn_ms_median)" "$(of turn_ms_p99)" "$(of turn_ms_max)"
    printf '"memory_kb": [%d, %d], "files": [%d, %d]}\n' "${first% *}" "${last% *}" "${first#* }" "${last#* }"
    grep -v -e 'error: clipboard' said.txt | head -n 60
    cd .. || return 1
    return $status
}

failed=0
if [ $# = 0 ]; then
    best=$("$fathom" render -o /dev/null --size 8x8 --json 2>&1 | sed -n 's/^{"backend": "\([a-z0-9]*\)".*/\1/p')
    set -- scalar $([ "$best" = scalar ] || echo "$best")
fi
for backend in "$@"; do
    soak "$backend" || failed=1
done
exit $failed
