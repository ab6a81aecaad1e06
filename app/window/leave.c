/* Lets a waiting screenshot finish between Q and the end of the program. */
#include "app/window/loop_parts.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include <math.h>

#define WAIT_MS  3000.0 /* for the screenshot, at most */
#define APART_MS 300.0  /* requests that follow sooner count as one */

bool leave_asked(const struct loop *loop) {
    return loop->leaving_ms > 0;
}

double leave_due_ms(const struct loop *loop) {
    return leave_asked(loop) ? loop->leaving_ms + WAIT_MS : INFINITY;
}

void leave_ask(struct loop *loop) {
    const double now = clock_ms();
    if (!loop->screenshot || (leave_asked(loop) && now >= loop->leaving_ms + APART_MS)) {
        loop->quit = true;
    } else if (!leave_asked(loop)) {
        loop->leaving_ms = now;
        loop->screenshot_now = true;
        messages_post(loop->messages, "quitting when the screenshot is saved (Q: quit now)");
    }
}

void leave_interrupted(struct loop *loop) {
    if (loop->script) {
        loop->quit = loop->failed = true;
        log_error("interrupted before the script ended");
    } else if (interrupt_came_again()) {
        loop->quit = true;
    } else if (!leave_asked(loop)) {
        leave_ask(loop);
    }
}

void leave_advance(struct loop *loop) {
    const bool saved = !loop->screenshot && !screenshot_busy(&loop->writer);
    if (leave_asked(loop) && (saved || clock_ms() >= leave_due_ms(loop)))
        loop->quit = true;
}

bool leave_tell(const struct loop *loop) {
    if (loop->screenshot && !loop->failed)
        log_error("the screenshot was not saved: its picture was not complete when the window was "
                  "closed");
    return !loop->screenshot;
}
