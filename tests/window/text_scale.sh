# shellcheck shell=bash
# Text has the size that the desktop's settings (Xft.dpi) request. (Servers without a screen have no
# density of their own.)
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
. "$FATHOM_SOURCE/tests/shared/x11.sh" xprop
fresh_folder

# Prints the height of the numbers' plate: the rows in which pictures with and without it differ.
plate() {
    printf 'wait complete\nwait 100\ncapture %s/with.ppm\nkey H\nkey H\nwait 100\ncapture %s/without.ppm\n' "$PWD" "$PWD" >plate.script
    timeout 60 "$FATHOM" --size 700x500 --samples 1 --iterations 50 --script plate.script 2>err.log ||
        fail "status $?: $(cat err.log)"
    cmp -l <(tail -c 1050000 with.ppm) <(tail -c 1050000 without.ppm) | awk '$1 < 700 * 3 * 300 { last = $1 } END { print int(last / 2100) }'
}
# Sets the resources that desktops leave on the root window. (A server that resets with its last
# client would lose them.)
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
