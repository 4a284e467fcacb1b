"""Scripts that make a command print the interpolants of a problem.

Each style of `get-interpolants` has a row. The words of a command determine it: the name of SMTInterpol's jar contains
`smtinterpol`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chcfuzz.grammar.interpolation import Interpolation
from chcfuzz.grammar.printer import print_problem, print_term
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import conjunction, fresh_name


@dataclass(frozen=True)
class Style:
    """The way in which a solver gives interpolants.

    With `trees`, it takes `get-interpolants` with parentheses around the groups of a subtree. With `logics`, the script
    needs the name of a logic other than ALL. `flags` belong on the command line, `pipe` too if the process reads its
    standard input.
    """

    name: str
    programs: tuple[str, ...]
    trees: bool = False
    logics: bool = False
    flags: tuple[str, ...] = ()
    pipe: tuple[str, ...] = ()


STYLES = (
    Style("smtinterpol", ("smtinterpol",), trees=True),
    Style(
        "princess",
        ("princess", "ap.CmdlMain"),
        trees=True,
        flags=("-inputFormat=smtlib", "+incremental", "-quiet"),
        pipe=("+stdin",),
    ),
    Style("opensmt", ("opensmt",), logics=True),
)
PLAIN = Style("plain", ())


def style_of(words: Sequence[str]) -> Style:
    """Return the style of a command: that whose name occurs in the last part of one of its words."""
    parts = [Path(part).name for word in words for part in word.split(":")]
    return next((s for s in STYLES if any(p in part for p in s.programs for part in parts)), PLAIN)


def script(problem: Interpolation, style: Style) -> str:
    """Return a script that checks a problem and prints its interpolants."""
    taken = {*problem.declared_names, *problem.signature}
    names = [fresh_name(f"group{number}", taken) for number in range(len(problem.groups))]
    declared = print_problem(replace(problem.problem, assertions=(), info=(), options=()))
    lines = ["(set-option :produce-interpolants true)", *declared.removesuffix("(check-sat)\n").splitlines()]
    if style.logics:
        lines[1] = f"(set-logic {logic(problem)})"
    last = len(names) - 1
    for number, name in enumerate(names):
        members = (*problem.group(number), *(problem.axiom_formulas if number == last else ()))
        lines.append(f"(assert (! {print_term(conjunction(*members))} :named {quoted(name)}))")
    lines += ["(check-sat)", f"(get-interpolants {' '.join(_ordered(problem, names, last))})"]
    return "\n".join((*lines, ""))


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
        "DT" if "ADT" in theories else "",
        f"L{number}A" if number else "",
    ]
    return "".join(parts) if any(parts[1:]) else f"{parts[0]}UF"
