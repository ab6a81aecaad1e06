# shellcheck shell=bash
# What long runs share: sanitizers and an allocator whose memory can be compared from one moment to another. Sourced
# where FATHOM_SOURCE is the project's root.
. "$FATHOM_SOURCE/tests/shared/events.sh"
export SDL_VIDEODRIVER=offscreen
# What was freed is kept for a while by the sanitizer: little of it. Of stacks it keeps the callers, which tell
# whose memory it is (a report's addresses are worth a run without this).
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=8:thread_local_quarantine_size_kb=64:malloc_context_size=2
# Otherwise what was freed goes back to the system at once.
export MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=131072
export LSAN_OPTIONS=${LSAN_OPTIONS-suppressions=$FATHOM_SOURCE/tests/shared/lsan.supp:print_suppressions=0}
export UBSAN_OPTIONS=print_stacktrace=1
export SOAK_ALLOCATED=allocated.txt # what fathom itself has allocated, where it can tell

# Memory in kB: what fathom has allocated and not freed, else the size of the process.
memory_kb() { # PROCESS
    if [ -s "$SOAK_ALLOCATED" ]; then
        awk '{ printf "%d", $1 / 1024 }' "$SOAK_ALLOCATED"
    else
        awk '/^VmRSS/ { print $2 }' "/proc/$1/status" 2>/dev/null
    fi
}
