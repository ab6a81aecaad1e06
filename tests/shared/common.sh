# shellcheck shell=bash
# Shared by all scripts: what this machine cannot show, programs as another user, signals that meet what they are meant for.
# Sourced by expect.sh and e2e.sh, which say what `fail` does.

# What is not looked at here is said.
left_out() { # WHAT WHY
    echo "left out: $1: $2"
}

# True where there is such a program; otherwise it is said what is left out.
can() { # PROGRAM WHAT
    command -v "$1" >/dev/null && return 0
    left_out "$2" "there is no $1"
    return 1
}

# The names of all tests of this build, a line each. (`ctest -N` would write over the log of the running one.)
test_names() {
    find "$(dirname "$FATHOM")/tests" -name CTestTestfile.cmake -exec \
        sed -nE 's/^add_test\((\[=\[|")?([A-Za-z0-9_]+).*/\2/p' {} +
}

# The backends that can run here and may be chosen without being named, a line each, best first; without OpenCL's, which is
# chosen for GPUs alone, where no other is.
automatic_backends() {
    "$FATHOM" info --json | grep -o '"name": "[^"]*", "usable": true, "automatic": true' | cut -d '"' -f 4 |
        grep -vx opencl
}

# Runs the program as a user whom permissions stop: as `nobody` where the test is root's, with no folders of its own,
# as those of the test may lie where only root may look, which would be worth a warning.
as_nobody() { # ARGUMENTS...
    local -a who=()
    [ "$(id -u)" = 0 ] && who=(setpriv --reuid=65534 --clear-groups) # which may start what root alone may look at
    env HOME=/nowhere XDG_CONFIG_HOME="${nobody_config-/nowhere}" XDG_DATA_HOME=/nowhere XDG_STATE_HOME=/nowhere \
        XDG_CACHE_HOME=/nowhere "${who[@]}" "$FATHOM" "$@"
}
can_as_nobody() { # WHAT [COMMAND, whose program may be another]: otherwise it is said what is left out
    as_nobody "${2:---version}" >/dev/null 2>&1 && return 0
    left_out "$1" 'another user cannot run the program here'
    return 1
}

# Waits until PROCESS has a handler for each SIGNAL, so that they meet the program and not what starts it.
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

# at_once PROCESS SIGNAL...: it gets them all at the same moment.
at_once() {
    local process=$1 signal
    shift
    kill -STOP "$process"
    for signal; do
        kill -s "$signal" "$process"
    done
    kill -CONT "$process"
}
