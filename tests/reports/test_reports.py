"""The folders in reports/ are ready to be filed: their commands print what they show, and their patches fit."""

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from chcfuzz.domains.smt.finding_script import ASK_SMT
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.solvers import python, z3_release
from chcfuzz.solvers.z3_sdist import sources_of
from chcfuzz.triage.buckets.issue_folder import faults_of
from chcfuzz.triage.fix.patch import read_patch

from tests.targets import ROOT
from tests.triage.fix import changes
from tests.triage.fix.changes import Replacement, diff

RELEASE = "5.4.1.0"  # the one that the issues name
FOLDERS = sorted(path.parent for path in ROOT.glob("reports/*/*/issue.md"))
INPUTS = sorted(path for path in ROOT.glob("reports/*/*/input*.smt2") if "HORN" in path.read_text())
FIXES = {
    "01": (*changes.UNIQUE_VALUES, *changes.UNIQUE_VALUES_OF_VARIABLES),
    "02": changes.KEPT_RULES,
    "04": changes.END_OF_TAIL,
    "05": changes.NO_OTHER_USE_OF_ARRAYS,
    "08": changes.RULES_WITHOUT_PARTNERS,
    "09": changes.SIDE_CONDITIONS,
    "10": changes.READS_OF_ONE_ARRAY,
    "11": changes.LEMMAS_THAT_ARE_SPLIT,
    "12": changes.PREMISES_THAT_ARE_TRUE,
    "13": changes.READS_AT_THE_ARRAY,
    "14": changes.QUANTIFIER_THAT_IS_RETURNED,
    "15": changes.BOUND_VARIABLES,
    "16": changes.EQUALITIES_OF_STORES,
    "17": changes.EQUAL_INDICES,
    "18": changes.SLICED_TO_A_CONSTANT,
    "19": changes.LITERALS_OF_THE_BASE,
    "20": changes.VARIABLES_OF_READS,
    "21": changes.CONDITIONS_OF_ARRAYS,
    "22": changes.DISTINCT_ARRAYS,
    "24": changes.FUNCTIONS_WITHOUT_ENTRIES,
}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT / "reports"))


@cache
def programs() -> dict[str, Sequence[str]]:
    """The programs of the releases; that of Z3 is downloaded unless it is installed or in the cache."""
    installed = z3_release.installed()
    release = installed if installed and installed.version == RELEASE else z3_release.released(RELEASE)
    assert release.executable is not None
    return {"z3": [str(release.executable)], "bitwuzla": python.command("-c", ASK_SMT, "bitwuzla")}


@pytest.mark.parametrize("folder", FOLDERS, ids=name_of)
def test_a_folder_is_ready_and_its_commands_print_what_it_shows(folder: Path) -> None:
    assert not list(faults_of(folder, programs()))


@pytest.mark.parametrize("path", INPUTS, ids=name_of)
def test_an_input_is_a_system_of_horn_clauses(path: Path) -> None:
    parse(path.read_text())


def test_every_folder_with_a_patch_has_a_fix_in_the_table() -> None:
    assert {path.parent.name[:2] for path in ROOT.glob("reports/z3/*/fix.patch")} == set(FIXES)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "fix"), FIXES.items())
def test_a_patch_is_made_of_the_fix_and_fits_the_sources(number: str, fix: tuple[Replacement, ...]) -> None:
    (path,) = ROOT.glob(f"reports/z3/{number}-*/fix.patch")
    sources = sources_of(RELEASE)
    assert path.read_text() == diff(sources, fix)
    with tempfile.TemporaryDirectory() as copy:
        read_patch(path, sources).apply(sources, Path(copy))
