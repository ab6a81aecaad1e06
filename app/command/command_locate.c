/* fathom locate: finds a minibrot or a Misiurewicz point in a view, and prints or writes a view
 * that shows it. */
#include "app/command/commands.h"
#include "app/explore/locator.h"
#include "app/still/outputs.h"
#include "render/base/atomic_file.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/json.h"
#include "render/base/log.h"
#include "render/base/progress.h"
#include <inttypes.h>
#include <stdlib.h>

#define WIDTH_DEFAULT_PX  1280
#define HEIGHT_DEFAULT_PX 720
#define LOOK_MS           50 /* interval between checks for an interrupt */

static void wait_for(struct locator *locator) {
    const double start = clock_ms();
    bool shown = false;
    while (!locator_wait(locator, LOOK_MS) && !interrupt_requested()) {
        char text[LOCATOR_TEXT_MAX];
        shown |= progress_show(NULL, locator_progress(locator, text), clock_ms() - start);
    }
    if (shown)
        progress_hide();
}

/* --- the report --- */

/* Numbers to print, as text: they may exceed a double's range. */
struct report {
    char *re, *im, *zoom;
    char size[SCALED_TEXT_MAX], domain[SCALED_TEXT_MAX], multiplier[SCALED_TEXT_MAX];
};

static bool report_init(struct report *report, const struct located *found) {
    const struct view *view = &found->scene.view;
    report->re = view_number_text(view->re, 0);
    report->im = view_number_text(view->im, 0);
    report->zoom = view_number_text(view->zoom, 4);
    scaled_text(found->size, report->size);
    scaled_text(found->domain, report->domain);
    scaled_text(found->multiplier, report->multiplier);
    if (report->re && report->im && report->zoom)
        return true;
    log_error("not enough memory for the digits of the point");
    return false;
}

static void report_finish(struct report *report) {
    free(report->re);
    free(report->im);
    free(report->zoom);
}

static void print_text(const struct report *report, const struct located *found) {
    char text[LOCATED_TEXT_MAX];
    located_text(found, text);
    printf("%s\nre = %s\nim = %s\nzoom = %s\n", text, report->re, report->im, report->zoom);
    if (found->kind == LOCATE_MINIBROT && found->turned)
        printf("upright at %.6g degrees, ", scaled_degrees(found->size));
    if (found->kind == LOCATE_MINIBROT)
        printf("atom domain %s\n", report->domain);
    printf("iterations = %" PRIu32 "\n", found->scene.limit);
}

/* Returns the name of the result's kind in JSON. */
static const char *name_of(const struct located *found) {
    if (!found->julia)
        return locate_kind_names[found->kind];
    return found->kind == LOCATE_MINIBROT ? "preimage" : "cycle";
}

/* Prints an angle, or null if the result has none. */
static void print_degrees(const struct located *found, const char *name, struct scaled number) {
    printf(", \"%s\": ", name);
    if (found->turned)
        json_number(stdout, scaled_degrees(number));
    else
        printf("null");
}

static void print_json(const struct report *report, const struct located *found, double ms) {
    printf("{\"kind\": \"%s\", \"%s\": %" PRIu32, name_of(found),
           found->julia && found->kind == LOCATE_MINIBROT ? "steps" : "period", found->period);
    if (found->kind == LOCATE_MINIBROT) {
        if (!found->julia)
            printf(", \"shape\": \"%s\"", found->disc ? "disc" : "cardioid");
        printf(", \"size\": \"%s\", \"domain\": \"%s\"", report->size, report->domain);
        print_degrees(found, "upright_degrees", found->size);
    } else {
        if (!found->julia)
            printf(", \"preperiod\": %" PRIu32, found->preperiod);
        printf(", \"multiplier\": \"%s\"", report->multiplier);
        print_degrees(found, "multiplier_degrees", found->multiplier);
    }
    printf(", \"re\": \"%s\", \"im\": \"%s\", \"zoom\": \"%s\", ", report->re, report->im,
           report->zoom);
    json_member_number(stdout, "angle", view_angle_degrees(&found->scene.view), ", ");
    printf("\"iterations\": %" PRIu32 ", ", found->scene.limit);
    json_member_number(stdout, "search_ms", ms, "}\n");
}

static bool write_view(const struct options *options, const struct located *found) {
    char *text = scene_text(&found->scene);
    if (!text)
        log_error("not enough memory for the view file");
    struct atomic_file *file = text ? atomic_file_open(outputs_path(options->output), false) : NULL;
    if (file)
        fputs(text, atomic_file_stream(file));
    free(text);
    return file && atomic_file_commit(file, NULL);
}

static bool report_found(const struct options *options, const struct located *found, double ms) {
    struct report report;
    bool ok = report_init(&report, found) && (!options->output || write_view(options, found));
    if (ok && options->json)
        print_json(&report, found, ms);
    else if (ok && !outputs_is_stdout(options->output))
        print_text(&report, found);
    report_finish(&report);
    return ok;
}

static bool search(const struct options *options, const struct scene *scene) {
    const struct locate_request request = {.width_px = scene->width_px,
                                           .height_px = scene->height_px,
                                           .kind = (enum locate_kind)options->kind,
                                           .upright = options->upright};
    const double start = clock_ms();
    struct locator *locator = locator_start(scene, &request);
    if (!locator)
        return false;
    wait_for(locator);
    const bool ended =
        locator_wait(locator, 0) && !(interrupt_requested() && !locator_found(locator));
    if (!ended)
        log_error("interrupted; nothing was found yet");
    const struct located *found = ended ? locator_found(locator) : NULL;
    if (ended && !found)
        log_error("%s", locator_why(locator));
    const bool ok = found && report_found(options, found, clock_ms() - start);
    locator_destroy(locator);
    return ok;
}

int command_locate(const struct options *options) {
    if (outputs_is_stdout(options->output) && options->json) {
        log_error("only one of -o and --json can go to standard output");
        return 2;
    }
    interrupt_catch();
    struct scene scene;
    scene_init(&scene);
    bool ok = command_scene(options, &scene) &&
              (!options->output || atomic_file_possible(outputs_path(options->output)));
    if (ok && (scene.width_px == 0 || scene.height_px == 0)) {
        scene.width_px = WIDTH_DEFAULT_PX;
        scene.height_px = HEIGHT_DEFAULT_PX;
    }
    ok = ok && search(options, &scene);
    scene_finish(&scene);
    return ok ? 0 : 1;
}
