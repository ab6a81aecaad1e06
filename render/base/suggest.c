/* Suggestions: find the intended word for a mistyped word, by Levenshtein distance. */
#include "render/base/suggest.h"
#include <string.h>

#define WORD_SIZE    32
#define DISTANCE_MAX 2 /* largest distance that counts as near */

static int distance(const char *a, const char *b) {
    int row[WORD_SIZE];
    const int n = (int)strlen(b);
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int best = diagonal + (a[i - 1] != b[j - 1]);
            best = row[j] + 1 < best ? row[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[n];
}

void suggest_consider(struct suggestion *suggestion, const char *name) {
    const char *word = suggestion->word;
    const size_t length = strlen(word), name_length = strlen(name);
    if (length >= WORD_SIZE || name_length >= WORD_SIZE)
        return;
    const int d = distance(word, name);
    if (d <= DISTANCE_MAX && d < (int)name_length && d < (int)length &&
        (!suggestion->best || d < suggestion->distance)) {
        suggestion->best = name;
        suggestion->distance = d;
    }
}
