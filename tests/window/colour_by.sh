# shellcheck shell=bash
# Values to colour by, on the command line; and the histogram, which follows the view until it is
# frozen. Each is checked in a screenshot, which contains all settings. (By key: shots.txt.)
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
fresh_folder
export XDG_STATE_HOME=$PWD/state XDG_DATA_HOME=$PWD/data
window=(--samples 1 --auto-limit off --size 320x240)
is() { # NUMBER KEY VALUE
    [ "$(value "$(shot "$1")" "$2")" = "$3" ] || fail "shot $1: $2 is '$(value "$(shot "$1")" "$2")', not '$3'"
}

# The histogram follows the view; a frozen one stays.
play 'key Shift+I; key Shift+I; key Shift+I; shot; wheel 4 60 110; shot; key Shift+D; wheel 4 60 110; shot'
is 1 mapping histogram
for i in 1 2 3; do
    [ -n "$(value "$(shot $i)" ranks)" ] || fail "shot $i: there is no histogram"
    check_shot "$(shot $i)"
done
[ "$(value "$(shot 1)" ranks)" != "$(value "$(shot 2)" ranks)" ] || fail 'the histogram does not follow the view'
[ "$(value "$(shot 2)" ranks)" = "$(value "$(shot 3)" ranks)" ] || fail 'a frozen histogram has changed'

# A dropped picture without a view becomes the image trap's image, and is part of saved views.
printf 'P6 2 1 255\n\377\001\002\001\377\003' >'own image.ppm'
play "drop $PWD/own image.ppm; shot"
is 1 by image
is 1 image "$PWD/own image.ppm"
check_shot "$(shot 1)"
"$FATHOM" render --size 64x40 --colour-by image --image 'own image.ppm' -o image.ppm 2>err.txt ||
    fail "image: $(cat err.txt)"
LC_ALL=C grep -q $'\377\001\002' image.ppm || fail 'the image is not in the picture'
printf '[view]\nzoom = 1\n[colour]\nby = image\nimage = gone.png\n' >gone.fathom
"$FATHOM" render gone.fathom --size 32x20 -o gone.ppm 2>err.txt || fail "an image that is gone: $(cat err.txt)"
grep -q 'gone.png.*ball is used' err.txt || fail "nothing is said of an image that is gone: $(cat err.txt)"
"$FATHOM" render --size 32x20 --image gone.png -o gone.ppm 2>err.txt && fail 'an image that is gone is taken'

# An image that has changed and is dropped again is read again: a capture of the window, then
# another one.
play "wait complete; capture $PWD/same.ppm; drop $PWD/same.ppm; shot; wheel 3 100 90; wait complete
capture $PWD/same.ppm; drop $PWD/same.ppm; shot; key U; key U; key U; shot"
is 2 image "$PWD/same.ppm"
check_shot "$(shot 2)"
is 3 by '' # one step for each image, and one for the zoom

# A sparse image of 12 GB is read in the background, and the window keeps working until Esc cancels
# it; the old image stays. The same holds for views that name it.
printf 'P6 65536 65536 255\n' >huge.ppm
truncate -s $((19 + 3 * 65536 * 65536)) huge.ppm
printf '[view]\nzoom = 1\n[colour]\nby = image\nimage = %s/huge.ppm\n' "$PWD" >huge.fathom
mkdir -p data/fathom/views
cp huge.fathom data/fathom/views
for opens in "drop $PWD/huge.ppm" "drop $PWD/huge.fathom" $'key Ctrl+B\nkey G\nkey Return\nwait 600\nkey Escape'; do
    play "wait complete; drop $PWD/same.ppm; wait complete; $opens; wheel 1 100 90; wait 400; key Escape; shot" --verbose
    grep -q 'reading the image: [0-9]* %' err.txt || fail "$opens: it is not told that it is read: $(cat err.txt)"
    grep -q 'reading the image: given up' err.txt || fail "$opens: it cannot be given up: $(cat err.txt)"
    is 1 image "$PWD/same.ppm"
    expect "$opens: the window went on" "$(value "$(shot 1)" zoom) > 1.6"
    check_shot "$(shot 1)"
done
rm -r data/fathom/views

# An image that the window starts with is read once the window is open: a view's, which Esc replaces
# by the ball, and an option's, which screenshots wait for.
play 'wheel 1 100 90; wait 400; key Escape; shot' --verbose huge.fathom
grep -q 'reading the image: given up' err.txt || fail "the window does not open first: $(cat err.txt)"
is 1 image ''
is 1 by image
expect "the window goes on without the image" "$(value "$(shot 1)" zoom) > 1.2"
check_shot "$(shot 1)"
play 'key S; wait complete' --colour-by image --image 'own image.ppm'
is 1 image "$PWD/own image.ppm"
check_shot "$(shot 1)"
{ head -c 19 huge.ppm && echo; } >short.ppm
play 'shot' --colour-by image --image short.ppm
grep -q 'short.ppm.*ball is used' err.txt || fail "nothing is said of a broken image: $(cat err.txt)"
is 1 image ''
"$FATHOM" render --size 32x20 --image short.ppm -o gone.ppm 2>err.txt && fail 'a broken image is taken'
[ "$(wc -l <err.txt)" = 1 ] || fail "a broken image: $(cat err.txt)"

# On the command line: the interior, and basins; a picture contains its histogram.
for arguments in '--interior period' '--interior domains' '--colour-by domains' '--mapping histogram' \
    '--formula newton --power 3 --colour-by angle'; do
    # shellcheck disable=SC2086 # several words
    "$FATHOM" render --size 64x40 -o plain.ppm ${arguments%--*} 2>err.txt &&
        "$FATHOM" render --size 64x40 -o other.ppm $arguments 2>err.txt || fail "$arguments: $(cat err.txt)"
    cmp -s <(tail -c 7680 plain.ppm) <(tail -c 7680 other.ppm) && fail "$arguments changes nothing"
    check_shot other.ppm
done

# Values that a picture does not have are reported: the interior in deep views; traces exist there.
deep() { # FILE, AND MORE ARGUMENTS
    "$FATHOM" render --re -0.743643887037158704752191506114774 --im 0.131825904205311970493132056385139 --zoom 1e20 \
        --size 32x20 --iterations 20000 -o "$@" 2>err.txt || fail "deep: $(cat err.txt)"
}
deep deep.ppm --interior period
grep -q 'not available at this depth' err.txt || fail "nothing is said of what is left out: $(cat err.txt)"
deep stripes.ppm --colour-by stripes
grep -q 'not available' err.txt && fail "of stripes: $(cat err.txt)"
cmp -s <(tail -c 1920 deep.ppm) <(tail -c 1920 stripes.ppm) && fail 'stripes change nothing deep down'
printf '[colour]\nranks = 3 70 60\n' >wrong.fathom
"$FATHOM" render wrong.fathom --size 32x20 -o wrong.ppm 2>err.txt && fail 'ranks that fall are taken'
grep -q 'ranks' err.txt || fail "wrong ranks: $(cat err.txt)"

[ $failures -eq 0 ]
