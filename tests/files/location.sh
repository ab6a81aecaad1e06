# shellcheck shell=bash
# A location on the command line: by its numbers, as clipboard text, and by an example's name in
# various spellings.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
fresh_folder

# Draws with these arguments and prints the picture's view.
drawn() { # COMMAND ARGUMENT...
    local command=$1
    shift
    rm -f out.ppm
    local more=()
    [ "$command" = density ] && more=(--samples 1000)
    timeout 60 "$FATHOM" "$command" "$@" "${more[@]}" --size 32x20 -o out.ppm >out.log 2>err.log || {
        echo "nothing: $(head -n 1 err.log)"
        return
    }
    echo "$(value out.ppm re) $(value out.ppm im) $(value out.ppm zoom) $(value out.ppm iterations)"
}

draws() { # WHAT-IT-IS COMMAND ARGUMENT...
    local wanted=$1 got
    shift
    got=$(drawn "$@")
    [ "$got" = "$wanted" ] || fail "fathom $*: drew $got, not $wanted"
}

refuses() { # STATUS MESSAGE ARGUMENT...
    local status=$1 message=$2 got
    shift 2
    SDL_VIDEODRIVER=offscreen timeout 20 "$FATHOM" "$@" >out.log 2>err.log
    got=$?
    [ $got = "$status" ] || fail "fathom $*: status $got, not $status: $(cat err.log)"
    [ "$(wc -l <err.log)" = 1 ] && grep -q -- "$message" err.log ||
        fail "fathom $*: said '$(cat err.log)', not one line with '$message'"
}

# Numbers of any length, in every command that draws.
long=-0.743643887037158704752191506114774000000000000000000000000000000000000000000000001
draws '-0.75 0.1 2500 1000' render --re -0.75 --im 0.1 --zoom 2500
draws '-0.75 0.1 2500 1000' density --re=-.75 --im=.1 --zoom=2.5e3
draws "$long 0 1.5 1000" render --re $long
draws '-0.5 0.25 1.5 1000' render --im 0.25
draws '-0.7463 0.1102 12 5000' render seahorse-valley --zoom 12
draws '-0.5 0.1102 400 5000' render seahorse-valley --re -0.5
refuses 2 "--zoom is not between" render --zoom 0 -o x.ppm
refuses 2 "--re is not a decimal number: 'left'" --re left
refuses 2 "--im does not apply to compare" compare a b --im 1

# Text, with or without a leading minus; a file of that name has priority.
draws '-0.75 0.1 2500 1000' render '-0.75 + 0.1i 2500'
draws '0.3 0.5 20 1000' density '0.3 + 0.5i 20'
draws '-0.75 -0.1 2500 4000' render '-.75 -0.1 2500 4000'
printf -- '-1 0 9\n' >'-0.75 0 3'
draws '-1 0 9 1000' render '-0.75 0 3'
refuses 1 "expected 're im zoom'" render '-0.75 + 0.1i' -o x.ppm
refuses 2 'unknown option' render '-z 1' -o x.ppm

# The same text gives the same place as an argument and as a file, in various notations.
both_draw() { # WHAT-IT-IS TEXT
    printf '%s\n' "$2" >place.txt
    draws "$1" render "$2"
    draws "$1" render place.txt
}
both_draw '-0.75 0.1 2500 1000' '(-0.75, 0.1) 2500'
both_draw '-0.75 0.1 2500 1000' $'\xe2\x88\x92''0.75 + 0.1i 2500'
both_draw '-0.75 -0.1 2500 12' $'\xe2\x88\x92''0.75 '$'\xe2\x88\x92'' 0.1i'$'\xc2\xa0''2500 12'
both_draw '-0.75 0.1 2500 1000' 're: -0.75 im: 0.1 zoom: 2500'
both_draw '-0.75 0.1 2500 1000' 'Re: -0.75 Im: 0.1 Zoom: 2500'
both_draw '-0.75 0.1 2500 1000' '-0,75 + 0,1i 2500'
both_draw '-0.75 0.1 2500 300' 're: -0,75 im: 0,1 zoom: 2500 iterations: 300'
refuses 1 'a comma may be a decimal one' render '0,5 1 200' -o x.ppm
refuses 1 'the zoom is missing' render 're: -0.75 im: 0.1' -o x.ppm
refuses 1 "there is no file and no example '3 pigs'" render '3 pigs' -o x.ppm

# Formulas of other programs.
formula_of() { # "FORMULA POWER THEN", WITHOUT WHAT IS USUAL, FILE
    local got
    drawn render "$2" >/dev/null
    got="$(value out.ppm formula) $(value out.ppm power) $(value out.ppm "then")"
    [ "$got" = "$1" ] || fail "$2: is of $got, not of $1: $(cat err.log)"
}
printf 'Re: -1.75\r\nIm: 0.03\r\nZoom: 20\r\nIterations: 200\r\nPower: 2\r\nFractalType: 1\r\n' >ship.kfr
printf 'program = "fraktaler-3"\n[location]\nreal = "-1.75"\n[[formula]]\nabs_x = true\nabs_y = true\n[[formula]]\n' >ship.toml
printf 'Re: 0\nIm: 0\nZoom: 1\nUseHybridFormula: 1\nHybridFormula: 0/1|0,0,0,0,3,1,0;0,0,0,0,0,0,0;0\n' >cubic.kfr
formula_of 'burning_ship  ' ship.kfr
formula_of 'burning_ship  mandelbrot' ship.toml
formula_of 'mandelbrot 3 ' cubic.kfr

# The explorer accepts the same.
printf 'wait complete\nkey S\nwait complete\n' >shot.script
explores() { # WHAT-IT-IS ARGUMENT...
    local wanted=$1 shot
    shift
    rm -rf shots
    timeout 60 "$FATHOM" "$@" --size 64x40 --script shot.script --screenshots shots >out.log 2>err.log
    for shot in shots/*; do
        wanted_of="$(value "$shot" re) $(value "$shot" im) $(value "$shot" zoom)"
    done
    [ "$wanted_of" = "$wanted" ] || fail "fathom $*: showed $wanted_of, not $wanted: $(cat err.log)"
}
explores '-0.75 0.1 2500' '-0.75 + 0.1i 2500'
explores '-0.75 0.1 2500' --re -0.75 --im 0.1 --zoom 2500
explores '-0.75 0.1 2500' 're: -0,75 im: 0,1 zoom: 2500'
explores '-0.7463 0.1102 400' seahorse

# Examples by name.
for name in seahorse 'Seahorse Valley' SEAHORSE_VALLEY seahorse-v SeahorseValley; do
    draws '-0.7463 0.1102 400 5000' render "$name"
done
refuses 1 'elephant-valley, seahorse-valley' render valley -o x.ppm
refuses 1 'elephant-valley, seahorse-valley' Valley
refuses 1 "did you mean 'seahorse-valley'" render seahorse-valey -o x.ppm
refuses 1 "no file and no example 'hilfe'" hilfe
mkdir seahorse
refuses 1 'seahorse' render seahorse -o x.ppm

[ $failures -eq 0 ]
