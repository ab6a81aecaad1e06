# shellcheck shell=bash
# Thumbnails that come with the example views: each view has one that shows its current picture; the
# gallery is complete with them in its first frame; and none is shown for a view that has changed.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
tool=$(dirname "$FATHOM")/install/fathom-thumbnails
fresh_folder
export XDG_DATA_HOME=$PWD/data XDG_CACHE_HOME=$PWD/cache XDG_STATE_HOME=$PWD/state XDG_CONFIG_HOME=$PWD/config

# Each shows its view as it is now; a sixth of them are drawn again.
"$tool" texts "$FATHOM_SOURCE/assets" >checked.txt || fail "the examples' thumbnails (assets/thumbnails.sh draws them anew):
$(cat checked.txt)"
mkdir -p some/views some/thumbnails
i=0
for view in "$FATHOM_SOURCE"/assets/views/*.fathom; do
    name=$(basename "$view" .fathom)
    [ $((i++ % 6)) = 0 ] || continue
    cp "$view" some/views
    cp "$FATHOM_SOURCE/assets/thumbnails/$name.jpg" some/thumbnails
done
"$tool" check some >checked.txt || fail "the examples' thumbnails (assets/thumbnails.sh draws them anew):
$(grep -v differs checked.txt)"

# Errors are found and repaired, and nothing else changes.
refused() { # WHAT MESSAGE
    "$tool" check assets >checked.txt && fail "$1: nothing is found"
    [ "$(grep -cv 'differs\|in all$' checked.txt)" = 1 ] && grep -q "$2" checked.txt || fail "$1: $(cat checked.txt)"
}
mkdir -p assets/views assets/thumbnails
for name in armada delft soap; do
    cp "$FATHOM_SOURCE/assets/views/$name.fathom" assets/views
    cp "$FATHOM_SOURCE/assets/thumbnails/$name.jpg" assets/thumbnails
done
"$tool" check assets >checked.txt || fail "a copy: $(cat checked.txt)"
sed -i 's/^zoom = /&1/' assets/views/armada.fathom
refused 'another view' 'armada.*something else'
cp "$FATHOM_SOURCE/assets/views/armada.fathom" assets/views
remark() { # FILE: the text of the view that it was drawn from, with its offset
    grep -abo 'fathom thumbnail of [0-9a-f]*' "$1"
}
cp assets/thumbnails/soap.jpg assets/thumbnails/armada.jpg # with the other file's text
remark "$FATHOM_SOURCE/assets/thumbnails/armada.jpg" | cut -d: -f2 | tr -d '\n' |
    dd of=assets/thumbnails/armada.jpg bs=1 seek="$(remark assets/thumbnails/armada.jpg | cut -d: -f1)" conv=notrunc status=none
refused 'another picture' 'armada.*shows something else'
rm assets/thumbnails/armada.jpg
refused 'no picture' 'armada.*missing'
cp assets/thumbnails/soap.jpg assets/thumbnails/nothing.jpg
"$tool" check assets >checked.txt && fail 'a thumbnail of no view passes'
before=$(stat -c '%n %i' assets/thumbnails/delft.jpg assets/thumbnails/soap.jpg)
"$tool" draw assets >checked.txt || fail "they are not drawn: $(cat checked.txt)"
"$tool" check assets >checked.txt || fail "they are drawn wrong: $(cat checked.txt)"
[ "$(ls assets/thumbnails)" = $'armada.jpg\ndelft.jpg\nsoap.jpg' ] || fail "drawn: $(ls assets/thumbnails)"
[ "$(stat -c '%n %i' assets/thumbnails/delft.jpg assets/thumbnails/soap.jpg)" = "$before" ] || fail 'what was right was drawn again'

# The gallery's first frame shows the same as its last one, without drawing thumbnails.
look() { # PROGRAM SHOTS
    printf 'wait complete\nkey G\ncapture first.ppm\nwait complete\ncapture last.ppm\n' >look.script
    "$1" --script look.script --screenshots "$2" --size 900x600 --samples 1 2>err.txt || fail "looking: $(cat err.txt)"
}
look "$FATHOM" shots
cmp shots/first.ppm shots/last.ppm || fail 'the first frame of the gallery is not complete'
[ -z "$(find cache -name '*.thumbnail' 2>/dev/null)" ] || fail 'thumbnails are drawn that came with the program'

# A view that has changed is drawn, and so is one whose thumbnail is broken.
mkdir -p moved/bin moved/share/fathom
cp "$FATHOM" moved/bin/fathom
cp -r assets/views assets/thumbnails moved/share/fathom
drawn() { # NUMBER WHAT
    rm -rf cache
    look moved/bin/fathom moved-shots
    [ "$(find cache -name '*.thumbnail' 2>/dev/null | wc -l)" = "$1" ] ||
        fail "$2: $(find cache -name '*.thumbnail' 2>/dev/null | wc -l) thumbnails are drawn"
}
drawn 0 'moved'
sed -i 's/^zoom = /&1/' moved/share/fathom/views/armada.fathom
drawn 1 'a view that was changed'
cmp -s moved-shots/first.ppm moved-shots/last.ppm && fail 'a view that was changed is shown at once'
printf 'broken' >moved/share/fathom/thumbnails/delft.jpg
drawn 2 'a thumbnail that is broken'
[ ! -s err.txt ] || fail "a thumbnail that is broken: $(cat err.txt)"

exit $((failures > 0))
