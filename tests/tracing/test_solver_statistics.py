"""Statistics of solvers as features: classes without clocks, traces without an order."""

import numpy as np
from chcfuzz.tracing.libfuzzer_counters import Counters
from chcfuzz.tracing.solver_statistics import Value, classes, merged, trace_of_features


def found(statistics: dict[str, Value]) -> list[str]:
    return sorted(classes(statistics))


def test_a_statistic_counts_with_its_power_of_two() -> None:
    assert found({"conflicts": 5, "decisions": 1}) == ["conflicts 3", "decisions 1"]
    assert found({"conflicts": 7}) == found({"conflicts": 4}) != found({"conflicts": 8})


def test_zero_is_not_a_feature_and_fractions_and_signs_are_classes() -> None:
    assert found({"conflicts": 0, "average": 0.25, "balance": -3, "share": 0.0}) == ["average 0", "balance -2"]


def test_clocks_memory_and_resource_counts_are_left_out() -> None:
    names = ("time", "max memory", "num allocs", "rlimit count", "resource::resourceUnitsUsed", "theory::checkTime")
    assert found(dict.fromkeys(names, 9)) == []
    assert found({"sat::solve": "3ms"}) == []


def test_each_inference_is_a_feature() -> None:
    steps = {"ARITH_BB_LEMMA": 1, "EXTT_SIMPLIFY": 3, "NEVER": 0}
    assert found({"resource::steps::inference-id": steps}) == [
        "resource::steps::inference-id:ARITH_BB_LEMMA 1",
        "resource::steps::inference-id:EXTT_SIMPLIFY 2",
    ]


def test_the_order_of_features_does_not_matter() -> None:
    one, other = trace_of_features(["a 1", "b 2"]), trace_of_features(["b 2", "a 1", "b 2"])
    assert one.hash == other.hash != trace_of_features(["a 1"]).hash
    assert np.array_equal(one.keys, other.keys)
    assert (one.length, one.complete, trace_of_features([]).length) == (2, True, 0)


def test_solvers_do_not_share_features() -> None:
    trace = trace_of_features(["conflicts 3"])
    alone, both = merged({"z3": trace}), merged({"z3": trace, "cvc5": trace})
    assert len(both.keys) == 2
    assert set(alone.keys) < set(both.keys)


def test_libfuzzer_gets_one_feature_for_each_class_and_none_for_the_vector() -> None:
    def features(*names: str) -> set[tuple[int, int]]:
        shown = Counters()
        shown.record_features(trace_of_features(names), 1)
        return {(int(index), int(shown.counters[index])) for index in shown.counters.nonzero()[0]}

    assert len(features("a 1", "b 2")) == 3
    assert features("a 1", "b 2") == features("a 1") | features("b 2")
