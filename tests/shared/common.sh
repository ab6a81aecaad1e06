# shellcheck shell=bash
# Shared by all test scripts: reports of parts that this machine cannot test, programs run as
# another user, and signals. Sourced by expect.sh and e2e.sh, which define `fail`.

# Reports a part that is not tested here.
left_out() { # WHAT WHY
    echo "left out: $1: $2"
}

# Returns true if there is such a program; otherwise reports the part that is left out.
can() { # PROGRAM WHAT
    command -v "$1" >/dev/null && return 0
    left_out "$2" "there is no $1"
    return 1
}

# Prints the names of all tests of this build, one per line. (`ctest -N` would overwrite the log of
# the running ctest.)
test_names() {
    find "$(dirname "$FATHOM")/tests" -name CTestTestfile.cmake -exec \
        sed -nE 's/^add_test\((\[=\[|")?([A-Za-z0-9_]+).*/\2/p' {} +
}

# Prints the backends that can run here and that are chosen automatically, one per line, best first;
# without opencl, which is chosen only for GPUs that no other backend supports.
automatic_backends() {
    "$FATHOM" info --json | grep -o '"name": "[^"]*", "usable": true, "automatic": true' | cut -d '"' -f 4 |
        grep -vx opencl
}

# Runs the program as a user whom permissions stop: as `nobody` if the test runs as root. It gets no
# folders of its own, since the test's may lie where only root may look, which would cause a
# warning.
as_nobody() { # ARGUMENTS...
    local -a who=()
    [ "$(id -u)" = 0 ] && who=(setpriv --reuid=65534 --clear-groups) # this user may start a program that only root may look at
    env HOME=/nowhere XDG_CONFIG_HOME="${nobody_config-/nowhere}" XDG_DATA_HOME=/nowhere XDG_STATE_HOME=/nowhere \
        XDG_CACHE_HOME=/nowhere "${who[@]}" "$FATHOM" "$@"
}
can_as_nobody() { # WHAT [COMMAND, which may be another program]: reports WHAT as left out if that user cannot run it
    as_nobody "${2:---version}" >/dev/null 2>&1 && return 0
    left_out "$1" 'another user cannot run the program here'
    return 1
}

# Waits until PROCESS has a handler for each SIGNAL, so that signals reach the program and not the
# shell that starts it.
catches() { # PROCESS SIGNAL...
    local process=$1 signal bits=0 mask i
    shift
    for signal; do
        bits=$((bits | 1 << ($(kill -l "$signal") - 1)))
    done
    for ((i = 0; i < 1000; i++)); do
        mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$process/status" 2>/dev/null)
        [ $((0x${mask:-0} & bits)) = $bits ] && return 0
        kill -0 "$process" 2>/dev/null || break
        sleep 0.02
    done
    fail "process $process never had a handler for $*"
    return 1
}

# at_once PROCESS SIGNAL...: sends all signals at the same moment.
at_once() {
    local process=$1 signal
    shift
    kill -STOP "$process"
    for signal; do
        kill -s "$signal" "$process"
    done
    kill -CONT "$process"
}

# Enters a new, empty folder.
fresh_folder() {
    rm -rf work
    mkdir work && cd work || exit 1
}
