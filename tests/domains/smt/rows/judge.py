"""The judge of promises of rows for SMT problems: answers of independent solvers before and after.

A draw is BROKEN only if both solvers agree on what shows it. For an EQUIVALENT row, that is a model in which one of the
two problems holds and the other does not; for the other promises, a decided answer that is not the promised one.
"""

import enum
import faulthandler
import hashlib
import os
import signal
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache

import cvc5
import z3
from chcfuzz.domains.smt.roots import SmtRoots
from chcfuzz.domains.smt.solvers.lacking import in_own_words
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import LimitError
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.terms import apply, conjunction
from chcfuzz.learning import active
from chcfuzz.mutators import roots
from chcfuzz.mutators.mutation import Mutation, Promise

from tests.domains.smt.rows.problems import PROBLEMS

_RLIMIT = 300_000
_SECONDS = 20  # for the few queries that the limit does not end
_RLIMIT_CVC5 = 20_000


class Judgment(enum.Enum):
    """The judgment of a promise on one draw."""

    KEPT = "kept"
    BROKEN = "broken"
    OPEN = "open"


@dataclass(frozen=True)
class Draw:
    """A row that changed a problem."""

    row: Mutation
    name: str
    before: Problem
    after: Problem

    def __str__(self) -> str:
        return f"{self.row.id} on {self.name}:\n{print_problem(self.before)}\n{print_problem(self.after)}"


@contextmanager
def smt_roots() -> Iterator[None]:
    """Let rows read SMT problems."""
    before = roots.active()
    roots.activate(SmtRoots())
    yield
    roots.activate(before)


def draws(rows: Iterable[Mutation], problems: Mapping[str, Problem], numbers: Iterable[int]) -> Iterator[Draw]:
    """Yield every row on every problem that it changes; a draw depends only on its row, its problem and its number."""
    for row in rows:
        for name, problem in problems.items():
            for number in numbers:
                found = draw(row, name, problem, number)
                if found is not None:
                    yield found


def draw(row: Mutation, name: str, problem: Problem, number: int) -> Draw | None:
    """One draw of a row; None where it changes nothing. The second problem of a row that takes one is drawn too."""
    key = hashlib.sha256(f"{row.id} {name} {number}".encode()).digest() if number else b""
    others = sorted(PROBLEMS)
    second = others[(key or b"\0")[0] % len(others)]
    status = "unsat" if second.endswith("unsat") else "sat"
    text = print_problem(PROBLEMS[second].with_header([("status", status)], ())) if row.takes_system else ""
    data = text.encode()
    if row.data_for is not None:
        active.activate(active.BUILT_IN)
        data = row.data_for(problem, Choices(b"", b"data" + key)) or b""
        active.activate(active.NONE)
    with suppress(LimitError), smt_roots():
        after = row.rewrite(problem, Choices(data, key))
        return None if after is None else Draw(row, name, problem, after)
    return None


@lru_cache(maxsize=4096)
def answer_of_z3(text: str) -> str:
    """Return the answer of Z3, from a fork of this process for floats and sets, since Z3 dies of a few of those."""
    text = in_own_words(text, "z3")
    if "FloatingPoint" not in text and "FiniteSet" not in text:
        return _answer_of_z3(text)
    reading, writing = os.pipe()
    with warnings.catch_warnings(category=DeprecationWarning, action="ignore"):  # of a fork beside idle threads
        child = os.fork()
    if child == 0:
        try:
            faulthandler.disable()
            signal.alarm(_SECONDS)
            os.write(writing, _answer_of_z3(text).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading) as stream:
        found = stream.read()
    os.waitpid(child, 0)
    return found or "unknown"


def _answer_of_z3(text: str) -> str:
    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", _RLIMIT)
    solver.from_string(text)
    return str(solver.check())


@lru_cache(maxsize=4096)
def answer_of_cvc5(text: str) -> str:
    solver = cvc5.Solver(cvc5.TermManager())
    for option, value in (("arrays-exp", "true"), ("rlimit-per", str(_RLIMIT_CVC5)), ("tlimit-per", "5000")):
        solver.setOption(option, value)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "problem")
    result = ""
    while not (command := parser.nextCommand()).isNull():
        result = str(command.invoke(solver, parser.getSymbolManager())) or result
    return result.partition(" ")[0].strip()


@lru_cache(maxsize=4096)
def answer(problem: Problem) -> str | None:
    """Return the answer that both solvers give, or the only one that one of them gives; None otherwise."""
    text = print_problem(replace(problem, info=(), options=()))
    found = {answer_of_z3(text), answer_of_cvc5(text)} - {"unknown"}
    return found.pop() if len(found) == 1 else None


def judge(found: Draw) -> Judgment:
    if found.row.promise is Promise.EQUIVALENT:
        return _equivalence(found)
    expected = found.row.promise.expected(answer(found.before))
    after = answer(found.after) if expected else None
    if expected is None or after is None:
        return Judgment.OPEN
    return Judgment.KEPT if after == expected else Judgment.BROKEN


def _equivalence(found: Draw) -> Judgment:
    """Query whether the two problems, over the functions of the second one, differ somewhere."""
    both = (conjunction(*problem.formulas) for problem in (found.before, found.after))
    differ = found.after.with_assertions([Assertion(apply("distinct", *both))])
    text = print_problem(replace(differ, info=(), options=()))
    first = answer_of_z3(text)
    if first == "unsat":
        return Judgment.KEPT
    second = answer_of_cvc5(text)
    if second == "unsat":
        return Judgment.OPEN if first == "sat" else Judgment.KEPT
    if first == second == "sat":
        return Judgment.BROKEN
    return _by_answers(found)


def _by_answers(found: Draw) -> Judgment:
    before, after = answer(found.before), answer(found.after)
    if before is None or after is None:
        return Judgment.OPEN
    return Judgment.KEPT if before == after else Judgment.BROKEN
