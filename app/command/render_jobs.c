/* Pictures of one `fathom render` run: splits a command line with several views into command lines
 * with one view each. */
#include "app/command/render_jobs.h"
#include "app/assets.h"
#include "app/command/commands.h"
#include "render/base/log.h"
#include "render/files/coordinates.h"
#include "render/locate/home.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static bool check_all(const struct options *options, size_t count) {
    struct options all = *options;
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char *text = *output_of(&all, i);
        if (text && !check(outputs[i].option, text, count))
            return false;
    }
    return true;
}

/* Makes jobs with the same command line, except that each has an argument of its own if there are
 * several. Returns false without memory; the reason is logged. */
static bool make(struct render_jobs *jobs, const struct options *options, size_t count) {
    *jobs = (struct render_jobs){.each = calloc(count, sizeof *jobs->each),
                                 .names = calloc(count, sizeof *jobs->names)};
    bool ok = jobs->each && jobs->names;
    jobs->count = ok ? count : 0;
    for (size_t i = 0; i < jobs->count; i++) {
        jobs->each[i] = *options;
        if (options->argument_count > 1) {
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

bool render_jobs_make(struct render_jobs *jobs, const struct options *options) {
    const size_t count = options->argument_count > 1 ? (size_t)options->argument_count : 1;
    return check_all(options, count) && make(jobs, options, count);
}

static void finish_job(struct render_jobs *jobs, size_t i) {
    for (size_t k = 0; k < OUTPUTS; k++)
        free((char *)*output_of(&jobs->each[i], k));
    free(jobs->names[i]);
    if (jobs->zooms)
        free(jobs->zooms[i]);
}

void render_jobs_finish(struct render_jobs *jobs) {
    for (size_t i = 0; i < jobs->count; i++)
        finish_job(jobs, i);
    free(jobs->each);
    free(jobs->names);
    free(jobs->zooms);
    *jobs = (struct render_jobs){0};
}

/* --- octaves --- */

bool render_jobs_are_octaves(const struct options *options) {
    const char *unknown;
    return options->projection == PROJECTION_EXPONENTIAL && options->argument_count <= 1 &&
           options->output && has_placeholder(options->output, &unknown);
}

/* Returns the number of octaves: the last one has at most the zoom of home. */
static size_t octaves_of(const struct scene *scene) {
    struct view home;
    view_init(&home);
    home_view(&home, &scene->fractal, 16, 9);
    mpfr_div(home.zoom, scene->view.zoom, home.zoom, MPFR_RNDN);
    mpfr_log2(home.zoom, home.zoom, MPFR_RNDN);
    const double octaves = ceil(mpfr_get_d(home.zoom, MPFR_RNDN));
    view_finish(&home);
    return octaves > 0 ? (size_t)octaves + 1 : 1;
}

/* Sets the zoom of each job, whose halves are exact. */
static bool set_zooms(struct render_jobs *jobs, const struct view *view) {
    mpfr_t zoom;
    mpfr_init2(zoom, VIEW_ZOOM_BITS);
    mpfr_set(zoom, view->zoom, MPFR_RNDN);
    jobs->zooms = calloc(jobs->count, sizeof *jobs->zooms);
    bool ok = jobs->zooms;
    for (size_t i = 0; ok && i < jobs->count; i++) {
        ok = (jobs->zooms[i] = view_number_text(zoom, 0));
        jobs->each[i].texts[SETTING_ZOOM] = jobs->zooms[i];
        mpfr_div_2ui(zoom, zoom, 1, MPFR_RNDN);
    }
    mpfr_clear(zoom);
    if (!ok)
        log_error("not enough memory for so many views");
    return ok;
}

bool render_jobs_make_octaves(struct render_jobs *jobs, const struct options *options) {
    struct scene scene;
    scene_init(&scene);
    bool ok = command_scene(options, &scene);
    const size_t count = ok ? octaves_of(&scene) : 0;
    ok = ok && check_all(options, count) && make(jobs, options, count);
    if (ok && !set_zooms(jobs, &scene.view)) {
        render_jobs_finish(jobs);
        ok = false;
    }
    scene_finish(&scene);
    return ok;
}

bool render_jobs_has(struct render_jobs *jobs, size_t index) {
    bool done = true;
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char *path = *output_of(&jobs->each[index], i);
        done = done && (!path || access(path, F_OK) == 0);
    }
    return done;
}

size_t render_jobs_drop(struct render_jobs *jobs, const struct work_part *part, size_t *done) {
    size_t left = 0, wanted = 0;
    const size_t count = jobs->count;
    for (size_t i = 0; i < count; i++) {
        const bool ours = work_part_has(part, i);
        wanted += ours;
        if (!ours || render_jobs_has(jobs, i)) {
            finish_job(jobs, i);
            continue;
        }
        jobs->each[left] = jobs->each[i];
        jobs->names[left] = jobs->names[i];
        if (jobs->zooms)
            jobs->zooms[left] = jobs->zooms[i];
        left++;
    }
    jobs->count = left;
    *done = wanted - left;
    return wanted;
}
