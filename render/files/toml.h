/* A small, bounded reader of the part of TOML that parameter files of fractal programs use: tables,
 * arrays of tables, inline tables, dotted keys, strings of all four kinds, numbers, booleans. What else is
 * in arrays is checked for its end and left out. */
#ifndef FATHOM_RENDER_FILES_TOML_H
#define FATHOM_RENDER_FILES_TOML_H

#include <stdbool.h>
#include <stddef.h>

/* One entry; the strings are NUL-terminated and live until the callback returns. `key` is the whole
 * path with dots ("location.real"); `value` is what quotes held, without line ends that TOML takes out, or the
 * bare word. NULL: a further table of an array begins, whose path `key` is. False stops the
 * reading; the callback has logged why. */
typedef bool (*toml_entry_fn)(void *user, const char *key, const char *value, int line);

/* Feeds every entry to `entry`. False: the callback stopped, or the text is no TOML, logged as
 * "SOURCE:LINE: what". */
bool toml_read(const char *source, const char *text, size_t length, toml_entry_fn entry,
               void *user);

#endif
