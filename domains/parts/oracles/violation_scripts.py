"""Evidence as SMT-LIB: scripts that show a violation to any solver."""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.domains.parts.question_text import print_question
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import Function, Term


def declarations(problem: PartProblem) -> str:
    """Return the declarations of a problem."""
    return print_problem(problem.plain()).removesuffix("(check-sat)\n")


def script(problem: PartProblem, words: str, lines: Sequence[str]) -> str:
    """Return a script with a comment, the declarations of a problem, and these lines."""
    question = " ".join(print_question(problem.question).split())
    return "\n".join([f"; {words}", f"; The question: {question}", declarations(problem).rstrip(), *lines, ""])


def values_script(problem: PartProblem, words: str, values: dict[str, Term], claims: Sequence[tuple[str, Term]]) -> str:
    """Return a script that checks each claim alone, with its words as a comment, at values of some functions."""
    lines = [equation(function, values[function.name]) for function in problem.functions if function.name in values]
    for text, claim in claims:
        lines += [f"; {text}", "(push)", f"(assert {print_term(claim)})", "(check-sat)", "(pop)"]
    return script(problem, words, lines)


def equation(function: Function, value: Term) -> str:
    """Return the assertion that a function has one value for all arguments."""
    if not function.parameters:
        return f"(assert (= {quoted(function.name)} {print_term(value)}))"
    names = [f"p!{number}" for number in range(len(function.parameters))]
    bound = " ".join(f"({name} {sort})" for name, sort in zip(names, function.parameters, strict=True))
    return f"(assert (forall ({bound}) (= ({quoted(function.name)} {' '.join(names)}) {print_term(value)})))"
