"""Interpolation problems in the forms that solvers read: assertions, and queries for interpolants.

Each query states a problem. The arguments of `get-interpolants` (SMTInterpol, Princess, OpenSMT) are the groups: the
name of an assertion, or `(and A B)`. Other parentheses enclose a subtree, as in SMTInterpol's proposal for SMT-LIB: in
`(get-interpolants A (B C) D)`, D is the parent of A and C, and C is that of B. Without arguments, each assertion is a
group, as in Princess. An assertion that the query does not name is an axiom.

`(get-interpolant I F)` of cvc5 has the assertions as A, and the negation of F as B. `(get-interpolant (A B))` of
Bitwuzla has the named assertions as A, and the other ones as B; in `(get-interpolants (A B) (C))`, the parentheses are
groups, and the other assertions are the last one. `(get-interpolant (G H))` of MathSAT has the assertions with these
groups (`:interpolation-group`) as A. A command with another name that has the word `interpolant` is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from chcfuzz.grammar.interpolation.group_text import LabelledScript
from chcfuzz.grammar.interpolation.grouped import AXIOM, Interpolation
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.reading.elaboration import term_of_value
from chcfuzz.grammar.reading.problem_script import ProblemScript
from chcfuzz.grammar.reading.refusals import in_plain_words
from chcfuzz.grammar.reading.sexpr import sexprs
from chcfuzz.grammar.reading.syntax import spelled, symbol_of
from chcfuzz.grammar.reading.tree import Node, Tree
from chcfuzz.grammar.terms import negation
from lark import Token

_WORD = "interpolant"
_GROUPS, _CUT = f"get-{_WORD}s", f"get-{_WORD}"
_NEXT = f"{_CUT}-next"  # of cvc5: another interpolant of the same problem
_QUERY = re.compile(r"\(\s*[\w-]*interpolant")


def has_queries(text: str) -> bool:
    """Return whether a text may have queries for interpolants."""
    return _QUERY.search(text) is not None


def is_read(command: str) -> bool:
    """Return whether a command on one line is a query for interpolants that states a problem."""
    return command.startswith("(") and command[1:].rstrip(")").split()[:1] in ([_GROUPS], [_CUT])


def has_grammar(command: str) -> bool:
    """Return whether a command on one line is a query of cvc5 that bounds the form of the interpolant."""
    (parts,) = sexprs(command)
    return parts[0] == _CUT and len(parts) > len((_CUT, "NAME", "FORMULA"))


def queried(text: str, name: str = "<text>") -> tuple[Interpolation, ...]:
    """Return the problem of each query in a script, each once; raises `GrammarError`."""
    return tuple(dict.fromkeys(in_order(text, name)))


def in_order(text: str, name: str = "<text>") -> tuple[Interpolation, ...]:
    """Return the problem of each query in a script; raises `GrammarError`."""
    script = LabelledScript(name)
    found: list[Interpolation] = []
    with in_plain_words():
        for command in parse.problem_commands(text, name):
            word = command.children[0] if command.rule == "other" else ""
            if word in _QUERIES:
                found.append(_QUERIES[word](script, command))
                parse.check_size(script, command, found)
            elif _WORD in word and word != _NEXT:
                raise script.declared.error(word, f"this query is not read; write {_GROUPS} or {_CUT}", word)
            else:
                script.run(command)
    return tuple(found)


def _groups_queried(script: LabelledScript, command: Tree) -> Interpolation:
    word, *arguments = command.children
    error = script.declared.error
    stated = script.problem()
    labels, parents = list(range(len(stated.assertions))), list(range(1, len(stated.assertions) + 1))
    if _are_partitions(arguments):
        return _partitioned(script, word, arguments)
    if arguments:
        places = _places(stated)
        groups, parents = _groups(script, word, arguments)
        labels = [AXIOM] * len(labels)
        for number, group in enumerate(groups):
            for label in group:
                place = _place(script, label, places)
                if labels[place] != AXIOM:
                    raise error(label, "an assertion belongs to one group", label)
                labels[place] = number
    if len(parents) < 2:
        raise error(word, f"{len(parents)} groups of assertions: an interpolant needs two")
    is_tree = any(parent != group + 1 for group, parent in enumerate(parents[:-1]))
    return Interpolation.of(stated, labels, parents[:-1] if is_tree else ())


def _are_partitions(arguments: Sequence[Node]) -> bool:
    """Return whether every argument is a list of names in parentheses; the last group of a tree is not."""
    return bool(arguments) and all(isinstance(each, Tree) and each.children[:1] != ["and"] for each in arguments)


def _partitioned(script: LabelledScript, word: Token, arguments: Sequence[Node]) -> Interpolation:
    """Return the problem whose groups are lists of names, and whose last group are all other assertions."""
    stated = script.problem()
    lists = [each.children for each in arguments if isinstance(each, Tree)]
    if len(lists) == 1 and all(isinstance(each, Tree) for each in lists[0]):  # ((A B) (C))
        lists = [each.children for each in lists[0] if isinstance(each, Tree)]
    labels = [len(lists)] * len(stated.assertions)
    for number, names in enumerate(lists):
        for name in names:
            for place in _members(script, name, stated):
                if labels[place] != len(lists):
                    raise script.declared.error(name, "an assertion belongs to one group", spelled(name))
                labels[place] = number
    if len(lists) not in labels:
        raise script.declared.error(word, "all assertions are in A: an interpolant needs B")
    return Interpolation.of(stated, labels)


def _members(script: LabelledScript, label: Node, stated: Problem) -> Sequence[int]:
    """Return the numbers of the assertions of a group, or that of the assertion with a name; raises `GrammarError`."""
    wanted = symbol_of(label) if isinstance(label, Token) else ""
    members = [place for place, group in enumerate(script.labels[: len(stated.assertions)]) if group == wanted != ""]
    return members or [_place(script, label, _places(stated))]


def _cut_queried(script: LabelledScript, command: Tree) -> Interpolation:
    word, *arguments = command.children
    error = script.declared.error
    stated = script.problem()
    names = arguments[0].children if arguments and isinstance(arguments[0], Tree) else []
    if len(arguments) == 1 and names:
        return _partitioned(script, word, arguments)
    if len(arguments) < 2 or isinstance(arguments[0], Tree):
        raise error(word, "write (get-interpolant NAME FORMULA), or the names of the assertions of A in parentheses")
    if symbol_of(arguments[0]) in script.declared.symbols:
        raise error(arguments[0], "the interpolant needs a new name")
    goal = script.formula(arguments[1], term_of_value(script.declared, arguments[1], {}))
    if not stated.assertions:
        raise error(word, "no assertion: an interpolant needs A")
    both = stated.with_assertions((*stated.assertions, Assertion(negation(goal))))
    info = [pair for pair in stated.info if pair[0] != "status"]  # it is about A
    return Interpolation.of(both.with_header(info, stated.options), [*[0] * len(stated.assertions), 1])


_QUERIES: dict[str, Callable[[LabelledScript, Tree], Interpolation]] = {_GROUPS: _groups_queried, _CUT: _cut_queried}


def _places(stated: Problem) -> dict[str | None, int]:
    return {each.name: place for place, each in enumerate(stated.assertions)}


def _place(script: ProblemScript, label: Node, places: Mapping[str | None, int]) -> int:
    """Return the number of the assertion with a name; raises `GrammarError`."""
    place = places.get(symbol_of(label)) if isinstance(label, Token) else None
    if place is None:
        raise script.declared.error(label, "no assertion has this name", spelled(label))
    return place


def _groups(script: ProblemScript, word: Token, arguments: Sequence[Node]) -> tuple[list[list[Token]], list[int]]:
    """Return the names of each group, and its parent; children come before their parents."""
    groups: list[list[Token]] = []
    parents: list[int] = []
    levels: list[list[int]] = [[]]  # groups without a parent so far, one list for each open subtree
    stack: list[Node | None] = [*reversed(arguments)]
    while stack:
        node = stack.pop()
        if node is None:  # the end of a subtree
            roots = levels.pop()
            levels[-1] += roots
        elif isinstance(node, Tree) and node.children[:1] != ["and"]:
            levels.append([])
            stack += [None, *reversed(node.children)]
        else:
            for child in levels[-1]:
                parents[child] = len(groups)
            levels[-1] = [len(groups)]
            groups.append(_names(script, node))
            parents.append(len(groups))
    if len(levels[0]) != 1:
        raise script.declared.error(word, "a tree ends with its root, a group that is not in parentheses")
    return groups, parents


def _names(script: ProblemScript, node: Node) -> list[Token]:
    labels = node.children[1:] if isinstance(node, Tree) else [node]
    for label in labels:
        if not (isinstance(label, Token) and label.type in ("SYMBOL", "QUOTED")):
            raise script.declared.error(label, "a group is a name, or (and A B) with names", spelled(label))
    return labels
