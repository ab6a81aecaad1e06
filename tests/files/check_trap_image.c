/* Image traps: scaling of large files, sharing, the contents that a path stands for, and results of
 * reading on a thread. */
#define _GNU_SOURCE
#include "render/base/log.h"
#include "render/files/image.h"
#include "render/files/scene.h"
#include "render/interned/trap_image_reader.h"
#include "tests/shared/check.h"
#include <fcntl.h>
#include <png.h>
#include <setjmp.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SIDE COLOUR_IMAGE_SIDE
#define RED  (COLOUR_ALPHA | 0xffu)
#define BLUE (COLOUR_ALPHA | 0xff0000u)

static const struct trap_image *get(const char *path) {
    bool unanswered;
    const struct trap_image *image = trap_image_get(path, &unanswered);
    CHECK(!unanswered);
    return image;
}

/* Replaces the file by another one, without syncing as image_write does. */
static void write_one(const char *path, uint32_t rgba) {
    FILE *file = fopen("new.ppm", "wb");
    CHECK(file && fprintf(file, "P6 1 1 255\n%c%c%c", (int)rgba & 0xff, (int)(rgba >> 8) & 0xff,
                          (int)(rgba >> 16) & 0xff) == 14);
    CHECK(file && fclose(file) == 0 && rename("new.ppm", path) == 0);
}

static uint32_t middle(const struct trap_image *image) {
    return image ? image->rgba[SIDE / 2 * SIDE + SIDE / 2] : 0;
}

/* --- pixels --- */

static uint32_t pattern(int x, int y) {
    const uint32_t rgba = (uint32_t)(x * x + 3 * y) * 2654435761u;
    return (x + y) % 3 == 0 ? rgba & ~COLOUR_ALPHA : rgba;
}

/* Format of a PNG. */
struct form {
    int depth, interlace;
};

/* Writes the pattern's rows; with 16 bits the lower 8 are arbitrary. */
static void write_rows(png_structp png, int width, int height, const struct form *form,
                       png_bytep row) {
    const int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++)
        for (int y = 0; y < height; y++) {
            png_bytep to = row;
            for (int x = 0; x < width; x++)
                for (int c = 0; c < 4; c++) {
                    *to++ = (png_byte)(pattern(x, y) >> 8 * c);
                    if (form->depth == 16)
                        *to++ = (png_byte)(x + 91 * y);
                }
            png_write_row(png, row);
        }
}

static bool write_pattern_as(const char *path, int width, int height, const struct form *form) {
    FILE *file = fopen(path, "wb");
    png_bytep row = malloc(8 * (size_t)width);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    volatile bool ok = false;
    if (file && row && info && setjmp(png_jmpbuf(png)) == 0) {
        png_init_io(png, file);
        png_set_compression_level(png, 1);
        png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
        png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, form->depth,
                     PNG_COLOR_TYPE_RGB_ALPHA, form->interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                     PNG_FILTER_TYPE_DEFAULT);
        png_write_info(png, info);
        write_rows(png, width, height, form, row);
        png_write_end(png, info);
        ok = true;
    }
    png_destroy_write_struct(&png, &info);
    free(row);
    return file && fclose(file) == 0 && ok;
}

static bool write_pattern(const char *path, int width, int height) {
    return write_pattern_as(path, width, height, &(struct form){8, PNG_INTERLACE_NONE});
}

static int part(int i, int size, int of) {
    return (int)((long long)i * of / size);
}

/* Returns the mean colour of a rectangle by definition: transparent pixels have no colour. */
static uint32_t mean(int left, int right, int top, int bottom) {
    unsigned long long sum[3] = {0}, alpha = 0, count = 0;
    right = right > left ? right : left + 1;
    bottom = bottom > top ? bottom : top + 1;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++, count++) {
            for (int c = 0; c < 3; c++)
                sum[c] += (pattern(x, y) >> 8 * c & 0xff) * (pattern(x, y) >> 24);
            alpha += pattern(x, y) >> 24;
        }
    uint32_t rgba = (uint32_t)(alpha / count) << 24;
    for (int c = 0; c < 3 && alpha > 0; c++)
        rgba |= (uint32_t)(sum[c] / alpha) << 8 * c;
    return rgba;
}

/* Checks that the image fills the square in one direction, and is centred in the other. */
static void check_size(int width, int height, const struct form *form) {
    CHECK(write_pattern_as("size.png", width, height, form));
    const struct trap_image *image = get("size.png");
    const int most = width > height ? width : height;
    int columns = SIDE * width / most, rows = SIDE * height / most, wrong = 0;
    columns = columns > 0 ? columns : 1;
    rows = rows > 0 ? rows : 1;
    const int left = (SIDE - columns) / 2, top = (SIDE - rows) / 2;
    for (int i = 0; image && i < COLOUR_IMAGE_SIZE; i++) {
        const int x = i % SIDE - left, y = i / SIDE - top;
        const bool in = x >= 0 && x < columns && y >= 0 && y < rows;
        wrong += image->rgba[i] != (in ? mean(part(x, columns, width), part(x + 1, columns, width),
                                              part(y, rows, height), part(y + 1, rows, height))
                                       : 0);
    }
    CHECK(image && wrong == 0);
    if (wrong)
        printf("%dx%d, %d bits, interlace %d: %d pixels are wrong\n", width, height, form->depth,
               form->interlace, wrong);
    trap_image_unref(image);
}

static void check_sizes(void) {
    static const int sizes[][2] = {{1, 1},     {5, 3},     {3, 200}, {256, 256},
                                   {257, 256}, {130, 500}, {700, 3}, {2, 700}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int bits = 0; bits < 4; bits++)
            check_size(sizes[i][0], sizes[i][1],
                       &(struct form){bits & 1 ? 16 : 8,
                                      bits & 2 ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE});
}

static void count_pixels(void *user, const struct image_part *part_of_row) {
    *(int *)user += part_of_row->count;
}

static bool expect_size(void *user, int width_px, int height_px, bool deep) {
    (void)user;
    return width_px == 300 && height_px == 999 && !deep;
}

/* Checks image takers: they get each pixel once, and may refuse the size. */
static void check_takers(void) {
    int pixels = 0;
    struct image_sink sink = {expect_size, count_pixels, &pixels};
    CHECK(write_pattern("take.png", 300, 999) && image_take("take.png", &sink) &&
          pixels == 300 * 999);
    CHECK(write_pattern("take.png", 301, 999) && !image_take("take.png", &sink) &&
          pixels == 300 * 999);
}

/* Checks that a picture of 64 MB needs memory for a row only. */
static void check_memory(void) {
    enum { LARGE = 4096 };
    static uint32_t row[LARGE];
    struct rusage before, after;
    struct image_writer *writer = image_writer_open("large.png", IMAGE_PNG, LARGE, LARGE, NULL, 0);
    for (int x = 0; x < LARGE; x++)
        row[x] = RED;
    bool ok = writer != NULL;
    for (int y = 0; ok && y < LARGE; y++)
        ok = image_writer_rows(writer, row, 1);
    CHECK(ok && image_writer_commit(writer, NULL));
    getrusage(RUSAGE_SELF, &before);
    const struct trap_image *image = get("large.png");
    getrusage(RUSAGE_SELF, &after);
    CHECK(middle(image) == RED);
    CHECK(after.ru_maxrss - before.ru_maxrss < 32 << 10);
    trap_image_unref(image);
}

/* --- references --- */

static void check_shares(void) {
    enum { MANY = 300 };
    static const struct trap_image *images[MANY];
    const size_t before = trap_image_count();
    char path[32];
    for (int i = 0; i < MANY; i++) {
        snprintf(path, sizeof path, "many%d.ppm", i);
        write_one(path, COLOUR_ALPHA | (uint32_t)i);
        images[i] = get(path);
    }
    CHECK(trap_image_count() == before + MANY);
    for (int i = 0; i < MANY; i++) {
        snprintf(path, sizeof path, "many%d.ppm", i);
        CHECK(middle(images[i]) == (COLOUR_ALPHA | (uint32_t)i));
        const struct trap_image *again = get(path);
        CHECK(again == images[i]);
        trap_image_unref(again);
        trap_image_unref(images[i]);
    }
    CHECK(trap_image_count() == before);
    for (int i = MANY - TRAP_IMAGE_REST_MAX; i < MANY; i++) /* pictures in flight may use them */
        CHECK(middle(images[i]) == (COLOUR_ALPHA | (uint32_t)i));
    CHECK(get("ball") == trap_image_ball() && trap_image_count() == before);
}

static bool parse(struct scene *scene, const char *image) {
    char text[200];
    snprintf(text, sizeof text, "[view]\nzoom = 1\n[colour]\nby = image\nimage = %s\n", image);
    return scene_parse(scene, "T", text, strlen(text));
}

/* Checks that scenes hold references, and drop them. */
static void check_scenes(void) {
    const size_t before = trap_image_count();
    struct scene scene, copy;
    struct setting_problem problem;
    write_one("one.ppm", RED);
    write_one("two.ppm", BLUE);
    scene_init(&scene);
    CHECK(parse(&scene, "one.ppm") && middle(scene.image) == RED);
    scene_init_copy(&copy, &scene);
    CHECK(parse(&scene, "two.ppm") && middle(scene.image) == BLUE);
    CHECK(middle(copy.image) == RED && trap_image_count() == before + 2);
    scene_assign(&copy, &scene);
    CHECK(copy.image == scene.image && trap_image_count() == before + 1);
    CHECK(setting_parse(SETTING_IMAGE, &copy, "one.ppm", &problem) && middle(copy.image) == RED);
    CHECK(trap_image_count() == before + 2);
    setting_reset(SETTING_IMAGE, &copy);
    CHECK(copy.image == trap_image_ball() && trap_image_count() == before + 1);
    scene_finish(&copy);
    scene_finish(&scene);
    CHECK(trap_image_count() == before);
}

/* --- files that change --- */

static void write_over(const char *path, uint32_t rgba) {
    const char bytes[3] = {(char)rgba, (char)(rgba >> 8), (char)(rgba >> 16)};
    struct stat status;
    const int fd = open(path, O_WRONLY);
    CHECK(fd >= 0 && fstat(fd, &status) == 0 &&
          pwrite(fd, bytes, sizeof bytes, status.st_size - 3) == 3);
    const struct timespec times[2] = {status.st_atim, status.st_mtim};
    CHECK(fd >= 0 && futimens(fd, times) == 0 && close(fd) == 0);
}

/* Checks whether changes are noticed at once: a file that was just written may be written again
 * within the same tick of the file system's clock. */
static void check_changes(void) {
    write_one("change.ppm", RED);
    const struct trap_image *red = get("change.ppm");
    write_one("change.ppm", BLUE); /* another file in its place */
    const struct trap_image *blue = get("change.ppm");
    CHECK(middle(red) == RED && middle(blue) == BLUE);
    write_over("change.ppm", RED); /* the same file, size and modification time */
    const struct trap_image *again = get("change.ppm");
    CHECK(again == red && middle(blue) == BLUE);
    CHECK(utimensat(AT_FDCWD, "change.ppm", NULL, 0) == 0); /* the same contents */
    const struct trap_image *touched = get("change.ppm");
    CHECK(touched == red);
    CHECK(unlink("change.ppm") == 0);
    CHECK_REFUSED(get("change.ppm"), "No such file");
    trap_image_unref(red);
    trap_image_unref(blue);
    trap_image_unref(again);
    trap_image_unref(touched);
}

/* --- requests and the reader --- */

static bool stop_at(void *user, uint64_t done, uint64_t pixels) {
    uint64_t *last = user;
    CHECK(done >= *last && done <= pixels);
    *last = done;
    return done < 40 * 300;
}

static void check_stops(void) {
    uint64_t last = 0;
    bool unanswered;
    const struct image_progress watch = {stop_at, &last};
    CHECK(write_pattern("stop.png", 300, 999));
    log_start();
    CHECK(image_set_progress(&watch) == NULL);
    CHECK(!trap_image_get("stop.png", &unanswered) && unanswered && last == 40 * 300);
    SCOPED(scene, scene);
    last = 0;
    CHECK(!parse(&scene, "stop.png") && scene.image == trap_image_ball());
    CHECK(image_set_progress(NULL) == &watch);
    fflush(stderr);
    struct stat status;
    /* No message to the user who stopped it. */
    CHECK(stat(LOG_FILE, &status) == 0 && status.st_size == 0);
    CHECK(parse(&scene, "stop.png") && scene.image != trap_image_ball());
}

static void await(struct trap_image_reader *reader) {
    double done;
    while (trap_image_reader_busy(reader, &done)) {
        CHECK(done >= 0 && done <= 1);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static void await_rows(struct trap_image_reader *reader) {
    double done;
    while (trap_image_reader_busy(reader, &done) && done == 0)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

/* Checks images that the reader loads: an image, or its failure, is available on the next
 * request. */
static void check_reader(void) {
    const size_t before = trap_image_count();
    struct trap_image_reader *reader = trap_image_reader_create();
    bool unanswered;
    struct scene scene;
    CHECK(reader && write_pattern("left.png", 1001, 513));
    write_one("left.ppm", BLUE);
    trap_image_set_reader(reader);
    trap_image_clear_pending();
    CHECK(get("ball") && !trap_image_has_pending());
    CHECK(!trap_image_get("large.png", &unanswered) && unanswered && trap_image_has_pending());
    await_rows(reader);
    CHECK(!trap_image_get("left.ppm", &unanswered) && unanswered); /* instead of the other one */
    await(reader);
    trap_image_clear_pending();
    const struct trap_image *image = get("left.ppm");
    CHECK(middle(image) == BLUE && !trap_image_has_pending());
    trap_image_unref(image);
    scene_init(&scene);
    CHECK(!parse(&scene, "left.png") && scene.image == trap_image_ball());
    await(reader);
    CHECK(parse(&scene, "left.png") && scene.image != trap_image_ball());
    scene_finish(&scene);
    CHECK(!trap_image_get("left.txt", &unanswered) && unanswered);
    await(reader);
    CHECK_REFUSED(get("left.txt"), "'left.txt': No such file");
    CHECK(write_pattern("left.png", 900, 900) && !trap_image_get("left.png", &unanswered));
    trap_image_reader_stop(reader);
    await(reader);
    CHECK(!trap_image_get("left.png", &unanswered) && unanswered); /* again */
    trap_image_set_reader(NULL);
    trap_image_reader_destroy(reader);
    CHECK(trap_image_count() == before);
}

/* Checks deferred reading: the path is known and the pixels are transparent until the image is
 * settled. Other files are read at once. */
static void check_put_off(void) {
    const size_t before = trap_image_count();
    struct scene scene;
    scene_init(&scene);
    write_one("later.ppm", RED);
    CHECK(write_pattern("large.png", 3000, 300) && !trap_image_defer(true));
    CHECK(parse(&scene, "later.ppm") && scene.image->awaited && middle(scene.image) == 0);
    const struct trap_image *same = get("later.ppm");
    CHECK(same == scene.image && strstr(same->path, "/later.ppm"));
    CHECK(get("ball") == trap_image_ball());
    CHECK_REFUSED(get("gone.ppm"), "'gone.ppm': No such file");
    CHECK(trap_image_defer(false));
    const struct trap_image *read = get("later.ppm");
    CHECK(read != same && !read->awaited && middle(read) == RED && middle(same) == 0);
    CHECK(trap_image_defer(true) == false && get("later.ppm") != NULL);
    trap_image_defer(false);
    trap_image_unref(read);
    trap_image_resolve(&scene.image);
    CHECK(scene.image == read && middle(same) == 0);
    trap_image_resolve(&scene.image);
    CHECK(scene.image == read);
    CHECK(remove("later.ppm") == 0);
    trap_image_resolve(&same);
    CHECK(same == trap_image_ball());
    trap_image_unref(read); /* the get in between */
    scene_finish(&scene);
    CHECK(trap_image_count() == before);
}

int main(void) {
    check_sizes();
    check_takers();
    check_memory();
    check_shares();
    check_scenes();
    check_changes();
    check_stops();
    check_reader();
    check_put_off();
    return failures > 0;
}
