/* What every kind of setting does alike, wherever it is read or written. Pure functions of a scene;
 * texts are UTF-8, and those that are read are hostile. */
#ifndef FATHOM_RENDER_FILES_SETTING_H
#define FATHOM_RENDER_FILES_SETTING_H

#include "render/files/setting_table.h"

#ifdef __cplusplus
extern "C" {
#endif

struct scene;

#define SETTING_WHY_SIZE     400
#define SETTING_CLAMPED_SIZE 24
/* Why a text was refused: NAME why joint 'TEXT' is a sentence ("offset" "takes a number of turns"
 * ", not" 'x'). */
struct setting_problem {
    char why[SETTING_WHY_SIZE];
    const char *joint;
    bool unanswered; /* of an image alone: as trap_image_get has it */
};

/* By its key in view files or its former one. */
bool setting_has_key(enum setting_id id, const char *key);
/* Likewise, in that section. SETTING_COUNT: there is none. */
enum setting_id setting_find(const char *section, const char *key);
/* Inserts the settings that have a name into a list of `count` items and returns the new number of
 * items. Items of the caller are numbers from SETTING_COUNT on. `above` returns the name of the
 * item above a setting, or NULL for the setting before it. Items with an empty name belong to the
 * item above them. */
size_t settings_insert(int *items, size_t count, const char *(*name)(int item),
                       const char *(*above)(const struct setting *setting));
/* What is drawn instead of a value that earlier versions had, for a warning; "" where that is the
 * same. NULL: it is no such value. `section` may be NULL, for options. */
const char *setting_instead(const char *section, const char *key, const char *value);
/* False: nothing has changed, and *problem says why. Of a coordinate the other one keeps its bits,
 * and this one gets no fewer than it had. */
bool setting_parse(enum setting_id id, struct scene *scene, const char *text,
                   struct setting_problem *problem);
/* The same into `member`, which need not be a scene's: a number, turns, a whole one, a key, a
 * choice or a switch, of which the row has kind, range and names. */
bool setting_parse_value(const struct setting *setting, void *member, const char *text,
                         struct setting_problem *problem);
/* The text in files, from which setting_parse gives the same value; the caller frees it. NULL: no
 * memory. */
char *setting_text(enum setting_id id, const struct scene *scene);
/* As in a new scene. */
void setting_reset(enum setting_id id, struct scene *scene);
/* Whether `text` is past what the setting can be, and `high`, whose text is in *clamped, is to be
 * taken for it. */
bool setting_clamps(enum setting_id id, const char *text, char clamped[SETTING_CLAMPED_SIZE]);
/* Goes on by so many steps: choices go round, numbers stay in their range, and whole ones climb the
 * ladder 1, 2, 5, 10, 20, 50 ..., unless their row says how many steps make one. */
void setting_step(enum setting_id id, struct scene *scene, double steps);
/* The index of a choice or a switch, 0 being the first name; of palettes that of palette_at. -1: it
 * is none. */
int setting_index(enum setting_id id, const struct scene *scene);
/* How many there are. */
int setting_choices(enum setting_id id);
/* False: there is no such index, and nothing has changed. */
bool setting_choose(enum setting_id id, struct scene *scene, int index);
/* Of angles, numbers, turns and whole ones; of choices, switches and palettes the index. */
double setting_number(enum setting_id id, const struct scene *scene);

#ifdef __cplusplus
}
#endif

#endif
