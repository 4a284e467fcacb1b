"""The text of part problems: plain SMT-LIB, with the question in a `set-info` that other tools ignore.

`(set-info :chcfuzz-part "(project (x a) ((x 0) (a ((as const (Array Int Int)) 1))))")`: the part, its subjects, the
model and the options; empty lists at the end are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.domains.parts.question import (
    INFO,
    NONE,
    PARTS,
    VARIABLES,
    ModelPairs,
    PartProblem,
    PartQuestion,
    SolverPart,
)
from chcfuzz.grammar.errors import ChcfuzzError, GrammarError
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, as_term
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.problem import Pairs, Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.reading.sexpr import Sexpr, name_in, sexprs
from chcfuzz.grammar.small_formulas.assignments import ModelJudgement, free_constants
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import Term

_FIELDS = 3


def read(text: str, name: str = "<text>") -> PartProblem | Problem:
    """Return the problem that a script states, a plain one without a question; raises `GrammarError`."""
    problem = parse.problem(text, name)
    info = dict(problem.info)
    if INFO not in info:
        return problem
    rest = [(key, value) for key, value in problem.info if key != INFO]
    plain = problem.with_header(rest, problem.options)
    return PartProblem.of(plain, _Reader(name, plain).question(_unquoted(info[INFO])))


def printed(problem: PartProblem) -> str:
    """Return the text of a problem; `read` of it is the same problem."""
    text = print_question(problem.question).replace('"', '""')
    return print_problem(problem.with_header((*problem.info, (INFO, f'"{text}"')), problem.options))


def print_question(question: PartQuestion) -> str:
    """Return the text of a question."""
    values = " ".join(f"({quoted(name)} {print_term(value)})" for name, value in question.model)
    options = " ".join(f"({name} {value})" for name, value in question.options)
    parts = [" ".join(map(quoted, question.subjects)), values, options]
    while parts and not parts[-1]:
        parts.pop()
    return f"({' '.join((question.part, *(f'({part})' for part in parts)))})"


def _unquoted(text: str) -> str:
    return text[1:-1].replace('""', '"') if text.startswith('"') else text


class _Reader:
    """Reads the question of one problem."""

    def __init__(self, name: str, problem: Problem) -> None:
        self._name = name
        self._problem = problem
        self._functions = {function.name: function for function in problem.functions}
        self._free = free_constants(problem)

    def question(self, text: str) -> PartQuestion:
        try:
            found = sexprs(text)
        except ChcfuzzError as error:
            raise self._error(f"the question is not read: {error}", text) from error
        match found:
            case [[str(part), *lists]] if part in PARTS and len(lists) <= _FIELDS:
                return self._checked(PARTS[part], lists, text)
            case [[str(part), *_]] if part not in PARTS:
                raise self._error(f"no part has this name; there are {', '.join(PARTS)}", part)
        raise self._error("a question is (PART (SUBJECTS) ((NAME VALUE) ...) ((OPTION VALUE) ...))", text)

    def _checked(self, part: SolverPart, lists: Sequence[Sexpr], text: str) -> PartQuestion:
        found = [each for each in lists if isinstance(each, list)]
        if len(found) < len(lists):
            raise self._error("subjects, model and options are lists", text)
        subjects, model, options = (found[number] if number < len(found) else [] for number in range(_FIELDS))
        question = PartQuestion(
            part.name, self._subjects(part, subjects), self._model(model), self._options(part, options)
        )
        if len(question.subjects) < part.least:
            raise self._error(f"{part.name} needs at least {part.least} subject", text)
        if part.needs_model and not question.model:
            raise self._error(f"{part.name} needs a model, as in ((x 0) (y 2))", text)
        if not part.takes_quantifiers and any(formula.depth for formula in self._problem.formulas):
            raise self._error(f"{part.name} takes no quantifiers", text)
        if question.model:
            self._check_model(dict(question.model))
        return question

    def _subjects(self, part: SolverPart, found: Sexpr) -> tuple[str, ...]:
        words = [name_in(each) if isinstance(each, str) else "" for each in found]
        if words and part.subjects == NONE:
            raise self._error(f"{part.name} takes no subjects", " ".join(words))
        for number, word in enumerate(words):
            if word in words[:number] and part.subjects == VARIABLES:
                raise self._error("a variable is named twice", word)
            if part.subjects == VARIABLES:
                self._check_variable(word)
            elif word not in part.names:
                raise self._error(f"{part.name} has no such name; see docs/parts.md", word)
        return tuple(words)

    def _check_variable(self, word: str) -> None:
        function = self._functions.get(word)
        if function is None:
            raise self._error("the question names a variable that is not declared", word)
        if function.parameters:
            raise self._error("the question names a function; only constants can be eliminated", word)
        if word not in self._free:
            raise self._error("the question names a variable that is not free in the formula", word)

    def _model(self, found: Sexpr) -> ModelPairs:
        values: dict[str, Term] = {}
        for each in found:
            match each:
                case [str(symbol), value]:
                    name = name_in(symbol)
                    if name not in self._functions:
                        raise self._error("the model has a value for a symbol that is not declared", name)
                    if name in values:
                        raise self._error("the model has two values for a symbol", name)
                    values[name] = self._value(name, _text(value))
                case _:
                    raise self._error("a value of the model is (NAME VALUE)", _text(each))
        missing = next((name for name in self._functions if name not in values), None) if values else None
        if missing is not None:
            raise self._error("the model lacks a value", missing)
        return tuple((name, values[name]) for name in self._functions) if values else ()

    def _value(self, name: str, text: str) -> Term:
        term = parse.parse_term(text, (), self._problem, self._name)
        if term.sort is not self._functions[name].result:
            raise self._error(f"the value of {name} has sort {term.sort}, not {self._functions[name].result}", text)
        value = evaluate(term, {})
        if value is UNDETERMINED:
            raise self._error(f"the value of {name} is not a value", text)
        return as_term(value, term.sort)

    def _check_model(self, model: dict[str, Term]) -> None:
        judgement = ModelJudgement(self._problem, model)
        for number, formula in enumerate(self._problem.formulas, 1):
            if judgement.truth(formula) is not True:
                how = "false" if judgement.truth(formula) is False else "open"
                raise self._error(f"assertion {number} is {how} in the model of the question", print_term(formula)[:80])

    def _options(self, part: SolverPart, found: Sexpr) -> Pairs:
        options: dict[str, str] = {}
        for each in found:
            match each:
                case [str(name), str(value)] if name in part.options:
                    if value not in part.options[name]:
                        raise self._error(f"{name} is one of {', '.join(part.options[name])}", value)
                    options[name] = value
                case [str(name), str(_)]:
                    raise self._error(f"{part.name} has no such option", name)
                case _:
                    raise self._error("an option is (NAME VALUE)", _text(each))
        return tuple(options.items())

    def _error(self, what: str, text: str) -> GrammarError:
        return GrammarError(self._name, 1, 1, what, text)


def _text(found: Sexpr) -> str:
    return found if isinstance(found, str) else f"({' '.join(map(_text, found))})"
