# shellcheck shell=bash disable=SC2016
# Tests of the tests' shared functions: no failure is lost, and omitted parts are reported.
. "$FATHOM_SOURCE/tests/shared/expect.sh"

# Runs a script of these lines; its output goes to `out`. Checks its status.
script() { # STATUS LINE...
    local wanted=$1
    shift
    mkdir -p inner
    printf '%s\n' '. "$FATHOM_SOURCE/tests/shared/expect.sh"' "$@" finish >inner.sh
    (cd inner && bash ../inner.sh) >out 2>&1
    local got=$?
    [ $got = "$wanted" ] || fail "status $got, not $wanted: $*: $(cat out)"
}

script 0 'expect 0 true'
script 1 'expect 0 false'
script 1 '(expect 0 false)'
script 1 '(cd / && fail lost)'
script 1 'true | fail lost'
script 0 'expect 0 true' # nothing remains of the previous run
script 0 'can no-such-program "this and that"'
grep -qx 'left out: this and that: there is no no-such-program' out || fail "says '$(cat out)'"

# Signals wait for their handlers.
script 0 '{ sleep 0.5; trap "exit 7" TERM; while :; do sleep 0.1; done; } & catches $! TERM && kill -TERM $!
    wait $!
    [ $? = 7 ] || fail "not caught"'
script 1 'sleep 0.2 & catches $! TERM'
grep -q 'never had a handler for TERM' out || fail "says '$(cat out)'"

finish
