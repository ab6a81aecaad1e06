/* Pictures of one `fathom render` run: splits a command line with several views into command lines
 * with one view each. */
#include "app/command/render_jobs.h"
#include "app/assets.h"
#include "render/base/log.h"
#include "render/files/coordinates.h"
#include <stdlib.h>
#include <string.h>

/* Options that name output files, and their members in struct options. */
static const struct {
    const char *option;
    size_t offset;
} outputs[] = {
    {"-o", offsetof(struct options, output)},
    {"--data", offsetof(struct options, data)},
    {"--smooth", offsetof(struct options, smooth)},
};
#define OUTPUTS (sizeof outputs / sizeof *outputs)

static const char **output_of(struct options *options, size_t i) {
    return (const char **)((char *)options + outputs[i].offset);
}

/* --- names of views --- */

/* Returns the file's name without folder and ending. */
static char *stem_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return strndup(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* Returns the view's name, which may not be unique. Returns NULL if there is no memory. */
static char *own_name(const struct options *options) {
    char *found = NULL;
    if (options->argument_count == 0)
        return strdup(options->last ? "last" : "home");
    if (coordinates_are(options->arguments[0]))
        return strdup("location");
    if (strpbrk(options->arguments[0], "./") ||
        assets_match_view(options->arguments[0], &found) != 1) {
        free(found);
        found = stem_of(options->arguments[0]);
    }
    if (found && !*found) {
        free(found);
        found = strdup("view");
    }
    return found;
}

static bool is_taken(const struct render_jobs *jobs, size_t before, const char *name) {
    for (size_t i = 0; i < before; i++)
        if (strcmp(jobs->names[i], name) == 0)
            return true;
    return false;
}

/* Names the view `index`; no earlier view has the same name. */
static bool name_view(struct render_jobs *jobs, size_t index) {
    char *own = own_name(&jobs->each[index]);
    const size_t size = own ? strlen(own) + 24 : 0;
    char *name = own ? malloc(size) : NULL;
    if (name)
        snprintf(name, size, "%s", own);
    for (size_t number = 2; name && is_taken(jobs, index, name); number++)
        snprintf(name, size, "%s-%zu", own, number);
    free(own);
    jobs->names[index] = name;
    return name;
}

/* --- names of files --- */

/* Returns true if a text has placeholders for a view. Sets *unknown to the first unknown
 * placeholder, or to NULL. */
static bool has_placeholder(const char *text, const char **unknown) {
    bool any = false;
    *unknown = NULL;
    for (const char *p = text; !*unknown && (p = strchr(p, '%')); p += 2) {
        if (!p[1] || !strchr("ni%", p[1]))
            *unknown = p;
        any |= p[1] == 'n' || p[1] == 'i';
    }
    return any;
}

/* Checks that several views do not share one file and that all placeholders are known. Returns
 * false otherwise; the reason is logged. */
static bool check(const char *option, const char *text, size_t views) {
    const char *unknown;
    if (views == 1)
        return true;
    const bool any = has_placeholder(text, &unknown);
    if (unknown)
        log_error("%s '%s': %%n is the name of the view, %%i its number, %%%% a percent sign; "
                  "there is no '%.2s'",
                  option, text, unknown);
    else if (!any)
        log_error("%s '%s' is one file for %zu views: put %%n, the name of the view, or %%i, its "
                  "number, into it",
                  option, text, views);
    return any && !unknown;
}

static int digits_of(size_t count) {
    int digits = 1;
    for (; count >= 10; count /= 10)
        digits++;
    return digits;
}

/* Returns the text with its placeholders filled, or NULL if there is no memory. */
static char *fill(const struct render_jobs *jobs, size_t index, const char *text) {
    char *filled = NULL;
    size_t size;
    FILE *file = open_memstream(&filled, &size);
    const char *unknown;
    const bool literal = !has_placeholder(text, &unknown) || unknown;
    for (const char *p = text; file && *p; p++) {
        if (literal || *p != '%')
            fputc(*p, file);
        else if (*++p == 'n')
            fputs(jobs->names[index] ? jobs->names[index] : "", file);
        else if (*p == 'i')
            fprintf(file, "%0*zu", digits_of(jobs->count), index + 1);
        else
            fputc('%', file);
    }
    if (file && fclose(file) == 0)
        return filled;
    free(filled);
    return NULL;
}

static bool fill_all(struct render_jobs *jobs, size_t index) {
    bool ok = true;
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char **text = output_of(&jobs->each[index], i);
        if (*text)
            ok = (*text = fill(jobs, index, *text)) && ok;
    }
    return ok;
}

/* --- jobs --- */

bool render_jobs_make(struct render_jobs *jobs, const struct options *options) {
    const size_t count = options->argument_count > 1 ? (size_t)options->argument_count : 1;
    struct options all = *options;
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char *text = *output_of(&all, i);
        if (text && !check(outputs[i].option, text, count))
            return false;
    }
    *jobs = (struct render_jobs){calloc(count, sizeof *jobs->each),
                                 calloc(count, sizeof *jobs->names), 0};
    bool ok = jobs->each && jobs->names;
    jobs->count = ok ? count : 0;
    for (size_t i = 0; i < jobs->count; i++) {
        jobs->each[i] = *options;
        if (options->argument_count > 0) {
            jobs->each[i].arguments += i;
            jobs->each[i].argument_count = 1;
        }
        ok = ok && name_view(jobs, i);
        ok = fill_all(jobs, i) && ok;
    }
    if (ok)
        return true;
    log_error("not enough memory for so many views");
    render_jobs_finish(jobs);
    return false;
}

void render_jobs_finish(struct render_jobs *jobs) {
    for (size_t i = 0; i < jobs->count; i++) {
        for (size_t k = 0; k < OUTPUTS; k++)
            free((char *)*output_of(&jobs->each[i], k));
        free(jobs->names[i]);
    }
    free(jobs->each);
    free(jobs->names);
    *jobs = (struct render_jobs){0};
}
