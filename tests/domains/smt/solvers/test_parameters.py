"""The table of parameters fits the wheels, and no parameter can write."""

from decimal import Decimal

import bitwuzla
import cvc5
import pytest
import z3
from chcfuzz.domains.smt.campaign_solvers import allowed_words
from chcfuzz.domains.smt.solvers import z3 as z3_engine
from chcfuzz.domains.smt.solvers.parameters import SAFE, STABLE, SolverParameter, parameters
from chcfuzz.domains.smt.solvers.selection import BITWUZLA, CVC5, SOLVERS, Z3
from chcfuzz.solvers.solver_names import is_allowed, is_harmless, is_self_check
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.triage.examine.finding_scope import standing

from tests.domains.smt.solvers.problems import BITS, INTEGERS

TABLE_OF = {"z3": "5.4.", "cvc5": "1.4.2", "bitwuzla": "0.10.0"}


def number_or_word(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text.lower()


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_value_is_allowed_and_differs_from_the_default(solver: str) -> None:
    for row in parameters(solver):
        assert row.values, row
        assert row.default not in row.values, row
        assert all(is_harmless(row.name, value) for value in row.values), row
    assert len({row.key for row in parameters(solver)}) == len(parameters(solver))


def z3_takes(row: SolverParameter) -> None:
    before = z3.get_param(row.name)
    assert number_or_word(before) == number_or_word(row.default), row
    for value in row.values:
        z3.set_param(row.name, value)
        assert number_or_word(z3.get_param(row.name)) == number_or_word(value), row
    z3.set_param(row.name, f"{Decimal(before):f}" if "e-" in before else before)  # Z3 prints 1e-05, and refuses it


def test_the_z3_of_this_process_has_every_parameter_and_takes_every_value() -> None:
    if not z3.get_version_string().startswith(TABLE_OF["z3"]):
        pytest.skip(f"needs z3 {TABLE_OF['z3']}, as the table of parameters")
    for row in parameters(Z3):
        z3_takes(row)


@pytest.mark.slow
def test_no_parameter_of_z3_outlives_its_execution() -> None:
    engine = z3_engine.Z3(Watchdog(60))

    def traces() -> list[int]:
        return [engine.solve(text, (), 100_000).trace.hash for text in (BITS, INTEGERS)]

    before = traces()
    for row in parameters(Z3)[::9]:
        for value in row.values:
            engine.solve(INTEGERS, ((row.name, value),), 100_000)
        assert traces() == before, row


def test_cvc5_has_every_option_and_takes_every_value() -> None:
    if cvc5.__version__ != TABLE_OF["cvc5"]:
        pytest.skip(f"needs cvc5 {TABLE_OF['cvc5']}, as the table of parameters")
    terms = cvc5.TermManager()
    for row in parameters(CVC5):
        info = cvc5.Solver(terms).getOptionInfo(row.name)
        assert info["category"].name.lower() == row.group
        assert number_or_word(str(info["default"])) == number_or_word(row.default), row
        for value in row.values:
            cvc5.Solver(terms).setOption(row.name, value)


def test_bitwuzla_has_every_option_and_takes_every_value() -> None:
    if bitwuzla.version() != TABLE_OF["bitwuzla"]:
        pytest.skip(f"needs bitwuzla {TABLE_OF['bitwuzla']}, as the table of parameters")
    for row in parameters(BITWUZLA):
        options = bitwuzla.Options()
        option = options.option(row.name)
        assert number_or_word(str(options.get(option))) == number_or_word(row.default), row
        for value in row.values:
            options.set(row.name, {"true": True, "false": False}.get(value, int(value) if value.isdecimal() else value))


def test_groups_decide_what_is_experimental() -> None:
    groups = {(row.group, row.is_experimental) for solver in SOLVERS for row in parameters(solver)}
    assert groups == {
        ("usual", False),
        ("common", False),
        ("regular", False),
        ("experimental", True),
        ("expert", True),
    }
    by_key = {row.key: row for solver in SOLVERS for row in parameters(solver)}
    assert by_key["z3.sat.euf"].is_experimental
    assert by_key["cvc5.arrays-exp"].is_experimental
    assert not by_key["bitwuzla.pp-normalize"].is_experimental


@pytest.mark.parametrize(
    "name",
    [
        "smt.proof.log",
        "smt.axioms2files",
        "solver.lemmas2console",
        "sat.drat.file",
        "sat.inprocess.out",
        "trace_file_name",
        "verbosity",
        "write-cnf",
        "regular-output-channel",
        "out",
        "dump-models",
        "stats",
        "loglevel",
        "a;b",
        "-x",
    ],
)
def test_a_parameter_that_writes_is_not_allowed(name: str) -> None:
    assert not is_allowed(name, "true")


@pytest.mark.parametrize("value", ["/etc/passwd", "a b", '"', "a;b", "", "-1", "$HOME", "a)(exit)"])
def test_a_value_is_a_number_or_a_word(value: str) -> None:
    assert not is_allowed("smt.relevancy", value)


@pytest.mark.parametrize("name", ["check-models", "check-unsat-cores", "check-model", "smt.core.validate"])
def test_self_checks_are_allowed_but_not_harmless(name: str) -> None:
    assert is_allowed(name, "true")
    assert is_self_check(name)
    assert not is_harmless(name, "true")


@pytest.mark.parametrize("mode", [SAFE, STABLE])
def test_the_modes_of_cvc5_allow_the_options_that_the_table_says(mode: str) -> None:
    if not cvc5.__version__.startswith(TABLE_OF["cvc5"]):
        pytest.skip(f"needs cvc5 {TABLE_OF['cvc5']}, as the table of parameters")
    manager = cvc5.TermManager()
    for row in parameters(CVC5):
        solver = cvc5.Solver(manager)
        solver.setOption("safe-mode", mode)
        try:
            solver.setOption(row.name, row.values[0])
        except RuntimeError:
            assert row.mode not in (SAFE, mode), row
        else:
            assert row.mode in (SAFE, mode), row


def test_the_scope_of_a_finding_names_the_mode_of_cvc5() -> None:
    assert allowed_words(("cvc5.cbqi", "cvc5.nl-ext")) == "allowed in safe mode (label safe-options)"
    assert allowed_words(("cvc5.cbqi", "cvc5.nl-cov")) == "allowed in stable mode"
    assert {allowed_words(names) for names in ((), ("z3.sat.euf",), ("cvc5.nl-cov", "cvc5.no-such"))} == {""}
    found = standing("wrong-answer", ("cvc5.nl-cov",), None, None).allowed("allowed in stable mode")
    assert found.words == "wrong answer; one option changed; allowed in stable mode"
