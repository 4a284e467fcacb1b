"""Evidence as SMT-LIB: scripts that show a violation to any solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chcfuzz.domains.parts.oracles.violating_values import at_values
from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.domains.parts.question_text import print_question
from chcfuzz.grammar.printing.constant_arrays import WORDS_ON_WEAKENED, weakened
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import Function, Term, conjunction, free_variables


@dataclass(frozen=True)
class Stated:
    """A claim of a script: a formula, and what a solver answers to it at the values of the script."""

    words: str
    answer: str
    formula: Term


def declarations(problem: PartProblem) -> str:
    """Return the declarations of a problem."""
    return print_problem(problem.plain()).removesuffix("(check-sat)\n")


def script(problem: PartProblem, words: str, lines: Sequence[str]) -> str:
    """Return a script with a comment, the declarations of a problem, and these lines."""
    question = " ".join(print_question(problem.question).split())
    return "\n".join([f"; {words}", f"; The question: {question}", declarations(problem).rstrip(), *lines, ""])


def values_script(problem: PartProblem, words: str, values: Mapping[str, Term], claims: Sequence[Stated]) -> str:
    """Return a script that checks each claim alone, with its words as a comment, at values of some functions."""
    lines = [equation(function, values[function.name]) for function in problem.functions if function.name in values]
    for claim in claims:
        lines += [f"; {claim.words}: {claim.answer}", "(push)"]
        lines += [*_assertions(problem, claim.formula, claim.answer, values), "(check-sat)", "(pop)"]
    return script(problem, words, lines)


def refuting_script(problem: PartProblem, words: str, formulas: Sequence[Term]) -> str:
    """Return a script whose answer unsat refutes the formulas together."""
    lines = [*_assertions(problem, conjunction(*formulas), "unsat", {}), "(check-sat)"]
    return script(problem, f"{words}: unsat.", lines)


def _assertions(problem: PartProblem, formula: Term, answer: str, values: Mapping[str, Term]) -> list[str]:
    """Return the assertion of a formula, at values if cvc5 does not read its constant arrays.

    It may be weaker than the formula if the answer is to be unsat.
    """
    names = {*problem.declared_names, *problem.signature}
    if weakened(formula, names) is formula:
        return [f"(assert {print_term(formula)})"]
    here = at_values(formula, values)
    shown = weakened(here, names) if answer == "unsat" else here
    declared = [f"(declare-const {quoted(each.name)} {each.sort})" for each in free_variables(shown)]
    return [*([WORDS_ON_WEAKENED] if declared else []), *declared, f"(assert {print_term(shown)})"]


def equation(function: Function, value: Term) -> str:
    """Return the assertion that a function has one value for all arguments."""
    if not function.parameters:
        return f"(assert (= {quoted(function.name)} {print_term(value)}))"
    names = [f"p!{number}" for number in range(len(function.parameters))]
    bound = " ".join(f"({name} {sort})" for name, sort in zip(names, function.parameters, strict=True))
    return f"(assert (forall ({bound}) (= ({quoted(function.name)} {' '.join(names)}) {print_term(value)})))"
