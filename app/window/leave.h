/* Quitting while a screenshot waits for its picture: that one is finished first, if it is soon. */
#ifndef FATHOM_APP_WINDOW_LEAVE_H
#define FATHOM_APP_WINDOW_LEAVE_H

#include "app/window/loop.h"

/* The person wants to quit: at once, or for the second time, or once the screenshot has been taken,
 * with the samples that its picture has by then. */
void leave_ask(struct loop *loop);
/* A signal asks for that; the second one (interrupt.h) is the second time. A script has not been
 * carried out then. */
void leave_interrupted(struct loop *loop);
/* Whether the loop goes on only for the screenshot. */
bool leave_asked(const struct loop *loop);
/* When the loop has to look again at the latest, by clock_ms; INFINITY: quitting was not asked
 * for. */
double leave_due_ms(const struct loop *loop);
/* Once a turn: ends the loop when the screenshot is there, or has taken too long. */
void leave_advance(struct loop *loop);
/* After the loop: a screenshot that was asked for and will not be there is told of. False: there is
 * one. */
bool leave_tell(const struct loop *loop);

#endif
