/* Standard streams: preparation before, and the check after a program's work. */
#ifndef FATHOM_RENDER_BASE_STANDARD_STREAMS_H
#define FATHOM_RENDER_BASE_STANDARD_STREAMS_H

/* Replaces closed streams by placeholders. Makes writes fail, instead of ending the program, if a
 * reader has closed its end or a file may not grow. Main thread, first in main. */
void standard_streams_hold(void);
/* Drops standard output until it is unmuted with the result, a file descriptor. Main thread. */
int standard_streams_mute(void);
void standard_streams_unmute(int muted);
/* Flushes standard output; to be called last. Returns the exit status: `status`, or 1 instead of 0
 * if output was lost; the reason is logged. */
int standard_streams_finish(int status);

#endif
