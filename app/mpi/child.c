/* Child: starts fathom, and reads its messages from a file without a name. */
#define _GNU_SOURCE
#include "app/mpi/child.h"
#include "render/base/log.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Stores the path of fathom, in the folder of this program. Returns false without one; logged. */
static bool find_program(char path[static PATH_MAX]) {
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash && slash + sizeof "/fathom" <= path + PATH_MAX) {
        strcpy(slash + 1, "fathom");
        if (access(path, X_OK) == 0)
            return true;
    }
    log_error("there is no fathom next to fathom-mpi: '%s'", path);
    return false;
}

/* Becomes fathom. */
__attribute__((noreturn)) static void become(const struct child *child, const char *program,
                                             pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (child->quiet) {
        const int nothing = open("/dev/null", O_WRONLY);
        dup2(nothing, STDOUT_FILENO);
        dup2(fileno(child->errors), STDERR_FILENO);
    }
    if (getppid() == parent)
        execv(program, child->words);
    _exit(127);
}

bool child_start(struct child *child) {
    char program[PATH_MAX];
    const pid_t parent = getpid();
    if (!find_program(program))
        return false;
    child->words[0] = program;
    child->errors = child->quiet ? tmpfile() : NULL;
    fflush(NULL);
    child->process = !child->quiet || child->errors ? fork() : -1;
    if (child->process == 0)
        become(child, program, parent);
    if (child->process > 0)
        return true;
    log_error("cannot start '%s': %s", program, strerror(errno));
    child->process = 0;
    return false;
}

bool child_has_ended(struct child *child, int *status) {
    const pid_t ended = waitpid(child->process, status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR))
        return false;
    child->process = 0;
    *status = ended > 0 && WIFEXITED(*status) ? WEXITSTATUS(*status) : 1;
    return true;
}

void child_said(struct child *child, char said[static CHILD_SAID]) {
    size_t size = 0;
    if (child->errors) {
        rewind(child->errors);
        size = fread(said, 1, CHILD_SAID - 1, child->errors);
        fclose(child->errors);
        child->errors = NULL;
    }
    said[size] = '\0';
}
