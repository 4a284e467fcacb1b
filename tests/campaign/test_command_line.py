"""The command line of a fuzz target: two dashes are ours, one is libFuzzer's."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.campaign.command_line import check_libfuzzer_flags, parse
from chcfuzz.campaign.options import Options
from chcfuzz.domains.chc.rows.registry import registry
from chcfuzz.execution.solving import UsageError
from chcfuzz.mutators.mutation import Kind
from chcfuzz.mutators.portfolio import Strategy
from chcfuzz.mutators.seeds import own_seeds


def test_our_flags_and_libfuzzers_are_told_apart(tmp_path: Path) -> None:
    options = parse(["-runs=5", "--rlimit", "77", str(tmp_path), "-help=1", "--stop-on-finding"])
    assert options.libfuzzer == ("-runs=5", "-help=1")
    assert options.inputs == (tmp_path,)
    assert (options.solving.rlimit, options.stop_on_finding, options.flag("runs"), options.flag("seed")) == (
        77,
        True,
        "5",
        None,
    )


def test_a_bare_pair_of_dashes_before_the_flags_changes_nothing() -> None:
    flags = ["--z3=4.8.14.0", "-runs=5"]
    assert parse(["--", *flags]) == parse(flags) == parse([flags[0], "--", flags[1]])


@pytest.mark.parametrize(
    ("flags", "property_name"),
    [
        (["-merge=1"], "merges"),
        (["-set_cover_merge=1"], "merges"),
        (["-minimize_crash=1"], "minimizes"),
        (["-fork=2", "."], "starts_processes"),
        (["-jobs=2", "."], "starts_processes"),
        (["-merge=1"], "starts_processes"),
    ],
)
def test_libfuzzers_modes_are_known(flags: list[str], property_name: str) -> None:
    assert getattr(parse(flags), property_name)
    assert not getattr(parse([flag.replace("=1", "=0").replace("=2", "=0") for flag in flags]), property_name)


def test_new_units_do_not_go_to_the_seeds_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    seeds = own_seeds()
    for own in (seeds, seeds / "lia"):
        options = parse([str(own)])
        assert (options.grown, options.inputs) == (Path("grown/chc"), (Path("grown/chc"), own))
        assert parse(options.arguments).inputs == options.inputs, "workers get the same folders"
    assert parse([str(tmp_path), str(seeds)]).grown == tmp_path, "the user's own folder comes first, as in libFuzzer"
    file = next(seeds.rglob("*.smt2"))
    assert parse([str(file)]).inputs == (file,)
    monkeypatch.chdir(seeds.parent)
    assert parse(["-merge=1", seeds.name, str(tmp_path)]).inputs == (Path(seeds.name), tmp_path)


def test_the_folder_for_new_units_is_beside_the_seeds_if_a_user_stands_in_them(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = own_seeds()
    monkeypatch.chdir(seeds / "lia")
    assert parse(["."]).grown == seeds.parent / "grown/chc"


@pytest.mark.parametrize(
    ("domain", "folder"), [("smt", "smt"), ("interpolation", "itp"), ("tests.domains:TOY", "tests-domains-TOY")]
)
def test_each_domain_has_a_folder_of_its_own_for_new_units(domain: str, folder: str) -> None:
    words = [str(own_seeds())]
    assert parse(words, domain).grown == parse([*words, f"--domain={domain}"]).grown
    grown = parse(words, domain).grown
    assert grown is not None
    assert grown.parts[-2:] == ("grown", folder)


def test_files_are_replayed_and_folders_fuzzed(tmp_path: Path) -> None:
    file = tmp_path / "unit"
    file.touch()
    assert parse([str(file)]).replays_files
    assert not parse([str(tmp_path)]).replays_files
    assert not parse([]).replays_files


def test_what_is_kept_of_mutants_goes_into_the_first_folder_of_a_campaign_and_nowhere_else(tmp_path: Path) -> None:
    folder, more, file = tmp_path / "first", tmp_path / "more", tmp_path / "unit"
    more.mkdir()
    file.touch()
    assert parse([str(folder), str(more)]).grown == folder
    for words in (["-merge=1", folder, more], ["-minimize_crash_internal_step=1", file], [file], ["-help=1", more]):
        assert parse([str(word) for word in words]).grown is None


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--no-such-flag"], "--no-such-flag"),
        (["--rlimit", "many"], "'many' is not a positive whole number"),
        (["--rlimit=0"], "'0' is not a positive whole number"),
        (["--rlimit=4294967297"], "4294967297 is more than 4294967295, the largest limit of Z3"),
        (["--wall-seconds=-1"], "'-1' is not a positive number"),
        (["--on-bucket=notify '"], '"notify \'" is not a command: No closing quotation'),
        (["--on-bucket= "], "' ' names no command"),
        (["no/such/folder"], "'no/such/folder'"),
        (["--resume"], "argument --resume: expected one argument"),
        (["-minimize_crash=1", "/"], "-minimize_crash=1 needs one file"),
        (["--run-dir="], "argument --run-dir: the path is empty; perhaps a variable of the shell is not set"),
        (["--findings=s3://bucket/run"], "argument --findings: 's3://bucket/run' is an address; name a file or folder"),
        ([""], "an argument is empty"),
        (["\udcff/"], "'\\udcff/' is not UTF-8"),
    ],
)
def test_a_bad_command_line_is_one_line_that_shows_the_value(arguments: list[str], told: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(arguments)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_preset_hornfuzz_has_the_papers_mutations_and_flags_beside_it_win() -> None:
    rows, usual = registry(), parse(["--preset=hornfuzz"])
    own = {row.id for row in rows.mutations if re.match(r"HornFuzz \d", row.source)}
    assert {row.id for row in rows.limited(usual.kinds, called=usual.rows).mutations} == own
    assert (usual.policy, usual.heuristic, usual.mutates_groups_only) == ("hornfuzz", "transitions", True)
    naive = parse(["--heuristic=given", "--preset=hornfuzz", "--kinds=own,rewrite"])
    assert naive == replace(usual, heuristic="given", kinds=(Kind.OWN, Kind.REWRITE))
    assert parse(naive.ours) == replace(naive, preset=None), "a worker gets the flags of the preset"


def test_hornfuzzs_policy_with_an_order_of_seeds_implies_its_chains_unless_a_portfolio_is_given() -> None:
    assert parse(["--policy=hornfuzz", "--heuristic=simple"]).portfolio == ((Strategy.CHAIN, 1),)
    assert parse(["--policy=hornfuzz"]).portfolio == parse(["--heuristic=simple"]).portfolio == parse([]).portfolio
    assert parse(["--policy=hornfuzz", "--heuristic=simple", "--portfolio=swarm"]).portfolio == ((Strategy.SWARM, 1),)


def test_a_path_with_spaces_is_refused_only_where_libfuzzer_would_lose_it(tmp_path: Path) -> None:
    spaced = tmp_path / "my corpus"
    spaced.mkdir()
    assert isinstance(parse([f"--findings={spaced}", str(spaced)]), Options)
    assert isinstance(parse(["-fork=2", str(spaced)]), Options), "its jobs get a link"
    for words in (["-jobs=2", f"--findings={spaced}", "/"], ["-merge=1", f"--findings={tmp_path}/a;b", "/", "/"]):
        with pytest.raises(UsageError, match=r"cannot pass '.*(my corpus|a;b).*' on"):
            parse(words)


def test_limits_are_numbers_or_none() -> None:
    assert parse([]).limit("runs") is None
    assert parse(["-runs=-1"]).limit("runs") is None
    assert parse(["-runs=0"]).limit("runs") == 0
    assert parse(["-max_total_time=0"]).limit("max_total_time") is None
    assert parse(["-max_total_time=5"]).limit("max_total_time") == 5
    with pytest.raises(UsageError, match="-runs=many"):
        parse(["-runs=many"]).limit("runs")


@pytest.mark.parametrize("word", ["-seed=4294967296", "-seed=-1", "-runs=1_000", "-runs=2147483648", "-runs=٣"])
def test_a_number_that_libfuzzer_reads_as_another_one_is_refused(word: str) -> None:
    with pytest.raises(UsageError, match=f"{word} is not a whole number from"):
        parse([word]).limit(word[1:].partition("=")[0])


def test_a_command_and_the_solvers_beside_it_survive_being_handed_on() -> None:
    """In words without blanks: libFuzzer hands them to a shell."""
    flags = [
        "--command=sh -c 'echo \"$1\"' {}",
        "--dialect=eldarica",
        "--memory-megabytes=77",
        "--cross",
        "z3 -smt2",
        "--cross=my\\ solver {}",
        "--cross-z3=4.8.14.0",
        "--cross-z3=4.13.4",
    ]
    options = parse(flags)
    assert not any(" " in word for word in options.arguments if word.startswith("-"))
    again = parse(list(options.arguments))
    assert again.arguments == options.arguments
    assert again.solving.cross == ("z3 -smt2", "'my solver' {}")
    assert again.solving.cross_z3 == ("4.8.14.0", "4.13.4")
    command, same = options.solving.solver_command(), again.solving.solver_command()
    assert command is not None
    assert command == same
    assert command.words[1:] == ("-c", 'echo "$1"', "{}")
    assert (command.memory_megabytes, command.dialect.name) == (77, "eldarica")
    assert options.solving.command_dialect is command.dialect


def test_without_a_command_spacer_is_under_test() -> None:
    solving = parse([]).solving
    assert (solving.command, solving.solver_command(), solving.command_dialect) == (None, None, None)
    assert (solving.cross, solving.cross_z3) == ((), ())


def test_a_command_gets_the_wall_clock() -> None:
    command = parse(["--command=sh", "--wall-seconds=3.5"]).solving.solver_command()
    assert command is not None
    assert command.wall_seconds == 3.5


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("-max_total_tim=5", "libFuzzer does not know the flag '-max_total_tim=5'; did you mean -max_total_time=5?"),
        ("-nothing_like_it=5", "libFuzzer does not know the flag '-nothing_like_it=5'; -help=1 lists its flags"),
    ],
)
def test_a_flag_that_libfuzzer_does_not_have_is_told_with_the_nearest(word: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        check_libfuzzer_flags(["-runs=1", word], {"runs", "max_total_time"})
    assert str(caught.value) == told
    check_libfuzzer_flags(["-runs=1", "-max_total_time=5"], {"runs", "max_total_time"})


@pytest.mark.parametrize("before", [["{0}/grown"], ["{0}"], ["--run-dir={0}/run"], ["--run-dir={0}/run", "{0}"]])
def test_a_file_among_the_corpora_is_refused_with_the_commands_that_make_it_one(
    tmp_path: Path, before: list[str]
) -> None:
    file = tmp_path / "my own.smt2"
    file.write_text("(check-sat)")
    message = f"{str(file)!r} is a file, and a corpus is a folder; put it into one: mkdir mine && cp '{file}' mine/"
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        parse([*(word.format(tmp_path) for word in before), str(file)])
    assert parse([str(file)]).replays_files


@pytest.mark.parametrize("words", [["--shard=3/8"], ["--shard", "3/8"]])
def test_a_campaign_is_not_divided_and_the_message_says_how_an_array_of_jobs_runs(words: list[str]) -> None:
    with pytest.raises(UsageError, match="give each job of an array a --run-dir of its own"):
        parse(words)


def test_a_libfuzzer_flag_without_its_value_is_told() -> None:
    with pytest.raises(UsageError, match="'-runs' needs an equals sign and a value"):
        parse(["-runs", "5"])


def test_the_first_of_several_folders_need_not_be_there(tmp_path: Path) -> None:
    here, new = str(tmp_path), f"{tmp_path}/grown"
    assert parse([new, here]).inputs == (Path(new), tmp_path)
    assert parse([f"{new}/", here]).inputs == (Path(new), tmp_path)
    for words in ([new], [f"{new}/"], [here, new], [here, f"{new}/"]):
        with pytest.raises(UsageError, match="no such file or folder"):
            parse(words)


def test_a_single_new_folder_needs_a_corpus(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"name a corpus after it: \S+grown/ CORPUS"):
        parse([f"{tmp_path}/grown/"])


@pytest.mark.parametrize(
    ("domain", "words", "corpus"),
    [
        (None, [], "corpus"),
        ("smt", ["-runs=3"], "corpus-smt"),
        ("smt", ["--domain=interpolation"], "corpus-itp"),
        ("parts", ["-fork=2"], "corpus-parts"),
    ],
)
def test_without_a_corpus_the_seeds_of_the_domain_are_read(domain: str | None, words: list[str], corpus: str) -> None:
    assert parse(words, domain).inputs[1:] == (own_seeds().parent / corpus,)


@pytest.mark.parametrize("words", [["-help=1"], ["-merge=1"], ["-minimize_crash=1"]])
def test_other_modes_of_libfuzzer_get_no_corpus(words: list[str]) -> None:
    assert parse(words).inputs == ()


@pytest.mark.parametrize(
    ("words", "judged"),
    [
        (["FOLDER"], "sample"),
        (["-fork=2", "FOLDER"], "sample"),
        (["-jobs=2", "FOLDER"], "sample"),
        (["--judge-solver-steps=off", "FOLDER"], "off"),
        (["-merge=1", "FOLDER", "FOLDER"], "off"),
        (["-merge_control_file=x", "FOLDER"], "off"),
        (["-merge=1", "--judge-solver-steps=all", "FOLDER", "FOLDER"], "all"),
        (["FILE"], "off"),
        (["-minimize_crash=1", "FILE"], "off"),
    ],
)
def test_a_sample_of_solver_steps_is_judged_where_units_are_fuzzed(
    words: list[str], judged: str, tmp_path: Path
) -> None:
    (tmp_path / "unit").touch()
    named = {"FOLDER": str(tmp_path), "FILE": str(tmp_path / "unit")}
    assert parse([named.get(word, word) for word in words]).judged_steps == judged
