/* JPEG and WebP: written pictures are read back nearly the same, or exactly if the quality says so,
 * with their text; broken files are refused in one line. */
#define _GNU_SOURCE
#include "render/base/atomic_file.h"
#include "render/files/image.h"
#include "render/files/scene.h"
#include "tests/shared/check.h"
#include "tests/shared/mutate.h"
#include <unistd.h>

enum { W = 53, H = 34 };

static uint32_t rgba[W * H];

/* Fills the picture with soft colours, which suit codecs. */
static void fill(void) {
    for (int i = 0; i < W * H; i++)
        rgba[i] = COLOUR_ALPHA | (uint32_t)(4 * (i % W)) | (uint32_t)(7 * (i / W)) << 8 |
                  (uint32_t)(200 - 3 * (i % W)) << 16;
}

/* Returns the largest difference of a channel from the written picture, or 256 if it cannot be
 * read. */
static int difference(const char *path) {
    struct image image;
    if (!image_read(path, &image) || image.width_px != W || image.height_px != H || image.deep) {
        image_finish(&image);
        return 256;
    }
    int largest = 0;
    for (int i = 0; i < W * H; i++)
        for (int c = 0; c < 32; c += 8) {
            const int one = (int)(image.rgba[i] >> c & 255) - (int)(rgba[i] >> c & 255);
            largest = abs(one) > largest ? abs(one) : largest;
        }
    image_finish(&image);
    return largest;
}

static bool has_comment(const char *path, const char *text) {
    char *comment = comment_of(path);
    const bool same = comment && strcmp(comment, text) == 0;
    free(comment);
    return same;
}

static long size_of(const char *path) {
    size_t length;
    char *data = file_read(path, 1 << 24, &length);
    free(data);
    return data ? (long)length : -1;
}

static bool write_as(const char *path, int quality, const char *comment) {
    return image_write_exclusive(path, image_format_of(path), quality, rgba, W, H, comment, NULL);
}

static void check_round_trip(const char *path) {
    static const char text[] = "[view]\nre = 1 # <&lt;> \xc3\xa9 &amp; -->\n";
    CHECK(write_as(path, 90, text) && difference(path) <= 12 && has_comment(path, text));
    const long usual = size_of(path);
    CHECK(write_as(path, 20, NULL) && has_comment(path, ""));
    CHECK(size_of(path) > 0 && size_of(path) < usual);
    CHECK(write_as(path, 100, "") &&
          difference(path) <= (image_format_of(path) == IMAGE_WEBP ? 0 : 3));
    char *long_text = malloc(SCENE_TEXT_MAX);
    CHECK(long_text);
    if (!long_text)
        return;
    memset(long_text, 'x', SCENE_TEXT_MAX);
    memcpy(long_text, "[view]", 6);
    /* About the capacity of one marker. */
    for (size_t length = 65532; length <= 65534; length++) {
        long_text[length] = '\0';
        CHECK(write_as(path, 90, long_text) && has_comment(path, long_text));
        long_text[length] = 'x';
    }
    long_text[SCENE_TEXT_MAX - 1] = '\0';
    CHECK(write_as(path, 90, long_text) && has_comment(path, long_text));
    free(long_text);
}

static void check_pieces(const char *path) {
    struct image_writer *writer = image_writer_open(path, image_format_of(path), W, H, "[view]", 0);
    CHECK(writer);
    if (!writer)
        return;
    for (int y = 0; y < H; y += 5)
        CHECK(image_writer_rows(writer, rgba + y * W, H - y < 5 ? H - y : 5));
    CHECK(image_writer_commit(writer, NULL) && difference(path) <= 12 &&
          has_comment(path, "[view]"));
    writer = image_writer_open("not.jpg", IMAGE_JPEG, W, H, NULL, 0);
    image_writer_abandon(writer);
    CHECK(access("not.jpg", F_OK) != 0);
}

static void check_sizes(void) {
    CHECK_REFUSED(image_writer_open("a.jpg", IMAGE_JPEG, 65501, 1, NULL, 0),
                  "at most 65500 pixels");
    CHECK_REFUSED(image_writer_open("a.webp", IMAGE_WEBP, 1, 16384, NULL, 0),
                  "at most 16383 pixels");
}

static bool put(const char *path, const char *data, size_t length) {
    FILE *file = fopen(path, "wb");
    return file && fwrite(data, 1, length, file) == length && fclose(file) == 0;
}

/* Checks that a file truncated anywhere, or with any byte changed, is read or refused in one
 * line. */
static void check_broken(const char *path) {
    size_t length;
    CHECK(write_as(path, 90, "[view]\nre = 1\n"));
    char *data = file_read(path, 1 << 20, &length);
    CHECK(data);
    if (!data)
        return;
    unsigned long long seed = 7;
    for (int i = 0; i < 300; i++) {
        const bool cut = i % 3 == 0;
        const size_t at = (size_t)(random_next(&seed) % length);
        const char was = data[at];
        data[at] ^= cut ? 0 : (char)(1 << random_next(&seed) % 8);
        CHECK(put("broken", data, cut ? at : length));
        data[at] = was;
        log_start();
        struct image image;
        const bool ok = image_read("broken", &image);
        image_finish(&image);
        CHECK(ok ? !cut : log_is_one_line("broken"));
        log_start();
        char *text = comment_of("broken");
        CHECK(text || log_is_one_line("broken"));
        free(text);
    }
    free(data);
}

/* Checks remarks of other programs before fathom's, or alone, and the reason for a cut picture. */
static void check_foreign_remark(void) {
    static const char remark[] = "\xff\xd8\xff\xfe\0\x09Made by";
    struct image image;
    size_t length;
    CHECK(write_as("own.jpg", 90, "[view]\nre = 1\n"));
    char *data = file_read("own.jpg", 1 << 20, &length);
    char *both = data ? malloc(length + sizeof remark) : NULL;
    CHECK(both);
    if (both) {
        memcpy(both, remark, sizeof remark - 1);
        memcpy(both + sizeof remark - 1, data + 2, length - 2);
        CHECK(put("both.jpg", both, length + sizeof remark - 3) && difference("both.jpg") <= 12);
        CHECK(has_comment("both.jpg", "[view]\nre = 1\n"));
        CHECK(put("cut.jpg", data, length - 40));
        CHECK_REFUSED(image_read("cut.jpg", &image), "it is cut short or damaged");
    }
    CHECK(write_as("alone.jpg", 90, "Made by hand") && has_comment("alone.jpg", "Made by hand"));
    free(both);
    free(data);
}

int main(void) {
    fill();
    CHECK(image_format_of("a.JPG") == IMAGE_JPEG && image_format_of("a.jpeg") == IMAGE_JPEG &&
          image_format_of("a.WebP") == IMAGE_WEBP && image_format_of("jpg") == IMAGE_PPM);
    check_round_trip("a.jpeg");
    check_pieces("a.jpg");
    check_broken("a.jpg");
    check_foreign_remark();
    if (!image_format_missing(IMAGE_WEBP)) {
        check_round_trip("a.webp");
        check_pieces("a.webp");
        check_broken("a.webp");
        check_sizes();
    } else {
        CHECK_REFUSED(write_as("a.webp", 90, NULL), "without WebP");
    }
    printf("%d failures\n", failures);
    return failures != 0;
}
