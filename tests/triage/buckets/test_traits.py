"""The traits that are read from a finding's folder."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.execution.codec import converted, to_json
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.triage.buckets.cause import observed_in
from chcfuzz.triage.buckets.traits import Traits, read_traits
from chcfuzz.triage.findings.location import Location, PartingEvent, SuspiciousSite, Versions, write_location
from chcfuzz.triage.findings.record import Finding
from chcfuzz.triage.shrink.result import Mode

from tests.triage.examine.test_examination import SAT
from tests.triage.records import a_record, a_reduction, write_record
from tests.triage.reduce.test_reduction import CTP, DOUBLED, SAT_UNTIL_UNSAT, finding, solving

REDUCED = "(set-logic HORN)\n(declare-fun p () Bool)\n(assert p)\n(check-sat)\n"


@pytest.fixture
def wrong_answer(tmp_path: Path) -> Path:
    """Unsat, not reduced."""
    return written(tmp_path / "found", cures=("given, transforms off", "fp.xform.slice=false"))


def written(where: Path, kind: str = "wrong-answer", cures: tuple[str, ...] = (), **more: Any) -> Path:
    """A finding's folder with its mutant."""
    recipe = replace(DOUBLED, parameters=(CTP,))
    folder = finding(where, recipe, kind, solving("PlantedSpacer"), cures, **{**SAT_UNTIL_UNSAT, **more})
    (folder / "mutant.smt2").write_text(SAT)
    return folder


def reduce(folder: Path, text: str = REDUCED, parameters: dict[str, str] | None = None) -> None:
    """Write the files of a reduction that are read."""
    (folder / "reduced.smt2").write_text(text)
    (folder / "reduced.json").write_bytes(a_reduction(parameters=parameters or {}).to_json())


def test_without_a_reduced_system_the_shape_is_that_of_the_mutant(wrong_answer: Path) -> None:
    found = read_traits(wrong_answer)
    assert (found.kind, found.witness, found.solver, found.release) == (
        "wrong-answer",
        "wrong unsat",
        "Spacer",
        "5.4.0.0",
    )
    assert found.parameters == ("fp.spacer.ctp=false",)
    assert found.shape.theories == ("LIA",)
    assert found.text is None
    assert found.by_transforms
    assert converted(json.loads(to_json(found)), Traits) == found


def test_a_finding_that_is_reduced_to_equivalent_clauses_alone_counts_as_not_reduced(wrong_answer: Path) -> None:
    """Its clauses may be superfluous, so triage still reduces it."""
    (wrong_answer / "equivalent.smt2").write_text(REDUCED)
    reduction = a_reduction(mode=Mode.EQUIVALENT, parameters={})
    (wrong_answer / "equivalent.json").write_bytes(reduction.to_json())
    found = read_traits(wrong_answer)
    assert (found.text, found.parameters, found.shape.theories) == (None, (), ())


def test_a_reduced_finding_has_the_traits_of_the_reduced_system(wrong_answer: Path) -> None:
    raw = read_traits(wrong_answer)
    reduce(wrong_answer)
    found = read_traits(wrong_answer)
    assert found.text == REDUCED
    assert found.shape.theories == ()
    assert found.parameters == ()
    assert found.size < raw.size
    assert found.id == raw.id


def test_the_id_is_the_same_in_every_folder_and_another_for_another_release(wrong_answer: Path, tmp_path: Path) -> None:
    shutil.copytree(wrong_answer, tmp_path / "elsewhere" / "other-name")
    assert read_traits(tmp_path / "elsewhere" / "other-name").id == read_traits(wrong_answer).id
    other = written(tmp_path / "other", cures=("given, transforms off",), z3="4.8.14.0")
    assert read_traits(other).id != read_traits(wrong_answer).id
    record = json.loads((other / "record.json").read_text()) | {"z3": "5.4.0.0", "solving": ["--solver=other:Class"]}
    (other / "record.json").write_text(json.dumps(record))
    assert read_traits(other).id != read_traits(wrong_answer).id


@pytest.mark.parametrize(("cures", "by_transforms"), [(("transforms off",), False), (("given, transforms off",), True)])
def test_where_it_needs_parameters_the_transforms_cure_it_only_with_them(
    cures: tuple[str, ...], by_transforms: bool, tmp_path: Path
) -> None:
    assert read_traits(written(tmp_path / "found", cures=cures)).by_transforms is by_transforms


@pytest.mark.parametrize(
    ("kind", "more", "witness"),
    [
        ("wrong-answer", {"answer": "sat"}, "wrong sat"),
        ("wrong-model", {}, "wrong model"),
        ("contradiction", {}, "contradicted unsat"),
        ("limit", {}, "limit"),
    ],
)
def test_the_witness_is_a_class(kind: str, more: dict[str, Any], witness: str, tmp_path: Path) -> None:
    assert read_traits(written(tmp_path / "found", kind, **more)).witness == witness


def test_a_death_is_described_by_its_signal(tmp_path: Path) -> None:
    folder = written(tmp_path / "found", "crash")
    record = json.loads((folder / "record.json").read_text())
    record["cause"]["detail"] = "it dies of signal 11"
    (folder / "record.json").write_text(json.dumps(record))
    assert read_traits(folder).witness == "it dies of signal 11"


def test_the_program_of_a_command_is_the_solver(tmp_path: Path) -> None:
    assert read_traits(written(tmp_path / "found", command=["/opt/eldarica/eld", "-ssol"])).solver == "eld"


def test_where_it_was_located_that_is_known_too(wrong_answer: Path) -> None:
    assert read_traits(wrong_answer).first_good is None
    location = Location(
        "reduced",
        event=PartingEvent(7, "propagate 12", "propagate 13", None),
        sites=(SuspiciousSite("spacer_context.cpp", 1.0, 3, 0),),
        versions=Versions("4.12.0.0", "4.11.2.0", "4.14.1.0"),
        assertion="m_weak_abs",
    )
    write_location(wrong_answer, location)
    found = read_traits(wrong_answer)
    assert (found.first_bad, found.first_good, found.assertion) == ("4.12.0.0", "4.14.1.0", "m_weak_abs")
    assert (found.event, found.site) == ("propagate 0", "spacer_context.cpp")


@pytest.mark.parametrize("gone", ["record.json", "mutant.smt2", "recipe"])
def test_a_folder_that_is_not_whole_is_named_on_a_line(gone: str, wrong_answer: Path) -> None:
    (wrong_answer / gone).unlink()
    with pytest.raises(ChcfuzzError, match=r"remove that finding's folder|is not a finding") as error:
        read_traits(wrong_answer)
    assert str(wrong_answer) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_seed_alone_can_be_a_finding(tmp_path: Path) -> None:
    folder = finding(tmp_path / "found", Recipe(SAT), "wrong-model", solving("ForgetfulSpacer"))
    (folder / "mutant.smt2").write_text(SAT)
    assert read_traits(folder).parameters == ()


@pytest.mark.parametrize(
    ("command", "observed"),
    [
        (["/opt/golem"], "`golem`, whose version was not recorded"),
        (["java", "-cp", "/m/princess-2025-11-17.jar:/m/scala-2.jar", "Main"], "`java`, `princess-2025-11-17.jar`"),
    ],
)
def test_a_command_does_not_have_the_release_of_z3(tmp_path: Path, command: list[str], observed: str) -> None:
    folder = written(tmp_path / "found", command=command)
    traits = read_traits(folder)
    assert traits.release == ""
    assert observed_in(Finding.read(folder).record, traits) == observed


def test_a_folder_may_have_any_name_and_be_the_current_one(wrong_answer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = wrong_answer.rename(wrong_answer.with_name("a copy (2).bak"))
    assert read_traits(other).name == "a copy (2).bak"
    monkeypatch.chdir(other)
    assert read_traits(Path()).name == "a copy (2).bak"


@pytest.mark.parametrize("content", [b"(set-logic HORN)\n\xff", b"(set-logic HORN)\n(assert ", None])
def test_a_reduced_system_that_is_damaged_or_missing_costs_the_reduction_and_not_the_finding(
    wrong_answer: Path, content: bytes | None
) -> None:
    reduce(wrong_answer)
    (wrong_answer / "reduced.smt2").unlink()
    if content is not None:
        (wrong_answer / "reduced.smt2").write_bytes(content)
    with pytest.raises(
        ChcfuzzError, match=r"reduced\.smt2.*; remove 'reduced\.json' beside it, and reduce the finding again"
    ):
        read_traits(wrong_answer)


@pytest.mark.parametrize(
    ("cures", "vanishes", "by_inlining"),
    [
        (("transforms off", "inlining off"), (), True),
        (("transforms off",), (), False),
        (("transforms off",), (("fp.xform.inline_linear", "false"),), True),
        (("transforms off", "inlining off"), (("fp.xform.slice", "false"),), False),  # the reduced system decides
    ],
)
def test_a_wrong_model_looks_like_the_known_issue_only_if_inlining_alone_cures_it(
    cures: tuple[str, ...], vanishes: tuple[tuple[str, str], ...], by_inlining: bool, tmp_path: Path
) -> None:
    folder = written(tmp_path / "found", "wrong-model", answer="sat", cures=cures)
    if vanishes:
        write_location(folder, Location("mutant", vanishes=vanishes))
    found = read_traits(folder)
    assert found.by_inlining is by_inlining
    assert ("7319" in found.standing) is by_inlining
    (folder / "diagnosis.md").write_text("`slice` drops an argument.")
    assert read_traits(folder).diagnosed
    assert "7319" not in read_traits(folder).standing


def test_the_settings_of_a_solver_are_options_in_force(tmp_path: Path) -> None:
    folder = tmp_path / "found"
    write_record(
        folder,
        a_record(
            "wrong-answer",
            solving=("--domain=smt", "--solvers=z3:smt.bv.solver=2,cvc5"),
            solvers={"z3:smt.bv.solver=2": "5.4.1.0"},
            parameters={"solver": "z3:smt.bv.solver=2"},
        ),
    )
    (folder / "recipe").write_bytes(b"a unit")
    (folder / "mutant.smt2").write_text("(set-logic QF_BV)\n(declare-const x Bool)\n(assert x)\n(check-sat)\n")
    found = read_traits(folder)
    assert found.parameters == ("z3.smt.bv.solver=2",)
    assert found.standing == "wrong answer; an unsupported option changed"  # by the table of Z3's parameters


def test_a_finding_about_the_z3_program_has_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "found"
    write_record(folder, a_record("wrong-answer", parameters={"solver": "z3-program"}))
    (folder / "recipe").write_bytes(b"a unit")
    (folder / "mutant.smt2").write_text(SAT)
    found = read_traits(folder)
    assert (found.solver, found.parameters) == ("z3-program", ())
    assert found.standing == "wrong answer; all options default"
