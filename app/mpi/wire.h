/* Wire: messages and files between the ranks of fathom-mpi. Waiting sleeps: the processors belong
 * to the drawing. Errors of MPI end all ranks. */
#ifndef FATHOM_APP_MPI_WIRE_H
#define FATHOM_APP_MPI_WIRE_H

#include <mpi.h>
#include <stdbool.h>

enum wire_tag { WIRE_REPORT = 1, WIRE_PIECE, WIRE_FILE, WIRE_BYTES };

/* Sleeps for a moment between two looks. */
void wire_pause(void);
/* Waits for a request. */
void wire_await(MPI_Request *request);
void wire_send(const void *data, int bytes, int rank, enum wire_tag tag);
void wire_receive(void *data, int bytes, int rank, enum wire_tag tag);
/* Broadcasts from rank 0. */
void wire_share(void *data, int bytes);
/* Returns the sum of a number of each rank, at all ranks. Waits for all ranks. */
int wire_sum(int number);
/* Sends a file to rank 0. Returns false if it cannot be read, which is logged; then rank 0 stores
 * nothing. */
bool wire_send_file(const char *path);
/* Receives a file of a rank, whose WIRE_FILE has arrived, and stores it by rename at the same path
 * of this machine. Returns false if the file cannot be stored; the reason is logged. */
bool wire_receive_file(int rank);

#endif
