"""`chcfuzz report --bundle` and `--check`: folders that are ready to be filed."""

import re
import stat
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from chcfuzz.commands.main import main
from chcfuzz.execution.files import LinkError
from chcfuzz.triage.buckets.issue_draft import input_of
from chcfuzz.triage.buckets.issue_folder import IssueFolderError, faults_of, shown_runs

from tests.triage.buckets.test_report import full

SYSTEM = "(set-logic HORN)\n(check-sat)\n"
ISSUE = f"""# Solver: a title

**Wrong.** One thing.
**Witness.** Another one.
**Cause.** A place.
**Releases.** Some.
**Checked.** Yes.

```smt2
{SYSTEM}```

```console
$ solver input.smt2
sat
```
"""
SOLVER = "#!/bin/sh\ntouch left-over\ncat input.smt2 > /dev/null && echo sat\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder without faults."""
    made = tmp_path / "01-name"
    made.mkdir()
    files = {"issue.md": ISSUE, "input.smt2": SYSTEM, "input.expected.out": "unsat\n", "checked.md": "# Runs\n"}
    for name, text in files.items():
        (made / name).write_text(text)
    return made


@pytest.fixture
def programs(tmp_path: Path) -> dict[str, Sequence[str]]:
    """A solver that answers sat, and leaves a file in its folder."""
    program = tmp_path / "solver"
    program.write_text(SOLVER)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return {"solver": [str(program)]}


Programs = dict[str, Sequence[str]]


def test_a_complete_folder_has_no_fault_and_stays_as_it_is(folder: Path, programs: Programs) -> None:
    before = {path.name for path in folder.iterdir()}
    assert not list(faults_of(folder, programs))
    assert {path.name for path in folder.iterdir()} == before


def without_label(issue: str) -> str:
    return issue.replace("**Cause.** A place.\n", "")


CHANGES: list[tuple[Callable[[str], str], str]] = [
    (without_label, r"lacks `\*\*Cause.\*\*`"),
    (lambda issue: issue.replace("A place", "Not known yet"), r"says `\*\*Cause.\*\* Not known yet.`; find it out"),
    (lambda issue: issue.replace("# Solver", "Solver"), "does not begin with a title"),
    (lambda issue: issue + "more\n" * 40, "at most 40 are read"),
    (lambda issue: issue.replace("(check-sat)", "(check-sat) "), "does not show input.smt2 as it is"),
    (lambda issue: issue.replace("\nsat\n", "\nunsat\n"), "prints 'sat', and issue.md shows 'unsat'"),
    (lambda issue: issue.replace("$ solver", "$ other"), "'other' is not a program at hand; known are solver"),
    (lambda issue: issue.replace("$ solver input", "$ solver ../input"), r"'../input.smt2' is neither a file"),
    (lambda issue: issue.replace("$ solver", "$ solver -tr:x"), "'-tr:x' is neither a file of the folder nor"),
    (lambda issue: issue.split("```console")[0], "does not show a command"),
]


@pytest.mark.parametrize(("change", "fault"), CHANGES)
def test_a_fault_of_the_issue_is_named(
    folder: Path, programs: Programs, change: Callable[[str], str], fault: str
) -> None:
    (folder / "issue.md").write_text(change(ISSUE))
    (found,) = faults_of(folder, programs)
    assert re.search(fault, found), found


@pytest.mark.parametrize(
    ("wrong", "right", "other"),
    [
        ("Solver 5.4.1.0 answers `sat`; `unsat` is right.", "unsat", "sat"),
        ("Solver 5.4.1.0 answers `sat`, which is right, and its model violates a clause.", "sat", "unsat"),
        ("With `x=true`, Solver 5.4.1.0 dies; `sat` is right. With input-b.smt2, `unsat` is right.", "sat", "unsat"),
    ],
)
def test_the_expected_answer_is_the_one_that_the_issue_calls_right(
    folder: Path, programs: Programs, wrong: str, right: str, other: str
) -> None:
    (folder / "issue.md").write_text(ISSUE.replace("One thing.", wrong))
    (folder / "input.expected.out").write_text(f"{right}\n")
    assert not list(faults_of(folder, programs))
    (folder / "input.expected.out").write_text(f"{other}\n")
    (found,) = faults_of(folder, programs)
    assert found == f"input.expected.out lacks `{right}`, the answer that issue.md calls right"


def test_the_right_answer_of_another_input_may_differ(folder: Path, programs: Programs) -> None:
    wrong = "Solver 5.4.1.0 dies. With input-b.smt2 it answers `unsat`; `sat` is right."
    (folder / "issue.md").write_text(ISSUE.replace("One thing.", wrong))
    assert not list(faults_of(folder, programs))


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("input.smt2", None, "input.smt2 is missing, and input.py too"),
        ("input.expected.out", None, "input.expected.out is missing"),
        ("input.expected.out", "unknown\n", "is neither `sat` nor `unsat`"),
        ("input.expected.out", "unsat\nsat\n", "has 2 answers to 1 check"),
        ("checked.md", None, "checked.md is missing"),
        ("input-b.smt2", "(set-info :status sat)\n", "has a `:status`"),
    ],
)
def test_a_fault_of_another_file_is_named(
    folder: Path, programs: Programs, name: str, text: str | None, fault: str
) -> None:
    if text is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(text)
    assert any(fault in found for found in faults_of(folder, programs))


SCRIPT = "print('false')\n"
SCRIPTED = ISSUE.replace(f"smt2\n{SYSTEM}", f"python\n{SCRIPT}").replace(
    "solver input.smt2\nsat", "python input.py\nfalse"
)


@pytest.fixture
def scripted(folder: Path) -> Path:
    """A folder without faults whose input is a script."""
    (folder / "input.smt2").unlink()
    for name, text in {"input.py": SCRIPT, "input.expected.out": "true\n", "issue.md": SCRIPTED}.items():
        (folder / name).write_text(text)
    return folder


PYTHON = {"python": [sys.executable]}


def test_an_input_can_be_a_script(scripted: Path) -> None:
    assert not list(faults_of(scripted, PYTHON))


def test_a_script_is_not_run_unless_the_caller_names_a_python(scripted: Path, programs: Programs) -> None:
    (fault,) = faults_of(scripted, programs)
    assert "`python input.py` was not run: a script can do anything" in fault


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("input.expected.out", "false\n", "is empty or the output that issue.md shows"),
        ("input.expected.out", "\n", "is empty or the output that issue.md shows"),
        ("input.py", "print(False)\n", "does not show input.py as it is, in a block of language python"),
        ("input.py", "print('true')\n", "prints 'true', and issue.md shows 'false'"),
    ],
)
def test_a_fault_of_a_script_is_named(scripted: Path, name: str, text: str, fault: str) -> None:
    (scripted / name).write_text(text)
    assert any(fault in found for found in faults_of(scripted, PYTHON))


def test_an_option_with_a_word_is_passed_and_one_with_a_path_is_not(folder: Path, programs: Programs) -> None:
    (folder / "issue.md").write_text(ISSUE.replace("$ solver", "$ solver --engine=lawi -ssol"))
    assert not list(faults_of(folder, programs))
    (folder / "issue.md").write_text(ISSUE.replace("$ solver", "$ solver --log=/x"))
    (fault,) = faults_of(folder, programs)
    assert "'--log=/x' is neither a file of the folder" in fault


def test_an_input_that_lets_the_solver_write_a_file_is_not_run(
    folder: Path, programs: Programs, tmp_path: Path
) -> None:
    text = f'(set-option :regular-output-channel "{tmp_path}/written")\n{SYSTEM}'
    (folder / "input.smt2").write_text(text)
    (folder / "issue.md").write_text(ISSUE.replace(SYSTEM, text).replace("$ solver", "$ z3"))
    (fault,) = faults_of(folder, programs | {"z3": [str(Path(sys.executable).parent / "z3")]})
    assert "was not run: input.smt2 sets :regular-output-channel, which may write a file" in fault
    assert not (tmp_path / "written").exists()


def test_three_dots_match_any_text(folder: Path, programs: Programs) -> None:
    (folder / "issue.md").write_text(ISSUE.replace("\nsat\n", "\ns...t\n"))
    assert not list(faults_of(folder, programs))


def test_the_signal_that_ends_a_program_is_shown_as_shells_show_it(folder: Path) -> None:
    (folder / "issue.md").write_text(ISSUE.replace("\nsat\n", "\nAborted\n"))
    assert not list(faults_of(folder, {"solver": ["/bin/sh", "-c", "kill -ABRT $$"]}))


def test_a_block_without_a_command_is_refused() -> None:
    with pytest.raises(IssueFolderError, match="does not begin with a command"):
        shown_runs("```console\nsat\n```\n")


def test_a_folder_without_an_issue_is_refused_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "chcfuzz.commands", "report", "--check", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [f"chcfuzz: cannot read '{tmp_path}/issue.md': No such file or directory"]


def test_a_link_is_not_followed(folder: Path, programs: Programs, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(ISSUE)
    (folder / "issue.md").unlink()
    (folder / "issue.md").symlink_to(tmp_path / "secret")
    with pytest.raises(LinkError):
        list(faults_of(folder, programs))


def test_a_command_does_not_read_a_link(folder: Path, programs: Programs, tmp_path: Path) -> None:
    (tmp_path / "secret").touch()
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "issue.md").write_text(ISSUE.replace("$ solver input.smt2", "$ solver link"))
    (fault,) = faults_of(folder, programs)
    assert "'link' is neither a file of the folder" in fault


def test_an_input_has_neither_a_status_nor_comments() -> None:
    assert input_of("; chcfuzz\n(set-info :status sat)\n(check-sat)\n\n") == "(check-sat)\n"


def test_the_draft_of_a_finding_names_the_parts_that_a_person_has_to_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "24-name"
    code = main(["report", str(full(tmp_path / "finding")), "--bundle", "--out", str(out), "--no-bisect"])
    printed = capsys.readouterr().out
    assert code == 1
    assert "says `**Cause.** Not known.`; find it out" in printed
    assert (out / "input.smt2").read_text() in (out / "issue.md").read_text()
    assert (out / "input.expected.out").read_text() in ("sat\n", "unsat\n")
    assert str(tmp_path) not in (out / "issue.md").read_text()


def test_a_program_that_is_a_link_is_started_by_its_own_name(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "target").write_text('#!/bin/sh\nbasename "$0"\n')
    (tmp_path / "target").chmod(0o755)
    (tmp_path / "link").symlink_to(tmp_path / "target")  # as the python of a virtual environment
    (folder / "issue.md").write_text(ISSUE.replace("\nsat\n", "\nlink\n"))
    assert main(["report", "--check", str(folder), "--program", f"solver={tmp_path / 'link'}"]) == 0
    assert "ready" in capsys.readouterr().out
