/* Preloaded into the real program by steady.sh: tells what its first thread asks of the system while a
 * key is held. Into the file MOTION_TOLD goes a line with the name of each file that is opened then,
 * and at the key's release one with how many ms^-1 of memory came from the system. Built without the
 * sanitizers. */
