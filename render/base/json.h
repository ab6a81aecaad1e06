/* JSON output: strings and numbers, for which printf is not enough. */
#ifndef FATHOM_RENDER_BASE_JSON_H
#define FATHOM_RENDER_BASE_JSON_H

#include <stdio.h>

/* Prints a quoted, escaped string. UTF-8 is unchanged; each byte that is not UTF-8 becomes U+FFFD,
 * so that any byte string gives valid JSON. */
void json_string(FILE *file, const char *text);
/* Prints a number, or null if it is not finite. */
void json_number(FILE *file, double number);
/* Print a member of an object, and `end` after it. */
void json_member_text(FILE *file, const char *name, const char *text, const char *end);
void json_member_number(FILE *file, const char *name, double number, const char *end);

#endif
