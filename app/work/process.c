/* Processes: posix_spawnp with the usual signals. */
#define _GNU_SOURCE
#include "app/work/process.h"
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

int process_start(pid_t *process, char *const *words, const int streams[static 3]) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    int error = posix_spawn_file_actions_init(&actions);
    if (error == 0 && (error = posix_spawnattr_init(&attributes)) != 0)
        posix_spawn_file_actions_destroy(&actions);
    *process = 0;
    if (error != 0)
        return error;
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETPGROUP);
    for (int to = 0; error == 0 && to < 3; to++)
        error = posix_spawn_file_actions_adddup2(&actions, streams[to], to);
    if (error == 0)
        error = posix_spawnp(process, words[0], &actions, &attributes, words, environ);
    if (error != 0)
        *process = 0; /* a failed call leaves it undefined */
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}
