/* Script parser: parses a whole file into commands before the first one runs. script_run.c
 * executes them. */
#include "app/script/script_types.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCRIPT_SIZE_MAX (1 << 22)
#define COMMANDS_MAX    200000
#define NUMBER_MAX      1e6
#define SAMPLES_MAX     1e12
#define WORDS_MAX       6
#define SHOWN_MAX       60 /* bytes of an invalid line that its error shows */

/* A form of command: its numbers, or a text. */
static const struct form {
    const char *name;
    enum command_kind kind;
    int least, most;    /* fewest and most numbers */
    unsigned positions; /* a bit per number that is part of a position */
    bool text, button;
} forms[] = {
    {.name = "move", .kind = COMMAND_MOVE, .least = 2, .most = 2, .positions = 3},
    {.name = "wheel", .kind = COMMAND_WHEEL, .least = 1, .most = 3, .positions = 6},
    {.name = "drag", .kind = COMMAND_DRAG, .least = 4, .most = 5, .positions = 15, .button = true},
    {.name = "fling",
     .kind = COMMAND_FLING,
     .least = 4,
     .most = 5,
     .positions = 15,
     .button = true},
    {.name = "trace",
     .kind = COMMAND_TRACE,
     .least = 5,
     .most = 5,
     .positions = 15,
     .button = true},
    {.name = "click", .kind = COMMAND_CLICK, .most = 3, .positions = 3, .button = true},
    {.name = "touch", .kind = COMMAND_TOUCH, .least = 3, .most = 3, .positions = 6},
    {.name = "lift", .kind = COMMAND_LIFT, .least = 1, .most = 1},
    {.name = "tap", .kind = COMMAND_TAP, .most = 2, .positions = 3},
    {.name = "gamepad", .kind = COMMAND_GAMEPAD, .text = true},
    {.name = "panel", .kind = COMMAND_PANEL, .text = true},
    {.name = "key", .kind = COMMAND_KEY, .text = true},
    {.name = "press", .kind = COMMAND_PRESS, .text = true},
    {.name = "release", .kind = COMMAND_RELEASE, .text = true},
    {.name = "type", .kind = COMMAND_TYPE, .text = true},
    {.name = "clipboard", .kind = COMMAND_CLIPBOARD, .text = true},
    {.name = "resize", .kind = COMMAND_RESIZE, .least = 2, .most = 2},
    {.name = "burst", .kind = COMMAND_BURST, .least = 1, .most = 1},
    {.name = "leave", .kind = COMMAND_LEAVE},
    {.name = "unfocus", .kind = COMMAND_UNFOCUS},
    {.name = "wait", .kind = COMMAND_WAIT, .least = 1, .most = 1},
    {.name = "pass", .kind = COMMAND_PASS, .most = 1},
    {.name = "drop", .kind = COMMAND_GOTO, .text = true},
    {.name = "goto", .kind = COMMAND_GOTO, .text = true},
    {.name = "capture", .kind = COMMAND_CAPTURE, .text = true},
    {.name = "measure", .kind = COMMAND_MEASURE, .least = 1, .most = 1},
    {.name = "mark", .kind = COMMAND_MARK, .text = true},
    {.name = "lose-device", .kind = COMMAND_LOSE},
    {.name = "again", .kind = COMMAND_AGAIN},
    {.name = "quit", .kind = COMMAND_QUIT},
};

static const struct form *find_form(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strlen(forms[i].name) == length && strncmp(forms[i].name, name, length) == 0)
            return &forms[i];
    return NULL;
}

/* Reads the numbers of `text`. Returns NULL, or an error as static text. */
static const char *parse_numbers(struct command *command, const struct form *form,
                                 const char *text) {
    for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
        char *end;
        const double number = strtod(text, &end);
        const bool samples = form->kind == COMMAND_SAMPLES && command->count == 0;
        if (end == text || !isfinite(number) || fabs(number) > (samples ? SAMPLES_MAX : NUMBER_MAX))
            return samples ? "not a number of samples up to 1e12" : "not a number within +-1000000";
        if (command->count == form->most)
            return "too many numbers";
        command->percent |= *end == '%' ? 1u << command->count : 0;
        command->numbers[command->count++] = number;
        text = end + (*end == '%');
    }
    return command->count < form->least            ? "too few numbers"
           : (command->percent & ~form->positions) ? "only positions can have a %"
                                                   : NULL;
}

/* Parses the arguments of "wait"; "wait complete" and the like are kinds of their own. */
static const char *parse_wait(struct command *command, const struct form *form, const char *text) {
    static const struct form forms_of_wait[] = {
        {.name = "complete", .kind = COMMAND_COMPLETE, .most = 1},
        {.name = "samples", .kind = COMMAND_SAMPLES, .least = 1, .most = 2},
        {.name = "points", .kind = COMMAND_POINTS, .least = 1, .most = 2},
    };
    for (size_t i = 0; i < sizeof forms_of_wait / sizeof *forms_of_wait; i++) {
        const struct form *other = &forms_of_wait[i];
        if (strncmp(text, other->name, strlen(other->name)) != 0)
            continue;
        command->kind = other->kind;
        return parse_numbers(command, other, text + strlen(other->name));
    }
    return parse_numbers(command, form, text);
}

/* Removes prefixes such as "Ctrl+Shift+" from a name; returns the rest. */
static const char *take_modifiers(const char *name, Uint16 *modifiers) {
    static const struct {
        const char *prefix;
        Uint16 modifier;
    } list[] = {
        {"Ctrl+", KMOD_LCTRL}, {"Shift+", KMOD_LSHIFT}, {"Alt+", KMOD_LALT}, {"Gui+", KMOD_LGUI}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const size_t length = strlen(list[i].prefix);
        if (strncmp(name, list[i].prefix, length) != 0 || !name[length])
            continue;
        *modifiers |= list[i].modifier;
        name += length;
        i = (size_t)-1;
    }
    return name;
}

/* Returns the button with that name and ending, or 0. */
static Uint8 find_button(const char *name, size_t length, const char *ending) {
    static const char *const names[] = {"left", "middle", "right"};
    static const Uint8 buttons[] = {SDL_BUTTON_LEFT, SDL_BUTTON_MIDDLE, SDL_BUTTON_RIGHT};
    for (size_t i = 0; i < sizeof buttons; i++) {
        const size_t stem = strlen(names[i]);
        if (stem + strlen(ending) == length && strncmp(name, names[i], stem) == 0 &&
            strncmp(name + stem, ending, length - stem) == 0)
            return buttons[i];
    }
    return 0;
}

/* Parses a key such as "Ctrl+Shift+C": modifiers, then SDL's name of the key; or, if it can be
 * held, a button such as "left-button". */
static const char *parse_key(struct command *command) {
    const char *name = take_modifiers(command->text, &command->modifiers);
    if (command->kind != COMMAND_KEY)
        command->button = find_button(name, strlen(name), "-button");
    command->key = command->button ? SDLK_UNKNOWN : SDL_GetKeyFromName(name);
    return command->button || command->key != SDLK_UNKNOWN ? NULL : "SDL knows no key of that name";
}

/* Parses the only word among the numbers, "right" or "Ctrl+left", and replaces it by blanks. */
static const char *parse_button(struct command *command, char *text) {
    for (text += strspn(text, " \t"); *text && !isalpha((unsigned char)*text);
         text += strspn(text, " \t"))
        text += strcspn(text, " \t");
    command->button = SDL_BUTTON_LEFT;
    if (!*text)
        return NULL;
    const size_t length = strcspn(text, " \t");
    const char *name = take_modifiers(text, &command->modifiers);
    command->button = find_button(name, length - (size_t)(name - text), "");
    memset(text, ' ', length);
    return command->button ? NULL : "no such button; there are left, middle and right";
}

static const char *check(const struct command *command) {
    const double *n = command->numbers;
    switch (command->kind) {
    case COMMAND_RESIZE:
        return n[0] < 1 || n[1] < 1 || n[0] > 16384 || n[1] > 16384
                   ? "a window has 1x1 to 16384x16384 pixels"
                   : NULL;
    case COMMAND_BURST:
    case COMMAND_MEASURE:
        return n[0] < 1 || n[0] > 20000 ? "not between 1 and 20000" : NULL;
    case COMMAND_TAP:
        return command->count == 1 ? "a position has two numbers" : NULL;
    case COMMAND_WHEEL:
        return command->count == 2 ? "a position has two numbers" : NULL;
    case COMMAND_CLICK:
        return command->count == 1                               ? "a position has two numbers"
               : command->count == 3 && (n[2] < 1 || n[2] > 100) ? "not between 1 and 100 times"
                                                                 : NULL;
    case COMMAND_TOUCH:
    case COMMAND_LIFT:
        return n[0] < 0 || n[0] >= SCRIPT_FINGERS || n[0] != floor(n[0]) ? "no finger from 0 to 9"
                                                                         : NULL;
    case COMMAND_PANEL:
        return n[0] < 0 || n[0] > 100 ? "not between 0 and 100 %" : NULL;
    case COMMAND_DRAG:
    case COMMAND_FLING:
        return command->count == 5 && (n[4] < 1 || n[4] > 10000) ? "not between 1 and 10000 steps"
                                                                 : NULL;
    case COMMAND_TRACE:
        return n[4] <= 0 ? "not a positive time" : NULL;
    case COMMAND_WAIT:
    case COMMAND_COMPLETE:
        return n[0] < 0 ? "a negative time" : NULL;
    case COMMAND_SAMPLES:
    case COMMAND_POINTS:
        return n[0] <= 0 ? "not a positive number" : n[1] < 0 ? "a negative time" : NULL;
    default:
        return NULL;
    }
}

/* Replaces "\\n" by the end of a line, in place. */
static void break_lines(char *text) {
    char *end = text;
    while (*text) {
        const bool line = text[0] == '\\' && text[1] == 'n';
        *end++ = line ? '\n' : *text;
        text += line ? 2 : 1;
    }
    *end = '\0';
}

/* Splits a text such as "offset 30%" into the name of a row, which stays in `text`, and the
 * position across it. */
static void parse_row(struct command *command, char *text) {
    char *last = strrchr(text, ' '), *end = NULL;
    command->numbers[0] = 50;
    if (!last || text[strlen(text) - 1] != '%')
        return;
    const double part = strtod(last, &end);
    if (strcmp(end, "%") != 0)
        return;
    command->numbers[0] = isfinite(part) ? part : -1;
    while (last > text && strchr(" \t", last[-1]))
        last--;
    *last = '\0';
}

/* Parses "leftx -0.5" or "a 1"; "plug" and "unplug" alone become the numbers 1 and 0. */
static const char *parse_gamepad(struct command *command, char *text) {
    const size_t length = strcspn(text, " \t");
    char *number = text + length, *end;
    const bool plug = strcmp(text, "plug") == 0, unplug = strcmp(text, "unplug") == 0;
    command->axis = command->pad_button = -1;
    command->numbers[0] = plug;
    if (plug || unplug)
        return NULL;
    if (!*number)
        return "a stick, trigger or button has a number";
    *number++ = '\0';
    command->axis = SDL_GameControllerGetAxisFromString(text);
    command->pad_button = SDL_GameControllerGetButtonFromString(text);
    command->numbers[0] = strtod(number, &end);
    if (command->axis < 0 && command->pad_button < 0)
        return "SDL knows no axis or button of that name";
    return end == number || *end || !(fabs(command->numbers[0]) <= 1) ? "not a number within +-1"
                                                                      : NULL;
}

static const char *parse_text(struct command *command, char *text) {
    command->text = text;
    if (command->kind == COMMAND_CLIPBOARD)
        break_lines(text);
    if (command->kind == COMMAND_PANEL)
        parse_row(command, text);
    switch (command->kind) {
    case COMMAND_GAMEPAD:
        return parse_gamepad(command, text);
    case COMMAND_KEY:
    case COMMAND_PRESS:
    case COMMAND_RELEASE:
        return *command->text ? parse_key(command) : "something is missing after the command";
    default:
        return *command->text ? NULL : "something is missing after the command";
    }
}

/* Parses a line that is not empty. Returns NULL, or an error as static text. */
static const char *parse_command(struct command *command, char *line) {
    const size_t length = strcspn(line, " \t");
    const struct form *form = find_form(line, length);
    if (!form)
        return "no such command; there are move, wheel, drag, fling, trace, click, touch, lift, "
               "tap, gamepad, panel, key, press, release, type, clipboard, resize, burst, leave, "
               "unfocus, wait, drop, goto, capture, measure, mark, lose-device, again and quit";
    command->kind = form->kind;
    char *rest = line + length + strspn(line + length, " \t");
    const char *problem = form->button ? parse_button(command, rest) : NULL;
    if (form->text) {
        problem = parse_text(command, rest);
    } else if (form->kind == COMMAND_WAIT) {
        problem = parse_wait(command, form, rest);
    } else if (!problem) {
        problem = parse_numbers(command, form, rest);
    }
    return problem ? problem : check(command);
}

/* Removes a line's comment and trailing white space; returns its first visible character. */
static char *trim(char *line) {
    for (char *p = line; *p; p++)
        if (*p == '#' && (p == line || p[-1] == ' ' || p[-1] == '\t'))
            *p = '\0';
    size_t length = strlen(line);
    while (length > 0 && strchr(" \t\r", line[length - 1]))
        line[--length] = '\0';
    return line + strspn(line, " \t");
}

static bool add_command(struct script *script, const char *path, int number, char *line) {
    struct command *command = &script->commands[script->count];
    char shown[SHOWN_MAX + 1]; /* parse_command changes the line */
    snprintf(shown, sizeof shown, "%s", line);
    const char *problem =
        script->count == COMMANDS_MAX ? "too many commands" : parse_command(command, line);
    if (problem)
        log_error("%s:%d: %s: '%s'", path, number, problem, shown);
    command->line = number;
    script->count += !problem;
    return !problem;
}

static bool parse(struct script *script, const char *path) {
    char *next = script->buffer;
    for (int number = 1; next; number++) {
        char *line = next;
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        line = trim(line);
        if (*line && !add_command(script, path, number, line))
            return false;
    }
    return true;
}

struct script *script_of_text(const char *name, char *text) {
    struct script *script = calloc(1, sizeof *script);
    struct command *commands = calloc(COMMANDS_MAX + 1, sizeof *commands);
    if (!script || !commands) {
        free(script);
        free(commands);
        free(text);
        return NULL;
    }
    *script = (struct script){.path = name, .buffer = text, .commands = commands};
    if (parse(script, name))
        return script;
    script_destroy(script);
    return NULL;
}

struct script *script_load(const char *path) {
    size_t length = 0;
    char *text = file_read(path, SCRIPT_SIZE_MAX, &length);
    if (text && strlen(text) == length)
        return script_of_text(path, text);
    if (text)
        log_error("%s: not a script, it contains a NUL byte", path);
    free(text);
    return NULL;
}

void script_destroy(struct script *script) {
    if (!script)
        return;
    free(script->buffer);
    free(script->commands);
    free(script);
}
