/* fathom: an interactive fractal explorer. Where reading starts.
 *
 * The way of a frame in the explorer: app/window/window.c hands SDL's events to app/explore/input.c, which makes
 * actions of them; app/explore/explorer.c applies those to the view with render/view.c, has render/plan.c
 * choose how to draw it and submits the request to a backend (render/backend.h; cpu/, cuda/);
 * app/picture/present.c brings what is finished onto the screen, app/hud/hud.cpp the numbers over it. fathom
 * render is the middle of that, without a window. docs/architecture.md has the whole story. */
#include "app/command/commands.h"
#include "app/command/file_uses.h"
#include "app/options/config.h"
#include "render/base/log.h"
#include "render/base/number_memory.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* With standard streams closed, a file of ours could become one of them and get messages written
 * into it. Opened the wrong way round, they still fail as closed ones do. */
static void hold_standard_streams(void) {
    int fd;
    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
}

static int run(const struct options *options) {
    if (options->help) {
        options_help(stdout);
        return 0;
    }
    if (options->version) {
        puts("fathom " FATHOM_VERSION);
        return 0;
    }
    if (!file_uses_apart(options))
        return 2;
    switch (options->command) {
    case COMMAND_EXPLORE:
        return command_explore(options);
    case COMMAND_RENDER:
        return command_render(options);
    case COMMAND_DENSITY:
        return command_density(options);
    case COMMAND_COMPARE:
        return command_compare(options);
    case COMMAND_BENCH:
        return command_bench(options);
    case COMMAND_INFO:
        return command_info(options);
    case COMMAND_CONFIG:
        config_template(stdout);
        return 0;
    case COMMAND_CLASSIC:
        return command_classic(options);
    case COMMAND_LAB:
        return command_lab(options);
    }
    return 2;
}

int main(int argc, char **argv) {
    struct options options;
    hold_standard_streams();
    number_memory_watch();
    signal(SIGPIPE, SIG_IGN); /* writing reports it */
    signal(SIGXFSZ, SIG_IGN); /* likewise */
    if (!options_parse(&options, argc, argv))
        return 2;
    if (options.verbose)
        log_set_level(LOG_DEBUG);
    if (!options.help && !options.version && options.command != COMMAND_CONFIG)
        config_apply(&options);
    if (options.verbose)
        log_set_level(LOG_DEBUG);
    const int status = run(&options);
    options_finish(&options);
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    log_error("cannot write to standard output: %s",
              errno ? strerror(errno) : "earlier output was lost");
    return status ? status : 1;
}
