# fathom bench: its results are complete and right; speed is not tested.
. "$FATHOM_SOURCE/tests/shared/expect.sh"

# column NAME FILE: prints that column of a CSV file, one line per row.
column() {
    tr -d '\r"' <"$2" | awk -F, -v name="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }'
}

# rows FILE NAME=VALUE... -- COLUMN: prints a column of the rows that match.
rows() {
    local file=$1 match="" want
    shift
    while [ "$1" != -- ]; do
        match+="$1;"
        shift
    done
    want=$2
    tr -d '\r"' <"$file" | awk -F, -v match_all="$match" -v want="$want" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(match_all, m, ";"); next }
        {
            for (i = 1; i < n; i++) {
                split(m[i], pair, "=")
                if ($at[pair[1]] != pair[2]) next
            }
            print $at[want]
        }'
}

fresh_folder
backends=$(automatic_backends | grep -v cuda)

# All views, in the table and as CSV.
expect 0 "$FATHOM" bench kernels --quick --backend all --csv all.csv
for view in $("$FATHOM" --help | sed -n '/^views of bench:/,/^$/s/^      \([^ ]*\).*/\1/p'); do
    case $view in
    *-4k) ;; # for GPUs
    *)
        grep -q "^$view: " out || fail "the table has no $view"
        types='float double'
        [ $view = deep ] && types=double
        for type in $types; do
            for backend in $backends; do
                [[ "$backend $view" =~ ^scalar\ (whole-set-20k|deep)$ ]] && continue
                [ -n "$(rows all.csv view=$view name=$backend type=$type shortcuts=none -- ms)" ] ||
                    fail "$view was not measured with $backend in $type"
            done
        done
        wide=$(rows all.csv view=$view type=wide -- ms)
        [ "${wide:+interior}" = "$([ $view = interior ] && echo $view)" ] ||
            fail "$view in wide numbers took ${wide:-nothing}"
        ;;
    esac
done
[ "$(column ms all.csv | grep -vc '^[0-9]')" = 0 ] || fail "a row has no time"
[ "$(tr -cd '\r' <all.csv | wc -c)" = "$(wc -l <all.csv)" ] || fail "lines of CSV end in CR LF"
[ "$(awk -F, '{print NF}' all.csv | sort -u | wc -l)" = 1 ] || fail "lines of CSV differ in length"

# Backends draw the same.
[ "$(rows all.csv kind=backend -- pixels_differing | sort -u)" = 0 ] || fail "backends differ"
[ -n "$(rows all.csv name=plain -- view)" ] || fail "no plain loop"

# In the interior all do all steps; skipped and executed steps have the same sum. Loops with other
# rounding differ slightly.
[ "$(rows all.csv view=interior -- iterations | sort -u)" = $((96 * 64 * 1000)) ] ||
    fail "steps inside: $(rows all.csv view=interior -- iterations | tr '\n' ' ')"
for type in float double; do
    sums=$(paste <(rows all.csv view=whole-set kind=backend type=$type -- iterations) \
        <(rows all.csv view=whole-set kind=backend type=$type -- iterations_skipped) |
        awk '{print $1 + $2}' | sort -u)
    [ "$(wc -w <<<"$sums")" = 1 ] || fail "backends count different steps in $type: $sums"
    # That sum follows from the picture's counts; steps of escaping points cannot be skipped.
    printf '[view]\nre = -0.5\nzoom = 2\n' >whole-set.fathom
    expect 0 "$FATHOM" render whole-set.fathom --size 96x64 --iterations 1000 --precision $type --data counts.npy
    read -r all escaping < <(od -An -v -tu4 -w4 -j128 counts.npy |
        awk '{ all += $1; if ($1 < 1000) escaping += $1 } END { print all, escaping }')
    [ "$sums" = "$all" ] || fail "backends make and skip $sums steps in $type, the counts are $all"
    [ "$(rows all.csv view=whole-set kind=backend type=$type shortcuts=none -- iterations_skipped | sort -u)" = 0 ] ||
        fail "without shortcuts steps are skipped in $type"
    for steps in $(rows all.csv view=whole-set kind=backend type=$type shortcuts=all -- iterations); do
        [ "$steps" -ge "$escaping" ] && [ "$steps" -lt $((all / 2)) ] ||
            fail "with shortcuts $steps steps are made in $type, $escaping of $all must be"
    done
    for steps in $(rows all.csv view=whole-set kind=baseline type=$type -- iterations); do
        [ $((steps > sums ? (steps - sums) * 100 : (sums - steps) * 100)) -lt "$sums" ] ||
            fail "a baseline makes $steps steps, backends $sums"
    done
done

# The requested measurements, and no others.
expect 0 "$FATHOM" bench --quick --view interior,antenna --backend scalar --precision double \
    --repeats 3 --size 32x16 --iterations 77 --threads 1 --csv - --shortcuts all
tr -d '\r' <out >some.csv
[ "$(rows some.csv kind=backend -- view | tr '\n' ' ')" = "interior antenna " ] ||
    fail "measured $(rows some.csv kind=backend -- view)"
for pair in width=32 height=16 limit=77 threads=1 repeats=3 type=double; do
    [ "$(column "${pair%=*}" some.csv | sort -u)" = "${pair#*=}" ] || fail "not $pair everywhere"
done
[ "$(rows some.csv kind=backend -- shortcuts | sort -u)" = all ] || fail "not with shortcuts"

# A backend that is never chosen automatically is measured if it is named.
if "$FATHOM" info | grep -q '^  opencl   usable'; then
    expect 0 "$FATHOM" bench --quick --backend "opencl,$(tail -n 1 <<<"$backends")" --view escape-dense,deep --csv - \
        --size 32x16 --iterations 2000
    tr -d '\r' <out >named.csv
    for pair in escape-dense:float escape-dense:double deep:double; do
        [ -n "$(rows named.csv view=${pair%:*} type=${pair#*:} name=opencl kind=backend -- ms)" ] ||
            fail "opencl was not measured on $pair"
    done
    [ "$(rows named.csv kind=backend -- pixels_differing | sort -u)" = 0 ] || fail "opencl differs"
    [ "$(rows named.csv name=opencl -- threads | sort -u)" = 0 ] || fail "opencl has threads of the processor"
else
    left_out 'opencl in the benchmark' 'there is no device for it'
fi

# JSON for programs.
expect 0 "$FATHOM" bench --quick --json --csv same.csv --view whole-set
[ "$(wc -l <out)" = 1 ] || fail "--json is not one line"
if can python3 'what --json says'; then
    python3 -c '
import json, sys
report = json.load(sys.stdin)
assert report["complete"] and report["threads"] > 0 and report["clock_hz"] > 1e8, report
names = sys.argv[1].split(",")
assert all(list(row) == names for row in report["rows"]), report["rows"][0]
assert all(limit["steps_per_s"] > 0 for limit in report["limits"]), report["limits"]
' "$(head -n 1 same.csv | tr -d '\r"')" <out || fail "--json is wrong"
fi

# Mistakes.
expect 2 "$FATHOM" bench frames
complains "no benchmark 'frames'"
expect 2 "$FATHOM" bench --view whole-set,nowhere
complains "no view 'nowhere'"
expect 2 "$FATHOM" bench --backend avx2,null
complains "no backend 'null'"
expect 2 "$FATHOM" bench --json --csv -
complains "only one of"
expect 2 "$FATHOM" bench --repeats 0
complains "from 1 to 100"
expect 2 "$FATHOM" render --quick -o x.ppm
complains "does not apply to render"
expect 1 "$FATHOM" bench --quick --csv nowhere/x.csv
[ ! -s out ] || fail "measured before looking where to write"

expect 1 "$FATHOM" bench --view whole-set-4k --backend scalar
complains "nothing to measure"

# If it is interrupted, it prints the results so far; a slow machine gets more time to have some.
for seconds in 1 4 16; do
    "$FATHOM" bench --view antenna --size 640x480 --repeats 100 --csv part.csv >out 2>err &
    catches $! TERM
    sleep $seconds
    kill -TERM $!
    wait $!
    [ $? = 1 ] || fail "interrupted, status $?"
    complains interrupted
    grep -q '^antenna: ' out && break
done
grep -q '^antenna: ' out || fail "nothing was printed on interruption"
[ "$(column repeats part.csv | sort -n | tail -n 1)" -lt 100 ] || fail "was not interrupted"

finish
