"""The interpolation seeds: their number and variety, and that each has a proof that it is unsat."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter

import pytest
from chcfuzz.grammar.interpolation.group_text import printed, read
from chcfuzz.grammar.printing.printer import print_problem

from seeds.files import ROOT, seeds_of
from seeds.interpolation.find_witnesses import is_shown, read_witnesses, refutations, trivial_cut

SEEDS = {seed.name: seed.text for seed in seeds_of("corpus-itp")}


def test_seeds_from_elsewhere_are_up_to_date() -> None:
    command = [sys.executable, "-m", "seeds.interpolation", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_seeds_are_many_and_of_many_kinds() -> None:
    assert len(SEEDS) >= 120
    stated = [read(text, name) for name, text in SEEDS.items()]
    theories = Counter(theory for each in stated for theory in each.theories)
    assert all(theories[theory] >= 10 for theory in ("LIA", "LRA", "BV", "Arrays", "ADT", "UF")), theories
    cuts = Counter(each.cuts for each in stated)
    assert cuts[1] >= 40
    assert sum(number for cut, number in cuts.items() if cut > 2) >= 30
    assert sum(each.is_tree for each in stated) >= 10
    assert sum(bool(each.axioms) for each in stated) >= 12


def test_seeds_begin_with_a_description_and_are_different_problems() -> None:
    for name, text in SEEDS.items():
        assert re.match(r"; \S[^\n]*\n", text), name
        assert text.partition("\n")[2] == printed(read(text, name)), name
    assert len({text.partition("\n")[2] for text in SEEDS.values()}) == len(SEEDS)


def test_each_seed_is_shown_to_be_unsat() -> None:
    witnesses = read_witnesses()
    assert set(witnesses) == set(SEEDS)
    assert [name for name, words in witnesses.items() if not is_shown(words)] == []


@pytest.mark.parametrize("name", [name for name in sorted(SEEDS) if name.startswith("written/")][::4])
def test_witnesses_and_sides_of_some_seeds_are_checked(name: str) -> None:
    stated = read(SEEDS[name], name)
    assert is_shown(list(refutations(print_problem(stated.problem))))
    assert trivial_cut(stated) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SEEDS))
def test_witnesses_and_sides_of_all_seeds_are_checked(name: str) -> None:
    stated = read(SEEDS[name], name)
    assert list(refutations(print_problem(stated.problem))) == read_witnesses()[name]
    assert trivial_cut(stated) is None
