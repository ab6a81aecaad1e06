# shellcheck shell=bash
# Too many events, jumping clocks, lost devices, and signals, on every backend: the view stays
# valid, pictures stay correct, and the program quits as it should.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
shim=${FATHOM_TESTS:-..}/trouble_shim.so
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
rm -rf shots* ./*.ppm ./*.script ./*.fathom ./*.txt ./*.json

window=(--samples 2)
usable() {
    "$FATHOM" render -o /dev/null --size 8x8 --backend "$1" 2>/dev/null
}

# 1,500 events at once, some more as fast as they can be handled, and 1,500 again. The resulting
# view is saved (its picture may need more precision than this backend has), a complete picture is
# drawn from a view file, and it can be drawn again.
printf '[view]\nre = -0.5\nim = 0.25\nzoom = 3\n' >after.fathom
for backend in null avx2 cuda; do
    usable $backend || continue
    for size in 160x120 1x1; do
        [ $size = 1x1 ] && [ $backend != null ] && continue
        fathom "$(storm 1500 11)
wait 20
$(random_events 12 40)
$(storm 1500 13)
resize 200 150
goto after.fathom
wait complete
key S
wait complete" --size $size --backend $backend || fail "$backend, $size: status $?, $(head -n 40 err.txt)"
        [ -s err.txt ] && fail "$backend, $size: said $(cat err.txt)"
        expect "$backend: the view after all events" \
            "$(value "$(shot 1)" re) == -0.5 && $(value "$(shot 1)" im) == 0.25 && $(value "$(shot 1)" zoom) == 3"
        [ $backend = null ] || check_shot "$(shot 1)"
    done
done

# The view after random events is valid: its file can be read, and saving it again gives the same.
for seed in 1 3; do
    fathom "$(random_events "$seed" 80)
wait 50
resize 64 48
key S
wait complete 2" --size 100x80 || {
        # Deep in the set with a huge limit it may take longer than a test waits, which is no error.
        grep -q 'was not complete' err.txt || fail "random events $seed: $(head -n 40 err.txt)"
        left_out "the view after random events $seed" 'its picture was not complete in time'
        continue
    }
    for file in shots/fathom-*; do
        [ -e "$file" ] || continue
        if [ "$(value "$file" kind)" = density ]; then
            "$FATHOM" density "$file" -o again.ppm --samples 4096 >/dev/null || fail "seed $seed: no view in $file"
        else
            "$FATHOM" render "$file" -o again.ppm --iterations 1000 || fail "seed $seed: no view in $file"
        fi
    done
done

# Devices are lost at any moment, on each backend that has a fallback.
for backend in scalar cuda; do
    usable $backend || continue
    fathom "lose-device
wait 5
$(random_events 5 40)
lose-device
goto after.fathom
wait complete
key S
wait complete" --size 160x120 --backend $backend
    status=$?
    if [ $status = 0 ]; then
        check_shot "$(shot 1)"
    else
        [ $status = 1 ] && grep -q 'no other can be used' err.txt ||
            fail "$backend is lost: status $status, $(head -n 40 err.txt)"
    fi
done

# A GPU that is no longer there is reported as missing if it is requested, and otherwise ignored.
if usable cuda; then
    CUDA_VISIBLE_DEVICES='' "$FATHOM" render -o x.ppm --size 8x8 --backend cuda 2>err.txt &&
        fail 'a hidden GPU is used'
    [ "$(wc -l <err.txt)" = 1 ] && grep -q "backend 'cuda' cannot be used" err.txt || fail "no GPU: $(cat err.txt)"
    CUDA_VISIBLE_DEVICES='' "$FATHOM" render -o x.ppm --size 8x8 2>err.txt && [ ! -s err.txt ] ||
        fail "no GPU, and none asked for: $(cat err.txt)"
fi

# Clocks that jump: animations and waits end, and a name with a date is made. (By such a clock, 300
# seconds leave a busy machine little time.)
if [ -e "$shim" ]; then
    events='wait complete 3000
wheel 4 30% 40%
drag 60% 60% 20% 50% 20
wait complete 3000
wheel -1.5 70% 20%
goto after.fathom
wait complete 3000
key S
wait complete 3000'
    TROUBLE_CLOCK=1 LD_PRELOAD=$shim fathom "$events" --size 320x240 --auto-limit off ||
        fail "clocks that jump: status $?, $(head -n 40 err.txt)"
    [ -s err.txt ] && fail "clocks that jump: said $(cat err.txt)"
    jumped=$(ls shots/fathom-*-001.ppm)
    [[ $jumped =~ fathom-20[0-9][0-9]-[01][0-9]-[0-3][0-9]-001 ]] || fail "a screenshot is called $jumped"
    check_shot "$jumped"
    cp "$jumped" jumped.ppm
    play "$events" --size 320x240 --auto-limit off
    "$FATHOM" compare jumped.ppm "$(shot 1)" >/dev/null || fail 'clocks that jump change the picture'
    TROUBLE_CLOCK=1 LD_PRELOAD=$shim timeout 60 "$FATHOM" density -o d.ppm --size 64x48 --seconds 1 \
        >counted.txt 2>err.txt || fail "counting by clocks that jump: $(cat err.txt)"
    "$FATHOM" density d.ppm -o again.ppm >/dev/null && cmp d.ppm again.ppm ||
        fail 'counting by clocks that jump: the picture is not what its samples give'
    TROUBLE_CLOCK=1 LD_PRELOAD=$shim timeout 60 "$FATHOM" render after.fathom -o clock.ppm --size 320x240 ||
        fail 'rendering by clocks that jump'
else
    echo "left out: there is no $shim"
fi

# Stopped for a while, during a picture and an animation.
printf '%s\n' 'wheel 5 30% 40%' 'wait 1000' 'wheel -5 30% 40%' 'wait 1000' 'goto after.fathom' \
    'wait complete' 'key S' 'wait complete' >stopped.script
rm -rf shots
"$FATHOM" --script stopped.script --screenshots shots --size 320x240 2>err.txt &
program=$!
sleep 1
kill -STOP $program
sleep 1
kill -CONT $program
wait $program || fail "stopped and continued: status $?, $(cat err.txt)"
check_shot "$(shot 1)"

# In motion the event loop opens no file: shaders, fonts and all else are loaded before.
printf '%s\n' 'move 60% 40%' 'wait complete' 'press z' 'wait 1500' 'release z' 'wait complete' \
    'press x' 'wait 700' 'release x' 'wait complete' >held.script
TROUBLE_OPENED=opened.txt LD_PRELOAD=$shim "$FATHOM" --script held.script --size 160x120 --numbers all 2>err.txt ||
    fail "a held zoom: status $?, $(cat err.txt)"
[ -s opened.txt ] && fail "in motion the loop opened $(sort opened.txt | uniq -c)"
printf '%s\n' 'press z' "goto $PWD/after.fathom" 'wait 100' 'release z' >goto.script
TROUBLE_OPENED=opened.txt LD_PRELOAD=$shim "$FATHOM" --script goto.script --size 160x120 2>err.txt
grep -q after.fathom opened.txt || fail "what is opened is not told: $(cat err.txt)"

# An interrupted script has failed: status 1, one sentence, at once.
printf 'wait 100000\n' >long.script
env --default-signal=TERM "$FATHOM" --script long.script --size 64x48 2>err.txt &
program=$!
catches $program TERM
sleep 0.3
kill -s TERM $program
timeout 20 tail --pid=$program -f /dev/null
wait $program
status=$?
[ $status = 1 ] && [ "$(cat err.txt)" = 'fathom: error: interrupted before the script ended' ] ||
    fail "SIGTERM to a script: status $status, $(cat err.txt)"

[ $failures -eq 0 ]
