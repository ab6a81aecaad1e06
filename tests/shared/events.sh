# shellcheck shell=bash
# Random events as lines of a script, the same for the same seed. Sourced.

# Shared functions of both generators: random numbers, and places up to ten pixels outside a window
# of 320x240.
events_common='
    function below(n) {
        state = state * 16807 % 2147483647
        return int(state / 2147483647 * n)
    }
    function one_of(list,  word) {
        return word[1 + below(split(list, word, " "))]
    }
    function place() {
        return sprintf("%.1f%% %.1f%%", below(1060) / 10 - 3, below(1080) / 10 - 4)
    }
    BEGIN { state = seed + 12345; for (i = 0; i < 10; i++) below(1) }'

# storm N SEED: N events of the mouse and of keys at once; then the button is released.
storm() {
    awk -v seed="$2" -v count="$1" "$events_common"'
    BEGIN {
        keys = "Left Right Up Down + - [ ] P C R H F1 V K N E J"
        print "burst", count
        for (i = 0; i < count; i++) {
            kind = below(6)
            if (kind == 0)
                print "wheel", below(2000) / 1000 - 1
            else if (kind == 1)
                print "press left-button"
            else if (kind == 2)
                print "release left-button"
            else if (kind == 3)
                print "key", one_of(keys)
            else
                print "move", place()
        }
        print "release left-button"
    }'
}

# random_events SEED N: N events of every kind, some in one turn: moves, wheels, all buttons,
# fingers, held keys, typing, sizes. Events are left out that quit, leave files behind, delete files
# (in the gallery), or take the window out of the script's control. In the end nothing is held.
random_events() {
    awk -v seed="$1" -v count="$2" "$events_common"'
    function button(  name) {
        name = one_of("left middle right")
        return below(4) == 0 ? "click " place() " " name " " 1 + below(3) \
                             : one_of("press release") " " name "-button"
    }
    function key(  name) {
        name = one_of(below(61) < 36 ? letters : others)
        gsub("_", " ", name)
        return one_of("press release key key key key") " " substr("Shift+Shift+Ctrl+", 1 + 6 * below(3), 6 * (below(7) > 3)) name
    }
    function rare(  kind) {
        kind = below(4)
        return kind == 0 ? "unfocus" : kind == 1 ? "leave" : "resize " 1 + below(700) " " 1 + below(700)
    }
    function event(  kind) {
        if (below(300) == 0)
            return rare()
        kind = below(10)
        return kind == 0 ? "wheel " below(2000) / 1000 - 1 \
             : kind <= 2 ? button() \
             : kind <= 4 ? key() \
             : kind == 5 ? "type " substr(typed, 1 + below(length(typed)), 1) \
             : kind == 6 ? (below(4) ? "touch " below(3) " " place() : "lift " below(3)) : "move " place()
    }
    BEGIN {
        letters = "A B C D E H I J K L M N O P R T U V W X Y Z 0 1 2 3 4 5 6 7 8 9"
        others = "Left Right Up Down + - = Keypad_+ , . [ PageUp PageDown F1 Tab ] Backspace Delete Return Space" \
                 " Home End / Left_Ctrl Left_Shift"
        typed = "abcdehijklmnoprtuvwxyzABCDEHIJKLMNOPRTUVWXYZ0123456789!\"$%&()*+,-./:;<=>?@[]^_`{|}~"
        for (i = 0; i < count; i++) {
            if (burst-- <= 0)
                print "burst", burst = 1 + below(40)
            print event()
        }
        for (i = 0; i < burst; i++)
            print "move", place()
        for (i = 0; i < 3; i++)
            print "lift", i
        for (i = 1; i <= split("left middle right", word, " "); i++)
            print "release", word[i] "-button"
        for (i = 1; i <= split(letters " Left_Ctrl Left_Shift", word, " "); i++) {
            gsub("_", " ", word[i])
            print "release", word[i]
        }
    }'
}
