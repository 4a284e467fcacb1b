"""Interpolate with a released solver, and check the interpolants: python ask_itp.py SOLVER PROBLEM [INPUT] [CMD ...].

PROBLEM has assertions in groups, `(! F :interpolation-group g0)`. SOLVER is bitwuzla, cvc5 or spacer, or the name of
a command, which is CMD. INPUT is the text that the solver reads in the place of PROBLEM. The conditions of the
definition are decided by Z3 and cvc5. The solver has five minutes, and so have the conditions.
(pip install z3-solver cvc5 bitwuzla)
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

TOKEN = re.compile(r';[^\n]*|("(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s();"|]+)')
OPTION = re.compile(r"^\(set-option :(\S+) (\S+)\)$", re.MULTILINE)
BINDERS = ("forall", "exists", "lambda", "let")
SECONDS = 300
CHECKING = (("incremental", "true"), ("arrays-exp", "true"), ("tlimit-per", "20000"))  # of cvc5


def parsed(text: str) -> list[Any]:
    """Return a text as nested lists of words."""
    stack: list[list[Any]] = [[]]
    for found in TOKEN.finditer(text):
        word = found[1]
        if word == "(":
            stack.append([])
        elif word == ")":
            last = stack.pop()
            stack[-1].append(last)
        elif word:
            stack[-1].append(word)
    return stack[0]


def printed(node: Any) -> str:
    """Return the text of nested lists."""
    return node if isinstance(node, str) else f"({' '.join(map(printed, node))})"


def words(node: Any, bound: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the words of a formula that its own variables do not hide."""
    if isinstance(node, str):
        if node not in bound:
            yield node
        return
    if node and node[0] in BINDERS:
        for row in node[1]:
            for part in row[1:]:
                yield from words(part, bound)
        bound |= {row[0] for row in node[1]}
        node = node[2:]
    for child in node:
        yield from words(child, bound)


class GroupedProblem:
    """A problem with its groups; `parents` has the group above each group but the last.

    `declared` are its declarations and definitions, `defined` the words in the body of each definition.
    """

    def __init__(self, text: str) -> None:
        self.options = OPTION.findall(text)
        self.declared: list[Any] = []
        self.defined: dict[str, set[str]] = {}
        self.axioms: list[Any] = []
        groups: dict[int, list[Any]] = {}
        parents = None
        for command in parsed(text):
            if command[0].startswith("declare-"):
                self.declared.append(command)
            elif command[0] == "define-fun":
                self.declared.append(command)
                parameters = frozenset(row[0] for row in command[2])
                self.defined[command[1]] = self.symbols(command[4], parameters)
            elif command[:2] == ["set-info", ":interpolation-parents"]:
                parents = [int(name[1:]) for name in command[2].strip('"').split()]
            elif command[0] == "assert":
                formula, group = command[1][1], command[1][command[1].index(":interpolation-group") + 1]
                (self.axioms if group == "axiom" else groups.setdefault(int(group[1:]), [])).append(formula)
        self.groups = [groups[number] for number in sorted(groups)]
        self.last = len(self.groups) - 1
        self.parents = parents or list(range(1, len(self.groups)))

    def children(self, group: int) -> list[int]:
        """Return the groups directly below a group."""
        return [child for child, parent in enumerate(self.parents) if parent == group]

    def below(self, cut: int) -> set[int]:
        """Return the groups on the side A of a cut."""
        return {cut}.union(*map(self.below, self.children(cut)))

    def symbols(self, node: Any, bound: frozenset[str] = frozenset()) -> set[str]:
        """Return the words of a formula, with those of the definitions that it uses."""
        found = set(words(node, bound))
        return found.union(*(self.defined[name] for name in found & self.defined.keys()))

    def foreign(self, cut: int, interpolant: Any) -> list[str]:
        """Return the declared symbols of an interpolant that both sides do not share."""
        declared = {command[1] for command in self.declared if command[0] in ("declare-fun", "declare-const")}
        groups = self.below(cut)
        below = [formulas for group, formulas in enumerate(self.groups) if group in groups]
        above = [formulas for group, formulas in enumerate(self.groups) if group not in groups]
        axioms = self.symbols(self.axioms)
        shared = (self.symbols(below) & (self.symbols(above) | axioms)) | axioms
        return sorted((set(words(interpolant)) & declared) - shared)

    def conditions(self, interpolants: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield the conditions on interpolants, each with a script that is unsatisfiable if it holds."""
        for group, formulas in enumerate(self.groups):
            below = self.children(group)
            premises = [*(interpolants[cut] for cut in below), *map(printed, formulas)]
            names = " and ".join([*(f"interpolant {cut + 1}" for cut in below), f"group g{group}"])
            if group == self.last:
                premises += map(printed, self.axioms)
                name = f"{names} contradict each other"
            else:
                premises.append(f"(not {interpolants[group]})")
                name = f"{names} imply interpolant {group + 1}" if below else f"{names} implies interpolant {group + 1}"
            yield name, "\n".join(f"(assert {premise})" for premise in premises)


def of_bitwuzla(problem: GroupedProblem, settings: Sequence[tuple[str, str]]) -> list[str]:
    """Return the interpolants that Bitwuzla computes with its own bindings."""
    import bitwuzla

    options = bitwuzla.Options()
    for name, value in [*settings, ("produce-interpolants", "true"), ("produce-models", "true")]:
        options.set(name, {"true": True, "false": False}.get(value, int(value) if value.isdecimal() else value))
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse("(set-logic ALL)" + "\n".join(map(printed, problem.declared)), True, False)
    solver, terms = parser.bitwuzla(), []
    seen: set[int] = set()
    for group in [*problem.groups, problem.axioms]:
        found = {term.id(): term for term in (parser.parse_term(printed(formula)) for formula in group)}
        terms.append([term for number, term in found.items() if number not in seen])
        seen |= found.keys()
    for term in [term for group in terms for term in group]:
        solver.assert_formula(term)
    answer = solver.check_sat()
    if answer != bitwuzla.Result.UNSAT:
        sys.exit(str(answer))
    return list(map(str, solver.get_interpolants(terms[: problem.last])))


def of_spacer(text: str) -> list[str]:
    """Return the interpolants in Spacer's model of the Horn system; its comments have the atom of each cut."""
    import z3

    atoms = [parsed(line)[0] for line in re.findall(r"^; (\(.*\))$", text, re.MULTILINE)]
    solver = z3.SolverFor("HORN")
    for name, value in OPTION.findall(text):
        solver.set(name, {"true": True, "false": False}.get(value, int(value) if value.isdecimal() else value))
    solver.from_string(OPTION.sub("", text))
    answer = solver.check()
    if answer != z3.sat:
        sys.exit(f"the Horn system: {answer}")
    print(solver.model().sexpr())
    defined = {each[1]: each for each in parsed(solver.model().sexpr()) if each[0] == "define-fun"}
    found = []
    for name, *arguments in atoms:
        values = [each[0] for each in defined[name][2]] if name in defined else []
        rows = [[old, value] for old, value in zip(values, arguments, strict=True)] if values else []
        body = defined[name][4] if name in defined else "false"
        found.append(printed(["let", rows, body] if rows else body))
    return found


def of_command(problem: GroupedProblem, text: str, command: Sequence[str]) -> list[str]:
    """Return the interpolants that a command prints; a comment in its input has the order of the cuts."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        sys.exit(f"the solver has not ended after {SECONDS} s")
    print(f"{done.stdout}{done.stderr}".strip(), f"(exit code {done.returncode})", sep="\n")
    after = parsed(done.stdout.partition("unsat")[2])
    if not after or after[0][:1] == ["error"]:
        sys.exit("no interpolants")
    several = "(get-interpolants " in text
    listed = after[0] if several else [each[-1] if each[:1] == ["define-fun"] else each for each in after]
    order = re.search(r"^; cuts: (.*)$", text, re.MULTILINE)
    cuts = list(map(int, order[1].split())) if order else list(range(problem.last))
    return [printed(formula) for _, formula in sorted(zip(cuts, listed, strict=False), key=lambda pair: pair[0])]


def of_cvc5(text: str) -> list[str]:
    """Return the interpolant that cvc5 prints for its input."""
    after = parsed(cvc5_output(text, ()))
    found = [each[-1] for each in after if each[:1] == ["define-fun"]]
    if not found:
        sys.exit(f"cvc5: {printed(after)}")
    return list(map(printed, found))


def cvc5_output(text: str, settings: Sequence[tuple[str, str]]) -> str:
    """Return what cvc5 prints for a script."""
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    for name, value in settings:
        solver.setOption(name, value)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "script")
    out = ""
    try:
        while not (command := parser.nextCommand()).isNull():
            out += str(command.invoke(solver, parser.getSymbolManager()))
    except RuntimeError as error:
        return f"refuses it: {error}"
    return out.strip()


def z3_output(text: str) -> str:
    """Return Z3's answer to a script."""
    import z3

    solver = z3.Solver()
    solver.set("rlimit", 20_000_000)
    try:
        solver.from_string(text)
        return str(solver.check())
    except z3.Z3Exception as error:
        return f"refuses it: {error}"


def main() -> None:
    """Print the interpolants of a solver, and whether they are interpolants."""
    solver, path, *more = sys.argv[1:]
    with open(path) as file:
        problem = GroupedProblem(file.read())
    text = ""
    if more:
        with open(more[0]) as file:
            text = file.read()
    name, *given = solver.split(":")
    settings = [(key, value) for key, _, value in (setting.partition("=") for setting in given)]
    signal.alarm(SECONDS + 10)  # ends this process even within a solver that is a library
    if len(more) > 1:
        interpolants = of_command(problem, text, more[1:])
    elif name == "spacer":
        interpolants = of_spacer(text)
    elif name == "cvc5":
        interpolants = of_cvc5(text)
    elif name == "bitwuzla":
        interpolants = of_bitwuzla(problem, [*settings, *problem.options])
    else:
        sys.exit(f"{name} is a part of chcfuzz: chcfuzz replay mutant.smt2 --domain interpolation --solver {name}")
    for cut, interpolant in enumerate(interpolants):
        foreign = ", ".join(problem.foreign(cut, parsed(interpolant)))
        print(f"interpolant {cut + 1}: {interpolant}")
        print(f"  symbols that both sides do not share: {foreign or 'none'}")
    if len(interpolants) != problem.last:
        sys.exit(f"{len(interpolants)} interpolants instead of {problem.last}")
    declared = "\n".join(map(printed, problem.declared))
    signal.alarm(SECONDS)
    for name, asserted in problem.conditions(interpolants):
        script = f"(set-logic ALL)\n{declared}\n{asserted}\n(check-sat)\n"
        print(f"{name}: unsat if so; Z3 {z3_output(script)}, cvc5 {cvc5_output(script, CHECKING)}")


if __name__ == "__main__":
    main()
