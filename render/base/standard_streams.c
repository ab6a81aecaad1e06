/* Standard streams that are closed, or fail: what every program has to see to. */
#include "render/base/standard_streams.h"
#include "render/base/log.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* With standard streams closed, a file of ours could become one of them and get messages written
 * into it. Opened the wrong way round, they still fail as closed ones do. */
void standard_streams_hold(void) {
    int fd;
    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
    signal(SIGPIPE, SIG_IGN); /* writing reports it */
    signal(SIGXFSZ, SIG_IGN); /* likewise */
}

int standard_streams_finish(int status) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    log_error("cannot write to standard output: %s",
              errno ? strerror(errno) : "earlier output was lost");
    return status ? status : 1;
}
