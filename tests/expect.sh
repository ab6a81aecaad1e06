# shellcheck shell=bash
# Sourced by tests of the command line: failures are counted, and what a command says is in files.
set -u
failures=0
failed=$PWD/failed # is there once something has failed, in a subshell too
test_name=${0##*/}
rm -f "$failed"

fail() {
    echo "$test_name: $*"
    failures=$((failures + 1))
    : >"$failed"
}

# What this machine cannot show is said, once each.
left_out() { # WHAT WHY
    echo "left out: $1: $2"
}

# True where there is such a program; otherwise it is said what is left out.
can() { # PROGRAM WHAT
    command -v "$1" >/dev/null && return 0
    left_out "$2" "there is no $1"
    return 1
}

# expect STATUS COMMAND...: its standard output goes to `out`, its errors to `err`.
expect() {
    local wanted=$1 got
    shift
    "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$wanted" ] || fail "status $got, not $wanted: $*: $(tail -n 5 err)"
}

# The last expect's only message has this in it.
complains() {
    [ "$(wc -l <err)" = 1 ] && grep -q -- "$1" err || fail "said '$(cat err)', not one line with '$1'"
}

# The last line of a test.
finish() {
    [ ! -e "$failed" ] && [ $failures = 0 ] && echo "all passed" && exit 0
    exit 1
}
