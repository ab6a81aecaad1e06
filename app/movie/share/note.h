/* Notes of shared movies. A file in the work folder names the movie that is made there. Processes
 * with other settings then do not join, and late ones see that the movie is complete. */
#ifndef FATHOM_APP_MOVIE_SHARE_NOTE_H
#define FATHOM_APP_MOVIE_SHARE_NOTE_H

#include "app/movie/making.h"

/* Writes the note, unless there is one. Returns false on failure, or if it is that of another
 * unfinished movie; logged. */
bool note_begin(const struct making *making);
/* Returns true if the note says that this movie is complete. */
bool note_is_complete(const struct making *making);
/* Notes that the movie is complete. Returns false on failure, which is logged. */
bool note_complete(const struct making *making);
/* Removes the note from a work folder. */
void note_forget(const char *folder);

#endif
