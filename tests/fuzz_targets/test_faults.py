"""Errors around a campaign are reported in one line, and cost no more than necessary."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chcfuzz.fuzz_targets import libfuzzer_flags
from chcfuzz.mutators.recipe import Recipe, Step, encode
from chcfuzz.mutators.seeds import canonical_seed
from chcfuzz.solvers.process import state_of

from tests.fuzz_targets.test_bad_solvers import LUCKY, PATH, UNLUCKY
from tests.targets import SAFETY_NET, SPACER, Run
from tests.users import BecomeUser

BREAKS = """
from chcfuzz.domains.chc.solvers.spacer import Spacer
class Breaks(Spacer):
    def solve(self, text, parameters, rlimit):
        if "unlucky" in text:
            raise ValueError("a bug of ours")
        return super().solve(text, parameters, rlimit)
"""


@pytest.fixture
def lucky(tmp_path: Path) -> Path:
    folder = tmp_path / "seeds"
    folder.mkdir()
    (folder / "a.smt2").write_text(LUCKY)
    return folder


@pytest.mark.usefixtures("lucky")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--cross", "nosuch"], "cannot start 'nosuch'"),
        (["--solver", "nosuch:C"], "no solver 'nosuch:C'"),
        (["--json", "no/such/numbers.json"], "cannot write 'no/such/numbers.json'"),
        (["--state", "no/such/state.json"], "cannot write 'no/such/state.json'"),
        (["-max_total_tim=5"], "did you mean -max_total_time=5?"),
        (["-runs", "5"], "'-runs' needs an equals sign"),
        (["/proc/grown/", "seeds"], "cannot write to '/proc/grown'"),
    ],
)
def test_what_cannot_be_used_is_told_before_anything_begins(
    run: Run, tmp_path: Path, words: list[str], told: str
) -> None:
    ended = run(*words, "-max_total_time=600")
    assert ended.code == 2
    (line,) = ended.err.splitlines()
    assert line.startswith("chcfuzz: ")
    assert told in line
    assert ended.out == ""
    assert {path.name for path in tmp_path.iterdir()} <= {"seeds", "findings"}


def test_the_list_of_libfuzzers_flags_is_asked_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, become_user: BecomeUser
) -> None:
    become_user(tmp_path)
    known = libfuzzer_flags.known()
    assert {"runs", "max_total_time", "fork", "merge", "atheris_runs"} <= known
    monkeypatch.setattr(libfuzzer_flags, "_help", lambda: pytest.fail("asked again"))
    assert libfuzzer_flags.known() == known


@pytest.mark.slow
def test_a_corpus_folder_that_is_not_there_is_made_and_grows(run: Run, lucky: Path, tmp_path: Path) -> None:
    ended = run("grown/", lucky, "-runs=30", "-seed=1")
    assert ended.code == 0, ended.err
    assert list((tmp_path / "grown").iterdir())


@pytest.mark.slow
def test_a_recipe_of_a_seed_that_kills_the_solver_kills_two_workers_and_no_more(run: Run, lucky: Path) -> None:
    """The seed, which is solved for its cost, and the recipe itself."""
    (lucky / "a.smt2").write_text(LUCKY + "; padded so that it is read last\n" * 20)
    killer = Recipe(canonical_seed(UNLUCKY), (Step("boolean.dup-and", b"\0\0\0\0"),))
    (lucky / "u").write_bytes(encode(killer))
    solver = "--solver=tests.fuzz_targets.solvers:DyingSpacer"
    ended = run(lucky, "-runs=12", "-seed=1", "--rlimit=20000", "--finish-seconds=0.1", solver, PYTHONPATH=PATH)
    assert ended.code == 0, ended.err
    assert ended.summary["crashes"] == 2
    assert ended.summary["sat"] > 3


@pytest.mark.slow
def test_an_error_of_ours_is_kept_and_the_campaign_goes_on_and_says_so(run: Run, lucky: Path, tmp_path: Path) -> None:
    (tmp_path / "breaking.py").write_text(BREAKS)
    (lucky / "b.smt2").write_text(UNLUCKY)
    ended = run(lucky, "-runs=20", "-seed=1", "--solver=breaking:Breaks", PYTHONPATH=".")
    assert ended.code == 3, ended.err
    assert ended.summary["own_errors"] >= 1
    assert ended.summary["sat"] > 5
    assert "Traceback" not in ended.err
    assert ": ValueError: a bug of ours; see " in ended.err
    assert list((tmp_path / "findings" / "ours").glob("*/traceback"))


@pytest.mark.slow
def test_a_limit_of_open_files_is_named_and_no_solver_is_accused(lucky: Path, tmp_path: Path) -> None:
    words = [sys.executable, str(SPACER), "-runs=5", f"--findings={tmp_path / 'findings'}", str(lucky)]
    few = ["sh", "-c", 'ulimit -n 24; exec "$0" "$@"', *words]
    done = subprocess.run(few, capture_output=True, text=True, timeout=SAFETY_NET, check=False)
    assert done.returncode == 2
    told = [line for line in done.stderr.splitlines() if "open files" in line]
    assert told == ["chcfuzz: too many open files: a process may open 24; raise the limit with `ulimit -n`"]
    assert "died" not in done.stderr
    assert "internal error" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_files_of_the_current_folder_are_not_run(run: Run, lucky: Path, tmp_path: Path) -> None:
    for name in ("selectors", "tempfile", "numpy", "z3"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('mine was run')")
    ended = run(lucky, "-runs=5", "-seed=1", "--solver=tests.quality.planted:ForgetfulSpacer", PYTHONPATH=PATH)
    assert ended.code == 0, ended.err
    assert ended.summary["findings"]["wrong-model"] >= 1, "confirmed by a process of its own"


@pytest.mark.slow
def test_a_plug_in_of_the_current_folder_is_used_only_if_pythonpath_says_so(run: Run, tmp_path: Path) -> None:
    (tmp_path / "breaking.py").write_text(BREAKS)
    (tmp_path / "seed").mkdir()
    assert (
        "no solver 'breaking:Breaks'"
        in run("-runs=1", "--solver=breaking:Breaks", tmp_path / "seed", PYTHONPATH=os.pathsep).err
    )
    assert run("-runs=1", "--solver=breaking:Breaks", tmp_path / "seed", PYTHONPATH=".").code == 0


Begun = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def begun(tmp_path: Path, lucky: Path) -> Begun:
    """Function that starts a campaign and waits until it fuzzes; its output goes to `log`."""

    def start(*flags: str, told: bytes = b"INITED") -> subprocess.Popen[bytes]:
        log = tmp_path / "log"
        command = [sys.executable, str(SPACER), "grown/", str(lucky), "-seed=1", "--status-seconds=0.2", "-v", *flags]
        environment = {**os.environ, "TMPDIR": str(tmp_path)}
        with open(log, "wb") as file:
            process = subprocess.Popen(command, cwd=tmp_path, stdout=file, stderr=file, env=environment)
        if told:
            await_(lambda: told in log.read_bytes() or process.poll() is not None)
            assert process.poll() is None, log.read_text()
        return process

    return start


def await_(condition: Callable[[], bool]) -> None:
    """Wait for it, however long it takes on a busy machine."""
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.1)
    pytest.fail("it never came true")


def worker_of(process: subprocess.Popen[bytes]) -> int:
    return workers_of(process)[0]


def workers_of(process: subprocess.Popen[bytes]) -> list[int]:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    # A child of the supervisor has its command line until it starts a program, which may be another one.
    return [int(child) for child in children if b"-len_control=" in Path(f"/proc/{child}/cmdline").read_bytes()]


def summary_in(folder: Path) -> bool:
    return "chcfuzz-summary: " in (folder / "log").read_text()


def left_in(folder: Path) -> list[str]:
    return [path.name for path in folder.glob("chcfuzz-*")]


@pytest.fixture
def _terminal() -> Iterator[None]:
    """Tests that run under nohup too: what they start would ignore that a terminal hangs up."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.slow
@pytest.mark.usefixtures("_terminal")
def test_a_terminal_that_hangs_up_ends_a_campaign_with_its_summary(begun: Begun, tmp_path: Path) -> None:
    process = begun()
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=300) == 0
    assert summary_in(tmp_path)
    assert left_in(tmp_path) == []


@pytest.mark.slow
def test_a_paused_worker_is_told_and_hears_that_the_campaign_ends(begun: Begun, tmp_path: Path) -> None:
    process = begun()
    worker = worker_of(process)
    os.kill(worker, signal.SIGSTOP)
    await_(lambda: f"process {worker} is suspended" in (tmp_path / "log").read_text())
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=300) == 0
    assert summary_in(tmp_path)


@pytest.mark.slow
def test_a_worker_that_is_paused_when_the_time_is_over_is_ended(begun: Begun, tmp_path: Path) -> None:
    process = begun("-max_total_time=5", told=b"")  # a busy machine may not fuzz within this time
    await_(lambda: bool(workers_of(process)))
    os.kill(worker_of(process), signal.SIGSTOP)
    assert process.wait(timeout=300) == 0
    assert summary_in(tmp_path)


@pytest.mark.slow
def test_a_worker_that_is_killed_is_replaced(begun: Begun, tmp_path: Path) -> None:
    process = begun("--finish-seconds=0.1")
    first = worker_of(process)
    os.kill(first, signal.SIGKILL)
    await_(lambda: (tmp_path / "log").read_bytes().count(b"INITED") == 2)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=300) == 0
    assert summary_in(tmp_path)


@pytest.mark.slow
def test_a_killed_campaign_leaves_no_process_and_its_folder_to_the_next_one(
    begun: Begun, tmp_path: Path, run: Run
) -> None:
    process = begun("-fork=1", told=b"job: 1")
    (folder,) = tmp_path.glob("chcfuzz-campaign-*")
    jobs = [int(path.stem.rpartition("-")[2]) for path in folder.glob("worker-*.input")]
    process.kill()
    process.wait()
    await_(lambda: all(state_of(job) in ("", "Z") for job in jobs))
    await_(lambda: not any(str(folder).encode() in said for said in _environments()))
    ended = run("-runs=2", "grown/", "seeds", TMPDIR=str(tmp_path))
    assert f"{folder.name}' belongs to a killed campaign" in ended.err
    assert left_in(tmp_path) == []


def _environments() -> list[bytes]:
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            found.append(path.read_bytes())
        except OSError:
            continue  # not ours, or it ended meanwhile
    return found


@pytest.mark.slow
def test_a_killed_parent_of_jobs_is_replaced_and_leaves_none(begun: Begun, tmp_path: Path) -> None:
    process = begun("-fork=1", told=b"job: 1")
    parent = worker_of(process)
    os.kill(parent, signal.SIGKILL)
    await_(
        lambda: (
            "was killed by signal 9 (Killed) between two units; it is started again" in (tmp_path / "log").read_text()
        )
    )
    await_(lambda: (tmp_path / "log").read_bytes().count(b"job: 1") == 2)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=300) == 0
    assert summary_in(tmp_path)
    assert left_in(tmp_path) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[str, str], Path]]:
    """Function that mounts a small file system; only root can do so."""
    mounted = []

    def mount(name: str, options: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=False).returncode:
            pytest.skip("needs the right to mount a tmpfs")
        mounted.append(folder)
        return folder

    yield mount
    for folder in mounted:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.slow
def test_a_corpus_folder_that_is_full_ends_the_campaign_and_loses_nothing(
    run: Run, seeds: Path, tmp_path: Path, small_disk: Callable[[str, str], Path]
) -> None:
    grown = small_disk("grown", "size=12k")
    ended = run(grown, seeds, "-max_total_time=600", "-seed=1", "--second-opinion=0")
    assert ended.code == 2
    assert sum("cannot write the corpus" in line for line in ended.err.splitlines()) == 1
    assert ended.summary["executions"] > 0
    assert all(path.stat().st_size for path in grown.iterdir())
    assert list((tmp_path / "findings" / "unsaved").iterdir())


@pytest.mark.parametrize("options", ["size=64k", "size=35m"])
def test_a_full_temporary_folder_is_one_line(
    run: Run, lucky: Path, small_disk: Callable[[str, str], Path], options: str
) -> None:
    ended = run(lucky, "-runs=5", TMPDIR=str(small_disk("small", options)))
    assert ended.code == 2
    assert sum("No space left on device" in line and "TMPDIR" in line for line in ended.err.splitlines()) == 1
    assert "Traceback" not in ended.err


def test_a_findings_folder_that_is_full_accuses_no_solver(
    run: Run, lucky: Path, small_disk: Callable[[str, str], Path]
) -> None:
    small_disk("findings", "size=112k")
    ended = run(lucky, "-runs=20", "-seed=1", "--solver=tests.quality.planted:ForgetfulSpacer")
    assert ended.code == 2, ended.err
    assert sum("cannot write findings" in line for line in ended.err.splitlines()) == 1
    assert "died" not in ended.err


def test_a_corpus_folder_that_cannot_be_written_is_one_line(
    run: Run, lucky: Path, small_disk: Callable[[str, str], Path]
) -> None:
    ended = run(small_disk("grown", "size=64k,ro"), lucky, "-runs=5")
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert "Read-only file system" in ended.err


@pytest.mark.parametrize("what", ["corpus folder", "unit"])
def test_what_cannot_be_read_of_a_corpus_is_one_line(lucky: Path, tmp_path: Path, what: str) -> None:
    closed = lucky / "closed"
    if what == "unit":
        closed.touch(mode=0)
    else:
        closed.mkdir(mode=0)
    setpriv = shutil.which("setpriv")
    powers = "-dac_override,-dac_read_search"
    drop = [setpriv, f"--bounding-set={powers}", f"--inh-caps={powers}"] if os.geteuid() == 0 else []
    if None in drop:
        pytest.skip("needs setpriv, because root may read everything")
    command = [*drop, sys.executable, str(SPACER), "-runs=3", str(lucky)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # type: ignore[arg-type]
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"chcfuzz: cannot read the {what} {str(closed)!r}: Permission denied; make it readable, or move it out "
        "of the corpus"
    ]
