/* What a mistyped word may have meant. */
#ifndef FATHOM_RENDER_BASE_SUGGEST_H
#define FATHOM_RENDER_BASE_SUGGEST_H

/* Zero-initialised but for `word`. */
struct suggestion {
    const char *word; /* as it was typed */
    const char *best; /* of the names considered so far the nearest; NULL: none is near */
    int distance;     /* of that one */
};

/* `name` outlives the suggestion. Words and names of 32 bytes and more are never near. */
void suggest_consider(struct suggestion *suggestion, const char *name);

#endif
