/* Files that appear whole or not at all: written without a name, or under a temporary one in the
 * same folder (temporary.h), synced, then put in their place. A full disk leaves neither a half
 * file nor a lost older one. */
#ifndef FATHOM_RENDER_BASE_ATOMIC_FILE_H
#define FATHOM_RENDER_BASE_ATOMIC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct atomic_file;
struct file_claim;

/* Opens the temporary file. With `exclusive`, commit fails rather than replace an existing file.
 * Without, what is there and is no regular file (a device, a FIFO), or is this program's standard
 * output, is written to directly, and a symbolic link is followed. NULL: logged why. */
struct atomic_file *atomic_file_open(const char *path, bool exclusive);
/* Where to write. Errors may be left to commit, which finds the reason in errno when it is the next
 * call after the write that failed. */
FILE *atomic_file_stream(struct atomic_file *file);
/* Whether it is a new file, in which the stream may be positioned anywhere. */
bool atomic_file_seekable(const struct atomic_file *file);
/* It can be made again, so commit keeps nothing where it cannot put the file in its place. */
void atomic_file_expendable(struct atomic_file *file);
/* Commit replaces the file only if it still is the one that was claimed (file_claim.h), and renews
 * the claim, which has to live until then. */
void atomic_file_claim(struct atomic_file *file, struct file_claim *claim);
/* Flushes, syncs and renames; frees in any case. Where only the name cannot be replaced (a file
 * that is mounted there, another user's in a folder like /tmp), the older file is written over.
 * False: logged why (with the path and what the system said). Then a file that was finished, and is
 * neither exclusive nor expendable, is kept beside the target under a name that is logged, too;
 * otherwise it is gone. *existed, if not NULL, tells whether an exclusive commit failed only
 * because the name was taken; that is not logged. */
bool atomic_file_commit(struct atomic_file *file, bool *existed);
/* Removes the temporary file. NULL is allowed. */
void atomic_file_abandon(struct atomic_file *file);
/* Logs as commit does that writing failed, `error` being an errno, for callers that find out before
 * and abandon it. */
void atomic_file_log_failure(const struct atomic_file *file, int error);

/* Whether a file could be made there now, so that an hour of work is not lost to a wrong folder.
 * Leaves nothing behind. False: logged why. */
bool atomic_file_possible(const char *path);

/* Opens a regular file for reading; FIFOs, folders and devices are refused, without waiting.
 * NULL: logged why. */
FILE *file_open(const char *path);
/* The same without a word. NULL: *why says why (valid until the next strerror), *absent whether
 * there just is no such file. */
FILE *file_open_silently(const char *path, bool *absent, const char **why);
/* The length of a file that file_open gave, in bytes; 0 when the system does not say. */
unsigned long long file_length(FILE *file);
/* Reads what `file` has left, up to `limit` bytes; the caller frees it. A NUL byte is appended and
 * not counted. *more tells whether there is more. NULL: logged why, naming `path`. */
char *file_read_start(FILE *file, const char *path, size_t limit, size_t *length, bool *more);
/* Reads a whole file of at most `limit` bytes, otherwise as file_open and file_read_start. */
char *file_read(const char *path, size_t limit, size_t *length);

#endif
