"""Interpolation problems in the form that SMTInterpol, Princess and OpenSMT read: names and `get-interpolants`.

Each query states a problem. Its arguments are the groups: the name of an assertion, or `(and A B)`. Other parentheses
enclose a subtree, as in SMTInterpol's proposal for SMT-LIB: in `(get-interpolants A (B C) D)`, D is the parent of A and
C, and C is that of B. Without arguments, each assertion is a group, as in Princess. An assertion that the query does
not name is an axiom.
"""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.grammar import parse
from chcfuzz.grammar.interpolation import AXIOM, Interpolation
from chcfuzz.grammar.problem_script import ProblemScript
from chcfuzz.grammar.refusals import in_plain_words
from chcfuzz.grammar.syntax import spelled, symbol_of
from chcfuzz.grammar.tree import Node, Tree
from lark import Token

QUERY = "get-interpolants"


def queried(text: str, name: str = "<text>") -> tuple[Interpolation, ...]:
    """Return the problem of each query in a script, each once; raises `GrammarError`."""
    script = ProblemScript(name)
    found: dict[Interpolation, None] = {}
    with in_plain_words():
        for command in parse.problem_commands(text, name):
            if command.rule == "other" and command.children[0] == QUERY:
                found[_queried(script, command)] = None
                parse.check_size(script, command, found)
            else:
                script.run(command)
    return tuple(found)


def _queried(script: ProblemScript, command: Tree) -> Interpolation:
    word, *arguments = command.children
    error = script.declared.error
    stated = script.problem()
    labels, parents = list(range(len(stated.assertions))), list(range(1, len(stated.assertions) + 1))
    if arguments:
        places = {each.name: place for place, each in enumerate(stated.assertions)}
        groups, parents = _groups(script, word, arguments)
        labels = [AXIOM] * len(labels)
        for number, group in enumerate(groups):
            for label in group:
                place = places.get(symbol_of(label))
                if place is None:
                    raise error(label, "no assertion has this name", label)
                if labels[place] != AXIOM:
                    raise error(label, "an assertion belongs to one group", label)
                labels[place] = number
    if len(parents) < 2:
        raise error(word, f"{len(parents)} groups of assertions: an interpolant needs two")
    is_tree = any(parent != group + 1 for group, parent in enumerate(parents[:-1]))
    return Interpolation.of(stated, labels, parents[:-1] if is_tree else ())


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
