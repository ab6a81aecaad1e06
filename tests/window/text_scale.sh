# shellcheck shell=bash
# Text is as large as the desktop's settings (Xft.dpi) ask for. (Servers without a screen have no density of their own.)
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
. "$FATHOM_SOURCE/tests/shared/x11.sh" xprop
rm -rf work
mkdir work
cd work || exit 1

# How many rows the numbers' plate covers: how far down the picture with them differs from the one without.
plate() {
    printf 'wait complete\nwait 100\ncapture %s/with.ppm\nkey H\nkey H\nwait 100\ncapture %s/without.ppm\n' "$PWD" "$PWD" >plate.script
    timeout 60 "$FATHOM" --size 700x500 --samples 1 --iterations 50 --script plate.script 2>err.log ||
        fail "status $?: $(cat err.log)"
    cmp -l <(tail -c 1050000 with.ppm) <(tail -c 1050000 without.ppm) | awk '$1 < 700 * 3 * 300 { last = $1 } END { print int(last / 2100) }'
}
# What desktops leave on the root window. (A server that forgets everything with its last client would forget this.)
resources() { # TEXT
    xprop -root -f RESOURCE_MANAGER 8s -set RESOURCE_MANAGER "$1"
}
asked() { # SCALE WHAT
    local rows
    rows=$(plate)
    expect "$2: a plate of $rows rows, and $one is that of 1:1" "($rows / $one - $1)^2 < 0.03"
}

start_server 1280x800
one=$(plate)
expect "a plate of $one rows" "$one > 20 && $one < 100"
resources $'*customization:\t-color\nXft.dpi:\t192\nXft.hinting:\t1\n'
asked 2 'Xft.dpi: 192'
for nonsense in 'Xft.dpi: 1e9' 'My.Xft.dpi: 192'; do
    resources "$nonsense"
    asked 1 "$nonsense"
done

[ $failures -eq 0 ]
