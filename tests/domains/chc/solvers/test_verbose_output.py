"""The first lines that Z3 prints at verbosity 1."""

import subprocess
import sys
from pathlib import Path

import pytest
import z3
from chcfuzz.domains.chc.solvers import verbose_output as module
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.domains.chc.solvers.verbose_output import VerboseOutput, shows_transforms, verbose_output
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_release import Release, activate
from chcfuzz.tracing.progress_log import ProgressLog
from chcfuzz.tracing.trace import Trace

# q is only a name for p, so that inlining removes it.
SYSTEM = """(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)
    (assert (forall ((x Int)) (=> (= x 0) (p x))))
    (assert (forall ((x Int)) (=> (and (p x) (< x 3)) (p (+ x 1)))))
    (assert (forall ((x Int)) (=> (p x) (q x))))
    (assert (forall ((x Int)) (=> (and (q x) (> x 5)) false)))"""
RLIMIT = 1_000_000


def output() -> VerboseOutput:
    found = verbose_output()
    assert found is not None, "the stock package shares libstdc++"
    return found


def solve(events: ProgressLog, *parameters: tuple[str, str]) -> Trace:
    return Spacer(events, Watchdog(60)).solve(SYSTEM, parameters, RLIMIT).trace


def test_a_transform_that_is_switched_off_changes_the_trace() -> None:
    events = ProgressLog(output())
    off = (("fp.xform.inline_eager", "false"), ("fp.xform.inline_linear", "false"))  # either removes q
    usual, without = solve(events), solve(events, *off)
    assert usual.hash != without.hash
    labels = set(events.sequence(100).labels.values())
    assert "mk_rule_inliner leaves fewer rules" not in labels
    solve(events)
    assert "mk_rule_inliner leaves fewer rules" in set(events.sequence(100).labels.values())


def test_the_same_execution_has_the_same_trace_whatever_is_printed_before() -> None:
    events = ProgressLog(output())
    first = solve(events)
    solve(events, ("fp.xform.slice", "false"), ("fp.spacer.max_level", "2"))
    assert solve(events).hash == solve(ProgressLog(output())).hash == first.hash


def test_output_that_is_too_long_is_cut_and_the_next_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = output()
    with_whole = solve(ProgressLog(whole))
    monkeypatch.setattr(module, "_SIZE", 64)
    short = output()
    assert solve(ProgressLog(short)).length < with_whole.length
    assert short.text == whole.text[:64]
    assert solve(ProgressLog(whole)).hash == with_whole.hash


def test_nothing_is_printed_outside_of_a_recording(capfd: pytest.CaptureFixture[str]) -> None:
    solve(ProgressLog(output()))
    solver = z3.SolverFor("HORN", ctx=z3.Context())
    solver.from_string(SYSTEM)
    solver.check()
    assert capfd.readouterr() == ("", "")


def test_other_messages_still_appear_during_a_recording_and_z3s_after_it() -> None:
    program = """
import os
from chcfuzz.solvers import z3_release
z3_release.activate()
from chcfuzz.domains.chc.solvers.verbose_output import verbose_output
import z3
output = verbose_output()
with output.recording():
    os.write(2, b"ours ")
    z3.simplify(z3.BoolVal(True))
z3.set_param("verbose", 1)
solver = z3.SolverFor("HORN")
solver.add(z3.BoolVal(True))
solver.check()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr.startswith("ours (transform")


def test_a_library_without_libstdcpp_shows_no_transforms(tmp_path: Path) -> None:
    assert shows_transforms(activate())
    assert not shows_transforms(Release("5.4.1.0", tmp_path, None, tmp_path / "libz3.so"))
    maps = Path("/proc/self/maps").read_text().splitlines()
    (tmp_path / "libz3.so").symlink_to(next(line.split()[-1] for line in maps if "/libc.so" in line))
    assert not shows_transforms(Release("5.4.1.0", tmp_path, None, tmp_path / "libz3.so"))
