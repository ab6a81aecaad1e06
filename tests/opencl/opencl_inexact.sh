# shellcheck shell=bash
# Devices without doubles or denormal numbers, or with free rounding: refused with the reason,
# except with --inexact. A library in place of OpenCL's forwards everything, with the faults of
# OTHER_CL (other_cl.c). Skipped without PoCL.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
other_cl=$(cd "${FATHOM_TESTS:-..}" && pwd)/other_cl${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fresh_folder

expect 0 "$FATHOM" info
if ! grep -q '^  device [0-9]*: .*pthread.*units' out; then
    echo "skipped: no OpenCL device on the processor (PoCL)"
    exit 77
fi
REAL_CL=$(ldconfig -p | sed -n 's/.*libOpenCL\.so\.1 .*x86-64.*=> //p' | head -n 1)
export REAL_CL OTHER_CL LD_LIBRARY_PATH=$other_cl
opencl=(--backend opencl --device pthread --size 96x54 --samples 1)

# refuses OTHER_CL TEXT: checks the reason.
refuses() {
    OTHER_CL=$1
    expect 0 "$FATHOM" info
    grep -q "device 0: .*; not used: $2" out || fail "$1: info says: $(cat out)"
    expect 1 "$FATHOM" render "${opencl[@]}" --precision float -o none.ppm
    complains "$2"
}

# draws OPTION...: draws nearly the CPU's picture; one count in twenty may differ.
draws() {
    expect 0 "$FATHOM" render "${opencl[@]}" --inexact --data opencl.npy -o opencl.ppm "$@"
    expect 0 "$FATHOM" render --backend scalar --size 96x54 --samples 1 --data scalar.npy -o scalar.ppm "$@"
    "$FATHOM" compare opencl.npy scalar.npy >compared 2>&1
    local others
    others=$(sed -n 's/.*[^0-9]\([0-9]*\) of [0-9]* .*/\1/p' compared | head -n 1)
    [ "${others:-0}" -le 259 ] || fail "$OTHER_CL: far from what the processor draws: $* $(cat compared)"
}

refuses doubles 'it has no doubles (with --inexact it draws in floats, to a zoom of about 10,000)'
expect 1 "$FATHOM" render "${opencl[@]}" --inexact -o none.ppm
complains 'supports only float here; use --precision float'
draws --precision float --julia-re -0.5 --julia-im 0.55 --layer light --colour-by distance
expect 1 "$FATHOM" density "${opencl[@]}" --inexact --samples 1000 -o none.ppm
complains 'cannot count orbits'

refuses denormals 'it has no denormal numbers (--inexact lets it draw)'
draws
refuses relaxed 'its arithmetic differs from that of other devices (--inexact lets it draw)\|in its own way'
draws

# The window starts with it, too, and zooms until floats are insufficient.
OTHER_CL=doubles
printf 'wait complete\nwheel 60 43%% 61%%\nwait complete\nkey S\nwait complete\n' >deep.script
expect 0 "$FATHOM" --script deep.script --backend opencl --device pthread --inexact --size 96x54 --samples 1 \
    --screenshots shots --no-config
[ -n "$(ls shots 2>/dev/null)" ] || fail "no picture in the window: $(cat err)"
finish
