/* Y4M: writes frames so that an interrupt ends it even if the reader has stopped reading. */
#include "app/movie/film/y4m.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOK_MS     100       /* interval between two checks for interrupts */
#define PIPE_BYTES  4096      /* bytes that a pipe ready for writing takes without waiting */
#define PIECE_BYTES (1 << 20) /* of a write that does not wait for a reader */

struct y4m y4m_open(void) {
    struct stat file;
    struct y4m y4m = {STDOUT_FILENO, PIPE_BYTES};
    if (fstat(STDOUT_FILENO, &file) != 0)
        return y4m;
    if (S_ISREG(file.st_mode))
        y4m.piece = PIECE_BYTES;
    /* A second descriptor of the pipe can be non-blocking without making it so for programs that
     * share standard output. */
    const int pipe =
        S_ISFIFO(file.st_mode) ? open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    return pipe >= 0 ? (struct y4m){pipe, PIECE_BYTES} : y4m;
}

void y4m_close(struct y4m *y4m) {
    if (y4m->fd > STDOUT_FILENO)
        close(y4m->fd);
    y4m->fd = 0;
}

static bool write_out(const struct y4m *y4m, const void *data, size_t size) {
    const char *from = data;
    for (size_t at = 0; at < size;) {
        struct pollfd ready = {y4m->fd, POLLOUT, 0};
        if (interrupt_requested())
            return false;
        if (poll(&ready, 1, LOOK_MS) <= 0)
            continue;
        const size_t left = size - at;
        const ssize_t n = write(y4m->fd, from + at, left < y4m->piece ? left : y4m->piece);
        if (n < 0 && errno != EAGAIN && errno != EINTR) {
            log_error("cannot write to standard output: %s", strerror(errno));
            return false;
        }
        at += n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool y4m_header(const struct y4m *y4m, const struct ycbcr *format, int fps) {
    char text[160];
    snprintf(text, sizeof text, "YUV4MPEG2 W%d H%d F%d:1 Ip A1:1 C%s%s XCOLORRANGE=LIMITED\n",
             format->width_px, format->height_px, fps,
             format->chroma == 444 ? "444"
             : format->bits == 8   ? "420mpeg2"
                                   : "420",
             format->bits == 8 ? "" : "p10");
    return write_out(y4m, text, strlen(text));
}

bool y4m_frame(const struct y4m *y4m, const struct ycbcr *format, const unsigned char *planes) {
    return write_out(y4m, "FRAME\n", 6) && write_out(y4m, planes, ycbcr_size(format));
}
