/* Pieces of a command for fathom-mpi: their command lines, their files, and the end of the work. A
 * piece is a part of density (--part) or of a movie's rings, or one picture; where all ranks see
 * one folder, a movie or pictures are a piece for each rank that joins (--join). Ranks without that
 * folder keep their files at the same paths of their own machine. */
#ifndef FATHOM_APP_MPI_PIECES_H
#define FATHOM_APP_MPI_PIECES_H

#include "app/command/render_jobs.h"
#include "app/movie/work_folder.h"

struct pieces {
    const struct options *options;
    char **words; /* of the command line, with the program's name, NULL-terminated */
    size_t word_count;
    bool sees, join; /* this rank, or every rank, sees the folder of rank 0 */
    int count;

    char *folder; /* of the files */
    struct work_folder work;
    struct render_jobs jobs; /* pictures */
    char **sent;             /* paths of files that rank 0 has received */
    size_t sent_count;
};

/* Checks the options. Returns false for those that do not go with several ranks; logged. */
bool pieces_possible(const struct options *options);
/* Makes the folders. `options` and `words` must live on. Returns false on failure, which is
 * logged. */
bool pieces_init(struct pieces *pieces, const struct options *options, char **words, int ranks);
/* Removes the files that were sent, with `remove`. */
void pieces_finish(struct pieces *pieces, bool remove);
/* Returns true if rank 0 has a piece of an earlier run. */
bool pieces_has(struct pieces *pieces, int piece);
/* Returns the command line of a piece, for a child. pieces_free frees it. */
char **pieces_words(const struct pieces *pieces, int piece);
void pieces_free(char **words);
/* Sends the files of a complete piece, or the complete rings of a piece on its way. Returns false
 * on failure; the reason is logged. */
bool pieces_send(struct pieces *pieces, int piece, bool complete);
/* Keeps the files of a complete piece. Rank 0. Returns false on failure, which is logged. */
bool pieces_keep(const struct pieces *pieces, int piece);
/* Makes the result of all pieces. Rank 0. Returns the exit status. */
int pieces_join(struct pieces *pieces);

#endif
