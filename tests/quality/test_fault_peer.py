"""The benchmark of HornGator's mutants on faults, bench/faults/peer.py: what it records, its seeds and its tables."""

import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from chcfuzz.execution.solving import UsageError

from tests.benchmarks import benchmark

peer = benchmark("faults.peer")
SYSTEM = "(set-logic HORN)\n(declare-fun P (Int) Bool)\n(assert (P 1))\n(check-sat)\n"
MODEL = "(set-logic HORN)\n(define-fun P ((x Int)) Bool (= x 1))\n(assert (P 1))\n(check-sat)\n"


def trial(tool: str, seed: int, *noticed: int) -> Any:
    """Return a campaign of a tool, and the faults that it noticed in one of four tries each."""
    findings = {fault: {"death": 1} for fault in noticed}
    return peer.Trial(
        tool=tool, seed=seed, processor_seconds=60.0, made=10 * seed, tried={1: 4, 2: 4}, noticed=findings
    )


def test_what_a_program_of_z3_gets_is_recorded_with_its_parameters(tmp_path: Path) -> None:
    runs, recorder = tmp_path / "all 'runs'", tmp_path / "z3"
    runs.mkdir()
    recorder.write_text(peer.recorder_of("/bin/echo", runs))
    recorder.chmod(0o755)
    for name, text in (("a", SYSTEM), ("b", MODEL)):
        (tmp_path / name).write_text(text)
        words = [str(recorder), "fp.spacer.random_seed=48", "-model", str(tmp_path / name)]
        output = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        assert output == f"fp.spacer.random_seed=48 -model {tmp_path / name}\n", "Z3 gets what HornGator gave it"
    (runs / "cut").mkdir()
    (runs / "cut" / "system").write_text("(declare-fun")
    made = list(peer.recorded(runs))
    assert [(each.text, each.parameters) for each in made] == [(SYSTEM, (("fp.spacer.random_seed", "48"),))]


HORNFUZZ = """\
import os, random, sys, z3
clauses, model = z3.SolverFor("HORN"), z3.Solver()
clauses.set("engine", "spacer")
for name, value in (("spacer.ctp", False), ("xform.inline_eager", True), ("timeout", 50000)):
    clauses.set(name, value)
predicate = z3.Function("P", z3.IntSort(), z3.BoolSort())
clauses.add(predicate(1))
model.add(z3.Function("Q", z3.IntSort(), z3.BoolSort())(2))
print(clauses.check(), model.check(), random.random(), *sys.argv, *sorted(os.listdir(sys.argv[1])))
import own
os.makedirs("output", exist_ok=True)  # HornFuzz has a folder of this name
"""


def test_what_hornfuzz_gives_to_spacer_is_recorded_with_its_parameters(tmp_path: Path) -> None:
    """A program with the calls of Z3 that HornFuzz makes replaces it; it ends at once, so it is started again."""
    clone, seeds = tmp_path / "clone", tmp_path / "seeds" / "3"
    (clone / "src").mkdir(parents=True)
    (clone / "src" / "main.py").write_text(HORNFUZZ)
    (clone / "src" / "own.py").write_text("")
    (clone / "exclude_seed.json").write_text("[]")
    seeds.mkdir(parents=True)
    (seeds / "00-a.smt2").write_text(SYSTEM)
    setting = peer.Setting(tmp_path, None, tmp_path, 1.0, clone)
    spent, made = peer.hornfuzz_campaign(setting, 3)
    assert spent >= 1.0
    (only,) = set(made)
    assert "(declare-fun P (Int) Bool)" in only.text
    assert only.is_system
    assert only.parameters == (("fp.spacer.ctp", "false"), ("fp.xform.inline_eager", "true"))
    output = (tmp_path / "hornfuzz-03" / "output").read_text().splitlines()
    first, *_ = (line.split() for line in output)
    assert [*first[:2], *first[3:]] == ["sat", "sat", "src/main.py", "spacer-benchmarks", "00-a.smt2"]
    assert len({line.split()[2] for line in output}) == len(output) > 1, "each start has other random numbers"
    shutil.rmtree(setting.folder("hornfuzz", 3))
    peer.hornfuzz_campaign(setting, 3)
    assert (setting.folder("hornfuzz", 3) / "output").read_text().startswith(" ".join(first) + "\n")
    (clone / "src" / "main.py").write_text("raise SystemExit('a package is missing')")
    shutil.rmtree(setting.folder("hornfuzz", 3))
    with pytest.raises(UsageError, match=r"HornFuzz does not start; see '.*output'"):
        peer.hornfuzz_campaign(setting, 3)


def test_systems_that_are_refused_are_left_out_with_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    known, strange = (peer.Made(text, (), ()) for text in (SYSTEM, SYSTEM.replace("(P 1)", "(P one)")))
    assert peer.readable([known]) == [known]
    assert capsys.readouterr().err == ""
    assert peer.readable([known, strange]) == [known]
    assert capsys.readouterr().err == "1 of 2 systems are refused, and left out\n"


def test_a_recorder_that_cannot_write_writes_nowhere_else(tmp_path: Path) -> None:
    recorder, system = tmp_path / "z3", tmp_path / "a"
    recorder.write_text(peer.recorder_of("/bin/echo", tmp_path / "missing"))
    system.write_text(SYSTEM)
    done = subprocess.run(["/bin/sh", str(recorder), str(system)], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert done.stdout == ""


def test_campaigns_start_from_decided_systems_the_same_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The systems whose names end with an odd digit are decided."""
    for number in range(60):
        (tmp_path / f"{number:02}.smt2").write_text(SYSTEM)
    (tmp_path / "large.smt2").write_text(SYSTEM + ";" * 200_000)

    class Bench:
        def __init__(self, units: dict[str, Any], _: Path) -> None:
            self.units = units

        def warm_up(self) -> None:
            pass

        def runs(self, _: int, names: list[str]) -> list[tuple[str, Any, tuple[int, ...]]]:
            statuses = {name: "sat" if int(Path(name).stem) % 2 else "unknown" for name in names}
            return [(name, SimpleNamespace(status=status, finding=""), ()) for name, status in statuses.items()]

    monkeypatch.setattr(peer, "Bench", Bench)
    first, again, other = (peer.decided_seeds([tmp_path], seed, tmp_path) for seed in (1, 1, 2))
    assert first == again != other
    assert len(set(first)) == peer.SEEDS
    assert all(int(file.stem) % 2 for file in first)
    for number in range(30, 60):
        (tmp_path / f"{number:02}.smt2").unlink()
    with pytest.raises(
        UsageError, match=r"Z3 decides 15 of these systems within 200000 units, and 20 are needed; add --seeds"
    ):
        peer.decided_seeds([tmp_path], 1, tmp_path)


def test_faults_that_the_seeds_notice_are_counted_apart() -> None:
    seeds = range(1, 7)
    found = [*(trial("seeds", each, 1) for each in seeds), *(trial("horngator", each, 1, 2) for each in seeds)]
    found += [trial("chcfuzz", each, 1, 2, 3 + each % 2) for each in seeds]
    assert [row[-3:] for row in peer.table(found)[1:]] == [[1, 0, 0], [2, 1, 1], [3, 2, 3]]
    _, cells = peer.comparison(found)
    assert cells == ["horngator", "1.50", "0.031", "2.00", "0.031", "1.00 (1.00 to 1.00)", "1.000"]


def test_chcfuzz_is_compared_with_each_tool_that_has_run() -> None:
    found = [trial(tool, seed, *noticed) for seed in range(1, 7) for tool, noticed in
             (("seeds", (1,)), ("horngator", (1, 2)), ("hornfuzz", (1,)), ("chcfuzz", (1, 2)))]  # fmt: skip
    assert [row[:3] for row in peer.comparison(found)[1:]] == [
        ["horngator", "1.00", "1.000"],
        ["hornfuzz", "2.00", "0.031"],
    ]
    assert [row[0] for row in peer.table(found)[1:]] == ["seeds", "horngator", "chcfuzz", "hornfuzz"]


def test_a_pair_in_which_one_tool_notices_nothing_has_no_ratio_of_shares() -> None:
    found = [trial("seeds", 1), trial("horngator", 1), trial("chcfuzz", 1, 1)]
    assert peer.comparison(found)[1][-2:] == ["unknown", "unknown"]
