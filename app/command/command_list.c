/* fathom list: prints the names that other commands and options accept, one on each line. */
#include "app/assets.h"
#include "app/command/commands.h"
#include "render/base/json.h"
#include "render/base/log.h"
#include "render/base/suggest.h"
#include "render/formula/fractal.h"
#include "render/palette.h"
#include "render/style/style.h"
#include <string.h>

typedef void name_fn(void *user, const char *name);

static void each_view(name_fn *take, void *user) {
    struct assets_views views;
    assets_list_views(&views);
    assets_order_views(&views);
    for (size_t i = 0; i < views.count; i++)
        take(user, views.names[i]);
    assets_finish_views(&views);
}

static void each_palette(name_fn *take, void *user) {
    for (size_t i = 0; i < palette_count(); i++)
        take(user, palette_at(i)->id);
}

static void each_formula(name_fn *take, void *user) {
    for (size_t i = 0; formula_names[i]; i++)
        take(user, formula_names[i]);
}

static void each_style(name_fn *take, void *user) {
    struct styles styles = {0};
    styles_load(&styles);
    for (size_t i = 0; i < styles.count; i++)
        take(user, styles.list[i].name);
    styles_finish(&styles);
}

/* Functions that list names, in the order of list_names. */
static void (*const lists[])(name_fn *take, void *user) = {each_view, each_palette, each_formula,
                                                           each_style};
const char *const list_names[] = {"views", "palettes", "formulas", "styles", NULL};
_Static_assert(sizeof list_names / sizeof *list_names == sizeof lists / sizeof *lists + 1,
               "each list has a name");

static void print_name(void *user, const char *name) {
    char text[1024];
    log_escape(text, sizeof text, name);
    printf("%s%s\n", (const char *)user, text);
}

static void print_item(void *user, const char *name) {
    const char **separator = user;
    fputs(*separator, stdout);
    json_string(stdout, name);
    *separator = ", ";
}

/* Prints one list. If only one list is requested, programs may read it: no title and no
 * indentation. */
static void print_list(size_t list, bool alone) {
    if (!alone)
        printf("%s:\n", list_names[list]);
    lists[list](print_name, alone ? "" : "  ");
}

static void print_json(size_t list, bool first) {
    const char *separator = "";
    printf("%s\"%s\": [", first ? "{" : ", ", list_names[list]);
    lists[list](print_item, &separator);
    fputs("]", stdout);
}

/* Returns the index of a list, or -1 if there is no such list; the reason is logged. */
static int find_list(const char *name) {
    struct suggestion suggestion = {.word = name};
    for (int i = 0; list_names[i]; i++) {
        if (strcmp(list_names[i], name) == 0)
            return i;
        suggest_consider(&suggestion, list_names[i]);
    }
    if (suggestion.best)
        log_error("there is no list of '%s'; did you mean '%s'?", name, suggestion.best);
    else
        log_error("there is no list of '%s'; 'fathom list' prints all lists", name);
    return -1;
}

int command_list(const struct options *options) {
    const bool alone = options->argument_count > 0;
    const int wanted = alone ? find_list(options->arguments[0]) : 0;
    if (wanted < 0)
        return 2;
    const size_t first = (size_t)wanted;
    for (size_t i = first; list_names[i] && (!alone || i == first); i++)
        if (options->json)
            print_json(i, i == first);
        else
            print_list(i, alone);
    if (options->json)
        puts("}");
    return 0;
}
