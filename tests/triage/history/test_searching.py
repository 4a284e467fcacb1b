"""The commit that introduced a bug, in a repository of the cached sources of Z3 with a fault in one commit."""

from pathlib import Path

import pytest
from chcfuzz.commands.locate import HistoryOptions, search_history
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.triage.findings.location import DIFF, read_location
from chcfuzz.triage.fix.build import build_tree
from chcfuzz.triage.history.searching import is_idle

from tests.traced import TRACED, needs_build_tree
from tests.triage.fix.changes import UNIQUE_VALUES
from tests.triage.history.test_commits import Repository
from tests.triage.reduce.test_reduction import finding
from tests.users import BecomeUser

# Finding 1 of docs/z3-5.4.0.md: 5.4.0 answers sat.
UNSAT = """(set-logic HORN)
(declare-fun p ((Array Int Bool)) Bool)
(assert (p (store ((as const (Array Int Bool)) false) 0 false)))
(assert (=> (p ((as const (Array Int Bool)) false)) false))
(check-sat)
"""
RULE, IDLE = "src/muz/base/dl_rule.cpp", "src/muz/ddnf/ddnf.cpp"


def test_only_counted_files_without_executed_lines_are_idle() -> None:
    executed = frozenset(["dl_rule.cpp"])
    assert is_idle(IDLE, executed)
    assert not is_idle(RULE, executed)
    assert not is_idle("src/muz/base/dl_rule.h", executed), "a header may define what is inlined"
    assert not is_idle("src/ast/rewriter/rewriter.cpp", executed), "its edges are not counted"
    assert not is_idle(IDLE, frozenset()), "without source places, nothing is known"


class Sources(Repository):
    """A repository of Z3's sources."""

    def __init__(self, folder: Path, source: Path) -> None:
        super().__init__(folder)
        self.git("--work-tree", str(source), "add", ".")
        self.git("commit", "--quiet", "--message", "the sources")
        self.git("reset", "--quiet", "--hard")

    def change(self, message: str, **texts: str) -> str:
        """Commit texts at the end of files; a text of one file replaces it."""
        for name, text in texts.items():
            path = self.folder / {"rule": RULE, "idle": IDLE}[name]
            path.write_text(text if text.count("\n") > 9 else path.read_text() + text)
        self.git("commit", "--quiet", "--all", "--message", message)
        return self.git("rev-parse", "HEAD")


@pytest.mark.slow
@needs_build_tree
def test_a_fault_in_one_commit_of_z3_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], become_user: BecomeUser
) -> None:
    """The good commits have the fix of the finding, the faulty one takes it back; one between does not compile."""
    source = build_tree(TRACED).source
    cache = tmp_path / "cache" / "chcfuzz" / "z3-traced"
    (cache / "build").mkdir(parents=True)
    for path in (TRACED, TRACED.parent / "tools", *(TRACED.parent / "build").iterdir()):
        (cache / path.relative_to(TRACED.parent)).symlink_to(path)
    become_user(tmp_path / "cache")
    right = faulty = (source / RULE).read_text()
    for replacement in UNIQUE_VALUES:
        right = replacement.apply(right)
    repository = Sources(tmp_path / "z3", source)
    good = repository.change("right", rule=right)
    repository.change("a comment", rule="// one\n")
    bad = repository.change("the fault", rule=faulty, idle="// two\n")
    repository.change("it does not compile", rule="#error unfinished\n")
    end = repository.change("it compiles again", rule=faulty + "// three\n")
    folder = finding(
        tmp_path / "found",
        Recipe(UNSAT),
        "wrong-answer",
        Solving(),
        answer="sat",
        expected="unsat",
        witness_for="unsat",
    )
    before = repository.git("status", "--porcelain")
    options = HistoryOptions(repository.folder, f"{good}..{end}", jobs=2)
    assert search_history(folder, Solving(), options) == 0
    location = read_location(folder)
    assert location is not None
    found = location.introduction
    assert found is not None
    assert (found.commits, found.subject, found.files, found.idle) == ((bad,), "the fault", (RULE,), 1)
    verdicts = sorted(verdict.partition(":")[0] for _, verdict in found.tested)
    assert verdicts in (["bad", "bad", "good", "good"], ["bad", "bad", "does not build", "good", "good"])
    diff = (folder / DIFF).read_text()
    assert RULE in diff
    assert IDLE not in diff
    assert repository.git("status", "--porcelain") == before
    assert bad in capsys.readouterr().out.replace("\n", "")
