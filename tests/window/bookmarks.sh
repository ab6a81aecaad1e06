# shellcheck shell=bash
# Bookmarks by keys: saved under names of their own, visited one after the other in both directions,
# newest first as in the gallery, and never overwriting a file; and the messages if there are none,
# if one is broken, or if none can be saved.
. "$FATHOM_SOURCE/tests/shared/e2e.sh"
fresh_folder
export SDL_VIDEODRIVER=offscreen
export XDG_DATA_HOME=$PWD/data XDG_CACHE_HOME=$PWD/cache XDG_STATE_HOME=$PWD/state XDG_CONFIG_HOME=$PWD/config
views=$XDG_DATA_HOME/fathom/views
window=(--size 200x150 --samples 1 --auto-frequency off --verbose)
kept() { # NAME...: checks that exactly these files exist
    [ "$(ls "$views" | sort)" = "$(printf '%s.fathom\n' "$@" | sort)" ] || fail "kept: $(ls "$views"), not $*"
}
zoom() { # SHOT ZOOM
    [ "$(value "$(shot "$1")" zoom)" = "$2" ] || fail "screenshot $1 shows zoom $(value "$(shot "$1")" zoom), not $2"
}
told() { # TEXT [TIMES]
    [ "$(grep -cF -- "$1" err.txt)" = "${2:-1}" ] || fail "'$1' is told $(grep -cF -- "$1" err.txt) times: $(cat err.txt)"
}
cat >sun.fathom <<'VIEW'
[view]
re = -0.776592847
im = -0.136640848
zoom = 4e5
[fractal]
iterations = 2000
[colour]
palette = neon
VIEW
printf '[view]\nre = -1.7625\nim = -0.03\nzoom = 38\n[fractal]\nformula = burning_ship\n' >ship.fathom

# Without bookmarks nothing moves.
play 'wait complete; key Ctrl+B; key Ctrl+Shift+B; shot'
told 'no bookmarks yet; Shift+B adds one'
zoom 1 1.5

# Three are saved with the complete view; Shift+B is not B.
play 'wait complete; key Shift+B; goto sun.fathom; wait complete; key Shift+B; wait 50; goto ship.fathom
wait complete; key Shift+B'
kept burning-ship-38 mandelbrot-1.5 mandelbrot-400000
told 'bookmark saved: mandelbrot-400000'
told 'bookmark saved: burning-ship-38'
backend=$(sed -n 's/.*"backend": "\([^"]*\)".*/\1/p' out.json)
play 'wait complete'
[ "$backend" = "$(sed -n 's/.*"backend": "\([^"]*\)".*/\1/p' out.json)" ] || fail "Shift+B changes the backend to $backend"
"$FATHOM" render sun.fathom --size 60x40 -o sun.ppm
"$FATHOM" render mandelbrot-400000 --size 60x40 -o kept.ppm || fail 'a bookmark is not found by its name'
cmp sun.ppm kept.ppm || fail 'a bookmark shows another picture'
grep -q '^palette = neon' "$views/mandelbrot-400000.fathom" || fail 'a bookmark has lost its colours'

# In another run: the newest first, then older ones, and round again; the other direction; U undoes
# one step, then all.
play 'wait complete; key Ctrl+B; shot; key Ctrl+B; shot; key Ctrl+B; shot; key Ctrl+B; shot; key Ctrl+Shift+B
shot; key U; shot; key U; key U; key U; key U; shot'
zoom 1 38
zoom 2 400000
zoom 3 1.5
zoom 4 38
zoom 5 1.5
zoom 6 38
zoom 7 1.5
[ "$(value "$(shot 1)" formula)" = burning_ship ] || fail 'a bookmark has lost its formula'
[ "$(value "$(shot 2)" palette)" = neon ] || fail 'the way to a bookmark has lost its colours'
[ "$(value "$(shot 6)" formula)" = burning_ship ] || fail 'undo brings no formula back'
told 'bookmark 2 of 3: mandelbrot-400000'
play 'wait complete; key Ctrl+Shift+B; shot; key Shift+B; key Ctrl+B; shot'
zoom 1 1.5
zoom 2 38 # the bookmark at the current place is skipped
rm "$views/mandelbrot-1.5-2.fathom"

# The gallery starts with the newest; bookmarks continue from one that is opened there; Shift+B
# saves one there, too.
play 'wait complete; key G; wait 50; key Right; key Return; shot; key Ctrl+B; shot; key G; wait 50; key Return
shot; key +; wait 500; key G; key Shift+B; wait 50; key Return; shot'
zoom 1 400000
zoom 2 1.5
zoom 3 38
zoom 4 57
kept burning-ship-38 burning-ship-57 mandelbrot-1.5 mandelbrot-400000
rm "$views/burning-ship-57.fathom"

# No file is overwritten, whoever wrote it, and no example is hidden by a new name.
echo mine >"$views/mandelbrot-1.5-2.fathom"
mine=$(cat "$views"/mandelbrot-1.5{,-2}.fathom | md5sum)
play 'wait complete; key Shift+B'
[ "$(cat "$views"/mandelbrot-1.5{,-2}.fathom | md5sum)" != "$mine" ] && fail 'a bookmark went over another one'
kept burning-ship-38 mandelbrot-1.5 mandelbrot-1.5-2 mandelbrot-1.5-3 mandelbrot-400000
rm "$views/mandelbrot-1.5-3.fathom"

# A broken bookmark is reported and skipped, and so is anything that is not a file.
touch -d '1 hour' "$views/mandelbrot-1.5-2.fathom"
mkdir "$views/folder.fathom"
play 'wait complete; key Ctrl+B; shot; key Ctrl+B; shot'
zoom 1 1.5
zoom 2 38
grep -q 'mandelbrot-1.5-2.fathom' err.txt || fail "a broken bookmark is not told of: $(cat err.txt)"
told 'bookmark 2 of 4: burning-ship-38'
rmdir "$views/folder.fathom"

# A full disk and a read-only folder cause one message each, and the program continues.
rm "$views"/*
printf 'wait complete\nkey Shift+B\nwait complete\n' >run.script
full() { # ARGUMENT...
    (
        trap '' XFSZ
        ulimit -f 0
        "$FATHOM" --script run.script --size 200x150 --samples 1 "$@" 2>&1 || echo "status $?"
    ) | cat >err.txt
}
if [ -z "${FATHOM_SANITIZED-}" ]; then # without files, clang's OpenMP ends the program
    full
    [ "$(wc -l <err.txt)" = 1 ] && grep -q "cannot write '$views/mandelbrot-1.5.fathom': File too large" err.txt ||
        fail "a full disk: $(cat err.txt)"
    [ -z "$(ls -A "$views")" ] || fail "a full disk has $(ls -A "$views")"
    full --verbose
    told 'the bookmark was not saved: cannot write'
fi
if can_as_nobody 'a folder that takes nothing'; then
    there=$(mktemp -d) && chmod 755 "$there"
    mkdir -p "$there/fathom/views"
    cp run.script "$there"
    chmod -R a+rX,a-w "$there"
    who=()
    [ "$(id -u)" = 0 ] && who=(setpriv --reuid=65534 --clear-groups)
    env HOME=/nowhere XDG_CONFIG_HOME=/nowhere XDG_STATE_HOME=/nowhere XDG_CACHE_HOME=/nowhere XDG_DATA_HOME="$there" \
        "${who[@]}" "$FATHOM" --script "$there/run.script" --size 200x150 --samples 1 2>err.txt || fail "status $?"
    [ "$(grep -c ^fathom err.txt)" = 1 ] && grep -q "cannot write '$there/fathom/views/.*': Permission denied" err.txt ||
        fail "a folder that takes nothing: $(cat err.txt)"
    chmod -R u+w "$there"
    rm -r "$there"
fi

[ $failures -eq 0 ]
