/* Table of options: parsing, --help, settings, the manual and the completion follow from it. */
#include "app/options/option_table.h"
#include "app/options/choices.h"
#include "app/options/config.h"
#include "render/files/bench_views.h"
#include "render/files/image.h"
#include "render/files/poster/poster.h"
#include "render/frame.h"
#include "render/locate/locate.h"
#include "render/palette.h"
#include <assert.h>
#include <string.h>

#define IN_EXPLORE (1u << COMMAND_EXPLORE)
#define IN_RENDER  (1u << COMMAND_RENDER)
#define IN_MOVIE   (1u << COMMAND_MOVIE)
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
#define IN_HELP    (1u << COMMAND_HELP)
#define DRAWING    (IN_EXPLORE | IN_RENDER)
#define STILL      (DRAWING | IN_MOVIE | IN_VERIFY)
#define VIEWING    (STILL | IN_LOCATE)
#define MEASURING  (IN_BENCH | IN_LAB)
#define REPORTING  (VIEWING | IN_DENSITY | IN_COMPARE | IN_BENCH | IN_INFO | IN_LIST | IN_CLASSIC)
#define EVERYWHERE (REPORTING | IN_LAB | IN_CONFIG | IN_HELP)

static const char *const shortcut_choices[] = {"none", "cardioid", "periodicity", "all", NULL};

const char *const film_codec_names[] = {FILM_CODEC_LIST(CHOICE_NAME) NULL};
static const char *const planes_choices[] = {"colours", "all", "shared", NULL};
static const char *const chroma_choices[] = {"420", "444", NULL};
static const char *const depth_choices[] = {"8", "10", "16", NULL};

static const char *const remember_choices[] = {"no", "yes", NULL};
const char *const autopilot_changes_names[] = {"nothing", "palettes", "formulas", "both", NULL};
static const char *const switch_choices[] = {"off", "on", NULL};

/* Options except the scene's settings, in the order of the help. */
static const struct option rows[] = {
#define FIELD(member) offsetof(struct options, member)
    {"output", OPTION_TEXT, FIELD(output),
     IN_RENDER | IN_MOVIE | IN_DENSITY | IN_CLASSIC | IN_LAB | IN_LOCATE, .letter = 'o',
     .argument = "FILE",
     .help =
         "Write the result to FILE; '-' is standard output. A picture is a PNG, JPEG or WebP "
         "if FILE ends so, else a PPM. render also writes EXR, colours the samples of an EXR "
         "again, and draws posters: tiled TIFF (.tif) and Deep Zoom (.dzi), which the same command "
         "continues. %n in it is the view's name, %i its number among several. For movie: a "
         "video (.mp4, .mkv, .mov, .webm), a loop (.gif, .webp), numbered pictures (such as "
         "frame-%i.png), or Y4M on standard output. For lab: a folder; for locate: a view "
         "file."},
    {"format", OPTION_CHOICE, FIELD(format), DRAWING | IN_DENSITY, .argument = "NAME",
     .help = "Picture format. Default: by the ending of the file; screenshots: ppm.",
     .choices = image_format_names, .setting = "png", .setting_commands = IN_EXPLORE},
    {"quality", OPTION_WHOLE, FIELD(quality), DRAWING | IN_MOVIE | IN_DENSITY, .argument = "N",
     .help = "Quality of JPEG and WebP. At 100 WebP is lossless. For videos: the encoder's scale, "
             "where 0 is best.",
     .initial = "90", .low = 1, .high = 100, .setting = "90"},
    {"pyramid", OPTION_FLAG, FIELD(pyramid), IN_RENDER,
     .help = "Add smaller levels to a .tif, for viewers. Each is half the size of the one before."},
    {"compression", OPTION_CHOICE, FIELD(compression), IN_RENDER, .argument = "NAME",
     .help = "Compression of a .tif. Most programs read deflate; zstd is faster.",
     .initial = "deflate", .choices = poster_compression_names},
    {"diff", OPTION_TEXT, FIELD(diff), IN_COMPARE, .argument = "FILE",
     .help = "Draw A in dim grey and what differs from yellow (least) to red. NaN is magenta."},
    {"verify", OPTION_FLAG, FIELD(verify), IN_RENDER,
     .help = "Compare the picture with exact arithmetic at random pixels. The verdict is written "
             "into PNG files and --json; the exit status is 1 if more than 0.5 % are wrong."},
    {"exact", OPTION_FLAG, FIELD(exact), IN_RENDER | IN_VERIFY,
     .help = "Iterate exactly where rounding may have changed counts. Where neighbouring orbits "
             "diverge, this may take hours; a warning says how long."},
    {"points", OPTION_WHOLE, FIELD(points), IN_VERIFY, .argument = "N",
     .help = "Number of pixels to iterate exactly, chosen at random; 0: until the verdict is "
             "certain to 95 %.",
     .initial = "0", .low = 0, .high = 1000000},
    {"seed", OPTION_WHOLE, FIELD(points_seed), IN_VERIFY, .argument = "N",
     .help = "Seed for the choice of pixels.", .initial = "0", .low = 0, .high = 2147483647},
    {"data", OPTION_TEXT, FIELD(data), IN_RENDER | IN_DENSITY, .argument = "FILE",
     .help = "Write the iteration counts to FILE as .npy. They are <u4, the interior has the "
             "limit; density writes point counts, <u8."},
    {"smooth", OPTION_TEXT, FIELD(smooth), IN_RENDER, .argument = "FILE",
     .help =
         "Write the smooth iteration counts to FILE as .npy. They are <f8, the interior is NaN."},
    {"size", OPTION_SIZE, FIELD(width_px), VIEWING | IN_DENSITY | IN_BENCH, .argument = "WxH",
     .help = "Picture size in pixels, or 720p, 1080p, 1440p, 4k or 8k. Width and height are from 1 "
             "to 65536, of a .tif or .dzi to 1000000. Default: the view's, else 1280x720.",
     .setting = "1280x720"},
    {"projection", OPTION_CHOICE, FIELD(projection), IN_RENDER, .argument = "NAME",
     .help = "Map from pixels to the plane. exponential: an octave around the view's centre, for "
             "programs that assemble movies. With %i in the name, a file for each octave from "
             "the view out to home.",
     .initial = "flat", .choices = projection_names},
    {"planes", OPTION_CHOICE, FIELD(planes), IN_RENDER, .argument = "SET",
     .help = "Samples in an EXR picture. colours: all that its colours need, exactly; all: also "
             "others; shared: only the channels of other programs.",
     .initial = "colours", .choices = planes_choices},
    {"auto-limit", OPTION_CHOICE, FIELD(auto_limit), STILL, .argument = "SWITCH",
     .help = "Raise the iteration limit as far as the picture needs. Default: on in the window, "
             "off for render.",
     .choices = switch_choices, .setting = "on", .setting_commands = IN_EXPLORE},
    {"style", OPTION_TEXT, FIELD(style), DRAWING | IN_MOVIE, .argument = "NAME",
     .help = "Draw in a style ('fathom list styles') or a .style file. It replaces the view's "
             "colours, layers and light. Other options change it further."},
    {"auto-frequency", OPTION_CHOICE, FIELD(auto_frequency), STILL, .former = "auto-density",
     .argument = "SWITCH",
     .help = "Choose the colour frequency to suit the iteration counts. Default: on in the window, "
             "off for render.",
     .choices = switch_choices, .setting = "on", .setting_commands = IN_EXPLORE},
    {"interior-tests", OPTION_CHOICE, FIELD(shortcuts), STILL | IN_BENCH | IN_CLASSIC,
     .former = "shortcuts", .argument = "SET",
     .help = "Interior tests to use. They skip iterations and do not change a byte of the picture. "
             "Default: all; bench: none.",
     .choices = shortcut_choices},
    {"backend", OPTION_BACKEND, FIELD(backend), STILL | IN_DENSITY | IN_BENCH | IN_CLASSIC,
     .argument = "NAME",
     .help = "Backend: cuda, opencl, avx512, avx2 or scalar. Default: the best. bench takes a list "
             "separated by commas, or all.",
     .setting = "avx2"},
    {"device", OPTION_TEXT, FIELD(device), STILL | IN_DENSITY | MEASURING | IN_CLASSIC | IN_INFO,
     .argument = "GPU",
     .help = "GPU to use, by number or part of its name ('fathom info'). Default: the best.",
     .setting = "0"},
    {"inexact", OPTION_FLAG, FIELD(inexact), STILL | IN_DENSITY | IN_BENCH,
     .help = "Allow OpenCL GPUs with inexact arithmetic. Their pictures differ slightly from those "
             "of other devices; the numbers in the window say so."},
    {"threads", OPTION_WHOLE, FIELD(threads), STILL | IN_DENSITY | MEASURING | IN_CLASSIC | IN_INFO,
     .argument = "N", .help = "Threads of the CPU; 0 uses one per core.", .initial = "0", .low = 0,
     .high = 1024, .setting = "0"},
    {"cpumask", OPTION_CPUMASK, FIELD(cpumask),
     STILL | IN_DENSITY | MEASURING | IN_CLASSIC | IN_INFO, .argument = "LIST",
     .help = "CPU features: all, none, or some of fma, avx2, avx512.", .initial = "all",
     .setting = "all"},
    {"samples", OPTION_SAMPLES, FIELD(samples), DRAWING | IN_MOVIE | IN_DENSITY, .argument = "N",
     .help = "Samples per pixel, up to 65536, or orbits for density. Orbits may be given as 20G. "
             "Default: 16 at rest in the window, 4 for movie, else the view's.",
     .setting = "16", .setting_commands = DRAWING, .of_view = true},
    {"seconds", OPTION_NUMBER, FIELD(seconds), IN_MOVIE | IN_DENSITY | IN_BENCH, .argument = "S",
     .help = "Seconds to run. For movie: its duration. For density: how long to count (default 10, "
             "unless --samples is "
             "given); for bench motion: how long each scenario moves; for bench dive: how long the "
             "dive takes (default 60).",
     .low = 0, .high = 1e9, .setting = "10", .setting_commands = IN_DENSITY},
    {"resume", OPTION_TEXT, FIELD(resume), IN_DENSITY, .argument = "FILE",
     .help = "Continue the run saved in FILE, or start it. It is saved every minute."},
    {"from", OPTION_TEXT, FIELD(from), IN_MOVIE, .argument = "VIEW",
     .help = "View at the other end of the movie. Default: the formula's home."},
    {"vary", OPTION_TEXT, FIELD(vary), IN_MOVIE, .argument = "NAME=A..B",
     .help = "Setting that changes along the movie, such as julia-re=-0.8..-0.7, offset=0..2 or "
             "light-angle=0..360; several are separated by commas. The camera then rests unless "
             "--from is given."},
    {"fps", OPTION_WHOLE, FIELD(fps), IN_MOVIE, .argument = "N",
     .help = "Frames per second. Default: 30.", .low = 1, .high = 240},
    {"speed", OPTION_NUMBER, FIELD(speed), IN_MOVIE, .argument = "X",
     .help = "Speed in doublings of the zoom per second, instead of --seconds. Default: 1.5.",
     .low = 0.001, .high = 1000},
    {"ease", OPTION_NUMBER, FIELD(ease), IN_MOVIE, .argument = "S",
     .help = "Seconds in which the speed rises at the beginning and falls at the end.",
     .initial = "1", .low = 0, .high = 1000},
    {"turns", OPTION_NUMBER, FIELD(turns), IN_MOVIE, .argument = "X",
     .help = "Rotation on the way, in turns; negative turns the other way.", .initial = "0",
     .low = -1000, .high = 1000},
    {"reverse", OPTION_FLAG, FIELD(reverse), IN_MOVIE,
     .help = "From the end to the beginning: zoom out instead of in."},
    {"loop", OPTION_FLAG, FIELD(loop), IN_MOVIE,
     .help = "There and back, so that the movie can be repeated without a cut."},
    {"codec", OPTION_CHOICE, FIELD(codec), IN_MOVIE, .argument = "NAME",
     .help = "Codec of a video. Default: by the ending of the file, H.264 for .mp4.",
     .choices = film_codec_names},
    {"encoder", OPTION_TEXT, FIELD(encoder), IN_MOVIE, .argument = "NAME",
     .help = "Encoder of ffmpeg, such as hevc_nvenc. Default: one that runs on the CPU."},
    {"chroma", OPTION_CHOICE, FIELD(chroma), IN_MOVIE, .argument = "SET",
     .help = "Colour resolution of a video: half in both directions, or full.", .initial = "420",
     .choices = chroma_choices},
    {"bits", OPTION_CHOICE, FIELD(depth), IN_RENDER | IN_MOVIE, .argument = "N",
     .help = "Bits of a colour. A video has 8 or 10, a PNG picture 8 or 16.", .initial = "8",
     .choices = depth_choices},
    {"work", OPTION_TEXT, FIELD(work), IN_MOVIE, .argument = "DIR",
     .help = "Folder for the samples and finished parts of a movie. An interrupted movie goes on "
             "from there. Default: the name of the video, with .work."},
    {"keep-work", OPTION_FLAG, FIELD(keep_work), IN_MOVIE,
     .help = "Keep that folder, so that other colours, speeds and sizes of the same path need no "
             "iterations."},
    {"join", OPTION_FLAG, FIELD(join), IN_RENDER | IN_MOVIE,
     .help = "Share the work with all processes that have the same command. They may run on other "
             "machines with the same folder. Each one makes what nobody else makes."},
    {"devices", OPTION_TEXT, FIELD(devices), IN_RENDER | IN_MOVIE, .argument = "LIST",
     .help = "Devices that share the work, such as cuda:0,cuda:1. all: every GPU, or else the "
             "processor; also gpus and cpu. Each device has a process with --join."},
    {"part", OPTION_TEXT, FIELD(part), IN_RENDER | IN_MOVIE | IN_DENSITY, .argument = "K/N",
     .help = "Do only part K of N, from 0/N on. For movie: its rings and segments. For render: its "
             "views, or its blocks of a single poster. For density: its orbits, into the run of "
             "--resume."},
    {"merge", OPTION_FLAG, FIELD(merge), IN_DENSITY,
     .help = "Add the saved runs of all parts, given as arguments, into the run of -o."},
    {"kinetic-panning", OPTION_CHOICE, FIELD(inertia), IN_EXPLORE, .former = "inertia",
     .argument = "STATE", .help = "Keep gliding when a drag is released in motion.",
     .initial = "on", .choices = switch_choices, .setting = "on"},
    {"ui-scale", OPTION_NUMBER, FIELD(ui_scale), IN_EXPLORE, .argument = "X",
     .help = "Size of text and controls. Default: chosen for the display.", .low = 0.5, .high = 6,
     .setting = "1.5"},
    {"zoom-speed", OPTION_NUMBER, FIELD(zoom_speed), IN_EXPLORE, .argument = "X",
     .help = "Speed of a held zoom: Z, X. Shift+Up and Shift+Down change it. Unless it is set, the "
             "zoom slows down, to a third at most, if pictures cannot keep up.",
     .initial = "1", .low = ZOOM_SPEED_MIN, .high = ZOOM_SPEED_MAX, .setting = "1"},
    {"fullscreen", OPTION_FLAG, FIELD(fullscreen), IN_EXPLORE,
     .help = "Start in full screen. F and F11 switch it.", .setting = "no"},
    {"autopilot", OPTION_FLAG, FIELD(autopilot), IN_EXPLORE,
     .help = "Start with the autopilot on. Move the view to take over; A switches it."},
    {"autopilot-vary", OPTION_CHOICE, FIELD(autopilot_changes), IN_EXPLORE, .argument = "WHAT",
     .help = "What the autopilot changes at turns.", .initial = "nothing",
     .choices = autopilot_changes_names, .setting = "palettes"},
    {"autopilot-seed", OPTION_WHOLE, FIELD(seed), IN_EXPLORE, .argument = "N",
     .help = "Seed of the autopilot's choices. Default: a new one for every run; scripts: 0.",
     .low = 0, .high = 2147483647, .setting = "1"},
    {"kiosk", OPTION_FLAG, FIELD(kiosk), IN_EXPLORE,
     .help = "Fly for ever in full screen, and save nothing. The pointer and the numbers are "
             "hidden. Q, or Esc twice, quits."},
    {"kiosk-pause", OPTION_NUMBER, FIELD(kiosk_pause), IN_EXPLORE, .argument = "S",
     .help = "Seconds without input before a kiosk flies on.", .initial = "30", .low = 0,
     .high = 86400, .setting = "30"},
    {"numbers", OPTION_CHOICE, FIELD(numbers), IN_EXPLORE, .argument = "LEVEL",
     .help = "How many of the numbers to show at first. H switches them.", .initial = "brief",
     .choices = preference_numbers, .setting = "brief"},
    {"panel", OPTION_CHOICE, FIELD(panel), IN_EXPLORE, .argument = "STATE",
     .help = "Start with the panel open. L switches it.", .initial = "off",
     .choices = switch_choices, .setting = "off"},
    {"map", OPTION_CHOICE, FIELD(map), IN_EXPLORE, .argument = "STATE",
     .help = "Start with the minimap. M switches it.", .initial = "off", .choices = switch_choices,
     .setting = "off"},
    {"script", OPTION_TEXT, FIELD(script), IN_EXPLORE, .argument = "FILE",
     .help = "Send the input events in FILE to the window, then quit."},
    {"screenshots", OPTION_TEXT, FIELD(screenshots), IN_EXPLORE, .argument = "DIR",
     .help = "Folder for screenshots. Default: the pictures folder.", .setting = "~/Pictures"},
    {"kind", OPTION_CHOICE, FIELD(kind), IN_LOCATE, .argument = "WHAT",
     .help = "What to find. Among minibrots, the one of the lowest period in the view; of a Julia "
             "set, what looks like its middle, or a repelling cycle.",
     .initial = "minibrot", .choices = locate_kind_names},
    {"upright", OPTION_FLAG, FIELD(upright), IN_LOCATE,
     .help = "Rotate the found view so that the minibrot is upright."},
    {"last", OPTION_FLAG, FIELD(last), VIEWING, .help = "Continue at the most recent location."},
    {"remember", OPTION_CHOICE, FIELD(remember), IN_EXPLORE, .argument = "CHOICE",
     .help =
         "Remember the window's position, recent locations and choices. Default: yes; scripts: no.",
     .choices = remember_choices, .setting = "yes"},
    {"no-config", OPTION_FLAG, FIELD(no_config), EVERYWHERE,
     .help = "Ignore the settings file. Scripts always do."},
    {"view", OPTION_TEXT, FIELD(views), IN_BENCH, .argument = "LIST",
     .help = "Views to measure, separated by commas. For bench motion: a VIEW to start from.",
     .initial = "all"},
    {"scenario", OPTION_TEXT, FIELD(scenarios), IN_BENCH, .argument = "LIST",
     .help = "Scenarios of bench motion, separated by commas. They are pan, zoom, hold, out, "
             "rotation, dive and autopilot.",
     .initial = "all"},
    {"hz", OPTION_WHOLE, FIELD(hz), IN_BENCH, .argument = "N",
     .help = "Frames per second of bench motion and dive. Default: the display's.", .low = 10,
     .high = 1000},
    {"painting", OPTION_CHOICE, FIELD(painting), IN_BENCH, .argument = "SWITCH",
     .help = "Paint every frame of bench motion and dive. off: a software OpenGL paints only the "
             "frames that are judged.",
     .initial = "on", .choices = switch_choices},
    {"repeats", OPTION_WHOLE, FIELD(repeats), MEASURING, .argument = "N",
     .help = "How often to repeat each measurement. Default: 5; lab: 10; with --quick: 1.",
     .low = 1, .high = BENCH_REPEATS_MAX},
    {"csv", OPTION_TEXT, FIELD(csv), IN_BENCH, .argument = "FILE",
     .help = "Write the measurements to FILE as CSV; '-' is standard output."},
    {"quick", OPTION_FLAG, FIELD(quick), MEASURING,
     .help = "Measure small pictures once, as a quick check."},
    {"json", OPTION_FLAG, FIELD(json), REPORTING, .help = "Print the results as one JSON object."},
    {"verbose", OPTION_FLAG, FIELD(verbose), EVERYWHERE, .letter = 'v',
     .help = "Print more on standard error.", .setting = "no"},
    {"help", OPTION_FLAG, FIELD(help), EVERYWHERE, .letter = 'h',
     .help = "Show help for the command and quit."},
    {"version", OPTION_FLAG, FIELD(version), EVERYWHERE, .help = "Print the version and quit."},
#undef FIELD
};
#define ROWS (sizeof rows / sizeof *rows)

static_assert(ROWS + SETTING_COUNT <= OPTION_TABLE_MAX, "see the header");

/* Returns false for places and Julia sets, which belong to a view and have no default. */
static bool has_default(const struct setting *setting) {
    return (setting->initial || setting->kind == SETTING_KIND_PALETTE) &&
           setting->kind != SETTING_KIND_COORDINATE && setting->kind != SETTING_KIND_ZOOM &&
           setting->kind != SETTING_KIND_PARAMETER && setting->kind != SETTING_KIND_STEPS;
}

static struct option option_of(enum setting_id id) {
    static const unsigned commands[] = {[SETTING_OF_ALL] = VIEWING | IN_DENSITY,
                                        [SETTING_OF_ESCAPE] = VIEWING,
                                        [SETTING_OF_DENSITY] = IN_EXPLORE | IN_DENSITY};
    const struct setting *setting = &setting_table[id];
    const char *initial = setting->initial ? setting->initial : palette_builtin(0)->id;
    return (struct option){.name = setting->option,
                           .kind = OPTION_SETTING,
                           .commands = commands[setting->use] | (setting->measured ? IN_BENCH : 0),
                           .id = id,
                           .former = setting->former,
                           .argument = setting->argument,
                           .help = setting->help,
                           .choices = setting->names,
                           .initial = has_default(setting) ? initial : NULL,
                           .setting = setting->configured ? initial : NULL,
                           .of_view = true};
}

/* --- the order of the help: rows are items from SETTING_COUNT on --- */

static const char *name_of(int item) {
    return item < SETTING_COUNT ? setting_table[item].option : rows[item - SETTING_COUNT].name;
}

static const char *name_above(const struct setting *setting) {
    return setting->help_after;
}

bool option_at(size_t index, struct option *option) {
    static int items[OPTION_TABLE_MAX];
    static size_t count;
    for (; count < ROWS; count++)
        items[count] = SETTING_COUNT + (int)count;
    if (count == ROWS)
        count = settings_insert(items, count, name_of, name_above);
    if (index >= count)
        return false;
    const int item = items[index];
    *option = item < SETTING_COUNT ? option_of((enum setting_id)item) : rows[item - SETTING_COUNT];
    option->index = index;
    return true;
}

bool option_find(const char *name, struct option *option) {
    for (size_t i = 0; option_at(i, option); i++)
        if (strcmp(option->name, name) == 0 ||
            (option->former && strcmp(option->former, name) == 0))
            return true;
    return false;
}
