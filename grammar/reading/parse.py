"""Text to systems and terms: the door to the parser.

A script becomes a tree of tokens first (`syntax`) and terms second (`elaboration`), because only the second knows what
is bound where. Where Z3 is lenient, the result is what Z3 understands (`leniences`). The commands decide what is stated
in the end (`commands`): a CHC system (`horn_script`), or an SMT problem at each check (`problem_script`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.problem import BaseProblem, Problem
from chcfuzz.grammar.reading.commands import LeftOut, Script
from chcfuzz.grammar.reading.declarations import SMT_PROBLEMS, Declarations, Definition
from chcfuzz.grammar.reading.elaboration import Elaboration
from chcfuzz.grammar.reading.horn_script import HornScript
from chcfuzz.grammar.reading.problem_script import ProblemScript, problem_ends
from chcfuzz.grammar.reading.refusals import in_plain_words
from chcfuzz.grammar.reading.syntax import tree_of
from chcfuzz.grammar.reading.taken_words import without_taken_words
from chcfuzz.grammar.reading.tree import Tree
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Term, Variable

__all__ = [
    "Definition",
    "check_size",
    "checks",
    "left_out",
    "parse",
    "parse_definitions",
    "parse_term",
    "problem",
    "problem_commands",
]

MAX_STATED = 1_000_000  # assertions in all problems of a script together


def parse(text: str, name: str = "<text>") -> System:
    """Return the system that a script states; raises `GrammarError`, which names the place, for anything else."""
    script = HornScript(name)
    with in_plain_words():
        for command in tree_of(without_taken_words(text), name).children:
            script.run(command)
    system = script.system()
    if not system.clauses and not system.predicates:
        raise GrammarError(name, 1, 1, "no clause and no predicate: this is no CHC system", text[:60])
    return system


def problem(text: str, name: str = "<text>", check: int | None = None, script: ProblemScript | None = None) -> Problem:
    """Return the SMT problem that a script states; raises `GrammarError`, which names the place, for anything else.

    `check` counts the script's checks from 0. Without it, the last check decides, or the end of a script without one.
    A `script` of a derived class learns more from the commands.
    """
    commands = problem_commands(text, name)
    ends = problem_ends(commands)
    if check is not None and not 0 <= check < len(ends):
        raise GrammarError(name, 1, 1, f"check {check} is not in the script, which has {len(ends)}", text[:60])
    script = script or ProblemScript(name)
    with in_plain_words():
        for command in commands[: ends[-1 if check is None else check]]:
            script.run(command)
    stated = script.problem()
    if not stated.assertions and not stated.functions:
        raise GrammarError(name, 1, 1, "no assertion and no function: this is no SMT problem", text[:60])
    return stated


def checks(text: str, name: str = "<text>") -> tuple[Problem, ...]:
    """Return the SMT problem of each check of a script, or of the end of a script without checks."""
    script = ProblemScript(name)
    found: list[Problem] = []
    commands = problem_commands(text, name)
    ends = set(problem_ends(commands))
    with in_plain_words():
        for number, command in enumerate(commands, 1):
            script.run(command)
            if number in ends:
                found.append(script.problem())
                check_size(script, command, found)
    return tuple(found) or (script.problem(),)


def check_size(script: ProblemScript, command: Tree, stated: Iterable[Problem]) -> None:
    """Raise `GrammarError` at a command if the problems of a script have too many assertions together."""
    if sum(len(each.assertions) for each in stated) > MAX_STATED:
        raise script.declared.error(command, f"the checks have more than {MAX_STATED} assertions together")


def problem_commands(text: str, name: str) -> list[Tree]:
    """Return the commands of a script that states SMT problems; raises `GrammarError`."""
    with in_plain_words():
        return tree_of(without_taken_words(text), name).children


def left_out(script: Script, text: str) -> tuple[LeftOut, ...]:
    """Return the commands of a text that no solver gets, from the script that reads it; raises `GrammarError`."""
    with in_plain_words():
        for command in tree_of(without_taken_words(text), script.declared.name).children:
            script.run(command)
    return script.all_left_out()


def parse_term(
    text: str, variables: Sequence[Variable] = (), system: BaseProblem | None = None, name: str = "<term>"
) -> Term:
    """Return the term that a text states over these free variables and the declarations of a problem."""
    declared = Declarations(name) if isinstance(system, System) else Declarations(name, SMT_PROBLEMS)
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
