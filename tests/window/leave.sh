# shellcheck shell=bash
# S and then Q at once: a screenshot is saved if its picture is complete soon, else its loss is
# reported. (A second Q, which does not wait, needs a real window: trouble_window.sh.)
. "$FATHOM_SOURCE/tests/shared/expect.sh"
rm -rf shots ./*.script ./*.ppm ./*.fathom out err

printf 'wheel 3\nkey S\nquit\n' >soon.script
expect 0 "$FATHOM" --script soon.script --screenshots shots --size 64x48 --json
[ ! -s err ] || fail "a screenshot before quitting: said $(cat err)"
grep -q '"screenshots": 1' out || fail "the screenshot is not counted: $(cat out)"
set -- shots/fathom-*.ppm
[ $# = 1 ] && [ -s "$1" ] || fail "S and Q at once leave $(ls shots 2>&1)"
expect 0 "$FATHOM" render "$1" -o again.ppm
cmp -s "$1" again.ppm || fail 'the screenshot is not what its view gives'
rm -rf shots

# A screenshot that is being written, and no screenshot.
printf 'wait complete\nkey S\nquit\n' >begun.script
expect 0 "$FATHOM" --script begun.script --screenshots shots --size 64x48
[ "$(find shots -name 'fathom-*.ppm' | wc -l)" = 1 ] || fail 'a screenshot that was begun is lost'
rm -rf shots
printf 'wheel 3\nquit\n' >none.script
expect 0 "$FATHOM" --script none.script --screenshots shots --size 64x48
[ ! -e shots ] || fail 'a screenshot that was not asked for'

# Orbit density, whose pictures are never complete but can be held.
printf 'key D\nwait samples 1\nkey S\nquit\n' >density.script
expect 0 "$FATHOM" --script density.script --screenshots shots --size 64x48
[ "$(find shots -name 'fathom-*.ppm' | wc -l)" = 1 ] || fail "no screenshot of orbit density: $(cat err)"
rm -rf shots

# A picture of hours: the program waits for some seconds only.
printf '[view]\nre = 0\nim = 0\nzoom = 10\n' >slow.fathom
printf 'key S\nquit\n' >late.script
expect 1 timeout 60 "$FATHOM" slow.fathom --script late.script --screenshots shots --size 2000x2000 \
    --iterations 2147483647 --shortcuts none --threads 1
complains 'error: the screenshot was not saved: its picture was not complete'
[ ! -e shots ] || fail 'a screenshot of half a picture'

finish
