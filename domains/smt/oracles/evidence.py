"""Scripts that show a model of an SMT problem, or a fault of one, with any solver.

Elements of uninterpreted sorts, such as `(as @U_0 U)` and `U!val!0`, become constants that differ from each other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from chcfuzz.grammar.definitions import DefinedFunction
from chcfuzz.grammar.evaluation.values import as_term
from chcfuzz.grammar.form import PLAIN
from chcfuzz.grammar.printing.printer import print_definition, print_problem, print_recursive, print_term
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.recursion import in_groups
from chcfuzz.grammar.sorts import holds_elements
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import Function, Variable
from chcfuzz.oracles.left_open import some_value
from chcfuzz.oracles.scripts import joined, ordered
from chcfuzz.solvers.model_text import TextModel, pieces, symbols_of

_OF_CVC5 = re.compile(r"\(as (@[^\s()|]+|\|@[^|]*\|) (\|[^|]*\||[^\s()|]+)\)")


def assertion_script(problem: Problem, definitions: str, number: int) -> str:
    """Return a script that is satisfiable if assertion `number` is false under a model."""
    title = f"; The model, and the negation of assertion {number + 1}: satisfiable, so the model is wrong."
    return joined((title, *_header(problem, definitions), *_negated(problem, number), "(check-sat)"))


def model_script(problem: Problem, definitions: str) -> str:
    """Return a `check-sat` for each assertion, in order: unsat if the assertion holds under the model.

    Functions that the model leaves out have a fixed value, unless it is an element of a sort.
    """
    lines = ["; A model, and the negation of each assertion: unsat every time, so every assertion holds under it."]
    lines += _header(problem, _with_defaults(problem, definitions))
    for number in range(len(problem.assertions)):
        echo = f'(echo "assertion {number + 1}")'
        lines += [echo, "(push 1)", *_negated(problem, number), "(check-sat)", "(pop 1)"]
    return joined(lines)


def _with_defaults(problem: Problem, definitions: str) -> str:
    """Return the definitions of a model, and one for each function that it leaves out."""
    defined = TextModel(definitions).defined
    recursive = [each.function for each in problem.recursive.values()]
    left = [each for each in problem.functions if each.name not in defined and each not in recursive]
    left = [each for each in left if not holds_elements(each.result)]
    return "\n".join((definitions, *map(_default, left)))


def _default(function: Function) -> str:
    parameters = tuple(Variable(f"x!{number}", sort) for number, sort in enumerate(function.parameters))
    value = as_term(some_value(function.result), function.result)
    return print_definition(DefinedFunction(function.name, parameters, value))


def _negated(problem: Problem, number: int) -> Sequence[str]:
    return (f"(assert (not {print_term(problem.formulas[number])}))",)


def _header(problem: Problem, definitions: str) -> list[str]:
    """Return the declarations, the elements of uninterpreted sorts, and the functions as the model defines them."""
    elements: dict[str, str] = {}  # sorts by the name of their element
    names = {sort.name: sort for sort in problem.sorts}

    def constant(found: re.Match[str]) -> str:
        name = quoted("e!" + found[1].strip("|").lstrip("@"))
        elements[name] = found[2]
        return name

    closed, text = _universes(definitions)
    text = _OF_CVC5.sub(constant, text)
    elements |= {quoted("e!" + name.strip("|").lstrip("@")) if "@" in name else name: of for name, of in closed}
    for sort in names:
        of_z3 = re.compile(rf"(?<![^\s()])(\|?{re.escape(sort)}!val!\d+\|?)(?![^\s()])")
        elements |= {name: quoted(sort) for name in sorted(set(of_z3.findall(text)))}
    recursive = [each.function for each in problem.recursive.values()]
    defined = TextModel(text).defined
    left = [each for each in problem.functions if each.name not in defined and each not in recursive]
    declared = replace(problem, functions=tuple(left), assertions=(), info=(), options=(), form=PLAIN)
    lines = print_problem(declared).removesuffix("(check-sat)\n").splitlines()
    lines += [f"(declare-const {name} {sort})" for name, sort in elements.items()]
    for sort in dict.fromkeys(elements.values()):
        same = [name for name, of in elements.items() if of == sort]
        lines += [f"(assert (distinct {' '.join(same)}))"] if len(same) > 1 else []
        if any(of == sort for _, of in closed):
            one_of_them = " ".join(f"(= other {name})" for name in same)
            lines.append(f"(assert (forall ((other {sort})) (or false {one_of_them})))")
    lines += _needed([each for each in problem.functions if each not in recursive], ordered(text))
    return lines + [print_recursive(group) for group in in_groups(list(problem.recursive.values()))]


def _universes(model: str) -> tuple[list[tuple[str, str]], str]:
    """Return the elements that a model declares, each with its sort, and the text without these declarations."""
    found, left = [], []
    for piece in pieces(model):
        word, name, *rest = symbols_of(piece)
        if word == "declare-fun":
            found.append((name, rest[-1]))
        else:
            left.append(piece)
    return found, "\n".join(left)


def _needed(functions: Sequence[Function], definitions: Sequence[str]) -> list[str]:
    """Return the definitions of functions, and those that they use, in their order."""
    needed = {quoted(function.name) for function in functions}
    found = []
    for definition in reversed(definitions):
        name, *symbols = symbols_of(definition)[1:]
        if quoted(name.strip("|")) in needed:
            needed |= {quoted(symbol.strip("|")) for symbol in symbols}
            found.append(definition)
    return found[::-1]
