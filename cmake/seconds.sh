#!/usr/bin/env bash
# Writes cmake/seconds.txt from the log of a clean build in FOLDER without a compiler cache: the
# outputs in FOLDER that took a second or more, each with its seconds. ./run weighs its progress by the
# seconds, and tests/install/build_time.sh compares other builds with them.
# usage: cmake/seconds.sh FOLDER
set -euo pipefail
awk -F '\t' '/^#/ || $4 ~ /^\// { next } { seconds[$4] = ($2 - $1) / 1000 }
    END { for (output in seconds) if (seconds[output] >= 1) printf "%.1f %s\n", seconds[output], output }' \
    "$1/.ninja_log" | LC_ALL=C sort -k 2 >"$(dirname "$0")/seconds.txt"
