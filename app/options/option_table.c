/* The table of options, from which parsing, --help, settings, the manual and the completion
 * follow. */
#include "app/options/option_table.h"
#include "app/options/config.h"
#include "render/files/bench_views.h"
#include "render/files/image.h"
#include "render/locate/locate.h"
#include "render/palette.h"
#include <assert.h>
#include <string.h>

#define IN_EXPLORE (1u << COMMAND_EXPLORE)
#define IN_RENDER  (1u << COMMAND_RENDER)
#define IN_COMPARE (1u << COMMAND_COMPARE)
#define IN_BENCH   (1u << COMMAND_BENCH)
#define IN_INFO    (1u << COMMAND_INFO)
#define IN_CLASSIC (1u << COMMAND_CLASSIC)
#define IN_LAB     (1u << COMMAND_LAB)
#define IN_DENSITY (1u << COMMAND_DENSITY)
#define IN_CONFIG  (1u << COMMAND_CONFIG)
#define IN_VERIFY  (1u << COMMAND_VERIFY)
#define IN_LOCATE  (1u << COMMAND_LOCATE)
#define IN_LIST    (1u << COMMAND_LIST)
#define DRAWING    (IN_EXPLORE | IN_RENDER)
#define STILL      (DRAWING | IN_VERIFY)
#define VIEWING    (STILL | IN_LOCATE)
#define MEASURING  (IN_BENCH | IN_LAB)
#define REPORTING  (VIEWING | IN_DENSITY | IN_COMPARE | IN_BENCH | IN_INFO | IN_LIST | IN_CLASSIC)
#define EVERYWHERE (REPORTING | IN_LAB | IN_CONFIG)

static const char *const shortcut_choices[] = {"none", "cardioid", "periodicity", "all", NULL};

static const char *const remember_choices[] = {"no", "yes", NULL};
const char *const autopilot_changes_names[] = {"nothing", "palettes", "formulas", "both", NULL};
static const char *const switch_choices[] = {"off", "on", NULL};

/* In the order of the help. What a scene's settings are called, take and do is in their own
 * table. */
static const struct option rows[] = {
#define FIELD(member) offsetof(struct options, member)
#define OF_SCENE(setting)                                                                          \
    { .kind = OPTION_SETTING, .id = setting }
    {"output", OPTION_TEXT, FIELD(output), IN_RENDER | IN_DENSITY | IN_CLASSIC | IN_LAB | IN_LOCATE,
     .letter = 'o', .argument = "FILE",
     .help =
         "Write the picture to FILE, as PNG if it ends in .png, else as PPM; '-' is standard "
         "output. %n in it is the view's name, %i its number among several. For lab: a folder. For "
         "locate: a view file."},
    {"format", OPTION_CHOICE, FIELD(format), DRAWING | IN_DENSITY, .argument = "NAME",
     .help = "Picture format (default: by the file's ending; screenshots: ppm).",
     .choices = image_format_names, .setting = "png", .setting_commands = IN_EXPLORE},
    {"diff", OPTION_TEXT, FIELD(diff), IN_COMPARE, .argument = "FILE",
     .help = "Draw A in dim grey and every differing pixel from yellow (least) to red; NaN is "
             "magenta."},
    {"points", OPTION_WHOLE, FIELD(points), IN_VERIFY, .argument = "N",
     .help = "How many pixels are iterated exactly, one in each of N equal parts of the picture "
             "(default: 200).",
     .low = 1, .high = 1000000},
    {"seed", OPTION_WHOLE, FIELD(points_seed), IN_VERIFY, .argument = "N",
     .help = "Which pixels those are (default: 0).", .low = 0, .high = 2147483647},
    {"data", OPTION_TEXT, FIELD(data), IN_RENDER | IN_DENSITY, .argument = "FILE",
     .help = "Write the iteration counts to FILE as .npy (<u4, interior = limit; for density: "
             "point counts, <u8)."},
    {"smooth", OPTION_TEXT, FIELD(smooth), IN_RENDER, .argument = "FILE",
     .help = "Write the smooth iteration counts to FILE as .npy (<f8, interior = NaN)."},
    {"size", OPTION_SIZE, FIELD(width_px), VIEWING | IN_DENSITY | IN_BENCH, .argument = "WxH",
     .help = "Picture size in pixels, each from 1 to 65536, or 720p, 1080p, 1440p, 4k or 8k "
             "(default: the view's, else 1280x720).",
     .setting = "1280x720"},
    OF_SCENE(SETTING_RE),
    OF_SCENE(SETTING_IM),
    OF_SCENE(SETTING_ZOOM),
    OF_SCENE(SETTING_ANGLE),
    OF_SCENE(SETTING_FORMULA),
    OF_SCENE(SETTING_POWER),
    OF_SCENE(SETTING_THEN),
    OF_SCENE(SETTING_JULIA_RE),
    OF_SCENE(SETTING_JULIA_IM),
    OF_SCENE(SETTING_LIMIT),
    {"auto-limit", OPTION_CHOICE, FIELD(auto_limit), STILL, .argument = "SWITCH",
     .help = "Raise the iteration limit as far as the picture needs (default: on in the window, "
             "off for render).",
     .choices = switch_choices, .setting = "on", .setting_commands = IN_EXPLORE},
    OF_SCENE(SETTING_PALETTE),
    OF_SCENE(SETTING_MAPPING),
    {"auto-frequency", OPTION_CHOICE, FIELD(auto_density), STILL, .former = "auto-density",
     .argument = "SWITCH",
     .help =
         "Choose the colour frequency by the iteration counts in the picture (default: on in the "
         "window, off for render).",
     .choices = switch_choices, .setting = "on", .setting_commands = IN_EXPLORE},
    OF_SCENE(SETTING_FREQUENCY),
    OF_SCENE(SETTING_OFFSET),
    OF_SCENE(SETTING_BY),
    OF_SCENE(SETTING_IMAGE),
    OF_SCENE(SETTING_IMAGE_SIZE),
    OF_SCENE(SETTING_INSIDE),
    OF_SCENE(SETTING_LAYER),
    OF_SCENE(SETTING_LAYER_MODE),
    OF_SCENE(SETTING_LAYER_STRENGTH),
    OF_SCENE(SETTING_LAYER2),
    OF_SCENE(SETTING_LAYER2_MODE),
    OF_SCENE(SETTING_LAYER2_STRENGTH),
    OF_SCENE(SETTING_LIGHT_ANGLE),
    OF_SCENE(SETTING_LIGHT_HEIGHT),
    OF_SCENE(SETTING_PRECISION),
    OF_SCENE(SETTING_METHOD),
    {"interior-tests", OPTION_CHOICE, FIELD(shortcuts), STILL | IN_BENCH | IN_CLASSIC,
     .former = "shortcuts", .argument = "SET",
     .help = "Interior tests that spare iterations without changing a byte (default: all; bench: "
             "none).",
     .choices = shortcut_choices},
    {"backend", OPTION_BACKEND, FIELD(backend), STILL | IN_DENSITY | IN_BENCH | IN_CLASSIC,
     .argument = "NAME",
     .help = "Backend: cuda, opencl, avx512, avx2 or scalar (default: the best one). bench takes a "
             "list, or all for one after the other.",
     .setting = "avx2"},
    {"device", OPTION_TEXT, FIELD(device), STILL | IN_DENSITY | MEASURING | IN_CLASSIC | IN_INFO,
     .argument = "GPU",
     .help = "The GPU to draw with: its number, or a part of its name; 'fathom info' lists them "
             "(default: the best one).",
     .setting = "0"},
    {"inexact", OPTION_FLAG, FIELD(inexact), STILL | IN_DENSITY | IN_BENCH,
     .help = "Draw also with a GPU by OpenCL whose arithmetic is not that of other devices: its "
             "pictures differ a little. The HUD says so."},
    {"threads", OPTION_WHOLE, FIELD(threads), STILL | IN_DENSITY | MEASURING | IN_CLASSIC | IN_INFO,
     .argument = "N", .help = "Threads of the CPU backends (default: 0, one per core).", .low = 0,
     .high = 1024, .setting = "0"},
    {"cpumask", OPTION_CPUMASK, FIELD(cpumask),
     STILL | IN_DENSITY | MEASURING | IN_CLASSIC | IN_INFO, .argument = "LIST",
     .help =
         "CPU features that may be used: all, none, or a list of fma, avx2, avx512 (default: all).",
     .setting = "all"},
    {"samples", OPTION_SAMPLES, FIELD(samples), DRAWING | IN_DENSITY, .argument = "N",
     .help = "Samples per pixel, 1 to 65536 (default: 16 at rest in the window, else the view's). "
             "For density: orbits, such as 20G.",
     .setting = "16", .setting_commands = DRAWING, .of_view = true},
    {"seconds", OPTION_NUMBER, FIELD(seconds), IN_DENSITY | IN_BENCH, .argument = "S",
     .help =
         "Count for that many seconds (default: 10, unless --samples is given). For bench "
         "motion: how long each scenario moves; for bench dive: how long it takes (default: 60).",
     .low = 0, .high = 1e9, .setting = "10", .setting_commands = IN_DENSITY},
    {"resume", OPTION_TEXT, FIELD(resume), IN_DENSITY, .argument = "FILE",
     .help = "Continue the run saved in FILE, or begin one there; it is saved every minute."},
    OF_SCENE(SETTING_ORBITS),
    OF_SCENE(SETTING_LEAST),
    OF_SCENE(SETTING_CHANNELS),
    OF_SCENE(SETTING_RANDOM),
    OF_SCENE(SETTING_CURVE),
    OF_SCENE(SETTING_EXPOSURE),
    OF_SCENE(SETTING_GAMMA),
    OF_SCENE(SETTING_WHITE),
    OF_SCENE(SETTING_RAMP),
    {"kinetic-panning", OPTION_CHOICE, FIELD(inertia), IN_EXPLORE, .former = "inertia",
     .argument = "STATE",
     .help = "Kinetic panning: a drag that is released in motion glides on (default: on).",
     .choices = switch_choices, .setting = "on"},
    {"ui-scale", OPTION_NUMBER, FIELD(ui_scale), IN_EXPLORE, .argument = "X",
     .help =
         "Size of text and controls, 0.5 to 6 times the usual (default: as the display asks for).",
     .low = 0.5, .high = 6, .setting = "1.5"},
    {"zoom-speed", OPTION_NUMBER, FIELD(zoom_speed), IN_EXPLORE, .argument = "X",
     .help =
         "Speed of a held zoom (Z, X), 0.1 to 10; Shift+Up and Shift+Down change it (default: 1).",
     .low = ZOOM_SPEED_MIN, .high = ZOOM_SPEED_MAX, .setting = "1"},
    {"fullscreen", OPTION_FLAG, FIELD(fullscreen), IN_EXPLORE,
     .help = "Begin in full screen; F and F11 switch it.", .setting = "no"},
    {"autopilot", OPTION_FLAG, FIELD(autopilot), IN_EXPLORE,
     .help = "Begin with the autopilot, which flies by itself until a hand moves the view (A)."},
    {"autopilot-vary", OPTION_CHOICE, FIELD(autopilot_changes), IN_EXPLORE, .argument = "WHAT",
     .help = "What the autopilot changes where it turns (default: nothing).",
     .choices = autopilot_changes_names, .setting = "palettes"},
    {"autopilot-seed", OPTION_WHOLE, FIELD(seed), IN_EXPLORE, .argument = "N",
     .help = "Seed of the autopilot's choices (default: another one in every run; scripts: 0).",
     .low = 0, .high = 2147483647, .setting = "1"},
    {"kiosk", OPTION_FLAG, FIELD(kiosk), IN_EXPLORE,
     .help = "Fly for ever, full screen, without pointer and numbers, keeping nothing. Q, or Esc "
             "twice, quits."},
    {"kiosk-pause", OPTION_NUMBER, FIELD(kiosk_pause), IN_EXPLORE, .argument = "S",
     .help = "Seconds after the last input when a kiosk flies on (default: 30).", .low = 0,
     .high = 86400, .setting = "30"},
    {"numbers", OPTION_CHOICE, FIELD(numbers), IN_EXPLORE, .argument = "LEVEL",
     .help = "How much of the numbers is shown at first (H; default: brief).",
     .choices = preference_numbers, .setting = "brief"},
    {"panel", OPTION_CHOICE, FIELD(panel), IN_EXPLORE, .argument = "STATE",
     .help = "Begin with the panel open (L; default: off).", .choices = switch_choices,
     .setting = "off"},
    {"map", OPTION_CHOICE, FIELD(map), IN_EXPLORE, .argument = "STATE",
     .help = "Begin with the minimap (M; default: off).", .choices = switch_choices,
     .setting = "off"},
    {"script", OPTION_TEXT, FIELD(script), IN_EXPLORE, .argument = "FILE",
     .help = "Feed the input events in FILE to the explorer, then quit."},
    {"screenshots", OPTION_TEXT, FIELD(screenshots), IN_EXPLORE, .argument = "DIR",
     .help = "Folder for screenshots (default: the pictures folder).", .setting = "~/Pictures"},
    {"kind", OPTION_CHOICE, FIELD(kind), IN_LOCATE, .argument = "WHAT",
     .help = "What to locate (default: minibrot, of the lowest period in the view; of a Julia set "
             "what looks like its middle, or a repelling cycle).",
     .choices = locate_kind_names},
    {"upright", OPTION_FLAG, FIELD(upright), IN_LOCATE,
     .help = "Turn the view that locate makes so that the minibrot stands as the whole set does."},
    {"last", OPTION_FLAG, FIELD(last), VIEWING, .help = "Continue at the newest recent location."},
    {"remember", OPTION_CHOICE, FIELD(remember), IN_EXPLORE, .argument = "CHOICE",
     .help = "Keep the window's position, recent locations and what was switched (default: yes; "
             "scripts: no).",
     .choices = remember_choices, .setting = "yes"},
    {"no-config", OPTION_FLAG, FIELD(no_config), EVERYWHERE,
     .help = "Ignore the settings file, as scripts always do."},
    {"view", OPTION_TEXT, FIELD(views), IN_BENCH, .argument = "LIST",
     .help = "Measure only these views, separated by commas (default: all). For bench motion: a "
             "VIEW, where the scenarios begin."},
    {"scenario", OPTION_TEXT, FIELD(scenarios), IN_BENCH, .argument = "LIST",
     .help = "bench motion: only these of pan, zoom, hold, out, rotation, dive and autopilot, "
             "separated by commas (default: all)."},
    {"hz", OPTION_WHOLE, FIELD(hz), IN_BENCH, .argument = "N",
     .help =
         "bench motion, dive: pace of the frames, 10 to 1000 a second (default: the display's).",
     .low = 10, .high = 1000},
    {"painting", OPTION_CHOICE, FIELD(painting), IN_BENCH, .argument = "SWITCH",
     .help = "bench motion, dive: off leaves to a software OpenGL only the frames that are judged "
             "(default: on).",
     .choices = switch_choices},
    {"repeats", OPTION_WHOLE, FIELD(repeats), MEASURING, .argument = "N",
     .help = "How often each is measured (default: 5, lab: 10; with --quick 1).", .low = 1,
     .high = BENCH_REPEATS_MAX},
    {"csv", OPTION_TEXT, FIELD(csv), IN_BENCH, .argument = "FILE",
     .help = "Write the measurements to FILE as CSV; '-' is standard output."},
    {"quick", OPTION_FLAG, FIELD(quick), MEASURING,
     .help = "Measure small pictures, once: to see that it works, not how fast."},
    {"json", OPTION_FLAG, FIELD(json), REPORTING, .help = "Print the results as one JSON object."},
    {"verbose", OPTION_FLAG, FIELD(verbose), EVERYWHERE, .letter = 'v',
     .help = "Print more on standard error.", .setting = "no"},
    {"help", OPTION_FLAG, FIELD(help), EVERYWHERE, .letter = 'h',
     .help = "Print this help and quit."},
    {"version", OPTION_FLAG, FIELD(version), EVERYWHERE, .help = "Print the version and quit."},
#undef OF_SCENE
#undef FIELD
};
#define ROWS (sizeof rows / sizeof *rows)

static_assert(ROWS <= OPTION_TABLE_MAX, "see the header");

static void fill(struct option *option, const struct setting *setting) {
    static const unsigned commands[] = {[SETTING_OF_ALL] = VIEWING | IN_DENSITY,
                                        [SETTING_OF_ESCAPE] = VIEWING,
                                        [SETTING_OF_DENSITY] = IN_EXPLORE | IN_DENSITY};
    const char *initial = setting->initial ? setting->initial : palette_builtin(0)->id;
    option->name = setting->option;
    option->former = setting->former;
    option->argument = setting->argument;
    option->help = setting->help;
    option->commands = commands[setting->use] | (setting->measured ? IN_BENCH : 0);
    option->choices = setting->names;
    option->setting = setting->configured ? initial : NULL;
    option->of_view = true;
}

bool option_at(size_t index, struct option *option) {
    if (index >= ROWS)
        return false;
    *option = rows[index];
    option->index = index;
    if (option->kind == OPTION_SETTING)
        fill(option, &setting_table[option->id]);
    return true;
}

bool option_find(const char *name, struct option *option) {
    for (size_t i = 0; option_at(i, option); i++)
        if (strcmp(option->name, name) == 0 ||
            (option->former && strcmp(option->former, name) == 0))
            return true;
    return false;
}
