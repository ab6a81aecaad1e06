/* Pictures, arrays and whole files: round trips, refusals, atomic writes, and readers of mutated
 * input. */
#define _GNU_SOURCE
#include "render/base/atomic_file.h"
#include "render/base/file_claim.h"
#include "render/base/memory.h"
#include "render/base/temporary.h"
#include "render/files/image.h"
#include "render/files/npy.h"
#include "render/files/scene.h"
#include "tests/shared/check.h"
#include "tests/shared/mutate.h"
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint32_t pixel_at(int x, int y) {
    return COLOUR_ALPHA | (uint32_t)(x * 37 + y * 101 + x * y) * 2654435761u >> 8;
}

static bool file_is(const char *path, const char *text) {
    size_t length;
    char *data = file_read(path, 1 << 20, &length);
    const bool same = data && length == strlen(text) && memcmp(data, text, length) == 0;
    free(data);
    return same;
}

/* --- pictures --- */

static void check_ppm_size(int width, int height, const char *comment) {
    uint32_t *rgba = malloc(4u * (size_t)width * (size_t)height);
    for (int i = 0; rgba && i < width * height; i++)
        rgba[i] = pixel_at(i % width, i / width);
    CHECK(rgba && image_write("a.ppm", IMAGE_PPM, rgba, width, height, comment));
    struct image image;
    CHECK(image_read("a.ppm", &image) && image.width_px == width && image.height_px == height);
    CHECK(rgba && image.rgba && memcmp(rgba, image.rgba, 4u * (size_t)width * (size_t)height) == 0);
    image_finish(&image);
    free(rgba);
}

static void check_ppm(void) {
    check_ppm_size(1, 1, NULL);
    check_ppm_size(7, 3, "");
    check_ppm_size(641, 5, "one\n\ntwo = 3\n");
    check_ppm_size(2, 333, "# 12 12 255");
    const uint32_t pixel = 0xff030201u;
    CHECK(image_write("a.ppm", IMAGE_PPM, &pixel, 1, 1, "[a]\nb = c"));
    CHECK(file_is("a.ppm", "P6\n# [a]\n# b = c\n1 1\n255\n\x01\x02\x03"));

    static const char odd[] = "P6 # by hand\n#x\r\n\t2 # wide\n1\n#\n255\nabcdef";
    static const char nul[] = "P6\n# zoom = 2\0zoom = 3\n1 1\n255\nrgb";
    file_put("a.ppm", nul, sizeof nul - 1);
    CHECK_REFUSED(comment_of("a.ppm"), "header of this picture is broken");
    struct image image;
    file_put("a.ppm", odd, sizeof odd - 1);
    char *comment = comment_of("a.ppm");
    CHECK(comment && strcmp(comment, "by hand\nx\nwide\n\n\n") == 0);
    free(comment);
    CHECK(image_read("a.ppm", &image) && image.width_px == 2 && image.height_px == 1 &&
          image.rgba[0] == 0xff636261u && image.rgba[1] == 0xff666564u);
    image_finish(&image);
}

static void check_bad_ppm(void) {
    static const char *const bad[][2] = {
        {"", "neither a binary PPM"},
        {"P6", "not a binary PPM"},
        {"P5 1 1 255\na", "neither a binary PPM"},
        {"P62 1 255\nabc", "not a binary PPM"},
        {"P6\n0 1 255\n", "no size"},
        {"P6\n1 65537 255\nabc", "no size"},
        {"P6\n99999999999999999999 1 255\nabc", "no size"},
        {"P6\n-1 1 255\nabc", "no size"},
        {"P6\n1\n", "no size"},
        {"P6\n# never ends", "no size"},
        {"P6\n1 1 65535\nabcabc", "maximum value of 255"},
        {"P6\n1 1 255", "cut short"},
        {"P6\n1 1 255\nab", "cut short"},
        {"P6\n65536 65536 255\nab", "cut short"},
        {"P6\n1 1 255\nabcd", "continues"},
    };
    struct image image;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        file_put("bad.ppm", bad[i][0], strlen(bad[i][0]));
        CHECK_REFUSED(image_read("bad.ppm", &image), bad[i][1]);
        CHECK(image.rgba == NULL && image.width_px == 0);
    }
    CHECK_REFUSED(image_read("none.ppm", &image), "'none.ppm': No such file");
    CHECK_REFUSED(image_read(".", &image), "it is a folder");
    CHECK_REFUSED(image_read("/dev/null", &image), "not a regular file");
}

/* Reads a picture of the largest size that a header can state, in a sparse file. The picture must
 * be refused for lack of memory. A process limit makes memory too small on all machines. */
static void check_sparse_ppm(void) {
    static const char header[] = "P6\n65536 65536\n255\n";
    const uint64_t needed = UINT64_C(4) * 65536 * 65536;
    const int fd = memfd_create("sparse", MFD_CLOEXEC);
    struct rlimit before, now;
    struct image image;
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    CHECK(write(fd, header, sizeof header - 1) == sizeof header - 1);
    CHECK(ftruncate(fd, (off_t)(sizeof header - 1) + 3ll * 65536 * 65536) == 0);
    CHECK(getrlimit(RLIMIT_AS, &before) == 0);
    now = before;
#ifdef TEST_SANITIZED /* the sanitizer needs all address space */
    const bool refused = memory_available("") < needed;
#else
    now.rlim_cur = needed / 2;
    const bool refused = true;
#endif
    CHECK(setrlimit(RLIMIT_AS, &now) == 0);
    if (refused)
        CHECK_REFUSED(image_read(path, &image), "not enough memory");
    else
        puts("not tried: a picture that is too large, as this machine has the memory for it");
    CHECK(setrlimit(RLIMIT_AS, &before) == 0);
    close(fd);
}

static void check_screenshot(void) {
    const char *why;
    const uint32_t pixels[6] = {0};
    SCOPED(scene, scene);
    SCOPED(scene, again);
    CHECK(view_set_centre(&scene.view,
                          "-1.74999841099374081749002483162428393452822172335808534616",
                          "-0.00165846646100499500104", 0, &why));
    CHECK(view_set_zoom(&scene.view, "2.5e40", &why));
    scene.width_px = 3;
    scene.height_px = 2;
    scene.precision = PRECISION_FLOAT;
    char *text = scene_text(&scene);
    CHECK(text && image_write("shot.ppm", IMAGE_PPM, pixels, 3, 2, text));
    CHECK(scene_load(&again, "shot.ppm"));
    CHECK(view_equal(&scene.view, &again.view) && again.precision == PRECISION_FLOAT &&
          again.width_px == 3 && again.height_px == 2);
    free(text);

    CHECK(image_write("shot.ppm", IMAGE_PPM, pixels, 3, 2, "taken by another program"));
    CHECK_REFUSED(scene_load(&again, "shot.ppm"), "carries no view");
    CHECK(image_write("shot.ppm", IMAGE_PPM, pixels, 3, 2, "[view]\nzoom = 0"));
    CHECK_REFUSED(scene_load(&again, "shot.ppm"), "shot.ppm:3: zoom");
    file_put("shot.ppm", "P6\n# [view]\n", 12);
    CHECK_REFUSED(scene_load(&again, "shot.ppm"), "header of this picture is broken");
    CHECK(view_equal(&scene.view, &again.view));
}

static void check_view_files(void) {
    SCOPED(scene, scene);
    CHECK_REFUSED(scene_load(&scene, "none.fathom"), "'none.fathom': No such file");
    CHECK_REFUSED(scene_load(&scene, "."), "it is a folder");
    CHECK_REFUSED(scene_load(&scene, "two\nlines"), "two\\x0alines");
    char *large = malloc(SCENE_TEXT_MAX + 2);
    CHECK(large);
    if (large) {
        memset(large, '7', SCENE_TEXT_MAX + 2);
        file_put("large.fathom", large, SCENE_TEXT_MAX + 2);
        CHECK_REFUSED(scene_load(&scene, "large.fathom"), "too large");
    }
    free(large);
    file_put("binary.fathom",
             "\x7f"
             "ELF\2\1\1\0\0\0\0",
             11);
    CHECK_REFUSED(scene_load(&scene, "binary.fathom"), "binary.fathom: this is not a location");
    file_put("cut.fathom", "[view]\nre = 1\nim", 16);
    CHECK_REFUSED(scene_load(&scene, "cut.fathom"), "cut.fathom:3: neither");
    CHECK(mkfifo("fifo", 0600) == 0);
    /* And does not wait for a writer. */
    CHECK_REFUSED(scene_load(&scene, "fifo"), "not a regular file");
    unlink("fifo");
}

/* --- arrays --- */

/* Writes counts in two pieces, or with `fraction` the smooth values. */
static bool write_samples(const char *path, const uint32_t *count, const float *fraction,
                          int width_px, int height_px) {
    const int above = height_px / 3, below = height_px - above;
    const size_t at = (size_t)width_px * (size_t)above;
    struct npy_writer *writer =
        npy_writer_open(path, fraction ? NPY_F8 : NPY_U4, width_px, height_px);
    if (writer && npy_writer_rows(writer, count, fraction, above) &&
        npy_writer_rows(writer, count + at, fraction ? fraction + at : NULL, below))
        return npy_writer_commit(writer);
    npy_writer_abandon(writer);
    return false;
}

static void check_npy(void) {
    enum { W = 129, H = 67 };
    static uint32_t count[W * H];
    static float fraction[W * H];
    for (int i = 0; i < W * H; i++) {
        count[i] = i % 11 ? (uint32_t)i * 240007u & SAMPLE_COUNT_MASK : 1000u | SAMPLE_INTERIOR;
        fraction[i] = (float)(i % 97) / 96 - 0.25f;
    }
    struct npy counts, smooth;
    CHECK(write_samples("c.npy", count, NULL, W, H) && npy_read("c.npy", &counts));
    CHECK(write_samples("s.npy", count, fraction, W, H) && npy_read("s.npy", &smooth));
    CHECK(counts.type == NPY_U4 && counts.width_px == W && counts.height_px == H);
    CHECK(smooth.type == NPY_F8 && smooth.width_px == W && smooth.height_px == H);
    for (int i = 0; i < W * H && counts.values && smooth.values; i++) {
        const bool interior = count[i] & SAMPLE_INTERIOR;
        CHECK(counts.values[i] == (interior ? 1000 : (double)count[i]));
        CHECK(interior ? isnan(smooth.values[i])
                       : smooth.values[i] == (double)count[i] + (double)fraction[i]);
    }
    npy_finish(&counts);
    npy_finish(&smooth);
    const uint32_t one[2] = {7, 9};
    CHECK(write_samples("c.npy", one, NULL, 2, 1));
    size_t length;
    char *data = file_read("c.npy", 1000, &length);
    CHECK(data && length == 128 + 8 && data[127] == '\n' &&
          memcmp(data,
                 "\x93NUMPY\1\0\x76\0{'descr': '<u4', 'fortran_order': False, 'shape': (1, 2), }",
                 10 + 57) == 0);
    free(data);
}

/* Fills a row with values that a double cannot hold, for three channels in NumPy's order. */
static bool fill_row(void *user, int y, uint64_t *values) {
    const int *const length = user;
    for (int i = 0; i < *length; i++)
        values[i] = UINT64_MAX - (uint64_t)(100 * y + i);
    return true;
}

static bool stop_at_two(void *user, int y, uint64_t *values) {
    return y < 2 && fill_row(user, y, values);
}

static void check_wide_npy(void) {
    int length = 21;
    struct npy npy;
    CHECK(npy_write_rows("w.npy", 21, 5, 1, fill_row, &length) && npy_read("w.npy", &npy));
    CHECK(npy.type == NPY_U8 && npy.width_px == 21 && npy.height_px == 5 && npy.channels == 1);
    CHECK(!npy.values && npy.counts && npy.counts[21 * 3 + 4] == UINT64_MAX - 304);
    npy_finish(&npy);
    CHECK(npy_write_rows("w.npy", 7, 5, 3, fill_row, &length) && npy_read("w.npy", &npy));
    CHECK(npy.width_px == 7 && npy.height_px == 5 && npy.channels == 3);
    CHECK(npy.counts && npy.counts[21 * 4 + 20] == UINT64_MAX - 420);
    npy_finish(&npy);
    size_t size;
    char *data = file_read("w.npy", 2000, &size);
    CHECK(data && size == 128 + 8 * 105 && strstr(data + 10, "'<u8'") &&
          strstr(data + 10, "'shape': (5, 7, 3)"));
    free(data);
    log_start();
    CHECK(!npy_write_rows("w.npy", 21, 5, 1, stop_at_two, &length));
    CHECK(npy_read("w.npy", &npy) && npy.channels == 3 && names_with(".fathom-") == 0);
    npy_finish(&npy);
    CHECK_REFUSED(npy_write_rows("/dev/full", 7, 5, 3, fill_row, &length), "No space left");
}

static void check_bad_npy(void) {
    static const struct {
        const char *dict;
        size_t values;
        const char *why;
    } bad[] = {
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (1, 1), }", 3, "cut short"},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (1, 1), }", 5, "continues"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (65536, 65536), }", 8, "cut short"},
        {"{'descr': '>u4', 'fortran_order': False, 'shape': (1, 1), }", 4, "only arrays of"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }", 4, "only arrays of"},
        {"{'descr': [('a', '<u4')], 'fortran_order': False, 'shape': (1, 1), }", 4, "type"},
        {"{'descr': '<u4', 'fortran_order': True, 'shape': (1, 1), }", 4, "C order"},
        {"{'descr': '<u4', 'fortran_order': 0, 'shape': (1, 1), }", 4, "not True or False"},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (1,), }", 4, "two or three sizes"},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (1, 1, 1), }", 4, "two or three sizes"},
        {"{'descr': '<u8', 'fortran_order': False, 'shape': (1, 1, 2), }", 16,
         "two or three sizes"},
        {"{'descr': '<u8', 'fortran_order': False, 'shape': (1, 1, 3), }", 16, "cut short"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 3), }", 24,
         "two or three sizes"},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (1, 1, 3), }", 12,
         "two or three sizes"},
        {"{'descr': '<u8', 'fortran_order': False, 'shape': (1, 1, 3, 1), }", 24,
         "two or three sizes"},
        {"{'descr': '<u8', 'fortran_order': False, 'shape': (), }", 8, "two or three sizes"},
        {"{'descr': '<u8', 'fortran_order': False, 'shape': (1, 1, }", 8, "two or three sizes"},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (0, 1), }", 0, "two or three sizes"},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (1, 65537), }", 4,
         "two or three sizes"},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (-1, 1), }", 4, "two or three sizes"},
        {"{'descr': '<u4', 'fortran_order': False, }", 4, "broken"},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (1, 1), 'x': 1}", 4, "unknown key"},
        {"{'descr': '<u4' 'fortran_order': False, 'shape': (1, 1), }", 4, "broken"},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (1, 1), } x", 4, "broken"},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (1, 1), ", 4, "broken"},
        {"", 4, "not a .npy"},
    };
    struct npy npy;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put_npy(bad[i].dict, bad[i].values);
        CHECK_REFUSED(npy_read("bad.npy", &npy), bad[i].why);
        CHECK(npy.values == NULL);
    }
    put_npy("{ \"shape\" : ( 1,2 ,) , 'fortran_order':False,'descr':'<u4'}\n", 8);
    CHECK(npy_read("bad.npy", &npy) && npy.width_px == 2 && npy.height_px == 1);
    npy_finish(&npy);
    file_put("bad.npy", "\x93NUMPY\4\0\0\0", 10);
    CHECK_REFUSED(npy_read("bad.npy", &npy), "not a .npy");
    file_put("bad.npy", "\x93NUMPY\2\0\xff\xff\xff\xff", 12);
    CHECK_REFUSED(npy_read("bad.npy", &npy), "not a .npy");
}

/* --- whole files --- */

static bool put_atomically(const char *path, bool exclusive, const char *text, bool *existed) {
    struct atomic_file *file = atomic_file_open(path, exclusive);
    if (!file)
        return false;
    fputs(text, atomic_file_stream(file));
    return atomic_file_commit(file, existed);
}

static void check_atomic(void) {
    bool existed = true;
    struct stat status;
    unlink("one");
    umask(027);
    CHECK(put_atomically("one", true, "first", &existed) && !existed && file_is("one", "first"));
    CHECK(stat("one", &status) == 0 && (status.st_mode & 0777) == 0640);
    umask(022);
    log_start();
    CHECK(!put_atomically("one", true, "second", &existed) && existed && file_is("one", "first"));
    fflush(stderr);
    CHECK(stat(LOG_FILE, &status) == 0 && status.st_size == 0);
    CHECK_REFUSED(put_atomically("one", true, "second", NULL), "'one': File exists");
    CHECK(chmod("one", 0604) == 0);
    CHECK(put_atomically("one", false, "second", NULL) && file_is("one", "second"));
    CHECK(stat("one", &status) == 0 && (status.st_mode & 0777) == 0604);

    struct atomic_file *file = atomic_file_open("one", false);
    CHECK(file && fputs("third", atomic_file_stream(file)) >= 0 && names_with(".fathom-") <= 1);
    atomic_file_abandon(file);
    atomic_file_abandon(NULL);
    CHECK(file_is("one", "second"));

    unlink("link");
    CHECK(symlink("one", "link") == 0 && put_atomically("link", false, "through", NULL));
    CHECK(lstat("link", &status) == 0 && S_ISLNK(status.st_mode) && file_is("one", "through"));

    CHECK(atomic_file_possible("new") && access("new", F_OK) != 0);
    CHECK_REFUSED(atomic_file_possible("nowhere/new"), "'nowhere/new': No such file");
    CHECK_REFUSED(atomic_file_possible("."), "Is a directory");
    CHECK_REFUSED(atomic_file_open("", false), "No such file");
    CHECK(put_atomically("/dev/null", false, "x", NULL) && stat("/dev/null", &status) == 0 &&
          S_ISCHR(status.st_mode));
    CHECK_REFUSED(put_atomically("/dev/full", false, "x", NULL), "No space left");
    CHECK(names_with(".fathom-") == 0);
}

/* Leaves a temporary file as a crash does, last written `age_s` seconds ago. */
static void leave(const char *name, int age_s) {
    const struct timespec then = {time(NULL) - age_s, 0}, times[2] = {then, then};
    file_put(name, "left", 4);
    CHECK(utimensat(AT_FDCWD, name, times, 0) == 0);
}

#define DEAD ".fathom-4194999-" /* no process id is that large */

/* Checks that the next writer in a folder removes the remains of crashes, and nothing else. */
static void check_left_over(void) {
    static const char *const kept[] = {
        DEAD "young.tmp",      DEAD "0x12.tmp", DEAD "12.tmp.txt", ".fathom--1-12.tmp",
        ".fathom-4194999.tmp", DEAD "f0.tmp",   DEAD "f2.tmp"};
    const size_t count = sizeof kept / sizeof *kept;
    char living[64];
    snprintf(living, sizeof living, ".fathom-%ld-12.tmp", (long)getppid());
    for (size_t i = 0; i < count; i++)
        leave(kept[i], 100000);
    leave(DEAD "f2.tmp", 3000); /* younger than an hour */
    leave(living, 100000);
    /* Locked, perhaps from another container. */
    const int lock = open(DEAD "f0.tmp", O_RDWR | O_CLOEXEC);
    CHECK(lock >= 0 && flock(lock, LOCK_EX) == 0);
    unlink(DEAD "a1.tmp");
    CHECK(symlink("one", DEAD "a1.tmp") == 0);
    leave(DEAD "12ab.tmp", 100000);
    leave(DEAD "0.tmp", 100000);
    CHECK(put_atomically("one", false, "again", NULL));
    CHECK(access(DEAD "12ab.tmp", F_OK) != 0 && access(DEAD "0.tmp", F_OK) != 0);
    for (size_t i = 0; i < count; i++) {
        if (access(kept[i], F_OK) != 0) {
            printf("%s was removed\n", kept[i]);
            failures++;
        }
        unlink(kept[i]);
    }
    CHECK(unlink(living) == 0 && unlink(DEAD "a1.tmp") == 0 && file_is("one", "again"));
    close(lock);
}

/* Checks that the alternative name keeps the ending; a hidden file's name has no ending. */
static void check_spare(void) {
    static const char *const names[][2] = {
        {"spare.ppm", "spare.new.ppm"}, {".spare", ".spare.new"}, {"spare", "spare.new"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct temporary file;
        CHECK(temporary_open(&file, names[i][0], 0600));
        char *name = temporary_link_spare(&file, names[i][0]);
        if (!name || strcmp(name, names[i][1]) != 0)
            printf("beside %s: %s\n", names[i][0], name ? name : "nothing");
        CHECK(name && strcmp(name, names[i][1]) == 0 && unlink(name) == 0);
        free(name);
        temporary_close(&file);
    }
}

/* Checks claims: a file that is written again, even within the same second, is another file. */
static void check_claim(void) {
    struct timespec times[2] = {{1000, 500000000}, {1000, 500000000}};
    struct file_claim claim;
    file_put("claimed", "1234", 4);
    CHECK(utimensat(AT_FDCWD, "claimed", times, 0) == 0);
    CHECK(file_claim_open(&claim, "claimed") && file_claim_holds(&claim, "claimed"));
    times[1].tv_nsec = 600000000;
    CHECK(utimensat(AT_FDCWD, "claimed", times, 0) == 0);
    CHECK(!file_claim_holds(&claim, "claimed"));
    times[1].tv_nsec = 500000000;
    CHECK(utimensat(AT_FDCWD, "claimed", times, 0) == 0 && file_claim_holds(&claim, "claimed"));
    CHECK(unlink("claimed") == 0 && !file_claim_holds(&claim, "claimed"));
    file_claim_close(&claim);
}

/* Checks that a process that is killed while it writes leaves nothing, if the system has nameless
 * files. A new version of a private file must never be readable by others. */
static void check_killed(void) {
    struct stat status;
    const int nameless = open(".", O_RDWR | O_TMPFILE, 0600);
    CHECK(chmod("one", 0600) == 0);
    const pid_t writer = fork();
    if (writer == 0) {
        struct atomic_file *file = atomic_file_open("one", false);
        if (file && fputs("killed", atomic_file_stream(file)) >= 0 &&
            fflush(atomic_file_stream(file)) == 0)
            raise(SIGKILL);
        _exit(1);
    }
    int how = 0;
    CHECK(writer > 0 && waitpid(writer, &how, 0) == writer && WIFSIGNALED(how));
    CHECK(file_is("one", "again"));
    CHECK(names_with(".fathom-") == (nameless < 0));
    struct atomic_file *file = atomic_file_open("one", false);
    CHECK(file && fstat(fileno(atomic_file_stream(file)), &status) == 0 &&
          (status.st_mode & 0777) == 0600);
    CHECK(atomic_file_commit(file, NULL) && stat("one", &status) == 0 &&
          (status.st_mode & 0777) == 0600);
    if (nameless >= 0)
        close(nameless);
}

/* Checks that a number too large for the memory gives one message, and that the older file
 * stays. */
static void check_numbers_without_memory(void) {
#ifdef TEST_SANITIZED
    puts("left out: numbers without memory: the sanitizer ends the program");
#else
    file_put("one", "older", 5);
    log_start();
    const pid_t writer = fork();
    if (writer == 0) {
        mpfr_t number;
        struct atomic_file *file = atomic_file_open("one", false);
        memory_watch();
        mpfr_init2(number, (mpfr_prec_t)1 << 52); /* more bytes than there are addresses */
        _exit(file ? 0 : 2);
    }
    int how = 0;
    CHECK(writer > 0 && waitpid(writer, &how, 0) == writer && WIFEXITED(how) &&
          WEXITSTATUS(how) == 1);
    CHECK(log_is_one_line("not enough memory: "));
    CHECK(file_is("one", "older"));
#endif
}

/* Checks writes that fail early and late: the reason is reported, and no file is left behind. */
static void check_full(void) {
    static uint32_t pixels[400 * 400];
    CHECK_REFUSED(image_write("/dev/full", IMAGE_PPM, pixels, 400, 400, NULL), "No space left");
    CHECK_REFUSED(image_write("/dev/full", IMAGE_PPM, pixels, 1, 1, NULL), "No space left");
    CHECK_REFUSED(write_samples("/dev/full", pixels, NULL, 400, 400), "No space left");
    CHECK_REFUSED(image_write("nowhere/a.ppm", IMAGE_PPM, pixels, 1, 1, NULL), "No such file");
}

static void check_read_limit(void) {
    size_t length;
    file_put("five", "12345", 5);
    char *text = file_read("five", 5, &length);
    CHECK(text && length == 5 && strcmp(text, "12345") == 0);
    free(text);
    CHECK_REFUSED(file_read("five", 4, &length), "more than 4 bytes");
    /* The system reports its size as 0. */
    text = file_read("/proc/self/status", 1 << 20, &length);
    CHECK(text && length > 100 && strlen(text) == length);
    free(text);
}

/* --- mutations --- */

static bool read_npy(const char *path) {
    struct npy npy;
    const bool ok = npy_read(path, &npy);
    CHECK(ok == (npy.values != NULL));
    npy_finish(&npy);
    return ok;
}

static bool read_palette(const char *path) {
    static struct palette palette;
    size_t length;
    char *text = file_read(path, 1 << 20, &length);
    const bool ok = text && palette_parse(&palette, "mutant", path, text, length);
    free(text);
    return ok;
}

static void check_all_mutations(void) {
    static const uint32_t pixels[12];
    static const char palette[] = "[palette]\nname = A\ninterpolation = smooth\nperiod = 64\n"
                                  "interior = #000000\ncolours = 0.1:#123456 0.5:#abcdef\n";
    SCOPED(scene, scene);
    char *text = scene_text(&scene);
    CHECK(text);
    if (!text)
        return;
    CHECK(image_write("seed.ppm", IMAGE_PPM, pixels, 4, 3, text));
    CHECK(write_samples("seed.npy", pixels, NULL, 4, 3));
    file_put("seed.fathom", text, strlen(text));
    file_put("seed.palette", palette, sizeof palette - 1);
    free(text);
    check_mutations("seed.ppm", read_image, "a picture");
    check_mutations("seed.ppm", read_scene, "a screenshot");
    check_mutations("seed.fathom", read_scene, "a view file");
    check_mutations("seed.npy", read_npy, "an array");
    check_mutations("seed.palette", read_palette, "a palette");
}

int main(void) {
    check_ppm();
    check_bad_ppm();
    check_sparse_ppm();
    check_screenshot();
    check_view_files();
    check_npy();
    check_bad_npy();
    check_wide_npy();
    check_atomic();
    check_left_over();
    check_spare();
    check_claim();
    check_killed();
    check_numbers_without_memory();
    check_full();
    check_read_limit();
    check_all_mutations();
    printf("%d failures\n", failures);
    return failures != 0;
}
