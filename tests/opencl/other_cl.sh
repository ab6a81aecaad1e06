# shellcheck shell=bash
# To be sourced by tests of what OpenCL's library could be: LD_LIBRARY_PATH=$other_cl puts one in its place that passes all
# on, but for what OTHER_CL says (other_cl.c). Without PoCL they skip. What they write goes into a folder of its own.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
other_cl=$(cd "${FATHOM_TESTS:-..}" && pwd)/other_cl${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
rm -rf work
mkdir work
cd work || exit 1

expect 0 "$FATHOM" info
if ! grep -q '^  device [0-9]*: .*pthread.*units' out; then
    echo "skipped: no OpenCL device on the processor (PoCL)"
    exit 77
fi
REAL_CL=$(ldconfig -p | sed -n 's/.*libOpenCL\.so\.1 .*x86-64.*=> //p' | head -n 1)
export REAL_CL OTHER_CL
