/* Work list: shares out pieces of work among threads, processes and machines with a common folder.
 * A piece is a file that appears by rename when it is complete. Before that, its maker holds its
 * claim: a file PIECE.claim, created exclusively, in which a thread of the maker counts up. An
 * observer who sees the same count for a minute by his own clock takes the piece over, by a claim
 * of the next generation, PIECE.claim2, which again a single process can create. No clocks are
 * compared, and no locks are needed.
 *
 * Claims only save work. If two processes make a piece, for example because one of them was
 * suspended, both rename the same bytes. So test whether a piece is complete before and after
 * claiming it: its claim vanishes after it is complete. (Creating a file also renews a network file
 * system's cache of the folder.) All functions may be called by any thread. */
#ifndef FATHOM_APP_WORK_WORK_LIST_H
#define FATHOM_APP_WORK_WORK_LIST_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORK_HELD_MOST   8   /* pieces that a list holds at a time */
#define WORK_TEXT        128 /* [bytes] a claim's text */
#define WORK_MACHINE_MAX 80  /* [bytes] a machine's text */

/* A claim of this list. */
struct work_held {
    char *piece; /* NULL: a free place */
    unsigned generation;
    int file;
};

/* Text that was last seen in a claim of another list. */
struct work_seen {
    char *path;
    char text[WORK_TEXT];
    double since_ms; /* clock_ms */
};

struct work_list {
    /* Set by work_list_init; a test may shorten the times before the first claim. */
    double beat_ms;   /* [ms] interval of counting up */
    double silent_ms; /* [ms] time without counting after which a piece is taken over */

    char machine[WORK_MACHINE_MAX]; /* its processes see each other; "": unknown */
    uint64_t beats;
    struct work_held held[WORK_HELD_MOST];
    struct work_seen *seen;
    size_t seen_count;
    pthread_t thread; /* counts up, once there was a claim */
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool started, stop;
};

void work_list_init(struct work_list *list);
/* Releases all pieces. */
void work_list_finish(struct work_list *list);

enum work_state {
    WORK_OURS,   /* claimed */
    WORK_TAKEN,  /* somebody else makes it; ask again later */
    WORK_FAILED, /* no claim can be made there; logged */
};
/* Claims a piece by the path of its file. A claim of a process that has died on this machine is
 * taken over at once. */
enum work_state work_list_claim(struct work_list *list, const char *piece);
/* Ends the claim of a piece, complete or not. A piece that is not held is allowed. */
void work_list_release(struct work_list *list, const char *piece);
/* Removes all claims in a folder in which no process makes pieces any more. */
void work_list_remove_claims(const char *folder);
/* Returns true if a piece of another process has been awaited for so much longer than own ones
 * take, in the mean, that its device must be slow or stopped. own_ms: INFINITY if there was
 * none. */
bool work_list_is_late(double waited_ms, double own_ms);
/* Waits before the next look at a piece of another process. `ms` is 0, or the last call's result. */
double work_list_pause(double ms);

/* A fixed share of numbered pieces, for participants that have nothing in common. */
struct work_part {
    unsigned number, of; /* number < of; of is 0 if everything is wanted */
};
/* Reads "K/N" with 0 <= K < N; NULL: everything. Returns false if it is wrong, which is logged. */
bool work_part_parse(const char *text, struct work_part *part);
/* Returns true if a piece belongs to the part: every N-th. */
bool work_part_has(const struct work_part *part, uint64_t piece);
/* Stores the part's own range begin .. end - 1 of `count` things, which all parts cover. */
void work_part_range(const struct work_part *part, uint64_t count, uint64_t *begin, uint64_t *end);

#endif
