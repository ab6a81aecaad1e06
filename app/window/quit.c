/* Quitting: lets a waiting screenshot finish before the program ends. */
#include "app/window/loop_parts.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include <math.h>

#define WAIT_MS  3000.0 /* maximum wait for the screenshot */
#define APART_MS 300.0  /* quicker requests count as one */

bool quit_asked(const struct loop *loop) {
    return loop->quit_asked_ms > 0;
}

double quit_due_ms(const struct loop *loop) {
    return quit_asked(loop) ? loop->quit_asked_ms + WAIT_MS : INFINITY;
}

void quit_ask(struct loop *loop) {
    const double now = clock_ms();
    if (!loop->screenshot || (quit_asked(loop) && now >= loop->quit_asked_ms + APART_MS)) {
        loop->quit = true;
    } else if (!quit_asked(loop)) {
        loop->quit_asked_ms = now;
        loop->screenshot_now = true;
        messages_post(loop->messages, "quitting when the screenshot is saved (Q: quit now)");
    }
}

void quit_interrupted(struct loop *loop) {
    if (loop->script) {
        loop->quit = loop->failed = true;
        log_error("interrupted before the script ended");
    } else if (interrupt_repeated()) {
        loop->quit = true;
    } else if (!quit_asked(loop)) {
        quit_ask(loop);
    }
}

void quit_advance(struct loop *loop) {
    const bool saved = !loop->screenshot && !screenshot_busy(&loop->writer);
    if (quit_asked(loop) && (saved || clock_ms() >= quit_due_ms(loop)))
        loop->quit = true;
}

bool quit_report(const struct loop *loop) {
    if (loop->screenshot && !loop->failed)
        log_error("the screenshot was not saved: its picture was not complete when the window was "
                  "closed");
    return !loop->screenshot;
}
