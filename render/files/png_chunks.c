/* Walks over a PNG's chunks and copies them, without libpng, which trusts their lengths. */
#include "render/files/png_chunks.h"
#include "render/base/atomic_file.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FRAME       12 /* length, type and sum of a chunk */
#define LOOK        24 /* bytes of a chunk that are looked at: its head and the longest keyword */
#define CHUNKS_MAX  (1 << 22) /* a picture of 65536x65536 in the usual 8 KiB is well below */
#define READS_MAX   (1 << 15) /* of the file, for a text behind the pixels */
#define HEADER_SIZE 13
#define PALETTE_MAX 768
#define PIXELS_NONE "\0\0\0\0IDAT\x35\xaf\x06\x1e"

static uint32_t word_at(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* What was read last: small chunks share a look at the file. */
struct window {
    int fd;
    int reads;
    uint64_t start;
    size_t length;
    unsigned char data[4096];
};

/* The bytes at a place, *length of them, LOOK at most. */
static const unsigned char *look(struct window *window, uint64_t at, size_t *length) {
    if (at < window->start || at + LOOK > window->start + window->length) {
        const ssize_t got = pread(window->fd, window->data, sizeof window->data, (off_t)at);
        window->reads++;
        window->start = at;
        window->length = got > 0 ? (size_t)got : 0;
    }
    const size_t offset = (size_t)(at - window->start), left = window->length - offset;
    *length = left < LOOK ? left : LOOK;
    return window->data + offset;
}

static bool is_type(const unsigned char *type) {
    for (int i = 0; i < 4; i++)
        if (((type[i] | 0x20) < 'a') || ((type[i] | 0x20) > 'z'))
            return false;
    return true;
}

static bool is(const unsigned char *head, const char *type) {
    return memcmp(head + 4, type, 4) == 0;
}

/* How much a chunk is wanted as the text; 0: not at all. */
static int rank_of(const unsigned char *head, size_t length, bool behind) {
    static const char own[] = "fathom", others[] = "Comment";
    if (!is(head, "tEXt") && !is(head, "zTXt") && !is(head, "iTXt"))
        return 0;
    const bool is_own = length >= 8 + sizeof own && memcmp(head + 8, own, sizeof own) == 0;
    const bool is_other =
        length >= 8 + sizeof others && memcmp(head + 8, others, sizeof others) == 0;
    return is_own ? 4 - 2 * behind : is_other ? 3 - 2 * behind : 0;
}

struct walk {
    struct png_chunks *chunks;
    int rank;    /* of the text so far */
    bool behind; /* the first pixels */
};

static void note(struct walk *walk, const unsigned char *head, size_t length, uint64_t at) {
    const struct png_chunk chunk = {at, word_at(head)};
    const int rank = rank_of(head, length, walk->behind);
    if (is(head, "IHDR") && at == PNG_SIGNATURE_SIZE)
        walk->chunks->header = chunk;
    if (is(head, "PLTE") && !walk->chunks->palette.at)
        walk->chunks->palette = chunk;
    if (rank > walk->rank) {
        walk->rank = rank;
        walk->chunks->text = chunk;
    }
    walk->behind |= is(head, "IDAT");
}

/* To the end of the file, or with `text_only` as far as is needed for that. */
static bool walk_chunks(struct walk *walk, struct window *window, uint64_t length, bool text_only) {
    uint64_t at = PNG_SIGNATURE_SIZE;
    for (int i = 0; at < length; i++) {
        size_t seen;
        const unsigned char *head = look(window, at, &seen);
        if (seen < 8)
            return true; /* libpng says what is wrong with the rest */
        if (i == CHUNKS_MAX || !is_type(head + 4))
            return false;
        note(walk, head, seen, at);
        at += FRAME + (uint64_t)word_at(head);
        if (is(head, "IEND") ||
            (text_only && walk->behind && (walk->rank > 1 || window->reads > READS_MAX)))
            break;
    }
    return at <= length;
}

bool png_chunks_find(FILE *file, struct png_chunks *chunks, bool text_only) {
    struct window window = {.fd = fileno(file)};
    struct walk walk = {.chunks = chunks};
    *chunks = (struct png_chunks){.text = {0}};
    return walk_chunks(&walk, &window, file_length(file), text_only);
}

/* Appends a chunk of the file, if there is one. */
static bool copy(FILE *file, const struct png_chunk *chunk, unsigned char *to, size_t *used) {
    const size_t size = chunk->at ? FRAME + (size_t)chunk->length : 0;
    for (size_t done = 0; done < size;) {
        const ssize_t got =
            pread(fileno(file), to + *used + done, size - done, (off_t)(chunk->at + done));
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    *used += size;
    return true;
}

static void append(unsigned char *to, const char *data, size_t length, size_t *used) {
    memcpy(to + *used, data, length);
    *used += length;
}

unsigned char *png_chunks_extract(FILE *file, const struct png_chunks *chunks, size_t *size) {
    if (!chunks->header.at || chunks->header.length != HEADER_SIZE ||
        chunks->palette.length > PALETTE_MAX || chunks->text.length > PNG_TEXT_MAX)
        return NULL;
    unsigned char *data = malloc(PNG_SIGNATURE_SIZE + 4 * FRAME + HEADER_SIZE +
                                 (size_t)chunks->palette.length + (size_t)chunks->text.length);
    size_t used = 0;
    if (!data)
        return NULL;
    append(data, PNG_SIGNATURE, PNG_SIGNATURE_SIZE, &used);
    if (!copy(file, &chunks->header, data, &used) || !copy(file, &chunks->palette, data, &used) ||
        !copy(file, &chunks->text, data, &used)) {
        free(data);
        return NULL;
    }
    append(data, PIXELS_NONE, FRAME, &used);
    *size = used;
    return data;
}
