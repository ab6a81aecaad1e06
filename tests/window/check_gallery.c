/* Checks the gallery without a window: names that the user types, own views, thumbnails in the
 * cache folder, the keys that move the selection, and the keys that answer a dialog. */
#define _GNU_SOURCE
#include "app/assets.h"
#include "app/explore/explorer.h"
#include "app/gallery/collection.h"
#include "app/gallery/example_thumbnail.h"
#include "app/gallery/own_views.h"
#include "app/gallery/thumbnail_cache.h"
#include "app/messages.h"
#include "app/paths.h"
#include "render/base/user_data.h"
#include "render/files/image.h"
#include "tests/shared/check.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- names --- */

static void check_name(const char *typed, const char *expected) {
    char name[OWN_VIEWS_NAME_MAX + 1];
    const char *problem = own_views_name(typed, name);
    if (expected ? !problem && strcmp(name, expected) == 0 : problem != NULL)
        return;
    printf("'%s' became '%s' (%s), not '%s'\n", typed, name, problem ? problem : "fine",
           expected ? expected : "refused");
    failures++;
}

static void check_names(void) {
    check_name("seahorses", "seahorses");
    check_name("  Deep  Spiral 2 ", "Deep-Spiral-2");
    check_name("view.fathom", "view");
    check_name("../../etc/passwd", "etc-passwd");
    check_name("/absolute", "absolute");
    check_name(".hidden", "hidden");
    check_name("--help", NULL); /* a command */
    check_name("--size", "size");
    check_name("zz;touch pwned", "zz-touch-pwned");
    check_name("$(reboot) `x` \"a\" 'b' *?", "reboot-x-a-b");
    check_name("a\nb\033[2Jc", "ab-2Jc");
    check_name("Bl\xc3\xbcte", "Bl\xc3\xbcte");
    check_name("\xff\xfe"
               "a\xc3",
               "a");
    check_name("abc\xe2\x80\xaegpj", "abcgpj"); /* mark that reverses the text */
    check_name("a\xc2\xa0"
               "b",
               "ab"); /* no-break space */
    check_name("v1.5", "v1.5");
    check_name("v1-.fathom", "v1");
    check_name("v1..", "v1");
    check_name("abc\xe2\x81\xa9x", "abcx"); /* mark that ends the reversal */
    check_name("", NULL);
    check_name(" - . - ", NULL);
    check_name("...", NULL);
    check_name(".fathom", "fathom");
    check_name("render", NULL);
    check_name(" lab ", NULL);
    char typed[300], name[OWN_VIEWS_NAME_MAX + 1];
    memset(typed, 'x', sizeof typed - 1);
    typed[sizeof typed - 1] = '\0';
    CHECK(!own_views_name(typed, name) && strlen(name) == OWN_VIEWS_NAME_MAX);
}

/* --- own views --- */

static bool shows_zoom(const char *name, unsigned zoom) {
    char *path = assets_view_path(name);
    SCOPED(scene, scene);
    const bool ok = path && scene_load(&scene, path) && mpfr_cmp_ui(scene.view.zoom, zoom) == 0;
    free(path);
    return ok;
}

/* Returns true if a saved view has no size, so that it fits any window. */
static bool has_no_size(const char *name) {
    char *path = assets_view_path(name);
    SCOPED(scene, scene);
    const bool ok = path && scene_load(&scene, path) && scene.width_px == 0 && scene.height_px == 0;
    free(path);
    return ok;
}

static void check_own(void) {
    const char *why;
    char name[OWN_VIEWS_NAME_MAX + 1];
    SCOPED(scene, scene);
    CHECK(view_set_zoom(&scene.view, "70", &why));
    scene.width_px = 123;
    scene.height_px = 45;
    CHECK(own_views_suggest(&scene, name) && strcmp(name, "mandelbrot-70") == 0);
    CHECK(!own_views_has(name));
    CHECK(own_views_save(name, &scene, false) == OWN_VIEWS_SAVED && shows_zoom(name, 70));
    CHECK(has_no_size(name));
    CHECK(own_views_suggest(&scene, name) && strcmp(name, "mandelbrot-70-2") == 0);
    CHECK(view_set_zoom(&scene.view, "80", &why));
    CHECK(own_views_save("mandelbrot-70", &scene, false) == OWN_VIEWS_EXISTS &&
          shows_zoom("mandelbrot-70", 70));
    CHECK(own_views_save("mandelbrot-70", &scene, true) == OWN_VIEWS_SAVED &&
          shows_zoom("mandelbrot-70", 80));
    CHECK(own_views_save("spiral", &scene, false) == OWN_VIEWS_HIDES && !own_views_has("spiral"));
    CHECK(own_views_save("spiral", &scene, true) == OWN_VIEWS_SAVED && shows_zoom("spiral", 80));
    CHECK(own_views_delete("spiral") && !own_views_has("spiral"));
    CHECK_REFUSED(own_views_delete("spiral"), "spiral.fathom");
    CHECK(own_views_delete("mandelbrot-70"));
}

static void check_match(const char *word, int expected, const char *names_expected) {
    char *names = NULL;
    const int count = assets_match_view(word, &names);
    if (count != expected || strcmp(names ? names : "", names_expected) != 0)
        printf("'%s' means %d: %s\n", word, count, names ? names : "nothing");
    CHECK(count == expected && strcmp(names ? names : "", names_expected) == 0);
    free(names);
}

/* Checks the order of matches: a whole name comes before the start of a name, and that before a
 * word within a name. */
static void check_matches(void) {
    static const char *const names[] = {"zebra-fish", "old-zebra", "zebra-foal"};
    SCOPED(scene, scene);
    for (size_t i = 0; i < 3; i++)
        CHECK(own_views_save(names[i], &scene, false) == OWN_VIEWS_SAVED);
    check_match("zebra", 2, "zebra-fish, zebra-foal");
    check_match("old", 1, "old-zebra");
    check_match("Zebra Fi", 1, "zebra-fish");
    CHECK(own_views_save("zebra", &scene, false) == OWN_VIEWS_SAVED);
    check_match("ZEBRA", 1, "zebra");
    check_match("fish", 1, "zebra-fish");
    check_match("ebra", 0, "");
    CHECK(own_views_delete("zebra"));
    for (size_t i = 0; i < 3; i++)
        CHECK(own_views_delete(names[i]));
}

/* --- the order of the examples --- */

static void check_first(const char *first, const char *second, const char *third) {
    struct assets_views views;
    assets_list_views(&views);
    const size_t count = views.count;
    assets_order_views(&views);
    CHECK(views.count == count && count >= 30);
    if (count >= 30 && (strcmp(views.names[0], first) != 0 || strcmp(views.names[1], second) != 0 ||
                        strcmp(views.names[2], third) != 0)) {
        printf("%s, %s, %s come first\n", views.names[0], views.names[1], views.names[2]);
        failures++;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            CHECK(strcmp(views.names[i], views.names[j]) != 0);
    assets_finish_views(&views);
}

static void put_order(const char *text, size_t size) {
    char *order = own_views_path("x"), *name = order ? strrchr(order, '/') : NULL;
    CHECK(name);
    strcpy(name, "/order");
    if (size > 0)
        file_put(order, text, size);
    else
        CHECK(unlink(order) == 0);
    free(order);
}

/* Checks the order of examples: the default; an own order with missing and repeated names; and a
 * broken one. */
static void check_order(void) {
    static const char own[] = "nothing\nsun\n\nsun\r\nspiral\nsun\nwhirl";
    static char huge[70000];
    check_first("archipelago", "armada", "delft");
    put_order(own, sizeof own - 1);
    check_first("sun", "spiral", "abyss");
    put_order(huge, sizeof huge);
    log_start();
    check_first("archipelago", "armada", "delft");
    CHECK(log_is_one_line("order' is not used: it is too large"));
    put_order(NULL, 0);
}

/* --- the cache --- */

static uint32_t pixels[THUMBNAIL_PIXELS], again[THUMBNAIL_PIXELS];

static char *only_file(void) {
    char *folder = user_cache_path("thumbnails"), *path = NULL;
    DIR *entries = folder ? opendir(folder) : NULL;
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (*entry->d_name != '.' && !path)
            path = paths_join(folder, entry->d_name);
    if (entries)
        closedir(entries);
    free(folder);
    return path;
}

static size_t count_files(void) {
    char *folder = user_cache_path("thumbnails");
    DIR *entries = folder ? opendir(folder) : NULL;
    size_t count = 0;
    while (entries && readdir(entries))
        count++;
    if (entries)
        closedir(entries);
    free(folder);
    return count >= 2 ? count - 2 : 0;
}

static char *key_of(const char *zoom) {
    const char *why;
    SCOPED(scene, scene);
    CHECK(view_set_zoom(&scene.view, zoom, &why));
    char *key = thumbnail_key(&scene);
    CHECK(key);
    return key;
}

/* Returns the thumbnail's key of a view with an image. It must change with the image's file. */
static char *key_of_image(uint32_t rgba) {
    struct setting_problem problem;
    CHECK(image_write("key.ppm", IMAGE_PPM, &rgba, 1, 1, NULL));
    SCOPED(scene, scene);
    CHECK(setting_parse(SETTING_IMAGE, &scene, "key.ppm", &problem));
    scene.by = BY_IMAGE;
    char *key = thumbnail_key(&scene);
    CHECK(key);
    return key;
}

static void check_image_keys(void) {
    char *one = key_of_image(COLOUR_ALPHA | 1), *other = key_of_image(COLOUR_ALPHA | 2);
    char *same = key_of_image(COLOUR_ALPHA | 1);
    CHECK(one && other && same && strcmp(one, other) != 0 && strcmp(one, same) == 0);
    free(one);
    free(other);
    free(same);
}

static void damage(const char *path, off_t at, bool shorter) {
    const int file = open(path, O_RDWR);
    CHECK(file >= 0);
    CHECK(shorter ? ftruncate(file, at) == 0 : pwrite(file, "\x55", 1, at) == 1);
    close(file);
}

/* Checks that a thumbnail that is used again counts as new. */
static void check_used(const char *key) {
    const struct timespec long_ago[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    struct stat status;
    char *path = only_file();
    CHECK(path && utimensat(AT_FDCWD, path, long_ago, 0) == 0);
    CHECK(thumbnail_cache_load(key, again));
    CHECK(path && stat(path, &status) == 0 && status.st_mtim.tv_sec > 1000);
    free(path);
}

static void check_cache(void) {
    struct thumbnail_cache cache = {0};
    for (size_t i = 0; i < THUMBNAIL_PIXELS; i++)
        pixels[i] = (uint32_t)i * 2654435761u | 0xff000000u;
    char *key = key_of("20"), *other = key_of("30");
    CHECK(strstr(key, FATHOM_VERSION));
    CHECK(!thumbnail_cache_load(key, again));
    thumbnail_cache_store(&cache, key, pixels);
    CHECK(count_files() == 1);
    CHECK(thumbnail_cache_load(key, again) && memcmp(pixels, again, sizeof pixels) == 0);
    CHECK(!thumbnail_cache_load(other, again));
    check_used(key);
    /* Damaged thumbnails are not used, not kept, and not logged. */
    const off_t places[] = {0, 20, 1000, 300000, 0, 100, 380000};
    log_start();
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        thumbnail_cache_store(&cache, key, pixels);
        char *path = only_file();
        CHECK(path);
        damage(path, places[i], i >= 4);
        CHECK(!thumbnail_cache_load(key, again) && count_files() == 0);
        free(path);
    }
    fflush(stderr);
    struct stat status;
    CHECK(stat(LOG_FILE, &status) == 0 && status.st_size == 0);
    free(key);
    free(other);
}

/* Checks that old thumbnails are deleted, and other files are not. */
static void check_bounds(void) {
    struct thumbnail_cache cache = {0};
    char *folder = user_cache_path("thumbnails"), path[1000];
    for (int i = 0; i < THUMBNAIL_FILES_MAX + 20; i++) {
        snprintf(path, sizeof path, "%s/%032x.thumbnail", folder, i);
        file_put(path, "old", 3);
        const struct timespec times[2] = {{.tv_sec = 1000 + i}, {.tv_sec = 1000 + i}};
        CHECK(utimensat(AT_FDCWD, path, times, 0) == 0);
    }
    snprintf(path, sizeof path, "%s/notes.txt", folder);
    file_put(path, "mine", 4);
    char *key = key_of("40");
    thumbnail_cache_store(&cache, key, pixels);
    CHECK(count_files() == THUMBNAIL_FILES_MAX + 1);
    CHECK(access(path, F_OK) == 0 && thumbnail_cache_load(key, again));
    snprintf(path, sizeof path, "%s/%032x.thumbnail", folder, 20);
    CHECK(access(path, F_OK) != 0); /* the oldest */
    snprintf(path, sizeof path, "%s/%032x.thumbnail", folder, 21);
    CHECK(access(path, F_OK) == 0);
    snprintf(path, sizeof path, "%s/%032x.thumbnail", folder, THUMBNAIL_FILES_MAX);
    CHECK(truncate(path, (off_t)THUMBNAIL_BYTES_MAX - 100000) ==
          0); /* now only the newest may stay */
    thumbnail_cache_store(&cache, key, pixels);
    CHECK(thumbnail_cache_load(key, again) && count_files() < THUMBNAIL_FILES_MAX);
    free(key);
    free(folder);
}

/* Checks that a folder that cannot be made causes one warning, however often the cache tries to
 * make the folder. */
static void check_unwritable(void) {
    struct thumbnail_cache cache = {0};
    CHECK(system("rm -rf cache && touch cache") == 0);
    char *key = key_of("50");
    log_start();
    for (int i = 0; i < 3; i++)
        thumbnail_cache_store(&cache, key, pixels);
    CHECK(log_is_one_line("cannot make the folder"));
    CHECK(!thumbnail_cache_load(key, again));
    free(key);
    CHECK(unlink("cache") == 0);
}

/* --- thumbnails of the examples --- */

#define EXAMPLE "examples/views/one.fathom"

static void check_like_pixels(void) {
    for (size_t i = 0; i < EXAMPLE_THUMBNAIL_PIXELS; i++)
        for (int shift = 0; shift < 32; shift += 8)
            if (abs((int)(pixels[i] >> shift & 255) - (int)(again[i] >> shift & 255)) > 8) {
                CHECK(!"JPEG keeps what is smooth");
                return;
            }
}

/* Checks that damaged files are not logged, since the thumbnail is drawn instead. */
static void check_damaged_example(const char *path) {
    struct stat status;
    CHECK(stat(path, &status) == 0);
    log_start();
    for (off_t at = 0; at < status.st_size; at += 1 + status.st_size / 50) {
        CHECK(example_thumbnail_store(EXAMPLE, pixels));
        damage(path, at, false);
        example_thumbnail_load(EXAMPLE, again); /* a changed colour may go unnoticed */
        damage(path, at, true);
        CHECK(!example_thumbnail_load(EXAMPLE, again));
    }
    CHECK(unlink(path) == 0 && !example_thumbnail_load(EXAMPLE, again));
    fflush(stderr);
    CHECK(stat(LOG_FILE, &status) == 0 && status.st_size == 0);
}

static void check_examples(void) {
    CHECK(system("rm -rf examples && mkdir -p examples/views examples/thumbnails") == 0);
    char *path = example_thumbnail_path(EXAMPLE);
    CHECK(path && strcmp(path, "examples/views/../thumbnails/one.jpg") == 0);
    CHECK(!example_thumbnail_path("examples/one.txt") && !example_thumbnail_path(".fathom"));
    for (size_t i = 0; i < EXAMPLE_THUMBNAIL_PIXELS; i++) {
        const unsigned x = i % EXAMPLE_THUMBNAIL_WIDTH_PX, y = i / EXAMPLE_THUMBNAIL_WIDTH_PX;
        pixels[i] = (x / 2) | y << 8 | (uint32_t)(x + y) / 2 << 16 | 0xff000000u;
    }
    file_put(EXAMPLE, "[view]\nzoom = 2\n", 16);
    CHECK(!example_thumbnail_load(EXAMPLE, again));
    CHECK(example_thumbnail_store(EXAMPLE, pixels) && example_thumbnail_load(EXAMPLE, again));
    check_like_pixels();
    file_put(EXAMPLE, "[view]\nzoom = 3\n", 16);
    CHECK(!example_thumbnail_load(EXAMPLE, again));
    check_damaged_example(path);
    free(path);
}

/* --- the selection --- */

static void save_own(const char *name) {
    SCOPED(scene, scene);
    CHECK(own_views_save(name, &scene, false) == OWN_VIEWS_SAVED);
}

static void check_move(struct gallery *gallery, SDL_Keycode key, size_t expected) {
    gallery->reveal = false;
    CHECK(gallery_move(gallery, key) && gallery->reveal);
    if (gallery->selected != expected)
        printf("%s selects %zu\n", SDL_GetKeyName(key), gallery->selected);
    CHECK(gallery->selected == expected);
}

/* Two own views, then the examples, in rows of five. */
static void check_keys(struct gallery *gallery) {
    static const struct {
        SDL_Keycode key;
        size_t selected;
    } moves[] = {{SDLK_LEFT, 0},  {SDLK_UP, 0},        {SDLK_RIGHT, 1},  {SDLK_DOWN, 3},
                 {SDLK_UP, 1},    {SDLK_RIGHT, 2},     {SDLK_LEFT, 1},   {SDLK_DOWN, 3},
                 {SDLK_RIGHT, 4}, {SDLK_RIGHT, 5},     {SDLK_UP, 1},     {SDLK_DOWN, 3},
                 {SDLK_DOWN, 8},  {SDLK_PAGEDOWN, 18}, {SDLK_PAGEUP, 8}, {SDLK_PAGEUP, 1}};
    const size_t last = gallery->count - 1;
    gallery_lay_out(gallery, 5);
    gallery->page_rows = 2;
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        check_move(gallery, moves[i].key, moves[i].selected);
    check_move(gallery, SDLK_END, last);
    check_move(gallery, SDLK_RIGHT, last);
    check_move(gallery, SDLK_DOWN, last);
    check_move(gallery, SDLK_UP, last - 5);
    gallery_lay_out(gallery, 4); /* the last row is shorter, or as long as the others */
    gallery->selected = last - 1;
    for (int i = 0; i < 3; i++)
        CHECK(gallery_move(gallery, SDLK_DOWN) && gallery->selected <= last);
    check_move(gallery, SDLK_HOME, 0);
    CHECK(!gallery_move(gallery, SDLK_F5));
}

/* Once the last item is gone, the item before it is selected. */
static void check_selection(void) {
    struct gallery gallery = {0};
    save_own("mine-1");
    save_own("mine-2");
    CHECK(gallery_open(&gallery, NULL) && gallery.count >= 25);
    CHECK(gallery.selected == 0 && !gallery_move(&gallery, SDLK_x));
    CHECK(gallery_move(&gallery, SDLK_DOWN) && gallery.selected == 0); /* not laid out yet */
    for (size_t i = 0; i < gallery.count; i++)
        CHECK(gallery.items[i].kind == (i < 2 ? GALLERY_OWN : GALLERY_EXAMPLE));
    check_keys(&gallery);
    gallery_select(&gallery, "mine-1");
    CHECK(strcmp(gallery.items[gallery.selected].name, "mine-1") == 0);
    check_move(&gallery, SDLK_END, gallery.count - 1);
    CHECK(own_views_delete("mine-1") && gallery_refresh(&gallery, NULL));
    CHECK(gallery.selected == gallery.count - 1);
    gallery_close(&gallery);
}

/* --- dialogs --- */

static bool press(struct collection *collection, SDL_Keycode key, bool held) {
    const SDL_Event event = {.key = {.type = SDL_KEYDOWN, .repeat = held, .keysym = {.sym = key}}};
    return collection_event(collection, &event);
}

/* A key that is held since it opened a dialog does not answer it. */
static void check_dialogs(void) {
    struct messages messages = {0};
    struct explorer explorer = {0};
    struct collection collection = {.messages = &messages, .explorer = &explorer};
    scene_init(&explorer.scene);
    CHECK(gallery_open(&collection.gallery, NULL));
    gallery_select(&collection.gallery, "mine-2");
    CHECK(press(&collection, SDLK_DELETE, false) && collection.dialog.open);
    CHECK(press(&collection, SDLK_DELETE, true) && press(&collection, SDLK_RETURN, true));
    CHECK(collection.dialog.open && own_views_has("mine-2"));
    CHECK(press(&collection, SDLK_ESCAPE, false) && !collection.dialog.open);
    CHECK(press(&collection, SDLK_DELETE, false) && press(&collection, SDLK_DELETE, false));
    CHECK(!collection.dialog.open && !own_views_has("mine-2"));
    CHECK(press(&collection, SDLK_DELETE, false) && !collection.dialog.open); /* an example */
    CHECK(!press(&collection, SDLK_q, false) && !press(&collection, SDLK_F11, false));
    CHECK(!press(&collection, SDLK_F1, false) && !press(&collection, SDLK_QUESTION, false));
    CHECK(press(&collection, SDLK_x, false)); /* means nothing, and never reaches the window */
    collection_ask_name(&collection);
    CHECK(collection_typing(&collection) && strcmp(collection.dialog.field, "mandelbrot-1.5") == 0);
    CHECK(!press(&collection, SDLK_x, false) && !press(&collection, SDLK_DELETE, false));
    snprintf(collection.dialog.field, sizeof collection.dialog.field, "render");
    collection_check_field(&collection);
    CHECK(press(&collection, SDLK_RETURN, false) && collection.dialog.open);
    CHECK(collection.dialog.warning && strstr(collection.dialog.text, "name of a command"));
    CHECK(press(&collection, SDLK_ESCAPE, false) && !collection.dialog.open);
    collection_finish(&collection);
    scene_finish(&explorer.scene);
}

int main(void) {
    if (system("rm -rf xdg cache") != 0)
        return 77;
    check_names();
    check_own();
    check_matches();
    check_image_keys();
    check_cache();
    check_bounds();
    check_unwritable();
    check_examples();
    check_order();
    check_selection();
    check_dialogs();
    return failures != 0;
}
