/* Notes of shared work: the work's key, and a word once it is complete. */
#define _GNU_SOURCE /* asprintf */
#include "app/work/note.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME     "work.shared"
#define JOIN     "join"
#define KEY      "%016" PRIx64
#define COMPLETE " complete"

enum note_state { NOTE_NONE, NOTE_BEGUN, NOTE_COMPLETE, NOTE_OTHER };

static char *path_in(const char *folder, const char *name) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, name) >= 0)
        return path;
    log_error("not enough memory for a file name");
    return NULL;
}

/* Reads the note. Complete work with another key is the past: NOTE_NONE. */
static enum note_state read_note(const char *path, uint64_t key) {
    char text[40] = "";
    const char *why;
    bool absent;
    uint64_t found = 0;
    int end = 0;
    FILE *file = file_open_silently(path, &absent, &why);
    if (!file)
        return NOTE_NONE;
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    const bool read = sscanf(text, "%16" SCNx64 "%n", &found, &end) == 1;
    const bool complete = !read || strncmp(text + end, COMPLETE, strlen(COMPLETE)) == 0;
    if (!read || found != key)
        return complete ? NOTE_NONE : NOTE_OTHER;
    return complete ? NOTE_COMPLETE : NOTE_BEGUN;
}

/* Writes a note, in place of an older one. Returns false on failure; logged. */
static bool write_note(const char *path, uint64_t key, const char *word) {
    struct atomic_file *file = atomic_file_open(path, false);
    if (!file)
        return false;
    atomic_file_mark_expendable(file);
    fprintf(atomic_file_stream(file), KEY "%s\n", key, word);
    return atomic_file_commit(file, NULL);
}

/* Writes the note, unless there is one. Processes that begin at the same time do so one after
 * another, behind a claim. */
static enum note_state write_first(const struct note *note, const char *path,
                                   struct work_list *list, const struct note_calls *calls) {
    enum work_state state = WORK_TAKEN;
    enum note_state first;
    for (double pause = 0; state == WORK_TAKEN; pause = work_list_pause(pause))
        if (!calls->step(calls->user) || (state = work_list_claim(list, path)) == WORK_FAILED)
            return NOTE_NONE;
    if ((first = read_note(path, note->key)) == NOTE_NONE && write_note(path, note->key, ""))
        first = read_note(path, note->key);
    work_list_release(list, path);
    return first;
}

bool note_begin(const struct note *note, struct work_list *list, const struct note_calls *calls) {
    char *path = path_in(note->folder, NAME);
    if (!path)
        return false;
    enum note_state state = read_note(path, note->key);
    if (state == NOTE_NONE)
        state = write_first(note, path, list, calls);
    if (state == NOTE_OTHER)
        log_error("'%s' has unfinished work of other settings: give all processes the same "
                  "command, or remove that folder",
                  note->folder);
    free(path);
    return state == NOTE_BEGUN || state == NOTE_COMPLETE;
}

static bool says_complete(const struct note *note) {
    char *path = path_in(note->folder, NAME);
    const bool complete = path && read_note(path, note->key) == NOTE_COMPLETE;
    free(path);
    return complete;
}

bool note_is_complete(const struct note *note) {
    return !note->pieces && says_complete(note) && access(note->result, F_OK) == 0;
}

static bool complete(const struct note *note) {
    char *path = path_in(note->folder, NAME);
    const bool ok = path && write_note(path, note->key, COMPLETE);
    free(path);
    return ok;
}

void note_forget(const char *folder) {
    char *path = path_in(folder, NAME);
    if (path)
        unlink(path);
    free(path);
}

/* Joins the pieces unless somebody else has and the result is still there; removes their files. */
static bool join(const struct note *note, const struct note_calls *calls) {
    const bool before = note->pieces ? says_complete(note) : note_is_complete(note);
    if (!before && !(calls->join(calls->user) && complete(note)))
        return false;
    calls->clean(calls->user);
    if (before)
        fprintf(stderr, "fathom: another process has completed '%s'\n", note->result);
    return true;
}

enum work_state note_claim(const struct note *note, struct work_list *list) {
    char *piece = path_in(note->folder, JOIN);
    const enum work_state state = piece ? work_list_claim(list, piece) : WORK_FAILED;
    free(piece);
    return state;
}

bool note_join(const struct note *note, struct work_list *list, const struct note_calls *calls) {
    char *piece = path_in(note->folder, JOIN);
    enum work_state state = note->claimed ? WORK_OURS : WORK_TAKEN;
    for (double pause = 0; piece && state == WORK_TAKEN && calls->step(calls->user);)
        if ((state = work_list_claim(list, piece)) == WORK_TAKEN)
            pause = work_list_pause(pause);
    const bool ok = piece && state == WORK_OURS && join(note, calls);
    if (piece)
        work_list_release(list, piece);
    free(piece);
    return ok;
}
