/* What a program does about its standard streams before and after its work. */
#ifndef FATHOM_RENDER_BASE_STANDARD_STREAMS_H
#define FATHOM_RENDER_BASE_STANDARD_STREAMS_H

/* First of all, on the main thread: closed streams are held open, and a reader that is gone or a
 * file that may not grow makes writing fail instead of ending the program. */
void standard_streams_hold(void);
/* Last of all: writes what standard output still has. The exit status: `status`, but not 0 where
 * output was lost, which is logged. */
int standard_streams_finish(int status);

#endif
