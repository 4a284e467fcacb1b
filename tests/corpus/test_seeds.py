"""The seeds: their number and variety, that every parser reads them, and that Spacer gives their status."""

import re
from collections import Counter
from pathlib import Path

import cvc5
import pytest
import z3
from chcfuzz.grammar.horn import Shape
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.theories import floating_point
from chcfuzz.grammar.theory import operator_names

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "corpus"
FILES = sorted(CORPUS.rglob("*.smt2"))
NAMES = [path.relative_to(CORPUS).with_suffix("").as_posix() for path in FILES]
SYSTEMS = {name: parse(path.read_text(), name) for name, path in zip(NAMES, FILES, strict=True)}

RLIMIT = 1_000_000


def test_names_end_with_the_status() -> None:
    endings = {name: "safe" if system.status == "sat" else "unsafe" for name, system in SYSTEMS.items()}
    assert [name for name, ending in endings.items() if not name.endswith(f"-{ending}")] == []


def test_enough_seeds_of_either_status() -> None:
    statuses = Counter(system.status for system in SYSTEMS.values())
    assert len(SYSTEMS) >= 150
    assert set(statuses) == {"sat", "unsat"}
    assert 0.4 <= statuses["sat"] / len(SYSTEMS) <= 0.6


def test_no_two_seeds_are_the_same_system() -> None:
    texts = Counter(print_system(system) for system in SYSTEMS.values())
    assert [text for text, count in texts.items() if count > 1] == []


def test_seeds_are_small_and_begin_with_a_description() -> None:
    for path in FILES:
        text = path.read_text(encoding="ascii")
        assert len(text) <= 3000, path
        assert re.match(r"; \S", text), path


def test_every_theory_and_every_shape_is_there() -> None:
    theories = Counter(theory for system in SYSTEMS.values() for theory in system.theories)
    shapes = Counter(clause.shape for system in SYSTEMS.values() for clause in system.clauses)
    assert all(theories[theory] >= 20 for theory in ("LIA", "LRA", "Arrays", "BV", "ADT")), theories
    assert all(shapes[shape] >= 10 for shape in Shape), shapes


def test_every_operator_is_in_a_seed() -> None:
    lines = [line for path in FILES for line in path.read_text().splitlines() if not line.startswith(";")]
    words = {word for line in lines for word in re.findall(r"[^\s()]+", line)}
    of_floats = {operator.name for operator in floating_point.THEORY.operators}  # Z3 reads no floats in its logic HORN
    assert sorted(operator_names(is_smt=False) - of_floats - words) == []


def test_arrays_have_indices_and_elements_of_many_sorts() -> None:
    sorts = {sort for system in SYSTEMS.values() for p in system.predicates for sort in p.parameters if sort.is_array}
    assert len({sort.index for sort in sorts}) >= 3, sorts
    assert len({sort.element for sort in sorts}) >= 6, sorts


def test_there_are_systems_of_every_kind() -> None:
    def count(*wanted: bool) -> int:
        return sum(wanted)

    queries = [sum(clause.is_query for clause in system.clauses) for system in SYSTEMS.values()]
    assert count(*(number == 0 for number in queries)) >= 2
    assert count(*(number >= 2 for number in queries)) >= 10
    assert count(*(len(system.predicates) >= 7 for system in SYSTEMS.values())) >= 10
    assert count(*(any(not c.is_linear for c in system.clauses) for system in SYSTEMS.values())) >= 50
    assert count(*(any(c.name for c in system.clauses) for system in SYSTEMS.values())) >= 2


@pytest.mark.parametrize("name", NAMES)
def test_seed_survives_printing_and_parsing(name: str) -> None:
    printed = print_system(SYSTEMS[name])
    assert parse(printed) == SYSTEMS[name]
    assert print_system(parse(printed)) == printed


@pytest.mark.parametrize("name", NAMES)
def test_cvc5_reads_the_seed(name: str) -> None:
    solver = cvc5.Solver(cvc5.TermManager())
    parser = cvc5.InputParser(solver)
    parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, str(CORPUS / f"{name}.smt2"))
    while not (command := parser.nextCommand()).isNull():
        if command.getCommandName() != "check-sat":
            assert command.invoke(solver, parser.getSymbolManager()) in ("", "success")


@pytest.mark.parametrize("name", NAMES)
def test_spacer_answers_the_status_of_the_seed(name: str) -> None:
    solver = z3.SolverFor("HORN", ctx=z3.Context())
    solver.set("rlimit", RLIMIT)
    solver.from_file(str(CORPUS / f"{name}.smt2"))
    assert str(solver.check()) == SYSTEMS[name].status
