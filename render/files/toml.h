/* TOML reader: a small, bounded parser of the part of TOML that files of fractal programs use:
 * tables, arrays of tables, inline tables, dotted keys, strings of all four kinds, numbers,
 * booleans. Other items of arrays are skipped, and checked only for their end. */
#ifndef FATHOM_RENDER_FILES_TOML_H
#define FATHOM_RENDER_FILES_TOML_H

#include <stdbool.h>
#include <stddef.h>

/* Callback for one entry. The strings are NUL-terminated and valid until the callback returns.
 * `key` is the whole path with dots ("location.real"). `value` is the unquoted text, without line
 * ends that TOML removes, or the bare word; NULL: another table of the array `key` begins. The
 * callback logs a reason and returns false to stop the reading. */
typedef bool (*toml_entry_fn)(void *user, const char *key, const char *value, int line);

/* Calls `entry` for every entry. Returns false if the callback stops, or if the text is no TOML,
 * which is logged as "SOURCE:LINE: what". */
bool toml_read(const char *source, const char *text, size_t length, toml_entry_fn entry,
               void *user);

#endif
