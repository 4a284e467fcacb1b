"""The z3 program beside the library in campaigns on SMT problems."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.domains.protocol import MutantSample
from chcfuzz.domains.smt import compared_program
from chcfuzz.domains.smt.compared_program import ProgramOpinion
from chcfuzz.domains.smt.domain import DOMAIN
from chcfuzz.domains.smt.roots import SmtRoots
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.solving import PROGRAM, Solving
from chcfuzz.mutators import roots
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.z3_program import LIBRARY
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.trace import NOTHING

SAT = "(set-logic ALL)\n(declare-fun x () Int)\n(assert (> x 2))\n(check-sat)\n"
OF_PROGRAM = (("solver", "z3-program"),)


@pytest.fixture(autouse=True)
def _roots() -> Iterator[None]:
    before = roots.active()
    roots.activate(SmtRoots())
    yield
    roots.activate(before)


def solving(program: Path | None = None, **flags: object) -> Solving:
    return replace(Solving(domain="smt", solvers=("z3",), z3_program=program), **flags)  # type: ignore[arg-type]


@pytest.fixture
def always_unsat(tmp_path: Path) -> Path:
    program = tmp_path / "z3"
    program.write_text('#!/bin/sh\nif [ "$1" = -version ]; then echo "Z3 version 9.9.9"; else echo unsat; fi\n')
    program.chmod(0o755)
    return program


def findings(pipeline: Pipeline, mutant: Mutant) -> list[tuple[VerdictKind, tuple[tuple[str, str], ...], str]]:
    found = pipeline.execute(mutant).verdicts
    return [(each.kind, each.accuses, each.seen) for each in found if each.kind.is_finding]


def test_a_wrong_answer_of_the_program_alone_is_found(always_unsat: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compared_program, "ONE_IN", 1)
    pipeline = Pipeline(solving(always_unsat, requests=0))
    mutant = pipeline.mutant(Recipe(SAT))
    assert findings(pipeline, mutant) == [(VerdictKind.WRONG_ANSWER, OF_PROGRAM, "unsat")]
    assert findings(Pipeline(solving(always_unsat, front_end=LIBRARY)), mutant) == []
    assert findings(Pipeline(solving()), mutant) == []  # the program of the release is right
    own = replace(mutant, parameters=OF_PROGRAM)
    execution = pipeline.execute(own)
    assert execution.outcome.status is Status.UNSAT
    assert [(name, other.status) for name, other in execution.outcome.others] == [("z3", Status.SAT)]
    assert execution.finding is not None
    assert execution.finding.kind is VerdictKind.WRONG_ANSWER


WRONG = """#!/bin/sh
if [ "$1" = -version ]; then echo "Z3 version 9.9.9"; exit; fi
if [ "$1" = -p ]; then exit; fi
for file; do :; done
if grep -q unsat-core "$file"; then printf "unsat\\n(a b)\\n(error no)\\n"
else printf "sat\\n((x 5))\\n((define-fun x () Int 4))\\n"; fi
"""
QUERIES = {
    "(declare-const x Int)(assert (= x 4))(check-sat)(get-value (x))": "(get-value): a value is another one",
    """(set-option :produce-unsat-cores true)(declare-const x Int)(assert (! (> x 3) :named a))
    (assert (! (> x 2) :named b))(assert (! (< x 3) :named c))(check-sat)(get-unsat-core)""": "the core is satisfiable",
}


@pytest.mark.parametrize("text", QUERIES, ids=("value", "core"))
def test_a_wrong_result_of_the_program_is_found(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compared_program, "ONE_IN", 1)
    program = tmp_path / "z3"
    program.write_text(WRONG)
    program.chmod(0o755)
    pipeline = Pipeline(solving(program))
    execution = pipeline.execute(pipeline.mutant(Recipe(text)))
    (found,) = (each for each in execution.verdicts if each.kind.is_finding)
    assert (found.kind, found.accuses) == (VerdictKind.WRONG_RESULT, OF_PROGRAM)
    assert QUERIES[text] in found.detail


def test_a_mutant_in_a_hundred_reaches_the_program() -> None:
    class Counting:
        name, version, solved = "z3-program", "", 0

        def solve(self, _text: str, _parameters: object, _rlimit: int) -> Outcome:
            self.solved += 1
            return Outcome(Status.SAT, "", NOTHING, 0, 0.0)

    counting, pipeline = Counting(), Pipeline(solving(front_end=LIBRARY))
    opinion = ProgramOpinion(lambda: counting, 0, lambda _: pytest.fail("nothing is solved again"))
    sample = MutantSample(compared_program.ONE_IN, opinion.verdicts)
    for number in range(500):
        mutant = pipeline.chains.apply(Recipe(SAT.replace("2", str(number))))
        assert not sample.takes(mutant) or sample.verdicts(mutant, Outcome(Status.SAT, "", NOTHING, 0, 0.0)) == ()
    assert 0 < counting.solved < 20


def test_the_other_front_end_of_a_finding_is_named_and_can_be_selected() -> None:
    solver = Pipeline(solving()).solver
    assert solver.other_front_ends((("z3.sat.euf", "true"),)) == (
        ("z3-program", (("solver", "z3-program"), ("z3.sat.euf", "true"))),
    )
    assert solver.other_front_ends(OF_PROGRAM) == (("z3", (("solver", "z3"),)),)
    assert Pipeline(solving(front_end=LIBRARY)).solver.other_front_ends(()) == ()
    assert DOMAIN.runs(solving(), OF_PROGRAM)
    assert not DOMAIN.runs(solving(front_end=LIBRARY), OF_PROGRAM)
    assert DOMAIN.selected(solving(solver="z3-program")) == OF_PROGRAM


def test_the_first_line_names_the_program_and_a_flag_puts_it_in_the_place_of_the_library() -> None:
    words = f"z3 {active().version}, the z3 program for one mutant in 100;"
    assert DOMAIN.headline(solving(), active()).startswith(words)
    assert ", the z3 program is not tested;" in DOMAIN.headline(solving(front_end=LIBRARY), active())
    for solvers in (("cvc5",), ("z3", "z3-program@5.3.0.0")):
        assert "not tested" not in DOMAIN.headline(solving(front_end=LIBRARY, solvers=solvers), active())
    prepared = DOMAIN.prepared(solving(front_end=PROGRAM, solvers=("cvc5", "z3@5.3.0.0:sat.euf=true", "z3")), False)
    assert prepared.solvers == ("cvc5", "z3-program@5.3.0.0:sat.euf=true", "z3-program")
