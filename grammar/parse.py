"""Text to systems and terms: the door to the parser.

A script becomes a tree of tokens first (`syntax`) and terms second (`elaboration`), because only the second knows what
is bound where. Where Z3 is lenient, the result is what Z3 understands (`leniences`); what is stated in the end is the
system before the script's check (`commands`).
"""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.grammar.commands import HornScript, ProblemScript
from chcfuzz.grammar.declarations import Declarations, Definition
from chcfuzz.grammar.elaboration import Elaboration
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.problem import BaseProblem, Problem
from chcfuzz.grammar.syntax import tree_of
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Term, Variable

__all__ = ["Definition", "parse", "parse_definitions", "parse_term", "problem"]


def parse(text: str, name: str = "<text>") -> System:
    """Return the system that a script states; raises `GrammarError`, which names the place, for anything else."""
    script = HornScript(name)
    for command in tree_of(text, name).children:
        script.run(command)
    system = script.system()
    if not system.clauses and not system.predicates:
        raise GrammarError(name, 1, 1, "no clause and no predicate: this is no CHC system", text[:60])
    return system


def problem(text: str, name: str = "<text>") -> Problem:
    """Return the SMT problem that a script states; raises `GrammarError`, which names the place, for anything else."""
    script = ProblemScript(name)
    for command in tree_of(text, name).children:
        script.run(command)
    stated = script.problem()
    if not stated.assertions and not stated.functions:
        raise GrammarError(name, 1, 1, "no assertion and no function: this is no SMT problem", text[:60])
    return stated


def parse_term(
    text: str, variables: Sequence[Variable] = (), system: BaseProblem | None = None, name: str = "<term>"
) -> Term:
    """Return the term that a text states over these free variables and the declarations of a problem."""
    declared = Declarations(name)
    if system is not None:
        declared.adopt(system)
    scope = {variable.name: variable for variable in variables}
    return Elaboration(declared, scope).run(tree_of(text, name, "term"))


def parse_definitions(text: str, system: System | None = None, name: str = "<definitions>") -> dict[str, Definition]:
    """Return the `define-fun`s of a text by name; raises `GrammarError`.

    They are over the data types of a system, not over its predicates, whose names they may have. Each may use those
    before it, and these are expanded.
    """
    script = HornScript(name)
    if system is not None:
        script.declared.adopt(system.with_predicates(()).with_clauses(()))
    for command in tree_of(text, name).children:
        script.run(command)
    return dict(script.declared.macros)
