/* Channels of EXR pictures, and the sample planes that they contain. */
#ifndef FATHOM_RENDER_FILES_EXR_CHANNELS_H
#define FATHOM_RENDER_FILES_EXR_CHANNELS_H

#include "render/files/exr/exr.h"

/* Types of values, with the numbers of the file format. */
enum channel_type { CHANNEL_UINT, CHANNEL_HALF, CHANNEL_FLOAT };

/* Channels in the order of files, which sort them by name: identifier, name, type, and the planes
 * that the channel contains. Files that are written have a channel if the picture has all of them.
 * N0 and N1 are two halves of N in files of other programs. Planes of two 16-bit numbers have a
 * channel for each. */
#define CHANNEL_BIT(plane) SAMPLE_PLANE_BIT(plane)
#define CHANNEL_NEVER      (1u << 31)
#define CHANNEL_LIST(X)                                                                            \
    X(B, "B", HALF, 0)                                                                             \
    X(DEX, "DEX", FLOAT, CHANNEL_BIT(distance) | CHANNEL_BIT(normal))                              \
    X(DEY, "DEY", FLOAT, CHANNEL_BIT(distance) | CHANNEL_BIT(normal))                              \
    X(G, "G", HALF, 0)                                                                             \
    X(N, "N", UINT, CHANNEL_BIT(count))                                                            \
    X(N0, "N0", UINT, CHANNEL_BIT(count) | CHANNEL_NEVER)                                          \
    X(N1, "N1", UINT, CHANNEL_BIT(count) | CHANNEL_NEVER)                                          \
    X(NF, "NF", FLOAT, CHANNEL_BIT(fraction))                                                      \
    X(R, "R", HALF, 0)                                                                             \
    X(T, "T", FLOAT, CHANNEL_BIT(angle))                                                           \
    X(ANGLE, "fathom.angle", UINT, CHANNEL_BIT(angle))                                             \
    X(ATOM, "fathom.atom", UINT, CHANNEL_BIT(atom))                                                \
    X(CAUGHT_X, "fathom.caught.x", FLOAT, CHANNEL_BIT(caught))                                     \
    X(CAUGHT_Y, "fathom.caught.y", FLOAT, CHANNEL_BIT(caught))                                     \
    X(CIRCLE, "fathom.circle", FLOAT, CHANNEL_BIT(circle))                                         \
    X(CROSS, "fathom.cross", FLOAT, CHANNEL_BIT(cross))                                            \
    X(DEPTH, "fathom.depth", FLOAT, CHANNEL_BIT(depth))                                            \
    X(DISTANCE, "fathom.distance", FLOAT, CHANNEL_BIT(distance))                                   \
    X(DOMAIN, "fathom.domain", UINT, CHANNEL_BIT(domain))                                          \
    X(FRACTION, "fathom.fraction", FLOAT, CHANNEL_BIT(fraction))                                   \
    X(LAST, "fathom.last", FLOAT, CHANNEL_BIT(last))                                               \
    X(LINE, "fathom.line", FLOAT, CHANNEL_BIT(line))                                               \
    X(NORM2, "fathom.norm2", FLOAT, CHANNEL_BIT(norm2))                                            \
    X(NORMAL_X, "fathom.normal.x", FLOAT, CHANNEL_BIT(normal))                                     \
    X(NORMAL_Y, "fathom.normal.y", FLOAT, CHANNEL_BIT(normal))                                     \
    X(PERIOD, "fathom.period", UINT, CHANNEL_BIT(period))                                          \
    X(POINT, "fathom.point", FLOAT, CHANNEL_BIT(point))                                            \
    X(STRIPE, "fathom.stripe", FLOAT, CHANNEL_BIT(stripe))                                         \
    X(TRIANGLE, "fathom.triangle", FLOAT, CHANNEL_BIT(triangle))
#define CHANNEL_NUMBER(id, ...) CHANNEL_##id,
enum { CHANNEL_LIST(CHANNEL_NUMBER) CHANNELS };
#undef CHANNEL_NUMBER

struct channel {
    const char *name;
    enum channel_type type;
    unsigned planes;
};
extern const struct channel channel_table[CHANNELS];

/* Returns the number of the channel of that name, or -1. */
int channel_find(const char *name);
/* Returns the size of a channel's value [bytes]. */
size_t channel_bytes(int channel);
/* Returns the planes of the channels that exist, as a set of channel numbers. */
unsigned channels_planes(uint32_t exist);

/* Stores the samples of row y of a request in the channels to[], all except R, G and B; NULL if a
 * channel does not exist. Where a plane is undefined, its channels are 0. Any thread. */
void channels_store(const struct frame_req *req, int y, const struct sample_planes *row,
                    void *const to[CHANNELS]);

/* Numbers of a file that its samples depend on. */
struct channels_file {
    int64_t bias;
    uint32_t limit;  /* count of the interior */
    double cos, sin; /* rotation of the picture */
};
/* Computes planes of `width` samples from channels, of which each value has four bytes: UINT or
 * FLOAT. from[] is NULL for absent channels. Whatever the values are, the samples are valid. Any
 * thread. */
void channels_load(const struct channels_file *file, const void *const from[CHANNELS], size_t width,
                   const struct sample_planes *row);

#endif
