# shellcheck shell=bash
# Runs that are interrupted in various ways, and two runs with one file: no counts are lost.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
fresh_folder
long=(--size 64x64 --counted bounded --iterations 2000000000) # orbits that take minutes

# begin ARGUMENTS...: starts a run in the background; returns once it handles signals and counts, so
# it has opened its files.
begin() {
    env --default-signal=INT,TERM,HUP "$FATHOM" density --threads 2 "$@" >out 2>err </dev/null &
    program=$!
    catches $program INT TERM HUP
    until [ "$(find /proc/$program/task -mindepth 1 -maxdepth 1 2>/dev/null | wc -l)" -gt 1 ] || ! kill -0 $program 2>/dev/null; do
        sleep 0.02
    done
}

# ends STATUS: checks that it ends with that status.
ends() {
    wait $program
    local status=$?
    [ $status = "$1" ] || fail "status $status, not $1: $(cat err)"
}

# --- one signal that arrives as several ---

# Signals to the program and to its group, from a shell and from the kernel: all counts are kept.
for signals in 'TERM INT' 'HUP TERM' 'INT TERM HUP' 'HUP CONT INT'; do
    rm -f x.ppm r.npy
    begin --size 64x48 --seconds 60 -o x.ppm --resume r.npy
    at_once $program $signals
    ends 1
    complains 'interrupted; the result of [0-9]* samples was written; --resume continues'
    [ -s x.ppm ] && [ -s r.npy ] || fail "$signals: the counts are lost; there is $(ls)"
done
"$FATHOM" density "${long[@]}" --seconds 0 --resume long.npy >/dev/null
cp long.npy older.npy
begin "${long[@]}" --resume long.npy --samples 1T
at_once $program TERM INT HUP
sleep 1 # a later signal counts as another one, except HUP
kill -HUP $program
sleep 0.2
kill -0 $program 2>/dev/null || fail "a terminal that is closed ends it at once: $(cat err)"
kill -INT $program
ends 1
complains 'interrupted again'
cmp -s long.npy older.npy || fail 'interrupted twice, it loses the run of before'

# --- two runs, one file ---

# The later run is refused before it counts.
rm -f ./*
"$FATHOM" density --size 64x48 --samples 4096 --resume r.npy >/dev/null || fail 'no run'
begin --seconds 60 --resume r.npy
cp r.npy before.npy
expect 1 "$FATHOM" density --resume ./r.npy --seconds 0.1
complains "'./r.npy' is in use"
cmp -s r.npy before.npy || fail 'a run that was refused changed the file'
expect 0 "$FATHOM" density r.npy -o seen.ppm # reading the file is allowed
at_once $program TERM
ends 1
[ "$(ls -A)" = $'before.npy\nerr\nout\nr.npy\nseen.ppm' ] || fail "the runs left $(ls -A)"

# kept FILE: checks that FILE has the counts of the ended run, and that they can be continued.
kept() {
    complains 'changed by another process.*'"$1'"
    local samples
    samples=$(sed -n 's/.*"samples": \([0-9]*\).*/\1/p' out | head -n 1)
    "$FATHOM" density --resume "$1" --samples $((samples + 4096)) --json >again 2>&1 ||
        fail "the counts that were saved elsewhere do not go on: $(cat again)"
    [ -n "$samples" ] && "$FATHOM" density --size 64x48 --samples $((samples + 4096)) --data straight.npy >/dev/null &&
        "$FATHOM" density "$1" --resume "$1" --data went-on.npy >/dev/null &&
        "$FATHOM" compare straight.npy went-on.npy >/dev/null || fail "$1 has other counts"
}

# If the file did not exist at the start, or is another one by now, the run must not replace it.
for other in r.npy first.npy text; do
    rm -f ./*
    echo precious >text
    "$FATHOM" density --size 64x48 --samples 4096 --resume first.npy >/dev/null 2>&1
    case $other in
    r.npy) begin --size 64x48 --seconds 60 --resume r.npy -o x.ppm --json ;;
    *)
        cp first.npy r.npy
        begin --seconds 60 --resume r.npy -o x.ppm --json
        ;;
    esac
    case $other in
    r.npy) cp first.npy r.npy ;;
    text) cat text >r.npy ;; # the same inode
    *)
        cp first.npy moved
        touch -d '1 hour ago' moved
        mv moved r.npy
        ;;
    esac
    cp r.npy there
    at_once $program INT
    ends 1
    cmp -s r.npy there || fail "$other: what another process put there is lost"
    kept "$PWD/r.new.npy"
    [ -s x.ppm ] || fail "$other: the picture was not written"
done

finish
