"""A faulty projection becomes a CHC system, in several forms; other questions are refused."""

import pytest
from chcfuzz.domains.parts import bridge
from chcfuzz.domains.parts.domain import DOMAIN
from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.domains.parts.question_text import read
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.terms import integer

QUESTION = "(mbp (a) ((x 5) (a ((as const (Array Int Int)) 1))))"
READS = "(declare-const a (Array Int Int))(declare-const x Int)(assert (and (< 0 (select a 0)) (< (select a 0) x)))"


def problem(question: str = QUESTION) -> PartProblem:
    found = read(f'(set-info :chcfuzz-part "{question}")\n{READS}')
    assert isinstance(found, PartProblem)
    return found


def test_questions_to_other_parts_have_no_system() -> None:
    with pytest.raises(bridge.NoBridgeError, match="simplify is not a projection"):
        DOMAIN.bridge(problem("(simplify)"), None)
    with pytest.raises(bridge.NoBridgeError, match="--depth 3"):
        DOMAIN.bridge(problem(), 3)


@pytest.mark.parametrize("answer", ["sat", "unsat"])
def test_the_system_says_whether_z3_answers_it_wrongly(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "_query", lambda *_: ({"x": integer(0)}, "sat"))
    monkeypatch.setattr(bridge, "_answer", lambda text: answer if "source" in text else "unknown")
    first, rest = bridge.system_of(problem()).split("\n", 1)
    assert parse.parse(rest, "system").status == "sat"
    if answer == "unsat":
        assert first.endswith("answers unsat, which is wrong: the answer is sat")
        assert "source" in rest
    else:
        assert first.endswith("answers none of 8 forms of this system wrongly")
        assert "source" not in rest
