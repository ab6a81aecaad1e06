# Pictures and places as files, in the real program: PNG and PPM, files of other programs, pictures
# of differences, and screenshots in both formats.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
fresh_folder

says() {
    [ "$(cat out)" = "$1" ] || fail "said '$(cat out)', not '$1'"
}

# Prints the bytes of a PPM without comments as decimal numbers on one line.
pixels() {
    tail -c "$2" "$1" | od -An -v -tu1 | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'
}

printf '[view]\nre = -0.7436438870371587\nim = 0.1318259042053119\nzoom = 500\nangle = 20\n' >a.fathom

# PNG has the same pixels, and the view: drawn again it gives the same file.
expect 0 "$FATHOM" render a.fathom -o a.ppm --size 97x61 --iterations 300
expect 0 "$FATHOM" render a.fathom -o a.png --size 97x61 --iterations 300
expect 0 "$FATHOM" compare a.ppm a.png
says identical
expect 0 "$FATHOM" compare a.png a.ppm
expect 0 "$FATHOM" render a.png -o again.PNG
cmp -s a.png again.PNG || fail 'a PNG drawn again is another file'
expect 0 "$FATHOM" render a.ppm -o again.png
cmp -s a.png again.png || fail 'PPM and PNG carry different views'
expect 0 "$FATHOM" render a.png -o other.picture --format png
cmp -s a.png other.picture || fail '--format png was not taken'
expect 0 "$FATHOM" render a.png -o plain.png --format ppm
cmp -s a.ppm plain.png || fail '--format ppm was not taken'
"$FATHOM" render a.png -o - --format png >stdout.png && cmp -s a.png stdout.png ||
    fail 'a PNG on standard output is another one'
"$FATHOM" render a.png -o - | cmp -s - a.ppm || fail '-o - is not PPM'
expect 0 "$FATHOM" density --size 40x30 --samples 65536 -o d.png
expect 0 "$FATHOM" density d.png -o d.ppm
expect 0 "$FATHOM" compare d.png d.ppm
expect 1 "$FATHOM" render a.fathom -o /dev/full --format png --size 9x9
complains "cannot write '/dev/full': No space left"
head -c 300 a.png >cut.png
expect 1 "$FATHOM" compare cut.png a.png
complains "'cut.png': this PNG cannot be read: the file is cut short"
expect 2 "$FATHOM" render a.fathom -o x.png --format gif
complains 'format is one of ppm, png'

# Numbers are written in the usual form, and one output does not replace another.
sed 's/angle = 20/angle = 30/' a.fathom >turned.fathom
printf '[colour]\noffset = 0.1\n[view]\nim = -0.1\nzoom = 1e-5\n' >>turned.fathom
expect 0 "$FATHOM" render turned.fathom -o turned.ppm --size 9x9
for line in 'angle = 30' 'offset = 0.1' 'im = -0.1' 'zoom = 0.00001'; do
    grep -aqxF "# $line" turned.ppm || fail "the picture does not say $line"
done
expect 2 "$FATHOM" render a.fathom -o both.png --data ./both.png --size 9x9
complains 'name the same file'
expect 2 "$FATHOM" render a.fathom --smooth both --data both --size 9x9
[ -e both.png ] || [ -e both ] && fail 'a file that was refused is there'

# render refuses a density picture.
mkdir -p state/fathom
printf 'place = somewhere\n[view]\nre = 0\n[picture]\nkind = density\n' >state/fathom/recent
expect 1 env XDG_STATE_HOME="$PWD/state" "$FATHOM" render --last -o x.ppm --size 9x9
complains 'the most recent location is a Buddhabrot'
expect 1 "$FATHOM" render d.png -o x.ppm
complains "'d.png' is a Buddhabrot"

# A saved run opens as its view.
expect 0 "$FATHOM" density --size 40x30 --samples 65536 --resume run.npy
expect 0 "$FATHOM" density run.npy -o run.png
expect 0 "$FATHOM" compare run.png d.png

# Places of other programs, and bare ones, give this place.
printf '[view]\nre = -0.75\nim = 0.1\nzoom = 2.5e3\nangle = -30\n[fractal]\niterations = 400\n' >p.fathom
printf 'Re: -0.75\r\nIm: 0.1\r\nZoom: 2.5E3\r\nIterations: 400\r\nRotateAngle: -30\r\nComments: 1\r\n' >p.kfr
printf 'program = "fraktaler-3"\nlocation.real = "-0.75"\nlocation.imag = "0.1"\nlocation.zoom = "2500"\nbailout.iterations = 400\ntransform.rotate = -30.0\n[[formula]]\npower = 2\n' >p.toml
expect 0 "$FATHOM" render p.fathom -o p.ppm --size 64x48
for place in p.kfr p.toml; do
    expect 0 "$FATHOM" render $place -o q.png --size 64x48
    [ -s err ] && fail "$place was opened with a message: $(cat err)"
    expect 0 "$FATHOM" compare p.ppm q.png
done
sed -i 's/^angle.*/angle = 0/' p.fathom
echo '-0.75 + 0.1i 2500 400' >'a place.txt'
expect 0 "$FATHOM" render p.fathom -o p.ppm --size 64x48
expect 0 "$FATHOM" render 'a place.txt' -o q.png --size 64x48
expect 0 "$FATHOM" compare p.ppm q.png
echo 'FractalType: 12' >>p.kfr
expect 1 "$FATHOM" render p.kfr -o x.ppm --size 8x8
complains "p.kfr:7: this version has no formula like FractalType: '12'"

# Pictures that differ in alpha, or in the low byte of 16 bits, are not identical; equal pictures
# with 8 and 16 bits are.
base64 -d <<<'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mPgEpH7DwABpAE8TNUcpwAAAABJRU5ErkJggg==' >opaque.png
base64 -d <<<'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mPgEpFjAAAApQA9tsaarAAAAABJRU5ErkJggg==' >clear.png
base64 -d <<<'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mPgEpEDAABoAD1q9XBbAAAAAElFTkSuQmCC' >plain.png
base64 -d <<<'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABEAIAAADA54+dAAAAD0lEQVR42mPg4hIRkZMDAAFbAHnXc7BSAAAAAElFTkSuQmCC' >deep.png
base64 -d <<<'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABEAIAAADA54+dAAAAD0lEQVR42mPg4hIRlZMDAAFeAHrM+y35AAAAAElFTkSuQmCC' >low.png
for pair in 'opaque plain' 'opaque deep'; do
    expect 0 "$FATHOM" compare ${pair% *}.png ${pair#* }.png
    says identical
done
expect 1 "$FATHOM" compare opaque.png clear.png --diff alpha.ppm
says '1 of 1 pixels differ, largest difference 255'
[ "$(pixels alpha.ppm 3)" = '255 0 0' ] || fail "a difference in alpha: $(pixels alpha.ppm 3)"
expect 1 "$FATHOM" compare deep.png low.png
says '1 of 1 pixels differ, largest difference 0.00389105058'
expect 1 "$FATHOM" compare plain.png low.png

# A picture of the differences: dim grey for none, yellow for the least, red for the largest.
printf 'P6\n2 2\n255\n\377\377\377\0\0\0\12\12\12\50\50\50' >1.ppm
printf 'P6\n2 2\n255\n\377\377\377\0\0\1\12\12\12\50\50\250' >2.ppm
expect 1 "$FATHOM" compare 1.ppm 2.ppm --diff diff.ppm
says '2 of 4 pixels differ, largest difference 128'
[ "$(pixels diff.ppm 12)" = '64 64 64 255 255 0 2 2 2 255 0 0' ] || fail "diff: $(pixels diff.ppm 12)"
expect 1 "$FATHOM" compare 1.ppm 2.ppm --diff diff.png
expect 0 "$FATHOM" compare diff.ppm diff.png
expect 0 "$FATHOM" compare 1.ppm 1.ppm --diff same.ppm
says identical
[ "$(pixels same.ppm 12)" = '64 64 64 0 0 0 2 2 2 10 10 10' ] || fail "same: $(pixels same.ppm 12)"
expect 1 "$FATHOM" compare 1.ppm 2.ppm --diff nowhere/diff.png
complains "cannot write 'nowhere/diff.png'"
expect 2 "$FATHOM" compare 1.ppm 2.ppm --diff -
complains 'diff takes a file'
cp 1.ppm kept.ppm
expect 2 "$FATHOM" compare 2.ppm 1.ppm --diff ./1.ppm
complains "would replace '1.ppm'"
cmp -s 1.ppm kept.ppm || fail 'compare wrote over what it compares'
for data in data smooth; do
    expect 0 "$FATHOM" render --size 16x12 --$data 100.npy --iterations 5
    expect 0 "$FATHOM" render --size 16x12 --$data 200.npy --iterations 200
    expect 1 "$FATHOM" compare 100.npy 200.npy --diff $data.png
    expect 1 "$FATHOM" compare 100.npy 200.npy --diff $data.ppm
    expect 0 "$FATHOM" compare $data.ppm $data.png
done

# The window: screenshots and captures as PNG, and dropped places, whose limits cause no hint.
expect 0 "$FATHOM" render a.png -o far.png --iterations 20000
sed 's/iterations = 400/iterations = 20000/' p.toml >far.toml
printf 'wait complete\nkey H\nkey H\nwait complete\ngoto far.png\nwait complete
capture back.png\ngoto far.toml\nwait complete
capture there.png\nkey S\nwait complete\n' >script
expect 0 "$FATHOM" --script script --screenshots shots --format png --size 120x90 --precision double \
    --samples 1 --auto-limit off
set -- shots/fathom-*.png
[ $# = 1 ] || fail "screenshots: $(ls shots)"
expect 0 "$FATHOM" compare shots/there.png "$1"
expect 0 "$FATHOM" render "$1" -o shot.png
cmp -s "$1" shot.png || fail "$1 is not what fathom render makes of it"
expect 0 "$FATHOM" render far.png -o back.png --size 120x90
expect 0 "$FATHOM" compare back.png shots/back.png
expect 0 "$FATHOM" render far.toml -o there.png --size 120x90
expect 0 "$FATHOM" compare there.png "$1"
finish
