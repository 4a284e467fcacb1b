"""A session, options as a user would give them, and units whose verdict a planted bug makes certain."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.campaign.command_line import parse
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker.target import Target
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.execution.seed_answers import SeedAnswers
from chcfuzz.execution.solving import LIBRARY_VARIABLE, Solving
from chcfuzz.mutators.recipe import Recipe, Step, encode
from chcfuzz.solvers import z3_release
from chcfuzz.triage.findings.confirmation_queue import ConfirmationQueue
from chcfuzz.triage.findings.store import FindingStore

from tests.targets import WALL

ROOT = Path(__file__).resolve().parents[2]
PLANTED = "--solver=tests.quality.planted:PlantedSpacer"  # wrong where a conjunction repeats a member
FORGETFUL = "--solver=tests.quality.planted:ForgetfulSpacer"  # its models are wrong
SAT, UNSAT = BUILT_IN[0], BUILT_IN[1]
MORE_SAT = BUILT_IN[2]

z3_release.activate()  # before any test imports z3


@pytest.fixture(autouse=True)
def _the_installed_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(LIBRARY_VARIABLE, raising=False)


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """An empty session."""
    folder = tmp_path / "session"
    folder.mkdir()
    return Session(folder)


@pytest.fixture
def options(tmp_path: Path) -> Callable[..., Options]:
    """Options with these flags; findings go to `found/`. Without a folder among them, the corpus is empty."""

    def given(*flags: str) -> Options:
        found = parse([f"--findings={tmp_path / 'found'}", WALL, *flags])
        has_corpus = any(not flag.startswith("-") for flag in flags)
        return found if has_corpus else replace(found, inputs=(), spares_own_seeds=False)

    return given


def looked_into(findings: Path, session: Session, per_bucket: int = 5) -> list[Path]:
    """Confirm all waiting suspicions of a findings folder; return the folders of the findings."""
    store, answers = FindingStore(findings, per_bucket), SeedAnswers(findings)
    queue = ConfirmationQueue(store, answers, session.mark_finding, lambda seen: Solving.parsed(seen.solving))
    return sorted({folder for name in queue.suspicions.names() if (folder := queue.process(name)) is not None})


def smaller_mutant(target: Target, unit: bytes) -> bytes:
    """The first mutant of a unit that has fewer bytes."""
    mutants = (target.mutate(unit, 1 << 20, seed, lambda data, _: data) for seed in range(1, 1000))
    return next(mutant for mutant in mutants if len(mutant) < len(unit))


def doubled(choices: bytes = b"\0\0\0\0", seed: str = SAT, parameters: tuple[tuple[str, str], ...] = ()) -> bytes:
    """A unit whose mutant has a conjunction that holds a member twice."""
    return encode(Recipe(seed, (Step("boolean.dup-and", choices),), parameters))
