/* OpenGL helpers: shared by several modules. */
#include "app/picture/gl.h"
#include "render/base/embedded.h"
#include "render/base/log.h"
#include <string.h>

static const struct embedded_file *find_shader(const char *name) {
    for (size_t i = 0; i < embedded_shaders_count; i++)
        if (strcmp(embedded_shaders[i].name, name) == 0)
            return &embedded_shaders[i];
    return NULL;
}

static GLuint compile(GLenum type, const char *name, const char *defines) {
    const struct embedded_file *file = find_shader(name);
    if (!file) {
        log_error("shader %s is not part of this program", name);
        return 0;
    }
    const GLuint shader = glCreateShader(type);
    const char *const texts[] = {"#version 330 core\n", defines, "#line 1\n", file->data};
    glShaderSource(shader, 4, texts, NULL);
    glCompileShader(shader);
    GLint ok;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok)
        return shader;
    char text[512] = "";
    glGetShaderInfoLog(shader, sizeof text, NULL, text);
    log_error("the OpenGL driver refuses shader %s: %s", name, text);
    glDeleteShader(shader);
    return 0;
}

static GLuint link_program(GLuint vertex, GLuint fragment) {
    const GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    GLint ok;
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (ok)
        return program;
    char text[512] = "";
    glGetProgramInfoLog(program, sizeof text, NULL, text);
    log_error("the OpenGL driver cannot link the shaders: %s", text);
    glDeleteProgram(program);
    return 0;
}

GLuint gl_program(const char *vertex_name, const char *fragment_name, const char *defines) {
    const GLuint vertex = compile(GL_VERTEX_SHADER, vertex_name, "");
    const GLuint fragment = vertex ? compile(GL_FRAGMENT_SHADER, fragment_name, defines) : 0;
    const GLuint program = fragment ? link_program(vertex, fragment) : 0;
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    return program;
}

/* Clears earlier errors, so that the next error belongs to the following calls. */
static void clear_errors(void) {
    for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; i++)
        continue;
}

/* Internal format of a texture, and channel order of uploads. */
struct kept_as {
    GLint format;
    GLenum order;
};

static bool resize(struct gl_texture *texture, int width_px, int height_px, struct kept_as as,
                   GLint filter) {
    if (texture->name && texture->width_px == width_px && texture->height_px == height_px)
        return true;
    GLint unpack; /* a bound buffer would fill the texture */
    gl_texture_finish(texture);
    glGetIntegerv(GL_PIXEL_UNPACK_BUFFER_BINDING, &unpack);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    clear_errors();
    glGenTextures(1, &texture->name);
    glBindTexture(GL_TEXTURE_2D, texture->name);
    glTexImage2D(GL_TEXTURE_2D, 0, as.format, width_px, height_px, 0, as.order, GL_UNSIGNED_BYTE,
                 NULL);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, (GLuint)unpack);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    if (glGetError() != GL_NO_ERROR) {
        gl_texture_finish(texture);
        return false;
    }
    texture->width_px = width_px;
    texture->height_px = height_px;
    return true;
}

bool gl_texture_resize(struct gl_texture *texture, int width_px, int height_px) {
    if (resize(texture, width_px, height_px, (struct kept_as){GL_RGBA8, GL_RGBA}, GL_LINEAR))
        return true;
    log_error("no graphics memory for a picture of %dx%d; make the window smaller", width_px,
              height_px);
    return false;
}

/* Uses an unsized format: Mesa then keeps the order of the uploaded pixels. With a sized format
 * it chooses the order itself. */
bool gl_shown_resize(struct gl_texture *texture, int width_px, int height_px) {
    return resize(texture, width_px, height_px, (struct kept_as){GL_RGBA, GL_BGRA}, GL_LINEAR);
}

bool gl_table_resize(struct gl_texture *table, int entries, int rows) {
    return resize(table, entries, rows, (struct kept_as){GL_R32F, GL_RGBA}, GL_NEAREST);
}

void gl_texture_make_levels(struct gl_texture *texture) {
    if (texture->levels)
        return;
    glBindTexture(GL_TEXTURE_2D, texture->name);
    glGenerateMipmap(GL_TEXTURE_2D);
    texture->levels = true;
}

void gl_texture_finish(struct gl_texture *texture) {
    glDeleteTextures(1, &texture->name);
    *texture = (struct gl_texture){0};
}

static void attach(GLuint framebuffer, const struct gl_texture *texture) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture->name, 0);
}

void gl_draw_into(GLuint framebuffer, const struct gl_texture *texture) {
    attach(framebuffer, texture);
    glViewport(0, 0, texture->width_px, texture->height_px);
}

void gl_texture_show(const struct gl_texture *texture, GLuint spare, struct rect to,
                     int bottom_px) {
    const int width = to.x1 - to.x0, height = to.y1 - to.y0;
    const int top = bottom_px ? bottom_px - to.y0 : to.y0;
    const int end = bottom_px ? bottom_px - to.y1 : to.y1;
    GLint shown;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &shown);
    attach(spare, texture);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)shown);
    glDisable(GL_SCISSOR_TEST);
    glBlitFramebuffer(0, 0, width, height, to.x0, top, to.x1, end, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)shown);
}

bool gl_in_software(void) {
    static const char *const names[] = {"llvmpipe", "softpipe", "swrast", "SWR"};
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    for (size_t i = 0; renderer && i < sizeof names / sizeof *names; i++)
        if (strstr(renderer, names[i]))
            return true;
    return false;
}

static void swap_rows(unsigned *a, unsigned *b, size_t width) {
    for (size_t x = 0; x < width; x++) {
        const unsigned pixel = a[x];
        a[x] = b[x];
        b[x] = pixel;
    }
}

void gl_read_screen(int width_px, int height_px, unsigned *rgba) {
    const size_t width = (size_t)width_px, height = (size_t)height_px;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width_px, height_px, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    for (size_t y = 0; y < height / 2; y++)
        swap_rows(rgba + y * width, rgba + (height - 1 - y) * width, width);
    for (size_t i = 0; i < width * height; i++)
        rgba[i] |= 0xff000000u;
}
