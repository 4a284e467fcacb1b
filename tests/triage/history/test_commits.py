"""The bisection of commits, in repositories that git makes here."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.triage.history.commits import BAD, GOOD, Bisection, Checkout, HistoryError, tag_of

CommitTest = Callable[[str], str]


class Repository:
    """A repository with one file; each commit writes a line into it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *words: str) -> str:
        identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(["git", *identity, *words], cwd=self.folder, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def commit(self, text: str, name: str = "file.cpp") -> str:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text + "\n")
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", f"write {text}")
        return self.git("rev-parse", "HEAD")

    def content(self, commit: str) -> str:
        return self.git("show", f"{commit}:file.cpp")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "z3")


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A repository with 16 commits in a line; the file has their number."""
    repository = Repository(tmp_path_factory.mktemp("line") / "z3")
    for number in range(16):
        repository.commit(str(number))
    return repository


def commits_of(repository: Repository) -> list[str]:
    return repository.git("rev-list", "--reverse", "HEAD").splitlines()


def bisected(repository: Repository, file: Path, ends: tuple[str, str], test: CommitTest) -> Bisection:
    bisection = Bisection(Checkout(repository.folder), *ends, file, test)
    bisection.run()
    return bisection


def by_content(repository: Repository, tested: list[str], first_bad: int, broken: tuple[int, ...] = ()) -> CommitTest:
    """A test of commits whose file has a number."""

    def test(commit: str) -> str:
        tested.append(commit)
        number = int(repository.content(commit))
        if number in broken:
            return "does not build: file.cpp:1: error"
        return BAD if number >= first_bad else GOOD

    return test


@pytest.mark.parametrize("first_bad", [1, 6, 15])
def test_the_first_bad_commit_is_found_in_a_logarithm_of_tests(
    line: Repository, tmp_path: Path, first_bad: int
) -> None:
    commits = commits_of(line)
    tested: list[str] = []
    test = by_content(line, tested, first_bad)
    found = bisected(line, tmp_path / "verdicts.json", (commits[0], commits[-1]), test)
    assert found.suspects == [commits[first_bad]]
    assert len(tested) == len(set(tested)) <= 6


def test_commits_that_do_not_build_are_skipped(line: Repository, tmp_path: Path) -> None:
    commits = commits_of(line)[:9]
    test = by_content(line, [], 3, broken=(4, 5))
    found = bisected(line, tmp_path / "verdicts.json", (commits[0], commits[-1]), test)
    assert found.suspects == [commits[3]]


def test_commits_that_could_be_the_first_bad_one_are_all_named(line: Repository, tmp_path: Path) -> None:
    commits = commits_of(line)[:9]
    test = by_content(line, [], 5, broken=(3, 4))
    found = bisected(line, tmp_path / "verdicts.json", (commits[0], commits[-1]), test)
    assert sorted(found.suspects) == sorted(commits[3:6])
    assert found.verdicts[commits[3]] == "does not build: file.cpp:1: error"


def test_an_interrupted_bisection_continues(line: Repository, tmp_path: Path) -> None:
    commits = commits_of(line)[:16]
    ends, file = (commits[0], commits[-1]), tmp_path / "verdicts.json"
    before: list[str] = []
    test = by_content(line, before, 6)

    def interrupted(commit: str) -> str:
        if len(before) == 4:
            raise KeyboardInterrupt
        return test(commit)

    with pytest.raises(KeyboardInterrupt):
        bisected(line, file, ends, interrupted)
    after: list[str] = []
    found = bisected(line, file, ends, by_content(line, after, 6))
    assert found.suspects == [commits[6]]
    assert len(before) == 4
    assert not set(before) & set(after)


def test_a_merge_is_followed_into_the_branch_with_the_bug(repository: Repository, tmp_path: Path) -> None:
    start = repository.commit("0")
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit("1", "other.cpp")
    bad = repository.commit("9")
    repository.commit("2", "other.cpp")
    repository.git("checkout", "--quiet", "main")
    repository.commit("3", "third.cpp")
    repository.git("merge", "--quiet", "--no-edit", "side")
    end = repository.git("rev-parse", "HEAD")
    found = bisected(repository, tmp_path / "verdicts.json", (start, end), by_content(repository, [], 9))
    assert found.suspects == [bad]


def test_ends_with_other_verdicts_are_refused(line: Repository, tmp_path: Path) -> None:
    commits = commits_of(line)[:4]
    ends = (commits[0], commits[-1])
    with pytest.raises(HistoryError, match=rf"the commit {commits[0][:12]} is not good, but: bad; name other ones"):
        bisected(line, tmp_path / "a.json", ends, by_content(line, [], 0))
    with pytest.raises(HistoryError, match=rf"the commit {commits[3][:12]} is not bad, but: good"):
        bisected(line, tmp_path / "b.json", ends, by_content(line, [], 7))
    with pytest.raises(HistoryError, match="is not an ancestor of"):
        bisected(line, tmp_path / "c.json", ends[::-1], by_content(line, [], 2))


def test_a_damaged_file_of_verdicts_is_reported(repository: Repository, tmp_path: Path) -> None:
    commit = repository.commit("0")
    (tmp_path / "verdicts.json").write_text("{")
    with pytest.raises(HistoryError, match=r"is damaged: .*; remove it to begin again"):
        bisected(repository, tmp_path / "verdicts.json", (commit, commit), lambda _: BAD)


def test_unknown_commits_and_folders_are_reported_in_one_line(repository: Repository, tmp_path: Path) -> None:
    repository.commit("0")
    with pytest.raises(HistoryError, match=r"has no commit 'z3-4\.9\.0'; fetch its tags and commits") as caught:
        Checkout(repository.folder).commit("z3-4.9.0")
    assert "\n" not in str(caught.value)
    with pytest.raises(HistoryError, match="has no commit 'HEAD'"):
        Checkout(tmp_path).commit("HEAD")


def test_a_diff_is_limited_to_files(repository: Repository) -> None:
    repository.commit("0")
    (repository.folder / "second.cpp").write_text("two\n")
    commit = repository.commit("1")
    checkout = Checkout(repository.folder)
    assert checkout.changed(commit) == ["file.cpp", "second.cpp"]
    assert checkout.description(commit)[0] == "write 1"
    diff = checkout.diff(commit, ["file.cpp"])
    assert "-0\n+1\n" in diff
    assert "second.cpp" not in diff


def test_tags_are_those_of_z3() -> None:
    assert tag_of("4.9.1.0") == "z3-4.9.1"
