/* fathom compare: reports whether two pictures, or two arrays of samples, are equal, and where they
 * differ. */
#include "app/command/commands.h"
#include "app/still/outputs.h"
#include "render/base/atomic_file.h"
#include "render/base/json.h"
#include "render/base/log.h"
#include "render/colour.h"
#include "render/files/image.h"
#include "render/files/npy.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define DIM 0.25 /* brightness of equal pixels in the picture of the differences */

/* --- the two files --- */

/* Two pictures, or two arrays of samples, of the same kind and size. */
struct inputs {
    int width_px, height_px;
    bool pictures; /* kind of the inputs; false: arrays */
    struct image image[2];
    struct npy npy[2];
    double brightest; /* largest finite value of the first array */
};

enum kind { KIND_PICTURE, KIND_ARRAY, KIND_UNKNOWN };

/* Returns the kind of the file, or KIND_UNKNOWN if it has none or cannot be read; the reason is
 * logged. */
static enum kind kind_of(const char *path) {
    char start[IMAGE_START_SIZE] = "";
    FILE *file = file_open(path);
    if (!file)
        return KIND_UNKNOWN;
    const size_t length = fread(start, 1, sizeof start, file);
    fclose(file);
    if (image_begins(start, length))
        return KIND_PICTURE;
    if (npy_begins(start, length))
        return KIND_ARRAY;
    log_error("'%s': neither a picture nor a .npy file", path);
    return KIND_UNKNOWN;
}

static bool same_size(const char *const paths[2], const int sizes[4]) {
    if (sizes[0] == sizes[2] && sizes[1] == sizes[3])
        return true;
    log_error("the sizes differ: '%s' has %dx%d, '%s' has %dx%d", paths[0], sizes[0], sizes[1],
              paths[1], sizes[2], sizes[3]);
    return false;
}

static bool load_pictures(struct inputs *inputs, const char *const paths[2]) {
    struct image *a = &inputs->image[0], *b = &inputs->image[1];
    return image_read(paths[0], a) && image_read(paths[1], b) &&
           same_size(paths, (int[]){a->width_px, a->height_px, b->width_px, b->height_px});
}

static bool same_type(const char *const paths[2], const struct npy *a, const struct npy *b) {
    static const char *const names[] = {[NPY_U4] = "<u4", [NPY_F8] = "<f8", [NPY_U8] = "<u8"};
    if (a->type != b->type)
        log_error("the types differ: '%s' holds %s, '%s' holds %s", paths[0], names[a->type],
                  paths[1], names[b->type]);
    else if (a->channels != b->channels)
        log_error("the channels differ: '%s' has %d, '%s' has %d", paths[0], a->channels, paths[1],
                  b->channels);
    return a->type == b->type && a->channels == b->channels;
}

/* Returns the value of a pixel of the first array, in its first channel. */
static double value_at(const struct inputs *inputs, uint64_t pixel) {
    const struct npy *a = &inputs->npy[0];
    return a->values ? a->values[pixel] : (double)a->counts[pixel * (uint64_t)a->channels];
}

static bool load_arrays(struct inputs *inputs, const char *const paths[2]) {
    struct npy *a = &inputs->npy[0], *b = &inputs->npy[1];
    if (!npy_read(paths[0], a) || !npy_read(paths[1], b) || !same_type(paths, a, b) ||
        !same_size(paths, (int[]){a->width_px, a->height_px, b->width_px, b->height_px}))
        return false;
    const uint64_t pixels = (uint64_t)a->width_px * (uint64_t)a->height_px;
    for (uint64_t i = 0; i < pixels; i++)
        if (isfinite(value_at(inputs, i)))
            inputs->brightest = fmax(inputs->brightest, value_at(inputs, i));
    return true;
}

/* Loads both files; call image_finish and npy_finish in any case. Returns false if a file cannot be
 * read, or if the files cannot be compared; the reason is logged. */
static bool load_inputs(struct inputs *inputs, const char *const paths[2]) {
    *inputs = (struct inputs){0};
    const enum kind a = kind_of(paths[0]);
    const enum kind b = a == KIND_UNKNOWN ? a : kind_of(paths[1]);
    if (b == KIND_UNKNOWN)
        return false;
    if (a != b) {
        log_error("a picture and an array cannot be compared: '%s', '%s'", paths[0], paths[1]);
        return false;
    }
    inputs->pictures = a == KIND_PICTURE;
    const bool ok = inputs->pictures ? load_pictures(inputs, paths) : load_arrays(inputs, paths);
    inputs->width_px = inputs->pictures ? inputs->image[0].width_px : inputs->npy[0].width_px;
    inputs->height_px = inputs->pictures ? inputs->image[0].height_px : inputs->npy[0].height_px;
    return ok;
}

/* Returns a pixel as R, G, B and A of 16 bits each, R lowest. Values of 8 bits, 0 .. 255, are
 * scaled to 0 .. 65535. */
static uint64_t colour_at(const struct image *image, uint64_t pixel) {
    uint64_t colour = 0;
    if (image->deep)
        return image->deep[pixel];
    for (int i = 0; i < 4; i++)
        colour |= (uint64_t)(image->rgba[pixel] >> (8 * i) & 0xff) * 257 << (16 * i);
    return colour;
}

static double colour_difference(uint64_t a, uint64_t b) {
    int largest = 0;
    for (int shift = 0; shift < 64; shift += 16) {
        const int d = abs((int)(a >> shift & 0xffff) - (int)(b >> shift & 0xffff));
        largest = d > largest ? d : largest;
    }
    return largest / 257.0;
}

/* Returns a channel scaled to 0 .. 255. */
static double channel(uint64_t colour, int i) {
    return (double)(colour >> (16 * i) & 0xffff) / 257;
}

static double value_difference(double a, double b) {
    if (a == b || (isnan(a) && isnan(b)))
        return 0;
    return isnan(a) || isnan(b) ? INFINITY : fabs(a - b);
}

/* Returns the largest difference of the channels; counts are subtracted exactly. */
static double counts_difference(const struct npy *a, const struct npy *b, uint64_t pixel) {
    uint64_t largest = 0;
    for (int i = 0; i < a->channels; i++) {
        const uint64_t at = pixel * (uint64_t)a->channels + (uint64_t)i;
        const uint64_t x = a->counts[at], y = b->counts[at], d = x > y ? x - y : y - x;
        largest = d > largest ? d : largest;
    }
    return (double)largest;
}

/* Returns the largest difference of the channels of one pixel; pixels are counted from the top
 * left. In pictures, alpha is a channel, and differences are 0 .. 255, with a fraction if a picture
 * has 16 bits. In arrays, a NaN against a number gives infinity. */
static double difference_at(const struct inputs *inputs, uint64_t pixel) {
    const struct npy *a = &inputs->npy[0], *b = &inputs->npy[1];
    if (inputs->pictures)
        return colour_difference(colour_at(&inputs->image[0], pixel),
                                 colour_at(&inputs->image[1], pixel));
    return a->values ? value_difference(a->values[pixel], b->values[pixel])
                     : counts_difference(a, b, pixel);
}

/* Returns the brightness of a pixel of the first input, 0 .. 1. Arrays are shown by logarithm, and
 * black where the value is not a finite number. */
static double brightness_at(const struct inputs *inputs, uint64_t pixel) {
    if (inputs->pictures) {
        const uint64_t c = colour_at(&inputs->image[0], pixel);
        return (0.2126 * channel(c, 0) + 0.7152 * channel(c, 1) + 0.0722 * channel(c, 2)) / 255;
    }
    const double value = value_at(inputs, pixel);
    return isfinite(value) && value > 0 ? log1p(value) / log1p(inputs->brightest) : 0;
}

/* --- comparing --- */

struct result {
    uint64_t pixels, different;
    double largest;                      /* infinite: a NaN against a number */
    double least_finite, largest_finite; /* among the differences, 0 excluded */
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

static void compare(const struct inputs *inputs, struct result *result) {
    *result = (struct result){.least_finite = INFINITY};
    result->pixels = (uint64_t)inputs->width_px * (uint64_t)inputs->height_px;
    for (uint64_t i = 0; i < result->pixels; i++)
        count_difference(result, difference_at(inputs, i));
}

/* --- the picture of the differences --- */

static uint32_t grey(double brightness) {
    return COLOUR_ALPHA | 0x10101u * (uint32_t)lrint(255 * DIM * brightness);
}

/* Returns the colour of a difference, by its logarithm: yellow for the least, red for the largest,
 * magenta for a NaN against a number. */
static uint32_t bright(const struct result *result, double difference) {
    if (!isfinite(difference))
        return COLOUR_ALPHA | 0xff00ffu;
    const double range = log(result->largest_finite / result->least_finite);
    const double part = range > 0 ? fmin(log(difference / result->least_finite) / range, 1) : 1;
    return COLOUR_ALPHA | 0xffu | (uint32_t)lrint(255 * (1 - part)) << 8;
}

static bool draw_rows(const struct inputs *inputs, const struct result *result,
                      struct image_writer *writer, uint32_t *row) {
    uint64_t pixel = 0;
    for (int y = 0; y < inputs->height_px; y++) {
        for (int x = 0; x < inputs->width_px; x++, pixel++) {
            const double difference = difference_at(inputs, pixel);
            row[x] =
                difference > 0 ? bright(result, difference) : grey(brightness_at(inputs, pixel));
        }
        if (!image_writer_rows(writer, row, 1))
            return false;
    }
    return true;
}

static bool draw(const struct inputs *inputs, const struct result *result, const char *path) {
    uint32_t *row = malloc(sizeof *row * (size_t)inputs->width_px);
    if (!row) {
        log_error("cannot write '%s': not enough memory", path);
        return false;
    }
    struct image_writer *writer = image_writer_open(path, image_format_of(path), inputs->width_px,
                                                    inputs->height_px, NULL, 0);
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
    struct inputs inputs;
    struct result result;
    if (outputs_is_stdout(options->diff)) {
        log_error("--diff takes a file: the result goes to standard output");
        return 2;
    }
    if (!command_picture_name_fits(options, options->diff))
        return 2;
    bool ok = load_inputs(&inputs, options->arguments);
    if (ok) {
        compare(&inputs, &result);
        ok = !options->diff || draw(&inputs, &result, options->diff);
    }
    for (int i = 0; i < 2; i++) {
        image_finish(&inputs.image[i]);
        npy_finish(&inputs.npy[i]);
    }
    if (!ok)
        return 1;
    if (options->json)
        print_json(&result);
    else
        print_text(&result);
    return result.different > 0 ? 1 : 0;
}
