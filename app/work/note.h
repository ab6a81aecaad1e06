/* Notes of shared work. A file in the work folder names the movie or poster that is made there.
 * Processes with other settings then do not join, and late ones see that the work is complete. */
#ifndef FATHOM_APP_WORK_NOTE_H
#define FATHOM_APP_WORK_NOTE_H

#include "app/work/work_list.h"

struct note {
    const char *folder, *result; /* the work folder, and the name of the result */
    uint64_t key;                /* hash of everything that decides the result */
    bool pieces;                 /* the pieces are the result, and `result` is a name for them */
    bool claimed;                /* note_claim has given this process the joining */
};

/* Returns true if the note says that the work is complete, and the result is still there. Returns
 * false if the pieces are the result: the caller checks whether each piece is there. */
bool note_is_complete(const struct note *note);
/* Removes the note from a work folder. */
void note_forget(const char *folder);

/* Callbacks: `step` is called while another process writes the note or joins the pieces, and
 * returns false to stop; `join` makes the result of the pieces, and returns false on failure,
 * logged; `clean` removes their files. */
struct note_calls {
    bool (*step)(void *user), (*join)(void *user);
    void (*clean)(void *user);
    void *user;
};
/* Writes the note, unless there is one. Returns false on failure or if the folder has unfinished
 * work of other settings, which is logged, or if stopped. */
bool note_begin(const struct note *note, struct work_list *list, const struct note_calls *calls);
/* Claims the joining before all pieces are complete. Returns as work_list_claim. */
enum work_state note_claim(const struct note *note, struct work_list *list);
/* Joins complete pieces and notes that the work is complete, unless another process does; then
 * waits for it. Returns false on failure, which is logged, or if stopped. */
bool note_join(const struct note *note, struct work_list *list, const struct note_calls *calls);

#endif
