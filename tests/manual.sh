# The man page and the completion say what the program's tables say.
. "$FATHOM_SOURCE/tests/expect.sh"
texts=$(dirname "$FATHOM")/install
page=$texts/fathom.1
completion=$texts/fathom.bash

"$FATHOM" --help >help || fail "--help failed"

# The page is well formed and says everything that --help says.
if command -v man >/dev/null && command -v groff >/dev/null; then
    MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -l "$page" >page.txt 2>warnings
    [ -s warnings ] && fail "the man page has faults: $(head -n 5 warnings)"
    groff -man -Tutf8 -ww -z "$page" 2>warnings || fail "groff refuses the page"
    [ -s warnings ] && fail "the man page has faults: $(head -n 5 warnings)"
    for section in NAME SYNOPSIS DESCRIPTION COMMANDS OPTIONS KEYS 'VIEW FILES' PALETTES \
        CONFIGURATION ENVIRONMENT FILES 'EXIT STATUS' EXAMPLES BUGS 'SEE ALSO'; do
        grep -qx "$section" page.txt || fail "the man page has no section $section"
    done
fi
if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$page" >warnings || fail "mandoc: $(head -n 5 warnings)"
fi
grep -q '^@' "$page" "$completion" && fail "a line was not filled"
options=$(sed -n 's/^ .* \(--[a-z-]*\)\( .*\)\?$/\1/p' help | sort -u)
[ "$(wc -w <<<"$options")" -gt 30 ] || fail "--help lists few options: $options"
for option in $options; do
    grep -qF -- "\\fB${option//-/\\-}\\fR" "$page" || fail "the man page has no $option"
done

# Completion: complete WORD..., the last of them being typed, fills `found`.
# shellcheck disable=SC1090 # made by the build
. "$completion" || fail "the completion cannot be read"
complete_words() {
    # shellcheck disable=SC2034 # the completion's own
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _fathom 2>/dev/null
    found=" ${COMPREPLY[*]-} "
}

offers() { # WORDS : EXPECTED...
    local -a words=()
    local all
    while [ "$1" != : ]; do
        words+=("$1")
        shift
    done
    shift
    complete_words "${words[@]}"
    all="${words[*]}"
    for word; do
        case $word in
        !*) case $found in *" ${word#!} "*) fail "'$all' offers ${word#!}:$found" ;; esac ;;
        *) case $found in *" $word "*) ;; *) fail "'$all' offers$found, not $word" ;; esac ;;
        esac
    done
}

rm -rf work
mkdir -p work/folder
cd work || exit 1
export XDG_DATA_HOME=$PWD/home
touch 'a view.fathom' shot.ppm shot.png place.kfr place.toml run.npy other.txt go.script
program=$FATHOM
offers "$program" re : render !compare
offers "$program" '' : render density compare bench info classic lab shot.ppm folder place.kfr \
    place.toml !other.txt seahorse-valley
offers "$program" render '' : shot.ppm seahorse-valley !compare
offers "$program" render seah : seahorse-valley
offers "$program" render --pal : --palette=
offers "$program" render -- : --output= --size= --help !--script= !--repeats=
offers "$program" -- : --script= --help !--output=
offers "$program" render --palette '' : aurora ember
offers "$program" render --palette = em : ember !aurora
offers "$program" render --palette=em : --palette=ember
offers "$program" --precision d : double !auto
offers "$program" --backend a : avx2 avx512 all
offers "$program" --backend l : !list
offers "$program" --backend avx2 lab r : roofline
offers "$program" --backend = avx2 lab r : roofline
offers "$program" -o x.ppm render --sm : --smooth=
offers "$program" render -o '' : shot.ppm folder !other.txt
offers "$program" --script '' : go.script !shot.ppm
offers "$program" compare '' : shot.ppm shot.png run.npy !place.kfr
offers "$program" lab '' : all classic
offers "$program" info '' : !shot.ppm
complete_words "$program" 'a v'
[ "${COMPREPLY[0]-}" = 'a view.fathom' ] || fail "a name with a blank: $found"
mkdir -p home/fathom/palettes home/fathom/views
touch home/fathom/palettes/10-mine.palette home/fathom/views/my-place.fathom
offers "$program" --palette m : mine
offers "$program" my : my-place
# Names are only names.
touch 'home/fathom/views/$(touch ran).fathom' 'home/fathom/views/two words.fathom' \
    'home/fathom/palettes/`touch ran`.palette'
complete_words "$program" ''
complete_words "$program" --palette ''
[ -e ran ] && fail "completion runs what is in a file's name"
complete_words "$program" two
[ "${COMPREPLY[0]-}" = 'two words' ] || fail "a view with a blank in its name: $found"

# Options are those of the command typed, all of them, as the program has them.
for command in render density compare bench info classic lab; do
    complete_words "$program" $command --
    for option in ${found//=/}; do
        "$FATHOM" $command "$option=" </dev/null 2>&1 | grep -q 'means nothing\|unknown option' &&
            fail "$command is offered $option, which it does not take"
    done
done

finish
