"""cvc5's instantiations: read as hints, whatever it prints, and only a checked refutation is returned."""

from pathlib import Path

import pytest
from chcfuzz.domains.chc.oracles import forward, instantiations, plain_smt
from chcfuzz.domains.chc.oracles.refutation import fault
from chcfuzz.grammar.reading.parse import parse

CORPUS = Path(__file__).resolve().parents[4] / "corpus"
COUNTER = parse("""
    (declare-fun c (Int Int) Bool)
    (assert (c 0 0))
    (assert (forall ((x Int) (y Int) (z Int)) (=> (and (c x y) (= z (+ x 1))) (c z y))))
    (assert (forall ((x Int) (y Int)) (=> (and (c x y) (> x 1)) false)))
""")
PRINTED = """unsat
(instantiations (forall ((c!1!0 Int) (c!1!1 Int)) (or (not (c c!1!0 c!1!1)) (c (+ 1 c!1!0) c!1!1)))
  ( 0 0 )
  ( (+ 0 1) (div_total 1 2) )
  ( 0 0 )
  ( @purify_2 0 )
)
(instantiations (forall ((c!2!0 Int)) (not (> c!2!0 1)))
  ( (- 2) )
)
(skolem something)
"""


def test_names_of_variables_differ_from_all_names_of_the_system() -> None:
    assert instantiations.prefix(COUNTER) == "c!"
    named = instantiations.named(COUNTER)
    assert [[variable.name for variable in clause.variables] for clause in named.clauses] == [
        [],
        ["c!1!0", "c!1!1", "c!1!2"],
        ["c!2!0", "c!2!1"],
    ]


def test_terms_are_read_as_values_of_the_variables_that_are_left() -> None:
    assert instantiations.instances(COUNTER, PRINTED) == {1: [{0: 0, 1: 0}, {0: 1, 1: 0}], 2: [{0: -2}]}


@pytest.mark.parametrize("cut", range(0, len(PRINTED), 7))
def test_damaged_output_gives_fewer_hints(cut: int) -> None:
    whole = instantiations.instances(COUNTER, PRINTED)
    for text in (PRINTED[:cut], PRINTED[cut:], PRINTED[:cut] + PRINTED[cut + 3 :]):
        found = instantiations.instances(COUNTER, text)
        assert found.keys() <= whole.keys() | {0}


def test_hints_of_numbers_that_the_system_does_not_have_are_left_out() -> None:
    printed = (
        "(instantiations (forall ((c!9!0 Int)) true)\n( 1 )\n)\n(instantiations (forall ((c!1!9 Int)) true)\n( 1 )\n)"
    )
    found = instantiations.refutation(COUNTER, printed)
    assert found is None or fault(COUNTER, found) is None


@pytest.mark.parametrize(
    "name",
    [
        "queries/query-of-two-predicates",
        "adt/list-length",
        "bv/counter-overflow",
        "lra/thermostat",
        "lia/gcd-of-4-and-6",
    ],
)
def test_a_system_that_cvc5_refutes_gets_a_checked_refutation(name: str) -> None:
    system = parse((CORPUS / f"{name}-unsafe.smt2").read_text(), name)
    found = plain_smt.ask(system)
    assert found.is_unsat
    assert found.refutation is not None
    assert fault(system, found.refutation) is None


@pytest.mark.slow
def test_most_refuted_systems_get_a_refutation_and_no_satisfiable_one_does() -> None:
    files = sorted(CORPUS.rglob("*.smt2"))
    unsafe = [parse(file.read_text(), file.name) for file in files if "-unsafe" in file.name][::10]
    results = [plain_smt.ask(system) for system in unsafe]
    refuted = [result for result in results if result.is_unsat]
    assert len(refuted) >= len(unsafe) // 2
    assert sum(result.refutation is not None for result in refuted) >= 3 * len(refuted) // 4
    safe = [parse(file.read_text(), file.name) for file in files if "-safe" in file.name][::10]
    assert not any(plain_smt.ask(system).is_unsat for system in safe)


def test_other_output_before_the_instantiations_is_skipped() -> None:
    other = "(skolem something)\n(instantiations)\n(instantiations (exists ((x Int)) true)\n  ( 1 )\n)\n"
    assert instantiations.instances(COUNTER, other + PRINTED) == instantiations.instances(COUNTER, PRINTED)


def test_a_refutation_that_is_wrong_is_not_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    right = instantiations.refutation(COUNTER, plain_smt.UNSAT)
    assert right is not None
    assert fault(COUNTER, right) is None
    for found in (None, right[1:]):
        monkeypatch.setattr(forward, "refutation", lambda *_, found=found: found)
        assert instantiations.refutation(COUNTER, PRINTED) is None
