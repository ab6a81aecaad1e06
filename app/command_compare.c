/* fathom compare: are two pictures, or two arrays of samples, the same? */
#include "app/commands.h"
#include "app/json.h"
#include "render/atomic_file.h"
#include "render/image.h"
#include "render/log.h"
#include "render/npy.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kind { KIND_PICTURE, KIND_ARRAY, KIND_UNKNOWN };

struct result {
    uint64_t pixels, different;
    double largest; /* infinite: a NaN against a number */
};

/* KIND_UNKNOWN: logged why. */
static enum kind kind_of(const char *path) {
    char start[8] = "";
    FILE *file = file_open(path);
    if (!file)
        return KIND_UNKNOWN;
    const size_t length = fread(start, 1, sizeof start, file);
    fclose(file);
    if (image_begins(start, length))
        return KIND_PICTURE;
    if (npy_begins(start, length))
        return KIND_ARRAY;
    log_error("'%s': neither a PPM or PNG picture nor a .npy file", path);
    return KIND_UNKNOWN;
}

static bool same_size(const char *const paths[2], const int sizes[4]) {
    if (sizes[0] == sizes[2] && sizes[1] == sizes[3])
        return true;
    log_error("the sizes differ: '%s' has %dx%d, '%s' has %dx%d", paths[0], sizes[0], sizes[1],
              paths[1], sizes[2], sizes[3]);
    return false;
}

static void count_difference(struct result *result, double difference) {
    result->different += difference > 0;
    result->largest = fmax(result->largest, difference);
}

static int channel_difference(uint32_t a, uint32_t b) {
    int largest = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const int d = abs((int)(a >> shift & 0xff) - (int)(b >> shift & 0xff));
        largest = d > largest ? d : largest;
    }
    return largest;
}

static bool compare_pictures(const char *const paths[2], struct result *result) {
    struct image a = {0}, b = {0};
    bool ok = image_read(paths[0], &a) && image_read(paths[1], &b) &&
              same_size(paths, (int[]){a.width_px, a.height_px, b.width_px, b.height_px});
    if (ok) {
        result->pixels = (uint64_t)a.width_px * (uint64_t)a.height_px;
        for (uint64_t i = 0; i < result->pixels; i++)
            count_difference(result, channel_difference(a.rgba[i], b.rgba[i]));
    }
    image_finish(&a);
    image_finish(&b);
    return ok;
}

static double value_difference(double a, double b) {
    if (a == b || (isnan(a) && isnan(b)))
        return 0;
    return isnan(a) || isnan(b) ? INFINITY : fabs(a - b);
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

/* Of a pixel, the largest of its channels'. Counts are subtracted exactly. */
static double pixel_difference(const struct npy *a, const struct npy *b, uint64_t pixel) {
    if (a->values)
        return value_difference(a->values[pixel], b->values[pixel]);
    uint64_t largest = 0;
    for (int i = 0; i < a->channels; i++) {
        const uint64_t at = pixel * (uint64_t)a->channels + (uint64_t)i;
        const uint64_t x = a->counts[at], y = b->counts[at], d = x > y ? x - y : y - x;
        largest = d > largest ? d : largest;
    }
    return (double)largest;
}

static bool compare_arrays(const char *const paths[2], struct result *result) {
    struct npy a = {0}, b = {0};
    bool ok = npy_read(paths[0], &a) && npy_read(paths[1], &b) && same_type(paths, &a, &b) &&
              same_size(paths, (int[]){a.width_px, a.height_px, b.width_px, b.height_px});
    if (ok) {
        result->pixels = (uint64_t)a.width_px * (uint64_t)a.height_px;
        for (uint64_t i = 0; i < result->pixels; i++)
            count_difference(result, pixel_difference(&a, &b, i));
    }
    npy_finish(&a);
    npy_finish(&b);
    return ok;
}

static bool compare(const char *const paths[2], struct result *result) {
    const enum kind a = kind_of(paths[0]);
    const enum kind b = a == KIND_UNKNOWN ? a : kind_of(paths[1]);
    if (b == KIND_UNKNOWN)
        return false;
    if (a == b)
        return a == KIND_PICTURE ? compare_pictures(paths, result) : compare_arrays(paths, result);
    log_error("a picture and an array cannot be compared: '%s', '%s'", paths[0], paths[1]);
    return false;
}

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
    struct result result = {0};
    if (!compare(options->arguments, &result))
        return 1;
    if (options->json)
        print_json(&result);
    else
        print_text(&result);
    return result.different > 0 ? 1 : 0;
}
