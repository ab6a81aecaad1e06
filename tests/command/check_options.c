/* Command line: the effect of each option, and all kinds of wrong use. */
#include "app/options/option_table.h"
#include "app/options/options.h"
#include "cpu/cpuid.h"
#include "render/files/scene.h"
#include "tests/shared/texts.h"
#include <math.h>

#define WORDS_MAX 16

/* Parses a line, split at single spaces; "''" is the empty word. The words are valid until the next
 * call. */
static bool parse(struct options *options, const char *line) {
    static char copy[512];
    static char *argv[WORDS_MAX + 2];
    int argc = 1;
    memset(argv, 0, sizeof argv);
    argv[0] = "fathom";
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word && argc < WORDS_MAX; word = strtok(NULL, " "))
        argv[argc++] = strcmp(word, "''") == 0 ? word + 2 : word;
    return options_parse(options, argc, argv);
}

/* Returns the number that was given, or the index of the choice, or NaN if the option was not
 * given. */
static double told(const struct options *options, enum setting_id id) {
    SCOPED(scene, scene);
    const bool any = options_store_setting(options, id, &scene);
    return any ? setting_number(id, &scene) : NAN;
}

static void check_defaults(void) {
    struct options o;
    CHECK(parse(&o, ""));
    CHECK(o.command == COMMAND_EXPLORE && o.argument_count == 0);
    CHECK(!o.output && !o.backend && !o.script && !o.screenshots && !o.data && !o.smooth &&
          !o.diff && o.format == -1);
    CHECK(!o.device && o.threads == 0 && o.cpumask == ~0u && o.width_px == 0 && o.height_px == 0);
    for (int id = 0; id < SETTING_COUNT; id++)
        CHECK(!o.texts[id]);
    CHECK(o.shortcuts == SHORTCUTS_ALL);
    CHECK(parse(&o, "bench") && o.shortcuts == SHORTCUTS_NONE);
    CHECK(parse(&o, "bench --shortcuts cycle") && o.shortcuts == SHORTCUTS_CYCLE);
    CHECK(o.samples == 0 && isnan(o.seconds) && !o.resume);
    CHECK(!o.json && !o.verbose && !o.help && !o.version);
    char *none[] = {NULL};
    CHECK(options_parse(&o, 0, none));
}

static void check_commands(void) {
    struct options o;
    CHECK(parse(&o, "file.fathom") && o.command == COMMAND_EXPLORE && o.argument_count == 1 &&
          strcmp(o.arguments[0], "file.fathom") == 0);
    CHECK(parse(&o, "render") && o.command == COMMAND_RENDER && o.argument_count == 0);
    CHECK(parse(&o, "--json render v -o x") && o.command == COMMAND_RENDER && o.json &&
          strcmp(o.arguments[0], "v") == 0);
    CHECK(parse(&o, "./render") && o.command == COMMAND_EXPLORE);
    CHECK(parse(&o, "render render") && o.command == COMMAND_RENDER &&
          strcmp(o.arguments[0], "render") == 0);
    CHECK(parse(&o, "compare a info") && o.command == COMMAND_COMPARE && o.argument_count == 2);
    CHECK(parse(&o, "info") && o.command == COMMAND_INFO);
    CHECK(parse(&o, "bench") && o.command == COMMAND_BENCH && o.argument_count == 0 &&
          o.repeats == 0 && !o.quick && !o.csv && !o.views);
    CHECK(parse(&o, "bench kernels --view a,b --csv - --repeats 100 --quick") &&
          strcmp(o.arguments[0], "kernels") == 0 && strcmp(o.views, "a,b") == 0 &&
          strcmp(o.csv, "-") == 0 && o.repeats == 100 && o.quick);
    CHECK(parse(&o, "render -- --size") && strcmp(o.arguments[0], "--size") == 0);
    CHECK(parse(&o, "-- render") && o.command == COMMAND_EXPLORE && o.argument_count == 1 &&
          strcmp(o.arguments[0], "render") == 0);
    CHECK(parse(&o, "render - -o x") && strcmp(o.arguments[0], "-") == 0);
}

static void check_values(void) {
    struct options o;
    CHECK(parse(&o, "render -o a -v") && strcmp(o.output, "a") == 0 && o.verbose);
    CHECK(parse(&o, "render -oa") && strcmp(o.output, "a") == 0);
    CHECK(parse(&o, "render -vo -") && strcmp(o.output, "-") == 0 && o.verbose);
    CHECK(parse(&o, "render --output=--x=y") && strcmp(o.output, "--x=y") == 0);
    CHECK(parse(&o, "render --output a --output b") && strcmp(o.output, "b") == 0);
    CHECK(parse(&o, "--size 1x65536") && o.width_px == 1 && o.height_px == 65536);
    CHECK(parse(&o, "--size=641x3") && o.width_px == 641 && o.height_px == 3);
    CHECK(parse(&o, "--size 4k") && o.width_px == 3840 && o.height_px == 2160);
    CHECK(parse(&o, "--size 1080p") && o.width_px == 1920 && o.height_px == 1080);
    CHECK(parse(&o, "--iterations 0") && told(&o, SETTING_LIMIT) == 0);
    CHECK(parse(&o, "--iterations 10k") && told(&o, SETTING_LIMIT) == 10000);
    CHECK(parse(&o, "verify --points 2k") && o.points == 2000);
    CHECK(parse(&o, "density --channels 1M,10k,500") &&
          strcmp(o.texts[SETTING_CHANNELS], "1M,10k,500") == 0);
    CHECK(parse(&o, "--fullscreen") && o.fullscreen);
    CHECK(parse(&o, "--iterations 2147483647") && told(&o, SETTING_LIMIT) == 2147483647);
    CHECK(parse(&o, "--precision float") && told(&o, SETTING_PRECISION) == PRECISION_FLOAT);
    CHECK(parse(&o, "--precision auto") && told(&o, SETTING_PRECISION) == PRECISION_AUTO);
    CHECK(parse(&o, "--formula tricorn") && told(&o, SETTING_FORMULA) == FORMULA_tricorn);
    CHECK(parse(&o, "--backend x --device 3 --threads 7") && strcmp(o.backend, "x") == 0 &&
          strcmp(o.device, "3") == 0 && o.threads == 7);
    CHECK(parse(&o, "--device RTX") && strcmp(o.device, "RTX") == 0);
    CHECK(parse(&o, "--palette SIXTEEN") && strcmp(o.texts[SETTING_PALETTE], "SIXTEEN") == 0);
    CHECK(parse(&o, "--script s --screenshots d") && strcmp(o.script, "s") == 0 &&
          strcmp(o.screenshots, "d") == 0);
    CHECK(parse(&o, "render --data d --smooth s") && strcmp(o.data, "d") == 0 &&
          strcmp(o.smooth, "s") == 0);
    CHECK(parse(&o, "--cpumask none") && o.cpumask == 0);
    CHECK(parse(&o, "--cpumask all") && o.cpumask == ~0u);
    CHECK(parse(&o, "--cpumask fma") && o.cpumask == CPU_FMA);
    CHECK(parse(&o, "--cpumask avx2") && o.cpumask == (CPU_FMA | CPU_AVX2));
    CHECK(parse(&o, "--cpumask avx2,fma") && o.cpumask == (CPU_FMA | CPU_AVX2));
    CHECK(parse(&o, "info --cpumask avx512") && o.cpumask == (CPU_FMA | CPU_AVX2 | CPU_AVX512));
    CHECK(parse(&o, "-h compare") && o.help);
    CHECK(parse(&o, "--version") && o.version);
    log_start();
    CHECK(parse(&o, "--iterations 99999999999999999999999") &&
          told(&o, SETTING_LIMIT) == 2147483647);
    CHECK(log_is_one_line("warning: --iterations is clamped to 2147483647"));
}

static void check_density(void) {
    static const struct {
        const char *text;
        uint64_t samples;
    } counts[] = {{"1", 1},
                  {"1000000", 1000000},
                  {"1e9", 1000000000},
                  {"25e0", 25},
                  {"7k", 7000},
                  {"64M", 64000000},
                  {"20G", 20000000000},
                  {"1.5M", 1500000},
                  {"3T", 3000000000000},
                  {"1e18", 1000000000000000000},
                  {"1000000T", 1000000000000000000}};
    struct options o;
    char line[80];
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        snprintf(line, sizeof line, "density --samples %s", counts[i].text);
        CHECK(parse(&o, line) && o.command == COMMAND_DENSITY && o.samples == counts[i].samples);
    }
    CHECK(parse(&o, "density v --seconds 2.5 --resume r -o p --data d --json --size 3x4") &&
          strcmp(o.arguments[0], "v") == 0 && o.seconds == 2.5 && strcmp(o.resume, "r") == 0 &&
          strcmp(o.data, "d") == 0 && o.json && o.width_px == 3);
    CHECK(parse(&o, "density --counted bounded --least 0 --random 0") &&
          told(&o, SETTING_ORBITS) == DENSITY_BOUNDED && told(&o, SETTING_LEAST) == 0 &&
          strcmp(o.texts[SETTING_RANDOM], "0") == 0);
    CHECK(parse(&o, "--channels 5000,500,50 --least 2147483647 --random 18446744073709551615") &&
          strcmp(o.texts[SETTING_CHANNELS], "5000,500,50") == 0 &&
          told(&o, SETTING_LEAST) == 2147483647 &&
          strcmp(o.texts[SETTING_RANDOM], "18446744073709551615") == 0);
    CHECK(parse(&o, "density --curve slopes --exposure -16 --gamma 0.1 --white 100 --ramp ice") &&
          told(&o, SETTING_CURVE) == TONE_SLOPES && told(&o, SETTING_EXPOSURE) == -16 &&
          told(&o, SETTING_GAMMA) == 0.1 && told(&o, SETTING_WHITE) == 100 &&
          told(&o, SETTING_RAMP) == TONE_ICE);
    CHECK(parse(&o, "density --threads 3 --backend x --iterations 5 --precision float --device 1"));
}

/* Checks that names of earlier versions have their old meaning. */
static void check_former_names(void) {
    static const char *const methods[] = {"tiles",    "tiled",  "rows",
                                          "scanline", "deepen", "progressive"};
    struct options o;
    for (int i = 0; i < 2 * METHOD_COUNT; i++) {
        char line[64];
        snprintf(line, sizeof line, "render --method %s", methods[i]);
        CHECK(parse(&o, line) && told(&o, SETTING_METHOD) == i / 2);
    }
    CHECK(parse(&o, "bench --shortcuts cycle") && o.shortcuts == SHORTCUTS_CYCLE);
    CHECK(parse(&o, "density --curve slopes") && told(&o, SETTING_CURVE) == TONE_SLOPES);
    CHECK(parse(&o, "--second-layer-mode screen") && o.texts[SETTING_LAYER2_MODE]);
    CHECK(parse(&o, "render --auto-density on") && o.auto_frequency == 1);
    static const struct {
        enum setting_id id;
        const char *former, *now;
    } choices[] = {
        {SETTING_MAPPING, "square root", "sqrt"},
        {SETTING_MAPPING, "logarithm", "log"},
        {SETTING_BY, "triangle inequality", "triangle"},
        {SETTING_BY, "point trap", "point"},
        {SETTING_BY, "line trap", "line"},
        {SETTING_BY, "cross trap", "cross"},
        {SETTING_BY, "circle trap", "circle"},
        {SETTING_BY, "atom domains", "domains"},
        {SETTING_INSIDE, "one colour", "one"},
        {SETTING_INSIDE, "last |z|", "last"},
        {SETTING_INSIDE, "atom", "domains"},
        {SETTING_LAYER, "slope light", "light"},
        {SETTING_LAYER2, "binary decomposition", "binary"},
        {SETTING_LAYER2, "field lines", "field"},
    };
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        struct setting_problem problem;
        SCOPED(scene, scene);
        SCOPED(scene, again);
        CHECK(setting_parse(choices[i].id, &scene, choices[i].former, &problem));
        CHECK(setting_parse(choices[i].id, &again, choices[i].now, &problem));
        CHECK(setting_index(choices[i].id, &scene) == setting_index(choices[i].id, &again));
    }
}

/* Checks that choices are single words of letters, digits, '-' and '_', which shells complete. */
static void check_single_words(void) {
    struct option option;
    for (size_t i = 0; option_at(i, &option); i++)
        for (size_t c = 0; option.choices && option.choices[c]; c++) {
            const char *word = option.choices[c];
            CHECK(*word && strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-_") == strlen(word));
        }
}

static void check_mistake(const char *line, const char *why) {
    struct options o;
    CHECK_REFUSED(parse(&o, line), why);
}

static void check_files(void) {
    struct options o;
    file_put("rendr", "", 0);
    CHECK(parse(&o, "rendr") && o.command == COMMAND_EXPLORE);
    remove("rendr");
    CHECK(parse(&o, "missing.fathom")); /* reported when it is read */
}

static char help[16384];

static void print_help(int command) {
    FILE *file = fmemopen(help, sizeof help, "w");
    if (!file)
        exit(1);
    options_help(file, command);
    fclose(file);
}

/* Checks that help has fewer than 66 lines of at most 100 columns, none of which ends within a
 * list. */
static void check_lines(const char *of) {
    int lines = 0;
    for (const char *line = help; *line; lines++) {
        const size_t length = strcspn(line, "\n");
        if (length > 100) {
            printf("help of %s: a line of %zu columns: %.*s\n", of, length, (int)length, line);
            failures++;
        }
        line += length + (line[length] == '\n');
    }
    CHECK(lines > 4);
    if (lines >= 66) {
        printf("help of %s has %d lines\n", of, lines);
        failures++;
    }
}

/* Returns true if a word of the help is this option's name. */
static bool help_names(const char *option) {
    char word[64];
    snprintf(word, sizeof word, "--%s", option);
    for (const char *found = help; (found = strstr(found, word)); found++)
        if (strchr(" ,\n", found[strlen(word)]))
            return true;
    return false;
}

/* Checks that a command's help lists exactly the options that it takes. */
static void check_help_of(int command) {
    const char *name = option_command((size_t)command)->name;
    struct option option;
    print_help(command);
    check_lines(name ? name : "explore");
    CHECK(strstr(help, option_command((size_t)command)->usage));
    for (size_t i = 0; option_at(i, &option); i++) {
        const bool takes = option.commands >> command & 1;
        if (help_names(option.name) != takes) {
            printf("help of %s: --%s\n", name ? name : "explore", option.name);
            failures++;
        }
    }
}

static void check_help(void) {
    print_help(-1);
    check_lines("all");
    for (int i = 0; option_command((size_t)i); i++) {
        CHECK(strstr(help, option_command((size_t)i)->usage));
        CHECK(strstr(help, option_command((size_t)i)->help));
    }
    for (int i = 0; option_command((size_t)i); i++)
        check_help_of(i);
    print_help(COMMAND_RENDER);
    CHECK(strstr(help, ": none, light, distance, binary, field, stripes,"));
    CHECK(strstr(help, "Strength of the layer (0 to 1; default 0.8)\n"));
    static const struct {
        const char *line;
        int of;
    } asked[] = {
        {"--help", -1},
        {"help", -1},
        {"render --help", COMMAND_RENDER},
        {"help render", COMMAND_RENDER},
        {"render -h sun.fathom", COMMAND_RENDER},
        {"help explore", COMMAND_EXPLORE},
        {"explore --help", COMMAND_EXPLORE},
        {"help help", COMMAND_HELP},
    };
    struct options o;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        CHECK(parse(&o, asked[i].line) && (o.help || o.command == COMMAND_HELP) &&
              o.help_of == asked[i].of);
}

/* Checks that choices are listed completely, however many there are. */
static void check_printed(void) {
    struct option option;
    for (size_t i = 0; option_at(i, &option); i++) {
        char last[80] = "";
        FILE *file = fmemopen(help, sizeof help, "w");
        if (!file)
            exit(1);
        option_print(file, &option, 0, "");
        fclose(file);
        for (size_t c = 0; option.choices && option.choices[c]; c++)
            snprintf(last, sizeof last, "%s.", option.choices[c]);
        CHECK(strstr(help, last) && strchr(help, '\n'));
        CHECK(option.help[strlen(option.help) - 1] == '.');
    }
}

/* Each option is listed once, and settings follow the option that their row names. */
static void check_order(void) {
    struct option option, above;
    int settings = 0;
    for (size_t i = 0; option_at(i, &option); i++) {
        const bool setting = option.kind == OPTION_SETTING;
        const char *after = setting ? setting_table[option.id].help_after : NULL;
        CHECK(option.index == i && option_find(option.name, &above) && above.index == i);
        CHECK(!after || (option_find(after, &above) && above.index < i));
        settings += setting;
    }
    for (int id = 0; id < SETTING_COUNT; id++)
        settings -= setting_table[id].option != NULL;
    CHECK(settings == 0);
}

int main(void) {
    check_defaults();
    check_commands();
    check_values();
    check_density();
    check_former_names();
    check_single_words();
    texts_each("options refused", check_mistake);
    check_files();
    check_help();
    check_printed();
    check_order();
    printf("%d failures\n", failures);
    return failures != 0;
}
