"""Slices of a campaign: their packs alone are enough for the next one, on any machine and by any user."""

import os
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.cluster import child, pack, slices
from chcfuzz.cluster.child import LostError, TaskError
from chcfuzz.cluster.coordinator import Coordinator, Plan
from chcfuzz.cluster.exchange import Exchange
from chcfuzz.cluster.folders import claimed
from chcfuzz.cluster.pack import Pack, PackedUnit
from chcfuzz.cluster.slices import FINDINGS, SLICES, Slice, send_findings
from chcfuzz.cluster.store import Store
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators.recipe import digest
from distributed import Client, LocalCluster

from tests.cluster.conftest import WRONG
from tests.targets import comes_true
from tests.users import BecomeUser

Make = Callable[..., Slice]


def corpora(store: Store, seeds: Path) -> str:
    store.put("inputs/seeds", Pack(files=pack.gathered([("000", seeds)])).written())
    return "inputs/seeds"


def read(store: Store, name: str) -> Pack:
    return pack.read(store.get(name), name)


@pytest.mark.slow
def test_a_lane_continues_on_another_machine_of_another_user(
    tmp_path: Path, make_slice: Make, seeds: Path, become_user: BecomeUser
) -> None:
    store = Store(str(tmp_path / "store"))
    inputs = corpora(store, seeds)
    become_user(tmp_path / "one")
    first = slices.run(make_slice(0, 0, inputs, "-runs=10", WRONG))
    begun = read(store, first)
    assert begun.numbers["executions"] == 10
    assert begun.units
    assert all(unit.trace is not None for unit in begun.units)  # signed with the secret of this user
    found = store.names(FINDINGS)
    assert found, "findings are stored at once, each in a pack"
    assert read(store, f"{FINDINGS}/{found[0]}").files[f"{found[0]}/record.json"]
    exchange = Exchange(store)
    become_user(tmp_path / "two")
    task = make_slice(0, 1, inputs, "-runs=20", WRONG, shared=exchange.size, scratch="elsewhere")
    second = read(store, slices.run(task))
    run = next((tmp_path / "elsewhere").glob("*/*/0/run"))
    exchanged = {unit.trace: digest(unit.data) for unit in reversed(begun.units)}.values()  # the first of each trace
    assert set(exchanged) <= {path.name for path in (run / "corpus").iterdir()}
    assert set(exchanged).isdisjoint(digest(unit.data) for unit in second.units)
    assert set(found) <= {path.name for path in (run / "findings").iterdir()}
    new = {unit.trace for unit in second.units} - {unit.trace for unit in begun.units}
    assert exchange.merge([first, task.name, task.name]) == len(new)
    assert exchange.numbers["executions"] == Exchange(store).numbers["executions"] == 30


@pytest.mark.slow
def test_a_slice_that_is_run_again_does_nothing_and_one_that_is_killed_leaves_nothing(
    tmp_path: Path, make_slice: Make, seeds: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(str(tmp_path / "store"))
    task = make_slice(3, 0, corpora(store, seeds), "-runs=6")
    monkeypatch.setattr(child, "COMMAND", ("-c", "import os; os.kill(os.getpid(), 9)"))
    with pytest.raises(LostError, match="the child of a task was killed"):
        slices.run(task)
    assert store.names(SLICES) == []
    monkeypatch.undo()
    assert slices.run(task) == task.name
    written = store.get(task.name)
    monkeypatch.setattr(child, "COMMAND", ("-c", "raise SystemExit(9)"))
    assert slices.run(task) == task.name
    assert store.get(task.name) == written


def test_a_command_that_fails_is_its_last_line(tmp_path: Path) -> None:
    script = 'import sys; print("chcfuzz: no corpus; name one", file=sys.stderr); sys.exit(2)'
    with claimed(tmp_path) as claim, pytest.raises(TaskError, match=r"^a task failed: no corpus; name one$"):
        child.run(["-c", script], claim, (0,), tmp_path)


def test_a_task_whose_nanny_dies_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "SECONDS", 0.01)
    parents = iter((1, 1, 2))
    monkeypatch.setattr(os, "getppid", lambda: next(parents))
    with claimed(tmp_path) as claim, pytest.raises(LostError, match="nanny"):
        child.run(["-c", "import time; time.sleep(1000)"], claim, (0,), tmp_path)


def test_a_store_takes_some_findings_of_a_signature(tmp_path: Path) -> None:
    store, sent = Store(str(tmp_path / "store")), set[str]()
    for number in range(slices.MOST_ALIKE + 5):
        folder = tmp_path / "findings" / f"wrong-model-default-abc-{number:012}"
        folder.mkdir(parents=True)
        (folder / "record.json").write_text("{}")
    send_findings(store, tmp_path / "findings", sent)
    send_findings(store, tmp_path / "findings", set())
    assert len(store.names(FINDINGS)) == slices.MOST_ALIKE
    assert len(sent) == slices.MOST_ALIKE + 5


def test_slices_that_no_coordinator_saw_count_once(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    for lane, build in enumerate("aab"):
        units = (PackedUnit(b"same", 1), PackedUnit(b"of lane %d" % lane, 2))
        store.put(f"slices/{lane}", Pack(build=build, units=units, numbers={"executions": 10}).written())
    exchange = Exchange(store)
    assert exchange.numbers == {"executions": 30, "units": 3}  # the third trace is of another build
    assert all(isinstance(number, int) for number in exchange.numbers.values())
    assert exchange.merge([]) == exchange.merge(["slices/0"]) == 0
    assert Exchange(store).numbers == exchange.numbers
    assert Exchange(store).size == exchange.size == 2


def test_a_new_folder_reads_the_latest_units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(str(tmp_path / "store"))
    for number in range(1, 5):
        units = (PackedUnit(b"first %d" % number), PackedUnit(b"second %d" % number))
        store.put(slices.shared_name(number), Pack(units=units).written())
    (tmp_path / "corpus").mkdir()
    monkeypatch.setattr(slices, "MOST_UNITS", 3)
    slices.read_exchange(store, tmp_path / "corpus", range(1, 5))
    found = {path.read_bytes() for path in (tmp_path / "corpus").iterdir()}
    assert found == {b"first 4", b"second 4", b"first 3"}


def test_a_second_coordinator_is_refused(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    one, two = Exchange(store), Exchange(store)
    store.put("slices/0", Pack(numbers={"executions": 10}).written())
    one.merge(["slices/0"])
    with pytest.raises(ChcfuzzError, match="another coordinator uses the store"):
        two.merge(["slices/0"])


def test_no_two_slices_have_the_same_seed(make_slice: Make) -> None:
    task = make_slice(0, 0, "inputs/seeds")
    seeds = [replace(task, lane=lane, number=number).seed for lane in range(50) for number in range(50)]
    assert len(set(seeds)) == len(seeds)
    assert all(0 < seed < 1 << 32 for seed in seeds)


def wait_for_stop(task: Slice) -> str:
    """Do as a slice that has counted five executions when it is ended."""
    store = Store(task.store)
    assert comes_true(lambda: store.has(task.stop))
    store.put(task.name, Pack(numbers={"executions": 5, "slices": 1}).written())
    return task.name


def test_after_ctrl_c_slices_are_collected(tmp_path: Path, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "run", wait_for_stop)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "seeds").mkdir()
    reported: list[str] = []
    plan = Plan(str(tmp_path / "store"), (), (tmp_path / "seeds",), None, 600, None, None)
    threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,)).start()
    numbers = Coordinator(client, plan, reported.append).run()
    assert reported[0] == "the slices end now, and are collected; Ctrl-C again loses them"
    assert numbers["executions"] == 10
    assert Store(plan.store).names("stop") == []


def test_ctrl_c_ends_a_campaign_without_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "seeds").mkdir()
    plan = Plan(str(tmp_path / "store"), (), (tmp_path / "seeds",), None, 600, None, None)
    with (
        LocalCluster(n_workers=1, processes=False, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster) as client,
    ):
        coordinator = Coordinator(client, plan, lambda _line: None)
        monkeypatch.setattr(Coordinator, "_collect_results", interrupted_without(cluster, client))
        assert coordinator.run()["units"] == 0


def interrupted_without(cluster: LocalCluster, client: Client) -> Callable[[Coordinator, list[str]], None]:
    """Return a function that loses the workers, and is interrupted as it waits for slices."""

    def collect(_coordinator: Coordinator, _waiting: list[str]) -> None:
        cluster.scale(0)
        assert comes_true(lambda: not client.nthreads())
        raise KeyboardInterrupt

    return collect
