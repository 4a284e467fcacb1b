"""What a worker remembers is bounded by use."""

from chcfuzz.campaign.caches import Memory, Origins, Recent


def test_what_was_used_last_stays_beyond_the_bound() -> None:
    recent: Recent[int, str] = Recent(3)
    for key in range(3):
        recent.put(key, str(key))
    assert recent.get(0) == "0"
    assert 1 in recent  # asking is no use
    for key in (3, 4):
        recent.put(key, str(key))
    assert [key for key in range(5) if key in recent] == [0, 3, 4]
    assert recent.get(1) is None
    assert len(recent) == 3


def test_what_is_put_again_is_used_and_says_the_latest() -> None:
    recent: Recent[int, str] = Recent(2)
    for key, value in ((1, "a"), (2, "b"), (1, "c"), (3, "d")):
        recent.put(key, value)
    assert (recent.get(1), recent.get(2), recent.get(3)) == ("c", None, "d")


def test_a_worker_forgets_the_executions_that_it_used_least_recently() -> None:
    costs = Memory().costs
    for number in range(25_000):
        costs.put("used again and again", -1)
        costs.put(str(number), number)
    assert len(costs) == 20_000
    assert costs.get("used again and again") == -1
    assert (costs.get("0"), costs.get("24999")) == (None, 24_999)


def test_a_unit_that_is_mutated_several_times_comes_from_the_first() -> None:
    origins = Origins()
    origins.made(b"second", b"first")
    origins.made(b"third", b"second")
    assert (origins.of(b"second"), origins.of(b"third"), origins.of(b"first")) == (b"first", b"first", None)
    assert b"third" in origins
    assert b"first" not in origins
    origins.forget()
    assert b"third" not in origins


def test_what_was_made_of_two_comes_from_none_of_them_and_what_is_made_of_it_from_it() -> None:
    origins = Origins()
    origins.made_of_two(b"crossed")
    origins.made(b"mutated", b"crossed")
    assert b"crossed" in origins
    assert (origins.of(b"crossed"), origins.of(b"mutated")) == (None, b"crossed")
