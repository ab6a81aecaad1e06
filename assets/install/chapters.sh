#!/bin/sh
# Converts the chapters of the manual to man(7) source: sections in capitals, code in bold, and no
# pictures.
# usage: chapters.sh LOWDOWN MANUAL.md
set -eu
sed -n '/^## /,$p' "$2" | sed -e '/^!\[/d' -e 's/^#//' |
    "$1" -Tman --out-no-smarty --parse-no-metadata |
    sed -E -e '/^\.S[HS]$/ { N; s/\n/ "/; s/$/"/; }' -e '/^\.SH /s/".*"/\U&/' \
        -e 's/\\fC/\\fB/g' -e '/^[^.]/s/-/\\-/g' |
    sed -E ':again; /^\.S[HS] /{ n; /^\.[LP]P$/d; b again; }'
