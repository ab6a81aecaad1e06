/* Operations on settings by kind: parsing, printing, choosing and stepping. Pure functions of a
 * scene. Texts are UTF-8, and texts that are parsed may be hostile. */
#ifndef FATHOM_RENDER_FILES_SETTING_H
#define FATHOM_RENDER_FILES_SETTING_H

#include "render/files/setting_table.h"

#ifdef __cplusplus
extern "C" {
#endif

struct scene;

#define SETTING_WHY_SIZE     400
#define SETTING_CLAMPED_SIZE 24
/* Reason why a text is rejected: NAME why joint 'TEXT' is a sentence ("offset" "takes a number of
 * turns" ", not" 'x'). */
struct setting_problem {
    char why[SETTING_WHY_SIZE];
    const char *joint;
    bool unanswered; /* images only: the file system has not answered yet (trap_image_get) */
};

/* Returns true if `key` is the setting's key in view files, or its former one. */
bool setting_has_key(enum setting_id id, const char *key);
/* Returns the setting of that key in a section, or SETTING_COUNT. */
enum setting_id setting_find(const char *section, const char *key);
/* Inserts the settings that have a name into a list of `count` items and returns the new number of
 * items. Items of the caller are numbers from SETTING_COUNT on. `above` returns the name of the
 * item above a setting, or NULL for the setting before it. Items with an empty name belong to the
 * item above them. */
size_t settings_insert(int *items, size_t count, const char *(*name)(int item),
                       const char *(*above)(const struct setting *setting));
/* Returns the replacement of a value of earlier versions, for a warning, "" if it looks the same,
 * or NULL if it is no such value. `section` may be NULL: any. */
const char *setting_replacement(const char *section, const char *key, const char *value);
/* Stores the value of a text. Returns false if it is wrong: the scene is unchanged and *problem
 * has the reason. A coordinate never loses bits of precision, and the other coordinate keeps its
 * own. */
bool setting_parse(enum setting_id id, struct scene *scene, const char *text,
                   struct setting_problem *problem);
/* Parses `text` into a member of kind number, turns, whole, key, choice or switch. Uses only the
 * row's kind, range and names. */
bool setting_parse_value(const struct setting *setting, void *member, const char *text,
                         struct setting_problem *problem);
/* Returns the text for files, which setting_parse reads back exactly. The caller frees it. NULL: no
 * memory. */
char *setting_text(enum setting_id id, const struct scene *scene);
/* Stores the value of a new scene. */
void setting_reset(enum setting_id id, struct scene *scene);
/* Returns true if the text exceeds the setting's range and `high` replaces it, whose text is stored
 * in `clamped`. */
bool setting_clamps(enum setting_id id, const char *text, char clamped[SETTING_CLAMPED_SIZE]);
/* Steps a setting: choices wrap round, numbers stay in their range, and whole numbers climb the
 * ladder 1, 2, 5, 10, 20, 50 ... unless their row has steps_in_one. */
void setting_step(enum setting_id id, struct scene *scene, double steps);
/* Returns the index of a choice or a switch, or of a palette in palette_at; -1: the palette is not
 * in it. */
int setting_index(enum setting_id id, const struct scene *scene);
/* Returns the number of choices; 0: the setting has none. */
int setting_choices(enum setting_id id);
/* Stores the choice of that index. Returns false, and changes nothing, if there is none. */
bool setting_choose(enum setting_id id, struct scene *scene, int index);
/* Returns an angle [degrees], a number, turns or a whole number; for choices, switches and palettes
 * the index. */
double setting_number(enum setting_id id, const struct scene *scene);

#ifdef __cplusplus
}
#endif

#endif
