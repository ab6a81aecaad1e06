/* Runs a command while almost all memory of the GPU is occupied.
 * usage: gpu_hog MEGABYTES COMMAND...   (MEGABYTES: left for the command; 77: no GPU) */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Occupies memory in pieces of decreasing size, because free memory is fragmented. */
static size_t take_all_but(size_t left) {
    size_t piece = (size_t)8 << 30, taken = 0, available, total;
    while (piece >= (size_t)1 << 20 && cudaMemGetInfo(&available, &total) == cudaSuccess) {
        void *memory;
        if (available >= left + piece && cudaMalloc(&memory, piece) == cudaSuccess)
            taken += piece;
        else
            piece /= 2;
    }
    return taken;
}

int main(int argc, char **argv) {
    int devices = 0;
    if (argc < 3)
        return 2;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
        return 77;
    const size_t taken = take_all_but(strtoul(argv[1], NULL, 10) << 20);
    fprintf(stderr, "%zu MB taken\n", taken >> 20);
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : 1;
}
