"""Measure the processor time of drawn questions to parts: drawing, printing, the answers of parts, and judgement.

    python -m bench.speed.parts simplify tactic                            # 400 questions for each part
    python -m bench.speed.parts mbp --theories arrays --questions 400 --first 7

Processor time is that of all processes, without their starts. The verdicts are counted by kind of fault, so two
versions of the code can be compared: the same questions must have the same verdicts. Question N is drawn from the
bytes `speed N`.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from chcfuzz.domains.parts.domain import DOMAIN
from chcfuzz.domains.parts.drawing import drawn_question_problem
from chcfuzz.domains.parts.part_solver import PartSolver
from chcfuzz.domains.parts.question import PARTS
from chcfuzz.domains.parts.question_text import printed as text_of
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.choices import Choices
from chcfuzz.solvers.watchdog import Watchdog

RLIMIT = 1_000_000
SIX = ("arrays", "vectors", "data", "integers", "reals", "truths")
_TICKS = os.sysconf("SC_CLK_TCK")


def measure(part: str, theories: Sequence[str], numbers: Sequence[int], is_listed: bool) -> None:
    """Draw questions to a part, run and judge them, and print the processor time of each step."""
    from chcfuzz.domains.parts.oracles.contracts import judged  # it imports Z3, whose release was chosen before

    solving = Solving(domain="parts")
    watchdog = Watchdog(solving.wall_seconds)
    solver = DOMAIN.solver(solving, None, watchdog)
    assert isinstance(solver, PartSolver)
    _ask(solver, part, theories, numbers[0])  # the child and its worker start
    spent = dict.fromkeys(("drawing", "printing", "answers", "judgement"), 0.0)
    faults: Counter[str] = Counter()
    digest = hashlib.sha256()
    others = _others()
    for number in numbers:
        start = time.process_time()
        problem = drawn_question_problem(Choices(b"", b"speed %d" % number), part, theories[number % len(theories)])
        drawn = time.process_time()
        text = text_of(problem)
        printed = time.process_time()
        outcome = solver.solve(text, (), RLIMIT)
        answered = time.process_time()
        verdicts = (DOMAIN.errors(outcome), judged(problem, outcome, watchdog))
        spent["drawing"] += drawn - start
        spent["printing"] += printed - drawn
        spent["answers"] += answered - printed
        spent["judgement"] += time.process_time() - answered
        fault = next((each.fault for each in verdicts if each.kind.is_finding), "")
        words = f"{number} {outcome.status.value} {fault}"
        digest.update(words.encode())
        faults[fault.split(":")[0] or outcome.status.value] += 1
        if is_listed:
            print(words)
    spent["children"] = _others() - others
    whole = sum(spent.values())
    print(f"{part}: {len(numbers) / whole:.1f} questions a second of processor time; {whole:.2f} s for {len(numbers)}")
    print("  " + ", ".join(f"{name} {seconds:.2f}" for name, seconds in spent.items()))
    print(
        f"  verdicts {digest.hexdigest()[:12]}: " + ", ".join(f"{many} {name}" for name, many in faults.most_common())
    )
    solver.close()


def _ask(solver: PartSolver, part: str, theories: Sequence[str], number: int) -> None:
    problem = drawn_question_problem(Choices(b"", b"speed %d" % number), part, theories[number % len(theories)])
    solver.solve(text_of(problem), (), RLIMIT)


def _others() -> float:
    """Return the seconds of processor time of all processes that this one has started, and of those that ended."""
    return sum(_used(Path(f"/proc/{pid}/stat")) for pid in _descendants(os.getpid()) if pid != os.getpid()) + _ended()


def _ended() -> float:
    used = os.times()
    return used.children_user + used.children_system


def _descendants(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in listed for each in _descendants(int(child)))]


def _used(file: Path) -> float:
    """Return the processor time of a process, with that of its ended children."""
    words = file.read_text().rpartition(")")[2].split()
    return sum(map(int, words[11:15])) / _TICKS


def main() -> None:
    """Measure the parts that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="+", choices=tuple(PARTS), metavar="PART")
    parser.add_argument("--theories", nargs="+", default=SIX, metavar="NAME")
    parser.add_argument("--questions", type=int, default=400)
    parser.add_argument("--first", type=int, default=0, help="number of the first question")
    parser.add_argument("--list", action="store_true", help="print the verdict of each question")
    given = parser.parse_args()
    Solving(domain="parts").activate()
    for part in given.parts:
        measure(part, given.theories, range(given.first, given.first + given.questions), given.list)


if __name__ == "__main__":
    main()
