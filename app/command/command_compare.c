/* fathom compare: are two pictures, or two arrays of samples, the same, and where not? */
#include "app/command/commands.h"
#include "app/command/compare_inputs.h"
#include "app/still/outputs.h"
#include "render/base/json.h"
#include "render/base/log.h"
#include "render/colour.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define DIM 0.25 /* of what is the same */

struct result {
    uint64_t pixels, different;
    double largest;                      /* infinite: a NaN against a number */
    double least_finite, largest_finite; /* that are differences */
};

static void count_difference(struct result *result, double difference) {
    if (!(difference > 0))
        return;
    result->different++;
    result->largest = fmax(result->largest, difference);
    if (!isfinite(difference))
        return;
    result->least_finite = fmin(result->least_finite, difference);
    result->largest_finite = fmax(result->largest_finite, difference);
}

static void compare(const struct compare_inputs *inputs, struct result *result) {
    *result = (struct result){.least_finite = INFINITY};
    result->pixels = (uint64_t)inputs->width_px * (uint64_t)inputs->height_px;
    for (uint64_t i = 0; i < result->pixels; i++)
        count_difference(result, compare_inputs_difference(inputs, i));
}

/* --- the picture of the differences --- */

static uint32_t grey(double brightness) {
    return COLOUR_ALPHA | 0x10101u * (uint32_t)lrint(255 * DIM * brightness);
}

/* By the logarithm: the least difference is yellow, the largest red, NaN against a number
 * magenta. */
static uint32_t bright(const struct result *result, double difference) {
    if (!isfinite(difference))
        return COLOUR_ALPHA | 0xff00ffu;
    const double range = log(result->largest_finite / result->least_finite);
    const double part = range > 0 ? fmin(log(difference / result->least_finite) / range, 1) : 1;
    return COLOUR_ALPHA | 0xffu | (uint32_t)lrint(255 * (1 - part)) << 8;
}

static bool draw_rows(const struct compare_inputs *inputs, const struct result *result,
                      struct image_writer *writer, uint32_t *row) {
    uint64_t pixel = 0;
    for (int y = 0; y < inputs->height_px; y++) {
        for (int x = 0; x < inputs->width_px; x++, pixel++) {
            const double difference = compare_inputs_difference(inputs, pixel);
            row[x] = difference > 0 ? bright(result, difference)
                                    : grey(compare_inputs_brightness(inputs, pixel));
        }
        if (!image_writer_rows(writer, row, 1))
            return false;
    }
    return true;
}

static bool draw(const struct compare_inputs *inputs, const struct result *result,
                 const char *path) {
    uint32_t *row = malloc(sizeof *row * (size_t)inputs->width_px);
    if (!row) {
        log_error("cannot write '%s': not enough memory", path);
        return false;
    }
    struct image_writer *writer = image_writer_open(path, image_format_of(path), inputs->width_px,
                                                    inputs->height_px, NULL, false);
    bool ok = writer && draw_rows(inputs, result, writer, row);
    if (ok)
        ok = image_writer_commit(writer, NULL);
    else
        image_writer_abandon(writer);
    free(row);
    return ok;
}

/* --- results --- */

static void print_text(const struct result *result) {
    if (result->different == 0)
        puts("identical");
    else
        printf("%" PRIu64 " of %" PRIu64 " pixels differ, largest difference %.9g\n",
               result->different, result->pixels, result->largest);
}

static void print_json(const struct result *result) {
    printf("{\"identical\": %s, \"pixels\": %" PRIu64 ", \"different\": %" PRIu64
           ", \"largest_difference\": ",
           result->different ? "false" : "true", result->pixels, result->different);
    json_number(stdout, result->largest);
    puts("}");
}

int command_compare(const struct options *options) {
    struct compare_inputs inputs;
    struct result result;
    if (outputs_is_stdout(options->diff)) {
        log_error("--diff takes a file: the result goes to standard output");
        return 2;
    }
    if (!command_picture_name_fits(options, options->diff))
        return 2;
    bool ok = compare_inputs_load(&inputs, options->arguments);
    if (ok) {
        compare(&inputs, &result);
        ok = !options->diff || draw(&inputs, &result, options->diff);
    }
    compare_inputs_finish(&inputs);
    if (!ok)
        return 1;
    if (options->json)
        print_json(&result);
    else
        print_text(&result);
    return result.different > 0 ? 1 : 0;
}
