"""Measure which drawn problems of each theory the SMT solvers accept and decide, and whether they contradict.

python -m bench.domains.smt_drawn --into drawn --theory FP --theory Strings --theory Seq --number 4000
python -m bench.domains.smt_drawn --into drawn --again     # solve what the wall clock ended again, on a quiet machine
python -m bench.domains.smt_drawn --into drawn --report

A problem is drawn from choices with the seeds 0, 1, ...; a theory counts the problems in which its sorts occur. Each
solver has a process of its own, and its time is the processor time of that process, so other work on the machine does
not count. Limits are units of the solvers, and `--wall-seconds` (10 here) ends the few problems on which a solver does
not count them. Results are JSON lines: a run that was interrupted continues.
"""

from __future__ import annotations

import random
import re
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import msgspec
import psutil
from chcfuzz.domains.smt.oracles import model
from chcfuzz.domains.smt.solvers.solver_engines import smt_solvers
from chcfuzz.domains.smt.solvers.together import SmtSolvers
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw_problem import draw_problem
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog

from bench.campaigns import ResultFile, alone, print_table, run_as_program

THEORIES = ("FP", "Strings", "Seq")
_LEFT_OUT = (Status.UNSUPPORTED, Status.ERROR)
_WALL_SECONDS = 10.0
_BYTES = 2_000  # of choices for a problem
_BLOCK = 100  # problems of a theory before the next theory has its turn
_SHOWN_REASONS = 8


class Answer(msgspec.Struct, frozen=True):
    """The end of one solver on a problem; `model` is our verdict on its model, empty without one."""

    status: str
    seconds: float
    reason: str = ""
    model: str = ""


class Drawn(msgspec.Struct, frozen=True):
    """A drawn problem with its answers by solver; `theory` is the one for which it was drawn."""

    theory: str
    seed: int
    theories: str
    answers: dict[str, Answer]

    @property
    def contradicts(self) -> bool:
        """Whether one solver answers sat and another one unsat."""
        return {"sat", "unsat"} <= {each.status for each in self.answers.values()}

    @property
    def wrong_models(self) -> list[str]:
        """The solvers whose model makes an assertion false."""
        return [name for name, each in self.answers.items() if each.model == VerdictKind.WRONG_MODEL.name]


def drawn(theory: str, first: int) -> Iterator[tuple[int, Problem]]:
    """Yield the problems of a theory with their seeds, from a seed on."""
    for seed in count(first):
        problem = draw_problem(Choices(random.Random(seed).randbytes(_BYTES)))
        if theory in problem.theories:
            yield seed, problem


def processor_seconds() -> float:
    """Return the processor time of this process and its live children."""
    own = psutil.Process()
    times = [process.cpu_times() for process in (own, *own.children(recursive=True))]
    return sum(time.user + time.system for time in times)


def solved(theory: str, seed: int, problem: Problem, solvers: SmtSolvers, rlimit: int) -> Drawn:
    """Return a problem with the answers of all solvers, one after the other."""
    text = print_problem(problem)
    answers = {}
    for name in solvers.names:
        before = processor_seconds()
        outcome = solvers.alone(name, text, (), rlimit)
        used = max(0.0, processor_seconds() - before)  # the time of a child that died is not known
        answers[name] = Answer(outcome.status.value, round(used, 3), _reason(outcome), _model(problem, outcome))
    return Drawn(theory, seed, "+".join(sorted(problem.theories)), answers)


def _reason(outcome: Outcome) -> str:
    return outcome.reason[:300] if outcome.status in (*_LEFT_OUT, Status.CRASH) else ""


def _model(problem: Problem, outcome: Outcome) -> str:
    return model.check(problem, outcome).kind.name if outcome.status is Status.SAT and outcome.model else ""


def latest(found: Sequence[Drawn]) -> list[Drawn]:
    """Return the last result of each problem, in the order of the first ones."""
    return list({(each.theory, each.seed): each for each in found}.values())


def solve_again(results: ResultFile[Drawn], solving: Solving) -> None:
    """Solve the problems again on which the wall clock ended a solver."""
    solvers = smt_solvers(solving, Watchdog(solving.wall_seconds))
    for each in latest(results.read()):
        if Status.HANG.value in {answer.status for answer in each.answers.values()}:
            _, problem = next(drawn(each.theory, each.seed))
            results.add(solved(each.theory, each.seed, problem, solvers, solving.rlimit))


def measure(theories: Sequence[str], number: int, results: ResultFile[Drawn], solving: Solving) -> None:
    """Solve problems until each theory has this number of them, a block of each theory in turn."""
    known = latest(results.read())
    have = Counter(each.theory for each in known)
    seeds = [(each.theory, each.seed) for each in known]
    next_seed = {theory: max((seed for of, seed in seeds if of == theory), default=-1) + 1 for theory in theories}
    solvers = smt_solvers(solving, Watchdog(solving.wall_seconds))
    streams = {theory: drawn(theory, next_seed[theory]) for theory in theories}
    while missing := [theory for theory in theories if have[theory] < number]:
        for theory in missing:
            for _ in range(min(_BLOCK, number - have[theory])):
                seed, problem = next(streams[theory])
                results.add(solved(theory, seed, problem, solvers, solving.rlimit))
                have[theory] += 1
            print(f"{theory}: {have[theory]} of {number}", file=sys.stderr, flush=True)


def report(found: Sequence[Drawn], seconds: float) -> None:
    """Print the shares of each theory, the reasons of refusals, contradictions and wrong models."""
    names = list(dict.fromkeys(name for each in found for name in each.answers))
    rows: list[list[object]] = [["theory", "problems", *(f"{name} accepts, decides" for name in names)]]
    for theory in dict.fromkeys(each.theory for each in found):
        own = [each for each in found if each.theory == theory]
        rows.append([theory, len(own), *(_shares([each.answers[name] for each in own], seconds) for name in names)])
    print_table(rows)
    for name in names:
        _print_reasons(name, found)
    for each in found:
        if each.contradicts or each.wrong_models:
            ends = ", ".join(f"{name} {answer.status} {answer.model}".rstrip() for name, answer in each.answers.items())
            print(f"{each.theory}, seed {each.seed}: {ends}")


def _shares(answers: Sequence[Answer], seconds: float) -> str:
    left_out = {status.value for status in _LEFT_OUT}
    accepted = [each for each in answers if each.status not in left_out]
    decided = [each for each in accepted if each.status in ("sat", "unsat")]
    in_time = sum(each.seconds <= seconds for each in decided)
    return f"{len(accepted) / len(answers):.2%} {len(decided) / len(answers):.2%} ({in_time / len(answers):.2%})"


def _print_reasons(name: str, found: Sequence[Drawn]) -> None:
    reasons = Counter(
        (each.theory, answer.status, re.sub(r"\d+", "N", answer.reason)[:100])
        for each in found
        if (answer := each.answers[name]).status not in ("sat", "unsat")
    )
    for (theory, status, reason), number in reasons.most_common(_SHOWN_REASONS * len(THEORIES)):
        print(f"{name}, {theory}: {number} times {status} {reason}".rstrip())


def main() -> None:
    """Measure, or report what has been measured."""
    flags = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    flags.add_argument("--into", type=Path, required=True, metavar="FOLDER", help="folder of the results")
    flags.add_argument("--theory", action="append", metavar="NAME", help=f"default: {', '.join(THEORIES)}")
    flags.add_argument("--number", type=int, default=4000, metavar="N", help="problems of each theory (default: 4000)")
    flags.add_argument("--seconds", type=float, default=2.0, metavar="S", help="processor time of a decision in time")
    flags.add_argument("--again", action="store_true", help="only solve what the wall clock ended again, and report")
    flags.add_argument("--report", action="store_true", help="only report")
    Solving.add_flags(flags)
    flags.set_defaults(isolate=("z3", "cvc5", "bitwuzla"), wall_seconds=_WALL_SECONDS)
    given = flags.parse_args()
    with alone(given.into):
        results = ResultFile(given.into / "drawn.jsonl", Drawn)
        if not given.report:
            solving = Solving.of(given)
            z3_release.activate(solving.z3, solving.z3_library)
            if given.again:
                solve_again(results, solving)
            else:
                measure(given.theory or THEORIES, given.number, results, solving)
        report(latest(results.read()), given.seconds)


if __name__ == "__main__":
    run_as_program(main)
