"""Part problems as roots of recipes."""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.domains.parts.drawing import drawn_question_problem
from chcfuzz.domains.parts.question import PARTS, VARIABLES, PartProblem, PartQuestion
from chcfuzz.domains.parts.question_text import printed, read
from chcfuzz.domains.protocol import Roots
from chcfuzz.domains.smt.rows import names as smt_names
from chcfuzz.domains.smt.rows import order as smt_order
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.drawing_limits import USUAL, Limits
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printing import dialects
from chcfuzz.grammar.problem import BaseProblem, Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.reading.decoding import states_horn
from chcfuzz.grammar.small_formulas.assignments import found_models, free_constants
from chcfuzz.mutators.families import arithmetic, boolean

BUILT_IN = (
    """(set-logic ALL)
(set-info :chcfuzz-part "(project (x) ((x 1) (y 2)))")
(declare-const x Int)
(declare-const y Int)
(assert (< x y))
(check-sat)
""",
    """(set-logic ALL)
(set-info :chcfuzz-part "(mbp (x) ((x 1) (y 2)))")
(declare-const x Int)
(declare-const y Int)
(assert (and (< x y) (> x 0)))
(check-sat)
""",
    """(set-logic ALL)
(set-info :chcfuzz-part "(implicant () ((x 1) (y 2)))")
(declare-const x Int)
(declare-const y Int)
(assert (or (< x y) (= x 3)))
(check-sat)
""",
)
PROJECTIONS = "projections"
_TRIES = 200  # values that are drawn for a problem without a model
_KEY = b"models of roots"


class PartRoots(Roots):
    """Part problems as roots of recipes; see `mutators.roots.Roots`."""

    noun = "part question"
    built_in = BUILT_IN
    readers = dialects.READERS
    draws = True
    kinds = tuple(PARTS)
    readings = (PROJECTIONS,)
    classes = ("any", *PARTS)
    entropy_rows = tuple(row.id for module in (boolean, arithmetic, smt_order, smt_names) for row in module.MUTATIONS)

    def class_of(self, problem: BaseProblem) -> str:
        """Return the part."""
        return as_question(problem).question.part

    def draw(self, choices: Choices, _limits: Limits = USUAL, /) -> PartProblem:
        """Draw a question with its model."""
        return drawn_question_problem(choices)

    def draw_kind(self, kind: str, choices: Choices) -> PartProblem:
        """Draw a question to a part."""
        return drawn_question_problem(choices, kind)

    def parse(self, text: str, name: str) -> PartProblem:
        """Return the problem that a text states; one without a question gets the first that fits it.

        Raises `GrammarError`.
        """
        found = read(text, name)
        return found if isinstance(found, PartProblem) else asked(found, name)[0]

    def parse_all(self, text: str, name: str, readings: Sequence[str] = ()) -> tuple[PartProblem, ...]:
        """Return the problem of a text with a question, or several questions about each check of an SMT problem.

        With the reading `projections`, a CHC system states the formulas that Spacer projects while it solves it.
        """
        if PROJECTIONS in readings and states_horn(text):
            return projections_of(text, name)
        found = read(text, name)
        if isinstance(found, PartProblem):
            return (found,)
        stated = dict.fromkeys(each for each in parse.checks(text, name) if each.assertions)
        return tuple(question for each in stated or [found] for question in asked(each, name))

    def print(self, problem: BaseProblem) -> str:
        """Return the canonical text of a problem, after its options."""
        options = "".join(f"(set-option :{name} {value})\n" for name, value in problem.options)
        return options + printed(as_question(problem).with_header(problem.info, ()))

    def print_for(self, problem: BaseProblem, reader: str) -> str:
        """Return the text of the formula for a solver, or in standard SMT-LIB."""
        return dialects.print_for(as_question(problem).problem, reader)

    def complexity(self, problem: BaseProblem) -> tuple[int, int]:
        """Order problems by the number of theories, then by nodes."""
        return len(problem.theories), problem.nodes


def asked(problem: Problem, name: str) -> list[PartProblem]:
    """Return questions about an SMT problem: one to each part whose needs it meets; raises `GrammarError`."""
    model = next(found_models(problem, Choices(b"", _KEY), _TRIES), {})
    constants = free_constants(problem)
    found = []
    for part in PARTS.values():
        subjects = constants[:1] if part.subjects == VARIABLES else part.default
        each = PartProblem.of(problem.with_header((), ()), PartQuestion(part.name, subjects, tuple(model.items())))
        if each.is_askable:
            found.append(each)
    if not found:
        raise GrammarError(name, 1, 1, "no part can be asked about it: no model is among the values that are tried", "")
    return found


def projections_of(text: str, name: str) -> tuple[PartProblem, ...]:
    """Run Spacer on a CHC system; return questions about the formulas that it projects. Raises `GrammarError`."""
    from chcfuzz.domains.parts.spacer_worker import projected_questions

    parse.parse(text, name)
    found = projected_questions(text)
    if found.death:
        raise GrammarError(name, 1, 1, f"the run of Spacer {found.death}", "")
    if not found.texts:
        raise GrammarError(name, 1, 1, "Spacer projects no formula that is read and has a model", "")
    return tuple(each for text in found.texts if isinstance(each := read(text, name), PartProblem))


def as_question(problem: BaseProblem) -> PartProblem:
    """Return a problem of the domain of parts with its type."""
    assert isinstance(problem, PartProblem)
    return problem
