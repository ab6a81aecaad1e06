#!/usr/bin/env bash
# Makes docs/lab.md of intro.md and of two reports, each made on its machine by
#     fathom lab all -o docs/lab/FOLDER
# of which only the plots are kept here (those that a machine without gnuplot left as scripts are made
# by gnuplot -d ID.gp >ID.svg).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"

report() { # FOLDER HEADING
    printf '\n## %s\n\n' "$2"
    sed -e 's/^## /### /' -e "s|](\([^/)]*\)\.svg)|](lab/$1/\1.svg)|" -e 's|](\.\./|](lab/|' "$1/lab.md"
}

{
    cat intro.md
    report 2-cores "Full tables: two cores of a Zen 3"
    report h200 "Full tables: an H200 and sixteen threads beside it"
} >../lab.md
