/* Finds an example view by part of its name, compared without what people leave out. */
#include "app/options/view_match.h"
#include "app/assets.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PLAIN_SIZE 128 /* more than a view's name has; longer words match nothing */

enum likeness { UNLIKE, WORD_IN_IT, BEGINNING, THE_SAME };

/* Only letters and digits, small; false: too long, or nothing is left. */
static bool make_plain(const char *text, char plain[PLAIN_SIZE]) {
    size_t length = 0;
    for (; *text && length < PLAIN_SIZE - 1; text++)
        if (!strchr(" -_", *text))
            plain[length++] = (char)tolower((unsigned char)*text);
    plain[length] = '\0';
    return !*text && length > 0;
}

static enum likeness likeness(const char *plain, const char *name) {
    char plain_name[PLAIN_SIZE];
    const size_t length = strlen(plain);
    if (!make_plain(name, plain_name))
        return UNLIKE;
    if (strcmp(plain_name, plain) == 0)
        return THE_SAME;
    if (strncmp(plain_name, plain, length) == 0)
        return BEGINNING;
    for (const char *dash = strpbrk(name, " -_"); dash; dash = strpbrk(dash + 1, " -_"))
        if (make_plain(dash, plain_name) && strncmp(plain_name, plain, length) == 0)
            return WORD_IN_IT;
    return UNLIKE;
}

static bool add_name(char **names, const char *name) {
    const size_t length = *names ? strlen(*names) : 0;
    char *longer = realloc(*names, length + strlen(name) + 3);
    if (!longer)
        return false;
    *names = longer;
    strcpy(longer + length, length > 0 ? ", " : "");
    strcat(longer, name);
    return true;
}

int view_match(const char *word, char **names) {
    char plain[PLAIN_SIZE];
    struct assets_views views;
    enum likeness best = UNLIKE;
    int count = 0;
    *names = NULL;
    if (strchr(word, '/') || !make_plain(word, plain))
        return 0;
    assets_list_views(&views);
    for (size_t i = 0; i < views.count; i++) {
        const enum likeness like = likeness(plain, views.names[i]);
        best = like > best ? like : best;
    }
    for (size_t i = 0; best > UNLIKE && i < views.count; i++)
        if (likeness(plain, views.names[i]) == best)
            count += add_name(names, views.names[i]);
    assets_finish_views(&views);
    return count;
}

bool view_match_coordinates(const char *word) {
    return strspn(word, "0123456789+-.eEiIjJ* \t\r\n,;") == strlen(word) &&
           strpbrk(word, "0123456789") && strpbrk(word, " \t\r\n,;");
}
