/* Reading scripts. Their execution is in script_run.c. */
#include "app/script_types.h"
#include "render/atomic_file.h"
#include "render/log.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCRIPT_SIZE_MAX (1 << 20)
#define COMMANDS_MAX    20000
#define NUMBER_MAX      1e6
#define SAMPLES_MAX     1e12
#define WORDS_MAX       6

/* One kind of command: how many numbers it takes, or a text. */
static const struct form {
    const char *name;
    enum command_kind kind;
    int least, most; /* numbers */
    bool text;
    unsigned positions; /* bit per number that is a part of a position */
} forms[] = {
    {"move", COMMAND_MOVE, 2, 2, false, 3},        {"wheel", COMMAND_WHEEL, 1, 3, false, 6},
    {"drag", COMMAND_DRAG, 4, 5, false, 15},       {"key", COMMAND_KEY, 0, 0, true, 0},
    {"resize", COMMAND_RESIZE, 2, 2, false, 0},    {"storm", COMMAND_STORM, 1, 2, false, 0},
    {"wait", COMMAND_WAIT, 1, 1, false, 0},        {"goto", COMMAND_GOTO, 0, 0, true, 0},
    {"capture", COMMAND_CAPTURE, 0, 0, true, 0},   {"measure", COMMAND_MEASURE, 1, 1, false, 0},
    {"lose-device", COMMAND_LOSE, 0, 0, false, 0}, {"quit", COMMAND_QUIT, 0, 0, false, 0},
};

static const struct form *find_form(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strlen(forms[i].name) == length && strncmp(forms[i].name, name, length) == 0)
            return &forms[i];
    return NULL;
}

/* Reads the numbers of `text`. NULL, or what is wrong; static text. */
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

/* "wait complete" and the like are kinds of their own. */
static const char *parse_wait(struct command *command, const struct form *form, const char *text) {
    static const struct form forms_of_wait[] = {
        {"complete", COMMAND_COMPLETE, 0, 1, false, 0},
        {"samples", COMMAND_SAMPLES, 1, 2, false, 0},
        {"points", COMMAND_POINTS, 1, 2, false, 0},
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

/* "Ctrl+Shift+C": the modifiers, then what SDL calls the key. */
static const char *parse_key(struct command *command) {
    static const struct {
        const char *prefix;
        Uint16 modifier;
    } modifiers[] = {
        {"Ctrl+", KMOD_LCTRL}, {"Shift+", KMOD_LSHIFT}, {"Alt+", KMOD_LALT}, {"Gui+", KMOD_LGUI}};
    const char *name = command->text;
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++) {
        const size_t length = strlen(modifiers[i].prefix);
        if (strncmp(name, modifiers[i].prefix, length) != 0 || !name[length])
            continue;
        command->modifiers |= modifiers[i].modifier;
        name += length;
        i = (size_t)-1;
    }
    command->key = SDL_GetKeyFromName(name);
    return command->key == SDLK_UNKNOWN ? "SDL knows no key of that name" : NULL;
}

static const char *check(const struct command *command) {
    const double *n = command->numbers;
    switch (command->kind) {
    case COMMAND_RESIZE:
        return n[0] < 1 || n[1] < 1 || n[0] > 16384 || n[1] > 16384
                   ? "a window has 1x1 to 16384x16384 pixels"
                   : NULL;
    case COMMAND_STORM:
    case COMMAND_MEASURE:
        return n[0] < 1 || n[0] > 20000 ? "not between 1 and 20000" : NULL;
    case COMMAND_WHEEL:
        return command->count == 2 ? "a position has two numbers" : NULL;
    case COMMAND_DRAG:
        return command->count == 5 && (n[4] < 1 || n[4] > 10000) ? "not between 1 and 10000 steps"
                                                                 : NULL;
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

/* Parses one line that is not empty. NULL, or what is wrong; static text. */
static const char *parse_command(struct command *command, char *line) {
    const size_t length = strcspn(line, " \t");
    const struct form *form = find_form(line, length);
    if (!form)
        return "no such command; there are move, wheel, drag, key, resize, storm, wait, goto, "
               "capture, measure, lose-device and quit";
    command->kind = form->kind;
    char *rest = line + length + strspn(line + length, " \t");
    const char *problem;
    if (form->text) {
        command->text = rest;
        problem = !*rest                      ? "something is missing behind the command"
                  : form->kind == COMMAND_KEY ? parse_key(command)
                                              : NULL;
    } else if (form->kind == COMMAND_WAIT) {
        problem = parse_wait(command, form, rest);
    } else {
        problem = parse_numbers(command, form, rest);
    }
    return problem ? problem : check(command);
}

/* Cuts a line's comment and white space off its end; returns its beginning. */
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
    const char *problem =
        script->count == COMMANDS_MAX ? "too many commands" : parse_command(command, line);
    if (problem)
        log_error("%s:%d: %s", path, number, problem);
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

struct script *script_load(const char *path) {
    struct script *script = calloc(1, sizeof *script);
    if (!script)
        return NULL;
    size_t length = 0;
    script->path = path;
    script->buffer = file_read(path, SCRIPT_SIZE_MAX, &length);
    script->commands = calloc(COMMANDS_MAX + 1, sizeof *script->commands);
    if (!script->buffer || !script->commands)
        goto error;
    if (strlen(script->buffer) != length) {
        log_error("%s: not a script, it contains a NUL byte", path);
        goto error;
    }
    if (!parse(script, path))
        goto error;
    return script;
error:
    script_destroy(script);
    return NULL;
}

void script_destroy(struct script *script) {
    if (!script)
        return;
    free(script->buffer);
    free(script->commands);
    free(script);
}
