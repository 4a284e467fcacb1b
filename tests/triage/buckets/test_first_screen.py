"""The first 25 lines of a report have the answers, the witness, the cause and the system, for every kind of finding."""

from __future__ import annotations

from pathlib import Path

import pytest
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.oracles.verdict import FINDINGS, Severity, VerdictKind
from chcfuzz.triage.buckets.known_issues import known_issues
from chcfuzz.triage.buckets.report import ReportChecks, write_report
from chcfuzz.triage.examine.signature import Signature
from chcfuzz.triage.findings.record import RECIPE

from tests.triage.records import a_record, a_reduction, write_record

SCREEN = 25
SYSTEMS = {
    "chc": """(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int) (y Int))
    (=> (and (p x) (= y (+ x 1)))
        (p y))))
(assert (forall ((x Int))
    (=> (and (p x) (< x 0))
        false)))
(check-sat)
""",
    "smt": "(set-logic QF_LIA)\n(declare-const a Int)\n(assert (< a 0))\n(assert (< 0 a))\n(check-sat)\n",
    "interpolation": """(set-logic QF_LIA)
(declare-const a Int)
(assert (! (< a 0) :interpolation-group g0))
(assert (! (< 0 a) :interpolation-group g1))
(check-sat)
(get-interpolant (g0))
""",
}
SEVERAL = {"smt": {"cvc5": "1.3.2", "z3": "5.4.0.0"}, "interpolation": {"bitwuzla": "0.9.1", "spacer": "5.4.0.0"}}
WITHOUT_ANSWER = {
    *(VerdictKind.CRASH, VerdictKind.EXCEPTION, VerdictKind.LIMIT, VerdictKind.MEMORY),
    *(VerdictKind.PERFORMANCE, VerdictKind.BROKEN_PROMISE, VerdictKind.WRONG_LEMMA, VerdictKind.WRONG_OBLIGATION),
    VerdictKind.WRONG_FACT,
}
DEATHS = {VerdictKind.CRASH: "signal 11 in f", VerdictKind.EXCEPTION: "invalid index", VerdictKind.MEMORY: "2048 MB"}


COMBINATIONS = [
    pytest.param(kind, domain, id=f"{kind.value}-{domain}")
    for kind, facts in FINDINGS.items()
    for domain in SYSTEMS
    if domain == "interpolation" or facts.severity is not Severity.INTERPOLANT  # others give no interpolants
]


@pytest.mark.parametrize(("kind", "domain"), COMBINATIONS)
def test_the_first_screen_holds_answers_witness_cause_and_system(
    kind: VerdictKind, domain: str, tmp_path: Path
) -> None:
    facts = FINDINGS[kind]
    folder, system = tmp_path / f"{kind.value}-111111-a", SYSTEMS[domain]
    signature = Signature(kind.value, default=True, detail=DEATHS.get(kind, ""), parts_at="boolean.dup-and")
    more = {"solvers": SEVERAL[domain]} if domain in SEVERAL else {}
    flags = () if domain == "chc" else (f"--domain={domain}",)
    record = a_record(
        kind.value, signature=signature, witness_for="unsat", solving=flags, witness="it was checked", **more
    )
    write_record(folder, record)
    (folder / RECIPE).write_bytes(encode(Recipe(system)))
    for name in ("mutant.smt2", "seed.smt2", "evidence.smt2"):
        (folder / name).write_text(system)
    if facts.is_reducible:
        (folder / "reduced.smt2").write_text(system)
        (folder / "reduced.json").write_bytes(a_reduction(words="it was checked").to_json())
    text = write_report(folder, tmp_path / "out", known_issues(), ReportChecks(lambda _: ("sat",))).read_text()
    first = text.splitlines()[:SCREEN]
    title, *lines = first
    assert title.startswith("# ")
    answer = next(line for line in lines if line.startswith("- Answer: "))
    release = "5.4.0.0" if domain == "chc" else next(iter(SEVERAL[domain].values()))
    assert f"{release}." in answer
    assert DEATHS.get(kind, "") in answer
    assert (answer.startswith("- Answer: `sat`")) == (kind not in WITHOUT_ANSWER)
    assert any(line.startswith("- Witness: it was checked") for line in lines)
    assert "- Cause: not known." in lines
    assert f"```smt2\n{system}```" in "\n".join(lines)
