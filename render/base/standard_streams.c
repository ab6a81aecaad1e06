/* Standard streams: closed or failing streams, which every program must handle. */
#include "render/base/standard_streams.h"
#include "render/base/log.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* If a standard stream is closed, a file that the program opens could take its number and receive
 * messages. These placeholders are opened read-only, so that writing still fails. */
void standard_streams_hold(void) {
    int fd;
    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
    signal(SIGPIPE, SIG_IGN); /* write reports it */
    signal(SIGXFSZ, SIG_IGN); /* write reports it */
}

int standard_streams_mute(void) {
    const int muted = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3),
              nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fflush(stdout);
    dup2(nothing, STDOUT_FILENO);
    close(nothing);
    return muted;
}

void standard_streams_unmute(int muted) {
    fflush(stdout);
    dup2(muted, STDOUT_FILENO);
    close(muted);
}

int standard_streams_finish(int status) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    log_error("cannot write to standard output: %s",
              errno ? strerror(errno) : "earlier output was lost");
    return status ? status : 1;
}
