"""A comparison that would show nothing is refused, and groups with the same seeds are compared in pairs."""

import json
import shutil
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.campaign.runs.run_statistics import END, FINDING, PROGRESS, SESSION, Statistics
from chcfuzz.commands import main, trials
from chcfuzz.execution.solving import UsageError
from chcfuzz.experiments.campaign_groups import FEWEST, are_paired, differing_words, manifest, read_groups
from chcfuzz.experiments.comparison import rankings, rows
from chcfuzz.experiments.drawings import boxes_svg, curves_svg, drawings, ranks_svg
from chcfuzz.experiments.paper_files import latex, latex_ranks
from chcfuzz.experiments.statistics import Ranks, Sample, compared, ranks
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.suspicions import Suspicions
from scipy import stats

from tests.targets import ROOT

SVG = "{http://www.w3.org/2000/svg}"
FIVE = range(1, FEWEST + 1)


def made(path: Path, seed: int, traces: int, mutants: int = 20, words: tuple[str, ...] = ("corpus/",)) -> Path:
    """A run folder of a campaign with this seed of libFuzzer, and this number of traces at its end."""
    run = RunFolder(path)
    run.begin("spacer", list(words))
    written = Statistics(run.statistics)
    head = {"at": f"2026-01-02T03:04:{seed:02}+00:00", "headline": str(path), "words": [*words, f"-seed={seed}"]}
    written.write(SESSION, 0.0, format="chcfuzz-statistics 1", processors=2, load=[0.5, 0.5, 0.5], **head)
    for number in range(1, 5):
        counted = {"executions": 10 * number, **({"mutants": mutants} if mutants else {})}
        sizes = dict.fromkeys(("transitions", "units", "corpus_bytes", "memory_bytes", "waiting", "crashes"), 1)
        more = {"solved": 10 * number, "traces": traces * number, "findings": {}, "replaced": 0}
        written.write(PROGRESS, float(number), executions=10 * number, counters=counted, **sizes, **more)
    written.write(END, 4.0, why="done")
    return path


def group(folder: Path, name: str, traces: list[int], mutants: int = 20, words: tuple[str, ...] = ()) -> str:
    paths = [
        made(folder / f"{name}{seed}", seed, number, mutants, (*words, "corpus/"))
        for seed, number in enumerate(traces, 1)
    ]
    return f"{name}={','.join(map(str, paths))}"


def test_a_group_without_mutants_is_refused(tmp_path: Path) -> None:
    a, b = group(tmp_path, "A", [5, 6], mutants=0), group(tmp_path, "B", [7, 8])
    with pytest.raises(UsageError, match="the group 'A' have executed no mutant; raise -runs"):
        read_groups([a, b])


def test_groups_that_are_identical_seed_by_seed_are_refused_with_the_flags_that_changed_nothing(tmp_path: Path) -> None:
    a, b = group(tmp_path, "A", [5, 6]), group(tmp_path, "B", [5, 6], words=("--policy=hornfuzz",))
    with pytest.raises(UsageError, match=r"identical, seed by seed: the flags .*\(--policy=hornfuzz\) changed nothing"):
        read_groups([a, b])
    other = group(tmp_path, "C", [5, 7], words=("--policy=hornfuzz",))
    read_groups([a, other])
    with pytest.raises(UsageError, match="the groups 'A' and 'B' are identical"):
        read_groups([other, a, b])


@pytest.mark.slow
def test_groups_with_the_same_seeds_are_compared_in_pairs(tmp_path: Path) -> None:
    first, second = [5, 16, 27, 38, 49], [6, 18, 30, 42, 54]
    groups = read_groups([group(tmp_path, "A", first), group(tmp_path, "B", second)])
    assert are_paired(*groups)
    (row,) = [row for row in rows(groups, "executions") if row.measure == "unique traces"]
    assert row.comparison.p == pytest.approx(stats.wilcoxon(first, second).pvalue)
    a, b = (Sample(tuple(map(float, one)), (False,) * 5) for one in (first, second))
    unpaired = compared(a, b)
    assert row.comparison.p < unpaired.p == pytest.approx(stats.mannwhitneyu(first, second).pvalue)


def test_groups_with_other_seeds_are_not_pairs(tmp_path: Path) -> None:
    groups = read_groups([group(tmp_path, "A", [5, 6, 7]), group(tmp_path, "B", [6, 7])])
    assert not are_paired(*groups)


@pytest.mark.slow
def test_fewer_than_five_campaigns_have_no_p(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = [group(tmp_path, "A", [5, 6, 7, 8]), group(tmp_path, "B", [6, 7, 8, 9], words=("--prices=none",))]
    assert {row.p for row in rows(read_groups(few), "executions")} == {None}
    assert main.main(["compare", *few, "--csv", str(tmp_path / "table.csv")]) == 0
    printed = capsys.readouterr().out
    assert "too few" in printed
    assert "only B: --prices=none" in printed
    assert (tmp_path / "table.csv").read_text().splitlines()[1].endswith(",")


def test_equal_pairs_have_a_p_of_one() -> None:
    same = Sample((1.0, 2.0, 3.0, 4.0, 5.0), (False,) * 5)
    assert compared(same, same, pairs=True).p == 1.0


def test_three_groups_are_ranked_and_the_critical_difference_shrinks_with_the_seeds(tmp_path: Path) -> None:
    numbers = {"A": [5, 6, 7, 8, 9], "B": [15, 16, 17, 18, 19], "C": [25, 26, 27, 28, 29]}
    groups = read_groups([group(tmp_path, name, traces, words=(f"--x={name}",)) for name, traces in numbers.items()])
    found = rankings(groups, "executions")["unique traces"]
    assert found.means == (3.0, 2.0, 1.0)
    assert found.critical == pytest.approx(2.343 * (3 * 4 / (6 * 5)) ** 0.5, rel=1e-3)  # the table of Demsar (2006)
    many = [Sample(tuple(map(float, range(n, n + 20))), (False,) * 20) for n in range(3)]
    assert ranks(many).critical < found.critical
    assert rankings(groups[:2], "executions") == {}
    assert differing_words(groups)["B"] == ["--x=B"]


@pytest.mark.slow
def test_ranks_are_printed_on_lines_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    traces = {name: [first + n for n in range(5)] for first, name in enumerate("ABC")}
    words = [group(tmp_path, name, numbers, words=(f"--x={name}",)) for name, numbers in traces.items()]
    assert main.main(["compare", *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    title = next(number for number, line in enumerate(lines) if "Mean ranks over the seeds" in line)
    assert (lines[title - 1], lines[title][:10]) == ("", "Mean ranks")
    assert lines[title + 1].startswith("  unique traces: A 3.00, B 2.00, C 1.00; p ")


def confirmed_later(path: Path, execution: int, **more: float) -> str:
    """Add a finding to a run folder as `chcfuzz confirm` does after the campaign; return its name."""
    folder = RunFolder(path).findings / "wrong-model-stored-f0e4f12cca7c"
    shutil.copytree(ROOT / "tests/formats/samples/finding-4", folder)
    record = json.loads((folder / "record.json").read_text())
    (folder / "record.json").write_text(json.dumps({**record, "execution": execution, **more}))
    return folder.name


def test_a_finding_that_was_confirmed_later_counts_from_its_execution_and_a_suspicion_that_waits_is_counted(
    tmp_path: Path,
) -> None:
    words = [group(tmp_path, "A", [5, 6]), group(tmp_path, "B", [7, 8])]
    confirmed_later(tmp_path / "A1", 23)
    Suspicions(RunFolder(tmp_path / "B2").findings).add(Suspicion(b"unit", "wrong-model", "model"))
    (first, second), (third, fourth) = (one.campaigns for one in read_groups(words))
    assert list(first.buckets("executions", 40).values()) == [23.0]
    assert list(first.buckets("seconds", 4).values()) == [3.0]
    assert [one.buckets("executions", 40) for one in (second, third)] == [{}, {}]
    assert [one.waiting for one in (first, second, third, fourth)] == [0, 0, 0, 1]


@pytest.mark.parametrize("seconds", [2, 2.125])
def test_a_finding_that_was_confirmed_later_counts_from_the_second_of_its_suspicion(
    tmp_path: Path, seconds: float
) -> None:
    words = [group(tmp_path, "A", [5, 6]), group(tmp_path, "B", [7, 8])]
    confirmed_later(tmp_path / "A1", 23, seconds=seconds)
    first = read_groups(words)[0].campaigns[0]
    assert list(first.buckets("seconds", 4).values()) == [seconds]


def test_a_finding_counts_from_the_second_of_its_suspicion_and_not_of_its_confirmation(tmp_path: Path) -> None:
    words = [group(tmp_path, "A", [5, 6]), group(tmp_path, "B", [7, 8])]
    name = confirmed_later(tmp_path / "A1", 23, seconds=2.5)
    for campaign, seen in (("A1", {"suspected": 2.25}), ("A2", {})):
        if campaign == "A2":
            shutil.copytree(RunFolder(tmp_path / "A1").findings / name, RunFolder(tmp_path / "A2").findings / name)
        lines = sorted(RunFolder(tmp_path / campaign).statistics.glob("*.jsonl"))[0]
        line = {"type": FINDING, "session": 1, "seconds": 3.5, "kind": "wrong-model", "name": name, **seen}
        lines.write_text(lines.read_text() + json.dumps(line) + "\n")
    found = [list(one.buckets("seconds", 4).values()) for one in read_groups(words)[0].campaigns]
    assert found == [[2.25], [3.5]]


def test_findings_that_only_one_of_two_identical_groups_had_time_to_confirm_do_not_make_them_different(
    tmp_path: Path,
) -> None:
    words = [group(tmp_path, "A", [5, 6]), group(tmp_path, "B", [5, 6])]
    lines = sorted(RunFolder(tmp_path / "B1").statistics.glob("*.jsonl"))[0]
    lines.write_text(lines.read_text().replace('"findings":{}', '"findings":{"wrong-model":1}'))
    assert '"wrong-model":1' in lines.read_text()
    with pytest.raises(UsageError, match="their flags are the same"):
        read_groups(words)


def test_a_finding_counts_from_the_execution_of_its_suspicion(tmp_path: Path) -> None:
    path = made(tmp_path / "run", 1, 5)
    Statistics(RunFolder(path).statistics)  # another session does not count
    lines = sorted(RunFolder(path).statistics.glob("*.jsonl"))[0]
    seen = {"type": FINDING, "session": 1, "seconds": 3.9, "kind": "crash", "name": "crash-0", "executions": 17}
    lines.write_text(lines.read_text() + json.dumps(seen) + "\n")
    from chcfuzz.campaign.runs import history

    assert history.read(RunFolder(path)).first_executions() == {"crash-0": 17}


@pytest.mark.slow
def test_the_table_for_latex_and_the_drawings_are_well_formed(tmp_path: Path) -> None:
    groups = read_groups([group(tmp_path, "A_1", [5, 6, 7, 8, 9]), group(tmp_path, "B&", [6, 8, 9, 9, 12])])
    table = latex(rows(groups, "executions"), "executions", 40)
    assert r"unique traces & A\_1 28 & B\& 36 & " in table
    assert table.count(r"\\") == 1 + len(rows(groups, "executions"))
    found = drawings(groups, "executions")
    assert "unique-traces.svg" in found
    for name, text in found.items():
        counts = Counter(part.tag.removeprefix(SVG) for part in ElementTree.fromstring(text))
        assert counts["rect" if name.endswith("-boxes.svg") else "polyline"] == 2


def test_the_names_below_a_drawing_are_inside_of_it() -> None:
    curves = [(f"--portfolio=novelty={number}", [(0.0, 1.0), (5.0, 2.0)]) for number in range(7)]
    root = ElementTree.fromstring(curves_svg("median of traces", "executions", curves))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    names = [each for each in root.findall(f"{SVG}text") if each.text.startswith("--")]
    places = {(float(each.attrib["x"]), float(each.attrib["y"])) for each in names}
    assert len(places) == 7
    assert all(x + 9 * len(curves[0][0]) < width and y < height for x, y in places)


def test_a_box_has_the_quartiles_of_the_campaigns_and_a_dot_for_each() -> None:
    root = ElementTree.fromstring(boxes_svg("traces", [("A", [0.0, 25.0, 50.0, 75.0, 100.0])]))
    (box,) = root.findall(f"{SVG}rect")
    axis, whiskers, median = (part.attrib["d"] for part in root.findall(f"{SVG}path"))
    top, bottom = float(axis[1:].split(",")[1].split("V")[0]), float(axis.split("V")[1].split("H")[0])
    tall = bottom - top
    assert float(box.attrib["y"]) == pytest.approx(top + tall / 4)
    assert float(box.attrib["height"]) == pytest.approx(tall / 2)
    assert float(median.split(",")[1].split("H")[0]) == pytest.approx(top + tall / 2)
    assert [float(part.split("M")[0]) for part in whiskers.split("V")[1:]] == pytest.approx([top + tall * 3 / 4, top])
    assert [float(dot.attrib["cy"]) for dot in root.findall(f"{SVG}circle")] == pytest.approx(
        [bottom - tall * share / 4 for share in range(5)]
    )


def test_bars_of_ranks_overlap_unless_groups_differ_by_the_critical_difference() -> None:
    root = ElementTree.fromstring(ranks_svg("mean rank", ["A", "B", "C"], Ranks((2.9, 1.1, 2.0), 0.95, 0.01)))
    bars = [path.attrib["d"] for path in root.findall(f"{SVG}path")[1:]]
    (b_left, b_right), (_, c_right), (a_left, a_right) = (
        (float(bar[1:].split(",")[0]), float(bar.split("H")[1])) for bar in bars
    )
    c_left = float(bars[1][1:].split(",")[0])
    assert b_left < c_left < b_right < a_left < c_right < a_right
    names = [each.text for each in root.findall(f"{SVG}text") if (each.text or "")[:1] in {*"ABC"}]
    assert names == ["B 1.10", "C 2.00", "A 2.90"]


def test_the_table_of_ranks_has_a_column_for_each_group() -> None:
    table = latex_ranks({"buckets": Ranks((2.9, 1.1), 0.95, 0.0001)}, ["A_1", "B"])
    assert r"\begin{tabular}{lrrrr}" in table
    assert r"buckets & 2.90 & 1.10 & $<$ 0.001 & 0.95 \\" in table
    assert r"mean rank & A\_1 & B & $p$ & critical difference \\" in table


def test_the_manifest_names_seeds_load_and_command_lines(tmp_path: Path) -> None:
    groups = read_groups([group(tmp_path, "A", [5, 6]), group(tmp_path, "B", [7, 8])])
    (one, _) = manifest(groups)["A"]
    assert one["seed"] == 1
    assert one["load"] == [0.5, 0.5, 0.5]
    assert one["words"] == ["corpus/", "-seed=1"]
    assert one["executions"] == 40


def test_the_runs_of_trials_are_counted_after_the_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for number in range(3):
        (corpus / f"{number}.smt2").write_text("")
    assert trials.with_seeds(["-runs=30", "--quiet", str(corpus)]) == ["-runs=33", "--quiet", str(corpus)]
    assert "30 executions after 3 seeds: -runs=33" in capsys.readouterr().err
    assert trials.with_seeds(["-max_total_time=30", str(corpus)]) == ["-max_total_time=30", str(corpus)]
