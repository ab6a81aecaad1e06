/* Help: prints the list of commands, or the options of one command. */
#include "app/options/option_table.h"
#include "render/files/bench_views.h"
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#define COLUMNS   100
#define MARGIN    30 /* column at which the texts of options begin */
#define TEXT_SIZE 1200
#define LISTED_MAX                                                                                 \
    100 /* [bytes] maximum length of choices in a line; the manual lists longer ones */

/* Appends to a text of TEXT_SIZE bytes. */
__attribute__((format(printf, 2, 3))) static void append(char *text, const char *format, ...) {
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, TEXT_SIZE - used, format, arguments);
    va_end(arguments);
}

static void print_wrapped(FILE *file, const char *text, int column, const char *margin) {
    const char *separator = "";
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (*separator && column + 1 + length > COLUMNS) {
            column = fprintf(file, "\n%s", margin) - 1;
            separator = "";
        }
        column += fprintf(file, "%s%.*s", separator, length, text);
        text += length + (text[length] == ' ');
        separator = " ";
    }
    fputc('\n', file);
}

static void append_choices(char *text, const struct option *option) {
    for (size_t i = 0; option->choices && option->choices[i]; i++)
        append(text, "%s%s", i > 0 ? ", " : "", option->choices[i]);
}

void option_print(FILE *file, const struct option *option, int column, const char *margin) {
    char text[TEXT_SIZE] = "", choices[TEXT_SIZE] = "", range[64];
    append(text, "%s", option->help);
    append_choices(choices, option);
    if (*choices)
        append(text, " One of %s.", choices);
    else if (option_range(option, range, sizeof range))
        append(text, " %c%s.", toupper((unsigned char)*range), range + 1);
    if (option->initial)
        append(text, option->of_view ? " Default: the view's, else %s." : " Default: %s.",
               option->initial);
    print_wrapped(file, text, column, margin);
}

/* --- the options of a command --- */

/* Returns true if an earlier option of the command's help has the same choices. */
static bool is_listed_before(const struct option *option, int command) {
    struct option before;
    for (size_t i = 0; i < option->index && option_at(i, &before); i++)
        if (before.choices == option->choices && before.commands >> command & 1)
            return true;
    return false;
}

/* Appends the values of an option and its default, which for choices is the first one unless
 * another is named. */
static void append_values(char *text, const struct option *option, int command) {
    char choices[TEXT_SIZE] = "", range[64];
    const char *initial = option->initial;
    const bool ranged = option_range(option, range, sizeof range);
    const bool first = initial && option->choices && strcmp(option->choices[0], initial) == 0;
    if (!is_listed_before(option, command))
        append_choices(choices, option);
    if (*choices && strlen(choices) <= LISTED_MAX)
        append(text, ": %s", choices);
    if (ranged && initial)
        append(text, " (%s; default %s)", range, initial);
    else if (ranged || (initial && !first))
        append(text, " (%s%s)", ranged ? "" : "default ", ranged ? range : initial);
}

/* Prints an option with the first sentence of its help. */
static void print_line(FILE *file, const struct option *option, int command) {
    char text[TEXT_SIZE] = "", margin[MARGIN + 1];
    const char *end = strstr(option->help, ". ");
    append(text, "%.*s", end ? (int)(end - option->help) : (int)strlen(option->help) - 1,
           option->help);
    append_values(text, option, command);
    int column = fprintf(file, option->letter ? "  -%c, --%s" : "  %c   --%s",
                         option->letter ? option->letter : ' ', option->name);
    column += fprintf(file, " %s", option->argument ? option->argument : "");
    snprintf(margin, sizeof margin, "%*s", MARGIN, "");
    if (column <= MARGIN)
        column += fprintf(file, "%*s", MARGIN - column, "");
    else
        column = fprintf(file, "\n%s", margin) - 1;
    print_wrapped(file, text, column, margin);
}

static unsigned all_commands(void) {
    size_t count = 0;
    while (option_command(count))
        count++;
    return (1u << count) - 1;
}

/* Part of a command's help that contains an option. */
enum part { PART_OWN, PART_OF_PICTURES, PART_OF_ORBITS, PART_OF_ALL };

static enum part part_of(const struct option *option, int command) {
    if (option->commands == all_commands() && command != COMMAND_HELP)
        return PART_OF_ALL;
    if (!option_command((size_t)command)->settings_elsewhere || option->kind != OPTION_SETTING)
        return PART_OWN;
    return option->commands >> COMMAND_RENDER & 1 ? PART_OF_PICTURES : PART_OF_ORBITS;
}

/* Prints only the names of options that another command's help explains. */
static void print_names(FILE *file, const char *intro, enum part part, int command) {
    char text[TEXT_SIZE] = "";
    struct option option;
    for (size_t i = 0; option_at(i, &option); i++)
        if (option.commands >> command & 1 && part_of(&option, command) == part) {
            append(text, "%s", *text ? ", " : "");
            if (option.letter)
                append(text, "-%c, ", option.letter);
            append(text, "--%s", option.name);
        }
    if (!*text)
        return;
    const int column = fprintf(file, "\n%s ", intro) - 1;
    print_wrapped(file, text, column, "  ");
}

static void print_command(FILE *file, int command) {
    const struct option_command *entry = option_command((size_t)command);
    struct option option;
    fprintf(file, "usage: fathom %s [OPTION...]\n       %s\n\n", entry->usage, entry->help);
    for (size_t i = 0; option_at(i, &option); i++)
        if (option.commands >> command & 1 && part_of(&option, command) == PART_OWN)
            print_line(file, &option, command);
    for (const struct bench_view *view = bench_views; command == COMMAND_BENCH && view->name;
         view++)
        fprintf(file, "%s  %-20s %s\n", view == bench_views ? "\nviews:\n" : "", view->name,
                view->what);
    print_names(file, "The picture, see 'fathom help render':", PART_OF_PICTURES, command);
    print_names(file, "Buddhabrots, see 'fathom help density':", PART_OF_ORBITS, command);
    print_names(file, "Every command, see 'fathom help help':", PART_OF_ALL, command);
}

/* --- all commands --- */

static void print_commands(FILE *file) {
    const struct option_command *command;
    fputs("fathom: explore fractals, from the whole set down to the smallest pixel\n\nusage:\n",
          file);
    for (size_t i = 0; (command = option_command(i)); i++)
        fprintf(file, "  fathom %-34s %s\n", command->usage, command->help);
    fputs("\n'fathom help COMMAND' lists a command's options, 'fathom help explore' those of the "
          "window.\n\n"
          "VIEW is a view file, a screenshot, a location of another program, the name of an "
          "example or of\n"
          "a view of your own (its beginning is enough), or a location such as "
          "'-0.75 + 0.1i 2500': centre,\n"
          "zoom and, if you like, an iteration limit. Without a VIEW the whole set is shown.\n"
          "'fathom list' names the example views, the palettes and the formulas.\n\n"
          "exit status: 0 done, 1 failed (or different, or wrong), 2 wrong usage\n",
          file);
}

void options_help(FILE *file, int command) {
    if (command < 0)
        print_commands(file);
    else
        print_command(file, command);
}
