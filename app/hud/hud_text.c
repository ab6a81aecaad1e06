/* HUD texts: prints times, speeds, limits and coordinates from the explorer, the picture and the
 * backend. */
#include "app/hud/hud_text.h"
#include "app/explore/field_text.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* longer texts are shortened in the middle; the panel shows them completely */
#define CENTRE_CHARS      25
#define ZOOM_PLAIN_LOG10  5.99999978 /* log10(999999.5); larger zooms have an exponent */
#define ROUNDING_LOG10    2.17e-5    /* log10(10 / 9.9995); from 9.9995, four digits are 10.00 */
#define SOON_MS           300
#define SLOWED            0.95
#define POINTER_STEP_LOG2 -400

/* Prints an amount with a unit: 1234567 as "1.23 M". */
static void print_amount(char *text, size_t size, double value) {
    static const char *const units[] = {"", " k", " M", " G", " T", " P"};
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1000;
        unit++;
    }
    const int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    snprintf(text, size, "%.*f%s", decimals, value, units[unit]);
}

static void shorten(char *out, const char *text) {
    const size_t length = strlen(text), half = (CENTRE_CHARS - 3) / 2;
    if (length <= CENTRE_CHARS)
        snprintf(out, HUD_TEXT_MAX, "%s", text);
    else
        snprintf(out, HUD_TEXT_MAX, "%.*s...%s", (int)half, text, text + length - half);
}

static void print_field_of(char *out, const struct scene *scene, int height_px,
                           enum setting_id id) {
    char *text = field_shown(scene, id, height_px);
    shorten(out, text ? text : "?");
    free(text);
}

static void print_field(char *out, const struct explorer *explorer, enum setting_id id) {
    print_field_of(out, &explorer->scene, explorer->height_px, id);
}

/* Prints the zoom on the screen with a few digits: 400, 12345.6, 1.234e15. */
static void print_zoom(char *out, const struct explorer *explorer) {
    long exponent;
    const double target = mpfr_get_d_2exp(&exponent, explorer->scene.view.zoom, MPFR_RNDN);
    const double shown = target * cabs(explorer->camera.factor);
    const double digits = log10(shown) + (double)exponent * log10(2);
    const double power = floor(digits + ROUNDING_LOG10);
    if (fabs(digits) < ZOOM_PLAIN_LOG10)
        snprintf(out, HUD_TEXT_MAX, "%.6g", ldexp(shown, (int)exponent));
    else
        snprintf(out, HUD_TEXT_MAX, "%.4ge%.0f", pow(10, digits - power), power);
}

/* Prints a location such as "-0.7463 + 0.1102i". */
static void print_location(char *out, const char *re, const char *im) {
    const bool below = *im == '-';
    snprintf(out, HUD_TEXT_MAX, "%.*s %c %.*si", CENTRE_CHARS, re, below ? '-' : '+', CENTRE_CHARS,
             im + below);
}

static void update_view(struct readout *readout, const struct explorer *explorer) {
    if (readout->generation == explorer->generation && readout->height_px == explorer->height_px)
        return;
    print_field(readout->text[LINE_RE], explorer, SETTING_RE);
    print_field(readout->text[LINE_IM], explorer, SETTING_IM);
    print_location(readout->text[LINE_LOCATION], readout->text[LINE_RE], readout->text[LINE_IM]);
    *readout->text[LINE_ANGLE] = '\0';
    const double degrees = view_angle_degrees(&explorer->scene.view);
    if (degrees != 0)
        snprintf(readout->text[LINE_ANGLE], HUD_TEXT_MAX, "%.5g degrees", degrees);
    readout->generation = explorer->generation;
    readout->height_px = explorer->height_px;
}

/* Prints "9/16 samples" while they are being drawn, then "16 samples". Returns false if only one
 * is wanted. */
static bool print_samples(char *text, size_t size, const struct picture *picture) {
    const uint32_t wanted = picture->explorer->scene.pixel_samples;
    const bool gathering = picture_refining(picture);
    const uint32_t gathered = picture->antialias.generation > 0 ? picture->antialias.added : 0;
    if (wanted <= 1 || picture->orbit_density)
        return false;
    if (gathering)
        snprintf(text, size, "%u/%u samples", gathered > 1 ? gathered : 1, wanted);
    else
        snprintf(text, size, "%u samples", wanted);
    return true;
}

static void print_reference(char *out, const struct backend_report *report) {
    const struct reference_facts *facts = &report->reference;
    const double steps = (double)report->iterations + (double)report->skipped;
    char period[32] = "", skipped[32] = "";
    if (report->skipped > 0)
        snprintf(skipped, sizeof skipped, ", %.4g %% skipped",
                 100 * (double)report->skipped / steps);
    if (facts->period > 0)
        snprintf(period, sizeof period, "period %u, ", facts->period);
    if (facts->making)
        snprintf(out, HUD_TEXT_MAX, "searching, %.0f %%", floor(100 * facts->progress));
    else if (facts->length > 0)
        snprintf(out, HUD_TEXT_MAX, "%u steps, %s%.3g MB, found in %.*f ms%s", facts->length,
                 period, (double)facts->bytes * 1e-6, facts->made_ms < 100 ? 1 : 0, facts->made_ms,
                 skipped);
}

static void print_picture(char *out, const struct hud_text_input *input) {
    char speed[32] = "", complete[32] = "";
    const struct backend_report *report = &input->picture->report;
    if (report->iterations > 0 && report->elapsed_ms > 0) {
        print_amount(speed, sizeof speed - 5,
                     (double)report->iterations * 1e3 / report->elapsed_ms);
        strcat(speed, " it/s");
    }
    if (input->picture->complete_ms >= 10000)
        snprintf(complete, sizeof complete, "%.1f s", input->picture->complete_ms / 1e3);
    else if (input->picture->complete_ms > 0)
        snprintf(complete, sizeof complete, "%.*f ms", input->picture->complete_ms < 100 ? 1 : 0,
                 input->picture->complete_ms);
    char more[40] = "", samples[32];
    if (print_samples(samples, sizeof samples, input->picture))
        snprintf(more, sizeof more, ", %s", samples);
    snprintf(out, HUD_TEXT_MAX, "%s%s%s%s", complete, *complete && *speed ? ", " : "", speed, more);
}

/* Returns true if a held zoom is slower than requested. */
static bool is_slowed(const struct explorer *explorer) {
    return explorer->motion.hold != 0 &&
           motion_zoom_speed(explorer) < SLOWED * explorer->zoom_speed;
}

/* Prints the status for HUD_BRIEF. A picture that will soon be complete is left out, because it
 * would only flicker. */
static void print_status(char *out, const struct picture *picture) {
    const struct backend_report *report = &picture->report;
    char samples[32];
    if (is_slowed(picture->explorer)) {
        snprintf(out, HUD_TEXT_MAX, "zoom speed %.1f", motion_zoom_speed(picture->explorer));
    } else if (picture->orbit_density) {
        if (report->counted == 0)
            return;
        print_amount(samples, sizeof samples, (double)report->counted);
        snprintf(out, HUD_TEXT_MAX, "%s samples%s", samples,
                 picture_few_orbits(picture) ? ", few orbits here" : "");
    } else if (report->state == BACKEND_BUSY) {
        if (report->elapsed_ms < SOON_MS || explorer_moving(picture->explorer))
            return;
        if (report->reference.making)
            snprintf(out, HUD_TEXT_MAX, "finding the reference, %.0f %%",
                     floor(100 * report->reference.progress));
        else
            snprintf(out, HUD_TEXT_MAX, "%.0f %%", floor(100 * report->progress));
    } else if (!explorer_moving(picture->explorer) &&
               print_samples(samples, sizeof samples, picture)) {
        snprintf(out, HUD_TEXT_MAX, "%s", samples);
    }
}

/* Prints the point below the pointer, unless it is so deep that its digits take long. */
static void print_pointer(char *out, const struct explorer *explorer) {
    const double complex middle = explorer->width_px / 2.0 + I * (explorer->height_px / 2.0);
    const double complex shown = explorer->pointer_x_px + I * explorer->pointer_y_px - middle;
    const double complex at = similarity_apply(similarity_inverse(explorer->camera), shown);
    char re[HUD_TEXT_MAX], im[HUD_TEXT_MAX];
    if (view_step_log2(&explorer->scene.view, explorer->height_px) < POINTER_STEP_LOG2)
        return;
    struct scene scene;
    scene_init_copy(&scene, &explorer->scene);
    view_pan(&scene.view, creal(at), cimag(at), explorer->height_px);
    print_field_of(re, &scene, explorer->height_px, SETTING_RE);
    print_field_of(im, &scene, explorer->height_px, SETTING_IM);
    print_location(out, re, im);
    scene_finish(&scene);
}

/* Prints a name such as "mandelbrot" or "Julia set of tricorn, c = 0.1 - 0.2i". */
static void print_fractal(char *out, const struct explorer *explorer) {
    const struct fractal *fractal = &explorer->scene.fractal;
    char name[FRACTAL_NAME_SIZE];
    fractal_name(fractal, name, sizeof name);
    if (fractal->julia) {
        const double re = mpfr_get_d(fractal->re, MPFR_RNDN);
        const double im = mpfr_get_d(fractal->im, MPFR_RNDN);
        snprintf(out, HUD_TEXT_MAX, "%.80s, c = %.6g %c %.6gi", name, re, im < 0 ? '-' : '+',
                 fabs(im));
    } else {
        snprintf(out, HUD_TEXT_MAX, "%.80s", name);
    }
}

static void print_formula(char *out, const struct hud_text_input *input) {
    char orbit[UNDER_POINTER_TEXT_MAX];
    print_fractal(out, input->picture->explorer);
    if (input->under_pointer)
        under_pointer_print(input->under_pointer, orbit);
    const size_t length = strlen(out);
    if (input->under_pointer && *orbit)
        snprintf(out + length, HUD_TEXT_MAX - length, ", %s", orbit);
}

static void print_devices(struct hud_model *model, const struct hud_text_input *input) {
    const struct backend_info info = active_backend_info(input->picture->active);
    const char *starting = active_backend_starting(input->picture->active);
    snprintf(model->text[LINE_DEVICE], HUD_TEXT_MAX, "%s%s%s", info.name, *info.device ? ": " : "",
             info.device);
    if (starting)
        snprintf(model->text[LINE_PATH], HUD_TEXT_MAX, "%s is starting", starting);
    else if (!info.ready)
        snprintf(model->text[LINE_PATH], HUD_TEXT_MAX, "starting");
    else if (input->picture->host_copy)
        snprintf(model->text[LINE_PATH], HUD_TEXT_MAX, "via host memory");
    if (!(info.caps & BACKEND_CAP_EXACT) && info.ready)
        snprintf(model->text[LINE_WARNING], HUD_TEXT_MAX,
                 "inexact: may differ slightly from other backends");
}

static void print_type(struct hud_model *model, const struct hud_text_input *input) {
    const struct explorer *explorer = input->picture->explorer;
    const struct reference_facts *facts = &input->picture->report.reference;
    const enum precision precision =
        plan_precision(facts->decided ? facts->route : explorer->plan.route,
                       facts->decided ? facts->type : explorer->plan.type);
    const char *name = precision_names[precision];
    const bool automatic = explorer->scene.precision == PRECISION_AUTO;
    const enum method method = explorer->scene.method;
    const bool tiled = method == METHOD_TILES;
    snprintf(model->text[LINE_TYPE], HUD_TEXT_MAX, "%s%s%s%s", name, automatic ? " (auto)" : "",
             tiled ? "" : ", ", tiled ? "" : method_names[method]);
    if (explorer->plan.lacks)
        snprintf(model->text[LINE_WARNING], HUD_TEXT_MAX, "%s", explorer->plan.lacks);
    if (explorer->plan.past_depth)
        snprintf(model->text[LINE_WARNING], HUD_TEXT_MAX, "too deep for %s: pixels merge", name);
    snprintf(model->text[LINE_LIMIT], HUD_TEXT_MAX, "%u%s", explorer->scene.limit,
             explorer->auto_limit.on ? " (auto)" : "");
    snprintf(model->text[LINE_PALETTE], HUD_TEXT_MAX, "%s", explorer->scene.palette->name);
}

/* Prints functions that are off, so that a key pressed by accident does not pass for a fault. */
static void print_off(char *out, const struct explorer *explorer) {
    const bool aliased = explorer->scene.pixel_samples <= 1, fixed = !explorer->auto_limit.on;
    if (aliased || fixed)
        snprintf(out, HUD_TEXT_MAX, "off: %s%s%s", aliased ? "anti-aliasing (T)" : "",
                 aliased && fixed ? ", " : "", fixed ? "automatic limit (I)" : "");
}

/* --- density pictures --- */

/* Prints 0.0123, 4.56 or 789; larger values have a unit. */
static void print_few(char *text, size_t size, double value) {
    if (value < 999.5)
        snprintf(text, size, "%.3g", value);
    else
        print_amount(text, size, value);
}

static void print_counts(struct hud_model *model, const struct picture *picture) {
    char samples[32], points[32], speed[32];
    const struct backend_report *report = &picture->report;
    const double ms = fmax(report->elapsed_ms, 1);
    print_amount(samples, sizeof samples, (double)report->samples);
    print_few(points, sizeof points, picture_points(picture));
    print_amount(speed, sizeof speed, (double)report->points * 1e3 / ms);
    snprintf(model->text[LINE_PICTURE], HUD_TEXT_MAX, "%s%s",
             orbits_name(&picture->density.density),
             picture->full || report->samples >= PICTURE_SAMPLES_MAX ? ", finished" : "");
    snprintf(model->text[LINE_COUNTS], HUD_TEXT_MAX, "%s samples, %s points per pixel, %s points/s",
             samples, points, speed);
}

static void print_limits(char *out, const struct density *orbits) {
    int length = snprintf(out, HUD_TEXT_MAX, "%u", orbits->limit[0]);
    for (int i = 1; i < orbits->channels; i++)
        length += snprintf(out + length, HUD_TEXT_MAX - (size_t)length, ", %u", orbits->limit[i]);
    if (orbits->orbits == DENSITY_ESCAPING && density_least(orbits) > 1)
        snprintf(out + length, HUD_TEXT_MAX - (size_t)length, ", from %u", density_least(orbits));
}

static void print_tone(struct hud_model *model, const struct picture *picture) {
    const struct tone *tone = &picture->density.tone;
    snprintf(model->text[LINE_TONE], HUD_TEXT_MAX, "%s, exposure %+g, gamma %g",
             tone_curve_names[tone->curve], tone->exposure, tone->gamma);
    if (picture->density.density.channels == 1)
        snprintf(model->text[LINE_PALETTE], HUD_TEXT_MAX, "%s", tone_ramp_names[tone->ramp]);
}

static void print_density(struct hud_model *model, const struct picture *picture) {
    const struct density_req *req = &picture->density;
    const char *name = number_type_name(req->type);
    const bool automatic = picture->explorer->scene.precision == PRECISION_AUTO;
    print_counts(model, picture);
    print_limits(model->text[LINE_LIMIT], &req->density);
    print_tone(model, picture);
    snprintf(model->text[LINE_TYPE], HUD_TEXT_MAX, "%s%s", name, automatic ? " (auto)" : "");
    if (!plan_resolves(req->type, NULL, &req->view, req->width_px, req->height_px))
        snprintf(model->text[LINE_WARNING], HUD_TEXT_MAX, "too deep for %s: pixels merge", name);
    if (picture->problem)
        snprintf(model->text[LINE_WARNING], HUD_TEXT_MAX, "nothing to count: %s", picture->problem);
}

static void list_messages(struct hud_model *model, const struct hud_text_input *input) {
    for (size_t i = 0; i < input->messages->count && i < HUD_MESSAGES_MAX; i++)
        model->messages[model->message_count++] = input->messages->list[i].text;
    if (input->screenshot_waits && model->message_count < HUD_MESSAGES_MAX)
        model->messages[model->message_count++] =
            picture_complete(input->picture) && picture_refining(input->picture)
                ? "saving when the picture is finished (S: save now)"
                : "saving when the picture is complete";
}

static void place_box(struct hud_model *model, const struct explorer *explorer) {
    const struct motion *motion = &explorer->motion;
    if (!motion->boxing)
        return;
    model->box = true;
    model->box_x0 = motion->box_x0 / explorer->width_px;
    model->box_y0 = motion->box_y0 / explorer->height_px;
    model->box_x1 = motion->box_x1 / explorer->width_px;
    model->box_y1 = motion->box_y1 / explorer->height_px;
}

static void fill_times(struct hud_model *model, const struct hud_text_input *input) {
    const struct stats *any = &input->parts[0];
    model->frame_ms = stats_last(input->frames);
    model->frame_p99_ms = stats_percentile(input->frames, 0.99);
    model->frame_count = (int)any->count;
    model->frame_next = any->count < any->capacity ? 0 : (int)any->next;
    for (int part = 0; part < FRAME_PARTS; part++) {
        model->parts_ms[part] = input->parts[part].values;
        model->part_ms[part] = stats_percentile(&input->parts[part], 0.5);
    }
    model->latency_ms = stats_last(input->latency);
    model->latency_p50_ms = stats_percentile(input->latency, 0.5);
}

/* Prints the result of the verification on a line of its own, and behind the status. */
static void print_verified(struct hud_model *model, const struct hud_text_input *input) {
    char *status = model->text[LINE_STATUS];
    const size_t used = strlen(status);
    if (!input->verified || !*input->verified)
        return;
    snprintf(model->text[LINE_VERIFIED], HUD_TEXT_MAX, "%s", input->verified);
    snprintf(status + used, HUD_TEXT_MAX - used, "%s%s", used > 0 ? ", " : "", input->verified);
}

void hud_text_fill(struct readout *readout, const struct hud_text_input *input,
                   struct hud_model *model) {
    const struct picture *picture = input->picture;
    const struct explorer *explorer = picture->explorer;
    const bool busy = picture->report.state == BACKEND_BUSY;
    update_view(readout, explorer);
    *model = (struct hud_model){
        .numbers = input->numbers,
        .help = input->help,
        .hint = input->hint,
        .orbit_density = picture->orbit_density,
        .progress = busy && !picture->orbit_density ? picture->report.progress : 1,
    };
    memcpy(model->text, readout->text, sizeof model->text);
    print_zoom(model->text[LINE_ZOOM], explorer);
    if (input->numbers == HUD_ALL)
        fill_times(model, input);
    print_devices(model, input);
    if (picture->orbit_density) {
        print_density(model, picture);
    } else {
        print_picture(model->text[LINE_PICTURE], input);
        print_type(model, input);
        print_reference(model->text[LINE_REFERENCE], &picture->report);
        print_off(model->text[LINE_OFF], explorer);
    }
    print_status(model->text[LINE_STATUS], picture);
    print_verified(model, input);
    if (input->pointing && input->numbers != HUD_NONE)
        print_pointer(model->text[LINE_POINTER], explorer);
    print_formula(model->text[LINE_FORMULA], input);
    place_box(model, explorer);
    list_messages(model, input);
}
