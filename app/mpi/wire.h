/* Wire: numbers and files between the ranks of fathom-mpi. Waiting sleeps: the processors belong to
 * the drawing. Errors of MPI end all ranks. Main thread. */
#ifndef FATHOM_APP_MPI_WIRE_H
#define FATHOM_APP_MPI_WIRE_H

#include <stdbool.h>

/* Returns the sum of a number of each rank, at all ranks. Waits for all ranks. */
int wire_sum(int number);
/* Sends a file to rank 0, where it is to be called `as`, shorter than PATH_MAX. Returns false if
 * the file cannot be read, which is logged. */
bool wire_send_file(const char *path, const char *as);
/* Ends the files of this rank. */
void wire_send_end(void);
/* Waits for a file of a rank, and stores it by rename. *ok becomes false if the file cannot be
 * stored, which is logged. Returns false at the end of the rank's files. */
bool wire_receive_file(int rank, bool *ok);

#endif
