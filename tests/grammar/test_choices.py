import hashlib
from itertools import permutations

from chcfuzz.grammar.choices import Choices


def test_an_empty_buffer_answers_every_question_with_the_first_choice() -> None:
    choices = Choices(b"")
    assert choices.index(7) == 0
    assert choices.boolean() is False
    assert choices.integer(-3, 5) == -3
    assert choices.pick("abc") == "a"
    assert choices.permutation(4) == (0, 1, 2, 3)


def test_a_question_with_one_answer_consumes_nothing() -> None:
    choices = Choices(b"\x05")
    assert choices.index(1) == choices.index(0) == choices.integer(9, 9) == 0 or choices.integer(9, 9) == 9
    assert choices.index(256) == 5


def test_an_index_takes_as_many_bytes_as_it_needs() -> None:
    for n, taken in ((2, 1), (256, 1), (257, 2), (65536, 2), (65537, 3)):
        choices = Choices(b"\x00" * taken + b"\x01")
        choices.index(n)
        assert choices.index(2) == 1


def test_answers_stay_in_range_on_any_buffer() -> None:
    for seed in range(300):
        data = hashlib.sha256(b"%d" % seed).digest()[: seed % 33]
        choices = Choices(data)
        for n in (1, 2, 3, 10, 255, 256, 257, 1000, 70000):
            assert 0 <= choices.index(n) < n
        assert -4 <= choices.integer(-4, 4) <= 4
        assert sorted(Choices(data).permutation(9)) == list(range(9))


def test_every_choice_can_be_reached() -> None:
    assert {Choices(bytes([b])).index(200) for b in range(256)} == set(range(200))
    reached = {Choices(bytes([a, b])).permutation(3) for a in range(3) for b in range(2)}
    assert reached == set(permutations(range(3)))


def test_behind_the_bytes_a_key_gives_answers_without_end() -> None:
    choices = Choices(b"\x05", b"key")
    assert choices.index(256) == 5
    answers = [choices.index(200) for _ in range(20_000)]
    assert set(answers) == set(range(200))
    other = Choices(b"", b"key")
    assert [other.index(200) for _ in range(20_000)] == answers, "the stream depends on the key alone"
    assert [Choices(b"", b"kex").index(1 << 64) for _ in range(1)] != [Choices(b"", b"key").index(1 << 64)]
    assert (Choices(b"", b"key").ends, Choices(b"key").ends) == (False, True)


def test_the_order_of_reads_makes_no_difference() -> None:
    """It is drawn in growing pieces: one long question reads what many short ones do."""
    short, long = Choices(b"\x01\x02", b"key"), Choices(b"\x01\x02", b"key")
    pieces = bytes(short.index(256) for _ in range(1000))
    assert long.index(256**1000).to_bytes(1000, "little") == pieces


def test_a_changed_byte_is_a_small_change() -> None:
    one, other = (Choices(data, b"key") for data in (bytes([1, 2, 3, 4]), bytes([1, 2, 9, 4])))
    answers = [[choices.index(256) for _ in range(100)] for choices in (one, other)]
    assert [i for i, (a, b) in enumerate(zip(*answers, strict=True)) if a != b] == [2]


def test_a_long_permutation_has_no_tail_that_stays() -> None:
    orders = {Choices(b"12345678", bytes([key])).permutation(300) for key in range(1, 50)}
    assert len(orders) == 49
    assert all(list(order[100:]) != sorted(order[100:]) for order in orders)


def test_a_text_is_the_rest_of_the_bytes_and_the_stream_continues_after_it() -> None:
    choices = Choices(b"\x05a\xff", b"key")
    assert choices.index(100) == 5
    assert choices.text() == "a\N{REPLACEMENT CHARACTER}"
    assert choices.text() == ""
    behind = Choices(b"", b"key")
    assert [choices.index(256) for _ in range(200)] == [behind.index(256) for _ in range(200)]
