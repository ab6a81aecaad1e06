/* Main: fathom, an interactive fractal explorer. Start reading here.
 *
 * The path of a frame in the window, one iteration of app/window/loop.c: app/input/input.c turns
 * SDL's events into actions. app/explore/explorer.c applies the actions to its scene with
 * render/view.c, and render/plan.c chooses how to draw it. app/picture/picture.c submits the
 * request to a backend (render/backend.h; cpu/, gpu/ with cuda/ and opencl/), polls it, and passes
 * the findings to the explorer. app/picture/present.c brings finished pixels onto the screen, and
 * app/hud/hud.cpp draws the numbers over them. fathom render (app/still/) is the middle part,
 * without a window. docs/architecture.md describes the whole, docs/glossary.md the words. */
#include "app/command/commands.h"
#include "app/options/config.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/standard_streams.h"

static int run(const struct options *options) {
    if (options->help || options->command == COMMAND_HELP) {
        options_help(stdout, options->help_of);
        return 0;
    }
    if (options->version) {
        puts("fathom " FATHOM_VERSION);
        return 0;
    }
    if (options->command != COMMAND_RENDER &&
        !file_uses_check(options, 1)) /* render checks several pictures itself */
        return 2;
    switch (options->command) {
    case COMMAND_EXPLORE:
        return command_explore(options);
    case COMMAND_RENDER:
        return command_render(options);
    case COMMAND_MOVIE:
        return command_movie(options);
    case COMMAND_DENSITY:
        return command_density(options);
    case COMMAND_LOCATE:
        return command_locate(options);
    case COMMAND_COMPARE:
        return command_compare(options);
    case COMMAND_VERIFY:
        return command_verify(options);
    case COMMAND_INFO:
        return command_info(options);
    case COMMAND_LIST:
        return command_list(options);
    case COMMAND_CONFIG:
        config_template(stdout);
        return 0;
    case COMMAND_BENCH:
        return options_measure_motion(options) ? command_motion(options) : command_lab(options);
    case COMMAND_HELP: /* handled above */
        break;
    case COMMAND_CLASSIC:
    case COMMAND_LAB:
        return command_lab(options);
    }
    return 2;
}

int main(int argc, char **argv) {
    struct options options;
    standard_streams_hold();
    memory_watch();
    if (!options_parse(&options, argc, argv))
        return 2;
    if (options.verbose)
        log_set_level(LOG_DEBUG);
    if (!options.help && !options.version && options.command != COMMAND_CONFIG &&
        options.command != COMMAND_HELP)
        config_apply(&options);
    if (options.verbose)
        log_set_level(LOG_DEBUG);
    const int status = run(&options);
    options_finish(&options);
    return standard_streams_finish(status);
}
