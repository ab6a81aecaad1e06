#!/usr/bin/env bash
# Random events for a given time, in cycles that end in the same state: nothing may be reported, by
# fathom or by a sanitizer, and memory at the ends of cycles must not grow.
# usage: FATHOM=build-debug/fathom tests/window/soak.sh [MINUTES [BACKEND]]
# Without arguments, as a test: ten cycles with the best backend, or as many as fit into a minute.
# From five minutes on memory may grow by 1 %. Before that a program is still warming up, and random
# events leave it with more or less to show, so a quarter is allowed. Memory is what fathom itself
# has allocated and not freed, if the build measures it (address sanitizer), else the size of the
# process.
set -u
minutes=${1:-1}
[ $# -gt 0 ] && cycles_most=1000000 || cycles_most=10
fathom=$(realpath "${FATHOM:?names the program}")
FATHOM_SOURCE=$(realpath "${FATHOM_SOURCE:-$(dirname "$0")/../..}")
. "$FATHOM_SOURCE/tests/shared/soaking.sh"

# Writes a script whose cycles visit the same places, so that memory can be compared.
write_script() { # FILE
    local i
    printf '[picture]\nkind = density\n' >density.fathom
    printf '[view]\nre = -0.5\nim = 0\nzoom = 1.5\n' >home.fathom
    for ((i = 1; i <= 24; i++)); do
        random_events $i 12
        echo "goto $FATHOM_SOURCE/tests/data/locations/5e113.fathom"
        random_events $i 10
        storm 100 $i
        printf '%s\n' 'wait 100' 'resize 160 120' 'goto density.fathom' 'wait samples 64' \
            'goto home.fathom' 'wait complete' 'capture settled.ppm' 'wait 300'
    done >"$1"
    echo again >>"$1"
}

# Writes a line "seconds kB" at the end of every cycle, until there are enough cycles, or the time
# or the program has ended.
sample() { # PROCESS FILE
    local kb cycles=0
    while [ "$SECONDS" -lt "$end" ] && [ "$cycles" -lt "$cycles_most" ] && kill -0 "$1" 2>/dev/null; do
        if [ -e settled.ppm ]; then
            rm settled.ppm
            cycles=$((cycles + 1))
            kb=$(memory_kb "$1")
            [ -n "$kb" ] && echo "$SECONDS $kb" >>"$2"
        fi
        sleep 0.1
    done
}

# Prints the minimum in a part of the cycles, in kB; FROM and TO in tenths of all. Higher values
# have good reasons: random events also switch on features that need memory at rest.
least() { # FILE FROM TO
    local count from to
    count=$(wc -l <"$1")
    from=$((count * $2 / 10 + 1)) to=$((count * $3 / 10))
    sed -n "${from},${to}p" "$1" | cut -d' ' -f2 | sort -n | head -n 1
}

judge_memory() { # FILE
    local first last cycles percent=25
    cycles=$(wc -l <"$1")
    if [ "$cycles" -lt 10 ]; then
        echo "left out: memory: there were $cycles cycles, and 10 are needed"
        return 0
    fi
    [ "$SECONDS" -lt 290 ] || percent=1
    first=$(least "$1" 1 4)
    last=$(least "$1" 7 10)
    echo "cycles $cycles, least memory at their ends: first third ${first} kB, last third ${last} kB"
    awk "BEGIN { exit !($last - $first <= 0.01 * $percent * $first) }" || {
        echo "FAILED: memory grows by more than $percent %"
        return 1
    }
}

soak() { # BACKEND
    local folder=soak-$1 status program result=0
    rm -rf "$folder" && mkdir "$folder" && cd "$folder" || return 1
    write_script events.script
    : >memory.txt
    SECONDS=0
    end=$(awk "BEGIN { print int(60 * $minutes) }")
    "$fathom" --script events.script --screenshots . --size 160x120 --backend "$1" >said.txt 2>&1 &
    program=$!
    sample $program memory.txt
    kill -TERM $program 2>/dev/null
    wait $program
    status=$?
    # The program ends by a signal, as if its window were closed. Other messages are about random
    # clipboard text that is not a view.
    if [ $status != 1 ] || [ "$(grep -v -e 'error: interrupted before the script ended' \
        -e 'error: clipboard' said.txt)" ]; then
        echo "FAILED: $1: status $status after $SECONDS s:"
        head -n 60 said.txt
        result=1
    fi
    echo "$1: $SECONDS s"
    judge_memory memory.txt || result=1
    cd ..
    return $result
}

soak "${2-$("$fathom" render -o /dev/null --size 8x8 --json 2>&1 | sed -n 's/^{"backend": "\([a-z0-9]*\)".*/\1/p')}"
