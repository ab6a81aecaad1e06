# Example views by name and the user's own palettes: found installed, in the build folder and moved;
# misspelt, hostile, and too many.
. "$FATHOM_SOURCE/tests/shared/expect.sh"

fresh_folder
export XDG_DATA_HOME=$PWD/home XDG_DATA_DIRS=$PWD/system

draws() { # PROGRAM VIEW: checks that it can be drawn
    expect 0 "$1" render "$2" --size 16x9 -o drawn.ppm
    [ -s err ] && fail "drawing $2 said $(cat err)"
}

# In the build folder, by name, in every command that takes a view; such a file has priority.
draws "$FATHOM" seahorse-valley
grep -aqx '# palette = aurora' drawn.ppm || fail "seahorse-valley is not drawn in its colours"
expect 0 "$FATHOM" density seahorse-valley --size 16x9 --samples 100 -o density.ppm
printf 'wait complete\nquit\n' >quit.script
if SDL_VIDEODRIVER=offscreen "$FATHOM" --script quit.script --size 8x8 2>/dev/null; then
    expect 0 "$FATHOM" seahorse-valley --script quit.script --size 64x36
fi
printf '[view]\nre = 1\n[colour]\npalette = ember\n' >seahorse-valley
draws "$FATHOM" seahorse-valley
grep -aqx '# palette = ember' drawn.ppm || fail "a file does not go before an example"
rm seahorse-valley
expect 0 "$FATHOM" list views
mv out names
for view in "$FATHOM_SOURCE"/assets/views/*.fathom; do
    name=$(basename "$view" .fathom)
    grep -qx "$name" names || fail "list views does not have $name"
done

# Each has its place in the gallery.
diff <(sort "$FATHOM_SOURCE/assets/views/order") <(cd "$FATHOM_SOURCE/assets/views" && ls ./*.fathom | sed 's|./||; s/.fathom$//' | sort) ||
    fail 'assets/views/order does not have each example once'

# An example that was renamed is found by its old name, unless the user has a view of that name.
draws "$FATHOM" tante-renate
cmp drawn.ppm <("$FATHOM" render cartwheel --size 16x9 -o -) || fail 'tante-renate is not cartwheel'
mkdir -p home/fathom/views
printf '[view]\nre = 1\n[colour]\npalette = ember\n' >home/fathom/views/tante-renate.fathom
draws "$FATHOM" tante-renate
grep -aqx '# palette = ember' drawn.ppm || fail "one's own tante-renate is not drawn"
rm home/fathom/views/tante-renate.fathom

# Missing views.
expect 2 "$FATHOM" seahorse-vally
complains "did you mean 'seahorse-valley'"
expect 1 "$FATHOM" render seahorse-vally -o no.ppm
complains "did you mean 'seahorse-valley'"
expect 1 "$FATHOM" render nothing-like-it -o no.ppm
complains "nothing-like-it"
expect 1 "$FATHOM" render ../views/seahorse-valley -o no.ppm
complains 'cannot read'

# Moved: the program with its share/ next to or above it. The user's views have priority.
mkdir -p 'moved to/bin' 'moved to/share/fathom' flat/share
cp "$FATHOM" 'moved to/bin/fathom'
cp "$FATHOM" flat/fathom
cp -r "$FATHOM_SOURCE/assets/views" 'moved to/share/fathom/views'
cp -r 'moved to/share/fathom' flat/share/fathom
draws "$PWD/moved to/bin/fathom" spiral
draws "$PWD/flat/fathom" spiral
mkdir away
mv 'moved to/bin/fathom' away/alone
expect 1 away/alone render spiral -o no.ppm
complains "no example 'spiral'"
mkdir -p system/fathom
mv 'moved to/share/fathom/views' system/fathom/views
draws "$PWD/away/alone" spiral
ln -s "$PWD/flat/fathom" away/link
XDG_DATA_DIRS=/nonexistent expect 0 away/link render spiral --size 16x9 -o drawn.ppm
mkdir -p home/fathom/views
printf '[view]\nre = 1\n[colour]\npalette = ember\n' >home/fathom/views/spiral.fathom
draws "$FATHOM" spiral
grep -aqx '# palette = ember' drawn.ppm || fail "the user's views do not go first"
env -u HOME -u XDG_DATA_HOME "$FATHOM" render sun --size 16x9 -o drawn.ppm || fail "no HOME: no views"

# The user's palettes come after the built-in ones, in the order of their names.
palettes=home/fathom/palettes
mkdir -p $palettes
for name in 20-second 10-first third; do
    printf '[palette]\nname = Mine\ncolours = #ff0000 #00ff00\n' >$palettes/$name.palette
done
expect 0 "$FATHOM" list palettes
tr '\n' ' ' <out | grep -q '^aurora .* first second third $' || fail "listed: $(cat out)"
expect 0 "$FATHOM" render --palette Second --size 16x9 -o mine.ppm
[ -s err ] && fail "said $(cat err)"
grep -aqx '# palette = second' mine.ppm || fail "the picture does not name the user's palette"
expect 0 "$FATHOM" render mine.ppm -o again.ppm
cmp -s mine.ppm again.ppm || fail "the user's palette does not give the same picture again"
XDG_DATA_HOME=/nonexistent expect 0 "$FATHOM" render mine.ppm -o again.ppm
[ -s err ] && fail "said $(cat err)"
cmp -s mine.ppm again.ppm || fail "a picture does not carry the user's palette"
sed '/^# \[palette\]/,$d' mine.ppm | sed -n 's/^# //p' >bare.fathom
XDG_DATA_HOME=/nonexistent expect 0 "$FATHOM" render bare.fathom -o again.ppm
complains "there is no palette 'second'"

# Palette files of any kind, by name; several gradients in one.
printf '0 0 0\n255 128 0\n10 20 30\n' >own.map
printf 'a {\ngradient:\nindex=0 color=255\n}\nb {\ngradient:\nindex=0 color=65280\n}\n' >two.ugr
expect 0 "$FATHOM" render --palette own.map --size 16x9 -o map.ppm
expect 0 "$FATHOM" render map.ppm -o again.ppm
cmp -s map.ppm again.ppm || fail "an imported palette does not give the same picture again"
printf '0 0 0\nand then\n10 20 30\n' >odd.map
expect 0 "$FATHOM" render --palette odd.map --size 16x9 -o odd.ppm
complains 'warning: odd.map:2: '
expect 0 "$FATHOM" render --palette two.ugr#b --size 16x9 -o b.ppm
grep -aqx '# colours = #00ff00' b.ppm || fail "not the gradient that was named"
expect 2 "$FATHOM" render --palette two.ugr#c --size 16x9 -o c.ppm
complains "has no gradient 'c'"
expect 2 "$FATHOM" render --palette ./none.map --size 16x9 -o c.ppm
complains "none.map"
expect 0 "$FATHOM" render --palette random-7 --size 16x9 -o r.ppm
expect 0 "$FATHOM" render r.ppm -o again.ppm
cmp -s r.ppm again.ppm || fail "a random palette does not give the same picture again"
cp two.ugr $palettes/
expect 0 "$FATHOM" render --palette two-b --size 16x9 -o again.ppm
rm $palettes/two.ugr

# Hostile files cost one line each, and nothing else.
cp $palettes/third.palette $palettes/ember.palette
cp $palettes/third.palette "$palettes/two words.palette"
cp $palettes/third.palette $palettes/.hidden.palette
printf '[palette\n' >$palettes/broken.palette
head -c 100000 /dev/zero >$palettes/huge.palette
mkfifo $palettes/fifo.palette
mkdir $palettes/folder.palette
ln -s /dev/zero $palettes/zero.palette
: >$palettes/empty.palette
echo no palette >$palettes/readme.txt
expect 0 "$FATHOM" list palettes
tr '\n' ' ' <out | grep -q '^aurora .* first second third $' || fail "hostile: $(cat out)"
[ "$(wc -l <err)" = 8 ] || fail "8 bad palettes gave $(wc -l <err) lines: $(cat err)"
rm -r $palettes
mkdir $palettes
for i in $(seq 100 170); do
    printf "[palette]\ncolours = #ff0000\n" >"$palettes/p$i.palette"
done
expect 0 "$FATHOM" list palettes
complains 'more than 64 palettes'
[ "$(tail -n 1 out)" = p163 ] || fail "not the first 64: $(cat out)"
rm -r $palettes
: >$palettes
expect 0 "$FATHOM" list palettes
complains 'palettes'

finish
