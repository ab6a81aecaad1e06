# shellcheck shell=bash
# Shared movies: any number of processes, kills, parts and full disks give the same frames.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
shim=$(realpath "${FATHOM_TESTS:-..}")/trouble_shim.so
fresh_folder
printf '[view]\nre = -0.743643887\nim = 0.131825904\nzoom = 300\n[fractal]\niterations = 2000\n' >v.fathom
small=(v.fathom --size 96x54 --seconds 2 --fps 20)
large=(v.fathom --size 192x108 --seconds 2 --fps 20 --samples 16 --threads 1)
mkdir one big
expect 0 "$FATHOM" movie "${small[@]}" -o 'one/%i.png'
expect 0 "$FATHOM" movie "${large[@]}" -o 'big/%i.png'

# same NAME FOLDER FOLDER: checks all 40 frames.
same() {
    local i
    for i in {01..40}; do
        cmp "$2/$i.png" "$3/$i.png" || fail "$1: frame $i differs"
    done
}

# join COUNT OPTIONS...: makes the small movie by COUNT processes into `shared`.
join() {
    local i count=$1
    shift
    rm -rf shared err.*
    mkdir shared
    for ((i = 0; i < count; i++)); do
        "$FATHOM" movie "${small[@]}" -o 'shared/%i.png' --work work --join "$@" 2>err.$i &
    done
    for ((i = 0; i < count; i++)); do
        wait -n || fail "$count processes: one has failed: $(cat err.*)"
    done
    same "$count processes" one shared
    [ "$(ls work)" = "$(printf 'movie.lock\nwork.shared')" ] || fail "$count processes leave $(ls work)"
    [ "$(cat err.* | grep -c 'another process has completed')" = $((count - 1)) ] ||
        fail "$count processes: $(cat err.*)"
    rm -rf work
}
join 1
join 2
join 3

# A segment fails whose pictures another process has stored meanwhile: the next ones are right.
if [ -e "$shim" ]; then
    rm -rf shared work
    mkdir shared
    LD_PRELOAD=$shim TROUBLE_OVERTAKEN='cp one/0[1-8].png shared' \
        "$FATHOM" movie "${small[@]}" -o 'shared/%i.png' --work work --join 2>err
    grep -q 'Input/output error' err || fail "no picture failed: $(cat err)"
    expect 0 "$FATHOM" movie "${small[@]}" -o 'shared/%i.png' --work work --join
    same 'an overtaken segment' one shared
    rm -rf work
else
    left_out 'an overtaken segment' "there is no $shim"
fi

# The way outwards, there and back, and a walk through Julia sets, where each frame has its own ring.
for how in '--reverse' '--loop' '--julia-re -0.8 --julia-im 0.15 --zoom 1 --vary julia-re=-0.8..-0.7'; do
    rm -rf alone shared
    mkdir alone shared
    # shellcheck disable=SC2086
    expect 0 "$FATHOM" movie "${small[@]}" $how -o 'alone/%i.png'
    for i in 1 2; do
        # shellcheck disable=SC2086
        "$FATHOM" movie "${small[@]}" $how -o 'shared/%i.png' --work work --join 2>err.$i &
    done
    wait
    same "$how" alone shared
    rm -rf work
done

# Who comes late finds the movie complete, and makes nothing; plain runs remove the note.
mkdir late
expect 0 "$FATHOM" movie "${small[@]}" -o 'late/%i.ppm' --work work --join
expect 0 "$FATHOM" movie "${small[@]}" -o 'late/%i.ppm' --work work --join --json
grep -q '"frames_made": 0,.*"rings_drawn": 0,' out || fail "a late process: $(cat out)"
expect 0 "$FATHOM" movie "${small[@]}" -o 'late/%i.ppm' --work work
[ ! -e work ] || fail "a plain run leaves $(ls work)"

# Parts draw their rings, then their frames; the last command finds everything.
mkdir parts
drawn=0
for k in 0 1 2 0 1 2; do
    expect 0 "$FATHOM" movie "${small[@]}" -o 'parts/%i.png' --work work --part $k/3 --json
    drawn=$((drawn + $(grep -oE '"rings_drawn": [0-9]+' out | grep -oE '[0-9]+')))
done
grep -q 'part 2/3 has its rings; 5 of 5' err || fail "the last part: $(cat err)"
[ $drawn = "$(grep -oE '"rings": [0-9]+' out | grep -oE '[0-9]+')" ] || fail "parts drew $drawn rings: $(cat out)"
expect 0 "$FATHOM" movie "${small[@]}" -o 'parts/%i.png' --work work --join --json
grep -q '"frames_made": 0,.*"rings_drawn": 0,' out || fail "after all parts: $(cat out)"
same parts one parts
rm -rf work

# Processes that are killed at random, and one that stays.
mkdir killed
begin() { # NUMBER
    "$FATHOM" movie "${large[@]}" -o 'killed/%i.png' --work work --join 2>"err.$1" &
}
kills=0
begin 0
for i in 1 2 3 4; do
    begin $i
    sleep 0.$((RANDOM % 3 + 1))
    kill -9 $! 2>/dev/null && kills=$((kills + 1))
    wait $! 2>/dev/null
done
wait
[ $kills -gt 0 ] || fail 'nothing was killed'
expect 0 "$FATHOM" movie "${large[@]}" -o 'killed/%i.png' --work work --join
same kills big killed
rm -rf work

# A process that was stopped for long comes back: its claims were taken over, the movie is complete.
rm -rf killed/*
begin 0
stopped=$!
await 'work/ring-*.claim'
kill -STOP $stopped
rm -f work/*.claim
expect 0 "$FATHOM" movie "${large[@]}" -o 'killed/%i.png' --work work --join
same 'a stopped process' big killed
kill -CONT $stopped
wait $stopped || fail "a process that was stopped: $(cat err.0)"
same 'a process that is back' big killed

# Another movie in the same folder, and a plain run next to a shared one, which takes minutes.
rm -rf killed/* work
"$FATHOM" movie v.fathom --size 640x360 --seconds 2 --samples 64 -o 'killed/%i.png' --work work --join 2>err.1 &
running=$!
await 'work/ring-*.claim'
expect 1 "$FATHOM" movie "${small[@]}" -o 'shared/%i.png' --work work --join
complains 'unfinished work of other settings'
expect 1 "$FATHOM" movie "${large[@]}" -o 'killed/%i.png' --work work
complains 'another process makes a movie'
kill $running
wait $running
grep -q 'interrupted; the same command goes on' err.1 || fail "an interrupted process: $(cat err.1)"
[ "$(find work -name '*.claim*')" = '' ] || fail "an interrupted process leaves $(ls work)"
rm -rf work

# A full disk: one line, and the next run goes on.
rm -rf killed/*
(
    ulimit -f 64
    expect 1 "$FATHOM" movie "${large[@]}" -o 'killed/%i.png' --work work --join
    complains "work/.*: File too large"
)
expect 0 "$FATHOM" movie "${large[@]}" -o 'killed/%i.png' --work work --join
same 'a full disk' big killed
rm -rf work

# Two devices of one machine; one that fails costs nothing.
rm -rf shared/*
expect 0 "$FATHOM" movie "${small[@]}" -o 'shared/%i.png' --work work --devices scalar,cpu
same devices one shared
rm -rf shared/* work
expect 0 "$FATHOM" movie "${small[@]}" -o 'shared/%i.png' --work work --devices cpu,opencl:none
grep -q 'opencl:none has failed; the others go on' err || fail "a lost device: $(cat err)"
same 'a lost device' one shared
rm -rf work

# A video is the same, too.
if can ffmpeg 'a shared video'; then
    expect 0 "$FATHOM" movie "${large[@]}" -o one.mp4
    for i in 1 2 3; do
        "$FATHOM" movie "${large[@]}" -o two.mp4 --work work --join 2>err.$i &
    done
    wait
    cmp one.mp4 two.mp4 || fail 'the shared video is another one'
    expect 0 "$FATHOM" movie "${large[@]}" -o two.mp4 --work work --join --json
    grep -q '"frames_made": 0,' out || fail "a late process makes the video again: $(cat out)"
    complains 'another process has completed'
    rm -rf work
fi

# Mistakes.
refused() { # STATUS PATTERN ARGUMENT...
    expect "$1" "$FATHOM" movie "${small[@]}" "${@:3}"
    complains "$2"
}
refused 2 'Y4M' -o - --join
refused 2 'not both' -o 'x-%i.png' --join --part 0/2
refused 2 'K/N' -o 'x-%i.png' --part 2/2
refused 2 'devices takes all' -o 'x-%i.png' --devices cpu,nothing
refused 2 'do not go with it' -o 'x-%i.png' --devices cpu --backend avx2
finish
