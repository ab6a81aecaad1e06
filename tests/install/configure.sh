# shellcheck shell=bash disable=SC2016
# An nvcc that rejects the host compiler, is too old, or is missing: one plain line, and the build
# continues without CUDA unless CUDA was required.
set -u
failures=0

stand_in() { # BODY
    printf '#!/bin/sh\n%s\n' "$1" >nvcc
    chmod +x nvcc
}

# Configures again; leaves the lines about CUDA in `said` and cmake's status in `status`.
configure() { # OPTION...
    rm -rf tree
    CUDACXX=$PWD/nvcc cmake -S "$FATHOM_SOURCE" -B tree -G Ninja -DFATHOM_TESTS=OFF "$@" >log 2>&1
    status=$?
    said=$(grep -A3 'CUDA backend' log | tr '\n' ' ')
}

expect() { # STATUS PATTERN WHAT
    # shellcheck disable=SC2053 # a pattern
    if [ "$status" -eq "$1" ] && [[ $said == $2 ]]; then
        return
    fi
    printf 'FAILED: %s: status %s, said "%s", expected "%s"\n' "$3" "$status" "$said" "$2"
    cat log
    failures=$((failures + 1))
}

stand_in 'echo "x.h:143:2: error: unsupported GNU version" >&2; exit 1'
configure
expect 0 '*not built*fails on a trial program: x.h:143:2: error: unsupported GNU version*' \
    'an nvcc that rejects the compiler'
configure -DFATHOM_CUDA=ON
expect 1 '*not built*' 'the same, CUDA being demanded'

stand_in '[ "$1" != --version ] || echo "release 11.8, V11.8.89"'
configure
expect 0 '*not built, nvcc 12 or newer is needed*V11.8.89*' 'an old nvcc'

[ $failures -eq 0 ]
