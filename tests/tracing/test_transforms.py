"""Rule transforms as Z3 prints them, and their place in a trace."""

from chcfuzz.tracing.progress_log import sequence_of, trace_of
from chcfuzz.tracing.transforms import MOST_LINES, transforms_in

# From Z3 5.4.1, shortened.
PRINTED = b"""(transform N7datalog13mk_coi_filterE...no-op 0s)
(transform N7datalog25mk_interp_tail_simplifierE...4 rules 0s)
(transform N7datalog19mk_array_eq_rewriteE...4 rules 0.002s)
(transform N7datalog15mk_rule_inlinerE...2 rules 0.01s)
(transform N7datalog8mk_sliceE...3 rules 0s)
expand: query!0 (0, 0) FAR  w(0) 1. F 0.00
"""
LOG = b"* LEVEL 1\nPropagating\n"


def test_an_event_is_a_transform_that_changed_rules_with_the_change_of_their_number() -> None:
    sequence = sequence_of(b"", 100, PRINTED)
    assert [sequence.labels[number] for number in sequence.numbers.tolist()] == [
        "mk_interp_tail_simplifier changes rules",
        "mk_array_eq_rewrite changes rules",
        "mk_rule_inliner leaves fewer rules",
        "mk_slice makes more rules",
    ]
    assert sequence.kinds == sequence.labels


def test_transforms_come_before_the_events_of_the_log_and_have_steps_of_their_own() -> None:
    alone, log, both = trace_of(b"", True, PRINTED), trace_of(LOG), trace_of(LOG, True, PRINTED)
    assert (alone.length, log.length, both.length) == (4, 2, 6)
    assert len({alone.hash, log.hash, both.hash}) == 3
    after = [{int(key) & 0xFFFF for key in trace.keys} for trace in (alone, log)]
    assert not after[0] & after[1]
    labels = sequence_of(LOG, 5, PRINTED)
    assert labels.labels[int(labels.numbers[4])] == "level 1 begins"


def test_times_numbers_of_rules_and_transforms_without_effect_do_not_change_a_trace() -> None:
    slower = PRINTED.replace(b"0s)", b"1.5s)")
    more = slower.replace(b"4 rules", b"40 rules").replace(b"3 rules", b"30 rules")
    without = b"".join(line for line in more.splitlines(True) if b"no-op" not in line)
    assert trace_of(LOG, True, without).hash == trace_of(LOG, True, PRINTED).hash
    assert trace_of(LOG, True, PRINTED.replace(b"2 rules", b"4 rules")).hash != trace_of(LOG, True, PRINTED).hash


def test_a_line_that_is_cut_is_not_an_event() -> None:
    first = PRINTED.index(b" rules")
    whole = list(transforms_in(PRINTED))
    cut = [list(transforms_in(PRINTED[:size])) for size in range(len(PRINTED))]
    assert cut[first + len(b" rules 0s")] == []
    assert all(found == whole[: len(found)] for found in cut)
    assert cut[-1] == whole


def test_transforms_beyond_the_lines_that_are_always_there_do_not_count() -> None:
    line = b"(transform N7datalog8mk_sliceE...%d rules 0s)\n"
    assert len(list(transforms_in(b"".join(line % number for number in range(2 * MOST_LINES))))) == MOST_LINES
