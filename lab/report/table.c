/* Cells in reading order, and two ways to print them. */
#include "lab/report/table.h"
#include "render/base/log.h"
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_SIZE 96

struct cell {
    char text[TEXT_SIZE]; /* "": a number */
    double number;
};

struct table {
    char id[32];
    char title[200];
    struct table_column columns[TABLE_COLUMNS_MAX];
    size_t column_count;
    struct cell *cells;
    size_t count, capacity;
};

struct table *table_create(const char *id, const char *title, const struct table_column *columns) {
    struct table *table = calloc(1, sizeof *table);
    if (!table) {
        log_error("no memory for a table");
        abort();
    }
    snprintf(table->id, sizeof table->id, "%s", id);
    snprintf(table->title, sizeof table->title, "%s", title);
    for (; columns->name && table->column_count < TABLE_COLUMNS_MAX; columns++)
        table->columns[table->column_count++] = *columns;
    return table;
}

void table_destroy(struct table *table) {
    if (table)
        free(table->cells);
    free(table);
}

static struct cell *next_cell(struct table *table) {
    if (table->count == table->capacity) {
        const size_t capacity = table->capacity ? 2 * table->capacity : 64;
        struct cell *cells = realloc(table->cells, capacity * sizeof *cells);
        if (!cells) {
            log_error("no memory for the rows of a table");
            abort();
        }
        table->cells = cells;
        table->capacity = capacity;
    }
    struct cell *cell = &table->cells[table->count++];
    *cell = (struct cell){.number = NAN};
    return cell;
}

void table_text(struct table *table, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(next_cell(table)->text, TEXT_SIZE, format, arguments);
    va_end(arguments);
}

void table_number(struct table *table, double number) {
    next_cell(table)->number = number;
}

void table_gap(struct table *table) {
    next_cell(table);
}

void table_end_row(struct table *table) {
    while (table->count % table->column_count != 0)
        table_gap(table);
}

const char *table_id(const struct table *table) {
    return table->id;
}

/* A bar would end the cell. */
static void markdown_text(const char *text, FILE *file) {
    for (; *text; text++)
        fprintf(file, *text == '|' ? "\\%c" : "%c", *text);
}

static void markdown_cell(const struct table *table, size_t i, FILE *file) {
    const struct cell *cell = &table->cells[i];
    const int digits = table->columns[i % table->column_count].digits;
    fputc(' ', file);
    if (cell->text[0])
        markdown_text(cell->text, file);
    else if (!isfinite(cell->number))
        fputc('-', file);
    else
        fprintf(file, "%.*f", digits > 0 ? digits : 0, cell->number);
    fputs(" |", file);
}

void table_markdown(const struct table *table, FILE *file) {
    assert(table->count % table->column_count == 0);
    fprintf(file, "**%s**\n\n|", table->title);
    for (size_t i = 0; i < table->column_count; i++)
        fputc(' ', file), markdown_text(table->columns[i].name, file), fputs(" |", file);
    fputs("\n|", file);
    for (size_t i = 0; i < table->column_count; i++)
        fputs(table->columns[i].digits == TABLE_TEXT ? "---|" : "---:|", file);
    for (size_t i = 0; i < table->count; i++) {
        if (i % table->column_count == 0)
            fputs("\n|", file);
        markdown_cell(table, i, file);
    }
    fputs("\n\n", file);
}

static void csv_text(const char *text, FILE *file) {
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

void table_csv(const struct table *table, FILE *file) {
    for (size_t i = 0; i < table->column_count; i++) {
        if (i > 0)
            fputc(',', file);
        csv_text(table->columns[i].name, file);
    }
    for (size_t i = 0; i < table->count; i++) {
        fputs(i % table->column_count == 0 ? "\r\n" : ",", file);
        if (table->cells[i].text[0])
            csv_text(table->cells[i].text, file);
        else if (isfinite(table->cells[i].number))
            fprintf(file, "%.17g", table->cells[i].number);
    }
    fputs("\r\n", file);
}
