"""The folders in reports/ are ready to be filed: their commands print what they show, and their patches fit."""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
import z3
from chcfuzz.domains.interpolation.solvers import jars
from chcfuzz.domains.smt.finding_script import ASK_SMT
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.solvers import python, z3_release
from chcfuzz.solvers.z3_sdist import sources_of
from chcfuzz.triage.buckets.issue_folder import LABELS, faults_of
from chcfuzz.triage.fix.patch import read_patch

from tests.targets import ROOT
from tests.triage.fix import changes
from tests.triage.fix.changes import Replacement, diff

RELEASE = "5.4.1.0"  # the one that the issues name
UNIT_TESTS = ROOT / "reports/z3/test.cpp"
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
    "12": (*changes.REFUTATIONS, *changes.PREMISES_THAT_ARE_TRUE),
    "13": changes.READS_AT_THE_ARRAY,
    "14": changes.QUANTIFIER_THAT_IS_RETURNED,
    "15": changes.BOUND_VARIABLES,
    "16": changes.EQUALITIES_OF_STORES,
    "17": changes.EQUAL_INDICES,
    "18": changes.SLICED_TO_A_CONSTANT,
    "19": changes.LITERALS_OF_THE_BASE,
    "20": changes.REPRESENTATIVES,
    "21": changes.CONDITIONS_OF_ARRAYS,
    "22": changes.LITERALS_WITHOUT_A_VALUE,
    "23": changes.CONDITIONS_OF_ARRAYS,
    "24": changes.FUNCTIONS_WITHOUT_ENTRIES,
    "25": changes.EQUALITIES_OF_LITERALS,
    "28": changes.BITS_OF_OTHER_OPERATORS,
    "30": changes.TERMS_OF_ALL_CONJUNCTS,
    "32": changes.SECOND_PROJECTION_ALONE,
    "33": changes.CONSTRUCTORS_OF_RECOGNIZERS,
    "34": changes.FARKAS_COEFFICIENTS,
    "35": changes.ROUNDING_MODES_OF_BIT_VECTORS,
    "36": changes.HEADS_OF_KEPT_PREDICATES,
    "37": changes.REFUTATION_BEFORE_ITS_END,
    "38": changes.DIFFERENCES_OF_ARRAYS,
    "42": changes.VALUES_OF_OTHER_ARRAYS,
    "44": changes.REMAINDERS_BY_POSITIVE_NUMBERS,
    "45": changes.ARGUMENTS_OF_FUNCTIONS,
    "46": changes.CONSTANTS_OF_THE_PROJECTION,
    "47": changes.WEIGHTS_OF_COMBINATIONS,
    "48": changes.PARTS_WITHOUT_LEAST_NUMBER,
    "49": changes.SIZES_OF_RELEVANT_SETS,
    "50": changes.AXIOMS_OF_EACH_SCOPE,
    "52": changes.SIZES_OF_APPLICATIONS,
    "53": changes.EMPTY_SETS_WITHOUT_PARTS,
    "54": changes.RELEVANT_LITERALS_OF_CLAUSES,
    "55": changes.ROOTS_OF_THE_THEORY,
    "56": changes.PLAN_IN_THE_HANDLER,
    "57": (*changes.AXIOMS_OF_EACH_SCOPE, *changes.SLACKS_OF_PARTS),
    "58": changes.VALUES_OF_MEMBERS,
    "59": changes.ALL_FORMULAS_OR_NONE,
    "60": changes.VALUES_OF_LEAVES,
    "61": changes.VALUES_OF_OTHER_ARRAYS_IN_MBP,
    "62": changes.BITS_THAT_ARE_RELEVANT,
    "64": changes.HIDDEN_AFTER_USE,
    "65": changes.SORTS_OF_FEW_VALUES,
    "66": changes.FORMULAS_AS_ARGUMENTS,
    "67": changes.SUCCESSORS_OF_ELEMENTS,
    "68": changes.INTERVALS_OF_VALUES,
    "69": changes.COMPARISONS_WITH_THE_EMPTY_STRING,
    "70": changes.RECORDS_OF_THEIR_FIELDS,
    "71": changes.ELEMENTS_OF_CONSTANT_ARRAYS,
    "73": changes.VALUES_OF_EARLIER_DEFINITIONS,
}

LAST = "48"  # takes lines out that the others change

WORDS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
    *("twenty-one", "twenty-two", "twenty-three", "twenty-four", "twenty-five", "twenty-six", "twenty-seven"),
    *("twenty-eight", "twenty-nine", "thirty", "thirty-one", "thirty-two", "thirty-three", "thirty-four"),
    *("thirty-five", "thirty-six", "thirty-seven", "thirty-eight"),
)
IN_PACKAGES = ("z3", "bitwuzla")  # projects whose programs come with packages of the tests


def project_of(folder: Path) -> str:
    return folder.parent.name


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT / "reports"))


@cache
def programs() -> dict[str, Sequence[str]]:
    """The programs of the releases; that of Z3 is downloaded unless it is installed or in the cache."""
    installed = z3_release.installed()
    release = installed if installed and installed.version == RELEASE else z3_release.released(RELEASE)
    assert release.executable is not None
    return {
        "z3": [str(release.executable)],
        "bitwuzla": python.command("-c", ASK_SMT, "bitwuzla"),
        "python": [sys.executable],
    }


def others(project: str) -> dict[str, Sequence[str]]:
    """The program of a solver that a machine may lack; the test is skipped if this one does."""
    name = {"eldarica": "eld"}.get(project, project)
    if project in jars.PROGRAMS:
        if shutil.which("java") is None:
            pytest.skip(f"needs java to run {name}")
        return {name: shlex.split(jars.command_line(project))}
    if shutil.which(name) is None:
        pytest.skip(f"needs {name} on PATH: reports/{project}/README.md")
    return {name: [name]}


@pytest.mark.parametrize("folder", [one for one in FOLDERS if project_of(one) in IN_PACKAGES], ids=name_of)
def test_a_folder_is_ready_and_its_commands_print_what_it_shows(folder: Path) -> None:
    assert not list(faults_of(folder, programs()))


@pytest.mark.slow
@pytest.mark.parametrize("folder", [one for one in FOLDERS if project_of(one) not in IN_PACKAGES], ids=name_of)
def test_a_folder_of_another_solver_is_ready(folder: Path) -> None:
    assert not list(faults_of(folder, others(project_of(folder))))


@pytest.mark.parametrize("folder", FOLDERS, ids=name_of)
def test_a_folder_answers_the_questions_of_a_reader_at_once(folder: Path) -> None:
    faults = [fault for fault in faults_of(folder, {}) if "was not run" not in fault]
    assert not faults
    first = (folder / "issue.md").read_text().splitlines()[:25]
    assert [line[2:].partition(".")[0] for line in first if line.startswith("**")] == list(LABELS)


def test_every_project_has_its_rules_beside_its_folders() -> None:
    for project in {folder.parent for folder in FOLDERS}:
        (rules,) = [path for path in project.glob("*.md") if path.name in ("README.md", "ORDER.md")]
        linked = set(re.findall(r"\]\(([^/)]*)/issue\.md\)", rules.read_text()))
        assert linked == {folder.name for folder in FOLDERS if folder.parent == project}, project


def test_the_table_of_projects_counts_their_folders() -> None:
    table = dict(re.findall(r"^\| (\w+) \| (\d+) \|", (ROOT / "reports/README.md").read_text(), re.MULTILINE))
    counts = Counter(project_of(folder) for folder in FOLDERS)
    assert {project.lower(): int(number) for project, number in table.items() if number != "0"} == counts


def rows(heading: str) -> list[list[str]]:
    """The rows of the first table after a heading of docs/z3-5.4.0.md, without its head."""
    _, _, rest = (ROOT / "docs/z3-5.4.0.md").read_text().partition(heading)
    lines = re.search(r"(?:^\|.*\n)+", rest, re.MULTILINE)
    assert lines is not None
    return [[cell.strip() for cell in line.strip(" |").split(" | ")] for line in lines[0].splitlines()[2:]]


def test_the_index_has_each_folder_once_and_its_counts_are_those_of_its_rows() -> None:
    systems, parts = rows("# Bugs in Z3 5.4"), rows("## Other parts of Z3")
    numbers = [re.search(r"/z3/(\d\d)-", row[0]) for row in (*systems, *parts)]
    assert sorted(number[1] for number in numbers if number) == [
        folder.name[:2] for folder in FOLDERS if project_of(folder) == "z3"
    ]
    symptoms = [row[1] for row in systems if row[2] == "default"]
    kinds = [sum(word in symptom for symptom in symptoms) for word in ("`", "model", "")]
    text = (ROOT / "docs/z3-5.4.0.md").read_text()
    assert f"found {len(systems)} distinct causes" in text
    assert f"{len(symptoms)} of them appear under default options" in text
    assert f"{WORDS[kinds[0]]} wrong answers, {WORDS[kinds[1]]} wrong models" in text
    assert f"{WORDS[kinds[2] - kinds[0] - kinds[1]]} crashes or failed assertions" in text
    assert f"{WORDS[len(parts)]} causes in other parts" in text
    assert f"and {len(systems) + len(parts) - 1} other causes of bugs in Z3" in (ROOT / "README.md").read_text()
    patches = len(list(ROOT.glob("reports/z3/*/fix.patch")))
    order = (ROOT / "reports/z3/ORDER.md").read_text()
    assert f"{patches} of {len(systems) + len(parts)} have a patch" in " ".join(order.split())


@pytest.mark.parametrize("path", INPUTS, ids=name_of)
def test_an_input_is_a_system_of_horn_clauses(path: Path) -> None:
    parse(path.read_text())


def test_every_folder_with_a_patch_has_a_fix_in_the_table() -> None:
    assert {path.parent.name[:2] for path in ROOT.glob("reports/z3/*/fix.patch")} == set(FIXES)


def test_the_unit_tests_of_the_first_pull_request_have_the_systems_of_the_folders() -> None:
    systems = re.findall(r'R"\((.*?)\)"', UNIT_TESTS.read_text(), re.DOTALL)
    inputs = {path.read_text(): path.parent.name[:2] for path in ROOT.glob("reports/z3/*/input.smt2")}
    assert [inputs.get(system) for system in systems] == ["10", "18", "14", "04", "01", "11"]


@pytest.mark.slow
def test_one_patch_has_all_fixes() -> None:
    fixes = dict.fromkeys(each for number in sorted(FIXES, key=lambda number: number == LAST) for each in FIXES[number])
    sources = sources_of(RELEASE)
    path = ROOT / "reports/z3/all-fixes.patch"
    assert path.read_text() == diff(sources, tuple(fixes))


@pytest.mark.slow
def test_the_unit_tests_compile_against_the_header_of_the_release(tmp_path: Path) -> None:
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("needs a C compiler")
    (tmp_path / "util").mkdir()
    (tmp_path / "util/debug.h").write_text("#include <cstdlib>\n#define ENSURE(x) do { if (!(x)) std::exit(1); } while (0)\n")
    (tmp_path / "api").symlink_to(Path(z3.__file__).parent / "include")
    (tmp_path / "main.cpp").write_text(f'#include "{UNIT_TESTS}"\nint main() {{ tst_spacer_answers(); }}\n')
    done = subprocess.run(
        [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{tmp_path}", tmp_path / "main.cpp"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("number", "fix"), FIXES.items())
def test_a_patch_is_made_of_the_fix_and_fits_the_sources(number: str, fix: tuple[Replacement, ...]) -> None:
    (path,) = ROOT.glob(f"reports/z3/{number}-*/fix.patch")
    sources = sources_of(RELEASE)
    assert path.read_text() == diff(sources, fix)
    with tempfile.TemporaryDirectory() as copy:
        read_patch(path, sources).apply(sources, Path(copy))
