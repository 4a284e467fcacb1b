"""`chcfuzz triage`: findings are reduced and put into buckets, and known buckets are set aside and shown."""

import io
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from chcfuzz.commands.main import main
from chcfuzz.commands.triage import as_json, log, print_table
from chcfuzz.mutators.recipe import Recipe, Step
from chcfuzz.triage.buckets.buckets import Member, bucketed, read_buckets
from chcfuzz.triage.buckets.collect import ReduceFirst, listed, triage
from chcfuzz.triage.buckets.known_issues import known_issues
from chcfuzz.triage.reduce import reduction as reduce_module
from rich.console import Console

from tests.triage.buckets.test_buckets import traits
from tests.triage.buckets.test_traits import reduce, written
from tests.triage.examine.test_examination import SAT
from tests.triage.reduce.test_reduction import CTP, DOUBLED, PoolHere, finding, solving
from tests.triage.reduce.test_reduction import SAT_UNTIL_UNSAT as UNTIL


def reducing(max_tests: int) -> ReduceFirst:
    return ReduceFirst(lambda _: solving("PlantedSpacer"), max_tests, log)


@pytest.fixture
def findings(tmp_path: Path) -> Path:
    """Two findings, one of them reduced."""
    folder = tmp_path / "findings"
    folder.mkdir()
    written(folder / "wrong-answer-111111-a", cures=("transforms off",))
    reduce(written(folder / "wrong-model-known-222222-b", "wrong-model", answer="sat", witness_for=None))
    return folder


def test_findings_are_reduced_once_within_the_limit(
    findings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reduce_module, "JudgePool", PoolHere)
    shutil.rmtree(findings / "wrong-model-known-222222-b")
    into = findings / "buckets.json"
    (bucket,) = triage([findings], into, reducing(5), pytest.fail)
    assert "stopped after 5" in capsys.readouterr().err
    record = json.loads((findings / "wrong-answer-111111-a" / "reduced.json").read_text())
    assert (record["most"], record["minimal"]) == (5, False)
    assert bucket.representative.text is not None
    assert triage([findings], into, reducing(5), pytest.fail) == (bucket,)
    assert capsys.readouterr().err == ""
    (smaller,) = triage([findings], into, reducing(2000), pytest.fail)
    assert smaller.representative.size < bucket.representative.size
    assert json.loads((findings / "wrong-answer-111111-a" / "reduced.json").read_text())["minimal"]


def test_a_part_of_the_findings_is_reduced_and_no_bucket_is_written(
    findings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reduced: list[str] = []
    monkeypatch.setattr(
        "chcfuzz.triage.buckets.collect.reduce_all", lambda found, _: reduced.extend(one.folder.name for one in found)
    )
    for part, names in (("1/2", ["wrong-answer-111111-a"]), ("2/2", ["wrong-model-known-222222-b"]), ("3/3", [])):
        assert main(["triage", str(findings), "--shard", part]) == 0
        assert reduced == names
        reduced.clear()
    assert "0 findings of this part; `chcfuzz triage` without --shard groups all of them" in capsys.readouterr().out
    assert not (findings / "buckets.json").exists()
    assert main(["triage", str(findings), "--shard", "1/2", "--no-reduce"]) == 2
    assert "--shard only reduces" in capsys.readouterr().err


@pytest.mark.slow
def test_the_smallest_is_reduced_and_findings_like_it_only_until_they_match(
    findings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reduce_module, "JudgePool", PoolHere)
    shutil.rmtree(findings / "wrong-model-known-222222-b")
    for name, choices in (("b", b"\2\1\3"), ("c", b"\3\2\1")):
        recipe = Recipe(SAT, (Step("order.shuffle-clauses", choices), *DOUBLED.steps[1:]), (CTP,))
        cures = ("transforms off",)
        folder = finding(
            findings / f"wrong-answer-111111-{name}", recipe, "wrong-answer", solving("PlantedSpacer"), cures, **UNTIL
        )
        (folder / "mutant.smt2").write_text(SAT)
    (bucket,) = triage([findings], findings / "buckets.json", reducing(2000), pytest.fail)
    assert len(bucket.members) == 3
    records = {
        path.name[-1]: json.loads((path / "reduced.json").read_text()) for path in findings.glob("wrong-answer-*")
    }
    assert records["a"]["minimal"]
    assert not records["b"]["minimal"]
    assert records["b"]["tests"] < records["a"]["tests"]
    assert records["b"]["after"]["nodes"] <= 2 * records["a"]["after"]["nodes"]
    assert capsys.readouterr().err.count("reduced: ") == 3
    triage([findings], findings / "buckets.json", reducing(2000), pytest.fail)
    assert capsys.readouterr().err == "", "the second time, each matches already"


def test_a_finding_that_cannot_be_reduced_is_reported_and_has_a_bucket(
    findings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(findings / "wrong-answer-111111-a")
    written(findings / "contradiction-333333-c", "contradiction")
    buckets = triage([findings], findings / "buckets.json", reducing(5), pytest.fail)
    assert sorted(bucket.representative.kind for bucket in buckets) == ["contradiction", "wrong-model"]
    assert "contradiction-333333-c not reduced" in capsys.readouterr().err


def test_ctrl_c_ends_the_reductions_and_all_findings_have_buckets(
    findings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def interrupted(folder: Path, *_: object) -> None:
        asked.append(folder)
        raise KeyboardInterrupt

    monkeypatch.setattr(reduce_module, "reduce_at_most", interrupted)
    buckets = triage([findings], findings / "buckets.json", reducing(5), pytest.fail)
    assert len(asked) == 1
    assert len(buckets) == 2
    assert "interrupted" in capsys.readouterr().err


def test_buckets_of_other_machines_are_merged_in_any_order(findings: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    reduce(written(other / "wrong-answer-444444-d", answer="sat", z3="4.8.14.0"))
    here = triage([findings], tmp_path / "here.json", None, pytest.fail)
    there = triage([other], tmp_path / "there.json", None, pytest.fail)
    both = triage([tmp_path / "here.json", tmp_path / "there.json"], tmp_path / "one.json", None, pytest.fail)
    assert triage([tmp_path / "there.json", findings], tmp_path / "two.json", None, pytest.fail) == both
    assert {bucket.name for bucket in both} == {bucket.name for bucket in (*here, *there)}
    assert bucketed(read_buckets(tmp_path / "one.json")) == both


def shown(*found: Member, width: int = 200) -> str:
    console = Console(file=io.StringIO(), width=width)
    print_table(listed(bucketed(found), known_issues()), console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_known_buckets_have_a_heading_of_their_own() -> None:
    news, known = traits("a"), traits("b", kind="exception", witness="Z3 raises: could not validate a proof step")
    table = shown(Member(news), Member(known))
    before, after = table.split("Known already, set aside")
    assert news.name in before
    assert known.name in after
    assert "z3-5363" in after
    assert table.splitlines()[-1] == "2 buckets, 2 findings; 1 known and set aside"
    one = shown(Member(news))
    assert "Known already" not in one
    assert one.splitlines()[-1] == "1 bucket, 1 finding; 0 known and set aside"


def test_eighty_columns_fold_no_name() -> None:
    found = traits("wrong-model-default-0123456789ab-0123456789ab")
    (bucket,) = bucketed([Member(found)])
    text = shown(Member(found), Member(traits("b", kind="exception", witness="Z3 raises: x")), width=80)
    lines = [line.strip() for line in text.splitlines()]
    assert bucket.name in lines
    assert found.name in lines
    assert max(len(line) for line in text.splitlines()) <= 80


@pytest.mark.parametrize("width", [80, 140, 160, 200])
def test_no_width_folds_a_name_or_cuts_a_description(width: int) -> None:
    found = traits("wrong-model-default-0123456789ab-0123456789ab", cures=("fp.spacer.order_children=1",) * 3 + ("x",))
    (bucket,) = bucketed([Member(found)])
    text = shown(Member(found), width=width)
    assert bucket.name in text
    assert found.name in text
    assert "1 more" in text.replace("\n", " ")


def test_a_match_by_the_cure_alone_is_shown_and_not_set_aside() -> None:
    table = shown(Member(traits("b", kind="wrong-model", witness="wrong model", by_inlining=True)))
    assert "Known already" not in table
    assert "perhaps z3-7319" in table


def test_possibly_known_buckets_stay_among_the_new_ones() -> None:
    table = shown(Member(traits("a", kind="wrong-model", witness="wrong model")))
    assert "Known already" not in table
    assert "perhaps z3-6716" in table


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["triage", *map(str, words)])
    return code, *capsys.readouterr()


def test_json_has_all_of_it(findings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, findings, "--no-reduce", "--json")
    rows = json.loads(out)
    assert code == 0
    assert [row["representative"]["witness"] for row in rows] == ["wrong model", "wrong unsat"]
    assert json.loads(as_json(listed(bucketed(read_buckets(findings / "buckets.json")), known_issues()))) == rows


@pytest.mark.parametrize(
    ("words", "message"),
    [(["none"], "no findings 'none'"), (["--tests=0"], "positive"), ([".", "--known=none.toml"], "none.toml")],
)
def test_bad_use_is_a_line_and_exit_code_2(
    words: Sequence[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        code = main(["triage", *words])
    except SystemExit as left:  # what argparse refuses
        code = int(left.code or 0)
    assert code == 2
    assert message in capsys.readouterr().err


def test_a_finding_that_was_renamed_is_listed_under_its_new_name(findings: Path) -> None:
    triage([findings], findings / "buckets.json", None, pytest.fail)
    (findings / "wrong-answer-111111-a").rename(findings / "zero.bak")
    buckets = triage([findings], findings / "buckets.json", None, pytest.fail)
    assert {member.traits.name for bucket in buckets for member in bucket.members} == {
        "zero.bak",
        "wrong-model-known-222222-b",
    }


@pytest.mark.parametrize("damaged", ["record.json", "mutant.smt2"])
def test_a_finding_that_cannot_be_read_costs_no_other_its_bucket_or_its_place_in_the_queue(
    findings: Path, capsys: pytest.CaptureFixture[str], damaged: str
) -> None:
    (findings / "wrong-answer-111111-a" / damaged).write_bytes(b"\xff(")
    assert main(["triage", "--no-reduce", "--json", str(findings)]) == 2
    printed = capsys.readouterr()
    (row,) = json.loads(printed.out)
    assert row["findings"] == ["wrong-model-known-222222-b"]
    assert printed.err.count("\n") == 1
    assert f"wrong-answer-111111-a/{damaged}" in printed.err
    assert main(["report", "--queue", str(findings), "--recheck=4.8.12.0"]) == 2
    printed = capsys.readouterr()
    assert "wrong-model-known-222222-b" in printed.out
    assert printed.err.count("\n") == 1
    assert f"wrong-answer-111111-a/{damaged}" in printed.err


def test_a_person_merges_and_splits_buckets_with_the_command(
    findings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def rows(*words: object) -> list[list[str]]:
        code, out, err = run(capsys, findings, "--json", *words)
        assert (code, err) == (0, "")
        return sorted(sorted(row["findings"]) for row in json.loads(out))

    apart = rows("--no-reduce")
    one, other = (row["name"] for row in json.loads(run(capsys, findings, "--no-reduce", "--json")[1]))
    together = [sorted(name for names in apart for name in names)]
    assert rows("--merge", one, other) == rows("--no-reduce") == together
    assert rows("--split", findings / apart[0][0]) == rows("--no-reduce") == apart
    assert run(capsys, findings, "--merge", one, "nothing")[0] == 2
