# shellcheck shell=bash
# Sourced by tests that send signals.

# heard_by PID: waits until it has a handler for SIGTERM. False: it is gone, or never gets one.
heard_by() {
    local caught i
    for ((i = 0; i < 600; i++)); do
        caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null) || return 1
        [ -n "$caught" ] && (((16#$caught >> 14) & 1)) && return 0
        sleep 0.05
    done
    return 1
}

# at_once PID SIGNAL...: it gets them all at the same moment.
at_once() {
    local program=$1 signal
    shift
    kill -STOP "$program"
    for signal in "$@"; do
        kill -s "$signal" "$program"
    done
    kill -CONT "$program"
}
