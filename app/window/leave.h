/* Quitting while a screenshot waits for its picture: that one is finished first, if it is soon. */
#ifndef FATHOM_APP_WINDOW_LEAVE_H
#define FATHOM_APP_WINDOW_LEAVE_H

#include "app/window/loop.h"

/* Quitting was asked for: ends the loop at once, or the second time, or once the screenshot has
 * been taken, with the samples that its picture has by then. */
void leave_ask(struct loop *loop);
/* A signal asks for that; the second signal (interrupt.h) counts as the second time. A script then
 * counts as not carried out. */
void leave_interrupted(struct loop *loop);
/* Whether the loop goes on only for the screenshot. */
bool leave_asked(const struct loop *loop);
/* When the loop has to look again at the latest, by clock_ms; INFINITY: quitting was not asked
 * for. */
double leave_due_ms(const struct loop *loop);
/* Once a turn: ends the loop when the screenshot is there, or has taken too long. */
void leave_advance(struct loop *loop);
/* After the loop: logs that a screenshot which was asked for was not taken. False: there is one. */
bool leave_tell(const struct loop *loop);

#endif
