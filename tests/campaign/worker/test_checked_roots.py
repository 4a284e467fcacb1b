"""A mutant whose answer a witness shows is a seed of its own, if its chain promises no answer."""

from collections.abc import Callable

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker.checked_roots import CheckedRoots
from chcfuzz.campaign.worker.target import Target
from chcfuzz.execution.seed_answers import Ground
from chcfuzz.mutators.recipe import Recipe, Step, canonical, decode, encode

from tests.campaign.conftest import FORGETFUL, SAT, UNSAT

MakeOptions = Callable[..., Options]
LOST = encode(Recipe(UNSAT, (Step("coarse.some-clauses", b""),), (("fp.spacer.ctp", "false"),)))  # one clause is left
KEPT = encode(Recipe(SAT, (Step("coarse.some-clauses", b""),)))


@pytest.fixture
def target(options: MakeOptions, session: Session) -> Target:
    options().findings.mkdir()
    return Target(options("--portfolio=novelty=1"), session)


def test_an_answer_that_a_model_shows_is_expected_of_further_mutants(target: Target, session: Session) -> None:
    roots, pipeline = CheckedRoots(target.context), target.context.pipeline
    assert pipeline.mutant(decode(LOST)).expected is None
    assert roots.root(LOST) == LOST, "its answer is not known yet"
    target.test_one_input(LOST)
    root = decode(roots.root(LOST))
    assert root.steps == ()
    assert root.parameters == decode(LOST).parameters
    assert canonical(root) == root, "so that its answer is found"
    mutant, before = pipeline.mutant(root), pipeline.mutant(decode(LOST))
    assert mutant.key == before.key, "the same problem"
    assert (mutant.expected, mutant.backing) == ("sat", "a checked witness")
    mutated = target.mutate(LOST, 1 << 16, 3, lambda data, _size: data)
    assert decode(mutated).seed == root.seed
    other = Target(target.context.options, session)
    assert other.context.answers.of(root.seed) == target.context.answers.of(root.seed), "other workers know it"


def test_the_answer_stays_that_of_the_seed_where_the_chain_promises_it(target: Target) -> None:
    target.test_one_input(KEPT)
    assert CheckedRoots(target.context).root(KEPT) == KEPT
    assert CheckedRoots(target.context).root(SAT.encode()) == SAT.encode()


def test_an_answer_without_a_witness_is_not_expected(options: MakeOptions, session: Session) -> None:
    options().findings.mkdir()
    target = Target(options(FORGETFUL), session)
    target.test_one_input(LOST)
    assert CheckedRoots(target.context).root(LOST) == LOST
    assert session.seeds.by_ground()[Ground.WITNESS] == 0
