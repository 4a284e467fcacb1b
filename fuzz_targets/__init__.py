"""The fuzz targets: programs that libFuzzer runs through Atheris.

Only this room imports Atheris, which instruments what is imported after it; everything below runs without it, in tests
and commands. The room promises that libFuzzer really uses our mutator and counters: `engine` registers them in the only
order that works, `preloaded` starts the program again without a libFuzzer that would ignore both, and
`libfuzzer_flags` refuses flags that libFuzzer would ignore with a warning.

`program` is the main function of each target: the process that a user starts becomes the supervisor, and a process that
it starts, or that libFuzzer starts for `-fork`, `-jobs` and `-merge`, becomes a worker. The other modules name a domain
and call it, for users who prefer a program to `chcfuzz fuzz --domain`.

Forbidden here: code about a domain, and an exception that reaches libFuzzer, except for a finding that the user wants
as a crash.

To add a target, copy `smt.py`; a domain needs none, since `campaign.py --domain NAME` runs it.
"""
