/* Channels of EXR pictures: converts sample planes to channels and back. Planes are stored bit for
 * bit, because Kalles Fraktaler's channels round or contain only a part of them. */
#include "render/files/exr/channels.h"
#include "render/base/atomic_file.h"
#include "render/formula/fractal.h"
#include "render/grid/exponential.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#define FRACTION_MAX 4096.0f /* fractions of files beyond it are none */
#define MEAN_MAX     64.0f   /* the same for means */
#define MAGIC        "\x76\x2f\x31\x01"

#define CHANNEL_ROW(id, name, type, planes) {name, CHANNEL_##type, planes},
const struct channel channel_table[CHANNELS] = {CHANNEL_LIST(CHANNEL_ROW)};
#undef CHANNEL_ROW

static_assert(CHANNELS <= 32 && SAMPLE_PLANES < 31, "channels and planes fit into sets of 32");

bool exr_is_name(const char *path) {
    const char *ending = path ? strrchr(path, '.') : NULL;
    return ending && strcasecmp(ending, ".exr") == 0;
}

bool exr_begins(const char *data, size_t length) {
    return length >= 4 && memcmp(data, MAGIC, 4) == 0;
}

bool exr_is_file(const char *path) {
    const char *why;
    bool absent;
    char start[4];
    FILE *file = file_open_silently(path, &absent, &why);
    const bool is = file && exr_begins(start, fread(start, 1, sizeof start, file));
    if (file)
        fclose(file);
    return is;
}

int channel_find(const char *name) {
    for (int c = 0; c < CHANNELS; c++)
        if (strcmp(channel_table[c].name, name) == 0)
            return c;
    return -1;
}

size_t channel_bytes(int channel) {
    return channel_table[channel].type == CHANNEL_HALF ? 2 : 4;
}

const char *exr_channel_of(enum sample_plane plane) {
    int c = 0;
    while (!(channel_table[c].planes >> plane & 1))
        c++;
    return channel_table[c].name;
}

/* Returns the planes of channels of which all `needed` ones exist. */
static unsigned planes_if(uint32_t exist, uint32_t needed, unsigned planes) {
    return (exist & needed) == needed ? planes & ~CHANNEL_NEVER : 0;
}

unsigned channels_planes(uint32_t exist) {
    static const uint32_t together[] = {1u << CHANNEL_DEX | 1u << CHANNEL_DEY,
                                        1u << CHANNEL_N0 | 1u << CHANNEL_N1,
                                        1u << CHANNEL_CAUGHT_X | 1u << CHANNEL_CAUGHT_Y,
                                        1u << CHANNEL_NORMAL_X | 1u << CHANNEL_NORMAL_Y};
    unsigned planes = 0;
    for (int c = 0; c < CHANNELS; c++) {
        uint32_t needed = 1u << c;
        for (size_t i = 0; i < sizeof together / sizeof *together; i++)
            needed |= together[i] & 1u << c ? together[i] : 0;
        planes |= planes_if(exist, needed, channel_table[c].planes);
    }
    return planes;
}

unsigned exr_planes(const struct frame_req *req) {
    return req->planes | (fractal_has_slopes(&req->fractal) ? SAMPLE_SLOPE : 0);
}

unsigned exr_all(const struct frame_req *req) {
    if (!fractal_has_slopes(&req->fractal))
        return SAMPLE_BASIC | SAMPLE_PLANE_BIT(angle);
    return SAMPLE_ALL & ~(req->route == ROUTE_DIRECT ? 0 : SAMPLE_INSIDE);
}

/* Divides a fraction into whole steps and the rest, 0 <= rest < 1, which may be rounded. */
static int split(float fraction, float *rest) {
    const float whole = floorf(fraction);
    *rest = fraction - whole;
    const bool up = *rest >= 1; /* a tiny negative fraction */
    *rest = up ? 0 : *rest;
    return (int)whole + up;
}

/* --- storing --- */

static void store_counts(const struct sample_planes *row, size_t width, uint32_t *n, float *nf) {
    for (size_t x = 0; x < width; x++) {
        const bool interior = row->count[x] & SAMPLE_INTERIOR;
        const int whole = split(interior ? 0 : row->fraction[x], &nf[x]);
        n[x] = interior ? UINT32_MAX : (uint32_t)((int64_t)row->count[x] + whole + EXR_BIAS);
    }
}

static bool is_interior(const struct sample_planes *row, size_t x) {
    return row->count[x] & SAMPLE_INTERIOR;
}

/* Returns true if sample x has a value in a plane (sample.h). */
static bool is_defined(const struct sample_planes *row, int plane, size_t x) {
    const bool interior = is_interior(row, x);
    if (SAMPLE_INSIDE >> plane & 1)
        return interior;
    return !interior && (!(SAMPLE_TRACE >> plane & 1) || !row->distance || row->distance[x] > 0);
}

/* Returns a coordinate of a plane of two 16-bit numbers: the one in the bits from `shift` on. */
static float coordinate_of(int plane, uint32_t both, int shift) {
    const int16_t part = (int16_t)(both >> shift & 0xffffu);
    return plane == SAMPLE_PLANE_normal ? (float)part / 32767.0f : (float)part * 0x1p-15f;
}

static bool is_pair(int plane) {
    return plane == SAMPLE_PLANE_normal || plane == SAMPLE_PLANE_caught;
}

static int plane_of(int channel) {
    return __builtin_ctz(channel_table[channel].planes);
}

static void store_plane(const struct sample_planes *row, size_t width, int channel, uint32_t *to) {
    const int plane = plane_of(channel);
    const uint32_t *from = row->plane[plane];
    const int shift = channel == CHANNEL_NORMAL_Y || channel == CHANNEL_CAUGHT_Y ? 16 : 0;
    for (size_t x = 0; x < width; x++) {
        const uint32_t value = is_defined(row, plane, x) ? from[x] : 0;
        to[x] = is_pair(plane) ? float_bits(coordinate_of(plane, value, shift)) : value;
    }
}

static void store_turns(const struct sample_planes *row, size_t width, float *to) {
    for (size_t x = 0; x < width; x++)
        to[x] = is_interior(row, x) ? 0 : (float)(row->angle[x] >> 8) * 0x1p-24f;
}

/* Converts the direction (nr, ni) of the rising escape in the plane to one in pixels: the
 * derivatives of the logarithm of |z| along the row (*a) and, upwards, along the column (*b), times
 * the same number. */
static void direction_of(const struct frame_req *req, int x, int y, uint32_t normal, double *a,
                         double *b) {
    const double nr = (int16_t)(normal & 0xffffu) / 32767.0, ni = (int16_t)(normal >> 16) / 32767.0;
    if (req->projection == PROJECTION_EXPONENTIAL) {
        /* Columns go clockwise, and rows inwards; the distance is in heights of the pixels. */
        const struct exponential_pixel pixel = exponential_pixel(req, x, y);
        *a = (nr * pixel.im - ni * pixel.re) * pixel.across / pixel.down;
        *b = nr * pixel.re + ni * pixel.im;
    } else {
        const double re = cos(req->view.angle), im = sin(req->view.angle);
        *a = nr * re + ni * im;
        *b = ni * re - nr * im;
    }
}

/* Stores distances along the rising escape: |z| over its derivatives, as 1 / (a + ib). */
static void store_distances(const struct frame_req *req, int y, const struct sample_planes *row,
                            float *dex, float *dey) {
    for (int x = 0; x < req->width_px; x++) {
        const double distance = is_interior(row, (size_t)x) ? 0 : (double)row->distance[x];
        double a = 0, b = 0;
        if (distance > 0)
            direction_of(req, x, y, row->normal[x], &a, &b);
        const double square = a * a + b * b;
        dex[x] = square > 0 ? (float)(distance * a / square) : 0;
        dey[x] = square > 0 ? (float)(distance * b / square) : 0;
    }
}

void channels_store(const struct frame_req *req, int y, const struct sample_planes *row,
                    void *const to[CHANNELS]) {
    const size_t width = (size_t)req->width_px;
    store_counts(row, width, to[CHANNEL_N], to[CHANNEL_NF]);
    if (to[CHANNEL_T])
        store_turns(row, width, to[CHANNEL_T]);
    if (to[CHANNEL_DEX])
        store_distances(req, y, row, to[CHANNEL_DEX], to[CHANNEL_DEY]);
    for (int c = CHANNEL_ANGLE; c < CHANNELS; c++)
        if (to[c])
            store_plane(row, width, c, to[c]);
}

/* --- loading --- */

/* Returns the number of steps with the bias; UINT64_MAX in the interior. */
static uint64_t steps_of(const void *const from[CHANNELS], size_t x) {
    const uint32_t *n = from[CHANNEL_N], *low = from[CHANNEL_N0], *high = from[CHANNEL_N1];
    if (n)
        return n[x] == UINT32_MAX ? UINT64_MAX : n[x];
    return low[x] | (uint64_t)high[x] << 32;
}

/* Returns value x of a channel of numbers, or 0 if the channel is absent or the value is not a
 * number of at most `most`. */
static float number_at(const float *from, size_t x, float most) {
    return from && fabsf(from[x]) <= most ? from[x] : 0;
}

/* Computes counts and fractions. Fathom's own fraction may be outside of 0 to 1, and its whole
 * steps are part of N. Steps below 0 are moved to the fraction. A pixel with neither steps nor
 * fraction was not computed. */
static void load_counts(const struct channels_file *file, const void *const from[CHANNELS],
                        size_t width, const struct sample_planes *row) {
    const float *own = from[CHANNEL_FRACTION], *nf = own ? own : from[CHANNEL_NF];
    const int64_t most = SAMPLE_COUNT_MASK - 1;
    for (size_t x = 0; x < width; x++) {
        const uint64_t steps = steps_of(from, x);
        float fraction = number_at(nf, x, FRACTION_MAX), rest;
        const bool missing = steps == 0 && fraction == 0 && file->bias > 0;
        const bool interior = steps == UINT64_MAX || missing;
        int64_t count = (int64_t)(steps < INT64_MAX / 2 ? steps : INT64_MAX / 2) - file->bias;
        count -= own ? split(fraction, &rest) : 0;
        fraction += count < 0 ? fmaxf((float)count, -FRACTION_MAX) : 0;
        count = count < 0 ? 0 : count > most ? most : count;
        row->count[x] = interior ? SAMPLE_INTERIOR | file->limit : (uint32_t)count;
        row->fraction[x] = interior ? 0 : fraction;
    }
}

/* Returns two 16-bit numbers for coordinates that coordinate_of has made. */
static uint32_t pair_of(int plane, float re, float im) {
    const float scale = plane == SAMPLE_PLANE_normal ? 32767.0f : 0x1p15f;
    const float x = fminf(fmaxf(re * scale, -32768), 32767);
    const float y = fminf(fmaxf(im * scale, -32768), 32767);
    return ((uint32_t)lrintf(x) & 0xffffu) | (uint32_t)lrintf(y) << 16;
}

static void load_pairs(int plane, const float *re, const float *im, size_t width, uint32_t *to) {
    for (size_t x = 0; x < width; x++)
        to[x] = pair_of(plane, number_at(re, x, 1), number_at(im, x, 1));
}

static void load_plane(int channel, const void *from, size_t width, void *to) {
    const int plane = plane_of(channel);
    const bool mean = plane == SAMPLE_PLANE_stripe || plane == SAMPLE_PLANE_triangle;
    if (channel_table[channel].type == CHANNEL_UINT)
        memcpy(to, from, width * SAMPLE_PLANE_BYTES);
    else
        for (size_t x = 0; x < width; x++)
            ((float *)to)[x] = number_at(from, x, mean ? MEAN_MAX : FLT_MAX);
}

/* Computes distances and normals from another program's channels; fathom's own replace them. */
static void load_distances(const struct channels_file *file, const float *dex, const float *dey,
                           size_t width, const struct sample_planes *row) {
    for (size_t x = 0; x < width; x++) {
        const double a = (double)number_at(dex, x, 0x1p100f);
        const double b = (double)number_at(dey, x, 0x1p100f), distance = hypot(a, b);
        const double re = (a * file->cos - b * file->sin) / (distance > 0 ? distance : 1);
        const double im = (a * file->sin + b * file->cos) / (distance > 0 ? distance : 1);
        if (row->distance)
            row->distance[x] = is_interior(row, x) ? 0 : (float)distance;
        if (row->normal)
            row->normal[x] = pair_of(SAMPLE_PLANE_normal, (float)re, (float)im);
    }
}

static void load_turns(const float *turns, size_t width, uint32_t *to) {
    for (size_t x = 0; x < width; x++) {
        const double turn = (double)number_at(turns, x, 0x1p20f);
        to[x] = (uint32_t)(uint64_t)((turn - floor(turn)) * 0x1p32);
    }
}

void channels_load(const struct channels_file *file, const void *const from[CHANNELS], size_t width,
                   const struct sample_planes *row) {
    load_counts(file, from, width, row);
    if (from[CHANNEL_DEX] && from[CHANNEL_DEY])
        load_distances(file, from[CHANNEL_DEX], from[CHANNEL_DEY], width, row);
    if (from[CHANNEL_T] && row->angle)
        load_turns(from[CHANNEL_T], width, row->angle);
    if (row->normal && from[CHANNEL_NORMAL_X] && from[CHANNEL_NORMAL_Y])
        load_pairs(SAMPLE_PLANE_normal, from[CHANNEL_NORMAL_X], from[CHANNEL_NORMAL_Y], width,
                   row->normal);
    if (row->caught && from[CHANNEL_CAUGHT_X] && from[CHANNEL_CAUGHT_Y])
        load_pairs(SAMPLE_PLANE_caught, from[CHANNEL_CAUGHT_X], from[CHANNEL_CAUGHT_Y], width,
                   row->caught);
    for (int c = CHANNEL_ANGLE; c < CHANNELS; c++)
        if (from[c] && c != CHANNEL_FRACTION && !is_pair(plane_of(c)) && row->plane[plane_of(c)])
            load_plane(c, from[c], width, row->plane[plane_of(c)]);
}
