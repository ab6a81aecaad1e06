#!/usr/bin/env bash
# Builds the fuzzers and runs each for SECONDS (5 unless said), or those named: run.sh 600 png kfr.
# They start from tests/fuzz/corpus; what they learn is kept in build-fuzz/learnt. An input that breaks a
# reader is left in build-fuzz/found, and the status is 1.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
# shellcheck disable=SC1091
. "$root/cmake/setup.sh"
seconds=${1:-5}
shift || true
folder=$root/build-fuzz
setup_install build ci
setup_build "$folder" fuzz --preset fuzz -DFATHOM_WERROR=ON
if [ $# = 0 ]; then
    cd "$root/tests/fuzz/corpus"
    set -- *
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
broken=0
for reader; do
    learnt=$folder/learnt/$reader found=$folder/found/$reader
    mkdir -p "$learnt" "$found"
    if "$folder/fuzz_$reader" "$learnt" "$root/tests/fuzz/corpus/$reader" -max_total_time="$seconds" \
        -close_fd_mask=2 -rss_limit_mb=4096 -timeout=20 -print_final_stats=1 \
        -artifact_prefix="$found/" >log 2>&1; then
        echo "$reader: $(sed -n 's/^stat::number_of_executed_units: *//p' log) runs"
    else
        broken=1
        tail -n 60 log
        echo "$reader: broken by a file in $found"
    fi
done
exit $broken
