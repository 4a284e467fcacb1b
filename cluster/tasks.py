"""Tasks in general: a program of chcfuzz on a worker, from one pack to another. Those that fuzz are in `slices`."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.cluster import child, pack
from chcfuzz.cluster.child import TaskError
from chcfuzz.cluster.folders import claimed, scratch
from chcfuzz.cluster.pack import Pack
from chcfuzz.cluster.store import Store
from chcfuzz.execution.exit_codes import EXIT_OURS

HERE = "{here}"  # in the words of a command: the folder of the attempt
TASKS = "tasks"


@dataclass(frozen=True)
class Task:
    """A command for any worker, whose input and result are packs.

    Attributes:
        store: The URL of the store.
        name: The name of its result, a pack.
        words: The arguments of Python; `HERE` in them is the folder of the attempt.
        input: The name of the pack that is unpacked there before.
        outputs: Names of files and folders there that make the result.
        current: The folder in which the user started the coordinator.
        scratch: The folder for attempts that the user names.
    """

    store: str
    name: str
    words: tuple[str, ...]
    input: str
    outputs: tuple[str, ...]
    current: Path
    scratch: Path | None


def run(task: Task) -> str:
    """Run a command, unless its result exists; return the name of the result.

    Raises `TaskError`, `LostError` and `StoreError`.
    """
    store = Store(task.store)
    if store.has(task.name):
        return task.name
    try:
        with claimed(scratch(task.scratch, TASKS)) as claim:
            work = claim.folder / "work"
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir()
            pack.scatter(pack.read(store.get(task.input), task.input).files, work)
            words = [word.replace(HERE, str(work)) for word in task.words]
            code = child.run(words, claim, (0, 1, EXIT_OURS), task.current)
            files = pack.gathered((name, work / name) for name in task.outputs)
            store.put(task.name, Pack(files=files, numbers={"code": code}).written())
            shutil.rmtree(work)
    except OSError as error:
        raise TaskError(f"a task cannot use its folder: {error}; make room, or name another --scratch") from error
    return task.name
