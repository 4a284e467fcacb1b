"""A domain that replaces nothing, as the machine and triage see it, and the choice among several solvers."""

from collections.abc import Callable

import pytest
from chcfuzz.domains.protocol import Domain, NoSecondOpinion, WitnessSearch
from chcfuzz.execution.domain import with_selection
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.mutators.mutation import Parameter, Scope
from chcfuzz.mutators.recipe import decode
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.trace import NOTHING
from chcfuzz.triage.shrink.result import Mode

from tests.campaign.conftest import SAT, doubled

CTP, Q3 = "fp.spacer.ctp", "fp.spacer.q3"
SYSTEM = parse(SAT)
OUTCOME = Outcome(Status.CRASH, "dies of signal 11", NOTHING, 0, 0.0)


class Plain(Domain):
    """A domain with a name alone."""

    @property
    def name(self) -> str:
        return "plain"


class Search(WitnessSearch):
    """A search that replaces nothing."""


@pytest.fixture
def plain() -> Domain:
    return Plain()  # type: ignore[abstract]


def test_a_domain_has_one_solver_by_default(plain: Domain) -> None:
    solving = Solving()
    assert plain.prepared(solving, experimental=False) is solving
    assert plain.counts_resources(solving)
    assert plain.tested(solving, ((CTP, "true"),)) == ()
    assert plain.selected(solving) == ()
    assert plain.inside(solving) == ()
    assert plain.releases(solving, (), "5.4.0.0") == {}
    assert plain.against(solving, "4.8.14.0") is None
    assert plain.runs(solving, ())
    assert plain.solver_key(solving, (), "5.4.0.0") == "Spacer 5.4.0.0"
    assert plain.released(()) == (z3_release.in_cache(), z3_release.on_offer())


def test_a_domain_checks_nothing_but_the_end_of_the_solver_by_default(plain: Domain) -> None:
    watchdog = Watchdog(20)
    solve: Callable[..., Outcome] = lambda *_: OUTCOME  # noqa: E731
    mutant: object = object()
    assert plain.errors(OUTCOME).kind is VerdictKind.CRASH
    assert plain.verdicts(mutant, OUTCOME, watchdog, solve) == ()  # type: ignore[arg-type]
    opinion = plain.second_opinion(Solving(), watchdog, solve)
    assert isinstance(opinion, NoSecondOpinion)
    assert not opinion.has_others
    assert opinion.verdicts(mutant, OUTCOME) == ()  # type: ignore[arg-type]
    assert list(plain.optional_parts()) == []
    assert plain.held_memory() == 0


def test_every_parameter_concerns_the_only_solver_and_is_tried(plain: Domain) -> None:
    row = Parameter(CTP, "2", ("true", "false"), Scope.EXPERIMENTAL, "a file")
    assert plain.concerns((), CTP)
    assert plain.tried((), row, SYSTEM) == ("true", "false")


def test_a_released_z3_replaces_a_build(plain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[str] = []
    monkeypatch.setattr(z3_release, "released", fetched.append)
    solving, selection = plain.with_release(Solving.parsed(["--z3-library=/a/build"]), ((CTP, "true"),), "4.8.14.0")
    assert fetched == ["4.8.14.0"]
    assert (solving.z3, solving.z3_library, selection) == ("4.8.14.0", None, ((CTP, "true"),))


def test_triage_needs_little_of_a_domain(plain: Domain) -> None:
    assert not plain.compares_answers
    assert plain.modes == (Mode.FINDING,)
    assert plain.seeds is None
    assert plain.input_for(SYSTEM, "z3", ()) == ""
    assert not plain.is_experimental(CTP)
    assert plain.is_switch(CTP)
    assert plain.unsupported_in(SYSTEM) is None


def test_a_search_for_witnesses_knows_no_other_solvers_by_default() -> None:
    search, run = Search(), None  # type: ignore[abstract]
    assert search.answers == {}
    assert search.plain_configurations == ()
    assert search.contradicted(run, run) == ()  # type: ignore[arg-type]
    assert search.standoff(run) is None  # type: ignore[arg-type]
    assert search.doubt(run) == ""  # type: ignore[arg-type]


def test_a_unit_gets_the_parameters_that_choose_the_solver() -> None:
    unit = doubled(parameters=((CTP, "false"), (Q3, "false")))
    assert with_selection(unit, ()) is unit
    chosen = decode(with_selection(unit, ((CTP, "true"), ("fp.xform.slice", "false"))))
    assert chosen.parameters == ((CTP, "true"), (Q3, "false"), ("fp.xform.slice", "false"))
    assert (chosen.seed, chosen.steps) == (decode(unit).seed, decode(unit).steps)
