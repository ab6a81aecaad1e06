/* Meter of system calls, preloaded into the real program while a key is held. The file MOTION_TOLD
 * lists the files that the first thread opens, and at the key's release the memory that came from
 * the system, in ms^-1. Built without the sanitizers. */
