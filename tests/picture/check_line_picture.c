/* The textures of pictures of lines: made for some more than are there, and made again only where
 * that does not do. Without OpenGL it is skipped. */
#include "app/picture/lines/line_picture.h"
#include "app/window/window.h"
#include "tests/shared/check.h"

#define WIDTH   320
#define HEIGHT  200
#define COLUMNS 450
#define ROWS    300

static void take(struct line_picture *picture, int columns, int rows) {
    static uint32_t rgba[(COLUMNS + 16) * (ROWS + 16)];
    struct lines *lines = lines_create(columns, rows);
    CHECK(lines);
    for (int i = 0; lines && i < columns; i++)
        lines->line[i].at = 0.7 * (i - columns / 2);
    for (int i = 0; lines && i < rows; i++)
        lines->line[columns + i].at = 0.7 * (i - rows / 2);
    CHECK(line_picture_take(picture, lines) && line_picture_copy(picture, rgba));
    lines_unref(lines);
}

/* Pictures whose numbers of lines vary by some take the same textures. */
static void check_room(void) {
    struct line_picture picture = {0};
    int width = 0, height = 0, entries = 0;
    for (int i = 0; i < 12; i++) {
        take(&picture, COLUMNS + 5 * i % 16, ROWS + 3 * i % 16);
        line_picture_prepare(&picture, 1);
        if (i > 0)
            CHECK(picture.texture.width_px == width && picture.texture.height_px == height &&
                  picture.table.width_px == entries);
        width = picture.texture.width_px;
        height = picture.texture.height_px;
        entries = picture.table.width_px;
    }
    CHECK(width > COLUMNS + 16 && height > ROWS + 16);
    const GLuint name = picture.texture.name;
    CHECK(line_picture_even(&picture, WIDTH, HEIGHT) && !glIsTexture(name));
    take(&picture, WIDTH / 2, HEIGHT / 2);
    CHECK(glIsTexture(picture.texture.name));
    line_picture_finish(&picture);
}

int main(void) {
    struct window *window = window_create(WIDTH, HEIGHT, true, NULL);
    if (!window) {
        puts("skipped: there is no OpenGL here");
        return 77;
    }
    check_room();
    CHECK(glGetError() == GL_NO_ERROR);
    window_destroy(window);
    if (failures == 0)
        puts("all passed");
    return failures > 0;
}
