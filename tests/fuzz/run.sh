#!/usr/bin/env bash
# Builds the fuzzers and runs each for SECONDS, or only the named ones: run.sh 600 png kfr. Without
# SECONDS, as before each change, readers of binary formats run for 25 s and those of texts for 4 s,
# one per processor at a time. They start from tests/fuzz/corpus; new inputs are kept in
# build-debug/learnt. An input that breaks a reader is left in build-debug/found, and the status is
# 1.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
# shellcheck disable=SC1091
. "$root/cmake/setup.sh"
seconds=${1-}
shift || true
folder=$root/build-debug
setup_install build ci
setup_build "$folder" fuzz --preset debug -DFATHOM_WERROR=ON
if [ $# = 0 ]; then
    cd "$root/tests/fuzz/corpus"
    set -- png shot npy run ppm $(ls -I png -I shot -I npy -I run -I ppm) # the long ones first
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

seconds_of() { # READER
    case $1 in
    png | shot | npy | run | ppm) echo "${seconds:-25}" ;;
    *) echo "${seconds:-4}" ;;
    esac
}

dictionary_of() { # READER
    case $1 in
    png | shot) echo "-dict=$root/tests/fuzz/dictionaries/png" ;;
    npy | run) echo "-dict=$root/tests/fuzz/dictionaries/npy" ;;
    esac
}

fuzz() { # READER
    local reader=$1 learnt=$folder/learnt/$1 found=$folder/found/$1
    mkdir -p "$learnt" "$found" "$reader"
    cd "$reader"
    # shellcheck disable=SC2046 # one argument or none
    if "$folder/fuzz_$reader" "$learnt" "$root/tests/fuzz/corpus/$reader" $(dictionary_of "$reader") \
        -max_total_time="$(seconds_of "$reader")" -close_fd_mask=2 -rss_limit_mb=4096 -timeout=10 \
        -print_final_stats=1 -artifact_prefix="$found/" >log 2>&1; then
        echo "$reader: $(sed -n 's/^stat::number_of_executed_units: *//p' log) runs"
    else
        touch ../broken
        tail -n 60 log
        echo "$reader: broken by a file in $found"
    fi
}

for reader; do
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do
        wait -n || true
    done
    fuzz "$reader" &
done
wait
[ ! -e broken ]
