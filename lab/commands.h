/* What fathom-lab does; each returns the exit status: 0 done, 1 failed, 2 wrong use. */
#ifndef FATHOM_LAB_COMMANDS_H
#define FATHOM_LAB_COMMANDS_H

#include "lab/request.h"

int lab_command(const struct lab_request *request);
int bench_command(const struct lab_request *request);
int classic_command(const struct lab_request *request);

#endif
