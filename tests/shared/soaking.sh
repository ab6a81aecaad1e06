# shellcheck shell=bash
# Shared by long runs: sanitizers and an allocator whose memory can be compared over time. Sourced
# with FATHOM_SOURCE as the project's root.
. "$FATHOM_SOURCE/tests/shared/events.sh"
export SDL_VIDEODRIVER=offscreen
# The sanitizer delays the reuse of freed memory; here only for little memory. It keeps only the
# callers of an allocation, which show whose memory it is. (To get useful stacks in a report, run
# without this.)
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=8:thread_local_quarantine_size_kb=64:malloc_context_size=2
# The allocator returns freed memory to the system at once.
export MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=131072
export LSAN_OPTIONS=${LSAN_OPTIONS-suppressions=$FATHOM_SOURCE/tests/shared/lsan.supp:print_suppressions=0}
export UBSAN_OPTIONS=print_stacktrace=1
export SOAK_ALLOCATED=allocated.txt # bytes allocated by fathom itself, if the build measures them

# Prints memory in kB: allocated by fathom and not freed, or else the size of the process.
memory_kb() { # PROCESS
    if [ -s "$SOAK_ALLOCATED" ]; then
        awk '{ printf "%d", $1 / 1024 }' "$SOAK_ALLOCATED"
    else
        awk '/^VmRSS/ { print $2 }' "/proc/$1/status" 2>/dev/null
    fi
}
