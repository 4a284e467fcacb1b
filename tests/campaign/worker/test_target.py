"""The target handles units as in a libFuzzer process, but without libFuzzer."""

import os
import shutil
import signal
from collections import Counter as Tally
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker.outcomes import forget_lost
from chcfuzz.campaign.worker.rare_units import RareUnits
from chcfuzz.campaign.worker.target import SolverFinding, Target, raise_as
from chcfuzz.domains.chc.solvers import spacer
from chcfuzz.execution.cached_outcome import with_outcome
from chcfuzz.execution.domain import MOST_LOST
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.seed_answers import Ground, SeedAnswer, SeedAnswers
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.power_schedule import PowerSchedule
from chcfuzz.mutators.recipe import Recipe, Step, canonical, decode, digest, encode, read
from chcfuzz.mutators.seeds import canonical_seed
from chcfuzz.solvers import z3_errors
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.z3_parameters import with_transforms_off
from chcfuzz.tracing.progress_log import ProgressLog
from chcfuzz.tracing.trace import NOTHING
from chcfuzz.triage.findings.suspicions import Suspicions

from tests.campaign.conftest import FORGETFUL, MORE_SAT, PLANTED, SAT, UNSAT, doubled, looked_into, smaller_mutant

MakeOptions = Callable[..., Options]
TOO_LITTLE = "--rlimit=100"


@pytest.fixture
def target(options: MakeOptions, session: Session) -> Target:
    target = Target(options(), session)
    options().findings.mkdir()
    return target


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were solved."""
    texts: list[str] = []
    solve = Pipeline.solve

    def noted(pipeline: Pipeline, text: str, *rest: Any) -> Any:
        texts.append(text)
        return solve(pipeline, text, *rest)

    monkeypatch.setattr(Pipeline, "solve", noted)
    return texts


def counted(session: Session, *counters: Counter) -> tuple[int, ...]:
    totals = session.counters.totals()
    return tuple(int(totals[counter]) for counter in counters)


def test_a_decided_unit_is_shown_and_counted(target: Target, session: Session) -> None:
    target.test_one_input(MORE_SAT.encode())
    sat = target.counters.counters.copy()
    target.test_one_input(UNSAT.encode())
    assert sat.any()
    assert target.counters.counters.any()
    assert (sat != target.counters.counters).any()
    assert counted(session, Counter.EXECUTIONS, Counter.SAT, Counter.UNSAT) == (2, 1, 1)
    assert len(session.traces) == 2


def test_with_hornfuzzs_policy_and_an_order_each_mutant_is_the_latest_of_its_group_with_one_more_row(
    options: MakeOptions, session: Session
) -> None:
    given = options("--policy=hornfuzz", "--heuristic=given")
    target = Target(given, session)
    given.findings.mkdir()
    for text in (MORE_SAT, UNSAT):
        target.test_one_input(text.encode())
    last, other = Recipe(canonical_seed(MORE_SAT)), UNSAT.encode()
    for seed in range(8):
        if seed < 4:
            data = target.mutate(other, 1 << 16, seed, lambda data, _size: data)
        else:
            data = target.crossover(other, other, 1 << 16, seed)
        recipe = decode(data)
        assert recipe.seed == last.seed, "the group that comes first, whatever libFuzzer draws"
        assert recipe.steps[: len(last.steps)] == last.steps
        added = len(recipe.steps) - len(last.steps), set(recipe.parameters) - set(last.parameters)
        assert added == (1, set()) or (added[0] == 0 and added[1])
        target.test_one_input(data)
        assert session.counters.totals()[Counter.SAT] == seed + 2, "decided, so that it is the latest"
        last = recipe


def test_a_unit_with_a_stored_outcome_is_shown_without_its_seed_being_read(
    options: MakeOptions, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    units = [MORE_SAT.encode(), encode(Recipe(canonical_seed(UNSAT), (), (("fp.spacer.ctp", "false"),)))]
    options().findings.mkdir()
    shown = []
    for target in (Target(options(), session), Target(options(), session)):
        for unit in units:
            target.test_one_input(unit)
            shown.append(target.counters.counters.copy())
        for number in range(100):
            read(b"another unit %d" % number)  # the latest units are kept
        monkeypatch.setattr("chcfuzz.mutators.recipe.refusal", lambda *_: pytest.fail("a seed was read"))
    assert counted(session, Counter.REPEATED, Counter.OWN_ERRORS) == (2, 0)
    assert [one.tolist() for one in shown[:2]] == [one.tolist() for one in shown[2:]]


def test_with_features_of_answers_units_with_equal_answers_look_alike(options: MakeOptions, session: Session) -> None:
    target = Target(options("--features=answers"), session)
    options().findings.mkdir()
    shown = []
    for text in (MORE_SAT, SAT, UNSAT):
        target.test_one_input(text.encode())
        shown.append(target.counters.counters.copy())
    assert len(session.traces) == 3
    assert (shown[0] == shown[1]).all()
    assert shown[0].sum() == 1
    assert (shown[0] != shown[2]).any()


def test_coarse_features_are_those_of_transitions_without_the_trace(options: MakeOptions, session: Session) -> None:
    """They are the default, and those of transitions are that of a merge and its processes, which keep each trace."""
    shown = []
    for flag in ("coarse", "traces", "transitions", "", "-merge=1", "-merge_control_file=control"):
        flags = [flag if flag.startswith("-") else f"--features={flag}"] if flag else []
        target = Target(options(*flags), session)
        target.test_one_input(MORE_SAT.encode())
        shown.append(target.counters.counters.copy())
    coarse, traces, transitions, usual, merge, part = shown
    assert coarse.any()
    assert (coarse + traces == transitions).all()
    assert (coarse == usual).all()
    assert (transitions == merge).all()
    assert (transitions == part).all()


@pytest.mark.parametrize(("features", "steers"), [("answers", False), ("traces", True)])
def test_with_features_of_answers_a_new_trace_neither_credits_a_row_nor_makes_a_unit_worth_mutating(
    options: MakeOptions, session: Session, monkeypatch: pytest.MonkeyPatch, features: str, steers: bool
) -> None:
    target, credited, worth = Target(options(f"--features={features}"), session), [], []
    monkeypatch.setattr(target.mutations.learning, "credit", lambda _context, _rows, opened: credited.append(opened))
    monkeypatch.setattr(PowerSchedule, "executed", lambda _self, _unit, _cost, worth_it: worth.append(worth_it))
    for seed in range(10):
        mutant = target.mutate(MORE_SAT.encode(), 1 << 20, seed, lambda data, _: data)
        target.test_one_input(mutant)
    assert len(session.traces) > 1
    assert any(credited) == any(worth) == steers
    assert credited


@pytest.mark.parametrize("features", ["traces", "transitions"])
def test_a_solver_without_edges_shows_traces_and_transitions_by_their_names(
    features: str, options: MakeOptions, session: Session
) -> None:
    target, everything = (Target(options(f"--features={named}"), session) for named in (features, "all"))
    for shown in (target, everything):
        shown.test_one_input(MORE_SAT.encode())
    assert target.counters.counters.any()
    assert (target.counters.counters == everything.counters.counters).all() == (features == "transitions")


def test_only_mutants_made_here_are_observed_for_the_estimate(target: Target, session: Session) -> None:
    target.test_one_input(MORE_SAT.encode())
    assert counted(session, Counter.OBSERVED) == (0,)
    mutants = [target.mutate(MORE_SAT.encode(), 1 << 20, seed, lambda data, _: data) for seed in range(3)]
    target.test_one_input(mutants[-1])
    assert counted(session, Counter.OBSERVED) == (1,)
    assert sum(session.sightings.once_and_twice()) <= 1


def test_an_undecided_unit_leaves_every_counter_at_zero(options: MakeOptions, session: Session) -> None:
    target = Target(options(TOO_LITTLE), session)
    target.counters.counters[:] = 1
    target.test_one_input(SAT.encode())
    assert not target.counters.counters.any()
    assert counted(session, Counter.EXECUTIONS, Counter.LIMIT, Counter.SAT) == (1, 1, 0)


def test_equal_mutants_are_solved_once_and_shown_twice(target: Target, session: Session, solved: list[str]) -> None:
    target.test_one_input(MORE_SAT.encode())
    first = target.counters.counters.copy()
    for same in (MORE_SAT.encode() + b"; a comment", encode(Recipe(MORE_SAT, (Step("no.such-mutation", b""),)))):
        target.test_one_input(same)
        assert (target.counters.counters == first).all()
    assert len(solved) == 1
    assert counted(session, Counter.EXECUTIONS, Counter.REPEATED) == (3, 2)


def test_other_parameters_are_another_mutant(target: Target, solved: list[str]) -> None:
    target.test_one_input(MORE_SAT.encode())
    target.test_one_input(encode(Recipe(MORE_SAT, (), (("fp.spacer.ctp", "false"),))))
    assert len(solved) == 2
    assert len(set(solved)) == 1


def test_units_are_read_again_if_an_earlier_worker_has_read_them(options: MakeOptions, session: Session) -> None:
    session.denylist.add(UNSAT.encode())
    Target(options(), session).test_one_input(SAT.encode())
    assert counted(session, Counter.EXECUTIONS, Counter.READ_AGAIN) == (1, 0)
    second = Target(options(), session)
    for unit in (b"", SAT.encode(), UNSAT.encode(), MORE_SAT.encode()):
        second.test_one_input(unit)
    assert counted(session, Counter.EXECUTIONS, Counter.READ_AGAIN) == (4, 2), "the empty unit is the first of each"
    made = second.mutate(SAT.encode(), 4096, 1, lambda data, _: data)
    second.test_one_input(made)
    assert counted(session, Counter.EXECUTIONS, Counter.READ_AGAIN) == (5, 2)


def test_a_poisoned_unit_is_not_executed(options: MakeOptions, session: Session, solved: list[str]) -> None:
    session.denylist.add(SAT.encode())
    target = Target(options(), session)
    target.counters.counters[:] = 1
    target.test_one_input(SAT.encode())
    assert solved == []
    assert not target.counters.counters.any()


def test_an_imported_unit_is_shown_without_solving(target: Target, session: Session, solved: list[str]) -> None:
    pipeline = target.context.pipeline
    execution = pipeline.execute(pipeline.mutant(Recipe(MORE_SAT)))
    solved.clear()
    seed = MORE_SAT.replace("(set-info :status sat)\n", "")
    target.test_one_input(with_outcome(seed, execution.outcome, pipeline.setting).encode())
    imported = target.counters.counters.copy()
    assert solved == []
    assert counted(session, Counter.EXECUTIONS, Counter.REPEATED) == (1, 1)
    target.test_one_input(MORE_SAT.encode())
    assert len(solved) == 1
    assert (target.counters.counters == imported).all()


def test_an_imported_unit_of_another_setting_is_solved(target: Target, solved: list[str]) -> None:
    pipeline = target.context.pipeline
    text = with_outcome(MORE_SAT, pipeline.execute(pipeline.mutant(Recipe(MORE_SAT))).outcome, pipeline.setting)
    solved.clear()
    target.test_one_input(text.replace(str(pipeline.setting), f"{pipeline.setting}0").encode())
    assert len(solved) == 1


SEALED = encode(Recipe(MORE_SAT, (Step("boolean.dup-and", b"\0"),)))


@pytest.mark.parametrize(
    "case",
    [
        (b"(set-logic HORN)\n(assert (< x 1))\n", ":2:12: unknown symbol, at `x`"),
        (SEALED.replace(b"chcfuzz\2", b"chcfuzz\x7f"), "was written by a newer chcfuzz"),
        (SEALED[:-30], "cut off"),
        (SEALED[:-1] + bytes([SEALED[-1] ^ 1]), "damaged"),
        (encode(Recipe("no system")), "holds a seed that is not a valid CHC system"),
    ],
)
def test_a_unit_that_is_not_what_it_begins_as_is_told_counted_and_not_executed(
    target: Target, session: Session, solved: list[str], capfd: pytest.CaptureFixture[str], case: tuple[bytes, str]
) -> None:
    unit, why = case
    target.counters.counters[:] = 1
    target.test_one_input(unit)
    (told,) = capfd.readouterr().err.splitlines()
    assert told.startswith(f"chcfuzz: left out: unit {digest(unit)}")
    assert why in told
    assert solved == []
    assert not target.counters.counters.any()
    assert counted(session, Counter.EXECUTIONS, Counter.REFUSED) == (1, 1)


def test_a_pattern_that_matches_no_row_is_told_before_anything_runs(options: MakeOptions, session: Session) -> None:
    with pytest.raises(UsageError, match=r"--rows: no mutation, parameter or configuration is called 'wrapers"):
        Target(options("--rows=boolean.*,wrapers.*"), session)


def test_of_many_units_that_are_refused_some_are_told(
    target: Target, session: Session, capfd: pytest.CaptureFixture[str]
) -> None:
    for number in range(30):
        target.test_one_input(b"(assert (< x %d))" % number)
    *told, more = capfd.readouterr().err.splitlines()
    assert (len(told), "more units are left out" in more) == (10, True)
    assert counted(session, Counter.REFUSED) == (30,)


@pytest.mark.parametrize("unit", [b"", b"\0", b"(", b"chcfuzz\x01", b"\xff" * 300, b";" * 100])
def test_any_bytes_are_a_unit(target: Target, session: Session, unit: bytes) -> None:
    target.test_one_input(unit)
    assert counted(session, Counter.EXECUTIONS) == (1,)


def test_no_unit_is_in_work_between_executions(target: Target, session: Session) -> None:
    target.test_one_input(MORE_SAT.encode())
    (file,) = session.folder.glob("worker-*.input")
    assert file.read_bytes()[:8] == bytes(8)


@pytest.mark.slow
def test_a_suspicion_is_written_down_and_a_finding_raised_only_where_that_is_asked(
    options: MakeOptions, tmp_path: Path
) -> None:
    for number, flags in enumerate(([FORGETFUL], [FORGETFUL, "--stop-on-finding"])):
        folder = tmp_path / str(number)
        folder.mkdir()
        session = Session(folder)
        asked = options(*flags, f"--findings={folder / 'found'}")
        target = Target(asked, session)
        if asked.stop_on_finding:
            with pytest.raises(SolverFinding, match="wrong-model"):
                target.test_one_input(MORE_SAT.encode())
        else:
            target.test_one_input(MORE_SAT.encode())
        waiting = list(Suspicions(asked.findings))
        assert len(waiting) == (not asked.stop_on_finding)
        assert session.findings.kinds() == (["wrong-model"] if asked.stop_on_finding else [])
        assert session.in_flight.take_from_dead() == []
        assert counted(session, Counter.SUSPICIONS) == (1,)
        for suspicion in waiting:
            assert (suspicion.kind, suspicion.seen, suspicion.expected) == ("wrong-model", "sat", "sat")
            assert suspicion.seed == SeedAnswer("sat", Ground.DECLARED)
            assert suspicion.solving == asked.solving.arguments


@pytest.mark.slow
def test_a_finding_that_looks_like_a_known_issue_is_kept_and_raised_only_on_request(
    options: MakeOptions, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    transformed = "--solver=tests.quality.planted:InlinedSpacer"  # right with inlining off: Z3 issue 7319
    for number, flags in enumerate((["--stop-on-finding"], ["--stop-on-finding", "--stop-on-known"])):
        folder = tmp_path / str(number)
        folder.mkdir()
        session = Session(folder)
        target = Target(options(transformed, *flags, f"--findings={folder / 'found'}"), session)
        if number:
            with pytest.raises(SolverFinding, match="wrong-model"):
                target.test_one_input(MORE_SAT.encode())
        else:
            target.test_one_input(MORE_SAT.encode())
            assert "this looks like z3-7319 (https://" in capfd.readouterr().err
        assert session.findings.kinds() == ["wrong-model"]


@pytest.mark.slow
@pytest.mark.parametrize("removed", ["found/wrong-model-*", "found/.suspicions/*", "nothing"])
def test_a_suspicious_unit_is_executed_again_if_its_finding_or_its_waiting_suspicion_was_removed(
    options: MakeOptions, session: Session, tmp_path: Path, solved: list[str], removed: str
) -> None:
    asked = options(FORGETFUL)
    asked.findings.mkdir()
    Target(asked, session).test_one_input(MORE_SAT.encode())
    if "suspicions" not in removed:
        assert len(looked_into(asked.findings, session)) == 1
    for path in tmp_path.glob(removed):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    solved.clear()
    lost = forget_lost(asked.findings, Suspicions(asked.findings).lost)
    Target(asked, session).test_one_input(MORE_SAT.encode())
    assert (lost, len(solved)) == ((0, 0) if removed == "nothing" else (1, 1))
    if lost:
        assert len(looked_into(asked.findings, session)) == 1
    assert len(list(asked.findings.glob("wrong-model-*"))) == 1


@pytest.mark.slow
def test_a_finding_is_kept_without_the_parameters_that_it_does_not_need(options: MakeOptions, session: Session) -> None:
    asked = options(FORGETFUL)
    target = Target(asked, session)
    target.test_one_input(encode(Recipe(MORE_SAT, (), (("fp.spacer.ctp", "false"), ("fp.spacer.eq_prop", "false")))))
    (kept,) = looked_into(asked.findings, session)
    assert kept.name.startswith("wrong-model-default-")
    assert decode((kept / "recipe").read_bytes()).parameters == ()


def silent(seed: str) -> str:
    """Return a seed without its declared status."""
    return seed.replace("(set-info :status sat)\n", "").replace("(set-info :status unsat)\n", "")


def test_a_mutant_of_a_seed_without_status_is_compared_with_what_the_seed_itself_answers(
    options: MakeOptions, session: Session
) -> None:
    asked = options("--solver=tests.quality.planted:StubbornSpacer")
    target = Target(asked, session)
    target.test_one_input(doubled(seed=silent(SAT)))
    (waits,) = Suspicions(asked.findings)
    assert (waits.kind, waits.seen, waits.expected) == ("wrong-answer", "unsat", "sat")
    assert waits.seed is not None
    assert waits.seed.ground is Ground.WITNESS
    assert "define-fun inv" in waits.seed.witness
    assert session.seeds.by_ground()[Ground.WITNESS] == 1


def test_the_answer_of_a_seed_is_asked_once_and_kept(options: MakeOptions, session: Session, solved: list[str]) -> None:
    target = Target(options(), session)
    recipe = canonical(Recipe(silent(UNSAT)))
    target.test_one_input(doubled(seed=recipe.seed))
    target.test_one_input(doubled(b"\1\1\1\1", seed=recipe.seed))
    assert solved.count(target.context.pipeline.mutant(recipe).text) == 1
    kept = SeedAnswers(options().findings, target.context.configuration_key)
    assert kept.of(recipe.seed) == SeedAnswer("unsat", Ground.ANSWER)
    assert session.seeds.by_ground()[Ground.ANSWER] == 1


def test_what_a_seed_costs_is_solved_once_for_all_processes_of_all_campaigns(
    options: MakeOptions, session: Session, solved: list[str], tmp_path: Path
) -> None:
    (tmp_path / "found").mkdir()
    for number in range(2):
        (tmp_path / f"another-{number}").mkdir()
        target = Target(options(), Session(tmp_path / f"another-{number}") if number else session)
        target.test_one_input(doubled(bytes([number]) * 4))
        if not number:
            seed = target.context.pipeline.mutant(Recipe(SAT)).text
            assert solved.count(seed) == 1
    assert len(set(solved)) == len(solved) == 3, "the seed, and two mutants"


def test_a_seed_that_shows_a_finding_still_does_so_after_it_was_solved_for_its_cost(
    options: MakeOptions, session: Session, tmp_path: Path
) -> None:
    (tmp_path / "found").mkdir()
    target = Target(options(FORGETFUL), session)
    target.test_one_input(doubled())
    (before,) = counted(session, Counter.SUSPICIONS)
    target.test_one_input(encode(Recipe(canonical(decode(doubled())).seed)))
    assert counted(session, Counter.SUSPICIONS) == (before + 1,)


@pytest.mark.parametrize("is_kept", [True, False])
def test_what_libfuzzer_keeps_for_other_reasons_than_its_trace_is_known_afterwards_too(
    options: MakeOptions, session: Session, solved: list[str], tmp_path: Path, is_kept: bool
) -> None:
    (tmp_path / "found").mkdir()
    (tmp_path / "grown").mkdir()
    target = Target(options(str(tmp_path / "grown")), session)
    target.test_one_input(SAT.encode())
    unit = target.mutate(SAT.encode(), 4096, 1, lambda data, _: data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(session.traces), "add", lambda *_: 0)  # its trace is not new
        target.test_one_input(unit)
    if is_kept:
        (tmp_path / "grown" / digest(unit)).write_bytes(unit)  # as libFuzzer does
    target.test_one_input(UNSAT.encode())
    solved.clear()
    Target(options(str(tmp_path / "grown")), session).test_one_input(unit)
    assert bool(solved) == (not is_kept)


@pytest.mark.parametrize("opens", [False, True])
def test_a_unit_that_opened_a_trace_is_not_lost_when_libfuzzer_replaces_it(
    options: MakeOptions, session: Session, tmp_path: Path, opens: bool
) -> None:
    (tmp_path / "found").mkdir()
    (grown := tmp_path / "grown").mkdir()
    session.unmerged.enable(grown)
    target = Target(options(str(grown)), session)
    target.test_one_input(SAT.encode())
    first = target.mutate(SAT.encode(), 4096, 1, lambda data, _: data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(session.traces), "add", lambda *_: int(opens))
        target.test_one_input(first)
    (grown / digest(first)).write_bytes(first)  # as libFuzzer does
    target.test_one_input(b"")
    second = smaller_mutant(target, first)
    target.test_one_input(second)
    (grown / digest(first)).unlink()  # as libFuzzer does if the second has the features of the first
    (grown / digest(second)).write_bytes(second)
    lost = [file.read_bytes() for file in session.unmerged.missing(grown)]
    assert lost == [first] * opens, "the campaign may end here"
    target.test_one_input(b"")
    assert (grown / digest(first)).exists() == opens
    assert session.unmerged.files() == []


def test_a_seed_that_hangs_on_a_loaded_machine_is_solved_again_by_the_next_campaign(
    options: MakeOptions, session: Session, solved: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = SAT.replace(":status sat", ":source made")
    (tmp_path / "found").mkdir()
    with monkeypatch.context() as loaded:
        solve = Pipeline.solve
        loaded.setattr(Pipeline, "solve", lambda *given: replace(solve(*given), status=Status.HANG))
        Target(options(), session).test_one_input(seed.encode())
    solved.clear()
    Target(options(), session).test_one_input(seed.encode())
    assert solved == [], "a worker that starts again does not wait again"
    (tmp_path / "later").mkdir()
    later = Target(options(), Session(tmp_path / "later"))
    later.test_one_input(seed.encode())
    assert len(solved) == 1
    known = later.context.answers.of(canonical(decode(seed.encode())).seed)
    assert known is not None
    assert known.status == "sat"


def test_a_known_mutant_whose_promise_is_another_is_compared_too(options: MakeOptions, session: Session) -> None:
    asked = options()
    target = Target(asked, session)
    target.test_one_input(MORE_SAT.encode())
    target.test_one_input(MORE_SAT.replace("status sat", "status unsat").encode())
    assert counted(session, Counter.REPEATED, Counter.SUSPICIONS) == (1, 1)
    (waits,) = Suspicions(asked.findings)
    assert (waits.kind, waits.seen, waits.expected) == ("wrong-answer", "sat", "unsat")


@pytest.mark.parametrize(
    ("second", "counts"),
    [({}, (1, 1)), ({"trace": NOTHING}, (1, 0)), ({"trace": NOTHING, "status": Status.HANG}, (0, 0))],
)
def test_an_earlier_execution_runs_again_and_shows_whether_its_trace_repeats(
    target: Target, session: Session, monkeypatch: pytest.MonkeyPatch, second: dict[str, Any], counts: tuple[int, int]
) -> None:
    known = set()
    solve = Pipeline.solve

    def other_the_second_time(pipeline: Pipeline, text: str, *rest: Any) -> Any:
        outcome = solve(pipeline, text, *rest)
        again = text in known
        known.add(text)
        return replace(outcome, **second) if again else outcome

    monkeypatch.setattr(Pipeline, "solve", other_the_second_time)
    monkeypatch.setattr(Pipeline, "solve_afresh", other_the_second_time)
    for bound in range(5, 14):
        target.test_one_input(SAT.replace("10", str(bound)).replace(":status sat", ":source made").encode())
    assert counted(session, Counter.RECHECKED, Counter.STABLE) == counts


@pytest.mark.slow
def test_a_wrong_declared_status_takes_no_room_from_findings_and_is_not_believed_again(
    options: MakeOptions, session: Session, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = options(PLANTED, "--per-bucket=1")
    target = Target(asked, session)
    wrong = SAT.replace("status sat", "status unsat")
    target.test_one_input(wrong.encode())  # the seed is wrong, not the solver
    target.test_one_input(doubled(seed=MORE_SAT))
    (folder,) = looked_into(asked.findings, session, per_bucket=1)
    assert folder.name.startswith("wrong-answer-default-")
    assert "a seed's declared status is wrong" in capfd.readouterr().err
    fresh = SeedAnswers(asked.findings, "of another setting")
    known = fresh.of(canonical(decode(wrong.encode())).seed)
    assert known is not None
    assert (known.status, known.ground) == ("sat", Ground.WITNESS)
    before = counted(session, Counter.SUSPICIONS)
    target.test_one_input(wrong.replace("(x Int)", "(z Int)").replace("x", "z").encode())  # another seed
    target.test_one_input(
        encode(Recipe(canonical(decode(wrong.encode())).seed, (Step("order.swap-clauses", b"\0\1"),)))
    )
    assert counted(session, Counter.SUSPICIONS) == (before[0] + 1,)


def test_a_death_while_mutating_is_of_the_unit_with_the_transforms_off(options: MakeOptions, session: Session) -> None:
    def dies(*_: object) -> bytes:
        os.kill(os.getpid(), signal.SIGKILL)
        return b""

    if os.fork() == 0:  # its own table of what is in work, as any worker has
        mine = Target(options(), session)
        mine.mutations.mutator.mutate = dies  # type: ignore[method-assign, assignment]
        mine.mutate(MORE_SAT.encode(), 4096, 1, lambda data, _: data)
    os.wait()
    (unit,) = session.in_flight.take_from_dead()
    assert decode(unit) == Recipe(decode(MORE_SAT.encode()).seed, (), with_transforms_off())


def test_what_is_mutated_is_another_mutant_within_the_size(options: MakeOptions, session: Session) -> None:
    target = Target(options("--portfolio=novelty"), session)  # neighbours depend on what was tried before
    target.test_one_input(MORE_SAT.encode())
    before = target.context.pipeline.mutant(decode(MORE_SAT.encode())).key
    for seed in range(5):
        mutated = target.mutate(MORE_SAT.encode(), 4096, seed, lambda data, _: data)
        assert len(mutated) <= 4096
        assert mutated == target.mutate(MORE_SAT.encode(), 4096, seed, lambda data, _: data)
        assert target.context.pipeline.mutant(decode(mutated)).key != before
        assert len(target.crossover(MORE_SAT.encode(), mutated, 4096, seed)) <= 4096


def test_every_problem_of_the_corpus_has_turns_and_no_mutant_is_one_of_them(
    options: MakeOptions, session: Session
) -> None:
    target = Target(options("--portfolio=neighbourhood", "--prices=none"), session)
    for unit in (SAT, UNSAT):
        target.test_one_input(unit.encode())
    mutant = target.mutate(SAT.encode(), 4096, 0, lambda data, _: data)
    target.test_one_input(mutant)
    target.test_one_input(encode(Recipe(MORE_SAT, (Step("order.swap-clauses", b"\0"),))))
    made = [target.mutate(mutant, 4096, seed, lambda data, _: data) for seed in range(40)]
    seeds = Tally(decode(unit).seed for unit in made)
    assert set(seeds) == {canonical_seed(SAT), canonical_seed(UNSAT)}
    assert min(seeds.values()) > 8


def mutated_seeds(target: Target) -> Tally[str]:
    """Count which of the two sat seeds the mutants come from, if libFuzzer always draws the expensive one."""
    units = (target.mutate(SAT.encode(), 4096, seed, lambda data, _: data) for seed in range(12))
    names = {canonical(decode(text.encode())).seed: name for text, name in ((SAT, "SAT"), (MORE_SAT, "MORE_SAT"))}
    return Tally(names.get(decode(unit).seed, "UNSAT") for unit in units)


@pytest.mark.parametrize(
    ("prices", "from_the_dear_one"), [("rare", range(7)), ("count", range(4)), ("none", range(10, 13))]
)
def test_a_cheap_unit_is_mutated_in_the_place_of_a_dear_one(
    options: MakeOptions, session: Session, prices: str, from_the_dear_one: range
) -> None:
    target = Target(options(f"--prices={prices}", "--kinds=rewrite"), session)
    for unit in (UNSAT, SAT, MORE_SAT):
        target.test_one_input(unit.encode())
    assert mutated_seeds(target)["SAT"] in from_the_dear_one


@pytest.fixture
def drawn_for(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return the units in whose place a rare one is drawn, which changes nothing here."""
    units: list[bytes] = []

    def choose(_units: RareUnits, unit: bytes, _choices: Choices) -> bytes:
        units.append(unit)
        return unit

    monkeypatch.setattr(RareUnits, "choose", choose)
    return units


@pytest.mark.parametrize(
    ("flag", "prefers"),
    [("--prices=rare", True), ("--prices=count", False), ("--prices=none", False), ("--features=answers", False)],
)
def test_rare_units_need_traces_as_feedback(
    options: MakeOptions, session: Session, drawn_for: list[bytes], flag: str, prefers: bool
) -> None:
    mutated_seeds(Target(options(flag), session))
    assert bool(drawn_for) is prefers


def test_features_of_smt_solvers_do_not_make_a_unit_rare(
    options: MakeOptions, session: Session, drawn_for: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ProgressLog, "has_features", True)
    mutated_seeds(Target(options(), session))
    assert not drawn_for


def test_units_of_a_corpus_are_drawn_though_others_have_opened_their_traces(
    options: MakeOptions, session: Session
) -> None:
    """As in a `-fork` child: what it loads opened its traces in a process before it."""
    for _ in range(2):
        target = Target(options(), session)
        for unit in (UNSAT, SAT, MORE_SAT):
            target.test_one_input(unit.encode())
    assert mutated_seeds(target)["SAT"] < 4


@pytest.mark.parametrize(("replaced", "code"), [(True, 73), (False, 0)])
def test_a_worker_in_which_z3_has_lost_too_much_leaves_between_units_if_another_takes_over(
    options: MakeOptions, session: Session, replaced: bool, code: int
) -> None:
    if replaced:
        session.replaces_workers.set()
    if os.fork() == 0:
        z3_errors.held_memory = lambda: MOST_LOST + 1
        target = Target(options(), session)
        target.test_one_input(SAT.encode())
        os._exit(0)
    _, status = os.wait()
    assert os.waitstatus_to_exitcode(status) == code
    assert counted(session, Counter.EXECUTIONS) == (0 if replaced else 1,)
    assert session.in_flight.take_from_dead() == []


@pytest.mark.parametrize(("reason", "code"), [("out of memory", 74), ("max. resource limit exceeded", 73)])
def test_a_worker_that_a_mutant_has_filled_to_its_memory_limit_names_no_leak(
    options: MakeOptions, session: Session, reason: str, code: int
) -> None:
    session.replaces_workers.set()
    if os.fork() == 0:
        held = [0]

        def solve(*_: object) -> Outcome:
            held[0] = MOST_LOST + 1
            return Outcome(Status.LIMIT, reason, NOTHING, 0, 0.0)

        spacer.Spacer.solve = solve  # type: ignore[method-assign, assignment]
        z3_errors.held_memory = lambda: held[0]
        target = Target(options(), session)
        target.test_one_input(SAT.encode())
        target.test_one_input(UNSAT.encode())
        os._exit(0)
    _, status = os.wait()
    assert os.waitstatus_to_exitcode(status) == code
    assert counted(session, Counter.EXECUTIONS) == (1,)


def test_a_finding_is_raised_out_of_a_function_of_its_name() -> None:
    with pytest.raises(SolverFinding, match="wrong-model-default-750729") as raised:
        raise_as("wrong-model-default-750729")
    assert raised.traceback[-1].frame.code.raw.co_name == "wrong_model_default_750729"
