/* Suggestions: the word that a mistyped word may have meant. */
#ifndef FATHOM_RENDER_BASE_SUGGEST_H
#define FATHOM_RENDER_BASE_SUGGEST_H

/* Search for the nearest name; zero-initialised except `word`. */
struct suggestion {
    const char *word; /* word as typed */
    const char *best; /* nearest name so far; NULL: none is near */
    int distance;     /* distance of `best` */
};

/* Considers a name, which must outlive the suggestion. Words and names of 32 bytes and more are
 * never near. */
void suggest_consider(struct suggestion *suggestion, const char *name);

#endif
