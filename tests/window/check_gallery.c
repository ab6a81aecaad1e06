/* Gallery without a window: typed names, own views, thumbnails in the cache folder, the text line,
 * and motion in the grid. */
#define _GNU_SOURCE
#include "app/assets.h"
#include "app/gallery/example_thumbnail.h"
#include "app/gallery/gallery.h"
#include "app/gallery/own_views.h"
#include "app/gallery/thumbnail_cache.h"
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
    struct scene scene;
    scene_init(&scene);
    const bool ok = path && scene_load(&scene, path) && mpfr_cmp_ui(scene.view.zoom, zoom) == 0;
    scene_finish(&scene);
    free(path);
    return ok;
}

/* Returns true if a saved view has no size, so that it fits any window. */
static bool has_no_size(const char *name) {
    char *path = assets_view_path(name);
    struct scene scene;
    scene_init(&scene);
    const bool ok = path && scene_load(&scene, path) && scene.width_px == 0 && scene.height_px == 0;
    scene_finish(&scene);
    free(path);
    return ok;
}

static void check_own(void) {
    struct scene scene;
    const char *why;
    char name[OWN_VIEWS_NAME_MAX + 1];
    scene_init(&scene);
    CHECK(view_set_zoom(&scene.view, "70", &why));
    scene.width_px = 123;
    scene.height_px = 45;
    own_views_suggest(name);
    CHECK(strcmp(name, "location-1") == 0 && !own_views_has(name));
    CHECK(own_views_save(name, &scene, false) == OWN_VIEWS_SAVED && shows_zoom(name, 70));
    CHECK(has_no_size(name));
    own_views_suggest(name);
    CHECK(strcmp(name, "location-2") == 0);
    CHECK(view_set_zoom(&scene.view, "80", &why));
    CHECK(own_views_save("location-1", &scene, false) == OWN_VIEWS_EXISTS &&
          shows_zoom("location-1", 70));
    CHECK(own_views_save("location-1", &scene, true) == OWN_VIEWS_SAVED &&
          shows_zoom("location-1", 80));
    CHECK(own_views_save("spiral", &scene, false) == OWN_VIEWS_HIDES && !own_views_has("spiral"));
    CHECK(own_views_save("spiral", &scene, true) == OWN_VIEWS_SAVED && shows_zoom("spiral", 80));
    CHECK(own_views_delete("spiral") && !own_views_has("spiral"));
    CHECK_REFUSED(own_views_delete("spiral"), "spiral.fathom");
    CHECK(own_views_delete("location-1"));
    scene_finish(&scene);
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
    struct scene scene;
    scene_init(&scene);
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
    scene_finish(&scene);
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

/* --- the line --- */

static void press(struct line_edit *edit, SDL_Keycode key, Uint16 modifiers) {
    const SDL_Keysym sym = {.sym = key, .mod = modifiers};
    CHECK(line_edit_key(edit, &sym));
}

static void check_line(void) {
    struct line_edit edit = {0};
    line_edit_set(&edit, "old");
    line_edit_insert(&edit, "n\xc3\xa4u\n\x7f");
    CHECK(strcmp(edit.text, "n\xc3\xa4u") == 0);
    press(&edit, SDLK_LEFT, 0);
    press(&edit, SDLK_BACKSPACE, 0);
    CHECK(strcmp(edit.text, "nu") == 0 && edit.caret == 1);
    line_edit_insert(&edit, "e");
    press(&edit, SDLK_DELETE, 0);
    press(&edit, SDLK_DELETE, 0);
    CHECK(strcmp(edit.text, "ne") == 0);
    press(&edit, SDLK_HOME, 0);
    press(&edit, SDLK_LEFT, 0);
    press(&edit, SDLK_BACKSPACE, 0);
    line_edit_insert(&edit, "\xe2\x82\xac");
    press(&edit, SDLK_HOME, 0);
    press(&edit, SDLK_DELETE, 0);
    CHECK(strcmp(edit.text, "ne") == 0);
    line_edit_insert(&edit, "o");
    CHECK(strcmp(edit.text, "one") == 0);
    press(&edit, SDLK_a, KMOD_LCTRL);
    press(&edit, SDLK_BACKSPACE, 0);
    CHECK(strcmp(edit.text, "") == 0 && edit.caret == 0);
    for (int i = 0; i < 100; i++)
        line_edit_insert(&edit, "\xe2\x82\xac");
    CHECK(strlen(edit.text) == LINE_EDIT_MAX / 3 * 3);
    for (int i = 0; i < 4; i++) { /* arrows go to an end of the selection and keep the text */
        static const SDL_Keycode keys[] = {SDLK_LEFT, SDLK_RIGHT, SDLK_HOME, SDLK_END};
        line_edit_set(&edit, "old");
        press(&edit, keys[i], 0);
        line_edit_insert(&edit, "x");
        CHECK(strcmp(edit.text, i % 2 ? "oldx" : "xold") == 0);
    }
    const SDL_Keysym other = {.sym = SDLK_F5};
    CHECK(!line_edit_key(&edit, &other));
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
    struct scene scene;
    const char *why;
    scene_init(&scene);
    CHECK(view_set_zoom(&scene.view, zoom, &why));
    char *key = thumbnail_key(&scene);
    scene_finish(&scene);
    CHECK(key);
    return key;
}

/* Returns the thumbnail's key of a view with an image. It must change with the image's file. */
static char *key_of_image(uint32_t rgba) {
    struct scene scene;
    struct setting_problem problem;
    CHECK(image_write("key.ppm", IMAGE_PPM, &rgba, 1, 1, NULL));
    scene_init(&scene);
    CHECK(setting_parse(SETTING_IMAGE, &scene, "key.ppm", &problem));
    scene.by = BY_IMAGE;
    char *key = thumbnail_key(&scene);
    scene_finish(&scene);
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

/* Checks that a folder that cannot be made causes one warning, however often it is tried. */
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

/* --- the grid --- */

static enum gallery_wish key(struct gallery *gallery, SDL_Keycode sym) {
    SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = sym}}};
    return gallery_event(gallery, &event);
}

/* Checks that the scroll bar follows the pointer: from one end of its track to the other it goes
 * through all rows. */
static void check_bar(struct gallery *gallery) {
    struct dialog_rect thumb;
    /* Notes of several lines make cells that much higher. */
    gallery_layout(gallery, 1280, 320, 13);
    const float one = gallery->cell_h;
    gallery->note_lines = 3;
    gallery_layout(gallery, 1280, 320, 13);
    CHECK(gallery->cell_h > one + 2 * 13);
    gallery->note_lines = 0;
    gallery_layout(gallery, 1280, 320, 13);
    key(gallery, SDLK_HOME);
    gallery_layout(gallery, 1280, 320, 13);
    CHECK(gallery_thumb(gallery, &thumb));
    SDL_Event down = {.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_LEFT}};
    down.button.x = (int)thumb.x + 1;
    down.button.y = (int)thumb.y + 1;
    gallery_event(gallery, &down);
    SDL_Event motion = {.motion = {.type = SDL_MOUSEMOTION, .state = SDL_BUTTON_LMASK}};
    motion.motion.yrel = (int)(gallery->height - gallery->top - thumb.h);
    gallery_event(gallery, &motion);
    CHECK(gallery_thumb(gallery, &thumb) && thumb.y + thumb.h > gallery->height - 2);
    motion.motion.state = 0;
    gallery_event(gallery, &motion);
    CHECK(gallery->hand == GALLERY_FREE); /* even if the button was released elsewhere */
}

/* Checks that a cell partly behind the header can be hit only below the header. */
static void check_header(struct gallery *gallery) {
    SDL_Event wheel = {.wheel = {.type = SDL_MOUSEWHEEL, .preciseY = -0.25f}};
    struct dialog_rect cell;
    size_t i = gallery->count;
    for (int turn = 0; turn < 20 && i == gallery->count; turn++) {
        gallery_event(gallery, &wheel);
        for (i = 0; i < gallery->count; i++)
            if (gallery_cell(gallery, i, &cell) && cell.y < gallery->top - 9)
                break;
    }
    CHECK(i < gallery->count && i != 0);
    gallery->selected = 0;
    SDL_Event motion = {.motion = {.type = SDL_MOUSEMOTION, .x = (int)cell.x + 9}};
    motion.motion.y = (int)gallery->top - 4;
    gallery_event(gallery, &motion);
    CHECK(gallery->selected == 0);
    motion.motion.y = (int)gallery->top + 4;
    gallery_event(gallery, &motion);
    CHECK(gallery->selected == i);
}

/* Checks that a page is the number of rows that are fully visible below the header. */
static void check_page(struct gallery *gallery) {
    gallery_layout(gallery, 1280, 720, 13);
    gallery_layout(gallery, 1280, 2 * gallery->cell_h + gallery->top / 2, 13);
    key(gallery, SDLK_HOME);
    key(gallery, SDLK_PAGEDOWN);
    CHECK(gallery->selected == 5);
    gallery_layout(gallery, 1280, 2 * gallery->cell_h + gallery->top + 1, 13);
    key(gallery, SDLK_HOME);
    key(gallery, SDLK_PAGEDOWN);
    CHECK(gallery->selected == 10);
    gallery_layout(gallery, 1280, 320, 13);
    key(gallery, SDLK_RIGHT);
    check_header(gallery);
}

/* Checks that after the last one is deleted the one before it is selected. */
static void check_refreshed(struct gallery *gallery) {
    struct scene scene;
    scene_init(&scene);
    CHECK(own_views_save("mine", &scene, false) == OWN_VIEWS_SAVED);
    scene_finish(&scene);
    CHECK(gallery_refresh(gallery, NULL) && gallery->items[0].kind == GALLERY_OWN);
    key(gallery, SDLK_END);
    CHECK(own_views_delete("mine") && gallery_refresh(gallery, NULL));
    CHECK(gallery->selected == gallery->count - 1);
    key(gallery, SDLK_HOME);
}

static void check_grid(void) {
    struct gallery gallery = {0};
    struct dialog_rect cell;
    CHECK(gallery_open(&gallery, NULL) && gallery.count >= 15);
    for (size_t i = 0; i < gallery.count; i++)
        CHECK(gallery.items[i].kind == GALLERY_EXAMPLE);
    gallery_layout(&gallery, 1280, 720, 13);
    CHECK(gallery.columns == 5);
    gallery_layout(&gallery, 2560, 1440, 13);
    CHECK(gallery.columns == 6);
    gallery_layout(&gallery, 320, 240, 13);
    CHECK(gallery.columns == 2);
    gallery_layout(&gallery, 1280, 720, 13);
    CHECK(key(&gallery, SDLK_RIGHT) == GALLERY_TAKEN && gallery.selected == 1);
    key(&gallery, SDLK_DOWN);
    CHECK(gallery.selected == 6);
    key(&gallery, SDLK_UP);
    key(&gallery, SDLK_UP);
    CHECK(gallery.selected == 1);
    key(&gallery, SDLK_END);
    CHECK(gallery.selected == gallery.count - 1);
    key(&gallery, SDLK_RIGHT);
    CHECK(gallery.selected == gallery.count - 1);
    CHECK(key(&gallery, SDLK_DELETE) == GALLERY_NOT_OWN);
    CHECK(key(&gallery, SDLK_RETURN) == GALLERY_CHOSEN);
    CHECK(key(&gallery, SDLK_ESCAPE) == GALLERY_LEAVE);
    /* The selected cell is visible at any size, and every cell lies within the width. */
    const int sizes[][2] = {{1, 1}, {64, 48}, {200, 150}, {320, 240}, {480, 1200}, {3840, 2160}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int em = 13; em <= 39; em += 13) {
            const float width = (float)sizes[s][0], height = (float)sizes[s][1];
            gallery.reveal = true;
            gallery_layout(&gallery, width, height, (float)em);
            CHECK(gallery.columns >= 1 && gallery.cell_w >= 0);
            CHECK(gallery_cell(&gallery, gallery.selected, &cell));
            if (width > 100)
                CHECK(cell.x >= 0 && cell.x + cell.w <= width);
        }
    check_refreshed(&gallery);
    check_page(&gallery);
    check_bar(&gallery);
    gallery_close(&gallery);
}

/* Checks that a key that opened a question does not answer it by its repetition. */
static void check_question(void) {
    struct dialog dialog;
    SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = SDLK_DELETE}}};
    for (int held = 1; held >= 0; held--) {
        dialog_ask(&dialog, "Delete it?", "Delete", NULL);
        event.key.repeat = (Uint8)held;
        CHECK(dialog_event(&dialog, &event) == (held ? DIALOG_TAKEN : DIALOG_YES));
        CHECK(dialog.open == held);
    }
    dialog_ask(&dialog, "A name", "Save", "name");
    CHECK(dialog_event(&dialog, &event) == DIALOG_CHANGED && dialog.open);
}

int main(void) {
    if (system("rm -rf xdg cache") != 0)
        return 77;
    check_names();
    check_own();
    check_matches();
    check_line();
    check_image_keys();
    check_cache();
    check_bounds();
    check_unwritable();
    check_examples();
    check_order();
    check_grid();
    check_question();
    return failures != 0;
}
