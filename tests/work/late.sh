# shellcheck shell=bash
# Shared movies in a folder that answers late, with clocks that jump: the frames are the same, and
# processes with other settings that begin at the same moment do not join.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
shim=$(realpath "${FATHOM_TESTS:-..}")/trouble_shim.so
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
fresh_folder
if [ ! -e "$shim" ]; then
    echo 'there is no trouble_shim.so'
    exit 77
fi
printf '[view]\nre = -0.743643887\nim = 0.131825904\nzoom = 300\n[fractal]\niterations = 2000\n' >v.fathom
movie=(v.fathom --size 48x27 --seconds 1 --fps 5 --threads 1)
mkdir one shared
expect 0 "$FATHOM" movie "${movie[@]}" -o 'one/%i.png'

# late MS NUMBER OPTIONS...: begins to make the movie in the shared folder.
late() {
    TROUBLE_LATE=$1 LD_PRELOAD=$shim timeout 60 "$FATHOM" movie "${movie[@]}" -o 'shared/%i.png' \
        --work work --join "${@:3}" 2>"err.$2" &
}

# Every answer takes 20 ms, and the steady clock skips a minute again and again, so that claims of
# the living look silent.
export TROUBLE_CLOCK=1
late 20 0
late 20 1
late 20 2
for _ in 0 1 2; do
    wait -n || fail "a late folder: $(cat err.*)"
done
unset TROUBLE_CLOCK
diff -r one shared || fail 'a late folder: other frames'
[ "$(ls work)" = "$(printf 'movie.lock\nwork.shared')" ] || fail "a late folder: $(ls work)"

# A process whose clocks stand still works alone, and with one that it sees die.
rm -rf work shared
mkdir shared
TROUBLE_CLOCK=2 late 0 3
wait $! || fail "a stopped clock: $(cat err.3)"
diff -r one shared || fail 'a stopped clock: other frames'
rm -rf work shared
mkdir shared
TROUBLE_LATE=100 LD_PRELOAD=$shim "$FATHOM" movie "${movie[@]}" -o 'shared/%i.png' --work work \
    --join 2>/dev/null &
mortal=$!
await 'work/ring-*.claim'
TROUBLE_CLOCK=2 late 0 3
still=$!
kill -KILL $mortal
wait $still || fail "a stopped clock beside a process that dies: $(cat err.3)"
diff -r one shared || fail 'a stopped clock beside a process that dies: other frames'

# Each sees an empty folder before the others have written: one process goes on.
rm -rf work shared
mkdir shared
for samples in 1 2 4; do
    late 100 $samples --samples $samples
done
for _ in 1 2; do
    wait -n && fail "two movies are made in one folder: $(cat err.*)"
done
[ "$(cat err.[124] | grep -c 'unfinished work of other settings')" = 2 ] || fail "one folder: $(cat err.*)"
jobs -p | xargs kill
wait
finish
