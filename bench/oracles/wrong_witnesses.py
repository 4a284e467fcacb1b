"""Change witnesses of the corpus, one place each, and count how many of the wrong ones the oracles catch.

A model is caught if its oracle calls it wrong, a refutation if the evaluator finds a fault. cvc5 decides whether a
changed witness is wrong, on the scripts of findings: `wrong_witnesses.py --per-seed 2`.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from chcfuzz.domains.chc.oracles import model
from chcfuzz.domains.chc.oracles.evidence import model_script, refutation_script
from chcfuzz.domains.chc.oracles.refutation import DerivationStep, Refutation, fault, prenex
from chcfuzz.domains.chc.oracles.refutation_text import parse_refutation
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.values import has_sort
from chcfuzz.grammar.paths import replace_at
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.printing.witness import Fact
from chcfuzz.grammar.reading.parse import parse, parse_definitions
from chcfuzz.grammar.sorts import BOOL, INT, REAL
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import FALSE, TRUE, Apply, Quantifier, Term, Value, apply, negation
from chcfuzz.oracles import second_solver
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.watchdog import Watchdog

ROOT = Path(__file__).resolve().parents[2]
WITNESSES = ROOT / "seeds" / "witnesses"
_OTHER = {"<=": "<", "<": "<=", ">=": ">", ">": ">=", "=": "distinct", "and": "or", "or": "and", "+": "-", "-": "+"}


def nodes(term: Term) -> Iterator[tuple[tuple[int, ...], Term]]:
    """Yield every node of a term with its path."""
    stack: list[tuple[tuple[int, ...], Term]] = [((), term)]
    while stack:
        path, here = stack.pop()
        yield path, here
        stack += [((*path, number), child) for number, child in enumerate(here.children)]


def changes(term: Term) -> Iterator[tuple[str, Term]]:
    """Yield the changes of one node, each with its name."""
    if isinstance(term, Value) and term.sort in (INT, REAL):
        yield "constant", Value(term.value + (1 if term.sort is INT else Fraction(1)), term.sort)
    if isinstance(term, Apply) and term.operator in _OTHER:
        yield "operator", Apply(_OTHER[term.operator], term.children, term.sort)
    if isinstance(term, Apply) and term.operator in ("and", "or") and len(term.children) > 1:
        yield "dropped member", apply(term.operator, *term.children[1:])
    if term.sort is BOOL and not isinstance(term, Value):
        yield "negation", negation(term)
        yield "true", TRUE
        yield "false", FALSE


def changed_models(system: System, text: str, choices: Choices, number: int) -> Iterator[tuple[str, str]]:
    """Yield models with one changed node, each with the name of the change."""
    definitions = parse_definitions(text, system, "model")
    places = [
        (name, path, what, new)
        for name, definition in definitions.items()
        for path, node in nodes(definition.body)
        for what, new in (changes(node) if not isinstance(node, Quantifier) else ())
    ]
    for _ in range(number if places else 0):
        what = choices.pick(sorted({place[2] for place in places}))
        name, path, _, new = choices.pick([place for place in places if place[2] == what])
        lines = []
        for each, definition in definitions.items():
            body = replace_at(definition.body, path, new) if each == name else definition.body
            parameters = " ".join(f"({quoted(v.name)} {v.sort})" for v in definition.parameters)
            lines.append(f"(define-fun {quoted(each)} ({parameters}) {definition.body.sort} {print_term(body)})")
        yield what, "\n".join(lines)


def changed_refutations(refutation: Refutation, choices: Choices, number: int) -> Iterator[tuple[str, Refutation]]:
    """Yield refutations with one changed step, each with the name of the change."""
    for _ in range(number):
        at = choices.index(len(refutation))
        step = refutation[at]
        numbers = [place for place, value in enumerate(step.values) if type(value) in (int, Fraction)]
        made = []
        if numbers:
            place = choices.pick(numbers)
            values = list(step.values)
            values[place] = values[place] + 1  # type: ignore[operator]
            made.append(("value", replace(step, values=tuple(values))))
        if step.fact is not None and step.fact.values and type(step.fact.values[0]) in (int, Fraction):
            first, *others = step.fact.values
            made.append(("fact", replace(step, fact=Fact(step.fact.predicate, (first + 1, *others)))))  # type: ignore[operator]
        if step.premises:
            made.append(("dropped premise", replace(step, premises=step.premises[1:])))
        made.append(("clause", replace(step, clause=step.clause + (1 if step.clause == 0 else -1))))
        what, new = choices.pick(made)
        yield what, (*refutation[:at], new, *refutation[at + 1 :])


def fits(system: System, step: DerivationStep) -> bool:
    """Return whether a step has a value of the right sort for each variable of its clause."""
    sorts = [variable.sort for variable in prenex(system.clauses[step.clause]).variables]
    return len(sorts) == len(step.values) and all(map(has_sort, step.values, sorts))


def count(tally: Counter[tuple[str, str]], row: str, said: tuple[str, ...], queries: int, caught: bool) -> None:
    """Add a changed witness to the table: wrong, right or undecided by cvc5, and whether it was caught."""
    truth = "wrong" if "sat" in said else "right" if said == ("unsat",) * queries else "undecided"
    tally[row, truth] += 1
    tally[row, f"{truth}, caught"] += caught


def measured(per_seed: int, every: int) -> Counter[tuple[str, str]]:
    """Change the witnesses of every so-many-th seed."""
    tally: Counter[tuple[str, str]] = Counter()
    watchdog = Watchdog(60)
    for file in sorted(WITNESSES.rglob("*.model"))[::every]:
        system, choices = _seed(file), _choices(file)
        for what, text in changed_models(system, file.read_text(), choices, per_seed):
            caught = model.check_text(system, text, watchdog).kind is VerdictKind.WRONG_MODEL
            said = second_solver.answers(model_script(system, TextModel(text)))
            count(tally, f"model, {what}", said, len(system.clauses), caught)
            if "sat" in said and not caught:
                print(f"missed: {file} {what}\n{text}")
    for file in sorted(WITNESSES.rglob("*.derivation"))[::every]:
        system, choices = _seed(file), _choices(file)
        for what, steps in changed_refutations(parse_refutation(system, file.read_text()), choices, per_seed):
            caught = fault(system, steps) is not None
            if not all(fits(system, step) for step in steps):  # no script can show such a step
                tally[f"refutation, {what}", "ill-formed"] += 1
                tally[f"refutation, {what}", "ill-formed, caught"] += caught
                continue
            said = second_solver.answers(refutation_script(system, steps))
            count(tally, f"refutation, {what}", said, len(steps), caught)
            if "sat" in said and not caught:
                print(f"missed: {file} {what}\n{steps}")
    return tally


def _seed(file: Path) -> System:
    name = file.relative_to(WITNESSES).with_suffix("").as_posix()
    return parse((ROOT / "corpus" / f"{name}.smt2").read_text(), name)


def _choices(file: Path) -> Choices:
    return Choices(hashlib.shake_128(file.name.encode()).digest(4000))


def main() -> None:
    """Print the table."""
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--per-seed", type=int, default=1, metavar="N")
    flags.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th seed")
    given = flags.parse_args()
    tally = measured(given.per_seed, given.every)
    print("| change | wrong | caught | right | rejected | undecided by cvc5 | rejected | ill-formed | caught |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in sorted({row for row, _ in tally}):
        cells = [
            tally[row, kind + end] for kind in ("wrong", "right", "undecided", "ill-formed") for end in ("", ", caught")
        ]
        print(f"| {row} | {' | '.join(map(str, cells))} |")


if __name__ == "__main__":
    main()
