# shellcheck shell=bash
# Gallery by script: it opens, scrolls and chooses by keys and by the pointer; a location is saved
# under a name, found by it, not overwritten without a question, and deleted; Shift+S; thumbnails
# that are cached, broken or impossible to cache.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
rm -rf work
mkdir work
cd work || exit 1
export XDG_DATA_HOME=$PWD/data XDG_CACHE_HOME=$PWD/cache XDG_STATE_HOME=$PWD/state XDG_CONFIG_HOME=$PWD/config
views=$XDG_DATA_HOME/fathom/views
fathom() { # SCRIPT ARGUMENTS...
    printf '%s\n' "$1" >test.script
    shift
    "$FATHOM" --script test.script --screenshots shots "$@" 2>err.txt
}
small='--size 320x200 --samples 1'

# A view is saved under the typed name, without dangerous characters. It opens by its name, and
# appears in the gallery.
rm -rf shots
fathom "wait complete
wheel 4 30% 30%
wait complete
key Ctrl+S
type ../Old; Well
key Return
wait complete
key S
wait complete" $small || fail "saving: $(cat err.txt)"
[ "$(ls "$views")" = Old-Well.fathom ] || fail "saved as $(ls "$views")"
"$FATHOM" render Old-Well --size 320x200 -o named.ppm || fail 'the saved view is not found by its name'
"$FATHOM" compare named.ppm "$(shot 1)" >compared.txt || fail "the saved view is another: $(cat compared.txt)"
rm -rf shots
fathom "wait complete
key G
wait 50
key Return
wait complete
key S
wait complete" $small || fail "opening one's own: $(cat err.txt)"
"$FATHOM" compare named.ppm "$(shot 1)" >compared.txt || fail "one's own view is not the first: $(cat compared.txt)"

# F1 replaces the gallery by the help.
rm -rf shots
fathom "wait complete
key H
key H
key F1
wait 50
capture help.ppm
key G
wait 50
key F1
wait 50
capture replaced.ppm" $small || fail "the help: $(cat err.txt)"
cmp shots/help.ppm shots/replaced.ppm || fail 'F1 does not replace the gallery by the help'

# Keys that are faster than frames act in their order.
fathom "wait complete
burst 3
key Ctrl+S
type now
key Return
wait complete" $small || fail "typing quickly: $(cat err.txt)"
[ -e "$views/now.fathom" ] || fail "what is typed quickly is saved as $(ls "$views")"
rm -f "$views/now.fathom"

# Overwriting asks first; Escape answers no, Return yes.
before=$(md5sum <"$views/Old-Well.fathom")
fathom "wait complete
key Ctrl+S
type Old-Well
key Return
key Escape
wait complete" $small || fail "not replacing: $(cat err.txt)"
[ "$(md5sum <"$views/Old-Well.fathom")" = "$before" ] || fail 'a view was replaced without a question'
fathom "wait complete
key Ctrl+S
type Old-Well
key Return
key Return
key Ctrl+S
key Escape
key Ctrl+S
type render
key Return
key Escape
wait complete" $small || fail "replacing: $(cat err.txt)"
[ "$(md5sum <"$views/Old-Well.fathom")" != "$before" ] || fail 'the view was not replaced'
[ "$(ls "$views")" = Old-Well.fathom ] || fail "a command's name, or a refused one, was saved: $(ls "$views")"

# Deleting asks once; examples cannot be deleted.
fathom "wait complete
key G
key Delete
key Escape
key End
key Delete
key Return
key Escape
wait complete" $small || fail "not deleting: $(cat err.txt)"
[ -e "$views/Old-Well.fathom" ] || fail 'a view was deleted without a yes'
fathom "wait complete
key G
key Delete
key Return
key Escape
wait complete" $small || fail "deleting: $(cat err.txt)"
[ -z "$(ls "$views")" ] || fail "the view was not deleted: $(ls "$views")"

# The pointer: a drag scrolls and opens nothing, the wheel scrolls, and a click opens an item. Buttons answer dialogs, and
# a click elsewhere does nothing.
rm -rf shots
fathom "wait complete
key G
panel armada
drag 160 150 160 60
wait 50
capture dragged.ppm
wheel 9
wheel -3
wait 50
capture wheel.ppm
panel delft
click
wait complete
key S
wait complete
key Ctrl+S
type clicked
panel Cancel
click
key Ctrl+S
type other
click 5 5
type clicked
panel Save
click
wait complete
key G
key Ctrl+S
type clicked
panel Save
click
panel Replace
click
wheel -1
key Delete
panel Cancel
click
key Home
key Delete
panel Delete
click
wait complete
key Escape
wait complete" --size 640x400 --samples 1 || fail "the pointer: $(cat err.txt)"
cmp -s shots/dragged.ppm shots/wheel.ppm && fail 'the wheel does not scroll the gallery'
[ "$(value "$(shot 1)" zoom)" = "$(sed -n 's/^zoom = //p' "$FATHOM_SOURCE/assets/views/delft.fathom")" ] ||
    fail "a click opens not what it is on: $(value "$(shot 1)" zoom)"
[ -z "$(ls "$views")" ] || fail "a view that was deleted by a click is there: $(ls "$views")"

# If nothing can be written, saving reports it and the program continues.
rm -r "$views"
: >"$views"
fathom "wait complete
key Ctrl+S
key Return
wait complete" $small || fail "saving into nothing: $(cat err.txt)"
grep -q "cannot .*'$views.*: Not a directory" err.txt || fail "saving into nothing said: $(cat err.txt)"
rm "$views"

# Shift+S saves a PNG with the same view, with one message; if a screenshot cannot be saved, the
# window names the folder and the reason.
rm -rf shots
fathom "wait complete
key S
wait complete
key S
wait complete
key Shift+S
wait complete" $small --verbose || fail "Shift+S: $(cat err.txt)"
png=$(ls shots/*.png)
[ "$(head -c 4 "$png" | tail -c 3)" = PNG ] || fail "Shift+S saved no PNG: $(ls shots)"
"$FATHOM" render "$png" -o again.ppm && cmp again.ppm "$(shot 1)" || fail 'the PNG carries another view'
[ "$(grep -c 'Shift+S saves as PNG' err.txt)" = 1 ] || fail "two screenshots: $(cat err.txt)"
rm -rf shots
: >shots
fathom "wait complete
key S
wait complete" $small --verbose && fail 'a screenshot without a folder succeeds'
grep -q "the screenshot was not saved: cannot .*'shots.*Not a directory" err.txt || fail "no folder: $(cat err.txt)"
rm shots

# Recent locations are the last ones, newest first, each once.
fathom "wait complete
goto $FATHOM_SOURCE/assets/views/sun.fathom
wait complete
goto $FATHOM_SOURCE/assets/views/galaxy.fathom
wait complete
key +
key -
wait complete
goto $FATHOM_SOURCE/assets/views/galaxy.fathom
wait complete
key G
key End
key Return
wait complete
key S
wait complete" $small --remember yes || fail "recent locations: $(cat err.txt)"
[ "$(value "$(shot 1)" zoom)" = 400000 ] || fail "the oldest location is not the sun: $(value "$(shot 1)" zoom)"
[ "$(grep -c '^place = ' state/fathom/recent)" = 2 ] || fail "recent locations: $(cat state/fathom/recent)"

# Saves views whose thumbnails do not come with the program.
own() {
    local i
    mkdir -p "$views"
    for i in 1 2 3 4 5 6; do
        printf '[view]\nre = -0.74%s\nim = 0.1\nzoom = 20\n' $i >"$views/my-$i.fathom"
    done
}

# A view that takes forever does not keep others from being drawn. (Sanitizers make all slow.)
if [ -z "${FATHOM_SANITIZED-}" ]; then
    own
    printf '[view]\nre = -0.1\nim = 0.01\nzoom = 1e100\n[fractal]\nformula = burning_ship\nthen = celtic\niterations = 2147483647\n' \
        >"$views/for-ever.fathom"
    rm -rf cache
    printf 'key G\nwait 600000\n' >test.script
    "$FATHOM" --script test.script --size 640x400 --samples 1 2>err.txt &
    program=$!
    thumbnails() {
        find cache -name '*.thumbnail' 2>/dev/null | wc -l
    }
    for ((i = 0; i < 3000 && $(thumbnails) < 2; i++)); do
        sleep 0.1
    done
    [ "$(thumbnails)" -ge 2 ] || fail "with a slow view, $(thumbnails) thumbnails were drawn in $i tenths of a second"
    kill -TERM $program
    wait $program
    rm -rf "$views" cache
fi

# The gallery's pictures are the same from the cache, and after parts of it were broken; windows of
# any size.
look="wait complete
key G
wait complete
capture NAME.ppm"
shapes="
resize 150 120
wait 50
resize 1 1
wait 50
resize 300 900
key PageDown
wheel -30 50% 50%
wait 50"
tiny='--size 200x150 --samples 1'

own
fathom "${look/NAME/first}$shapes" $tiny || fail "looking: $(cat err.txt)"
[ -n "$(find cache -name '*.thumbnail')" ] || fail 'no thumbnails are kept'
fathom "${look/NAME/second}" $tiny || fail "looking again: $(cat err.txt)"
cmp shots/first.ppm shots/second.ppm || fail 'the gallery looks different from the cache'
files=(cache/fathom/thumbnails/*)
for file in "${files[@]::3}"; do
    printf 'broken' >"$file"
done
fathom "${look/NAME/third}" $tiny || fail "looking at broken ones: $(cat err.txt)"
cmp shots/first.ppm shots/third.ppm || fail 'a broken cache changes the gallery'
[ ! -s err.txt ] || fail "a broken cache said: $(cat err.txt)"
rm -r cache
: >cache
fathom "${look/NAME/fourth}" $tiny || fail "without a cache: $(cat err.txt)"
cmp shots/first.ppm shots/fourth.ppm || fail 'the gallery looks different without a cache'
[ "$(grep -c '^fathom' err.txt)" = 1 ] && grep -q 'warning: cannot make the folder' err.txt || fail "without a cache: $(cat err.txt)"

exit $((failures > 0))
