# shellcheck shell=bash
# No command overwrites its inputs, or writes twice into one file, whatever the names are. It
# refuses that before any work, with status 2, one sentence, and all files unchanged.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
fresh_folder
export XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state XDG_DATA_HOME=$PWD/data
mkdir -p folder/deep config/fathom state/fathom data/fathom/palettes data/fathom/views
printf '[view]\nre = -0.5\nim = 0\nzoom = 2\n' >v.fathom
cp v.fathom data/fathom/views/mine.fathom
printf '[palette]\nname = A\ncolours = 0:#123456 0.5:#abcdef\n' >data/fathom/palettes/own.palette
echo '# none' >config/fathom/config
printf 'place = a\n[view]\nre = 0\nim = 0\nzoom = 2\n' >state/fathom/recent
"$FATHOM" render v.fathom -o a.ppm --size 9x7 && "$FATHOM" render v.fathom -o b.ppm --size 9x7 --palette ember &&
    "$FATHOM" density --size 9x7 --samples 4096 --resume run.npy >/dev/null || fail 'no files to begin with'
ln run.npy hard.npy
ln -s run.npy soft.npy
ln -s ../run.npy folder/up.npy
ln -s folder/up.npy far.npy
ln -s new.npy to-new.ppm
ln -s "$PWD/folder/../new.npy" to-new-absolute.npy
ln -s "$PWD" here
ln -s loop.ppm loop-1.ppm
ln -s ./loop.ppm loop-2.ppm
cp a.ppm image.ppm

listing() {
    find . -type f ! -name out ! -name err -exec cksum {} + | sort
    find . -type l -o -type d | sort
}

# replaces WHAT COMMAND...: must be refused, because WHAT would be replaced or is named twice.
replaces() {
    local what=$1 before
    shift
    before=$(listing)
    expect "${refused:-2}" "$FATHOM" "$@"
    complains "$what"
    [ "$(listing)" = "$before" ] || fail "refused, but files changed: $*"
}

small=(--size 9x7 --samples 4096)
for run in run.npy ./run.npy hard.npy soft.npy far.npy here/run.npy folder/../run.npy "$PWD/run.npy"; do
    replaces "-o would replace 'run.npy'" density run.npy -o "$run" --format ppm "${small[@]}"
    replaces "data would replace 'run.npy'" density run.npy --data "$run" "${small[@]}"
    replaces "resume name the same file" density --resume run.npy -o "$run" --format ppm --samples 8192
    replaces "resume name the same file" density --resume run.npy --data "$run" --samples 8192
done
# That run does not exist yet.
for picture in new.npy to-new.ppm to-new-absolute.npy here/new.npy folder/../new.npy here/to-new.ppm; do
    replaces 'name the same file' density --resume new.npy -o "$picture" --format ppm "${small[@]}"
    replaces 'name the same file' density --resume "$picture" -o new.npy --format ppm "${small[@]}"
    replaces 'name the same file' render v.fathom --data new.npy --smooth "$picture" --size 9x7
done
for option in --data --smooth; do
    replaces "$option would replace 'v.fathom'" render v.fathom "$option" here/v.fathom --size 9x7
done
replaces "data would replace 'here/v.fathom'" density here/v.fathom --data v.fathom "${small[@]}"
replaces "-o would replace 'a.ppm'" render a.ppm -o ./a.ppm
replaces "diff would replace 'b.ppm'" compare a.ppm b.ppm --diff here/b.ppm
replaces 'data would replace .*views/mine.fathom' render mine --data data/fathom/views/mine.fathom --size 9x7
replaces 'smooth would replace .*own.palette' render v.fathom --palette own --smooth data/fathom/palettes/own.palette
replaces 'data would replace .*config/fathom/config' density --data config/fathom/config "${small[@]}"
replaces 'data would replace .*state/fathom/recent' render --last --data state/fathom/recent --size 9x7
replaces 'resume would replace .*config/fathom/config' density --resume config/fathom/config "${small[@]}"
replaces 'csv would replace .*config/fathom/config' bench kernels --quick --csv config/fathom/config
replaces '-o would replace .*config/fathom/config' classic 9 7 -o config/fathom/config

printf 'a {\ngradient:\n  index=0 color=255\n  index=200 color=65280\n}\n' >p.ugr
"$FATHOM" render -o image.png --size 9x7 || fail 'no image'
printf '[view]\nre = 0\nim = 0\nzoom = 2\n[colour]\nby = image\nimage = %s/image.png\n' "$PWD" >caught.fathom
replaces "-o would replace './p.ugr'" render --palette ./p.ugr -o p.ugr --format ppm --size 9x7
replaces "data would replace './p.ugr'" render --palette ./p.ugr#a --data p.ugr --size 9x7
replaces "-o would replace 'image.png'" render --colour-by image --image image.png -o here/image.png --size 9x7
# The files that a view names are known once it is read.
refused=1 replaces "-o would replace '$PWD/image.png'" render caught.fathom -o image.png --size 9x7
refused=1 replaces "smooth would replace '$PWD/image.png'" render caught.fathom --smooth image.png --size 9x7

# Nor does a picture of several views replace a file that one of them reads or another one writes.
cp a.ppm v.ppm
replaces "-o would replace 'v.ppm'" render v.ppm b.ppm v.fathom -o '%n.ppm' --size 9x7
replaces "-o would replace 'v.ppm'" render v.fathom v.ppm -o 'here/%n.ppm' --size 9x7
replaces '-o and -o name the same file' render v.fathom mine -o 'loop-%i.ppm' --size 9x7
refused=1 replaces "-o would replace '$PWD/image.png'" render image.ppm caught.fathom -o '%n.png' --size 9x7
replaces 'is one file for 2 views' render v.fathom mine -o both.ppm --size 9x7
replaces "there is no '%q'" render v.fathom mine -o '%n%q.ppm' --size 9x7

# Similar names are allowed: another run, the run that is continued, an older picture, the same name
# in different folders, a copy of an input.
expect 0 "$FATHOM" density run.npy --resume run.npy --samples 8192
expect 0 "$FATHOM" density run.npy --resume other.npy --samples 8192
expect 0 "$FATHOM" render v.fathom -o a.ppm --data folder/a.npy --smooth folder/deep/a.npy --size 9x7
expect 0 "$FATHOM" compare a.ppm a.ppm --diff folder/a.ppm
expect 0 "$FATHOM" render v.fathom -o ball --format ppm --size 9x7 # the image trap's ball is no file
expect 0 "$FATHOM" render v.fathom --colour-by image --image ball -o ball --format ppm --size 9x7
expect 0 "$FATHOM" render v.fathom -o - --size 9x7

finish
