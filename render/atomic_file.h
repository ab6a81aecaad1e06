/* Files that appear whole or not at all: written under a temporary name in the same folder, synced,
 * then renamed. A full disk leaves neither a half file nor a lost older one. */
#ifndef FATHOM_RENDER_ATOMIC_FILE_H
#define FATHOM_RENDER_ATOMIC_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct atomic_file;

/* Opens the temporary file. With `exclusive`, commit fails rather than replace an existing file.
 * NULL: logged why. */
struct atomic_file *atomic_file_open(const char *path, bool exclusive);
/* Where to write; errors may be left to commit. */
FILE *atomic_file_stream(struct atomic_file *file);
/* Flushes, syncs and renames; frees in any case. False: logged why (with the path and what the
 * system said), the temporary file is gone. *existed, if not NULL, tells whether an exclusive commit
 * failed only because the name was taken; that is not logged. */
bool atomic_file_commit(struct atomic_file *file, bool *existed);
/* Removes the temporary file. NULL is allowed. */
void atomic_file_abandon(struct atomic_file *file);

/* Reads a whole file of at most `limit` bytes; the caller frees it. A NUL byte is appended and not
 * counted. FIFOs, folders and devices are refused. NULL: logged why. */
char *file_read(const char *path, size_t limit, size_t *length);

#endif
