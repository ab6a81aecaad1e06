# shellcheck shell=bash
# Light layers of deep pictures, and of maps, which have none. (In the window: shots.txt.)
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
fresh_folder
# Perturbed pictures have slopes for any formula.
for deep in \
    '--re -1.7685736563152709932817429153295447129 --im -0.0009642968513582800001762427203738194482' \
    '--formula burning_ship --re 0.84128848250589396824980354641 --im -1.43378865691162833701800220580'; do
    deep="$deep --zoom 1e25 --size 64x40"
    # shellcheck disable=SC2086 # several words
    "$FATHOM" render $deep -o plain.ppm 2>err.txt && "$FATHOM" render $deep --layer light -o deep.ppm 2>err.txt ||
        fail "$deep: $(cat err.txt)"
    ! grep -q 'layers are not drawn' err.txt || fail "$deep: layers are not drawn: $(cat err.txt)"
    ! cmp -s <(tail -c 7680 plain.ppm) <(tail -c 7680 deep.ppm) || fail "$deep: there is no layer"
done

# Maps have none, which is reported, and the picture is the same as without the layer.
map='--formula newton --power 3 --re 0.1 --im 0.2 --zoom 2 --size 64x40'
# shellcheck disable=SC2086 # several words
"$FATHOM" render $map -o plain.ppm 2>err.txt && "$FATHOM" render $map --layer light -o flat.ppm 2>err.txt ||
    fail "a map: $(cat err.txt)"
grep -q 'layers are not drawn' err.txt || fail "nothing is said of the layers that are left out: $(cat err.txt)"
cmp <(tail -c 7680 plain.ppm) <(tail -c 7680 flat.ppm) || fail 'a map has a layer'

[ $failures -eq 0 ]
