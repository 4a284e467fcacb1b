"""Resource limits follow the costs of seeds, and stop where too much of the work is not decided."""

from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.supervisor.summary import advice_on_limits
from chcfuzz.campaign.worker.resource_limits import FREE, LEAST, ResourceLimits
from chcfuzz.campaign.worker.target import Target
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.solving import DEFAULT_RLIMIT
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.recipe import decode
from chcfuzz.solvers.outcome import Status

from tests.campaign.conftest import MORE_SAT, doubled

USUAL, MOST = 1_000_000, 40_000_000
ONE_SIDED = (Promise.SAT_PRESERVING, Promise.UNSAT_PRESERVING)
MakeOptions = Callable[..., Options]


@pytest.fixture
def limits() -> ResourceLimits:
    return ResourceLimits(USUAL, MOST, 30)


@pytest.mark.parametrize(
    ("cost", "limit"),
    [
        (100, LEAST),
        (10_000, 300_000),
        (100_000, USUAL),
        (500_000, USUAL),
        (600_000, 1_200_000),
        (14_000_000, 28_000_000),
        (39_000_000, MOST),
        (None, USUAL),
    ],
)
def test_a_mutant_may_cost_a_multiple_of_its_seed(limits: ResourceLimits, cost: int | None, limit: int) -> None:
    assert limits.of_mutant(cost) == limit


def test_a_limit_that_does_not_follow_seeds_is_the_usual_one() -> None:
    for fixed in (ResourceLimits(USUAL, MOST, 0), ResourceLimits(USUAL, USUAL, 30)):
        assert fixed.of_trial(USUAL + 10) is None
        assert fixed.of_mutant(14_000_000) == USUAL
    assert ResourceLimits(USUAL, MOST, 0).of_mutant(100) == USUAL


def test_a_seed_is_tried_with_four_times_as_much_up_to_the_most(limits: ResourceLimits) -> None:
    limits.spent(10 * FREE * USUAL)
    assert limits.of_trial(USUAL) == 4 * USUAL
    assert limits.of_trial(15 * USUAL) == MOST
    assert limits.of_trial(MOST + 100) is None


def test_trials_that_fail_take_a_quarter_of_the_work(limits: ResourceLimits) -> None:
    def trials(is_urgent: bool) -> int:
        number = 0
        while (limit := limits.of_trial(USUAL, is_urgent)) is not None:
            limits.spent_on_failure(limit)
            number += 1
        return number

    assert trials(is_urgent=False) == 0
    assert trials(is_urgent=True) == FREE // 4, "which are free if few seeds are decided"
    limits.spent(39 * FREE * USUAL)
    assert trials(is_urgent=False) == pytest.approx(FREE * 10 / 4 / (1 - 1 / 4) - FREE // 4, rel=0.35)


def test_one_mutant_in_four_is_preceded_by_a_trial(limits: ResourceLimits) -> None:
    assert [limits.is_turn() for _ in range(6)] == [True, False, False, False, True, False]


def test_a_given_limit_is_fixed_unless_seeds_may_be_hard(options: MakeOptions) -> None:
    assert options().most_rlimit == 40 * DEFAULT_RLIMIT
    assert options("--hard-seeds=1").most_rlimit == DEFAULT_RLIMIT
    assert options("--rlimit=5000").most_rlimit == 5000
    assert options("--rlimit=5000", "--hard-seeds=7").most_rlimit == 35_000
    assert options("--rlimit=4000000000", "--hard-seeds=7").most_rlimit < 1 << 32


def test_a_multiple_of_the_limit_that_z3_cannot_count_is_named(options: MakeOptions) -> None:
    assert options("--hard-seeds=4294").advice_on_hard_seeds == ""
    assert options("--rlimit=4000000000").advice_on_hard_seeds == ""
    message = options("--hard-seeds=4295").advice_on_hard_seeds
    assert message.startswith("--hard-seeds=4295: 4,295 times --rlimit=1000000 is more than the 4,294,967,295 ")
    assert "values above 4,294 " in message


def test_most_seeds_at_their_limit_are_said_with_what_to_do() -> None:
    assert advice_on_limits(35, 70, USUAL) == ""
    assert advice_on_limits(36, 70, USUAL).startswith("36 of 70 seeds are not decided within 1,000,000 resource units")
    assert "1 of 1 seed is not decided" in advice_on_limits(1, 1, USUAL)
    assert "a larger --rlimit" in advice_on_limits(1, 1, USUAL)


# Campaigns -------------------------------------------------------------------------------------------


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, Status]]:
    """The limits of all executions, and their statuses."""
    found: list[tuple[int, Status]] = []
    execute = Pipeline.execute

    def noted(pipeline: Pipeline, mutant: object, rlimit: int, *rest: object, **more: object) -> object:
        execution = execute(pipeline, mutant, rlimit, *rest, **more)  # type: ignore[arg-type]
        found.append((rlimit, execution.outcome.status))
        return execution

    monkeypatch.setattr(Pipeline, "execute", noted)
    return found


def test_most_mutants_of_a_hard_seed_are_decided(
    options: MakeOptions, session: Session, solved: list[tuple[int, Status]]
) -> None:
    fixed = Target(options("--rlimit=2000"), session)
    options().findings.mkdir()
    for unit in (MORE_SAT.encode(), doubled(seed=MORE_SAT)):
        fixed.test_one_input(unit)
    assert solved == [(2000, Status.LIMIT)] * 2
    assert session.seeds.at_limit == 1
    solved.clear()
    follows = Target(options("--rlimit=2000", "--hard-seeds=1000"), session)
    follows.test_one_input(MORE_SAT.encode())
    for seed in range(9):
        follows.test_one_input(follows.mutate(MORE_SAT.encode(), 1 << 16, seed, lambda data, _size: data))
    first, *mutants = solved
    assert first == (2000, Status.LIMIT)
    assert mutants[0] == (8340, Status.SAT), "four times what it had cost"
    assert sum(status is Status.SAT for _, status in mutants) > len(mutants) / 2
    assert 2000 < mutants[1][0] < 2 * 8340
    assert session.seeds.at_limit == 0


def test_most_mutants_of_a_seed_at_its_limit_are_weaker_or_stronger_until_it_is_decided(
    options: MakeOptions, session: Session
) -> None:
    target = Target(options("--rlimit=2000", "--hard-seeds=1000", "--portfolio=neighbourhood=1"), session)
    registry = target.context.pipeline.chains.registry
    options().findings.mkdir()

    def one_sided() -> int:
        made = [decode(target.mutate(MORE_SAT.encode(), 1 << 16, seed, lambda data, _size: data)) for seed in range(40)]
        rows = [registry.get(step.mutation) for recipe in made for step in recipe.steps]
        return sum(row is not None and row.promise in ONE_SIDED for row in rows)

    assert one_sided() == 0, "it was not executed yet"
    target.test_one_input(MORE_SAT.encode())
    assert one_sided() > 20
    target.test_one_input(target.mutate(MORE_SAT.encode(), 1 << 16, 1, lambda data, _size: data))
    assert session.seeds.at_limit == 0, "the seed was tried again before this mutant"
    assert one_sided() == 0


def test_the_next_campaign_knows_what_a_trial_has_decided(
    options: MakeOptions, tmp_path: Path, solved: list[tuple[int, Status]]
) -> None:
    options().findings.mkdir()
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        session = Session(tmp_path / folder)
        target = Target(options("--rlimit=2000", "--hard-seeds=1000"), session)
        target.test_one_input(MORE_SAT.encode())
        target.test_one_input(target.mutate(MORE_SAT.encode(), 1 << 16, 1, lambda data, _size: data))
        limits = [limit for limit, _ in solved]
        assert limits == ([2000, 8340, 5776] if folder == "first" else [5776])
        assert session.seeds.at_limit == 0
        solved.clear()
