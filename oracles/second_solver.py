"""cvc5 on plain SMT-LIB, in a process of its own: what becomes of that says nothing about the solver under test.

`python -m chcfuzz.oracles.second_solver` is that process. It reads a script from its standard input and prints cvc5's
answers, one a line.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys

from chcfuzz.solvers import python
from chcfuzz.solvers.process import die_with_parent

RLIMIT = 500_000  # a query, in cvc5's own measure
_SECONDS = 60.0  # behind the limit
_MEMORY = 2048 << 20  # bytes, which cvc5's measure does not bound
_ANSWER = re.compile(r"(sat|unsat|unknown)(?: \(\w+\))?")  # cvc5 says why it does not know


def answers(script: str) -> tuple[str, ...]:
    """What cvc5 answers to each `check-sat` of a script: "sat", "unsat" or "unknown".

    Fewer than the script has where cvc5 refuses it, dies, or does not end.
    """
    return answers_in(output(script))


def answers_in(said: str) -> tuple[str, ...]:
    """The answers among all that cvc5 prints."""
    return tuple(found[1] for line in said.splitlines() if (found := _ANSWER.fullmatch(line)))


def output(script: str) -> str:
    """All that cvc5 prints to a script, its models included; empty where it does not end."""
    command = python.command("-m", "chcfuzz.oracles.second_solver")
    asked, environment = script.encode(), python.environment()
    try:
        done = subprocess.run(command, input=asked, env=environment, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout.decode("utf-8", "replace")


def main() -> None:
    """The process: it ends with the one that asks, and where cvc5 takes more memory than Z3 may."""
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


def _bound_memory() -> None:
    """Let this process take so much more than it has: a sanitizer's runtime reserves terabytes that it does not use."""
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[0])
    most = pages * resource.getpagesize() + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    main()
