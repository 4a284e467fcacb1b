"""Compare our values of drawn ground terms of strings, sequences or sets with those of Z3 and cvc5.

python -m bench.oracles.ground_strings --terms 200000
python -m bench.oracles.ground_strings --terms 50000 --theory sequences
python -m bench.oracles.ground_strings --terms 50000 --theory sets

Each solver runs in a process of its own, because Z3 does not end on some terms, whatever its limits are: a process
that does not answer in time is killed, and the next term gets a new one. A difference is printed with the solver and
the claim, and the exit code is 1. Terms whose value is open are counted, and not compared.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections import Counter
from collections.abc import Callable
from multiprocessing.connection import Connection

import cvc5
import z3
from chcfuzz.domains.smt.solvers.lacking import in_own_words
from chcfuzz.grammar.printing.printer import print_term

from tests.grammar.theories.string_terms import VALUES, drawn_claims

_SECONDS = 5  # for one claim; most take a millisecond
_RLIMIT, _RLIMIT_CVC5 = 100_000, 20_000  # for a claim, in units of each solver
_MOST_CLAIMS = 1000  # of one context
_MEMORY_MEGABYTES = 2048
_SHOWN = 100  # differences
Answer = Callable[[str], str]


def of_z3() -> Answer:
    """Return the function that answers formulas in a new context of Z3."""
    z3.set_param("memory_max_size", _MEMORY_MEGABYTES)
    solver = z3.SimpleSolver(ctx=z3.Context())
    solver.set("rlimit", _RLIMIT)

    def answer(formula: str) -> str:
        try:
            solver.push()
            solver.from_string(in_own_words(f"(assert {formula})", "z3"))
            return str(solver.check())
        finally:
            solver.pop()

    return answer


def of_cvc5() -> Answer:
    """Return the function that answers formulas with a new solver of cvc5."""
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("rlimit-per", str(_RLIMIT_CVC5))
    solver.setOption("incremental", "true")
    solver.setLogic("ALL")
    parser = cvc5.InputParser(solver)

    def answer(formula: str) -> str:
        text = f"(push 1)(assert {formula})(check-sat)(pop 1)"
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "claim")
        found = ""
        while not (command := parser.nextCommand()).isNull():
            found = str(command.invoke(solver, parser.getSymbolManager())).strip() or found
        return found.partition(" ")[0]

    return answer


SOLVERS = {"Z3": of_z3, "cvc5": of_cvc5}


def _serve(make: Callable[[], Answer], pipe: Connection) -> None:
    number = 0
    while True:
        if number % _MOST_CLAIMS == 0:
            answer = make()
        number += 1
        try:
            found = answer(pipe.recv())
        except (z3.Z3Exception, RuntimeError) as error:
            found, number = f"error: {error}"[:80], 0
        pipe.send(found)


class Judge:
    """A process of a solver."""

    def __init__(self, make: Callable[[], Answer]) -> None:
        self._make = make
        self._start()

    def _start(self) -> None:
        self._pipe, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.Process(target=_serve, args=(self._make, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def answer(self, formula: str) -> str:
        """Return the answer to a formula."""
        self._pipe.send(formula)
        found = "does not end"
        if self._pipe.poll(_SECONDS):
            try:
                return str(self._pipe.recv())
            except EOFError:
                found = "dies"
        self._process.kill()
        self._process.join()
        self._start()
        return found


def main() -> None:
    """Print how many terms each solver confirms."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--terms", type=int, default=10_000, metavar="N")
    flags.add_argument("--first", type=int, default=0, metavar="N", help="number of the first term")
    flags.add_argument("--theory", choices=VALUES, default="strings")
    given = flags.parse_args()
    judges = {name: Judge(make) for name, make in SOLVERS.items()}
    tally: Counter[str] = Counter()
    differences: list[str] = []
    for claim in drawn_claims(given.theory, range(given.first, given.first + given.terms)):
        tally["with a value" if claim else "constant or open"] += 1
        text = "" if claim is None else f"(not {print_term(claim)})"
        for name, judge in judges.items() if text else ():
            found = judge.answer(text)
            tally[f"{name} {found}"] += 1
            if found not in ("unsat", "unknown"):
                differences.append(f"{name} {found}: {text}")
    for row, number in sorted(tally.items()):
        print(f"{row:<40} {number}")
    print("\n".join(differences[:_SHOWN]))
    raise SystemExit(any(" sat: " in each for each in differences))


if __name__ == "__main__":
    main()
