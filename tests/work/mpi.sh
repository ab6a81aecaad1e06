# shellcheck shell=bash
# fathom-mpi: ranks with one folder, and ranks that have nothing in common, give the bytes of one
# process; killed ranks and failed pieces cost little.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
fathom_mpi=$(dirname "$FATHOM")/fathom-mpi
fresh_folder
if [ ! -x "$fathom_mpi" ] || ! command -v mpirun >/dev/null; then
    echo 'there is no fathom-mpi, or no mpirun'
    exit 77
fi
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export TMPDIR=/tmp # names of sockets have a limit
options=(--bind-to none --oversubscribe)

# with COMMAND...: three ranks in this folder. apart COMMAND...: the second and the third in folders
# of their own, which rank 0 does not see by the same names.
# shellcheck disable=SC2317 # called by its name
with() {
    mpirun "${options[@]}" -np 3 "$fathom_mpi" "$@"
}
apart() {
    mpirun "${options[@]}" -np 1 "$fathom_mpi" "$@" : -np 1 -wdir "$PWD/b" "$fathom_mpi" "$@" : \
        -np 1 -wdir "$PWD/c" "$fathom_mpi" "$@"
}
mkdir b c
equal() { # FILE FILE
    cmp "$1" "$2" || fail "$2 is not as that of one process"
}
# empty WHAT: the ranks with folders of their own have left nothing there.
empty() {
    [ -z "$(compgen -G '[bc]/[^v]*')" ] || fail "$1 leaves $(find b c)"
}

# kill_rank WHAT: kills a rank of the run whose process is `running`, and waits for the end of all;
# mpirun ends before the ranks that it has told to end.
kill_rank() {
    local rank
    rank=$(pgrep -n -x fathom-mpi)
    kill -9 "${rank:-0}" || fail 'there is no rank to kill'
    wait "$running" && fail "$1 is not noticed"
    for _ in {1..600}; do
        pgrep -x fathom-mpi >/dev/null || break
        sleep 0.05
    done
}

# Buddhabrots.
of=(--size 60x45 '--channels=500,90,20' --samples 100000 --threads 1)
expect 0 "$FATHOM" density "${of[@]}" --resume whole.npy -o whole.png --data data.npy
for how in with apart; do
    expect 0 $how density "${of[@]}" --resume $how.npy -o $how.png --data $how-data.npy --json
    grep -q '"samples": 100' out || fail "density $how: $(cat out)"
    [ ! -s err ] || fail "density $how says $(cat err)"
    equal whole.npy $how.npy
    equal whole.png $how.png
    equal data.npy $how-data.npy
    [ ! -e $how.npy.parts ] || fail "density $how leaves $(ls $how.npy.parts)"
    empty "density $how"
done
# A rank that is killed ends all; the same line goes on.
much=(density "${of[@]}" --samples 4e7 --resume much.npy -o much.png)
apart "${much[@]}" >out 2>err &
running=$!
for _ in {1..600}; do # until all ranks count
    [ "$(compgen -G '*/fathom-mpi-*' | wc -l)" = 2 ] && break
    sleep 0.05
done
sleep 0.5
kill_rank 'a killed rank'
expect 0 apart "${much[@]}"
expect 0 "$FATHOM" "${much[@]/much./all.}"
equal all.npy much.npy
empty 'a continued run'

# Pictures.
mapfile -t views < <("$FATHOM" list views | awk '{ print $1 }' | head -n 4)
small=("${views[@]}" --size 60x40 --threads 1)
expect 0 "$FATHOM" render "${small[@]}" -o 'right-%n.png' --data 'right-%n.npy'
for how in with apart; do
    expect 0 $how render "${small[@]}" -o "$how/p/%n.png" --data "$how/p/%n.npy"
    for view in "${views[@]}"; do
        equal "right-$view.png" "$how/p/$view.png"
        equal "right-$view.npy" "$how/p/$view.npy"
    done
    [ "$(find $how -type f | wc -l)" = 8 ] || fail "render $how leaves $(ls $how/p)"
    empty "render $how"
done
# Pictures that exist are kept, and the others are made.
rm "apart/p/${views[1]}.png"
touch -d 2001-01-01 "apart/p/${views[0]}.png"
expect 0 apart render "${small[@]}" -o 'apart/p/%n.png' --data 'apart/p/%n.npy'
equal "right-${views[1]}.png" "apart/p/${views[1]}.png"
[ "apart/p/${views[0]}.png" -ot "right-${views[0]}.png" ] || fail 'a picture was drawn again'
# Tiles are sent, too, and names that look like those of incomplete files.
expect 0 apart render "${views[@]}" --size 300x200 --threads 1 -o 'zoom/movie.%n.dzi'
expect 0 "$FATHOM" render "${views[@]}" --size 300x200 -o 'right-zoom-%n.dzi'
for view in "${views[@]}"; do
    diff -r "right-zoom-${view}_files" "zoom/movie.${view}_files" || fail "tiles of $view"
done
empty 'Deep Zoom'
# A view that cannot be drawn costs only itself.
expect 1 apart render "${views[0]}" absent.fathom -o 'one/%n.png' --size 60x40
grep -q "cannot read 'absent.fathom'" err || fail "a wrong view: $(cat err)"
grep -q '1 of 3 ranks have failed' err || fail "a wrong view: $(cat err)"
[ "$(grep -c '^fathom' err)" = 2 ] || fail "a wrong view: $(cat err)"
equal "right-${views[0]}.png" "one/${views[0]}.png"
rm -r [bc]/fathom-mpi-*

# Movies.
printf '[view]\nre = -0.743643887\nim = 0.131825904\nzoom = 300\n[fractal]\niterations = 2000\n' >v.fathom
cp v.fathom b
cp v.fathom c
movie=(v.fathom --size 96x54 --seconds 2 --fps 10 --threads 1)
mkdir right shared own
expect 0 "$FATHOM" movie "${movie[@]}" -o 'right/%i.png'
expect 0 with movie "${movie[@]}" -o 'shared/%i.png' --work shared.work
expect 0 apart movie "${movie[@]}" -o 'own/%i.png' --work own.work
for how in shared own; do
    diff -r right $how || fail "movie $how"
done
[ ! -e own.work ] || fail "a movie leaves $(ls own.work)"
empty 'a movie'

# A rank that is killed ends all; the same line goes on.
rm -rf own/*
apart movie "${movie[@]}" --size 384x216 -o 'own/%i.png' --work own.work >out 2>err &
running=$!
for _ in {1..300}; do
    [ "$(compgen -G 'own.work/ring-*' | wc -l)" -ge 3 ] && break
    sleep 0.05
done
kill_rank 'a killed rank'
find own.work -name 'ring-*' | sort >rings
[ -s rings ] || fail 'a killed rank costs everything'
expect 0 apart movie "${movie[@]}" --size 384x216 -o 'own/%i.png' --work own.work
"$FATHOM" movie "${movie[@]}" --size 384x216 -o 'right/%i.png' || fail 'no movie'
diff -r right own || fail 'after a kill'
rm -rf shared/* shared.work
with movie "${movie[@]}" --size 384x216 -o 'shared/%i.png' --work shared.work >out 2>err &
running=$!
for _ in {1..300}; do
    [ "$(compgen -G 'shared.work/ring-*' | wc -l)" -ge 3 ] && break
    sleep 0.05
done
kill_rank 'a killed rank that joins'
expect 0 with movie "${movie[@]}" --size 384x216 -o 'shared/%i.png' --work shared.work
diff -r right shared || fail 'after a kill of one that joins'

# Mistakes: one line, and no work.
for wrong in 'density --seconds 3 -o x.png' 'render --nothing'; do
    # shellcheck disable=SC2086
    expect 2 with $wrong
    [ "$(grep -c '^fathom: error' err)" = 1 ] || fail "$wrong: $(cat err)"
done
finish
