"""Releases around a finding's own: exact if answers are monotone, reported if they are not."""

import itertools

import pytest
from chcfuzz.triage.findings.location import Versions
from chcfuzz.triage.locate.versions import BAD, GOOD, VersionSearch, number_of

ALL = [f"4.8.{number}.0" for number in range(9, 41)]


def search(answers: dict[str, str], own: str) -> VersionSearch:
    return VersionSearch(list(answers), own, answers.__getitem__)


def answers(bad: range, neither: range = range(0)) -> dict[str, str]:
    said = {version: BAD if number in bad else GOOD for number, version in enumerate(ALL)}
    return said | {ALL[number]: "unknown" for number in neither}


@pytest.mark.parametrize("own", [5, 6, 11])
def test_the_releases_on_both_sides_are_exact_and_few_are_asked(own: int) -> None:
    tried = search(answers(range(5, 12)), ALL[own])
    found = tried.run(())
    assert (found.first_bad, found.last_good, found.first_good) == (ALL[5], ALL[4], ALL[12])
    assert len(found.asked) <= 13
    assert [version for version, _ in found.asked] == sorted(dict(found.asked), key=number_of)
    assert tried.exceptions() == []


def test_what_is_bad_from_the_oldest_to_the_newest_has_no_good_neighbour() -> None:
    found = search(answers(range(len(ALL))), ALL[7]).run(())
    assert (found.first_bad, found.last_good, found.first_good) == (ALL[0], None, None)


def test_the_only_release_is_the_first_bad() -> None:
    assert search({ALL[0]: BAD}, ALL[0]).run(()) == Versions(ALL[0], None, None, ((ALL[0], BAD),))


def test_what_says_nothing_is_passed_over() -> None:
    found = search(answers(range(5, 12), neither=range(3, 6)), ALL[8]).run(())
    assert (found.first_bad, found.last_good, found.first_good) == (ALL[6], ALL[2], ALL[12])
    assert (ALL[3], "unknown") in found.asked


def test_an_end_that_says_nothing_is_not_the_end() -> None:
    found = search(answers(range(5, 12), neither=range(3)), ALL[8]).run(())
    assert (found.first_bad, found.last_good) == (ALL[5], ALL[4])


def test_a_good_one_in_between_that_is_at_hand_is_found_and_starts_the_search_anew() -> None:
    said = answers(range(20))
    said |= {ALL[number]: GOOD for number in (6, 7, 8)}
    tried = search(said, ALL[15])
    assert tried.run(()).first_bad == ALL[0]
    tried = search(said, ALL[15])
    found = tried.run({ALL[7]})
    assert (found.first_bad, found.last_good) == (ALL[9], ALL[8])
    assert ALL[0] in tried.exceptions()


def test_what_is_bad_again_beyond_is_told() -> None:
    said = answers(range(5, 12)) | {ALL[2]: BAD, ALL[30]: BAD}
    tried = search(said, ALL[8])
    tried.run({ALL[2], ALL[30]})
    assert tried.exceptions() == [ALL[2], ALL[30]]


def test_what_is_known_when_it_is_stopped_is_kept() -> None:
    said = answers(range(5, 12))
    count = itertools.count()

    def ask(version: str) -> str:
        if next(count) == 3:
            raise KeyboardInterrupt
        return said[version]

    tried = VersionSearch(ALL, ALL[8], ask)
    with pytest.raises(KeyboardInterrupt):
        tried.run(())
    assert len(tried.found().asked) == 4
    assert tried.found().last_good is not None
