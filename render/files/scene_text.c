/* Scenes as text. */
#include "render/base/ini.h"
#include "render/files/scene.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void write_number(FILE *file, const char *key, double number) {
    char text[INI_NUMBER_SIZE];
    ini_number_text(number, text);
    fprintf(file, "%s = %s\n", key, text);
}

/* Both coordinates at the same precision: `bits` stands for the two of them. */
static bool write_view(FILE *file, const struct view *view) {
    struct view wide;
    view_init_copy(&wide, view);
    const long bits = view_bits(view);
    mpfr_prec_round(wide.re, bits, MPFR_RNDN);
    mpfr_prec_round(wide.im, bits, MPFR_RNDN);
    char *re = view_number_text(wide.re, 0), *im = view_number_text(wide.im, 0);
    char *zoom = view_number_text(wide.zoom, 0);
    const bool ok = re && im && zoom;
    if (ok) {
        fprintf(file, "[view]\nre = %s\nim = %s\nbits = %ld\nzoom = %s\n", re, im, bits, zoom);
        write_number(file, "angle", view_angle_degrees(view));
    }
    free(re);
    free(im);
    free(zoom);
    view_finish(&wide);
    return ok;
}

static void write_orbits(FILE *file, const struct scene *scene) {
    const struct density *orbits = &scene->orbits;
    const struct tone *tone = &scene->tone;
    fprintf(file, "kind = density\n\n[orbits]\ncounted = %s\nrules = %s\nleast = %" PRIu32 "\n",
            density_orbits_names[orbits->orbits], density_rules_ids[orbits->rules], orbits->least);
    if (orbits->channels > 1)
        fprintf(file, "channels = %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", orbits->limit[0],
                orbits->limit[1], orbits->limit[2]);
    fprintf(file, "random = %" PRIu64 "\n", orbits->random);
    if (scene->samples > 0)
        fprintf(file, "samples = %" PRIu64 "\nsampling = %u\n", scene->samples, DENSITY_SAMPLING);
    fprintf(file, "curve = %s\nramp = %s\n", tone_curve_ids[tone->curve],
            tone_ramp_names[tone->ramp]);
    write_number(file, "exposure", tone->exposure);
    write_number(file, "gamma", tone->gamma);
    write_number(file, "white", tone->white);
}

static void write_rest(FILE *file, const struct scene *scene) {
    fprintf(file, "\n[fractal]\nformula = %s\niterations = %" PRIu32 "\n",
            formula_names[scene->formula], scene->limit);
    fprintf(file, "\n[colour]\npalette = %s\n", scene->palette->id);
    write_number(file, "density", scene->frequency);
    write_number(file, "offset", scene->offset);
    if (scene->banded)
        fprintf(file, "smooth = no\n");
    fprintf(file, "\n[picture]\n");
    if (scene->width_px > 0)
        fprintf(file, "width = %d\n", scene->width_px);
    if (scene->height_px > 0)
        fprintf(file, "height = %d\n", scene->height_px);
    fprintf(file, "number = %s\narithmetic = %s\nmethod = %s\n", precision_name(scene->precision),
            arithmetic_name(scene->arithmetic), method_id(scene->method));
    if (scene->pixel_samples > 1 && !scene->orbit_density)
        fprintf(file, "samples = %" PRIu32 "\n", scene->pixel_samples);
    if (scene->orbit_density)
        write_orbits(file, scene);
}

char *scene_text(const struct scene *scene) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return NULL;
    const bool ok = write_view(file, &scene->view);
    write_rest(file, scene);
    if (fclose(file) == 0 && ok)
        return text;
    free(text);
    return NULL;
}
