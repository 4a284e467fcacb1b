"""The text of interpolation problems: plain SMT-LIB, with the groups of assertions as attributes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.interpolation.grouped import AXIOM, GROUP, PARENTS, Interpolation
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.reading.problem_script import ProblemScript
from chcfuzz.grammar.reading.syntax import first_token, symbol_of
from chcfuzz.grammar.reading.tree import Node, Tree
from lark import Token

_NUMBERED = re.compile(r"g(0|[1-9][0-9]{0,6})")


class LabelledScript(ProblemScript):
    """A script whose assertions may have a group; `labels` has the groups of the assertions in order, "" for none."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.labels: list[str] = []

    def _assertion(self, command: Tree, node: Node) -> None:
        group = _group_of(node)
        self.labels[len(self._assertions) :] = ["" if group is None else symbol_of(group)]
        super()._assertion(command, node)


class _GroupedScript(LabelledScript):
    """A script of an interpolation problem, which states the group of each assertion."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name
        self._places: dict[str, Token] = {}  # of the first assertion of each group

    def _assertion(self, command: Tree, node: Node) -> None:
        group = _group_of(node)
        if group is None:
            raise self.declared.error(node, f"an assertion without a group: write (! F :{GROUP} g0)")
        self._places.setdefault(symbol_of(group), first_token(node))
        super()._assertion(command, node)

    def _check_assuming(self, command: Tree, word: Token, *literals: Node) -> None:
        if literals:
            raise self.declared.error(word, "assumptions have no group: assert them")
        super()._check_assuming(command, word, *literals)

    def stated(self, problem: Problem) -> Interpolation:
        """Return the interpolation problem; raises `GrammarError`."""
        of_assertions = self.labels[: len(problem.assertions)]
        names = self._ordered(list(dict.fromkeys(name for name in of_assertions if name != "axiom")))
        if len(names) < 2:
            raise self._error(f"{len(names)} groups of assertions: an interpolant needs two, besides axioms")
        numbers = {name: number for number, name in enumerate(names)} | {"axiom": AXIOM}
        info = dict(problem.info)
        parents = self._parents(info[PARENTS], names, numbers) if PARENTS in info else ()
        rest = [(name, value) for name, value in problem.info if name != PARENTS]
        labels = [numbers[name] for name in of_assertions]
        return Interpolation.of(problem.with_header(rest, problem.options), labels, parents)

    def _ordered(self, names: list[str]) -> list[str]:
        """Return the names in the order of the groups: of their numbers, else of their first assertions."""
        if not all(_NUMBERED.fullmatch(name) for name in names):
            return names
        ordered = sorted(names, key=lambda name: int(name[1:]))
        for number, name in enumerate(ordered):
            if name != f"g{number}":
                raise self.declared.error(self._places[name], f"group g{number} has no assertion", name)
        return ordered

    def _parents(self, text: str, names: Sequence[str], numbers: Mapping[str, int]) -> tuple[int, ...]:
        given = text.strip('"').split()
        for name in given:
            if name not in numbers or name == "axiom":
                raise self._error(f"the parent {name} has no assertion")
        if len(given) != len(names) - 1:
            raise self._error(f"{len(given)} parents for {len(names)} groups: name one for each but the last")
        parents = tuple(numbers[name] for name in given)
        for group, parent in enumerate(parents):
            if parent <= group:
                what = "the tree is cyclic" if _is_cyclic(parents, group) else "parents come after their children"
                raise self._error(f"{names[group]} is below {names[parent]}, but {what}")
        return parents

    def _error(self, what: str) -> GrammarError:
        return GrammarError(self.name, 1, 1, what, "")


def _group_of(node: Node) -> Token | None:
    while isinstance(node, Tree) and node.rule == "annotated":
        for attribute in node.children[1:]:
            keyword, *value = attribute.children
            if keyword == f":{GROUP}" and value and isinstance(value[0], Token):
                return value[0]
        node = node.children[0]
    return None


def _is_cyclic(parents: Sequence[int], group: int) -> bool:
    here = parents[group]
    for _ in parents:
        if here == group:
            return True
        if here == len(parents):
            return False
        here = parents[here]
    return True


def read(text: str, name: str = "<text>") -> Interpolation:
    """Return the interpolation problem that a script states at its last check; raises `GrammarError`."""
    script = _GroupedScript(name)
    return script.stated(parse.problem(text, name, script=script))


def printed(interpolation: Interpolation) -> str:
    """Return the text of an interpolation problem; `read` of it is the same problem, if it has two groups."""
    return print_problem(interpolation.with_header(interpolation.header(), interpolation.options))
