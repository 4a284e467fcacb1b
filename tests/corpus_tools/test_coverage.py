"""Units are executed in child processes, and what they reach is added up; the counters are those of a fake build."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from chcfuzz.corpus_tools import coverage
from chcfuzz.corpus_tools.coverage import Recorder, executed_until_interrupt
from chcfuzz.execution.child_process import ChildError
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.tracing.edges import Edges

COUNTERS = 200


class FakePipeline:
    """Executes a unit whose text is a number by counting the edge of that number; `die` kills the process."""

    def __init__(self, edges: Edges) -> None:
        self._edges = edges

    def mutant(self, recipe: Recipe) -> str:
        return recipe.seed

    def execute(self, text: str) -> None:
        with open(os.environ["EXECUTED"], "a") as file:
            file.write(f"{os.getpid()}\n")
        if text == "die":
            os.kill(os.getpid(), signal.SIGSEGV)
        if text == "fail":
            raise KeyError("ours")
        self._edges.counters[int(text)] = 1


@pytest.fixture
def recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """A recorder of a fake build."""
    monkeypatch.setenv("EXECUTED", str(tmp_path / "executed"))
    monkeypatch.setattr(coverage, "read", lambda data: SimpleNamespace(recipe=Recipe(data.decode())))
    edges = Edges(np.zeros(COUNTERS, np.uint8), np.zeros((COUNTERS, 2), np.uintp))
    pipeline: Any = FakePipeline(edges)
    events: Any = SimpleNamespace(edges=edges)
    return Recorder(pipeline, events)


def units(folder: Path, *texts: str) -> list[Path]:
    (folder / "units").mkdir()
    found = [folder / "units" / f"{number:03}" for number in range(len(texts))]
    for file, text in zip(found, texts, strict=True):
        file.write_text(text)
    return found


def test_many_units_share_a_process_and_the_progress_ends_with_all(recorder: Recorder, tmp_path: Path) -> None:
    files = units(tmp_path, *map(str, range(50)))
    assert list(recorder.add_all(files)) == [20, 40, 50]
    assert np.flatnonzero(recorder.reached).tolist() == list(range(50))
    assert len(set((tmp_path / "executed").read_text().split())) == 3


def test_only_the_deadly_unit_of_a_batch_is_left_out_and_named(
    recorder: Recorder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = units(tmp_path, "1", "2", "die", "4", "5")
    assert list(recorder.add_all(files)) == [5]
    assert np.flatnonzero(recorder.reached).tolist() == [1, 2, 4, 5]
    assert recorder.died == 1
    assert [line for line in capsys.readouterr().err.splitlines() if "left out" in line] == [
        f"chcfuzz: Z3 dies of signal 11 (Segmentation fault) in {str(files[2])!r}, which is left out"
    ]


def test_an_error_of_our_own_ends_the_measurement(recorder: Recorder, tmp_path: Path) -> None:
    with pytest.raises(ChildError):
        list(recorder.add_all(units(tmp_path, "1", "fail")))


def interrupted_at(moment: int) -> coverage.Progress:
    def progress(done: int, _total: int) -> None:
        if done == moment:
            raise KeyboardInterrupt

    return progress


def test_an_interrupt_ends_the_measurement_with_the_units_until_then(recorder: Recorder, tmp_path: Path) -> None:
    files = units(tmp_path, *map(str, range(50)))
    assert executed_until_interrupt(recorder, files, interrupted_at(20)) == 20
    assert np.flatnonzero(recorder.reached).tolist() == list(range(20))
    assert executed_until_interrupt(recorder, files, interrupted_at(-1)) == 50


def test_an_interrupt_before_any_unit_ends_the_command(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_self: Recorder, _files: list[Path]) -> Iterator[int]:
        raise KeyboardInterrupt

    monkeypatch.setattr(Recorder, "add_all", interrupted)
    with pytest.raises(KeyboardInterrupt):
        executed_until_interrupt(recorder, [], lambda *_: None)
