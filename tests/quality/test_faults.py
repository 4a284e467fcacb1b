"""Faults in Z3's own code, bench/faults: their places, their schemata, their states and the hazards of campaigns."""

import math
import random
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators.recipe import Recipe, encode

from tests.benchmarks import benchmark

sites_module, sorting, hazard = (benchmark(f"faults.{name}") for name in ("sites", "sorting", "hazard"))
campaigns, run, score = benchmark("campaigns"), benchmark("faults.run"), benchmark("faults.score")
write_corpus, is_usual = run.write_corpus, run.is_usual
with_faults, drawn = benchmark("faults.build").with_faults, benchmark("faults.drawing").drawn
error_lines, parsed, Site = sites_module.error_lines, sites_module.parsed, sites_module.Site
Seen, State = sorting.Seen, sorting.State

CODE = """// a file
#define ASSERT(c) if (!(c)) stop();
void stop();
struct list {
    void push_back(int);
    bool find(int a, int b);
    void display() { push_back(1); }
};
struct solver {
    list m_list;
    bool is_big(int x) {
        ASSERT(x < 9);
        return x > 2;
    }
    int loop(int x, int y) {
        for (int i = 0; i < x; ++i) {
            if (m_list.find(x, y))
                continue;
            m_list.push_back(i);
        }
        return is_big(x) ? x : y;
    }
};
"""
ARGUMENTS = ("-std=c++20", "-nostdinc", "-nostdinc++")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of C++ that includes nothing."""
    path = tmp_path / "solver.cpp"
    path.write_text(CODE)
    return path


def found(file: Path) -> list[Any]:
    """Return the sites of the file; it compiles."""
    unit = parsed(file, ARGUMENTS)
    assert error_lines(unit) == {}
    return list(sites_module.sites_of(unit, file.name))


def test_each_operator_finds_its_places(file: Path) -> None:
    places = {(site.operator, site.line, CODE[site.begin : site.end], site.function) for site in found(file)}
    assert {
        ("return", 13, "x > 2", "solver::is_big"),
        ("relation", 13, "x > 2", "solver::is_big"),
        ("constant", 13, "2", "solver::is_big"),
        ("condition", 16, "i < x", "solver::loop"),
        ("constant", 16, "0", "solver::loop"),
        ("condition", 17, "m_list.find(x, y)", "solver::loop"),
        ("arguments", 17, "m_list.find(x, y)", "solver::loop"),
        ("jump", 18, "continue", "solver::loop"),
        ("call", 19, "m_list.push_back(i)", "solver::loop"),
        ("choice", 21, "is_big(x)", "solver::loop"),
    } <= places
    assert {operator for operator, *_ in places} == set(sites_module.OPERATORS)


def test_assertions_and_functions_that_print_are_left_alone(file: Path) -> None:
    sites = found(file)
    assert not [site for site in sites if site.line == 12]
    assert not [site for site in sites if "display" in site.function]


def test_every_schema_compiles_and_keeps_the_lines(file: Path) -> None:
    for site in found(file):
        text = with_faults(CODE.encode(), {7: site}, defines=True)
        assert error_lines(parsed(file, ARGUMENTS, text)) == {}, (site, text.decode())
        assert b"chcfuzz_fault(7)" in text
        assert text.count(b"\n") == CODE.count("\n")


@pytest.mark.parametrize(
    ("operator", "line", "schema"),
    [
        ("condition", 17, "if ((chcfuzz_fault(7) != static_cast<bool>(m_list.find(x, y))))"),
        ("arguments", 17, "(chcfuzz_fault(7) ? m_list.find(y, x) : m_list.find(x, y))"),
        ("relation", 13, "return (chcfuzz_fault(7) ? (x) >= (2) : (x > 2));"),
        ("jump", 18, "if (!chcfuzz_fault(7)) continue;"),
        ("call", 19, "(chcfuzz_fault(7) ? (void)0 : (void)(m_list.push_back(i)));"),
        ("choice", 21, "return (chcfuzz_fault(7) || static_cast<bool>(is_big(x))) ? x : y;"),
        ("return", 13, "return (chcfuzz_fault(7) != static_cast<bool>(x > 2));"),
        ("constant", 13, "return x > (2 + static_cast<int>(chcfuzz_fault(7)));"),
    ],
)
def test_a_schema_is_the_code_with_a_guard(file: Path, operator: str, line: int, schema: str) -> None:
    site = next(site for site in found(file) if (site.operator, site.line) == (operator, line))
    assert schema in with_faults(CODE.encode(), {7: site}).decode().splitlines()[line - 1]


def test_an_error_of_a_schema_is_at_its_line(file: Path) -> None:
    assert list(error_lines(parsed(file, ARGUMENTS, CODE.replace("x > 2", "x > z").encode()))) == [13]


def test_drawn_sites_do_not_overlap_and_take_turns() -> None:
    sites = [Site("a.cpp", n, "f", "call", 10 * n, 10 * n + 12) for n in range(20)]
    sites += [Site("b.cpp", 1, "f", "return", 0, 3)]
    chosen = list(drawn(sites))
    assert chosen == list(drawn(reversed(sites)))
    assert "b.cpp" in {site.file for site in chosen[:2]}
    spans = sorted((site.begin, site.end) for site in chosen if site.file == "a.cpp")
    assert len(spans) > 5
    assert all(one[1] <= two[0] for one, two in pairwise(spans))


SAT = Seen("sat", "aa", 10)


@pytest.mark.parametrize(
    ("after", "state"),
    [
        (SAT, State.SILENT),
        (Seen("sat", "aa", 11), State.COSTS),
        (Seen("sat", "bb", 10), State.STUBBORN),
        (Seen("unknown", "aa", 10), State.STUBBORN),
        (Seen("unsat", "bb", 10, "wrong-answer"), State.NOTICED),
        (Seen("", "", 0, "death"), State.NOTICED),
    ],
)
def test_a_fault_is_sorted_by_its_strongest_effect(after: Any, state: Any) -> None:
    before = {"one": SAT, "two": SAT}
    assert sorting.sorted_fault(1, 2, before, {"one": SAT, "two": after}).state is state


def test_a_fault_that_one_unit_in_three_notices_is_rare() -> None:
    before = dict.fromkeys(("one", "two", "three"), SAT)
    found = sorting.sorted_fault(1, 3, before, {**before, "two": Seen("", "", 0, "death")})
    assert (found.state, found.noticing, found.by) == (State.RARE, 1, "death of two")
    assert found.clean == ("one", "three")


def test_a_finding_that_is_there_without_the_fault_does_not_count() -> None:
    wrong = Seen("unsat", "aa", 10, "wrong-answer")
    assert sorting.sorted_fault(1, 1, {"one": wrong}, {"one": wrong}).state is State.SILENT


def test_another_decided_answer_notices_a_fault() -> None:
    """A drawn unit promises no answer, and of two answers one is wrong."""
    before = {
        "flips": SAT,
        "has a false proof": SAT,
        "gives up": SAT,
        "dies": SAT,
        "decides": Seen("unknown", "aa", 10),
    }
    after = {
        "flips": Seen("unsat", "bb", 10),
        "has a false proof": Seen("unsat", "bb", 10, "wrong-proof"),
        "gives up": Seen("unknown", "bb", 10),
        "dies": Seen("", "", 0, "death"),
        "decides": SAT,
    }

    class Fixed:
        def runs(self, _fault: int, names: Any) -> Any:
            yield from ((name, after[name], ()) for name in names)

    found = sorting.runs_with(Fixed(), 1, before)
    both = f"wrong-proof, {sorting.ANSWER}"
    kinds = {"flips": sorting.ANSWER, "has a false proof": both, "gives up": "", "dies": "death", "decides": ""}
    assert {name: seen.finding for name, seen in found.items()} == kinds
    assert found["flips"].status == "unsat"


def test_a_fault_is_tried_on_few_units_in_an_order_of_its_own() -> None:
    units = [f"{number}.smt2" for number in range(100)]
    assert len(sorting.tried(1, units)) == sorting.TRIES
    assert sorting.tried(1, units) == sorting.tried(1, reversed(units))
    assert sorting.tried(1, units) != sorting.tried(2, units)


def test_faults_of_another_build_are_refused(tmp_path: Path) -> None:
    build, other, results = (tmp_path / name for name in ("build", "other", "results"))
    for folder, content in ((build, b"{1}\n{2}\n"), (other, b"{1}\n{3}\n"), (results, b"{1}\n{2}\n")):
        folder.mkdir()
        (folder / "faults.jsonl").write_bytes(content)
    sorting.check_build(results, build, [1, 2])
    with pytest.raises(UsageError, match=r"those of another build than .*, which has 2; name their build"):
        sorting.check_build(results, build, [1, 3])
    with pytest.raises(UsageError, match="another build"):
        sorting.check_build(results, other, [1, 2])


def test_states_of_other_units_are_refused(tmp_path: Path) -> None:
    """Their names are paths, which another machine does not have."""
    one, two = (Recipe(text, (), ()) for text in "ab")
    for units in ([one, two], [two, one]):
        sorting.check_units(tmp_path, units)
    with pytest.raises(UsageError, match=r"are those of other units; name their folders, or another --into"):
        sorting.check_units(tmp_path, [one])
    (tmp_path / sorting.UNITS).write_bytes(b"\xff damaged")
    with pytest.raises(UsageError, match="are those of other units"):
        sorting.check_units(tmp_path, [one, two])


def test_units_that_are_all_wrong_without_a_fault_are_refused(tmp_path: Path) -> None:
    (tmp_path / "faults.jsonl").write_bytes(b"{1}\n")

    class Wrong(sorting.Bench):  # type: ignore[misc, name-defined]
        def runs(self, _fault: int, names: Any) -> Any:
            yield from ((name, Seen("sat", "aa", 10, "wrong-model"), (1,)) for name in names)

    into = tmp_path / "into"
    into.mkdir()
    with pytest.raises(UsageError, match="no unit of these folders can show a fault"):
        sorting.measured(Wrong({"one": Recipe("", (), ())}, tmp_path), [1], into, 1)


def test_our_own_errors_are_not_deaths_of_the_solver(capfd: pytest.CaptureFixture[str]) -> None:
    class Failing(sorting.Bench):  # type: ignore[name-defined,misc]
        def runner(self, fault: int) -> Any:
            raise ValueError(f"our own error, with fault {fault}")

    bench = Failing({"unit": Recipe("")}, Path())
    with pytest.raises(RuntimeError, match="unit raised what is printed above"):
        list(bench.runs(0, ["unit"]))
    assert "our own error, with fault 0" in capfd.readouterr().err
    ((_, seen, _),) = bench.runs(7, ["unit"])
    assert seen.finding == "death", "a fault may make any object wrong"


def test_a_damaged_line_of_results_is_named(tmp_path: Path) -> None:
    file = tmp_path / "sorted.jsonl"
    file.write_text('{"fault":1,"state":"silent","units":3}\n{"fault":2\n{"fault":3,"sta')
    with pytest.raises(UsageError, match=f"line 2 of '{file}' is damaged"):
        campaigns.ResultFile(file, sorting.Sorted).read()
    assert file.read_text().endswith('{"fault":2\n'), "the line that was cut is gone"


def test_two_runs_do_not_write_results_into_one_folder(tmp_path: Path) -> None:
    with campaigns.alone(tmp_path), pytest.raises(UsageError, match="another run writes to"):  # noqa: SIM117
        with campaigns.alone(tmp_path):
            pass
    with campaigns.alone(tmp_path):
        pass


def test_results_of_other_flags_are_not_continued(tmp_path: Path) -> None:
    for flags, has_results in (("--minutes=9", False), ("--minutes=5", False), ("--minutes=5", True)):
        campaigns.check_settings(tmp_path, flags, has_results=has_results)
    with pytest.raises(UsageError, match="are those of --minutes=5; give these, or another --into"):
        campaigns.check_settings(tmp_path, "--minutes=1", has_results=True)


@pytest.mark.parametrize(("name", "usual"), [("fp.spacer.gpdr", False), ("fp.xform.slice", True)])
def test_a_campaign_starts_from_units_without_experimental_parameters(tmp_path: Path, name: str, usual: bool) -> None:
    value = "true" if name == "fp.spacer.gpdr" else "false"
    (tmp_path / "unit").write_bytes(encode(Recipe("(set-logic HORN)\n(check-sat)\n", (), ((name, value),))))
    assert is_usual(str(tmp_path / "unit")) is usual


def test_a_campaign_never_starts_without_the_units_of_its_fault(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="sort the faults again"):
        write_corpus(tmp_path / "seeds", [])
    with pytest.raises(UsageError, match=r"cannot copy the unit .gone\.smt2.: No such file"):
        write_corpus(tmp_path / "seeds", ["gone.smt2"])
    with pytest.raises(UsageError, match=r"cannot read the unit .gone\.smt2.: No such file"):
        is_usual("gone.smt2")


@dataclass(frozen=True)
class Trial:
    """A trial of `hazards`."""

    arm: str
    fault: int
    work: float
    is_kill: bool


def trials(ratio: float) -> list[Trial]:
    """Return trials of two arms on forty faults, censored at 100; `ratio` is the true hazard of the second arm."""
    chance = random.Random(1)
    made = []
    for fault in range(40):
        rate = chance.expovariate(1) / 50
        for arm, factor in (("one", 1.0), ("two", ratio), ("one", 1.0), ("two", ratio)):
            work = chance.expovariate(rate * factor)
            made.append(Trial(arm, fault, min(work, 100), work < 100))
    return made


def test_an_arm_that_kills_twice_as_soon_has_a_hazard_of_about_two() -> None:
    found = hazard.hazards(trials(2.0), ("one", "two"))["two"]
    assert found.low < 2 < found.high
    assert found.low > 1
    equal = hazard.hazards(trials(1.0), ("one", "two"))["two"]
    assert equal.low < 1 < equal.high


def test_arms_without_kills_have_no_hazard() -> None:
    assert hazard.hazards([Trial("one", 1, 5, False), Trial("two", 1, 5, False)], ("one", "two")) == {}


def made(text: str, *first: int) -> Any:
    """Return a run of a recorded campaign."""
    return benchmark("faults.recording").Made(text, (), first)


def score_of(
    arm: str, seed: int, sites: tuple[int, ...], tried: dict[int, int], noticed: dict[int, dict[str, int]]
) -> Any:
    """Return a score."""
    return score.Score(
        arm=arm, seed=seed, executions=100, solver_work=1000, made=90, sites=sites, tried=tried, noticed=noticed
    )


def scored(arm: str, seed: int, sites: int, noticed: dict[int, dict[str, int]]) -> Any:
    """Return the score of a campaign."""
    return score_of(arm, seed, tuple(range(sites)), {1: 30, 2: 30, 3: 30}, noticed)


def test_a_sample_of_mutants_has_no_mutant_twice_and_does_not_depend_on_their_order() -> None:
    """A campaign solves some mutants again, for example to confirm what it has seen. One mutant lost its predicates."""
    systems = [f"(declare-fun p{number} () Bool)" for number in range(50)]
    runs = [made(system) for system in systems * 4] + [made("(set-logic HORN)")]
    few, all_of_them = score.sample_of(runs, 20), score.sample_of(runs[::-1], 1000)
    assert (len(few), len(all_of_them)) == (20, 50)
    assert {unit.seed for unit in all_of_them.values()} == set(systems)
    assert few.items() <= all_of_them.items()


def test_a_traced_build_can_have_the_traces_of_the_stock_package(monkeypatch: pytest.MonkeyPatch) -> None:
    stock, domain = benchmark("faults.stock").STOCK, "chcfuzz.domains.chc.domain"
    monkeypatch.setattr(f"{domain}.active", lambda: SimpleNamespace(traced=Path("libz3.so")))
    monkeypatch.setattr(f"{domain}.TracedLibrary", lambda *_: pytest.fail("events of a traced build"))
    assert stock.trace_source(Solving()).edges.counters.size == 0


def test_campaigns_with_one_seed_start_from_the_same_systems() -> None:
    """Two arms are pairs only then, and another seed has other systems."""
    assert score.chosen_seeds(1) == score.chosen_seeds(1)
    assert len(set(score.chosen_seeds(1))) == score.SEEDS
    assert score.chosen_seeds(1) != score.chosen_seeds(2)


def test_scores_are_compared_by_seeds_and_by_faults() -> None:
    """The second arm reaches a tenth more sites and notices another fault in each of eight campaigns."""
    seeds = range(1, 9)
    first = [scored("a", seed, 10, {1: {"death": 2}}) for seed in seeds]
    second = [scored("b", seed, 11, {1: {"death": 1}, 2: {"wrong model": 3 + seed % 2}}) for seed in seeds]
    _, row = score.comparisons([*first, *second], ["a", "b"])
    name, sites, p_sites, noticed, p_noticed, hazard, p_hazard, *costs, more, less, _ = row
    assert (name, sites, noticed, more, less) == ("b", "1.100", "2.000", 1, 0)
    assert p_sites == p_noticed == p_hazard == "0.008"
    assert hazard == "2.24 (2.02 to 2.47)", "twice and 2.5 times, in four pairs each"
    assert costs == ["1.00 (1.00 to 1.00)", "1.000", hazard, p_hazard]
    double = [score.structs.replace(each, solver_work=2 * each.solver_work) for each in second]
    _, (*_, work, _, for_the_work, _, _, _, _) = score.comparisons([*first, *double], ["a", "b"])
    assert (work, for_the_work) == ("2.00 (2.00 to 2.00)", "1.12 (1.01 to 1.24)"), "a half of the gain"
    head, one, other = score.table([*first, *second], ["a", "b"])
    assert (
        dict(zip(head, other, strict=True)).items()
        >= {"sites": 11, "ever noticed": 2, "death": 1, "wrong model": 1}.items()
    )
    assert dict(zip(head, one, strict=True))["ever noticed"] == 1


def test_what_only_witnesses_show_is_counted() -> None:
    both = f"wrong-model, {sorting.ANSWER}"
    noticed = {1: {"wrong-model": 2}, 2: {"wrong-model": 1, "death": 1}, 3: {both: 1}, 4: {sorting.ANSWER: 1}}
    head, row = score.table([scored("a", 1, 10, noticed)], ["a"])
    numbers = dict(zip(head, row, strict=True))
    assert (numbers["noticed"], numbers["without witnesses"]) == (4, 3)
    more = {**noticed, 1: {"wrong-model": 4}}
    _, gain = score.gains_by_witnesses([scored("a", 1, 10, noticed), scored("a", 2, 10, more)], ["a"])
    assert (gain[0], gain[3]) == ("a", "1.333")
    assert gain[5].startswith("2.96 "), "five tries of faults 1 to 3 notice, and seven, instead of two"
    assert gain[-3:-1] == [1, 0]


def test_the_hazard_compares_tries_of_the_same_fault() -> None:
    """The second campaign reaches the easy fault more often, and notices it as often in each try."""
    shares = {1: {"death": 8}, 2: {"death": 2}}
    first = score_of("a", 1, (), {1: 10, 2: 20}, shares)
    easy = score_of("b", 1, (), {1: 20, 2: 20}, {1: {"death": 12, "clock": 4}, 2: {"death": 2}})
    sooner = score_of("b", 1, (), {1: 10, 2: 20, 3: 1}, {1: {"death": 8}, 2: {"death": 7}, 3: {"death": 1}})
    assert score.hazard_ratio(first, easy) == pytest.approx(1)
    assert score.hazard_ratio(first, sooner) == pytest.approx(1.5)
    assert score.hazard_ratio(sooner, first) == pytest.approx(1 / 1.5)
    assert math.isnan(score.hazard_ratio(first, scored("b", 1, 10, {})))


def test_the_interval_of_the_hazard_needs_two_campaigns_that_notice() -> None:
    one = [scored("a", 1, 10, {1: {"death": 1}}), scored("b", 1, 10, {1: {"death": 2}})]
    two = [scored("a", 2, 10, {1: {"death": 1}}), scored("b", 2, 10, {1: {"death": 4}})]
    nothing = [scored("a", 3, 10, {1: {"death": 1}}), scored("b", 3, 10, {})]
    found = [score.comparisons(scores, ["a", "b"])[1][5] for scores in (one, one + two, one + two + nothing)]
    assert found == ["unknown", "2.83 (0.03 to 231.22)", "unknown"]


def test_campaigns_that_notice_nothing_are_compared() -> None:
    none = [scored(arm, seed, 10, {}) for arm in ("a", "b") for seed in (1, 2)]
    _, (_, sites, _, noticed, _, hazard, _, *_, more, less, p) = score.comparisons(none, ["a", "b"])
    assert (sites, noticed, hazard, more, less, p) == ("1.000", "0.000", "unknown", 0, 0, "unknown")


def test_a_seed_that_only_one_arm_has_is_not_compared() -> None:
    """An interrupted benchmark has scores of some seeds alone."""
    found = [scored("a", 1, 10, {}), scored("b", 2, 10, {})]
    assert len(score.comparisons(found, ["a", "b"])) == 1


def test_scores_of_other_faults_or_samples_are_not_added_to_those_of_a_folder(tmp_path: Path) -> None:
    words = ("-runs=5",)
    score.Recorded(tmp_path, words, 1, "a", tmp_path, ("--apart=False",)).prepare()
    score.Recorded(tmp_path, words, 2, "a", tmp_path, ("--apart=False",)).prepare()
    with pytest.raises(UsageError, match="-runs=5 --apart=False"):
        score.Recorded(tmp_path, words, 1, "a", tmp_path, ("--apart=True",)).prepare()


@pytest.mark.parametrize("arms", [[("a", ""), ("a", "--learn")], [("../a", "")], [("..", "")]])
def test_an_arm_that_would_hide_another_or_write_elsewhere_is_refused(arms: list[tuple[str, str]]) -> None:
    with pytest.raises(UsageError, match="is used twice, or is no name of a folder"):
        campaigns.arms_of(arms)


def test_without_an_arm_there_is_the_default() -> None:
    assert campaigns.arms_of(None) == {"default": ""}


def test_what_an_interrupted_campaign_solved_goes_with_its_folder(tmp_path: Path) -> None:
    """A campaign whose driver was killed may still write; a new start must not keep a part of it."""
    trials = score.Recorded(tmp_path, ("-runs=5",), 1, "a", tmp_path, ())
    assert trials.record(1).parent == trials.path(1)
