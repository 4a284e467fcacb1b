"""Exit codes of a fuzz target and of Z3.

libFuzzer's: 70 timeout, 71 out of memory, 72 SIGINT or SIGTERM, 77 crash. chcfuzz's: 2 for wrong usage and for unusable
disks and folders, 3 for a campaign with internal errors, 73 for a worker in which Z3 has leaked too much memory, 74 if
it did so because an execution reached the memory limit.
"""

EXIT_USAGE, EXIT_OURS = 2, 3
EXIT_STUCK, EXIT_OOM, EXIT_INTERRUPTED, EXIT_LARGE, EXIT_FULL, EXIT_CRASH = 70, 71, 72, 73, 74, 77
Z3_EXITS = range(101, 115)  # exit codes of Z3 itself, if a debug build does not throw (util/error_codes.h)
