/* Recent locations: a text file with a line "place = LABEL" before the text of each scene. Several
 * processes may write it. */
#define _GNU_SOURCE
#include "app/explore/recent.h"
#include "app/explore/nearness.h"
#include "app/paths.h"
#include "render/base/atomic_file.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/base/user_data.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX_SIZE (4 << 20)
#define LABEL_MAX     200 /* [bytes] */
#define START         "place = "
#define HEADER        "# Locations that fathom has shown, newest first.\n"

struct entry {
    char *label, *text;
    bool added; /* since the last save */
    struct nearness where;
};

struct recent {
    char *path;  /* NULL: there is no folder for it */
    bool broken; /* the file is no list of locations; logged */
    struct entry entries[RECENT_MAX];
    size_t count;
};

static void release(struct entry *entry) {
    free(entry->label);
    free(entry->text);
    nearness_finish(&entry->where);
    *entry = (struct entry){0};
}

static void clear(struct recent *recent) {
    while (recent->count > 0)
        release(&recent->entries[--recent->count]);
}

/* --- reading --- */

static bool is_label(const char *label, size_t length) {
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)label[i] < ' ' || label[i] == 0x7f)
            return false;
    return length > 0 && length <= LABEL_MAX;
}

static const char *next_line(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* Returns the beginning of the next entry, or the end of the text. */
static const char *next_start(const char *line) {
    while (*line && strncmp(line, START, strlen(START)) != 0)
        line = next_line(line);
    return line;
}

/* Returns true if an earlier entry of the list shows the same location. */
static bool shown_before(const struct recent *recent, const struct entry *entry) {
    for (size_t i = 0; i < recent->count; i++)
        if (nearness_same(&recent->entries[i].where, &entry->where))
            return true;
    return false;
}

/* Parses one entry from its first line to `end`. */
static bool take_entry(struct recent *recent, const char *start, const char *end) {
    const char *label = start + strlen(START), *text = next_line(start);
    const size_t length = strcspn(label, "\n");
    if (!is_label(label, length) || text >= end || end - text > SCENE_TEXT_MAX)
        return false;
    struct entry entry = {.label = strndup(label, length),
                          .text = strndup(text, (size_t)(end - text))};
    if (!entry.label || !entry.text) {
        release(&entry);
        return false;
    }
    nearness_read(&entry.where, entry.text);
    if (shown_before(recent, &entry)) {
        release(&entry);
        return true;
    }
    recent->entries[recent->count++] = entry;
    return true;
}

/* Parses the first RECENT_MAX entries. */
static bool parse(struct recent *recent, const char *text) {
    const char *start = next_start(text);
    for (const char *line = text; line < start; line = next_line(line))
        if (*line != '#' && *line != '\n')
            return false;
    while (*start && recent->count < RECENT_MAX) {
        const char *end = next_start(next_line(start));
        if (!take_entry(recent, start, end))
            return false;
        start = end;
    }
    return true;
}

static void read_file(struct recent *recent) {
    size_t length;
    char *text = recent->path ? paths_read(recent->path, FILE_MAX_SIZE, &length) : NULL;
    recent->broken = text ? !parse(recent, text) : recent->path && access(recent->path, F_OK) == 0;
    if (text && recent->broken) {
        log_warn("'%s' is not used: it is not a list of locations", recent->path);
        clear(recent);
    }
    free(text);
}

static struct recent *create(void) {
    struct recent *recent = calloc(1, sizeof *recent);
    if (recent)
        recent->path = user_state_path("recent");
    else
        log_error("not enough memory for the recent locations");
    return recent;
}

struct recent *recent_load(void) {
    struct recent *recent = create();
    if (recent)
        read_file(recent);
    return recent;
}

/* --- the list --- */

size_t recent_count(const struct recent *recent) {
    return recent->count;
}

const char *recent_label(const struct recent *recent, size_t i) {
    return recent->entries[i].label;
}

const char *recent_text(const struct recent *recent, size_t i) {
    return recent->entries[i].text;
}

/* Returns the label of a view. The caller frees it. NULL: no memory. */
static char *make_label(const struct view *view) {
    char date[CLOCK_TEXT_MAX], *label = NULL;
    clock_local(CLOCK_DATE, date);
    char *zoom = view_number_text(view->zoom, 2);
    char *re = view_number_text(view->re, 5), *im = view_number_text(view->im, 5);
    if (zoom && re && im &&
        asprintf(&label, "%s  zoom %s  %s %c %si", date, zoom, re, *im == '-' ? '-' : '+',
                 im + (*im == '-')) < 0)
        label = NULL;
    free(zoom);
    free(re);
    free(im);
    return label;
}

static void remove_entry(struct recent *recent, size_t i) {
    release(&recent->entries[i]);
    recent->count--;
    memmove(recent->entries + i, recent->entries + i + 1,
            (recent->count - i) * sizeof *recent->entries);
}

static bool replaces(const struct entry *entry, const struct entry *old) {
    return strcmp(old->text, entry->text) == 0 || nearness_same(&entry->where, &old->where);
}

/* Takes ownership of an entry. Entries of the same location are removed, and the oldest if the list
 * is full. */
static void insert_first(struct recent *recent, struct entry entry) {
    for (size_t i = recent->count; i-- > 0;)
        if (replaces(&entry, &recent->entries[i]))
            remove_entry(recent, i);
    if (recent->count == RECENT_MAX)
        remove_entry(recent, RECENT_MAX - 1);
    memmove(recent->entries + 1, recent->entries, recent->count * sizeof entry);
    recent->entries[0] = entry;
    recent->count++;
}

void recent_add(struct recent *recent, const struct scene *scene) {
    if (!recent)
        return;
    struct entry entry = {
        .label = make_label(&scene->view), .text = scene_text(scene), .added = true};
    if (entry.label && entry.text && strlen(entry.text) <= SCENE_TEXT_MAX) {
        nearness_read(&entry.where, entry.text);
        insert_first(recent, entry);
    } else {
        release(&entry);
    }
}

/* --- writing --- */

/* Writes as many entries as fit into a file that read_file accepts. */
static bool write_file(const struct recent *recent) {
    struct atomic_file *file = paths_create(recent->path);
    if (!file)
        return false;
    FILE *stream = atomic_file_stream(file);
    size_t size = strlen(HEADER);
    fputs(HEADER, stream);
    for (size_t i = 0; i < recent->count; i++) {
        const struct entry *entry = &recent->entries[i];
        size += strlen(START) + strlen(entry->label) + strlen(entry->text) + 2;
        if (size > FILE_MAX_SIZE)
            break;
        const size_t length = strlen(entry->text);
        const bool ends = length > 0 && entry->text[length - 1] == '\n';
        fprintf(stream, START "%s\n%s%s", entry->label, entry->text, ends ? "" : "\n");
    }
    return atomic_file_commit(file, NULL);
}

static bool copy_first(struct recent *recent, const struct entry *entry) {
    struct entry copy = {.label = strdup(entry->label), .text = strdup(entry->text)};
    if (copy.label && copy.text) {
        nearness_read(&copy.where, copy.text);
        insert_first(recent, copy);
        return true;
    }
    release(&copy);
    return false;
}

bool recent_save(struct recent *recent) {
    size_t added = 0;
    for (size_t i = 0; i < recent->count; i++)
        added += recent->entries[i].added;
    if (added == 0 || !recent->path)
        return true;
    /* Windows that are closed together write one after the other. */
    const int lock = paths_lock(recent->path);
    struct recent *now = recent->broken ? create() : recent_load();
    bool ok = now != NULL;
    for (size_t i = recent->count; ok && i-- > 0;)
        if (recent->entries[i].added)
            ok = copy_first(now, &recent->entries[i]);
    ok = ok && write_file(now);
    for (size_t i = 0; ok && i < recent->count; i++)
        recent->entries[i].added = false;
    recent_destroy(now);
    if (lock >= 0)
        close(lock);
    return ok;
}

void recent_destroy(struct recent *recent) {
    if (!recent)
        return;
    clear(recent);
    free(recent->path);
    free(recent);
}
