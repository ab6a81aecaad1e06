/* PNG: written files are read back the same, by fathom and by plain libpng; every kind of PNG can
 * be read; broken files are refused in one line. */
#define _GNU_SOURCE
#include "render/base/atomic_file.h"
#include "render/files/image.h"
#include "render/files/scene.h"
#include "tests/shared/check.h"
#include "tests/shared/mutate.h"
#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <unistd.h>

enum { W = 37, H = 21 };

static uint32_t pixel_at(int x, int y) {
    return COLOUR_ALPHA | (uint32_t)(x * 37 + y * 101 + x * y) * 2654435761u >> 8;
}

static bool has_comment(const char *path, const char *text) {
    char *comment = comment_of(path);
    const bool same = comment && strcmp(comment, text) == 0;
    free(comment);
    return same;
}

static void fill(uint32_t *rgba) {
    for (int i = 0; i < W * H; i++)
        rgba[i] = pixel_at(i % W, i / W);
}

/* Returns a pixel with 8 bits per channel. */
static uint32_t shallow(const struct image *image, int i) {
    uint32_t colour = 0;
    if (!image->deep)
        return image->rgba[i];
    for (int c = 0; c < 4; c++)
        colour |= (uint32_t)(((image->deep[i] >> (16 * c) & 0xffff) * 255 + 32895) >> 16)
                  << (8 * c);
    return colour;
}

/* Compares a file with pixels, without alpha. */
static bool reads_as(const char *path, const uint32_t *rgba) {
    struct image image;
    bool same = image_read(path, &image) && image.width_px == W && image.height_px == H;
    for (int i = 0; same && i < W * H; i++)
        same = (shallow(&image, i) | COLOUR_ALPHA) == (rgba[i] | COLOUR_ALPHA);
    image_finish(&image);
    return same;
}

/* --- files that fathom writes --- */

static void check_names(void) {
    CHECK(image_format_of("a.png") == IMAGE_PNG && image_format_of("x/.PnG") == IMAGE_PNG);
    CHECK(image_format_of("a.ppm") == IMAGE_PPM && image_format_of("png") == IMAGE_PPM &&
          image_format_of("a.png.old") == IMAGE_PPM && image_format_of("") == IMAGE_PPM &&
          image_format_of("/dev/stdout") == IMAGE_PPM);
}

static void check_round_trip(const char *comment) {
    static uint32_t rgba[W * H];
    fill(rgba);
    CHECK(image_write("a.png", IMAGE_PNG, rgba, W, H, comment));
    CHECK(reads_as("a.png", rgba) && has_comment("a.png", comment ? comment : ""));
}

/* Returns the start of a chunk's data, or NULL if there is none before the pixels. */
static const char *find_chunk(const char *data, size_t length, const char *type) {
    const char *pixels = memmem(data, length, "IDAT", 4);
    const char *chunk = pixels ? memmem(data, (size_t)(pixels - data), type, 4) : NULL;
    return chunk ? chunk + 4 : NULL;
}

static bool has_chunk(const char *type) {
    size_t length;
    char *data = file_read("a.png", 1 << 22, &length);
    const bool has = data && find_chunk(data, length, type);
    free(data);
    return has;
}

static void check_comments(void) {
    char *long_text = malloc(SCENE_TEXT_MAX);
    check_round_trip(NULL);
    CHECK(has_chunk("sRGB") && !has_chunk("tEXt"));
    check_round_trip("");
    check_round_trip("[view]\nre = 1\n");
    CHECK(has_chunk("tEXtfathom"));
    check_round_trip("\xc3\xa9t\xc3\xa9");
    CHECK(has_chunk("iTXtfathom"));
    CHECK(long_text);
    if (!long_text)
        return;
    unsigned long long seed = 1;
    for (int i = 0; i < SCENE_TEXT_MAX; i++)
        long_text[i] = (char)('0' + random_next(&seed) % 10);
    long_text[SCENE_TEXT_MAX - 1] = '\0';
    check_round_trip(long_text);
    CHECK(has_chunk("zTXtfathom"));
    memcpy(long_text, "\xc3\xa9", 2);
    check_round_trip(long_text);
    free(long_text);
}

static void check_pieces(void) {
    static uint32_t rgba[W * H];
    size_t one = 0, two = 0;
    fill(rgba);
    CHECK(image_write("whole.png", IMAGE_PNG, rgba, W, H, "text"));
    struct image_writer *writer = image_writer_open("a.png", IMAGE_PNG, W, H, "text", 0);
    CHECK(writer && image_writer_rows(writer, rgba, 1) && image_writer_rows(writer, rgba, 0) &&
          image_writer_rows(writer, rgba + W, H - 1) && image_writer_commit(writer, NULL));
    char *a = file_read("a.png", 1 << 20, &one), *b = file_read("whole.png", 1 << 20, &two);
    CHECK(a && b && one == two && memcmp(a, b, one) == 0);
    free(a);
    free(b);
    unlink("a.png");
    writer = image_writer_open("a.png", IMAGE_PNG, W, H, NULL, 0);
    CHECK(writer && image_writer_rows(writer, rgba, 3));
    image_writer_abandon(writer);
    image_writer_abandon(NULL);
    CHECK(access("a.png", F_OK) != 0 && names_with(".fathom-") == 0);
}

static void check_failures(void) {
    static uint32_t rgba[400 * 400];
    bool existed = false;
    unsigned long long seed = 1;
    for (int i = 0; i < 400 * 400; i++)
        rgba[i] = (uint32_t)random_next(&seed);
    log_start();
    CHECK(!image_write_exclusive("whole.png", IMAGE_PNG, 90, rgba, 1, 1, NULL, &existed) &&
          existed);
    CHECK_REFUSED(image_write("/dev/full", IMAGE_PNG, rgba, 400, 400, NULL),
                  "cannot write '/dev/full': No space left");
    CHECK_REFUSED(image_write("/dev/full", IMAGE_PNG, rgba, 1, 1, NULL),
                  "cannot write '/dev/full': No space left");
    CHECK_REFUSED(image_write("nowhere/a.png", IMAGE_PNG, rgba, 1, 1, NULL), "No such file");
    struct image_writer *writer = image_writer_open("/dev/full", IMAGE_PNG, 400, 400, NULL, 0);
    bool ok = writer != NULL;
    log_start();
    for (int y = 0; y < 400 && ok; y++)
        ok = image_writer_rows(writer, rgba + 400 * (size_t)y, 1);
    CHECK(!ok && log_is_one_line("cannot write '/dev/full': No space left"));
    image_writer_abandon(writer);
}

static void check_view(void) {
    const char *why;
    SCOPED(scene, scene);
    SCOPED(scene, again);
    CHECK(view_set_centre(&scene.view, "-1.74999841099374081749002483162428393452822172335808534",
                          "-0.00165846646100499500104", 0, &why));
    CHECK(view_set_zoom(&scene.view, "2.5e40", &why));
    char *text = scene_text(&scene);
    const uint32_t pixel = 0;
    CHECK(text && image_write("shot.png", IMAGE_PNG, &pixel, 1, 1, text));
    CHECK(scene_load(&again, "shot.png") && view_equal(&scene.view, &again.view));
    free(text);
    CHECK(image_write("shot.png", IMAGE_PNG, &pixel, 1, 1, NULL));
    CHECK_REFUSED(scene_load(&again, "shot.png"), "carries no view");
    CHECK(image_write("shot.png", IMAGE_PNG, &pixel, 1, 1, "[view]\nzoom = 0"));
    CHECK_REFUSED(scene_load(&again, "shot.png"), "shot.png:2: zoom");
}

/* --- files that others write --- */

struct kind {
    int depth, colour, interlace;
    bool transparent, late_text;
};

static void write_kind(png_structp png, png_infop info, const struct kind *kind, FILE *file) {
    static png_color colours[256];
    static png_byte alpha[2] = {0, 128}, row[8 * W];
    const png_color_16 see_through = {.gray = 1, .red = 1};
    char key[] = "fathom", other[] = "Comment", words[] = "hello";
    const png_text texts[2] = {
        {.compression = PNG_TEXT_COMPRESSION_NONE, .key = other, .text = key},
        {.compression = PNG_TEXT_COMPRESSION_zTXt, .key = key, .text = words},
    };
    for (int i = 0; i < 256; i++)
        colours[i] = (png_color){(png_byte)i, (png_byte)(2 * i), (png_byte)(3 * i)};
    png_init_io(png, file);
    png_set_IHDR(png, info, W, H, kind->depth, kind->colour, kind->interlace,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_gAMA(png, info, 0.3);
    if (kind->colour == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, colours, 1 << kind->depth);
    if (kind->transparent)
        png_set_tRNS(png, info, alpha, 2, &see_through);
    if (!kind->late_text)
        png_set_text(png, info, texts, 2);
    png_write_info(png, info);
    const int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++)
        for (int y = 0; y < H; y++) {
            for (size_t i = 0; i < sizeof row; i++)
                row[i] = (png_byte)(i * 7 + (size_t)y * 29);
            png_write_row(png, row);
        }
    if (kind->late_text)
        png_set_text(png, info, texts, 2);
    png_write_end(png, info);
}

static bool put_kind(const char *path, const struct kind *kind) {
    FILE *file = fopen(path, "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool ok = false;
    if (file && info && setjmp(png_jmpbuf(png)) == 0) {
        write_kind(png, info, kind, file);
        ok = true;
    }
    png_destroy_write_struct(&png, &info);
    return file && fclose(file) == 0 && ok;
}

/* Returns the expected sample, as libpng's own simple reader gives it, without alpha and gamma.
 * Used only where these do not matter. */
static uint32_t sample_at(const struct kind *kind, int x, int y) {
    const int channels = kind->colour == PNG_COLOR_TYPE_RGB          ? 3
                         : kind->colour == PNG_COLOR_TYPE_RGB_ALPHA  ? 4
                         : kind->colour == PNG_COLOR_TYPE_GRAY_ALPHA ? 2
                                                                     : 1;
    unsigned value[4] = {0};
    for (int c = 0; c < channels; c++) {
        const int bit = (x * channels + c) * kind->depth;
        const unsigned byte = (unsigned)((bit / 8) * 7 + y * 29) & 0xff;
        const unsigned next = (unsigned)((bit / 8 + 1) * 7 + y * 29) & 0xff;
        value[c] = kind->depth == 16 ? ((byte << 8 | next) * 255 + 32895) >> 16
                   : kind->depth == 8
                       ? byte
                       : byte >> (8 - kind->depth - bit % 8) & ((1u << kind->depth) - 1);
    }
    if (kind->colour == PNG_COLOR_TYPE_PALETTE)
        return COLOUR_ALPHA | value[0] | (2 * value[0] & 0xff) << 8 | (3 * value[0] & 0xff) << 16;
    if (channels < 3) {
        const unsigned grey =
            kind->depth < 8 ? value[0] * 255 / ((1u << kind->depth) - 1) : value[0];
        return COLOUR_ALPHA | grey * 0x10101u;
    }
    return COLOUR_ALPHA | value[0] | value[1] << 8 | value[2] << 16;
}

static void check_kind(const struct kind *kind) {
    static uint32_t rgba[W * H];
    for (int i = 0; i < W * H; i++)
        rgba[i] = sample_at(kind, i % W, i / W);
    CHECK(put_kind("kind.png", kind));
    const bool same = reads_as("kind.png", rgba);
    const bool comment = has_comment("kind.png", "hello");
    CHECK(same && comment);
    if (!same || !comment)
        printf("colour %d, depth %d, interlace %d, transparent %d, late %d\n", kind->colour,
               kind->depth, kind->interlace, kind->transparent, kind->late_text);
}

static void check_kinds(void) {
    static const struct {
        int colour, depths;
    } kinds[] = {
        {PNG_COLOR_TYPE_GRAY, 1 | 2 | 4 | 8 | 16}, {PNG_COLOR_TYPE_GRAY_ALPHA, 8 | 16},
        {PNG_COLOR_TYPE_PALETTE, 1 | 2 | 4 | 8},   {PNG_COLOR_TYPE_RGB, 8 | 16},
        {PNG_COLOR_TYPE_RGB_ALPHA, 8 | 16},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int depth = 1; depth <= 16; depth *= 2)
            for (int bits = 0; depth & kinds[i].depths && bits < 8; bits++) {
                const bool alpha = kinds[i].colour & PNG_COLOR_MASK_ALPHA;
                check_kind(&(struct kind){depth, kinds[i].colour,
                                          bits & 1 ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                                          !alpha && bits & 2, bits & 4});
            }
}

/* Checks that no value of a file is lost: neither alpha nor the low byte of 16 bits. */
static void check_exact(void) {
    struct image image;
    CHECK(put_kind("kind.png", &(struct kind){.depth = 16, .colour = PNG_COLOR_TYPE_RGB_ALPHA}));
    CHECK(image_read("kind.png", &image) && image.deep && !image.rgba);
    for (int i = 0; image.deep && i < W * H; i++) {
        uint64_t pixel = 0;
        for (int byte = 0; byte < 8; byte++) /* row[] of write_kind, the high byte first */
            pixel |= (uint64_t)(unsigned char)((8 * (i % W) + (byte ^ 1)) * 7 + i / W * 29)
                     << (8 * byte);
        CHECK(image.deep[i] == pixel);
    }
    image_finish(&image);
    CHECK(put_kind("kind.png", &(struct kind){.depth = 8, .colour = PNG_COLOR_TYPE_GRAY_ALPHA}));
    CHECK(image_read("kind.png", &image) && image.rgba && image.rgba[0] == 0x07000000u);
    image_finish(&image);
    CHECK(put_kind("kind.png", &(struct kind){.depth = 16, .colour = PNG_COLOR_TYPE_GRAY}));
    CHECK(image_read("kind.png", &image) && image.deep && image.deep[0] == 0xffff000700070007u);
    image_finish(&image);
}

/* --- broken files --- */

static uint32_t crc_of(const char *data, size_t length) {
    uint32_t crc = ~0u;
    for (size_t i = 0; i < length; i++) {
        crc ^= (unsigned char)data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static void put_word(char *at, uint32_t word) {
    for (int i = 0; i < 4; i++)
        at[i] = (char)(word >> (24 - 8 * i));
}

/* Writes a file of 1x1 pixel whose header states another size. */
static void put_size(uint32_t width, uint32_t height) {
    const uint32_t pixel = 0;
    size_t length = 0;
    CHECK(image_write("small.png", IMAGE_PNG, &pixel, 1, 1, NULL));
    char *data = file_read("small.png", 1 << 20, &length);
    CHECK(data && length > 33);
    if (data) {
        put_word(data + 16, width);
        put_word(data + 20, height);
        put_word(data + 29, crc_of(data + 12, 17));
        file_put("bad.png", data, length);
    }
    free(data);
}

static void check_sizes(void) {
    struct image image;
    put_size(1, 1);
    CHECK(image_read("bad.png", &image));
    image_finish(&image);
    put_size(0, 1);
    CHECK_REFUSED(image_read("bad.png", &image),
                  "'bad.png': this PNG cannot be read: Invalid IHDR");
    put_size(65537, 1);
    CHECK_REFUSED(image_read("bad.png", &image), "exceeds user limit");
    put_size(1, 0x80000000u);
    CHECK_REFUSED(image_read("bad.png", &image), "'bad.png': this PNG cannot be read");
    put_size(65536, 65536);
    CHECK_REFUSED(image_read("bad.png", &image), "the file is cut short");
    CHECK_REFUSED(comment_of("bad.png"), "the file is cut short");
    put_size(100, 100);
    CHECK_REFUSED(image_read("bad.png", &image), "'bad.png': this PNG cannot be read");
    CHECK(!image.rgba);
}

/* Checks a chunk that claims more bytes than there are: no memory is allocated for it. */
static void check_long_chunk(void) {
    static const char claim[] = "\x41\0\1\x1etEXtfathom";
    struct image image;
    size_t length = 0;
    char *data = file_read("whole.png", 1 << 20, &length);
    CHECK(data && length > 200);
    if (data) {
        memcpy(data + 33, claim, sizeof claim);
        file_put("bad.png", data, length);
        CHECK_REFUSED(image_read("bad.png", &image), "cut short, or a chunk has a wrong length");
        CHECK_REFUSED(comment_of("bad.png"), "cut short, or a chunk has a wrong length");
    }
    free(data);
}

/* Checks lengths that make a 32-bit sum wrap to zero or backwards; a reader that adds in 32 bits
 * would never end. */
static void check_wrapping_chunk(void) {
    struct image image;
    char data[16] = "\x89PNG\r\n\x1a\n";
    memcpy(data + 12, "IDAT", 4);
    alarm(20); /* ends a reader that loops */
    for (uint32_t back = 0; back <= 24; back++) {
        put_word(data + 8, 0u - 12 - back);
        file_put("bad.png", data, sizeof data);
        CHECK_REFUSED(image_read("bad.png", &image), "cut short, or a chunk has a wrong length");
        CHECK_REFUSED(comment_of("bad.png"), "cut short, or a chunk has a wrong length");
    }
    alarm(0);
}

static size_t append_chunk(char *to, const char *type, const char *data, size_t length) {
    put_word(to, (uint32_t)length);
    memcpy(to + 4, type, 4);
    memcpy(to + 8, data, length);
    put_word(to + 8 + length, crc_of(to + 4, length + 4));
    return length + 12;
}

/* Writes 65536x256 pixels that cannot be decompressed, with texts before or after them. */
static void put_unreadable(const char *before, const char *behind) {
    static char data[1 << 18], noise[1 << 17];
    static const char header[13] = {0, 1, 0, 0, 0, 0, 1, 0, 8, 2, 0, 0, 0};
    size_t used = 8;
    memcpy(data, "\x89PNG\r\n\x1a\n", 8);
    memset(noise, '?', sizeof noise);
    used += append_chunk(data + used, "IHDR", header, sizeof header);
    if (before)
        used += append_chunk(data + used, "tEXt", before, strlen(before) + 1 + strlen("before"));
    used += append_chunk(data + used, "IDAT", noise, sizeof noise / 2);
    used += append_chunk(data + used, "IDAT", noise, sizeof noise / 2);
    used += append_chunk(data + used, "tEXt", "Comment\0no", 10);
    if (behind)
        used += append_chunk(data + used, "tEXt", behind, strlen(behind) + 1 + strlen("behind"));
    used += append_chunk(data + used, "IEND", "", 0);
    file_put("bad.png", data, used);
}

/* Checks that reading only the text does not read the pixels, which would be an error here. */
static void check_text_alone(void) {
    struct image image;
    put_unreadable(NULL, "fathom\0behind");
    CHECK_REFUSED(image_read("bad.png", &image), "'bad.png': this PNG cannot be read");
    CHECK(has_comment("bad.png", "behind"));
    put_unreadable("fathom\0before", "fathom\0behind");
    CHECK(has_comment("bad.png", "before"));
    put_unreadable("Comment\0before", "fathom\0behind");
    CHECK(has_comment("bad.png", "before"));
    put_unreadable("Fathom\0before", NULL);
    CHECK(has_comment("bad.png", "no"));
}

static void check_cuts(void) {
    size_t length = 0;
    struct image image;
    char *data = file_read("whole.png", 1 << 20, &length);
    for (size_t cut = 0; data && cut < length; cut++) {
        file_put("bad.png", data, cut);
        CHECK_REFUSED(image_read("bad.png", &image), "'bad.png': ");
    }
    CHECK(data);
    free(data);
}

/* Checks more than a megabyte of text in a few compressed bytes: it is refused, without allocating
 * memory for it. */
static void check_bomb(void) {
    char *text = malloc(SCENE_TEXT_MAX + (1 << 20));
    CHECK(text);
    if (!text)
        return;
    memset(text, 'a', SCENE_TEXT_MAX + (1 << 20));
    text[SCENE_TEXT_MAX + (1 << 20) - 1] = '\0';
    const uint32_t pixel = COLOUR_ALPHA;
    CHECK(image_write("a.png", IMAGE_PNG, &pixel, 1, 1, text));
    CHECK_REFUSED(comment_of("a.png"), "'a.png': the text in this PNG is broken, or longer than");
    free(text);
}

static void check_all_mutations(void) {
    CHECK(put_kind("seed.png",
                   &(struct kind){4, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_ADAM7, true, false}));
    check_mutations("seed.png", read_image, "a PNG of another program");
    const uint32_t pixels[6] = {0};
    CHECK(image_write("seed.png", IMAGE_PNG, pixels, 3, 2, "[view]\nre = -0.75\nzoom = 12\n"));
    check_mutations("seed.png", read_image, "a PNG");
    check_mutations("seed.png", read_scene, "a PNG's view");
}

int main(void) {
    check_names();
    check_comments();
    check_pieces();
    check_failures();
    check_view();
    check_kinds();
    check_exact();
    check_sizes();
    check_long_chunk();
    check_wrapping_chunk();
    check_text_alone();
    check_cuts();
    check_bomb();
    check_all_mutations();
    printf("%d failures\n", failures);
    return failures != 0;
}
