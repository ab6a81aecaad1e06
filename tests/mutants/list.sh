# shellcheck shell=bash
# Sourced by run.sh and mutants_apply.sh: reads the list of faults, whose head describes its format.
# shellcheck disable=SC2034 # those who source it use them
LC_ALL=C

# Calls FUNCTION for each fault of the LIST, with its $id, $file, $tests, $old and $new.
mutants_each() { # LIST FUNCTION
    local id='' file='' tests='' old='' new='' line
    while IFS= read -r line <&3 || [ -n "$id" ]; do
        case $line in
        '- '*) old+=${old:+$'\n'}${line#- } ;;
        '+ '*) new+=${new:+$'\n'}${line#+ } ;;
        '= '* | '')
            [ -z "$id" ] || "$2"
            id='' old='' new=''
            [ -z "$line" ] || read -r _ id file tests <<<"$line"
            ;;
        esac
    done 3<"$1"
}

# Sets $mutated to the file's text with the fault in it. Returns false if the original text does not
# occur exactly once.
mutants_put() {
    local text
    text=$(cat -- "$file" && echo .) 2>/dev/null || return 1
    text=${text%.}
    [[ -n $old && $text == *"$old"* ]] || return 1
    mutated=${text/"$old"/"$new"}
    [[ $mutated != "$text" && ${text/"$old"/} != *"$old"* ]]
}
