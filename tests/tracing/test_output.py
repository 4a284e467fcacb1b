"""Traces made of words."""

import subprocess
import sys

from chcfuzz.tracing.output import OutputEvents, trace_of_classes
from chcfuzz.tracing.trace import START

WORDS = ["sat", "model of length 9", "<=", "or"]


def test_equal_words_are_an_equal_trace_in_every_process() -> None:
    code = f"from chcfuzz.tracing.output import trace_of_classes; print(trace_of_classes({WORDS!r}).hash)"
    result = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert result == {f"{trace_of_classes(WORDS).hash}\n"}


def test_another_word_or_another_order_is_another_trace() -> None:
    others = [[], WORDS[:-1], [*WORDS, "and"], WORDS[::-1], [*WORDS[:-1], "and"]]
    hashes = {trace_of_classes(words).hash for words in [WORDS, *others]}
    assert len(hashes) == len(others) + 1


def test_words_that_follow_each_other_are_transitions() -> None:
    trace = trace_of_classes(["a", "b", "a", "b"])
    assert (trace.length, sorted(trace.counts.tolist())) == (4, [1, 1, 2])
    assert sum(key >> 16 == START for key in trace.keys.tolist()) == 1


def test_a_command_has_no_edges() -> None:
    assert len(OutputEvents("command-1").edges.counters) == 0
