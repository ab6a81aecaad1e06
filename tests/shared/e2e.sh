# shellcheck shell=bash
# Shared by the end-to-end tests: checking screenshots of the real program. Sourced.
set -u
failures=0
. "$FATHOM_SOURCE/tests/shared/common.sh"
. "$FATHOM_SOURCE/tests/shared/events.sh"
# It is noon when a test starts: dates name screenshots, and a test must not run across midnight.
export TZ="NOON$(($(date -u +%-H) - 12))"

fail() { # WHAT...
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

# Prints the name of a screenshot.
shot() { # NUMBER [FORMAT]
    ls shots/fathom-*-"$(printf %03d "$1").${2:-ppm}"
}

# Prints a value of the view that a screenshot contains.
value() { # FILE KEY
    sed -n "/^[0-9]/q; s/^# $2 = //p" "$1"
}

# Returns true if the awk expression holds.
holds() { # EXPRESSION
    awk "BEGIN { exit !($1) }"
}

expect() { # WHAT EXPRESSION
    holds "$2" || fail "$1: $2"
}

# Checks that a screenshot's own view renders to its pixels again.
check_shot() { # FILE
    "$FATHOM" render "$1" -o again.ppm && "$FATHOM" compare "$1" again.ppm >compared.txt ||
        fail "$1 is not what fathom render makes of it: $(cat compared.txt)"
}

check_density_shot() { # FILE
    "$FATHOM" density "$1" -o again.ppm >counted.txt && "$FATHOM" compare "$1" again.ppm >compared.txt ||
        fail "$1 is not what fathom density makes of it: $(cat counted.txt compared.txt)"
}

# Prints the bytes of a rectangle of a picture as numbers, one line per row.
crop() { # FILE WIDTH HEIGHT X Y ACROSS DOWN
    od -An -v -tu1 -w$((3 * $2)) -j $(($(stat -c %s "$1") - 3 * $2 * ($3 - $5))) -N $((3 * $2 * $7)) "$1" |
        cut -c $((12 * $4 + 1))-$((12 * ($4 + $6)))
}

# Print a coordinate of the point under a pixel: real or imaginary part.
point_re() { # FILE X
    awk "BEGIN { printf \"%.17g\", $(value "$1" re) + \
        ($2 - $(value "$1" width) / 2) * 4 / ($(value "$1" zoom) * $(value "$1" height)) }"
}
point_im() { # FILE Y
    awk "BEGIN { printf \"%.17g\", $(value "$1" im) - \
        ($2 - $(value "$1" height) / 2) * 4 / ($(value "$1" zoom) * $(value "$1" height)) }"
}
step() { # FILE
    awk "BEGIN { printf \"%.17g\", 4 / ($(value "$1" zoom) * $(value "$1" height)) }"
}

# Checks that the point under a pixel is the same in both pictures, within a thousandth of a pixel
# of the second.
expect_same_point() { # FILE FILE X Y
    expect "the point at $3,$4 stays (real part)" \
        "($(point_re "$1" "$3") - $(point_re "$2" "$3"))^2 < (0.001 * $(step "$2"))^2"
    expect "the point at $3,$4 stays (imaginary part)" \
        "($(point_im "$1" "$4") - $(point_im "$2" "$4"))^2 < (0.001 * $(step "$2"))^2"
}

# Checks that the centre of the second picture is that of the first, moved by whole pixels.
expect_moved() { # FILE FILE RIGHT DOWN
    expect "moved right by $3" \
        "($(value "$2" re) - $(value "$1" re) - $3 * $(step "$1"))^2 < (1e-6 * $(step "$1"))^2"
    expect "moved down by $4" \
        "($(value "$1" im) - $(value "$2" im) - $4 * $(step "$1"))^2 < (1e-6 * $(step "$1"))^2"
}

# Plays a script in the window with the options of the array `window`; the outputs go to out.json and
# err.txt. "; " separates lines as a new line does. The line `shot` saves a screenshot of the
# complete picture. Screenshots of the last script are deleted; captures are not.
window=()
fathom() { # SCRIPT ARGUMENTS...
    printf '%s\n' "${1//; /$'\n'}" | sed 's/^shot$/wait complete\nkey S\nwait complete/' >test.script
    rm -f shots/fathom-*
    timeout 300 "$FATHOM" --script test.script --screenshots shots --json "${window[@]}" "${@:2}" >out.json 2>err.txt
}

# Plays a script that must succeed.
play() { # SCRIPT ARGUMENTS...
    fathom "$@" || fail "status $?: $1: $(cat err.txt)"
}

# Returns true if the last script caused a message that matches the pattern.
said() { # PATTERN
    grep -q -- "$1" err.txt
}

# Prints a number of the last script's JSON.
number() { # KEY
    sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p" out.json
}
