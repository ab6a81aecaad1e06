/* Y4M: writes frames so that an interrupt ends it even if the reader has stopped reading. */
#include "app/movie/film/y4m.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOOK_MS    100  /* interval between two checks for interrupts */
#define PIPE_BYTES 4096 /* bytes that a pipe ready for writing takes without waiting */

static bool write_out(const void *data, size_t size) {
    const char *from = data;
    for (size_t at = 0; at < size;) {
        struct pollfd ready = {STDOUT_FILENO, POLLOUT, 0};
        if (interrupt_requested())
            return false;
        if (poll(&ready, 1, LOOK_MS) <= 0)
            continue;
        const size_t left = size - at;
        const ssize_t n = write(STDOUT_FILENO, from + at, left < PIPE_BYTES ? left : PIPE_BYTES);
        if (n < 0 && errno != EAGAIN && errno != EINTR) {
            log_error("cannot write to standard output: %s", strerror(errno));
            return false;
        }
        at += n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool y4m_header(const struct ycbcr *format, int fps) {
    char text[160];
    snprintf(text, sizeof text, "YUV4MPEG2 W%d H%d F%d:1 Ip A1:1 C%s%s XCOLORRANGE=LIMITED\n",
             format->width_px, format->height_px, fps,
             format->chroma == 444 ? "444"
             : format->bits == 8   ? "420mpeg2"
                                   : "420",
             format->bits == 8 ? "" : "p10");
    return write_out(text, strlen(text));
}

bool y4m_frame(const struct ycbcr *format, const unsigned char *planes) {
    return write_out("FRAME\n", 6) && write_out(planes, ycbcr_size(format));
}
