# shellcheck shell=bash
# Layers by keys and the light by dragging it, by real events: each seen in a screenshot that carries what it shows.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf work
mkdir work
cd work || exit 1
export XDG_STATE_HOME=$PWD/state XDG_DATA_HOME=$PWD/data
fathom() { # SCRIPT ARGUMENTS...
    printf '%s\n' "$1" >test.script
    shift
    rm -rf shots
    "$FATHOM" --script test.script --screenshots shots --samples 1 --auto-limit off --size 640x480 "$@" 2>err.txt ||
        fail "status $?: $(cat err.txt)"
}
shoot='wait complete
key S
wait complete'

# Shift+L lays a light over the picture; a drag moves it: from the right, low, then straight above.
fathom "$shoot
key Shift+L
$shoot
drag Shift+left 320 240 540 240 4
$shoot
drag Shift+left 540 240 320 240 4
$shoot
key Shift+I
$shoot"
[ "$(find shots -name '*.ppm' | wc -l)" = 5 ] || fail "not five screenshots: $(ls shots)"
is() { # NUMBER KEY VALUE
    [ "$(value "$(shot "$1")" "$2")" = "$3" ] || fail "shot $1: $2 is '$(value "$(shot "$1")" "$2")', not '$3'"
}
is 1 layer ''
is 2 layer light
is 2 light_angle ''
is 3 light_angle 0
is 3 light_height 8
is 4 light_height 90
is 5 mapping sqrt
for i in 1 2 3 4; do
    cmp -s "$(shot $i)" "$(shot $((i + 1)))" && fail "shots $i and $((i + 1)) are the same"
done
for i in 2 3 5; do
    "$FATHOM" render "$(shot $i)" -o again.ppm || fail "shot $i is not rendered"
    "$FATHOM" compare "$(shot $i)" again.ppm >/dev/null || fail "shot $i is another picture when it is rendered again"
done
# The centre has not moved: it was the light that was dragged.
is 4 re "$(value "$(shot 1)" re)"

# Without a light, nothing is dragged, and that is said.
fathom "drag Shift+left 320 240 540 240 4
$shoot"
is 1 re -0.5

# Perturbed pictures have slopes, too, of whatever formula.
for deep in \
    '--re -1.7685736563152709932817429153295447129 --im -0.0009642968513582800001762427203738194482' \
    '--formula burning_ship --re 0.84128848250589396824980354641 --im -1.43378865691162833701800220580'; do
    deep="$deep --zoom 1e25 --size 64x40"
    # shellcheck disable=SC2086 # several words
    "$FATHOM" render $deep -o plain.ppm 2>err.txt && "$FATHOM" render $deep --layer light -o deep.ppm 2>err.txt ||
        fail "$deep: $(cat err.txt)"
    ! grep -q 'layers are left out' err.txt || fail "$deep: layers are left out: $(cat err.txt)"
    ! cmp -s <(tail -c 7680 plain.ppm) <(tail -c 7680 deep.ppm) || fail "$deep: there is no layer"
done

# Maps have none, which is said, and the picture is as without the layer.
map='--formula newton --power 3 --re 0.1 --im 0.2 --zoom 2 --size 64x40'
# shellcheck disable=SC2086 # several words
"$FATHOM" render $map -o plain.ppm 2>err.txt && "$FATHOM" render $map --layer light -o flat.ppm 2>err.txt ||
    fail "a map: $(cat err.txt)"
grep -q 'layers are left out' err.txt || fail "nothing is said of the layers that are left out: $(cat err.txt)"
cmp <(tail -c 7680 plain.ppm) <(tail -c 7680 flat.ppm) || fail 'a map has a layer'

[ $failures -eq 0 ]
