/* Devices: draws one piece of work with several devices of this machine. Each gets a process of its
 * own, this command with --join, so that a device that fails costs its piece and not the work. */
#ifndef FATHOM_APP_WORK_DEVICES_H
#define FATHOM_APP_WORK_DEVICES_H

#include "app/options/options.h"

/* Runs the command of this process once for each device of --devices, and shows their messages and
 * their progress. If `shares` is false, a single device gets the command without --join, which
 * saves joining. Returns the exit status: 0 if a process has found everything complete. */
int devices_run(const struct options *options, bool shares);

#endif
