/* INI reader, small and bounded: sections, "key = value", "#" and ";" comments at the start of a
 * line. Lines may be as long as the text; values lose leading and trailing white space. */
#ifndef FATHOM_RENDER_BASE_INI_H
#define FATHOM_RENDER_BASE_INI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INI_NUMBER_SIZE 32 /* [bytes] size of the text of a double */

/* Receives one entry. The strings are NUL-terminated and live until the callback returns. `section`
 * is "" before the first section. A callback that returns false stops the reader and has logged the
 * reason. */
typedef bool (*ini_entry_fn)(void *user, const char *section, const char *key, const char *value,
                             int line);

/* Passes every entry to `entry`. Returns false if the callback stopped, or if the text is no INI: a
 * control character, a broken section header, or a line that is neither section, entry, comment nor
 * empty. Errors are logged as "SOURCE:LINE: what". */
bool ini_read(const char *source, const char *text, size_t length, ini_entry_fn entry, void *user);

/* Reads as ini_read, but logs a warning for each wrong line and continues, up to the 20th. `entry`
 * logs its own warning before it returns false. Entries after a broken section header are
 * skipped. */
void ini_read_leniently(const char *source, const char *text, size_t length, ini_entry_fn entry,
                        void *user);

/* Parse values of files and of the command line. Return false if the text is not entirely
 * valid.
 *
 * Parses a finite decimal number. */
bool ini_number(const char *text, double *number);
/* Prints a finite number with the fewest digits, at least 6, that parse to the same number. */
void ini_number_text(double number, char text[static INI_NUMBER_SIZE]);
/* Parses decimal digits; numbers above UINT64_MAX saturate. */
bool ini_whole(const char *text, uint64_t *whole);
/* Parses a whole number as ini_whole, or with a suffix: k, M, G or T for 10^3, 10^6 and so on, or e
 * and an exponent, as in 10k and 1e6. Decimals are allowed if the number is whole, as in 2.5M. */
bool ini_count(const char *text, uint64_t *count);
/* Parses a whole number as ini_whole, but refuses numbers above UINT64_MAX. */
bool ini_key(const char *text, uint64_t *key);
/* Returns the index of `text` in a NULL-terminated list, or -1 if it is not in the list. */
int ini_choice(const char *text, const char *const *choices);

#endif
