"""The severity of findings, and which ones Spacer's maintainers want reported."""

import msgspec
import pytest
from chcfuzz.domains.chc.domain import DOMAIN
from chcfuzz.domains.chc.rows.parameters import scope_of
from chcfuzz.domains.chc.unsupported import unsupported_in
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.mutators.mutation import Scope
from chcfuzz.oracles.verdict import Severity
from chcfuzz.triage.examine.finding_scope import LIKE_PREPROCESSING, PREPROCESSING, Standing, Switches, standing

PLAIN = parse(
    "(declare-fun p (Int) Bool) (assert (p 0)) (assert (forall ((x Int)) (=> (and (p x) (> (* 2 x) 1)) false)))"
)
ENGINE = {"fp.engine": "spacer"}  # selects the engine under test
ONE = {"fp.spacer.ctp": "false"}
TWO = {**ONE, "fp.spacer.eq_prop": "false"}
UNSUPPORTED = {"fp.spacer.keep_proxy": "false"}


def judged(kind: str, parameters: dict[str, str], known: str | None = None) -> Standing:
    switches = tuple(filter(DOMAIN.is_switch, parameters))
    return standing(kind, switches, known, unsupported_in(PLAIN), any(map(DOMAIN.is_experimental, switches)))


@pytest.mark.parametrize(
    ("kind", "severity"),
    [
        ("wrong-answer", Severity.ANSWER),
        ("wrong-model", Severity.MODEL),
        ("crash", Severity.CRASH),
        ("exception", Severity.CRASH),
        ("limit", Severity.COST),
        ("memory", Severity.COST),
        ("performance", Severity.COST),
        ("contradiction", Severity.UNSETTLED),
        ("broken-promise", Severity.INTERNAL),
    ],
)
def test_each_kind_has_its_severity(kind: str, severity: Severity) -> None:
    found = judged(kind, {})
    assert found.severity is severity
    assert found.maintainers is (severity in (Severity.ANSWER, Severity.MODEL, Severity.CRASH))


@pytest.mark.parametrize(
    ("parameters", "switches", "wanted"),
    [
        ({}, Switches.NONE, True),
        (ENGINE, Switches.NONE, True),
        (ONE, Switches.ONE, True),
        ({**ENGINE, **ONE}, Switches.ONE, True),
        (TWO, Switches.SEVERAL, False),
    ],
)
def test_several_changed_options_are_not_wanted(parameters: dict[str, str], switches: Switches, wanted: bool) -> None:
    found = judged("wrong-answer", parameters)
    assert (found.switches, found.maintainers) == (switches, wanted)


def test_one_unsupported_option_is_not_wanted() -> None:
    assert {scope_of(name) for name in UNSUPPORTED} == {Scope.EXPERIMENTAL}
    found = judged("wrong-answer", UNSUPPORTED)
    assert (found.switches, found.maintainers) == (Switches.EXPERIMENTAL, False)


def test_a_known_bug_is_not_wanted() -> None:
    found = judged("wrong-model", {}, PREPROCESSING)
    assert found.known == "wrong only with the transforms on: Z3 issue 7319"
    assert not found.maintainers
    assert judged("wrong-model", {}).maintainers


def test_a_record_holds_all_fields() -> None:
    assert msgspec.to_builtins(judged("wrong-answer", ONE)) == {
        "severity": "wrong answer",
        "switches": "one option changed",
        "known": None,
        "unsupported": None,
        "maintainers": True,
        "words": "wrong answer; one option changed",
        "looks_like": None,
    }


def test_the_words_omit_absent_parts() -> None:
    assert judged("wrong-answer", {}).words == "wrong answer; all options default"
    known = judged("wrong-model", {}, PREPROCESSING).words
    assert known == "wrong model; all options default; wrong only with the transforms on: Z3 issue 7319"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("(> x 0)", None),
        ("(> (* 2 x) 0)", None),
        ("(> (* x 2 3) 0)", None),
        ("(> (div x 2) (mod x 3))", None),
        ("(> (* x y) 0)", "3768"),
        ("(> (* 2 x x) 0)", "3768"),
        ("(> (div 2 x) 0)", "3768"),
        ("(> (mod x y) 0)", "3768"),
        ("(> (/ r s) 0.0)", "3768"),
        ("(> (/ r 2.0) 0.0)", None),
        ("(= (bvmul b b) #x1)", None),
        ("(exists ((z Int)) (p z))", None),
        ("(not (forall ((z Int)) (> z x)))", None),
        ("(forall ((z Int)) (> z x))", "4712"),
        ("(exists ((z Int)) (and (p z) (forall ((w Int)) (> w z))))", "4712"),
    ],
)
def test_unsupported_terms_are_named(body: str, reason: str | None) -> None:
    variables = "((x Int) (y Int) (r Real) (s Real) (b (_ BitVec 4)))"
    clause = f"(assert (forall {variables} (=> (and (p y) {body}) (p x))))"
    system = parse(f"(declare-fun p (Int) Bool) (assert (p 0)) {clause}")
    found = unsupported_in(system)
    assert (found is None) is (reason is None)
    assert reason is None or found is None or reason in found
    wanted = standing("wrong-answer", {}, None, found).maintainers
    assert wanted is (reason is None)


def test_a_finding_that_looks_like_a_public_issue_is_still_wanted() -> None:
    found = judged("wrong-model", {}).like(LIKE_PREPROCESSING)
    assert found.looks_like == LIKE_PREPROCESSING
    assert found.words == f"wrong model; all options default; {LIKE_PREPROCESSING}"
    assert (found.known, found.maintainers) == (None, True)
