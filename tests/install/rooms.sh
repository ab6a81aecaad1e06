# shellcheck shell=bash
# Rules of the source tree, checked from the sources: which folder may include which (the table in
# docs/architecture.md), and the sizes of files and folders.
. "$FATHOM_SOURCE/tests/shared/expect.sh"
cd "$FATHOM_SOURCE" || exit 1

find app render cpu gpu cuda opencl lab tests \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) \
    2>/dev/null | LC_ALL=C sort >"$OLDPWD/files"
cd "$OLDPWD" || exit 1
[ "$(wc -l <files)" -gt 500 ] || fail "only $(wc -l <files) files were found"
(cd "$FATHOM_SOURCE" && xargs grep -nE '^[[:space:]]*#[[:space:]]*include' <"$OLDPWD/files") |
    sed -E 's/^([^:]+):([0-9]+):[^"<]*(["<][^">]+).*/\1 \2 \3/' >includes # FILE LINE "HEADER or <HEADER

# --- includes between folders ---

# FOLDER: folders that it may include besides itself. tests/ may include everything.
cat >folders <<END
app render cpu gpu cuda opencl
render
cpu render
gpu render
cuda gpu render
opencl gpu render
lab render cpu gpu cuda opencl
END
# The rooms of app/, from the top: each may include the rooms on lower lines; . is app/ itself.
cat >rooms <<END
mpi
command
bench
window
hud
gallery script movie
still
picture
explore
input
work
options
.
END
# FILE HEADER: main.c starts the commands, command_lab.c the laboratory.
cat >exceptions <<END
app/main.c app/command/commands.h
app/main.c app/options/config.h
app/command/command_lab.c lab/request.h
END
awk -v Q='"' '
    function top(path) { sub(/\/.*/, "", path); return path }
    function room(path,   parts, n) { n = split(path, parts, "/"); return n > 2 ? parts[2] : "." }
    FILENAME == "folders" { for (i = 1; i <= NF; i++) may[$1, $i] = 1; next }
    FILENAME == "rooms" { for (i = 1; i <= NF; i++) rank[$i] = FNR; next }
    FILENAME == "exceptions" { except[$1, $2] = 1; next }
    substr($3, 1, 1) != Q { next }
    {
        header = substr($3, 2); from = top($1); to = top(header)
        if (header !~ /\// || from == "tests" || ($1, header) in except) next
        # The scalar kernels apply the kernel text and the records that it reads.
        if ($1 ~ /^cpu\/scalar\// && header ~ /^gpu\/(kernels|escape\/tasks|density\/points)/) next
        if (!((from, to) in may))
            print $1 ":" $2 ": " from "/ may not include " header
        else if (from == "app" && to == "app") {
            a = room($1); b = room(header)
            if (!(a in rank) || !(b in rank))
                print $1 ":" $2 ": a room of app/ that no line names"
            else if (a != b && rank[a] >= rank[b])
                print $1 ":" $2 ": app/" a " may not include " header
        }
    }' folders rooms exceptions includes >wrong
# Paths start at the root, so that the included folder is visible.
awk -v Q='"' 'substr($3, 1, 1) == Q && $3 !~ /\// { print $1 ":" $2 ": without its folder: " substr($3, 2) }' includes >>wrong

# --- libraries ---

only() { # HEADERS FILES: only FILES may include HEADERS; both are patterns
    awk -v headers="^<($1)" -v files="^($2)" \
        '$3 ~ headers && $1 !~ files && $1 !~ /^tests\// { print $1 ":" $2 ": " substr($3, 2) " has no place here" }' includes >>wrong
}
only 'SDL|GL/|imgui' 'app/'
only 'imgui' 'app/hud/'
only '[a-z]*mmintrin' '(cpu/(lanes|stream)\.h|cpu/orbit_ifma\.c|lab/(hybridizer/mfunc_tmpl|paper/paper_vector_tmpl)\.c)'
only 'cuda|cooperative' '(cuda|lab)/'

# --- one way for state: app/explore alone writes into the explorer ---

state='(->|\.)(scene|camera|changed|tone_changed|quiet_ms|motion|history|zoom_speed|inertia|generation|plan|samples|shortcuts|speed|auto_limit|auto_frequency)\b'
(
    cd "$FATHOM_SOURCE/app" || exit 1
    rest=(command window hud gallery script movie still picture)
    grep -rnE "explorer${state}[][A-Za-z0-9_.>-]* *(([-+*/%&|^]|<<|>>)?=[^=]|\+\+|--)" "${rest[@]}"
    grep -rnE "struct [a-z_]+ \*[a-z_]+ = &[a-z_>.-]*explorer${state}" "${rest[@]}" | grep -v 'const struct'
    grep -rnE "(auto_limit|auto_frequency|orbits|field|setting)_(switch|forget|follow|judge|tell|fit|next|set|reset|parse|choose|step)[a-z_]*\([^)]*explorer" "${rest[@]}"
    grep -rnE '(^|[^t]) ?struct explorer \*' picture still hud/hud_text.* | grep -v 'const struct explorer'
) | sed 's#^#app/#; s#$#  (the explorer is changed by its own functions)#' >>wrong

# --- sizes, and the guards of headers ---

# Limits of files that may have more than 600 lines, 120 in a header, or 300 in a header of kernels: these may not grow.
cat >long <<END
207 render/backend.h
160 cpu/lanes.h
149 render/density/density_sample.h
END
awk -v root="$FATHOM_SOURCE/" '
    FILENAME == "long" { most[$2] = $1; next }
    {
        path = $1; n = 0; guard = ""
        while ((getline line < (root path)) > 0) {
            n++
            if (guard == "" && line ~ /^#(ifndef|pragma once)/) { split(line, words, " "); guard = words[2] }
        }
        close(root path)
        header = path ~ /\.c?u?h$/
        kernels = path ~ /^(render\/(deep|number|formula)|cpu\/deep|gpu\/kernels)\//
        limit = path in most ? most[path] : !header ? 600 : kernels ? 300 : 120
        if (n > limit) print path ": " n " lines; at most " limit
        wanted = "FATHOM_" toupper(path); gsub(/[^A-Z0-9]/, "_", wanted)
        if (header && guard != wanted) print path ": the guard is " guard ", not " wanted
    }' long files >>wrong
# Limits of rooms that may have more than 26 files.
cat >large <<END
29 render/base
27 render
END
awk 'FILENAME == "large" { most[$2] = $1; next }
    { sub(/\/[^\/]*$/, ""); count[$0]++ }
    END { for (f in count) if (count[f] > (f in most ? most[f] : 26)) print f "/: " count[f] " files" }' large files >>wrong

while read -r line; do
    fail "$line"
done <wrong
# --- scripts ---

# A syntax error in the middle of a script ends it there, often with status 0.
for script in "$FATHOM_SOURCE"/tests/*/*.sh; do
    bash -n "$script" 2>parsed
    [ ! -s parsed ] || fail "$(cat parsed)"
done

finish
