"""Measure models of formulas: whether what they draw is valid, how well they predict, and how fast they are.

python -m bench.generators.learned --validity 200  # problems at each temperature, read by us and by the solvers
python -m bench.generators.learned --bits corpus corpus-smt  # bits a node on held-out families, for each context
python -m bench.generators.learned --speed corpus corpus-smt  # training time and memory, draws a second
"""

from __future__ import annotations

import re
import resource
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import log2
from pathlib import Path
from statistics import median

from chcfuzz.domains.smt.solvers.solver_engines import smt_solvers
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import related
from chcfuzz.grammar.drawing.draw_problem import draw_problem
from chcfuzz.grammar.errors import ChcfuzzError, LimitError
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import BaseProblem, Problem, sorts_in
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.sorts import BOOL, Sort
from chcfuzz.grammar.terms import Term, subterms
from chcfuzz.learning import active
from chcfuzz.learning.counts import Counts
from chcfuzz.learning.data import MOST_BYTES, paths, problems
from chcfuzz.learning.drawn_roots import draw_root
from chcfuzz.learning.formula_model import FormulaModel, Tempering
from chcfuzz.learning.places import CONTEXTS, WORD_BITS, numbers_of
from chcfuzz.learning.possible import applications, literals
from chcfuzz.learning.productions import sequence
from chcfuzz.learning.training import Given, TrainingOptions, train
from chcfuzz.learning.vocabulary import LET, PREDICATES, QUANTIFIED, VARIABLES, arity
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog

from bench.campaigns import parser, print_table, write_json

Draw = Callable[[Choices], Problem]
_TENTHS = range(1, 11)
_REFUSED = (Status.UNSUPPORTED, Status.ERROR)
_LEVELS = ("uniform", "sort", "+ parent", "+ grandparent", "+ sibling", "+ great-grandparent")


def builtin() -> FormulaModel:
    found = active.load(active.BUILT_IN)
    assert found is not None
    return found


def drawn(draw: Draw, number: int, seed: int = 0) -> list[Problem]:
    return [draw(Choices(b"", f"{seed} {each}".encode())) for each in range(number)]


def with_model(model: FormulaModel) -> Draw:
    return lambda choices: draw_root(model, choices)


def depth_of(formula: Term) -> int:
    depths: dict[Term, int] = {}
    for term in reversed(list(subterms(formula))):
        depths[term] = 1 + max((depths.get(child, 0) for child in term.children), default=0)
    return depths[formula]


# Validity ------------------------------------------------------------------------------------------


def validity(number: int, solving: Solving) -> dict[str, object]:
    """Print for each temperature the shares of drawn problems that we read, and that each solver accepts."""
    solvers = smt_solvers(solving, Watchdog(solving.wall_seconds))
    header = ("T", "read", *(f"{name} accepts" for name in solvers.names), "distinct", "nodes", "depth", "theories")
    rows: list[list[object]] = [[*header, "sat", "unsat"]]
    found: dict[str, object] = {}
    for tenths in _TENTHS:
        made = drawn(with_model(builtin().tempered(Tempering(tenths))), number)
        texts = [print_problem(problem) for problem in made]
        read = sum(parse.problem(text) == problem for text, problem in zip(texts, made, strict=True))
        accepted, answers, reasons = _accepted(texts, solvers, solving)
        shares = [f"{accepted[name] / number:.1%}" for name in solvers.names]
        depth = median(max(map(depth_of, problem.formulas)) for problem in made)
        theories = len({problem.theories for problem in made})
        row = [f"{read / number:.1%}", *shares, f"{len(set(texts)) / number:.1%}", median(p.nodes for p in made), depth]
        rows.append([f"{tenths / 10}", *row, theories, *(f"{answers[s] / number:.1%}" for s in ("sat", "unsat"))])
        found[f"{tenths / 10}"] = {"row": rows[-1], "refusals": dict(reasons)}
        for reason, times in reasons.most_common(3):
            print(f"  T = {tenths / 10}: {times} times {reason}")
    print_table(rows)
    return found


def _accepted(
    texts: Sequence[str], solvers: object, solving: Solving
) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Return how many texts each solver accepts, the answers, and reasons of refusals."""
    accepted, answers, reasons = Counter[str](), Counter[str](), Counter[str]()
    for text in texts:
        outcome = solvers.solve(text, (), solving.rlimit)  # type: ignore[attr-defined]
        statuses = [(solvers.names[0], outcome), *outcome.others]  # type: ignore[attr-defined]
        for name, one in statuses:
            accepted[name] += one.status not in _REFUSED
            if one.status in _REFUSED:
                reasons[f"{name}: {re.sub(r'[0-9]+', 'N', one.reason)[:70]}"] += 1
        decided = {one.status.value for _, one in statuses} & {"sat", "unsat"}
        answers[decided.pop() if len(decided) == 1 else "open"] += 1
    return accepted, answers, reasons


# Bits a node ---------------------------------------------------------------------------------------

Item = tuple[list[int], list[tuple[str, tuple[str, ...]]]]  # numbers, and productions with the possible ones


def items(folder: Path) -> dict[str, list[Item]]:
    """Return the problems of a folder by family: the folder of a file and the beginning of its name."""
    found: dict[str, list[Item]] = defaultdict(list)
    for path in paths(folder):
        family = f"{path.parent.relative_to(folder)}/{re.split(r'[-_.0-9]', path.name)[0]}"
        try:
            for problem in problems(path.read_bytes()):
                written = sequence(problem)
                masks = possible_in(problem)
                names = [(node.production, masks.get(node.sort, ())) for node in written.nodes]
                found[family].append((numbers_of(written), names))
        except (ChcfuzzError, LimitError):
            continue
    return found


def possible_in(problem: BaseProblem) -> Mapping[Sort, tuple[str, ...]]:
    """Return the productions of each sort that formulas over the symbols of a problem may have."""
    functions = problem.declared_functions
    seen: dict[Sort, None] = dict.fromkeys(problem.declared_sorts)
    for formula in problem.formulas:
        seen.update(dict.fromkeys(sorts_in(formula)))
    made = applications(related(tuple(seen)), functions is not None)
    calls: dict[Sort, dict[str, None]] = {}
    for function in functions or ():
        if function.parameters:
            calls.setdefault(function.result, {})[f"function.{arity(len(function.parameters))}"] = None
    if functions is None:
        calls[BOOL] = dict.fromkeys(PREDICATES)
    found: dict[Sort, tuple[str, ...]] = {}
    for sort in seen:
        leaves = (*VARIABLES, *literals(sort), LET, *(QUANTIFIED if sort is BOOL else ()))
        found[sort] = (*leaves, *calls.get(sort, ()), *made.get(sort, ()))
    return found


def bits(folders: Sequence[Path]) -> dict[str, object]:
    """Print bits a node of each second family, by models of the other families with more and more contexts."""
    rows: list[list[object]] = [["folder", "families", "nodes", *_LEVELS]]
    found: dict[str, object] = {}
    for folder in folders:
        families = items(folder)
        names = sorted(families)
        total, length = [0.0] * len(_LEVELS), 0
        for part in (0, 1):
            train_on = [item for name in names[part::2] for item in families[name]]
            test_on = [item for name in names[1 - part :: 2] for item in families[name]]
            length += sum(len(item[0]) for item in test_on)
            for level, value in enumerate(_totals(train_on, test_on)):
                total[level] += value
        rows.append([folder.name, len(names), length, *(f"{value / length:.2f}" for value in total)])
        found[folder.name] = rows[-1]
    print_table(rows)
    return found


def _totals(train_on: Iterable[Item], test_on: Sequence[Item]) -> Iterator[float]:
    """Yield the bits of all nodes: with uniform weights, then with more and more contexts."""
    counts = Counts.of(number for numbers, _ in train_on for number in numbers)
    yield sum(log2(len(_with(*each))) for _, productions in test_on for each in productions)
    for contexts in range(1, CONTEXTS + 1):
        model = FormulaModel(counts.only(range(contexts)))
        yield sum(
            model.bits(name, _with(name, options), number & -(1 << WORD_BITS))
            for numbers, productions in test_on
            for number, (name, options) in zip(numbers, productions, strict=True)
        )


def _with(name: str, options: tuple[str, ...]) -> tuple[str, ...]:
    return options if name in options else (*options, name)


# Speed ---------------------------------------------------------------------------------------------


def speed(folders: Sequence[Path], draws: int) -> dict[str, object]:
    """Print the time and memory of training, and nodes drawn in a second of processor time."""
    start = time.process_time()
    counts, about = train(Given(folders), TrainingOptions())
    seconds = time.process_time() - start
    sizes = (path.stat().st_size for folder in folders for path in paths(folder))
    size = sum(each for each in sizes if each <= MOST_BYTES)  # larger files are left out
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{size} bytes, {about.nodes} nodes, {len(counts.numbers)} counts in {seconds:.1f} s, at most {memory} MB")
    print(f"{50e6 / size * seconds:.0f} s for 50 MB on one processor")
    rates = {"uniform": _rate(draw_problem, draws), "model": _rate(with_model(FormulaModel(counts)), draws)}
    print(", ".join(f"{name}: {rate:.0f} nodes a second" for name, rate in rates.items()))
    return {"bytes": size, "seconds": seconds, "megabytes": memory, "nodes_per_second": rates}


def _rate(draw: Draw, draws: int) -> float:
    drawn(draw, 20, seed=1)  # tables of the typing rules are made once
    start = time.process_time()
    nodes = sum(problem.nodes for problem in drawn(draw, draws))
    return nodes / (time.process_time() - start)


def main() -> None:
    """Measure what the flags select."""
    flags = parser(__doc__)
    flags.add_argument("folders", nargs="*", type=Path, metavar="DIR", help="for --bits and --speed")
    flags.add_argument("--validity", type=int, default=0, metavar="N", help="draw N problems at each temperature")
    flags.add_argument("--bits", action="store_true", help="measure bits a node on held-out families")
    flags.add_argument("--speed", action="store_true", help="measure training and drawing")
    Solving.add_flags(flags)
    given = flags.parse_args()
    solving = Solving.of(given)
    z3_release.activate(solving.z3, solving.z3_library)
    measured: dict[str, object] = {}
    if given.bits:
        measured["bits"] = bits(given.folders)
    if given.speed:
        measured["speed"] = speed(given.folders, 300)
    if given.validity:
        measured["validity"] = validity(given.validity, solving)
    write_json(given.json, measured)


if __name__ == "__main__":
    main()
