/* A small, bounded INI reader: sections, "key = value", "#" and ";" comments at the start of a
 * line. Lines may be as long as the text; values lose leading and trailing white space. */
#ifndef FATHOM_RENDER_BASE_INI_H
#define FATHOM_RENDER_BASE_INI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INI_NUMBER_SIZE 32 /* bytes of a double's text */

/* One entry; the strings are NUL-terminated and live until the callback returns. `section` is ""
 * before the first one. False stops the reading; the callback has logged why. */
typedef bool (*ini_entry_fn)(void *user, const char *section, const char *key, const char *value,
                             int line);

/* Feeds every entry to `entry`. False: the callback stopped, or the text is no INI (a
 * control character, a line that is neither section, entry, comment nor empty, a broken section
 * header), logged as "SOURCE:LINE: what". */
bool ini_read(const char *source, const char *text, size_t length, ini_entry_fn entry, void *user);

/* The same, but a line that is wrong costs a warning, and the rest is read, up to the 20th; `entry`
 * warns itself before it returns false. Entries after a broken section header are left out. */
void ini_read_leniently(const char *source, const char *text, size_t length, ini_entry_fn entry,
                        void *user);

/* Values, also those of the command line. A finite decimal number; nothing else in the text. */
bool ini_number(const char *text, double *number);
/* A finite number with the fewest digits, 6 at least, that read back as the same. */
void ini_number_text(double number, char text[static INI_NUMBER_SIZE]);
/* Decimal digits only; what is past UINT64_MAX saturates. */
bool ini_whole(const char *text, uint64_t *whole);
/* The same, in other words as well: with k, M, G or T behind it for thousands, millions and so on, or e and a power of
 * ten, as in 10k and 1e6, and decimals where these make a whole number of it, as in 2.5M. */
bool ini_count(const char *text, uint64_t *count);
/* As ini_whole, but refused past UINT64_MAX. */
bool ini_key(const char *text, uint64_t *key);
/* The index of `text` in a NULL-terminated list, -1 when it is not there. */
int ini_choice(const char *text, const char *const *choices);

#endif
