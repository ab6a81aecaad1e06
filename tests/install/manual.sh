# Man page and completions: they agree with the program's tables.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
texts=$(dirname "$FATHOM")/install
page=$texts/fathom.1
completion=$texts/fathom.bash

for command in '' explore render verify density locate compare bench info list classic lab config help; do
    # shellcheck disable=SC2086 # none or one
    "$FATHOM" help $command || fail "help $command failed"
done >help

# The page is well formed and contains everything that the help contains.
if can man "the man page's faults" && can groff "the man page's faults"; then
    MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -l "$page" >page.txt 2>warnings
    [ -s warnings ] && fail "the man page has faults: $(head -n 5 warnings)"
    groff -man -Tutf8 -ww -z "$page" 2>warnings || fail "groff refuses the page"
    [ -s warnings ] && fail "the man page has faults: $(head -n 5 warnings)"
    for section in NAME SYNOPSIS DESCRIPTION COMMANDS OPTIONS KEYS EXPLORING 'COMMAND LINE' \
        'ORBIT DENSITY' SETTINGS FILES PALETTES ENVIRONMENT 'EXIT STATUS' EXAMPLES BUGS 'SEE ALSO'; do
        grep -qx "$section" page.txt || fail "the man page has no section $section"
    done
fi
if can mandoc "the man pages by mandoc"; then
    mandoc -T lint -W warning "$page" "$texts/fathom-mpi.1" >warnings || fail "mandoc: $(head -n 5 warnings)"
fi
grep -q '^@' "$page" "$texts"/fathom{-mpi.1,.bash,.zsh,.fish} && fail "a line was not filled"
options=$(sed -n 's/^  \(-[a-z],\|   \) \(--[a-z0-9-]*\) .*/\2/p' help | sort -u)
[ "$(wc -w <<<"$options")" -gt 30 ] || fail "the help lists few options: $options"
for option in $options; do
    grep -qF -- "\\fB${option//-/\\-}\\fR" "$page" || fail "the man page has no $option"
done

# Finds for each option a value that it takes: 1, none, the first of the values that a refusal
# names, or one of the values below. Each run ends before any work, because no command takes that
# number of arguments; --help and --version are left out, because they would work.
fits() { # true if the last run has accepted its option's value
    [[ $said == *'does not apply'* || $said == *'needs a command'* || $said == *'too many'* || $said == *'not both'* ]]
}
declare -A value_of
for option in $(grep -vxe --help -e --version <<<"$options"); do
    for value in =1 '' NAMED =8x8 =30,20,10 =60 =2 =tricorn =ball =all; do
        [ "$value" = NAMED ] && value=$named
        said=$("$FATHOM" "$option$value" x.x y.y 2>&1)
        fits && break
        [[ $said == *' is one of '* ]] && named=${said#* is one of } && named="=${named%%,*}"
    done
    fits || fail "no value for $option is known to this test: $said"
    value_of[$option]=$option$value
done
declare -A taken
given() { # COMMAND OPTION...: leaves the program's message about these options, with their values, in `said`
    local command=${1#explore} option
    shift
    local -a words=()
    for option; do
        words+=("${value_of[$option]}")
    done
    said=$("$FATHOM" $command "${words[@]}" x.x y.y y.y y.y 2>&1)
}

# The explorer's options are those that remain after it has refused the other options one by one.
left=" ${!value_of[*]} "
given explore $left
while [[ $said == *'needs a command'* ]]; do
    said=${said#*error: }
    left=${left/ ${said%% *} / }
    given explore $left
done
taken[explore]=$(printf '%s\n' $left --help --version | sort)
[ "$(wc -l <<<"${taken[explore]}")" -gt 40 ] || fail "the explorer takes few options: $left"

# Each command's paragraph lists exactly the options that the program accepts; every fifth other
# option is tried, too.
for command in render verify density locate compare bench info list classic lab config; do
    taken[$command]=$(sed -n "/^\\\\fBfathom $command[ \\\\]/,/^Options:/{ s/^Options: //p }" "$page" |
        sed 's/\\-/-/g; s/[,.]/ /g' | tr -s ' ' '\n' | sort)
    given $command $(grep -vxe --help -e --version <<<"${taken[$command]}")
    [[ $said == *'too many'* || $said == *'not both'* ]] || fail "the man page's options of $command: $said"
    others=($(comm -13 <(echo "${taken[$command]}") <(printf '%s\n' "${!value_of[@]}" | sort)))
    for ((i = ${#command} % 5; i < ${#others[@]}; i += 5)); do
        given $command "${others[i]}"
        [[ $said == *"${others[i]} does not apply"* ]] || fail "the man page does not list ${others[i]} of $command: $said"
    done
done

# complete_words WORD...: completes the last word, and stores the offered words in `found`.
# shellcheck disable=SC1090 # made by the build
. "$completion" || fail "the completion cannot be read"
complete_words() {
    # shellcheck disable=SC2034 # the completion's own
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _fathom 2>/dev/null
    found=" ${COMPREPLY[*]-} "
}

offers() { # WORD... : EXPECTED...: checks the offered words; !EXPECTED must not be offered
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
touch 'a view.fathom' shot.ppm shot.png place.kfr place.toml run.npy other.txt go.script table.csv ./-dash.ppm
program=$FATHOM
offers "$program" re : render !compare
offers "$program" '' : render verify density locate compare bench info classic lab shot.ppm folder place.kfr \
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
offers "$program" --backend a : avx2 avx512
offers "$program" --backend l : !list
offers "$program" --backend avx2 lab r : roofline
offers "$program" --backend = avx2 lab r : roofline
offers "$program" -o x.ppm render --sm : --smooth=
offers "$program" render -o '' : shot.ppm folder !other.txt
offers "$program" --script '' : go.script !shot.ppm
for option in --resume --data --smooth; do
    offers "$program" density $option '' : run.npy folder !shot.ppm !shot.png !other.txt
done
offers "$program" bench --csv '' : table.csv folder !run.npy !shot.png
offers "$program" compare --diff '' : shot.png folder !shot.ppm !run.npy
offers "$program" render '' : !-dash.ppm
offers "$program" compare '' : shot.ppm shot.png run.npy !place.kfr
offers "$program" lab '' : all classic
offers "$program" list '' : views palettes formulas
offers "$program" render --size '' : 4k 1080p
offers "$program" info '' : !shot.ppm
complete_words "$program" 'a v'
[ "${COMPREPLY[0]-}" = 'a view.fathom' ] || fail "a name with a blank: $found"
mkdir -p home/fathom/palettes home/fathom/views
make_palettes() { # FILE...
    printf '[palette]\nname = Mine\ncolours = #000000 #ffffff\n' | tee -- "$@" >/dev/null
}
make_palettes home/fathom/palettes/10-mine.palette
touch home/fathom/views/my-place.fathom
offers "$program" --palette m : mine
offers "$program" my : my-place
# Names are treated as text.
touch 'home/fathom/views/$(touch ran).fathom' 'home/fathom/views/two words.fathom'
make_palettes 'home/fathom/palettes/`touch ran`.palette'
complete_words "$program" ''
complete_words "$program" --palette ''
[ -e ran ] && fail "completion runs what is in a file's name"
complete_words "$program" two
[ "${COMPREPLY[0]-}" = 'two words' ] || fail "a view with a blank in its name: $found"
# Only palettes that the program accepts are offered.
forty=$(printf 'p%.0s' {1..40})
make_palettes "home/fathom/palettes/zz;touch pwned;.palette" home/fathom/palettes/{ümlaut,q,p.p,99-,Ember,-dash}.palette \
    "home/fathom/palettes/qq words.palette" "home/fathom/palettes/$forty.palette" \
    "home/fathom/palettes/7-${forty}q.palette" home/fathom/palettes/.hidden.palette
offers "$program" --palette '' : mine q "$forty" ember !zz !ümlaut !words !p.p !99- !-dash !Ember \
    !"${forty}q" !.hidden '!ran`'
for word in $found; do
    grep -q '^[A-Za-z0-9_-]*$' <<<"$word" || fail "offers what needs quotes: $word"
done
mkdir -p relative/fathom/palettes
touch relative/fathom/palettes/far.palette
XDG_DATA_HOME=relative offers "$program" --palette '' : ember !far

# In an interactive shell, Tab and Return have no hidden effects: names are quoted.
touch 'home/fathom/views/vv;touch pwned;.fathom' 'ww;touch pwned;.ppm'
if can script 'completion at a terminal'; then
    cat >rc <<RC
PS1='' PROMPT_COMMAND=
PATH=$(dirname "$FATHOM"):\$PATH
fathom() { printf '<%s>' "\$@"; echo; }
. "$completion"
bind 'set bell-style none'
RC
    # shellcheck disable=SC2016
    printf '%s\t\n' 'fathom --palette zz' 'fathom vv' 'fathom render ww' 'fathom --palette min' |
        env TERM=dumb script -qec 'bash --noprofile --rcfile rc -i' /dev/null >typed 2>&1
    [ -e pwned ] && fail "Tab and Return run what is in a file's name: $(cat typed)"
    for word in '<vv;touch pwned;>' '<render><ww;touch pwned;.ppm>' '<--palette><mine>' '<--palette><zz>'; do
        grep -qF "$word" typed || fail "Tab does not give $word: $(cat typed)"
    done
fi

# Options are those of the typed command, all of them, as the program has them.
for command in explore render verify density locate compare bench info list classic lab config; do
    # shellcheck disable=SC2086 # none, for the explorer
    complete_words "$program" ${command#explore} --
    for word in $found; do
        _fathom_takes_value "${word%=}" && expected=${word%=}= || expected=${word%=}
        [ "$word" = "$expected" ] || fail "completion's options of $command: $word, not $expected"
    done
    found=$(printf '%s\n' ${found//=/} | sort)
    [ "$found" = "${taken[$command]}" ] ||
        fail "completion's options of $command: $(diff <(echo "$found") <(echo "${taken[$command]}") | tr '\n' ' ')"
done

# The other shells complete the same words as bash: all commands and options, and some values.
all_lines() { # prints lines, each with what bash offers at its end
    local line
    for line in 'fathom ren' 'fathom render --pal' 'fathom list ' 'fathom --palette em' 'fathom --palette mi' \
        'fathom --formula t' 'fathom render my' 'fathom --script g' 'fathom density --resume run' 'fathom render --colour-by d' \
        'fathom --backend av' 'fathom lab ro' 'fathom -o x.ppm render --sm' 'fathom compare shot'; do
        # shellcheck disable=SC2086
        complete_words ${line% } ${line##* }
        [ "${line%% }" = "$line" ] && complete_words $line
        [ "${line%% }" = "$line" ] || complete_words $line ''
        printf '%s:%s\n' "$line" "$(printf '%s\n' "${COMPREPLY[@]}" | sed 's/=$//' | sort | tr '\n' ' ')"
    done
}
PATH=$(dirname "$FATHOM"):$PATH all_lines >bash.txt
grep -c ': *$' bash.txt | grep -qx 0 || fail "bash completes nothing in: $(grep ': *$' bash.txt)"
same_as_bash() { # SHELL
    cmp -s bash.txt "$1.txt" || fail "$1 completes: $(diff bash.txt "$1.txt")"
}
if can fish "fish's completion"; then
    # shellcheck disable=SC2016
    PATH=$(dirname "$FATHOM"):$PATH HOME=$PWD fish --no-config -c 'source $argv[1]
        while read -l line
            printf "%s:%s\n" $line (complete -C $line | string replace -r "\t.*" "" | sort | tr "\n" " " | string collect -N)
        end' "$texts/fathom.fish" < <(sed 's/:[^:]*$//' bash.txt) >fish.txt 2>fish.err
    same_as_bash fish
    [ -s fish.err ] && fail "fish says: $(head -n 3 fish.err)"
fi
if can zsh "zsh's completion"; then
    # shellcheck disable=SC2016
    PATH=$(dirname "$FATHOM"):$PATH zsh -f -c 'setopt extendedglob
        add() { local word; for word; do [[ $word == $PREFIX* ]] && found+=($word); done }
        compadd() { while [[ $1 == -[^a]* ]]; do shift; done; [[ $1 == -a ]] && add ${(P)2} || add "$@" }
        _files() { [[ $1 == -g ]] && add ${~2}(N) }
        _describe() { add ${plain%%:*} ${valued%%:*} }
        compset() { PREFIX=${PREFIX#*=} }
        while IFS= read -r line; do
            words=(${=line}) found=()
            [[ $line == *" " ]] && words+=("")
            CURRENT=$#words PREFIX=$words[CURRENT]
            if (( $+functions[_fathom] )); then _fathom; else source $1; fi
            print -r -- "$line:${(j: :)${(@o)found}} "
        done' zsh "$texts/fathom.zsh" < <(sed 's/:[^:]*$//' bash.txt) >zsh.txt 2>zsh.err
    same_as_bash zsh
    [ -s zsh.err ] && fail "zsh says: $(head -n 3 zsh.err)"
fi

finish
