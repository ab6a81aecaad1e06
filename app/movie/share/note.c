/* Notes of shared movies: the movie's key, and a word once it is complete. */
#define _GNU_SOURCE /* asprintf */
#include "app/movie/share/note.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME     "movie.shared"
#define KEY      "%016" PRIx64
#define COMPLETE " complete"

enum note { NOTE_NONE, NOTE_BEGUN, NOTE_COMPLETE, NOTE_OTHER };

static char *path_in(const char *folder) {
    char *path = NULL;
    if (asprintf(&path, "%s/" NAME, folder) >= 0)
        return path;
    log_error("not enough memory for a file name");
    return NULL;
}

/* Reads the note. A complete movie with another key is the past: NOTE_NONE. */
static enum note read_note(const char *path, uint64_t key) {
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
static enum note write_first(const struct making *making, const char *path) {
    const struct movie *movie = making->movie;
    enum work_state state = WORK_TAKEN;
    enum note note;
    for (double pause = 0; state == WORK_TAKEN; pause = work_list_pause(pause))
        if (!movie->step(movie->user, 0) ||
            (state = work_list_claim(movie->list, path)) == WORK_FAILED)
            return NOTE_NONE;
    if ((note = read_note(path, making->key)) == NOTE_NONE && write_note(path, making->key, ""))
        note = read_note(path, making->key);
    work_list_release(movie->list, path);
    return note;
}

bool note_begin(const struct making *making) {
    const char *folder = making->movie->work;
    char *path = path_in(folder);
    if (!path)
        return false;
    enum note note = read_note(path, making->key);
    if (note == NOTE_NONE)
        note = write_first(making, path);
    if (note == NOTE_OTHER)
        log_error("'%s' has an unfinished movie of other settings: give all processes the same "
                  "command, or choose another folder by --work",
                  folder);
    free(path);
    return note == NOTE_BEGUN || note == NOTE_COMPLETE;
}

bool note_is_complete(const struct making *making) {
    char *path = path_in(making->movie->work);
    const bool complete = path && read_note(path, making->key) == NOTE_COMPLETE;
    free(path);
    return complete;
}

bool note_complete(const struct making *making) {
    char *path = path_in(making->movie->work);
    const bool ok = path && write_note(path, making->key, COMPLETE);
    free(path);
    return ok;
}

void note_forget(const char *folder) {
    char *path = path_in(folder);
    if (path)
        unlink(path);
    free(path);
}
