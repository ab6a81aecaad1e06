/* A table of results: named columns, rows of texts and numbers. */
#ifndef FATHOM_LAB_REPORT_TABLE_H
#define FATHOM_LAB_REPORT_TABLE_H

#include <stddef.h>
#include <stdio.h>

#define TABLE_COLUMNS_MAX 24
#define TABLE_TEXT        (-1) /* digits of a column of texts */

struct table_column {
    const char *name; /* with its unit: "time, ms" */
    int digits;       /* after the point, or TABLE_TEXT */
};

struct table;

/* `id` names its file ("paper-03"), of letters, digits and '-'. `columns` ends with a NULL name.
 * What is passed in is only lent. Never NULL: without memory for a few kilobytes the program ends.
 */
struct table *table_create(const char *id, const char *title, const struct table_column *columns);
void table_destroy(struct table *table); /* NULL is allowed */

/* Cells, from left to right and then in the next row. NaN, and table_gap, are shown as a dash and
 * are empty in CSV. */
void table_text(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_number(struct table *table, double number);
void table_gap(struct table *table);
/* Fills the row that has been begun with gaps. */
void table_end_row(struct table *table);

const char *table_id(const struct table *table);
void table_markdown(const struct table *table, FILE *file);
/* With every digit of the numbers, and each line ended by CR LF (RFC 4180). */
void table_csv(const struct table *table, FILE *file);

#endif
