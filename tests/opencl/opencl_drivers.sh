# shellcheck shell=bash
# OpenCL drivers that hang, crash or fail, simulated by a library of the test. Without a named
# backend the program continues on the CPU, with one clear line; a named backend fails with the
# reason.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
tests=$(cd "${FATHOM_TESTS:-..}" && pwd)
export LD_LIBRARY_PATH=$tests/fake_cl${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fresh_folder
size=(--size 64x36 --samples 1)
expect 0 "$FATHOM" render --backend scalar "${size[@]}" -o scalar.ppm

# seconds MOST COMMAND...: checks that it takes no longer.
seconds() {
    local most=$1 start=$SECONDS
    shift
    "$@"
    [ $((SECONDS - start)) -le "$most" ] || fail "took $((SECONDS - start)) seconds: $*"
}

FAKE_CL=hang
export FAKE_CL
expect 0 "$FATHOM" info
if grep -q '^  cuda     usable' out; then
    expect 0 "$FATHOM" -v render "${size[@]}" -o cuda.ppm
    grep -qi opencl err && fail "OpenCL is asked where there is CUDA: $(cat err)"
    finish
fi
grep -q '^  opencl   not usable: an OpenCL driver does not answer' out || fail "info says: $(cat out)"

# draws MODE SECONDS TEXT: draws without OpenCL, for the reason TEXT.
draws() {
    FAKE_CL=$1
    seconds "$2" expect 0 "$FATHOM" -v render "${size[@]}" -o "$1.ppm"
    [ "$(grep -c "$3" err)" = 1 ] || fail "$1: not one line with '$3': $(cat err)"
    cmp "$1.ppm" scalar.ppm || fail "$1: other pixels"
}
draws hang 10 'backend opencl passed over: an OpenCL driver does not answer'
draws crash 5 'backend opencl passed over: an OpenCL driver crashes'
draws cpu 5 'backend opencl passed over: no GPU'
draws gpu 5 "the GPU does not start: OpenCL's error"
draws context 20 'the GPU does not answer: it has not started within 10 seconds'

FAKE_CL=gpu
expect 0 "$FATHOM" classic 64 48 -o classic.ppm # OpenCL does not draw it

# refuses MODE SECONDS TEXT: fails if OpenCL is named.
refuses() {
    FAKE_CL=$1
    seconds "$2" expect 1 "$FATHOM" render --backend opencl "${size[@]}" -o none.ppm
    complains "$3"
}
refuses hang 10 'an OpenCL driver does not answer'
refuses crash 5 'an OpenCL driver crashes'
refuses cpu 5 "the GPU does not start: OpenCL's error"

# Failures caused by an interrupt are not reported in addition.
FAKE_CL=interrupt
expect 1 "$FATHOM" render --backend opencl "${size[@]}" -o none.ppm
[ "$(cat err)" = 'fathom: error: interrupted; nothing was written' ] || fail "interrupted, it says: $(cat err)"

# --- drivers that worked before ---

mkdir -p "$XDG_CACHE_HOME"
trusted() { # true if they are called in the same process next time
    [ -e "$XDG_CACHE_HOME/fathom/opencl-answers" ]
}
draws gpu 5 "the GPU does not start: OpenCL's error"
trusted || fail "an answer is not remembered"
draws hang 10 'backend opencl passed over: an OpenCL driver does not answer'
trusted && fail "an answer is remembered that did not come"
draws gpu 5 "the GPU does not start: OpenCL's error"
FAKE_CL=crash "$FATHOM" render "${size[@]}" -o crash.ppm >/dev/null 2>&1
trusted && fail "an answer is remembered before a crash"
draws crash 5 'backend opencl passed over: an OpenCL driver crashes'
touch "$XDG_CACHE_HOME/fathom/opencl-answers" # info ignores this
FAKE_CL=crash expect 0 "$FATHOM" info
grep -q '^  opencl   not usable: an OpenCL driver crashes' out || fail "info of a driver that was trusted says: $(cat out)"
trusted && fail "an answer is remembered when info was told of a crash"

# --- the window ---

printf 'wait complete\nkey S\nwait complete\n' >short.script
printf 'wait complete\nwait 11000\nkey S\nwait complete\n' >long.script
shows() { # MODE SCRIPT SECONDS
    FAKE_CL=$1
    rm -rf shots
    seconds "$3" expect 0 "$FATHOM" -v --script "$2.script" --size 64x36 --samples 1 --screenshots shots --no-config
    [ -n "$(ls shots 2>/dev/null)" ] || fail "$1: no picture in the window: $(cat err)"
}
for mode in hang gpu; do
    shows $mode short 15
done
shows context long 30
grep -q 'the GPU does not answer' err || fail "the window does not tell: $(cat err)"
finish
