"""cvc5 on plain SMT-LIB, in a child process, so that its failures cannot affect the solver under test.

`python -m chcfuzz.oracles.second_solver` is that process. It reads a script from standard input and prints cvc5's
answers, one per line; with `--instantiations`, then the terms by which it instantiated each quantified formula.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys

from chcfuzz.solvers import python
from chcfuzz.solvers.process import die_with_parent

INSTANTIATIONS = "--instantiations"
RLIMIT = 500_000  # for a query, in cvc5's own units
_SECONDS = 60.0  # wall-clock limit, in case the resource limit fails
_MEMORY = 2048 << 20  # bytes, which the resource limit does not bound
_ANSWER = re.compile(r"(sat|unsat|unknown)(?: \(\w+\))?")  # cvc5 prints the reason of unknown


def answers(script: str) -> tuple[str, ...]:
    """Return cvc5's answer to each `check-sat` of a script: "sat", "unsat" or "unknown".

    There are fewer answers if cvc5 rejects the script, crashes, or does not finish.
    """
    return answers_in(output(script))


def answers_in(printed: str) -> tuple[str, ...]:
    """Return the answers in cvc5's output."""
    return tuple(found[1] for line in printed.splitlines() if (found := _ANSWER.fullmatch(line)))


def output(script: str, *flags: str) -> str:
    """Return cvc5's output for a script, including models; empty if it does not finish."""
    command = python.command("-m", "chcfuzz.oracles.second_solver", *flags)
    environment = python.environment()
    try:
        done = subprocess.run(
            command, input=script.encode(), env=environment, capture_output=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout.decode("utf-8", "replace")


def main() -> None:
    """Run cvc5; the process exits with its parent, or if cvc5 takes more memory than Z3 may."""
    die_with_parent()
    import cvc5

    _bound_memory()
    solver = cvc5.Solver(cvc5.TermManager())
    for option, value in (("rlimit-per", str(RLIMIT)), ("incremental", "true"), ("arrays-exp", "true")):
        solver.setOption(option, value)
    parser = cvc5.InputParser(solver)
    text = sys.stdin.buffer.read().decode()
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "script")
    while not (command := parser.nextCommand()).isNull():
        print(command.invoke(solver, parser.getSymbolManager()).strip(), flush=True)
    if INSTANTIATIONS in sys.argv[1:]:
        found = solver.getInstantiations()
        print(found.decode() if isinstance(found, bytes) else found, flush=True)


def _bound_memory() -> None:
    """Limit the memory that this process may take in addition to what it has: sanitizers reserve terabytes."""
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[0])
    most = pages * resource.getpagesize() + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    main()
