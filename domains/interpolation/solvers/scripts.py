"""Scripts that make a solver print the interpolants of a problem.

Each style of `get-interpolants` has a row. The words of a command determine it: the name of SMTInterpol's jar contains
`smtinterpol`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chcfuzz.grammar.form import ALL
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import conjunction


@dataclass(frozen=True)
class Style:
    """The way in which a solver gives interpolants.

    `queries` prints the assertions and the queries from the problem and a name for each group. With `trees`, it takes
    `get-interpolants` with parentheses around the groups of a subtree; with `pairs`, only one cut. With `separate`, it
    prints each interpolant by itself. With `logics`, the script needs the name of a logic other than ALL. `flags`
    belong on the command line, `pipe` too if the process reads its standard input. It prints `gives_up` if it finds no
    interpolant.
    """

    name: str
    programs: tuple[str, ...]
    queries: Callable[[Interpolation, Sequence[str]], Sequence[str]]
    trees: bool = False
    pairs: bool = False
    separate: bool = False
    logics: bool = False
    flags: tuple[str, ...] = ()
    pipe: tuple[str, ...] = ()
    gives_up: str = ""

    def refused(self, problem: Interpolation) -> str:
        """Return why the solver cannot get a problem; empty if it can."""
        if problem.is_tree and not self.trees:
            return "trees are not supported"
        return "only pairs are supported" if self.pairs and problem.cuts > 1 else ""


def _by_name(problem: Interpolation, names: Sequence[str]) -> list[str]:
    """Assert each group with a name, and query the interpolants of all cuts at once."""
    last = len(names) - 1
    lines = [f"(assert (! {_formula(problem, number)} :named {quoted(name)}))" for number, name in enumerate(names)]
    return [*lines, "(check-sat)", f"(get-interpolants {' '.join(_ordered(problem, names, last))})"]


def _by_group(problem: Interpolation, names: Sequence[str]) -> list[str]:
    """Assert the formulas of each group with an attribute, and query the interpolant of each cut, as MathSAT does."""
    formulas = [(name, _formula(problem, number)) for number, name in enumerate(names)]
    lines = [f"(assert (! {formula} :interpolation-group {quoted(name)}))" for name, formula in formulas]
    below = [" ".join(quoted(names[group]) for group in problem.below(cut)) for cut in range(problem.cuts)]
    return [*lines, "(check-sat)", *(f"(get-interpolant ({groups}))" for groups in below)]


def _by_conjecture(problem: Interpolation, names: Sequence[str]) -> list[str]:
    """Assert A, and query a formula that A implies and that implies the negation of B, as cvc5 does."""
    a, b = (print_term(conjunction(*side)) for side in problem.sides(0))
    check = ["(push 1)", f"(assert {b})", "(check-sat)", "(pop 1)"]
    return [f"(assert {a})", *check, f"(get-interpolant {quoted(names[0])} (not {b}))"]


STYLES = (
    Style("smtinterpol", ("smtinterpol",), _by_name, trees=True),
    Style(
        "princess",
        ("princess", "ap.CmdlMain"),
        _by_name,
        trees=True,
        flags=("-inputFormat=smtlib", "+incremental", "-quiet"),
        pipe=("+stdin",),
    ),
    Style("opensmt", ("opensmt",), _by_name, logics=True),
    Style("mathsat", ("mathsat",), _by_group, separate=True),
    Style("cvc5", ("cvc5",), _by_conjecture, pairs=True, separate=True, flags=("--incremental",), gives_up="fail"),
)
CUTS = "cuts:"  # begins the comment with the order of interpolants, for `domains.interpolation.ask_itp`
PLAIN = Style("plain", (), _by_name)
READERS = tuple(style.name for style in STYLES)


def style_of(words: Sequence[str]) -> Style:
    """Return the style of a command: that whose name occurs in the last part of one of its words."""
    parts = [Path(part).name for word in words for part in word.split(":")]
    return next((s for s in STYLES if any(p in part for p in s.programs for part in parts)), PLAIN)


def script(problem: Interpolation, style: Style) -> str:
    """Return a script that checks a problem and prints its interpolants."""
    taken = {*problem.declared_names, *problem.signature}
    names = [fresh_name(f"group{number}", taken) for number in range(len(problem.groups))]
    form = replace(problem.form, logic=logic(problem) if style.logics else problem.form.logic or ALL)
    declared = print_problem(replace(problem.problem, assertions=(), info=(), options=(), form=form))
    lines = ["(set-option :produce-interpolants true)", *declared.removesuffix("(check-sat)\n").splitlines()]
    if problem.is_tree:
        lines.insert(0, f"; {CUTS} {' '.join(map(str, order(problem)))}")
    return "\n".join((*lines, *style.queries(problem, names), ""))


def _formula(problem: Interpolation, group: int) -> str:
    """Return the conjunction of a group, that of the last one with the axioms."""
    axioms = problem.axiom_formulas if group == problem.cuts else ()
    return print_term(conjunction(*problem.group(group), *axioms))


def _ordered(problem: Interpolation, names: Sequence[str], root: int) -> list[str]:
    """Return the names of the groups below one and its own, the children but the first in parentheses."""
    found: list[str] = []
    for number, child in enumerate(problem.children(root)):
        words = _ordered(problem, names, child)
        found += [f"({' '.join(words)})"] if number else words
    return [*found, quoted(names[root])]


def order(problem: Interpolation) -> list[int]:
    """Return the cuts in the order in which a solver prints their interpolants."""

    def below(group: int) -> list[int]:
        return [*(cut for child in problem.children(group) for cut in below(child)), group]

    return below(len(problem.groups) - 1)[:-1]


def logic(problem: Interpolation) -> str:
    """Return the name of a logic that has the theories of a problem."""
    theories = problem.theories
    number = "".join(letter for theory, letter in (("LIA", "I"), ("LRA", "R")) if theory in theories)
    parts = [
        "" if any(formula.depth for formula in problem.formulas) else "QF_",
        "A" if "Arrays" in theories else "",
        "UF" if "UF" in theories else "",
        "BV" if "BV" in theories else "",
        "FP" if "FP" in theories else "",
        "DT" if "ADT" in theories else "",
        f"L{number}A" if number else "",
    ]
    return "".join(parts) if any(parts[1:]) else f"{parts[0]}UF"
