"""Interrogation: text before and after, and rejected witnesses."""

import hashlib
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest
from chcfuzz.domains.chc.oracles import witnesses
from chcfuzz.domains.chc.oracles.witnesses import model_of, refutation_of
from chcfuzz.domains.chc.rows import interrogation
from chcfuzz.domains.chc.rows.interrogation import refutations as interrogation_refutations
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system, print_term
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.mutators.rewriting import clause_making
from chcfuzz.solvers.watchdog import Watchdog

ROWS = {row.id.partition(".")[2]: row for row in interrogation.MUTATIONS}
OF_MODEL = (
    "plug-in-atom",
    "plug-in-predicate",
    "strengthen-atom",
    "widen-atom",
    "ask-model",
    "tell-model",
    "rules-to-fact",
)
OF_REFUTATION = ("core", "fact-for-subtree", "instance")

DECLARED = "(declare-fun p (Int) Bool)(declare-fun q (Int Int) Bool)"
START = "(forall ((x Int)) (=> (= x 0) (p x)))"
STEP = "(forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1))))"
BOTH = "(forall ((x Int) (y Int)) (=> (or (p x) (q y x)) (q x y)))"
SAFE = "(forall ((x Int)) (=> (and (p x) (> x 9)) false))"
UNSAFE = "(forall ((x Int)) (=> (and (p x) (> x 2)) false))"
ODD = "(forall ((x Int)) (not (and (= x 0) (not (p x)))))"
MODEL = "(define-fun p ((n Int)) Bool (and (<= 0 n) (not (> n 5))))"
MODEL_Q = MODEL + "(define-fun q ((m Int) (n Int)) Bool true)"
MODEL_OR = "(define-fun p ((n Int)) Bool (or (= n 0) (> n 0)))"


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    """Clear the caches, so that a test that replaces Spacer's answers does not affect others."""
    yield
    witnesses.checked_model.cache_clear()
    witnesses.checked_refutation.cache_clear()


@pytest.fixture
def set_model(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | None], None]:
    """Replace Spacer's answers from now on."""

    def say(definitions: str | None) -> None:
        monkeypatch.setattr(witnesses, "spacer_model", lambda _text: definitions)
        witnesses.checked_model.cache_clear()

    return say


def system(*clauses: str, declared: str = DECLARED, status: str | None = None) -> System:
    info = f"(set-info :status {status})" if status else ""
    return parse("\n".join([info, declared, *(f"(assert {clause})" for clause in clauses)]))


def rewritten(row: str, before: System, choices: bytes = b"") -> System | None:
    return ROWS[row].rewrite(before, Choices(choices))


def spacer_answer(mutant: System) -> str:
    """Spacer with all of its defaults, where the family has the transforms off."""
    import z3

    solver = z3.SolverFor("HORN", ctx=z3.Context())
    solver.set("rlimit", 3_000_000)
    try:
        solver.from_string(print_system(replace(mutant, info=(), options=())))
        return str(solver.check())
    except z3.Z3Exception as error:
        return str(error)


# Effect of each row -------------------------------------------------------------------------------

CASES = [
    # row, choices, the model, clauses before and after
    (
        "plug-in-atom",
        b"",
        MODEL,
        (START, STEP, SAFE),
        (START, "(forall ((x Int)) (=> (and (and (<= 0 x) (not (> x 5))) (< x 5)) (p (+ x 1))))", SAFE),
    ),
    (
        "plug-in-atom",
        b"\x01",
        MODEL,
        (START, STEP, SAFE),
        (START, STEP, "(forall ((x Int)) (=> (and (and (<= 0 x) (not (> x 5))) (> x 9)) false))"),
    ),
    (
        "plug-in-atom",  # in this shape the head is a place like another
        b"",
        MODEL,
        (ODD, STEP, SAFE),
        ("(forall ((x Int)) (not (and (= x 0) (not (and (<= 0 x) (not (> x 5)))))))", STEP, SAFE),
    ),
    (
        "plug-in-predicate",
        b"",
        MODEL,
        (START, STEP, SAFE),
        (
            START,
            "(forall ((x Int)) (=> (and (and (<= 0 x) (not (> x 5))) (< x 5)) (p (+ x 1))))",
            "(forall ((x Int)) (=> (and (and (<= 0 x) (not (> x 5))) (> x 9)) false))",
        ),
    ),
    (
        "plug-in-predicate",
        b"\x01",
        MODEL,
        (START, STEP, SAFE),
        (
            "(forall ((x Int)) (=> (= x 0) (and (<= 0 x) (not (> x 5)))))",
            """(forall ((x Int))
               (=> (and (and (<= 0 x) (not (> x 5))) (< x 5)) (and (<= 0 (+ x 1)) (not (> (+ x 1) 5)))))""",
            "(forall ((x Int)) (=> (and (and (<= 0 x) (not (> x 5))) (> x 9)) false))",
        ),
    ),
    (
        "plug-in-predicate",
        b"\x01\x01",
        MODEL_Q,
        (START, STEP, BOTH),
        (START, STEP, "(forall ((x Int) (y Int)) (=> (or (p x) true) true))"),
    ),
    (
        "strengthen-atom",
        b"",
        MODEL,
        (START, SAFE),
        (START, "(forall ((x Int)) (=> (and (and (p x) (and (<= 0 x) (not (> x 5)))) (> x 9)) false))"),
    ),
    (
        "strengthen-atom",  # one member, on the other side
        b"\x02\x01",
        MODEL,
        (START, SAFE),
        (START, "(forall ((x Int)) (=> (and (and (not (> x 5)) (p x)) (> x 9)) false))"),
    ),
    (
        "strengthen-atom",  # a disjunction has one member as a conjunction
        b"\x00\x01",
        MODEL_OR + "(define-fun q ((m Int) (n Int)) Bool true)",
        (START, BOTH),
        (START, "(forall ((x Int) (y Int)) (=> (or (and (p x) (or (= x 0) (> x 0))) (q y x)) (q x y)))"),
    ),
    (
        "widen-atom",
        b"",
        MODEL,
        (START, SAFE),
        (START, "(forall ((x Int)) (=> (and (or (p x) (and (<= 0 x) (not (> x 5)))) (> x 9)) false))"),
    ),
    (
        "widen-atom",
        b"\x00\x02\x01",
        MODEL_OR + "(define-fun q ((m Int) (n Int)) Bool true)",
        (START, BOTH),
        (START, "(forall ((x Int) (y Int)) (=> (or (or (> x 0) (p x)) (q y x)) (q x y)))"),
    ),
    (
        "ask-model",
        b"",
        MODEL,
        (START, SAFE),
        ("(forall ((v0 Int)) (=> (and (p v0) (not (and (<= 0 v0) (not (> v0 5))))) false))", START, SAFE),
    ),
    (
        "ask-model",  # nothing is false of everything where the model does not mention it
        b"\x01\x00\x02",
        MODEL,
        (START, SAFE),
        (START, SAFE, "(forall ((v0 Int) (v1 Int)) (=> (and (q v0 v1) (not false)) false))"),
    ),
    (
        "tell-model",
        b"",
        MODEL,
        (START, SAFE),
        ("(forall ((v0 Int)) (=> (and (<= 0 v0) (not (> v0 5))) (p v0)))", START, SAFE),
    ),
    (
        "tell-model",
        b"\x00\x02\x01",
        MODEL_OR,
        (START, STEP),
        (START, "(forall ((v0 Int)) (=> (> v0 0) (p v0)))", STEP),
    ),
    (
        "rules-to-fact",
        b"\x01",
        MODEL,
        (START, SAFE, STEP),
        (SAFE, "(forall ((v0 Int)) (=> (and (<= 0 v0) (not (> v0 5))) (p v0)))"),
    ),
    (
        "rules-to-fact",
        b"\x01",
        MODEL_Q,
        (START, STEP, BOTH),
        ("(forall ((v0 Int) (v1 Int)) (=> true (q v0 v1)))", START, STEP),
    ),
]

UNUSED = "(forall ((x Int)) (=> (> x 70) (q x x)))"
REFUTED = [
    # row, choices, clauses before and after; the refutation is p 0, p 1, p 2, p 3
    ("core", b"", (UNUSED, START, BOTH, STEP, UNSAFE), (START, STEP, UNSAFE)),
    ("fact-for-subtree", b"\x00\x01\x02", (START, STEP, UNSAFE), (START, STEP, "(p 1)", UNSAFE)),
    ("fact-for-subtree", b"\x00\x00\x01", (START, STEP, UNSAFE), (STEP, "(p 1)", UNSAFE)),
    ("fact-for-subtree", b"\x02\x00\x00", (START, STEP, UNUSED, UNSAFE), ("(p 3)", UNUSED, UNSAFE)),
    ("instance", b"", (START, STEP, UNSAFE), ("(=> (= 0 0) (p 0))", STEP, UNSAFE)),
    (
        "instance",
        b"\x01",
        (START, STEP, UNSAFE),
        (START, *(f"(=> (and (p {x}) (< {x} 5)) (p (+ {x} 1)))" for x in range(3)), UNSAFE),
    ),
    (
        "instance",
        b"\x01\x01\x02\x03",
        (START, STEP, UNSAFE),
        (START, STEP, UNSAFE, "(=> (and (p 2) (< 2 5)) (p (+ 2 1)))"),
    ),
    (
        "instance",  # of one variable: the other one stays
        b"\x00\x01",
        ("(forall ((x Int) (y Int)) (=> (= x y 3) (p x)))", UNSAFE),
        ("(forall ((x Int)) (=> (= x 3 3) (p x)))", UNSAFE),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_each_row_of_a_model_makes_this_of_that(
    set_model: Callable[[str | None], None], case: tuple[str, bytes, str, Sequence[str], Sequence[str]]
) -> None:
    row, choices, model, before, after = case
    set_model(model)
    assert ROWS[row].applies(system(*before))
    assert rewritten(row, system(*before), choices) == system(*after)


@pytest.mark.parametrize(("row", "choices", "before", "after"), REFUTED)
def test_each_row_of_a_refutation_makes_this_of_that(
    row: str, choices: bytes, before: Sequence[str], after: Sequence[str]
) -> None:
    assert ROWS[row].applies(system(*before))
    assert rewritten(row, system(*before), choices) == system(*after)


def test_every_row_has_a_case() -> None:
    assert {case[0] for case in CASES} == set(OF_MODEL)
    assert {case[0] for case in REFUTED} == set(OF_REFUTATION)
    assert set(ROWS) == {*OF_MODEL, *OF_REFUTATION}


def test_what_would_say_nothing_is_declined(set_model: Callable[[str | None], None]) -> None:
    set_model("(define-fun p ((n Int)) Bool true)")
    everything = system("(forall ((x Int)) (p x))", STEP, declared="(declare-fun p (Int) Bool)")
    for row in ("strengthen-atom", "ask-model"):
        assert rewritten(row, everything) is None
    set_model("(define-fun p ((n Int)) Bool false)")
    nothing = system(STEP, declared="(declare-fun p (Int) Bool)")
    for row in ("widen-atom", "tell-model"):
        assert rewritten(row, nothing) is None
    set_model("(define-fun p ((n Int)) Bool true)")
    assert rewritten("ask-model", nothing) is None
    assert rewritten("tell-model", nothing) is not None


def test_a_refutation_that_uses_all_clauses_has_no_smaller_core() -> None:
    assert rewritten("core", system(START, STEP, UNSAFE)) is None


def test_a_clause_that_begins_with_exists_is_not_instantiated() -> None:
    before = system("(p 0)", "(exists ((b Bool)) (and b (not b)))")
    assert refutation_of(before) is not None
    assert rewritten("instance", before) is None


def test_a_fact_without_premises_has_no_subtree() -> None:
    assert rewritten("fact-for-subtree", system("(p 3)", UNSAFE)) is None


def test_a_system_without_atoms_in_bodies_is_plugged_into_nowhere(set_model: Callable[[str | None], None]) -> None:
    set_model(MODEL)
    for row in ("plug-in-atom", "plug-in-predicate", "strengthen-atom", "widen-atom"):
        assert rewritten(row, system(START)) is None


def test_a_system_without_clauses_is_not_queried() -> None:
    for row in ROWS.values():
        assert not row.applies(system())
        assert row.rewrite(system(), Choices(b"\x01\x02\x03")) is None


def test_what_is_no_horn_clause_any_more_is_left_as_it_was(set_model: Callable[[str | None], None]) -> None:
    set_model(MODEL)
    assert rewritten("strengthen-atom", system(ODD, STEP)) is None  # in the head: (and (p x) ...)
    assert rewritten("strengthen-atom", system(ODD, STEP), b"\x01") is not None


def test_a_result_reads_back_as_itself_where_a_value_takes_a_variables_place() -> None:
    before = system("(forall ((x Int)) (=> (= x 5) (p (- x))))", "(forall ((x Int)) (=> (p x) false))")
    after = rewritten("instance", before)
    assert after == system("(=> (= 5 5) (p (- 5)))", "(forall ((x Int)) (=> (p x) false))")


def test_too_many_instances_are_not_put_in_a_clauses_place(monkeypatch: pytest.MonkeyPatch) -> None:
    before = system(START, STEP, UNSAFE)
    monkeypatch.setattr(interrogation_refutations, "MOST_INSTANCES", 2)
    assert rewritten("instance", before, b"\x01") is None
    assert rewritten("instance", before, b"\x01\x01") is not None


def test_a_clause_that_would_be_too_big_is_left_as_it_was(
    set_model: Callable[[str | None], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_model(MODEL)
    monkeypatch.setattr(clause_making, "MOST_WRITTEN", 10)
    assert rewritten("plug-in-atom", system(START, STEP)) is None
    monkeypatch.setattr(clause_making, "MOST_WRITTEN", 20)
    assert rewritten("plug-in-atom", system(START, STEP)) is not None


# Rejected witnesses -------------------------------------------------------------------------------

WRONG = [
    "(define-fun p ((n Int)) Bool (and (<= 0 n) (<= n 4)))",  # not inductive
    "(define-fun p ((n Int)) Bool (<= 0 n))",  # does not keep the query out
    "(define-fun p ((n Int)) Bool (and (<= 1 n) (<= n 5)))",  # leaves the start out
    "(define-fun p ((n Int)) Bool false)",
    "(define-fun p ((n Int)) Bool true)",
    "(define-fun p ((n Int)) Bool (and (<= 0 n) (<= n 5) (not (= n 3))))",
    "",  # does not mention it
]


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("row", OF_MODEL)
def test_nothing_is_built_on_a_wrong_model(set_model: Callable[[str | None], None], row: str, wrong: str) -> None:
    before = system(START, STEP, SAFE)
    set_model(wrong)
    for choices in range(40):
        assert rewritten(row, before, bytes([choices, choices // 2, choices // 3])) is None
    set_model(MODEL)
    assert rewritten(row, before) is not None


@pytest.mark.parametrize(
    ("row", "wrong"), [("ask-model", WRONG[5]), ("tell-model", WRONG[1]), ("rules-to-fact", WRONG[1])]
)
def test_an_unchecked_wrong_model_would_break_the_promise(
    set_model: Callable[[str | None], None], monkeypatch: pytest.MonkeyPatch, row: str, wrong: str
) -> None:
    set_model(wrong)
    monkeypatch.setattr(witnesses, "is_model", lambda _system, _model: True)
    after = rewritten(row, system(START, STEP, SAFE))
    assert after is not None
    assert spacer_answer(after) == "unsat"


UNREADABLE = [
    "(define-fun p ((n Int)) Bool (exists ((m Int)) (= n (+ m m))))",
    "(define-fun p ((n Int)) Bool (forall ((m Int)) (or (<= n 5) (= m m))))",
    "(define-fun p ((n Int)) Bool (select (_ as-array k!0) n))(define-fun k!0 ((n Int)) Bool (<= n 5))",
    "(define-fun p ((n Int)) Bool (k!0 n))(define-fun k!0 ((n Int)) Bool (and (<= 0 n) (<= n 5)))",
    "(define-fun p ((n Int)) Bool (root-obj n))",
    "(define-fun p ((n Real)) Bool (and (<= 0.0 n) (<= n 5.0)))",
    "(define-fun p ((n Int) (m Int)) Bool (and (<= 0 n) (<= n 5)))",
    "(define-fun p ((n Int)) Int n)",
    "(define-fun-rec p ((n Int)) Bool (and (<= 0 n) (<= n 5)))",
    "(define-fun p ((n Int)) Bool (and (<= 0 n) (<= n 5)",
    "what is this",
]


@pytest.mark.parametrize("text", UNREADABLE)
def test_nothing_is_built_on_a_model_that_cannot_be_read(set_model: Callable[[str | None], None], text: str) -> None:
    before = system(START, STEP, SAFE)
    assert witnesses.read_model(before, text) is None
    set_model(text)
    assert [row for row in OF_MODEL if rewritten(row, before) is not None] == []


def test_auxiliary_functions_are_expanded(set_model: Callable[[str | None], None]) -> None:
    text = "(define-fun k!0 ((n Int)) Bool (<= 0 n))(define-fun p ((m Int)) Bool (and (k!0 m) (not (> m 5))))"
    set_model(text)
    expanded = rewritten("plug-in-atom", system(START, STEP, SAFE))
    set_model(MODEL)
    assert expanded is not None
    assert expanded == rewritten("plug-in-atom", system(START, STEP, SAFE))


def test_a_predicate_that_a_model_does_not_mention_is_false() -> None:
    model = witnesses.read_model(system(START), MODEL)
    assert model is not None
    output = {predicate.name: print_term(meaning.body) for predicate, meaning in model.items()}
    assert output == {"p": "(and (<= 0 n) (not (> n 5)))", "q": "false"}


def test_a_meaning_may_have_so_many_nodes_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnesses, "MOST_MEANING", 8)
    assert witnesses.read_model(system(START), MODEL) is not None
    monkeypatch.setattr(witnesses, "MOST_MEANING", 7)
    assert witnesses.read_model(system(START), MODEL) is None


def test_meanings_with_selectors_that_spacer_refuses_are_not_used() -> None:
    text = "(declare-datatypes ((box 0) (list 0)) (((pack (open Int))) ((nil) (cons (head Int) (tail list)))))"
    before = system("(b (pack 1))", "(l nil)", declared=f"{text}(declare-fun b (box) Bool)(declare-fun l (list) Bool)")
    opened = "(define-fun b ((x box)) Bool (= (open x) 1))(define-fun l ((x list)) Bool ((_ is nil) x))"
    assert witnesses.read_model(before, opened) is not None
    assert witnesses.read_model(before, opened.replace("((_ is nil) x)", "(= (tail x) nil)")) is None


def test_an_undecided_check_is_no_check(
    set_model: Callable[[str | None], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    hard = "(forall ((x Int) (y Int) (z Int)) (=> (and (p x) (p y) (p z) (> x 0) (> y 0) (> z 0)) %s))"
    hard %= "(distinct (+ (* x x x) (* y y y)) (* z z z))"
    set_model("(define-fun p ((n Int)) Bool true)")
    fermat = system("(forall ((x Int)) (p x))", hard, declared="(declare-fun p (Int) Bool)")
    assert model_of(fermat) is None  # true of all numbers, and hard to prove
    set_model(MODEL)
    before = system(START, STEP, SAFE)
    assert model_of(before) is not None
    witnesses.checked_model.cache_clear()
    monkeypatch.setattr(witnesses, "RLIMIT_CLAUSE", 1)
    assert model_of(before) is None


def test_a_system_that_is_too_large_is_not_queried(monkeypatch: pytest.MonkeyPatch) -> None:
    sat, unsat = system(START, STEP, SAFE), system(START, STEP, UNSAFE)
    assert model_of(sat) is not None
    assert refutation_of(unsat) is not None
    witnesses.checked_model.cache_clear()
    witnesses.checked_refutation.cache_clear()
    monkeypatch.setattr(witnesses, "MOST_NODES", 20)
    assert model_of(sat) is None
    assert refutation_of(unsat) is None


def test_the_resource_limit_ends_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnesses, "RLIMIT", 1000)
    assert model_of(system(START, STEP, SAFE)) is None
    assert refutation_of(system(START, STEP, UNSAFE)) is None


def test_a_wall_clock_limit_ends_queries_that_ignore_their_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = system("(p 0)", STEP.replace("5", "100000"), SAFE.replace("9", "99999"))
    monkeypatch.setattr(witnesses, "RLIMIT", 0)  # none
    watchdog = Watchdog(0.5)
    monkeypatch.setattr(witnesses, "_watchdog", lambda: watchdog)
    assert model_of(endless) is None
    assert watchdog.interrupted
    assert refutation_of(endless) is None


# Sat and unsat ------------------------------------------------------------------------------------


def test_model_rows_ignore_unsat_systems_and_refutation_rows_sat_ones() -> None:
    for choices in (b"", b"\x01\x01\x01", b"\x02\x03\x01"):
        assert [row for row in OF_MODEL if rewritten(row, system(START, STEP, UNSAFE), choices) is not None] == []
        assert [row for row in OF_REFUTATION if rewritten(row, system(START, STEP, SAFE), choices) is not None] == []


def test_no_witness_is_searched_against_a_known_status(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("a query")

    monkeypatch.setattr(witnesses, "spacer_model", fail)
    monkeypatch.setattr("chcfuzz.domains.chc.oracles.derive.derive", fail)
    for row in OF_MODEL:
        assert not ROWS[row].applies(system(START, STEP, SAFE, status="unsat"))
        assert rewritten(row, system(START, STEP, SAFE, status="unsat")) is None
        with pytest.raises(AssertionError, match="a query"):
            rewritten(row, system(START, STEP, SAFE, status="sat"))
    for row in OF_REFUTATION:
        assert not ROWS[row].applies(system(START, STEP, UNSAFE, status="sat"))
        assert rewritten(row, system(START, STEP, UNSAFE, status="sat")) is None
        with pytest.raises(AssertionError, match="a query"):
            rewritten(row, system(START, STEP, UNSAFE, status="unsat"))


def test_whether_a_row_applies_is_decided_without_a_query(
    monkeypatch: pytest.MonkeyPatch, small_seeds: dict[str, System]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("a query")

    monkeypatch.setattr(witnesses, "spacer_model", fail)
    monkeypatch.setattr("chcfuzz.domains.chc.oracles.derive.derive", fail)
    output = Counter(row.applies(seed) for row in ROWS.values() for seed in small_seeds.values())
    assert output[True] > 100
    assert output[False] > 50


# The same again -----------------------------------------------------------------------------------


def test_a_system_is_queried_once_while_its_witness_is_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    queries = []

    def counted(text: str) -> str:
        queries.append(text)
        return MODEL

    monkeypatch.setattr(witnesses, "spacer_model", counted)
    before = system(START, STEP, SAFE)
    labelled = replace(before, info=(("status", "sat"),), options=(("fp.xform.slice", "false"),))
    for row in OF_MODEL:
        assert rewritten(row, before) is not None
        assert rewritten(row, labelled) is not None
    assert len(queries) == 1
    assert "status" not in queries[0]
    assert rewritten("ask-model", system(SAFE, START, STEP)) is not None
    assert len(queries) == 2
    witnesses.checked_model.cache_clear()
    assert rewritten("ask-model", before) is not None
    assert len(queries) == 3


def test_that_there_is_no_witness_is_remembered_too(monkeypatch: pytest.MonkeyPatch) -> None:
    queries: list[System] = []
    monkeypatch.setattr(witnesses, "spacer_model", queries.append)
    for row in OF_MODEL:
        assert rewritten(row, system(START, STEP, SAFE)) is None
    assert len(queries) == 1


def fingerprint(seeds: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Number of seeds that each row changes."""
    found = {}
    for name, text in seeds:
        made = hashlib.blake2b(digest_size=8)
        for row in ROWS.values():
            for choices in (b"", b"\x01\x02\x01\x03"):
                after = row.rewrite(parse(text, name), Choices(choices))
                made.update((print_system(after) if after else "nothing").encode())
        found[name] = made.hexdigest()
    return found


@pytest.mark.slow
def test_another_process_with_another_past_makes_the_same(small_texts: dict[str, str]) -> None:
    seeds = list(small_texts.items())
    program = f"""
from chcfuzz.solvers import z3_release
z3_release.activate()
from tests.domains.chc.rows.test_interrogation import fingerprint
print(fingerprint({seeds[::-1]!r}))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(dict(reversed(fingerprint(seeds).items())))
