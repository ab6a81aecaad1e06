/* fathom-lab: what `fathom lab`, `fathom bench` and `fathom classic` do. A program of its own, so
 * that fathom does not carry the laboratory's kernels. */
#include "lab/commands.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/standard_streams.h"
#include <string.h>

static int run(const struct lab_request *request) {
    if (strcmp(request->command, "lab") == 0)
        return lab_command(request);
    if (strcmp(request->command, "bench") == 0)
        return bench_command(request);
    if (strcmp(request->command, "classic") == 0 && request->argument_count == 2)
        return classic_command(request);
    log_error("fathom-lab has no command '%s' with %d arguments", request->command,
              request->argument_count);
    return 2;
}

int main(int argc, char **argv) {
    struct lab_request request;
    (void)argc;
    standard_streams_hold();
    memory_watch_numbers();
    if (!lab_request_parse(&request, argv))
        return 2;
    if (request.verbose)
        log_set_level(LOG_DEBUG);
    return standard_streams_finish(run(&request));
}
