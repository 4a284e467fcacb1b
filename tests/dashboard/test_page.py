"""The page has the data of the run, works without a network, and escapes everything from findings."""

import json
import os
import re
import shutil
from collections import Counter as Tally
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.campaign.runs.reached_functions import Functions, write
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.dashboard import campaign_data, curve_figures, page, unreached
from chcfuzz.dashboard.rendering import PLOTLY
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.execution.solving import UsageError
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.tracing.solver_coverage import SourcePlace
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.suspicions import Suspicions

from tests.dashboard.made import BUILD, made_run

HOSTILE = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
PHONE, DESKTOP = (390, 844), (1280, 900)


class Tags(HTMLParser):
    """All tags of a page, but what is inside its own scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def tags_of(text: str) -> list[tuple[str, dict[str, str | None]]]:
    tags = Tags()
    tags.feed(text)
    return tags.found


def hostile_run(path: Path) -> RunFolder:
    """A run in which everything that can be foreign tries to be a part of the page."""
    run = made_run(path)
    (finding,) = run.findings.glob("wrong-*")
    record = json.loads((finding / "record.json").read_text())
    record["z3"] = HOSTILE
    record["witness"] = HOSTILE
    record["parameters"] = {HOSTILE: HOSTILE}
    (finding / "record.json").write_text(json.dumps(record))
    for name in ("mutant.smt2", "evidence.smt2"):
        (finding / name).write_text(f"; {HOSTILE}\n" + (finding / name).read_text())
    (finding / "refutation").write_text(f'0: clause 0, |{HOSTILE}| "{HOSTILE}')
    (run.statistics / "0003-0001.jsonl").write_text(
        "\n".join(
            json.dumps(line)
            for line in (
                {"type": "session", "session": 3, "seconds": 0, "build": BUILD, "headline": HOSTILE, "at": HOSTILE}
                | {"versions": {"z3": HOSTILE, HOSTILE: HOSTILE}, "words": [HOSTILE], "machine": HOSTILE},
                {"type": "end", "session": 3, "seconds": 0, "why": HOSTILE},
            )
        )
    )
    tables = run.tables()
    tables["step", BUILD, "begin", HOSTILE] = tables["step", BUILD, HOSTILE, HOSTILE] = 5
    tables["outcome", HOSTILE, HOSTILE, "sat"] = tables["cost", HOSTILE, "9"] = 7
    run.write_tables(tables)
    state = json.loads((run.findings / "state.json").read_text())
    state["rows"][HOSTILE] = [9, 3]
    (run.findings / "state.json").write_text(json.dumps(state))
    return run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def one(folder: Path) -> str:
    made_run(folder / "one", edges=True)
    return page.html_of(campaign_data.read([folder / "one"]))


def specs_of(text: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="specs">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return dict(json.loads(found[1]))


def test_the_page_says_what_the_run_says(one: str) -> None:
    assert "wrong-model-default-000000-0123456789ab" in one
    assert "36,000" in one
    assert "not known" in one
    specs = specs_of(one)
    assert {"traces", "transitions", "edges", "findings", "speed", "times", "graph", "yields"} <= specs.keys()
    (traces,) = specs["traces"]["data"]
    assert traces["y"][-1] == max(traces["y"])
    assert traces["meta"]["seconds"][-1] == 2 * 60 * 20
    assert traces["meta"]["executions"][-1] == 72_000
    assert 'title="light or dark"' in one


def test_the_page_needs_no_network(one: str) -> None:
    for tag, attributes in tags_of(one):
        loaded = attributes.get("src") or (attributes.get("href") if tag == "link" else None)
        assert loaded is None or loaded.startswith("data:") or loaded == PLOTLY, tag
    policy = next(attributes for tag, attributes in tags_of(one) if attributes.get("http-equiv"))
    assert str(policy["content"]).startswith("default-src 'none'")


def test_plotly_is_beside_the_page_or_in_one_file_to_send(tmp_path: Path) -> None:
    runs = campaign_data.read([made_run(tmp_path / "run").path])
    for name in ("page.html", "other.html"):
        page.write(runs, tmp_path / name)
        assert (tmp_path / name).stat().st_size < 200_000
    page.write(runs, tmp_path / "whole.html", one_file=True)
    names = {path.name for path in tmp_path.iterdir() if path.is_file()}
    assert names == {"page.html", "other.html", "whole.html", PLOTLY}
    assert (tmp_path / PLOTLY).read_text() in (tmp_path / "whole.html").read_text()
    assert PLOTLY not in (tmp_path / "whole.html").read_text()


def test_findings_come_first_with_commands_to_copy(one: str, folder: Path) -> None:
    assert one.index('id="findings"') < one.index('id="growth"') < one.index('id="steps"')
    finding = folder / "one" / "findings" / "wrong-model-default-000000-0123456789ab"
    copied = [attributes["data-copy"] for tag, attributes in tags_of(one) if "data-copy" in attributes]
    assert f"chcfuzz reduce {finding}" in copied
    assert f"chcfuzz report {finding} --out report-{finding.name}" in copied


def test_a_page_in_a_file_links_to_the_folders_of_findings(folder: Path, one: str) -> None:
    page.write(campaign_data.read([folder / "one"]), folder / "one" / "page.html", "today")
    text = (folder / "one" / "page.html").read_text()
    links = [attributes["href"] for tag, attributes in tags_of(text) if tag == "a" and "href" in attributes]
    (link,) = [link for link in links if link and link.startswith("findings/")]
    assert (folder / "one" / link).is_dir()
    assert "page made today" in text
    assert "findings/" not in "".join(str(attributes.get("href")) for tag, attributes in tags_of(one) if tag == "a")


@pytest.mark.parametrize(
    ("more", "kind", "parts"),
    [({}, "traces", "transitions"), ({"has_features": True}, "traces with a new feature", "features")],
    ids=["steps", "features"],
)
def test_the_page_has_the_age_of_news_and_the_estimate(
    tmp_path: Path, more: dict[str, bool], kind: str, parts: str
) -> None:
    run = made_run(tmp_path / "run", lines=3)
    (part, *_) = sorted(run.statistics.glob("0002-*"))
    estimate = {"traces": {"next_hour": 80.4}, "signatures": {"next_hour": 0.25}, **more}
    lines = [json.loads(line) for line in part.read_text().splitlines()]
    part.write_text("".join(json.dumps({**line, "estimate": estimate}) + "\n" for line in lines))
    read = campaign_data.read([run.path])
    tiles = {label: (value, words) for label, value, words in page.tiles(read[0])}
    assert tiles["unique traces"][1].endswith(parts)
    (figure,) = (each for each in curve_figures.growth(read) if each.id == "transitions")
    assert figure.title.lower() == parts
    assert tiles["next hour"] == ("+80", f"{kind}, 0.2 signatures (estimate)")
    assert tiles["last new trace"][1].startswith("before the end; bucket: ")


def test_the_page_has_the_suspicions_that_wait(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", lines=3)
    Suspicions(run.findings).add(Suspicion(encode(Recipe(BUILT_IN[0])), "crash", "errors"))
    tiles = {label: (value, words) for label, value, words in page.tiles(*campaign_data.read([run.path]))}
    assert tiles["waiting"] == ("1", "suspicions: 1 crash")


def test_what_a_finding_says_stays_text(tmp_path: Path, one: str) -> None:
    hostile_run(tmp_path / HOSTILE.replace("/", "_"))
    path = tmp_path / HOSTILE.replace("/", "_")
    text = page.html_of(campaign_data.read([path, made_run(tmp_path / "other").path]))
    assert [tag for tag, _ in tags_of(text)].count("script") == [tag for tag, _ in tags_of(one)].count("script")
    assert not [tag for tag, _ in tags_of(text) if tag == "img"]
    assert text.count("&lt;img src=x") > 5
    for spec in specs_of(text).values():  # Plotly reads tags in what it draws
        assert "<img" not in json.dumps(spec)
        assert "<script" not in json.dumps(spec)


def test_a_reduced_finding_shows_its_system_in_colours(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run")
    (finding,) = run.findings.glob("wrong-*")
    samples = Path(__file__).resolve().parents[1] / "formats" / "samples"
    shutil.copy(samples / "reduced-1.json", finding / "reduced.json")
    shutil.copy(finding / "mutant.smt2", finding / "reduced.smt2")
    text = page.html_of(campaign_data.read([run.path]))
    assert "The system, reduced" in text
    assert '<span class="k">assert</span>' in text


@pytest.mark.parametrize("record", [None, b"", b'{"format": "chcfuzz-finding 99"}'])
def test_a_finding_that_cannot_be_read_is_said_and_the_rest_is_shown(tmp_path: Path, record: bytes | None) -> None:
    run = made_run(tmp_path / "run", lines=3)
    broken = run.findings / "wrong-model-broken-000000-ffffffffffff"
    broken.mkdir()
    whole = next(run.findings.glob("wrong-model-default*")) / "record.json"
    (broken / "record.json").write_bytes(whole.read_bytes() if record is None else record)
    text = page.html_of(campaign_data.read([run.path]))
    assert "Not read" in text
    assert "wrong-model-default-000000-0123456789ab" in text


def test_findings_are_shown_although_their_buckets_are_damaged(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", lines=3)
    (run.findings / "buckets.json").write_text('{"format": "chcfuzz-buckets 1", "buck')
    text = page.html_of(campaign_data.read([run.path]))
    assert "is damaged" in text
    assert "wrong-model-default-000000-0123456789ab" in text
    shutil.rmtree(run.findings / "wrong-model-default-000000-0123456789ab")
    assert "None so far." not in page.html_of(campaign_data.read([run.path])), "the buckets may have had some"


def test_a_campaign_that_has_only_begun_has_a_page(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "run")
    run.begin("spacer", [])
    text = page.html_of(campaign_data.read([run.path]))
    assert "without statistics yet" in text
    assert "None so far." in text


def test_a_folder_that_is_not_a_run_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a run folder"):
        campaign_data.read([tmp_path])


def test_names_of_runs_are_as_much_of_the_path_as_makes_them_unique(tmp_path: Path) -> None:
    for name in ("a", "b"):
        RunFolder(tmp_path / name / "run").begin("spacer", [])
    told = campaign_data.read([tmp_path / "a" / "run", tmp_path / "b" / "run"])
    assert [run.name for run in told] == ["a/run", "b/run"]
    told = campaign_data.read([tmp_path / "a" / "run", tmp_path / "a" / "run"])
    assert len({run.name for run in told}) == 2


def test_a_folder_whose_name_is_not_utf_8_has_a_page(tmp_path: Path) -> None:
    run = made_run(tmp_path / os.fsdecode(b"caf\xe9"), lines=3)
    page.write(campaign_data.read([run.path]), tmp_path / "page.html")
    assert "<h1>caf?</h1>" in (tmp_path / "page.html").read_text()


def test_two_runs_are_compared(folder: Path, one: str) -> None:
    made_run(folder / "two", scale=1.5, finding=False)
    text = page.html_of(campaign_data.read([folder / "one", folder / "two"]))
    assert '<section id="compared">' in text
    assert text.count('<td class="right">Z3 4.8.14.0</td>') == 2  # the solver under test, from the first line
    assert "traces in this run only" in text
    specs = specs_of(text)
    assert [line["name"] for line in specs["traces"]["data"]] == ["one", "two"]
    assert "yields-beside" in specs
    assert one != text


def test_functions_that_were_never_reached_are_listed_by_file(tmp_path: Path) -> None:
    made_run(tmp_path / "run")
    (run,) = campaign_data.read([tmp_path / "run"])
    here, there = "muz/spacer/a.cpp", "qe/mbp/b.cpp"
    entered = {SourcePlace("spacer::run(int)", here, 3)}
    others = {
        SourcePlace("spacer::push(int)", here, 9),
        SourcePlace("spacer::rest<int>()", here, 20),
        SourcePlace("mbp::go()", there, 1),
    }
    functions = unreached.summarized(entered, others, {SourcePlace("push", here, 11)})
    assert (functions.reached, functions.all) == (2, 4)
    assert [(file.name, len(file.never), file.all) for file in functions.files] == [(here, 1, 3), (there, 1, 1)]
    text = page.html_of([replace(run, functions=functions)])
    assert "spacer::rest&lt;int&gt;</code>" in text
    assert ">spacer::push</code>" not in text


def test_functions_of_a_library_that_has_changed_are_not_read(tmp_path: Path) -> None:
    made_run(tmp_path / "run")
    kept = Functions(str(tmp_path / "lib" / "libz3.so"), "version=5.4.0.0", reached=(1,), edges=(), never=())
    write(tmp_path / "run", BUILD, kept)
    (run,) = campaign_data.read([tmp_path / "run"])
    assert run.functions is None
    assert "is not the library of the campaign any more" in run.unread[-1]


def test_runs_of_different_solvers_have_no_transitions_in_common(tmp_path: Path) -> None:
    made_run(tmp_path / "one")
    other = made_run(tmp_path / "two")
    other.write_tables(Tally({name: number for name, number in other.tables().items() if name[0] != "step"}))
    text = page.html_of(campaign_data.read([tmp_path / "one", tmp_path / "two"]))
    assert "transitions in this run only" not in text


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium that keeps the messages of its console."""
    program, driver = (shutil.which(name) for name in ("chromium", "chromedriver"))
    if program is None or driver is None:
        pytest.skip("needs chromium and chromedriver (Debian: chromium, chromium-driver)")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options=options, service=Service(driver))
    yield started
    started.quit()


def test_a_page_without_its_script_names_the_missing_file(browser: Any, tmp_path: Path) -> None:
    page.write(campaign_data.read([made_run(tmp_path / "run").path]), tmp_path / "page.html")
    (tmp_path / PLOTLY).unlink()
    browser.get((tmp_path / "page.html").as_uri())
    text = browser.execute_script("return document.querySelector('[data-figure]').textContent")
    assert text == f"This figure needs {PLOTLY} beside this page."
    browser.get_log("browser")  # has the missing file


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "light"), pytest.param(PHONE, "dark", marks=pytest.mark.slow)])
def test_a_browser_draws_all_of_it_without_a_complaint(
    browser: Any, tmp_path: Path, size: tuple[int, int], scheme: str
) -> None:
    hostile_run(tmp_path / "run")
    page.write(
        campaign_data.read([tmp_path / "run", made_run(tmp_path / "other", edges=True).path]), tmp_path / "page.html"
    )
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    browser.get((tmp_path / "page.html").as_uri())
    ask = browser.execute_script
    assert ask("return document.documentElement.dataset.drawn") == "yes"
    assert ask("return document.documentElement.dataset.theme") == scheme
    figures, drawn = ask(
        "return [document.querySelectorAll('[data-figure]').length, document.querySelectorAll('.main-svg').length]"
    )
    assert drawn >= figures > 10
    assert ask("return document.documentElement.scrollWidth") <= width
    wide = ask("return [...document.querySelectorAll('.scrolls.wider .plot')].map((each) => each.dataset.figure)")
    assert any(name.startswith("graph") for name in wide) == (size == PHONE), "a graph that scrolls has a hint"
    assert "taken" not in browser.title
    ask("document.querySelector('[data-axis=executions]').click()")
    titles = ask("return [...document.querySelectorAll('.xtitle')].map((each) => each.textContent)")
    assert "executions" in titles
    ask("document.querySelectorAll('.sortable th')[1].click(); document.getElementById('theme').click()")
    assert ask("return document.documentElement.dataset.theme") != scheme
    assert browser.get_log("browser") == []
