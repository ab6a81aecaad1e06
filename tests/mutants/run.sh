#!/usr/bin/env bash
# Puts each fault of mutants.txt into a copy of the project, builds the programs of its tests and
# runs them. A fault that survives needs a new check. The working tree does not change.
# usage:  tests/mutants/run.sh [-B FOLDER] [-j JOBS] [ID...]
# FOLDER keeps the copy and its build for the next time (default: build/mutants). Without an ID all
# faults are tried, which takes an hour.
# Exit status 1: a fault survived, or could not be tried.
# shellcheck disable=SC1091,SC2046,SC2086,SC2154 # tests and targets are words; list.sh sets the rest
set -uo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
. "$root/tests/mutants/list.sh"
list=$root/tests/mutants/mutants.txt
copy=$root/build/mutants
jobs=$(nproc)

die() {
    echo "$0: $*" >&2
    exit 1
}

while getopts B:j: option; do
    case $option in
    B) mkdir -p "$OPTARG" && copy=$(cd "$OPTARG" && pwd) || exit 1 ;;
    j) jobs=$OPTARG ;;
    *) exit 1 ;;
    esac
done
shift $((OPTIND - 1))
wanted=" $* "
build=$copy/build
log=$copy/log
cuda=OFF
command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1 && cuda=ON

is_wanted() {
    [[ $wanted == '  ' || $wanted == *" $id "* ]]
}

needs_gpu() {
    [[ " $tests " == *' gpu '* && $cuda = OFF ]]
}

# Copies only files that differ, so that the next build is short.
copy_tree() {
    local path
    mkdir -p "$copy" && cd "$root" || exit 1
    git ls-files -co --exclude-standard | while IFS= read -r path; do
        [ ! -f "$path" ] || cmp -s "$path" "$copy/$path" || cp --parents "$path" "$copy" || exit 1
    done || die "the project could not be copied"
    cd "$copy" || exit 1
}

configure() {
    cmake -S "$copy" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DFATHOM_TESTS=ON \
        -DFATHOM_CUDA=$cuda >"$log" 2>&1 || die "see $log"
}

# Prints the targets that a test needs: its program, or the program that its script starts.
target_of() { # TEST
    local program
    program=$(find "$build" -name CTestTestfile.cmake -exec sed -nE 's/^add_test\((\[=\[|")?'"$1"'(\]=\]|")? "([^"]*)".*/\3/p' {} +)
    case ${program##*/}:$1 in
    :*) die "there is no test $1" ;;
    bash:manual) echo fathom fathom-install-files ;;
    bash:*) echo fathom ;;
    *) echo "${program##*/}" ;;
    esac
}

declare -A target
targets_of() { # TEST...
    local test
    for test; do
        [ "$test" = gpu ] || printf '%s ' ${target[$test]}
    done
}

build_targets() { # TARGET...
    ninja -C "$build" -j "$jobs" "$@" >"$log" 2>&1 </dev/null
}

# Returns 0 if all pass, 1 if one fails, 77 if none can run here. A test that fails is tried once
# more, since some fail now and then on a busy machine.
run_tests() { # TEST...
    local pattern="$*"
    pattern=${pattern% gpu}
    ctest --test-dir "$build" --repeat until-pass:2 -R "^(${pattern// /|})\$" >"$log" 2>&1 </dev/null || return 1
    grep -q ' Passed ' "$log" || return 77
}

# --- tests without a fault ---

broken=' ' # tests that fail without a fault, too
known=' '
learn() {
    local test
    is_wanted || return
    known+="$id "
    needs_gpu && return
    for test in ${tests% gpu}; do
        target[$test]=${target[$test]-$(target_of "$test")} || exit 1
    done
}

try_plain() {
    local test
    [ ${#target[@]} -eq 0 ] || build_targets $(printf '%s\n' "${target[@]}" | sort -u) || die "the copy cannot be built: see $log"
    for test in "${!target[@]}"; do
        run_tests "$test"
        [ $? -ne 1 ] || broken+="$test "
    done
}

# --- tests with a fault ---

declare -A count
say() { # RESULT
    printf '%-22s %-16s %4d s  %s\n' "$id" "$1" $((SECONDS - began)) "$tests"
    count[$1]=$((${count[$1]-0} + 1))
}

changed=
restore() {
    [ -z "$changed" ] || cp "$copy/original" "$copy/$changed"
    changed=
}
trap restore EXIT
trap 'exit 1' INT TERM

judge() {
    local test
    for test in $tests; do
        [[ $broken != *" $test "* ]] || return 3
    done
    build_targets $(targets_of $tests) || return 2
    run_tests $tests
}

try() {
    local mutated began=$SECONDS
    is_wanted || return
    if needs_gpu; then
        say skipped
        return
    fi
    if ! mutants_put; then
        say 'does not apply'
        return
    fi
    cp "$file" "$copy/original"
    changed=$file
    printf %s "$mutated" >"$copy/$file"
    judge
    case $? in
    0) say SURVIVED ;;
    1) say caught ;;
    2) say 'does not build' ;;
    3) say 'test is broken' ;;
    *) say skipped ;;
    esac
    restore
}

copy_tree
configure
mutants_each "$list" learn
for id in $wanted; do
    [[ $known == *" $id "* ]] || die "there is no fault $id"
done
try_plain
mutants_each "$list" try
for result in caught SURVIVED 'does not apply' 'does not build' 'test is broken' skipped; do
    printf '%s %s, ' "${count[$result]-0}" "$result"
done
echo "of $(wc -w <<<"$known")"
[ $((${count[caught]-0} + ${count[skipped]-0})) -eq "$(wc -w <<<"$known")" ]
