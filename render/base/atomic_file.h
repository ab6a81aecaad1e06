/* Atomic files: a file appears entirely or not at all. Its content is written to an unnamed file,
 * or to a temporary name in the same folder (temporary.h), synced, and then moved to its name. A
 * full disk leaves no partial file and does not lose the older file. */
#ifndef FATHOM_RENDER_BASE_ATOMIC_FILE_H
#define FATHOM_RENDER_BASE_ATOMIC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct atomic_file;
struct file_claim;

/* Opens the temporary file. With `exclusive`, commit fails instead of replacing an existing file.
 * Without it, symbolic links are followed. Devices, FIFOs and the program's own standard output are
 * written to directly. Returns NULL on failure; the reason is logged. */
struct atomic_file *atomic_file_open(const char *path, bool exclusive);
/* Returns the stream to write to. The caller may leave errors to commit, which finds the reason in
 * errno if commit is the next call after the failed write. */
FILE *atomic_file_stream(struct atomic_file *file);
/* Returns true for a new file, in which the stream may be positioned anywhere. */
bool atomic_file_seekable(const struct atomic_file *file);
/* Marks the content as reproducible: commit keeps no copy of it if the file cannot be moved to its
 * place. */
void atomic_file_mark_expendable(struct atomic_file *file);
/* Makes commit replace the file only if it still is the claimed file (file_claim.h). Commit renews
 * the claim, which must live until then. */
void atomic_file_claim(struct atomic_file *file, struct file_claim *claim);
/* Flushes, syncs and renames; frees the handle in any case. The older file is overwritten if only
 * its name cannot be replaced: a mount point, or another user's file in a folder like /tmp. Returns
 * false on failure; the path and the system's reason are logged. A finished file that is neither
 * exclusive nor expendable is then kept next to the target under a spare name, which is logged; any
 * other file is lost. *existed (may be NULL) becomes true if an exclusive commit failed only
 * because the name was taken; that is not logged. */
bool atomic_file_commit(struct atomic_file *file, bool *existed);
/* Removes the temporary file and frees the handle. `file` may be NULL. */
void atomic_file_abandon(struct atomic_file *file);
/* Logs a failed write like commit, for callers that detect the failure earlier and abandon the
 * file. `error` is an errno. */
void atomic_file_log_failure(const struct atomic_file *file, int error);

/* Checks that a file can be created at `path`, so that an hour of work is not lost to a wrong
 * folder; leaves nothing behind. Returns false if not; the reason is logged. */
bool atomic_file_possible(const char *path);

/* Opens a regular file for reading; refuses FIFOs, folders and devices without waiting. Returns
 * NULL on failure; the reason is logged. */
FILE *file_open(const char *path);
/* Opens a file as file_open, without logging. On failure returns NULL, and *why is the reason
 * (valid until the next strerror). *absent becomes true if there is no such file. */
FILE *file_open_silently(const char *path, bool *absent, const char **why);
/* Returns the length of a file from file_open [bytes]; 0 if it is unknown. */
unsigned long long file_length(FILE *file);
/* Reads the rest of `file`, up to `limit` bytes; the caller frees the result. A NUL byte is
 * appended and not counted. *more becomes true if the file is longer. Returns NULL on failure; the
 * reason is logged with `path`. */
char *file_read_start(FILE *file, const char *path, size_t limit, size_t *length, bool *more);
/* Reads a whole file of at most `limit` bytes, otherwise as file_open and file_read_start. */
char *file_read(const char *path, size_t limit, size_t *length);

#endif
