/* Running gnuplot, which may be missing, fail or never end. */
#include "lab/report/plots.h"
#include "render/base/embedded.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS_MAX 60
#define FILE_MAX    ((rlim_t)1 << 26) /* bytes of whatever it writes */
#define NOT_THERE   127               /* as shells say it */

void plots_script(const void *unused, FILE *file) {
    (void)unused;
    fwrite(embedded_plots[0].data, 1, embedded_plots[0].size, file);
}

/* In the child: nothing here may allocate, as other threads may have been doing so. */
static void become_gnuplot(const char *folder, const char *names, int drawn, int said) {
    const struct rlimit size = {FILE_MAX, FILE_MAX};
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    setrlimit(RLIMIT_FSIZE, &size);
    alarm(SECONDS_MAX);
    if (chdir(folder) == 0 && dup2(drawn, STDOUT_FILENO) >= 0 && dup2(said, STDERR_FILENO) >= 0)
        execlp("gnuplot", "gnuplot", "-d", "-e", names, "plots.gp", (char *)NULL);
    _exit(errno == ENOENT ? NOT_THERE : NOT_THERE - 1);
}

static int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        kill(child, SIGTERM);
    return status;
}

/* The last thing it said. */
static void reason(FILE *said, int status, char why[200]) {
    char line[200];
    snprintf(why, 200, WIFSIGNALED(status) ? "it was stopped" : "it said nothing");
    rewind(said);
    while (fgets(line, sizeof line, said)) {
        const char *text = line + strspn(line, " \t^\n");
        if (*text)
            snprintf(why, 200, "%.*s", (int)strcspn(text, "\n"), text);
    }
}

enum plots_result plots_draw(const char *folder, const char *tables, FILE *drawn, char why[200]) {
    char names[4000];
    const int length = snprintf(names, sizeof names, "tables = '%s'", tables);
    FILE *said = tmpfile();
    snprintf(why, 200, "it could not be started");
    fflush(NULL); /* or the child's buffers are ours */
    const pid_t child = said && length < (int)sizeof names ? fork() : -1;
    if (child == 0)
        become_gnuplot(folder, names, fileno(drawn), fileno(said));
    const int status = child > 0 ? wait_for(child) : 1 << 8;
    if (child > 0 && status != 0)
        reason(said, status, why);
    if (said)
        fclose(said);
    if (status == 0)
        return PLOTS_DRAWN;
    return WIFEXITED(status) && WEXITSTATUS(status) == NOT_THERE ? PLOTS_NO_GNUPLOT : PLOTS_FAILED;
}
